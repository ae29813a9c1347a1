"""A side of the board, from the letters of its map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from spyrium_log.sheet import number_row
from spyrium_log.titles.founders.ground import (
    AROUND,
    KIND_OF_LETTER,
    MOST_COLUMNS,
    MOST_ROWS,
    SITE_OF_LETTER,
    TERRAINS,
    WIDTH,
    Board,
    Kind,
    Shape,
    find_neighbours,
    flood,
    name_of,
)
from spyrium_log.titles.founders.sets.values import Values

SECTIONS: Final = 3
NO_CELL: Final = "."
NO_BOARD: Final = Board(
    width=0, height=0, kinds={}, numbers={}, sections={}, site_sections={}, sites=(), land=(), near={}, parted=False
)
# On the symmetric side either tower takes any of these.
TOWER: Final = "tower"
TOWERS: Final = ("west", "north")
# Each site by its name and its cells.
Sites: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]
# So many sections are named where there are too many.
_MOST_NAMED = 6


class Sections(NamedTuple):
    """The section of each land cell, and of the cells of sites where the set draws it."""

    land: dict[int, int]
    sites: dict[int, int]


def read_board(values: Values, side: str, *, part_corners: bool) -> Board:
    """The board of this side; NO_BOARD where the set has none, or a map that leaves nothing to read.

    `part_corners`: cells that touch across a diagonal river or wall are no neighbours; `parted`: such cells there are.
    """
    letters = _read_letters(values, side)
    if not letters:
        return NO_BOARD
    kinds: dict[int, Kind] = {cell: KIND_OF_LETTER[letter] for cell, letter in letters.items() if letter != NO_CELL}
    land = tuple(cell for cell, kind in kinds.items() if kind in TERRAINS)
    sites = _find_sites(letters)
    near = find_neighbours(kinds, part_corners=part_corners)
    _check_sites(values, side, sites, kinds)
    sections, site_sections = _read_sections(values, side, land, sites)
    return Board(
        width=max(cell % WIDTH for cell in letters),
        height=max(cell // WIDTH for cell in letters),
        kinds=kinds,
        numbers={cell: int(letter) for cell, letter in letters.items() if letter.isdigit()},
        sections=sections,
        site_sections=site_sections,
        sites=sites,
        land=land,
        near=near,
        parted=part_corners and near != find_neighbours(kinds, part_corners=False),
    )


def _check_sites(values: Values, side: str, sites: Sites, kinds: Mapping[int, Kind]) -> None:
    """Add a flaw for each site that no land touches, so that nothing on it could ever be supplied."""
    for _, cells in sites:
        if not any(kinds.get(cell + step) in TERRAINS for cell in cells for step in AROUND):
            values.add_flaw("site-shut", side=side, cell=name_of(cells[0]))


def find_sites(board: Board, site: str) -> list[tuple[int, ...]]:
    """The sites on which a building of this site may stand: its own, or any that is for either tower."""
    names = {site, TOWER} if site in TOWERS else {site, *TOWERS} if site == TOWER else {site}
    return [cells for name, cells in board.sites if name in names]


def fits(board: Board, shape: Shape, terrain: str | None = None) -> bool:
    """Whether the empty board has room for a shape, with one cell at least on the terrain, if it needs one."""
    land = set(board.land)
    for way in shape.ways(mirror=False):
        for first in board.land:
            cells = [first + step for step in way]
            if land.issuperset(cells) and (terrain is None or any(board.kinds[cell] == terrain for cell in cells)):
                return True
    return False


def _read_letters(values: Values, side: str) -> dict[int, str]:
    """The letter of each cell of the map; none where it has a flaw. A strange letter is said where it stands first."""
    lines = _read_lines(values, side, "map")
    letters = _map_cells_to_letters(lines)
    known = {*KIND_OF_LETTER, NO_CELL}
    strange = {letter: cell for cell, letter in reversed(letters.items()) if letter not in known}
    for letter, cell in strange.items():
        values.add_flaw("letter", side=side, cell=name_of(cell), known="".join(sorted(known)), found=letter)
    return {} if strange else letters


def _read_lines(values: Values, side: str, text: str) -> list[str]:
    """The lines of a map; none where it has no rectangle of them."""
    board = f"board-{side}"
    lines: list[str] = []
    while row := values.rows.get((board, number_row(text, len(lines) + 1))):
        lines.append(str(row.value))
    if sum(of == board and what.startswith(f"{text}-") for of, what in values.rows) > len(lines):
        values.add_flaw("row-missing", side=side, text=text, row=len(lines) + 1)
        return []
    if len(lines) > MOST_ROWS or any(len(line) > MOST_COLUMNS for line in lines):
        widest = max(map(len, lines))
        values.add_flaw(
            "map-size", side=side, text=text, rows=MOST_ROWS, columns=MOST_COLUMNS, found=f"{len(lines)} × {widest}"
        )
        return []
    ragged = {number: line for number, line in enumerate(lines, 1) if len(line) != len(lines[0]) or not line}
    for number, line in ragged.items():
        values.add_flaw("ragged", side=side, text=text, row=number, n=len(lines[0]), found=len(line))
    return [] if ragged else lines


def _map_cells_to_letters(lines: list[str]) -> dict[int, str]:
    """The letter of each cell of a text, whose rows and columns count from 1."""
    return {row * WIDTH + column: letter for row, line in enumerate(lines, 1) for column, letter in enumerate(line, 1)}


def _find_sites(letters: Mapping[int, str]) -> Sites:
    """Each site with its name and cells: cells of one letter that touch are one site."""
    groups = [
        (SITE_OF_LETTER[letter], cells)
        for letter in SITE_OF_LETTER
        for cells in flood((cell for cell, cell_letter in letters.items() if cell_letter == letter), AROUND)
    ]
    # in the order of the map: by their cells
    return tuple(sorted(groups, key=lambda group: group[1]))


def _read_sections(values: Values, side: str, land: tuple[int, ...], sites: Sites) -> Sections:
    """The sections as a second text beside the map draws them, else the land that hangs together side to side."""
    if (f"board-{side}", number_row("sections", 1)) in values.rows:
        return _read_drawn_sections(values, side, land, sites)
    groups = flood(land)
    if len(groups) != SECTIONS:
        places = [f"{name_of(group[0])} ({len(group)})" for group in groups[:_MOST_NAMED]]
        more = [] if len(groups) <= _MOST_NAMED else ["…"]
        values.add_flaw("sections", side=side, n=SECTIONS, found=len(groups), places=", ".join(places + more))
    return Sections({cell: section for section, group in enumerate(groups, 1) for cell in group}, {})


def _read_drawn_sections(values: Values, side: str, land: tuple[int, ...], sites: Sites) -> Sections:
    """The sections that a text of the size of the map draws: 1, 2 or 3 a cell."""
    drawn = _map_cells_to_letters(_read_lines(values, side, "sections"))
    numbers = {cell: int(letter) for cell, letter in drawn.items() if letter in "123"}
    of_land = {cell: numbers[cell] for cell in land if cell in numbers}
    # without lines that can be read nothing is drawn: that is a flaw already
    if drawn:
        _check_drawn_sections(values, side, land, drawn, of_land)
    site_cells = {cell for _, cells in sites for cell in cells}
    return Sections(of_land, {cell: section for cell, section in numbers.items() if cell in site_cells})


def _check_drawn_sections(
    values: Values, side: str, land: tuple[int, ...], drawn: Mapping[int, str], of_land: Mapping[int, int]
) -> None:
    """Add a flaw for the first land cell without a section, and one unless there are three sections."""
    missing = next((cell for cell in land if cell not in of_land), None)
    if missing is not None:
        values.add_flaw("no-section", side=side, cell=name_of(missing), found=drawn.get(missing, ""))
    count = len(set(of_land.values()))
    if count != SECTIONS:
        values.add_flaw("drawn-sections", side=side, n=SECTIONS, found=count)
