"""The writer: nothing is acknowledged that is not on the disk, and after the first error nothing is written."""

import errno
import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from spyrium_log.errors import (
    ChangedError,
    ConflictError,
    LockedError,
    LogError,
    PoisonedError,
    ReadOnlyError,
    StoreError,
)
from spyrium_log.log import codec
from spyrium_log.log.lines import Line, Sealed
from spyrium_log.store import Folder, read_bytes
from tests.build import GAME, SPYRIUM, UNCHAINED, chained, header, paid, place, short_header, small_log, undo
from tests.store.disk import ROOT, Disk, failed

LINES = small_log()
RAW = b"".join(LINES)
PATH = ROOT / f"{GAME}.jsonl"
TORN = ROOT / f"{GAME}.jsonl.torn"
# What an append asks of the disk.
APPEND = ["is_at", "stamp", "read_at", "write", "stamp", "fsync"]


@pytest.fixture
def disk() -> Disk:
    disk = Disk()
    disk.put(PATH, RAW)
    return disk


@pytest.fixture
def folder(disk: Disk) -> Folder:
    return Folder(ROOT, disk)


def test_a_line_is_appended_and_chained(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        line = writer.append(place(4))
    raw = disk.raw(PATH)
    assert raw == RAW + codec.encode(line)
    log = read_bytes(raw, "log")
    assert log.complaint is None
    assert log.lines[-1] == line
    assert line.prev == log.lines[3].hash


def test_the_writer_knows_what_it_wrote(folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        writer.append(place(4))
        writer.append(undo(5, 2))
        ours = writer.log
    theirs = folder.read_log(GAME)
    assert ours.lines == theirs.lines
    assert ours.good_bytes == theirs.good_bytes
    assert ours.last_digest == theirs.last_digest


def test_a_seal_is_made_from_the_writers_log(folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        writer.append(place(4))
        writer.append(Sealed(n=5, count=5, final=writer.log.last_digest, **UNCHAINED))
    assert folder.read_log(GAME).complaint is None


def test_a_line_is_on_the_disk_before_it_is_acknowledged(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        writer.append(place(4))
        del disk.calls[:]
        writer.append(place(5))
        assert [call for call, _ in disk.calls] == APPEND
        assert disk.after_power_cut().raw(PATH) == disk.raw(PATH)


def test_the_first_answer_rests_on_a_line_and_a_name_that_are_on_the_disk(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        del disk.calls[:]
        writer.append(place(4))
    calls = [call for call, _ in disk.calls]
    checked, written = APPEND[:3], APPEND[3:]
    assert calls == [*checked, *written, "sync_folder", *written, "close"]


def test_opening_writes_nothing(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        assert writer.report == []
    assert {call for call, _ in disk.calls} == {"open write", "lock", "is_at", "stamp", "read", "close"}


# --- who may write -------------------------------------------------------------------------------


def test_there_is_one_writer(folder: Folder) -> None:
    with folder.open_writer(GAME), pytest.raises(LockedError, match="found process 4711 writing"):
        folder.open_writer(GAME)
    folder.open_writer(GAME).close()


def test_readers_need_no_lock(folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        assert len(folder.read_log(GAME).lines) == 4
        writer.append(place(4))
        assert len(folder.read_log(GAME).lines) == 5


def test_a_reader_may_see_an_append_that_is_under_way(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME):
        disk.names_seen[PATH].seen += LINES[2][:50]
        log = folder.read_log(GAME)
    assert log.damage is not None
    assert log.damage.kind == "torn"
    assert len(log.lines) == 4


def test_a_writer_that_is_closed_writes_no_more(folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        pass
    with pytest.raises(StoreError, match="closed"):
        writer.append(place(4))


def test_closing_twice_is_closing_once(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        writer.close()
    assert [call for call, _ in disk.calls].count("close") == 1


def test_what_was_written_without_the_lock_is_not_written_over(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        disk.names_seen[PATH].seen += b"edited\n"
        with pytest.raises(ChangedError, match="somebody wrote without the lock"):
            writer.append(place(4))
    assert disk.raw(PATH) == RAW + b"edited\n"


def test_a_log_that_was_replaced_is_not_written_to(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        disk.put(PATH, RAW)
        with pytest.raises(ChangedError, match="another file under its name"):
            writer.append(place(4))
    assert disk.raw(PATH) == RAW


@pytest.mark.parametrize("is_first", [True, False], ids=["before the first append", "between two appends"])
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_a_byte_changed_in_place_is_refused_and_nothing_written(
    disk: Disk, folder: Folder, number: int, *, is_first: bool
) -> None:
    with folder.open_writer(GAME) as writer:
        if not is_first:
            writer.append(place(4))
        lines = [codec.encode(line) for line in writer.log.lines]
        number = min(number, len(lines))
        at = len(b"".join(lines[: number - 1])) + 9
        right = disk.raw(PATH)[at : at + 1]
        disk.edit(PATH, at, b"#")
        before = disk.raw(PATH)
        for line in (place(len(lines)), place(len(lines), cmd="again")):
            with pytest.raises(ChangedError, match=rf"expected line {number} of the log as it was, .*:{number}$"):
                writer.append(line)
        assert disk.raw(PATH) == before
        disk.edit(PATH, at, right)
        assert writer.append(place(len(lines))).n == len(lines)
    assert folder.read_log(GAME).complaint is None


def test_a_command_is_not_answered_again_from_a_log_that_was_changed(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        writer.append(place(4, cmd="a"))
        disk.edit(PATH, 9, b"#")
        with pytest.raises(ChangedError, match="line 1"):
            writer.append(place(4, cmd="a"))


def test_a_log_that_was_only_touched_is_read_again_once_and_gone_on_with(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        writer.append(place(4))
        disk.edit(PATH, 0, b"")
        del disk.calls[:]
        writer.append(place(5))
        assert [call for call, _ in disk.calls] == [*APPEND[:2], *["read_at"] * 5, *APPEND[3:]]
        del disk.calls[:]
        writer.append(place(6))
        assert [call for call, _ in disk.calls] == APPEND
    assert len(folder.read_log(GAME).lines) == 7


def test_the_last_line_is_looked_at_whatever_the_clock_says(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        writer.append(place(4))
        disk.names_seen[PATH].seen[-9] ^= 1
        with pytest.raises(ChangedError, match="line 5"):
            writer.append(place(5))


def test_what_is_changed_during_an_fsync_is_seen(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync = Disk.fsync

    def slow(disk: Disk, file: int) -> None:
        fsync(disk, file)
        disk.edit(PATH, 9, b"#")

    with folder.open_writer(GAME) as writer:
        with monkeypatch.context() as patch:
            patch.setattr(Disk, "fsync", slow)
            writer.append(place(4))
        with pytest.raises(ChangedError, match="line 1"):
            writer.append(place(5))


def test_what_is_changed_while_it_is_read_is_seen(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Disk.read

    def slow(disk: Disk, file: int, size: int) -> bytes:
        part = read(disk, file, size)
        disk.edit(PATH, 9, b"#")
        return part

    with monkeypatch.context() as patch:
        patch.setattr(Disk, "read", slow)
        writer = folder.open_writer(GAME)
    with writer, pytest.raises(ChangedError, match="line 1"):
        writer.append(place(4))


@pytest.mark.parametrize("restores_time", [True, False])
def test_on_a_real_disk_a_byte_changed_in_place_is_refused(tmp_path: Path, *, restores_time: bool) -> None:
    folder = Folder(tmp_path)
    path = folder.write_whole(RAW)
    with folder.open_writer(GAME) as writer:
        for n in range(4, 8):
            writer.append(place(n))
        whole, found = path.read_bytes(), path.stat()
        with path.open("r+b") as other:
            other.seek(len(LINES[0]) + 40)
            other.write(b"#")
        # a clock of milliseconds may say the same of both
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns + (0 if restores_time else 10**7)))
        if restores_time:
            wait_for_tick(path, found.st_ctime_ns)
        with pytest.raises(ChangedError, match="line 2"):
            writer.append(place(8))
        assert len(path.read_bytes()) == len(whole)
        path.write_bytes(whole)
        writer.append(place(8))
    assert len(folder.read_log(GAME).lines) == 9


def wait_for_tick(path: Path, before: int) -> None:
    """Change the permissions until the file system's clock has gone on."""
    while path.stat().st_ctime_ns == before:
        path.chmod(0o644)


# --- commands ------------------------------------------------------------------------------------


def test_a_command_is_answered_again_with_its_first_line(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        first = writer.append(place(4, cmd="a"))
        writer.append(place(5))
        assert writer.append(place(6, cmd="a")) == first
        assert writer.append(place(0, cmd="a", prev=LINES[0][:32].decode())) == first
    with folder.open_writer(GAME) as writer:
        assert writer.append(place(1, cmd="a")) == first
    assert disk.raw(PATH).count(b'"cmd"') == 1


def test_a_command_may_be_said_again_later(folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        first = writer.append(place(4, cmd="a", at=datetime(2026, 1, 1, 20, 0, tzinfo=UTC)))
        assert writer.append(place(5, cmd="a", at=datetime(2026, 1, 1, 20, 1, tzinfo=UTC))) == first


def test_a_command_that_is_in_the_log_twice_is_its_first_line(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, b"".join(chained(short_header(), place(1, cmd="a"), paid(2, cmd="a"))))
    with folder.open_writer(GAME) as writer:
        assert writer.append(place(3, cmd="a")).n == 1


def test_a_command_of_other_content_is_refused(folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        writer.append(place(4, cmd="a"))
        for other in (paid(5, cmd="a"), undo(5, 1, cmd="a"), place(5, cmd="a", by="bob")):
            with pytest.raises(ConflictError, match="expected command 'a' to be new, found it on line 4"):
                writer.append(other)


@pytest.mark.parametrize("n", [0, 3, 5])
def test_a_line_says_which_number_it_expects(folder: Folder, n: int) -> None:
    with folder.open_writer(GAME) as writer:
        with pytest.raises(ConflictError, match=f"expected line {n} to be next, found 4: somebody else appended"):
            writer.append(place(n))
        writer.append(place(4))


REFUSED: dict[str, tuple[Line, str]] = {
    "scribe too long": (place(4, by="a" * 61), "out-of-range"),
    "amount too large": (paid(4, 100_000), "out-of-range"),
    "undo of what is ahead": (undo(4, 5), "undo-ahead"),
    "undo of itself": (undo(4, 4), "undo-ahead"),
    "half a surrogate pair": (place(4, by="\ud800"), "cannot be written|can be written"),
    "second header": (replace(header(), n=4), "header-again"),
    "time without zone": (place(4, at="yesterday"), "out-of-range"),
    "number for a text": (place(4, by=5), "wrong-type"),
    "object that is no JSON": (place(4, by=object()), "can be written"),
    "integer too large": (place(4, by=1 << 70), "can be written|wrong-type"),
    "line too long": (place(4, moved=paid(4).moved * 30_000), "too-long"),  # type: ignore[union-attr]
    "seal on nothing": (Sealed(n=4, count=4, final="0" * 64, **UNCHAINED), "seal"),
}


@pytest.mark.parametrize(("line", "words"), REFUSED.values(), ids=REFUSED)
def test_what_could_not_be_read_again_is_never_written(disk: Disk, folder: Folder, line: Line, words: str) -> None:
    with folder.open_writer(GAME) as writer:
        del disk.calls[:]
        with pytest.raises(StoreError, match=words):
            writer.append(line)
        assert disk.calls == []
        writer.append(place(4))


# --- errors --------------------------------------------------------------------------------------

FAULTS: dict[str, tuple[str, BaseException, str]] = {
    "full disk": ("write", failed(errno.ENOSPC), "no space left on the disk"),
    "bad disk on write": ("write", failed(errno.EIO), "a disk that failed"),
    "bad disk on fsync": ("fsync", failed(errno.EIO), "a disk that failed"),
    "full disk on fsync": ("fsync", failed(errno.ENOSPC), "no space left on the disk"),
    "quota on fsync": ("fsync", failed(errno.EDQUOT), "the disk quota used up"),
    "bad disk on stamp": ("stamp", failed(errno.EIO), "a disk that failed"),
    "bad disk on reading the last line": ("read_at", failed(errno.EIO), "a disk that failed"),
}


def fail_next(disk: Disk, call: str, error: BaseException) -> None:
    """Arrange that the next such call of an append fails."""
    disk.fails[len(disk.calls) + APPEND.index(call)] = error


@pytest.mark.parametrize(("call", "error", "words"), FAULTS.values(), ids=FAULTS)
def test_the_first_error_is_the_last_call(
    disk: Disk, folder: Folder, call: str, error: BaseException, words: str
) -> None:
    with folder.open_writer(GAME) as writer:
        kept = writer.append(place(4))
        fail_next(disk, call, error)
        with pytest.raises(PoisonedError, match=words) as raised:
            writer.append(place(5))
        assert raised.value.__cause__ is error
        calls = len(disk.calls)
        for again in (place(5), place(4, cmd="new")):
            with pytest.raises(PoisonedError, match=words) as raised:
                writer.append(again)
            assert raised.value.__cause__ is error
        assert len(disk.calls) == calls
        assert writer.log.lines[-1] == kept


def test_an_interrupt_in_mid_append_poisons_as_well(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        writer.append(place(4))
        fail_next(disk, "fsync", KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            writer.append(place(5))
        with pytest.raises(PoisonedError, match="KeyboardInterrupt"):
            writer.append(place(5))


def test_a_line_whose_fsync_failed_is_not_taken_for_durable_by_the_next_writer(disk: Disk, folder: Folder) -> None:
    """The kernel shows it and takes it for clean; a retry of the same command must not be told that it is there."""
    with folder.open_writer(GAME) as writer:
        writer.append(place(4))
        fail_next(disk, "fsync", failed())
        with pytest.raises(PoisonedError):
            writer.append(place(5, cmd="a"))
    assert len(folder.read_log(GAME).lines) == 6
    with folder.open_writer(GAME) as writer:
        answer = writer.append(place(5, cmd="a"))
        assert codec.encode(answer) in disk.after_power_cut().raw(PATH)


def test_what_a_full_disk_took_of_a_line_is_set_aside_by_the_next_writer(disk: Disk, folder: Folder) -> None:
    with folder.open_writer(GAME) as writer:
        kept = writer.append(place(4))
        fail_next(disk, "write", failed(errno.ENOSPC))
        with pytest.raises(PoisonedError):
            writer.append(place(5))
    with folder.open_writer(GAME) as writer:
        assert writer.log.lines[-1] == kept
        assert "never finished" in writer.report[0]
        writer.append(place(5))


def test_an_error_on_closing_is_told(disk: Disk, folder: Folder) -> None:
    writer = folder.open_writer(GAME)
    disk.fails[len(disk.calls)] = failed()
    with pytest.raises(StoreError, match="to close a log, found a disk that failed"):
        writer.close()
    with pytest.raises(PoisonedError):
        writer.append(place(4))


def test_an_error_on_closing_hides_no_other(disk: Disk, folder: Folder) -> None:
    with pytest.raises(KeyError), folder.open_writer(GAME):  # noqa: PT012 - the error is raised inside on purpose
        disk.fails[len(disk.calls)] = failed()
        raise KeyError


@pytest.mark.parametrize("at", range(8))
def test_an_error_on_opening_lets_go_of_the_log(disk: Disk, folder: Folder, at: int) -> None:
    disk.put(PATH, RAW + b"{")
    disk.fails[at] = failed()
    with pytest.raises(StoreError, match="a disk that failed"):
        folder.open_writer(GAME)
    assert disk.opened == {}
    with folder.open_writer(GAME) as writer:
        writer.append(place(4))


# --- damage --------------------------------------------------------------------------------------


def test_a_torn_tail_is_set_aside_and_cut(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, RAW + LINES[2][:50])
    with folder.open_writer(GAME) as writer:
        assert [writer.log.complaint, writer.log.damage and writer.log.damage.kind] == [None, "none"]
        assert writer.report == [
            f"found 50 bytes of a line that was never finished: 50 bytes cut off and kept, at {TORN}"
        ]
    assert disk.raw(PATH) == RAW
    assert disk.raw(TORN) == LINES[2][:50]


def test_what_is_set_aside_is_on_the_disk_before_anything_is_cut(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, RAW + LINES[2][:50])
    folder.open_writer(GAME).close()
    calls = disk.calls[[call for call, _ in disk.calls].index("open create") :]
    assert calls == [
        ("open create", TORN.name),
        ("write", TORN.name),
        ("fsync", TORN.name),
        ("close", TORN.name),
        ("sync_folder", ROOT.name),
        ("truncate", PATH.name),
        ("fsync", PATH.name),
        ("stamp", PATH.name),
        ("close", PATH.name),
    ]


def test_nothing_set_aside_is_ever_written_over(disk: Disk, folder: Folder) -> None:
    for tail in (b"one", b"two", b"three"):
        disk.put(PATH, RAW + tail)
        folder.open_writer(GAME).close()
    assert [disk.raw(TORN), disk.raw(Path(f"{TORN}.2")), disk.raw(Path(f"{TORN}.3"))] == [b"one", b"two", b"three"]


@pytest.mark.parametrize("aside", [b"", b"\x0b", b"\x0b{"])
def test_a_line_without_its_newline_gets_it(disk: Disk, folder: Folder, aside: bytes) -> None:
    disk.put(PATH, RAW[:-1] + aside)
    with folder.open_writer(GAME) as writer:
        assert "lacked its newline" in writer.report[-1]
        assert disk.raw(PATH) == RAW
        writer.append(place(4))
        assert read_bytes(disk.raw(PATH), "log").lines == writer.log.lines
    assert (disk.raw(TORN) if aside else b"") == aside


def test_a_newline_is_on_the_disk_when_it_is_reported(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, RAW[:-1])
    folder.open_writer(GAME).close()
    assert disk.after_power_cut().raw(PATH) == RAW


def test_a_line_without_its_newline_may_be_seen_and_yet_not_be_on_the_disk(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, b"".join(LINES[:-1]))
    disk.names_seen[PATH].seen += LINES[-1][:-1]
    folder.open_writer(GAME).close()
    assert disk.after_power_cut().raw(PATH) == RAW


def flip(at: int) -> bytes:
    raw = bytearray(RAW)
    raw[at] ^= 1
    return bytes(raw)


@pytest.mark.parametrize(
    ("raw", "line", "words"),
    [
        (flip(-60), 4, "nobody but you may drop it"),
        (flip(-300), 3, "what follows was acknowledged"),
        (RAW + LINES[1], 5, "as it was written"),
        (RAW.replace(LINES[2], LINES[2][:-1]), 3, "between two lines"),
    ],
)
def test_what_may_have_been_acknowledged_is_never_cut(
    disk: Disk, folder: Folder, raw: bytes, line: int, words: str
) -> None:
    disk.put(PATH, raw)
    with pytest.raises(ReadOnlyError, match=words) as raised:
        folder.open_writer(GAME)
    assert str(raised.value).endswith(f" at {PATH}:{line}")
    assert f"save the first {line - 1} lines" in str(raised.value)
    assert disk.raw(PATH) == raw
    assert disk.opened == {}
    assert not {"write", "truncate", "open create"} & {call for call, _ in disk.calls}


def test_every_flipped_bit_and_every_cut_with_a_writer(counts: Counter[str]) -> None:
    """A writer mends what was never acknowledged, refuses the rest, and loses no acknowledged line."""
    states = [RAW[:end] for end in range(len(LINES[0]), len(RAW))]
    for bit in range(8 * len(RAW)):
        changed = bytearray(RAW)
        changed[bit // 8] ^= 1 << bit % 8
        states.append(bytes(changed))
    for state in states:
        disk = Disk()
        disk.put(PATH, state)
        try:
            with Folder(ROOT, disk).open_writer(GAME) as writer:
                assert disk.raw(PATH) == b"".join(map(codec.encode, writer.log.lines))
                assert RAW.startswith(disk.raw(PATH))
                kept = disk.raw(PATH)
        except (ReadOnlyError, LogError):
            assert disk.raw(PATH) == state
            counts["damaged logs that a writer refused"] += 1
        else:
            assert len(state) < len(RAW) or kept == RAW
            aside = disk.raw(TORN) if TORN in disk.names_seen else b""
            assert state in {kept, kept[:-1] + aside, kept + aside}
            counts["damaged logs that a writer mended"] += 1


def test_a_log_that_is_replaced_while_it_is_opened_is_not_written_to(
    disk: Disk, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(disk: Disk, _file: int) -> None:
        disk.put(PATH, RAW)

    monkeypatch.setattr(Disk, "lock", slow)
    with pytest.raises(StoreError, match="another put in its place"):
        folder.open_writer(GAME)
    assert disk.opened == {}


def test_a_log_of_an_older_format_is_read_only(disk: Disk) -> None:
    newer = replace(SPYRIUM, title_format=2, upcasts={1: lambda line: line})
    folder = Folder(ROOT, disk, {"spyrium": newer})
    assert folder.read_log(GAME).complaint is None
    with pytest.raises(ReadOnlyError, match="found log format 1 and spyrium format 1"):
        folder.open_writer(GAME)


def test_a_log_without_a_header_is_no_log(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, LINES[0][:100])
    with pytest.raises(LogError, match="cut-off"):
        folder.open_writer(GAME)
    assert disk.raw(PATH) == LINES[0][:100]


def test_the_first_line_follows_the_header(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, LINES[0])
    with folder.open_writer(GAME) as writer:
        writer.append(place(1))
    assert read_bytes(disk.raw(PATH), "log").complaint is None
