"""`python -m benchmarks growth`: what a game costs among a thousand and among a million, and what memory it takes.

Many games are made from fewer distinct ones, each with an id and hashes of its own. Every stage is a process of its
own, so that its peak is its own. The smallest size runs again beside each other one, and costs are compared in seconds
of the processor, which other people's work changes less than the clock's.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_SELF, getrusage, struct_rusage
from statistics import median
from typing import NamedTuple

from benchmarks.archive import in_parts, rebuilt
from benchmarks.inputs import made, name_of, renamed
from benchmarks.table import Target, machine, versions
from spyrium_log.log.pack import Game
from spyrium_log.store import LEVEL, encode_pack, read_games_at

SIZES = (1_000, 10_000, 100_000)
DISTINCT = 10_000
STAGES = ("pack", "validate", "index")
BATCH = 25
TIMES = 3
# To play a game takes so many times as long as to check it.
PLAYED = 20
MADE = ("--policies", "greedy", "--seats", "3", "--seed", "1", "--force", "-q")
# What a game may cost among many, as times what it costs among few.
FLAT = Target("many", "few", 1.15, is_cost=True)
# A rebuild, as times its parts.
REBUILD = Target("rebuild", "parts", 1.3, is_cost=True)
# Loaded code and warm caches are nobody's growth.
WARM = 20


class Spent(NamedTuple):
    """What one stage took, from when to when, and the most memory its process held."""

    games: int
    begun: float
    ended: float
    cpu: float
    peak: int
    size: int = 0

    @property
    def wall(self) -> float:
        return self.ended - self.begun


class Clock:
    """Started when all is loaded."""

    def __init__(self) -> None:
        self._begun = time.perf_counter()
        self._cpu = time.process_time()

    def spent(self, games: int, size: int = 0) -> Spent:
        cpu = time.process_time() - self._cpu
        return Spent(games, self._begun, time.perf_counter(), cpu, peak(), size)


def peak() -> int:
    """The most bytes of memory that this process has held."""
    try:
        told = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return _held(getrusage(RUSAGE_SELF))
    found = re.search(r"^VmHWM:\s+(\d+) kB$", told, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def _held(usage: struct_rusage) -> int:
    """In bytes, whatever the system counts in."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


# --- distinct games ------------------------------------------------------------------------------


def make(at: Path, count: int, pool: ProcessPoolExecutor) -> int:
    """So many distinct games in a folder, a file each; those that are there stay. Answers how many were made."""
    at.mkdir(parents=True, exist_ok=True)
    missing = [seed for seed in range(count) if not _file(at, seed).exists()]
    batches = [missing[start : start + BATCH] for start in range(0, len(missing), BATCH)]
    for done in [pool.submit(fill, at, batch) for batch in batches]:
        done.result()
    return len(missing)


def fill(at: Path, seeds: list[int]) -> None:
    for seed in seeds:
        _put(_file(at, seed), made(seed))


def take(at: Path, pack: Path, count: int) -> int:
    """Distinct games from a pack, as `spyrium simulate` makes them."""
    at.mkdir(parents=True, exist_ok=True)
    nth = -1
    for nth, game in enumerate(islice(read_games_at(pack), count)):
        _put(_file(at, nth), game.raw().log)
    return nth + 1


def _file(at: Path, seed: int) -> Path:
    return at / f"{seed:06d}.jsonl"


def _put(path: Path, raw: bytes) -> None:
    """Under its name when it is whole."""
    beside = path.with_suffix(".part")
    beside.write_bytes(raw)
    beside.replace(path)


@dataclass(frozen=True)
class Distinct:
    """Where they are, and how many."""

    at: Path
    count: int

    def nth(self, nth: int) -> bytes:
        """The nth of any number of games with an id each."""
        return renamed(_file(self.at, nth % self.count).read_bytes(), name_of(nth))

    def games(self, first: int, count: int) -> Iterator[Game]:
        return (Game(self.nth(nth)) for nth in range(first, first + count))


# --- stages --------------------------------------------------------------------------------------


def pack(distinct: Distinct, path: Path, first: int, count: int, level: int) -> Spent:
    """Read, name anew, chain, check the chain, drop the hashes, compress."""
    for _ in encode_pack(distinct.games(0, WARM), level=level):
        pass
    path.unlink(missing_ok=True)
    clock = Clock()
    with path.open("wb") as file:
        file.writelines(encode_pack(distinct.games(first, count), level=level))
    return clock.spent(count, path.stat().st_size)


def validate(path: Path, count: int) -> Spent:
    """`spyrium validate PACK`, and whether it says that all of them are clean."""
    from spyrium_cli.main import cli

    out = path.with_suffix(".verdicts")
    clock = Clock()
    with out.open("w", encoding="utf-8") as file, redirect_stdout(file):
        words = ["validate", "-q", "--processes", "1", "--format", "jsonl", str(path)]
        code = cli.main(words, "spyrium", standalone_mode=False) or 0
    with out.open(encoding="utf-8") as file:
        clean = sum('"verdict":"clean"' in line for line in file)
    spent = clock.spent(clean, path.stat().st_size)
    out.unlink()
    assert (code, clean) == (0, count), f"{clean} of {count} clean, exit {code}"  # noqa: S101 - else nothing was measured
    return spent


