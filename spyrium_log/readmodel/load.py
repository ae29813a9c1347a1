"""Bringing the index up to date: only files whose bytes changed are read, and rows and position change together.

The tables say where they stand: of each file which bytes were read, of each game which bytes it was made from. A file
may hold many games.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import duckdb
import msgspec
from msgspec import Struct

from spyrium_log.errors import HeldError, ReadModelError, UnfitError
from spyrium_log.garbage import looked_for_rarely
from spyrium_log.readmodel.connections import first_line, index_path, run
from spyrium_log.readmodel.people import ALIASES, Apart, name_people
from spyrium_log.readmodel.reader import Reader, Source, Unusable, is_utf8
from spyrium_log.readmodel.reading import open_index
from spyrium_log.readmodel.row_workers import RowWorkers
from spyrium_log.readmodel.tables import LOADED, PositionRow
from spyrium_log.readmodel.writing import (
    GrowingIndex,
    OvertakenError,
    Stage,
    build_index,
    open_stage,
    open_transaction,
    rewrite_index,
)
from spyrium_log.store import Aliases
from spyrium_log.titles import TITLES

# The bytes of rows that are loaded at a time, about three hundred games: neither memory nor the temporary files grow
# with the archive, and hardly anything is left to be loaded when the last rows are made.
CHUNK = 20_000_000
# An update of more chunks than these is no short transaction.
SHORT = 6
# How often an update begins anew because another process overtook it, before it leaves the index to that one.
TRIES = 5
NO_ALIASES = Aliases()


class Update(Struct, frozen=True, kw_only=True):
    """The outcome of an update, counted in games.

    `held`: another process has the index open, so that `waiting` changed games are not in it (None: unknown how many).
    `rebuilt`: why it was built anew, '' if it was not. `apart`: games in which spellings of one person stay apart.
    """

    read: int = 0
    removed: int = 0
    unchanged: int = 0
    unusable: tuple[Unusable, ...] = ()
    held: bool = False
    waiting: int | None = 0
    rebuilt: str = ""
    apart: tuple[Apart, ...] = ()


# Takes the games as they are read, and their number if it is known, and passes them on: for a progress bar.
Watch: TypeAlias = Callable[[Iterable[int], int | None], Iterable[int]]


def watch_nothing(games: Iterable[int], _total: int | None) -> Iterable[int]:
    """The games as they come: for callers without a progress bar."""
    return games


def bring_up_to_date(
    database: Path,
    sources: Iterable[Source],
    *,
    rebuild: bool = False,
    watch: Watch = watch_nothing,
    processes: int = 1,
    aliases: Aliases = NO_ALIASES,
) -> Update:
    """Make the index the tables of these logs and of no others. Rows of unchanged logs stay as they are.

    `aliases` say which spellings of a name are one person; where they change, no log is read again. `watch` sees the
    games go by. With more `processes` the rows of many games are made in several: the main module must stand being
    imported again.
    """
    path = index_path(database)
    by_name = {source.name: source for source in sorted(sources, key=lambda source: source.name)}
    with closing(RowWorkers(processes)) as workers, looked_for_rarely():
        loader = _Loader(path, by_name, aliases, watch, workers)
        return loader.build("on demand") if rebuild else loader.update()


class _Known(NamedTuple):
    """Where the index stands with one file, and how many of its games are in the tables."""

    position: PositionRow
    games: int


class _Index(NamedTuple):
    """Where the index stands: its files, the aliases it follows, and which update it is at."""

    files: Mapping[str, _Known]
    aliases: Mapping[str, str]
    stamp: str


class _Plan(Struct):
    """The files that have to be read, and those of which only the stamp has to be noted."""

    gone: list[str]
    fresh: list[Source] = []
    digests: dict[str, str] = {}
    restamped: list[PositionRow] = []


class _Loader(Struct, frozen=True):
    """One update of an index."""

    path: Path
    sources: Mapping[str, Source]
    aliases: Aliases
    watch: Watch
    workers: RowWorkers

    def update(self) -> Update:
        """Bring the file up to date, or build it where there is none of this version."""
        with suppress(HeldError):
            for _ in range(TRIES):
                with suppress(OvertakenError):
                    return self._update_once()
        return Update(held=True, waiting=None)

    def _update_once(self) -> Update:
        """Bring the file up to date, or build it; OvertakenError where another process did it meanwhile."""
        try:
            index = self._read_index()
        except UnfitError as error:
            return self.build(str(error), lambda: not self._is_fit())
        try:
            return self._update_changed(index)
        except UnfitError as error:
            # damage that only showed in the middle: the file looks fit
            return self.build(str(error))

    def _read_index(self, patience: float | None = None) -> _Index:
        """Where the index stands; UnfitError where there is none, HeldError where it stays locked."""
        with open_index(self.path, patience) as (connection, stamp):
            files = {file: _Known(PositionRow(file, *row), n) for file, *row, n in self._query(connection, _POSITIONS)}
            return _Index(files, dict(self._query(connection, ALIASES)), stamp)

    def _query(self, connection: duckdb.DuckDBPyConnection, sql: str, *lists: Collection[str]) -> list[tuple[Any, ...]]:
        """All rows of a statement with a list for each `?`; UnfitError where the file cannot answer: no index then."""
        try:
            return run(connection, sql, [list(names) for names in lists])
        except duckdb.Error as error:
            raise UnfitError("unfit", found=first_line(error), place=str(self.path)) from None

    def _is_fit(self) -> bool:
        """Whether another process has built the missing file meanwhile, or has it open: then ours is not wanted."""
        try:
            self._read_index(patience=0)
        except HeldError:
            return True
        except UnfitError:
            return False
        return True

    def _plan_reading(self, known: Mapping[str, _Known]) -> _Plan:
        """Find out what to read: files that are new, changed, or had games refused the last time."""
        plan = _Plan([name for name in known if name not in self.sources])
        # a file with refused games is read again: what another file had may be missing there now
        trusted = {name: file.position for name, file in known.items() if not file.position.refused}
        for source in self.sources.values():
            if not is_utf8(source.name):
                # only reading it says why it is in no table
                plan.fresh.append(source)
                continue
            before = trusted.get(source.name)
            if before is not None and source.stamp and source.stamp == before.stamp:
                continue
            digest = source.digest()
            if before is None or not digest or digest != before.content:
                plan.fresh.append(source)
                plan.digests[source.name] = digest
            elif source.stamp:
                plan.restamped.append(msgspec.structs.replace(before, stamp=source.stamp))
        return plan

    def _update_changed(self, index: _Index) -> Update:
        """Read what changed and replace its rows: in one transaction, or in a copy of the file where it is much."""
        known = index.files
        plan = self._plan_reading(known)
        outdated = {*plan.gone, *(name for name in known if name in plan.digests)}
        with ExitStack() as stack:
            stage = stack.enter_context(open_stage(self.path))
            reader = Reader(self.workers, stage, self._read_contents(outdated))
            copy = self._stage_fresh_games(stack, index.stamp, plan, stage, reader, outdated)
            update = self._count_update(known, plan, reader)
            moved, restamped = _find_changed_positions(reader, known, plan)
            is_renamed = index.aliases != self.aliases.spelled
            if copy is None and not (moved or plan.gone or update.read or reader.stale or is_renamed):
                # all rows stay as they are
                self._restamp(restamped, index.stamp)
                return update
            file = open_transaction(self.path, index.stamp) if copy is None else nullcontext(copy.connection)
            try:
                with file as connection:
                    _delete_games(connection, reader.stale)
                    _replace_positions(connection, stage, [*moved, *restamped], plan.gone)
                    stage.take_batch().load(connection, sorted(reader.dropped))
                    apart = _sweep_and_name_people(connection, self.aliases)
            except HeldError:
                # as if nothing had been read
                waiting = update.removed + update.read
                return msgspec.structs.replace(update, read=0, removed=0, held=True, waiting=waiting)
        return msgspec.structs.replace(update, apart=apart)

    def _stage_fresh_games(
        self, stack: ExitStack, stamp: str, plan: _Plan, stage: Stage, reader: Reader, outdated: Collection[str]
    ) -> GrowingIndex | None:
        """Put the rows of changed files on the stage; of many, load them into a copy of the index and return that."""
        copy = None
        max_size = SHORT * CHUNK
        for _ in self._read_games(reader, plan.fresh, lambda source: plan.digests.get(source.name, "")):
            if stage.size >= max_size:
                # Nobody waits for a transaction as long as that.
                copy = copy or stack.enter_context(rewrite_index(self.path, stamp))
                _load_part(copy, stage, reader, outdated)
                max_size = CHUNK
        if copy is not None:
            _load_part(copy, stage, reader, outdated)
        elif stage.games:
            with open_index(self.path) as (connection, _):
                reader.decide_owners(dict(self._query(connection, _OWNERS, stage.games)), outdated)
        return copy

    def _count_update(self, known: Mapping[str, _Known], plan: _Plan, reader: Reader) -> Update:
        """What the update did, counted by games, for the person who waited for it."""
        of_unread_files = sum(known[name].games for name in self.sources if name in known and name not in plan.digests)
        return Update(
            read=reader.taken,
            removed=sum(known[name].games for name in plan.gone),
            # less those whose rows are of another file now
            unchanged=of_unread_files - reader.displaced.total() + len(reader.unchanged),
            unusable=reader.list_unusable(),
        )

    def _read_games(
        self, reader: Reader, sources: Collection[Source], digest: Callable[[Source], str]
    ) -> Iterable[int]:
        """Read all games of these files onto the reader's stage; each file is hashed just before it is read."""
        counts = [source.many for source in sources if source.many is not None]
        total = sum(counts) if len(counts) == len(sources) else None
        self.workers.prepare_for(total)
        return self.watch(reader.read_games((source, digest(source)) for source in sources), total)

    def _read_contents(self, files: Collection[str]) -> dict[str, dict[str, str]]:
        """Of each of these files its games in the tables, and the hash of the bytes that each game was made from."""
        contents: dict[str, dict[str, str]] = {name: {} for name in files}
        if files:
            with open_index(self.path) as (connection, _):
                for file, game, content in self._query(connection, _CONTENTS, files):
                    contents[file][game] = content
        return contents

    def _restamp(self, positions: Sequence[PositionRow], stamp: str) -> None:
        """Note the new stamps of unchanged files. If that fails, they are hashed again the next time."""
        if not positions:
            return
        with (
            suppress(ReadModelError, OvertakenError),
            open_stage(self.path) as stage,
            open_transaction(self.path, stamp, patience=0) as connection,
        ):
            _replace_positions(connection, stage, positions)
            stage.take_batch().load(connection)

    def build(self, why: str, is_wanted: Callable[[], bool] = lambda: True) -> Update:
        """Make a new file of all games, `why` is for the outcome; it takes its place if it `is_wanted` in the end."""
        with build_index(self.path, is_wanted) as file, open_stage(self.path) as stage:
            # other updates may find nothing to read, and then load nothing that makes rows
            from spyrium_log.readmodel.rows import card_rows, resource_rows  # noqa: PLC0415

            reader = Reader(self.workers, stage, {})
            for title in TITLES.values():
                _insert_small_table(file.connection, "card", card_rows(title))
                _insert_small_table(file.connection, "resource", resource_rows(title))
            # A file whose name can stand in no table is not even hashed.
            for _ in self._read_games(
                reader, self.sources.values(), lambda source: source.digest() if is_utf8(source.name) else ""
            ):
                # not after each file: a pack may be larger than memory
                if stage.size >= CHUNK:
                    _load_part(file, stage, reader)
                    reader.forget_owners()
            _load_part(file, stage, reader)
            stage.add_positions(reader.list_positions())
            file.load(stage.take_batch().load)
            apart = _sweep_and_name_people(file.connection, self.aliases)
        return Update(read=reader.taken, unusable=reader.list_unusable(), rebuilt=why, apart=apart)


