import errno
import os
from pathlib import Path

import pytest

from spyrium_log.errors import ConflictError, LogError, SpyriumLogError, StoreError
from spyrium_log.log import codec
from spyrium_log.store import AWAY, DISK, Folder, read_path, read_stream
from tests.build import GAME, begin, chained, hash_of, header, place, short_header, small_log
from tests.store.disk import ROOT, Disk, failed

LINES = small_log()
RAW = b"".join(LINES)
IDS = ["0190f5fe-aaaa", "0190f5fe-bbbb", "0190cccc-0000"]
NEW = f".{GAME}.jsonl.new"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "archive")


@pytest.fixture
def three(folder: Folder) -> Folder:
    for when, game in enumerate(IDS):
        path = begin(folder, short_header(game))
        os.utime(path, (when, when))
    return folder


# --- going on ------------------------------------------------------------------------------------


def test_a_log_goes_on_with_the_lines_it_lacks(folder: Folder) -> None:
    for many in range(1, len(LINES) + 1):
        archive = Folder(folder.path / str(many))
        archive.write_whole(b"".join(LINES[:many]))
        assert archive.append_missing_lines(GAME, RAW) == len(LINES) - many
        assert archive.read_game(GAME).log == RAW
        assert archive.append_missing_lines(GAME, RAW) == 0


def test_a_log_goes_on_with_no_other_and_not_half(folder: Folder) -> None:
    path = folder.write_whole(RAW)
    for raw in (LINES[0], b"".join(chained(short_header(GAME), *map(place, range(1, 9)))), RAW[:-1], b"{}\n"):
        with pytest.raises((ConflictError, LogError)):
            folder.append_missing_lines(GAME, raw)
        assert path.read_bytes() == RAW
    more = [place(n, cmd="a") for n in (len(LINES), len(LINES) + 1)]
    twice = RAW + b"".join(chained(*more, prev=hash_of(LINES[-1])))
    with pytest.raises(ConflictError, match="expected a log that goes on where this one ends"):
        folder.append_missing_lines(GAME, twice)
    with folder.open_writer(GAME), pytest.raises(StoreError, match="writing"):
        folder.append_missing_lines(GAME, RAW)
    assert path.read_bytes() == RAW


# --- putting away --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [f"{GAME}.notes.jsonl", f"{GAME}.jsonl"])
def test_a_move_that_was_interrupted_between_two_names_can_be_done_again(folder: Folder, name: str) -> None:
    path = folder.write_whole(RAW)
    folder.open_notes_writer(GAME).close()
    (folder.path / AWAY).mkdir()
    (folder.path / AWAY / name).hardlink_to(folder.path / name)
    assert folder.put_away(GAME).read_bytes() == RAW
    assert folder.list_names() == []
    assert not path.exists()
    assert folder.bring_back(GAME) == path
    assert path.read_bytes() == RAW


def test_a_move_takes_the_place_of_no_other_game(folder: Folder) -> None:
    folder.write_whole(RAW)
    folder.away.write_whole(LINES[0])
    with pytest.raises(StoreError, match="expected no"):
        folder.put_away(GAME)
    assert folder.read_game(GAME).log == RAW
    assert folder.away.read_game(GAME).log == LINES[0]


# --- making --------------------------------------------------------------------------------------


def test_a_game_is_created_and_read(folder: Folder) -> None:
    path = begin(folder, header())
    assert path == folder.path / f"{GAME}.jsonl"
    log = folder.read_log(GAME)
    assert log.header.game == GAME
    assert log.damage is not None
    assert log.damage.kind == "none"


def test_a_game_is_created_and_written_to(folder: Folder) -> None:
    begin(folder, header())
    with folder.open_writer(GAME) as writer:
        writer.append(place(1))
    assert len(folder.read_log(GAME).lines) == 2


def test_git_keeps_its_hands_off(folder: Folder) -> None:
    begin(folder, header())
    assert (folder.path / ".gitattributes").read_bytes() == b"*.jsonl -text\n"


def test_attributes_that_are_there_stay(folder: Folder) -> None:
    folder.path.mkdir()
    attributes = folder.path / ".gitattributes"
    attributes.write_bytes(b"* -text\n")
    begin(folder, header())
    assert attributes.read_bytes() == b"* -text\n"


def test_nothing_is_left_beside(folder: Folder) -> None:
    begin(folder, header())
    with pytest.raises(StoreError):
        begin(folder, header())
    assert sorted(DISK.list_names(folder.path)) == [".gitattributes", f"{GAME}.jsonl"]


