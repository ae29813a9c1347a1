"""Figures as letters: bars in eighths of a block, means with their intervals, lines in braille.

Colour carries nothing here: every bar has its label and its number, every line its letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from spyrium_cli.render.rows import cell
from spyrium_cli.render.text import plain
from spyrium_log.analysis.figures import Bar, Figure, Scale, Series, bars_of, scale_of, series_of

EIGHTHS = " ▏▎▍▌▋▊▉█"
# A cell of braille is two dots wide and four high; what each dot adds to U+2800.
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
WIDE, HIGH = 2, 4
LEAST_WIDTH = 20
LONGEST_LABEL = 36
HEIGHT = 12
LETTERS = "ABCDEFGHI"


def chart_of(figure: Figure, width: int) -> list[str]:
    """The lines of its picture; none where there is nothing to draw."""
    if figure.chart is None or not figure.rows:
        return []
    if figure.chart.kind == "lines":
        return _lines(series_of(figure), width)
    return _bars(bars_of(figure), width, means=figure.chart.kind == "means")


def _bars(bars: Sequence[Bar], width: int, *, means: bool) -> list[str]:
    if not bars:
        return []
    ends = [end for bar in bars for end in (bar.value, bar.low, bar.high) if end is not None]
    scale = scale_of(ends, nought=True)
    labels = [_cut(bar.label) for bar in bars]
    values = [cell(bar.value, "") for bar in bars]
    left, middle = max(map(len, labels)), max(map(len, values))
    room = max(LEAST_WIDTH, width - left - middle - 3)
    draw = _mean if means else _bar
    return [
        *(
            f"{label:<{left}} {value:>{middle}}  {draw(bar, scale, room)}".rstrip()
            for bar, label, value in zip(bars, labels, values, strict=True)
        ),
        " " * (left + middle + 3) + _axis(scale, room),
    ]


def _mean(bar: Bar, scale: Scale, room: int) -> str:
    row = [" "] * room
    row[_column(0, scale, room)] = "│"
    if bar.low is not None and bar.high is not None:
        low, high = _column(bar.low, scale, room), _column(bar.high, scale, room)
        row[low : high + 1] = "─" * (high - low + 1)
        row[low], row[high] = "├", "┤"
    row[_column(bar.value, scale, room)] = "●"
    return "".join(row)


def _bar(bar: Bar, scale: Scale, room: int) -> str:
    """From nought to the right in eighths; to the left in whole blocks, for letters cannot begin in their middle."""
    start, end = scale.at(0) * room, scale.at(bar.value) * room
    if end < start:
        return " " * round(end) + "█" * max(1, round(start) - round(end))
    eighths = round((end - start) * 8)
    return " " * round(start) + "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def _column(value: float, scale: Scale, room: int) -> int:
    return round(scale.at(value) * (room - 1))


def _axis(scale: Scale, room: int) -> str:
    """Round numbers under their places, as many as have room."""
    row = [" "] * (room + LONGEST_LABEL)
    free = 0
    for tick in scale.ticks:
        said = cell(tick, "")
        at = max(0, min(_column(tick, scale, room) - len(said) // 2, room - len(said)))
        if at >= free:
            row[at : at + len(said)] = said
            free = at + len(said) + 1
    return "".join(row).rstrip()


def _lines(series: Sequence[Series], width: int) -> list[str]:
    if not series:
        return []
    across = scale_of([x for one in series for x, _ in one.points], nought=False)
    up = scale_of([y for one in series for _, y in one.points], nought=False)
    labels = [cell(tick, "") for tick in up.ticks]
    left = max(map(len, labels))
    ends = _ends([round((1 - up.at(one.points[-1][1])) * (HEIGHT * HIGH - 1)) // HIGH for one in series])
    room = max(LEAST_WIDTH, width - left - 3 - max(map(len, ends.values())))
    dots = [[0] * room for _ in range(HEIGHT)]
    for one in series:
        for x, y in _dotted([_dot(point, across, up, room) for point in one.points]):
            dots[y // HIGH][x // WIDE] |= DOTS[y % HIGH][x % WIDE]
    rows = ["".join(chr(0x2800 + dot) if dot else " " for dot in row) for row in dots]
    at_row = {round((1 - up.at(tick)) * (HEIGHT - 1)): label for tick, label in zip(up.ticks, labels, strict=True)}
    drawn = [f"{at_row.get(y, ''):>{left}} ┤{row} {ends.get(y, '')}".rstrip() for y, row in enumerate(rows)]
    return [*drawn, " " * (left + 2) + _axis(across, room), *_legend(series, width)]


def _legend(series: Sequence[Series], width: int) -> Iterator[str]:
    """Which letter is whose, in as few lines as hold it."""
    line = ""
    for letter, one in zip(LETTERS, series, strict=False):
        said = f"{letter} {_cut(one.label)}"
        if line and len(line) + len(said) + 2 > width:
            yield line
            line = ""
        line = f"{line}  {said}" if line else said
    yield line


def _dot(point: tuple[float, float], across: Scale, up: Scale, room: int) -> tuple[int, int]:
    x, y = point
    return round(across.at(x) * (room * WIDE - 1)), round((1 - up.at(y)) * (HEIGHT * HIGH - 1))


def _dotted(points: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Every dot on the way from one point to the next."""
    yield from points
    for (x, y), (to_x, to_y) in pairwise(points):
        steps = max(abs(to_x - x), abs(to_y - y), 1)
        for step in range(steps):
            yield round(x + (to_x - x) * step / steps), round(y + (to_y - y) * step / steps)


def _ends(rows: Sequence[int]) -> dict[int, str]:
    """The letters at the lines' ends; those that end in one row stand beside each other."""
    found: dict[int, str] = {}
    for letter, row in zip(LETTERS, rows, strict=False):
        found[row] = found.get(row, "") + letter
    return found


def _cut(label: str) -> str:
    """As long as it will be on the screen: what a terminal would obey is spelt out there."""
    label = plain(label)
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"
