"""The one DuckDB file: opened to read, opened to write, or built beside and moved into place. Never trusted.

One process writes a file, and while it does, nobody else may even read; many read together, and while they do, nobody
writes. So whoever writes does it in one short transaction, and everybody asks again for a while.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import cache
from importlib import metadata, resources
from multiprocessing import cpu_count
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import duckdb

from spyrium_log.errors import HeldError, ReadModelError, UnfitError
from spyrium_log.readmodel.history import history_sql
from spyrium_log.readmodel.interrupts import UnstoppedInterrupt

# The number of all that is in the file: tables, what rows.py puts into them, views, macros. Raise it with any change.
SCHEMA = 9
PATIENCE = 2.0
SUFFIX = ".duckdb"
_BARE = SUFFIX.removeprefix(".")
# What a build that was killed left behind is swept after so many seconds.
STALE = 24 * 3600.0
COPY_CHUNK = 1 << 20

Config: TypeAlias = dict[str, str | bool | int | float | list[str]]
Parameters: TypeAlias = Sequence[object] | Mapping[str, object]

# A typing error must not become a network call, so nothing is ever installed or loaded by itself.
LOCAL: Config = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}
LIMITS: Config = {
    "memory_limit": "4GB",
    "max_temp_directory_size": "4GB",
    "threads": min(4, cpu_count()),
}
# So many batches make a transaction: after each DuckDB writes the ends of its tables anew.
TOGETHER = 8
# After so many batches a file that grows is closed and opened again.
FORGETTING = 5 * TOGETHER
# So often a load that has lost its purpose is told to stop, in seconds.
HASTE = 0.05
# Left alone, DuckDB keeps what it wrote in memory until that is nearly full. What DuckDB 2 writes by itself DuckDB 1.5
# cannot open, which is the shell that most people have.
WRITER: Config = {
    **LOCAL,
    **LIMITS,
    "memory_limit": "256MB",
    "storage_compatibility_version": "v1.4.0",
}
# Handed over with the connection and not SET one by one after it: connections of one process to one file share their
# settings, and the second could set nothing that the first has locked. In this order all the same: the lock is last.
SAFE: Config = {
    **LOCAL,
    **LIMITS,
    "enable_external_access": False,
    "lock_configuration": True,
}

_HELD = re.compile(r"Could not set lock on file|used by another process")
_SHARED = "different configuration than existing"
# What the machine refuses says nothing about the file.
_MACHINE = re.compile(
    r"Permission denied|No space left|Disk quota|Is a directory|No such file or directory|Read-only file system"
    r"|Too many open files|Input/output error|File too large",
    re.IGNORECASE,
)
# What the C++ library and the system say where DuckDB has no words of its own.
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


class OvertakenError(Exception):
    """Another process changed the file between our look at it and our turn to write. Look again."""


class _OurselvesError(HeldError):
    """A thread of this process has the file open in another way."""


def placed(database: Path) -> Path:
    """Where the file really is. It may be replaced at any time, so it must look like one of ours."""
    path = database.resolve()
    if path.suffix != SUFFIX:
        raise ReadModelError(f"expected an index named *{SUFFIX}, found '{database}'")
    if "?" in str(path):
        # DuckDB would put the write-ahead log elsewhere: it cuts names at the question mark.
        raise ReadModelError(f"expected an index in a folder without '?' in its name, found '{path}'")
    return path


def first_line(error: Exception) -> str:
    """DuckDB's message without its kind and its picture."""
    text = str(error).partition("\n")[0].replace("Out of Memory Error: ", "out of memory: ", 1)
    return re.sub(r"^(?:[A-Z]\w+ )+Error: ", "", text)[:300]


def run(connection: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters = ()) -> list[tuple[Any, ...]]:
    """All rows at once: an unfinished result would block the connection (DuckDB 2)."""
    try:
        return connection.execute(sql, parameters or None).fetchall()
    except RuntimeError as error:
        if "interrupted" not in str(error):
            raise
        # What DuckDB makes of Ctrl-C in the main thread.
        raise KeyboardInterrupt from None


def is_out_of_memory(error: duckdb.Error) -> bool:
    return isinstance(error, duckdb.OutOfMemoryException) or _MEMORY.search(str(error)) is not None


def is_damage(error: duckdb.Error) -> bool:
    return isinstance(error, duckdb.SerializationException) or _DAMAGE.search(str(error)) is not None


