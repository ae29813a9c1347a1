"""From a folder of logs to the tables, with real files."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import NoReturn
from unittest.mock import ANY

import pytest

from spyrium_log.errors import ReadModelError, StoreError
from spyrium_log.log.codec import encode
from spyrium_log.log.pack import Game
from spyrium_log.messages import index_message
from spyrium_log.readmodel import load, row_workers, sources
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.load import Update, bring_up_to_date
from spyrium_log.readmodel.reader import Recorded, Unusable
from spyrium_log.readmodel.sources import sources_of
from spyrium_log.store import Folder
from tests.games import ALL_TITLES
from tests.log.test_notes import note
from tests.packs import write_pack
from tests.readmodel.archive import fingerprint, raw
from tests.store.disk import ROOT, Disk


def test_a_folder_of_logs(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "logs", titles=ALL_TITLES)
    for seed in range(6):
        folder.write_whole(raw(seed))
    index = folder.path / "index.duckdb"
    assert bring_up_to_date(index, sources_of(folder)).read == 6
    assert bring_up_to_date(index, sources_of(folder)) == Update(unchanged=6)
    said = dict(query(index, "SELECT file, content FROM game").rows)
    assert said == {
        name: sha256((folder.path / f"{name}.jsonl").read_bytes()).hexdigest() for name in folder.list_names()
    }

    (folder.path / "game-0001.jsonl").write_bytes(raw(1, "cut"))
    (folder.path / "game-0002.jsonl").unlink()
    (folder.path / "game-0003.jsonl").write_bytes(b"nothing\n")
    (folder.path / "game-0004.jsonl").rename(folder.path / "renamed.jsonl")
    (folder.path / "folder.jsonl").mkdir()
    update = bring_up_to_date(index, sources_of(folder))
    assert (update.read, update.removed, update.unchanged) == (2, 2, 2)
    assert [unusable.file for unusable in update.unusable] == ["folder", "game-0003"]
    left = query(index, "SELECT file, verdict FROM game ORDER BY file").rows
    assert left == [("game-0000", "clean"), ("game-0001", "findings"), ("game-0005", "clean"), ("renamed", "clean")]


def test_a_log_that_goes_while_the_folder_is_read(tmp_path: Path) -> None:
    folder = Folder(tmp_path, titles=ALL_TITLES)
    for seed in range(2):
        folder.write_whole(raw(seed))
    sources = list(sources_of(folder))
    (tmp_path / "game-0001.jsonl").unlink()
    update = bring_up_to_date(tmp_path / "index.duckdb", sources)
    assert (update.read, [unusable.file for unusable in update.unusable]) == (1, ["game-0001"])
    assert "no such file" in update.unusable[0].why


def test_a_log_is_hashed_on_the_disk_of_its_folder(tmp_path: Path) -> None:
    disk = Disk()
    folder = Folder(ROOT, disk, ALL_TITLES)
    large = os.urandom(1 << 20)
    disk.put(ROOT / "game-0001.jsonl", raw(1))
    disk.put(ROOT / "large.jsonl", large)
    assert folder.hash_log("large") == folder.hash_log(ROOT / "large.jsonl") == sha256(large).hexdigest()
    assert disk.calls.count(("read", "large.jsonl")) > 8
    assert [source.digest() for source in sources_of(folder)] == [sha256(raw(1)).hexdigest(), sha256(large).hexdigest()]
    update = bring_up_to_date(tmp_path / "index.duckdb", sources_of(folder))
    assert (update.read, [unusable.file for unusable in update.unusable]) == (1, ["large"])
    assert disk.opened == {}


def test_a_log_that_cannot_be_hashed_says_so_and_is_closed() -> None:
    disk = Disk()
    folder = Folder(ROOT, disk, ALL_TITLES)
    disk.put(ROOT / "game-0001.jsonl", raw(1))
    with pytest.raises(StoreError, match="expected to read a log, found no such file"):
        folder.hash_log("game-0002")
    disk.fails = {at: OSError(errno.EIO, "Input/output error") for at in range(len(disk.calls) + 1, 99)}
    with pytest.raises(StoreError, match="found a disk that failed"):
        folder.hash_log("game-0001")
    assert disk.opened == {}
    disk.fails = {}
    assert [source.digest() for source in sources_of(folder)] == [sha256(raw(1)).hexdigest()]


# --- packs, and what the disk says ---------------------------------------------------------------


def packed(path: Path, seeds: Iterable[int], **notes: bytes) -> None:
    path.unlink(missing_ok=True)
    write_pack(path, [Game(raw(seed), notes.get(f"of_{seed}", b"")) for seed in seeds], level=1)


@pytest.mark.parametrize("name", ["games.jsonl.zst", "games.jsonl"])
def test_the_games_of_a_pack_are_games_of_the_archive(tmp_path: Path, name: str) -> None:
    folder, index = Folder(tmp_path), tmp_path / "index.duckdb"
    file = name if name.endswith(".zst") else "games"
    packed(tmp_path / name, (1, 2, 4, 5))
    folder.write_whole(raw(7))
    assert bring_up_to_date(index, sources_of(folder)).read == 5
    assert query(index, "SELECT count(*) FROM game WHERE file = ?", [file]).rows == [(4,)]
    assert query(index, "SELECT count(*) FROM position").rows == [(2,)]
    assert bring_up_to_date(index, sources_of(folder)) == Update(unchanged=5)
    # Of a pack that changed, only the games that changed are read.
    packed(tmp_path / name, (1, 4, 5, 8))
    assert bring_up_to_date(index, sources_of(folder)) == Update(read=1, unchanged=4)
    games = {game for (game,) in query(index, "SELECT game FROM game").rows}
    assert games == {f"game-000{seed}" for seed in (1, 4, 5, 7, 8)}
    (tmp_path / name).unlink()
    assert bring_up_to_date(index, sources_of(folder)) == Update(removed=4, unchanged=1)
    assert query(index, "SELECT count(*) FROM offer WHERE game != 'game-0007'").rows == [(0,)]


def test_a_game_in_a_pack_and_in_a_log_is_there_once_whichever_goes(tmp_path: Path) -> None:
    folder, index = Folder(tmp_path), tmp_path / "index.duckdb"
    packed(tmp_path / "games.jsonl.zst", (1, 2))
    folder.write_whole(raw(2, "half"))
    update = bring_up_to_date(index, sources_of(folder))
    assert (update.read, [unusable.file for unusable in update.unusable]) == (2, ["games.jsonl.zst"])
    assert query(index, "SELECT file FROM game WHERE game = 'game-0002'").rows == [("game-0002",)]
    (tmp_path / "game-0002.jsonl").unlink()
    assert bring_up_to_date(index, sources_of(folder)) == Update(read=1, removed=1, unchanged=1)
    folder.write_whole(raw(2))
    update = bring_up_to_date(index, sources_of(folder))
    assert (update.read, update.unchanged, len(update.unusable)) == (1, 1, 1)
    (tmp_path / "games.jsonl.zst").unlink()
    assert bring_up_to_date(index, sources_of(folder)) == Update(removed=1, unchanged=1)


@pytest.mark.parametrize("chunk", [1, load.CHUNK])
def test_whose_a_game_is_already_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    """Twice in one file, in another file, and taken away by a file that comes first: built at once and bit by bit."""
    monkeypatch.setattr(load, "CHUNK", chunk)
    folder, index = Folder(tmp_path), tmp_path / "index.duckdb"
    twice = Unusable("b.jsonl.zst", index_message("game-again", game="game-0001"))
    assert twice.why == "expected each game once in a file, found game 'game-0001' again"
    packed(tmp_path / "b.jsonl.zst", (1, 2, 1))
    assert bring_up_to_date(index, sources_of(folder)) == Update(read=2, unusable=(twice,), rebuilt=ANY)
    assert bring_up_to_date(index, sources_of(folder)) == Update(unchanged=2, unusable=(twice,))
    packed(tmp_path / "c.jsonl.zst", (4, 2))
    there = Unusable("c.jsonl.zst", index_message("game-elsewhere", game="game-0002", owner="b.jsonl.zst"))
    assert there.why == "expected a game of its own, found game 'game-0002', which is in 'b.jsonl.zst'"
    assert bring_up_to_date(index, sources_of(folder)) == Update(read=1, unchanged=2, unusable=(twice, there))
    packed(tmp_path / "a.jsonl.zst", (4, 5))
    gone = Unusable("c.jsonl.zst", index_message("game-elsewhere", game="game-0004", owner="a.jsonl.zst"))
    update = bring_up_to_date(index, sources_of(folder))
    assert update.unusable == (twice, there, gone)
    assert query(index, "SELECT game, file FROM game ORDER BY game").rows == [
        ("game-0001", "b.jsonl.zst"),
        ("game-0002", "b.jsonl.zst"),
        ("game-0004", "a.jsonl.zst"),
        ("game-0005", "a.jsonl.zst"),
    ]
    whole = bring_up_to_date(tmp_path / "beside.duckdb", sources_of(folder), rebuild=True)
    assert (whole.read, whole.unusable) == (4, update.unusable)
    assert fingerprint(index) == fingerprint(tmp_path / "beside.duckdb")


@pytest.mark.parametrize("chunk", [1, load.CHUNK])
def test_a_file_that_comes_first_takes_a_game_from_one_that_nobody_reads_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(load, "CHUNK", chunk)
    folder, index = Folder(tmp_path), tmp_path / "index.duckdb"
    packed(tmp_path / "b.jsonl.zst", (1, 2))
    assert bring_up_to_date(index, sources_of(folder)).read == 2
    packed(tmp_path / "a.jsonl.zst", (1,))
    taken = Unusable("b.jsonl.zst", index_message("game-elsewhere", game="game-0001", owner="a.jsonl.zst"))
    assert bring_up_to_date(index, sources_of(folder)).unusable == (taken,)
    assert bring_up_to_date(index, sources_of(folder)).unusable == (taken,)
    assert query(index, "SELECT game, file FROM game ORDER BY game").rows == [
        ("game-0001", "a.jsonl.zst"),
        ("game-0002", "b.jsonl.zst"),
    ]


def test_a_pack_that_is_damaged_gives_what_comes_before_the_damage(tmp_path: Path) -> None:
    folder, index = Folder(tmp_path), tmp_path / "index.duckdb"
    packed(tmp_path / "games.jsonl", (1, 2, 4))
    whole = (tmp_path / "games.jsonl").read_bytes()
    (tmp_path / "games.jsonl").write_bytes(whole[:-200])
    update = bring_up_to_date(index, sources_of(folder))
    assert (update.read, len(update.unusable)) == (2, 1)
    assert bring_up_to_date(index, sources_of(folder)) == Update(unchanged=2, unusable=update.unusable)
    (tmp_path / "games.jsonl").write_bytes(whole)
    assert bring_up_to_date(index, sources_of(folder)) == Update(read=1, unchanged=2)


def test_notes_beside_a_log_and_in_a_pack(tmp_path: Path) -> None:
    folder, index = Folder(tmp_path), tmp_path / "index.duckdb"
    notes = {seed: encode(note(game=f"game-000{seed}", on="1", text=f"on {seed}")) for seed in (1, 2)}
    packed(tmp_path / "games.jsonl.zst", (1, 4), of_1=notes[1])
    folder.write_whole(raw(2))
    bring_up_to_date(index, sources_of(folder))
    assert query(index, "SELECT game, text FROM note").rows == [("game-0001", "on 1")]
    (tmp_path / "game-0002.notes.jsonl").write_bytes(notes[2])
    assert bring_up_to_date(index, sources_of(folder)) == Update(read=1, unchanged=2)
    assert query(index, "SELECT game, text FROM note ORDER BY game").rows[1:] == [("game-0002", "on 2")]
    (tmp_path / "game-0002.notes.jsonl").write_bytes(b"no notes at all\n")
    assert bring_up_to_date(index, sources_of(folder)) == Update(read=1, unchanged=2)
    assert query(index, "SELECT count(*) FROM note").rows == [(1,)]


def test_what_the_disk_says_is_believed_once_its_clock_has_ticked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, index = Folder(tmp_path), tmp_path / "index.duckdb"
    for seed in (1, 2):
        folder.write_whole(raw(seed))
    hashed: list[object] = []
    digest = Folder.hash_log

    def noted(self: Folder, name: str | Path) -> str:
        hashed.append(name)
        return digest(self, name)

    monkeypatch.setattr(Folder, "hash_log", noted)
    # It ticks when we say so.
    monkeypatch.setattr(sources, "TICK", 1 << 60)
    bring_up_to_date(index, sources_of(folder))
    assert query(index, "SELECT DISTINCT stamp FROM position").rows == [("",)]
    hashed.clear()
    bring_up_to_date(index, sources_of(folder))
    assert len(hashed) >= 2
    monkeypatch.setattr(sources, "TICK", 0)
    # The next time it is written down, and from then on nobody hashes.
    for least, most in ((2, 4), (0, 0)):
        hashed.clear()
        assert bring_up_to_date(index, sources_of(folder)) == Update(unchanged=2)
        assert least <= len(hashed) <= most
    (tmp_path / "game-0001.jsonl").write_bytes(raw(1, "half"))
    hashed.clear()
    assert bring_up_to_date(index, sources_of(folder)) == Update(read=1, unchanged=1)
    assert {Path(str(name)).name for name in hashed} <= {"game-0001.jsonl", "game-0001.notes.jsonl"}


def test_an_index_that_cannot_be_written_is_not_complained_of_when_nothing_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, index = Folder(tmp_path), tmp_path / "index.duckdb"
    folder.write_whole(raw(1))
    bring_up_to_date(index, sources_of(folder))
    monkeypatch.setattr(sources, "TICK", 0)

    def full(*_: object, **__: object) -> NoReturn:
        raise ReadModelError("cannot-write", found="a full disk", place=str(index))

    monkeypatch.setattr(load, "open_transaction", full)
    assert bring_up_to_date(index, sources_of(folder)) == Update(unchanged=1)


# --- several processes ---------------------------------------------------------------------------


def test_several_processes_make_the_same_tables_and_the_same_complaints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = tmp_path / "logs"
    folder = Folder(logs)
    for seed in (1, 2, 4):
        folder.write_whole(raw(seed))
    (logs / "game-0002.notes.jsonl").write_bytes(encode(note(game="game-0002", on="1", text="hm")))
    packed(logs / "games.jsonl.zst", (4, 5, 7), of_5=encode(note(game="game-0005", on="1", text="packed")))
    (logs / "none.jsonl").write_bytes(b"nothing\n")
    alone = bring_up_to_date(tmp_path / "alone.duckdb", sources_of(folder), rebuild=True)
    monkeypatch.setattr(row_workers, "MIN_GAMES_FOR_WORKERS", 1)
    together = bring_up_to_date(
        tmp_path / "together.duckdb", sources_of(folder, anywhere=True), rebuild=True, processes=2
    )
    assert together == alone
    assert (alone.read, len(alone.unusable)) == (5, 2)
    assert fingerprint(tmp_path / "together.duckdb") == fingerprint(tmp_path / "alone.duckdb")


def test_a_process_that_is_killed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(tmp_path)
    for seed in (1, 2, 4):
        folder.write_whole(raw(seed))
    monkeypatch.setattr(row_workers, "MIN_GAMES_FOR_WORKERS", 0)
    killed = [
        source._replace(games=lambda: [Recorded("", "x", dies, elsewhere=dies)])
        for source in sources_of(folder, anywhere=True)
    ]
    with pytest.raises(ReadModelError, match="found one that was ended from outside"):
        bring_up_to_date(tmp_path / "index.duckdb", killed, processes=2)
    assert not (tmp_path / "index.duckdb").exists()


def dies() -> NoReturn:
    os._exit(9)
