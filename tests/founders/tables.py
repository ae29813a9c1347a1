"""A table of Founders laid by hand: the practice set, a row, proposals, and a few pieces that touch and supply."""

from __future__ import annotations

from spyrium_log.title import Resynced
from spyrium_log.titles.founders.cards import BRIDGE, HOUSE
from spyrium_log.titles.founders.evolve import evolve
from spyrium_log.titles.founders.moves import BuildingAt, MatAt, Position, TableDealt, TileAt, TokenAt
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.sets import read_practice, read_printed
from spyrium_log.titles.founders.state import Done, State, new_state

ADVISERS = ("scholar", "?", "toll-clerk", "foreman")
PROPOSALS = ("university", "salt-barge", "north-watchtower")
BOARD = Position(
    last=3,
    votes=1,
    tiles=(
        TileAt(kind="population", cells=("m14",), owner=1, access=(2,)),
        TileAt(kind="wood", cells=("p13",), owner=2),
        TileAt(kind="stone", cells=("l12",), access=(1, 3)),
        TileAt(kind="books", cells=("k14", "k15", "k16"), owner=1, inputs=("l12", "p13")),
        TileAt(kind=HOUSE, cells=("s12",), owner=1),
        TileAt(kind=BRIDGE, cells=("j10",), owner=2),
        TileAt(kind=BRIDGE, cells=("p9",), owner=1),
    ),
    roads=("l14", "l13", "m13"),
    buildings=(
        BuildingAt(
            card="crooked-bone",
            cells=("k11", "l11"),
            delivered=(TokenAt(resource="crops", seat=2), TokenAt(resource="population", seat=0)),
            claim=True,
        ),
    ),
    mats=(
        MatAt(seat=1, race="human", race_base="population", bases=("gems",), money=6, points=11, used=("race",)),
        MatAt(seat=2, race="vermling", race_base="wood", bases=("crops",), money=3, points=-2),
        MatAt(seat=3, race="aesther", race_base="livestock", bases=("metal",), hand=("call", "toll-clerk")),
    ),
)


def lay_table(seats: int = 3, options: Options | None = None) -> State:
    """The table in mid-game: the turn of seat 3 is over, and stone and knowledge are neutral."""
    options = options or Options()
    state = new_state(seats, 1, options, read_printed(read_practice(), options.side, part_corners=False))
    evolve(state, TableDealt(advisers=ADVISERS, proposals=PROPOSALS, goals=("two-houses", "?", "")), (), ())
    evolve(state, Resynced(position=BOARD, why="a test"), (), ())
    return state


def lay_turn(card: str = "trade") -> State:
    """The same in the turn of seat 1, which played this card and built something."""
    state = lay_table()
    state.last, state.played, state.down = 1, card, False
    state.did = (Done(1, "build_base", "a1"),)
    return state
