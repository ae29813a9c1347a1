"""The index written: in one transaction, or built beside and moved into place."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path

import duckdb

from spyrium_log.errors import HeldError, ReadModelError
from spyrium_log.readmodel.connections import (
    SCHEMA,
    WRITER,
    connect,
    fault_of_file,
    first_line,
    is_damage,
    open_connection,
    run,
    version,
)
from spyrium_log.readmodel.definitions import tables_sql, view_comment
from spyrium_log.readmodel.index_paths import BARE_SUFFIX, remove, sibling, sweep, wal
from spyrium_log.readmodel.reading import copied, reading, stamp_of
from spyrium_log.readmodel.tables import VIEWS
from spyrium_log.titles import TITLES

# Batches in a transaction: after each transaction DuckDB rewrites the ends of its tables.
TOGETHER = 8
# Batches after which a growing file is closed and opened again, which frees memory.
FORGETTING = 5 * TOGETHER
# Seconds between attempts to interrupt a load that is not needed any more.
HASTE = 0.05


class OvertakenError(Exception):
    """Another process changed the file after it was read and before it could be written. Read it again."""


@contextmanager
def writing(path: Path, patience: float, stamp: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """One transaction on the file as it was at `stamp`: all of it, or nothing."""
    connection = connect(path, patience, read_only=False)
    try:
        try:
            run(connection, "BEGIN")
            if stamp_of(connection, path) != stamp:
                raise OvertakenError
            yield connection
            run(connection, "UPDATE meta SET stamp = ?", [secrets.token_hex(8)])
            run(connection, "COMMIT")
        finally:
            connection.close()
    except duckdb.Error as error:
        raise _writing_fault(error, path) from None


class Growing:
    """A new file that grows in batches: each is loaded in a thread while the rows of the next are made.

    DuckDB keeps some memory for each batch until the file is closed.
    """

    def __init__(self, path: Path) -> None:
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

    def load(self, batch: Callable[[duckdb.DuckDBPyConnection], None]) -> None:
        """Start loading a batch, after the one before it."""
        self._under_way = self._thread.submit(self._load_batch, self.connection, batch)

    def _load_batch(
        self, connection: duckdb.DuckDBPyConnection, batch: Callable[[duckdb.DuckDBPyConnection], None]
    ) -> None:
        """Load one batch; several make a transaction, and now and then the file is opened anew to free memory."""
        if self._batches % TOGETHER == 0:
            run(connection, "BEGIN")
        batch(connection)
        self._batches += 1
        if self._batches % TOGETHER == 0:
            run(connection, "COMMIT")
        if self._batches % FORGETTING == 0:
            _checkpoint(connection)
            connection.close()
            self._connection = open_connection(self._path, WRITER)

    def settle(self) -> None:
        """Commit and write all that was loaded."""
        connection = self.connection
        if self._batches % TOGETHER:
            run(connection, "COMMIT")
        _checkpoint(connection)

    def close(self) -> None:
        """Interrupt what is still being loaded, and close the file."""
        while self._under_way is not None and wait([self._under_way], HASTE).not_done:
            # Each statement of the batch by itself; the file may be closed just now.
            with suppress(duckdb.Error):
                self._connection.interrupt()
        self._thread.shutdown()
        self._connection.close()


def _checkpoint(connection: duckdb.DuckDBPyConnection) -> None:
    """Write everything to the file. Closing does so too, but would hide that the disk is full."""
    run(connection, "CHECKPOINT")


@contextmanager
def building(path: Path, is_wanted: Callable[[], bool]) -> Iterator[Growing]:
    """A new file with empty tables beside the index, moved into place if all went well and it is still wanted."""
    sweep(path)
    with _replacing(sibling(path, BARE_SUFFIX), path, is_wanted) as file:
        connection = file.connection
        run(connection, "BEGIN")
        _create_schema(connection)
        run(connection, "INSERT INTO meta VALUES (?, ?, ?)", [SCHEMA, version(), secrets.token_hex(8)])
        run(connection, "COMMIT")
        yield file


def _create_schema(connection: duckdb.DuckDBPyConnection) -> None:
    """Create everything that an empty index has, in the order in which one thing needs another."""
    run(connection, tables_sql())
    for name in ("views.sql", "macros.sql", "statistics.sql"):
        run(connection, resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))
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
def rewriting(path: Path, patience: float, stamp: str) -> Iterator[Growing]:
    """A copy of the file as it was at `stamp`, moved into place if all went well and the file is unchanged.

    For long updates: others read the file meanwhile.
    """

    def is_as_it_was() -> bool:
        """Whether nobody has updated the index meanwhile."""
        with reading(path, patience) as (_, current):
            return current == stamp

    # Who can open it to write is alone with it. Copying it while a thread of ours reads it would drop our lock (POSIX).
    connect(path, patience, read_only=False).close()
    try:
        copy = copied(path, patience)
    except OSError as error:
        raise ReadModelError(f"expected to write the index, found: {error.strerror}, at {path}") from None
    with _replacing(copy, path, is_as_it_was) as file:
        if stamp_of(file.connection, path) != stamp:
            raise OvertakenError
        run(file.connection, "UPDATE meta SET stamp = ?", [secrets.token_hex(8)])
        yield file


@contextmanager
def _replacing(beside: Path, path: Path, is_wanted: Callable[[], bool]) -> Iterator[Growing]:
    """A file to fill beside the index, moved into place in the end; removed if anything goes wrong."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = Growing(beside)
        try:
            yield file
            file.settle()
        finally:
            file.close()
        if not is_wanted():
            raise OvertakenError
        # The old file's write-ahead log first: DuckDB 1 would replay it into the new one without a word.
        wal(path).unlink(missing_ok=True)
        beside.replace(path)
    except duckdb.Error as error:
        raise _writing_fault(error, path) from None
    except OSError as error:
        raise ReadModelError(f"expected to write the index, found: {error.strerror}, at {path}") from None
    finally:
        remove(beside)


def _writing_fault(error: duckdb.Error, path: Path) -> ReadModelError:
    """The error for a file that cannot be written: damage and other users have errors of their own."""
    fault = fault_of_file(error, path)
    if isinstance(fault, HeldError) or is_damage(error):
        return fault
    return ReadModelError(f"expected to write the index, found: {first_line(error)}, at {path}")
