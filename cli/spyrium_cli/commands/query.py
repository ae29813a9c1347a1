"""`spyrium query`: the archive as tables."""

from __future__ import annotations

import re
import sys

import click

from spyrium_cli.complaint import Complaint, near
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session, Verb, pass_session

LONGEST_QUESTION = 1 << 20
_MISSING = re.compile(r"table with name (\S+) does not exist")

EPILOG = """\b
Examples:
  spyrium query "SELECT why, sum(amount) FROM ledger WHERE what = 'points' GROUP BY why"
  spyrium query - --format csv < question.sql
  spyrium query "DESCRIBE ledger"

The tables are made from the logs and brought up to date first; spyrium tables lists them. They are only read."""


@click.command("query", cls=Verb, epilog=EPILOG)
@click.argument("sql")
@formats()
@pass_session
def command(session: Session, sql: str, form: str) -> None:
    """Ask the archive in SQL.

    SQL is one statement, or - for stdin.
    """
    from spyrium_cli.index import index_of
    from spyrium_cli.render.rows import write
    from spyrium_log.errors import QueryError
    from spyrium_log.readmodel import query

    question = sys.stdin.read(LONGEST_QUESTION + 1) if sql == "-" else sql
    if len(question) > LONGEST_QUESTION:
        raise Complaint(f"expected at most {LONGEST_QUESTION} characters of SQL, found more, at <stdin>")
    index = index_of(session)
    try:
        answer = query(index, question)
    except QueryError as error:
        raise QueryError(_meant(error.message), error.line, error.column) from None
    write(answer.columns, answer.rows, form)


def _meant(said: str) -> str:
    """DuckDB proposes tables of its own, too; whoever asks an archive means one of ours."""
    from spyrium_log.readmodel.tables import RELATIONS

    missing = _MISSING.match(said)
    if missing is None:
        return said
    return missing[0] + (near(missing[1], RELATIONS) or f"; the tables are {', '.join(RELATIONS)}")
