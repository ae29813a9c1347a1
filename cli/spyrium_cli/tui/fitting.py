"""Text fitted into so many columns and rows; what has no room is counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rich.console import ConsoleRenderable
from rich.text import Text

from spyrium_cli.render.paper import console, text
from spyrium_cli.render.surface import pane

# A screen of this size has room for sentences beside a whole board.
WIDE, TALL = 118, 34
# Columns of a whole board.
BOARD = 80
# Where a line may end, so that the rest of it can be counted: after a semicolon, before a dot in the middle, and
# after the comma behind a closing bracket, which ends an amount with its reason.
_PIECE_END = re.compile(r"; | (?=· )|(?<=\)), ")


def is_wide(width: int, height: int) -> bool:
    """Whether a screen has room for sentences beside a whole board."""
    return width >= WIDE and height >= TALL


def rows_of(drawing: ConsoleRenderable, width: int) -> int:
    """How many rows a drawing takes."""
    with pane(width):
        paper = console()
        return len(paper.render_lines(drawing, paper.options.update(width=width), pad=False))


def largest_drawing(
    draw: Callable[[int], ConsoleRenderable], most: int, width: int, rows: int
) -> ConsoleRenderable | None:
    """The drawing of as many things as there is room for, at most `most`; None where one alone is too large.

    `draw` draws so many of them.
    """
    for count in range(most, 0, -1):
        drawing = draw(count)
        if rows_of(drawing, width) <= rows:
            return drawing
    return None


def fitted_text(lines: Sequence[Text], width: int, rows: int) -> Text:
    """As much of these lines as there is room for, ending between two pieces of a line; the rest is counted."""
    whole = text("\n", keep="\n").join(lines)
    if rows_of(whole, width) <= rows:
        return whole
    ends = _piece_ends(lines)
    for count in range(len(ends) - 1, 0, -1):
        part = whole[: ends[count - 1]].append_text(text(f" · and {len(ends) - count} more", "bold"))
        if rows_of(part, width) <= rows:
            return part
    # one piece that is too long by itself ends after a word
    for blank in reversed([*re.finditer(" ", whole.plain[: width * rows])]):
        part = whole[: blank.start()].append(" · and more", "bold")
        if rows_of(part, width) <= rows:
            return part
    return whole[: width * rows]


def _piece_ends(lines: Sequence[Text]) -> list[int]:
    """The places in the joined lines where the text may end, so that the rest can be counted."""
    ends: list[int] = []
    start = 0
    for line in lines:
        ends += [start + end.start() for end in _PIECE_END.finditer(line.plain)]
        start += len(line)
        ends.append(start)
        start += 1
    return ends


def with_rule(line: Text, width: int) -> Text:
    """The line, followed by a rule to the edge."""
    return line.append_text(text("━" * max(0, width - line.cell_len)))


def keys_line(keys: Sequence[tuple[str, str]], width: int) -> Text:
    """As many keys, with what they do, as fit in one line."""
    line = text("")
    line.no_wrap = True
    for key, action in keys:
        part = text(f"{key} ", "bold").append_text(text(action, "dim"))
        gap = "  " if line else ""
        if line.cell_len + len(gap) + part.cell_len > width:
            break
        line.append_text(text(gap)).append_text(part)
    return line
