"""The games that are measured, and what they add up to."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from spyrium_log import folding
from spyrium_log.header import make_table
from spyrium_log.log import chain, codec
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Decided, Event, EventLine
from spyrium_log.titles import TITLES
from tests.games import game, raw_of
from tests.greedy import greedy_game

SPYRIUM = TITLES["spyrium"]
RESOURCES = ("money", "spyrium", "points", "workers", "residence")
_PREV = b',"prev":"'


def made(seed: int) -> bytes:
    """One distinct game, whole and sound: half by greedy players, half by chance, two to five seats alike.

    The only place where games come from. Neither maker may remember what it made: ten thousand games are gigabytes.
    """
    seats = 2 + seed // 2 % 4
    log = greedy_game.__wrapped__(seed, seats) if seed % 2 else game.__wrapped__("spyrium", seed, seats)
    return raw_of(log)


def renamed(raw: bytes, name: str) -> bytes:
    """The same game under another id, chained anew: as good as another one to whoever reads it."""
    prev = chain.GENESIS
    lines: list[bytes] = []
    for line in raw.split(b"\n")[:-1]:
        told = chain.cut_hash(line).rpartition(_PREV)[0]
        if not lines:
            before, key, after = told.partition(b'"game":"')
            told = before + key + name.encode() + after[after.index(b'"') :]
        whole = told + _PREV + prev.encode() + b'"'
        prev = chain.short_digest(whole)
        lines.append(chain.join_hash(whole, prev) + b"\n")
    return b"".join(lines)


def name_of(nth: int) -> str:
    """The id of the nth of any number of games."""
    return f"game-{nth:07d}"


def events_of(log: Log) -> list[Event]:
    return [line for line in log.lines if isinstance(line, EventLine)]


def folded(log: Log) -> Any:
    return folding.fold_events(SPYRIUM, SPYRIUM.setup(make_table(log.header, log.sheet)), events_of(log))


@dataclass(frozen=True)
class Scale:
    """How much each contender gets to do in one round.

    What is asked is an index of `asked` games, each so many `times`; an `index` that is there is asked as it is.
    """

    games: int = 40
    chess_games: int = 24
    plies: int = 120
    appended: int = 40
    asked: int = 1_000
    times: int = 100
    index: Path | None = None


TINY = Scale(games=2, chess_games=1, plies=8, appended=3, asked=4, times=3)


@dataclass(frozen=True)
class Inputs:
    """The games of one run, as bytes and read."""

    scale: Scale

    @cached_property
    def raws(self) -> tuple[bytes, ...]:
        return tuple(made(seed) for seed in range(self.scale.games))

    @cached_property
    def logs(self) -> tuple[Log, ...]:
        return tuple(codec.read(io.BytesIO(raw), TITLES) for raw in self.raws)

    @cached_property
    def decisions(self) -> int:
        return sum(isinstance(line, Decided) for log in self.logs for line in log.lines)

    @cached_property
    def totals(self) -> list[int]:
        """What each seat of each game holds at the end, resource by resource: what every peer must come to."""
        found = []
        for log in self.logs:
            held = {(has.who, has.what): has.n for has in SPYRIUM.held(folded(log))}
            found += [held.get((seat, what), 0) for seat in range(1, len(log.header.seats) + 1) for what in RESOURCES]
        return found

    def counts(self) -> dict[str, int]:
        return {
            "games": len(self.logs),
            "decisions": self.decisions,
            "events": sum(len(events_of(log)) for log in self.logs),
            "bytes": sum(map(len, self.raws)),
        }

    def nth(self, nth: int) -> bytes:
        """The nth of any number of games with an id each, made from the few distinct ones."""
        return renamed(self.raws[nth % len(self.raws)], name_of(nth))
