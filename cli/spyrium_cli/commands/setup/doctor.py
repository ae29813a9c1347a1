"""`spyrium doctor`: look for problems on this machine."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import REFUSED, Complaint, complaint_of, shell_message, shorten
from spyrium_cli.games.headers import list_latest_logs
from spyrium_cli.options import option, quiet_option
from spyrium_cli.parallel.processes import process_count
from spyrium_cli.render.paper import console
from spyrium_cli.render.rows import formats, translate_headings, write
from spyrium_cli.render.surface import is_screen, with_progress
from spyrium_cli.render.text import translate_word
from spyrium_cli.session import Session, current_language, language_of_form
from spyrium_cli.settings.file import directory
from spyrium_cli.settings.keys import KEYS, known_keys_hint
from spyrium_cli.settings.readings import NO_EDITION, edition_options, parse_options, seat_colours
from spyrium_cli.sheets.lookup import own_sheet_path, read_own_sheet
from spyrium_cli.sql.index import INDEX_FILE
from spyrium_log.errors import SpyriumLogError, UnfitError
from spyrium_log.messages import Argument, Count, Message, Reader
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
    """The result of one check; the subject is a key of the words, or the name of a package."""

    subject: str
    result: Literal["ok", "note", "wrong"]
    message: Message | str

    def cells(self, language: str) -> Sequence[str]:
        """The check as a row in a language."""
        message = self.message if isinstance(self.message, str) else self.message.text_for(Reader(language, minus="-"))
        subject, result = (translate_word(word, "checks", language) for word in (self.subject, self.result))
        return subject, result, message


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
    language = language_of_form(form, current_language())
    checks = [
        *_check_versions(),
        *_check_settings(session, language),
        *_check_new_games(session, language),
        *_check_folders(session),
        *_check_encodings(),
        _check_terminal(),
        _check_locks(session, language),
        _check_index(session),
        *_compare_index(session, None if compares_all else sample, language, quiet=quiet),
        *_check_logs(session, language, quiet=quiet),
    ]
    listed = [check for check in checks if check.result != "ok"] if quiet else checks
    if listed or form != "table":
        heads = translate_headings(("what", "is", "message"), "doctor-heads", form, language)
        write(heads, [check.cells(language) for check in listed], form)
    return REFUSED if any(check.result == "wrong" for check in checks) else 0


def _doctor_message(key: str, /, **arguments: Argument) -> Message:
    """A sentence of the table `doctor`."""
    return shell_message(f"doctor.{key}", **arguments)


def _check_versions() -> Iterator[Check]:
    """Whether Python is new enough and every package installed, with their versions."""
    python = ".".join(map(str, sys.version_info[:3]))
    yield Check("python", "ok" if sys.version_info >= OLDEST_PYTHON else "wrong", f"{python}, {sys.platform}")
    for name in (*PACKAGES, *EXTRAS):
        try:
            yield Check(name, "ok", version(name))
        except PackageNotFoundError:
            if name in EXTRAS:
                yield Check(name, "note", _doctor_message("extra-missing", extra=EXTRAS[name]))
            elif name == "spyrium-log":
                yield Check(name, "note", _doctor_message("from-source"))
            else:
                yield Check(name, "wrong", _doctor_message("missing"))


def _check_settings(session: Session, language: str) -> Iterator[Check]:
    """Whether the files of settings can be read, and have no unknown key."""
    # what is unknown is listed here
    session.settings.warns = False
    try:
        files = session.settings.files
        for key in KEYS:
            session.settings.get(key)
    except Complaint as error:
        yield Check("settings", "wrong", complaint_of(error, language).message)
        # the other checks go on without these files
        session.settings.ignore_files()
        return
    for file in files:
        unknown = [key for key in file.values if key not in KEYS]
        flaws = [
            shell_message("settings.unknown-key", place=file.place_of(key), key=key, hint=known_keys_hint(key))
            for key in unknown
        ]
        texts = [flaw.text_for(Reader(language)) for flaw in flaws]
        yield Check("settings", "wrong" if flaws else "ok", "; ".join(texts) or str(file.path))
    if not files:
        yield Check("settings", "ok", _doctor_message("no-files"))


def _check_new_games(session: Session, language: str) -> Iterator[Check]:
    """Whether `new` could use the settings of new games: they are read as it reads them."""
    try:
        title = session.title
    except Complaint as error:
        yield Check("new games", "wrong", complaint_of(error, language).message)
        return
    messages: list[Message | str] = []
    for origin, read_setting in _list_setting_readers(session, title):
        try:
            read_setting()
        except (click.ClickException, SpyriumLogError, OSError, UnicodeDecodeError) as error:
            message = complaint_of(error, language).message
            messages.append(_doctor_message("at", message=message, place=origin) if origin else message)
    yield from (Check("new games", "wrong", message) for message in messages)
    if not messages:
        yield Check("new games", "ok", _doctor_message("new-games", title=title.name))


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
            yield Check(purpose, "wrong", _doctor_message("no-folder", place=str(existing)))
        elif not os.access(existing, os.W_OK | os.X_OK):
            yield Check(purpose, "wrong", _doctor_message("no-permission", place=str(existing)))
        else:
            yield Check(purpose, "ok", str(path) if path.exists() else _doctor_message("not-yet", place=str(path)))
        if purpose == "archive":
            free = shutil.disk_usage(existing).free
            room = _doctor_message("room", n=free // 1024**2, place=str(existing))
            yield Check("room", "ok" if free > LEAST_FREE else "wrong", room)


def _check_encodings() -> Iterator[Check]:
    """Whether file names and output are in UTF-8."""
    of_names = sys.getfilesystemencoding()
    yield Check("names of files", "ok" if of_names == "utf-8" else "wrong", of_names)
    of_output = (sys.stdout.encoding or "").lower().replace("_", "-")
    # the first of these variables that is set wins
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(name)), "")
    locale_or_none = locale or _doctor_message("no-locale")
    message = _doctor_message("output", encoding=of_output, locale=locale_or_none)
    yield Check("output", "ok" if of_output == "utf-8" else "note", message)


def _check_terminal() -> Check:
    """What is known of the terminal: its width, its colours, the variables that change them. It is never wrong."""
    out = console()
    if not is_screen():
        kind = _doctor_message("piped")
    elif out.color_system:
        kind = _doctor_message("terminal", columns=out.width, system=out.color_system)
    else:
        kind = _doctor_message("terminal-plain", columns=out.width)
    names = ("TERM", "NO_COLOR", "FORCE_COLOR")
    variables = "".join(f", {name}={os.environ[name]}" for name in names if os.environ.get(name))
    return Check("terminal", "ok", _doctor_message("kind", kind=kind, variables=variables))


def _check_locks(session: Session, language: str) -> Check:
    """Name the processes that write to a log now, where the system lists locks."""
    try:
        rows = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return Check("locks", "note", _doctor_message("no-locks"))
    process_by_inode = {lock["inode"]: lock["process"] for lock in map(_LOCK.search, rows) if lock}
    writers: list[Message] = []
    for path in list_latest_logs(session.archive):
        # a log that was put away meanwhile has no lock
        with suppress(OSError):
            if process := process_by_inode.get(str(path.stat().st_ino)):
                writers.append(_doctor_message("writer", process=process, file=path.name))
    text = "; ".join(writer.text_for(Reader(language)) for writer in writers)
    return Check("locks", "note" if writers else "ok", text or _doctor_message("no-writer"))


def _check_index(session: Session) -> Check:
    """The size of the index, and whether a log is newer."""
    path = session.archive / INDEX_FILE
    try:
        status = path.stat()
        newest = next((log.stat().st_mtime_ns for log in list_latest_logs(session.archive)), 0)
    except FileNotFoundError:
        return Check("index", "ok", _doctor_message("no-index"))
    except OSError as error:
        return Check("index", "wrong", _doctor_message("at", message=error.strerror or str(error), place=str(path)))
    is_old = newest > status.st_mtime_ns
    return Check("index", "ok", _doctor_message("old-index" if is_old else "index", n=status.st_size // 1024))


def _compare_index(session: Session, sample: int | None, language: str, *, quiet: bool) -> Iterator[Check]:
    """Compare the index with the logs of so many games (None: of all); nothing where there is no index."""
    path = session.archive / INDEX_FILE
    if not path.is_file():
        return
    try:
        verification = _verify_index(session, path, sample, quiet=quiet)
    except UnfitError as error:
        yield Check("tables", "note", _doctor_message("unfit-index", error=complaint_of(error, language).message))
        return
    except (SpyriumLogError, OSError) as error:
        yield Check("tables", "note", _doctor_message("not-compared", error=complaint_of(error, language).message))
        return
    deviations = verification.deviations
    parts = [_doctor_message("compared", games=Count(verification.games, "game"), n=verification.compared)]
    if verification.outdated:
        parts.append(_doctor_message("outdated", files=Count(verification.outdated, "file")))
    if deviations:
        parts.append(_doctor_message("deviations", deviations=Count(len(deviations), "deviation")))
    message = "; ".join(part.text_for(Reader(language, minus="-")) for part in parts)
    yield Check("tables", "wrong" if deviations else "ok", message)
    for deviation in deviations[:MOST_LISTED]:
        expected, found = (shorten(value, LONGEST_VALUE) for value in (deviation.expected, deviation.found))
        column = f"{deviation.table}.{deviation.column}"
        values = {"expected": repr(expected), "found": repr(found)}
        yield Check("table", "wrong", _doctor_message("deviation", column=column, subject=deviation.subject, **values))


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


def _check_logs(session: Session, language: str, *, quiet: bool) -> Iterator[Check]:
    """Whether every log can be read to its end; the rules are not checked."""
    folder = session.folder()
    try:
        names = folder.list_names()
        torn = [path.name for path in folder.path.glob("*.torn*")] if folder.path.is_dir() else []
    except (SpyriumLogError, OSError) as error:
        yield Check("logs", "wrong", complaint_of(error, language).message)
        return
    unreadable: list[str] = []
    unfinished: list[str] = []
    for name in with_progress(names, len(names), "read", quiet=quiet):
        try:
            log = folder.read_log(name)
        except SpyriumLogError as error:
            unreadable.append(complaint_of(error, language).message)
            continue
        if log.complaint is not None:
            complaint = complaint_of(log.complaint, language).message
            (unfinished if log.damage and log.damage.is_mendable else unreadable).append(complaint)
    summary = _doctor_message("logs", logs=Count(len(names), "log"), n=len(unreadable))
    yield Check("logs", "wrong" if unreadable else "ok", summary)
    yield from (Check("log", "wrong", message) for message in unreadable[:MOST_LISTED])
    yield from (
        Check("log", "note", _doctor_message("unfinished", message=message)) for message in unfinished[:MOST_LISTED]
    )
    if torn:
        yield Check("torn ends", "note", _doctor_message("torn", n=len(torn), file=min(torn)))
