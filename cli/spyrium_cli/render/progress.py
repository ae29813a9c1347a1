"""How far a long piece of work has come: on stderr, and only where it takes long enough to wonder."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 1.0
# Where nobody looks at a bar, a line now and then.
BETWEEN_LINES = 10.0


def watched(
    things: Iterable[T], total: int | None, verb: str, *, quiet: bool = False, shown: bool = False
) -> Iterator[T]:
    """The same things; `verb` says what happens to each, `total` how many there are, if anybody knows.

    `shown`: what is drawn for each says how far it is.
    """
    if quiet or (shown and sys.stdout.isatty()):
        yield from things
    elif sys.stderr.isatty():
        yield from _with_bar(things, total, verb)
    else:
        yield from _with_lines(things, total, verb)


def _with_lines(things: Iterable[T], total: int | None, verb: str) -> Iterator[T]:
    from spyrium_cli.render.surface import say

    begun = said = time.monotonic()
    for count, thing in enumerate(things):
        now = time.monotonic()
        if now - said > BETWEEN_LINES:
            said = now
            of = "" if total is None else f" of {total}"
            say(f"{verb} {count}{of}, {count / (now - begun):.0f} a second")
        yield thing


def _with_bar(things: Iterable[T], total: int | None, verb: str) -> Iterator[T]:
    begun = time.monotonic()
    many = iter(things)
    done = 0
    while time.monotonic() - begun < PATIENCE:
        try:
            thing = next(many)
        except StopIteration:
            return
        yield thing
        done += 1
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(verb), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # What goes to stdout is data and has to get there.
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(verb, total=total, completed=done)
        for thing in many:
            yield thing
            bar.advance(task)
