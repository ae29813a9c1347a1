"""`spyrium tables`: what there is to ask."""

from __future__ import annotations

import click

from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session, Verb, pass_session

EPILOG = """\b
Examples:
  spyrium tables
  spyrium tables offer
  spyrium tables --format md

The same is said in the file itself: SELECT * FROM duckdb_columns() in any DuckDB shell."""


@click.command("tables", cls=Verb, epilog=EPILOG)
@click.argument("name", required=False)
@formats()
@pass_session
def command(session: Session, name: str | None, form: str) -> None:
    """Say what is in the tables that query asks, and what their columns mean.

    Without NAME, list the tables, views and macros; with the name of a table or view, its columns.
    """
    from spyrium_cli.index import index_of
    from spyrium_cli.render.rows import write
    from spyrium_log.readmodel import described

    answer = described(index_of(session), name)
    write(answer.columns, answer.rows, form, null="")