def _load_part(file: GrowingIndex, stage: Stage, reader: Reader, outdated: Collection[str] = ()) -> None:
    """Load what is staged into a file: games that were read again take the place of what the tables have of them."""
    reader.decide_owners(dict(run(file.connection, _OWNERS, [stage.games])), outdated)
    replaced = reader.stale.intersection(stage.games)
    if replaced:
        _delete_games(file.connection, replaced)
        reader.stale -= replaced
    file.load(partial(stage.take_batch().load, left_out=sorted(reader.dropped)))


def _replace_positions(
    connection: duckdb.DuckDBPyConnection, stage: Stage, positions: Sequence[PositionRow], gone: Sequence[str] = ()
) -> None:
    """Forget where these files and those `gone` stood, and stage where these stand now."""
    run(connection, _FORGET, [[*gone, *(position.file for position in positions)]])
    stage.add_positions(positions)


def _delete_games(connection: duckdb.DuckDBPyConnection, games: Iterable[str]) -> None:
    """Delete the rows of these games from every table, in either history."""
    names = sorted(games)
    for table in LOADED:
        run(connection, f"DELETE FROM {table} WHERE game IN (SELECT unnest(?::VARCHAR[]))", [names])  # noqa: S608 - a table of ours


def _find_changed_positions(
    reader: Reader, known: Mapping[str, _Known], plan: _Plan
) -> tuple[list[PositionRow], list[PositionRow]]:
    """Where the files stand whose games or bytes changed, and where those with a new stamp only: each file once."""
    moved: list[PositionRow] = []
    restamped = {position.file: position for position in plan.restamped}
    for position in reader.list_positions():
        before = known[position.file].position if position.file in known else None
        if before is None or msgspec.structs.replace(before, stamp=position.stamp) != position:
            moved.append(position)
        elif before != position:
            restamped[position.file] = position
    for file, games in reader.displaced.items():
        # games of this file that are in no table any more count as refused, so that it is read again
        before = restamped.pop(file, known[file].position)
        moved.append(msgspec.structs.replace(before, refused=before.refused + games))
    return moved, [*restamped.values()]


