"""`spyrium doctor`: look for problems on this machine."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import Complaint
from spyrium_cli.options import option, quiet_option
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_cli.settings.config import Setting
    from spyrium_log.readmodel import Deviation

EPILOG = """\b
Examples:
  spyrium doctor
  spyrium doctor --format json
  spyrium doctor --all

The index is compared with the logs as it is; files that changed since are counted. Nothing is changed, and nothing
leaves this machine. Exit code 0: nothing is wrong. 1: something is."""

PACKAGES = ("spyrium-log", "click", "duckdb", "msgspec", "platformdirs", "rich", "segno", "textual")
EXTRAS = {"cryptography": "spyrium-log[sign]"}
OLDEST_PYTHON = (3, 11)
LITTLE_ROOM = 16 << 20
SHOWN = 5
# The default of the library, which is not loaded for this.
SAMPLE = 20
# As long as the sentence of an event.
LONGEST_VALUE = 120


class Check(NamedTuple):
    """The result of one check."""

    what: str
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
@click.pass_context
def command(ctx: click.Context, session: Session, quiet: bool, sample: int, compares_all: bool, form: str) -> None:
    """Look for problems on this machine."""
    from spyrium_cli.render.rows import write

    checks: list[Check] = []
    for check in (_versions, _settings, _new_games, _folders, _encodings, _terminal, _locks, _index):
        checks += check(session)
    checks += _tables(session, None if compares_all else sample, quiet=quiet)
    checks += _logs(session, quiet=quiet)
    shown = [one for one in checks if one.result != "ok"] if quiet else checks
    if shown or form != "table":
        write(("what", "is", "said"), shown, form)
    ctx.exit(any(one.result == "wrong" for one in checks))


def _versions(_session: Session) -> Iterator[Check]:
    """Python and the packages, with their versions."""
    from importlib.metadata import PackageNotFoundError, version

    python = ".".join(map(str, sys.version_info[:3]))
    yield Check("python", "ok" if sys.version_info >= OLDEST_PYTHON else "wrong", f"{python}, {sys.platform}")
    for name in PACKAGES:
        try:
            yield Check(name, "ok", version(name))
        except PackageNotFoundError:
            is_source = name == "spyrium-log"
            yield Check(name, "note" if is_source else "wrong", "run from its source" if is_source else "not installed")
    for name, extra in EXTRAS.items():
        try:
            yield Check(name, "ok", version(name))
        except PackageNotFoundError:
            yield Check(name, "note", f"not installed; {extra} brings it")


def _settings(session: Session) -> Iterator[Check]:
    """Settings files that can be read, with keys that are known."""
    from spyrium_cli.settings.keys import KEYS, known_keys_hint

    session.settings.warns = False
    try:
        files = session.settings.files
        for key in KEYS:
            session.settings.get(key)
    except Complaint as error:
        yield Check("settings", "wrong", error.format_message())
        # the other checks go on without these files
        session.settings.forget()
        return
    for file in files:
        unknown = [
            f"{file.place_of(key)}: unknown key '{key}'{known_keys_hint(key)}" for key in file.values if key not in KEYS
        ]
        yield Check("settings", "wrong" if unknown else "ok", "; ".join(unknown) or str(file.path))
    if not files:
        yield Check("settings", "ok", "no files")


def _new_games(session: Session) -> Iterator[Check]:
    """The settings of new games, read as `new` reads them."""
    from spyrium_cli.complaint import complaint_of
    from spyrium_cli.settings.readings import NONE, edition_options, parse_options, seat_colours
    from spyrium_cli.sheets.lookup import own_sheet, own_sheet_path
    from spyrium_log.errors import SpyriumLogError
    from spyrium_log.titles import TITLES

    settings = session.settings
    try:
        title = session.title
    except Complaint as error:
        yield Check("new games", "wrong", error.format_message())
        return
    attempts: list[tuple[str, Callable[[], object]]] = [("", lambda: own_sheet(title, own_sheet_path(session)))]
    tables = [(setting.origin, {name: setting.value}) for name, setting in settings.entries("options").items()]
    tables += [(setting.origin, setting.value) for setting in settings.entries("editions").values()]
    attempts += [(origin, partial(parse_options, TITLES.values(), [*table.items()])) for origin, table in tables]
    edition, colours = settings.get("edition"), settings.get("colours")
    if edition.value not in {None, NONE}:
        attempts.append((edition.origin, partial(edition_options, settings, title, edition.value)))
    if colours.value is not None:
        attempts.append((colours.origin, partial(seat_colours, title, ",".join(colours.value), len(title.colours))))
    wrong = []
    for origin, attempt in attempts:
        try:
            attempt()
        except (click.ClickException, SpyriumLogError, OSError, UnicodeDecodeError) as error:
            message = error.message if isinstance(error, click.ClickException) else complaint_of(error).message
            wrong.append(f"{message}, at {origin}" if origin else message)
    yield from (Check("new games", "wrong", message) for message in wrong)
    if not wrong:
        yield Check("new games", "ok", f"{title.name}: options, editions, colours and sheet are known")


def _folders(session: Session) -> Iterator[Check]:
    """Folders that can be written to, with room on the disk."""
    import shutil

    from spyrium_cli.settings.file import directory

    archive: Setting = session.archive_setting
    named = [("archive", Path(archive.value)), *((kind, directory(kind)) for kind in ("config", "state", "cache"))]
    for what, path in named:
        there = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
        if not there.is_dir():
            yield Check(what, "wrong", f"expected a folder, found a file, at {there}")
        elif not os.access(there, os.W_OK | os.X_OK):
            yield Check(what, "wrong", f"expected a folder to write to, found no permission, at {there}")
        else:
            yield Check(what, "ok", f"{path}{'' if path.exists() else ' (not there yet)'}")
        if what == "archive":
            free = shutil.disk_usage(there).free
            yield Check("room", "ok" if free > LITTLE_ROOM else "wrong", f"{free >> 20} MB free, at {there}")


def _encodings(_session: Session) -> Iterator[Check]:
    names = sys.getfilesystemencoding()
    yield Check("names of files", "ok" if names == "utf-8" else "wrong", names)
    message = (sys.stdout.encoding or "").lower().replace("_", "-")
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(name)), "none")
    yield Check("output", "ok" if message == "utf-8" else "note", f"{message}; the locale is {locale}")


def _terminal(_session: Session) -> Iterator[Check]:
    from spyrium_cli.render.paper import console
    from spyrium_cli.render.surface import is_screen

    out = console()
    kind = f"{out.width} columns, {out.color_system or 'no'} colours" if is_screen() else "piped: no colours, no boxes"
    variables = [f"{name}={os.environ[name]}" for name in ("TERM", "NO_COLOR", "FORCE_COLOR") if os.environ.get(name)]
    yield Check("terminal", "ok", ", ".join([kind, *variables]))


def _locks(session: Session) -> Iterator[Check]:
    """The processes that write to a log now, where the system lists locks."""
    from spyrium_cli.games.headers import latest_logs

    try:
        rows = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        yield Check("locks", "note", "this system does not list them")
        return
    # 1: FLOCK ADVISORY WRITE 4711 fe:01:1234 0 EOF: the process, and the file's number behind its device's
    matches = (re.search(r" FLOCK .* (\d+) \w+:\w+:(\d+) ", row) for row in rows)
    holders = {lock[2]: lock[1] for lock in matches if lock}
    held = []
    for path in latest_logs(session.archive):
        try:
            inode = str(path.stat().st_ino)
        except OSError:
            continue
        if inode in holders:
            held.append(f"process {holders[inode]} writes {path.name}")
    yield Check("locks", "note" if held else "ok", "; ".join(held) or "nobody writes")


def _index(session: Session) -> Iterator[Check]:
    """The size of the index, and whether logs are newer."""
    from spyrium_cli.games.headers import latest_logs
    from spyrium_cli.sql.index import INDEX_FILE

    path = session.archive / INDEX_FILE
    try:
        status = path.stat()
        newest = next((log.stat().st_mtime_ns for log in latest_logs(session.archive)), 0)
    except FileNotFoundError:
        yield Check("index", "ok", "not there yet; the first question makes it")
        return
    except OSError as error:
        yield Check("index", "wrong", f"{error.strerror}, at {path}")
        return
    state = "older than the newest log; the next question brings it up to date"
    yield Check("index", "ok", f"{status.st_size >> 10} KB, {state if newest > status.st_mtime_ns else 'up to date'}")


def _tables(session: Session, sample: int | None, *, quiet: bool) -> Iterator[Check]:
    """Compare the index with the logs."""
    from spyrium_cli.parallel.processes import process_count
    from spyrium_cli.render.progress import with_progress
    from spyrium_cli.render.text import count_text
    from spyrium_cli.sql.index import INDEX_FILE
    from spyrium_log.errors import HeldError, SpyriumLogError, UnfitError
    from spyrium_log.readmodel import sources_of, verify

    path = session.archive / INDEX_FILE
    if not path.is_file():
        return
    watch = partial(with_progress, verb="compared", quiet=quiet)
    try:
        folder = session.folder()
        sources, aliases = sources_of(folder, anywhere=True), folder.aliases()
        with TemporaryDirectory(prefix="spyrium-") as scratch:
            second = Path(scratch) / INDEX_FILE
            done = verify(path, sources, second, sample=sample, watch=watch, processes=process_count(), aliases=aliases)
    except HeldError as error:
        yield Check("tables", "note", f"not compared with the logs: {error}")
    except UnfitError as error:
        yield Check("tables", "note", f"{error}; the next question makes it anew")
    except (SpyriumLogError, OSError) as error:
        yield Check("tables", "note", f"not compared with the logs: {error}")
    else:
        wrong = done.deviations
        message = f"{count_text(done.games, 'game')}, {done.compared} of them compared with their logs"
        if done.outdated:
            message += f"; {count_text(done.outdated, 'file')} changed since, which the next question reads"
        if wrong:
            message += f"; {count_text(len(wrong), 'deviation')}: spyrium index --rebuild makes the index anew"
        yield Check("tables", "wrong" if wrong else "ok", message)
        yield from (Check("table", "wrong", _deviation(one)) for one in wrong[:SHOWN])


def _deviation(deviation: Deviation) -> str:
    expected, found = (
        text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"
        for text in (deviation.expected, deviation.found)
    )
    return f"expected {expected!r}, found {found!r}, at {deviation.table}.{deviation.column} of {deviation.subject}"


def _logs(session: Session, *, quiet: bool) -> Iterator[Check]:
    """Read every log to its end, without checking its rules."""
    from spyrium_cli.render.progress import with_progress
    from spyrium_cli.render.text import count_text
    from spyrium_log.errors import SpyriumLogError

    folder = session.folder()
    try:
        names = folder.names()
        torn = [path.name for path in folder.path.glob("*.torn*")] if folder.path.is_dir() else []
    except (SpyriumLogError, OSError) as error:
        yield Check("logs", "wrong", str(error))
        return
    bad: list[str] = []
    unfinished: list[str] = []
    for name in with_progress(names, len(names), "read", quiet=quiet):
        shown, is_mendable = _read(partial(folder.read, name))
        if shown:
            (unfinished if is_mendable else bad).append(shown)
    yield Check("logs", "wrong" if bad else "ok", f"{count_text(len(names), 'log')}, {len(bad)} cannot be read")
    yield from (Check("log", "wrong", shown) for shown in bad[:SHOWN])
    yield from (Check("log", "note", f"unfinished: {shown}") for shown in unfinished[:SHOWN])
    if torn:
        yield Check("torn ends", "note", f"{len(torn)} kept beside their logs, such as {min(torn)}")


def _read(read: Callable[[], object]) -> tuple[str, bool]:
    """What is wrong with a log, and whether the next writer mends it."""
    from spyrium_log.errors import SpyriumLogError

    try:
        log = read()
    except SpyriumLogError as error:
        return str(error), False
    complaint, damage = getattr(log, "complaint", None), getattr(log, "damage", None)
    return (str(complaint), bool(damage and damage.is_mendable)) if complaint else ("", False)
