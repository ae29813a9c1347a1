"""`spyrium query`: the archive as tables."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.complaint import Complaint
from spyrium_cli.render.rows import SCREENFUL, formats
from spyrium_cli.session import Session, Verb, pass_session

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_QUESTION = 1 << 20
FILES = ("parquet", "arrow")
AT_ONCE = 1 << 20

EPILOG = """\b
Examples:
  spyrium query "SELECT why, sum(amount) FROM ledger WHERE what = 'points' GROUP BY why"
  spyrium query "SELECT * FROM seat WHERE player = $name" --param name=Anna
  spyrium query - --format csv < question.sql
  spyrium query "FROM technique_scores()" --to scores.parquet
  spyrium query @take-rates
  spyrium query --list

The tables are made from the logs and brought up to date first; spyrium tables lists them. They are read, not written,
and no file and no network is touched but by --to, unless --unsafe says so. Parquet and Arrow go through a pipe as well.
Without SQL at a terminal it is a shell.
@NAME is a question that was kept with --save, or the one that the first table of a report asks."""


@click.command("query", cls=Verb, epilog=EPILOG)
@click.argument("sql", required=False)
@click.option("--file", "file", type=click.Path(dir_okay=False, exists=True, path_type=Path), help="SQL from a file.")
@click.option("--param", "params", metavar="NAME=VALUE", multiple=True, help="What $NAME stands for: JSON, or a text.")
@click.option("--to", type=click.Path(dir_okay=False, path_type=Path), help="Write the rows as Parquet or Arrow.")
@click.option("--limit", type=click.IntRange(0), help=f"At most so many rows; {SCREENFUL:,} on a screen, 0 for all.")
@click.option("--timing", is_flag=True, help="Say how many rows in which time.")
@click.option("--unsafe", is_flag=True, help="Let it read and write your files.")
@click.option("--save", metavar="NAME", help="Keep the question; @NAME asks it again.")
@click.option("--about", default="", metavar="TEXT", help="What the kept question answers.")
@click.option("--force", is_flag=True, help="Keep it in place of another of that name; write over a file.")
@click.option("--list", "listed", is_flag=True, help="List the questions that have names.")
@formats(*FILES)
@pass_session
def command(
    session: Session,
    sql: str | None,
    file: Path | None,
    params: Sequence[str],
    to: Path | None,
    limit: int | None,
    timing: bool,
    unsafe: bool,
    save: str | None,
    about: str,
    force: bool,
    listed: bool,
    form: str,
) -> None:
    """Ask the archive in SQL.

    SQL is one statement, @NAME, or - for stdin.
    """
    from spyrium_cli.render.paper import is_screen, is_terminal, say

    if listed:
        if form in FILES:
            raise click.UsageError(f"expected a list in a form of text, found {form}")
        _list(form)
        return
    if sql is None and file is None:
        if is_terminal():
            _shell(session, unsafe=unsafe)
            return
        sql = "-"
    question, given = _question(sql, file, dict(map(_param, params)))
    if save is not None:
        if params:
            raise click.UsageError("expected --param when the question is asked, found it with --save")
        from spyrium_cli.saved import keep

        say(f"kept: spyrium query @{save}, at {keep(save, question, about, force=force)}")
        return
    form, to = _target(form, to, force=force)
    if form in FILES and limit is not None:
        raise click.UsageError(f"expected LIMIT in the SQL of what is written as {form}, found --limit")
    began = time.perf_counter()
    if to is not None:
        rows = _into(session, question, given, to, form, unsafe=unsafe)
    elif form in FILES:
        rows = _piped(session, question, given, form, unsafe=unsafe)
    else:
        rows = _told(session, question, given, form, SCREENFUL if limit is None and is_screen() else limit or 0, unsafe)
    if timing:
        say(f"{rows:,} rows in {time.perf_counter() - began:.3f} s")


def _question(sql: str | None, file: Path | None, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """What is asked, and with which values."""
    if file is not None:
        if sql is not None:
            raise click.UsageError("expected SQL or --file, found both")
        return _short(file.read_text(encoding="utf-8"), str(file)), given
    if sql is not None and sql.startswith("@"):
        from spyrium_cli.saved import question_named, values_of

        return values_of(question_named(sql[1:]), given)
    return _short(sys.stdin.read(LONGEST_QUESTION + 1) if sql == "-" else sql or "", "<stdin>"), given


def _short(sql: str, where: str) -> str:
    if len(sql) > LONGEST_QUESTION:
        raise Complaint(f"expected at most {LONGEST_QUESTION} characters of SQL, found more, at {where}")
    return sql


def _param(said: str) -> tuple[str, Any]:
    """A number, true, null or a list as JSON has them; anything else is a text."""
    import msgspec

    name, is_there, value = said.partition("=")
    if not is_there or not name.isidentifier():
        raise click.UsageError(f"expected --param NAME=VALUE, found '{said}'")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _target(form: str, to: Path | None, *, force: bool) -> tuple[str, Path | None]:
    """A file is Parquet or Arrow, and these are for no terminal."""
    ended = to.suffix.removeprefix(".") if to is not None else ""
    if to is not None and to.exists() and not force:
        from spyrium_cli.outputs import there_already

        raise there_already(to)
    if to is not None and form not in (*FILES, "table"):
        raise click.UsageError(f"expected no --to for {form}, which goes to stdout, found '{to}'")
    if form not in FILES and to is not None:
        if ended not in FILES:
            raise click.UsageError(f"expected --to a file that ends in .parquet or .arrow, found '{to}'")
        return ended, to
    if form in FILES and to is None and sys.stdout.isatty():
        raise click.UsageError(f"expected --to FILE for {form}, found a terminal")
    return form, to


def _into(session: Session, sql: str, given: dict[str, Any], to: Path, form: Any, *, unsafe: bool) -> int:
    from spyrium_cli.index import index_of, say_held
    from spyrium_cli.render.paper import say
    from spyrium_cli.render.text import counted
    from spyrium_log.readmodel import query_into

    written = query_into(index_of(session), sql, given, to, form, unsafe=unsafe)
    say_held(written.held)
    say(f"{counted(written.rows, 'row')} at {to}")
    return written.rows


def _piped(session: Session, sql: str, given: dict[str, Any], form: Any, *, unsafe: bool) -> int:
    """Whoever writes one of these forms goes back and forth in it, so it is made in a file first."""
    from functools import partial
    from tempfile import TemporaryDirectory

    from spyrium_cli.index import index_of, say_held
    from spyrium_cli.outputs import STDOUT, put
    from spyrium_log.readmodel import query_into

    with TemporaryDirectory() as folder:
        file = Path(folder).resolve() / "rows"
        written = query_into(index_of(session), sql, given, file, form, unsafe=unsafe)
        say_held(written.held)
        with file.open("rb") as made:
            put(iter(partial(made.read, AT_ONCE), b""), STDOUT, force=False)
    return written.rows


def _told(session: Session, sql: str, given: dict[str, Any], form: str, limit: int, unsafe: bool) -> int:
    from spyrium_cli.index import index_of, say_held
    from spyrium_cli.render.paper import say
    from spyrium_cli.render.rows import write
    from spyrium_log.readmodel import query

    answer = query(index_of(session), sql, given, limit=limit, unsafe=unsafe)
    say_held(answer.held)
    write(answer.columns, answer.rows, form)
    if answer.more:
        say(f"the first {limit:,} rows; --limit 0 shows all")
    return len(answer.rows)


def _list(form: str) -> None:
    from spyrium_cli.render.rows import write
    from spyrium_cli.saved import saved
    from spyrium_log.readmodel import reports

    rows = [(one.name, "yours", one.question) for one in saved()]
    rows += [(one.name, "report", one.question) for one in reports()]
    write(("name", "whose", "answers"), rows, form)


def _shell(session: Session, *, unsafe: bool) -> None:
    from spyrium_cli.index import index_of
    from spyrium_cli.shell import Shell

    Shell(index_of(session), unsafe=unsafe).run()
