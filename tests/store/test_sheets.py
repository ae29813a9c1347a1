"""The user's own sheet in its file: whole or as before, whatever happens while it is written."""

from __future__ import annotations

import errno
from collections import Counter
from pathlib import Path

import pytest

from spyrium_log.errors import LockedError, SheetError, StoreError
from spyrium_log.play import Play
from spyrium_log.sheet import Printed, Sheet, parse_sheet
from spyrium_log.store import DISK, read_sheet, write_readings
from spyrium_log.titles import TITLES
from tests.store.disk import ROOT, Disk, PowerCut, failed

SPYRIUM = TITLES["spyrium"]
OWN = ROOT / "sheet.toml"
PRICE = Printed("mine-1", "price", 4, "read", "Anna", "2026-11-18")
POINTS = Printed("mine-1", "points", 2, "read", "Bob", "2026-11-19")


def take(disk: Disk, *rows: Printed) -> Sheet:
    return write_readings(OWN, rows, over=SPYRIUM.sheet(), name="ours", files=disk)


def test_the_first_reading_makes_the_file_and_the_next_joins_it() -> None:
    disk = Disk()
    assert read_sheet(OWN, files=disk) is None
    assert take(disk, PRICE).printed == (PRICE,)
    assert take(disk, POINTS).printed == (PRICE, POINTS)
    assert read_sheet(OWN, files=disk) == Sheet(name="ours", printed=(PRICE, POINTS))
    assert disk.raw(OWN).decode().startswith("# What is printed on your own components")
    assert disk.after_power_cut().raw(OWN) == disk.raw(OWN)


def test_a_new_log_starts_from_it() -> None:
    own = take(Disk(), PRICE)
    sheet = SPYRIUM.sheet().with_own_values(own)
    assert Play.new(SPYRIUM, game="game", players=("A", "B"), sheet=sheet).header.sheet_digest == sheet.digest()
    assert sheet.rows_by_key()["mine-1", "price"] == PRICE


def test_a_reading_that_is_there_already_writes_nothing() -> None:
    disk = Disk()
    take(disk, PRICE)
    before = len(disk.calls)
    take(disk, PRICE)
    assert not [call for call, _ in disk.calls[before:] if call in {"write", "replace"}]


def test_what_names_no_component_is_refused_and_not_written() -> None:
    disk = Disk()
    take(disk, PRICE)
    before = disk.raw(OWN)
    with pytest.raises(SheetError, match="mine-9"):
        take(disk, POINTS, Printed("mine-9", "price", 4, "read"))
    assert disk.raw(OWN) == before
    take(disk, POINTS)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"name = \xff", "expected UTF-8, found byte 0xff, at /archive/sheet.toml:1"),
        (b'name = "x"\n\n\xfe', "expected UTF-8, found byte 0xfe, at /archive/sheet.toml:3"),
        (b"#" * (1 << 20) + b"#", "at most 262,144 bytes, found more, at /archive/sheet.toml:1"),
        (b'name = "x"\n["mine-1"]\nprice = [1]', "at /archive/sheet.toml:3"),
    ],
)
def test_a_hostile_file_is_refused_with_its_line_and_left_alone(raw: bytes, said: str) -> None:
    disk = Disk()
    disk.put(OWN, raw)
    with pytest.raises(SheetError, match=said):
        read_sheet(OWN, files=disk)
    with pytest.raises(SheetError, match=said):
        take(disk, PRICE)
    assert disk.raw(OWN) == raw


def test_two_writers_at_once_are_one_too_many() -> None:
    disk = Disk()
    take(disk, PRICE)
    disk.names_seen[OWN].locked = True
    with pytest.raises(LockedError):
        take(disk, POINTS)


@pytest.mark.parametrize("first", [True, False])
def test_a_fault_at_any_call_leaves_the_old_sheet_or_the_new_one(first: bool, counts: Counter[str]) -> None:  # noqa: FBT001 - a test's case
    """A disk that fails, and a power cut with what the disk had written of it by then."""

    def prepared() -> Disk:
        disk = Disk()
        if not first:
            take(disk, PRICE)
        return disk

    old = {None} if first else {(PRICE,)}
    new = (POINTS,) if first else (PRICE, POINTS)
    whole = prepared()
    before = len(whole.calls)
    take(whole, POINTS)
    for at in range(before, len(whole.calls)):
        for fault in (failed(), failed(errno.ENOSPC), PowerCut()):
            disk = prepared()
            disk.fails[at] = fault
            with pytest.raises((StoreError, PowerCut)):
                take(disk, POINTS)
            lasting = disk.after_power_cut()
            found = read_sheet(OWN, files=lasting)
            assert (found and found.printed) in {*old, new}
            if not isinstance(fault, PowerCut):
                take(disk.restarted(), POINTS)
                found = read_sheet(OWN, files=disk.restarted())
                assert found is not None
                assert found.printed == new
            counts["faults while a sheet was written"] += 1


def test_on_a_real_disk(tmp_path: Path) -> None:
    path = tmp_path / "not" / "there" / "sheet.toml"
    write_readings(path, [PRICE], over=SPYRIUM.sheet(), name="ours")
    write_readings(path, [POINTS], over=SPYRIUM.sheet(), name="theirs")
    assert read_sheet(path) == Sheet(name="ours", printed=(PRICE, POINTS))
    assert parse_sheet(path.read_text(encoding="utf-8")) == read_sheet(path)
    assert [name.name for name in path.parent.iterdir()] == ["sheet.toml"]
    assert DISK.is_there(path)