def _sweep_and_name_people(connection: duckdb.DuckDBPyConnection, aliases: Aliases) -> tuple[Apart, ...]:
    """Drop sheets, cards and titles without games, and name the players; returns games where spellings stay apart."""
    # as in build
    from spyrium_log.readmodel.rows import card_rows  # noqa: PLC0415

    run(connection, _SWEEP_SHEETS)
    for title in TITLES.values():
        run(connection, _SWEEP_CARDS, [title.key, [row.card for row in card_rows(title)], title.key])
    for table in ("card", "resource"):
        run(connection, _SWEEP_TITLES.format(table), [[*TITLES]])
    return tuple(name_people(connection, aliases))


def _insert_small_table(connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Struct]) -> None:
    """Insert rows that are few enough to be parameters: a list for each column."""
    columns = [list(column) for column in zip(*map(msgspec.structs.astuple, rows), strict=True)]
    run(connection, f"INSERT INTO {table} SELECT {', '.join(['unnest(?)'] * len(columns))}", columns)


_POSITIONS = """
    SELECT file, position.content, stamp, refused, count(game)
    FROM position LEFT JOIN game USING (file) GROUP BY ALL
"""
_CONTENTS = "SELECT file, game, content FROM game WHERE file IN (SELECT unnest(?::VARCHAR[]))"
_OWNERS = "SELECT game, file FROM game WHERE game IN (SELECT unnest(?::VARCHAR[]))"
_FORGET = "DELETE FROM position WHERE file IN (SELECT unnest(?::VARCHAR[]))"
_SWEEP_SHEETS = "DELETE FROM sheet_value WHERE sheet NOT IN (SELECT sheet FROM game)"
# The cards that are on no sheet which ships with the title or has a game.
_SWEEP_CARDS = """
    DELETE FROM card WHERE title = ? AND card NOT IN (SELECT unnest(?::VARCHAR[])) AND card NOT IN (
        SELECT component FROM sheet_value WHERE sheet IN (SELECT sheet FROM game WHERE title = ?)
    )
"""
_SWEEP_TITLES = """
    DELETE FROM {} WHERE title NOT IN (SELECT unnest(?::VARCHAR[])) AND title NOT IN (SELECT title FROM game)
"""
