"""The index, brought up to date: only files whose bytes changed are read, and rows and position change together.

Where the tables stand is in the tables: of each file, which bytes were read, and of each game, which bytes it was made
from. A file may hold many games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import duckdb
import msgspec
from msgspec import Struct

from spyrium_log.errors import HeldError, ReadModelError, UnfitError
from spyrium_log.readmodel.database import (
    PATIENCE,
    Growing,
    OvertakenError,
    building,
    first_line,
    placed,
    reading,
    rewriting,
    run,
    writing,
)
from spyrium_log.readmodel.people import ALIASES, Apart, name_people
from spyrium_log.readmodel.reader import Reader, Source, Unusable, is_writable
from spyrium_log.readmodel.rows import card_rows
from spyrium_log.readmodel.stage import Stage, staged
from spyrium_log.readmodel.tables import LOADED, PositionRow
from spyrium_log.readmodel.workshop import Workshop
from spyrium_log.store import Aliases
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES

# So many bytes of rows are loaded at a time, those of three hundred games: neither memory nor the temporary files grow
# with the archive, and hardly anything is left to be loaded when the last rows are made.
CHUNK = 20_000_000
# An update of more is no short transaction.
SHORT = 6
TRIES = 5


NOBODY = Aliases()


class Update(Struct, frozen=True, kw_only=True):
    """What bringing the index up to date came to, in games.

    `held`: another process has it open, so that `waiting` changed games are not in it (None: nobody knows how many).
    `rebuilt`: why it was built anew, '' if it was not. `apart`: games in which spellings of one person stay apart; told
    by every update that changed something.
    """

    read: int = 0
    removed: int = 0
    unchanged: int = 0
    unusable: tuple[Unusable, ...] = ()
    held: bool = False
    waiting: int | None = 0
    rebuilt: str = ""
    apart: tuple[Apart, ...] = ()


# What is handed the games as they are read, and how many there will be if anybody knows, and hands them on.
Watch: TypeAlias = Callable[[Iterable[int], int | None], Iterable[int]]


def unwatched(games: Iterable[int], _total: int | None) -> Iterable[int]:
    """Nobody waits."""
    return games


def bring_up_to_date(
    database: Path,
    sources: Iterable[Source],
    *,
    rebuild: bool = False,
    patience: float = PATIENCE,
    watch: Watch = unwatched,
    processes: int = 1,
    aliases: Aliases = NOBODY,
) -> Update:
    """Make the index say what these logs say, and nothing else. What it says of unchanged logs is kept.

    `aliases` say which spellings of a name are one person; where they change, no log is read again.

    With more `processes` the rows of many games are made in several: the main module must stand being imported again.
    """
    path = placed(database)
    listed = {source.name: source for source in sorted(sources, key=lambda source: source.name)}
    with Workshop(processes) as workshop:
        return _tried(path, listed, aliases, patience, watch, workshop, rebuild=rebuild)


def _tried(
    path: Path,
    listed: Mapping[str, Source],
    aliases: Aliases,
    patience: float,
    watch: Watch,
    workshop: Workshop,
    *,
    rebuild: bool,
) -> Update:
    if rebuild:
        return _built(path, listed, aliases, "on demand", lambda: True, watch, workshop)
    for _ in range(TRIES):
        try:
            return _brought(path, listed, aliases, patience, watch, workshop)
        except OvertakenError:
            continue
        except HeldError:
            break
    return Update(held=True, waiting=None)


def _brought(
    path: Path, listed: Mapping[str, Source], aliases: Aliases, patience: float, watch: Watch, workshop: Workshop
) -> Update:
    try:
        known, called, stamp = _known(path, patience)
    except UnfitError as error:
        return _built(path, listed, aliases, str(error), lambda: not _is_fit(path), watch, workshop)
    try:
        renamed = called != aliases.spelled
        return _changed(path, listed, known, aliases, stamp, patience, watch, workshop, renamed=renamed)
    except UnfitError as error:
        # Damage that only showed in the middle: the file looks fit.
        return _built(path, listed, aliases, str(error), lambda: True, watch, workshop)


class _Known(NamedTuple):
    """Where the index stands with one file."""

    position: PositionRow
    games: int


def _known(path: Path, patience: float) -> tuple[dict[str, _Known], dict[str, str], str]:
    """Where the index stands: its files, the spellings it follows, and which update that is."""
    with reading(path, patience) as (connection, stamp):
        rows = _asked(connection, path, _POSITIONS)
        called = dict(_asked(connection, path, ALIASES))
        return {row[0]: _Known(PositionRow(*row[:4]), row[4]) for row in rows}, called, stamp


def _asked(connection: duckdb.DuckDBPyConnection, path: Path, sql: str, *names: Sequence[str]) -> list[tuple[Any, ...]]:
    try:
        return run(connection, sql, [list(each) for each in names])
    except duckdb.Error as error:
        raise UnfitError(f"expected an index, found: {first_line(error)}, at {path}") from None


def _is_fit(path: Path) -> bool:
    """Whether somebody else has built the file that we found missing, or has it open."""
    try:
        _known(path, 0)
    except HeldError:
        return True
    except UnfitError:
        return False
    return True


# --- only what changed ---------------------------------------------------------------------------


@dataclass(slots=True)
class _Plan:
    """Which files have to be read, and which only have to be told apart quicker the next time."""

    gone: list[str]
    fresh: list[Source] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    settled: list[PositionRow] = field(default_factory=list)


def _planned(listed: Mapping[str, Source], known: Mapping[str, _Known]) -> _Plan:
    plan = _Plan([name for name in known if name not in listed])
    for source in listed.values():
        if not is_writable(source.name):
            plan.fresh.append(source)
            continue
        was = known[source.name].position if source.name in known else None
        if was is not None and not was.refused and source.stamp and source.stamp == was.stamp:
            continue
        digest = source.digest()
        if was is None or was.refused or not digest or digest != was.content:
            plan.fresh.append(source)
            plan.digests[source.name] = digest
        elif source.stamp:
            plan.settled.append(msgspec.structs.replace(was, stamp=source.stamp))
    return plan


def _changed(
    path: Path,
    listed: Mapping[str, Source],
    known: Mapping[str, _Known],
    aliases: Aliases,
    stamp: str,
    patience: float,
    watch: Watch,
    workshop: Workshop,
    *,
    renamed: bool,
) -> Update:
    plan = _planned(listed, known)
    old = [name for name in known if name not in listed or name in plan.digests]
    with ExitStack() as stack:
        stage = stack.enter_context(staged(path))
        reader = Reader(workshop, stage, _contents(path, old, patience) if plan.fresh or plan.gone else {})
        copy = None
        total = _total(plan.fresh)
        workshop.expect(total)
        for _ in watch(reader.reading((source, plan.digests.get(source.name, "")) for source in plan.fresh), total):
            if stage.size >= (CHUNK if copy is not None else SHORT * CHUNK):
                # Nobody waits for a transaction as long as that.
                copy = copy or stack.enter_context(rewriting(path, patience, stamp))
                _load_part(copy, stage, reader, old)
        if copy is not None:
            _load_part(copy, stage, reader, old)
        elif stage.names:
            reader.give_way(_owners(path, stage.names, patience), old)
        update = Update(
            read=reader.taken,
            removed=sum(known[name].games for name in plan.gone),
            unchanged=sum(known[name].games for name in listed if name in known and name not in plan.digests)
            - reader.displaced.total()
            + len(reader.kept),
            unusable=reader.complaints(),
        )
        moved, settled = _moved(reader, known, plan)
        if copy is None and not (moved or plan.gone or update.read or reader.stale or renamed):
            _settle(path, settled, stamp)
            return update
        try:
            with nullcontext(copy.connection) if copy is not None else writing(path, patience, stamp) as connection:
                _delete(connection, reader.stale)
                run(connection, _FORGET, [[*plan.gone, *(position.file for position in (*moved, *settled))]])
                stage.place((*moved, *settled))
                stage.batch().load(connection, sorted(reader.dropped))
                apart = tidy(connection, aliases)
        except HeldError:
            waiting = update.removed + update.read
            return msgspec.structs.replace(update, read=0, removed=0, held=True, waiting=waiting)
    return msgspec.structs.replace(update, apart=apart)


def _load_part(file: Growing, stage: Stage, reader: Reader, old: Iterable[str]) -> None:
    """Games that were read again take the place of what the tables have of them; what is gone is left for the end."""
    reader.give_way(dict(run(file.connection, _OWNERS, [stage.names])), old)
    again = reader.stale.intersection(stage.names)
    if again:
        _delete(file.connection, again)
        reader.stale -= again
    file.load(partial(stage.batch().load, left_out=sorted(reader.dropped)))


def _delete(connection: duckdb.DuckDBPyConnection, games: Iterable[str]) -> None:
    names = sorted(games)
    for table in LOADED:
        run(connection, _DELETE[table], [names])


def _moved(reader: Reader, known: Mapping[str, _Known], plan: _Plan) -> tuple[list[PositionRow], list[PositionRow]]:
    """Files that the tables stand otherwise with, and those of which only the disk says something else: each once."""
    moved: list[PositionRow] = []
    settled = {position.file: position for position in plan.settled}
    for position in reader.positions():
        was = known[position.file].position if position.file in known else None
        if was is None or msgspec.structs.replace(was, stamp=position.stamp) != position:
            moved.append(position)
        elif was != position:
            settled[position.file] = position
    for file, games in reader.displaced.items():
        # Of this file some games are in no table any more, so that it has to be read again.
        was = settled.pop(file, known[file].position)
        moved.append(msgspec.structs.replace(was, refused=was.refused + games))
    return moved, [*settled.values()]


def _contents(path: Path, files: Sequence[str], patience: float) -> dict[str, dict[str, str]]:
    """Of each file the games that the tables have of it, and which bytes these were made from."""
    found: dict[str, dict[str, str]] = {name: {} for name in files}
    if files:
        with reading(path, patience) as (connection, _):
            for file, game, content in _asked(connection, path, _CONTENTS, files):
                found[file][game] = content
    return found


def _owners(path: Path, games: Iterable[str], patience: float) -> dict[str, str]:
    """Which files the tables have these games from."""
    with reading(path, patience) as (connection, _):
        return dict(_asked(connection, path, _OWNERS, list(games)))


def _settle(path: Path, positions: Sequence[PositionRow], stamp: str) -> None:
    """Nothing changed but what the disk says. Whoever cannot write it down hashes again the next time."""
    if not positions:
        return
    with suppress(ReadModelError, OvertakenError), staged(path) as stage, writing(path, 0, stamp) as connection:
        run(connection, _FORGET, [[position.file for position in positions]])
        stage.place(positions)
        stage.batch().load(connection)


# --- everything ----------------------------------------------------------------------------------


def _built(
    path: Path,
    listed: Mapping[str, Source],
    aliases: Aliases,
    why: str,
    is_wanted: Callable[[], bool],
    watch: Watch,
    workshop: Workshop,
) -> Update:
    with building(path, is_wanted) as file, staged(path) as stage:
        reader = Reader(workshop, stage, {})
        _insert_cards(file.connection, TITLES.values())
        hashed = ((source, source.digest() if is_writable(source.name) else "") for source in listed.values())
        total = _total(listed.values())
        workshop.expect(total)
        for _ in watch(reader.reading(hashed), total):
            # Not after each file: a pack may be larger than memory.
            if stage.size >= CHUNK:
                _load_part(file, stage, reader, ())
                reader.forget_owners()
        _load_part(file, stage, reader, ())
        stage.place(reader.positions())
        file.load(stage.batch().load)
        apart = tidy(file.connection, aliases)
    return Update(read=reader.taken, unusable=reader.complaints(), rebuilt=why, apart=apart)


def tidy(connection: duckdb.DuckDBPyConnection, aliases: Aliases) -> tuple[Apart, ...]:
    """What follows from all games together, after some of them changed, or the aliases."""
    run(connection, _SWEEP)
    run(connection, _FORGET_TOTALS)
    run(connection, _INSERT_TOTALS)
    return tuple(name_people(connection, aliases))


def _total(sources: Iterable[Source]) -> int | None:
    counts = [source.many for source in sources]
    return None if None in counts else sum(count or 0 for count in counts)


def _insert_cards(connection: duckdb.DuckDBPyConnection, titles: Iterable[AnyTitle]) -> None:
    rows = [msgspec.structs.astuple(row) for title in titles for row in card_rows(title)]
    run(connection, _CARDS, [list(column) for column in zip(*rows, strict=True)])


# --- what is asked of the tables, and what is said to them ----------------------------------------

_POSITIONS = """
    SELECT file, position.content, stamp, refused, count(game)
    FROM position LEFT JOIN game USING (file) GROUP BY ALL
