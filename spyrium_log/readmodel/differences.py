"""Two indexes, one of them built anew: where their rows say different things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
from msgspec import Struct

from spyrium_log.readmodel.connections import run
from spyrium_log.readmodel.tables import LOADED, VIEWS

# The rows of so many games are compared at a time: memory does not grow with their number.
AT_ONCE = 100
NONE = "none"
_COLUMNS = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal"


class Deviation(Struct, frozen=True, kw_only=True):
    """A place where the index says something else than it would say if it were built anew.

    `subject` is the game that the row is about; of `position` the file, of other tables what its first column says.
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
    """Where the index says something else of these games, of their sheets, and of the cards."""
    for tables in (_columns, _tables, _views):
        found = [*tables(anew, index, games)]
        yield from found
        if found:
            # What comes next follows from these.
            return


def _columns(
    anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection, _games: Sequence[str]
) -> Iterator[Deviation]:
    return _row_differences("duckdb_columns", "table_name", _asked(anew, _COLUMNS), _asked(index, _COLUMNS))


def _tables(
    anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection, games: Sequence[str]
) -> Iterator[Deviation]:
    for table, key in (("card", "card"), ("resource", "what")):
        yield from _row_differences(table, key, _asked(anew, f"FROM {table}"), _asked(index, f"FROM {table}"))
    sheets = [sheet for (sheet,) in run(anew, "SELECT DISTINCT sheet FROM sheet_value")]
    yield from _rows_differ(anew, index, "sheet_value", "sheet", sheets)
    for table in LOADED:
        yield from _rows_differ(anew, index, table, "game", games)


def _views(
    anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection, games: Sequence[str]
) -> Iterator[Deviation]:
    for view in VIEWS:
        yield from _rows_differ(anew, index, view, "game", games)


def _rows_differ(
    anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection, table: str, key: str, wanted: Sequence[str]
) -> Iterator[Deviation]:
    """The rows themselves are looked at only where their hashes differ."""
    for start in range(0, len(wanted), AT_ONCE):
        some = [[*wanted[start : start + AT_ONCE]]]
        rows = f"FROM {table} AS one WHERE {key} IN (SELECT unnest(?::VARCHAR[]))"
        hashes = f"SELECT count(*), sum(hash(one)) {rows}"
        if run(anew, hashes, some) != run(index, hashes, some):
            yield from _row_differences(table, key, _asked(anew, rows, some), _asked(index, rows, some))


@dataclass(frozen=True)
class _Rows:
    columns: Sequence[str]
    rows: Sequence[tuple[Any, ...]]


def _asked(connection: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[object] = ()) -> _Rows:
    rows = run(connection, sql, parameters)
    return _Rows([column[0] for column in connection.description or ()], rows)


def _row_differences(table: str, key: str, expected: _Rows, found: _Rows) -> Iterator[Deviation]:
    """Rows that only one of the two has; those of one subject are taken for the same rows, with other values."""
    subject = expected.columns.index(key)
    missing = _by_subject(_surplus(expected.rows, found.rows), subject)
    surplus = _by_subject(_surplus(found.rows, expected.rows), subject)
    for name in sorted({*missing, *surplus}):
        for nth in range(max(len(missing.get(name, ())), len(surplus.get(name, ())))):
            pair = [rows[name][nth] if nth < len(rows.get(name, ())) else None for rows in (missing, surplus)]
            yield from _difference(table, name, expected.columns, *pair)


def _surplus(rows: Iterable[tuple[Any, ...]], others: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Those that the others do not have, or not as often. A row may hold lists, which have no hash."""
    counts = Counter(map(repr, others))
    for row in rows:
        counts[repr(row)] -= 1
        if counts[repr(row)] < 0:
            yield row


def _by_subject(rows: Iterable[tuple[Any, ...]], subject: int) -> dict[str, list[tuple[Any, ...]]]:
    found: dict[str, list[tuple[Any, ...]]] = {}
    for row in sorted(rows, key=repr):
        found.setdefault(str(row[subject]), []).append(row)
    return found


def _difference(
    table: str, subject: str, columns: Sequence[str], expected: tuple[Any, ...] | None, found: tuple[Any, ...] | None
) -> Iterator[Deviation]:
    if expected is None or found is None:
        texts = [NONE if row is None else ", ".join(map(_text, row)) for row in (expected, found)]
        yield Deviation(table=table, subject=subject, column="*", expected=texts[0], found=texts[1])
        return
    for column, right, wrong in zip(columns, expected, found, strict=True):
        if right != wrong:
            yield Deviation(table=table, subject=subject, column=column, expected=_text(right), found=_text(wrong))


def _text(value: object) -> str:
    return NONE if value is None else str(value)
