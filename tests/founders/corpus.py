"""What the opponent's corpus is made of: a small invented board, a town of three seats on it, and rows of events.

What is expected comes from the text of the rules (F-1 to F-13), never from running the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal, NamedTuple

from msgspec import structs

from spyrium_log.sheet import Printed, Sheet
from spyrium_log.title import Resynced, Table
from spyrium_log.titles.founders import FOUNDERS
from spyrium_log.titles.founders.cards import ACTION_CARDS, BASES
from spyrium_log.titles.founders.ground import NAMES, WIDTH
from spyrium_log.titles.founders.moves import BuildingAt, MatAt, Position, TileAt, TokenAt
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.sets import PRACTICE, read_practice
from spyrium_log.titles.founders.state import State

# Section 1 is left of the river in column i, section 2 right of it above the wall in row 7, section 3 below it.
#  abcdefghijklmnop
MAP = """
ccccccdd~ddddfff
cccccddd~dddffff
ccccdddd~ddffffr
cccddddd~dfffNNr
ffffdddd~fffrNNr
ffffffdd~ffrrrrr
WWffffdd######xx
WWfffddd~rrrrGGr
fffffddd~rr1rGGr
ffffdddd~r23rrrr
fffddddd~r4rrrrr
"""


def make_sheet(board: str, leave_out: Callable[[Printed], bool] = lambda _: False) -> Sheet:
    """The cards and prices of the practice set on another board, without some of its values."""
    rows = [row for row in read_practice().printed if not row.of.startswith("board-") and not leave_out(row)]
    rows += [
        Printed(of="board-thematic", what=f"map-{number:02}", value=line, source="invented")
        for number, line in enumerate(board.split(), 1)
    ]
    return Sheet(name="corpus", printed=tuple(rows))


SHEET = make_sheet(MAP)


@cache
def sheet_with(*values: tuple[str, str, Any], source: Literal["read", "assumed"] = "assumed") -> Sheet:
    """The sheet of the corpus with other values, which somebody assumes."""
    return SHEET.with_readings(*(Printed(of=of, what=what, value=value, source=source) for of, what, value in values))


def land_cells(kinds: str = "cdfr1234") -> tuple[str, ...]:
    """Every land cell of the board, or those of these kinds."""
    lines = enumerate(MAP.split(), 1)
    return tuple(
        NAMES[row * WIDTH + column] for row, line in lines for column, kind in enumerate(line, 1) if kind in kinds
    )


# --- positions -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class At:
    """A table: what lies there, and the acts played from there before the event in question."""

    seats: int = 3
    options: Options = field(default_factory=Options)
    sheet: Sheet = SHEET
    position: Position | None = None
    before: tuple[Any, ...] = ()

    def then(self, *acts: Any) -> At:
        """The same table after some more acts."""
        return replace(self, before=(*self.before, *acts))

    def state(self) -> State:
        start = (tuple(FOUNDERS.start),) * self.seats
        state = FOUNDERS.setup(Table(start=start, first=1, options=self.options, sheet=self.sheet))
        if self.position is not None:
            FOUNDERS.evolve(state, Resynced(position=self.position, why="corpus"), (), ())
        for act in self.before:
            broken = [breach for breach in FOUNDERS.breaches(state, act) if breach.on == "record"]
            assert not broken, (act, broken)
            effects = FOUNDERS.effects(state, act)
            assert effects is not None
            FOUNDERS.evolve(state, act, effects.moved, effects.facts)
        return state


# Whose base each is: knowledge and stone are neutral.
HOLDERS = {"population": 1, "gems": 1, "wood": 2, "crops": 2, "livestock": 3, "metal": 3}


def base(kind: str, cell: str, *access: int) -> TileAt:
    """A tile of a base, which its holder owns."""
    return TileAt(kind=kind, cells=(cell,), owner=HOLDERS.get(kind, 0), access=access)


def tile(kind: str, cells: str, owner: int, inputs: str = "", access: tuple[int, ...] = ()) -> TileAt:
    """A tile of tier 2 or 3."""
    return TileAt(kind=kind, cells=tuple(cells.split()), owner=owner, inputs=tuple(inputs.split()), access=access)


def house(cell: str, owner: int) -> TileAt:
    return TileAt(kind="house", cells=(cell,), owner=owner)


def bridge(cell: str, owner: int) -> TileAt:
    return TileAt(kind="bridge", cells=(cell,), owner=owner)


def building(card: str, cells: str, *tokens: str, complete: bool = False, claim: bool = False) -> BuildingAt:
    """A prestige building; a token is `crops/2`, seat 0 being a neutral one."""
    parts = [token.partition("/") for token in tokens]
    delivered = tuple(TokenAt(resource=resource, seat=int(seat)) for resource, _, seat in parts)
    return BuildingAt(card=card, cells=tuple(cells.split()), delivered=delivered, complete=complete, claim=claim)


def completed(n: int) -> tuple[BuildingAt, ...]:
    """So many completed buildings, of two cells each, in the upper right corner."""
    cards = ("sleeping-lion", "grain-hall", "fish-market", "bath-house", "playhouse", "assay-office")
    places = ("l1 l2", "m1 m2", "n1 n2", "o1 o2", "p1 p2", "o3 p3")
    return tuple(building(card, cells, complete=True) for card, cells in zip(cards[:n], places, strict=False))


HAND = tuple(card for card in ACTION_CARDS if card != "income")
TILES = (
    base("population", "l9"),
    base("wood", "k10"),
    base("livestock", "l10"),
    base("gems", "d4"),
    base("crops", "g2"),
    base("knowledge", "g5"),
)
MATS = (
    MatAt(seat=1, race="human", race_base="population", bases=("gems",), income=2),
    MatAt(seat=2, race="vermling", race_base="wood", bases=("crops",), income=2),
    MatAt(seat=3, race="inox", race_base="livestock", bases=("metal",), income=1),
)
ROW = ("scholar", "huckster", "carpenter", "drover")
PROPOSALS = ("university", "salt-barge", "crooked-bone")


def mat(seat: int, **own: Any) -> MatAt:
    """What a seat has in the town, some of it otherwise: 9 coins, 2 fleeting and 1 lasting influence, all cards."""
    usual = {"money": 9, "fleeting": 2, "lasting": 1, "points": 5, "hand": HAND, "discard": ()}
    return structs.replace(MATS[seat - 1], **{**usual, **own})


def you(**own: Any) -> MatAt:
    """Seat 1, whose turn it is."""
    return mat(1, **own)


def town(
    *mats: MatAt,
    more: Iterable[TileAt] = (),
    seats: int = 3,
    options: Options | None = None,
    sheet: Sheet = SHEET,
    before: Iterable[Any] = (),
    **position: Any,
) -> At:
    """Three seats in mid-game, the turn of seat 1 about to begin; `more` are tiles besides those of TILES."""
    stated = {each.seat: each for each in mats}
    every = tuple(stated.get(seat, mat(seat)) for seat in range(1, seats + 1))
    lies: dict[str, Any] = {"last": seats, "row": ROW, "proposals": PROPOSALS, "tiles": (*TILES, *more), "mats": every}
    lies |= {"roads": (), "buildings": ()} | position
    return At(seats=seats, options=options or Options(), sheet=sheet, position=Position(**lies), before=tuple(before))


def two(*mats: MatAt, **changed: Any) -> At:
    """The same with two players, who have the Income card; the tiles of seat 3 are neutral."""
    stated = {each.seat: each for each in mats}
    every = [stated.get(seat, mat(seat, hand=(*HAND, "income"))) for seat in (1, 2)]
    tiles = tuple(structs.replace(each, owner=0) if each.owner == 3 else each for each in TILES)
    return town(*every, seats=2, **{"tiles": tiles, **changed})


def alone(
    *,
    options: Options | None = None,
    before: Iterable[Any] = (),
    votes: int = 0,
    buildings: Iterable[BuildingAt] = (),
    **own: Any,
) -> At:
    """A game alone, in which the seat has all eight bases, one tile, and nothing in hand but the Call."""
    bases = tuple(each for each in BASES if each != "population")
    usual: dict[str, Any] = {"hand": ("call",), "discard": ("trade", "recruit", "construct", "upgrade"), "bases": bases}
    return town(
        mat(1, **{**usual, **own}),
        seats=1,
        options=options,
        before=before,
        votes=votes,
        buildings=tuple(buildings),
        tiles=(base("population", "l9"),),
    )


def new(seats: int = 3, **changed: Any) -> At:
    """A game just set up."""
    return At(seats=seats, **changed)


# --- rows ----------------------------------------------------------------------------------------


class Row(NamedTuple):
    """`rule` is the primary breach, None where there must be none."""

    name: str
    at: At
    act: Any
    rule: str | None
    on: Literal["record", "sheet"] = "record"


PRACTICE_SHEET = FOUNDERS.sheet(PRACTICE)
