"""A file made part by part: whole or not there, and the same after a fault at any call to the disk."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from spyrium_log.errors import StoreError
from spyrium_log.store import Parts
from tests.store.disk import ROOT, Disk, PowerCut, failed

FILE = ROOT / "games.jsonl"
NAMES = ("0-2", "2-2", "4-1")
WHOLE = b"".join(name.encode() * 3 for name in NAMES)


def session(disk: Disk) -> int:
    """Whatever is lacking, and then the file."""
    parts = Parts(FILE, "key", disk)
    there = parts.list_names()
    for name in NAMES:
        if name not in there:
            parts.add(name, name.encode() * 3)
    return parts.join(NAMES)


def test_the_file_is_its_parts_and_they_are_gone() -> None:
    disk = Disk()
    assert session(disk) == len(WHOLE)
    assert {path: disk.raw(path) for path in disk.names_seen} == {FILE: WHOLE}
    assert not any(folder.name.endswith(".parts") for folder in disk.folders)


@pytest.mark.parametrize("error", [failed(), PowerCut()], ids=["error", "power cut"])
def test_a_fault_at_any_call_costs_a_part_at_most(error: BaseException, counts: Counter[str]) -> None:
    whole = Disk()
    session(whole)
    for at in range(len(whole.calls)):
        disk = Disk()
        disk.fails[at] = error
        with pytest.raises((StoreError, PowerCut)):
            session(disk)
        after = disk.after_power_cut() if disk.is_off else disk.restarted()
        if FILE in after.names_seen:
            assert after.raw(FILE) == WHOLE
        session(after)
        assert after.raw(FILE) == WHOLE
        counts["parts: faults"] += 1


def test_parts_of_something_else_are_not_taken(tmp_path: Path) -> None:
    other = Parts(tmp_path / "games.jsonl", "other")
    other.add(NAMES[0], b"other")
    mine = Parts(tmp_path / "games.jsonl", "mine")
    assert mine.list_names() == set()
    mine.add(NAMES[0], b"mine")
    mine.add(NAMES[0], b"again")
    mine.join(NAMES[:1])
    assert (tmp_path / "games.jsonl").read_bytes() == b"mine"
    assert other.list_names() == {NAMES[0]}


@pytest.mark.parametrize("there", [WHOLE[:-1], WHOLE + b"x", b"", b"mine"])
def test_another_file_of_that_name_stays(tmp_path: Path, there: bytes) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(there)
    parts = Parts(path, "key")
    for name in NAMES:
        parts.add(name, name.encode() * 3)
    with pytest.raises(StoreError, match="found one that is there already"):
        parts.join(NAMES)
    assert path.read_bytes() == there
    assert parts.list_names() == set(NAMES)
    assert parts.join(NAMES, over=True) == len(WHOLE)
    assert path.read_bytes() == WHOLE
