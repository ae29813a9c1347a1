"""A figure as people read it: few columns with words for heads, rates in per cent, an interval beside its value.

Three significant digits say enough, and all numbers of a column have as many decimals, so that they stand below each
other. What programs read (`Figure.rows`) keeps every digit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import floor, log10
from typing import Any, NamedTuple

from msgspec import structs

from spyrium_log.analysis.figures import DIGITS, NOTE, Figure, drop_dust
from spyrium_log.analysis.words import group_digits, head_text, separate_groups, word
from spyrium_log.catalogue import ENGLISH
from spyrium_log.shown import plain, with_minus

# From here on numbers have groups of digits.
GROUPED = 10_000
MISSING = "–"


class ReadableColumn(NamedTuple):
    """A column for people. `names`: the columns of the figure that it shows."""

    names: tuple[str, ...]
    head: str
    is_number: bool
    cells: Sequence[str]


def readable_columns(figure: Figure, *, wide: bool = True) -> list[ReadableColumn]:
    """The columns of a figure for people, those that are needed first at the front; not `wide`: those alone."""
    intervals = {value: (low, high) for value, low, high in figure.intervals}
    ends = {end for pair in intervals.values() for end in pair}
    names = [name for name in figure.columns if name not in figure.first]
    wanted = [*figure.first, *(names if wide or not figure.first else [])]
    return [_readable_column(figure, name, intervals.get(name)) for name in wanted if name not in ends]


def _readable_column(figure: Figure, name: str, interval: tuple[str, str] | None) -> ReadableColumn:
    """One column, with the interval around each value where there is one."""
    values = figure.values(name)
    together = [value for each in (name, *(interval or ())) for value in figure.values(each)]
    decimals = _common_decimals(figure, name, together)
    cells = [format_value(figure, name, value, decimals) for value in values]
    is_number = are_numbers(values)
    if interval is None:
        return ReadableColumn((name,), head_text(name, figure.language, figure.name), is_number, cells)
    texts = interval_texts(figure, name)
    cells = [f"{cell} {text}" for cell, text in zip(cells, texts, strict=True)]
    return ReadableColumn((name, *interval), head_text(name, figure.language, figure.name), is_number, cells)


def interval_texts(figure: Figure, name: str) -> list[str]:
    """The interval around each value of a column as `[−4.5, 16.4]`, all of one width: blanks where there is none."""
    ends = next((ends for value, *ends in figure.intervals if value == name), None)
    if ends is None:
        return [""] * len(figure.rows)
    lows, highs = (_padded([text.replace(" %", "") for text in column_texts(figure, end)]) for end in ends)
    # where decimals have a comma, another one between two numbers would be read as a third
    comma = "," if figure.language == ENGLISH else ";"
    return [
        f"[{low}{comma} {high}]" if low.strip() else " " * (len(low) + len(high) + len("[, ]"))
        for low, high in zip(lows, highs, strict=True)
    ]


def column_texts(figure: Figure, name: str) -> list[str]:
    """The values of one column as people read them, with as many decimals as the value that an interval is around."""
    together = next((columns for columns in figure.intervals if name in columns), (name,))
    decimals = _common_decimals(figure, name, [value for each in together for value in figure.values(each)])
    texts = [format_value(figure, name, value, decimals) for value in figure.values(name)]
    return ["" if value is None else text for text, value in zip(texts, figure.values(name), strict=True)]


def _padded(cells: Sequence[str]) -> list[str]:
    """Texts that stand right below each other."""
    width = max(map(len, cells), default=0)
    return [cell.rjust(width) for cell in cells]


def are_numbers(values: Collection[Any]) -> bool:
    """Whether a column holds numbers alone, and at least one; what is missing does not count, yes and no are none."""
    known = [value for value in values if value is not None]
    return bool(known) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in known)


def _common_decimals(figure: Figure, name: str, values: Collection[Any]) -> int:
    """So many decimals that the largest value of a column has three significant digits; none where all are whole."""
    numbers = [abs(drop_dust(float(value))) for value in values if isinstance(value, float)]
    if name in figure.percent:
        return 0
    if not any(numbers) or all(number.is_integer() for number in numbers):
        return 0
    return max(0, DIGITS - 1 - floor(log10(max(numbers))))


def format_value(figure: Figure, name: str, value: Any, decimals: int = 0) -> str:
    """A value of this column as people read it."""
    if value is None:
        return MISSING
    if isinstance(value, bool) or not isinstance(value, int | float):
        return readable_text(value, figure.language)
    is_rate = name in figure.percent
    shown = 100 * float(value) if is_rate else value
    sign = "+" if name in figure.signed and round(shown, decimals) > 0 else ""
    return f"{sign}{format_number(shown, decimals, figure.language)}{' %' if is_rate else ''}"


def format_number(value: float, decimals: int = 0, language: str = ENGLISH) -> str:
    """A number with so many decimals and a minus for people; a whole number has none."""
    if isinstance(value, int):
        return with_minus(group_digits(value, language) if abs(value) >= GROUPED else str(value))
    shown = f"{drop_dust(value):,.{decimals}f}" if abs(value) >= GROUPED else f"{drop_dust(value):.{decimals}f}"
    is_nothing = not float(shown.replace(",", ""))
    return with_minus(separate_groups(shown.removeprefix("-") if is_nothing else shown, language))


def bar_numbers(figure: Figure, values: Sequence[float]) -> list[str]:
    """The values of a chart's bars as people read them, below each other."""
    name = figure.chart.value if figure.chart else ""
    decimals = _common_decimals(figure, name, values)
    unsigned = structs.replace(figure, signed=())
    return [format_value(unsigned, name, value, decimals) for value in values]


def tick_text(figure: Figure, tick: float) -> str:
    """A round number on an axis of values."""
    if figure.chart and figure.chart.value in figure.percent:
        shown = f"{round(100 * tick, 6):g} %"
    else:
        shown = f"{tick:,.0f}" if abs(tick) >= GROUPED else f"{round(tick, 9):g}"
    return with_minus(separate_groups(shown, figure.language))


def format_tick(value: float, language: str) -> str:
    """A round number on an axis of rounds or games."""
    return with_minus(separate_groups(f"{value:g}", language))


def readable_text(value: Any, language: str = ENGLISH) -> str:
    """A value that is no number as words: `yes`, `coal 2, gold 1`; nothing of None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return word("values", "yes" if value else "no", language)
    if isinstance(value, list | tuple):
        return ", ".join(readable_text(part, language) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {readable_text(part, language)}" for name, part in value.items())
    return plain(value) if isinstance(value, str) else with_minus(str(value))


def notes_text(figure: Figure, shown: Collection[str]) -> str:
    """What the column of notes says, each note with the rows that it is about, where that column is not shown."""
    if NOTE in shown or NOTE not in figure.columns or figure.chart is None:
        return ""
    rows_of: dict[str, list[str]] = {}
    for label, note in zip(figure.values(figure.chart.label), figure.values(NOTE), strict=True):
        if note is not None:
            rows_of.setdefault(str(note), []).append(plain(str(label)))
    return "\n".join(f"{note}: {', '.join(dict.fromkeys(rows))}" for note, rows in rows_of.items())
