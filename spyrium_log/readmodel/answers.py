"""Queries in SQL. They read the index, and can neither change it nor touch anything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias
from uuid import UUID

import duckdb
from msgspec import Struct

from spyrium_log.catalogue import shared_words
from spyrium_log.checks import nearest_word
from spyrium_log.errors import QueryError, QueryMemoryError, ReadModelError, UnfitError
from spyrium_log.messages import Message
from spyrium_log.readmodel.connections import (
    Parameters,
    Result,
    first_line,
    index_path,
    is_damage,
    is_out_of_memory,
    quote_sql,
    remove_database,
    run_stoppably,
)
from spyrium_log.readmodel.reading import Scratch, open_index_or_copy

# The parts of a message of several lines that help a person to put the query right.
_HINT = re.compile(r"^(?:Candidate bindings|Candidate functions|Did you mean)\b.*", re.MULTILINE)
_QUOTED_LINE = re.compile(r"^LINE (?P<number>\d+): (?P<text>.*)\n(?P<indent>\s*)\^", re.MULTILINE)
_MISSING = re.compile(r"Table with name (\S+) does not exist")
_MISSING_COLUMN = re.compile(r"""(?:column "|have a column named "|cannot extract field ')(\w+)["']""", re.IGNORECASE)
# What people call a column or a table before they know its name, and where it stands.
_GUESSES = {
    "score": "seat.total, result.total",
    "final_score": "seat.total, result.total",
    "player_name": "seat.player, result.player",
    "player": "seat.player, result.player",
    "name": "seat.player, result.player",
    "winner": "seat.won, result.won",
    "winners": "seat.won, result.won",
    "rank": "seat.place, result.place",
    "date": "game.played, result.played",
    "player_count": "result.players, game.seats",
    "num_players": "result.players, game.seats",
    "game_id": "game.game, seat.game",
    "color": "seat.colour",
    "cause": "ledger.why, score_part.part",
    "resource": "ledger.what, standing.what",
    "card_name": "held.card, taken.card, holding.card",
}
# DuckDB 1 ends the whole process when its log cannot be written, and there no setting forbids it.
_FATAL = re.compile(r"\benable_(?:logging|profiling)\b", re.IGNORECASE)
# What writes files. DuckDB forbids it, but for names that belong to the open file: its log, its folder for overflow,
# itself. It stands within other statements too (WITH … AS (COPY …), EXPLAIN ANALYZE COPY), so words are looked at.
_WRITING = frozenset({"copy", "export", "attach"})
# What DuckDB takes for a blank before it looks at words.
_BLANKS = re.compile("[\u00a0\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]")
# What makes a statement one that fills a table.
_INTO_TABLE = "CREATE TEMP TABLE answer AS "
# Rows that are converted to Python values at a time.
ROWS_AT_ONCE = 256

FileForm: TypeAlias = Literal["parquet", "arrow"]


class Answer(Struct, frozen=True):
    """A table of plain values. `held`: another process is writing the index; these are the rows from before."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    held: bool = False


class Written(Struct, frozen=True):
    """The number of rows in a file. `held`: likewise."""

    rows: int
    held: bool = False


def query(database: Path, sql: str, parameters: Parameters = ()) -> Answer:
    """The answer to one statement, with `?` and `$name` for parameters: all rows at once, so for one of ours."""
    (answer,) = query_together(database, [(sql, parameters)])
    return answer


def query_together(database: Path, statements: Sequence[tuple[str, Parameters]]) -> list[Answer]:
    """The answers to several statements, all from the same state of the index: for the figures of a report."""
    path = index_path(database)
    # an error is about the statement that ran last
    sql = ""
    try:
        with open_index_or_copy(path) as (connection, held):
            answers = []
            for sql, parameters in statements:
                columns, rows = run_with_python_values(connection, partial(_fetch_all, connection, sql, parameters))
                answers.append(Answer(columns, [tuple(map(to_plain_value, row)) for row in rows], held))
            return answers
    except duckdb.Error as error:
        raise remove_if_damaged_and_make_error(error, path, sql) from None


