"""An archive of known bytes to which things happen, and what its tables should say: a model that asks no reader.

What the tables should say of a log is read off an index that one process built of it, once for each content. Which file
a game counts in, and what is complained of, the model works out from the names of the files.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import duckdb

from benchmarks.inputs import name_of, renamed
from spyrium_log.errors import SpyriumLogError
from spyrium_log.log.codec import Log, encode
from spyrium_log.log.notes import Notes
from spyrium_log.log.pack import Game
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.reader import Recorded, Source
from spyrium_log.readmodel.sources import read_bytes_again, sources_of
from spyrium_log.readmodel.tables import LOADED
from spyrium_log.store import Folder
from tests.games import game, raw_of
from tests.log.test_notes import note
from tests.packs import read_pack, write_pack

# So many different games, played by chance; each log has an id of its own. One in four is whole.
POOL = 24
WHOLE = 4
PACK = "middle.jsonl.zst"
OTHER_PACK = "before.jsonl.zst"
TAKEN = ("expected each game once in a file", "expected a game of its own")


# --- what the tables should say ------------------------------------------------------------------


class Content(NamedTuple):
    """What a log says: its game, and of each table how many rows and the sum of their hashes. No game: unreadable."""

    game: str
    rows: dict[str, tuple[int, int]]


@cache
def digest_of(log: Game) -> str:
    """As the tables name the content of a log with its notes."""
    digest = sha256(log.log).hexdigest()
    return f"{digest}:{sha256(log.notes).hexdigest()}" if log.notes else digest


class Contents:
    """Every content that was ever in an archive, read once."""

    def __init__(self, folder: Path) -> None:
        self._index = folder / "contents.duckdb"
        self._known: dict[str, Content] = {}

    def of(self, log: Game) -> Content:
        return self._known[digest_of(log)]

    def learn(self, logs: Iterable[Game]) -> None:
        new = {digest_of(log): log for log in logs if digest_of(log) not in self._known}
        while new:
            # Of two contents of one game only one can be in an index: the others are left for the next one.
            sources = [_source(digest, log) for digest, log in new.items()]
            update = bring_up_to_date(self._index, sources, rebuild=True)
            self._known |= _contents(self._index)
            for one in update.unusable:
                if not one.why.startswith(TAKEN):
                    self._known[one.file] = Content("", {})
            new = {digest: log for digest, log in new.items() if digest not in self._known}


def _source(digest: str, log: Game) -> Source:
    def read() -> Log:
        return read_bytes_again(digest, log)[0]

    def notes() -> Notes:
        return read_bytes_again(digest, log)[1]

    return Source(digest, lambda: digest, lambda: [Recorded("", "", read, notes)])


def _contents(index: Path) -> dict[str, Content]:
    with duckdb.connect(str(index), read_only=True) as connection:
        files = dict(connection.execute("SELECT game, file FROM game").fetchall())
        found = {file: Content(game_id, {}) for game_id, file in files.items()}
        for table in LOADED:
            sums = f"SELECT game, count(*), sum(hash(one)) FROM {_rows(table)} AS one GROUP BY ALL"  # noqa: S608 - ours
            for game_id, count, total in connection.execute(sums).fetchall():
                found[files[game_id]].rows[table] = count, int(total)
    return found


def _rows(table: str) -> str:
    """The same rows lie in different files: which one is compared by itself."""
    has_file = table in {"game", "recorded_game"}
    return f"(SELECT * EXCLUDE (file) FROM {table})" if has_file else table  # noqa: S608 - a table of ours


class Expected(NamedTuple):
    positions: set[tuple[str, str, int]]
    files: dict[str, str]
    # Of each file: what is said of a game that is in the tables already, None of one that cannot be read.
    complaints: set[tuple[str, str | None]]
    tables: dict[str, tuple[int, int]]


class Tables(NamedTuple):
    """What an index says, as far as it is compared after each update."""

    positions: list[tuple[str, str, int]]
    files: dict[str, str]
    tables: dict[str, tuple[int, int]]
    wrong_seats: int


# Each seat repeats some columns of its game.
_WRONG_SEATS = """
    SELECT count(*) FROM seat JOIN game USING (game)
    WHERE (game_title, players, game_played, game_source, game_grades, game_reason, game_counts_for)
        IS DISTINCT FROM (game.title, game.seats, game.played, game.source, game.grades, game.reason, game.counts_for)
