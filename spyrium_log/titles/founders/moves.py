"""Moves: what a player chose and what the table turned up. Nothing in them is computed.

A cell is a name, `d4`: the column in letters (a to z, then aa to an), the row as a number. A placement names all its
cells, so that no component set is needed to replay it. Slots of the adviser row and proposals count from 1.
"""

from typing import Annotated, Literal, TypeAlias, final

from msgspec import Meta, Struct

from spyrium_log import title
from spyrium_log.title import Seat, SeatOrNone
from spyrium_log.titles.founders.effects import Card, Cell, Number, Proposal, Resource

# A card whose face nobody saw.
UNSEEN = "?"
Slot: TypeAlias = Annotated[int, Meta(ge=1, le=4)]
Cells: TypeAlias = Annotated[tuple[Cell, ...], Meta(max_length=16)]
Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=24)]
Seal: TypeAlias = Annotated[str, Meta(max_length=64)]


class _Decision(
    Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="act"
):
    seat: Seat


class Played(_Decision, frozen=True, kw_only=True):
    """An act that may begin a turn: `card` is then the card played with it, `?` if nobody saw its face.

    `down`: the card is played face-down, for a basic action. Without a card the act is a follow or a further step.
    """

    card: Card | None = None
    down: bool = False


@final
class TakeRace(_Decision, frozen=True, kw_only=True, tag="take_race"):
    """`base`: the base card that Aesther takes, or any race's where nobody knows what is printed (F-3.2)."""

    race: Card
    base: Card | None = None


@final
class TakeBase(_Decision, frozen=True, kw_only=True, tag="take_base"):
    """`who`: the seat that the card is taken from (F-3.3)."""

    base: Card
    who: Seat | None = None


@final
class PlaceStart(_Decision, frozen=True, kw_only=True, tag="place_start"):
    at: Cell


@final
class Gain(Played, frozen=True, kw_only=True, tag="gain"):
    """The basic action that brings one coin, or one fleeting influence (F-5.2)."""

    what: Literal["money", "fleeting"]


@final
class LayRoad(Played, frozen=True, kw_only=True, tag="lay_road"):
    at: Cell


@final
class BuildBase(Played, frozen=True, kw_only=True, tag="build_base"):
    """A tile of a base resource; whose it is says the base, not who builds it (F-4.1)."""

    base: Card
    at: Cell


@final
class BuyAccess(Played, frozen=True, kw_only=True, tag="buy_access"):
    """`at`: any cell of the tile."""

    at: Cell


@final
class BuildHouse(Played, frozen=True, kw_only=True, tag="build_house"):
    at: Cell


@final
class BuildBridge(Played, frozen=True, kw_only=True, tag="build_bridge"):
    """A bridge on a river cell, or a gate on a wall cell: one piece, two faces."""

    at: Cell


@final
class BuildTile(Played, frozen=True, kw_only=True, tag="build_tile"):
    """A tile of tier 2 or 3. `inputs`: a cell of each tile that supplies it, in the order of the recipe (F-6.4)."""

    resource: Card
    cells: Cells
    inputs: Cells = ()


@final
class Recruit(Played, frozen=True, kw_only=True, tag="recruit"):
    """`named`: the adviser, where it was dealt unseen."""

    slot: Slot
    named: Card | None = None


@final
class PlayCard(Played, frozen=True, kw_only=True, tag="play_card"):
    """A card whose action begins with nothing to choose: Income, and some advisers."""


@final
class UseWorker(Played, frozen=True, kw_only=True, tag="use_worker"):
    """`on`: `race`, or the id of a prestige building (F-9)."""

    on: Card


@final
class TakeBack(_Decision, frozen=True, kw_only=True, tag="take_back"):
    """Cards from the own discard pile back into the hand; `?` is one that was played face-down and never seen."""

    cards: Cards = ()


@final
class CallVote(_Decision, frozen=True, kw_only=True, tag="call_vote"):
    """What the cards left in hand bring: so many coins, fleeting influence, and roads that are still to be laid."""

    money: Number = 0
    fleeting: Number = 0
    roads: Number = 0


@final
class SealBid(_Decision, frozen=True, kw_only=True, tag="seal_bid"):
    """The hash of a bid that is opened when all are sealed (F-13)."""

    seal: Seal


@final
class Bid(_Decision, frozen=True, kw_only=True, tag="bid"):
    """`salt`: what the seal of this bid was made with, where there is one."""

    proposal: Proposal
    fleeting: Number = 0
    lasting: Number = 0
    salt: Seal | None = None


@final
class BreakTie(_Decision, frozen=True, kw_only=True, tag="break_tie"):
    proposal: Proposal


@final
class ChooseProposal(_Decision, frozen=True, kw_only=True, tag="choose_proposal"):
    """The proposal that a game alone builds next, and the influence paid for it (F-12.3)."""

    proposal: Proposal
    fleeting: Number = 0
    lasting: Number = 0


@final
class PayClaims(_Decision, frozen=True, kw_only=True, tag="pay_claims"):
    fleeting: Number = 0
    lasting: Number = 0


@final
class PlacePrestige(_Decision, frozen=True, kw_only=True, tag="place_prestige"):
    cells: Cells


