"""Comparing the index with the files that it was made from. Nothing is changed or brought up to date.

A file that changed since it was read is no error of the index: the next update reads it. Of every other file the
index must have a position, and exactly its games; of a sample of these games the rows of every table are made anew, in
an index of their own, and compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
from msgspec import Struct

from spyrium_log.errors import ReadModelError, SpyriumLogError
from spyrium_log.readmodel.connections import first_line, index_path, run
from spyrium_log.readmodel.load import NO_ALIASES, Watch, bring_up_to_date, watch_nothing
from spyrium_log.readmodel.people import ALIASES
from spyrium_log.readmodel.reader import Recorded, Source, is_utf8
from spyrium_log.readmodel.reading import open_index
from spyrium_log.readmodel.tables import LOADED, VIEWS, PositionRow
from spyrium_log.store import Aliases

# Games whose rows are compared at a time: memory does not grow with the archive.
AT_ONCE = 100
NONE = "none"
_COLUMNS = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal"


class Deviation(Struct, frozen=True):
    """A value that an index built anew has otherwise; `subject`: the game, the file, or the first value of the row."""

    table: str
    subject: str
    column: str
    expected: str
    found: str


def find_orphans(connection: duckdb.DuckDBPyConnection) -> Iterator[Deviation]:
    """Rows of games that are not there, and of sheets that no game was played with."""
    of_games = [(table, "game") for table in LOADED if table != "game"]
    for table, key in (*of_games, ("sheet_value", "sheet")):
        sql = f"SELECT DISTINCT {key} FROM {table} WHERE {key} NOT IN (SELECT {key} FROM game) ORDER BY {key}"  # noqa: S608 - names of our tables
        for (orphan,) in run(connection, sql):
            yield Deviation(table, orphan, key, NONE, orphan)


def list_differences(
    anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection, games: Sequence[str]
) -> list[Deviation]:
    """What differs in an index made anew: columns; else rows, of these games; else views, which follow from rows."""
    deviations = [*_compare_answers(anew, index, "duckdb_columns", "table_name", _COLUMNS)]
    if not deviations:
        for table, key in (("card", "card"), ("resource", "what")):
            deviations += _compare_answers(anew, index, table, key, f"FROM {table}")
        sheets = [sheet for (sheet,) in run(anew, "SELECT DISTINCT sheet FROM sheet_value")]
        deviations += _compare_rows(anew, index, "sheet_value", "sheet", sheets)
        for table in LOADED:
            deviations += _compare_rows(anew, index, table, "game", games)
    return deviations or [row for view in VIEWS for row in _compare_rows(anew, index, view, "game", games)]


def _compare_rows(
    anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection, table: str, key: str, wanted: Sequence[str]
) -> Iterator[Deviation]:
    """Compare the rows of these games or sheets: by hash, and one by one only where the hashes differ."""
    rows = f"FROM {table} AS entry WHERE {key} IN (SELECT unnest(?::VARCHAR[]))"
    hashes = f"SELECT count(*), sum(hash(entry)) {rows}"
    for start in range(0, len(wanted), AT_ONCE):
        parameters = [[*wanted[start : start + AT_ONCE]]]
        if run(anew, hashes, parameters) != run(index, hashes, parameters):
            yield from _compare_answers(anew, index, table, key, rows, parameters)


def _compare_answers(
    anew: duckdb.DuckDBPyConnection,
    index: duckdb.DuckDBPyConnection,
    table: str,
    key: str,
    sql: str,
    parameters: Sequence[object] = (),
) -> Iterator[Deviation]:
    """Compare two answers to one query: rows that only one has are paired by the column `key`, as one row changed."""
    expected, found = run(anew, sql, parameters), run(index, sql, parameters)
    # a column is described as the DB-API has it, its name first
    columns = [name for name, *_ in anew.description or ()]
    missing = _group_by_column(_rows_without_match(expected, found), columns.index(key))
    surplus = _group_by_column(_rows_without_match(found, expected), columns.index(key))
    for subject in sorted({*missing, *surplus}):
        for right, wrong in zip_longest(missing.get(subject, ()), surplus.get(subject, ())):
            yield from _deviations_of_row(table, subject, columns, right, wrong)


def _rows_without_match(
    rows: Iterable[tuple[Any, ...]], others: Iterable[tuple[Any, ...]]
) -> Iterator[tuple[Any, ...]]:
    """The rows that the others do not have, or have less often. Compared as text, for lists have no hash."""
    counts = Counter(map(repr, others))
    for row in rows:
        counts[repr(row)] -= 1
        if counts[repr(row)] < 0:
            yield row


def _group_by_column(rows: Iterable[tuple[Any, ...]], column: int) -> dict[str, list[tuple[Any, ...]]]:
    """The rows by the text of one column, each group in a fixed order, so that both sides pair alike."""
    groups: dict[str, list[tuple[Any, ...]]] = {}
    for row in sorted(rows, key=repr):
        groups.setdefault(str(row[column]), []).append(row)
    return groups


def _deviations_of_row(
    table: str, subject: str, columns: Sequence[str], expected: tuple[Any, ...] | None, found: tuple[Any, ...] | None
) -> Iterator[Deviation]:
    """A row that one side lacks, or each column in which the two rows differ."""
    if expected is None or found is None:
        texts = [NONE if row is None else ", ".join(map(_value_text, row)) for row in (expected, found)]
        yield Deviation(table, subject, "*", *texts)
        return
    for column, right, wrong in zip(columns, expected, found, strict=True):
        if right != wrong:
            yield Deviation(table, subject, column, _value_text(right), _value_text(wrong))


def _value_text(value: object) -> str:
    """A value as a deviation words it; NULL is `none`."""
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
    fresh_index: Path,
    *,
    sample: int | None = SAMPLE,
    watch: Watch = watch_nothing,
    processes: int = 1,
    aliases: Aliases = NO_ALIASES,
) -> Verification:
    """Compare an index with the files of its archive; the rows of `sample` games, spread over all of it (None: of all).

    Names are compared under the aliases that the index follows; where `aliases` are others, that is one outdated file.
    `fresh_index`: where the rows of the sample are made anew; the caller removes the file.

    Raises UnfitError where there is no index of this version: the next update builds one.
    """
    path = index_path(database)
    with open_index(path) as (connection, stamp):
        try:
            index = _read_index(connection)
            orphans = [*find_orphans(connection)]
        except duckdb.Error as error:
            return Verification(games=0, compared=0, outdated=0, deviations=(_make_unreadable_deviation(path, error),))
    files = _Files(index, {source.name: source for source in sources if is_utf8(source.name)})
    # the order matters: comparing the files finds the sound ones
    deviations = [*files.compare(), *orphans]
    chosen = _choose_evenly(sorted(files.sound), sample)
    bring_up_to_date(
        fresh_index, files.sources_of(chosen), rebuild=True, watch=watch, processes=processes, aliases=index.aliases
    )
    compared = [game for file, game in chosen if not files.has_changed(file)]
    deviations += _compare_with_fresh_index(path, stamp, fresh_index, compared)
    return Verification(
        games=len(index.owners),
        compared=len(compared),
        outdated=files.outdated + (index.aliases.spelled != aliases.spelled),
        deviations=tuple(deviations),
    )


def _compare_with_fresh_index(path: Path, stamp: str, fresh_index: Path, games: Sequence[str]) -> list[Deviation]:
    """The differences in the rows of these games; ReadModelError where somebody updated the index since `stamp`."""
    with open_index(path) as (connection, stamp_now), open_index(fresh_index) as (fresh_connection, _):
        if stamp_now != stamp:
            raise ReadModelError("updated", place=str(path))
        try:
            return list_differences(fresh_connection, connection, games)
        except duckdb.Error as error:
            return [_make_unreadable_deviation(path, error)]


def _make_unreadable_deviation(path: Path, error: duckdb.Error) -> Deviation:
    """The one deviation of an index whose rows DuckDB cannot read."""
    return Deviation("index", path.name, "*", "rows that can be read", first_line(error))


def _choose_evenly(games: Sequence[tuple[str, str]], count: int | None) -> list[tuple[str, str]]:
    """So many of these games (None: all) at equal distances, the same every time; each a file and a game's id."""
    if count is None or count >= len(games):
        return [*games]
    return [games[nth * len(games) // count] for nth in range(count)]


class _Index(NamedTuple):
    """Where the index stands with each file, and which file each game is from."""

    positions: Mapping[str, Sequence[PositionRow]]
    owners: Mapping[str, str]
    # Of each file its games, and which bytes they were made from.
    games: Mapping[str, Mapping[str, str]]
    aliases: Aliases


def _read_index(connection: duckdb.DuckDBPyConnection) -> _Index:
    """Read from which files the index was made, and which games of each; one position a file, if all is well."""
    positions: dict[str, list[PositionRow]] = {}
    for file, *values in run(connection, "SELECT file, content, stamp, refused FROM position"):
        positions.setdefault(file, []).append(PositionRow(file, *values))
    games: dict[str, dict[str, str]] = {}
    for file, game, content in run(connection, "SELECT file, game, content FROM game"):
        games.setdefault(file, {})[game] = content
    owners = {game: file for file, contents in games.items() for game in contents}
    return _Index(positions, owners, games, Aliases(dict(run(connection, ALIASES))))


class _Files:
    """The files of an archive, compared with their positions in the index."""

    def __init__(self, index: _Index, listed: Mapping[str, Source]) -> None:
        """Nothing is compared yet; `listed` are the files that are there now, by name."""
        self._index = index
        self._listed = listed
        self._digests: dict[str, str] = {}
        self.outdated = 0
        # File and game id of each game whose file is as it was when it was indexed.
        self.sound: list[tuple[str, str]] = []

    def compare(self) -> Iterator[Deviation]:
        """Compare each file's position, then its games; finds the `sound` ones on the way."""
        positions, games = self._index.positions, self._index.games
        for file in sorted({*self._listed, *positions, *games}):
            rows = positions.get(file, ())
            if len(rows) > 1:
                yield Deviation("position", file, "file", "one row", f"{len(rows)} rows")
            elif not rows and file in games:
                yield Deviation("position", file, "file", file, NONE)
            elif not rows or file not in self._listed:
                # it came or went
                self.outdated += 1
            else:
                yield from self._compare_file(self._listed[file], rows[0])

    def _compare_file(self, source: Source, position: PositionRow) -> Iterator[Deviation]:
        """Compare a file with what the index says of it: which bytes were read, and how many games were refused."""
        digest = source.digest()
        if not digest and not position.content:
            # it could not be read then, and cannot now
            return
        if digest != position.content:
            self.outdated += 1
            if position.stamp and position.stamp == source.stamp:
                # the next update would trust the stamp and not read the file
                yield Deviation("position", source.name, "content", digest, position.content)
            return
        self._digests[source.name] = digest
        yield from self._compare_games(source.name, _list_ids_and_hashes(source, digest), position.refused)

    def _compare_games(self, file: str, recorded: Sequence[tuple[str, str]], refused: int) -> Iterator[Deviation]:
        """Compare the games of an unchanged file, each an id and a hash, with those that the tables have from it."""
        indexed = self._index.games.get(file, {})
        # a file may hold a game twice; the tables have either
        hashes: dict[str, list[str]] = {}
        for game, digest in recorded:
            hashes.setdefault(game, []).append(digest)
        for game in indexed.keys() - hashes.keys():
            yield Deviation("game", game, "file", self._first_files.get(game, NONE), file)
        both = sorted(indexed.keys() & hashes.keys())
        self.sound += [(file, game) for game in both]
        for game in both:
            if indexed[game] not in hashes[game]:
                yield Deviation("game", game, "content", hashes[game][0], indexed[game])
        # a file with games in no table is read again by every update
        missing = [] if refused else [game for game, _ in recorded if game not in self._index.owners]
        for game in missing:
            yield Deviation("game", game, "game", game, NONE)
        left_out = len(recorded) - len(both) - len(missing)
        if left_out != refused:
            yield Deviation("position", file, "refused", str(left_out), str(refused))

    @cached_property
    def _first_files(self) -> dict[str, str]:
        """By game the first file that has it, from which the tables should have it."""
        files: dict[str, str] = {}
        for file in sorted(self._listed):
            for game, _ in _list_ids_and_hashes(self._listed[file]):
                files.setdefault(game, file)
        return files

    def has_changed(self, file: str) -> bool:
        """Whether a file was written since it was compared: then its games prove nothing."""
        return self._listed[file].digest() != self._digests[file]

    def sources_of(self, chosen: Sequence[tuple[str, str]]) -> Iterator[Source]:
        """The files of these games, each a file and a game's id, as sources of these games only."""
        wanted: dict[str, set[str]] = {}
        for file, game in chosen:
            wanted.setdefault(file, set()).add(game)
        for file, games in wanted.items():
            source = self._listed[file]
            yield source._replace(games=partial(_pick_games, source, games))


def _pick_games(source: Source, games: Collection[str]) -> Iterator[Recorded]:
    """The games of a file that are among these, and those whose id is not known before they are read."""
    return (recorded for recorded in source.games() if not recorded.game or recorded.game in games)


def _list_ids_and_hashes(source: Source, digest: str = "") -> list[tuple[str, str]]:
    """The id of each game of a file, '' if it cannot be read, and the hash of its bytes: `digest` for an only game."""
    games: list[tuple[str, str]] = []
    try:
        games.extend((_read_game_id(game), game.content or digest) for game in source.games())
    except (SpyriumLogError, OSError):
        games.append(("", ""))
    return games


def _read_game_id(recorded: Recorded) -> str:
    """The id of a game, read off its first line where the source does not know it."""
    if recorded.game:
        return recorded.game
    with suppress(SpyriumLogError, OSError):
        return recorded.log().header.game if recorded.read_id is None else recorded.read_id()
    return ""
