"""The index written: in one transaction, or built beside and moved into place."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

import duckdb
from msgspec import Struct

from spyrium_log.errors import HeldError, ReadModelError
from spyrium_log.readmodel.connections import (
    SCHEMA,
    SUFFIX,
    WRITER,
    connect,
    first_line,
    installed_version,
    is_damage,
    make_file_error,
    make_sibling_path,
    open_connection,
    remove_database,
    remove_leftovers,
    run,
    wal_path,
)
from spyrium_log.readmodel.definitions import json_columns, tables_sql, view_comment
from spyrium_log.readmodel.reading import copy_held_index, open_index, read_stamp
from spyrium_log.readmodel.row_workers import EncodedGame, encode_lines
from spyrium_log.readmodel.tables import COLUMNAR, LOADED, TABLES, VIEWS, MarketRow, PositionRow
from spyrium_log.titles import TITLES

# The buffer of each file, in bytes.
ROOM = 1 << 18
# Positions that are encoded at a time, for an archive may have many files.
POSITIONS = 1000
# The longest line that DuckDB expects, unless there is a longer one: it reads in pieces of two such lines, and a file
# that is one piece is read by one thread.
_LONGEST = 1 << 20


def _unnest_columns(kind: type[Struct], *said_once: str) -> str:
    """The SQL that makes a row of each place in the lists of a JSON line: all its fields but those said once."""
    return ", ".join(f'unnest("{name}") AS "{name}"' for name in kind.__struct_fields__ if name not in said_once)


# With the columns given, nothing is guessed: '007' stays text and 2026-11-18 too.
_READ_JSON = """read_json(
    ?, columns = ?, format = 'newline_delimited', compression = 'uncompressed', hive_partitioning = false,
    maximum_object_size = ?
)"""
_UNLESS_LEFT_OUT = "WHERE game NOT IN (SELECT unnest(?::VARCHAR[]))"
# A line is a market with the decisions made while it lay so.
_OFFERS_SQL = f"""
    SELECT
        game, n, i, seat, space, card, nth > 0 AS reachable, nth > 0 AND affordable[nth] AS affordable,
        prices[nullif(nth, 0)] AS price, space = taken AS taken
    FROM (
        SELECT *, coalesce(list_position(reachable, space), 0) AS nth
        FROM (
            SELECT * EXCLUDE ("where", cards), unnest("where") AS space, unnest(cards) AS card
            FROM (SELECT game, "where", cards, {_unnest_columns(MarketRow, "game", "where", "cards")} FROM {_READ_JSON})
        )
    )
