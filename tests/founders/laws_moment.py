"""What a law of Founders looks at: an event, the table before and after it, and what the game came to so far.

Cells are compared as sets, one after the other, and never with the masks of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from spyrium_log.title import AnyPosting
from spyrium_log.titles.founders.cards import BRIDGE, HOUSE, PRESTIGE_IN_ALL, TIERS
from spyrium_log.titles.founders.ground import Board, cell_of, cells_in, name_of
from spyrium_log.titles.founders.moves import (
    STEPS,
    AdvisersDealt,
    BuildBase,
    BuildTile,
    CallVote,
    PlaceStart,
    ProposalReplaced,
    ProposalsDealt,
    TableDealt,
)
from spyrium_log.titles.founders.state import Building, State, Structure

# The fields of a table that say what lies on the board.
ON_BOARD = ("roads", "structures", "buildings", "on", "covered", "base_owner", "due")


class Past:
    """What no table shows: how many events there were, who built each tile, and how many cards were dealt."""

    def __init__(self) -> None:
        self.events = 0
        self.builders: dict[int, int] = {}
        self.advisers_dealt = 0
        self.deck = PRESTIGE_IN_ALL

    def add(self, before: State, act: Any) -> None:
        """Take note of an event."""
        self.events += 1
        match act:
            case PlaceStart() | BuildBase():
                self.builders[cell_of(act.at)] = act.seat
            case BuildTile():
                self.builders.update((cell_of(name), act.seat) for name in act.cells)
            case TableDealt():
                self.advisers_dealt += len(act.advisers)
                self.deck -= len(act.proposals)
            case AdvisersDealt():
                self.advisers_dealt += len(act.cards)
            case ProposalsDealt() | ProposalReplaced():
                self.deck += len(before.spent) if act.shuffled else 0
                self.deck -= len(act.cards) if isinstance(act, ProposalsDealt) else 1


class Moment(NamedTuple):
    """An event with the tables around it. `past` has the event in it already."""

    before: State
    act: Any
    moved: Sequence[AnyPosting]
    facts: Sequence[Any]
    after: State
    past: Past

    def facts_of(self, kind: type) -> list[Any]:
        """The facts of one kind, in order."""
        return [fact for fact in self.facts if type(fact) is kind]

    def sum_points(self, *causes: str, who: int | None = None) -> int:
        """The points that moved for these causes, of one seat or of all."""
        return sum(
            posting.n
            for posting in self.moved
            if posting.what == "points" and posting.why in causes and who in {None, posting.who}
        )

    def changes_board(self) -> bool:
        """Whether anything lies elsewhere than before, is another's, or has got or waits for another delivery."""
        return any(getattr(self.before, name) != getattr(self.after, name) for name in ON_BOARD)

    def starts_turn(self) -> bool:
        """Whether the active player plays a card with this event."""
        return isinstance(self.act, CallVote) or (
            isinstance(self.act, STEPS) and getattr(self.act, "card", None) is not None
        )


def returns_cards(state: State) -> bool:
    """Whether by this reading the card of a building that stands is shuffled and may come again."""
    return state.options.workers == "without" and state.options.no_workers_card == "discard"


def list_proposals_left(state: State) -> list[str]:
    """The prestige buildings that may still be dealt, the discarded ones among them."""
    gone = {*state.proposals, *state.removed}
    gone |= set() if returns_cards(state) else {building.card for building in state.buildings}
    return [card for card in state.printed.prestige if card not in gone]


def seats_of(state: State) -> range:
    return range(1, state.seats + 1)


def is_tile(structure: Structure) -> bool:
    """Whether it is a tile of a resource, and no house, bridge or gate."""
    return structure.kind in TIERS


def owned(state: State, seat: int, *kinds: str) -> list[Structure]:
    """The structures of a seat, of these kinds or of all."""
    return [each for each in state.structures if each.owner == seat and (not kinds or each.kind in kinds)]


def houses_of(state: State, seat: int) -> list[Structure]:
    return owned(state, seat, HOUSE)


def find_tile(state: State, cell: int) -> Structure | None:
    """The structure on a cell, looked for one by one."""
    return next((each for each in state.structures if cell in each.cells), None)


def show(cells: Iterable[int]) -> str:
    """The names of cells, for a message."""
    return " ".join(name_of(cell) for cell in sorted(cells))


# --- connections (F-2.3) -------------------------------------------------------------------------


class Chain(NamedTuple):
    """Roads and bridges that hang together, and every cell that touches one of them."""

    cells: frozenset[int]
    around: frozenset[int]


@lru_cache(maxsize=64)
def _find_chains(board: Board, roads: int, bridges: tuple[int, ...]) -> tuple[Chain, ...]:
    chains = []
    left = {*cells_in(roads), *bridges}
    while left:
        front = [left.pop()]
        cells, around = set(front), set(front)
        while front:
            for other in board.near.get(front.pop(), ()):
                around.add(other)
                if other in left:
                    left.remove(other)
                    cells.add(other)
                    front.append(other)
        chains.append(Chain(frozenset(cells), frozenset(around)))
    return tuple(chains)


def find_chains(state: State, seat: int) -> tuple[Chain, ...]:
    """The chains that carry connections of a seat: all roads, and its own bridges and gates."""
    bridges = tuple(cell for bridge in owned(state, seat, BRIDGE) for cell in bridge.cells)
    return _find_chains(state.printed.board, state.roads, bridges)


def reach(state: State, chains: Sequence[Chain], cells: Iterable[int]) -> set[int]:
    """Every cell on which something would be connected to what lies on these cells."""
    near = state.printed.board.near
    reached = set(cells)
    reached.update(*(near.get(cell, ()) for cell in tuple(reached)))
    for chain in [chain for chain in chains if not chain.cells.isdisjoint(reached)]:
        reached |= chain.around
    return reached


def is_connected(state: State, seat: int, one: Structure | Building, other: Structure | Building) -> bool:
    """Whether two things are connected for a seat."""
    return not reach(state, find_chains(state, seat), one.cells).isdisjoint(other.cells)
