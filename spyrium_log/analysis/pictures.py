"""Figures as SVG that stands in a page: letters keep their size, colours are the page's, bars take the room there is.

Nothing is told by colour alone: every bar has its label and its number, every line a dash of its own and its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from unicodedata import combining, east_asian_width

from spyrium_log.analysis.figures import Bar, Figure, Scale, Series, axis_of, bars_of, scale_of, series_of, settled
from spyrium_log.exchange.curve import DASHES, spread
from spyrium_log.exchange.markup import as_html
from spyrium_log.shown import minus, plain

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
LONGEST_LABEL = 320
LONGEST_END = 184
# Names of lines and groups are bold.
BOLD = 1.1
# Four digits say enough.
ROUNDED = 1000


def picture(figure: Figure) -> str:
    """Its drawing; empty where there is nothing to draw."""
    if figure.chart is None or not figure.rows:
        return ""
    if figure.chart.kind == "lines":
        series = series_of(figure)
        return _framed(figure, _lines(series), WIDTH, HEIGHT) if series else ""
    bars = bars_of(figure)
    if not bars:
        return ""
    # Bars begin at 0; what they are called stands left of that.
    numbers = 2 * GUTTER + round(DIGIT * max(len(number(bar.value)) for bar in bars))
    left = numbers + GUTTER + round(max(_wide(_cut(plain(bar.label))) for bar in bars))
    left = max(left, GUTTER + round(BOLD * max(_wide(_cut(plain(bar.group))) for bar in bars)))
    height = ROW * (_rows(bars) + 1)
    named, drawn = _names(bars, numbers, left), _bars(bars, means=figure.chart.kind == "means")
    return (
        f'<div class="bars" role="img" aria-label="{_said(figure)}">'
        f'<svg width="{left}" height="{height}" aria-hidden="true">{"".join(named)}</svg>'
        f'<svg class="plot" height="{height}" aria-hidden="true">{"".join(drawn)}</svg></div>'
    )


def number(value: float) -> str:
    """As the table beside it says it."""
    value = settled(value)
    is_whole = float(value).is_integer() or abs(value) >= ROUNDED
    return minus(f"{value:,.0f}".replace(",", "\u202f") if is_whole else f"{value:.4g}")


def _framed(figure: Figure, parts: Iterator[str], width: int, height: int) -> str:
    said = _said(figure)
    return (
        f'<svg role="img" aria-label="{said}" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"<title>{said}</title>{''.join(parts)}</svg>"
    )


def _said(figure: Figure) -> str:
    return as_html(f"{figure.title}: {axis_of(figure)}")


def _rows(bars: Sequence[Bar]) -> int:
    """One for each bar, and one for the name of each group."""
    return len(bars) + len({bar.group for bar in bars if bar.group})


def _placed(bars: Sequence[Bar]) -> Iterator[tuple[int, str, Bar | None]]:
    """How far down each stands: the name of a group, then its bars."""
    y = ROW // 2
    for group, those in groupby(bars, key=lambda bar: bar.group):
        if group:
            yield y, group, None
            y += ROW
        for bar in those:
            yield y, bar.label, bar
            y += ROW


def _names(bars: Sequence[Bar], numbers: int, left: int) -> Iterator[str]:
    """What stands left of the plot, and keeps its width."""
    for y, said, bar in _placed(bars):
        name = as_html(_cut(plain(said)))
        if bar is None:
            yield f'<text class="group" x="{GUTTER}" y="{y + 5}">{name}</text>'
            continue
        yield f'<text x="{left - numbers}" y="{y + 5}" text-anchor="end">{name}</text>'
        yield f'<text class="number" x="{left - GUTTER}" y="{y + 5}" text-anchor="end">{number(bar.value)}</text>'


def _bars(bars: Sequence[Bar], *, means: bool) -> Iterator[str]:
    ends = [end for bar in bars for end in (bar.value, bar.low, bar.high) if end is not None]
    scale = scale_of(ends, nought=True)
    bottom = ROW * _rows(bars)
    nought = scale.ticks.index(0) if 0 in scale.ticks else 0
    for nth, tick in enumerate(scale.ticks):
        x = _across(tick, scale)
        yield f'<line class="{"nought" if tick == 0 else "tick"}" x1="{x}" x2="{x}" y1="0" y2="{bottom}"/>'
        # On a phone there is room for every second number.
        kind = "label spare" if (nth - nought) % 2 else "label"
        yield f'<text class="{kind}" x="{x}" y="{bottom + 17}" text-anchor="middle">{number(tick)}</text>'
    for y, _, bar in _placed(bars):
        if bar is not None:
            yield from _mean(bar, scale, y) if means else _bar(bar, scale, y)


def _mean(bar: Bar, scale: Scale, y: int) -> Iterator[str]:
    if bar.low is not None and bar.high is not None:
        low, high = _across(bar.low, scale), _across(bar.high, scale)
        yield f'<g class="interval"><line x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>'
        for end in (low, high):
            yield f'<line x1="{end}" x2="{end}" y1="{y - 5}" y2="{y + 5}"/>'
        yield "</g>"
    yield f'<circle class="mean" cx="{_across(bar.value, scale)}" cy="{y}" r="5"/>'


def _bar(bar: Bar, scale: Scale, y: int) -> Iterator[str]:
    start, end = sorted((scale.at(0), scale.at(bar.value)))
    wide = _share(max(LEAST_BAR, end - start))
    yield f'<rect class="bar" x="{_share(start)}" y="{y - 8}" width="{wide}" height="16"/>'


def _across(value: float, scale: Scale) -> str:
    return _share(scale.at(value))


def _share(part: float) -> str:
    """Of the width that the page has for the plot."""
    return f"{round(100 * part, 2):g}%"


def _lines(series: Sequence[Series]) -> Iterator[str]:
    across = scale_of([x for one in series for x, _ in one.points], nought=False, most_ticks=10)
    up = scale_of([y for one in series for _, y in one.points], nought=False)
    for tick in up.ticks:
        y = _y(tick, up)
        yield f'<line class="tick" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>'
        yield f'<text class="label" x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{number(tick)}</text>'
    for tick in across.ticks:
        yield f'<text class="label" x="{_x(tick, across)}" y="{HEIGHT - 8}" text-anchor="middle">{number(tick)}</text>'
    for place, (one, dash) in enumerate(zip(series, DASHES, strict=False)):
        points = " ".join(f"{_x(x, across)},{_y(y, up)}" for x, y in one.points)
        yield f'<polyline class="line s{place}" stroke-dasharray="{dash}" points="{points}"/>'
    ends = spread([_y(one.points[-1][1], up) for one in series], GAP, float(HEIGHT - BOTTOM))
    for place, (one, y) in enumerate(zip(series, ends, strict=True)):
        if len(one.points) == 1:
            # No line leads to a point or from it.
            ((x, at),) = one.points
            yield f'<circle class="end s{place}" cx="{_x(x, across)}" cy="{_y(at, up)}" r="4"/>'
        name = as_html(_cut(plain(one.label), LONGEST_END))
        yield f'<text class="end s{place}" x="{WIDTH - RIGHT + 8}" y="{y + 5}">{name}</text>'


def keys(figure: Figure) -> Iterator[str]:
    """Each line of a picture with its name, for screens on which the ends of the lines are out of sight."""
    if figure.chart is None or figure.chart.kind != "lines" or not figure.rows:
        return
    for place, (one, dash) in enumerate(zip(series_of(figure), DASHES, strict=False)):
        yield (
            '<li><svg class="key" width="34" height="10" aria-hidden="true">'
            f'<line class="line s{place}" x1="0" x2="34" y1="5" y2="5" stroke-dasharray="{dash}"/></svg> '
            f"<bdi>{as_html(one.label)}</bdi></li>"
        )


def _x(value: float, scale: Scale) -> float:
    return round(LEFT + scale.at(value) * (WIDTH - LEFT - RIGHT), 1)


def _y(value: float, scale: Scale) -> float:
    return round(HEIGHT - BOTTOM - scale.at(value) * (HEIGHT - TOP - BOTTOM), 1)


def _cut(label: str, most: float = LONGEST_LABEL) -> str:
    if _wide(label) <= most:
        return label
    while _wide(label) > most - BROAD:
        label = label[:-1]
    return label + "…"


def _wide(text: str) -> float:
    return sum(map(_wide_letter, text))


def _wide_letter(letter: str) -> float:
    """Letters of Chinese, Japanese and Korean are as broad as they are high; accents lie on the letter before."""
    if combining(letter):
        return 0
    if east_asian_width(letter) in "WF" or letter in _BROAD:
        return BROAD
    return CAPITAL if letter.isupper() else LETTER
