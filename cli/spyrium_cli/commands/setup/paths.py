"""`spyrium config paths`: where files are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

EPILOG = """\b
Examples:
  spyrium config paths
  spyrium config paths --format json"""

COLUMNS = ("what", "path", "exists", "origin")


@click.command("paths", cls=Command, epilog=EPILOG)
@formats()
@pass_session
def command(session: Session, form: str) -> None:
    """List where files are, and which setting says so."""
    from spyrium_cli.render.rows import write

    write(COLUMNS, list(_rows(session)), form, null="")


def _rows(session: Session) -> Iterator[tuple[str, str, bool, str]]:
    from pathlib import Path

    from spyrium_cli.settings.config import DEFAULT
    from spyrium_cli.settings.file import directory, project_file, user_file
    from spyrium_cli.sql.index import INDEX_FILE

    project = project_file()
    archive = session.archive_setting
    named = [
        ("archive", Path(archive.value), archive.origin),
        ("index", Path(archive.value) / INDEX_FILE, "in the archive"),
        ("project's settings", project, "upwards from here") if project else None,
        ("user's settings", user_file(), DEFAULT),
        *((kind, directory(kind), DEFAULT) for kind in ("config", "data", "state", "cache")),
    ]
    for row in filter(None, named):
        what, path, origin = row
        yield what, str(path.absolute()), path.exists(), origin
