"""The index, brought up to date: only files whose bytes changed are read, and rows and position change together.

Where the tables stand is in the tables: of each file, which bytes were read, and of each game, which bytes it was made
from. A file may hold many games.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeAlias

import duckdb
import msgspec
from msgspec import Struct

from spyrium_log.errors import HeldError, ReadModelError, SpyriumLogError, UnfitError
from spyrium_log.log.notes import Notes
from spyrium_log.readmodel.database import (
    PATIENCE,
    Growing,
    OvertakenError,
    building,
    first_line,
    placed,
    reading,
    remove,
    rewriting,
    run,
    sibling,
    writing,
)
from spyrium_log.readmodel.rows import NO_NOTES, card_rows
from spyrium_log.readmodel.tables import LARGE, TABLES, PositionRow
from spyrium_log.readmodel.workshop import Made, Task, Workshop, encoded
from spyrium_log.replay import Replay
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES

# So many bytes of rows are loaded at a time, those of three hundred games: neither memory nor the temporary files grow
# with the archive, and hardly anything is left to be loaded when the last rows are made.
CHUNK = 20_000_000
# An update of more is no short transaction.
SHORT = 6
# So much of each table is written at a time.
ROOM = 1 << 18
TRIES = 5


def no_notes() -> Notes:
    return NO_NOTES


class Recorded(NamedTuple):
    """One game of a file: its id if that can be told without reading on, and how to read it.

    `content` is the hash of its bytes, '' where it is the only game and its bytes are the file's. `elsewhere`: what
    another process can read it by, if one can.
    """

    game: str
    content: str
    replay: Callable[[], Replay]
    notes: Callable[[], Notes] = no_notes
    elsewhere: Callable[[], tuple[Replay, Notes]] | None = None


class Source(NamedTuple):
    """One file: its name, the games in it, the hash of its bytes ('' if nobody knows).

    `stamp` is what the disk says of it: while that stays the same, nobody hashes it. '' where it proves nothing.
    `many`: how many games, None if nobody knows.
    """

    name: str
    digest: Callable[[], str]
    games: Callable[[], Iterable[Recorded]]
    stamp: str = ""
    many: int | None = 1


class Unusable(Struct, frozen=True):
    """A game, or a file, that is in no table, and why."""

    file: str
    why: str


class Update(Struct, frozen=True, kw_only=True):
    """What bringing the index up to date came to, in games.

    `held`: another process has it open, so that `waiting` changed games are not in it (None: nobody knows how many).
    `rebuilt`: why it was built anew, '' if it was not.
    """

    read: int = 0
    removed: int = 0
    unchanged: int = 0
    unusable: tuple[Unusable, ...] = ()
    held: bool = False
    waiting: int | None = 0
    rebuilt: str = ""


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
) -> Update:
    """Make the index say what these logs say, and nothing else. What it says of unchanged logs is kept.

    With more `processes` the rows of many games are made in several: the main module must stand being imported again.
    """
    path = placed(database)
    listed = {source.name: source for source in sorted(sources, key=lambda source: source.name)}
    with Workshop(processes) as workshop:
        return _tried(path, listed, patience, watch, workshop, rebuild=rebuild)


def _tried(
    path: Path, listed: Mapping[str, Source], patience: float, watch: Watch, workshop: Workshop, *, rebuild: bool
) -> Update:
    if rebuild:
        return _built(path, listed, "on demand", lambda: True, watch, workshop)
    for _ in range(TRIES):
        try:
            return _brought(path, listed, patience, watch, workshop)
        except OvertakenError:
            continue
        except HeldError:
            break
    return Update(held=True, waiting=None)


def _brought(path: Path, listed: Mapping[str, Source], patience: float, watch: Watch, workshop: Workshop) -> Update:
    try:
        known, stamp = _known(path, patience)
    except UnfitError as error:
        return _built(path, listed, str(error), lambda: not _is_fit(path), watch, workshop)
    try:
        return _changed(path, listed, known, stamp, patience, watch, workshop)
    except UnfitError as error:
        # Damage that only showed in the middle: the file looks fit.
        return _built(path, listed, str(error), lambda: True, watch, workshop)


class _Known(NamedTuple):
    """Where the index stands with one file."""

    position: PositionRow
    games: int


def _known(path: Path, patience: float) -> tuple[dict[str, _Known], str]:
    with reading(path, patience) as (connection, stamp):
        rows = _asked(connection, path, _POSITIONS)
        return {row[0]: _Known(PositionRow(*row[:4]), row[4]) for row in rows}, stamp


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
        if not _is_writable(source.name):
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
    stamp: str,
    patience: float,
    watch: Watch,
    workshop: Workshop,
) -> Update:
    plan = _planned(listed, known)
    old = [name for name in known if name not in listed or name in plan.digests]
    with ExitStack() as stack:
        stage = stack.enter_context(_staged(path))
        reader = _Reader(workshop, stage, _contents(path, old, patience) if plan.fresh or plan.gone else {})
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
        read = reader.taken - len(reader.dropped)
        update = Update(
            read=read,
            removed=sum(known[name].games for name in plan.gone),
            unchanged=sum(known[name].games for name in listed if name in known and name not in plan.digests)
            - reader.displaced.total()
            + len(reader.kept),
            unusable=reader.complaints(),
        )
        moved, settled = _moved(reader.positions(), known)
        settled += plan.settled
        moved += [_displaced(known[name].position, n) for name, n in reader.displaced.items()]
        if copy is None and not (moved or plan.gone or read or reader.stale):
            _settle(path, settled, stamp)
            return update
        try:
            with nullcontext(copy.connection) if copy is not None else writing(path, patience, stamp) as connection:
                _delete(connection, reader.stale)
                run(connection, _FORGET, [[*plan.gone, *(position.file for position in (*moved, *settled))]])
                stage.place((*moved, *settled))
                stage.batch().load(connection, sorted(reader.dropped))
                tidy(connection)
        except HeldError:
            waiting = update.removed + update.read
            return msgspec.structs.replace(update, read=0, removed=0, held=True, waiting=waiting)
    return update


def _load_part(copy: Growing, stage: Stage, reader: _Reader, old: Iterable[str]) -> None:
    """Games that were read again take the place of what the tables have of them; what is gone is left for the end."""
    reader.give_way(dict(run(copy.connection, _OWNERS, [stage.names])), old)
    again = reader.stale.intersection(stage.names)
    _delete(copy.connection, again)
    reader.stale -= again
    copy.load(partial(stage.batch().load, left_out=sorted(reader.dropped)))


def _delete(connection: duckdb.DuckDBPyConnection, games: Iterable[str]) -> None:
    for table in TABLES:
        run(connection, _DELETE[table], [sorted(games)])


def _moved(
    positions: Iterable[PositionRow], known: Mapping[str, _Known]
) -> tuple[list[PositionRow], list[PositionRow]]:
    """Files that the tables stand otherwise with, and those of which only the disk says something else."""
    moved: list[PositionRow] = []
    settled: list[PositionRow] = []
    for position in positions:
        was = known[position.file].position if position.file in known else None
        if was is None or msgspec.structs.replace(was, stamp=position.stamp) != position:
            moved.append(position)
        elif was != position:
            settled.append(position)
    return moved, settled


def _displaced(was: PositionRow, games: int) -> PositionRow:
    """Of this file some games are in no table any more, so that it has to be read again."""
    return msgspec.structs.replace(was, refused=was.refused + games)


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
    with suppress(ReadModelError, OvertakenError), _staged(path) as stage, writing(path, 0, stamp) as connection:
        run(connection, _FORGET, [[position.file for position in positions]])
        stage.place(positions)
        stage.batch().load(connection)


# --- everything ----------------------------------------------------------------------------------


def _built(
    path: Path,
    listed: Mapping[str, Source],
    why: str,
    is_wanted: Callable[[], bool],
    watch: Watch,
    workshop: Workshop,
) -> Update:
    read = 0
    with building(path, is_wanted) as file, _staged(path) as stage:
        reader = _Reader(workshop, stage, {})
        _insert_cards(file.connection, TITLES.values())

        def load() -> int:
            """What is there already is from a file that comes first."""
            reader.give_way(dict(run(file.connection, _OWNERS, [stage.names])), ())
            stage.place(reader.positions())
            games = len(stage.names) - len(reader.dropped)
            file.load(partial(stage.batch().load, left_out=sorted(reader.dropped)))
            reader.begin()
            return games

        hashed = ((source, source.digest() if _is_writable(source.name) else "") for source in listed.values())
        total = _total(listed.values())
        workshop.expect(total)
        for _ in watch(reader.reading(hashed), total):
            # Not after each file: a pack may be larger than memory.
            if stage.size >= CHUNK:
                read += load()
        read += load()
        tidy(file.connection)
    return Update(read=read, unusable=reader.complaints(), rebuilt=why)


def tidy(connection: duckdb.DuckDBPyConnection) -> None:
    """What follows from all games together, after some of them changed."""
    run(connection, _SWEEP)
    run(connection, _FORGET_TOTALS)
    run(connection, _TOTALS)


def _total(sources: Iterable[Source]) -> int | None:
    counts = [source.many for source in sources]
    return None if None in counts else sum(count or 0 for count in counts)


def _insert_cards(connection: duckdb.DuckDBPyConnection, titles: Iterable[AnyTitle]) -> None:
    rows = [msgspec.structs.astuple(row) for title in titles for row in card_rows(title)]
    run(connection, _CARDS, [list(column) for column in zip(*rows, strict=True)])


# --- reading -------------------------------------------------------------------------------------


class _Reader:
    """Reads files in the order of their names onto a stage. Of two logs of one game the first by name counts.

    `known` is what the tables have of the files that are read again: games whose bytes are the same stay there.
    """

    def __init__(self, workshop: Workshop, stage: Stage, known: Mapping[str, Mapping[str, str]]) -> None:
        self._workshop = workshop
        self._stage = stage
        self._known = known
        self._unusable: dict[tuple[str, str], str] = {}
        self._refused: Counter[str] = Counter()
        self.stale = {game for games in known.values() for game in games}
        self.kept: set[str] = set()
        self.displaced: Counter[str] = Counter()
        self.taken = 0
        self.begin()

    def begin(self) -> None:
        """Forget what was loaded."""
        self.owners: dict[str, str] = {}
        self.dropped: set[str] = set()
        self._done: list[tuple[Source, str]] = []

    def positions(self) -> list[PositionRow]:
        """Of the files that were read to their end since the last time."""
        return [
            PositionRow(source.name, digest, source.stamp, self._refused[source.name]) for source, digest in self._done
        ]

    def reading(self, sources: Iterable[tuple[Source, str]]) -> Iterator[int]:
        """Read all games of these files of these hashes; yields after each how many are on the stage."""
        # What is under way, in order; a file itself comes after its last game.
        under_way: deque[Callable[[], None]] = deque()
        for source, digest in sources:
            if not _is_writable(source.name):
                name = source.name.encode(errors="replace").decode()
                self._unusable[name, ""] = "expected a name in UTF-8, found other bytes"
                continue
            for recorded in self._games(source, under_way):
                under_way.append(self._begun(source.name, recorded, recorded.content or digest))
                yield from self._ended(under_way, self._workshop.width)
            under_way.append(partial(self._done.append, (source, digest)))
        yield from self._ended(under_way, 0)

    def _games(self, source: Source, under_way: deque[Callable[[], None]]) -> Iterator[Recorded]:
        """As far as the file can be read. What goes wrong between two of them is none of its fault."""
        try:
            yield from source.games()
        except (SpyriumLogError, OSError) as error:
            under_way.append(partial(self._leave_out, source.name, "", str(error)))

    def _ended(self, under_way: deque[Callable[[], None]], most: int) -> Iterator[int]:
        while len(under_way) > most:
            under_way.popleft()()
            yield len(self._stage.names)

    def _begun(self, name: str, recorded: Recorded, content: str) -> Callable[[], None]:
        if recorded.game and self._known.get(name, {}).get(recorded.game) == content:
            return partial(self._keep, name, recorded.game)
        task = Task(name, content, recorded.replay, recorded.notes, recorded.elsewhere)
        return partial(self._take, name, recorded.game, self._workshop.begun(task))

    def _keep(self, name: str, game: str) -> None:
        if game in self.owners:
            self._leave_out(name, game, _taken(name, game, self.owners[game]))
            return
        self.owners[game] = name
        self.kept.add(game)
        self.stale.discard(game)

    def _take(self, name: str, game: str, made: Callable[[], Made]) -> None:
        try:
            rows = made()
        except ReadModelError:
            # That is not about the log.
            raise
        except (SpyriumLogError, OSError) as error:
            self._leave_out(name, game, str(error))
            return
        if rows.game in self.owners:
            self._leave_out(name, rows.game, _taken(name, rows.game, self.owners[rows.game]))
            return
        self.owners[rows.game] = name
        self.taken += 1
        self._stage.add(rows)

    def give_way(self, owners: Mapping[str, str], old: Iterable[str]) -> None:
        """Settle whose a game is that the tables have from a file which is not read again."""
        again = set(old)
        for game, owner in owners.items():
            name = self.owners[game]
            if owner in again:
                continue
            if owner <= name:
                self.dropped.add(game)
                self._leave_out(name, game, _taken(name, game, owner))
            else:
                self.stale.add(game)
                self.displaced[owner] += 1
                self._leave_out(owner, game, _taken(owner, game, name))

    def _leave_out(self, name: str, game: str, why: str) -> None:
        self._unusable[name, game] = why
        self._refused[name] += 1

    def complaints(self) -> tuple[Unusable, ...]:
        return tuple(Unusable(file, why) for (file, _), why in sorted(self._unusable.items()))


def _taken(name: str, game: str, owner: str) -> str:
    if owner == name:
        return f"expected each game once in a file, found game '{game}' again"
    return f"expected a game of its own, found game '{game}', which is in '{owner}'"


def _is_writable(name: str) -> bool:
    """Whether a column can hold it: a folder may hold a name of any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


