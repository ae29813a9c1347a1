"""What is written on: a terminal, a pipe, or a pane of a full screen; and what people are told beside the data.

Nothing of rich is loaded here: many commands only ask whether somebody looks.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from shutil import get_terminal_size

import click

from spyrium_cli.terminal import write_note

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
    # Whoever starts us may have closed it.
    return bool(_pane.get()) or (sys.stdout is not None and sys.stdout.isatty())


def is_terminal() -> bool:
    """Whether somebody sits there who reads and types."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def is_roomy() -> bool:
    """Whether somebody sits at a terminal that is large enough for a board and what belongs to it."""
    columns, rows = get_terminal_size()
    return is_terminal() and columns >= COLUMNS and rows >= ROWS


def pane_width() -> int:
    """Columns of the pane that is drawn on; 0 where one writes line by line."""
    return _pane.get()


def colour() -> str:
    """`auto`, `always` or `never`. What the environment asks of every program goes before a file of ours."""
    from spyrium_cli.session import session_of
    from spyrium_cli.settings.config import variable_name

    ctx = click.get_current_context(silent=True)
    if ctx is None:
        return "auto"
    said = session_of(ctx).settings.get("color")
    is_settled_here = said.origin in {"--color", variable_name("color")}
    if not is_settled_here and (os.environ.get("NO_COLOR") or os.environ.get("FORCE_COLOR")):
        return "auto"
    return str(said.value)


def say(message: str) -> None:
    """Talk, which is not data: to stderr."""
    write_note(message)
