"""The differences between the rows of two indexes, one of them built anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
from msgspec import Struct

from spyrium_log.readmodel.connections import run
from spyrium_log.readmodel.tables import LOADED, VIEWS

# Games whose rows are compared at a time: memory does not grow with the archive.
AT_ONCE = 100
NONE = "none"
_COLUMNS = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal"


class Deviation(Struct, frozen=True, kw_only=True):
    """A value in the index that differs from that of an index built anew.

    `subject` is the game of the row; in `position` the file, in other tables the value of the first column.
    """

    table: str
    subject: str
    column: str
    expected: str
    found: str


def orphans(connection: duckdb.DuckDBPyConnection) -> Iterator[Deviation]:
    """Rows of games that are not there, and of sheets that no game was played with."""
    of_games = [(table, "game") for table in LOADED if table != "game"]
    for table, key in (*of_games, ("sheet_value", "sheet")):
        sql = f"SELECT DISTINCT {key} FROM {table} WHERE {key} NOT IN (SELECT {key} FROM game) ORDER BY {key}"  # noqa: S608 - names of our tables
        for (found,) in run(connection, sql):
            yield Deviation(table=table, subject=found, column=key, expected=NONE, found=found)


def differences(
    anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection, games: Sequence[str]
) -> Iterator[Deviation]:
    """The differences in the rows of these games, of their sheets, and of cards and resources."""
    for compare in (_differences_of_columns, _differences_of_tables, _differences_of_views):
        deviations = [*compare(anew, index, games)]
        yield from deviations
        if deviations:
            # The next ones would only follow from these.
            return


def _differences_of_columns(
    anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection, _games: Sequence[str]
) -> Iterator[Deviation]:
    """Columns of tables and views, with their types."""
    return _row_differences("duckdb_columns", "table_name", _query_rows(anew, _COLUMNS), _query_rows(index, _COLUMNS))


def _differences_of_tables(
    anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection, games: Sequence[str]
) -> Iterator[Deviation]:
    """Rows of cards and resources, of sheets, and of all tables of games."""
    for table, key in (("card", "card"), ("resource", "what")):
        yield from _row_differences(table, key, _query_rows(anew, f"FROM {table}"), _query_rows(index, f"FROM {table}"))
    sheets = [sheet for (sheet,) in run(anew, "SELECT DISTINCT sheet FROM sheet_value")]
    yield from _compare_rows(anew, index, "sheet_value", "sheet", sheets)
    for table in LOADED:
        yield from _compare_rows(anew, index, table, "game", games)


def _differences_of_views(
    anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection, games: Sequence[str]
) -> Iterator[Deviation]:
    """Rows of the views: they show what a changed macro or view makes of right tables."""
    for view in VIEWS:
        yield from _compare_rows(anew, index, view, "game", games)


def _compare_rows(
    anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection, table: str, key: str, wanted: Sequence[str]
) -> Iterator[Deviation]:
    """Compare rows: by hash, and one by one only where the hashes differ."""
    for start in range(0, len(wanted), AT_ONCE):
        some = [[*wanted[start : start + AT_ONCE]]]
        rows = f"FROM {table} AS one WHERE {key} IN (SELECT unnest(?::VARCHAR[]))"
        hashes = f"SELECT count(*), sum(hash(one)) {rows}"
        if run(anew, hashes, some) != run(index, hashes, some):
            yield from _row_differences(table, key, _query_rows(anew, rows, some), _query_rows(index, rows, some))


@dataclass(frozen=True)
class _Rows:
    columns: Sequence[str]
    rows: Sequence[tuple[Any, ...]]


def _query_rows(connection: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[object] = ()) -> _Rows:
    """The answer with the names of its columns."""
    rows = run(connection, sql, parameters)
    return _Rows([column[0] for column in connection.description or ()], rows)


def _row_differences(table: str, key: str, expected: _Rows, found: _Rows) -> Iterator[Deviation]:
    """Rows that only one of the two has, paired by subject: these are taken for one row with two values."""
    subject = expected.columns.index(key)
    missing = _by_subject(_rows_without_match(expected.rows, found.rows), subject)
    surplus = _by_subject(_rows_without_match(found.rows, expected.rows), subject)
    for name in sorted({*missing, *surplus}):
        for nth in range(max(len(missing.get(name, ())), len(surplus.get(name, ())))):
            pair = [rows[name][nth] if nth < len(rows.get(name, ())) else None for rows in (missing, surplus)]
            yield from _deviations_of_row(table, name, expected.columns, *pair)


def _rows_without_match(
    rows: Iterable[tuple[Any, ...]], others: Iterable[tuple[Any, ...]]
) -> Iterator[tuple[Any, ...]]:
    """The rows that the others do not have, or have less often. Compared as text, for lists have no hash."""
    counts = Counter(map(repr, others))
    for row in rows:
        counts[repr(row)] -= 1
        if counts[repr(row)] < 0:
            yield row


def _by_subject(rows: Iterable[tuple[Any, ...]], subject: int) -> dict[str, list[tuple[Any, ...]]]:
    """The rows by the value of one column, each group in a fixed order."""
    by_subject: dict[str, list[tuple[Any, ...]]] = {}
    for row in sorted(rows, key=repr):
        by_subject.setdefault(str(row[subject]), []).append(row)
    return by_subject


def _deviations_of_row(
    table: str, subject: str, columns: Sequence[str], expected: tuple[Any, ...] | None, found: tuple[Any, ...] | None
) -> Iterator[Deviation]:
    """A row that one side lacks, or each column in which the two rows differ."""
    if expected is None or found is None:
        texts = [NONE if row is None else ", ".join(map(_value_text, row)) for row in (expected, found)]
        yield Deviation(table=table, subject=subject, column="*", expected=texts[0], found=texts[1])
        return
    for column, right, wrong in zip(columns, expected, found, strict=True):
        if right != wrong:
            yield Deviation(
                table=table, subject=subject, column=column, expected=_value_text(right), found=_value_text(wrong)
            )


def _value_text(value: object) -> str:
    """A value in a deviation; NULL is nothing."""
    return NONE if value is None else str(value)
