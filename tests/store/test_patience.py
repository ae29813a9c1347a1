"""Waiting for a file that another process has locked: so long and no longer, and never for nobody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from spyrium_log.errors import ChangedError, LockedError, StoreError
from spyrium_log.sheet import Printed
from spyrium_log.store import Folder, Patience, write_readings
from spyrium_log.store.locked_file import LAST_PAUSE, TELL_AFTER
from spyrium_log.titles import TITLES
from tests.build import GAME, place, small_log
from tests.store.disk import ROOT, Disk

RAW = b"".join(small_log())
LOG, NOTES, NAMES, SHEET = (
    ROOT / name for name in (f"{GAME}.jsonl", f"{GAME}.notes.jsonl", "players.toml", "sheet.toml")
)
PRICE = Printed("mine-1", "price", 7, "read")
TOOK = 30.0


class Clock:
    """Time that passes only where somebody sleeps; after so many seconds `then` is called."""

    def __init__(self, after: float = float("inf"), then: Callable[[], None] = lambda: None) -> None:
        self.now = 1000.0
        self.pauses: list[float] = []
        self.messages: list[LockedError] = []
        self._after = self.now + after
        self._then = then

    def patience(self, seconds: float) -> Patience:
        return Patience(seconds, self.messages.append, lambda: self.now, self.sleep)

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        before = self.now
        self.now += seconds
        self.pauses.append(seconds)
        if before < self._after <= self.now:
            self._then()


@pytest.fixture
def disk() -> Disk:
    disk = Disk()
    for path, raw in ((LOG, RAW), (NOTES, b""), (NAMES, b""), (SHEET, b"")):
        disk.put(path, raw)
    return disk


def keep(disk: Disk, path: Path) -> Callable[[], None]:
    """Another process holds the file until what is answered is called."""
    file = disk.open(path, "write")
    assert disk.lock(file) is None
    return lambda: disk.close(file)


def append(folder: Folder, _disk: Disk, _patience: Patience) -> None:
    with folder.open_writer(GAME) as writer:
        writer.append(place(4))


def carry_on(folder: Folder, disk: Disk, _patience: Patience) -> None:
    folder.append_missing_lines(GAME, disk.raw(LOG))


def annotate(folder: Folder, _disk: Disk, _patience: Patience) -> None:
    folder.open_notes_writer(GAME).close()


def name_player(folder: Folder, _disk: Disk, _patience: Patience) -> None:
    folder.add_alias("Anna", ["Ann"])


def put_away(folder: Folder, _disk: Disk, _patience: Patience) -> None:
    folder.put_away(GAME)


def read_card(_folder: Folder, disk: Disk, patience: Patience) -> None:
    write_readings(SHEET, [PRICE], over=TITLES["spyrium"].sheet(), name="own", files=disk, patience=patience)


WRITERS = [
    pytest.param(LOG, append, id="a line"),
    pytest.param(LOG, carry_on, id="missing lines"),
    pytest.param(NOTES, annotate, id="notes"),
    pytest.param(NAMES, name_player, id="names of players"),
    pytest.param(LOG, put_away, id="moving a game"),
    pytest.param(SHEET, read_card, id="a sheet"),
]
REPLACING = [WRITERS[3], WRITERS[5]]
Write = Callable[[Folder, Disk, Patience], None]


@pytest.mark.parametrize(("path", "write"), WRITERS)
def test_a_lock_that_is_let_go_in_time_is_waited_for(disk: Disk, path: Path, write: Write) -> None:
    clock = Clock(0.5, keep(disk, path))
    patience = clock.patience(2)
    write(Folder(ROOT, disk, patience=patience), disk, patience)
    assert 0.5 <= sum(clock.pauses) <= 0.5 + LAST_PAUSE
    assert clock.messages == []
    assert not any(inode.locked for inode in disk.names_seen.values())


@pytest.mark.parametrize(("path", "write"), WRITERS)
def test_a_lock_that_is_not_let_go_is_refused_when_the_time_is_up(disk: Disk, path: Path, write: Write) -> None:
    let_go = keep(disk, path)
    clock = Clock()
    patience = clock.patience(2)
    with pytest.raises(LockedError, match=r"the only writer within 2 s, found process 4711 writing"):
        write(Folder(ROOT, disk, patience=patience), disk, patience)
    assert sum(clock.pauses) == pytest.approx(2)
    let_go()
    assert disk.opened == {}


@pytest.mark.parametrize(("path", "write"), WRITERS)
def test_without_patience_a_lock_is_refused_at_once(disk: Disk, path: Path, write: Write) -> None:
    let_go = keep(disk, path)
    clock = Clock()
    for patience in (clock.patience(0), Patience()):
        with pytest.raises(LockedError, match="the only writer, found process 4711 writing"):
            write(Folder(ROOT, disk, patience=patience), disk, patience)
    assert clock.pauses == []
    let_go()
    assert disk.opened == {}


def test_after_a_second_somebody_hears_once_who_is_waited_for(disk: Disk) -> None:
    clock = Clock(TOOK, keep(disk, LOG))
    append(Folder(ROOT, disk, patience=clock.patience(60)), disk, Patience())
    assert len(clock.messages) == 1
    assert (clock.messages[0].holder, clock.messages[0].file) == (4711, str(LOG))
    assert sum(clock.pauses) < TOOK + LAST_PAUSE
    # a pause that grows: it is neither a busy wait nor one that misses the moment
    assert TOOK / LAST_PAUSE < len(clock.pauses) < TOOK / LAST_PAUSE + 20
    assert TELL_AFTER > LAST_PAUSE


def test_a_log_is_read_when_the_lock_is_there_and_not_before(disk: Disk) -> None:
    """What the other process appended meanwhile is what one goes on from."""
    let_go = keep(disk, LOG)

    def then() -> None:
        other = disk.restarted()
        append(Folder(ROOT, other), other, Patience())
        let_go()

    with Folder(ROOT, disk, patience=Clock(0.5, then).patience(2)).open_writer(GAME) as writer:
        assert len(writer.log.lines) == 5
        writer.append(place(5))
    assert disk.raw(LOG).count(b"\n") == 6


def test_a_file_that_is_replaced_meanwhile_is_opened_anew(disk: Disk) -> None:
    """The lock is on the file that was opened, and names of players are written beside and put in its place."""
    let_go = keep(disk, NAMES)

    def then() -> None:
        disk.put(NAMES, b'[[player]]\nname = "Bob"\nalso = ["Bobby"]\n')
        let_go()

    folder = Folder(ROOT, disk, patience=Clock(0.5, then).patience(2))
    assert folder.add_alias("Anna", ["Ann"]).names == ["Bob", "Anna"]


def test_a_log_that_is_moved_away_meanwhile_is_not_there(disk: Disk) -> None:
    let_go = keep(disk, LOG)

    def then() -> None:
        disk.remove(LOG)
        let_go()

    with pytest.raises(StoreError, match="found no such file"):
        Folder(ROOT, disk, patience=Clock(0.5, then).patience(2)).open_writer(GAME)


def test_an_interrupt_while_waiting_leaves_nothing_open(disk: Disk) -> None:
    def then() -> None:
        raise KeyboardInterrupt

    let_go = keep(disk, LOG)
    with pytest.raises(KeyboardInterrupt):
        Folder(ROOT, disk, patience=Clock(0.5, then).patience(2)).open_writer(GAME)
    let_go()
    assert disk.opened == {}


@pytest.mark.parametrize(("path", "write"), REPLACING)
def test_what_an_editor_saved_meanwhile_is_not_replaced(
    disk: Disk, path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Disk.read

    def slow(disk: Disk, file: int, size: int) -> bytes:
        part = read(disk, file, size)
        if not part and not disk.raw(path):
            disk.edit(path, 0, b"# saved\n")
        return part

    monkeypatch.setattr(Disk, "read", slow)
    with pytest.raises(ChangedError, match="found it written to since"):
        write(Folder(ROOT, disk), disk, Patience())
    assert disk.raw(path) == b"# saved\n"