_RELATIONS = """
    SELECT 'table' AS kind, table_name AS name, comment AS "says" FROM duckdb_tables() WHERE NOT internal
    UNION ALL SELECT 'view', view_name, comment FROM duckdb_views() WHERE NOT internal
    UNION ALL
    SELECT
        CASE function_type WHEN 'table_macro' THEN 'table macro' ELSE 'macro' END,
        function_name || '(' || array_to_string(parameters, ', ') || ')',
        comment
    FROM duckdb_functions() WHERE NOT internal
"""
_COLUMNS = """
    SELECT column_name AS "column", data_type AS type, is_nullable AS "may be null", comment AS "says"
    FROM duckdb_columns() WHERE NOT internal AND table_name = ? ORDER BY column_index
"""


# The types of a macro's columns do not depend on its arguments.
_COLUMNS_OF_MACRO = """
    SELECT column_name AS "column", column_type AS type, "null" = 'YES' AS "may be null", NULL AS "says"
    FROM (DESCRIBE FROM {}({}))
"""


def describe_tables(database: Path, name: str | None = None) -> Answer:
    """The tables, views and macros, or the columns of one; a table macro is named with or without its parentheses."""
    everything = query(database, _RELATIONS)
    if name is None:
        return everything
    name = name.partition("(")[0]
    columns = query(database, _COLUMNS, [name])
    if columns.rows:
        return columns
    # by name the number of parameters, which _RELATIONS lists with commas
    macros = {call.partition("(")[0]: call.count(",") + 1 for kind, call, _ in everything.rows if kind == "table macro"}
    if name in macros:
        return _describe_macro(database, name, macros[name])
    known = sorted({*(table for kind, table, _ in everything.rows if kind in {"table", "view"}), *macros})
    if near := nearest_word(name, known):
        raise ReadModelError("relation-near", found=name, near=near)
    raise ReadModelError("relation", found=name, known=", ".join(known))


def _describe_macro(database: Path, name: str, max_arguments: int) -> Answer:
    """The columns of a table macro that takes at most so many arguments."""
    # DuckDB does not tell how many of them have a default, so it is called with ever more of them
    for count in range(max_arguments):
        with suppress(QueryError):
            return query(database, _COLUMNS_OF_MACRO.format(name, ", ".join(["NULL"] * count)))
    return query(database, _COLUMNS_OF_MACRO.format(name, ", ".join(["NULL"] * max_arguments)))


def write_rows(
    database: Path,
    sql: str,
    parameters: Parameters,
    file: Path,
    form: FileForm,
    *,
    unsafe: bool = False,
    scratch: Scratch | None = None,
) -> Written:
    """Write a statement's rows to a file, the only one it can touch unless `unsafe`; a failure may leave part of it."""
    path = index_path(database)
    try:
        with open_index_or_copy(path, writes=file, unsafe=unsafe, scratch=scratch) as (connection, held):
            write = partial(_copy_to_file, connection, sql, parameters, file, form, unsafe=unsafe)
            return Written(run_with_python_values(connection, write), held)
    except duckdb.Error as error:
        raise remove_if_damaged_and_make_error(error, path, sql, prefix=_INTO_TABLE) from None
    except OSError as error:
        raise ReadModelError("cannot-write-file", path=str(file), found=str(error.strerror)) from None


