"""The read model: a rebuild beside its parts, and a question beside the least that numpy does for it."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import msgspec
from msgspec import Struct

from benchmarks.contender import Absent, Contender, Entrant
from benchmarks.inputs import Inputs, name_of
from spyrium_log.log.codec import Log
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.connections import WRITER
from spyrium_log.readmodel.definitions import tables_sql
from spyrium_log.readmodel.load import Update, bring_up_to_date
from spyrium_log.readmodel.reader import Recorded, Source
from spyrium_log.readmodel.sources import sources_of
from spyrium_log.readmodel.tables import ROWS
from spyrium_log.replay import replay
from spyrium_log.store import Folder, read_bytes

# "average final score by technique": what a person asks.
QUESTION = """
    SELECT technique, sum(n)::BIGINT AS n, sum(n * mean) / sum(n) AS mean
    FROM technique_averages({})
    GROUP BY technique
    ORDER BY technique
"""
# The same of games of so many players, of half a year, of a grade: one row a technique already.
FILTERED = "SELECT technique, n, mean FROM technique_averages({}) ORDER BY technique"
PLAYERS, SINCE, UNTIL = 3, "2024-04-01", "2024-09-30"
FILTER = f"of_players := {PLAYERS}, since := '{SINCE}', until := '{UNTIL}', of_grade := 'clean'"
# Days of two years, for the games that are made have none.
DAY = "strftime(DATE '2024-01-01' + (hash(game) % 731)::INTEGER, '%Y-%m-%d')"
# The same as plain columns: one row a technique that somebody holds, its place among their names, and which final score
# is of who holds it.
NAMES = "SELECT DISTINCT card FROM held JOIN result USING (game, seat) ORDER BY card"
COLUMNS = """
    SELECT (dense_rank() OVER (ORDER BY card) - 1)::UTINYINT AS technique, row::INTEGER AS row
    FROM held
    JOIN (SELECT *, row_number() OVER (ORDER BY game, seat) - 1 AS row FROM result) AS result USING (game, seat)
"""
TOTALS = """
    SELECT total::INTEGER AS total, players::UTINYINT AS players, played::DATE AS played,
        list_contains(grades, 'clean') AS clean
    FROM result ORDER BY game, seat
"""
COLUMN_KINDS = "SELECT column_name, data_type FROM duckdb_columns() WHERE NOT internal AND table_name = ?"
GAMES = "SELECT game FROM game WHERE file IN (SELECT unnest(?::VARCHAR[]))"
# So many games are loaded, and so many rows encoded, at a time.
GAMES_AT_ONCE = 1_000
ROWS_AT_ONCE = 10_000

encode_lines = msgspec.json.Encoder().encode_lines


def built(database: Path, nth_game: Callable[[int], bytes], count: int) -> Path:
    """A new index of so many games. Each is made when its turn comes: all at once would be gigabytes."""

    def read(nth: int) -> Log:
        return read_bytes(nth_game(nth), name_of(nth))

    def source(nth: int) -> Source:
        return Source(name_of(nth), lambda: f"{nth:064x}", lambda: [Recorded("", "", partial(read, nth))])

    sources = map(source, range(count))
    update = bring_up_to_date(database, sources, rebuild=True)
    assert update.read == count  # noqa: S101 - a benchmark of wrong work measures nothing
    return database


# --- a question ----------------------------------------------------------------------------------


@contextmanager
def asked(inputs: Inputs, folder: Path) -> Iterator[list[Entrant]]:
    """The average final score by technique, of an index that is there."""
    database = inputs.scale.index or built(folder / "asked.duckdb", inputs.nth, inputs.scale.asked)
    times = 1 if inputs.scale.index else inputs.scale.times
    if times > 1:
        multiply(database, times)
    if inputs.scale.index is None:
        set_days(database)
    # A copy: one process cannot have one file open in two ways.
    copy = shutil.copyfile(database, folder / "open.duckdb")
    with closing(duckdb.connect(str(copy), read_only=True)) as connection:
        games = connection.execute("SELECT count(*) FROM game").fetchall()[0][0]
        fed = f"an index of {games // times:,} games{f', each {times} times' if times > 1 else ''}"
        gathers = _gathers(connection)

        def ask(question: str = QUESTION, arguments: str = "") -> list[tuple[Any, ...]]:
            return rounded(connection.execute(question.format(arguments)).fetchall())

        def ask_anew() -> list[tuple[Any, ...]]:
            return rounded(query(database, QUESTION.format("")).rows)

        names = ("numpy gather", "numpy gather, filtered")
        numpy: list[Entrant] = [Absent(name, "no numpy") for name in names]
        if gathers is not None:
            for gather, asked_for in zip(gathers, ((), (FILTERED, FILTER)), strict=True):
                assert gather() == ask(*asked_for)  # noqa: S101 - a peer that comes to other averages is no peer
            arrays = f"arrays of {games:,} games"
            numpy = [
                Contender(name, arrays, "question", 1, gather) for name, gather in zip(names, gathers, strict=True)
            ]
        yield [
            Contender("technique averages", fed, "question", 1, ask),
            Contender("technique averages, query()", "the same, opened and closed", "question", 1, ask_anew),
            Contender(
                "technique averages, filtered", "by players, days, grade", "question", 1, partial(ask, FILTERED, FILTER)
            ),
            *numpy,
        ]


def multiply(database: Path, times: int) -> None:
    """The games so many times, each under names of its own: what is asked looks at games and seats only."""
    with closing(duckdb.connect(str(database))) as connection:
        for table in ("game", "seat"):
            connection.execute(
                f"INSERT INTO {table} SELECT format('{{}} {{}}', game, nth) AS game, {table}.* EXCLUDE (game)"  # noqa: S608
                f" FROM {table}, range(1, ?) AS again(nth)",
                [times],
            )


def set_days(database: Path) -> None:
    """Give each game a day, and let it be of a table: half of them are simulated, and would not be asked."""
    with closing(duckdb.connect(str(database))) as connection:
        connection.execute(f"UPDATE game SET source = 'table', played = {DAY}")  # noqa: S608
        connection.execute(f"UPDATE seat SET game_source = 'table', game_played = {DAY}")  # noqa: S608


def rounded(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Sums are exact, and divided in another order."""
    return [(name, n, round(mean, 9)) for name, n, mean in rows]


