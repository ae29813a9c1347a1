"""Notes beside a log: the same lock, the same order of calls, the same mending; and a union of two files."""

import errno
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from spyrium_log.errors import ChangedError, ConflictError, LockedError, PoisonedError, ReadOnlyError, StoreError
from spyrium_log.log import notes
from spyrium_log.log.codec import encode
from spyrium_log.log.notes import NoteLine, Notes
from spyrium_log.store import Files, Folder, NotesWriter, read_notes
from tests.build import GAME, small_log
from tests.log.test_notes import edited, note, withdrawn
from tests.store.disk import ROOT, Disk, PowerCut, failed

PATH = ROOT / f"{GAME}.notes.jsonl"
TORN = ROOT / f"{GAME}.notes.jsonl.torn"
LOG = b"".join(small_log())
LINES = [note(text="why?"), edited(text="because"), note("note-2", by="bob", mark="!?")]
RAWS = [encode(line) for line in LINES]
RAW = b"".join(RAWS)
# What an append asks of the disk.
CHECKED, WRITTEN = ["is_at", "stamp", "read_at"], ["write", "stamp", "fsync"]


@pytest.fixture
def disk() -> Disk:
    disk = Disk()
    disk.put(ROOT / f"{GAME}.jsonl", LOG)
    return disk


@pytest.fixture
def folder(disk: Disk) -> Folder:
    return Folder(ROOT, disk)


def test_a_game_without_notes_has_none(disk: Disk, folder: Folder) -> None:
    sidecar = folder.read_notes(GAME)
    assert (sidecar.lines, sidecar.complaint, sidecar.damage) == ([], None, None)
    assert PATH not in disk.names_seen


def test_notes_are_appended_beside_the_log(disk: Disk, folder: Folder) -> None:
    with folder.open_notes_writer(GAME) as writer:
        assert [writer.append(line) for line in LINES] == LINES
        assert writer.sidecar.good_bytes == len(RAW)
    assert disk.raw(PATH) == disk.after_power_cut().raw(PATH) == RAW
    assert folder.read_notes(GAME).notes == Notes.from_lines(LINES)
    assert folder.read_notes(ROOT / f"{GAME}.jsonl").lines == LINES
    assert disk.raw(ROOT / f"{GAME}.jsonl") == LOG


def test_notes_are_no_game(folder: Folder) -> None:
    folder.open_notes_writer(GAME).close()
    assert folder.list_names() == [GAME]
    assert folder.resolve("@last") == folder.resolve(GAME) == ROOT / f"{GAME}.jsonl"


def test_there_are_no_notes_on_no_log(disk: Disk, folder: Folder) -> None:
    with pytest.raises(StoreError, match="expected a log to write notes on, found no such file"):
        folder.open_notes_writer("game-none")
    assert len(disk.names_seen) == 1


def test_a_note_is_on_the_disk_before_it_is_acknowledged(disk: Disk, folder: Folder) -> None:
    with folder.open_notes_writer(GAME) as writer:
        del disk.calls[:]
        writer.append(LINES[0])
        assert [call for call, _ in disk.calls] == [*CHECKED, "sync_folder", *WRITTEN]
        del disk.calls[:]
        writer.append(LINES[1])
        assert [call for call, _ in disk.calls] == [*CHECKED, *WRITTEN]
        assert disk.after_power_cut().raw(PATH) == RAWS[0] + RAWS[1]


def test_the_first_answer_rests_on_the_last_line_that_was_there(disk: Disk, folder: Folder) -> None:
    disk.put(PATH, RAW)
    with folder.open_notes_writer(GAME) as writer:
        del disk.calls[:]
        assert writer.append(LINES[2]) == LINES[2]
    assert [call for call, _ in disk.calls] == [*CHECKED, *WRITTEN, "sync_folder", "close"]
    assert disk.raw(PATH) == RAW


def test_there_is_one_writer_of_notes_and_it_is_in_nobodys_way(folder: Folder) -> None:
    with folder.open_notes_writer(GAME), folder.open_writer(GAME):
        with pytest.raises(LockedError, match="found process 4711 writing"):
            folder.open_notes_writer(GAME)
        assert folder.read_notes(GAME).lines == []


def test_somebody_else_makes_the_file_at_the_same_moment(folder: Folder) -> None:
    plain, tried = Disk.open, []

    def open_(disk: Disk, path: Path, mode: str) -> int:
        if mode == "create":
            tried.append(path)
            disk.put(path, RAWS[0])
        return plain(disk, path, mode)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Disk, "open", open_)
        with folder.open_notes_writer(GAME) as writer:
            assert writer.sidecar.lines == LINES[:1]
    assert tried == [PATH]


# --- which line may come next --------------------------------------------------------------------

