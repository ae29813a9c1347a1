"""Drawings: on a terminal with colour and boxes, in a pipe plain lines, never cut.

Only here are texts, tables and boxes of rich made of words: rich writes what steers a screen as it is.
`tests/cli/test_doors.py` says of any other place where words would get past.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from rich.align import Align
from rich.box import ROUNDED, SIMPLE_HEAD
from rich.console import Console, ConsoleRenderable, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from spyrium_cli.render.surface import colour, is_screen, pane_width
from spyrium_cli.render.text import plain

# Wider than any line we write: rich would fold or cut what is longer.
ENDLESS = 100_000


def console() -> Console:
    """Rich sees to NO_COLOR, FORCE_COLOR and the width of a terminal, unless somebody says when to write in colour."""
    from rich.console import Console

    when = colour()
    return Console(
        width=pane_width() or (None if is_screen() else ENDLESS),
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        no_color=False if when == "always" else None,
        force_terminal=True if when == "always" else None,
        color_system=None if when == "never" else "auto",
    )


def draw(*drawings: ConsoleRenderable) -> None:
    """Onto the paper, one below the other."""
    out = console()
    if is_screen():
        out.print(*drawings, sep="\n")
        return
    with out.capture() as captured:
        out.print(*drawings, sep="\n")
    for line in captured.get().splitlines():
        click.echo(line.rstrip(), color=True)  # click would take the colour out of a pipe


def text(words: str, style: str = "", *, keep: str = "") -> Text:
    """Words from anywhere, as they are. The style is theirs alone: what is appended keeps its own.

    `keep`: characters that are ours, such as the end of a line.
    """
    return Text().append(plain(words, keep=keep), style)


class Rows(Table):
    """A table whose cells are words from anywhere, or drawings."""

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        super().add_row(*(text(cell) if isinstance(cell, str) else cell for cell in cells), **options)


def grid(*columns: str, padding: tuple[int, int, int, int] = (0, 2, 0, 0)) -> Rows:
    """Columns without lines; each is `left` or `right`. Without any, they come with the cells."""
    table = Rows(box=None, padding=padding, collapse_padding=True, pad_edge=False, show_header=False, show_edge=False)
    for column in columns:
        table.add_column(justify="right" if column == "right" else "left", overflow="fold")
    return table


def listing(columns: Sequence[str], rights: Sequence[bool]) -> Rows:
    """A table with heads over its columns; on a screen with a line below them. `rights`: which hold numbers."""
    table = Rows(box=SIMPLE_HEAD if is_screen() else None, pad_edge=is_screen(), header_style="bold")
    for column, right in zip(columns, rights, strict=True):
        table.add_column(text(column), justify="right" if right else "left", overflow="fold")
    return table


def stack(*drawings: ConsoleRenderable) -> Group:
    """Drawings one below the other, as one."""
    return Group(*drawings)


def centred(drawing: ConsoleRenderable) -> Align:
    """In the middle of the room it has, across and down."""
    return Align.center(drawing, vertical="middle")


def framed(drawing: ConsoleRenderable, title: str, height: int) -> Panel:
    """In a box that says what it is."""
    return Panel(drawing, title=text(title), title_align="left", box=ROUNDED, padding=(0, 1), height=height)
