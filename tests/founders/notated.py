"""A table on which much lies, for the tests of notation and shorthand."""

from __future__ import annotations

from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.effects import BaseGot, VoteWon
from spyrium_log.titles.founders.evolve import evolve
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.state import State, new_state
from tests.founders.oracle_sets import make_printed

BOARD = """
cccccccccccccc
cccccccccccccc
dddddddddddddd
dddddddddddddd
dddddddddddddd
ffffffffffffff
~~~~~~~~~~~~~~
rrrr1234rrrrrr
"""
PRINTED = make_printed(BOARD)
DEALT = moves.TableDealt(advisers=("scholar", "?", "foreman", "carpenter"), proposals=("university", "guild", "barge"))
# Seat 1 owns knowledge and gems, seat 2 metal and crops; nobody wood. Seat 1 has access to the metal on b3.
LAID = (
    moves.TakeRace(seat=1, race="human", base="knowledge"),
    moves.TakeRace(seat=2, race="inox", base="metal"),
    moves.TakeRace(seat=3, race="orchid", base="stone"),
    moves.TakeBase(seat=3, base="livestock"),
    moves.TakeBase(seat=2, base="crops"),
    moves.TakeBase(seat=1, base="gems"),
    moves.PlaceStart(seat=3, at="e8"),
    moves.PlaceStart(seat=2, at="f8"),
    moves.PlaceStart(seat=1, at="g8"),
    moves.BuildBase(seat=2, base="metal", at="b3", card="trade"),
    moves.BuyAccess(seat=1, at="b3"),
)


def new_table(seats: int = 3, options: Options | None = None) -> State:
    """A table before its first deal."""
    return new_state(seats, 1, options or Options(), PRINTED)


def table(*acts: moves.Act) -> State:
    """Seat 3 follows the Trade of seat 2, which seat 1 does not yet; then these acts."""
    state = new_table()
    for act in (DEALT, *LAID, *acts):
        evolve(state, act, (), ())
    return state


def place_university() -> State:
    """Seat 1 has to place the university."""
    state = table(moves.CallVote(seat=1))
    evolve(state, moves.Bid(seat=1, proposal=1), (), (VoteWon(proposal=1, seat=1),))
    return state


def with_race_of_seat_1() -> State:
    """The race of seat 1 is taken, and its base printed."""
    state = new_table()
    evolve(state, DEALT, (), ())
    evolve(state, moves.TakeRace(seat=1, race="human"), (), (BaseGot(seat=1, base="knowledge"),))
    return state
