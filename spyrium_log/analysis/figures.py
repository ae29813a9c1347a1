"""An answer as people look at it: figures, each a table with the SQL that made it and what to draw of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import floor, log10
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from spyrium_log.analysis.words import fill, head_text
from spyrium_log.catalogue import ENGLISH
from spyrium_log.shown import plain, short_names

Kind: TypeAlias = Literal["bars", "means", "lines"]
# More lines or bars than this are no picture any more; the table has them all.
MOST_SERIES = 9
MOST_BARS = 50
# All sources of games but simulated, which is asked where the archive has no other games.
REAL, SIMULATED = "real", "simulated"
# Of fewer comparisons none is expected to mislead by chance.
LEAST_COMPARED = 5
# Where a row says that it is of too few games. What is not ranked is not drawn beside what is, either.
NOTE = "note"
# People read so many significant digits at most.
DIGITS = 3


class Chart(Struct, frozen=True, kw_only=True):
    """Which columns of a table are drawn, and how.

    `bars`: a bar from nought to `value` for each `label`. `means`: a point for each `label` with its interval from
    `low` to `high`. `lines`: `value` over `x`, a line for each `label`, with the interval as a band. `axis`: what the
    axis counts, and in what. `n`: of how many it is; `colour`: the colour of the seat that a line is of.
    """

    kind: Kind
    label: str
    value: str
    low: str = ""
    high: str = ""
    x: str = ""
    axis: str = ""
    n: str = ""
    colour: str = ""


class Figure(Struct, frozen=True, kw_only=True):
    """One table. `explanation`: what a reader has to know of it, such as what is counted and what the interval is of.

    `first` are the columns that people are shown unless they ask for all, those that are needed most at the front.
    `percent` and `signed` are columns of rates and of differences, `intervals` a column of values and those of the ends
    around them. `sql` can be run as it stands; with a `maker` a computation of that name makes the table from its rows.
    `language`: of its title, explanation, axis and words in its cells.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    sql: str
    explanation: str = ""
    chart: Chart | None = None
    first: tuple[str, ...] = ()
    percent: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
    intervals: tuple[tuple[str, str, str], ...] = ()
    maker: str = ""
    language: str = ENGLISH

    def values(self, name: str) -> list[Any]:
        """What stands in a column, row by row."""
        column = self.columns.index(name)
        return [row[column] for row in self.rows]


class Kept(NamedTuple):
    """How many games count for a report, of how many; then what of them rests on values that nobody has checked.

    `assumed`: the games of which some points do; `assumed_share`: the share of all points, None where there are none.
    """

    games: int
    asked: int
    assumed: int
    assumed_share: float | None


class Reported(Struct, frozen=True, kw_only=True):
    """The answer to a report, with its options.

    `held`: another process is writing; these are the rows from before. `simulated`: it is of simulated games. `needs`:
    what of a game it rests on, and `kept` which games count for that. `title`: the title that it is of, by its key,
    where it is of one alone; `language`: of its question, its explanation and its figures; `set_names`: what sets call
    components that are in no vocabulary, by language and id.
    """

    name: str
    question: str
    explanation: str
    options: Mapping[str, object]
    figures: tuple[Figure, ...]
    held: bool = False
    simulated: bool = False
    needs: str = ""
    kept: Kept | None = None
    title: str | None = None
    language: str = ENGLISH
    set_names: Mapping[tuple[str, str], str] = {}

    @property
    def heading(self) -> str:
        """The question, and that nobody played these games where that is so."""
        if not self.simulated:
            return self.question
        return fill("sentences.simulated", self.language, question=self.question)

    @property
    def chosen(self) -> dict[str, object]:
        """The options that restrict the games: set, no switch that is off, and no source that is the usual one."""
        return {
            name: value
            for name, value in self.options.items()
            if value is not None and value is not False and (name, value) != ("source", REAL)
        }


class Bar(NamedTuple):
    """One row of a chart of bars or means. Rows of one `group` follow each other."""

    label: str
    value: float
    low: float | None
    high: float | None
    group: str = ""


