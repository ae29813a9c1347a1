"""`spyrium tables`: the tables and their columns."""

from __future__ import annotations

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.render.relations import write_relations
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session
from spyrium_cli.sql.index import make_empty_index, refresh_index

EPILOG = """\b
Examples:
  spyrium tables
  spyrium tables offer

The index file itself has the same comments: SELECT * FROM duckdb_columns() in any DuckDB shell."""


@click.command("tables", cls=Command, epilog=EPILOG)
@click.argument("name", required=False)
@formats()
@pass_session
def list_tables(session: Session, name: str | None, form: str) -> None:
    """List the tables that query reads, and their columns.

    Without NAME, list the tables, views and macros; with the name of a table, view or table macro, its columns. They
    are the same in every archive, so that none is needed.
    """
    from spyrium_log.readmodel.answers import describe_tables

    answer = describe_tables(refresh_index(session) if session.archive.is_dir() else make_empty_index(), name)
    write_relations(answer, form, session.language)
