"""Games simulated by several processes: the same games in the same order for any number of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from spyrium_cli.parallel.processes import map_in_order, process_count
from spyrium_log.players import Simulation, parse_policy
from spyrium_log.sheet import Sheet
from spyrium_log.store import Game, encode_pack
from spyrium_log.title import make_options
from spyrium_log.titles import TITLES

# Games in a share, fewer where each takes long: an interrupted run loses the shares under way.
LARGEST_SHARE = 100
LARGEST_SEARCHING_SHARE = 10
# Few games make so many shares all the same.
SHARES = 8
# Starting a process takes as long as so many games.
GAMES_A_PROCESS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to simulate, as plain data: a `Simulation` has a title, whose functions cannot go to another process."""

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
        """Whether a policy looks ahead."""
        return any(word.startswith("search") for word in self.policies)

    def simulation(self) -> Simulation:
        """The simulation, made in the process that runs it."""
        title = TITLES[self.title]
        return Simulation(
            title=title,
            seed=self.seed,
            policies=tuple(map(parse_policy, self.policies)),
            seats=self.seats,
            options=make_options(title.options, dict(self.options)),
            fixed_options=frozenset(name for name, _ in self.options),
            edition=self.edition,
            vary_options=self.varied,
            sheet=self.sheet,
        )


def choose_process_count(plan: Plan, games: int) -> int:
    """As many processes as are worth starting for so many games: one for each `GAMES_A_PROCESS`, rounded up."""
    return min(process_count(), games if plan.is_slow else -(-games // GAMES_A_PROCESS))


def make_shares(plan: Plan, games: Sequence[int]) -> list[Sequence[int]]:
    """The numbers of these games in shares, which are the same for any number of processes."""
    largest_share = LARGEST_SEARCHING_SHARE if plan.is_slow else LARGEST_SHARE
    size = max(1, min(largest_share, -(-len(games) // SHARES)))
    return [games[first : first + size] for first in range(0, len(games), size)]


def simulate_logs(plan: Plan, shares: Sequence[Sequence[int]], processes: int) -> Iterator[list[Game]]:
    """The games of each share, in order, whichever process made them."""
    return map_in_order(partial(_make_games, plan), shares, min(processes, len(shares)))


def simulate_packs(plan: Plan, shares: Sequence[Sequence[int]], level: int | None, processes: int) -> Iterator[bytes]:
    """A pack of the games of each share, in order; `level`: of its compression, None for none."""
    return map_in_order(partial(_make_pack, plan, level), shares, min(processes, len(shares)))


def _make_games(plan: Plan, numbers: Sequence[int]) -> list[Game]:
    """The games of a share, made in any process."""
    return list(map(_cached_simulation(plan).make_game, numbers))


def _make_pack(plan: Plan, level: int | None, numbers: Sequence[int]) -> bytes:
    """A pack of the games of a share, made in any process."""
    return b"".join(encode_pack(map(_cached_simulation(plan).make_game, numbers), level=level))


@lru_cache(maxsize=1)
def _cached_simulation(plan: Plan) -> Simulation:
    """The simulation of a plan, made once per process."""
    return plan.simulation()
