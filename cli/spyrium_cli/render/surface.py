"""What output goes to: a terminal, a pipe, or a pane of a full screen; notes and progress beside the data.

It does not load rich: many commands only ask what they write to.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TypeVar

import click

from spyrium_cli.terminal import write_note

if TYPE_CHECKING:
    from spyrium_log.messages import Argument

T = TypeVar("T")

# The least that a full screen needs.
COLUMNS, ROWS = 80, 24
# Seconds before a bar is shown.
PATIENCE = 1.0
# Seconds between two lines where stderr is no terminal.
BETWEEN_LINES = 10.0

# Columns of the pane of a full screen that is being drawn; 0 for output line by line.
_pane: ContextVar[int] = ContextVar("_pane", default=0)


@contextmanager
def pane(width: int) -> Iterator[None]:
    """Draw for a pane of a full screen, so many columns wide."""
    token = _pane.set(width)
    try:
        yield
    finally:
        _pane.reset(token)


def is_screen() -> bool:
    """Whether output goes to a screen."""
    # stdout is None where whoever started us closed it
    return bool(_pane.get()) or (sys.stdout is not None and sys.stdout.isatty())


def is_terminal() -> bool:
    """Whether somebody can read stdout and type into stdin."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def is_roomy() -> bool:
    """Whether this is a terminal large enough for a full screen."""
    columns, rows = get_terminal_size()
    return is_terminal() and columns >= COLUMNS and rows >= ROWS


def describe_small_terminal() -> str:
    """Why lines are printed where somebody may have expected a full screen: what it needs, and what there is."""
    columns, rows = get_terminal_size()
    from spyrium_cli.complaint import shell_message, spoken

    message = shell_message("said.small-terminal", columns=COLUMNS, rows=ROWS, width=columns, height=rows)
    return spoken(message)


def pane_width() -> int:
    """Columns of the pane that is being drawn; 0 for output line by line."""
    return _pane.get()


def colour_setting() -> str:
    """`auto`, `always` or `never`; `auto` leaves it to rich, also where NO_COLOR overrides a file of settings."""
    from spyrium_cli.session import session_of
    from spyrium_cli.settings.config import PREFIX

    ctx = click.get_current_context(silent=True)
    if ctx is None:
        return "auto"
    setting = session_of(ctx).settings.get("color")
    is_set_for_us = setting.origin in {"--color", f"{PREFIX}COLOR"}
    if not is_set_for_us and (os.environ.get("NO_COLOR") or os.environ.get("FORCE_COLOR")):
        return "auto"
    return str(setting.value)


# Writes a note for people, to stderr: stdout is for data.
say = write_note


def tell(key: str, /, **arguments: Argument) -> None:
    """Write a note in the language of the call. `key`: of the command line's words, such as `games.away`."""
    from spyrium_cli.complaint import shell_message, spoken

    say(spoken(shell_message(key, **arguments)))


def with_progress(
    items: Iterable[T], total: int | None, verb: str, *, quiet: bool = False, shown: bool = False
) -> Iterator[T]:
    """The same items, with progress on stderr. `verb`: what happens to each; `shown`: stdout shows each anyway."""
    if quiet or (shown and sys.stdout.isatty()):
        yield from items
    elif sys.stderr.isatty():
        yield from _with_bar(items, total, verb)
    else:
        yield from _with_lines(items, total, verb)


def _past_tense(verb: str) -> str:
    """The word for what happens to each, in the language of the call."""
    from spyrium_cli.complaint import shell_message, spoken

    return spoken(shell_message(f"progress.{verb}"))


def _with_lines(items: Iterable[T], total: int | None, verb: str) -> Iterator[T]:
    """The same items, with a line now and then, for a stderr that is no terminal."""
    start = last_line = time.monotonic()
    for count, item in enumerate(items):
        now = time.monotonic()
        if now - last_line > BETWEEN_LINES:
            last_line = now
            counts: dict[str, Argument] = {"count": count} if total is None else {"count": count, "total": total}
            key = "progress.line" if total is None else "progress.line-of"
            tell(key, verb=_past_tense(verb), speed=f"{count / (now - start):.0f}", **counts)
        yield item


def _with_bar(items: Iterable[T], total: int | None, verb: str) -> Iterator[T]:
    """The same items, with a bar once the work takes longer than `PATIENCE`."""
    start = time.monotonic()
    iterator = iter(items)
    count = 0
    for item in iterator:
        yield item
        count += 1
        if time.monotonic() - start >= PATIENCE:
            break
    else:
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    verb = _past_tense(verb)
    columns = (TextColumn(verb), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # stdout is data, which rich must not redirect
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(verb, total=total, completed=count)
        for item in iterator:
            yield item
            bar.advance(task)
