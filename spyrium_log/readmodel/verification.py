"""Comparing the index with the files that it was made from. Nothing is changed or brought up to date.

A file that changed since it was read is no error of the index: the next update reads it. Of every other file the
index must have a position, and exactly its games; of a sample of these games the rows of every table are made anew, in
an index of their own, and compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

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


class Deviation(Struct, frozen=True):
    """A value in the index that differs from that of an index built anew.

    `subject` is the game of the row; in `position` the file, in other tables the value of the first column.
    """

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
        for (found,) in run(connection, sql):
            yield Deviation(table, found, key, NONE, found)


def list_differences(
    anew: duckdb.DuckDBPyConnection, index: duckdb.DuckDBPyConnection, games: Sequence[str]
) -> list[Deviation]:
    """The differences in columns; else in rows of these games, of sheets, cards and resources; else in views.

    What comes later would only follow from what comes first.
    """
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
    for start in range(0, len(wanted), AT_ONCE):
        some = [[*wanted[start : start + AT_ONCE]]]
        rows = f"FROM {table} AS entry WHERE {key} IN (SELECT unnest(?::VARCHAR[]))"
        hashes = f"SELECT count(*), sum(hash(entry)) {rows}"
        if run(anew, hashes, some) != run(index, hashes, some):
            yield from _compare_answers(anew, index, table, key, rows, some)


def _compare_answers(
    anew: duckdb.DuckDBPyConnection,
    index: duckdb.DuckDBPyConnection,
    table: str,
    key: str,
    sql: str,
    parameters: Sequence[object] = (),
) -> Iterator[Deviation]:
    """Rows that only one of the answers has, paired by the column `key`: a pair is one row with two values."""
    expected, found = run(anew, sql, parameters), run(index, sql, parameters)
    columns = [column[0] for column in anew.description or ()]
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
    """The rows by the value of one column, each group in a fixed order."""
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
    fresh_index: Path,
    *,
    sample: int | None = SAMPLE,
    watch: Watch = unwatched,
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
            general = [*find_orphans(connection)]
        except duckdb.Error as error:
            return Verification(games=0, compared=0, outdated=0, deviations=(_make_unreadable_deviation(path, error),))
    files = _Files(index, {source.name: source for source in sources if is_writable(source.name)})
    deviations = [*files.compare(), *general]
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
    """The deviation of an index whose rows cannot be read at all."""
    return Deviation("index", path.name, "*", "rows that can be read", first_line(error))


def _choose_evenly(games: Sequence[tuple[str, str]], count: int | None) -> list[tuple[str, str]]:
    """So many of these games (None: all) at equal distances, the same every time."""
    if count is None or count >= len(games):
        return [*games]
    return [games[nth * len(games) // count] for nth in range(count)]


class _Index(NamedTuple):
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


class _Files:
    """The files of an archive, compared with their positions in the index."""

    def __init__(self, index: _Index, listed: Mapping[str, Source]) -> None:
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
            if file not in positions:
                self.outdated += file not in games
                if file in games:
                    yield Deviation("position", file, "file", file, NONE)
            elif len(positions[file]) > 1:
                yield Deviation("position", file, "file", "one row", f"{len(positions[file])} rows")
            elif file not in self._listed:
                self.outdated += 1
            else:
                yield from self._compare_file(self._listed[file], *positions[file][0])

    def _compare_file(self, source: Source, content: str, stamp: str, refused: int) -> Iterator[Deviation]:
        """What the tables have of one file, against the file."""
        digest = source.digest()
        if not digest and not content:
            # It could not be read then, and cannot now.
            return
        if digest != content:
            self.outdated += 1
            if stamp and stamp == source.stamp:
                # The next update would trust the stamp and not read the file.
                yield Deviation("position", source.name, "content", digest, content)
            return
        self._digests[source.name] = digest
        recorded = _list_ids_and_hashes(source, digest)
        contents = self._index.games.get(source.name, {})
        for game in contents.keys() - {game for game, _ in recorded}:
            home = self._first_files.get(game, NONE)
            yield Deviation("game", game, "file", home, source.name)
        counted = {game for game, _ in recorded if game in contents}
        self.sound += [(source.name, game) for game in counted]
        for game in sorted(counted):
            read = [found for other, found in recorded if other == game]
            if contents[game] not in read:
                yield Deviation("game", game, "content", read[0], contents[game])
        # A file with games in no table is read again by every update.
        missing = [] if refused else [game for game, _ in recorded if self._index.owners.get(game) is None]
        for game in missing:
            yield Deviation("game", game, "game", game, NONE)
        left_out = len(recorded) - len(counted) - len(missing)
        if left_out != refused:
            yield Deviation("position", source.name, "refused", str(left_out), str(refused))

    @cached_property
    def _first_files(self) -> dict[str, str]:
        """Of each game the first file that has it."""
        files = sorted(self._listed, reverse=True)
        return {game: file for file in files for game, _ in _list_ids_and_hashes(self._listed[file], "") if game}

    def has_changed(self, file: str) -> bool:
        """Since it was looked at: somebody may write while we compare."""
        return self._listed[file].digest() != self._digests[file]

    def sources_of(self, chosen: Sequence[tuple[str, str]]) -> Iterator[Source]:
        """The files of these games, with these games only."""
        wanted: dict[str, set[str]] = {}
        for file, game in chosen:
            wanted.setdefault(file, set()).add(game)
        for file, games in wanted.items():
            source = self._listed[file]
            yield source._replace(games=partial(_games_among, source, games))


def _games_among(source: Source, games: Collection[str]) -> Iterator[Recorded]:
    """The games of a file that are among these; one whose id is not known yet, too."""
    return (recorded for recorded in source.games() if not recorded.game or recorded.game in games)


def _list_ids_and_hashes(source: Source, digest: str) -> list[tuple[str, str]]:
    """The games of a file by their first lines, '' where one cannot be read, and the hashes of their bytes."""
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
    try:
        return recorded.replay().header.game if recorded.first_line is None else recorded.first_line()
    except (SpyriumLogError, OSError):
        return ""
