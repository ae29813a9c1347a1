"""Where the lines of a chart of points lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

Y = TypeVar("Y", int, float)

# In pixels: the drawing, the margins in it, and the room that a label needs.
HEIGHT = 280
TOP, BOTTOM = 14, 26
LABEL = 18
MOST_TICKS = 8
STEPS = (2, 5, 10, 20, 50, 100, 200, 500)
# Colour is never alone: every seat has a dash of its own, and its mark at the line's end.
DASHES = ("", "9 4", "2 4", "12 4 2 4", "6 3", "1 3", "16 5", "5 2 1 2", "3 6")


class Line(NamedTuple):
    """One seat: its points after 0, 1, 2 … events, and the label at the line's end."""

    mark: str
    name: str
    colour: str
    points: Sequence[int]
    end: str


def curve_values(lines: Sequence[Line], rounds: Sequence[tuple[int, str]]) -> Mapping[str, Any]:
    """What curve.html draws; `rounds` are the events that begin a round, with its name."""
    steps = max(1, len(lines[0].points) - 1)
    least = min(0, *(min(line.points) for line in lines))
    most = max(10, *(max(line.points) for line in lines))
    bottom = HEIGHT - BOTTOM

    def y_of(points: int) -> int:
        """How far below the top of the drawing so many points lie."""
        return round(bottom - (bottom - TOP) * (points - least) / (most - least))

    def stair_points(points: Sequence[int]) -> str:
        """The corners of a line, as SVG takes them. Points do not grow between events: a step where they change."""
        corners = [f"0,{y_of(points[0])}"]
        for index, (before, now) in enumerate(pairwise(points), 1):
            if now != before:
                corners += [f"{index},{y_of(before)}", f"{index},{y_of(now)}"]
        return " ".join([*corners, f"{len(points) - 1},{y_of(points[-1])}"])

    ends = spread_labels([y_of(line.points[-1]) for line in lines], LABEL, bottom)
    return {
        "height": HEIGHT,
        "top": TOP,
        "bottom": bottom,
        "steps": steps,
        "ticks": [(value, y_of(value)) for value in _tick_values(least, most)],
        "rounds": [(name, f"{100 * index / steps:.2f}%") for index, name in rounds],
        "lines": [(line, dash, stair_points(line.points)) for line, dash in zip(lines, DASHES, strict=False)],
        "ends": list(zip(lines, ends, strict=True)),
    }


def _tick_values(least: int, most: int) -> Iterator[int]:
    """Four to eight round numbers."""
    span = most - least
    step = next((step for step in STEPS if span / step <= MOST_TICKS), -(-span // MOST_TICKS))
    yield from range(-(-least // step) * step, most + 1, step)


def spread_labels(ys: Sequence[Y], gap: Y, lowest: Y) -> list[Y]:
    """Move labels that would overlap apart: downwards, and up again where that leaves the drawing."""
    order = sorted(range(len(ys)), key=lambda index: ys[index])
    placed = list(ys)
    for upper, lower in pairwise(order):
        placed[lower] = max(placed[lower], placed[upper] + gap)
    last = lowest
    for index in reversed(order):
        placed[index] = min(placed[index], last)
        last = placed[index] - gap
    return placed
