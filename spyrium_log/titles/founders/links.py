"""What touches what, and what roads, bridges and gates connect (F-2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from spyrium_log.titles.founders.cards import BASES, BRIDGE
from spyrium_log.titles.founders.ground import TERRAINS, WIDTH, Board, Turned, mask_of
from spyrium_log.titles.founders.state import State, Structure


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A board as masks of cells.

    `corners` are the cells from which one may step over a corner, by the four diagonal steps, where the table reads
    that river or wall on both sides of a corner parts what touches there (river-corner); empty by the other reading.
    """

    cells: int
    land: int
    river: int
    wall: int
    forest: int
    terrains: dict[str, int]
    sections: tuple[int, ...]
    sites: tuple[tuple[str, int], ...]
    corners: tuple[tuple[int, int], ...]

    def grow(self, mask: int) -> int:
        """The cells of the mask and all their neighbours: what touches them."""
        if self.corners:
            return self._grow_parted(mask)
        rows = mask | mask << 1 | mask >> 1
        return rows | rows << WIDTH | rows >> WIDTH

    def _grow_parted(self, mask: int) -> int:
        """The cells and their neighbours, without stepping over a corner that a diagonal river or wall parts."""
        grown = mask | mask << 1 | mask >> 1 | mask << WIDTH | mask >> WIDTH
        for step, is_open in self.corners:
            grown |= shift(mask & is_open, step)
        return grown


def shift(mask: int, step: int) -> int:
    """All cells of the mask moved by a step, as from a cell to its neighbour."""
    return mask << step if step >= 0 else mask >> -step


def find_anchors(ground: int, way: Turned, wanted: Sequence[int]) -> int:
    """The first cells at which a shape lies on the ground and has a cell on each of the wanted masks."""
    anchors = ground
    for offset in way:
        anchors &= shift(ground, -offset)
    for mask in wanted:
        if not anchors:
            break
        touching = 0
        for offset in way:
            touching |= shift(mask, -offset)
        anchors &= touching
    return anchors


_DIAGONALS: Final = ((-WIDTH - 1), (-WIDTH + 1), (WIDTH - 1), (WIDTH + 1))


@lru_cache(maxsize=64)
def field_of(board: Board) -> Field:
    """The masks of a board. Cached, because a game asks at every decision."""
    masks: dict[str, int] = {}
    for cell, kind in board.kinds.items():
        masks[kind] = masks.get(kind, 0) | 1 << cell
    terrains: dict[str, int] = {terrain: masks.get(terrain, 0) for terrain in TERRAINS}
    river, wall = masks.get("river", 0), masks.get("wall", 0)
    count = max(board.sections.values(), default=0)
    return Field(
        cells=mask_of(board.kinds),
        land=mask_of(board.land),
        river=river,
        wall=wall,
        forest=terrains["forest"],
        terrains=terrains,
        sections=tuple(
            mask_of(cell for cell, section in board.sections.items() if section == number)
            for number in range(1, count + 1)
        ),
        sites=tuple((name, mask_of(cells)) for name, cells in board.sites),
        corners=_find_open_corners(river | wall) if board.parted else (),
    )


def _find_open_corners(water: int) -> tuple[tuple[int, int], ...]:
    """By diagonal step, the cells from which that step has no river or wall on both sides."""
    corners = []
    for step in _DIAGONALS:
        row_step = WIDTH if step > 0 else -WIDTH
        column_step = step - row_step
        corners.append((step, ~(shift(water, -row_step) & shift(water, -column_step))))
    return tuple(corners)


@lru_cache(maxsize=512)
def _find_regions(field: Field, ways: int) -> tuple[int, ...]:
    """The groups that these roads and bridges make, with the cells that touch each. Cached: roads seldom change."""
    regions = []
    while ways:
        # the lowest cell that is left
        group = ways & -ways
        while (bigger := field.grow(group) & ways) != group:
            group = bigger
        ways &= ~group
        regions.append(field.grow(group))
    return tuple(regions)


class Links:
    """What is connected for one seat: by roads, and by its own bridges and gates."""

    __slots__ = ("field", "regions")

    def __init__(self, board: Board, ways: int) -> None:
        """Join what these cells connect: roads, and the bridges and gates that are the seat's."""
        self.field = field_of(board)
        self.regions = _find_regions(self.field, ways)

    def region(self, mask: int) -> int:
        """Every cell on which something would be connected to what lies on these cells, which are among them."""
        reached = self.field.grow(mask)
        for region in self.regions:
            if region & mask:
                reached |= region
        return reached


def find_links(state: State, seat: int) -> Links:
    """What roads, bridges and gates connect for a seat on this table."""
    return Links(state.printed.board, state.roads | find_bridges(state.structures, seat))


def find_bridges(structures: Iterable[Structure], seat: int) -> int:
    """The mask of a seat's bridges and gates, which connect for it alone."""
    mask = 0
    for structure in structures:
        if structure.kind == BRIDGE and structure.owner == seat:
            mask |= structure.mask
    return mask


def find_reach(state: State, seat: int, links: Links) -> int:
    """Every cell on which something would be connected to a structure of the seat's own (F-6.1); 0: it has none."""
    own = find_own_cells(state, seat)
    return links.region(own) if own else 0


def find_own_cells(state: State, seat: int) -> int:
    """The mask of everything that the seat owns on the board."""
    own = 0
    for structure in state.structures:
        if structure.owner == seat:
            own |= structure.mask
    return own


def find_own_ground(state: State, owner: int) -> int:
    """The cells on which a new piece of this owner would touch one of its structures (F-6.2); bridges do not count.

    The owner 0 stands for nobody: neutral bases must not touch each other.
    """
    field = field_of(state.printed.board)
    own = 0
    for structure in state.structures:
        if structure.owner == owner and structure.kind != BRIDGE and (owner or structure.kind in BASES):
            own |= structure.mask
    return field.grow(own) if own else 0


def find_sections(state: State, mask: int) -> list[int]:
    """The sections, counted from 1, in which these cells lie: for a message."""
    sections = field_of(state.printed.board).sections
    return [number for number, section in enumerate(sections, 1) if section & mask]


def tiles_of(state: State, resource: str) -> list[Structure]:
    """The tiles of a resource on the board, in the order in which they were built."""
    return [structure for structure in state.structures if structure.kind == resource]