"""  # noqa: S608 - our own columns


def _insert_sql(table: str) -> str:
    """The statement that loads the staged rows of a table."""
    rows = f"SELECT * FROM {_READ_JSON}"  # noqa: S608 - a table of ours
    if table in COLUMNAR:
        rows = f"SELECT game, {_unnest_columns(TABLES[table], 'game')} FROM {_READ_JSON}"  # noqa: S608 - likewise
    elif table == "offer":
        rows = _OFFERS_SQL
    elif table == "sheet_value":
        rows += " WHERE sheet NOT IN (SELECT sheet FROM sheet_value)"
    # each batch has the cards and resources of its games again
    insert = "INSERT OR IGNORE" if table in {"card", "resource"} else "INSERT"
    return f"{insert} INTO {table} BY NAME {rows}"


@contextmanager
def open_stage(path: Path) -> Iterator[Stage]:
    """For the block a stage beside the index, whose files are removed in the end; ReadModelError for a full disk."""
    stage = Stage(path)
    try:
        yield stage
    except OSError as error:
        raise ReadModelError("cannot-stage", found=str(error.strerror), place=str(path)) from None
    finally:
        stage.close()


class Batch(NamedTuple):
    """Complete files of rows, one for each table."""

    paths: Mapping[str, Path]
    longest: int

    def load(self, connection: duckdb.DuckDBPyConnection, left_out: Sequence[str] = ()) -> None:
        """Insert the rows, except those of some games, and remove the files."""
        for table, path in self.paths.items():
            sql, parameters = _insert_sql(table), [_escape_pattern(path), json_columns(table), self.longest]
            if left_out and table in LOADED:
                run(connection, f"{sql} {_UNLESS_LEFT_OUT}", [*parameters, left_out])
            else:
                run(connection, sql, parameters)
            remove_database(path)


class Stage:
    """The staging files, batch by batch: while one is loaded, the next is written."""

    def __init__(self, path: Path) -> None:
        """Without rows; the files are made beside this index when there are rows for them."""
        self._path = path
        self._shared: set[tuple[str, str]] = set()
        # The files of the last batch, which is being loaded.
        self._handed_over: Sequence[Path] = ()
        self._begin_batch()

    def _begin_batch(self) -> None:
        """Forget the files of the batch before, which are the loader's now."""
        self._paths: dict[str, Path] = {}
        self._files: dict[str, BinaryIO] = {}
        self._longest = _LONGEST
        self.games: list[str] = []
        self.size = 0

    def add(self, game: EncodedGame) -> None:
        """Add the rows of a game; those that it shares with others only once."""
        for table, rows in game.rows.items():
            self._append_rows(table, rows)
        if game.shared_by not in self._shared:
            self._shared.add(game.shared_by)
            for table, rows in game.shared.items():
                self._append_rows(table, rows)
        self.games.append(game.game)

    def add_positions(self, positions: Iterable[PositionRow]) -> None:
        """Add the rows that say where the index stands with each file, some at a time."""
        rows = iter(positions)
        while rows_at_once := [*islice(rows, POSITIONS)]:
            self._append_rows("position", encode_lines(rows_at_once))

    def _append_rows(self, table: str, rows: bytes) -> None:
        """Append JSON lines to the file of a table, which is opened at its first row."""
        if not rows:
            return
        if table not in self._files:
            path = self._paths[table] = make_sibling_path(self._path, f".{table}.ndjson")
            self._files[table] = path.open("wb", ROOM)
        self._files[table].write(rows)
        self.size += len(rows)
        # DuckDB refuses a line longer than it is told to expect, so the load has to know the longest.
        if len(rows) > self._longest:
            self._longest = max(self._longest, *map(len, rows.splitlines(keepends=True)))

    def take_batch(self) -> Batch:
        """Take the rows added since the last batch, which has been loaded by now."""
        for file in self._files.values():
            file.close()
        batch = Batch(self._paths, self._longest)
        self._handed_over = [*self._paths.values()]
        self._begin_batch()
        return batch

    def close(self) -> None:
        """Close and remove all files."""
        for file in self._files.values():
            # A full disk has raised before, and raises again here.
            with suppress(OSError):
                file.close()
        for path in (*self._handed_over, *self._paths.values()):
            remove_database(path)


def _escape_pattern(path: Path) -> str:
    """The path as a pattern of DuckDB that matches only it: DuckDB takes every path that it reads for a pattern."""
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path))


# Batches in a transaction: after each transaction DuckDB rewrites the ends of its tables.
TOGETHER = 8
# Batches after which a growing file is closed and opened again, which frees memory.
FORGETTING = 5 * TOGETHER
# Seconds between attempts to interrupt a load that is not needed any more.
HASTE = 0.05


class OvertakenError(Exception):
    """Another process changed the file after it was read and before it could be written. Read it again."""