class Stream(NamedTuple):
    """The rows of an answer as they come. `held`: another process is writing the index; these are rows from before."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]
    held: bool


@contextmanager
def stream_rows(
    database: Path, sql: str, parameters: Parameters, *, unsafe: bool = False, scratch: Scratch
) -> Iterator[Stream]:
    """For the block the answer to one statement, never all rows at once; the process must do nothing else meanwhile."""
    path = index_path(database)
    try:
        with open_index_or_copy(path, unsafe=unsafe, scratch=scratch) as (connection, held):
            with _report_value_errors():
                columns = _execute(connection, sql, parameters, unsafe=unsafe)
            yield Stream(columns, _fetch_rows(connection), held)
    except duckdb.Error as error:
        raise remove_if_damaged_and_make_error(error, path, sql) from None


def _fetch_rows(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    """The rows of a running statement, some at a time, as plain values."""
    while True:
        with _report_value_errors():
            rows = connection.fetchmany(ROWS_AT_ONCE)
        if not rows:
            return
        for row in rows:
            yield tuple(map(to_plain_value, row))


def remove_if_damaged_and_make_error(error: duckdb.Error, path: Path, sql: str, prefix: str = "") -> ReadModelError:
    """Our error for one of DuckDB: no memory, a mistake in `sql` (which `prefix` made ours), or damage to the index."""
    if is_out_of_memory(error):
        return QueryMemoryError("sql", text=first_line(error))
    if not is_damage(error):
        return _make_mistake_error(error, sql, prefix)
    # it is built anew
    remove_database(path)
    return UnfitError("damaged", found=first_line(error), place=str(path))


def run_with_python_values(connection: duckdb.DuckDBPyConnection, work: Callable[[], Result]) -> Result:
    """Run a query and fetch its rows, which Ctrl-C stops; a value that Python cannot hold is a QueryError."""
    with _report_value_errors():
        return run_stoppably(work, connection.interrupt)


@contextmanager
def _report_value_errors() -> Iterator[None]:
    """Raise QueryError for what fetching rows raises where Python cannot hold a value of DuckDB."""
    try:
        yield
    except (ValueError, TypeError, OverflowError) as error:
        raise QueryError("value", found=first_line(error)) from None


def _fetch_all(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """The names of the columns, and all rows, of the answer to one statement."""
    columns = _execute(connection, sql, parameters, unsafe=False)
    # All of the rows: an unfinished result would block the connection (DuckDB 2).
    return columns, connection.fetchall()


def _execute(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters, *, unsafe: bool
) -> tuple[str, ...]:
    """Run a statement, if it is one that may be run, and return the names of its columns; rows are fetched later."""
    _check_statement(connection, sql, unsafe=unsafe)
    connection.execute(sql, parameters or None)
    # a column is described as the DB-API has it, its name first; a statement without an answer has none
    return tuple(str(name) for name, *_ in connection.description or ())


def _check_statement(connection: duckdb.DuckDBPyConnection, sql: str, *, unsafe: bool) -> None:
    """Raise QueryError unless it is one statement, which neither stops the process nor writes files."""
    if match := _FATAL.search(sql):
        raise QueryError("no-question", found=match[0])
    if not unsafe and (word := _find_writing_word(sql)):
        raise QueryError("no-question-quoted", found=word)
    count = len(connection.extract_statements(sql))
    if not count:
        raise QueryError("no-statement")
    if count > 1:
        raise QueryError("statements", found=count)


def _find_writing_word(sql: str) -> str:
    """The first keyword that writes files, '' if there is none; texts, quoted names and comments do not count."""
    # as bytes, for DuckDB counts in those where a word starts
    raw = _BLANKS.sub(" ", sql).encode("utf-8", "replace")
    # one more than the longest of them, so that a longer word is none of them
    longest = max(map(len, _WRITING)) + 1
    for start, kind in duckdb.tokenize(raw.decode()):
        word = re.match(rb"\w+", raw[start : start + longest])
        if kind == duckdb.token_type.keyword and word and word[0].decode().casefold() in _WRITING:
            return word[0].decode()
    return ""


def _copy_to_file(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters, file: Path, form: FileForm, *, unsafe: bool
) -> int:
    """Write the answer to one statement to a Parquet or Arrow file, and return the number of its rows."""
    _check_statement(connection, sql, unsafe=unsafe)
    # a table first: COPY takes no parameters, and so the statement cannot choose another file
    connection.execute(f"{_INTO_TABLE}{sql.rstrip().removesuffix(';')}", parameters or None)
    if form == "parquet":
        connection.execute(
            f"COPY answer TO {quote_sql(str(file))} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)"
        )
    else:
        _write_arrow(connection, file)
    ((count,),) = connection.execute("SELECT count(*) FROM answer").fetchall()
    return int(count)


def _write_arrow(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Write the table `answer` as an Arrow file, which needs pyarrow."""
    try:
        ipc: Any = import_module("pyarrow.ipc")
    except ImportError:
        raise ReadModelError("no-pyarrow") from None
    table = connection.sql("FROM answer").to_arrow_table()
    with ipc.new_file(str(file), table.schema) as writer:
        writer.write_table(table)


