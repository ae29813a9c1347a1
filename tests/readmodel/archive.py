"""An archive in memory: names, and logs made by chance, whole and otherwise."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest
from msgspec import structs

from spyrium_log import workers
from spyrium_log.errors import LogError
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Line, Undone
from spyrium_log.log.notes import Notes
from spyrium_log.play import encode_log
from spyrium_log.readmodel import load, row_workers
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.load import NO_ALIASES, Update, bring_up_to_date
from spyrium_log.readmodel.reader import Recorded, Source
from spyrium_log.readmodel.tables import LOADED
from spyrium_log.replay import Replay, replay
from spyrium_log.store import Aliases
from spyrium_log.title import Posting
from tests.games import game, raw_of, read

KINDS = ("whole", "whole", "half", "undone", "wrong", "cut", "garbage")
OPEN = "0" * 32


@cache
def raw(seed: int, kind: str = "whole") -> bytes:
    """The bytes of one log."""
    log = game("pebbles" if seed % 3 == 0 else "spyrium", seed)
    lines: list[Line] = list(log.lines)
    if kind == "half":
        return b"".join(raw_of(log).splitlines(keepends=True)[: len(lines) // 2])
    if kind == "undone":
        return encode_log([*lines, Undone(n=len(lines), by="chance", to=len(lines) // 2, prev=OPEN, hash=OPEN)])
    if kind == "wrong":
        return encode_log([_mispaid(line) if line is lines[-1] else line for line in lines])
    if kind == "cut":
        return raw_of(log)[:-9]
    if kind == "garbage":
        return b"no log at all\n"
    return raw_of(log)


def _mispaid(line: Line) -> Line:
    moved = getattr(line, "moved", ())
    return structs.replace(line, moved=(*moved, Posting(1, "points", 3, "adjusted")))


@cache
def replayed(data: bytes) -> Replay:
    one = replay(read(data))
    if one.complaint is not None:
        # It is kept for good, and must not keep the frames that it came through: a connection is in one of them.
        one.complaint.__traceback__ = one.complaint.__context__ = None
    return one


def one_game(name: str, content: str, read: Callable[[], Log]) -> Source:
    """A file that holds one log."""
    recorded = Recorded("", content, read, elsewhere=lambda: (read(), Notes()))
    return Source(name, lambda: content, lambda: [recorded])


class Later(NamedTuple):
    """A task that is done when somebody asks for its result."""

    work: Callable[[Any], Any]
    task: Any

    def result(self) -> Any:
        return self.work(self.task)


class Here:
    """Stands in for `Workers`: the same tasks in the same order, done late, and in this process."""

    def __init__(self, work: Callable[[Any], Any], _processes: int) -> None:
        self._work = work

    def submit(self, task: Any) -> Later:
        return Later(self._work, task)

    def close(self) -> None:
        """Nothing was started."""


def work_late(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    """With several processes, let few games be a batch, and many be under way when one is loaded."""
    monkeypatch.setattr(workers, "Workers", Here)
    monkeypatch.setattr(row_workers, "MIN_GAMES_FOR_WORKERS", 0)
    monkeypatch.setattr(row_workers, "BATCH", 2)
    monkeypatch.setattr(load, "CHUNK", chunk)


@dataclass(frozen=True)
class Settled:
    """An index after an update, and what it was made from."""

    index: Path
    sources: Callable[[], Iterable[Source]]
    update: Update
    processes: int = 1
    aliases: Aliases = NO_ALIASES

    def check(self) -> None:
        """Each file has one position, a second update changes nothing, and the tables are those built anew."""
        files = sorted(source.name for source in self.sources())
        assert sorted(file for (file,) in query(self.index, "SELECT file FROM position").rows) == files
        games = query(self.index, "SELECT count(*) FROM game").rows[0][0]
        again = bring_up_to_date(self.index, self.sources(), processes=self.processes, aliases=self.aliases)
        assert again == Update(unchanged=games, unusable=self.update.unusable)
        found, anew = fingerprint(self.index), self.anew()
        assert [table for table in anew if found[table] != anew[table]] == []

    def anew(self) -> dict[str, str]:
        """Of one process, which does everything in order."""
        beside = self.index.with_name("anew.duckdb")
        built = bring_up_to_date(beside, self.sources(), rebuild=True, aliases=self.aliases)
        assert built.unusable == self.update.unusable
        return fingerprint(beside)


class Archive:
    """Logs by name; counts how often one is read."""

    def __init__(self, logs: Mapping[str, bytes] | None = None) -> None:
        self.logs = dict(logs or {})
        self.reads = 0

    def sources(self) -> Iterator[Source]:
        for name, data in self.logs.items():
            yield one_game(name, sha256(data).hexdigest(), partial(self._read, data))

    def _read(self, data: bytes) -> Log:
        self.reads += 1
        return replayed(data).log

    def change(self, rng: random.Random) -> None:
        """Add, change, remove or rename a log, or let one game be in two."""
        names = sorted(self.logs)
        what = rng.choice(("add", "add", "change", "remove", "rename", "copy"))
        name = f"log-{rng.randrange(20):02}"
        if what in ("add", "change") or not names:
            at = rng.choice(names) if names and what == "change" else name
            self.logs[at] = raw(rng.randrange(12), rng.choice(KINDS))
        elif what == "copy":
            self.logs[name] = self.logs[rng.choice(names)]
        else:
            data = self.logs.pop(rng.choice(names))
            if what == "rename":
                self.logs[name] = data


def many(seeds: Iterable[int], kind: str = "whole") -> Archive:
    return Archive({f"log-{seed:03}": raw(seed, kind) for seed in seeds})


_INDEXED: dict[tuple[tuple[str, bytes], ...], bytes] = {}


def indexed(index: Path, archive: Archive) -> Archive:
    """Put an index of these logs here; it is built once, and copied from then on."""
    key = tuple(sorted(archive.logs.items()))
    if key in _INDEXED:
        index.write_bytes(_INDEXED[key])
    else:
        bring_up_to_date(index, archive.sources())
        _INDEXED[key] = index.read_bytes()
    archive.reads = 0
    return archive


def usable(archive: Archive) -> list[Replay]:
    """The replays that should be in the tables: of two logs of one game the first by name."""
    found: dict[str, Replay] = {}
    for _, data in sorted(archive.logs.items()):
        try:
            one = replayed(data)
        except LogError:
            continue
        found.setdefault(one.header.game, one)
    return list(found.values())


def fingerprint(database: Path) -> dict[str, str]:
    """A hash over the rows of each table, in an order of their own."""
    connection = duckdb.connect(str(database), read_only=True)
    try:
        rows = {
            table: connection.execute(f"FROM {table} ORDER BY ALL").fetchall()
            # what the disk says of a file depends on when it was asked
            for table in (
                *LOADED,
                "alias",
                "sheet_value",
                "card",
                "resource",
                "(SELECT file, content, refused FROM position)",
            )
        }
    finally:
        connection.close()
    return {table: sha256(repr(found).encode()).hexdigest() for table, found in rows.items()}
