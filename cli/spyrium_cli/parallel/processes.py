"""Work shared out among processes: done in any order, handed out in the one it was given in."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from spyrium_log.workers import Work

Task = TypeVar("Task")
Done = TypeVar("Done")

# From so many processes on they are started.
MANY = 2
# What is done is held until it is asked for: so many tasks a process, and no more.
AHEAD = 2


def process_count(said: int | None = None) -> int:
    """As many as somebody says, else one a processor."""
    return said or os.cpu_count() or 1


def map_in_order(work: Callable[[Task], Done], tasks: Iterable[Task], processes: int) -> Iterator[Done]:
    """What comes of each task, in their order. They are taken as there is room, so that there may be any number."""
    waiting = iter(tasks)
    if processes < MANY:
        yield from map(work, waiting)
        return
    first = next(waiting, None)
    if first is None:
        return
    from spyrium_log.workers import Workers

    workers: Workers[Task, Done] = Workers(work, processes)
    context = click.get_current_context(silent=True)
    if context is not None:
        # Whoever leaves us in the middle may be kept by the error that he leaves with, and we by him.
        context.call_on_close(workers.close)
    try:
        under_way: deque[Work[Done]] = deque()
        for task in chain((first,), waiting):
            under_way.append(workers.submit(task))
            if len(under_way) > AHEAD * processes:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        workers.close()