class Series(NamedTuple):
    """One line of a chart of lines, from left to right. `band`: where it has an interval, `x` and the two ends."""

    label: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()
    colour: str = ""


class Scale(NamedTuple):
    """From a value to a place between 0 and 1, and the round numbers on the way."""

    least: float
    most: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """The place of a value."""
        return (value - self.least) / (self.most - self.least)


# The rest that a sum of floats may leave where it should be 0.
DUST = 1e-9


def drop_dust(value: float) -> float:
    """The value; 0 where it is so small that it must be what a sum of floats left over."""
    return 0.0 if abs(value) < DUST else value


def list_bars(figure: Figure) -> list[Bar]:
    """At most the first MOST_BARS of what a chart of bars or means draws."""
    return _list_all_bars(figure)[:MOST_BARS]


def _list_all_bars(figure: Figure) -> list[Bar]:
    """The bars of all rows that can be drawn, more than a picture may show."""
    chart = chart_of(figure)
    note = figure.columns.index(NOTE) if NOTE in figure.columns else None
    value = figure.columns.index(chart.value)
    low, high = (figure.columns.index(name) if name else None for name in (chart.low, chart.high))
    n = figure.columns.index(chart.n) if chart.n else None
    return [
        Bar(
            label if n is None else f"{label} ({row[n]})",
            drop_dust(float(row[value])),
            _interval_end(row, low),
            _interval_end(row, high),
            group,
        )
        for (group, label), row in zip(_groups_and_labels(figure), figure.rows, strict=True)
        if row[value] is not None and (note is None or row[note] is None)
    ]


def _interval_end(row: Sequence[Any], column: int | None) -> float | None:
    """The end of an interval in this column; None where the chart has no such column, or the row no interval."""
    return None if column is None or row[column] is None else drop_dust(float(row[column]))


def list_series(figure: Figure) -> list[Series]:
    """At most the first MOST_SERIES lines of a chart, in the order in which they begin in the table."""
    return _list_all_series(figure)[:MOST_SERIES]


def list_signs(figure: Figure, series: Sequence[Series]) -> list[str]:
    """The sign of each line, as the seat has it on the board; empty ones where the lines are not of seats."""
    is_of_seats = bool(chart_of(figure).colour)
    return short_names([plain(each.label) for each in series]) if is_of_seats else [""] * len(series)


def count_bars(figure: Figure) -> int:
    """How many bars could be drawn, more than a picture may show."""
    return len(_list_all_bars(figure))


_COUNT = re.compile(r" \(\d+\)$")


def split_count(label: str) -> tuple[str, str]:
    """A label and what it ends in: ` (26)`, of how many it is. Where there is little room, the name gets shorter."""
    match = _COUNT.search(label)
    return (label[: match.start()], match[0]) if match else (label, "")


def count_series(figure: Figure) -> int:
    """How many lines could be drawn, more than a picture may show."""
    return len(_list_all_series(figure))


def _list_all_series(figure: Figure) -> list[Series]:
    """The lines of all labels, more than a picture may show."""
    chart = chart_of(figure)
    rows_of: dict[str, list[dict[str, Any]]] = {}
    for label, row in zip(_row_labels(figure), figure.rows, strict=True):
        values = dict(zip(figure.columns, row, strict=True))
        if values[chart.value] is not None and values[chart.x] is not None:
            rows_of.setdefault(label, []).append(values)
    return [_make_series(chart, label, rows) for label, rows in rows_of.items()]


def _make_series(chart: Chart, label: str, rows: Sequence[Mapping[str, Any]]) -> Series:
    """One line: its points, the interval around them, how many they are of, and the colour of the seat."""
    ns = [row[chart.n] for row in rows if chart.n and row[chart.n] is not None]
    ends = [
        (float(row[chart.x]), float(row[chart.low]), float(row[chart.high]))
        for row in rows
        if chart.low and row[chart.low] is not None and row[chart.high] is not None
    ]
    return Series(
        f"{label} ({max(ns)})" if ns else label,
        sorted((float(row[chart.x]), float(row[chart.value])) for row in rows),
        sorted(ends),
        str(rows[0][chart.colour]) if chart.colour else "",
    )


