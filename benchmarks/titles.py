"""`python -m benchmarks titles`: the titles beside each other, a decision at a time, in games of simulated players.

What a decision costs to read, fold and audit; and how long all legal decisions of a full board take, as times what the
typed decoding of one decision of the same games takes.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import msgspec

from benchmarks.contender import Contender, measured
from benchmarks.table import machine, versions
from spyrium_log import folding
from spyrium_log.audit import audit_event
from spyrium_log.header import make_table
from spyrium_log.log import codec
from spyrium_log.log.codec import Log
from spyrium_log.log.line_types import line_type
from spyrium_log.log.lines import Decided, EventLine
from spyrium_log.players import Simulation, parse_policy
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES

SEATS = 4
BUSY = 200
ROUNDS = 5
# A short look at the clock is no measure: the least of so many.
TIMES = 3


class Games(NamedTuple):
    """Games of one title, and how long its players took for each."""

    title: AnyTitle
    raws: list[bytes]
    logs: list[Log]
    seconds: float

    @property
    def decisions(self) -> int:
        return sum(isinstance(line, Decided) for log in self.logs for line in log.lines)


def play_games(title: AnyTitle, games: int) -> Games:
    """So many games of four greedy players."""
    simulation = Simulation(
        title=title,
        seed=1,
        policies=[parse_policy("greedy")],
        seats=[SEATS],
        options=title.options(),
        sheet=title.playable_sheet(),
    )
    began = time.perf_counter()
    raws = [simulation.make_game(number).log for number in range(games)]
    seconds = time.perf_counter() - began
    return Games(title, raws, [codec.read(io.BytesIO(raw), TITLES) for raw in raws], seconds / games)


def walk(title: AnyTitle, log: Log) -> Iterator[tuple[Any, Any]]:
    """Each event of a log, with the state before it."""
    state = title.setup(make_table(log.header, log.sheet))
    for event in log.lines:
        if isinstance(event, EventLine):
            yield event, state
            title.evolve(state, event.do, event.moved, event.facts)


def decode(played: Games) -> None:
    decoder = msgspec.json.Decoder(line_type(played.title))
    for raw in played.raws:
        decoder.decode_lines(raw)


def fold(played: Games) -> None:
    title = played.title
    for raw in played.raws:
        log = codec.read(io.BytesIO(raw), TITLES, verify=False)
        events = [line for line in log.lines if isinstance(line, EventLine)]
        folding.fold_events(title, title.setup(make_table(log.header, log.sheet)), events)


def audit(played: Games) -> None:
    for log in played.logs:
        for event, state in walk(played.title, log):
            assert not audit_event(played.title, state, event)  # noqa: S101 - wrong work is not measured


def time_legal(played: Games) -> list[float]:
    """Seconds for all legal decisions, at the decisions of these games that have most of them, at most BUSY."""
    states = [
        played.title.copy(state)
        for log in played.logs
        for event, state in walk(played.title, log)
        if isinstance(event, Decided)
    ]
    states.sort(key=lambda state: len(played.title.legal(state)))
    return sorted(min(_time_once(played.title, state) for _ in range(TIMES)) for state in states[-BUSY:])


def _time_once(title: AnyTitle, state: Any) -> float:
    began = time.perf_counter()
    title.legal(state)
    return time.perf_counter() - began


def lines(games: int, rounds: int) -> Iterator[str]:
    """The table."""
    yield from (", ".join(versions()), machine())
    yield f"{games} games of {SEATS} greedy players a title; medians of {rounds} rounds in one run; ÷ first title"
    every = [play_games(title, games) for title in TITLES.values()]
    field = [
        Contender(f"{played.title.key}: {work.__name__}", "", "decision", played.decisions, partial(work, played))
        for played in every
        for work in (decode, fold, audit)
    ]
    seconds = measured(field, rounds)
    first = every[0].title.key
    for played in every:
        key = played.title.key
        for work in (decode, fold, audit):
            name = f"{key}: {work.__name__}"
            ratio = seconds[name] / seconds[f"{first}: {work.__name__}"]
            yield f"{name:24}{seconds[name] * 1e6:12,.1f} µs a decision{1 / seconds[name]:12,.0f} a second{ratio:8.2f}×"
        legal = time_legal(played)
        decoded = seconds[f"{key}: decode"]
        for name, took in (("median", median(legal)), ("worst", legal[-1])):
            yield (
                f"{key + ': legal, ' + name:24}{took * 1e3:12,.2f} ms of {len(legal)} busy decisions"
                f"{took / decoded:12,.0f} × decoding one"
            )
        yield f"{key + ': to play':24}{played.seconds:12,.2f} s a game of {played.decisions / games:,.0f} decisions"


def main(given: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks titles", description=__doc__)
    parser.add_argument("--games", type=int, default=4, help="games a title")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each contender runs")
    options = parser.parse_args(given)
    for line in lines(options.games, options.rounds):
        print(line, flush=True)
    return 0