def _fault(error: duckdb.Error, path: Path) -> ReadModelError:
    """What it means that a file cannot be opened or written."""
    text = str(error)
    if _SHARED in text:
        return _OurselvesError(f"expected the index to be free, found it held by this process, at {path}")
    if _HELD.search(text):
        return HeldError(f"expected the index to be free, found it held by {_holder(text)}, at {path}")
    if isinstance(error, duckdb.OutOfMemoryException) or _MACHINE.search(text):
        return ReadModelError(f"expected to open the index, found: {first_line(error)}, at {path}")
    return UnfitError(f"expected an index, found: {first_line(error)}, at {path}")


def _holder(text: str) -> str:
    match = re.search(r"\(PID (\d+)\)", text)
    return f"process {match[1]}" if match else "another process"


def _opened(path: Path, config: Config, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """A connection that draws nothing.

    Where DuckDB takes Python for interactive, a connection draws a progress bar. No configuration may forbid that, and
    once it is locked, no SET; but of a connection it makes another one that draws none. The first goes with this call.
    """
    return duckdb.connect(str(path), read_only=read_only, config=config).cursor()


def _connect(
    path: Path, patience: float, *, read_only: bool, config: Config | None = None
) -> duckdb.DuckDBPyConnection:
    if read_only and not path.exists():
        raise UnfitError(f"expected an index, found none, at {path}")
    if path.exists() and not path.is_file():
        # DuckDB would wait for whoever writes to a pipe
        raise ReadModelError(f"expected an index, found no regular file, at {path}")
    until = time.monotonic() + patience
    wait = 0.005
    while True:
        try:
            return _opened(path, config or (SAFE if read_only else WRITER), read_only=read_only)
        except duckdb.Error as error:
            fault = _fault(error, path)
        left = until - time.monotonic()
        if not isinstance(fault, HeldError) or left <= 0:
            raise fault
        time.sleep(min(wait, left))
        wait = min(0.2, wait * 2)


# --- reading -------------------------------------------------------------------------------------


@contextmanager
def reading(path: Path, patience: float) -> Iterator[tuple[duckdb.DuckDBPyConnection, str]]:
    """A safe connection that can change nothing, to a file of our version, and which update that stands at."""
    connection = _connect(path, patience, read_only=True)
    try:
        yield connection, stamp_of(connection, path)
    finally:
        connection.close()


class Scratch(NamedTuple):
    """What a process that answers one question may use: so many bytes of memory, and files whose names begin so.

    Whoever ends such a process in the middle removes its files.
    """

    memory: int
    files: Path

    @classmethod
    def beside(cls, database: Path, memory: int) -> Scratch:
        """Names of its own beside the index."""
        return cls(memory, sibling(placed(database), _BARE).with_suffix(""))

    @property
    def overflow(self) -> Path:
        """The folder for what has no room in memory."""
        return self.files.with_name(f"{self.files.name}.tmp")

    @property
    def copy(self) -> Path:
        """The index, where another process writes it."""
        return self.files.with_name(f"{self.files.name}{SUFFIX}")

    def remove(self) -> None:
        remove(self.copy)
        with suppress(OSError):
            _remove_folder(self.overflow)

    def config(self) -> Config:
        return {**LOCAL, **LIMITS, "memory_limit": f"{self.memory >> 10}KiB", "temp_directory": str(self.overflow)}


@contextmanager
def reading_as_is(
    path: Path, patience: float, *, unsafe: bool = False, writes: Path | None = None, scratch: Scratch | None = None
) -> Iterator[tuple[duckdb.DuckDBPyConnection, bool]]:
    """A safe connection; where a writer does not let go, to a copy of what it last wrote, and True.

    `writes` is the one file or folder that it may write; `unsafe`: it may read and write all that the user may. With a
    `scratch` nobody else in this process may have the file open, for they would share its settings.
    """
    is_settled_later = unsafe or writes is not None or scratch is not None
    config = (scratch.config() if scratch else {**LOCAL, **LIMITS}) if is_settled_later else SAFE
    try:
        connection = _connect(path, patience, read_only=True, config=config)
        copy = None
    except _OurselvesError:
        # To open and close the file ourselves would take our own lock off it (POSIX).
        raise
    except HeldError:
        try:
            copy = _copied(path, patience, scratch.copy if scratch else None)
        except OSError as error:
            raise HeldError(f"expected to copy the index, found: {error.strerror}, at {path}") from None
        connection = _connect(copy, 0, read_only=True, config=config)
    is_free = True
    try:
        if is_settled_later and not unsafe:
            _confine(connection, writes)
        stamp_of(connection, copy or path)
        yield connection, copy is not None
    except UnstoppedInterrupt:
        # To close it would be to wait for it.
        is_free = False
        raise
    finally:
        if is_free:
            connection.close()
        if copy is not None:
            remove(copy)


def _confine(connection: duckdb.DuckDBPyConnection, writes: Path | None) -> None:
    """No file but this one, or those of this folder.

    It cannot come with the connection: DuckDB wants to hear what is allowed before it closes the rest.
    """
    if writes is not None:
        what = "allowed_directories" if writes.is_dir() else "allowed_paths"
        run(connection, f"SET {what} = [{quoted(str(writes))}]")
    run(connection, "SET enable_external_access = false")
    run(connection, "SET lock_configuration = true")


def quoted(text: str) -> str:
    """A text as SQL writes it. DuckDB takes UTF-8 alone, and would end in an error that says nothing of it."""
    text.encode()
    return "'" + text.replace("'", "''") + "'"


def stamp_of(connection: duckdb.DuckDBPyConnection, path: Path) -> str:
    """Which update the file stands at. Raises unless it is an index of ours and of this version.

    Every block of it has a checksum that is looked at when the block is read, and not before.
    """
    try:
        found = run(connection, "SELECT schema, written_by, stamp FROM meta")
    except duckdb.Error as error:
        _leave_others_alone(connection, path)
        raise UnfitError(f"expected an index, found: {first_line(error)}, at {path}") from None
    if [row[:2] for row in found] != [(SCHEMA, version())]:
        said = ", ".join(f"{row[0]} of spyrium-log {row[1]}" for row in found) or "none"
        wanted = f"{SCHEMA} of spyrium-log {version()}"
        raise UnfitError(f"expected an index of version {wanted}, found {said}, at {path}")
    return str(found[0][2])


def _leave_others_alone(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """What is unfit is built anew, so a database that is no index of ours must not be called unfit."""
    with suppress(duckdb.Error):
        tables = {name for (name,) in run(connection, "SELECT table_name FROM duckdb_tables()")}
        if tables and "meta" not in tables:
            raise ReadModelError(f"expected an index of ours, found another database, at {path}")


@cache
def version() -> str:
    """The version of this package, whose rules made the verdicts in the index."""
    try:
        return metadata.version("spyrium-log")
    except metadata.PackageNotFoundError:
        return "unknown"


def _copied(path: Path, patience: float, copy: Path | None = None) -> Path:
    """A copy of a file that another process has open, made while nothing in it changed."""
    copy = copy or sibling(path, _BARE)
    until = time.monotonic() + max(patience, 0.1)
    try:
        while time.monotonic() < until:
            before = _marks(path)
            _copy(path, copy)
            wal(copy).unlink(missing_ok=True)
            if wal(path).exists():
                _copy(wal(path), wal(copy))
            if _marks(path) == before:
                return copy
    except OSError:
        remove(copy)
        raise
    remove(copy)
    raise HeldError(f"expected the index to rest for a moment, found it being written, at {path}")


def _marks(path: Path) -> list[tuple[int, int, int]]:
    stats = [file.stat() for file in (path, wal(path)) if file.exists()]
    return [(stat.st_ino, stat.st_size, stat.st_mtime_ns) for stat in stats]


def _copy(path: Path, copy: Path) -> None:
    with path.open("rb") as source, copy.open("wb") as target:
        while chunk := source.read(COPY_CHUNK):
            target.write(chunk)


# --- writing -------------------------------------------------------------------------------------


@contextmanager
def writing(path: Path, patience: float, stamp: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """One transaction onto the file as it was at `stamp`; all of it, or nothing."""
    connection = _connect(path, patience, read_only=False)
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
    """A file that nobody else knows of, written in batches: each in a thread, while the next is made.

    DuckDB remembers a little of each until the file is closed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._batches = 0
        self._connection = _opened(path, WRITER)
        self._thread = ThreadPoolExecutor(1, "spyrium-load")
        self._under_way: Future[None] | None = None

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """Once what is under way is there; what went wrong with it is raised here."""
        if self._under_way is not None:
            self._under_way.result()
            self._under_way = None
        return self._connection

    def load(self, batch: Callable[[duckdb.DuckDBPyConnection], None]) -> None:
        """Begin with a batch after the one before it."""
        self._under_way = self._thread.submit(self._loaded, self.connection, batch)

    def _loaded(
        self, connection: duckdb.DuckDBPyConnection, batch: Callable[[duckdb.DuckDBPyConnection], None]
    ) -> None:
        if self._batches % TOGETHER == 0:
            run(connection, "BEGIN")
        batch(connection)
        self._batches += 1
        if self._batches % TOGETHER == 0:
            run(connection, "COMMIT")
        if self._batches % FORGETTING == 0:
            _settle(connection)
            connection.close()
            self._connection = _opened(self._path, WRITER)

    def settle(self) -> None:
        connection = self.connection
        if self._batches % TOGETHER:
            run(connection, "COMMIT")
        _settle(connection)

    def close(self) -> None:
        """What is still under way has lost its purpose."""
        while self._under_way is not None and wait([self._under_way], HASTE).not_done:
            # Each statement by itself; none where the file is just closed.
            with suppress(duckdb.Error):
                self._connection.interrupt()
        self._thread.shutdown()
        self._connection.close()


def _settle(connection: duckdb.DuckDBPyConnection) -> None:
    """Closing does it too, but a full disk would not be said."""
    run(connection, "CHECKPOINT")


@contextmanager
def building(path: Path, is_wanted: Callable[[], bool]) -> Iterator[Growing]:
    """A new file beside, empty tables in it, moved into place when all went well and it is still wanted."""
    sweep(path)
    with _moved(sibling(path, _BARE), path, is_wanted) as file:
        connection = file.connection
        run(connection, "BEGIN")
        tables, *rest = (
            resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
            for name in ("tables.sql", "views.sql", "macros.sql", "statistics.sql")
        )
        for sql in (tables, history_sql(tables), *rest):
            run(connection, sql)
        run(connection, "INSERT INTO meta VALUES (?, ?, ?)", [SCHEMA, version(), secrets.token_hex(8)])
        run(connection, "COMMIT")
        yield file


@contextmanager
def rewriting(path: Path, patience: float, stamp: str) -> Iterator[Growing]:
    """A copy of the file as it was at `stamp`, moved into place when all went well and it still is as it was.

    For what takes longer than others should wait: they read the file meanwhile.
    """

    def is_as_it_was() -> bool:
        with reading(path, patience) as (_, found):
            return found == stamp

    # Whoever can write is alone with it. For another thread that reads it, to copy it would take our lock off (POSIX).
    _connect(path, patience, read_only=False).close()
    try:
        copy = _copied(path, patience)
    except OSError as error:
        raise ReadModelError(f"expected to write the index, found: {error.strerror}, at {path}") from None
    with _moved(copy, path, is_as_it_was) as file:
        if stamp_of(file.connection, path) != stamp:
            raise OvertakenError
        run(file.connection, "UPDATE meta SET stamp = ?", [secrets.token_hex(8)])
        yield file


@contextmanager
def _moved(beside: Path, path: Path, is_wanted: Callable[[], bool]) -> Iterator[Growing]:
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
    fault = _fault(error, path)
    if isinstance(fault, HeldError) or is_damage(error):
        return fault
    return ReadModelError(f"expected to write the index, found: {first_line(error)}, at {path}")


# --- names ---------------------------------------------------------------------------------------


def wal(path: Path) -> Path:
    """Where DuckDB keeps what it has not yet moved into the file."""
    return path.with_name(f"{path.name}.wal")


def sibling(path: Path, suffix: str) -> Path:
    """A name of our own beside the file."""
    return path.with_name(f".{path.stem}.{secrets.token_hex(8)}.{suffix}")


def remove(path: Path) -> None:
    """A file and its write-ahead log, if they are there."""
    for file in (wal(path), path):
        with suppress(OSError):
            file.unlink(missing_ok=True)


def sweep(path: Path) -> None:
    """What a process that was killed left beside the file, once it is old enough to be nobody's."""
    pattern = re.compile(rf"\.{re.escape(path.stem)}\.[0-9a-f]{{16}}\.")
    with suppress(OSError):
        for file in path.parent.iterdir():
            if not pattern.match(file.name) or time.time() - file.stat().st_mtime <= STALE:
                continue
            if file.is_dir():
                _remove_folder(file)
            else:
                file.unlink(missing_ok=True)


def _remove_folder(folder: Path) -> None:
    """What DuckDB had no room for in memory."""
    for block in folder.iterdir():
        block.unlink(missing_ok=True)
    folder.rmdir()
