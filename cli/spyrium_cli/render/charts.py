"""Charts as text: bars in eighths of a block, means with their intervals, lines in braille.

They need no colour: every bar has its label and number, every line its letter. Widths are columns of a terminal, of
which a Chinese, Japanese or Korean letter takes two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from rich.cells import cell_len, set_cell_size

from spyrium_cli.render.text import plain
from spyrium_log.analysis.figures import (
    Bar,
    Figure,
    Scale,
    Series,
    list_bars,
    list_series,
    list_signs,
    make_scale,
    split_count,
)
from spyrium_log.analysis.readable import bar_numbers, format_tick, tick_text
from spyrium_log.analysis.sentences import axis_text

EIGHTHS = " ▏▎▍▌▋▊▉█"
# What each dot of a cell of braille, two wide and four high, adds to the character without dots.
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
DOTS_ACROSS, DOTS_DOWN = 2, 4
# The character of braille without a dot.
BLANK_BRAILLE = 0x2800
# Columns of the bars, or of the lines: with fewer, their differences do not show.
LEAST_WIDTH = 20
LONGEST_LABEL, SHORTEST_LABEL = 36, 8
# Between a label, its number and its bar.
GAP = "  "
# Rows of a chart of lines, about: there are as many between each two ticks.
HEIGHT = 12
# The names of lines that are of no seat, at their ends and in the legend.
LETTERS = "ABCDEFGHI"


def chart_lines(figure: Figure, width: int) -> list[str]:
    """The lines of a figure's chart in `width` columns, the axis last; none where there is nothing to draw."""
    if figure.chart is None or not figure.rows:
        return []
    if figure.chart.kind == "lines":
        chart = _line_chart(figure, list_series(figure), width)
        return [*chart, axis_text(figure)] if chart else []
    is_means = figure.chart.kind == "means"
    chart = _bar_rows(figure, list_bars(figure), width, means=is_means)
    return [*chart, f"{'● ' if is_means else ''}{axis_text(figure)}"] if chart else []


def _bar_rows(figure: Figure, bars: Sequence[Bar], width: int, *, means: bool) -> list[str]:
    """A row per bar: label, number and bar, below the name of its group; the axis last. `means`: dots on intervals."""
    if not bars:
        return []
    extents = [end for bar in bars for end in (bar.value, bar.low, bar.high) if end is not None]
    scale = make_scale(extents, nought=True)
    numbers = bar_numbers(figure, [bar.value for bar in bars])
    value_width = max(map(len, numbers))
    label_room = width - value_width - 2 * len(GAP) - LEAST_WIDTH
    labels = [_cut_label(bar.label, max(SHORTEST_LABEL, min(LONGEST_LABEL, label_room))) for bar in bars]
    label_width = max(map(cell_len, labels))
    plot_width = max(LEAST_WIDTH, width - label_width - value_width - 2 * len(GAP))
    draw = _mean_row if means else _bar_row
    rows = []
    for group, labelled_bars in groupby(zip(bars, labels, numbers, strict=True), key=lambda row: row[0].group):
        if group:
            rows.append(_cut_label(group, width))
        for bar, label, number in labelled_bars:
            cells = set_cell_size(label, label_width), number.rjust(value_width), draw(bar, scale, plot_width)
            rows.append(GAP.join(cells).rstrip())
    ticks = [tick_text(figure, tick) for tick in scale.ticks]
    return [*rows, " " * (label_width + value_width + 2 * len(GAP)) + _axis_row(scale, ticks, plot_width)]


def _mean_row(bar: Bar, scale: Scale, plot_width: int) -> str:
    """A mean as a dot on its interval, with a line at zero."""
    row = [" "] * plot_width
    row[_value_column(0, scale, plot_width)] = "│"
    if bar.low is not None and bar.high is not None:
        low, high = _value_column(bar.low, scale, plot_width), _value_column(bar.high, scale, plot_width)
        row[low : high + 1] = "─" * (high - low + 1)
        row[low], row[high] = "├", "┤"
    row[_value_column(bar.value, scale, plot_width)] = "●"
    return "".join(row)


def _bar_row(bar: Bar, scale: Scale, plot_width: int) -> str:
    """The blocks of a bar: from zero to the right in eighths, to the left in whole cells."""
    if scale.least == 0:
        return _block_text(scale.at(bar.value) * plot_width)
    # where bars go both ways, the line between them has a column of its own
    start = _value_column(0, scale, plot_width)
    length = abs(scale.at(bar.value) - scale.at(0)) * (plot_width - 1)
    if bar.value < 0:
        blocks = min(start, max(1, round(length)))
        return " " * (start - blocks) + "█" * blocks + "│"
    return " " * start + "│" + _block_text(length)


def _block_text(length: float) -> str:
    """A bar of so many cells, exact to an eighth."""
    whole, eighths = divmod(round(length * 8), 8)
    return "█" * whole + EIGHTHS[eighths].strip()


