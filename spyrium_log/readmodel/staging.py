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


def _unnested(kind: type[Struct], first: int) -> str:
    """The lists of a line as rows, from the column of this index on."""
    return ", ".join(f'unnest("{name}") AS "{name}"' for name in kind.__struct_fields__[first:])


# With the columns given, nothing is guessed: '007' stays text and 2026-11-18 too.
_READ = """read_json(
    ?, columns = ?, format = 'newline_delimited', compression = 'uncompressed', hive_partitioning = false,
    maximum_object_size = ?
)"""
_OF_OTHERS = "WHERE game NOT IN (SELECT unnest(?::VARCHAR[]))"
# A line is a market with the decisions made while it lay so.
_OFFERS = f"""
    SELECT
        game, n, i, seat, space, card, nth > 0 AS reachable, nth > 0 AND affordable[nth] AS affordable,
        prices[nullif(nth, 0)] AS price, space = taken AS taken
    FROM (
        SELECT *, coalesce(list_position(reachable, space), 0) AS nth
        FROM (
            SELECT * EXCLUDE ("where", cards), unnest("where") AS space, unnest(cards) AS card
            FROM (SELECT game, "where", cards, {_unnested(MarketRow, 3)} FROM {_READ})
        )
    )
"""  # noqa: S608 - our own columns


def _insert_sql(table: str) -> str:
    rows = f"SELECT * FROM {_READ}"  # noqa: S608 - a table of ours
    if table in COLUMNAR:
        rows = f"SELECT game, {_unnested(TABLES[table], 1)} FROM {_READ}"  # noqa: S608 - likewise
    elif table == "offer":
        rows = _OFFERS
    elif table == "sheet_value":
        rows += " WHERE sheet NOT IN (SELECT sheet FROM sheet_value)"
    insert = "INSERT OR IGNORE" if table in ("card", "resource") else "INSERT"
    return f"{insert} INTO {table} BY NAME {rows}"


@contextmanager
def staged(path: Path) -> Iterator[Stage]:
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
            sql, parameters = _insert_sql(table), [_unglobbed(path), json_columns(table), self.longest]
            if left_out and table in LOADED:
                run(connection, f"{sql} {_OF_OTHERS}", [*parameters, left_out])
            else:
                run(connection, sql, parameters)
            remove(path)


class Stage:
    """The staging files, batch by batch: while one is loaded, the next is written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._shared: set[tuple[str, str]] = set()
        self._handed_over: Sequence[Path] = ()
        self._begin()

    def _begin(self) -> None:
        self._paths: dict[str, Path] = {}
        self._files: dict[str, BinaryIO] = {}
        self._longest = _LONGEST
        self.names: list[str] = []
        self.size = 0

    def add(self, made: Made) -> None:
        for table, rows in made.rows.items():
            self._write(table, rows)
        if made.shared_by not in self._shared:
            self._shared.add(made.shared_by)
            for table, rows in made.shared.items():
                self._write(table, rows)
        self.names.append(made.game)

    def place(self, positions: Iterable[PositionRow]) -> None:
        rows = iter(positions)
        while some := [*islice(rows, POSITIONS)]:
            self._write("position", encoded(some))

    def _write(self, table: str, rows: bytes) -> None:
        if rows:
            file = self._files.get(table) or self._opened(table)
            file.write(rows)
            self.size += len(rows)
            if len(rows) > self._longest:
                self._longest = max(self._longest, *map(len, rows.splitlines(keepends=True)))

    def _opened(self, table: str) -> BinaryIO:
        path = self._paths[table] = sibling(self._path, f"{table}.ndjson")
        file = self._files[table] = path.open("wb", ROOM)
        return file

    def batch(self) -> Batch:
        """The rows added since the last batch, which has been loaded by now."""
        for file in self._files.values():
            file.close()
        batch = Batch(self._paths, self._longest)
        self._handed_over = [*self._paths.values()]
        self._begin()
        return batch

    def close(self) -> None:
        for file in self._files.values():
            # A full disk has raised before, and raises again here.
            with suppress(OSError):
                file.close()
        for path in (*self._handed_over, *self._paths.values()):
            remove(path)


def _unglobbed(path: Path) -> str:
    """The path as a pattern that matches only it: DuckDB takes every file name as a pattern."""
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path))
