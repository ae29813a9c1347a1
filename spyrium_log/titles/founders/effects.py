"""Effects as types: what can move, why, and the facts that a move does not say by itself."""

from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta

from spyrium_log.title import Fact, Seat

# `money` is coins. `income` is the step on the income track: the number of different resources owned on the board.
Resource: TypeAlias = Literal["money", "fleeting", "lasting", "income", "points"]
RESOURCES: tuple[Resource, ...] = get_args(Resource)

ActionCause: TypeAlias = Literal[
    "basic", "price", "saved", "sold", "reward", "recruit", "income", "houses", "call", "owned"
]
CardCause: TypeAlias = Literal["race", "prestige", "adviser"]
PointCause: TypeAlias = Literal["built", "delivered", "passed", "lost"]
VoteCause: TypeAlias = Literal["vote", "proposal", "claims"]
GoalCause: TypeAlias = Literal["goal:immediate", "goal:mid"]
FinalCause: TypeAlias = Literal["final:lasting", "final:money", "final:goal"]
Cause: TypeAlias = Literal[ActionCause, CardCause, PointCause, VoteCause, GoalCause, FinalCause]

CAUSES: dict[str, str] = {
    "start": "F-3.2",
    "unseen": "F-3",
    "table": "F-5",
    "adjusted": "F-5",
    "basic": "F-5.2",
    "price": "F-7",
    "saved": "F-7",
    "sold": "F-7.1",
    "reward": "F-7.4",
    "recruit": "F-7.4",
    "income": "F-10.3",
    "houses": "F-10.3",
    "call": "F-10.1",
    "owned": "F-4.3",
    "race": "F-9",
    "prestige": "F-9",
    "adviser": "F-7.6",
    "built": "F-8.1",
    "delivered": "F-8.4",
    "passed": "F-8.2",
    "lost": "F-8.3",
    "vote": "F-10.4",
    "proposal": "F-12.3",
    "claims": "F-12.3",
    "goal:immediate": "F-12.2",
    "goal:mid": "F-12.2",
    "final:lasting": "F-11.2",
    "final:money": "F-11.2",
    "final:goal": "F-11.2",
}

FACTS: dict[str, str] = {
    "base_got": "F-3.2",
    "delivered": "F-8.4",
    "neutral_delivered": "F-8.3",
    "delivery_due": "F-8.4",
    "scored": "F-8.2",
    "completed": "F-8.5",
    "tie_due": "F-10.4",
    "vote_won": "F-10.4",
    "vote_void": "F-10.5",
    "claims_due": "F-12.3",
    "claim_put": "F-12.3",
    "claim_taken": "F-12.3",
    "goal_met": "F-12.2",
    "goal_gone": "F-12.2",
    "card_removed": "F-12.3",
    "solo_lost": "F-12.3",
}

LONGEST_CELL: Final = 4
LONGEST_CARD: Final = 40
# A cell by its name, `d4`; a name off every board is a phantom.
Cell: TypeAlias = Annotated[str, Meta(max_length=LONGEST_CELL)]
Card: TypeAlias = Annotated[str, Meta(max_length=LONGEST_CARD)]
Proposal: TypeAlias = Annotated[int, Meta(ge=1, le=3)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Deck: TypeAlias = Literal["immediate", "mid", "final"]
DECKS: tuple[Deck, ...] = get_args(Deck)


class BaseGot(Fact, frozen=True, kw_only=True, tag="base_got"):
    """The base card that is printed for the race which the seat took (F-3.2)."""

    seat: Seat
    base: Card


class Delivered(Fact, frozen=True, kw_only=True, tag="delivered"):
    """The tile `at` filled a need of a building; `seat` owns the tile and puts a delivery token there (F-8.4)."""

    building: Card
    resource: Card
    at: Cell
    seat: Seat


class NeutralDelivered(Fact, frozen=True, kw_only=True, tag="neutral_delivered"):
    """A need for a neutral base was filled as the building was placed (F-8.3)."""

    building: Card
    resource: Card


class DeliveryDue(Fact, frozen=True, kw_only=True, tag="delivery_due"):
    """Several tiles could fill this need at once, and `seat` has to choose one (F-8.4)."""

    building: Card
    resource: Card
    seat: Seat


class Scored(Fact, frozen=True, kw_only=True, tag="scored"):
    """One node of a cascade: the tile `at` scored `n` into a tile or building, kept so much, and lost so much (F-8.2).

    `into` is the cell of the tile that was built from it, or the id of the building.
    """

    at: Cell
    into: Card
    seat: Seat
    n: Annotated[int, Meta(ge=-999, le=999)]
    kept: Annotated[int, Meta(ge=-999, le=999)]
    lost: Annotated[int, Meta(ge=0, le=999)] = 0


class Completed(Fact, frozen=True, kw_only=True, tag="completed"):
    """All needs of the building are filled (F-8.5)."""

    building: Card


class TieDue(Fact, frozen=True, kw_only=True, tag="tie_due"):
    """Proposals are tied, and `seat` chooses one of them (F-10.4)."""

    seat: Seat


class VoteWon(Fact, frozen=True, kw_only=True, tag="vote_won"):
    """The proposal is chosen, and `seat` places it (F-10.5)."""

    proposal: Proposal
    seat: Seat


class VoteVoid(Fact, frozen=True, kw_only=True, tag="vote_void"):
    """The chosen proposal fits nowhere and leaves the game; everybody votes again (F, unplaceable)."""

    proposal: Proposal


class ClaimsDue(Fact, frozen=True, kw_only=True, tag="claims_due"):
    """So many neutral claims lie on the board and have to be paid for (F-12.3)."""

    seat: Seat
    n: Number


class ClaimPut(Fact, frozen=True, kw_only=True, tag="claim_put"):
    """A neutral claim is put on the building (F-12.3)."""

    building: Card


class ClaimTaken(Fact, frozen=True, kw_only=True, tag="claim_taken"):
    """A delivery takes the neutral claim off the building (F-12.3)."""

    building: Card


class GoalMet(Fact, frozen=True, kw_only=True, tag="goal_met"):
    """The seat meets the achievement of this deck (F-12.2)."""

    deck: Deck
    seat: Seat


class GoalGone(Fact, frozen=True, kw_only=True, tag="goal_gone"):
    """The achievement of this deck is scored and leaves the game (F-12.2)."""

    deck: Deck


class CardRemoved(Fact, frozen=True, kw_only=True, tag="card_removed"):
    """A card leaves the game: an adviser played face-up alone, by one reading a building that fits nowhere (F-12.3)."""

    seat: Seat
    card: Card


class SoloLost(Fact, frozen=True, kw_only=True, tag="solo_lost"):
    """The game alone is lost (F-12.3)."""

    seat: Seat


FoundersFact: TypeAlias = (
    BaseGot
    | Delivered
    | NeutralDelivered
    | DeliveryDue
    | Scored
    | Completed
    | TieDue
    | VoteWon
    | VoteVoid
    | ClaimsDue
    | ClaimPut
    | ClaimTaken
    | GoalMet
    | GoalGone
    | CardRemoved
    | SoloLost
)
