"""The whole read model as Parquet files that others load without us: hive-partitioned, with a card that explains it.

README.md                                         what it is, in the form that dataset hubs read
data/seat/title=spyrium/players=3/data_0.parquet  one folder a table, then one a title and number of players
data/sheet_value/...                              tables that are of no game lie in their folder
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import duckdb
from msgspec import Struct

from spyrium_log.errors import ReadModelError
from spyrium_log.readmodel.answers import remove_if_damaged_and_make_error, run_with_python_values
from spyrium_log.readmodel.connections import (
    index_path,
    installed_version,
    make_sibling_path,
    quote_sql,
    remove_folder,
    run,
)
from spyrium_log.readmodel.reading import open_index_or_copy

CARD = "README.md"
DATA = "data"
# Where the tables stand is of this machine alone. Who is who stands in `seat`, and other spellings are names that no
# game may have.
OURS = frozenset(("meta", "position", "alias"))
# Classes of sizes as dataset hubs name them, by the size that each stays below.
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


class Dataset(Struct, frozen=True):
    """The number of rows of each table. `held`: another process is writing the index; these are rows from before."""

    rows: Mapping[str, int]
    held: bool = False


class _Column(NamedTuple):
    """A column of a table, as the card lists it."""

    name: str
    sql_type: str
    comment: str | None


def write_dataset(database: Path, folder: Path, *, anonymised: bool) -> Dataset:
    """Write all tables of an index to a new folder, which is there whole or not at all."""
    if folder.exists():
        raise ReadModelError("folder-there", place=str(folder))
    path = index_path(database)
    beside = make_sibling_path(folder.absolute(), ".part")
    try:
        (beside / DATA).mkdir(parents=True)
        with open_index_or_copy(path, writes=beside) as (connection, held):
            write = partial(_write_tables, connection, beside, anonymised=anonymised)
            counts = run_with_python_values(connection, write)
        beside.replace(folder)
    except duckdb.Error as error:
        # the statements are ours, so that no place in them helps anybody
        raise remove_if_damaged_and_make_error(error, path, sql="") from None
    except OSError as error:
        raise ReadModelError("cannot-write-file", path=str(folder), found=str(error.strerror)) from None
    finally:
        # there only where the dataset is not whole
        remove_folder(beside)
    return Dataset(counts, held)


def _write_tables(connection: duckdb.DuckDBPyConnection, folder: Path, *, anonymised: bool) -> dict[str, int]:
    """Write each table, and the card that explains them; returns the number of rows by table."""
    tables = {name: str(comment) for name, comment in run(connection, _TABLES_SQL) if name not in OURS}
    columns = {name: [_Column(*row) for row in run(connection, _COLUMNS_SQL, [name])] for name in tables}
    counts = {name: _write_table(connection, name, columns[name], folder) for name in tables}
    card = "\n".join(_card_lines(tables, columns, counts, anonymised=anonymised))
    (folder / CARD).write_text(f"{card}\n", encoding="utf-8")
    return counts


_TABLES_SQL = "SELECT table_name, comment FROM duckdb_tables() WHERE NOT internal ORDER BY table_name"
_COLUMNS_SQL = """
    SELECT column_name, data_type, comment FROM duckdb_columns()
    WHERE NOT internal AND table_name = ? ORDER BY column_index
"""


def _write_table(connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[_Column], folder: Path) -> int:
    """Write a table of games by title and number of players, any other as one file; returns the number of rows."""
    # one without a row is a file, too, so that a query which joins it finds its columns
    ((count,),) = run(connection, f"SELECT count(*) FROM {table}")  # noqa: S608 - a table of ours
    target = folder / DATA / table
    rows, options = f"FROM {table}", "FORMAT parquet, COMPRESSION zstd"
    names = {column.name for column in columns}
    if "game" in names:
        left_out = "EXCLUDE (title)" if "title" in names else ""
        rows = f"""
            SELECT one.* {left_out}, game.title AS title, game.seats AS players
            FROM {table} AS one JOIN game ON game.game = one.game
        """  # noqa: S608 - likewise
    if "game" in names and count:
        options = f"{options}, PARTITION_BY (title, players), WRITE_PARTITION_COLUMNS true"
    else:
        target.mkdir()
        # as DuckDB calls the files of a partition
        target /= "data_0.parquet"
        options = f"{options}, USE_TMP_FILE false"
    run(connection, f"COPY ({rows}) TO {quote_sql(str(target))} ({options})")
    return int(count)


def _card_lines(
    tables: Mapping[str, str], columns: Mapping[str, Sequence[_Column]], counts: Mapping[str, int], *, anonymised: bool
) -> Iterator[str]:
    """The lines of the card: front matter, which tells a hub what files are which table, and a text for people."""
    games = counts["game"]
    size_class = next((name for limit, name in SIZES if games < limit), "n>1M")
    yield f"{_FRONT_MATTER}\n- {size_class}\nconfigs:"
    for table, count in counts.items():
        if count:
            yield f"- config_name: {table}\n  data_files: {DATA}/{table}/**/*.parquet"
            if table == "game":
                yield "  default: true"
    about_people = _ABOUT_PEOPLE[anonymised]
    yield _INTRODUCTION.format(games=games, version=installed_version(), data=DATA, about_people=about_people)
    for table, explanation in tables.items():
        yield f"### {table}\n\n{explanation} {counts[table]:,} rows.\n\n| column | type | |\n|---|---|---|"
        yield from (
            f"| {column.name} | {_short_type(column.sql_type)} | {column.comment or ''} |" for column in columns[table]
        )
        yield ""


_FRONT_MATTER = """---
pretty_name: Recorded board games
tags:
- board-games
- event-sourcing
- spyrium-log
size_categories:"""
_INTRODUCTION = """---

# Recorded board games

{games:,} games, written by spyrium-log {version}: every event, every change of every resource and every
choice there was, as tables. The keys are the same everywhere: a game is `game`, a seat is `game` and
`seat`, an event is `game`, `n` and `i`. Files lie by `title` and `players`, which are columns, too.

{about_people}

## What to mind

- `game.grades` says how far a game can be relied on; scores are final where `game.final` is true.
- Many printed values are assumed, not read from cards: `sheet_value.source`, `game.assumed_values`.
- Of some sets all values are invented, to practise with: `game.invented`. No view of results has their games.
- Games of `source = 'simulated'` were played by programs.
- Who takes a card may be the stronger player: a difference of means is not what the card is worth.

## How to read it

```sql
SELECT player, avg(total) AS mean, count(*) AS games
FROM read_parquet('{data}/seat/**/*.parquet', hive_partitioning = true)
GROUP BY player;
```

## Tables
"""
_ABOUT_PEOPLE = {
    True: "Names of people are made up and the same in all tables; places, days and what people wrote are left out.",
    False: "Names of people, places, days and notes are as they were recorded: ask them before you hand this on.",
}


def _short_type(sql_type: str) -> str:
    """The SQL type as the card shows it; of an enumeration `ENUM` alone, for the comment says its words."""
    return sql_type.partition("(")[0] if sql_type.startswith("ENUM") else sql_type