def index(pack: Path, archive: Path, count: int, processes: int) -> Spent:
    """`spyrium index --rebuild` of an archive that is one pack: processor and peak of it and of whom it works with."""
    archive.mkdir(exist_ok=True)
    games = archive / "games.jsonl.zst"
    games.unlink(missing_ok=True)
    games.hardlink_to(pack)
    order = [sys.executable, "-m", "spyrium_cli", "index", "--archive", str(archive), "--processes", str(processes)]
    begun = time.perf_counter()
    with subprocess.Popen([*order, "--rebuild"], stderr=subprocess.PIPE, text=True) as command:
        told = command.stderr.read() if command.stderr else ""
        _, status, usage = os.wait4(command.pid, 0)
        command.returncode = os.waitstatus_to_exitcode(status)
    ended = time.perf_counter()
    assert f" {count} games read" in told, told  # noqa: S101 - else something else was measured
    size = (archive / "index.duckdb").stat().st_size
    # What was read is known: the next time nothing is.
    again = subprocess.run(order, check=True, capture_output=True, text=True).stderr
    assert again.startswith(f"0 games read, 0 removed, {count} unchanged"), again  # noqa: S101 - as above
    return Spent(count, begun, ended, usage.ru_utime + usage.ru_stime, _held(usage), size)


def weigh(distinct: Distinct, level: int) -> tuple[int, int, int]:
    """Events, bytes and packed bytes of the distinct games, each once and under its own name."""
    raws = (_file(distinct.at, seed).read_bytes() for seed in range(distinct.count))
    events = size = 0

    def counted() -> Iterator[Game]:
        nonlocal events, size
        for raw in raws:
            events += raw.count(b"\n") - 1
            size += len(raw)
            yield Game(raw)

    packed = sum(map(len, encode_pack(counted(), level=level)))
    return events, size, packed


def alone(stage: Callable[..., Spent], *given: object) -> Spent:
    """A stage in a process of its own."""
    with workers(1) as pool:
        return pool.submit(stage, *given).result()


