"""Many games by chance, and every law of Founders after each event of them.

`python -m tests.founders.many_games 1000 0 2` plays a thousand games from seed 0 on in two processes, and prints what
was executed.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from multiprocessing import get_context
from typing import Any

from spyrium_log.title import Table as Setting
from spyrium_log.titles.founders import FOUNDERS
from spyrium_log.titles.founders.cards import SOLO_ROUNDS
from spyrium_log.titles.founders.moves import DECISIONS
from spyrium_log.titles.founders.state import State
from tests.founders.chance import ChancePlayer
from tests.founders.laws import LAWS, check_laws
from tests.founders.laws_moment import Moment, Past
from tests.founders.oracle_games import choose_options

# A real game has about 300.
MOST_EVENTS = 700
# In so many games every law has something to look at.
ENOUGH_GAMES = 100
# What a seat begins with: the usual coins, or riches with which games come to what is dear.
STARTS = ((("money", 7),), (("money", 7),), (("money", 40), ("lasting", 12)))


class Game:
    """One game by chance. What it counts is added to `counts`."""

    def __init__(self, seed: int, counts: Counter[str]) -> None:
        rng = random.Random(seed)
        self.counts = counts
        seats, options = rng.choice(FOUNDERS.seats), choose_options(rng)
        setting = Setting(
            start=(rng.choice(STARTS),) * seats,
            first=rng.randint(1, seats),
            options=options,
            sheet=FOUNDERS.playable_sheet(),
        )
        self.state: State = FOUNDERS.setup(setting)
        self.player = ChancePlayer(rng)
        self.past = Past()
        self.events = 0
        self.variant = (
            f"{seats} players",
            f"{options.side} side",
            f"{options.workers} workers",
            f"{options.achievements} achievements",
        )
        changed = {name: value for name, value in dict(options).items() if value != type(options)()[name]}
        self.name = f"seed {seed}, {seats} players, {changed or 'usual readings'}"

    def play(self) -> None:
        """The whole game; AssertionError at the first event after which a law is broken."""
        for each in self.variant:
            self.counts[f"games: {each}"] += 1
        while self.events < MOST_EVENTS and (act := self.player.choose(self.state)) is not None:
            self._do(act)
        self.counts[f"games that ended: {self._ending()}"] += 1

    def _do(self, act: Any) -> None:
        breaches = FOUNDERS.breaches(self.state, act)
        assert not breaches, f"{act} is no legal act: {breaches[0]}"
        before = self.state.copy()
        effects = FOUNDERS.effects(self.state, act)
        assert effects is not None, f"{act} has no effects"
        FOUNDERS.evolve(self.state, act, effects.moved, effects.facts)
        self.past.add(before, act)
        self.events += 1
        self.counts["events"] += 1
        self.counts["decisions"] += isinstance(act, DECISIONS)
        self.counts[f"acts: {type(act).__name__}"] += 1
        checks: Counter[str] = Counter()
        check_laws(Moment(before, act, effects.moved, effects.facts, self.state, self.past), checks)
        self.counts.update({f"checks: {name}": n for name, n in checks.items()})

    def _ending(self) -> str:
        if not self.state.counted:
            return "stopped after too many events" if self.events >= MOST_EVENTS else "stopped without a legal act"
        if self.state.seats > 1:
            return "by the final count"
        lost = FOUNDERS.score(self.state)[0].lost
        return f"alone, {'lost' if lost else 'won'} after {min(self.state.votes + 1, SOLO_ROUNDS)} rounds"


def play_game(seed: int) -> tuple[Counter[str], str]:
    """What one game counted, and what went wrong in it."""
    counts = Counter({"games": 1})
    game = Game(seed, counts)
    try:
        game.play()
    except Exception as error:  # noqa: BLE001 - a campaign reports what a game raises, and goes on
        where = traceback.extract_tb(error.__traceback__)[-1]
        counts["games in which a law is broken"] = 1
        sentence = f"{type(error).__name__}: {error}, in {where.name}"
        return counts, f"{game.name}, event {game.events}:\n  {sentence}"
    return counts, ""


def campaign(seeds: Iterable[int], processes: int = 1) -> tuple[Counter[str], list[str]]:
    """All these games: what was counted, and what went wrong."""
    counts: Counter[str] = Counter({f"checks: {name}": 0 for name in LAWS})
    failures = []
    for counted, failure in _play_all(seeds, processes):
        counts.update(counted)
        if failure:
            print(failure, flush=True)
            failures.append(failure)
    return counts, failures


def _play_all(seeds: Iterable[int], processes: int) -> Iterator[tuple[Counter[str], str]]:
    if processes == 1:
        yield from map(play_game, seeds)
        return
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(play_game, seeds)


def main(games: int = 100, seed: int = 0, processes: int = 1) -> int:
    began = time.perf_counter()
    counts, failures = campaign(range(seed, seed + games), processes)
    for name, n in sorted(counts.items()):
        print(f"{n:13,}  {name}")
    idle = [name for name in LAWS if not counts[f"checks: {name}"]]
    print(f"{len(failures)} broken laws in {games} games, {time.perf_counter() - began:.0f} s")
    print(f"laws that looked at nothing: {', '.join(idle) or 'none'}")
    return 1 if failures or not counts["events"] or (idle and games >= ENOUGH_GAMES) else 0


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
