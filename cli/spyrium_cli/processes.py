"""Work shared out among processes: done in any order, handed out in the one it was given in."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from signal import SIG_IGN, SIGINT, signal
from typing import TYPE_CHECKING, TypeVar

from spyrium_cli.complaint import Complaint

if TYPE_CHECKING:
    from multiprocessing.pool import AsyncResult

Task = TypeVar("Task")
Done = TypeVar("Done")

# From so many processes on they are started.
MANY = 2
# What is done is held until it is asked for: so many tasks a process, and no more.
AHEAD = 2
# Seconds between two looks at whether everybody is still at work.
PATIENCE = 1.0


def processors(said: int | None = None) -> int:
    """As many as somebody says, else one a processor."""
    return said or os.cpu_count() or 1


def in_order(work: Callable[[Task], Done], tasks: Iterable[Task], processes: int) -> Iterator[Done]:
    """What comes of each task, in their order. They are taken as there is room, so that there may be any number."""
    waiting = iter(tasks)
    if processes < MANY:
        yield from map(work, waiting)
        return
    first = next(waiting, None)
    if first is None:
        return
    with _uninterrupted():
        # Started anew and not forked: a copy of whatever else runs here could hold its locks for ever.
        pool = multiprocessing.get_context("spawn").Pool(processes)
    with pool:
        workers = _workers()
        under_way: deque[AsyncResult[Done]] = deque()
        for task in chain((first,), waiting):
            under_way.append(pool.apply_async(work, (task,)))
            if len(under_way) > AHEAD * processes:
                yield _finished(under_way.popleft(), workers)
        while under_way:
            yield _finished(under_way.popleft(), workers)


def _finished(done: AsyncResult[Done], workers: set[int | None]) -> Done:
    """What came of it, once it is done. A pool waits for ever for what a process had that is no more."""
    while True:
        try:
            return done.get(timeout=PATIENCE)
        except multiprocessing.TimeoutError:
            if _workers() != workers:
                raise Complaint("expected all processes to go on, found one that was ended from outside") from None


def _workers() -> set[int | None]:
    return {child.pid for child in multiprocessing.active_children()}


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes that start now do not hear ^C: whoever started them does, and ends them."""
    before = signal(SIGINT, SIG_IGN)
    try:
        yield
    finally:
        signal(SIGINT, before)