def test_a_log_is_never_written_over(folder: Folder) -> None:
    folder.write_whole(RAW)
    with pytest.raises(StoreError, match="found one that is there already"):
        begin(folder, header())
    assert (folder.path / f"{GAME}.jsonl").read_bytes() == RAW


def test_a_header_that_cannot_be_read_again_is_not_written(folder: Folder) -> None:
    with pytest.raises(LogError, match="out-of-range"):
        begin(folder, short_header("../../etc"))
    assert not folder.path.exists()


def test_a_game_id_that_is_no_file_name_is_refused(folder: Folder) -> None:
    with pytest.raises(SpyriumLogError):
        begin(folder, short_header("0190f5fe\n"))
    assert not folder.path.exists()


def test_a_whole_log_is_written_as_it_is(folder: Folder) -> None:
    path = folder.write_whole(RAW)
    assert path.read_bytes() == RAW


@pytest.mark.parametrize("raw", [b"", RAW[:-1], RAW + b"x", RAW.replace(b"-2", b"-3"), b"\n"])
def test_a_log_that_is_not_whole_is_not_written(folder: Folder, raw: bytes) -> None:
    with pytest.raises(LogError):
        folder.write_whole(raw)
    assert folder.list_names() == []


def test_a_new_log_is_on_the_disk_before_it_has_its_name() -> None:
    disk = Disk()
    Folder(ROOT, disk).write_whole(RAW)
    calls = disk.calls[[name for _, name in disk.calls].index(NEW) :]
    assert calls == [
        ("open create", NEW),
        ("write", NEW),
        ("fsync", NEW),
        ("close", NEW),
        ("publish", f"{GAME}.jsonl"),
        ("sync_folder", "archive"),
    ]
    assert disk.after_power_cut().raw(ROOT / f"{GAME}.jsonl") == RAW


def test_new_folders_are_on_the_disk_before_what_is_in_them() -> None:
    disk = Disk()
    Folder(ROOT / "2026" / "may", disk).write_whole(RAW)
    made = [call for call in disk.calls if call[0] in {"make_folder", "sync_folder"}]
    assert made[:4] == [
        ("make_folder", "2026"),
        ("sync_folder", "archive"),
        ("make_folder", "may"),
        ("sync_folder", "2026"),
    ]


def test_a_remainder_of_a_crash_is_in_nobodys_way() -> None:
    disk = Disk()
    disk.put(ROOT / NEW, b"half")
    folder = Folder(ROOT, disk)
    folder.write_whole(RAW)
    assert folder.list_names() == [GAME]
    assert disk.raw(ROOT / NEW) == b"half"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EACCES, errno.EBADF])
def test_a_disk_that_fails_leaves_no_half_log(code: int) -> None:
    plain = Disk()
    Folder(ROOT, plain).write_whole(RAW)
    for at in range(len(plain.calls)):
        disk = Disk()
        disk.fails[at] = failed(code)
        with pytest.raises(StoreError, match="expected to write a new log, found"):
            Folder(ROOT, disk).write_whole(RAW)
        assert disk.opened == {}
        path = ROOT / f"{GAME}.jsonl"
        assert path not in disk.names_seen or disk.raw(path) == RAW
        assert not [name for name in disk.names_seen if name.name.endswith(".new")]


# --- finding -------------------------------------------------------------------------------------


def test_names_are_the_ids_of_the_games(three: Folder) -> None:
    (three.path / "notes.txt").touch()
    (three.path / f"{IDS[0]}.jsonl.torn").touch()
    assert three.list_names() == sorted(IDS)


def test_a_folder_that_is_not_there_has_no_games(folder: Folder) -> None:
    assert folder.list_names() == []


@pytest.mark.parametrize("text", [IDS[0], f"{IDS[0]}.jsonl", "0190f5fe-a"])
def test_a_game_is_found(three: Folder, text: str) -> None:
    assert three.resolve(text) == three.path / f"{IDS[0]}.jsonl"