@final
class Deliver(_Decision, frozen=True, kw_only=True, tag="deliver"):
    """Which of several tiles fills a need: `at` is a cell of it (F-8.4)."""

    building: Card
    resource: Card
    at: Cell


@final
class Decline(_Decision, frozen=True, kw_only=True, tag="decline"):
    """No follow, or no further step."""


class _Deal(
    Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="act"
):
    """What the table turned up. A card that nobody saw is `?`."""


@final
class TableDealt(_Deal, frozen=True, kw_only=True, tag="table_dealt"):
    """The rows at the start; `put_back` are proposals that went on top of the deck (F-3.1)."""

    advisers: Cards
    proposals: Cards
    put_back: Cards = ()
    goals: Cards = ()


@final
class AdvisersDealt(_Deal, frozen=True, kw_only=True, tag="advisers_dealt"):
    """The row slides left, and these come at its right end (F-7.4)."""

    cards: Cards = ()


@final
class ProposalsDealt(_Deal, frozen=True, kw_only=True, tag="proposals_dealt"):
    """New proposals behind those that still lie there; `shuffled`: the discarded ones became a new deck (F-10.6)."""

    cards: Cards = ()
    put_back: Cards = ()
    shuffled: bool = False


@final
class ProposalReplaced(_Deal, frozen=True, kw_only=True, tag="proposal_replaced"):
    """The chosen proposal fits nowhere and leaves the game; this card is built instead (F-10.5)."""

    card: Card
    shuffled: bool = False


class TileAt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A structure on the board: a tile by its resource, a `house`, a `bridge`; nobody's where `owner` is 0."""

    kind: Card
    cells: Cells
    owner: SeatOrNone = 0
    inputs: Cells = ()
    access: Annotated[tuple[Seat, ...], Meta(max_length=9)] = ()


class TokenAt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A filled need of a prestige building; seat 0 is a neutral token."""

    resource: Card
    seat: SeatOrNone


class BuildingAt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    card: Card
    cells: Cells
    delivered: Annotated[tuple[TokenAt, ...], Meta(max_length=8)] = ()
    complete: bool = False
    claim: bool = False


class MatAt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one seat has in a position; what is absent stays as it is."""

    seat: Seat
    money: Annotated[int, Meta(ge=-999, le=9999)] | None = None
    fleeting: Annotated[int, Meta(ge=-999, le=9999)] | None = None
    lasting: Annotated[int, Meta(ge=-999, le=9999)] | None = None
    income: Annotated[int, Meta(ge=-999, le=9999)] | None = None
    points: Annotated[int, Meta(ge=-999, le=9999)] | None = None
    race: Card | None = None
    race_base: Card | None = None
    bases: Cards | None = None
    hand: Cards | None = None
    discard: Cards | None = None
    unknown: Number | None = None
    used: Cards | None = None


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A partial statement of what lies on the table. What is absent stays as it is.

    `last`: the seat whose turn ended last; the next one is to act. `tiles`, `roads` and `buildings` replace all that
    lie on the board.
    """

    votes: Number | None = None
    last: SeatOrNone | None = None
    row: Cards | None = None
    proposals: Cards | None = None
    spent: Cards | None = None
    goals: Cards | None = None
    tiles: Annotated[tuple[TileAt, ...], Meta(max_length=200)] | None = None
    roads: Annotated[tuple[Cell, ...], Meta(max_length=400)] | None = None
    buildings: Annotated[tuple[BuildingAt, ...], Meta(max_length=30)] | None = None
    mats: Annotated[tuple[MatAt, ...], Meta(max_length=9)] = ()


# What a card, a follow or a worker lets a seat do, by the type of the act.
Step: TypeAlias = (
    Gain
    | LayRoad
    | BuildBase
    | BuyAccess
    | BuildHouse
    | BuildBridge
    | BuildTile
    | Recruit
    | PlayCard
    | UseWorker
    | TakeBack
    | Decline
)
Draft: TypeAlias = TakeRace | TakeBase | PlaceStart
Vote: TypeAlias = CallVote | SealBid | Bid | BreakTie | ChooseProposal | PayClaims | PlacePrestige
Decision: TypeAlias = Draft | Step | Vote | Deliver
DRAFTS = (TakeRace, TakeBase, PlaceStart)
STEPS = (
    *(Gain, LayRoad, BuildBase, BuyAccess, BuildHouse, BuildBridge, BuildTile, Recruit),
    *(PlayCard, UseWorker, TakeBack, Decline),
)
VOTES = (CallVote, SealBid, Bid, BreakTie, ChooseProposal, PayClaims, PlacePrestige)
DECISIONS = (*DRAFTS, *STEPS, *VOTES, Deliver)
Deal: TypeAlias = TableDealt | AdvisersDealt | ProposalsDealt | ProposalReplaced
DEALS = (TableDealt, AdvisersDealt, ProposalsDealt, ProposalReplaced)
Interruption: TypeAlias = title.Paused | title.Continued | title.Conceded | title.Abandoned
Statement: TypeAlias = title.Counted[Resource] | title.Adjusted | title.Resynced[Position] | Interruption
Act: TypeAlias = Decision | Deal | title.FinalCount | Statement
