"""When the disk says no, or somebody else writes: what was typed stays, and nothing is written twice."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from spyrium_cli.recording.recorder import Recorder
from spyrium_log.errors import LockedError
from spyrium_log.play import Play
from spyrium_log.store import Folder
from spyrium_log.store.files import Stamp
from spyrium_log.titles import TITLES
from tests.games import log_of, raw_of
from tests.greedy import greedy_game
from tests.store.disk import ROOT, Disk, failed

PATH = ROOT / "game-0001.jsonl"


@contextmanager
def opened(disk: Disk, lines: int = 4) -> Iterator[Recorder]:
    if PATH not in disk.names_seen:
        log = greedy_game(1, 3)
        disk.put(PATH, raw_of(log_of(TITLES["spyrium"], log.lines[:lines])))
    with Recorder(Folder(ROOT, files=disk), PATH, by="tester", language="en") as recorder:
        yield recorder


def enter(recorder: Recorder, text: str) -> int:
    """Type it and Enter; the line it is now on the disk, 0 where it is not."""
    recorder.prompt.press("escape")
    for key in text:
        recorder.prompt.press(key)
    request = recorder.prompt.press("enter")
    done = recorder.write(request) if request is not None else None
    return done.n if done is not None else 0


def again(recorder: Recorder) -> int:
    request = recorder.prompt.press("enter")
    done = recorder.write(request) if request is not None else None
    return done.n if done is not None else 0


def lines(disk: Disk) -> int:
    return disk.raw(PATH).count(b"\n")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO])
def test_a_write_that_failed_keeps_what_was_typed_and_can_be_tried_again(code: int) -> None:
    disk = Disk()
    with opened(disk) as recorder:
        disk.fails[next_call(disk, recorder, "write")] = failed(code)
        assert enter(recorder, "12") == 0
        assert recorder.prompt.text == "12"
        assert "expected to write line 4, found" in recorder.prompt.view.message
        assert lines(disk) == 4
        assert again(recorder) == 4
        assert recorder.prompt.text == ""
        assert lines(disk) == 5


def next_call(disk: Disk, recorder: Recorder, call: str) -> int:
    """The number that this call will have when the next line is written: the first one also hardens what was there."""
    before = len(disk.calls)
    probe = disk.after_power_cut()
    with opened(probe) as other:
        start = len(probe.calls)
        assert enter(other, "12")
        made = [name for name, _ in probe.calls[start:]]
    assert recorder.prompt.text == ""
    last = len(made) - 1 - made[::-1].index(call)
    return before + last


def test_a_line_that_got_there_although_its_fsync_failed_is_not_written_twice() -> None:
    disk = Disk()
    with opened(disk) as recorder:
        disk.fails[next_call(disk, recorder, "fsync")] = failed()
        assert enter(recorder, "12") == 0
        assert recorder.prompt.text == "12"
        assert again(recorder) == 0
        assert recorder.prompt.view.message == "line 4 is on the disk after all"
        assert recorder.prompt.text == ""
        assert lines(disk) == 5
        assert enter(recorder, "45") == 5


def test_a_disk_that_stays_full_is_said_each_time() -> None:
    disk = Disk()
    with opened(disk) as recorder:
        first = next_call(disk, recorder, "write")
        for call in range(first, first + 40):
            disk.fails[call] = failed(errno.ENOSPC)
        for _ in range(3):
            assert enter(recorder, "12") == 0
            assert recorder.prompt.text == "12"
            assert "no space left on the disk" in recorder.prompt.view.message
        disk.fails.clear()
        assert again(recorder) == 4


def test_somebody_else_who_wrote_is_told_of_and_the_table_read_again(tmp_path: Path) -> None:
    log = greedy_game(1, 3)
    folder = Folder(tmp_path)
    path = folder.write_whole(raw_of(log_of(log.title, log.lines[:4])))
    more = raw_of(log_of(log.title, log.lines[:6]))
    with Recorder(folder, path, by="tester", language="en") as recorder:
        path.write_bytes(more)
        assert enter(recorder, "12") == 0
        message = recorder.prompt.view.message
        assert "somebody else wrote this log" in message
        assert "2 lines more than before: look again" in message
        assert recorder.prompt.text == "12"
        assert len(recorder.play.log.lines) == 6
        assert again(recorder) == 6
    assert path.read_bytes().startswith(more)


def test_another_file_under_the_name_is_read_again(tmp_path: Path) -> None:
    log = greedy_game(1, 3)
    folder = Folder(tmp_path)
    path = folder.write_whole(raw_of(log_of(log.title, log.lines[:4])))
    with Recorder(folder, path, by="tester", language="en") as recorder:
        path.unlink()
        assert enter(recorder, "12") == 0
        assert "found no such file" in recorder.prompt.view.message
        assert again(recorder) == 0
        folder.write_whole(raw_of(log_of(log.title, log.lines[:5])))
        assert again(recorder) == 0
        assert again(recorder) == 5


def test_two_recorders_of_one_game_are_one_too_many() -> None:
    disk = Disk()
    with opened(disk), pytest.raises(LockedError), opened(disk):
        pass


def test_what_was_mended_is_news() -> None:
    disk = Disk()
    with opened(disk):
        pass
    disk.put(PATH, disk.raw(PATH) + b'{"kind":"deci')
    with opened(disk) as recorder:
        assert "13 bytes cut off" in recorder.news[0]
        assert enter(recorder, "12") == 4


def test_a_note_that_cannot_be_written_stays_typed() -> None:
    disk = Disk()
    with opened(disk) as recorder:
        disk.fails[len(disk.calls)] = failed(errno.ENOSPC)
        assert enter(recorder, ";!") == 0
        assert recorder.prompt.text == ";!"
        recorder.write(recorder.prompt.press("enter"))  # type: ignore[arg-type]
        assert recorder.prompt.text == ""


# --- the second try ------------------------------------------------------------------------------


class Recording(Disk):
    """A disk that notes what is to be written, whether it can or not."""

    def __init__(self) -> None:
        super().__init__()
        self.tries: list[tuple[str, bytes]] = []

    def write(self, file: int, data: bytes, at: int) -> None:
        self.tries.append((self.opened[file].path.name, data))
        super().write(file, data, at)


class Late(Recording):
    """A disk on which what failed arrives all the same, when the file is opened for the second time after that."""

    late: bytes = b""
    opens = 0

    def write(self, file: int, data: bytes, at: int) -> None:
        try:
            super().write(file, data, at)
        except OSError:
            del self.opened[file].inode.seen[at:]
            self.late, self.opens = data, 0
            raise

    def stamp(self, file: int) -> Stamp:
        self.opens += 1
        if self.late and self.opens == 2:
            self.opened[file].inode.change(len(self.opened[file].inode.seen), self.late)
            self.late = b""
        return super().stamp(file)


def test_the_second_try_is_the_same_command() -> None:
    disk = Recording()
    with opened(disk) as recorder:
        disk.fails[next_call(disk, recorder, "write")] = failed()
        assert enter(recorder, "12") == 0
        assert again(recorder) == 4
    first, second = [data for name, data in disk.tries if name == PATH.name and b'"n":4,' in data]
    assert json.loads(first)["cmd"] == json.loads(second)["cmd"]
    assert disk.raw(PATH).endswith(second)


def test_a_first_try_that_arrives_late_is_not_written_twice() -> None:
    """A disk that is far away says that a write failed, and the line comes when the log has been read again."""
    disk = Late()
    with opened(disk) as recorder:
        disk.fails[next_call(disk, recorder, "write")] = failed()
        assert enter(recorder, "12") == 0
        assert recorder.prompt.text == "12"
        assert again(recorder) == 0
        assert "line 4 is on the disk after all" in recorder.prompt.view.message
        assert recorder.prompt.text == ""
    assert lines(disk) == 5


def test_a_second_try_behind_the_line_of_somebody_else_is_still_the_same_command(tmp_path: Path) -> None:
    log = greedy_game(1, 3)
    folder = Folder(tmp_path)
    path = folder.write_whole(raw_of(log_of(log.title, log.lines[:4])))
    with Recorder(folder, path, by="tester", language="en") as recorder:
        sealed = Play(folder.read_log(path)).seal(by="somebody")
        path.write_bytes(raw_of(log_of(log.title, [*log.lines[:4], sealed])))
        assert enter(recorder, "12") == 0
        assert recorder._failed is not None  # noqa: SLF001 - the id is nowhere to be seen before it is written
        first = recorder._failed.line.cmd  # noqa: SLF001 - see above
        assert again(recorder) == 5
    assert folder.read_log(path).lines[-1].cmd == first


def test_a_note_whose_fsync_failed_is_not_written_twice() -> None:
    disk = Disk()
    with opened(disk) as recorder:
        enter(recorder, ";first")
        disk.fails = {at: failed() for at in fsyncs_of_a_note(disk, recorder)}
        assert enter(recorder, ";!") == 0
        assert "expected to write line 1, found a disk that failed" in recorder.prompt.view.message
        assert recorder.prompt.text == ";!"
        disk.fails.clear()
        recorder.write(recorder.prompt.press("enter"))  # type: ignore[arg-type]
        assert recorder.prompt.text == ""
    assert disk.raw(PATH.with_name("game-0001.notes.jsonl")).count(b"\n") == 2


def fsyncs_of_a_note(disk: Disk, recorder: Recorder) -> list[int]:
    """The last fsync of the next note: the one before it hardens what was there."""
    probe = disk.after_power_cut()
    with opened(probe) as other:
        start = len(probe.calls)
        enter(other, ";?")
        made = [name for name, _ in probe.calls[start:]]
    assert recorder.prompt.text == ""
    return [len(disk.calls) + len(made) - 1 - made[::-1].index("fsync")]


def test_what_is_typed_after_a_failure_is_not_lost_when_the_first_line_got_there() -> None:
    disk = Disk()
    with opened(disk) as recorder:
        disk.fails[next_call(disk, recorder, "fsync")] = failed()
        assert enter(recorder, "12") == 0
        assert enter(recorder, "45") == 0
        assert recorder.prompt.view.message == "line 4 is on the disk after all: look again"
        assert recorder.prompt.text == "45"
        assert again(recorder) == 5


# --- a log that somebody changed in place --------------------------------------------------------


def test_a_byte_changed_in_place_is_said_and_what_was_typed_stays() -> None:
    disk = Disk()
    with opened(disk) as recorder:
        assert enter(recorder, "12") == 4
        at = disk.raw(PATH).index(b"\n") + 9
        right = disk.raw(PATH)[at : at + 1]
        disk.edit(PATH, at, b"#")
        before = disk.raw(PATH)
        for _ in range(2):
            assert enter(recorder, "45") == 0
            assert recorder.prompt.text == "45"
            assert f"{PATH}:2" in recorder.prompt.view.message
        assert disk.raw(PATH) == before
        disk.edit(PATH, at, right)
        assert again(recorder) == 5
    assert Folder(ROOT, files=disk).read_log(PATH).complaint is None


def test_a_log_that_says_something_else_is_looked_at_again(tmp_path: Path) -> None:
    log = greedy_game(1, 3)
    folder = Folder(tmp_path)
    path = folder.write_whole(raw_of(log_of(log.title, log.lines[:4])))
    other = [replace(line, by="somebody") if line.n == 3 else line for line in log.lines[:4]]
    with Recorder(folder, path, by="tester", language="en") as recorder:
        path.write_bytes(raw_of(log_of(log.title, other)))
        assert enter(recorder, "12") == 0
        message = recorder.prompt.view.message
        assert "somebody else wrote this log" in message
        assert "it says something else than before: look again" in message
        assert recorder.prompt.text == "12"
        assert again(recorder) == 4
    assert folder.read_log(path).lines[3].by == "somebody"


def test_another_file_of_the_same_bytes_is_gone_on_with(tmp_path: Path) -> None:
    log = greedy_game(1, 3)
    folder = Folder(tmp_path)
    path = folder.write_whole(raw_of(log_of(log.title, log.lines[:4])))
    with Recorder(folder, path, by="tester", language="en") as recorder:
        raw = path.read_bytes()
        path.unlink()
        path.write_bytes(raw)
        assert enter(recorder, "12") == 4
    assert len(folder.read_log(path).lines) == 5


def test_notes_that_somebody_changed_are_said_once_and_what_was_typed_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk()
    notes = PATH.with_name("game-0001.notes.jsonl")
    read = Disk.read

    def changed(disk: Disk, file: int, size: int) -> bytes:
        part = read(disk, file, size)
        if disk.opened[file].path == notes:
            disk.edit(notes, 9, b"#")
        return part

    with opened(disk) as recorder:
        enter(recorder, ";first")
        before = disk.raw(notes)
        with monkeypatch.context() as patch:
            patch.setattr(Disk, "read", changed)
            assert enter(recorder, ";!") == 0
        assert recorder.prompt.text == ";!"
        assert "notes" in recorder.prompt.view.message
        disk.edit(notes, 9, before[9:10])
        assert disk.raw(notes) == before
        recorder.write(recorder.prompt.press("enter"))  # type: ignore[arg-type]
        assert recorder.prompt.text == ""
    assert disk.raw(notes).count(b"\n") == 2


def test_a_log_that_cannot_be_closed_either_is_one_error() -> None:
    disk = Disk()
    with opened(disk) as recorder:
        at = next_call(disk, recorder, "fsync")
        disk.fails = {at: failed(), at + 1: failed()}
        assert enter(recorder, "12") == 0
        assert disk.calls[at + 1][0] == "close"
        assert "expected to write line 4, found" in recorder.prompt.view.message
        assert again(recorder) == 0
        assert recorder.prompt.view.message == "line 4 is on the disk after all"
