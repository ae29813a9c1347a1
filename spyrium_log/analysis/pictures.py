"""Figures as SVG inside a page.

Nothing is shown by colour alone: every bar has its label and its number, every line a dash of its own and its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Any, NamedTuple
from unicodedata import combining, east_asian_width

from jinja2 import Template
from markupsafe import Markup

from spyrium_log.analysis.figures import Bar, Figure, Scale, Series, list_bars, list_series, make_scale
from spyrium_log.analysis.readable import bar_numbers, format_tick, tick_text
from spyrium_log.analysis.sentences import axis_text
from spyrium_log.exchange.html import DASHES, make_environment, spread_labels
from spyrium_log.shown import plain

WIDTH = 760
ROW = 26
# How wide a letter is at most in the fonts that people have. The page cannot ask, so narrow ones leave some room free.
LETTER, CAPITAL, BROAD, DIGIT = 9.0, 11.0, 14.4, 9.0
_BROAD = frozenset("mwMW@%&<>=+~#…")
GUTTER = 12
# What is nothing is seen all the same.
LEAST_BAR = 1 / 400
HEIGHT = 320
TOP, RIGHT, BOTTOM, LEFT = 14, 212, 28, 52
GAP = 17.0
LONGEST_LABEL = 240
LONGEST_END = 184
# Names of lines and groups are bold.
BOLD = 1.1


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


class DrawnBar(NamedTuple):
    """A bar from `start` as wide as `width`, or a mean at `x` with its interval."""

    label: str
    number: str
    y: int
    x: str
    start: str
    width: str
    interval: tuple[str, str] | None


class Tick(NamedTuple):
    """`is_spare`: hidden where there is room for every second number only."""

    x: str
    number: str
    is_zero: bool
    is_spare: bool


def _bar_picture(figure: Figure, bars: Sequence[Bar], *, means: bool) -> dict[str, Any]:
    """What the template draws of a chart of bars or means. Labels keep their width, the plot takes the rest."""
    texts = dict(zip(bars, bar_numbers(figure, [bar.value for bar in bars]), strict=True))
    numbers = 2 * GUTTER + round(DIGIT * max(map(len, texts.values())))
    left = numbers + GUTTER + round(max(_text_width(_shorten(plain(bar.label))) for bar in bars))
    left = max(left, GUTTER + round(BOLD * max(_text_width(_shorten(plain(bar.group))) for bar in bars)))
    ends = [end for bar in bars for end in (bar.value, bar.low, bar.high) if end is not None]
    scale = make_scale(ends, nought=True)
    zero = scale.ticks.index(0) if 0 in scale.ticks else 0
    placed = list(_place_rows(bars))
    return {
        "kind": "bars",
        "means": means,
        "left": left,
        "numbers": numbers,
        "gutter": GUTTER,
        "bottom": ROW * len(placed),
        "height": ROW * (len(placed) + 1),
        "ticks": [
            Tick(_percent_text(scale.at(tick)), tick_text(figure, tick), tick == 0, bool((index - zero) % 2))
            for index, tick in enumerate(scale.ticks)
        ],
        "groups": [(_shorten(plain(row)), y) for y, row in placed if isinstance(row, str)],
        "bars": [_draw_bar(row, texts[row], scale, y) for y, row in placed if isinstance(row, Bar)],
    }


def _place_rows(bars: Sequence[Bar]) -> Iterator[tuple[int, str | Bar]]:
    """Each row and how far down it stands: the name of a group, then its bars."""
    y = ROW // 2
    for group, bars_of_group in groupby(bars, key=lambda bar: bar.group):
        for row in [*([group] if group else []), *bars_of_group]:
            yield y, row
            y += ROW


def _draw_bar(bar: Bar, number: str, scale: Scale, y: int) -> DrawnBar:
    """One bar, or one mean with its interval, at the height `y`."""
    start, end = sorted((scale.at(0), scale.at(bar.value)))
    has_interval = bar.low is not None and bar.high is not None
    return DrawnBar(
        _shorten(plain(bar.label)),
        number,
        y,
        _percent_text(scale.at(bar.value)),
        _percent_text(start),
        _percent_text(max(LEAST_BAR, end - start)),
        (_percent_text(scale.at(bar.low or 0)), _percent_text(scale.at(bar.high or 0))) if has_interval else None,
    )


def _percent_text(part: float) -> str:
    """A part of the width of the plot, such as `12.5%` of 0.125."""
    return f"{round(100 * part, 2):g}%"


class DrawnLine(NamedTuple):
    """`point` is set where the line is a single point; `end` is the height of the label; `band` goes round it."""

    label: str
    dash: str
    style: str
    band: str
    points: str
    point: tuple[float, float] | None
    end: float


def _line_picture(figure: Figure, series: Sequence[Series]) -> dict[str, Any]:
    """What the template draws of a line chart: two axes, the lines, their labels."""
    x_scale = make_scale([x for each in series for x, _ in each.points], nought=False, most_ticks=10)
    ends_of_bands = [end for each in series for _, low, high in each.band for end in (low, high)]
    y_scale = make_scale([*ends_of_bands, *(y for each in series for _, y in each.points)], nought=False)

    def place(point: tuple[float, float]) -> tuple[float, float]:
        """A point of the chart in pixels."""
        return _x_of_value(point[0], x_scale), _y_of_value(point[1], y_scale)

    ends = spread_labels([_y_of_value(each.points[-1][1], y_scale) for each in series], GAP, float(HEIGHT - BOTTOM))
    return {
        "kind": "lines",
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "ups": [(tick_text(figure, tick), _y_of_value(tick, y_scale)) for tick in y_scale.ticks],
        "acrosses": [(format_tick(tick), _x_of_value(tick, x_scale)) for tick in x_scale.ticks],
        "lines": [
            DrawnLine(
                _shorten(plain(each.label), LONGEST_END),
                dash,
                _line_style(index, each),
                " ".join(f"{x},{y}" for x, y in map(place, _round_band(each))),
                " ".join(f"{x},{y}" for x, y in map(place, each.points)),
                place(each.points[0]) if len(each.points) == 1 else None,
                end,
            )
            for index, (each, dash, end) in enumerate(zip(series, DASHES, ends, strict=False))
        ],
    }


# The colours of seats for which a page has a light and a dark one.
COLOURS = frozenset(("blue", "red", "yellow", "green", "black", "white", "grey"))


def _line_style(index: int, series: Series) -> str:
    """The class of a line: of the colour of its seat, else of its place among the lines."""
    return f"c-{series.colour}" if series.colour in COLOURS else f"s{index}"


def _round_band(series: Series) -> list[tuple[float, float]]:
    """The corners of the interval around a line: along its upper ends, and back along the lower ones."""
    there = [(x, high) for x, _, high in series.band]
    return [*there, *((x, low) for x, low, _ in reversed(series.band))] if len(there) > 1 else []


def list_line_keys(figure: Figure) -> list[tuple[str, str, str]]:
    """Class, dash and name of each line, for screens too narrow to show the lines' ends."""
    if figure.chart is None or figure.chart.kind != "lines" or not figure.rows:
        return []
    pairs = zip(list_series(figure), DASHES, strict=False)
    return [(_line_style(index, series), dash, series.label) for index, (series, dash) in enumerate(pairs)]


def _x_of_value(value: float, scale: Scale) -> float:
    """Pixels from the left of a line chart."""
    return round(LEFT + scale.at(value) * (WIDTH - LEFT - RIGHT), 1)


def _y_of_value(value: float, scale: Scale) -> float:
    """Pixels from the top of a line chart: larger values stand higher."""
    return round(HEIGHT - BOTTOM - scale.at(value) * (HEIGHT - TOP - BOTTOM), 1)


def _shorten(label: str, most: float = LONGEST_LABEL) -> str:
    """The label, shortened with … to so many pixels."""
    if _text_width(label) <= most:
        return label
    while _text_width(label) > most - BROAD:
        label = label[:-1]
    return label + "…"


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
