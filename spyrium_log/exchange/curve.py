"""Everybody's points over the events, as a drawing that stretches to any width while its letters do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple, TypeVar

Y = TypeVar("Y", int, float)

HEIGHT = 280
TOP, BOTTOM = 14, 26
LABEL = 18
MOST_TICKS = 8
# Colour is never alone: every seat has a dash of its own, and its mark at the line's end.
DASHES = ("", "9 4", "2 4", "12 4 2 4", "6 3", "1 3", "16 5", "5 2 1 2", "3 6")


class Line(NamedTuple):
    """One seat: its points after 0, 1, 2 … events, and what stands at the line's end."""

    mark: str
    name: str
    colour: str
    points: Sequence[int]
    end: str


def curve(lines: Sequence[Line], rounds: Sequence[tuple[int, str]], title: str) -> str:
    """`rounds` are the events that a round begins with, and what it is called."""
    steps = max(1, len(lines[0].points) - 1)
    least = min(0, *(min(line.points) for line in lines))
    most = max(10, *(max(line.points) for line in lines))
    parts = [
        f'<svg class="curve" role="img" aria-label="{escape(title)}" width="100%" height="{HEIGHT}">',
        f"<title>{escape(title)}</title>",
        '<svg x="28" width="86%">',
    ]
    for value in _ticks(least, most):
        y = _y(value, least, most)
        parts.append(f'<line class="tick" x1="0" x2="100%" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="label" x="-6" y="{y + 4}" text-anchor="end">{value}</text>')
    for at, name in rounds:
        x = f"{100 * at / steps:.2f}%"
        parts.append(f'<line class="round" x1="{x}" x2="{x}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text class="label" x="{x}" dx="4" y="{HEIGHT - 8}">{escape(name)}</text>')
    parts.append(
        f'<svg viewBox="0 0 {steps} {HEIGHT}" width="100%" height="{HEIGHT}" preserveAspectRatio="none" class="lines">'
    )
    parts.extend(
        f'<polyline class="c-{line.colour}" stroke-dasharray="{dash}" points="{_stairs(line.points, least, most)}"/>'
        for line, dash in zip(lines, DASHES, strict=False)
    )
    parts.append("</svg>")
    parts.append(f'<line id="cursor" class="cursor" x1="100%" x2="100%" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
    for line, y in zip(
        lines, spread([_y(line.points[-1], least, most) for line in lines], LABEL, HEIGHT - BOTTOM), strict=True
    ):
        end = escape(f"{line.mark} {line.end}")
        parts.append(f'<text class="end c-{line.colour}" x="100%" dx="8" y="{y + 5}">{end}</text>')
    return "".join([*parts, "</svg></svg>"])


def legend(lines: Sequence[Line]) -> Iterator[str]:
    """Which dash is whose."""
    for line, dash in zip(lines, DASHES, strict=False):
        yield (
            f'<li><svg class="key" width="34" height="10" aria-hidden="true"><line class="c-{line.colour}" x1="0" '
            f'x2="34" y1="5" y2="5" stroke-dasharray="{dash}"/></svg> {escape(line.mark)} '
            f"<bdi>{escape(line.name)}</bdi></li>"
        )


def _y(points: int, least: int, most: int) -> int:
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (points - least) / (most - least))


def _stairs(points: Sequence[int], least: int, most: int) -> str:
    """Points do not grow between events: a step where they change."""
    said = [f"0,{_y(points[0], least, most)}"]
    for at, (before, now) in enumerate(pairwise(points), 1):
        if now != before:
            said += [f"{at},{_y(before, least, most)}", f"{at},{_y(now, least, most)}"]
    return " ".join([*said, f"{len(points) - 1},{_y(points[-1], least, most)}"])


def _ticks(least: int, most: int) -> Iterator[int]:
    """Four to eight round numbers."""
    span = most - least
    step = next(
        (step for step in (2, 5, 10, 20, 50, 100, 200, 500) if span / step <= MOST_TICKS), -(-span // MOST_TICKS)
    )
    yield from range(-(-least // step) * step, most + 1, step)


def spread(ys: Sequence[Y], gap: Y, lowest: Y) -> list[Y]:
    """Labels that would lie on each other move apart, downwards, and up again where that leaves the drawing."""
    order = sorted(range(len(ys)), key=lambda at: ys[at])
    placed = list(ys)
    for one, other in pairwise(order):
        placed[other] = max(placed[other], placed[one] + gap)
    last = lowest
    for at in reversed(order):
        placed[at] = min(placed[at], last)
        last = placed[at] - gap
    return placed
