"""Games made by several processes: who makes which, and the order that does not depend on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from spyrium_cli.parallel.processes import map_in_order, process_count

if TYPE_CHECKING:
    from spyrium_log.players import Simulation
    from spyrium_log.sheet import Sheet

# What is wanted of a share: its games as they are, or a pack of them.
Wanted: TypeAlias = Literal["games", "pack", "pack.zst"]

# So many games are made at a time, fewer where each takes long: what is lost when a run is cut off.
AT_A_TIME = 100
AT_A_TIME_SEARCHING = 10
# Few games are shared out all the same.
SHARES = 8
WORTH_A_PROCESS = 20


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

    @property
    def is_slow(self) -> bool:
        """Somebody looks ahead."""
        return any(word.startswith("search") for word in self.policies)

    def run(self) -> Simulation:
        from spyrium_log.players import Simulation, policy
        from spyrium_log.title import options_of
        from spyrium_log.titles import TITLES

        title = TITLES[self.title]
        return Simulation(
            title=title,
            seed=self.seed,
            policies=tuple(map(policy, self.policies)),
            seats=self.seats,
            options=options_of(title.options, dict(self.options)),
            fixed_options=frozenset(name for name, _ in self.options),
            edition=self.edition,
            vary_options=self.varied,
            sheet=self.sheet,
        )


def usual(order: Order, many: int) -> int:
    """How many processes so many games are worth: starting one takes as long as a few games."""
    return min(process_count(), many if order.is_slow else -(-many // WORTH_A_PROCESS))


def shares(order: Order, games: Sequence[int]) -> list[Sequence[int]]:
    """The numbers of these games, shared out: the same shares for any number of processes."""
    most = AT_A_TIME_SEARCHING if order.is_slow else AT_A_TIME
    size = max(1, min(most, -(-len(games) // SHARES)))
    return [games[at : at + size] for at in range(0, len(games), size)]


def made(order: Order, shared: Sequence[Sequence[int]], wanted: Wanted, processes: int) -> Iterator[Any]:
    """What is wanted of each share, in order."""
    tasks = [(order, tuple(numbers), wanted) for numbers in shared]
    return map_in_order(_share, tasks, min(processes, len(tasks)))


def _share(task: tuple[Order, Sequence[int], Wanted]) -> Any:
    """In whichever process: the games of these numbers."""
    from spyrium_log.store import LEVEL, packing

    order, numbers, wanted = task
    run = _run(order)
    games = (run.game(number) for number in numbers)
    if wanted == "games":
        return list(games)
    return b"".join(packing(games, level=LEVEL if wanted == "pack.zst" else None))


@lru_cache(maxsize=1)
def _run(order: Order) -> Simulation:
    """Made once a process."""
    return order.run()
