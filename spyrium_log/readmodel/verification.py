"""Comparing the index with the files that it was made from. Nothing is changed or brought up to date.

A file that changed since it was read is no error of the index: the next update reads it. Of every other file the
index must have a position, and exactly its games; of a sample of these games the rows of every table are made anew, in
an index of their own, and compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
from msgspec import Struct

from spyrium_log.errors import ReadModelError, SpyriumLogError
from spyrium_log.readmodel.connections import first_line, index_path, run
from spyrium_log.readmodel.load import NO_ALIASES, Watch, bring_up_to_date, unwatched
from spyrium_log.readmodel.people import ALIASES
from spyrium_log.readmodel.reader import Recorded, Source, is_writable
from spyrium_log.readmodel.reading import open_index
from spyrium_log.readmodel.tables import LOADED, VIEWS
from spyrium_log.store import Aliases

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


# Games that are compared with their logs by default.
SAMPLE = 20


class Verification(Struct, frozen=True, kw_only=True):
    """The result of a comparison.

    `games` are in the index, and `compared` of them were compared with their logs. `outdated` files changed, came or
    went since the index was brought up to date.
    """

    games: int
    compared: int
    outdated: int
    deviations: tuple[Deviation, ...]


def verify(
    database: Path,
    sources: Iterable[Source],
    second: Path,
    *,
    sample: int | None = SAMPLE,
    watch: Watch = unwatched,
    processes: int = 1,
    aliases: Aliases = NO_ALIASES,
) -> Verification:
    """Compare an index with the files of its archive; the rows of `sample` games, spread over all of it (None: of all).

    Names are compared under the aliases that the index follows; where `aliases` are others, that is one outdated file.
    `second` is the path of the other index; the caller removes it.

    Raises UnfitError where there is no index of this version: the next update builds one.
    """
    path = index_path(database)
    with open_index(path) as (connection, stamp):
        try:
            index = _read_index(connection)
            general = [*orphans(connection)]
        except duckdb.Error as error:
            return Verification(games=0, compared=0, outdated=0, deviations=(_unreadable_deviation(path, error),))
    files = _Files(index, {source.name: source for source in sources if is_writable(source.name)})
    deviations = [*files.deviations(), *general]
    chosen = _evenly_chosen(sorted(files.sound), sample)
    bring_up_to_date(
        second, files.sources_of(chosen), rebuild=True, watch=watch, processes=processes, aliases=index.aliases
    )
    compared = [game for file, game in chosen if not files.has_changed(file)]
    with open_index(path) as (connection, now), open_index(second) as (expected, _):
        if now != stamp:
            raise ReadModelError("updated", place=str(path))
        try:
            deviations += differences(expected, connection, compared)
        except duckdb.Error as error:
            deviations.append(_unreadable_deviation(path, error))
    return Verification(
        games=len(index.owners),
        compared=len(compared),
        outdated=files.outdated + (index.aliases.spelled != aliases.spelled),
        deviations=tuple(deviations),
    )


def _unreadable_deviation(path: Path, error: duckdb.Error) -> Deviation:
    """The deviation of an index whose rows cannot be read at all."""
    found = first_line(error)
    return Deviation(table="index", subject=path.name, column="*", expected="rows that can be read", found=found)


def _evenly_chosen(games: Sequence[tuple[str, str]], count: int | None) -> list[tuple[str, str]]:
    """So many of them at equal distances, the same every time."""
    if count is None or count >= len(games):
        return [*games]
    return [games[nth * len(games) // count] for nth in range(count)]


# --- files and games -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Index:
    """Where the index stands with each file, and which file each game is from."""

    positions: Mapping[str, Sequence[tuple[str, str, int]]]
    owners: Mapping[str, str]
    # Of each file its games, and which bytes they were made from.
    games: Mapping[str, Mapping[str, str]]
    aliases: Aliases


def _read_index(connection: duckdb.DuckDBPyConnection) -> _Index:
    """Read where the index stands."""
    positions: dict[str, list[tuple[str, str, int]]] = {}
    for file, content, stamp, refused in run(connection, "SELECT file, content, stamp, refused FROM position"):
        positions.setdefault(file, []).append((content, stamp, refused))
    games: dict[str, dict[str, str]] = {}
    for file, game, content in run(connection, "SELECT file, game, content FROM game"):
        games.setdefault(file, {})[game] = content
    owners = {game: file for file, of_file in games.items() for game in of_file}
    return _Index(positions, owners, games, Aliases(dict(run(connection, ALIASES))))


@dataclass
class _Files:
    """The files of an archive, compared with their positions in the index."""

    index: _Index
    listed: Mapping[str, Source]
    outdated: int = 0
    # File and game, where the file has not changed since and has the game.
    sound: list[tuple[str, str]] = field(default_factory=list)
    _digests: dict[str, str] = field(default_factory=dict)

    def deviations(self) -> Iterator[Deviation]:
        """Compare each file's position, then its games; finds the `sound` ones on the way."""
        positions, games = self.index.positions, self.index.games
        for file in sorted({*self.listed, *positions, *games}):
            if file not in positions:
                self.outdated += file not in games
                if file in games:
                    yield _position_deviation(file, "file", file, NONE)
            elif len(positions[file]) > 1:
                yield _position_deviation(file, "file", "one row", f"{len(positions[file])} rows")
            elif file not in self.listed:
                self.outdated += 1
            else:
                yield from self._deviations_of_file(self.listed[file], *positions[file][0])

    def _deviations_of_file(self, source: Source, content: str, stamp: str, refused: int) -> Iterator[Deviation]:
        """What the tables have of one file, against the file."""
        digest = source.digest()
        if not digest and not content:
            # It could not be read then, and cannot now.
            return
        if digest != content:
            self.outdated += 1
            if stamp and stamp == source.stamp:
                # The next update would trust the stamp and not read the file.
                yield _position_deviation(source.name, "content", digest, content)
            return
        self._digests[source.name] = digest
        recorded = _ids_and_hashes(source, digest)
        contents = self.index.games.get(source.name, {})
        for game in contents.keys() - {game for game, _ in recorded}:
            home = self._first_files.get(game, NONE)
            yield Deviation(table="game", subject=game, column="file", expected=home, found=source.name)
        counted = {game for game, _ in recorded if game in contents}
        self.sound += [(source.name, game) for game in counted]
        for game in sorted(counted):
            read = [found for other, found in recorded if other == game]
            if contents[game] not in read:
                yield Deviation(table="game", subject=game, column="content", expected=read[0], found=contents[game])
        # A file with games in no table is read again by every update.
        missing = [] if refused else [game for game, _ in recorded if self.index.owners.get(game) is None]
        for game in missing:
            yield Deviation(table="game", subject=game, column="game", expected=game, found=NONE)
        left_out = len(recorded) - len(counted) - len(missing)
        if left_out != refused:
            yield _position_deviation(source.name, "refused", str(left_out), str(refused))

    @cached_property
    def _first_files(self) -> dict[str, str]:
        """Of each game the first file that has it."""
        files = sorted(self.listed, reverse=True)
        return {game: file for file in files for game, _ in _ids_and_hashes(self.listed[file], "") if game}

    def has_changed(self, file: str) -> bool:
        """Since it was looked at: somebody may write while we compare."""
        return self.listed[file].digest() != self._digests[file]

    def sources_of(self, chosen: Sequence[tuple[str, str]]) -> Iterator[Source]:
        """The files of these games, with these games only."""
        wanted: dict[str, set[str]] = {}
        for file, game in chosen:
            wanted.setdefault(file, set()).add(game)
        for file, games in wanted.items():
            source = self.listed[file]

            def games_of_file(source: Source = source, games: set[str] = games) -> Iterator[Recorded]:
                """The chosen games; one whose id is not known yet is read, too."""
                return (one for one in source.games() if not one.game or one.game in games)

            yield source._replace(games=games_of_file)


def _position_deviation(file: str, column: str, expected: str, found: str) -> Deviation:
    """A deviation in the table `position`."""
    return Deviation(table="position", subject=file, column=column, expected=expected, found=found)


def _ids_and_hashes(source: Source, digest: str) -> list[tuple[str, str]]:
    """The games of a file by their first lines, '' where one cannot be read, and the hashes of their bytes."""
    games: list[tuple[str, str]] = []
    try:
        games.extend((_game_id(one), one.content or digest) for one in source.games())
    except (SpyriumLogError, OSError):
        games.append(("", ""))
    return games


def _game_id(recorded: Recorded) -> str:
    """The id of a game, read off its first line where the source does not know it."""
    if recorded.game:
        return recorded.game
    try:
        return recorded.replay().header.game if recorded.first_line is None else recorded.first_line()
    except (SpyriumLogError, OSError):
        return ""
