"""Effects as types: what can move, why, and the facts that a move does not say by itself."""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta

from spyrium_log.title import Fact, Seat

# `residence` counts steps along the track from 1; what a step is worth is printed, and so the sheet's business.
Resource: TypeAlias = Literal["money", "spyrium", "points", "workers", "residence"]

TurnCause: TypeAlias = Literal[
    "revenue", "gain", "price", "symbol", "crowd", "site", "token", "effect", "event", "bonus"
]
TechniqueCause: TypeAlias = Literal["capitalization", "engineering", "lobbying", "crane", "taylorism", "commerce"]
FinalCause: TypeAlias = Literal[
    "final:buildings",
    "final:automation",
    "final:capitalization",
    "final:engineering",
    "final:lobbying",
    "final:crane",
    "final:taylorism",
    "final:commerce",
]
Cause: TypeAlias = Literal[TurnCause, TechniqueCause, FinalCause]

CAUSES: dict[str, str] = {
    "start": "S-2.2",
    "unseen": "S-2",
    "table": "S-5",
    "adjusted": "S-5",
    "revenue": "S-4.1",
    "gain": "S-5.5",
    "price": "S-5.6.1",
    "symbol": "S-5.6.4",
    "crowd": "S-5.6.1",
    "site": "S-5.6.4",
    "token": "S-7.1",
    "effect": "S-9",
    "event": "S-8",
    "bonus": "S-7.3",
    **{technique: f"S-9.3.{number}" for number, technique in enumerate(get_args(TechniqueCause), 2)},
    "final:buildings": "S-10.1",
    "final:automation": "S-9.3.1",
    **{f"final:{technique}": f"S-9.3.{number}" for number, technique in enumerate(get_args(TechniqueCause), 2)},
}

FACTS: dict[str, str] = {
    "bonus_due": "S-7.3",
    "bonus_taken": "S-7.3",
    "tokens_returned": "S-4.5",
    "token_kept": "S-9.3.7",
    "event_token_taken": "S-9.3.7",
    "workers_sent": "S-5.7",
    "workers_freed": "S-5.6.4",
    "card_named": "S-4.3",
}

Value: TypeAlias = Annotated[int, Meta(ge=1, le=3)]
Bonus: TypeAlias = Literal["worker", "money"]


class BonusDue(Fact, frozen=True, kw_only=True, tag="bonus_due"):
    """A gain took the score to the first bonus; the player chooses before the next turn (S-7.3)."""

    seat: Seat


class BonusTaken(Fact, frozen=True, kw_only=True, tag="bonus_taken"):
    """A bonus token went unasked: the other one, at 20, or that of a worker whom the act itself sends (S-7.3)."""

    seat: Seat
    bonus: Bonus


class TokensReturned(Fact, frozen=True, kw_only=True, tag="tokens_returned"):
    """The whole discard pile became the reserve during this event's draws (S-4.5)."""


class TokenKept(Fact, frozen=True, kw_only=True, tag="token_kept"):
    """The token used by this move went to the player's Commerce card, not to the discard pile (S-9.3.7)."""

    seat: Seat
    value: Value


class EventTokenTaken(Fact, frozen=True, kw_only=True, tag="event_token_taken"):
    """The event card's token went to the player's Commerce card (S-11, commerce-event-token)."""

    seat: Seat


class WorkersSent(Fact, frozen=True, kw_only=True, tag="workers_sent"):
    """So many workers went from the Start card onto the building used (S-5.7; none with Automation)."""

    seat: Seat
    slot: Annotated[int, Meta(ge=1, le=40)]
    n: Annotated[int, Meta(ge=1, le=20)]


class WorkersFreed(Fact, frozen=True, kw_only=True, tag="workers_freed"):
    """Workers of a replaced building came back active (S-11, replaced-workers)."""

    seat: Seat
    n: Annotated[int, Meta(ge=0, le=20)]


class CardNamed(Fact, frozen=True, kw_only=True, tag="card_named"):
    """A card that was dealt unseen is this one."""

    space: Annotated[int, Meta(ge=1, le=9)]
    card: Annotated[str, Meta(max_length=40)]


SpyriumFact: TypeAlias = (
    BonusDue | BonusTaken | TokensReturned | TokenKept | EventTokenTaken | WorkersSent | WorkersFreed | CardNamed
)
