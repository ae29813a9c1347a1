"""Moves: what a player chose and what a deal showed. Nothing in them is computed.

Seats, spaces and a neighbourhood's slots count from 1. The market is read like a page, spaces 1 to 9, and a gap is
named by the two spaces beside it: 12 lies between 1 and 2, 14 between 1 and 4.
"""

from typing import Annotated, Literal, TypeAlias, final, get_args

from msgspec import Meta, Struct

from spyrium_log import title
from spyrium_log.title import Seat, SeatOrNone
from spyrium_log.titles.spyrium.effects import Bonus, Resource, Value

Gap: TypeAlias = Literal[12, 23, 45, 56, 78, 89, 14, 25, 36, 47, 58, 69]
GAPS: tuple[Gap, ...] = get_args(Gap)
Space: TypeAlias = Annotated[int, Meta(ge=1, le=9)]
Slot: TypeAlias = Annotated[int, Meta(ge=1, le=40)]
Card: TypeAlias = Annotated[str, Meta(max_length=40)]
Choice: TypeAlias = Annotated[int, Meta(ge=1, le=3)]
# `keep`: neither, where the table may decline a residence action (S-11)
Residence: TypeAlias = Literal["move", "score", "keep"]
RESIDENCE_ACTIONS: tuple[Residence, ...] = get_args(Residence)
Gain: TypeAlias = Literal["money", "spyrium", "points"]
GAINS: tuple[Gain, ...] = get_args(Gain)
Tokens: TypeAlias = Annotated[tuple[Value, ...], Meta(max_length=24)]


class _Decision(
    Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="act"
):
    seat: Seat


class _Phased(_Decision, frozen=True, kw_only=True):
    """`enter`: the player moves to phase II with this action (S-5.2)."""

    enter: bool = False


@final
class PlaceWorker(_Decision, frozen=True, kw_only=True, tag="place_worker"):
    gap: Gap


class GainMoney(_Phased, frozen=True, kw_only=True, tag="gain_money"):
    """`space` is None where both spaces beside the gap are empty."""

    gap: Gap
    space: Space | None = None


class ActivateCard(_Phased, frozen=True, kw_only=True, tag="activate_card"):
    """Buy a card with an own worker beside it.

    `token`: the one used on a character; `over`: the slot built over; `lobbying`: no crowd cost; `commerce`: the
    value that the token counts for; `residence`: what a residence action does; `declined`: the character's effect is
    not used (S-11, character-effect); `named`: the card, where it was dealt unseen.
    """

    gap: Gap
    space: Space
    token: Value | None = None
    over: Slot | None = None
    lobbying: bool = False
    commerce: Value | None = None
    residence: Residence | None = None
    declined: bool = False
    named: Card | None = None


class UseEvent(_Phased, frozen=True, kw_only=True, tag="use_event"):
    """Use the round's event card. Each event has its own choices.

    windfall `gain` (and `commerce`), estate `residence`, investment and exchange `choice`, overtime `slot` and
    `effect`, latecomer `gap`; `declined`: no effect (S-11, event-effect).
    """

    gain: Gain | None = None
    commerce: Value | None = None
    residence: Residence | None = None
    choice: Choice | None = None
    slot: Slot | None = None
    effect: Choice | None = None
    gap: Gap | None = None
    declined: bool = False


class UseBuilding(_Phased, frozen=True, kw_only=True, tag="use_building"):
    """`again`: the effect of a Taylorism reuse chained to this use (S-11, taylorism-action)."""

    slot: Slot
    effect: Choice
    again: Choice | None = None


class ReuseBuilding(_Phased, frozen=True, kw_only=True, tag="reuse_building"):
    """Taylorism: an inclined building once more (S-5.9)."""

    slot: Slot
    effect: Choice


class Pass(_Phased, frozen=True, kw_only=True, tag="pass"):
    pass


class TakeBonus(_Decision, frozen=True, kw_only=True, tag="take_bonus"):
    bonus: Bonus


class DealtCard(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A card of the market with its tokens; the card is `?` where nobody had time to look."""

    card: Card
    tokens: Tokens = ()


class RoundDealt(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="act",
    tag="round_dealt",
):
    """The start of a round: the round's event card with its token, the next one, the market by spaces."""

    round: Annotated[int, Meta(ge=1, le=20)]
    first: Seat
    event: Card
    event_token: Value | None = None
    next_event: Card
    next_token: Value | None = None
    market: Annotated[tuple[DealtCard, ...], Meta(max_length=9)]


class BuildingAt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    card: Card
    inclined: bool = False
    workers: Annotated[int, Meta(ge=0, le=20)] = 0


class MatAt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one seat has in a position; what is absent stays as it is."""

    seat: Seat
    money: Annotated[int, Meta(ge=-999, le=9999)] | None = None
    spyrium: Annotated[int, Meta(ge=-999, le=9999)] | None = None
    points: Annotated[int, Meta(ge=-999, le=9999)] | None = None
    workers: Annotated[int, Meta(ge=0, le=20)] | None = None
    residence: Annotated[int, Meta(ge=1, le=20)] | None = None
    active: Annotated[int, Meta(ge=0, le=20)] | None = None
    phase: Literal[1, 2] | None = None
    passed: bool | None = None
    used_event: bool | None = None
    buildings: Annotated[tuple[BuildingAt, ...], Meta(max_length=40)] | None = None
    techniques: Annotated[tuple[Card, ...], Meta(max_length=10)] | None = None
    tilted: Annotated[tuple[Card, ...], Meta(max_length=10)] | None = None
    kept: Tokens | None = None
    bonuses: Annotated[tuple[Bonus, ...], Meta(max_length=2)] | None = None
    bonus_due: bool | None = None


class WorkersAt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    gap: Gap
    seat: Seat
    n: Annotated[int, Meta(ge=0, le=20)]


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A partial statement of what lies on the table. What is absent stays as it is."""

    round: Annotated[int, Meta(ge=0, le=20)] | None = None
    first: Seat | None = None
    last: SeatOrNone | None = None
    event: Card | None = None
    event_token: Value | None = None
    next_event: Card | None = None
    next_token: Value | None = None
    market: Annotated[tuple[DealtCard | None, ...], Meta(min_length=9, max_length=9)] | None = None
    workers: Annotated[tuple[WorkersAt, ...], Meta(max_length=60)] | None = None
    discard: Tokens | None = None
    mats: Annotated[tuple[MatAt, ...], Meta(max_length=9)] = ()


Turn: TypeAlias = PlaceWorker | GainMoney | ActivateCard | UseEvent | UseBuilding | ReuseBuilding | Pass
Decision: TypeAlias = Turn | TakeBonus
DECISIONS = (PlaceWorker, GainMoney, ActivateCard, UseEvent, UseBuilding, ReuseBuilding, Pass, TakeBonus)
Interruption: TypeAlias = title.Paused | title.Continued | title.Conceded | title.Abandoned
Statement: TypeAlias = title.Counted[Resource] | title.Adjusted | title.Resynced[Position] | Interruption
Act: TypeAlias = Decision | RoundDealt | title.FinalCount | Statement
