"""Tasks done by several processes, with their results in the order of the tasks."""

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
Result = TypeVar("Result")

# With fewer processes than this, the calling process does the work itself.
MANY = 2
# Results wait until they are taken: at most so many tasks per process are under way.
AHEAD = 2


def process_count(chosen: int | None = None) -> int:
    """`--processes`, or one per CPU."""
    return chosen or os.cpu_count() or 1


def map_in_order(work: Callable[[Task], Result], tasks: Iterable[Task], processes: int) -> Iterator[Result]:
    """The result of each task, in order. Tasks are taken one by one, so there may be any number of them."""
    remaining = iter(tasks)
    if processes < MANY:
        yield from map(work, remaining)
        return
    first = next(remaining, None)
    if first is None:
        return
    from spyrium_log.workers import Workers

    workers: Workers[Task, Result] = Workers(work, processes)
    context = click.get_current_context(silent=True)
    if context is not None:
        # An error on the way out may keep this generator alive, and its processes with it.
        context.call_on_close(workers.close)
    try:
        under_way: deque[Work[Result]] = deque()
        for task in chain((first,), remaining):
            under_way.append(workers.submit(task))
            if len(under_way) > AHEAD * processes:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        workers.close()
