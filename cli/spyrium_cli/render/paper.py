"""What is drawn on: a terminal with colour and boxes, or a pipe that gets plain lines, never cut.

Only here are texts, tables and boxes of rich made of words: rich writes what steers a screen as it is.
`tests/cli/test_doors.py` says of any other place where words would get past.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from shutil import get_terminal_size
from typing import Any

import click
from rich.align import Align
from rich.box import ROUNDED, SIMPLE_HEAD
from rich.console import Console, ConsoleRenderable, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from spyrium_cli.render.text import plain
from spyrium_cli.terminal import write_note

# Wider than any line we write: rich would fold or cut what is longer.
ENDLESS = 100_000
# the least that a full screen needs
COLUMNS, ROWS = 80, 24


# How wide the pane of a full screen is that is drawn on; 0 where one writes line by line.
_pane: ContextVar[int] = ContextVar("_pane", default=0)


@contextmanager
def pane(width: int) -> Iterator[None]:
    """What is drawn within goes onto a part of a full screen, so many columns wide."""
    token = _pane.set(width)
    try:
        yield
    finally:
        _pane.reset(token)


def is_screen() -> bool:
    """Whether a person looks at it directly."""
    return bool(_pane.get()) or sys.stdout.isatty()


def is_terminal() -> bool:
    """Whether somebody sits there who reads and types."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def is_roomy() -> bool:
    """Whether somebody sits at a terminal that is large enough for a board and what belongs to it."""
    columns, rows = get_terminal_size()
    return is_terminal() and columns >= COLUMNS and rows >= ROWS


def console() -> Console:
    """Rich sees to NO_COLOR, FORCE_COLOR and the width of a terminal, unless somebody says when to write in colour."""
    when = colour()
    return Console(
        width=_pane.get() or (None if is_screen() else ENDLESS),
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        no_color=False if when == "always" else None,
        force_terminal=True if when == "always" else None,
        color_system=None if when == "never" else "auto",
    )


def colour() -> str:
    """`auto`, `always` or `never`. What the environment asks of every program goes before a file of ours."""
    from spyrium_cli.config import variable
    from spyrium_cli.session import session_of

    ctx = click.get_current_context(silent=True)
    if ctx is None:
        return "auto"
    said = session_of(ctx).settings.get("color")
    is_settled_here = said.origin in {"--color", variable("color")}
    if not is_settled_here and (os.environ.get("NO_COLOR") or os.environ.get("FORCE_COLOR")):
        return "auto"
    return str(said.value)


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


def say(message: str) -> None:
    """Talk, which is not data: to stderr."""
    write_note(message)


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