def test_a_game_is_found_by_its_path(three: Folder, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.jsonl"
    path.write_bytes(RAW)
    assert three.resolve(str(path)) == path
    assert three.read_log(path).header.game == GAME
    with three.open_writer(path) as writer:
        writer.append(place(4))
    assert len(read_path(path).lines) == 5


def test_an_id_that_begins_another_is_that_id(three: Folder) -> None:
    begin(three, short_header("0190f5fe"))
    assert three.resolve("0190f5fe") == three.path / "0190f5fe.jsonl"


def test_the_last_game_is_the_one_written_last(three: Folder) -> None:
    assert three.resolve("@last").name == f"{IDS[2]}.jsonl"
    with three.open_writer(IDS[1]) as writer:
        writer.append(place(1))
    assert three.resolve("@last").name == f"{IDS[1]}.jsonl"


def test_an_ambiguous_beginning_lists_the_games(three: Folder) -> None:
    with pytest.raises(StoreError, match=f"found '0190f' to begin 2: {IDS[0]}, {IDS[1]}, at "):
        three.resolve("0190f")


def test_a_long_list_is_cut() -> None:
    disk = Disk()
    for n in range(100):
        disk.put(ROOT / f"game-{n:03}.jsonl", RAW)
    with pytest.raises(StoreError, match=r"begin 100: game-000, .*, game-011 and 88 more, at "):
        Folder(ROOT, disk).resolve("game")


@pytest.mark.parametrize("text", ["0191", "nowhere/0190.jsonl", "/nowhere", "../0190", "a\0b", "a\nb", "@first", ".."])
def test_what_is_not_there_is_not_found(three: Folder, text: str) -> None:
    with pytest.raises(StoreError):
        three.read_log(three.resolve(text))


def test_games_are_known_by_their_first_lines(three: Folder) -> None:
    raw = (three.path / f"{IDS[0]}.jsonl").read_bytes()
    for name in ("another", "0000"):
        (three.path / f"{name}.jsonl").write_bytes(raw)
    (three.path / f"{IDS[1]}.jsonl").rename(three.path / "evening.jsonl")
    (three.path / "none.jsonl").write_bytes(b"{}")
    assert three.names_by_game() == {IDS[0]: IDS[0], IDS[1]: "evening", IDS[2]: IDS[2], "none": "none"}


def test_there_may_be_no_last_game(folder: Folder) -> None:
    with pytest.raises(StoreError, match="expected a game to be the last one, found none"):
        folder.resolve("@last")


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/b", "a\0b", "a\n"])
def test_a_name_never_leaves_the_folder(three: Folder, name: str) -> None:
    with pytest.raises(StoreError, match="expected the id of a game"):
        three.read_log(name)
    with pytest.raises(StoreError, match="expected the id of a game"):
        three.open_writer(name)


# --- reading -------------------------------------------------------------------------------------


def test_a_file_that_is_not_there(folder: Folder) -> None:
    with pytest.raises(StoreError, match="expected to read a log, found no such file, at "):
        folder.read_log(GAME)
    with pytest.raises(StoreError, match="expected to open a log for writing, found no such file, at "):
        folder.open_writer(GAME)


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="found a folder"):
        read_path(tmp_path)


def test_damage_is_reported_and_left_alone(folder: Folder) -> None:
    path = folder.write_whole(RAW)
    path.write_bytes(RAW + b"{")
    log = folder.read_log(GAME)
    assert log.complaint is not None
    assert (log.complaint.code, log.complaint.file, log.complaint.line) == ("cut-off", str(path), 5)
    assert log.damage is not None
    assert log.damage.kind == "torn"
    assert path.read_bytes() == RAW + b"{"


def test_a_log_larger_than_a_chunk_is_read(folder: Folder) -> None:
    raw = b"".join(chained(header(), *(place(n, cmd="é" * 60) for n in range(1, 1500))))
    assert len(raw) > 5 * (1 << 16)
    path = folder.write_whole(raw)
    assert b"".join(map(codec.encode, read_path(path).lines)) == raw


def test_a_log_is_read_from_a_pipe() -> None:
    out, into = os.pipe()
    with os.fdopen(out, "rb") as stream, os.fdopen(into, "wb") as pipe:
        pipe.write(RAW)
        pipe.close()
        assert len(read_stream(stream, "<stdin>").lines) == 4


def test_a_stream_that_fails_is_an_error_of_the_store() -> None:
    class Broken:
        def readline(self, _limit: int, /) -> bytes:
            raise failed()

    with pytest.raises(StoreError, match="found a disk that failed, at <stdin>"):
        read_stream(Broken())


@pytest.mark.parametrize("at", range(3))
def test_a_disk_that_fails_while_reading(at: int) -> None:
    disk = Disk()
    disk.put(ROOT / f"{GAME}.jsonl", RAW)
    disk.fails[at] = failed()
    with pytest.raises(StoreError, match="found a disk that failed"):
        Folder(ROOT, disk).read_log(GAME)


def test_a_disk_that_fails_while_looking() -> None:
    disk = Disk()
    disk.fails[0] = failed(errno.EACCES)
    with pytest.raises(StoreError, match="expected to list logs, found no permission"):
        Folder(ROOT, disk).list_names()