@contextmanager
def open_transaction(path: Path, stamp: str, patience: float | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """For the block one transaction on the index: all of it is done, or nothing; OvertakenError if `stamp` is old."""
    connection = connect(path, read_only=False, patience=patience)
    try:
        with closing(connection):
            run(connection, "BEGIN")
            if read_stamp(connection, path) != stamp:
                raise OvertakenError
            yield connection
            run(connection, "UPDATE meta SET stamp = ?", [secrets.token_hex(8)])
            run(connection, "COMMIT")
    except duckdb.Error as error:
        raise _make_write_error(error, path) from None


class GrowingIndex:
    """A new file that grows in batches: each is loaded in a thread while the rows of the next are made.

    DuckDB keeps some memory for each batch until the file is closed.
    """

    def __init__(self, path: Path) -> None:
        """Open this file, or make it, and start the thread that loads."""
        self._path = path
        self._batches = 0
        self._connection = open_connection(path, WRITER)
        self._thread = ThreadPoolExecutor(1, "spyrium-load")
        self._under_way: Future[None] | None = None

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection once the current batch is loaded; its error is raised here."""
        if self._under_way is not None:
            self._under_way.result()
            self._under_way = None
        return self._connection

    def load(self, insert_rows: Callable[[duckdb.DuckDBPyConnection], None]) -> None:
        """Start loading a batch, after the one before it."""
        self._under_way = self._thread.submit(self._load_batch, self.connection, insert_rows)

    def _load_batch(
        self, connection: duckdb.DuckDBPyConnection, insert_rows: Callable[[duckdb.DuckDBPyConnection], None]
    ) -> None:
        """Load one batch; several make a transaction, and now and then the file is opened anew to free memory."""
        if self._batches % TOGETHER == 0:
            run(connection, "BEGIN")
        insert_rows(connection)
        self._batches += 1
        if self._batches % TOGETHER == 0:
            run(connection, "COMMIT")
        if self._batches % FORGETTING == 0:
            # Closing writes everything, too, but would hide that the disk is full.
            run(connection, "CHECKPOINT")
            connection.close()
            self._connection = open_connection(self._path, WRITER)

    def settle(self) -> None:
        """Commit and write all that was loaded, before the file takes its place."""
        connection = self.connection
        if self._batches % TOGETHER:
            run(connection, "COMMIT")
        run(connection, "CHECKPOINT")

    def close(self) -> None:
        """Interrupt what is still being loaded, and close the file."""
        while self._under_way is not None and wait([self._under_way], HASTE).not_done:
            # Again and again, for this stops one statement and a batch has many; the file may be closed just now.
            with suppress(duckdb.Error):
                self._connection.interrupt()
        self._thread.shutdown()
        self._connection.close()


@contextmanager
def build_index(path: Path, is_wanted: Callable[[], bool]) -> Iterator[GrowingIndex]:
    """A new file with empty tables beside the index, moved into place if all went well and it is still wanted."""
    remove_leftovers(path)
    with _fill_and_replace(make_sibling_path(path, SUFFIX), path, is_wanted) as file:
        connection = file.connection
        run(connection, "BEGIN")
        _create_schema(connection)
        run(connection, "INSERT INTO meta VALUES (?, ?, ?)", [SCHEMA, installed_version(), secrets.token_hex(8)])
        run(connection, "COMMIT")
        yield file


def _create_schema(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables, views and macros of an empty index, in the order in which one needs another."""
    run(connection, tables_sql())
    for name in ("views.sql", "macros.sql", "statistics.sql"):
        run(connection, resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))
    # those of the tables that the views are made of
    for view, column in run(connection, _UNCOMMENTED, [[*VIEWS]]):
        run(connection, view_comment(view, column))
    for title in TITLES.values():
        if macros := title.tables.macros():
            run(connection, macros)


_UNCOMMENTED = """
    SELECT table_name, column_name FROM duckdb_columns()
    WHERE table_name IN (SELECT unnest(?::VARCHAR[])) AND comment IS NULL
"""


@contextmanager
def rewrite_index(path: Path, stamp: str) -> Iterator[GrowingIndex]:
    """For a long update a copy of the index as it was at `stamp`; it replaces the index if that is still so."""

    def is_as_it_was() -> bool:
        """Whether nobody has updated the index meanwhile."""
        with open_index(path) as (_, current):
            return current == stamp

    # Who can open it to write is alone with it. Copying it while a thread of ours reads it would drop our lock (POSIX).
    connect(path, read_only=False).close()
    try:
        copy = copy_held_index(path)
    except OSError as error:
        raise ReadModelError("cannot-write", found=str(error.strerror), place=str(path)) from None
    with _fill_and_replace(copy, path, is_as_it_was) as file:
        if read_stamp(file.connection, path) != stamp:
            raise OvertakenError
        run(file.connection, "UPDATE meta SET stamp = ?", [secrets.token_hex(8)])
        yield file


@contextmanager
def _fill_and_replace(beside: Path, path: Path, is_wanted: Callable[[], bool]) -> Iterator[GrowingIndex]:
    """A file to fill beside the index, and to replace it in the end; OvertakenError where it is not wanted any more."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(GrowingIndex(beside)) as file:
            yield file
            file.settle()
        if not is_wanted():
            raise OvertakenError
        # The old file's write-ahead log first: DuckDB 1 would replay it into the new one without a word.
        wal_path(path).unlink(missing_ok=True)
        beside.replace(path)
    except duckdb.Error as error:
        raise _make_write_error(error, path) from None
    except OSError as error:
        raise ReadModelError("cannot-write", found=str(error.strerror), place=str(path)) from None
    finally:
        remove_database(beside)


def _make_write_error(error: duckdb.Error, path: Path) -> ReadModelError:
    """Our error for a file that DuckDB cannot write: damage and other users have errors of their own."""
    fault = make_file_error(error, path)
    if isinstance(fault, HeldError) or is_damage(error):
        return fault
    return ReadModelError("cannot-write", found=first_line(error), place=str(path))