REFUSED: dict[str, tuple[NoteLine, str]] = {
    "an id that is taken": (note(text="again"), "expected a new note, found 'note-1' to be there already"),
    "a change of nothing": (edited("note-9"), "expected note 'note-9' to change, found none"),
    "a withdrawal of nothing": (withdrawn("note-9"), "expected note 'note-9' to change, found none"),
    "an edit of an old version": (
        edited(text="no"),
        "expected version 2 of note 'note-1' to follow, found 2: somebody",
    ),
    "a withdrawal of an old version": (withdrawn(), "somebody else changed it"),
    "an edit that comes too early": (edited(version=4), "expected version 4 of note 'note-1' to follow, found 2"),
}


@pytest.mark.parametrize(("line", "words"), REFUSED.values(), ids=REFUSED)
def test_a_line_that_does_not_follow_is_refused(disk: Disk, folder: Folder, line: NoteLine, words: str) -> None:
    disk.put(PATH, RAW)
    with folder.open_notes_writer(GAME) as writer:
        with pytest.raises(ConflictError, match=words):
            writer.append(line)
        assert disk.raw(PATH) == RAW
        writer.append(edited(version=3))
        writer.append(withdrawn(version=4))


UNFIT: dict[str, tuple[NoteLine, str]] = {
    "text too long": (replace(LINES[0], id="note-9", text="a" * 4001), "out-of-range"),
    "tag of two words": (replace(LINES[0], id="note-9", tags=("a b",)), "out-of-range"),
    "no mark": (replace(LINES[0], id="note-9", mark="?!?"), "unknown-word"),
    "half a surrogate pair": (replace(LINES[0], id="note-9", text="\ud800"), "can be written"),
    "time without zone": (replace(LINES[0], id="note-9", at="today"), "out-of-range"),
    "object that is no JSON": (replace(LINES[0], id="note-9", text=object()), "can be written"),
}


@pytest.mark.parametrize(("line", "words"), UNFIT.values(), ids=UNFIT)
def test_what_could_not_be_read_again_is_never_written(disk: Disk, folder: Folder, line: NoteLine, words: str) -> None:
    with folder.open_notes_writer(GAME) as writer:
        del disk.calls[:]
        with pytest.raises(StoreError, match=words):
            writer.append(line)
        with pytest.raises(StoreError, match=words):
            writer.merge(Notes((LINES[0], line)))
        assert disk.calls == []
        writer.append(LINES[0])


def test_a_full_file_takes_no_more(disk: Disk, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "MAX_LINES", 4)
    disk.put(PATH, RAW)
    with folder.open_notes_writer(GAME) as writer:
        with pytest.raises(StoreError, match="too-many-lines"):
            writer.merge(Notes.from_lines([note("note-3"), note("note-4")]))
        writer.append(note("note-3"))
        with pytest.raises(StoreError, match="too-many-lines"):
            writer.append(note("note-4"))
    assert folder.read_notes(GAME).complaint is None


# --- two files -----------------------------------------------------------------------------------


def test_two_files_become_one_by_union(disk: Disk, folder: Folder) -> None:
    theirs = [LINES[0], edited(by="bob", text="another reason"), withdrawn("note-2"), withdrawn("note-7")]
    disk.put(PATH, RAW)
    with folder.open_notes_writer(GAME) as writer:
        assert writer.merge(Notes.from_lines(theirs)) == 3
        assert writer.merge(Notes.from_lines(theirs)) == 0
    sidecar = folder.read_notes(GAME)
    assert sidecar.lines[:3] == LINES
    assert sidecar.notes == Notes.from_lines((*LINES, *theirs))
    assert disk.after_power_cut().raw(PATH) == disk.raw(PATH)


# --- damage --------------------------------------------------------------------------------------


def test_every_cut_is_mended_by_the_next_writer(counts: Counter[str]) -> None:
    ends = [sum(map(len, RAWS[:n])) for n in range(len(RAWS) + 1)]
    for cut in range(len(RAW)):
        disk = Disk()
        disk.put(ROOT / f"{GAME}.jsonl", LOG)
        disk.put(PATH, RAW[:cut])
        seen = Folder(ROOT, disk).read_notes(GAME)
        kept = max(end for end in ends if end <= cut + 1)
        assert b"".join(map(encode, seen.lines)) == RAW[:kept]
        with Folder(ROOT, disk).open_notes_writer(GAME) as writer:
            assert disk.raw(PATH) == RAW[:kept]
            assert len(writer.report) == (cut not in ends)
            assert (disk.raw(TORN) if TORN in disk.names_seen else b"") == RAW[kept:cut]
            writer.append(note("note-9"))
        assert disk.after_power_cut().raw(PATH) == RAW[:kept] + encode(note("note-9"))
        counts["cut files of notes that a writer mended"] += 1


