"""Progress on stderr, once something takes long."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

# Seconds before a bar is shown.
PATIENCE = 1.0
# Seconds between two lines where stderr is no terminal.
BETWEEN_LINES = 10.0


def with_progress(
    items: Iterable[T], total: int | None, verb: str, *, quiet: bool = False, shown: bool = False
) -> Iterator[T]:
    """The same items, with progress on stderr. `verb`: what happens to each; `total`: how many there are, if known.

    `shown`: each is written to stdout, which shows the progress by itself.
    """
    if quiet or (shown and sys.stdout.isatty()):
        yield from items
    elif sys.stderr.isatty():
        yield from _with_bar(items, total, verb)
    else:
        yield from _with_lines(items, total, verb)


def _with_lines(items: Iterable[T], total: int | None, verb: str) -> Iterator[T]:
    """The same items, with a line now and then, for a stderr that is no terminal."""
    from spyrium_cli.render.surface import say

    start = last_line = time.monotonic()
    for count, item in enumerate(items):
        now = time.monotonic()
        if now - last_line > BETWEEN_LINES:
            last_line = now
            of_total = "" if total is None else f" of {total}"
            say(f"{verb} {count}{of_total}, {count / (now - start):.0f} a second")
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

    columns = (TextColumn(verb), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # stdout is data, which rich must not redirect
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(verb, total=total, completed=count)
        for item in iterator:
            yield item
            bar.advance(task)
