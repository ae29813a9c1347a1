"""`spyrium index`: bring the tables up to date."""

from __future__ import annotations

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.options import processes_option
from spyrium_cli.render.surface import tell
from spyrium_cli.session import Session
from spyrium_cli.sql.index import index_path, update_index
from spyrium_log.messages import Argument, Count

EPILOG = """\b
Examples:
  spyrium index
  spyrium index --rebuild

query, report and games do this by themselves. The tables are a cache: they can be deleted at any time."""


@click.command("index", cls=Command, epilog=EPILOG)
@click.option("--rebuild", is_flag=True, help="Make the tables anew from all logs.")
@processes_option
@pass_session
def index_archive(session: Session, rebuild: bool, processes: int | None) -> None:
    """Bring the tables of the archive up to date.

    Only files that changed are read: logs, and packs that lie in the archive.
    """
    update = update_index(session, index_path(session), rebuild=rebuild, processes=processes)
    counts: dict[str, Argument] = {
        "read": Count(update.read, "game"),
        "removed": update.removed,
        "unchanged": update.unchanged,
    }
    tell("sql.index-rebuilt" if update.rebuilt else "sql.index-updated", **counts)
    if update.rebuilt and not rebuild:
        tell("sql.why-rebuilt", why=str(update.rebuilt))