def _row_labels(figure: Figure) -> list[str]:
    """One label for each row, what distinguishes it included."""
    return [", ".join(filter(None, names)) for names in _distinct_labels(figure)]


def _groups_and_labels(figure: Figure) -> list[tuple[str, str]]:
    """The group and the label of each row; rows of a group that do not follow each other have none."""
    named = _distinct_labels(figure)
    groups = [group for group, _ in groupby(group for group, _ in named)]
    if len(groups) == len({*groups}) < len(named):
        return named
    return [("", label) for label in _row_labels(figure)]


def _distinct_labels(figure: Figure) -> list[tuple[str, str]]:
    """The group and label of each row; columns before the label distinguish rows of one label."""
    chart = chart_of(figure)
    label = figure.columns.index(chart.label)
    x = figure.columns.index(chart.x) if chart.x else label
    distinguishing = _find_distinguishing_columns(figure.rows, label, x)
    labels = []
    for row in figure.rows:
        group = ", ".join(_value_text(figure, figure.columns[column], row[column]) for column in distinguishing)
        labels.append((group, str(row[label])))
    return labels


def _find_distinguishing_columns(rows: Sequence[tuple[Any, ...]], label: int, x: int) -> list[int]:
    """The fewest first columns, by index, that with label and x tell any two rows apart; none that is all alike."""
    distinguishing: list[int] = []
    for column in range(label):
        if len({tuple(row[index] for index in (*distinguishing, label, x)) for row in rows}) == len(rows):
            break
        if column != x and len({row[column] for row in rows}) > 1:
            distinguishing.append(column)
    return distinguishing


def _value_text(figure: Figure, column: str, value: object) -> str:
    """The value, a number with the head of its column."""
    if not isinstance(value, int):
        return str(value)
    head = head_text(column, figure.language, figure.name)
    return fill("sentences.group", figure.language, column=head, value=str(value))


def make_scale(values: Sequence[float], *, nought: bool, most_ticks: int = 6) -> Scale:
    """A scale that holds all values and ends on round numbers, with so many ticks at most; `nought`: 0 is on it."""
    # between two rounds or two games there is none: where all values are whole, so are the ticks
    finest = 1 if all(float(value).is_integer() for value in values) else 0
    least, most = min(values), max(values)
    if nought:
        least, most = min(0.0, least), max(0.0, most)
    if least == most:
        least, most = least - 1, most + 1
    step = next(
        step
        for step in _round_steps(most - least)
        if step >= finest and _steps_spanned(least, most, step) <= most_ticks
    )
    first, last = _tolerant_floor(least / step), -_tolerant_floor(-most / step)
    return Scale(first * step, last * step, tuple(round(at * step, 9) for at in range(first, last + 1)))


def _steps_spanned(least: float, most: float, step: float) -> int:
    """Number of steps from the first to the last tick."""
    return -_tolerant_floor(-most / step) - _tolerant_floor(least / step)


def _round_steps(span: float) -> Iterator[float]:
    """1, 2, 5, 10 … times a power of ten, from about a hundredth of the span on, without end."""
    size = 10.0 ** floor(log10(span / 100))
    while True:
        for times in (1, 2, 5):
            yield times * size
        size *= 10


def _tolerant_floor(value: float) -> int:
    """The whole number below; a value that floats leave just under a whole one (0.3 / 0.1) counts as that."""
    nearest = round(value)
    return nearest if abs(value - nearest) < 1e-9 else int(value // 1)  # noqa: PLR2004 (far below any figure we print)


def chart_of(figure: Figure) -> Chart:
    """The chart of a figure that must have one."""
    if figure.chart is None:
        raise ValueError(f"expected a figure with a chart, found '{figure.name}'")
    return figure.chart
