"""Questions in SQL, and named ones. They read the index, and can neither change it nor touch anything else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
from msgspec import Struct

from spyrium_log.errors import QueryError, ReadModelError, UnfitError
from spyrium_log.readmodel.catalogue import report_named
from spyrium_log.readmodel.database import (
    PATIENCE,
    Parameters,
    first_line,
    is_damage,
    placed,
    reading_as_is,
    remove,
)
from spyrium_log.readmodel.interrupts import stoppable

# The parts of a message of several lines that help a person to put the query right.
_HINT = re.compile(r"^(?:Candidate bindings|Candidate functions|Did you mean)\b.*", re.MULTILINE)
_PLACE = re.compile(r"^LINE (\d+): (.*)\n(\s*)\^", re.MULTILINE)
# DuckDB 1 ends the whole process when its log cannot be written, and there no setting forbids it.
_FATAL = re.compile(r"\benable_(?:logging|profiling)\b", re.IGNORECASE)


class Answer(Struct, frozen=True):
    """A table of plain values. `held`: another process is writing the index; this is what it said before."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    held: bool = False


def query(database: Path, sql: str, parameters: Parameters = (), *, patience: float = PATIENCE) -> Answer:
    """The answer to one statement; `?` and `$name` in it are parameters."""
    path = placed(database)
    try:
        with reading_as_is(path, patience) as (connection, held):
            return _answer(connection, sql, parameters, held=held)
    except duckdb.Error as error:
        if is_damage(error):
            remove(path)
            raise UnfitError(f"expected a whole index, found: {first_line(error)}, at {path}") from None
        raise _mistake(error, sql) from None


def report(
    database: Path, name: str, options: Mapping[str, object] | None = None, *, patience: float = PATIENCE
) -> Answer:
    """The answer to a named question, with its options in place of their defaults."""
    asked = report_named(name)
    unknown = sorted((options or {}).keys() - asked.options.keys())
    if unknown:
        known = ", ".join(sorted(asked.options))
        raise ReadModelError(f"expected an option of {known}, found '{unknown[0]}', in report '{name}'")
    return query(database, asked.sql, {**asked.options, **(options or {})}, patience=patience)


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


def described(database: Path, name: str | None = None, *, patience: float = PATIENCE) -> Answer:
    """What there is to ask, or the columns of one table or view. The file itself says it to any other DuckDB, too."""
    everything = query(database, _RELATIONS, patience=patience)
    if name is None:
        return everything
    answer = query(database, _COLUMNS, [name], patience=patience)
    if not answer.rows:
        known = ", ".join(row[1] for row in everything.rows if row[0] in {"table", "view"})
        raise ReadModelError(f"expected a table or view of {known}, found '{name}'")
    return answer


def _answer(connection: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters, *, held: bool) -> Answer:
    if match := _FATAL.search(sql):
        raise QueryError(f"expected a question to the tables, found '{match[0]}'")
    try:
        columns, rows = stoppable(lambda: _asked(connection, sql, parameters), connection.interrupt)
        return Answer(columns, [tuple(map(plain, row)) for row in rows], held)
    except (ValueError, TypeError, OverflowError) as error:
        raise QueryError(f"expected a value that Python has, found: {first_line(error)}") from None


def _asked(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    statements = len(connection.extract_statements(sql))
    if statements != 1:
        raise QueryError(f"expected one statement, found {statements or 'none'}")
    connection.execute(sql, parameters or None)
    columns = tuple(str(column[0]) for column in connection.description or ())
    # All of the rows: an unfinished result would block the connection (DuckDB 2).
    return columns, connection.fetchall()


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
    parts = [_lowered(part.strip().rstrip("!.")) for part in (first_line(error), *_HINT.findall(text))]
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


def _lowered(text: str) -> str:
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
