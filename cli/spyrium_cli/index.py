"""The tables of an archive, brought up to date before anybody asks them."""

from __future__ import annotations

import atexit
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from spyrium_cli.complaint import INTERRUPTED, Complaint, warn_left_out
from spyrium_cli.render.paper import say
from spyrium_cli.render.text import counted

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log.readmodel import Update

# In the archive, where whoever opens it with DuckDB itself finds it. It can be deleted at any time.
NAME = "index.duckdb"


def index_of(session: Session) -> Path:
    """The file to ask. What is not in it is said."""
    if not session.archive.is_dir():
        raise Complaint(f"expected a folder of logs, found none, at {session.archive} (spyrium new begins one)")
    atexit.register(_leave_what_does_not_stop)
    path, update = _up_to_date(session)
    for log in update.unusable:
        file = str(session.archive / f"{log.file}.jsonl")
        warn_left_out(file, log.why)
    if update.held:
        missing = "some logs" if update.waiting is None else counted(update.waiting, "log")
        say(f"another process has the index open: {missing} may be missing")
    return path


def _up_to_date(session: Session) -> tuple[Path, Update]:
    """The index in the archive; where none can be kept there, one that is gone when it has been asked."""
    from spyrium_log.errors import ReadModelError
    from spyrium_log.readmodel import bring_up_to_date, sources_of

    path = session.archive / NAME
    try:
        return path, bring_up_to_date(path, sources_of(session.folder()))
    except ReadModelError as error:
        say(f"the index is made for this one question: {error}")
    path = Path(click.get_current_context().with_resource(TemporaryDirectory(prefix="spyrium-"))) / NAME
    return path, bring_up_to_date(path, sources_of(session.folder()))


def _leave_what_does_not_stop() -> None:
    """DuckDB does not hear ^C everywhere, and Python would not go well while it still works."""
    from spyrium_log.readmodel import is_still_at_work

    if is_still_at_work():
        sys.stdout.flush()
        os._exit(INTERRUPTED)
