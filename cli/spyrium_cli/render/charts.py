"""Charts as text: bars in eighths of a block, means with their intervals, lines in braille.

They need no colour: every bar has its label and number, every line its letter. Widths are columns of a terminal, of
which a Chinese, Japanese or Korean letter takes two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from rich.cells import cell_len, set_cell_size

from spyrium_cli.render.rows import cell
from spyrium_cli.render.text import plain
from spyrium_log.analysis.figures import Bar, Figure, Scale, Series, axis_of, bars_of, scale_of, series_of

EIGHTHS = " ▏▎▍▌▋▊▉█"
# What each dot of a cell of braille, two wide and four high, adds to U+2800.
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
WIDE, HIGH = 2, 4
LEAST_WIDTH = 20
LONGEST_LABEL, SHORTEST_LABEL = 36, 8
# Between a label, its number and its bar.
GAP = "  "
# Rows of a chart of lines, about: there are as many between each two ticks.
HEIGHT = 12
LETTERS = "ABCDEFGHI"


def chart_of(figure: Figure, width: int) -> list[str]:
    """The lines of a figure's chart, the axis last; none where there is nothing to draw."""
    if figure.chart is None or not figure.rows:
        return []
    if figure.chart.kind == "lines":
        drawn = _lines(series_of(figure), width)
        return [*drawn, axis_of(figure)] if drawn else []
    is_means = figure.chart.kind == "means"
    drawn = _bars(bars_of(figure), width, means=is_means)
    return [*drawn, f"{'● ' if is_means else ''}{axis_of(figure)}"] if drawn else []


def _bars(bars: Sequence[Bar], width: int, *, means: bool) -> list[str]:
    """A row per bar: label, number and bar; the axis last."""
    if not bars:
        return []
    ends = [end for bar in bars for end in (bar.value, bar.low, bar.high) if end is not None]
    scale = scale_of(ends, nought=True)
    middle = max(len(cell(bar.value, "")) for bar in bars)
    label_room = width - middle - 2 * len(GAP) - LEAST_WIDTH
    labels = [_cut(bar.label, max(SHORTEST_LABEL, min(LONGEST_LABEL, label_room))) for bar in bars]
    left = max(map(cell_len, labels))
    room = max(LEAST_WIDTH, width - left - middle - 2 * len(GAP))
    draw = _mean if means else _bar
    rows = []
    for group, members in groupby(zip(bars, labels, strict=True), key=lambda row: row[0].group):
        if group:
            rows.append(_cut(group, width))
        rows += [
            GAP.join((set_cell_size(label, left), f"{cell(bar.value, ''):>{middle}}", draw(bar, scale, room))).rstrip()
            for bar, label in members
        ]
    return [*rows, " " * (left + middle + 2 * len(GAP)) + _axis(scale, room)]


def _mean(bar: Bar, scale: Scale, room: int) -> str:
    """A mean as a dot on its interval, with a line at zero."""
    row = [" "] * room
    row[_column(0, scale, room)] = "│"
    if bar.low is not None and bar.high is not None:
        low, high = _column(bar.low, scale, room), _column(bar.high, scale, room)
        row[low : high + 1] = "─" * (high - low + 1)
        row[low], row[high] = "├", "┤"
    row[_column(bar.value, scale, room)] = "●"
    return "".join(row)


def _bar(bar: Bar, scale: Scale, room: int) -> str:
    """From zero to the right in eighths; to the left in whole blocks, which begin at a cell."""
    if scale.least == 0:
        return _eighths(scale.at(bar.value) * room)
    # where bars go both ways, the line between them has a column of its own
    start = _column(0, scale, room)
    length = abs(scale.at(bar.value) - scale.at(0)) * (room - 1)
    if bar.value < 0:
        blocks = min(start, max(1, round(length)))
        return " " * (start - blocks) + "█" * blocks + "│"
    return " " * start + "│" + _eighths(length)


def _eighths(length: float) -> str:
    """A bar of so many cells, exact to an eighth."""
    eighths = round(length * 8)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def _column(value: float, scale: Scale, room: int) -> int:
    """The column of a value on an axis of `room` columns."""
    return round(scale.at(value) * (room - 1))


def _axis(scale: Scale, room: int) -> str:
    """The numbers of the ticks below their places, as many as have room."""
    row = [" "] * room
    free = 0
    for tick in scale.ticks:
        number = cell(tick, "")
        start = max(0, min(_column(tick, scale, room) - len(number) // 2, room - len(number)))
        if start >= free:
            row[start : start + len(number)] = number
            free = start + len(number) + 1
    return "".join(row).rstrip()


def _lines(series: Sequence[Series], width: int) -> list[str]:
    """Lines in braille, with numbers on both axes and a legend."""
    if not series:
        return []
    across = scale_of([x for one in series for x, _ in one.points], nought=False)
    up = scale_of([y for one in series for _, y in one.points], nought=False)
    between = max(1, HEIGHT // (len(up.ticks) - 1))
    height = between * (len(up.ticks) - 1) + 1
    labels = [cell(tick, "") for tick in reversed(up.ticks)]
    left = max(map(len, labels))
    ends = _ends([_up(one.points[-1][1], up, height) // HIGH for one in series])
    room = max(LEAST_WIDTH, width - left - 3 - max(map(len, ends.values())))
    dots = [[0] * room for _ in range(height)]
    for one in series:
        placed = [(round(across.at(x) * (room * WIDE - 1)), _up(y, up, height)) for x, y in one.points]
        for x, y in _dotted(placed):
            dots[y // HIGH][x // WIDE] |= DOTS[y % HIGH][x % WIDE]
    rows = ["".join(chr(0x2800 + dot) if dot else " " for dot in row) for row in dots]
    numbers = [labels[y // between] if y % between == 0 else "" for y in range(height)]
    drawn = [f"{numbers[y]:>{left}} ┤{row} {ends.get(y, '')}".rstrip() for y, row in enumerate(rows)]
    return [*drawn, " " * (left + 2) + _axis(across, room), *_legend(series, width)]


def _legend(series: Sequence[Series], width: int) -> Iterator[str]:
    """Which letter is whose, in as few lines as possible."""
    line = ""
    for letter, one in zip(LETTERS, series, strict=False):
        entry = f"{letter} {_cut(one.label, min(LONGEST_LABEL, width - 2))}"
        if line and cell_len(line) + cell_len(entry) + 2 > width:
            yield line
            line = ""
        line = f"{line}  {entry}" if line else entry
    yield line


def _up(value: float, scale: Scale, height: int) -> int:
    """The row of dots, from above. The dots of a tick are beside its number."""
    return round((1 - scale.at(value)) * (height - 1) * HIGH) + 1


def _dotted(points: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The points, and the dots on the way from each to the next."""
    yield from points
    for (x, y), (to_x, to_y) in pairwise(points):
        steps = max(abs(to_x - x), abs(to_y - y), 1)
        for step in range(steps):
            yield round(x + (to_x - x) * step / steps), round(y + (to_y - y) * step / steps)


def _ends(rows: Sequence[int]) -> dict[int, str]:
    """The letters at the ends of lines, by row."""
    letters: dict[int, str] = {}
    for letter, row in zip(LETTERS, rows, strict=False):
        letters[row] = letters.get(row, "") + letter
    return letters


def _cut(label: str, most: int) -> str:
    """The label in at most so many columns, with control characters spelt out as on the screen."""
    label = plain(label)
    return label if cell_len(label) <= most else set_cell_size(label, most - 1).rstrip() + "…"
