"""The index is brought up to date as if it were built anew, whatever happened to the logs or to the file."""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import duckdb
import pytest

from spyrium_log.errors import LogError, ReadModelError, UnfitError
from spyrium_log.readmodel import connections, load, writing
from spyrium_log.readmodel.answers import Written, query, write_rows
from spyrium_log.readmodel.connections import SCHEMA, STALE, run, wal_path
from spyrium_log.readmodel.dataset import Dataset, write_dataset
from spyrium_log.readmodel.load import Update, bring_up_to_date
from spyrium_log.readmodel.reader import Source
from spyrium_log.readmodel.row_workers import EncodedGame
from spyrium_log.readmodel.tables import OF_GAMES
from tests.readmodel.archive import Archive, Settled, fingerprint, indexed, many, one_game, raw, work_late
from tests.shares import part, share

ROOT = Path(__file__).parents[2]
HISTORIES = part(3, 3)
# So many bytes of rows are two or three games.
FEW = 100_000


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.1)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 60)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.duckdb"


def rebuilt(archive: Archive, index: Path) -> dict[str, str]:
    beside = index.with_name("rebuilt.duckdb")
    bring_up_to_date(beside, archive.sources(), rebuild=True)
    return fingerprint(beside)


def games(index: Path) -> int:
    return int(query(index, "SELECT count(*) FROM game").rows[0][0])


# --- what changed, and only that -----------------------------------------------------------------


