"""The one table: who took how long, and what that comes to as ratios, beside the ratios we want."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks import archive, chess_games, disk, ours, peer, starting
from benchmarks.contender import Absent, Contender, Entrant, measured
from benchmarks.inputs import Inputs, Scale

ROUNDS = 9
PACKAGES = ("msgspec", "chess", "eventsourcing", "duckdb", "numpy")


class Target(NamedTuple):
    """How many times as fast ours is to be, at least; or how many times as long it may take, at most."""

    ours: str
    peer: str
    times: float
    is_cost: bool = False

    def reached(self, seconds: Mapping[str, float]) -> float:
        ours, theirs = seconds[self.ours], seconds[self.peer]
        return ours / theirs if self.is_cost else theirs / ours

    def verdict(self, ratio: float) -> str:
        if self.is_cost:
            return "reached" if ratio <= self.times else f"missed: {ratio / self.times - 1:.0%} over"
        return "reached" if ratio >= self.times else f"missed: {1 - ratio / self.times:.0%} short"


def targets() -> tuple[Target, ...]:
    return (
        Target("decode + fold", "python-chess PGN", 12),
        Target("decode + fold, hashes", "python-chess PGN", 7),
        Target("decode + fold", "msgspec decode", 0.15),
        Target("audit + fold", "python-chess push_uci", 6 if ours.is_compiled() else 1.5),
        Target("durable append", "write + fdatasync", 0.95),
        Target("technique averages", "numpy gather", 2.5, is_cost=True),
        Target("technique averages, filtered", "numpy gather, filtered", 5, is_cost=True),
        Target("spyrium --help", "import click, rich", 1.3, is_cost=True),
        Target("spyrium query", "the same in one process", 1.1, is_cost=True),
    )


# Peers without a target: what others reach, and where the limit is.
BESIDE = (
    ("decode + fold", "eventsourcing aggregate"),
    ("decode + fold", "boardgame.io replay"),
    ("decode + fold", "C: parse and fold"),
)


class Run(NamedTuple):
    """Everybody who takes part, those who would if they were here, and how long each took."""

    entrants: list[Entrant]
    seconds: dict[str, float]


def run(inputs: Inputs, rounds: int) -> Run:
    """Those that are compared run in turn. An archive apart: who runs after a look at all of it finds no warm cache."""
    done = Run([], {})
    for field in (_of_games, _of_an_archive):
        with field(inputs) as entrants:
            done.entrants.extend(entrants)
            done.seconds.update(measured([each for each in entrants if isinstance(each, Contender)], rounds))
    return done


@contextmanager
def _of_games(inputs: Inputs) -> Iterator[list[Entrant]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="spyrium-bench-")))
        yield [
            *ours.contenders(inputs),
            *chess_games.contenders(inputs.scale),
            _eventsourcing(inputs),
            stack.enter_context(peer.boardgame(inputs, folder)),
            stack.enter_context(peer.native(inputs, folder)),
            *stack.enter_context(disk.contenders(inputs, folder)),
            *starting.contenders(),
            *starting.asking(folder),
        ]


@contextmanager
def _of_an_archive(inputs: Inputs) -> Iterator[list[Entrant]]:
    with tempfile.TemporaryDirectory(prefix="spyrium-bench-") as folder, archive.asked(inputs, Path(folder)) as asked:
        yield asked


def _eventsourcing(inputs: Inputs) -> Entrant:
    if find_spec("eventsourcing") is None:
        return Absent("eventsourcing aggregate", "not installed")
    from benchmarks import aggregate

    return aggregate.contender(inputs)


# --- as text -------------------------------------------------------------------------------------


def lines(scale: Scale, rounds: int) -> Iterator[str]:
    inputs = Inputs(scale)
    yield from told(inputs.counts(), rounds, run(inputs, rounds))


def told(counts: Mapping[str, int], rounds: int, done: Run) -> Iterator[str]:
    yield from about(counts, rounds)
    yield ""
    yield from _contenders(done.entrants, done.seconds)
    yield ""
    yield from _ratios(done.entrants, done.seconds)


def about(counts: Mapping[str, int], rounds: int) -> Iterator[str]:
    yield ", ".join(f"{n:,} {what}" for what, n in counts.items())
    yield ", ".join(versions())
    yield f"{'compiled' if ours.is_compiled() else 'pure Python'}; {machine()}"
    yield f"medians of {rounds} rounds, all that are compared in turn in each: only ratios count"


def versions() -> Iterator[str]:
    yield f"Python {platform.python_version()}"
    for name in PACKAGES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"no {name}"
    yield f"boardgame.io {found}" if (found := peer.version_of_boardgame()) else "no boardgame.io"
    yield f"node {found.lstrip('v')}" if (found := peer.said("node", "--version")) else "no node"
    yield found if (found := peer.said("gcc", "--version")) else "no gcc"


def machine() -> str:
    """What it ran on, without its name."""
    return f"{platform.system()} {platform.machine()}, {_processor()}, {os.cpu_count()} cores"


def _processor() -> str:
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "a processor"
    models = [line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("model name")]
    return models[0] if models else "a processor"


def _contenders(entrants: Sequence[Entrant], seconds: Mapping[str, float]) -> Iterator[str]:
    yield f"{'contender':31} {'µs a unit':>10} {'a second':>10}  {'unit':9} input"
    for each in entrants:
        if isinstance(each, Absent):
            yield f"{each.name:31} {'–':>10} {'–':>10}  not here: {each.why}"
        else:
            per = seconds[each.name]
            yield f"{each.name:31} {per * 1e6:>10,.2f} {1 / per:>10,.0f}  {each.unit:9} {each.fed}"


def _ratios(entrants: Sequence[Entrant], seconds: Mapping[str, float]) -> Iterator[str]:
    away = {each.name for each in entrants if isinstance(each, Absent)}
    yield f"{'ratio, in this run':55} {'reached':>8} {'target':>8}"
    for target in targets():
        said = f"{target.ours} ÷ {target.peer}"
        bound = f"{'≤' if target.is_cost else '≥'} {target.times:g}×"
        if target.peer in away:
            yield f"{said:55} {'–':>8} {bound:>8}  not here"
        else:
            ratio = target.reached(seconds)
            yield f"{said:55} {ratio:>7.2f}× {bound:>8}  {target.verdict(ratio)}"
    for name, beside in BESIDE:
        ratio_said = "–" if beside in away else f"{Target(name, beside, 0).reached(seconds):.2f}×"
        yield f"{name + ' ÷ ' + beside:55} {ratio_said:>8}"
    yield "÷ is times as fast where more is wanted, times as long where less is; growth: python -m benchmarks growth"
