"""A curve of everybody's points over the events of a game, in braille, with a cursor where the reader stands.

Colour is never alone: each line ends in the sign that its player has on the board. Widths are of a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from spyrium_cli.render.charts import BLANK_BRAILLE, DOTS, DOTS_ACROSS, DOTS_DOWN, dots_between
from spyrium_cli.render.paper import Player, text
from spyrium_log.analysis.figures import Scale, make_scale

# Rows, the axis included: fewer do not show who is ahead, and with more a game looks steeper than it was.
LEAST_ROWS, MOST_ROWS = 4, 16
# The scale goes as far at least, so that a few points do not fill the whole height.
LEAST_MOST = 10
CURSOR, CURSOR_MARK = "│", "▲"


class Curve(NamedTuple):
    """Each player's points before the first event and after each; `rounds`: where each begins, and its number.

    `last` is the position of the last event, which may be later than the points go; `position` that of the cursor.
    """

    players: Sequence[Player]
    points: Sequence[Sequence[int]]
    rounds: Sequence[tuple[int, int]]
    last: int
    position: int


def draw_curve(curve: Curve, width: int, rows: int) -> Text:
    """The curve in so many columns and at most so many rows, with the rounds and the cursor below it."""
    height = min(rows, MOST_ROWS) - 1
    points = [n for row in curve.points for n in row]
    scale = make_scale([*points, LEAST_MOST], nought=True, most_ticks=max(1, height // 2))
    labels = {_dot_row(tick, scale, height) // DOTS_DOWN: f"{tick:g}".replace("-", "−") for tick in scale.ticks}
    label_width = max(map(len, labels.values()))
    ends = _list_ends(curve, scale, height)
    end_width = max(sum(1 + cell_len(curve.players[number].mark) for number in numbers) for numbers in ends.values())
    columns = width - label_width - len(" ┤") - end_width
    cells = _fill_cells(curve, scale, columns, height)
    cursor = _dot_column(curve.position, curve, columns) // DOTS_ACROSS
    lines = []
    for row in range(height):
        line = text(f"{labels.get(row, ''):>{label_width}} {'┤' if row in labels else '│'}", "dim")
        for column in range(columns):
            line.append_text(_draw_cell(cells.get((column, row)), curve.players, is_cursor=column == cursor))
        for number in ends.get(row, ()):
            line.append_text(text(f" {curve.players[number].mark}", curve.players[number].style))
        lines.append(line)
    margin = label_width + len(" ┤")
    lines.append(text(" " * margin + _axis(curve, columns, cursor), "dim"))
    whole = text("\n", keep="\n").join(lines)
    whole.no_wrap = True
    return whole


class _Cell(NamedTuple):
    """The dots of one character, and the index of the player whose line is drawn on top there."""

    dots: int
    player: int


def _draw_cell(cell: _Cell | None, players: Sequence[Player], *, is_cursor: bool) -> Text:
    """A character of the curve; the cursor stands behind the lines."""
    if cell is None:
        return text(CURSOR if is_cursor else " ", "bold")
    style = players[cell.player].style
    return text(chr(BLANK_BRAILLE + cell.dots), f"{style} reverse" if is_cursor else style)


def _fill_cells(curve: Curve, scale: Scale, columns: int, height: int) -> dict[tuple[int, int], _Cell]:
    """The characters that lines go through, by column and row from above."""
    cells: dict[tuple[int, int], _Cell] = {}
    for player, points in enumerate(curve.points):
        for x, y in dots_between(list(_list_corners(curve, points, scale, columns, height))):
            place = x // DOTS_ACROSS, y // DOTS_DOWN
            dots = cells[place].dots if place in cells else 0
            cells[place] = _Cell(dots | DOTS[y % DOTS_DOWN][x % DOTS_ACROSS], player)
    return cells


def _list_corners(
    curve: Curve, points: Sequence[int], scale: Scale, columns: int, height: int
) -> Iterator[tuple[int, int]]:
    """The corners of a line, in dots. Points change at once, in steps."""
    heights = [_dot_row(n, scale, height) for n in points]
    yield 0, heights[0]
    for position, (before, now) in enumerate(pairwise(heights), 1):
        column = _dot_column(position, curve, columns)
        yield from ((column, before), (column, now))


def _dot_column(position: int, curve: Curve, columns: int) -> int:
    """The column of dots of an event."""
    return round(position / max(1, curve.last) * (columns * DOTS_ACROSS - 1))


def _dot_row(points: float, scale: Scale, height: int) -> int:
    """The row of dots, from above, of so many points."""
    return round((1 - scale.at(points)) * (height * DOTS_DOWN - 1))


def _list_ends(curve: Curve, scale: Scale, height: int) -> dict[int, list[int]]:
    """The players whose lines end in a row, whoever has more points first."""
    ends: dict[int, list[int]] = {}
    for player in sorted(range(len(curve.points)), key=lambda index: -curve.points[index][-1]):
        ends.setdefault(_dot_row(curve.points[player][-1], scale, height) // DOTS_DOWN, []).append(player)
    return ends


def _axis(curve: Curve, columns: int, cursor: int) -> str:
    """The numbers of the rounds below where they begin, as many as have room, and the mark of the cursor."""
    row = [" "] * columns
    free = 0
    for position, number in curve.rounds:
        name = str(number)
        start = _dot_column(position, curve, columns) // DOTS_ACROSS
        if free <= start and start + len(name) <= columns:
            row[start : start + len(name)] = name
            free = start + len(name) + 1
    row[cursor] = CURSOR_MARK
    return "".join(row).rstrip()