@pytest.mark.parametrize(("processes", "chunk"), [(1, 1), (1, load.CHUNK), (3, FEW)])
@pytest.mark.parametrize("seed", range(HISTORIES))
def test_brought_up_to_date_equals_built_anew(
    index: Path, seed: int, chunk: int, processes: int, counts: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one transaction, or game by game in a copy that is moved into place; after every update."""
    work_late(monkeypatch, chunk)
    rng = random.Random(seed)
    archive = many(range(0, 40, 2)) if processes > 1 else Archive()
    for _ in range(rng.randint(3, 6)):
        for _ in range(rng.choice((0, 1, 2, 3, 6))):
            archive.change(rng)
        update = bring_up_to_date(index, archive.sources(), processes=processes)
        assert not update.held
        assert update.read + update.unchanged == games(index)
        assert len(update.unusable) + games(index) == len(archive.logs)
        Settled(index, archive.sources, update, processes).check()
        counts["updates of an index whose tables equal those built anew"] += 1


@pytest.mark.parametrize(("processes", "chunk"), share([(1, FEW), (2, 1), (3, FEW), (2, load.CHUNK), (4, FEW)], 2))
def test_every_file_has_a_position_however_many_games_are_under_way(
    index: Path, processes: int, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Built, and then added to: the end of a batch comes between the games of a file, and before its position."""
    work_late(monkeypatch, chunk)
    archive = Archive({"bad": raw(0, "garbage")})
    for more in (range(1, 25), range(25, 41)):
        archive.logs |= many(more).logs
        update = bring_up_to_date(index, archive.sources(), processes=processes)
        assert (update.read, [unusable.file for unusable in update.unusable]) == (len(more), ["bad"])
        Settled(index, archive.sources, update, processes).check()
    # What goes from the folder goes from the tables.
    archive.logs = {"log-001": raw(1)}
    assert bring_up_to_date(index, archive.sources(), processes=processes) == Update(removed=39, unchanged=1)


def test_only_changed_logs_are_read(index: Path) -> None:
    archive = many(range(12))
    assert bring_up_to_date(index, archive.sources()).read == 12
    stands = index.stat().st_mtime_ns
    archive.reads = 0
    assert bring_up_to_date(index, archive.sources()) == Update(unchanged=12)
    assert (archive.reads, index.stat().st_mtime_ns) == (0, stands)
    archive.logs["log-003"] = raw(3, "half")
    archive.logs["log-020"] = raw(20)
    del archive.logs["log-007"], archive.logs["log-008"]
    assert bring_up_to_date(index, archive.sources()) == Update(read=2, removed=2, unchanged=9)
    assert archive.reads == 2
    assert list(index.parent.iterdir()) == [index]


@pytest.mark.parametrize("rebuild", [False, True])
def test_whoever_watches_sees_each_log_once(index: Path, *, rebuild: bool) -> None:
    archive = many(range(5))
    archive.logs["bad"] = raw(0, "garbage")
    seen = []

    def watch(games: Iterable[int], total: int | None) -> Iterator[int]:
        for count, game in enumerate(games, 1):
            seen.append((count, total))
            yield game

    bring_up_to_date(index, archive.sources(), rebuild=rebuild, watch=watch)
    assert seen == [(count, 6) for count in range(1, 7)]


def test_a_log_whose_hash_nobody_knows_is_read_every_time(index: Path) -> None:
    archive = many(range(2))
    for _ in range(2):
        sources = [source._replace(digest=str) for source in archive.sources()]
        assert bring_up_to_date(index, sources).read == 2
    assert games(index) == 2


def test_a_log_that_cannot_be_read_is_in_no_table_and_is_reported(index: Path) -> None:
    archive = many(range(3))
    archive.logs["bad"] = raw(0, "garbage")
    update = bring_up_to_date(index, archive.sources())
    assert update.read == 3
    assert [unusable.file for unusable in update.unusable] == ["bad"]
    assert "not-json" in update.unusable[0].why
    again = bring_up_to_date(index, archive.sources())
    assert again == Update(unchanged=3, unusable=update.unusable)
    archive.logs["bad"] = raw(4)
    assert bring_up_to_date(index, archive.sources()) == Update(read=1, unchanged=3)


def test_a_log_that_cannot_be_read_any_more_leaves_the_tables(index: Path) -> None:
    archive = indexed(index, many(range(3)))
    archive.logs["log-001"] = raw(0, "garbage")
    update = bring_up_to_date(index, archive.sources())
    assert (update.read, len(update.unusable), games(index)) == (0, 1, 2)


@pytest.mark.parametrize("fault", [partial(OSError, 5, "Input/output error"), partial(LogError, "cut-off", n=1)])
def test_a_log_that_fails_while_it_is_read_is_reported(index: Path, fault: Callable[[], Exception]) -> None:
    """The error is made here: pytest would keep it, and with it the frames that it came through, for good."""

    def fails() -> NoReturn:
        raise fault()

    update = bring_up_to_date(index, [one_game("gone", "", fails)])
    assert [(unusable.file, unusable.why) for unusable in update.unusable] == [("gone", str(fault()))]


def test_a_log_of_an_impossible_name_is_reported(index: Path) -> None:
    archive = many(range(2))
    archive.logs["b\udcffd"] = raw(3)
    update = bring_up_to_date(index, archive.sources())
    assert (update.read, [unusable.file for unusable in update.unusable]) == (2, ["b?d"])


def test_of_two_logs_of_one_game_the_first_by_name_counts(index: Path) -> None:
    archive = Archive({"b": raw(1), "c": raw(1, "half")})
    assert [u.file for u in bring_up_to_date(index, archive.sources()).unusable] == ["c"]
    archive.logs["a"] = raw(1, "undone")
    assert [u.file for u in bring_up_to_date(index, archive.sources()).unusable] == ["b", "c"]
    assert query(index, "SELECT file FROM game").rows == [("a",)]
    del archive.logs["a"], archive.logs["b"]
    assert bring_up_to_date(index, archive.sources()).unusable == ()
    assert query(index, "SELECT file FROM game").rows == [("c",)]


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("chunk", [1, load.CHUNK])
def test_whoever_comes_too_late_for_a_game_is_told_of_its_owner_every_time(
    index: Path, chunk: int, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the owner is not read again, and others were read between two that come too late."""
    work_late(monkeypatch, chunk)
    archive = Archive({"a": raw(1)})
    bring_up_to_date(index, archive.sources())
    archive.logs |= {"b": raw(1), "c": raw(2), "d": raw(3), "e": raw(4), "f": raw(1)}
    for rebuild in (False, False, True):
        update = bring_up_to_date(index, archive.sources(), rebuild=rebuild, processes=processes)
        late = [(one.file, one.why.rpartition("which is in ")[2]) for one in update.unusable]
        assert late == [("b", "'a'"), ("f", "'a'")]
        assert update.read + update.unchanged == 4


def test_a_file_whose_game_is_taken_away_while_the_disk_says_something_new_of_it_has_one_position(index: Path) -> None:
    archive = Archive({"b": raw(1)})

    def sources(stamp: str = "as before") -> list[Source]:
        return [source._replace(stamp=stamp) for source in archive.sources()]

    bring_up_to_date(index, sources())
    archive.logs["a"] = raw(1, "half")
    update = bring_up_to_date(index, sources("as now"))
    assert [unusable.file for unusable in update.unusable] == ["b"]
    assert query(index, "SELECT file, refused FROM position ORDER BY file").rows == [("a", 0), ("b", 1)]
    del archive.logs["a"]
    assert bring_up_to_date(index, sources("as now")) == Update(read=1, removed=1)
    assert query(index, "SELECT file FROM game").rows == [("b",)]


def test_two_logs_that_swap_their_games(index: Path) -> None:
    archive = Archive({"a": raw(1), "b": raw(2)})
    bring_up_to_date(index, archive.sources())
    archive.logs = {"a": raw(2), "b": raw(1)}
    assert bring_up_to_date(index, archive.sources()) == Update(read=2)
    assert fingerprint(index) == rebuilt(archive, index)


def test_no_logs_at_all(index: Path) -> None:
    archive = many(range(2))
    assert bring_up_to_date(index, []).read == 0
    assert games(index) == 0
    bring_up_to_date(index, archive.sources())
    assert bring_up_to_date(index, []) == Update(removed=2)
    assert query(index, "SELECT * FROM ledger").rows == []


@pytest.mark.parametrize(("room", "bound", "games"), [(load, "CHUNK", 9), (writing, "_LONGEST", 3)])
def test_chunks_and_rows_may_be_of_any_length(
    index: Path, monkeypatch: pytest.MonkeyPatch, room: ModuleType, bound: str, games: int
) -> None:
    archive = many(range(games))
    whole = rebuilt(archive, index)
    monkeypatch.setattr(room, bound, 1)
    assert bring_up_to_date(index, archive.sources()).read == games
    assert fingerprint(index) == whole


@pytest.mark.parametrize("games", [3, 4, 5, 9])
def test_batches_share_transactions_and_the_file_is_opened_again_between_two_of_them(
    index: Path, monkeypatch: pytest.MonkeyPatch, games: int
) -> None:
    archive = many(range(games))
    whole = rebuilt(archive, index)
    monkeypatch.setattr(load, "CHUNK", 1)
    monkeypatch.setattr(writing, "TOGETHER", 2)
    monkeypatch.setattr(writing, "FORGETTING", 4)
    assert bring_up_to_date(index, archive.sources(), rebuild=True).read == games
    assert fingerprint(index) == whole


# --- never trusted -------------------------------------------------------------------------------


ALL = (*OF_GAMES, "sheet_value", "position", "card", "resource")
EVERYTHING = "FROM " + ", ".join(f"(SELECT sum(hash({table})) FROM {table})" for table in ALL)  # noqa: S608 - ours


STRANGE = {"empty": b"", "text": b"no database\n" * 999, "sqlite": b"SQLite format 3\0" + bytes(9000)}


@pytest.mark.parametrize("what", STRANGE)
def test_a_file_that_is_no_database_is_replaced(index: Path, what: str) -> None:
    archive = many(range(1))
    index.write_bytes(STRANGE[what])
    with pytest.raises(UnfitError, match=r"^expected an? .*index.*, found"):
        query(index, "SELECT 1")
    update = bring_up_to_date(index, archive.sources())
    assert (update.read, update.rebuilt != "") == (1, True)
    assert games(index) == 1


HEADER = 4096
HEADERS = 3 * HEADER
BLOCK = 1 << 18


def damages(whole: bytes) -> Iterator[bytes]:
    """A bit in each part of the file that is looked at in its own way, and ends cut off where these begin."""
    blocks = range(HEADERS, len(whole), 4 * BLOCK)
    # The magic bytes, the version, and of each header and block the checksum or what it covers, by turns.
    flipped = [8, 12, HEADER, 2 * HEADER + 20, *(at + (3, 50)[number % 2] for number, at in enumerate(blocks))]
    for at in flipped:
        yield whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :]
    for end in (HEADER, HEADERS, *(at + BLOCK // 2 for at in blocks[1::3]), len(whole) - 1):
        yield whole[:end]


def test_damage_is_harmless_or_ends_in_a_rebuilt_file(index: Path, counts: Counter[str]) -> None:
    """Flipped bits and cut-off ends: no answer is ever wrong, and after at most one refusal it is there."""
    archive = indexed(index, many(range(3)))
    whole = index.read_bytes()
    right = fingerprint(index)
    answer = query(index, EVERYTHING).rows
    for damaged in damages(whole):
        index.write_bytes(damaged)
        bring_up_to_date(index, archive.sources())
        try:
            assert query(index, EVERYTHING).rows == answer
        except UnfitError:
            assert bring_up_to_date(index, archive.sources()).read == 3
            assert query(index, EVERYTHING).rows == answer
            counts["damages found while an index was read"] += 1
        assert fingerprint(index) == right
        counts["damages done to an index"] += 1


def test_damage_that_shows_in_the_middle_of_an_update_is_mended_by_it(index: Path, counts: Counter[str]) -> None:
    unchanged = indexed(index, many(range(3)))
    whole = index.read_bytes()
    archive = Archive({**unchanged.logs, "log-001": raw(1, "half")})
    right = rebuilt(archive, index)
    for at in range(HEADERS + 50, len(whole), 3 * BLOCK):
        index.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        if bring_up_to_date(index, unchanged.sources()).rebuilt:
            # This one shows as soon as anybody looks.
            continue
        update = bring_up_to_date(index, archive.sources())
        assert (update.held, update.read) == (False, 3 if update.rebuilt else 1)
        counts["damages that an update mended"] += bool(update.rebuilt)
        with suppress(UnfitError):
            # What is in a block that no update needs shows when it is asked for.
            query(index, EVERYTHING)
        bring_up_to_date(index, archive.sources())
        assert fingerprint(index) == right
    assert counts["damages that an update mended"]


@pytest.mark.parametrize("sql", ["UPDATE meta SET schema = 0", "UPDATE meta SET written_by = '0'", "DELETE FROM meta"])
def test_another_version_is_built_anew(index: Path, sql: str) -> None:
    archive = indexed(index, many(range(1)))
    change(index, sql)
    with pytest.raises(UnfitError, match=f"of version {SCHEMA}"):
        query(index, "SELECT 1")
    assert f"of version {SCHEMA}" in bring_up_to_date(index, archive.sources()).rebuilt
    assert games(index) == 1


def change(index: Path, sql: str) -> None:
    connection = duckdb.connect(str(index))
    connection.execute(sql)
    connection.close()


def test_an_empty_database_is_built_anew_and_somebody_elses_is_left_alone(index: Path) -> None:
    change(index, "SELECT 1")
    assert bring_up_to_date(index, many(range(2)).sources()).read == 2
    index.unlink()
    change(index, "CREATE TABLE diary (entry VARCHAR)")
    before = index.read_bytes()
    with pytest.raises(ReadModelError, match="found another database"):
        bring_up_to_date(index, [])
    assert index.read_bytes() == before


def test_only_files_that_look_like_an_index_are_written(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    with pytest.raises(ReadModelError, match=r"\*\.duckdb"):
        bring_up_to_date(log, [])
    with pytest.raises(ReadModelError, match="without '\\?'"):
        bring_up_to_date(tmp_path / "a?b" / "index.duckdb", [])


def test_a_write_ahead_log_of_another_file_is_not_replayed(index: Path) -> None:
    """DuckDB 1 would put its rows into the new file and say nothing."""
    archive = indexed(index, many(range(3)))
    right = fingerprint(index)
    other = index.with_name("other.duckdb")
    bring_up_to_date(other, archive.sources())
    with writer(other, "CHECKPOINT; INSERT INTO seat SELECT 'gone', * EXCLUDE (game) FROM seat LIMIT 1", killed=True):
        pass
    left = wal_path(other).read_bytes()
    assert left
    index.write_bytes(b"")
    wal_path(index).write_bytes(left)
    bring_up_to_date(index, archive.sources())
    assert not wal_path(index).exists()
    assert fingerprint(index) == right


def test_what_a_killed_process_left_is_swept_when_it_is_old(index: Path) -> None:
    old, young = (index.with_name(f".index.{digit * 16}.game.ndjson") for digit in "ab")
    spilt = index.with_name(f".index.{'c' * 16}.duckdb.tmp")
    spilt.mkdir()
    for file in (old, young, spilt / "block"):
        file.touch()
    for file in (old, spilt):
        os.utime(file, (0, time.time() - STALE - 9))
    bring_up_to_date(index, [])
    assert (old.exists(), spilt.exists(), young.exists()) == (False, False, True)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ReadModelError, match="expected to write the index"):
        bring_up_to_date(tmp_path / "file" / "index.duckdb", [])


# --- other processes -----------------------------------------------------------------------------

HOLD = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "read")
connection.execute("SET checkpoint_threshold = '1TB'")
connection.execute(sys.argv[3]).fetchall()
print("ready", flush=True)
sys.stdin.read()
"""


@contextmanager
def holder(index: Path, how: str, sql: str, *, killed: bool = False) -> Iterator[None]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(index), how, sql], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "ready\n"
            yield
        finally:
            if killed:
                other.kill()


@contextmanager
def writer(index: Path, sql: str = "SELECT 1", *, killed: bool = False) -> Iterator[None]:
    with holder(index, "write", sql, killed=killed):
        yield


@pytest.mark.usefixtures("impatient")
def test_a_file_that_somebody_reads_answers_as_it_is(index: Path) -> None:
    archive = indexed(index, many(range(3)))
    archive.logs["new"] = raw(9)
    with holder(index, "read", "SELECT 1"):
        update = bring_up_to_date(index, archive.sources())
        assert update == Update(held=True, waiting=1, unchanged=3)
        answer = query(index, "SELECT count(*) FROM game")
        assert (answer.rows, answer.held) == ([(3,)], False)
    assert bring_up_to_date(index, archive.sources()) == Update(read=1, unchanged=3)


@pytest.mark.usefixtures("impatient")
def test_a_file_that_somebody_writes_answers_as_it_was(index: Path) -> None:
    archive = indexed(index, many(range(3)))
    with writer(index, "BEGIN; DELETE FROM ledger; DELETE FROM game"):
        assert bring_up_to_date(index, archive.sources()) == Update(held=True, waiting=None)
        answer = query(index, "SELECT count(*) FROM game")
        assert (answer.rows, answer.held) == ([(3,)], True)
        assert bring_up_to_date(index, archive.sources()).held
    assert list(index.parent.iterdir()) == [index]
    assert bring_up_to_date(index, archive.sources()) == Update(unchanged=3)


@pytest.mark.usefixtures("impatient")
def test_files_of_what_somebody_writes_are_as_it_was_and_say_so(index: Path, tmp_path: Path) -> None:
    indexed(index, many(range(3)))
    asked = partial(write_rows, index, "FROM game", (), form="parquet")
    whole = partial(write_dataset, index, anonymised=False)
    with writer(index, "BEGIN; DELETE FROM ledger; DELETE FROM game"):
        assert asked(file=tmp_path / "held.parquet") == Written(rows=3, held=True)
        data = whole(tmp_path / "held")
        assert (data.rows["game"], data.held) == (3, True)
    assert asked(file=tmp_path / "free.parquet") == Written(rows=3)
    assert whole(tmp_path / "free") == Dataset(rows=data.rows)


@pytest.mark.usefixtures("impatient")
def test_what_the_writer_committed_is_in_the_answer(index: Path) -> None:
    indexed(index, many(range(3)))
    with writer(index, "DELETE FROM game WHERE file = 'log-001'"):
        assert wal_path(index).exists()
        assert query(index, "SELECT count(*) FROM game").rows == [(2,)]


@pytest.mark.usefixtures("patient")
def test_a_file_that_is_free_in_time_is_waited_for(index: Path) -> None:
    archive = indexed(index, many(range(2)))
    archive.logs["new"] = raw(9)
    slow = HOLD.replace("sys.stdin.read()", "import time; time.sleep(0.4)")
    with subprocess.Popen([sys.executable, "-c", slow, index, "write", "SELECT 1"], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert bring_up_to_date(index, archive.sources()) == Update(read=1, unchanged=2)


@pytest.mark.usefixtures("impatient")
def test_a_thread_of_this_process_holds_the_file(index: Path) -> None:
    bring_up_to_date(index, [])
    connection = duckdb.connect(str(index))
    try:
        assert bring_up_to_date(index, []).held
        with pytest.raises(ReadModelError, match="held by this process"):
            query(index, "SELECT 1")
    finally:
        connection.close()
    assert query(index, "SELECT 1").rows == [(1,)]


def test_a_file_that_changed_since_we_looked_is_looked_at_again(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = indexed(index, many(range(3)))
    looked = load._Loader._read_index  # noqa: SLF001 - between the look and the turn to write, somebody else writes
    archive.logs["new"] = raw(9)
    calls: list[object] = []

    def overtaken(loader: load._Loader, patience: float | None = None) -> object:
        found = looked(loader, patience)
        if not calls:
            calls.append(found)
            bring_up_to_date(index, archive.sources())
        return found

    monkeypatch.setattr(load._Loader, "_read_index", overtaken)  # noqa: SLF001 - likewise
    assert bring_up_to_date(index, archive.sources()) == Update(unchanged=4)


def test_a_card_of_a_sheet_goes_with_the_last_game_that_has_the_sheet(tmp_path: Path) -> None:
    index, archive = tmp_path / "index.duckdb", many([1, 2])
    bring_up_to_date(index, archive.sources())
    with duckdb.connect(str(index)) as connection:
        connection.execute("INSERT INTO card VALUES ('spyrium', 'own-card', 'building', 99, NULL)")
        (sheet,) = connection.execute("SELECT sheet FROM game").fetchall()[0]
        connection.execute("INSERT INTO sheet_value VALUES (?, 'own-card', 'price', '1', 'read', '', '')", [sheet])
    archive.logs["new"] = raw(4)
    bring_up_to_date(index, archive.sources())
    own_cards = "SELECT card FROM card WHERE card = 'own-card'"
    assert query(index, own_cards).rows == [("own-card",)]
    archive.logs.clear()
    bring_up_to_date(index, archive.sources())
    assert query(index, own_cards).rows == []
    assert query(index, "SELECT count(*) > 40 FROM card").rows == [(True,)]


def in_the_middle(happens: Callable[[], object]) -> load.Watch:
    """Something happens after the first game, once."""
    happened: list[object] = []

    def watch(games: Iterable[int], _total: int | None) -> Iterator[int]:
        for n in games:
            yield n
            if not happened:
                happened.append(happens())

    return watch


def fails(error: BaseException) -> Callable[..., NoReturn]:
    def failing(*_given: object, **_more: object) -> NoReturn:
        raise error

    return failing


def lasting(is_begun: threading.Event, connection: duckdb.DuckDBPyConnection, **_more: object) -> None:
    """A batch that nobody would wait for."""
    is_begun.set()
    run(connection, "SELECT count(*) FROM range(10_000_000_000) AS a(x), range(1000) AS b(y) WHERE x % 7 = y")


@pytest.mark.parametrize("rebuild", [True, False])
def test_who_leaves_while_a_batch_is_loaded_waits_for_nothing_and_leaves_nothing(
    index: Path, monkeypatch: pytest.MonkeyPatch, *, rebuild: bool
) -> None:
    archive = indexed(index, many(range(3)))
    before = fingerprint(index)
    archive.logs |= {"new": raw(9), "newer": raw(10), "newest": raw(11)}
    monkeypatch.setattr(load, "CHUNK", 1)
    is_begun = threading.Event()
    monkeypatch.setattr(writing.Batch, "load", lambda _, *given, **more: lasting(is_begun, *given, **more))

    def leave() -> NoReturn:
        assert is_begun.wait(60)
        raise KeyboardInterrupt

    def watch(games: Iterable[int], _total: int | None) -> Iterator[int]:
        for nth, n in enumerate(games):
            if nth:
                leave()
            yield n

    with pytest.raises(KeyboardInterrupt):
        bring_up_to_date(index, archive.sources(), rebuild=rebuild, watch=watch)
    assert {path.name for path in index.parent.iterdir()} == {"index.duckdb"}
    assert fingerprint(index) == before


@pytest.mark.parametrize("rebuild", [True, False])
def test_a_batch_that_cannot_be_loaded_is_said_once_it_is_waited_for(
    index: Path, monkeypatch: pytest.MonkeyPatch, *, rebuild: bool
) -> None:
    archive = indexed(index, many(range(3)))
    before = fingerprint(index)
    archive.logs |= {"new": raw(9), "newer": raw(10)}
    monkeypatch.setattr(load, "CHUNK", 1)
    monkeypatch.setattr(writing.Batch, "load", fails(duckdb.IOException("IO Error: No space left on device")))
    with pytest.raises(ReadModelError, match=r"^expected to write the index, found: No space left on device"):
        bring_up_to_date(index, archive.sources(), rebuild=rebuild)
    assert {path.name for path in index.parent.iterdir()} == {"index.duckdb"}
    assert fingerprint(index) == before


def test_rows_that_find_no_room_are_no_fault_of_the_log(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where there is room again for what comes next."""
    full = [OSError(errno.ENOSPC, "No space left on device")]
    add = writing.Stage.add

    def adding(rows: writing.Stage, made: EncodedGame) -> None:
        if full:
            raise full.pop()
        add(rows, made)

    monkeypatch.setattr(writing.Stage, "add", adding)
    with pytest.raises(ReadModelError, match=r"^expected to write rows beside the index, found: No space left"):
        bring_up_to_date(index, many(range(3)).sources())
    assert not index.exists()


def test_a_large_update_that_was_overtaken_begins_again(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "CHUNK", 1)
    archive = indexed(index, many(range(3)))
    archive.logs["new"] = raw(9)
    somebody = Archive(archive.logs)
    archive.logs["newer"] = raw(10)
    watch = in_the_middle(lambda: bring_up_to_date(index, somebody.sources()))
    assert bring_up_to_date(index, archive.sources(), watch=watch) == Update(read=1, unchanged=4)
    assert fingerprint(index) == rebuilt(archive, index)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("first", [True, False])
def test_a_large_update_of_a_file_that_is_held_leaves_it_alone(
    index: Path, monkeypatch: pytest.MonkeyPatch, *, first: bool
) -> None:
    monkeypatch.setattr(load, "CHUNK", 1)
    archive = indexed(index, many(range(3)))
    before = fingerprint(index)
    archive.logs |= {"new": raw(9), "newer": raw(10)}
    with ExitStack() as stack:
        if first:
            stack.enter_context(holder(index, "read", "SELECT 1"))
        watch = in_the_middle(lambda: None if first else stack.enter_context(writer(index)))
        update = bring_up_to_date(index, archive.sources(), watch=watch)
        assert update == Update(held=True, waiting=None)
        assert list(index.parent.iterdir()) == [index]
    assert fingerprint(index) == before
    assert bring_up_to_date(index, archive.sources()) == Update(read=2, unchanged=3)


INDEXER = """
import sys
import threading
from pathlib import Path
from spyrium_log.readmodel import connections
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.tables import OF_GAMES
from spyrium_log.readmodel.row_workers import EncodedGame
from tests.readmodel.archive import many
first, last = int(sys.argv[2]), int(sys.argv[3])
archive = many(range(first, last))
print("ready", flush=True)
sys.stdin.readline()
connections.PATIENCE = 60
update = bring_up_to_date(Path(sys.argv[1]), archive.sources())
assert not update.held, update
print("done", flush=True)
"""


def indexer(index: Path, first: int, last: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", INDEXER, str(index), str(first), str(last)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


@pytest.mark.parametrize("there", [False, True])
def test_two_indexers_at_once(index: Path, *, there: bool) -> None:
    if there:
        indexed(index, many(range(3, 6)))
    both = [indexer(index, 0, 8), indexer(index, 0, 8)]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in both:
        go(process)
    for process in both:
        with process:
            assert process.communicate()[0] == "done\n"
        assert process.returncode == 0
    assert fingerprint(index) == rebuilt(many(range(8)), index)


@pytest.mark.usefixtures("patient")
def test_an_indexer_killed_at_any_time_leaves_nothing_to_mend_by_hand(index: Path, counts: Counter[str]) -> None:
    indexed(index, many(range(3, 6)))
    archive = many(range(8))
    rng = random.Random(11)
    for _ in range(3):
        with indexer(index, 0, rng.choice((2, 8))) as process:
            assert process.stdout is not None
            process.stdout.readline()
            go(process)
            time.sleep(rng.uniform(0, 0.15))
            process.kill()
        assert bring_up_to_date(index, many(range(5, 8)).sources()).unusable == ()
        counts["indexers killed"] += 1
    assert not bring_up_to_date(index, archive.sources()).held
    assert fingerprint(index) == rebuilt(archive, index)
