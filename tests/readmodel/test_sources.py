"""From a folder of logs to the tables, with real files."""

from __future__ import annotations

import errno
import os
from hashlib import sha256
from pathlib import Path

import pytest

from spyrium_log.errors import StoreError
from spyrium_log.readmodel import Update, bring_up_to_date, query, sources_of
from spyrium_log.store import Folder
from tests.games import ALL_TITLES
from tests.readmodel.archive import raw
from tests.store.disk import ROOT, Disk


def test_a_folder_of_logs(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "logs", titles=ALL_TITLES)
    for seed in range(6):
        folder.write_whole(raw(seed))
    index = folder.path / "index.duckdb"
    assert bring_up_to_date(index, sources_of(folder)).read == 6
    assert bring_up_to_date(index, sources_of(folder)) == Update(unchanged=6)
    said = dict(query(index, "SELECT file, content FROM game").rows)
    assert said == {name: sha256((folder.path / f"{name}.jsonl").read_bytes()).hexdigest() for name in folder.names()}

    (folder.path / "game-0001.jsonl").write_bytes(raw(1, "cut"))
    (folder.path / "game-0002.jsonl").unlink()
    (folder.path / "game-0003.jsonl").write_bytes(b"nothing\n")
    (folder.path / "game-0004.jsonl").rename(folder.path / "renamed.jsonl")
    (folder.path / "folder.jsonl").mkdir()
    update = bring_up_to_date(index, sources_of(folder))
    assert (update.read, update.removed, update.unchanged) == (2, 2, 2)
    assert [unusable.file for unusable in update.unusable] == ["folder", "game-0003"]
    left = query(index, "SELECT file, verdict FROM game ORDER BY file").rows
    assert left == [
        ("game-0000", "clean"),
        ("game-0001", "findings"),
        ("game-0005", "clean"),
        ("renamed", "clean"),
    ]


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
    assert folder.digest("large") == folder.digest(ROOT / "large.jsonl") == sha256(large).hexdigest()
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
        folder.digest("game-0002")
    disk.fails = {at: OSError(errno.EIO, "Input/output error") for at in range(len(disk.calls) + 1, 99)}
    with pytest.raises(StoreError, match="found a disk that failed"):
        folder.digest("game-0001")
    assert disk.opened == {}
    disk.fails = {}
    assert [source.digest() for source in sources_of(folder)] == [sha256(raw(1)).hexdigest()]
