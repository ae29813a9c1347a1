"""What `spyrium doctor` checks of the archive: who writes to it, its index and its logs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, NamedTuple

from spyrium_cli.games.headers import list_latest_logs
from spyrium_cli.parallel.processes import process_count
from spyrium_cli.render.surface import with_progress
from spyrium_cli.render.text import count_text
from spyrium_cli.session import Session
from spyrium_cli.sql.index import INDEX_FILE
from spyrium_log.errors import SpyriumLogError, UnfitError
from spyrium_log.store import Folder

if TYPE_CHECKING:
    from spyrium_log.readmodel.verification import Verification

# How many logs or values of one kind are listed.
MOST_LISTED = 5
# As long as the sentence of an event.
LONGEST_VALUE = 120
# A line of /proc/locks, such as `1: FLOCK ADVISORY WRITE 4711 fe:01:1234 0 EOF`: the process, and the file's inode.
_LOCK = re.compile(r" FLOCK .* (\d+) \w+:\w+:(\d+) ")


class Check(NamedTuple):
    """The result of one check."""

    subject: str
    result: Literal["ok", "note", "wrong"]
    message: str


def check_locks(session: Session) -> Check:
    """Name the processes that write to a log now, where the system lists locks."""
    try:
        rows = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return Check("locks", "note", "this system does not list them")
    processes = {lock[2]: lock[1] for lock in map(_LOCK.search, rows) if lock}
    writers = []
    for path in list_latest_logs(session.archive):
        try:
            inode = str(path.stat().st_ino)
        except OSError:
            continue
        if inode in processes:
            writers.append(f"process {processes[inode]} writes {path.name}")
    return Check("locks", "note" if writers else "ok", "; ".join(writers) or "nobody writes")


def check_index(session: Session) -> Check:
    """The size of the index, and whether a log is newer."""
    path = session.archive / INDEX_FILE
    try:
        status = path.stat()
        newest = next((log.stat().st_mtime_ns for log in list_latest_logs(session.archive)), 0)
    except FileNotFoundError:
        return Check("index", "ok", "not there yet; the first question makes it")
    except OSError as error:
        return Check("index", "wrong", f"{error.strerror}, at {path}")
    is_old = newest > status.st_mtime_ns
    state = "older than the newest log; the next question brings it up to date" if is_old else "up to date"
    return Check("index", "ok", f"{status.st_size >> 10} KB, {state}")


def compare_index(session: Session, sample: int | None, *, quiet: bool) -> Iterator[Check]:
    """Compare the index with the logs of so many games (None: of all); nothing where there is no index."""
    path = session.archive / INDEX_FILE
    if not path.is_file():
        return
    try:
        verification = _verify_index(session, path, sample, quiet=quiet)
    except UnfitError as error:
        yield Check("tables", "note", f"{error}; the next question makes it anew")
        return
    except (SpyriumLogError, OSError) as error:
        yield Check("tables", "note", f"not compared with the logs: {error}")
        return
    deviations = verification.deviations
    message = f"{count_text(verification.games, 'game')}, {verification.compared} of them compared with their logs"
    if verification.outdated:
        message += f"; {count_text(verification.outdated, 'file')} changed since, which the next question reads"
    if deviations:
        message += f"; {count_text(len(deviations), 'deviation')}: spyrium index --rebuild makes the index anew"
    yield Check("tables", "wrong" if deviations else "ok", message)
    for deviation in deviations[:MOST_LISTED]:
        values = f"expected {_shorten(deviation.expected)!r}, found {_shorten(deviation.found)!r}"
        place = f"{deviation.table}.{deviation.column} of {deviation.subject}"
        yield Check("table", "wrong", f"{values}, at {place}")


def _verify_index(session: Session, path: Path, sample: int | None, *, quiet: bool) -> Verification:
    """Compare the rows of so many games (None: of all) with those of a temporary index that is made anew."""
    from spyrium_log.readmodel.sources import sources_of
    from spyrium_log.readmodel.verification import verify

    folder = session.folder()
    with TemporaryDirectory(prefix="spyrium-") as scratch:
        return verify(
            path,
            sources_of(folder, anywhere=True),
            Path(scratch) / INDEX_FILE,
            sample=sample,
            watch=partial(with_progress, verb="compared", quiet=quiet),
            processes=process_count(),
            aliases=folder.read_aliases(),
        )


def _shorten(text: str) -> str:
    """A text, cut after `LONGEST_VALUE` characters."""
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


def read_logs(session: Session, *, quiet: bool) -> Iterator[Check]:
    """Read every log to its end, without checking its rules."""
    folder = session.folder()
    try:
        names = folder.list_names()
        torn = [path.name for path in folder.path.glob("*.torn*")] if folder.path.is_dir() else []
    except (SpyriumLogError, OSError) as error:
        yield Check("logs", "wrong", str(error))
        return
    unreadable: list[str] = []
    unfinished: list[str] = []
    for name in with_progress(names, len(names), "read", quiet=quiet):
        message, is_mendable = _read_log(folder, name)
        if message:
            (unfinished if is_mendable else unreadable).append(message)
    summary = f"{count_text(len(names), 'log')}, {len(unreadable)} cannot be read"
    yield Check("logs", "wrong" if unreadable else "ok", summary)
    yield from (Check("log", "wrong", message) for message in unreadable[:MOST_LISTED])
    yield from (Check("log", "note", f"unfinished: {message}") for message in unfinished[:MOST_LISTED])
    if torn:
        yield Check("torn ends", "note", f"{len(torn)} kept beside their logs, such as {min(torn)}")


def _read_log(folder: Folder, name: str) -> tuple[str, bool]:
    """Why a log cannot be read (empty: it can), and whether the next writer mends it."""
    try:
        log = folder.read_log(name)
    except SpyriumLogError as error:
        return str(error), False
    if log.complaint is None:
        return "", False
    return str(log.complaint), bool(log.damage and log.damage.is_mendable)
