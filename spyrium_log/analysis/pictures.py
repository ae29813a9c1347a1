"""Figures as drawings inside a page: as wide as it has room for, with letters of one size.

Nothing is shown by colour alone: every bar has its label and its number, every line a dash of its own and its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple
from unicodedata import combining, east_asian_width

from jinja2 import Template
from markupsafe import Markup

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
from spyrium_log.exchange.html import DASHES, SEAT_COLOURS, make_environment, spread_labels
from spyrium_log.shown import plain

# A chart of lines is as wide as the page has room for; its lines are drawn this wide and stretched.
WIDTH = 1000
HEIGHT = 320
TOP, BOTTOM = 14, 28
GAP = 20.0
# How wide a letter is at most in the fonts that people have. The page cannot ask, so narrow ones leave some room free.
LETTER, CAPITAL, BROAD, DIGIT = 9.0, 11.0, 14.4, 8.0
_BROAD = frozenset("mwMW@%&<>=+~#…")
# Names at the ends of lines are bold.
BOLD = 1.1
LONGEST_END = 240
# In front of such a name: a gap, or the sign of a seat.
END, SIGNED_END = 8, 28
# What is nothing is seen all the same.
LEAST_BAR = 1 / 400


def draw_picture(figure: Figure) -> Markup:
    """The drawing of a figure; empty where there is nothing to draw."""
    if figure.chart is None or not figure.rows:
        return Markup("")
    if figure.chart.kind == "lines":
        series = list_series(figure)
        drawn = _line_picture(figure, series) if series else None
    else:
        bars = list_bars(figure)
        drawn = _bar_picture(figure, bars, means=figure.chart.kind == "means") if bars else None
    if drawn is None:
        return Markup("")
    label = f"{figure.title}: {axis_text(figure)}"
    template = read_template("pictures.html")
    return Markup(template.render(picture={**drawn, "label": label}))  # noqa: S704 - the template escapes


@cache
def read_template(name: str) -> Template:
    """A template of this package, parsed once."""
    return make_environment({name: read_resource(name)}).get_template(name)


def read_resource(name: str) -> str:
    """The text of a file of this package."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


class Tick(NamedTuple):
    """A number on the axis of bars, and where its line stands."""

    x: str
    number: str
    is_zero: bool


class DrawnBar(NamedTuple):
    """A bar from `start` as wide as `width`, or a mean at `x` with its interval; the first of a group has its name."""

    group: str
    label: str
    number: str
    x: str
    start: str
    width: str
    interval: tuple[str, str] | None


def _bar_picture(figure: Figure, bars: Sequence[Bar], *, means: bool) -> dict[str, Any]:
    """What the template draws of a chart of bars or means: a row for each, with its name, its number and its plot."""
    ends = [end for bar in bars for end in (bar.value, bar.low, bar.high) if end is not None]
    scale = make_scale(ends, nought=True)
    numbers = bar_numbers(figure, [bar.value for bar in bars])
    groups = ["", *(bar.group for bar in bars)]
    return {
        "kind": "bars",
        "means": means,
        "ticks": [Tick(_percent_text(scale.at(tick)), tick_text(figure, tick), tick == 0) for tick in scale.ticks],
        "bars": [
            _draw_bar(bar, number, scale, bar.group if bar.group != before else "")
            for bar, number, before in zip(bars, numbers, groups, strict=False)
        ],
    }


def _draw_bar(bar: Bar, number: str, scale: Scale, group: str) -> DrawnBar:
    """One bar, or one mean with its interval, below the name of its group where that begins."""
    start, end = sorted((scale.at(0), scale.at(bar.value)))
    has_interval = bar.low is not None and bar.high is not None
    return DrawnBar(
        group,
        bar.label,
        number,
        _percent_text(scale.at(bar.value)),
        _percent_text(start),
        _percent_text(max(LEAST_BAR, end - start)),
        (_percent_text(scale.at(bar.low or 0)), _percent_text(scale.at(bar.high or 0))) if has_interval else None,
    )


def _percent_text(part: float) -> str:
    """A part of the width of the plot, such as `12.5%` of 0.125."""
    return f"{round(100 * part, 2):g}%"


class DrawnLine(NamedTuple):
    """`end` is the height of the label, `sign` that of a seat; `point`: of a single one; `band` goes round the line."""

    label: str
    sign: str
    dash: str
    style: str
    band: str
    points: str
    point: tuple[str, float] | None
    end: float


