"""One session of work, and a fault at each of its calls to the disk: an error, or the machine goes off."""

import errno
from collections import Counter
from collections.abc import Callable

import pytest

from spyrium_log.errors import StoreError
from spyrium_log.log import codec
from spyrium_log.log.lines import Line
from spyrium_log.store import Folder
from tests.build import GAME, begin, paid, place, short_header
from tests.store.disk import ROOT, Disk, PowerCut, failed

PATH = ROOT / f"{GAME}.jsonl"
TAIL = b'{"kind":"decision","n":3,'


def session(disk: Disk, told: list[bytes]) -> None:
    """Begin a game, append, crash in mid-append, mend, append again; `told` is what was acknowledged."""
    folder = Folder(ROOT, disk)

    def tell(line: Line) -> None:
        told.append(codec.encode(line))

    path = begin(folder, short_header())
    told.append(disk.raw(path))
    with folder.open_writer(GAME) as writer:
        tell(writer.append(paid(1, cmd="one")))
        tell(writer.append(place(2, cmd="two")))
    disk.names_seen[path].change(len(disk.raw(path)), TAIL)
    with folder.open_writer(GAME) as writer:
        tell(writer.append(place(3, cmd="three")))
    inode = disk.names_seen[path]
    inode.change(len(inode.seen) - 1, None)
    with folder.open_writer(GAME) as writer:
        tell(writer.append(place(4, cmd="four")))


def length() -> int:
    disk = Disk()
    session(disk, [])
    return len(disk.calls)


COMMANDS: list[Callable[[int], Line]] = [
    lambda n: paid(n, -1, cmd="one"),
    lambda n: place(n, cmd="two"),
    lambda n: place(n, cmd="three"),
    lambda n: place(n, cmd="four"),
]


def finish(disk: Disk, told: list[bytes]) -> None:
    """Another process does all of it again, command by command: each is done once, and what was told stands."""
    folder = Folder(ROOT, disk)
    if not folder.list_names():
        assert told == []
        begin(folder, short_header())
    with folder.open_writer(GAME) as writer:
        kept = [codec.encode(line) for line in writer.log.lines]
        assert kept[: len(told)] == told
        for command in COMMANDS:
            line = writer.append(command(len(writer.log.lines)))
            assert codec.encode(line) in disk.after_power_cut().raw(PATH)
        whole = [codec.encode(line) for line in writer.log.lines]
    assert whole[: len(told)] == told
    assert len(whole) == 5
    assert disk.after_power_cut().raw(PATH) == b"".join(whole)


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_an_error_at_any_call(code: int, counts: Counter[str]) -> None:
    for at in range(length()):
        disk = Disk()
        disk.fails[at] = failed(code)
        told: list[bytes] = []
        with pytest.raises(StoreError):
            session(disk, told)
        assert disk.opened == {}
        finish(disk.restarted(), told)
        counts["calls that failed"] += 1


def test_an_error_at_any_call_and_then_the_machine_goes_off(counts: Counter[str]) -> None:
    for at in range(length()):
        disk = Disk()
        disk.fails[at] = failed()
        told: list[bytes] = []
        with pytest.raises(StoreError):
            session(disk, told)
        for applied in range(4):
            finish(disk.after_power_cut(applied), told)
            counts["power cuts"] += 1


def test_the_machine_goes_off_at_any_call(counts: Counter[str]) -> None:
    for at in range(length()):
        for applied in range(4):
            disk = Disk()
            disk.fails[at] = PowerCut()
            told: list[bytes] = []
            with pytest.raises(PowerCut):
                session(disk, told)
            finish(disk.after_power_cut(applied), told)
            counts["power cuts"] += 1


def test_the_process_dies_at_any_call_and_later_the_machine(counts: Counter[str]) -> None:
    """What the dead process wrote is seen by the next one, but was never synced."""
    for at in range(length()):
        disk = Disk()
        disk.fails[at] = PowerCut()
        told: list[bytes] = []
        with pytest.raises(PowerCut):
            session(disk, told)
        finish(disk.restarted(), told)
        counts["processes that died"] += 1


def test_without_fsync_the_same_session_loses_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test of the tests: a disk that lies is found out."""
    monkeypatch.setattr(Disk, "fsync", lambda disk, file: disk.on("lied", file))
    disk = Disk()
    told: list[bytes] = []
    session(disk, told)
    assert len(told) == 5
    assert disk.after_power_cut().raw(PATH) == b""
