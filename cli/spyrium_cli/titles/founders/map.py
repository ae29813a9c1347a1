"""The map of Founders of Gloomhaven on a terminal: two columns a cell, in letters that need no colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_lowercase, digits

from rich.text import Text

from spyrium_cli.render.paper import Player, text
from spyrium_log.titles.founders.cards import BASES, BRIDGE, HOUSE
from spyrium_log.titles.founders.ground import CELLS, WIDTH, name_of
from spyrium_log.titles.founders.view.parts import BoardView, TileView

# Two columns for each kind of cell that is empty; other letters stand for themselves, with a blank.
GROUND: Mapping[str, str] = {"~": "~~", "#": "##", "x": "▒▒", ".": "  "}
ROAD = "··"
BRIDGE_SIGN, GATE_SIGN, HOUSE_SIGN, BUILDING_SIGN = "═", "╪", "⌂", "■"
NEUTRAL = "-"
# The columns of the row numbers, left and right of the map.
LABEL = 3
# How many cells around what is built a small map shows.
MARGIN = 2

# What is drawn on a cell, with its style.
Drawn = tuple[str, str]
# Rows and columns of the map that are shown, from 1.
Window = tuple[range, range]


def signs_of(players: Sequence[Player]) -> Mapping[int, str]:
    """The sign of each seat in one column: its mark, or its number where some mark is longer. Nobody's is `-`."""
    are_short = all(len(player.mark) == 1 for player in players)
    return {0: NEUTRAL} | {player.seat: player.mark if are_short else str(player.seat)[-1] for player in players}


def number_sign(number: int) -> str:
    """A number in one column: 1 to 9, then letters, again from the start where they end."""
    signs = digits[1:] + ascii_lowercase
    return signs[(number - 1) % len(signs)]


def map_width(view: BoardView, *, small: bool = False) -> int:
    """How many columns of the terminal the map takes: two a cell, and the row numbers on both sides."""
    _, columns = _built_window(view) if small else _whole_window(view)
    return 2 * len(columns) + 2 * LABEL


def draw_map(view: BoardView, players: Sequence[Player], *, small: bool = False) -> Text:
    """The map with its names of columns and rows; `small`: only where something is built, and around it."""
    rows, columns = _built_window(view) if small else _whole_window(view)
    drawn = _draw_pieces(view, players)
    heads = text(" " * LABEL + "".join(f"{name_of(WIDTH + column)[:-1]:<2}" for column in columns), "dim")
    lines = [heads]
    for row in rows:
        line = text(f"{row:>2} ", "dim")
        for column in columns:
            line.append_text(text(*drawn.get(row * WIDTH + column) or _ground_of(view, row, column)))
        lines.append(line.append_text(text(f" {row}", "dim")))
    return text("\n", keep="\n").join(lines)


def _ground_of(view: BoardView, row: int, column: int) -> Drawn:
    """An empty cell: the letter of its terrain, a site in capitals."""
    letters = view.rows[row - 1] if row <= len(view.rows) else ""
    letter = letters[column - 1] if column <= len(letters) else "."
    if letter.isupper():
        return letter * 2, "reverse dim"
    return GROUND.get(letter, f"{letter} "), "dim"


def _draw_pieces(view: BoardView, players: Sequence[Player]) -> dict[int, Drawn]:
    """What is drawn on each cell where something lies; what covers a road hides it."""
    styles = {player.seat: player.style for player in players}
    signs = signs_of(players)
    drawn: dict[int, Drawn] = dict.fromkeys(_cells(view.roads), (ROAD, ""))
    for number, building in enumerate(view.buildings, 1):
        drawn |= dict.fromkeys(_cells(building.cells), (BUILDING_SIGN + number_sign(number), "bold"))
    for tile in view.tiles:
        style = styles.get(tile.owner, "")
        cells = list(_cells(tile.cells))
        for cell, letters in zip(cells, _tile_letters(view, tile, signs.get(tile.owner, "?")), strict=True):
            drawn[cell] = letters, style
    return drawn


def _cells(names: Iterable[str]) -> Iterator[int]:
    """The cells of these names; a name that means none is left out."""
    return (CELLS[name] for name in names if name in CELLS)


def _tile_letters(view: BoardView, tile: TileView, sign: str) -> Iterator[str]:
    """The letters of each cell of a structure: what it is, and whose.

    A base tile has one cell: its initial, and whose it is. A larger tile has two letters on its first cell, and whose
    it is on the others.
    """
    one_cell = {HOUSE: HOUSE_SIGN, BRIDGE: BRIDGE_SIGN} | {base: base[0] for base in BASES}
    for index, name in enumerate(name for name in tile.cells if name in CELLS):
        if tile.kind == BRIDGE and _letter_on(view, name) == "#":
            yield GATE_SIGN + sign
        elif tile.kind in one_cell:
            yield one_cell[tile.kind] + sign
        else:
            yield f"{tile.kind[:2].capitalize():<2}" if index == 0 else sign * 2


def _letter_on(view: BoardView, name: str) -> str:
    """The letter of the map on a cell, '' off the board."""
    row, column = divmod(CELLS[name], WIDTH)
    return view.rows[row - 1][column - 1] if row <= len(view.rows) and column <= len(view.rows[row - 1]) else ""


def _whole_window(view: BoardView) -> Window:
    """All rows and columns of the board."""
    return range(1, view.height + 1), range(1, view.width + 1)


def _built_window(view: BoardView) -> Window:
    """The rows and columns in which something lies and those around them; all where nothing does."""
    names = [*view.roads, *(name for tile in view.tiles for name in tile.cells)]
    names += [name for building in view.buildings for name in building.cells]
    cells = [divmod(cell, WIDTH) for cell in _cells(names)]
    if not cells:
        return _whole_window(view)
    rows, columns = zip(*cells, strict=True)
    return _around(rows, view.height), _around(columns, view.width)


def _around(numbers: Sequence[int], most: int) -> range:
    """From the least to the greatest number with a margin, within the board."""
    return range(max(min(numbers) - MARGIN, 1), min(max(numbers) + MARGIN, most) + 1)
