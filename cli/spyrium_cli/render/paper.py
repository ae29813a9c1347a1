"""What is drawn on: a terminal with colour and boxes, or a pipe that gets plain lines, never cut."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from shutil import get_terminal_size
from typing import Any

import click
from rich.console import Console, RenderableType
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


def draw(*drawings: RenderableType) -> None:
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


def text(words: str, style: str = "") -> Text:
    """Words from anywhere, as they are. The style is theirs alone: what is appended keeps its own."""
    return Text().append(plain(words), style)


def grid(*columns: str, **options: Any) -> Table:
    """Columns without lines; each is `left` or `right`."""
    table = Table.grid(padding=(0, 2, 0, 0), **options)
    for column in columns:
        table.add_column(justify="right" if column == "right" else "left", overflow="fold")
    return table