def to_plain_value(value: Any) -> Any:
    """The value as every format that we write can hold it: decimals of DuckDB become floats, UUIDs text."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, list | tuple):
        return [to_plain_value(item) for item in value]
    if isinstance(value, dict):
        return {key: to_plain_value(item) for key, item in value.items()}
    return value


def _make_mistake_error(error: duckdb.Error, sql: str, prefix: str) -> QueryError:
    """The error for a mistake in a query: what DuckDB says of it, and where, if DuckDB quotes the line."""
    text = str(error)
    if "pytz" in text:
        # Python has time zones of its own; DuckDB asks for a package that we do not bring.
        return QueryError("time-zone")
    message = _make_mistake_message(error)
    quotation = _QUOTED_LINE.search(text)
    if quotation is None:
        return QueryError(message)
    line_number = int(quotation["number"])
    line = dict(enumerate(f"{prefix}{sql}".split("\n"), 1)).get(line_number, "")
    column = _find_column(line, quotation)
    return QueryError(message, line_number, column - len(prefix) if line_number == 1 else column)


def _find_column(line: str, quotation: re.Match[str]) -> int:
    """The column of a mistake in its line, from 1: DuckDB quotes a part of a long one, and puts a caret below."""
    # dots stand where the quotation is cut
    excerpt = quotation["text"].removeprefix("...")
    before = f"LINE {quotation['number']}: " + quotation["text"].removesuffix(excerpt)
    start = max(0, line.find(excerpt.removesuffix("...")))
    return start + len(quotation["indent"]) - len(before) + 1


def _find_right_name(word: str) -> str:
    """What a column or table of this name may be called here: a guess that people make, or a title's kind of cards."""
    if word in _GUESSES:
        return _GUESSES[word]
    # The titles load the rules, and only this mistake needs them.
    from spyrium_log.titles import TITLES  # noqa: PLC0415

    kind = word.removesuffix("s")
    for tables, sheet in ((title.tables, title.sheet()) for title in TITLES.values()):
        if kind in tables.kinds(sheet).values():
            macros = [f"{kind}_averages", f"{kind}_scores"]
            own = [f"{name}()" for name in macros if f"{name}(" in tables.macros()]
            return ", ".join(["held.card, taken.card, holding.card", *own])
    return ""


def _make_mistake_message(error: duckdb.Error) -> Message:
    """What DuckDB says of a mistake in a query, in one line with its hints; of an unknown table, with those of ours."""
    complaint = _uncapitalise(first_line(error).rstrip("!."))
    if (column := _MISSING_COLUMN.search(str(error))) and (right := _find_right_name(column[1].casefold())):
        return Message(shared_words, "index.sql-guess", text=complaint, right=right)
    if missing := _MISSING.search(first_line(error)):
        # DuckDB proposes tables of its own, too; only ours are useful.
        # The types of the rows load the log and the titles, and only this mistake needs them.
        from spyrium_log.readmodel.tables import RELATIONS  # noqa: PLC0415

        if right := _find_right_name(missing[1].casefold()):
            return Message(shared_words, "index.sql-guess", text=complaint, right=right)
        if near := nearest_word(missing[1].casefold(), RELATIONS):
            return Message(shared_words, "index.sql-near", text=complaint, near=near)
        return Message(shared_words, "index.sql-tables", text=complaint, known=", ".join(RELATIONS))
    hints = [_uncapitalise(hint.strip().rstrip("!.")) for hint in _HINT.findall(str(error))]
    return Message(shared_words, "index.sql", text="; ".join([complaint, *hints]))


def _uncapitalise(text: str) -> str:
    """A message of DuckDB as a part of ours: a word in capitals, as SQL, stays."""
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
