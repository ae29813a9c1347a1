"""The read model: a rebuild beside its parts, and a question beside the least that numpy does for it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.contender import Absent, Contender, Entrant
from benchmarks.inputs import Inputs, name_of
from spyrium_log import readmodel
from spyrium_log.log.lines import Decided
from spyrium_log.readmodel import Recorded, Source, bring_up_to_date, query, sources_of
from spyrium_log.readmodel.load import Stage, tidy
from spyrium_log.readmodel.rows import rows_of, sheet_of, sheet_rows
from spyrium_log.readmodel.tables import TABLES, Rows
from spyrium_log.readmodel.workshop import Made, encoded
from spyrium_log.replay import Replay, replay
from spyrium_log.store import Folder, read_bytes

# "average final score by technique": what a person asks.
QUESTION = "SELECT technique, n, mean FROM technique_averages()"
# The same as plain columns: one row a technique that somebody holds, its place among their names, and which final score
# is of who holds it. Arrays from the start: so many Python objects would leave their holes in the memory of every other
# contender.
NAMES = "SELECT DISTINCT card FROM held_technique JOIN result USING (game, seat) ORDER BY card"
COLUMNS = """
    SELECT (dense_rank() OVER (ORDER BY card) - 1)::UTINYINT AS technique, row::INTEGER AS row
    FROM held_technique
    JOIN (SELECT *, row_number() OVER (ORDER BY game, seat) - 1 AS row FROM result) AS result USING (game, seat)
"""
TOTALS = "SELECT total::INTEGER AS total FROM result ORDER BY game, seat"


def built(database: Path, nth_game: Callable[[int], bytes], count: int) -> Path:
    """A new index of so many games. Each is made when its turn comes: all at once would be gigabytes."""

    def replayed(nth: int) -> Replay:
        return replay(read_bytes(nth_game(nth), name_of(nth)))

    def source(nth: int) -> Source:
        return Source(name_of(nth), lambda: f"{nth:064x}", lambda: [Recorded("", "", partial(replayed, nth))])

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
    # A copy: one process cannot have one file open in two ways.
    copy = shutil.copyfile(database, folder / "open.duckdb")
    with closing(duckdb.connect(str(copy), read_only=True)) as connection:
        games = connection.execute("SELECT count(*) FROM game").fetchall()[0][0]
        fed = f"an index of {games // times:,} games{f', each {times} times' if times > 1 else ''}"
        gather = _gather(connection)

        def ask() -> list[tuple[Any, ...]]:
            return rounded(connection.execute(QUESTION).fetchall())

        def ask_anew() -> list[tuple[Any, ...]]:
            return rounded(query(database, QUESTION).rows)

        right = ask()
        if gather is None:
            numpy: Entrant = Absent("numpy gather", "no numpy")
        else:
            assert gather() == right  # noqa: S101 - a peer that comes to other averages is no peer
            numpy = Contender("numpy gather", f"arrays of {games:,} games", "question", 1, gather)
        yield [
            Contender("technique averages", f"{fed}; summed up when they changed", "question", 1, ask),
            Contender("technique averages, query()", "the same, opened and closed", "question", 1, ask_anew),
            numpy,
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
        tidy(connection)


def rounded(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Sums are exact, and divided in another order."""
    return [(name, n, round(mean, 9)) for name, n, mean in rows]


def _gather(connection: duckdb.DuckDBPyConnection) -> Callable[[], list[tuple[Any, ...]]] | None:
    """The same averages from arrays in memory: final scores gathered by seat, and summed by technique."""
    if find_spec("numpy") is None:
        return None
    import numpy as np

    names = [name for (name,) in connection.execute(NAMES).fetchall()]
    columns = connection.execute(COLUMNS).fetchnumpy()
    techniques, seats = columns["technique"], columns["row"]
    totals = connection.execute(TOTALS).fetchnumpy()["total"]

    def gather() -> list[tuple[Any, ...]]:
        counts = np.bincount(techniques)
        sums = np.bincount(techniques, weights=totals[seats])
        means = (sums / counts).tolist()
        return rounded(zip(names, counts.tolist(), means, strict=True))

    return gather


# --- a rebuild -----------------------------------------------------------------------------------


def rebuilt(inputs: Inputs, folder: Path) -> list[Entrant]:
    """A folder of logs into a new index; and its parts one by one, the rows made before anybody looks at the clock."""
    archive = Folder(folder / "rebuilt")
    for nth in range(inputs.scale.rebuilt):
        archive.write_whole(inputs.nth(nth))
    games = [replay(archive.read(name)) for name in archive.names()]
    rows = [rows_of(one, file=one.log.file, content="0" * 64) for one in games]
    sheets = {sheet: encoded(sheet_rows(sheet, one.sheet)) for one in games for sheet in [sheet_of(one)]}
    decisions = sum(isinstance(line, Decided) for one in games for line in one.log.lines)
    del games
    index = folder / "rebuilt.duckdb"

    def rebuild() -> None:
        update = bring_up_to_date(index, sources_of(archive), rebuild=True)
        assert update.read == len(rows)  # noqa: S101 - a benchmark of wrong work measures nothing

    def parts() -> None:
        for name in archive.names():
            replay(archive.read(name))
        load(rows, sheets, folder / "parts")

    fed = f"a folder of {len(rows)} logs, hashes checked"
    return [
        Contender("rebuild of the index", fed, "decision", decisions, rebuild),
        Contender("decode + audit + encode + load", f"{fed}; rows", "decision", decisions, parts),
    ]


def load(made: Sequence[Rows], sheets: Mapping[str, bytes], folder: Path) -> None:
    """Rows as JSON lines into the tables of a new database: nothing but that."""
    folder.mkdir(exist_ok=True)
    database = folder / "parts.duckdb"
    database.unlink(missing_ok=True)
    with closing(duckdb.connect(str(database))) as connection:
        connection.execute(resources.files(readmodel).joinpath("tables.sql").read_text(encoding="utf-8"))
        stage = Stage(database)
        for rows in made:
            (one,) = rows.game
            lines = {table: encoded(found) for table in TABLES if (found := getattr(rows, table))}
            stage.add(Made(one.game, lines, one.sheet, sheets[one.sheet]))
        stage.load(connection)
        stage.close()
        connection.execute("CHECKPOINT")
