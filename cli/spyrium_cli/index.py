"""The tables of an archive, brought up to date before anybody asks them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spyrium_cli.complaint import Complaint
from spyrium_cli.render.paper import say
from spyrium_cli.render.text import counted

if TYPE_CHECKING:
    from pathlib import Path

    from spyrium_cli.session import Session

# In the archive, where whoever opens it with DuckDB itself finds it. It can be deleted at any time.
NAME = "index.duckdb"


def index_of(session: Session) -> Path:
    """The file to ask. What is not in it is said."""
    from spyrium_log.readmodel import bring_up_to_date, sources_of

    if not session.archive.is_dir():
        raise Complaint(f"expected a folder of logs, found none, at {session.archive} (spyrium new begins one)")
    path = session.archive / NAME
    update = bring_up_to_date(path, sources_of(session.folder()))
    for log in update.unusable:
        say(f"left out: {log.why}")
    if update.held:
        missing = "some logs" if update.waiting is None else counted(update.waiting, "log")
        say(f"another process has the index open: {missing} may be missing")
    return path
