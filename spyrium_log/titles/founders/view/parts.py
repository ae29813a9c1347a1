"""What the view of a board consists of: plain data, with None for what nobody knows, and `?` for an unseen card."""

from __future__ import annotations

from msgspec import Struct

from spyrium_log.title import Awaited
from spyrium_log.titles.founders.state import Winner


class SiteView(Struct, frozen=True, kw_only=True):
    """A fortress site: `west`, `north`, `fortress` or `tower`."""

    site: str
    cells: tuple[str, ...]


class TileView(Struct, frozen=True, kw_only=True):
    """A tile by its resource, a `house` or a `bridge`; nobody's where `owner` is 0.

    `inputs` are the first cells of the tiles that supplied it, each with its flag in `flags`; `passes` is how much of
    what it scores goes away by its flags to others, or is lost (None where a flag is unknown). `earned` is what its
    owner kept so far.
    """

    kind: str
    cells: tuple[str, ...]
    owner: int
    access: tuple[int, ...]
    inputs: tuple[str, ...]
    flags: tuple[int | None, ...]
    passes: int | None
    earned: int


class NeedView(Struct, frozen=True, kw_only=True):
    """A need of a prestige building: what it scores, and who delivered it (0: a neutral token; None: nobody)."""

    resource: str
    points: int | None
    points_are_assumed: bool
    seat: int | None


class BuildingView(Struct, frozen=True, kw_only=True):
    """A prestige building on the board; `needs` is None where nobody knows what is printed on it.

    `delivered` are the tokens that fill no printed need; `worker` is the seat with a worker on the card.
    """

    card: str
    cells: tuple[str, ...]
    placer: int
    needs: tuple[NeedView, ...] | None
    delivered: tuple[tuple[str, int], ...]
    complete: bool
    claim: bool
    worker: int


class SlotView(Struct, frozen=True, kw_only=True):
    """A slot of the adviser row: the card ('' for none), the price of the slot, and the resource that it asks for."""

    slot: int
    card: str
    price: int | None
    price_is_assumed: bool
    resource: str | None
    resource_is_assumed: bool
    category: str | None
    level: int | None
    points: int | None


class BidView(Struct, frozen=True, kw_only=True):
    seat: int
    fleeting: int
    lasting: int
    points: int


class ProposalView(Struct, frozen=True, kw_only=True):
    """A proposal, and the bids for it. `site`: the site it stands on and nowhere else, '' for none."""

    proposal: int
    card: str
    shape: str | None
    colour: str | None
    terrain: str | None
    site: str
    needs: tuple[NeedView, ...] | None
    bids: tuple[BidView, ...]


class GoalView(Struct, frozen=True, kw_only=True):
    """The achievement of a deck ('' where none lies), and the seats that met it."""

    deck: str
    card: str
    points: int | None
    seats: tuple[int, ...]


class DoneView(Struct, frozen=True, kw_only=True):
    """What a seat did in this turn."""

    seat: int
    act: str
    about: str


class DueView(Struct, frozen=True, kw_only=True):
    """A delivery that a seat has to choose."""

    building: str
    resource: str
    seat: int


class MatView(Struct, frozen=True, kw_only=True):
    """What one seat has. `points` is None on a screen that hides the scores.

    `hand` and `discard` are None where the seat that looks may not see them; of the hand, `unknown` cards lie in the
    discard pile. `workers` are those that can be used, `used` the places of the others.
    """

    seat: int
    money: int
    fleeting: int
    lasting: int
    income: int
    points: int | None
    race: str
    race_base: str
    bases: tuple[str, ...]
    advisers: int
    hand: tuple[str, ...] | None
    discard: tuple[str, ...] | None
    unknown: int
    cards_in_hand: int
    cards_discarded: int
    houses: int
    bridges: int
    workers: int
    used: tuple[str, ...]
    has_bid: bool
    has_sealed: bool
    conceded: bool
    lost: bool


class NameView(Struct, frozen=True, kw_only=True):
    """What a component set calls a card in a language."""

    card: str
    language: str
    name: str


class BoardView(Struct, frozen=True, kw_only=True):
    """Everything on the table.

    `set_name` is the component set, whose values may be `invented`; `names` are its own names of the cards shown.
    `rows` has the letters of the map, row by row. `roads` and all `cells` are names; what lies off the board is listed
    and is not on the map. `played` is the card of the turn of seat `last`, '' before the first.
    """

    set_name: str
    invented: bool
    names: tuple[NameView, ...]
    first: int
    awaits: Awaited
    votes: int
    markers: int
    last: int
    played: str
    down: bool
    did: tuple[DoneView, ...]
    caller: int
    roads_due: int
    due: tuple[DueView, ...]
    tie: int
    winner: Winner
    claims_due: int
    width: int
    height: int
    rows: tuple[str, ...]
    sites: tuple[SiteView, ...]
    roads: tuple[str, ...]
    tiles: tuple[TileView, ...]
    buildings: tuple[BuildingView, ...]
    row: tuple[SlotView, ...]
    proposals: tuple[ProposalView, ...]
    goals: tuple[GoalView, ...]
    mats: tuple[MatView, ...]
