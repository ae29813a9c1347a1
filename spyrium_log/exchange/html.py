"""Parts of HTML pages that need nothing but themselves: templates that escape every value, charts of lines."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import resources
from itertools import pairwise
from math import ceil
from typing import NamedTuple, TypeVar

import msgspec
from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from spyrium_log.exchange.values import Json
from spyrium_log.shown import plain

Y = TypeVar("Y", int, float)

# In pixels: the drawing of a chart, the margins in it, and the room that a label needs.
HEIGHT = 220
TOP, BOTTOM = 14, 26
LABEL = 18
# The room that a letter at the end of a line needs, in pixels; and the name of a round, as a share of the width.
END_LETTER = 9
ROUND_ROOM = 0.08
MOST_TICKS = 8
STEPS = (2, 5, 10, 20, 50, 100, 200, 500)
# Colour is never alone: every seat has a dash of its own, and its mark at the line's end.
DASHES = ("", "9 4", "2 4", "12 4 2 4", "6 3", "1 3", "16 5", "5 2 1 2", "3 6")

# The colours of seats of which seats.css has a light and a dark one, for every page.
SEAT_COLOURS = frozenset(
    ("blue", "red", "yellow", "green", "black", "white", "grey", "brown", "purple", "orange", "pink")
)


def seat_style() -> str:
    """The style of a seat's colour: `--c` of the class `c-blue`, and `--on-piece` for what is written on it."""
    return resources.files(__package__).joinpath("seats.css").read_text(encoding="utf-8")


def make_environment(templates: Mapping[str, str]) -> Environment:
    """Templates by name. What they print cannot open a tag, end an attribute or change the direction of a line."""
    return Environment(
        loader=DictLoader(templates),
        autoescape=True,
        optimized=False,
        finalize=_printable_value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _printable_value(value: object) -> object:
    """What a template prints of a value: markup as it is, text without control characters, nothing of None."""
    if value is None:
        return ""
    return value if isinstance(value, Markup) else plain(str(value))


def security_policy(script: str, style: str) -> str:
    """A Content-Security-Policy that allows this script and this style, and no network."""
    script_hash, style_hash = (
        f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in (script, style)
    )
    return (
        f"default-src 'none'; script-src {script_hash}; style-src {style_hash}; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def script_data(value: Json) -> Markup:
    """JSON for a script element: no text in it can end the element or open a comment."""
    text = msgspec.json.encode(value).decode()
    for sign in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - every sign of markup is replaced


class Line(NamedTuple):
    """One seat: its points after 0, 1, 2 … events, and the label at the line's end."""

    mark: str
    name: str
    colour: str
    points: Sequence[int]
    end: str


def curve_values(lines: Sequence[Line], rounds: Sequence[tuple[int, str]]) -> Mapping[str, object]:
    """What curve.html draws; `rounds` are the events that begin a round, with its name."""
    steps = max(1, len(lines[0].points) - 1)
    # from 0 to 10 at least, so that a few points do not fill the whole height
    least = min(0, *(min(line.points) for line in lines))
    most = max(10, *(max(line.points) for line in lines))
    bottom = HEIGHT - BOTTOM

    def y_of_points(points: int) -> int:
        """How many pixels below the top of the drawing so many points lie."""
        return round(bottom - (bottom - TOP) * (points - least) / (most - least))

    def stair_corners(points: Sequence[int]) -> str:
        """The corners of a line, as SVG takes them: `0,254 3,254 3,230`. Points change at once, in steps."""
        corners = [f"0,{y_of_points(points[0])}"]
        for index, (before, now) in enumerate(pairwise(points), 1):
            if now != before:
                corners += [f"{index},{y_of_points(before)}", f"{index},{y_of_points(now)}"]
        return " ".join([*corners, f"{len(points) - 1},{y_of_points(points[-1])}"])

    ends = spread_labels([y_of_points(line.points[-1]) for line in lines], LABEL, bottom)
    return {
        "height": HEIGHT,
        "top": TOP,
        "bottom": bottom,
        "steps": steps,
        "ticks": [(value, y_of_points(value)) for value in _tick_values(least, most)],
        "right": END_LETTER * max(len(f"{line.mark} {line.end}") for line in lines) + END_LETTER,
        "rounds": list(_place_rounds(rounds, steps)),
        "lines": [(line, dash, stair_corners(line.points)) for line, dash in zip(lines, DASHES, strict=False)],
        "ends": list(zip(lines, ends, strict=True)),
    }


def _place_rounds(rounds: Sequence[tuple[int, str]], steps: int) -> Iterator[tuple[str, str]]:
    """The name of each round and where it begins; no name where the one before it takes the room."""
    free = 0.0
    for index, name in rounds:
        share = index / steps
        yield name if share >= free else "", f"{100 * share:.2f}%"
        free = share + ROUND_ROOM if share >= free else free


def _tick_values(least: int, most: int) -> Iterator[int]:
    """Up to eight round numbers from the least to the most, which lines across the chart mark."""
    span = most - least
    step = next((step for step in STEPS if span / step <= MOST_TICKS), ceil(span / MOST_TICKS))
    yield from range(ceil(least / step) * step, most + 1, step)


def spread_labels(ys: Sequence[Y], gap: Y, lowest: Y) -> list[Y]:
    """The heights of labels, moved apart where they would overlap: downwards, and up again from below `lowest`."""
    from_top = sorted(range(len(ys)), key=lambda index: ys[index])
    placed = list(ys)
    for upper, lower in pairwise(from_top):
        placed[lower] = max(placed[lower], placed[upper] + gap)
    limit = lowest
    for index in reversed(from_top):
        placed[index] = min(placed[index], limit)
        limit = placed[index] - gap
    return placed
