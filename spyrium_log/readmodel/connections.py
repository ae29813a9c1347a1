"""Connections to the one DuckDB file, their settings, and their errors. The file is never trusted.

One process writes a file, and while it does, nobody else may even read; many read together, and while they do, nobody
writes. So whoever writes does it in one short transaction, and everybody tries again for a while.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from importlib import metadata
from multiprocessing import cpu_count
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import duckdb

from spyrium_log.errors import HeldError, ReadModelError, UnfitError

# The version of tables, rows, views and macros. Raise it with any change of them: other files are built anew.
SCHEMA = 15
# Seconds to wait for an index that another process holds.
PATIENCE = 2.0
# Seconds before the next attempt to open it, which double from the first to the longest.
_FIRST_WAIT, _LONGEST_WAIT = 0.005, 0.2

Config: TypeAlias = dict[str, str | bool | int | float | list[str]]
Parameters: TypeAlias = Sequence[object] | Mapping[str, object]

# A typing error must not become a network call, so nothing is ever installed or loaded by itself.
LOCAL: Config = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}
LIMITS: Config = {"memory_limit": "4GB", "max_temp_directory_size": "4GB", "threads": min(4, cpu_count())}
# By default DuckDB fills memory with what it wrote, and DuckDB 2 writes files that DuckDB 1.5 cannot open, which is the
# shell that most people have.
WRITER: Config = {**LOCAL, **LIMITS, "memory_limit": "256MB", "storage_compatibility_version": "v1.4.0"}
# Given with the connection, not SET after it: connections of one process to one file share their settings, and the
# second could set nothing that the first has locked. The lock is last.
SAFE: Config = {**LOCAL, **LIMITS, "enable_external_access": False, "lock_configuration": True}

# Characters of a message of DuckDB that ours quotes.
_MOST_QUOTED = 300
_HELD = re.compile(r"Could not set lock on file|used by another process")
_SHARED = "different configuration than existing"
# Errors of the machine, not of the file.
_MACHINE = re.compile(
    r"Permission denied|No space left|Disk quota|Is a directory|No such file or directory|Read-only file system"
    r"|Too many open files|Input/output error|File too large",
    re.IGNORECASE,
)
# Messages of the C++ library and the system that DuckDB passes on.
_MEMORY = re.compile(
    r"bad_alloc|Allocation failure|failed to allocate|out of memory|Cannot allocate memory"
    r"|Resource temporarily unavailable",
    re.IGNORECASE,
)
_DAMAGE = re.compile(
    r"Corrupt (?:database|WAL) file|Could not read enough bytes|does not match stored checksum|not a valid DuckDB"
    r"|WAL does not match|Failed to deserialize|Serialization Error",
    re.IGNORECASE,
)


class OurselvesError(HeldError):
    """A thread of this process has the file open in another way."""


def first_line(error: Exception) -> str:
    """The first line of DuckDB's message, or the beginning of a long one: without its kind, as `Binder Error`."""
    # only its kind says that memory is what there is too little of
    text = str(error).partition("\n")[0].replace("Out of Memory Error: ", "out of memory: ", 1)
    return re.sub(r"^(?:[A-Z]\w+ )+Error: ", "", text)[:_MOST_QUOTED]


def run(connection: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters = ()) -> list[tuple[Any, ...]]:
    """Run a statement and return all its rows: an unfinished result would block the connection (DuckDB 2)."""
    try:
        return connection.execute(sql, parameters or None).fetchall()
    except RuntimeError as error:
        if "interrupted" not in str(error):
            raise
        # DuckDB turns Ctrl-C in the main thread into this error.
        raise KeyboardInterrupt from None


def is_out_of_memory(error: duckdb.Error) -> bool:
    """Whether the query wanted more memory or disk space than DuckDB may take, or than there is."""
    return isinstance(error, duckdb.OutOfMemoryException) or _MEMORY.search(str(error)) is not None


def is_damage(error: duckdb.Error) -> bool:
    """Whether the file itself is at fault, and not the query or the machine: then it has to be built anew."""
    return isinstance(error, duckdb.SerializationException) or _DAMAGE.search(str(error)) is not None


def make_file_error(error: duckdb.Error, path: Path) -> ReadModelError:
    """Our error for a file that DuckDB cannot open or write: it is held, out of reach, or no index."""
    text = str(error)
    if _SHARED in text:
        return OurselvesError("held-here", place=str(path))
    if _HELD.search(text):
        # DuckDB's message tells the id of the process, or not.
        holder = re.search(r"\(PID (\d+)\)", text)
        place = str(path)
        return HeldError("held-by", process=holder[1], place=place) if holder else HeldError("held", place=place)
    if isinstance(error, duckdb.OutOfMemoryException) or _MACHINE.search(text):
        return ReadModelError("cannot-open", found=first_line(error), place=str(path))
    return UnfitError("unfit", found=first_line(error), place=str(path))


