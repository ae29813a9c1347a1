"""`spyrium doctor`: look for problems on this machine."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.commands.setup.archive_checks import Check, check_index, check_locks, compare_index, read_logs
from spyrium_cli.complaint import Complaint, complaint_of
from spyrium_cli.options import option, quiet_option
from spyrium_cli.render.paper import console
from spyrium_cli.render.rows import formats, write
from spyrium_cli.render.surface import is_screen
from spyrium_cli.session import Session
from spyrium_cli.settings.file import directory
from spyrium_cli.settings.keys import KEYS, known_keys_hint
from spyrium_cli.settings.readings import NONE, edition_options, parse_options, seat_colours
from spyrium_cli.sheets.lookup import own_sheet_path, read_own_sheet
from spyrium_log.errors import SpyriumLogError
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES

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
# Bytes that must be free on the disk of the archive.
LEAST_ROOM = 16 << 20
# The default of the library, which is not loaded for this.
SAMPLE = 20


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
def command(session: Session, quiet: bool, sample: int, compares_all: bool, form: str) -> int:
    """Look for problems on this machine."""
    checks = [
        *_check_versions(),
        *_check_settings(session),
        *_check_new_games(session),
        *_check_folders(session),
        *_check_encodings(),
        _check_terminal(),
        check_locks(session),
        check_index(session),
        *compare_index(session, None if compares_all else sample, quiet=quiet),
        *read_logs(session, quiet=quiet),
    ]
    listed = [check for check in checks if check.result != "ok"] if quiet else checks
    if listed or form != "table":
        write(("what", "is", "message"), listed, form)
    return int(any(check.result == "wrong" for check in checks))


def _check_versions() -> Iterator[Check]:
    """Python and the packages, with their versions."""
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
    """Settings files that can be read, with keys that are known."""
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


def _check_new_games(session: Session) -> Iterator[Check]:
    """The settings of new games, read as `new` reads them."""
    try:
        title = session.title
    except Complaint as error:
        yield Check("new games", "wrong", error.format_message())
        return
    messages = []
    for origin, read in _list_setting_readers(session, title):
        try:
            read()
        except (click.ClickException, SpyriumLogError, OSError, UnicodeDecodeError) as error:
            message = complaint_of(error).message
            messages.append(f"{message}, at {origin}" if origin else message)
    yield from (Check("new games", "wrong", message) for message in messages)
    if not messages:
        yield Check("new games", "ok", f"{title.name}: options, editions, colours and sheet are known")


def _list_setting_readers(session: Session, title: AnyTitle) -> Iterator[tuple[str, Callable[[], object]]]:
    """Where each setting of new games stands (empty: its error says so), and what reads it."""
    settings = session.settings
    yield "", lambda: read_own_sheet(title, own_sheet_path(session))
    tables = [(setting.origin, {name: setting.value}) for name, setting in settings.entries("options").items()]
    tables += [(setting.origin, setting.value) for setting in settings.entries("editions").values()]
    for origin, table in tables:
        yield origin, partial(parse_options, TITLES.values(), [*table.items()])
    edition, colours = settings.get("edition"), settings.get("colours")
    if edition.value not in {None, NONE}:
        yield edition.origin, partial(edition_options, settings, title, edition.value)
    if colours.value is not None:
        yield colours.origin, partial(seat_colours, title, ",".join(colours.value), len(title.colours))


def _check_folders(session: Session) -> Iterator[Check]:
    """Folders that can be written to, with room on the disk."""
    purposes = [
        ("archive", session.archive),
        *((purpose, directory(purpose)) for purpose in ("config", "state", "cache")),
    ]
    for purpose, path in purposes:
        existing = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
        if not existing.is_dir():
            yield Check(purpose, "wrong", f"expected a folder, found a file, at {existing}")
        elif not os.access(existing, os.W_OK | os.X_OK):
            yield Check(purpose, "wrong", f"expected a folder to write to, found no permission, at {existing}")
        else:
            yield Check(purpose, "ok", f"{path}{'' if path.exists() else ' (not there yet)'}")
        if purpose == "archive":
            free = shutil.disk_usage(existing).free
            yield Check("room", "ok" if free > LEAST_ROOM else "wrong", f"{free >> 20} MB free, at {existing}")


def _check_encodings() -> Iterator[Check]:
    """The encodings of file names and of the output; both should be UTF-8."""
    encoding = sys.getfilesystemencoding()
    yield Check("names of files", "ok" if encoding == "utf-8" else "wrong", encoding)
    encoding = (sys.stdout.encoding or "").lower().replace("_", "-")
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(name)), "none")
    yield Check("output", "ok" if encoding == "utf-8" else "note", f"{encoding}; the locale is {locale}")


def _check_terminal() -> Check:
    """The width and the colours of the terminal, and the variables that change them."""
    out = console()
    kind = f"{out.width} columns, {out.color_system or 'no'} colours" if is_screen() else "piped: no colours, no boxes"
    variables = [f"{name}={os.environ[name]}" for name in ("TERM", "NO_COLOR", "FORCE_COLOR") if os.environ.get(name)]
    return Check("terminal", "ok", ", ".join([kind, *variables]))
