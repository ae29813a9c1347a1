"""Rows on their way into the tables, as files of JSON lines: the fastest way that needs no other package."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

import duckdb
from msgspec import Struct

from spyrium_log.errors import ReadModelError
from spyrium_log.readmodel.connections import run
from spyrium_log.readmodel.definitions import json_columns
from spyrium_log.readmodel.index_paths import remove, sibling
from spyrium_log.readmodel.row_workers import Made, encoded
from spyrium_log.readmodel.tables import COLUMNAR, LOADED, TABLES, MarketRow, PositionRow

# The buffer of each file, in bytes.
ROOM = 1 << 18
# Positions that are encoded at a time, for an archive may have many files.
POSITIONS = 1000
# The longest line that DuckDB expects, unless there is a longer one: it reads in pieces of two such lines, and a file
# that is one piece is read by one thread.
_LONGEST = 1 << 20


def _unnest_columns(kind: type[Struct], first: int) -> str:
    """The lists of a line as rows, from the column of this index on."""
    return ", ".join(f'unnest("{name}") AS "{name}"' for name in kind.__struct_fields__[first:])


# With the columns given, nothing is guessed: '007' stays text and 2026-11-18 too.
_READ_JSON = """read_json(
    ?, columns = ?, format = 'newline_delimited', compression = 'uncompressed', hive_partitioning = false,
    maximum_object_size = ?
)"""
_UNLESS_LEFT_OUT = "WHERE game NOT IN (SELECT unnest(?::VARCHAR[]))"
# A line is a market with the decisions made while it lay so.
_OFFERS_SQL = f"""
    SELECT
        game, n, i, seat, space, card, nth > 0 AS reachable, nth > 0 AND affordable[nth] AS affordable,
        prices[nullif(nth, 0)] AS price, space = taken AS taken
    FROM (
        SELECT *, coalesce(list_position(reachable, space), 0) AS nth
        FROM (
            SELECT * EXCLUDE ("where", cards), unnest("where") AS space, unnest(cards) AS card
            FROM (SELECT game, "where", cards, {_unnest_columns(MarketRow, 3)} FROM {_READ_JSON})
        )
    )
"""  # noqa: S608 - our own columns


def _insert_sql(table: str) -> str:
    """The statement that loads the staged rows of a table."""
    rows = f"SELECT * FROM {_READ_JSON}"  # noqa: S608 - a table of ours
    if table in COLUMNAR:
        rows = f"SELECT game, {_unnest_columns(TABLES[table], 1)} FROM {_READ_JSON}"  # noqa: S608 - likewise
    elif table == "offer":
        rows = _OFFERS_SQL
    elif table == "sheet_value":
        rows += " WHERE sheet NOT IN (SELECT sheet FROM sheet_value)"
    insert = "INSERT OR IGNORE" if table in ("card", "resource") else "INSERT"
    return f"{insert} INTO {table} BY NAME {rows}"


@contextmanager
def staged(path: Path) -> Iterator[Stage]:
    """A stage beside the index, removed in the end."""
    stage = None
    try:
        stage = Stage(path)
        yield stage
    except OSError as error:
        raise ReadModelError(f"expected to write rows beside the index, found: {error.strerror}, at {path}") from None
    finally:
        if stage is not None:
            stage.close()


class Batch(NamedTuple):
    """Complete files of rows, one for each table."""

    paths: Mapping[str, Path]
    longest: int

    def load(self, connection: duckdb.DuckDBPyConnection, left_out: Sequence[str] = ()) -> None:
        """Insert the rows, except those of some games, and remove the files."""
        for table, path in self.paths.items():
            sql, parameters = _insert_sql(table), [_escaped_pattern(path), json_columns(table), self.longest]
            if left_out and table in LOADED:
                run(connection, f"{sql} {_UNLESS_LEFT_OUT}", [*parameters, left_out])
            else:
                run(connection, sql, parameters)
            remove(path)


class Stage:
    """The staging files, batch by batch: while one is loaded, the next is written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._shared: set[tuple[str, str]] = set()
        self._handed_over: Sequence[Path] = ()
        self._begin_batch()

    def _begin_batch(self) -> None:
        """Forget the files of the batch before, which are the loader's now."""
        self._paths: dict[str, Path] = {}
        self._files: dict[str, BinaryIO] = {}
        self._longest = _LONGEST
        self.names: list[str] = []
        self.size = 0

    def add(self, made: Made) -> None:
        """Add the rows of a game; those that it shares with others only once."""
        for table, rows in made.rows.items():
            self._append_rows(table, rows)
        if made.shared_by not in self._shared:
            self._shared.add(made.shared_by)
            for table, rows in made.shared.items():
                self._append_rows(table, rows)
        self.names.append(made.game)

    def place(self, positions: Iterable[PositionRow]) -> None:
        """Add where the index stands with each file."""
        rows = iter(positions)
        while rows_at_once := [*islice(rows, POSITIONS)]:
            self._append_rows("position", encoded(rows_at_once))

    def _append_rows(self, table: str, rows: bytes) -> None:
        """Append lines to the file of a table, and keep in mind the longest."""
        if rows:
            file = self._files.get(table) or self._open_file(table)
            file.write(rows)
            self.size += len(rows)
            if len(rows) > self._longest:
                self._longest = max(self._longest, *map(len, rows.splitlines(keepends=True)))

    def _open_file(self, table: str) -> BinaryIO:
        """The file of a table, opened at its first row."""
        path = self._paths[table] = sibling(self._path, f"{table}.ndjson")
        file = self._files[table] = path.open("wb", ROOM)
        return file

    def batch(self) -> Batch:
        """The rows added since the last batch, which has been loaded by now."""
        for file in self._files.values():
            file.close()
        batch = Batch(self._paths, self._longest)
        self._handed_over = [*self._paths.values()]
        self._begin_batch()
        return batch

    def close(self) -> None:
        """Close and remove all files."""
        for file in self._files.values():
            # A full disk has raised before, and raises again here.
            with suppress(OSError):
                file.close()
        for path in (*self._handed_over, *self._paths.values()):
            remove(path)


def _escaped_pattern(path: Path) -> str:
    """The path as a pattern that matches only it: DuckDB takes every file name as a pattern."""
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path))