def workers(count: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"))


# --- the campaign --------------------------------------------------------------------------------


class Campaign(NamedTuple):
    distinct: Distinct
    at: Path
    level: int
    processes: int = 1

    def pack_of(self, count: int, first: int = 0) -> Path:
        return self.at / f"games-{count}-from-{first}.jsonl.zst"

    def run(self, stage: str, count: int) -> Spent:
        if stage == "pack":
            return alone(pack, self.distinct, self.pack_of(count), 0, count, self.level)
        if not self.pack_of(count).exists():
            self.run("pack", count)
        if stage == "validate":
            return alone(validate, self.pack_of(count), count)
        return index(self.pack_of(count), self.at / f"archive-{count}", count, self.processes)

    def grown(self, stage: str, sizes: list[int]) -> Iterator[str]:
        """Each size, and the smallest again beside it: as many figures for that one as there are sizes."""
        least = sizes[0]
        small = [self.run(stage, least)]
        for size in sizes:
            spent = self.run(stage, size) if size != least else small[0]
            small.append(self.run(stage, least))
            beside = median(each.cpu for each in small[-2:]) / least
            ratio = spent.cpu / spent.games / beside
            yield (
                f"{stage:9} {spent.games:>9,} {spent.wall:>8.1f} {spent.games / spent.wall:>8,.0f}"
                f" {spent.cpu / spent.games * 1e3:>8.3f} {ratio:>7.2f}× {spent.peak / 1e6:>8,.0f}"
                f" {spent.peak / small[0].peak:>6.2f}× {spent.size / 1e6:>9,.1f}"
                f"  {FLAT.verdict(ratio) if size != least else ''}"
            )

    def shared(self, count: int) -> Iterator[str]:
        """What each command does with one process, and with two, in turns; each starts, works and ends."""
        archive = self.at / f"shared-{count}"
        games = archive / "games.jsonl.zst"
        if not games.exists():
            archive.mkdir(exist_ok=True)
            alone(pack, self.distinct, games, 0, count, self.level)
        made = self.at / "made.jsonl.zst"
        orders = {
            f"spyrium simulate -n {count // PLAYED}": [
                "simulate",
                "-n",
                str(count // PLAYED),
                "--to",
                str(made),
                *MADE,
            ],
            f"spyrium validate, {count:,} games": ["validate", "-q", "--format", "jsonl", str(games)],
            f"spyrium index --rebuild, {count:,} games": ["index", "--rebuild", "--archive", str(archive)],
        }
        for told, order in orders.items():
            took = [[_took(order, processes) for processes in (1, 2)] for _ in range(TIMES)]
            ratios = [one / two for one, two in took]
            seconds = median(one for one, _ in took)
            yield (
                f"{told:40} {seconds:>7.1f} s with one process, {median(ratios):.2f}× as fast with two"
                f" (of {', '.join(f'{ratio:.2f}' for ratio in ratios)})"
            )
        yield f"{os.cpu_count()} cores, which others may be using"

    def rebuilt(self, count: int) -> Iterator[str]:
        """A rebuild of the index with one process and with two, and its parts by themselves, in turns."""
        archive, index = self.at / f"logs-{count}", self.at / "rebuilt.duckdb"
        archive.mkdir(exist_ok=True)
        for nth in range(count):
            file = archive / f"{name_of(nth)}.jsonl"
            if not file.exists():
                _put(file, self.distinct.nth(nth))
        turns = []
        for _ in range(TIMES):
            # Rebuilds first: the parts are of the rows that they made.
            one, two = (_rebuilt(archive, index, processes) for processes in (1, 2))
            turns.append((one, two, in_parts(archive, index)))
        index.unlink()
        one, two, parts = (median(took) / count * 1e3 for took in zip(*turns, strict=True))
        yield f"rebuild of {count:,} logs: decode + audit, then encode + load of the same rows: {parts:.2f} ms a game"
        for told, nth in (("one process", 0), ("two processes", 1)):
            ratios = [turn[nth] / turn[2] for turn in turns]
            yield (
                f"rebuild with {told}: {(one, two)[nth]:.2f} ms a game, {median(ratios):.2f} × these parts"
                f" (of {', '.join(f'{ratio:.2f}' for ratio in ratios)}), wanted ≤ {REBUILD.times:g}:"
                f" {REBUILD.verdict(median(ratios))}"
            )


def _rebuilt(archive: Path, index: Path, processes: int) -> float:
    """In a process of its own, as the command is."""
    with workers(1) as pool:
        return pool.submit(rebuilt, archive, index, processes).result()


def _took(order: list[str], processes: int) -> float:
    """Seconds of the clock."""
    command = [sys.executable, "-m", "spyrium_cli", *order, "--processes", str(processes)]
    begun = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begun


def weighed(distinct: Distinct, level: int) -> Iterator[str]:
    with workers(1) as pool:
        events, size, packed = pool.submit(weigh, distinct, level).result()
    yield (
        f"{distinct.count:,} distinct games: {events:,} events, {size:,} bytes, {size / events:.1f} an event;"
        f" packed at level {level}: {packed:,} bytes, {packed / events:.2f} an event"
    )


def arguments(given: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks growth", description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=list(SIZES), help="sizes, the smallest first")
    parser.add_argument("--distinct", type=int, default=DISTINCT, help="how many different games they are made from")
    parser.add_argument("--from", type=Path, dest="pack", help="a pack of distinct games, in place of our own")
    parser.add_argument("--stages", nargs="*", choices=STAGES, default=list(STAGES))
    parser.add_argument("--processes", type=int, default=1, help="that make an index, as the command starts them")
    parser.add_argument("--rebuilt", type=int, default=0, help="logs in the index that is rebuilt; 0: as --shared")
    parser.add_argument("--shared", type=int, default=0, help="games that two processes share; 0: the second size")
    parser.add_argument("--level", type=int, default=LEVEL, help="how hard packs are compressed")
    parser.add_argument("--at", type=Path, required=True, help="a folder for all of it; distinct games there are kept")
    return parser.parse_args(given)


def main(given: list[str]) -> int:
    options = arguments(given)
    sizes = sorted(options.games)
    at: Path = options.at.resolve()
    for line in (", ".join(versions()), machine()):
        print(line)
    clock = Clock()
    if options.pack:
        distinct = Distinct(at / "taken", take(at / "taken", options.pack, options.distinct))
        print(f"{distinct.count:,} games from {options.pack.name}")
    else:
        distinct = Distinct(at / "distinct", options.distinct)
        with workers(os.cpu_count() or 1) as pool:
            print(f"{make(distinct.at, distinct.count, pool):,} games made in {clock.spent(0).wall:.0f} s")
    assert distinct.count, "no games, nothing to measure"  # noqa: S101
    campaign = Campaign(distinct, at, options.level, options.processes)
    for line in weighed(distinct, options.level):
        print(line, flush=True)
    print(
        f"\n{'stage':9} {'games':>9} {'seconds':>8} {'games/s':>8} {'ms cpu':>8} {'cost':>8} {'peak MB':>8} {'peak':>7}"
        f" {'MB':>9}\n{'':36} {'a game':>8} {'÷ least':>8} {'':8} {'÷ least':>7} {'written':>9}  cost ≤ {FLAT.times:g}×"
    )
    for stage in options.stages:
        for line in campaign.grown(stage, sizes):
            print(line, flush=True)
    print()
    shared = options.shared or sizes[min(1, len(sizes) - 1)]
    for lines in (campaign.shared(shared), campaign.rebuilt(options.rebuilt or shared)):
        for line in lines:
            print(line, flush=True)
    return 0
