"""The index opened to read: as it is, or a copy of what another process last wrote."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import duckdb

from spyrium_log.errors import HeldError, ReadModelError, UnfitError
from spyrium_log.readmodel import connections
from spyrium_log.readmodel.connections import (
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
    installed_version,
    make_sibling_path,
    quote_sql,
    remove_database,
    remove_folder,
    run,
    wal_path,
)

COPY_CHUNK = 1 << 20
# Seconds in which a copy is tried at the least.
LEAST_PATIENCE = 0.1


@contextmanager
def open_index(path: Path, patience: float | None = None) -> Iterator[tuple[duckdb.DuckDBPyConnection, str]]:
    """For the block a read-only connection to an index of our version, and the stamp of its last update."""
    with closing(connect(path, read_only=True, patience=patience)) as connection:
        yield connection, read_stamp(connection, path)


class Scratch(NamedTuple):
    """What a process that answers one query may use: bytes of memory, and files of this prefix; others remove them."""

    memory: int
    files: Path

    @classmethod
    def beside(cls, database: Path, memory: int) -> Scratch:
        """So much memory, and an unused prefix for files beside the index."""
        return cls(memory, make_sibling_path(index_path(database), ""))

    @property
    def overflow(self) -> Path:
        """The folder for blocks that have no room in memory."""
        return self.files.with_name(f"{self.files.name}.tmp")

    @property
    def copy(self) -> Path:
        """The copy of an index that another process writes."""
        return self.files.with_name(f"{self.files.name}{SUFFIX}")

    def remove(self) -> None:
        """Remove the files that the query left."""
        remove_database(self.copy)
        remove_folder(self.overflow)

    def config(self) -> Config:
        """The settings of DuckDB within these limits."""
        return {**LOCAL, **LIMITS, "memory_limit": f"{self.memory >> 10}KiB", "temp_directory": str(self.overflow)}


@contextmanager
def open_index_or_copy(
    path: Path, *, unsafe: bool = False, writes: Path | None = None, scratch: Scratch | None = None
) -> Iterator[tuple[duckdb.DuckDBPyConnection, bool]]:
    """For the block a read-only connection, and whether it is to a copy, because another process writes the index.

    `writes` is the one file or folder that it may write; `unsafe`: it may read and write all that the user may. With a
    `scratch` no other connection of this process may be open, for they share their settings.
    """
    config = SAFE
    if scratch is not None:
        config = scratch.config()
    elif unsafe or writes is not None:
        config = {**LOCAL, **LIMITS}
    connection, copy = _connect_or_copy(path, config, scratch.copy if scratch else None)
    is_still_querying = False
    try:
        if config is not SAFE and not unsafe:
            _confine_access(connection, writes)
        read_stamp(connection, copy or path)
        yield connection, copy is not None
    except UnstoppedInterrupt:
        # closing the connection would wait for the query
        is_still_querying = True
        raise
    finally:
        if not is_still_querying:
            connection.close()
        if copy is not None:
            remove_database(copy)


def _connect_or_copy(path: Path, config: Config, copy: Path | None) -> tuple[duckdb.DuckDBPyConnection, Path | None]:
    """A connection to the index and None; or, where another process writes it, to a copy, and the copy's path."""
    try:
        return connect(path, read_only=True, config=config), None
    except OurselvesError:
        # to open and close the file ourselves would drop our own lock (POSIX)
        raise
    except HeldError:
        try:
            copy = copy_held_index(path, copy)
        except OSError as error:
            raise HeldError("cannot-copy", found=str(error.strerror), place=str(path)) from None
    return connect(copy, read_only=True, config=config, patience=0), copy


def _confine_access(connection: duckdb.DuckDBPyConnection, writes: Path | None) -> None:
    """Forbid a query access to all files but this one, or those of this folder (None: to all)."""
    # Not given with the connection: DuckDB has to know what is allowed before it forbids all else.
    if writes is not None:
        setting = "allowed_directories" if writes.is_dir() else "allowed_paths"
        run(connection, f"SET {setting} = [{quote_sql(str(writes))}]")
    run(connection, "SET enable_external_access = false")
    run(connection, "SET lock_configuration = true")


def read_stamp(connection: duckdb.DuckDBPyConnection, path: Path) -> str:
    """The stamp of the last update; UnfitError unless the file seems to be an index of this version."""
    try:
        rows = run(connection, "SELECT schema, written_by, stamp FROM meta")
    except duckdb.Error as error:
        _check_is_ours(connection, path)
        raise UnfitError("unfit", found=first_line(error), place=str(path)) from None
    expected = f"{SCHEMA} of spyrium-log {installed_version()}"
    versions = ", ".join(f"{schema} of spyrium-log {version}" for schema, version, _ in rows) or "none"
    if versions != expected:
        raise UnfitError("version", expected=expected, found=versions, place=str(path))
    ((_, _, stamp),) = rows
    return str(stamp)


def _check_is_ours(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse a database that somebody else made: taken for an unfit index of ours, it would be replaced."""
    # a file that says nothing of its tables may be replaced
    with suppress(duckdb.Error):
        tables = {name for (name,) in run(connection, "SELECT table_name FROM duckdb_tables()")}
        if tables and "meta" not in tables:
            raise ReadModelError("foreign", place=str(path))


def copy_held_index(path: Path, copy: Path | None = None) -> Path:
    """Copy an index that another process has open, to `copy` or beside it; HeldError if it changes all the time."""
    copy = copy or make_sibling_path(path, SUFFIX)
    until = time.monotonic() + max(connections.PATIENCE, LEAST_PATIENCE)
    try:
        while time.monotonic() < until:
            before = _stat_files(path)
            _copy_file(path, copy)
            wal_path(copy).unlink(missing_ok=True)
            if wal_path(path).exists():
                _copy_file(wal_path(path), wal_path(copy))
            if _stat_files(path) == before:
                return copy
    except OSError:
        remove_database(copy)
        raise
    remove_database(copy)
    raise HeldError("being-written", place=str(path))


def _stat_files(path: Path) -> list[tuple[int, int, int]]:
    """Inode, size and time of the file and its write-ahead log: one of them changes when somebody writes."""
    stats = [file.stat() for file in (path, wal_path(path)) if file.exists()]
    return [(stat.st_ino, stat.st_size, stat.st_mtime_ns) for stat in stats]


def _copy_file(path: Path, copy: Path) -> None:
    """Copy the bytes of a file, never all of them in memory; a copy that is there already is overwritten."""
    with path.open("rb") as source, copy.open("wb") as target:
        while chunk := source.read(COPY_CHUNK):
            target.write(chunk)