# --- rows into tables ----------------------------------------------------------------------------

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
_TOTALS = """
    INSERT INTO technique_total
    SELECT hands.title, card.card, sum(hands.n), sum(hands.total)
    FROM (SELECT title, techniques, count(*) AS n, sum(total) AS total FROM result GROUP BY title, techniques) AS hands
    JOIN card ON card.title = hands.title AND hands.techniques & card.bit != 0
    GROUP BY hands.title, card.card
"""
_CARDS = "INSERT INTO card SELECT unnest(?), unnest(?), unnest(?), unnest(?), unnest(?)"
_DELETE = {
    "game": "DELETE FROM game WHERE game IN (SELECT unnest(?::VARCHAR[]))",
    "seat": "DELETE FROM seat WHERE game IN (SELECT unnest(?::VARCHAR[]))",
    "event": "DELETE FROM event WHERE game IN (SELECT unnest(?::VARCHAR[]))",
    "ledger": "DELETE FROM ledger WHERE game IN (SELECT unnest(?::VARCHAR[]))",
    "decision": "DELETE FROM decision WHERE game IN (SELECT unnest(?::VARCHAR[]))",
    "offer": "DELETE FROM offer WHERE game IN (SELECT unnest(?::VARCHAR[]))",
    "standing": "DELETE FROM standing WHERE game IN (SELECT unnest(?::VARCHAR[]))",
    "holding": "DELETE FROM holding WHERE game IN (SELECT unnest(?::VARCHAR[]))",
    "score_part": "DELETE FROM score_part WHERE game IN (SELECT unnest(?::VARCHAR[]))",
    "finding": "DELETE FROM finding WHERE game IN (SELECT unnest(?::VARCHAR[]))",
    "note": "DELETE FROM note WHERE game IN (SELECT unnest(?::VARCHAR[]))",
}
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
    for table, row in LARGE.items()
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
    "position": f"INSERT INTO position {_READ}",
    "sheet_value": f"INSERT INTO sheet_value {_READ} {_NEW_SHEET}",
}


@contextmanager
def _staged(path: Path) -> Iterator[Stage]:
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
    """Rows that nothing is added to any more: JSON lines, a file a table: the fastest way in that needs no package."""

    paths: Mapping[str, Path]
    longest: int

    def load(self, connection: duckdb.DuckDBPyConnection, left_out: Sequence[str] = ()) -> None:
        """Insert them, but for some games."""
        columns: dict[str, dict[str, str]] = {}
        for table, column, kind in run(connection, _COLUMNS):
            is_turned = table in LARGE and column != "game"
            columns.setdefault(table, {})[column] = f"{kind}[]" if is_turned else kind
        columns["offer"] = _OFFERS
        for table, path in self.paths.items():
            sql, parameters = _INSERT[table], [_unglobbed(path), columns[table], self.longest]
            if left_out and table in TABLES:
                run(connection, f"{sql} {_OF_OTHERS}", [*parameters, left_out])
            else:
                run(connection, sql, parameters)
            remove(path)


class Stage:
    """Rows on their way, batch by batch: while one is loaded, the next can be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
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
        self._write("position", encoded(list(positions)))

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
        batch = Batch(self._paths, self._longest)
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