def _value_column(value: float, scale: Scale, plot_width: int) -> int:
    """The column of a value on an axis of so many columns, counted from 0."""
    return round(scale.at(value) * (plot_width - 1))


def _axis_row(scale: Scale, ticks: Sequence[str], plot_width: int) -> str:
    """The numbers of the ticks below their places, as many as have room."""
    row = [" "] * plot_width
    free = 0
    for tick, number in zip(scale.ticks, ticks, strict=True):
        start = max(0, min(_value_column(tick, scale, plot_width) - len(number) // 2, plot_width - len(number)))
        if start >= free:
            row[start : start + len(number)] = number
            free = start + len(number) + 1
    return "".join(row).rstrip()


def _line_chart(figure: Figure, series: Sequence[Series], width: int) -> list[str]:
    """Lines in braille, with numbers on both axes and a legend. `height` and rows count from above."""
    if not series:
        return []
    across = make_scale([x for line in series for x, _ in line.points], nought=False)
    up = make_scale([y for line in series for _, y in line.points], nought=False)
    between = max(1, HEIGHT // (len(up.ticks) - 1))
    height = between * (len(up.ticks) - 1) + 1
    labels = [tick_text(figure, tick) for tick in reversed(up.ticks)]
    label_width = max(map(len, labels))
    letters = line_letters(figure, series)
    ends = _letters_at_ends(letters, [_value_dot_row(line.points[-1][1], up, height) // DOTS_DOWN for line in series])
    plot_width = max(LEAST_WIDTH, width - label_width - len(" ┤") - len(" ") - max(map(len, ends.values())))
    dots: set[tuple[int, int]] = set()
    for line in series:
        columns = [round(across.at(x) * (plot_width * DOTS_ACROSS - 1)) for x, _ in line.points]
        dot_rows = [_value_dot_row(y, up, height) for _, y in line.points]
        dots.update(dots_between(list(zip(columns, dot_rows, strict=True))))
    rows = _braille_rows(dots, plot_width, height)
    numbers = [labels[y // between] if y % between == 0 else "" for y in range(height)]
    chart = [f"{numbers[y]:>{label_width}} ┤{row} {ends.get(y, '')}".rstrip() for y, row in enumerate(rows)]
    return [
        *chart,
        " " * (label_width + len(" ┤"))
        + _axis_row(across, [format_tick(tick, figure.language) for tick in across.ticks], plot_width),
        *_legend_lines(letters, series, width),
    ]


def _braille_rows(dots: Iterable[tuple[int, int]], width: int, height: int) -> list[str]:
    """The dots, each by its column and row, as rows of characters in braille; a character without a dot is a space."""
    cells = [[0] * width for _ in range(height)]
    for x, y in dots:
        cells[y // DOTS_DOWN][x // DOTS_ACROSS] |= DOTS[y % DOTS_DOWN][x % DOTS_ACROSS]
    return ["".join(chr(BLANK_BRAILLE + bits) if bits else " " for bits in row) for row in cells]


def _legend_lines(letters: Sequence[str], series: Sequence[Series], width: int) -> Iterator[str]:
    """The letter and the name of each line, in as few lines of text as possible."""
    line = ""
    for letter, curve in zip(letters, series, strict=True):
        entry = f"{letter} {_cut_label(curve.label, min(LONGEST_LABEL, width - 2))}"
        if line and cell_len(line) + cell_len(entry) + 2 > width:
            yield line
            line = ""
        line = f"{line}  {entry}" if line else entry
    yield line


def _value_dot_row(value: float, scale: Scale, height: int) -> int:
    """The row of dots of a value, from above; a row of text has DOTS_DOWN of them."""
    # the second of these stands beside the number of a tick, the first above it
    return round((1 - scale.at(value)) * (height - 1) * DOTS_DOWN) + 1


def dots_between(points: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The points, and the dots on the way from each to the next."""
    yield from points
    for (x, y), (to_x, to_y) in pairwise(points):
        steps = max(abs(to_x - x), abs(to_y - y), 1)
        for step in range(steps):
            yield round(x + (to_x - x) * step / steps), round(y + (to_y - y) * step / steps)


def line_letters(figure: Figure, series: Sequence[Series]) -> Sequence[str]:
    """A letter for each line: that of its seat on the board where it is of one and that is a single letter."""
    signs = list_signs(figure, series)
    return signs if all(cell_len(sign) == 1 for sign in signs) else LETTERS[: len(series)]


def _letters_at_ends(letters: Sequence[str], rows: Sequence[int]) -> dict[int, str]:
    """The letters at the ends of lines, by row; `rows`: where each line ends. Lines that end in one row share it."""
    ends: dict[int, str] = {}
    for letter, row in zip(letters, rows, strict=True):
        ends[row] = ends.get(row, "") + letter
    return ends


def _cut_label(label: str, most: int) -> str:
    """The label in at most so many columns, with control characters spelt out as on the screen; its count is kept."""
    name, count = split_count(plain(label))
    most -= len(count)
    return f"{name if cell_len(name) <= most else set_cell_size(name, most - 1).rstrip() + '…'}{count}"