def open_connection(path: Path, config: Config, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """A connection without a progress bar.

    Where DuckDB takes Python for interactive, a connection draws one. No configuration forbids it, and a locked
    connection takes no SET; but a cursor of it draws none. The connection itself goes with this call.
    """
    return duckdb.connect(str(path), read_only=read_only, config=config).cursor()


def connect(
    path: Path, *, read_only: bool, config: Config | None = None, patience: float | None = None
) -> duckdb.DuckDBPyConnection:
    """Connect to the file, with a `config` (default: ours); while others hold it, try again for `patience` seconds."""
    if read_only and not path.exists():
        raise UnfitError("missing", place=str(path))
    if path.exists() and not path.is_file():
        # DuckDB would wait for the writer of a pipe.
        raise ReadModelError("no-file", place=str(path))
    until = time.monotonic() + (PATIENCE if patience is None else patience)
    wait = _FIRST_WAIT
    while True:
        try:
            return open_connection(path, config or (SAFE if read_only else WRITER), read_only=read_only)
        except duckdb.Error as error:
            fault = make_file_error(error, path)
        seconds_left = until - time.monotonic()
        if not isinstance(fault, HeldError) or seconds_left <= 0:
            raise fault
        time.sleep(min(wait, seconds_left))
        wait = min(_LONGEST_WAIT, wait * 2)


@cache
def installed_version() -> str:
    """The version of this package, whose rules made the verdicts in the index."""
    try:
        return metadata.version("spyrium-log")
    except metadata.PackageNotFoundError:
        return "unknown"


def quote_sql(text: str) -> str:
    """A text in quotes, as SQL writes it; UnicodeEncodeError for one that is not UTF-8, as names of files may be."""
    text.encode()
    return "'" + text.replace("'", "''") + "'"


SUFFIX = ".duckdb"
# Seconds after which the leftovers of a killed build are removed.
STALE = 24 * 3600.0
# Random bytes, each of two hexadecimal digits, in the names of files beside the index.
_TOKEN_BYTES = 8


def index_path(database: Path) -> Path:
    """The resolved path of an index. The file may be replaced at any time, so it must be named like one of ours."""
    path = database.resolve()
    if path.suffix != SUFFIX:
        raise ReadModelError("suffix", suffix=SUFFIX, found=str(database))
    if "?" in str(path):
        # DuckDB would put the write-ahead log elsewhere: it cuts names at the question mark.
        raise ReadModelError("question-mark", found=str(path))
    return path


def wal_path(path: Path) -> Path:
    """The path of the write-ahead log, where DuckDB writes what it has not yet moved into the file."""
    return path.with_name(f"{path.name}.wal")


def make_sibling_path(path: Path, suffix: str) -> Path:
    """An unused hidden path beside the file, for what replaces it or is removed in the end."""
    return path.with_name(f".{path.stem}.{secrets.token_hex(_TOKEN_BYTES)}{suffix}")


def remove_database(path: Path) -> None:
    """Remove a file and its write-ahead log, if they are there."""
    for file in (wal_path(path), path):
        with suppress(OSError):
            file.unlink(missing_ok=True)


def remove_leftovers(path: Path) -> None:
    """Remove what killed processes left beside the file, once it is old."""
    # as make_sibling_path names them
    pattern = re.compile(rf"\.{re.escape(path.stem)}\.[0-9a-f]{{{2 * _TOKEN_BYTES}}}\.")
    with suppress(OSError):
        for file in path.parent.iterdir():
            if not pattern.match(file.name) or time.time() - file.stat().st_mtime <= STALE:
                continue
            if file.is_dir():
                # the blocks that a killed query had no memory for
                remove_folder(file)
            else:
                file.unlink(missing_ok=True)


def remove_folder(folder: Path) -> None:
    """Remove a folder with all that is in it, as far as the disk lets us; none need be there."""
    with suppress(OSError):
        for path in folder.iterdir():
            remove_folder(path) if path.is_dir() else path.unlink()
        folder.rmdir()


# Seconds to wait for the end of an interrupted query, which checks for it between rows alone; and between attempts.
GRACE = 1.0
_BETWEEN_STOPS = 0.05
_WORKER = "a question to DuckDB"

Result = TypeVar("Result")


class UnstoppedInterrupt(KeyboardInterrupt):
    """Ctrl-C, and the work goes on all the same: its connection must be left alone."""


def run_stoppably(work: Callable[[], Result], stop: Callable[[], None]) -> Result:
    """Do the work in another thread and return its result; Ctrl-C calls `stop`, and waits for the end for a moment."""
    # in the main thread DuckDB checks for Ctrl-C now and then, with more threads than cores hardly ever
    result: Future[Result] = Future()

    def set_result() -> None:
        """Hand what the work returns or raises to the thread that waits for it."""
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            result.set_exception(error)

    worker = threading.Thread(target=set_result, name=_WORKER, daemon=True)
    try:
        worker.start()
        return result.result()
    except KeyboardInterrupt:
        if worker.is_alive() and not _stop_within_grace(worker, stop):
            raise UnstoppedInterrupt from None
        raise


def _stop_within_grace(worker: threading.Thread, stop: Callable[[], None]) -> bool:
    """Interrupt the work until it ends; False if it does not within the grace, or on a second Ctrl-C."""
    deadline = time.monotonic() + GRACE
    try:
        while worker.is_alive() and time.monotonic() < deadline:
            # Again and again: a statement that has not begun yet is not interrupted.
            stop()
            worker.join(_BETWEEN_STOPS)
    except KeyboardInterrupt:
        return False
    return not worker.is_alive()


def is_still_at_work() -> bool:
    """Whether an interrupted query still runs. The process should then end without waiting for it."""
    return any(thread.name == _WORKER for thread in threading.enumerate())
