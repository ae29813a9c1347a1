"""Questions in SQL, and named ones. They read the index, and can neither change it nor touch anything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar
from uuid import UUID

import duckdb
from msgspec import Struct

from spyrium_log.errors import QueryError, ReadModelError, UnfitError
from spyrium_log.readmodel.database import (
    PATIENCE,
    Parameters,
    first_line,
    is_damage,
    placed,
    quoted,
    reading_as_is,
    remove,
    sibling,
)
from spyrium_log.readmodel.interrupts import stoppable
from spyrium_log.readmodel.tables import RELATIONS

# The parts of a message of several lines that help a person to put the query right.
_HINT = re.compile(r"^(?:Candidate bindings|Candidate functions|Did you mean)\b.*", re.MULTILINE)
_PLACE = re.compile(r"^LINE (\d+): (.*)\n(\s*)\^", re.MULTILINE)
_MISSING = re.compile(r"Table with name (\S+) does not exist")
# DuckDB 1 ends the whole process when its log cannot be written, and there no setting forbids it.
_FATAL = re.compile(r"\benable_(?:logging|profiling)\b", re.IGNORECASE)


FileForm: TypeAlias = Literal["parquet", "arrow"]
Found = TypeVar("Found")


class Answer(Struct, frozen=True):
    """A table of plain values. `held`: another process is writing the index; this is what it said before.

    `more`: there are more rows than were asked for.
    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    held: bool = False
    more: bool = False


class Written(Struct, frozen=True):
    """How many rows a file got. `held`: likewise."""

    rows: int
    held: bool = False


def query(
    database: Path,
    sql: str,
    parameters: Parameters = (),
    *,
    patience: float = PATIENCE,
    limit: int = 0,
    unsafe: bool = False,
) -> Answer:
    """The answer to one statement; `?` and `$name` in it are parameters.

    With a `limit` no more rows than that; `unsafe`: what is asked may read and write files.
    """
    (answer,) = queries(database, [(sql, parameters)], patience=patience, limit=limit, unsafe=unsafe)
    return answer


def queries(
    database: Path,
    asked: Sequence[tuple[str, Parameters]],
    *,
    patience: float = PATIENCE,
    limit: int = 0,
    unsafe: bool = False,
) -> list[Answer]:
    """The answers to several statements, all from the same state of the index."""
    path = placed(database)
    sql = ""
    try:
        with reading_as_is(path, patience, unsafe=unsafe) as (connection, held):
            answers = []
            for sql, parameters in asked:
                answers.append(_answer(connection, sql, parameters, held=held, limit=limit))
            return answers
    except duckdb.Error as error:
        raise fault_of(error, path, sql) from None


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


# The types of a macro's columns do not hang on what it is asked with.
_COLUMNS_OF_MACRO = """
    SELECT column_name AS "column", column_type AS type, "null" = 'YES' AS "may be null", NULL AS "says"
    FROM (DESCRIBE FROM {}({}))
"""


def described(database: Path, name: str | None = None, *, patience: float = PATIENCE) -> Answer:
    """What there is to ask, or the columns of one of it. The file itself says it to any other DuckDB, too.

    A table macro is named with or without its parentheses.
    """
    everything = query(database, _RELATIONS, patience=patience)
    if name is None:
        return everything
    name = name.partition("(")[0]
    answer = query(database, _COLUMNS, [name], patience=patience)
    if answer.rows:
        return answer
    macros = {said.partition("(")[0]: said.count(",") + 1 for kind, said, _ in everything.rows if kind == "table macro"}
    if name in macros:
        return _described_macro(database, name, macros[name], patience)
    known = sorted({*(said for kind, said, _ in everything.rows if kind in {"table", "view"}), *macros})
    near = get_close_matches(name, known, n=1)
    meant = f": did you mean '{near[0]}'?" if near else f" (there are {', '.join(known)})"
    raise ReadModelError(f"expected a table, a view or a table macro, found '{name}'{meant}")


def _described_macro(database: Path, name: str, most: int, patience: float) -> Answer:
    """Parameters with a default come last and need not be said; DuckDB does not tell which they are."""
    for said in range(most):
        with suppress(QueryError):
            return query(database, _COLUMNS_OF_MACRO.format(name, ", ".join(["NULL"] * said)), patience=patience)
    return query(database, _COLUMNS_OF_MACRO.format(name, ", ".join(["NULL"] * most)), patience=patience)


