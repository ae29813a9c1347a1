"""The index, brought up to date: only logs whose bytes changed are read, and rows and position change together.

Where the tables stand is in the tables: a game's row says which bytes of which log it was made from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

import duckdb
import msgspec
from msgspec import Struct

from spyrium_log.errors import HeldError, ReadModelError, SpyriumLogError, UnfitError
from spyrium_log.readmodel.database import (
    PATIENCE,
    OvertakenError,
    building,
    first_line,
    placed,
    reading,
    remove,
    run,
    sibling,
    writing,
)
from spyrium_log.readmodel.rows import TABLES, Rows, rows_of
from spyrium_log.replay import Replay

# A build beside loads so many games at a time, so that neither memory nor the temporary files grow with the archive.
CHUNK = 2000
TRIES = 5

_encode = msgspec.json.Encoder().encode


class Source(NamedTuple):
    """One log: its name, the hash of its bytes ('' if nobody knows), and how to read it should that be new."""

    name: str
    content: str
    replay: Callable[[], Replay]


class Unusable(Struct, frozen=True):
    """A log that is in no table, and why."""

    file: str
    why: str


class Update(Struct, frozen=True, kw_only=True):
    """What bringing the index up to date came to.

    `held`: another process has it open, so that `waiting` changed logs are not in it (None: nobody knows how many).
    `rebuilt`: why it was built anew, '' if it was not.
    """

    read: int = 0
    removed: int = 0
    unchanged: int = 0
    unusable: tuple[Unusable, ...] = ()
    held: bool = False
    waiting: int | None = 0
    rebuilt: str = ""


def bring_up_to_date(
    database: Path, sources: Iterable[Source], *, rebuild: bool = False, patience: float = PATIENCE
) -> Update:
    """Make the index say what these logs say, and nothing else. What it says of unchanged logs is kept."""
    path = placed(database)
    listed = {source.name: source for source in sorted(sources, key=lambda source: source.name)}
    if rebuild:
        return _built(path, listed, "on demand", lambda: True)
    for _ in range(TRIES):
        try:
            return _brought(path, listed, patience)
        except OvertakenError:
            continue
        except HeldError:
            break
    return Update(held=True, waiting=None)


def _brought(path: Path, listed: Mapping[str, Source], patience: float) -> Update:
    try:
        known, stamp = _known(path, patience)
    except UnfitError as error:
        return _built(path, listed, str(error), lambda: not _is_fit(path))
    try:
        return _changed(path, listed, known, stamp, patience)
    except UnfitError as error:
        # Damage that only showed in the middle: the file looks fit.
        return _built(path, listed, str(error), lambda: True)


class _Known(NamedTuple):
    game: str
    content: str


def _known(path: Path, patience: float) -> tuple[dict[str, _Known], str]:
    """Where the index stands: which bytes of which log each game was made from."""
    with reading(path, patience) as (connection, stamp):
        try:
            rows = run(connection, "SELECT file, game, content FROM game")
        except duckdb.Error as error:
            raise UnfitError(f"expected an index, found: {first_line(error)}, at {path}") from None
        return {file: _Known(game, content) for file, game, content in rows}, stamp


def _changed(
    path: Path, listed: Mapping[str, Source], known: Mapping[str, _Known], stamp: str, patience: float
) -> Update:
    gone = known.keys() - listed.keys()
    fresh = [source for source in listed.values() if not source.content or _is_new(source, known)]
    reader = _Reader()
    old = gone.union(source.name for source in fresh)
    for name, at in known.items():
        if name in old:
            reader.stale.add(at.game)
        else:
            reader.claim(at.game, name)
    with _staged(path) as stage:
        for source in fresh:
            reader.read(source, stage)
        update = Update(
            read=stage.games,
            removed=len(gone),
            unchanged=len(listed) - len(fresh),
            unusable=reader.complaints(),
        )
        if not reader.stale and not stage.games:
            return update
        try:
            with writing(path, patience, stamp) as connection:
                for table in TABLES:
                    run(connection, _DELETE[table], [sorted(reader.stale)])
                stage.load(connection)
        except HeldError:
            waiting = len(gone) + stage.games
            return msgspec.structs.replace(update, read=0, removed=0, held=True, waiting=waiting)
    return update


def _is_new(source: Source, known: Mapping[str, _Known]) -> bool:
    return source.name not in known or known[source.name].content != source.content


def _is_fit(path: Path) -> bool:
    """Whether somebody else has built the file that we found missing, or has it open."""
    try:
        _known(path, 0)
    except HeldError:
        return True
    except UnfitError:
        return False
    return True


def _built(path: Path, listed: Mapping[str, Source], why: str, is_wanted: Callable[[], bool]) -> Update:
    reader = _Reader()
    read = 0
    with building(path, is_wanted) as connection, _staged(path) as stage:
        for source in listed.values():
            reader.read(source, stage)
            if stage.games == CHUNK:
                read += stage.load(connection)
        read += stage.load(connection)
    return Update(read=read, unusable=reader.complaints(), rebuilt=why)


@dataclass(slots=True)
class _Reader:
    """Reads logs in the order of their names and keeps which log each game is from: the first that has it."""

    owners: dict[str, str] = field(default_factory=dict)
    stale: set[str] = field(default_factory=set)
    unusable: dict[str, str] = field(default_factory=dict)

    def claim(self, game: str, name: str) -> None:
        self.owners[game] = name

    def read(self, source: Source, stage: _Stage) -> None:
        try:
            source.name.encode()
            replay = source.replay()
        except UnicodeEncodeError:
            self.unusable[source.name.encode(errors="replace").decode()] = "expected a name in UTF-8, found other bytes"
            return
        except (SpyriumLogError, OSError) as error:
            self.unusable[source.name] = str(error)
            return
        game = replay.header.game
        owner = self.owners.get(game)
        if owner is not None and owner < source.name:
            self._refuse(source.name, game, owner)
            return
        if owner is not None:
            self._refuse(owner, game, source.name)
            self.stale.add(game)
        self.claim(game, source.name)
        stage.add(rows_of(replay, file=source.name, content=source.content))

    def _refuse(self, name: str, game: str, owner: str) -> None:
        self.unusable[name] = f"expected a game of its own, found game '{game}', which is in '{owner}'"

    def complaints(self) -> tuple[Unusable, ...]:
        return tuple(Unusable(file, why) for file, why in sorted(self.unusable.items()))


# --- rows into tables ----------------------------------------------------------------------------

_DELETE = {
    "game": "DELETE FROM game WHERE game IN (SELECT unnest(?::VARCHAR[]))",
    "seat": "DELETE FROM seat WHERE game IN (SELECT unnest(?::VARCHAR[]))",
    "ledger": "DELETE FROM ledger WHERE game IN (SELECT unnest(?::VARCHAR[]))",
}
# With the columns given, nothing is guessed: '007' stays text and 2026-11-18 too.
_READ = """BY NAME SELECT * FROM read_json(
    ?, columns = ?, format = 'newline_delimited', compression = 'uncompressed', hive_partitioning = false
)"""
_COLUMNS = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal ORDER BY column_index"
_INSERT = {
    "game": f"INSERT INTO game {_READ}",
    "seat": f"INSERT INTO seat {_READ}",
    "ledger": f"INSERT INTO ledger {_READ}",
}


@contextmanager
def _staged(path: Path) -> Iterator[_Stage]:
    stage = None
    try:
        stage = _Stage(path)
        yield stage
    except OSError as error:
        raise ReadModelError(f"expected to write rows beside the index, found: {error.strerror}, at {path}") from None
    finally:
        if stage is not None:
            stage.close()


class _Stage:
    """Rows on their way: a file of JSON lines a table, the fastest way into DuckDB that needs no other package."""

    def __init__(self, path: Path) -> None:
        self._paths = {table: sibling(path, f"{table}.ndjson") for table in TABLES}
        self._files: dict[str, BinaryIO] = {}
        self.games = 0

    def add(self, rows: Rows) -> None:
        for table, path in self._paths.items():
            file = self._files.get(table) or self._files.setdefault(table, path.open("w+b"))
            found = getattr(rows, table)
            for row in found if isinstance(found, list) else (found,):
                file.write(_encode(row))
                file.write(b"\n")
        self.games += 1

    def load(self, connection: duckdb.DuckDBPyConnection) -> int:
        """Insert what was added since the last time; answer how many games that were."""
        columns: dict[str, dict[str, str]] = {}
        for table, column, kind in run(connection, _COLUMNS):
            columns.setdefault(table, {})[column] = kind
        for table, file in self._files.items():
            file.flush()
            if file.tell():
                run(connection, _INSERT[table], [_unglobbed(self._paths[table]), columns[table]])
                file.seek(0)
                file.truncate()
        games, self.games = self.games, 0
        return games

    def close(self) -> None:
        for file in self._files.values():
            # What a full disk did not take was refused before, and is refused again here.
            with suppress(OSError):
                file.close()
        for at in self._paths.values():
            remove(at)


def _unglobbed(path: Path) -> str:
    """The path as a pattern that matches it alone: DuckDB takes every file name for a pattern."""
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path))
