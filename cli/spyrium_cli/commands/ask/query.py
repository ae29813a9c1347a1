"""`spyrium query`: ask the archive in SQL."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any

import click
import msgspec

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import Complaint, WrongCall, call_message
from spyrium_cli.files import STDOUT, existing_file_refusal, write_output
from spyrium_cli.options import force_option, option
from spyrium_cli.render.rows import SCREENFUL, formats, translate_cells, translate_headings, write
from spyrium_cli.render.surface import is_screen, is_terminal, tell
from spyrium_cli.session import Session, language_of_form
from spyrium_cli.sql.index import refresh_index, warn_if_held
from spyrium_cli.sql.limits import Limits, allowed_memory, parse_duration, parse_size
from spyrium_cli.sql.process import QueryProcess, Question, warn_of_missing_limit
from spyrium_cli.sql.saved import bind_values, find_question, list_questions, save_question
from spyrium_log.messages import Count
from spyrium_log.readmodel.catalogue import question_text

# Characters of SQL.
LONGEST_QUESTION = 1 << 20
# The SQL that stands for what comes from stdin.
STDIN = "-"
FILES = ("parquet", "arrow")
# Bytes that are written to a pipe at once.
AT_ONCE = 1 << 20

EPILOG = """\b
Examples:
  spyrium query "SELECT why, sum(amount) FROM ledger WHERE what = 'points' GROUP BY why"
  spyrium query "SELECT * FROM seat WHERE player = $name" --param name=Anna
  spyrium query - --format csv < question.sql
  spyrium query "FROM technique_scores()" --to scores.parquet
  spyrium query @take-rates
  spyrium query --list

The tables are made from the logs and brought up to date first; `spyrium tables` lists them. A query cannot write, and
reads no other file and no network, except with --unsafe. It runs in its own process within --memory and --timeout;
Ctrl-C ends it. Parquet and Arrow can also go to a pipe. Without SQL at a terminal, a shell starts.

@NAME is a query that was saved with --save, or the first one of a report."""


@click.command("query", cls=Command, epilog=EPILOG)
@click.argument("sql", required=False)
@option("--file", "file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@click.option("--param", "params", metavar="NAME=VALUE", multiple=True, help="The value of $NAME: JSON, or a text.")
@option("--to", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--limit", type=click.IntRange(0), help=f"Most rows (default: {SCREENFUL:,} on a screen); 0 for all.")
@click.option(
    "--memory",
    type=parse_size,
    metavar="SIZE",
    help="Memory of the query, such as 2GB (default: a quarter of the machine's).",
)
@click.option("--timeout", type=parse_duration, metavar="DURATION", help="End the query after this time, such as 10s.")
@click.option("--timing", is_flag=True, help="Print the number of rows and the time.")
@click.option("--unsafe", is_flag=True, help="Let the query read and write your files.")
@click.option("--save", metavar="NAME", help="Save the query as @NAME.")
@click.option("--about", default="", metavar="TEXT", help="What the saved query answers.")
@force_option
@click.option("--list", "listed", is_flag=True, help="List the named queries.")
@formats(*FILES)
@pass_session
def query_archive(
    session: Session,
    sql: str | None,
    file: Path | None,
    params: Sequence[str],
    to: Path | None,
    limit: int | None,
    memory: int | None,
    timeout: float | None,
    timing: bool,
    unsafe: bool,
    save: str | None,
    about: str,
    force: bool,
    listed: bool,
    form: str,
) -> None:
    """Query the archive in SQL.

    SQL is one statement, @NAME, or - for stdin.
    """
    if listed:
        _list_named_queries(session, form)
        return
    if memory is not None:
        warn_of_missing_limit()
    limits = Limits(allowed_memory(memory), timeout)
    if sql is None and file is None:
        if is_terminal():
            _run_shell(session, limits, unsafe=unsafe)
            return
        sql = STDIN
    query, values = _read_question(sql, file, dict(map(_parse_parameter, params)))
    if save is not None:
        if params:
            raise WrongCall("save-param")
        tell("sql.saved", name=save, place=str(save_question(save, query, about, force=force)))
        return
    form = _find_form(form, to, force=force)
    question = Question(query, values, form, _find_row_limit(limit, form), unsafe)
    began = time.perf_counter()
    with QueryProcess(limits, debug=session.debug) as process:
        rows = _write_answer(session, process, question, to)
    if timing:
        tell("sql.timed", rows=Count(rows, "row"), seconds=f"{time.perf_counter() - began:.3f}")


def _run_shell(session: Session, limits: Limits, *, unsafe: bool) -> None:
    """Answer at a prompt what somebody types."""
    from spyrium_cli.sql.shell import Shell

    Shell(refresh_index(session), limits, title=session.settings.get("title").value, unsafe=unsafe).run()


def _read_question(sql: str | None, file: Path | None, values: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The SQL of the call (`@NAME`: a saved query, `-`: stdin) or of the file, and the values of its parameters."""
    if file is not None and sql is not None:
        raise WrongCall("sql-and-file")
    if sql is not None and sql.startswith("@"):
        return bind_values(find_question(sql.removeprefix("@")), values)
    if file is not None:
        text, place = file.read_text(encoding="utf-8"), str(file)
    else:
        text, place = sys.stdin.read(LONGEST_QUESTION + 1) if sql == STDIN else sql or "", "<stdin>"
    if len(text) > LONGEST_QUESTION:
        raise Complaint(call_message("sql-length", most=LONGEST_QUESTION, place=place))
    return text, values


