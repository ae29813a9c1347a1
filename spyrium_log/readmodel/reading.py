"""The index opened to read: as it is, or a copy of what another process last wrote."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import duckdb

from spyrium_log.errors import HeldError, ReadModelError, UnfitError
from spyrium_log.readmodel.connections import (
    BARE_SUFFIX,
    LIMITS,
    LOCAL,
    SAFE,
    SCHEMA,
    SUFFIX,
    Config,
    OurselvesError,
    UnstoppedInterrupt,
    connect,
    first_line,
    index_path,
    quoted,
    remove,
    remove_folder,
    run,
    sibling,
    version,
    wal,
)

COPY_CHUNK = 1 << 20


@contextmanager
def reading(path: Path, patience: float) -> Iterator[tuple[duckdb.DuckDBPyConnection, str]]:
    """A read-only connection to a file of our version, and the stamp of its last update."""
    connection = connect(path, patience, read_only=True)
    try:
        yield connection, stamp_of(connection, path)
    finally:
        connection.close()


class Scratch(NamedTuple):
    """What a process that answers one query may use: bytes of memory, and files with this prefix.

    Whoever ends the process removes its files.
    """

    memory: int
    files: Path

    @classmethod
    def beside(cls, database: Path, memory: int) -> Scratch:
        """With an unused prefix beside the index."""
        return cls(memory, sibling(index_path(database), BARE_SUFFIX).with_suffix(""))

    @property
    def overflow(self) -> Path:
        """The folder for blocks that have no room in memory."""
        return self.files.with_name(f"{self.files.name}.tmp")

    @property
    def copy(self) -> Path:
        """The copy of an index that another process writes."""
        return self.files.with_name(f"{self.files.name}{SUFFIX}")

    def remove(self) -> None:
        remove(self.copy)
        with suppress(OSError):
            remove_folder(self.overflow)

    def config(self) -> Config:
        return {**LOCAL, **LIMITS, "memory_limit": f"{self.memory >> 10}KiB", "temp_directory": str(self.overflow)}


@contextmanager
def reading_as_is(
    path: Path, patience: float, *, unsafe: bool = False, writes: Path | None = None, scratch: Scratch | None = None
) -> Iterator[tuple[duckdb.DuckDBPyConnection, bool]]:
    """A read-only connection, and whether it is to a copy, because another process writes the index.

    `writes` is the one file or folder that it may write; `unsafe`: it may read and write all that the user may. With a
    `scratch` no other connection of this process may be open, for they share their settings.
    """
    is_settled_later = unsafe or writes is not None or scratch is not None
    config = (scratch.config() if scratch else {**LOCAL, **LIMITS}) if is_settled_later else SAFE
    try:
        connection = connect(path, patience, read_only=True, config=config)
        copy = None
    except OurselvesError:
        # To open and close the file ourselves would drop our own lock (POSIX).
        raise
    except HeldError:
        try:
            copy = copied(path, patience, scratch.copy if scratch else None)
        except OSError as error:
            raise HeldError(f"expected to copy the index, found: {error.strerror}, at {path}") from None
        connection = connect(copy, 0, read_only=True, config=config)
    is_free = True
    try:
        if is_settled_later and not unsafe:
            _confine_access(connection, writes)
        stamp_of(connection, copy or path)
        yield connection, copy is not None
    except UnstoppedInterrupt:
        # Closing it would wait for the query.
        is_free = False
        raise
    finally:
        if is_free:
            connection.close()
        if copy is not None:
            remove(copy)


def _confine_access(connection: duckdb.DuckDBPyConnection, writes: Path | None) -> None:
    """Allow access to this file only, or to those of this folder.

    This cannot be given with the connection: DuckDB has to know what is allowed before it forbids the rest.
    """
    if writes is not None:
        what = "allowed_directories" if writes.is_dir() else "allowed_paths"
        run(connection, f"SET {what} = [{quoted(str(writes))}]")
    run(connection, "SET enable_external_access = false")
    run(connection, "SET lock_configuration = true")


def stamp_of(connection: duckdb.DuckDBPyConnection, path: Path) -> str:
    """The stamp of the last update. Raises unless the file is an index of ours and of this version.

    DuckDB checks the checksum of a block when it reads the block, not before.
    """
    try:
        rows = run(connection, "SELECT schema, written_by, stamp FROM meta")
    except duckdb.Error as error:
        _check_is_ours(connection, path)
        raise UnfitError(f"expected an index, found: {first_line(error)}, at {path}") from None
    if [row[:2] for row in rows] != [(SCHEMA, version())]:
        versions = ", ".join(f"{row[0]} of spyrium-log {row[1]}" for row in rows) or "none"
        expected = f"{SCHEMA} of spyrium-log {version()}"
        raise UnfitError(f"expected an index of version {expected}, found {versions}, at {path}")
    return str(rows[0][2])


def _check_is_ours(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse a database that is no index of ours: an unfit index would be replaced."""
    with suppress(duckdb.Error):
        tables = {name for (name,) in run(connection, "SELECT table_name FROM duckdb_tables()")}
        if tables and "meta" not in tables:
            raise ReadModelError(f"expected an index of ours, found another database, at {path}")


def copied(path: Path, patience: float, copy: Path | None = None) -> Path:
    """A copy of a file that another process has open, made while nothing in it changed."""
    copy = copy or sibling(path, BARE_SUFFIX)
    until = time.monotonic() + max(patience, 0.1)
    try:
        while time.monotonic() < until:
            before = _file_marks(path)
            _copy_file(path, copy)
            wal(copy).unlink(missing_ok=True)
            if wal(path).exists():
                _copy_file(wal(path), wal(copy))
            if _file_marks(path) == before:
                return copy
    except OSError:
        remove(copy)
        raise
    remove(copy)
    raise HeldError(f"expected the index to rest for a moment, found it being written, at {path}")


def _file_marks(path: Path) -> list[tuple[int, int, int]]:
    """What changes when somebody writes the file."""
    stats = [file.stat() for file in (path, wal(path)) if file.exists()]
    return [(stat.st_ino, stat.st_size, stat.st_mtime_ns) for stat in stats]


def _copy_file(path: Path, copy: Path) -> None:
    """Copy the bytes of a file."""
    with path.open("rb") as source, copy.open("wb") as target:
        while chunk := source.read(COPY_CHUNK):
            target.write(chunk)
