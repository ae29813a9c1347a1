"""The tables of an archive, brought up to date before anybody asks them."""

from __future__ import annotations

import atexit
import os
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from spyrium_cli.complaint import INTERRUPTED, shell_message, spoken, warn, warn_left_out
from spyrium_cli.games.lookup import missing_archive
from spyrium_cli.parallel.processes import process_count
from spyrium_cli.render.surface import tell, with_progress
from spyrium_cli.session import Session
from spyrium_log.errors import ReadModelError
from spyrium_log.messages import Count

if TYPE_CHECKING:
    from spyrium_log.readmodel.load import Update

# In the archive, where whoever opens it with DuckDB itself finds it. It can be deleted at any time.
INDEX_FILE = "index.duckdb"
# Whether this call has warned that another process has the index.
_HELD_WARNING = "spyrium_cli.sql.index.held"


def refresh_index(session: Session) -> Path:
    """Bring the index up to date, warn of what is not in it; its path, a temporary one where it cannot be written."""
    path = index_path(session)
    # the question that follows may be interrupted
    atexit.register(_end_with_running_query)
    try:
        update_index(session, path)
    except ReadModelError as error:
        tell("sql.own-index", why=error.message)
        path = _make_temporary_path()
        update_index(session, path)
    return path


def make_empty_index() -> Path:
    """The path of an index without games, which has tables to describe."""
    from spyrium_log.readmodel.load import bring_up_to_date

    path = _make_temporary_path()
    bring_up_to_date(path, ())
    return path


def _make_temporary_path() -> Path:
    """The path of an index that is removed when the command ends."""
    return Path(click.get_current_context().with_resource(TemporaryDirectory(prefix="spyrium-"))) / INDEX_FILE


def index_path(session: Session) -> Path:
    """Where the index of the archive is; Complaint where there is no archive."""
    if not session.archive.is_dir():
        raise missing_archive(session)
    return session.archive / INDEX_FILE


def update_index(session: Session, path: Path, *, rebuild: bool = False, processes: int | None = None) -> Update:
    """Bring the index up to date, for `spyrium index` and before a question; warns of what is not in it."""
    from spyrium_log.readmodel.load import bring_up_to_date
    from spyrium_log.readmodel.sources import sources_of

    folder = session.folder()
    update = bring_up_to_date(
        path,
        sources_of(folder, anywhere=True),
        rebuild=rebuild,
        watch=partial(with_progress, verb="indexed"),
        processes=process_count(processes),
        aliases=folder.read_aliases(),
    )
    _warn_of_missing(session, update)
    return update


def _warn_of_missing(session: Session, update: Update) -> None:
    """Warn of unusable logs, of one person with two seats in a game, and of an index that another process holds."""
    for log in update.unusable:
        # a log is known by its id, a game of a pack by its file
        name = log.file if log.file.endswith(".zst") else f"{log.file}.jsonl"
        warn_left_out(str(session.archive / name), spoken(log.message))
    for game in update.apart:
        written = ", ".join(game.written)
        warn(shell_message("sql.one-person", written=written, person=game.person, place=game.file))
    if update.held:
        missing = shell_message("sql.some-logs") if update.waiting is None else Count(update.waiting, "log")
        warn(shell_message("sql.held-missing", missing=missing))
        click.get_current_context().meta[_HELD_WARNING] = True


def warn_if_held(held: bool) -> None:
    """Warn, once a call, that another process holds the index, so that the answer may be old."""
    if held and not click.get_current_context().meta.get(_HELD_WARNING):
        warn(shell_message("sql.held"))


def _end_with_running_query() -> None:
    """End at once if an interrupted query still runs: Python would wait for it."""
    from spyrium_log.readmodel.connections import is_still_at_work

    if is_still_at_work():
        sys.stdout.flush()
        os._exit(INTERRUPTED)