def _parse_parameter(text: str) -> tuple[str, Any]:
    """The name and the value of NAME=VALUE: JSON such as a number or a list, or else a text."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise WrongCall("param", found=text)
    try:
        return name, msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return name, value


def _find_form(form: str, to: Path | None, *, force: bool) -> str:
    """The form of the answer, which a file has by its ending; refused where it cannot go to file or terminal."""
    if to is None:
        if form in FILES and sys.stdout.isatty():
            raise WrongCall("to-terminal", form=form)
        return form
    if to.exists() and not force:
        raise existing_file_refusal(to)
    if form not in (*FILES, "table"):
        raise WrongCall("no-to", form=form, found=str(to))
    ending = to.suffix.removeprefix(".")
    if form not in FILES and ending not in FILES:
        raise WrongCall("to-ending", found=str(to))
    return form if form in FILES else ending


def _find_row_limit(limit: int | None, form: str) -> int:
    """The most rows of the answer by `--limit`, else a screenful where it goes to a screen; 0 for all."""
    if form in FILES:
        if limit is not None:
            raise WrongCall("limit", form=form)
        return 0
    if limit is None:
        return SCREENFUL if is_screen() else 0
    return limit


def _write_answer(session: Session, process: QueryProcess, question: Question, to: Path | None) -> int:
    """Write the rows to a file, or to stdout where `to` is None. Returns how many there are."""
    if to is not None:
        return _write_file(session, process, question, to)
    if question.form in FILES:
        return _pipe_file(session, process, question)
    rows, is_cut = process.answer(refresh_index(session), question, warn_if_held)
    if is_cut:
        tell("sql.first-rows", n=f"{question.limit:,}")
    return rows


def _pipe_file(session: Session, process: QueryProcess, question: Question) -> int:
    """Write the rows to stdout in a form that is not written from front to back; returns how many there are."""
    with TemporaryDirectory() as folder:
        file = Path(folder).resolve() / "rows"
        rows = process.answer(refresh_index(session), question._replace(to=file), warn_if_held).rows
        with file.open("rb") as answer:
            write_output(iter(partial(answer.read, AT_ONCE), b""), STDOUT, force=False)
    return rows


def _write_file(session: Session, process: QueryProcess, question: Question, to: Path) -> int:
    """Write the rows beside the file, which they replace once they are complete. Returns how many there are."""
    beside = to.absolute().with_name(f".{to.stem}.{token_hex(8)}{to.suffix}")
    try:
        rows = process.answer(refresh_index(session), question._replace(to=beside), warn_if_held).rows
        beside.replace(to)
    finally:
        beside.unlink(missing_ok=True)
    tell("sql.written", rows=Count(rows, "row"), place=str(to))
    return rows


def _list_named_queries(session: Session, form: str) -> None:
    """Write the queries that `@NAME` runs: those that the user saved, and the reports."""
    if form in FILES:
        raise WrongCall("list-form", form=form)
    saved, reports = list_questions(session.title.key)
    rows = [(question.name, "yours", question.question) for question in saved]
    shown_in = language_of_form(form, session.language)
    rows += [(report.name, "report", question_text(report, shown_in)) for report in reports]
    columns = ("name", "whose", "answers")
    cells = translate_cells(columns, rows, {"whose": "questions"}, form, session.language)
    write(translate_headings(columns, "questions-heads", form, session.language), cells, form)
