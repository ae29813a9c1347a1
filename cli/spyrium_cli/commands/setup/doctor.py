"""`spyrium doctor`: look for problems on this machine."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import REFUSED, Complaint, complaint_of, shorten
from spyrium_cli.games.headers import list_latest_logs
from spyrium_cli.options import option, quiet_option
from spyrium_cli.parallel.processes import process_count
from spyrium_cli.render.paper import console
from spyrium_cli.render.rows import formats, write
from spyrium_cli.render.surface import is_screen, with_progress
from spyrium_cli.render.text import count_text
from spyrium_cli.session import Session
from spyrium_cli.settings.file import directory
from spyrium_cli.settings.keys import KEYS, known_keys_hint
from spyrium_cli.settings.readings import NO_EDITION, edition_options, parse_options, seat_colours
from spyrium_cli.sheets.lookup import own_sheet_path, read_own_sheet
from spyrium_cli.sql.index import INDEX_FILE
from spyrium_log.errors import SpyriumLogError, UnfitError
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES

if TYPE_CHECKING:
    from spyrium_log.readmodel.verification import Verification

EPILOG = """\b
Examples:
  spyrium doctor
  spyrium doctor --all

The index is compared with the logs as it is; files that changed since are counted. Nothing is changed, and nothing
leaves this machine. Exit code 0: nothing is wrong. 1: something is."""

PACKAGES = ("spyrium-log", "click", "duckdb", "msgspec", "platformdirs", "rich", "segno", "textual")
EXTRAS = {"cryptography": "spyrium-log[sign]"}
OLDEST_PYTHON = (3, 11)
LEAST_FREE = 16 * 1024**2
# The default of the library, which is not loaded for this.
SAMPLE = 20
MOST_LISTED = 5
# As long as the sentence of an event.
LONGEST_VALUE = 120
# A line of /proc/locks, such as `1: FLOCK ADVISORY WRITE 4711 fe:01:1234 0 EOF`: the process, and the file's inode.
_LOCK = re.compile(r" FLOCK .* (?P<process>\d+) \w+:\w+:(?P<inode>\d+) ")


class Check(NamedTuple):
    """The result of one check."""

    subject: str
    result: Literal["ok", "note", "wrong"]
    message: str


@click.command("doctor", cls=Command, epilog=EPILOG)
@quiet_option
@click.option(
    "--sample",
    type=click.IntRange(0),
    default=SAMPLE,
    show_default=True,
    metavar="N",
    help="Games of the index whose rows are compared with their logs.",
)
@option("--all", "compares_all", is_flag=True)
@formats()
@pass_session
def look_for_problems(session: Session, quiet: bool, sample: int, compares_all: bool, form: str) -> int:
    """Look for problems on this machine."""
    checks = [
        *_check_versions(),
        *_check_settings(session),
        *_check_new_games(session),
        *_check_folders(session),
        *_check_encodings(),
        _check_terminal(),
        _check_locks(session),
        _check_index(session),
        *_compare_index(session, None if compares_all else sample, quiet=quiet),
        *_check_logs(session, quiet=quiet),
    ]
    listed = [check for check in checks if check.result != "ok"] if quiet else checks
    if listed or form != "table":
        write(("what", "is", "message"), listed, form)
    return REFUSED if any(check.result == "wrong" for check in checks) else 0


def _check_versions() -> Iterator[Check]:
    """Whether Python is new enough and every package installed, with their versions."""
    python = ".".join(map(str, sys.version_info[:3]))
    yield Check("python", "ok" if sys.version_info >= OLDEST_PYTHON else "wrong", f"{python}, {sys.platform}")
    for name in (*PACKAGES, *EXTRAS):
        try:
            yield Check(name, "ok", version(name))
        except PackageNotFoundError:
            if name in EXTRAS:
                yield Check(name, "note", f"not installed; {EXTRAS[name]} brings it")
            elif name == "spyrium-log":
                yield Check(name, "note", "run from its source")
            else:
                yield Check(name, "wrong", "not installed")


def _check_settings(session: Session) -> Iterator[Check]:
    """Whether the files of settings can be read, and have no unknown key."""
    # what is unknown is listed here
    session.settings.warns = False
    try:
        files = session.settings.files
        for key in KEYS:
            session.settings.get(key)
    except Complaint as error:
        yield Check("settings", "wrong", error.format_message())
        # the other checks go on without these files
        session.settings.ignore_files()
        return
    for file in files:
        unknown = [key for key in file.values if key not in KEYS]
        flaws = [f"{file.place_of(key)}: unknown key '{key}'{known_keys_hint(key)}" for key in unknown]
        yield Check("settings", "wrong" if flaws else "ok", "; ".join(flaws) or str(file.path))
    if not files:
        yield Check("settings", "ok", "no files")


def _check_new_games(session: Session) -> Iterator[Check]:
    """Whether `new` could use the settings of new games: they are read as it reads them."""
    try:
        title = session.title
    except Complaint as error:
        yield Check("new games", "wrong", error.format_message())
        return
    messages = []
    for origin, read_setting in _list_setting_readers(session, title):
        try:
            read_setting()
        except (click.ClickException, SpyriumLogError, OSError, UnicodeDecodeError) as error:
            message = complaint_of(error).message
            messages.append(f"{message}, at {origin}" if origin else message)
    yield from (Check("new games", "wrong", message) for message in messages)
    if not messages:
        yield Check("new games", "ok", f"{title.name}: options, editions, colours and sheet are known")


def _list_setting_readers(session: Session, title: AnyTitle) -> Iterator[tuple[str, Callable[[], object]]]:
    """For each setting of new games its place, '' where the error names it, and a call that reads it or raises."""
    settings = session.settings
    yield "", lambda: read_own_sheet(title, own_sheet_path(session, session.title))
    tables = [(setting.origin, {name: setting.value}) for name, setting in settings.entries("options").items()]
    tables += [(setting.origin, setting.value) for setting in settings.entries("editions").values()]
    for origin, table in tables:
        yield origin, partial(parse_options, TITLES.values(), [*table.items()])
    edition, colours = settings.get("edition"), settings.get("colours")
    if edition.value not in {None, NO_EDITION}:
        yield edition.origin, partial(edition_options, settings, title, edition.value)
    if colours.value is not None:
        yield colours.origin, partial(seat_colours, title, ",".join(colours.value), len(title.colours))


def _check_folders(session: Session) -> Iterator[Check]:
    """Whether the folders can be written to, and have room on the disk."""
    purposes = [
        ("archive", session.archive),
        *((purpose, directory(purpose)) for purpose in ("config", "state", "cache")),
    ]
    for purpose, path in purposes:
        # what is not there yet will be made in the nearest folder that is
        existing = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
        if not existing.is_dir():
            yield Check(purpose, "wrong", f"expected a folder, found a file, at {existing}")
        elif not os.access(existing, os.W_OK | os.X_OK):
            yield Check(purpose, "wrong", f"expected a folder to write to, found no permission, at {existing}")
        else:
            yield Check(purpose, "ok", f"{path}{'' if path.exists() else ' (not there yet)'}")
        if purpose == "archive":
            free = shutil.disk_usage(existing).free
            yield Check("room", "ok" if free > LEAST_FREE else "wrong", f"{free // 1024**2} MB free, at {existing}")


def _check_encodings() -> Iterator[Check]:
    """Whether file names and output are in UTF-8."""
    of_names = sys.getfilesystemencoding()
    yield Check("names of files", "ok" if of_names == "utf-8" else "wrong", of_names)
    of_output = (sys.stdout.encoding or "").lower().replace("_", "-")
    # the first of these variables that is set wins
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(name)), "none")
    yield Check("output", "ok" if of_output == "utf-8" else "note", f"{of_output}; the locale is {locale}")


def _check_terminal() -> Check:
    """What is known of the terminal: its width, its colours, the variables that change them. It is never wrong."""
    out = console()
    kind = f"{out.width} columns, {out.color_system or 'no'} colours" if is_screen() else "piped: no colours, no boxes"
    variables = [f"{name}={os.environ[name]}" for name in ("TERM", "NO_COLOR", "FORCE_COLOR") if os.environ.get(name)]
    return Check("terminal", "ok", ", ".join([kind, *variables]))


def _check_locks(session: Session) -> Check:
    """Name the processes that write to a log now, where the system lists locks."""
    try:
        rows = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return Check("locks", "note", "this system does not list them")
    process_by_inode = {lock["inode"]: lock["process"] for lock in map(_LOCK.search, rows) if lock}
    writers = []
    for path in list_latest_logs(session.archive):
        # a log that was put away meanwhile has no lock
        with suppress(OSError):
            if process := process_by_inode.get(str(path.stat().st_ino)):
                writers.append(f"process {process} writes {path.name}")
    return Check("locks", "note" if writers else "ok", "; ".join(writers) or "nobody writes")


def _check_index(session: Session) -> Check:
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
    return Check("index", "ok", f"{status.st_size // 1024} KB, {state}")


def _compare_index(session: Session, sample: int | None, *, quiet: bool) -> Iterator[Check]:
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
        expected, found = (shorten(value, LONGEST_VALUE) for value in (deviation.expected, deviation.found))
        place = f"{deviation.table}.{deviation.column} of {deviation.subject}"
        yield Check("table", "wrong", f"expected {expected!r}, found {found!r}, at {place}")


def _verify_index(session: Session, path: Path, sample: int | None, *, quiet: bool) -> Verification:
    """Compare the rows of so many games (None: of all) with those of a temporary index made anew from the logs."""
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


def _check_logs(session: Session, *, quiet: bool) -> Iterator[Check]:
    """Whether every log can be read to its end; the rules are not checked."""
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
        try:
            log = folder.read_log(name)
        except SpyriumLogError as error:
            unreadable.append(str(error))
            continue
        if log.complaint is not None:
            (unfinished if log.damage and log.damage.is_mendable else unreadable).append(str(log.complaint))
    summary = f"{count_text(len(names), 'log')}, {len(unreadable)} cannot be read"
    yield Check("logs", "wrong" if unreadable else "ok", summary)
    yield from (Check("log", "wrong", message) for message in unreadable[:MOST_LISTED])
    yield from (Check("log", "note", f"unfinished: {message}") for message in unfinished[:MOST_LISTED])
    if torn:
        yield Check("torn ends", "note", f"{len(torn)} kept beside their logs, such as {min(torn)}")