"""


def tables_of(index: Path) -> Tables:
    with duckdb.connect(str(index), read_only=True) as connection:
        sums = {
            table: connection.execute(f"SELECT count(*), sum(hash(one)) FROM {_rows(table)} AS one").fetchall()[0]  # noqa: S608 - ours
            for table in LOADED
        }
        return Tables(
            connection.execute("SELECT file, content, refused FROM position").fetchall(),
            dict(connection.execute("SELECT game, file FROM game").fetchall()),
            {table: (count, int(total or 0)) for table, (count, total) in sums.items()},
            connection.execute(_WRONG_SEATS).fetchall()[0][0],
        )


# --- an archive and what happens to it -----------------------------------------------------------


@dataclass
class Archive:
    """Files of known bytes: logs by name, with notes, and packs by name, with their games in order."""

    folder: Path
    contents: Contents
    logs: dict[str, Game] = field(default_factory=dict)
    packs: dict[str, list[Game]] = field(default_factory=dict)
    # What the games of a pack are after which it cannot be read.
    torn: set[str] = field(default_factory=set)

    def sources(self) -> Iterator[Source]:
        return sources_of(Folder(self.folder), anywhere=True)

    def put(self, name: str, log: Game) -> None:
        self.logs[name] = log
        (self.folder / f"{name}.jsonl").write_bytes(log.log)
        notes = self.folder / f"{name}.notes.jsonl"
        if log.notes:
            notes.write_bytes(log.notes)
        else:
            notes.unlink(missing_ok=True)

    def take(self, name: str) -> Game:
        (self.folder / f"{name}.jsonl").unlink()
        (self.folder / f"{name}.notes.jsonl").unlink(missing_ok=True)
        return self.logs.pop(name)

    def put_pack(self, name: str, games: Sequence[Game]) -> None:
        self.drop_pack(name)
        self.packs[name] = [*games]
        write_pack(self.folder / name, games, level=1)

    def drop_pack(self, name: str) -> None:
        self.packs.pop(name, None)
        self.torn.discard(name)
        (self.folder / name).unlink(missing_ok=True)

    def tear_pack(self, name: str, share: float) -> None:
        path = self.folder / name
        whole = path.read_bytes()
        path.write_bytes(whole[: int(len(whole) * share)])
        games: list[Game] = []
        try:
            games.extend(read_pack(path))
        except SpyriumLogError:
            self.torn.add(name)
        else:
            raise AssertionError("expected a pack that cannot be read to its end")
        self.packs[name] = games

    def expected(self) -> Expected:
        """Files in the order of their names; of two logs of one game the first one counts."""
        games = {name: [log] for name, log in self.logs.items()} | self.packs
        self.contents.learn(log for logs in games.values() for log in logs)
        expected = Expected(set(), {}, set(), {})
        sums: dict[str, list[int]] = {table: [0, 0] for table in LOADED}
        for file in sorted(games):
            # A pack of no games is no pack: it has no first line.
            refused = int(file in self.torn or not games[file])
            if refused:
                expected.complaints.add((file, None))
            for content in map(self.contents.of, games[file]):
                if content.game and content.game not in expected.files:
                    expected.files[content.game] = file
                    for table, (count, total) in content.rows.items():
                        sums[table][0] += count
                        sums[table][1] += total
                    continue
                refused += 1
                owner = expected.files.get(content.game, "")
                expected.complaints.add((file, taken(file, content.game, owner) if owner else None))
            expected.positions.add((file, self._digest(file), refused))
        expected.tables.update((table, (count, total)) for table, (count, total) in sums.items())
        return expected

    def _digest(self, file: str) -> str:
        if file in self.logs:
            return digest_of(self.logs[file])
        return sha256((self.folder / file).read_bytes()).hexdigest()


def taken(file: str, game: str, owner: str) -> str:
    if file == owner:
        return f"expected each game once in a file, found game '{game}' again"
    return f"expected a game of its own, found game '{game}', which is in '{owner}'"


class Changes:
    """What people do to an archive: to one file, to a few, and now and then to many."""

    def __init__(self, archive: Archive, rng: random.Random) -> None:
        self.archive = archive
        self.rng = rng
        self.made = 0

    def fresh(self) -> Game:
        """A game that was in no archive before."""
        self.made += 1
        return Game(log_of(self.made))

    def name(self) -> str:
        """Of a new file: before all others, among them or behind them."""
        self.made += 1
        return f"{self.rng.choice('agnz')}-{self.made:07d}"

    def some(self) -> list[str]:
        names = sorted(self.archive.logs)
        most = max(1, len(names) // 8) if self.rng.random() < 0.2 else 4
        return self.rng.sample(names, min(len(names), self.rng.randint(1, most)))

    def happen(self) -> str:
        kinds: dict[str, Callable[[], None]] = {
            "added": self.add, "deleted": self.delete, "appended": self.append, "damaged": self.damage,
            "renamed": self.rename, "duplicated": self.duplicate, "annotated": self.annotate,
        }  # fmt: skip
        if self.archive.packs:
            kinds |= {
                "a pack replaced": self.replace_pack, "a pack torn": self.tear_pack, "a pack renamed": self.rename_pack,
                "a game duplicated from a pack": self.unpack,
            }  # fmt: skip
        elif len(self.archive.logs) > 1:
            kinds["packed"] = self.pack
        # Where there are no logs, something has to come first.
        kind = self.rng.choice([*kinds]) if self.archive.logs or self.archive.packs else "added"
        kinds[kind]()
        return kind

    def add(self) -> None:
        most = 300 if self.rng.random() < 0.3 else 5
        for _ in range(self.rng.randint(1, most)):
            self.archive.put(self.name(), self.fresh())

    def delete(self) -> None:
        for name in self.some():
            self.archive.take(name)

    def append(self) -> None:
        for name in self.some():
            log, notes = self.archive.logs[name]
            lines = log.splitlines(keepends=True)
            whole = _whole_of(log)
            more = whole[: len(lines) + self.rng.randint(1, 9)]
            if more[: len(lines)] == lines:
                self.archive.put(name, Game(b"".join(more), notes))

    def damage(self) -> None:
        for name in self.some():
            log, notes = self.archive.logs[name]
            cut = log[: self.rng.randrange(1, len(log))] if self.rng.random() < 0.7 else b"no log\n" + log
            self.archive.put(name, Game(cut, notes))

    def rename(self) -> None:
        for name in self.some():
            self.archive.put(self.name(), self.archive.take(name))

    def duplicate(self) -> None:
        for name in self.some():
            self.archive.put(self.name(), self.archive.logs[name])

    def annotate(self) -> None:
        for name in self.some():
            log = self.archive.logs[name].log
            text = encode(note(f"note-{self.rng.randrange(99):02}", on="1", text=f"{self.rng.random()}"))
            self.archive.put(name, Game(log, self.rng.choice((text, text, b"", b"no notes\n"))))

    def pack(self) -> None:
        """Some logs become a pack, and stay or go."""
        names = [name for name in self.some() if _is_whole(self.archive.logs[name])]
        self.archive.put_pack(self.rng.choice((OTHER_PACK, PACK)), [self.archive.logs[n] for n in names])
        for name in names[: self.rng.randint(0, len(names))]:
            self.archive.take(name)

    def replace_pack(self) -> None:
        """Some of its games go, some come, some change, one is in it twice."""
        name = self.rng.choice(sorted(self.archive.packs))
        games = [*self.archive.packs[name]]
        for _ in range(self.rng.choice((1, 3, max(1, len(games) // 8)))):
            at = self.rng.randrange(len(games) + 1)
            what = self.rng.choice(("go", "come", "change"))
            if what == "come" or at == len(games):
                games.insert(at, self.fresh())
            elif what == "go":
                del games[at]
            else:
                games[at] = Game(b"".join(games[at].log.splitlines(keepends=True)[:-1]) or games[at].log)
        if games and self.rng.random() < 0.3:
            games.append(self.rng.choice(games))
        self.archive.put_pack(name, games)

    def tear_pack(self) -> None:
        name = self.rng.choice(sorted(self.archive.packs))
        if name not in self.archive.torn and self.archive.packs[name]:
            whole = self.archive.packs[name]
            self.archive.tear_pack(name, self.rng.uniform(0.6, 0.99))
            if self.rng.random() < 0.5:
                self.archive.put_pack(name, whole[: len(whole) * 9 // 10])

    def rename_pack(self) -> None:
        name = self.rng.choice(sorted(self.archive.packs))
        games, is_torn = self.archive.packs[name], name in self.archive.torn
        other = OTHER_PACK if name == PACK else PACK
        if is_torn or other in self.archive.packs:
            self.archive.put_pack(name, games)
            return
        (self.archive.folder / name).rename(self.archive.folder / other)
        self.archive.packs[other] = self.archive.packs.pop(name)

    def unpack(self) -> None:
        games = self.archive.packs[self.rng.choice(sorted(self.archive.packs))]
        for log in self.rng.sample(games, min(len(games), self.rng.randint(1, 9))):
            self.archive.put(self.name(), log)


@cache
def _pool(nth: int) -> bytes:
    return raw_of(game("spyrium", nth, 2 + nth % 2))


@cache
def _log(nth: int) -> list[bytes]:
    return renamed(_pool(nth % POOL), name_of(nth)).splitlines(keepends=True)


def log_of(nth: int) -> bytes:
    """The nth of any number of games; three of four were broken off early."""
    lines = _log(nth)
    return b"".join(lines[: len(lines) if nth % WHOLE == 0 else 8 + nth % 31])


def _whole_of(log: bytes) -> list[bytes]:
    """All lines that this game will ever have."""
    head, _, tail = log.partition(b'"game":"game-')
    return _log(int(tail[:7])) if head and tail[:7].isdigit() else []


def _is_whole(log: Game) -> bool:
    return _whole_of(log.log)[: log.log.count(b"\n")] == log.log.splitlines(keepends=True) and log.notes[:2] != b"no"
