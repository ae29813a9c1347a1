"""The SQL that creates the tables: made from their Structs, comments included. Pure.

A game that nobody amended has one history, and its rows in `seat` answer for both. An amended game has rows of its own
in `recorded_seat`. The view `seat_as_recorded` puts the two together, and `seat_of(as_recorded)` chooses a history.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from spyrium_log.readmodel.connections import quote_sql
from spyrium_log.readmodel.tables import (
    COLUMNAR,
    HISTORIES,
    RECORDED,
    TABLES,
    Column,
    GameRow,
    HoldingRow,
    MarketRow,
    SeatRow,
)

_SQL_TYPES: Mapping[Any, str] = {
    str: "VARCHAR",
    int: "INTEGER",
    float: "DOUBLE",
    bool: "BOOLEAN",
    datetime: "TIMESTAMP",
}
_COMMENT_ON_RECORDED = (
    "Rows of {}_as_recorded: those of games that were amended, as they were before. For the loader only."
)
_COMMENT_ON_VIEW = "{} As the game was recorded, before anybody amended it; what was undone stays undone."
_COMMENT_ON_MACRO = "{0}, or {0}_as_recorded where as_recorded is true."


class Definition(NamedTuple):
    """A column of a table."""

    sql: str
    may_be_null: bool
    comment: str
    is_key: bool


@cache
def define_columns(kind: type[Struct]) -> Mapping[str, Definition]:
    """The columns of the table with rows of this Struct, by name, in order. Cached: each is asked for several times."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: _define_column(hints[name]) for name in kind.__struct_fields__}


def _define_column(hint: Any) -> Definition:
    """The column for a field, from its annotated type: `Annotated[int | None, Column("The round.")]`."""
    column = Column("")
    if get_origin(hint) is Annotated:
        hint, column = get_args(hint)
    return Definition(column.sql or sql_type(hint), NoneType in get_args(hint), column.comment, column.is_key)


def sql_type(hint: Any) -> str:
    """The SQL type of a Python type: `VARCHAR` of str, `INTEGER[]` of list[int], `ENUM ('a', 'b')` of a Literal."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        # `int | None` is a column that may be NULL
        (not_none,) = (member for member in arguments if member is not NoneType)
        return sql_type(not_none)
    if origin is Literal:
        return f"ENUM ({', '.join(map(quote_sql, arguments))})"
    if origin is dict:
        return f"MAP({', '.join(map(sql_type, arguments))})"
    return f"{sql_type(arguments[0])}[]" if arguments else _SQL_TYPES[hint]


def json_columns(table: str) -> dict[str, str]:
    """The SQL types of a table's columns as DuckDB reads its staged rows, JSON lines: lists where a line is a game."""
    # rows of `offer` are staged as markets
    columns = define_columns(MarketRow if table == "offer" else TABLES[table])
    types = {name: column.sql for name, column in columns.items()}
    if table not in COLUMNAR:
        return types
    return {name: sql if name == "game" else f"{sql}[]" for name, sql in types.items()}


def tables_sql() -> str:
    """The SQL that creates all tables, and the views and macros of games as they were recorded."""
    return "\n".join([*(line for table in TABLES for line in _table_statements(table)), *_history_statements()])


def _table_statements(table: str) -> Iterator[str]:
    """The SQL that creates a table with its key, and comments on it and its columns."""
    columns = define_columns(TABLES[table])
    lines = [f'"{name}" {column.sql}{"" if column.may_be_null else " NOT NULL"}' for name, column in columns.items()]
    if keys := [name for name, column in columns.items() if column.is_key]:
        lines.append(f"PRIMARY KEY ({', '.join(keys)})")
    yield f"CREATE TABLE {table} ({', '.join(lines)});"
    as_it_stands = {recorded: standing for standing, recorded in RECORDED.items()}
    comment = _COMMENT_ON_RECORDED.format(as_it_stands[table]) if table in as_it_stands else table_comment(table)
    yield f"COMMENT ON TABLE {table} IS {quote_sql(comment)};"
    yield from column_comments(table, table)


def table_comment(table: str) -> str:
    """What a table holds, as people read it: the docstring of its Struct, in one line."""
    return " ".join(str(TABLES[table].__doc__).split())


def column_comments(relation: str, table: str) -> Iterator[str]:
    """The SQL that comments on the columns of a table, or of a view that has the same ones."""
    for column, definition in define_columns(TABLES[table]).items():
        yield f'COMMENT ON COLUMN {relation}."{column}" IS {quote_sql(definition.comment)};'


def view_comment(view: str, column: str) -> str:
    """The SQL that comments on a view's column as on the same one of a table; '' for a column of its own."""
    # what views are made of: of a column that several have, the first one's comment fits best
    for kind in (SeatRow, GameRow, HoldingRow):
        if column in define_columns(kind):
            return f'COMMENT ON COLUMN {view}."{column}" IS {quote_sql(define_columns(kind)[column].comment)};'
    return ""


def _history_statements() -> Iterator[str]:
    """The SQL of a view and a macro for each table with two histories: games as recorded, and either history."""
    for table in HISTORIES:
        recorded, view = RECORDED[table], f"{table}_as_recorded"
        rows = f"FROM {table} ANTI JOIN {RECORDED['game']} USING (game) UNION ALL FROM {recorded}"
        yield f"CREATE VIEW {view} AS {rows};"
        yield f"COMMENT ON VIEW {view} IS {quote_sql(_COMMENT_ON_VIEW.format(table_comment(table)))};"
        yield from column_comments(view, table)
        yield (
            f"CREATE MACRO {table}_of(as_recorded) AS TABLE"
            f" FROM {table} WHERE NOT as_recorded UNION ALL FROM {view} WHERE as_recorded;"
        )
        yield f"COMMENT ON MACRO TABLE {table}_of IS {quote_sql(_COMMENT_ON_MACRO.format(table))};"
