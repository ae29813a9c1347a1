"""Rows on their way into the tables: written as JSON lines, the fastest way in that needs no package, and loaded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

import duckdb

from spyrium_log.errors import ReadModelError
from spyrium_log.readmodel.database import remove, run, sibling
from spyrium_log.readmodel.tables import COLUMNAR, LOADED, RECORDED, PositionRow
from spyrium_log.readmodel.workshop import Made, encoded

# So much of each table is written at a time.
ROOM = 1 << 18
# So many positions are encoded at a time, for an archive may be many files.
POSITIONS = 1000
# DuckDB reads by pieces that have room for two lines as long as that, where none is longer. With room for any line a
# file is one piece, which one thread reads.
_LONGEST = 1 << 20
# With the columns given, nothing is guessed: '007' stays text and 2026-11-18 too.
_READ = """BY NAME SELECT * FROM read_json(
    ?, columns = ?, format = 'newline_delimited', compression = 'uncompressed', hive_partitioning = false,
    maximum_object_size = ?
)"""
# A line is the rows of one game in columns.
_TURNED = {
    table: _READ.replace("*", ", ".join(["game", *(f"unnest({name}) AS {name}" for name in row.__struct_fields__[1:])]))
    for table, row in COLUMNAR.items()
}
_NEW_SHEET = "WHERE sheet NOT IN (SELECT sheet FROM sheet_value)"
_OF_OTHERS = "WHERE game NOT IN (SELECT unnest(?::VARCHAR[]))"
_OFFERS = {
    "game": "VARCHAR",
    "where": "INTEGER[]",
    "cards": "VARCHAR[]",
    "n": "INTEGER[]",
    "i": "INTEGER[]",
    "seat": "INTEGER[]",
    "taken": "INTEGER[]",
    "reachable": "INTEGER[][]",
    "affordable": "BOOLEAN[][]",
    "prices": "INTEGER[][]",
}
_COLUMNS = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal ORDER BY column_index"
_INSERT = {
    "game": f"INSERT INTO game {_READ}",
    "seat": f"INSERT INTO seat {_READ}",
    "event": f"INSERT INTO event {_TURNED['event']}",
    "ledger": f"INSERT INTO ledger {_TURNED['ledger']}",
    "decision": f"INSERT INTO decision {_TURNED['decision']}",
    "offer": """
        INSERT INTO offer SELECT
            game, n, i, seat, space, card, nth > 0, nth > 0 AND affordable[nth], prices[nullif(nth, 0)], space = taken
        FROM (
            SELECT *, coalesce(list_position(reachable, space), 0) AS nth
            FROM (
                SELECT * EXCLUDE ("where", cards), unnest("where") AS space, unnest(cards) AS card
                FROM (
                    SELECT
                        game, "where", cards, unnest(n) AS n, unnest(i) AS i, unnest(seat) AS seat,
                        unnest(taken) AS taken, unnest(reachable) AS reachable, unnest(affordable) AS affordable,
                        unnest(prices) AS prices
                    FROM read_json(
                        ?, columns = ?, format = 'newline_delimited', compression = 'uncompressed',
                        hive_partitioning = false, maximum_object_size = ?
                    )
                )
            )
        )
    """,
    "standing": f"INSERT INTO standing {_TURNED['standing']}",
    "holding": f"INSERT INTO holding {_READ}",
    "score_part": f"INSERT INTO score_part {_READ}",
    "finding": f"INSERT INTO finding {_READ}",
    "note": f"INSERT INTO note {_READ}",
    **{table: f"INSERT INTO {table} {_TURNED.get(table, _READ)}" for table in RECORDED.values()},
    "position": f"INSERT INTO position {_READ}",
    "sheet_value": f"INSERT INTO sheet_value {_READ} {_NEW_SHEET}",
}


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
    """Rows that nothing is added to any more, a file of JSON lines a table."""

    paths: Mapping[str, Path]
    longest: int
    columns: dict[str, dict[str, str]]

    def load(self, connection: duckdb.DuckDBPyConnection, left_out: Sequence[str] = ()) -> None:
        """Insert them, but for some games."""
        if not self.columns:
            self.columns.update(_columns(connection))
        for table, path in self.paths.items():
            sql, parameters = _INSERT[table], [_unglobbed(path), self.columns[table], self.longest]
            if left_out and table in LOADED:
                run(connection, f"{sql} {_OF_OTHERS}", [*parameters, left_out])
            else:
                run(connection, sql, parameters)
            remove(path)


def _columns(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    """What DuckDB has to know of the lines of each table."""
    columns: dict[str, dict[str, str]] = {}
    for table, column, kind in run(connection, _COLUMNS):
        is_turned = table in COLUMNAR and column != "game"
        columns.setdefault(table, {})[column] = f"{kind}[]" if is_turned else kind
    return columns | {"offer": _OFFERS}


class Stage:
    """Rows on their way, batch by batch: while one is loaded, the next can be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # Asked for with the first batch, and the same for all of one index.
        self._columns: dict[str, dict[str, str]] = {}
        self._sheets: set[str] = set()
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
        if made.sheet not in self._sheets:
            self._sheets.add(made.sheet)
            self._write("sheet_value", made.sheet_rows)
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
        """What was added since the last time, which has been loaded by now."""
        for file in self._files.values():
            file.close()
        batch = Batch(self._paths, self._longest, self._columns)
        self._handed_over = [*self._paths.values()]
        self._begin()
        return batch

    def close(self) -> None:
        for file in self._files.values():
            # What a full disk did not take was refused before, and is refused again here.
            with suppress(OSError):
                file.close()
        for path in (*self._handed_over, *self._paths.values()):
            remove(path)


def _unglobbed(path: Path) -> str:
    """The path as a pattern that matches it alone: DuckDB takes every file name for a pattern."""
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path))
