"""Cells, shapes and boards: where things lie, and what touches what.

A cell is one number, `row * 64 + column`, so that its eight neighbours are found without knowing the board. A set of
cells is a mask: an int with a bit a cell, so that a board is moved, grown and compared in a few operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

WIDTH: Final = 64
MOST_ROWS: Final = 40
MOST_COLUMNS: Final = 40
# What no board has: a name that means nothing becomes this cell.
NOWHERE: Final = 0

AROUND: Final = (-WIDTH - 1, -WIDTH, -WIDTH + 1, -1, 1, WIDTH - 1, WIDTH, WIDTH + 1)
_BESIDE: Final = (-WIDTH, -1, 1, WIDTH)
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"
_MOST_SQUARES: Final = 8


def _column_name(column: int) -> str:
    """The letters of a column: `a` to `z`, then `aa` to `an`."""
    rounds, letter = divmod(column - 1, len(_ALPHABET))
    return f"{'a' * rounds}{_ALPHABET[letter]}"


NAMES: Final[Mapping[int, str]] = {
    row * WIDTH + column: f"{_column_name(column)}{row}"
    for row in range(1, MOST_ROWS + 1)
    for column in range(1, MOST_COLUMNS + 1)
}
CELLS: Final[Mapping[str, int]] = {name: cell for cell, name in NAMES.items()}


def cell_of(name: str) -> int:
    """The cell of a name; NOWHERE for a name that means none."""
    return CELLS.get(name, NOWHERE)


def cells_of(names: Iterable[str]) -> tuple[int, ...]:
    """The cells of these names in order, row by row, each once; a name that means none is left out."""
    return tuple(sorted({cell_of(name) for name in names} - {NOWHERE}))


def name_of(cell: int) -> str:
    """The name of a cell, `d4`; `?` for what is none."""
    return NAMES.get(cell, "?")


def mask_of(cells: Iterable[int]) -> int:
    """The mask of these cells: an int with a bit for each."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def unite(masks: Iterable[int]) -> int:
    """The mask of all cells of these masks."""
    united = 0
    for mask in masks:
        united |= mask
    return united


def cells_in(mask: int) -> list[int]:
    """The cells of a mask in order, row by row."""
    cells = []
    while mask:
        lowest = mask & -mask
        cells.append(lowest.bit_length() - 1)
        mask ^= lowest
    return cells


Terrain: TypeAlias = Literal["coast", "desert", "forest", "ruins"]
TERRAINS: Final[tuple[Terrain, ...]] = get_args(Terrain)
Kind: TypeAlias = Literal["coast", "desert", "forest", "ruins", "river", "wall", "dark", "site", ""]
Side: TypeAlias = Literal["thematic", "symmetric"]
SIDES: Final[tuple[Side, ...]] = get_args(Side)

# The letters of a map. Digits are numbered ruins; a capital is a site; a dot is no cell at all.
KIND_OF_LETTER: Final[Mapping[str, Kind]] = {
    "c": "coast",
    "d": "desert",
    "f": "forest",
    "r": "ruins",
    **dict.fromkeys("1234", "ruins"),
    "~": "river",
    "#": "wall",
    "x": "dark",
    **dict.fromkeys("WNGT", "site"),
}
SITE_OF_LETTER: Final[Mapping[str, str]] = {"W": "west", "N": "north", "G": "fortress", "T": "tower"}


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """One side of the board.

    `kinds` by cell (only cells of the board are in it), `numbers` of the numbered ruins, `sections` by land cell from
    1, `site_sections` what a set names for sites. `sites` is each site with its name (`west`, `north`, `fortress`,
    `tower`) and cells, in the order of the map. `land` are the land cells. `near` are the neighbours of each cell of
    the board; corners that touch across a diagonal river or wall are neighbours unless the table reads it otherwise.
    `parted` is whether any pair of neighbours was parted so.
    """

    width: int
    height: int
    kinds: Mapping[int, Kind]
    numbers: Mapping[int, int]
    sections: Mapping[int, int]
    site_sections: Mapping[int, int]
    sites: tuple[tuple[str, tuple[int, ...]], ...]
    land: tuple[int, ...]
    near: Mapping[int, tuple[int, ...]]
    parted: bool


def find_neighbours(kinds: Mapping[int, Kind], *, part_corners: bool) -> dict[int, tuple[int, ...]]:
    """The neighbours of each cell; `part_corners`: without those that touch across a diagonal river or wall."""
    near = {}
    for cell in kinds:
        neighbours = [cell + step for step in AROUND if cell + step in kinds]
        near[cell] = tuple(each for each in neighbours if not (part_corners and _is_parted(kinds, cell, each)))
    return near


def _is_parted(kinds: Mapping[int, Kind], cell: int, other: int) -> bool:
    """Whether two neighbours touch at a corner only, and river or wall lies on both sides of it."""
    step = other - cell
    if step in _BESIDE:
        return False
    row_step = WIDTH if step > 0 else -WIDTH
    return all(kinds.get(beside) in {"river", "wall"} for beside in (cell + row_step, other - row_step))


def flood(cells: Iterable[int], steps: tuple[int, ...] = _BESIDE) -> list[tuple[int, ...]]:
    """The connected groups of these cells, four ways unless other `steps` are given, in the order of the cells."""
    left = dict.fromkeys(cells)
    groups = []
    while left:
        first = next(iter(left))
        del left[first]
        group, unvisited = [first], [first]
        while unvisited:
            cell = unvisited.pop()
            reached = [cell + step for step in steps if cell + step in left]
            for other in reached:
                del left[other]
            group += reached
            unvisited += reached
        groups.append(tuple(sorted(group)))
    return groups


# A shape lying one way: its cells as steps from the first of them, row by row.
Turned: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape in each way it can lie: `turns` by quarter turns, `mirrored` the same of its mirror image."""

    text: str
    size: int
    turns: tuple[Turned, ...]
    mirrored: tuple[Turned, ...]

    def ways(self, *, mirror: bool) -> tuple[Turned, ...]:
        """Each way the shape can lie, turned and, if asked for, mirrored; ways that look alike only once."""
        return tuple(dict.fromkeys((*self.turns, *self.mirrored) if mirror else self.turns))


def make_shape(text: str) -> Shape:
    """The shape that rows of x and . draw, `xxx/x` being an L. ValueError where they draw none."""
    squares = [
        (row, column) for row, line in enumerate(text.split("/")) for column, letter in enumerate(line) if letter == "x"
    ]
    is_drawn = set(text) <= set("x./") and 0 < len(squares) <= _MOST_SQUARES
    if not is_drawn or len(flood(row * WIDTH + column for row, column in squares)) > 1:
        raise ValueError(text)
    mirrored = [(row, -column) for row, column in squares]
    return Shape(text=text, size=len(squares), turns=_list_turns(squares), mirrored=_list_turns(mirrored))


def _list_turns(squares: list[tuple[int, int]]) -> tuple[Turned, ...]:
    """The four quarter turns of these squares, alike ones included, so that each has its number."""
    turns = []
    for _ in range(4):
        numbers = sorted(row * WIDTH + column for row, column in squares)
        first_row, first_column = min(squares)
        turns.append(tuple(number - (first_row * WIDTH + first_column) for number in numbers))
        squares = [(column, -row) for row, column in squares]
    return tuple(turns)