def _line_picture(figure: Figure, series: Sequence[Series]) -> dict[str, Any]:
    """What the template draws of a line chart: two axes, the lines, their labels."""
    x_scale = make_scale([x for each in series for x, _ in each.points], nought=False, most_ticks=10)
    ends_of_bands = [end for each in series for _, low, high in each.band for end in (low, high)]
    y_scale = make_scale([*ends_of_bands, *(y for each in series for _, y in each.points)], nought=False)

    def place(point: tuple[float, float]) -> str:
        """A point of the chart as SVG takes it."""
        return f"{round(WIDTH * x_scale.at(point[0]), 1)},{_y_of_value(point[1], y_scale)}"

    signs = list_signs(figure, series)
    indent = SIGNED_END if any(signs) else END
    labels = [_shorten(plain(each.label)) for each in series]
    ends = spread_labels([_y_of_value(each.points[-1][1], y_scale) for each in series], GAP, float(HEIGHT - BOTTOM))
    ups = [(tick_text(figure, tick), _y_of_value(tick, y_scale)) for tick in y_scale.ticks]
    return {
        "kind": "lines",
        "width": WIDTH,
        "height": HEIGHT,
        "left": 2 * END + round(DIGIT * max(len(number) for number, _ in ups)),
        "right": indent + round(BOLD * max(map(_text_width, labels))),
        "indent": indent,
        "ups": ups,
        "acrosses": [(format_tick(tick, figure.language), _percent_text(x_scale.at(tick))) for tick in x_scale.ticks],
        "lines": [
            DrawnLine(
                label,
                sign,
                dash,
                _line_style(index, each),
                " ".join(map(place, _round_band(each))),
                " ".join(map(place, each.points)),
                _lone_point(each, x_scale, y_scale),
                end,
            )
            for index, (each, label, sign, dash, end) in enumerate(
                zip(series, labels, signs, DASHES, ends, strict=False)
            )
        ],
    }


def _lone_point(series: Series, x_scale: Scale, y_scale: Scale) -> tuple[str, float] | None:
    """Where the point of a line of one point is drawn, which no line shows."""
    if len(series.points) > 1:
        return None
    ((x, y),) = series.points
    return _percent_text(x_scale.at(x)), _y_of_value(y, y_scale)


def _line_style(index: int, series: Series) -> str:
    """The class of a line: of the colour of its seat, else of its place among the lines."""
    return f"c-{series.colour}" if series.colour in SEAT_COLOURS else f"s{index}"


def _round_band(series: Series) -> list[tuple[float, float]]:
    """The corners of the interval around a line: along its upper ends, and back along the lower ones."""
    there = [(x, high) for x, _, high in series.band]
    return [*there, *((x, low) for x, low, _ in reversed(series.band))] if len(there) > 1 else []


def list_line_keys(figure: Figure) -> list[tuple[str, str, str, str]]:
    """Class, dash, sign and name of each line, for screens too narrow to show the lines' ends."""
    if figure.chart is None or figure.chart.kind != "lines" or not figure.rows:
        return []
    series = list_series(figure)
    rows = zip(series, DASHES, list_signs(figure, series), strict=False)
    return [(_line_style(index, each), dash, sign, each.label) for index, (each, dash, sign) in enumerate(rows)]


def _y_of_value(value: float, scale: Scale) -> float:
    """Pixels from the top of a line chart: larger values stand higher."""
    return round(HEIGHT - BOTTOM - scale.at(value) * (HEIGHT - TOP - BOTTOM), 1)


def _shorten(label: str) -> str:
    """The label, its name shortened with … where it would take too many pixels. Of how many it is stays."""
    name, count = split_count(label)
    most = LONGEST_END - _text_width(count)
    if _text_width(name) <= most:
        return label
    while _text_width(name) > most - BROAD:
        name = name[:-1]
    return f"{name}…{count}"


def _text_width(text: str) -> float:
    """The width of a text in pixels, estimated: a page has no font to measure."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    """Letters of Chinese, Japanese and Korean are as broad as they are high; accents lie on the letter before."""
    if combining(letter):
        return 0
    if east_asian_width(letter) in "WF" or letter in _BROAD:
        return BROAD
    return CAPITAL if letter.isupper() else LETTER
