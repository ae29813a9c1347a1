"""Who is the stronger player: each sits everywhere as often, and what is said comes with its interval.

`python -m tests.players.test_strength 400` plays so many games of two of each pair, on as many processes as there are.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Sequence
from functools import partial
from math import sqrt
from typing import NamedTuple

from spyrium_log.replay import replay
from tests.games import read
from tests.players.runs import simulation

PAIRS = (("greedy", "random"), ("search:12", "greedy"))
# Of a normal distribution, 95 % lies within so many standard deviations.
DEVIATIONS = 1.96


class Result(NamedTuple):
    """Games, how many of them the first won (a tie is half), and both players' mean points."""

    games: int
    won: float
    first: float
    second: float

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's: it holds for shares near 0 and 1, too."""
        n, share, z = self.games, self.won / self.games, DEVIATIONS
        middle = share + z * z / (2 * n)
        half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def played(pair: tuple[str, str], number: int) -> tuple[int, int]:
    """The points of the first and of the second in one game of two."""
    games = simulation("spyrium", *pair, seats=[2])
    done = replay(read(games.make_game(number).log), audit=False)
    points = {player: score.total for player, score in zip(done.players, done.scores(), strict=True)}
    one, other = (each.name for each in games.policies)
    return points[one], points[other]


def result(points: Sequence[tuple[int, int]]) -> Result:
    won = sum((one > other) + (one == other) / 2 for one, other in points)
    first, second = (sum(column) / len(points) for column in zip(*points, strict=True))
    return Result(len(points), won, first, second)


def test_greedy_beats_random() -> None:
    found = result([played(("greedy", "random"), number) for number in range(12)])
    assert found.interval[0] > 0.5
    assert found.first > found.second


def test_the_interval_is_wilsons() -> None:
    low, high = Result(10, 10, 0, 0).interval
    assert (round(low, 3), round(high, 3)) == (0.722, 1.0)
    low, high = Result(400, 200, 0, 0).interval
    assert (round(low, 3), round(high, 3)) == (0.451, 0.549)


def main(games: int = 400) -> int:
    weaker = 0
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        for pair in PAIRS:
            found = result(pool.map(partial(played, pair), range(games), chunksize=1))
            low, high = found.interval
            weaker += low <= 0.5
            print(
                f"{pair[0]} against {pair[1]}: {found.games} games of two, seats balanced; won {found.won:g}"
                f" = {found.won / found.games:.1%} (95 %: {low:.1%} to {high:.1%});"
                f" {found.first:.1f} points against {found.second:.1f}",
                flush=True,
            )
    return 1 if weaker else 0


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