def query_into(
    database: Path,
    sql: str,
    parameters: Parameters,
    file: Path,
    form: FileForm,
    *,
    patience: float = PATIENCE,
    unsafe: bool = False,
) -> Written:
    """The rows of one statement as a file; unless it is `unsafe`, whatever it says touches no other file.

    Arrow wants pyarrow, which is asked for nowhere else.
    """
    path = placed(database)
    beside = sibling(file.absolute(), form)
    try:
        with reading_as_is(path, patience, writes=beside, unsafe=unsafe) as (connection, held):
            rows = caught(connection, lambda: _put(connection, sql, parameters, beside, form))
        beside.replace(file)
    except duckdb.Error as error:
        raise fault_of(error, path, sql) from None
    except OSError as error:
        raise ReadModelError(f"expected to write '{file}', found: {error.strerror}") from None
    else:
        return Written(rows, held)
    finally:
        beside.unlink(missing_ok=True)


def fault_of(error: duckdb.Error, path: Path, sql: str) -> ReadModelError | QueryError:
    """What is wrong with the file or with the question, in our words."""
    if not is_damage(error):
        return _mistake(error, sql)
    remove(path)
    return UnfitError(f"expected a whole index, found: {first_line(error)}, at {path}")


def _answer(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters, *, held: bool, limit: int
) -> Answer:
    columns, rows = caught(connection, lambda: _asked(connection, sql, parameters, limit))
    more = bool(limit) and len(rows) > limit
    return Answer(columns, [tuple(map(plain, row)) for row in (rows[:limit] if more else rows)], held, more)


def caught(connection: duckdb.DuckDBPyConnection, work: Callable[[], Found]) -> Found:
    """What the work comes to; Ctrl-C stops it, and what Python cannot hold is said."""
    try:
        return stoppable(work, connection.interrupt)
    except (ValueError, TypeError, OverflowError) as error:
        raise QueryError(f"expected a value that Python has, found: {first_line(error)}") from None


def _asked(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters, limit: int
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    _check_one(connection, sql)
    connection.execute(sql, parameters or None)
    columns = tuple(str(column[0]) for column in connection.description or ())
    if not limit:
        # All of the rows: an unfinished result would block the connection (DuckDB 2).
        return columns, connection.fetchall()
    rows = connection.fetchmany(limit + 1)
    if len(rows) > limit:
        # Likewise: another question takes the place of what nobody reads to its end.
        connection.execute("SELECT 1").fetchall()
    return columns, rows


def _check_one(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    if match := _FATAL.search(sql):
        raise QueryError(f"expected a question to the tables, found '{match[0]}'")
    statements = len(connection.extract_statements(sql))
    if statements != 1:
        raise QueryError(f"expected one statement, found {statements or 'none'}")


def _put(connection: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters, file: Path, form: FileForm) -> int:
    _check_one(connection, sql)
    # A table first: what is asked cannot say where it is written, and its parameters are known.
    connection.execute(f"CREATE TEMP TABLE asked AS {sql.rstrip().removesuffix(';')}", parameters or None)
    if form == "parquet":
        connection.execute(f"COPY asked TO {quoted(str(file))} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)")
    else:
        _put_arrow(connection, file)
    (rows,) = connection.execute("SELECT count(*) FROM asked").fetchall()[0]
    return int(rows)


def _put_arrow(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    try:
        ipc: Any = import_module("pyarrow.ipc")
    except ImportError:
        raise ReadModelError("expected the package pyarrow for arrow, found none; parquet needs nothing") from None
    table = connection.sql("FROM asked").to_arrow_table()
    with ipc.new_file(str(file), table.schema) as writer:
        writer.write_table(table)


def plain(value: Any) -> Any:
    """A value that every format we write can hold: DuckDB's decimals become floats, its UUIDs text."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return value


def _mistake(error: duckdb.Error, sql: str) -> QueryError:
    """What is wrong with the query, in one line, and where."""
    text = str(error)
    if "pytz" in text:
        # Python has time zones of its own; DuckDB asks for a package that we do not bring.
        return QueryError("expected times without a zone, found one with a zone; cast it with ::TIMESTAMP")
    missing = _MISSING.search(first_line(error))
    # DuckDB proposes tables of its own, too; whoever asks an archive means one of ours.
    hints = [_meant(missing[1])] if missing else _HINT.findall(text)
    parts = [_lowered(part.strip().rstrip("!.")) for part in (first_line(error), *hints)]
    said = "; ".join(parts)
    place = _PLACE.search(text)
    if place is None:
        return QueryError(said)
    line = int(place[1])
    # DuckDB quotes a part of a long line; where that part stands in it is looked up.
    quoted = place[2].removeprefix("...").removesuffix("...")
    shown = len(place[3]) - len(f"LINE {line}: ") - (3 if place[2].startswith("...") else 0)
    whole = sql.split("\n")[line - 1] if line <= sql.count("\n") + 1 else ""
    return QueryError(said, line, max(0, whole.find(quoted)) + shown + 1)


def _meant(table: str) -> str:
    near = get_close_matches(table.casefold(), RELATIONS, n=1)
    return f"did you mean '{near[0]}'?" if near else f"the tables are {', '.join(RELATIONS)}"


def _lowered(text: str) -> str:
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