Gather: TypeAlias = Callable[[], list[tuple[Any, ...]]]


def _gathers(connection: duckdb.DuckDBPyConnection) -> tuple[Gather, Gather] | None:
    """The same averages from arrays in memory, final scores gathered by seat and summed by technique: all, and some."""
    if find_spec("numpy") is None:
        return None
    import numpy as np

    names = [name for (name,) in connection.execute(NAMES).fetchall()]
    columns = connection.execute(COLUMNS).fetchnumpy()
    techniques, seats = columns["technique"], columns["row"]
    of_seats = connection.execute(TOTALS).fetchnumpy()
    totals, players, played, clean = (of_seats[name] for name in ("total", "players", "played", "clean"))
    since, until = np.datetime64(SINCE), np.datetime64(UNTIL)

    def gather() -> list[tuple[Any, ...]]:
        counts = np.bincount(techniques)
        sums = np.bincount(techniques, weights=totals[seats])
        means = (sums / counts).tolist()
        return rounded(zip(names, counts.tolist(), means, strict=True))

    def gather_filtered() -> list[tuple[Any, ...]]:
        kept = ((players == PLAYERS) & (played >= since) & (played <= until) & clean)[seats]
        counts = np.bincount(techniques[kept], minlength=len(names))
        sums = np.bincount(techniques[kept], weights=totals[seats[kept]], minlength=len(names))
        found = [(name, int(n), total / n) for name, n, total in zip(names, counts, sums, strict=True) if n]
        return rounded((name, n, float(mean)) for name, n, mean in found)

    return gather, gather_filtered


# --- a rebuild -----------------------------------------------------------------------------------


def rebuilt(archive: Path, index: Path, processes: int) -> float:
    """Seconds for a folder of logs into a new index, once all code is loaded."""
    folder = Folder(archive)
    bring_up_to_date(index, islice(sources_of(folder), 1), rebuild=True)
    begun = time.perf_counter()
    update = bring_up_to_date(index, sources_of(folder, anywhere=True), rebuild=True, processes=processes)
    took = time.perf_counter() - begun
    games = len(folder.list_names())
    assert update.read == games  # noqa: S101 - a benchmark of wrong work measures nothing
    again = bring_up_to_date(index, sources_of(folder))
    assert again == Update(unchanged=games)  # noqa: S101 - nor does one of an index that does not know what it has
    return took


def in_parts(archive: Path, index: Path) -> float:
    """Seconds for the parts of that by themselves and one after the other, and nothing clever.

    Every log is decoded and audited; every row of the index, fetched off the clock, becomes a line of JSON, and these
    are loaded into the tables of a new database.
    """
    folder, parts, lines = Folder(archive), index.with_name("parts.duckdb"), index.with_name("parts.ndjson")
    names = folder.list_names()
    parts.unlink(missing_ok=True)
    took = 0.0
    loaded: Counter[str] = Counter()
    with (
        closing(duckdb.connect(str(index), read_only=True)) as there,
        closing(duckdb.connect(str(parts), config=WRITER)) as connection,
    ):
        connection.execute(tables_sql())
        for at in range(0, len(names), GAMES_AT_ONCE):
            some = names[at : at + GAMES_AT_ONCE]
            rows = rows_in(there, some)
            begun = time.perf_counter()
            for name in some:
                replay(folder.read_log(name))
            for table, made in rows.items():
                load(connection, table, made, lines)
                loaded[table] += len(made)
            took += time.perf_counter() - begun
        begun = time.perf_counter()
        connection.execute("CHECKPOINT")
        took += time.perf_counter() - begun
        for table, count in loaded.items():
            for each in (there, connection):
                found = each.execute(f"SELECT count(*) FROM {table}").fetchall()  # noqa: S608
                assert found == [(count,)], f"{found} of {count} rows in {table}"  # noqa: S101 - likewise
    lines.unlink()
    parts.unlink()
    return took


def rows_in(index: duckdb.DuckDBPyConnection, files: Sequence[str]) -> dict[str, list[Struct]]:
    """Every row that an index has of some files, as its type."""
    found: dict[str, list[Struct]] = {}
    for table, kind in ROWS.items():
        if "game" in kind.__struct_fields__:
            names = kind.__struct_fields__
            asked = f"SELECT {', '.join(names)} FROM {table} WHERE game IN ({GAMES})"  # noqa: S608
            rows = index.execute(asked, [files]).fetchall()
            found[table] = [kind(**dict(zip(names, row, strict=True))) for row in rows]
    return found


def load(connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Struct], lines: Path) -> None:
    with lines.open("wb") as file:
        for at in range(0, len(rows), ROWS_AT_ONCE):
            file.write(encode_lines(rows[at : at + ROWS_AT_ONCE]))
    kinds = dict(connection.execute(COLUMN_KINDS, [table]).fetchall())
    sql = f"INSERT INTO {table} BY NAME SELECT * FROM read_json(?, columns = ?, format = 'newline_delimited')"  # noqa: S608
    connection.execute(sql, [str(lines), kinds])
