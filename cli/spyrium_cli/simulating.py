"""Games made by several processes: who makes which, and the order that does not depend on it."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from signal import SIG_IGN, SIGINT, signal
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from spyrium_cli.complaint import Complaint

if TYPE_CHECKING:
    from multiprocessing.pool import AsyncResult

    from spyrium_log.players.simulation import Run
    from spyrium_log.sheet import Sheet

# What is wanted of a share: its games as they are, or a pack of them.
Wanted: TypeAlias = Literal["games", "pack", "pack.zst"]

# So many games are made at a time, fewer where each takes long: what is lost when a run is cut off.
AT_A_TIME = 100
AT_A_TIME_SEARCHING = 10
# Few games are shared out all the same.
SHARES = 8
# From so many processes on they are started.
MANY = 2
WORTH_A_PROCESS = 20
# What is made is held until it is written: so many shares a process, and no more.
AHEAD = 2
# Seconds between two looks at whether everybody is still at work.
PATIENCE = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A run in words that another process understands: a title is made of functions."""

    title: str
    seed: int
    policies: tuple[str, ...]
    seats: tuple[int, ...]
    options: tuple[tuple[str, str], ...]
    edition: str | None
    varied: bool
    sheet: Sheet
    mistakes: float

    @property
    def is_slow(self) -> bool:
        """Somebody looks ahead."""
        return any(word.startswith("search") for word in self.policies)

    def run(self) -> Run:
        from spyrium_cli.readings import chosen
        from spyrium_log.players import Run, policy
        from spyrium_log.titles import TITLES

        title = TITLES[self.title]
        return Run(
            title=title,
            seed=self.seed,
            policies=tuple(map(policy, self.policies)),
            seats=self.seats,
            options=chosen(title, dict(self.options)),
            said=frozenset(name for name, _ in self.options),
            edition=self.edition,
            varied=self.varied,
            sheet=self.sheet,
            mistakes=self.mistakes,
        )


def usual(order: Order, many: int) -> int:
    """How many processes so many games are worth: starting one takes as long as a few games."""
    return min(os.cpu_count() or 1, many if order.is_slow else -(-many // WORTH_A_PROCESS))


def shares(order: Order, games: Sequence[int]) -> list[Sequence[int]]:
    """The numbers of these games, shared out: the same shares for any number of processes."""
    most = AT_A_TIME_SEARCHING if order.is_slow else AT_A_TIME
    size = max(1, min(most, -(-len(games) // SHARES)))
    return [games[at : at + size] for at in range(0, len(games), size)]


def made(order: Order, shared: Sequence[Sequence[int]], wanted: Wanted, processes: int) -> Iterator[Any]:
    """What is wanted of each share, in order."""
    tasks = [(order, tuple(numbers), wanted) for numbers in shared]
    processes = min(processes, len(tasks))
    if processes < MANY:
        yield from map(_share, tasks)
        return
    with _uninterrupted():
        # Started anew and not forked: a copy of whatever else runs here could hold its locks for ever.
        pool = multiprocessing.get_context("spawn").Pool(processes)
    with pool:
        workers = _workers()
        under_way: deque[AsyncResult[Any]] = deque()
        for task in tasks:
            under_way.append(pool.apply_async(_share, (task,)))
            if len(under_way) > AHEAD * processes:
                yield _finished(under_way.popleft(), workers)
        while under_way:
            yield _finished(under_way.popleft(), workers)


def _finished(share: AsyncResult[Any], workers: set[int | None]) -> Any:
    """The share once it is made. A pool waits for ever for what a process had that is no more."""
    while True:
        try:
            return share.get(timeout=PATIENCE)
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


def _share(task: tuple[Order, Sequence[int], Wanted]) -> Any:
    """In whichever process: the games of these numbers."""
    from spyrium_log.store import LEVEL, packing

    order, numbers, wanted = task
    run = _run(order)
    games = (run.made(number).game for number in numbers)
    if wanted == "games":
        return list(games)
    return b"".join(packing(games, level=LEVEL if wanted == "pack.zst" else None))


@lru_cache(maxsize=1)
def _run(order: Order) -> Run:
    """Made once a process."""
    return order.run()