@pytest.mark.parametrize(
    ("raw", "line", "words"),
    [
        (RAW.replace(b"!?", b"?!"), 3, "nobody but you may drop it"),
        (RAW.replace(b"because", b"Because"), 2, "what follows was acknowledged"),
        (RAWS[0][:-1] + RAWS[1], 1, "between two lines"),
        (RAW.replace(b'"kind":"note","id":"note-1"', b'"kind":"note","format":2,"id":"note-1"'), 1, "newer-format"),
    ],
)
def test_what_may_have_been_acknowledged_is_never_cut(
    disk: Disk, folder: Folder, raw: bytes, line: int, words: str
) -> None:
    disk.put(PATH, raw)
    with pytest.raises(ReadOnlyError, match=words) as raised:
        folder.open_notes_writer(GAME)
    assert f"save the first {line - 1} lines as a new file of notes" in str(raised.value)
    assert str(raised.value).endswith(f" at {PATH}:{line}")
    assert disk.raw(PATH) == raw
    assert disk.opened == {}
    assert len(folder.read_notes(GAME).lines) == line - 1


def test_what_was_written_without_the_lock_is_not_written_over(disk: Disk, folder: Folder) -> None:
    with folder.open_notes_writer(GAME) as writer:
        disk.names_seen[PATH].seen += b"edited\n"
        with pytest.raises(ConflictError, match="somebody wrote without the lock"):
            writer.append(LINES[0])
    assert disk.raw(PATH) == b"edited\n"


def test_a_byte_changed_in_place_is_refused_and_nothing_written(disk: Disk, folder: Folder) -> None:
    with folder.open_notes_writer(GAME) as writer:
        for line in LINES[:2]:
            writer.append(line)
        right = disk.raw(PATH)[9:10]
        disk.edit(PATH, 9, b"#")
        before = disk.raw(PATH)
        with pytest.raises(ChangedError, match=r"expected line 1 of the file of notes as it was, .*:1$"):
            writer.append(LINES[2])
        with pytest.raises(ChangedError):
            writer.merge(Notes.from_lines(LINES))
        assert disk.raw(PATH) == before
        disk.edit(PATH, 9, right)
        writer.append(LINES[2])
    assert folder.read_notes(GAME).lines == LINES[:3]


def test_the_first_error_is_the_last_call(disk: Disk, folder: Folder) -> None:
    with folder.open_notes_writer(GAME) as writer:
        writer.append(LINES[0])
        disk.fails[len(disk.calls) + (*CHECKED, *WRITTEN).index("fsync")] = failed(errno.ENOSPC)
        for line in LINES[1:]:
            with pytest.raises(PoisonedError, match="no space left on the disk"):
                writer.append(line)
            with pytest.raises(PoisonedError, match="no space left on the disk"):
                writer.merge(Notes.from_lines([line]))
        assert writer.sidecar.lines == LINES[:1]


# --- faults --------------------------------------------------------------------------------------


def session(disk: Disk, told: list[bytes]) -> None:
    """The first note, a crash in mid-append, and two more; `told` is what was acknowledged."""
    folder = Folder(ROOT, disk)

    def tell(line: NoteLine) -> None:
        told.append(encode(line))

    with folder.open_notes_writer(GAME) as writer:
        tell(writer.append(LINES[0]))
    disk.names_seen[PATH].change(len(disk.raw(PATH)), RAWS[1][:40])
    with folder.open_notes_writer(GAME) as writer:
        for line in LINES[1:]:
            tell(writer.append(line))


def started() -> Disk:
    disk = Disk()
    disk.put(ROOT / f"{GAME}.jsonl", LOG)
    return disk


def finish(disk: Disk, told: list[bytes]) -> None:
    """Another process does all of it again: each note is there once, and what was told stands."""
    with Folder(ROOT, disk).open_notes_writer(GAME) as writer:
        assert [encode(line) for line in writer.sidecar.lines][: len(told)] == told
        for line in LINES:
            writer.append(line)
    assert disk.after_power_cut().raw(PATH) == RAW


def test_a_fault_at_any_call_loses_nothing_that_was_told(counts: Counter[str]) -> None:
    whole = started()
    session(whole, [])
    for at in range(len(whole.calls)):
        for error in (failed(), failed(errno.ENOSPC), PowerCut()):
            for applied in (0, 1, 2, None):
                disk = started()
                disk.fails[at] = error
                told: list[bytes] = []
                with pytest.raises(PowerCut if isinstance(error, PowerCut) else StoreError):
                    session(disk, told)
                finish(disk.restarted() if applied is None else disk.after_power_cut(applied), told)
                counts["faults while notes were written"] += 1


# --- the real disk -------------------------------------------------------------------------------


def test_notes_on_the_real_disk(tmp_path: Path) -> None:
    path = tmp_path / f"{GAME}.notes.jsonl"
    with NotesWriter(path) as writer:
        writer.append(LINES[0])
        with pytest.raises(LockedError):
            NotesWriter(path, Files())
    with path.open("ab") as file:
        file.write(RAWS[1][:50])
    assert read_notes(path).lines == LINES[:1]
    with NotesWriter(path) as writer:
        assert "never finished" in writer.report[0]
        for line in LINES:
            writer.append(line)
    assert path.read_bytes() == RAW
    assert path.with_name(f"{path.name}.torn").read_bytes() == RAWS[1][:50]