"""
_CONTENTS = "SELECT file, game, content FROM game WHERE file IN (SELECT unnest(?::VARCHAR[]))"
_OWNERS = "SELECT game, file FROM game WHERE game IN (SELECT unnest(?::VARCHAR[]))"
_FORGET = "DELETE FROM position WHERE file IN (SELECT unnest(?::VARCHAR[]))"
_SWEEP = "DELETE FROM sheet_value WHERE sheet NOT IN (SELECT sheet FROM game)"
# The question that is asked most costs a scan of all games, which is done when they change. By what seats hold first:
# few different things among many seats; only then by technique.
_FORGET_TOTALS = "DELETE FROM technique_total"
TOTALS = """
    SELECT hands.title, card.card AS technique, sum(hands.n)::BIGINT AS n, sum(hands.total)::HUGEINT AS total
    FROM (SELECT title, techniques, count(*) AS n, sum(total) AS total FROM result GROUP BY title, techniques) AS hands
    JOIN card ON card.title = hands.title AND hands.techniques & card.bit != 0
    GROUP BY hands.title, card.card
"""
_INSERT_TOTALS = f"INSERT INTO technique_total {TOTALS}"
_CARDS = "INSERT INTO card SELECT unnest(?), unnest(?), unnest(?), unnest(?), unnest(?)"
_DELETE = {
    table: f"DELETE FROM {table} WHERE game IN (SELECT unnest(?::VARCHAR[]))"  # noqa: S608 - a table of ours
    for table in LOADED
}
