"""The real disk keeps the promises of the narrow door, and so does the one in memory that the other tests use."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spyrium_log.errors import LockedError, StoreError
from spyrium_log.store import Folder
from spyrium_log.store import files as real
from spyrium_log.store.files import Files
from tests.build import GAME, place, small_log
from tests.store.disk import ROOT, Disk

RAW = b"".join(small_log())


@pytest.fixture(params=["real", "memory"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Files, Path]:
    return (Files(), tmp_path) if request.param == "real" else (Disk(), ROOT)


def put(files: Files, path: Path, raw: bytes) -> int:
    file = files.open(path, "create")
    files.write(file, raw, 0)
    return file


def all_of(files: Files, path: Path) -> bytes:
    file = files.open(path, "read")
    parts = []
    while part := files.read(file, 3):
        parts.append(part)
    files.close(file)
    return b"".join(parts)


def test_written_is_read(both: tuple[Files, Path]) -> None:
    files, folder = both
    file = put(files, folder / "a", b"0123456789")
    files.write(file, b"xy", 3)
    files.write(file, b"end", 10)
    files.fsync(file)
    assert files.stamp(file).size == 13
    assert files.read_at(file, 4, 9) == b"9end"
    assert files.read_at(file, 99, 10) == b"end"
    files.truncate(file, 12)
    files.close(file)
    assert all_of(files, folder / "a") == b"012xy56789en"


def test_a_created_file_is_nobody_elses(both: tuple[Files, Path]) -> None:
    files, folder = both
    files.close(put(files, folder / "a", b"mine"))
    with pytest.raises(FileExistsError):
        files.open(folder / "a", "create")
    assert all_of(files, folder / "a") == b"mine"


def test_a_free_name_is_found(both: tuple[Files, Path]) -> None:
    files, folder = both
    names = []
    for _ in range(3):
        path, file = real.create_free(files, folder / "a")
        files.close(file)
        names.append(path.name)
    assert names == ["a", "a.2", "a.3"]


def test_what_is_not_there_is_not_opened(both: tuple[Files, Path]) -> None:
    files, folder = both
    with pytest.raises(FileNotFoundError):
        files.open(folder / "a", "read")
    with pytest.raises(FileNotFoundError):
        files.open(folder / "a", "write")
    assert not files.is_there(folder / "a")
    assert list(files.list_names(folder / "nowhere")) == []


def test_one_has_the_lock(both: tuple[Files, Path]) -> None:
    files, folder = both
    first = put(files, folder / "a", b"")
    second = files.open(folder / "a", "write")
    assert files.lock(first) is None
    assert isinstance(files.lock(second), int)
    files.close(first)
    assert files.lock(second) is None
    files.close(second)


def test_replacing_takes_the_name_over(both: tuple[Files, Path]) -> None:
    files, folder = both
    for name, raw in (("a", b"old"), ("new", b"new")):
        files.close(put(files, folder / name, raw))
    files.replace(folder / "new", folder / "a")
    assert list(files.list_names(folder)) == ["a"]
    assert all_of(files, folder / "a") == b"new"


def test_publishing_writes_over_nothing(both: tuple[Files, Path]) -> None:
    files, folder = both
    for name, raw in (("new", b"1"), ("newer", b"2")):
        files.close(put(files, folder / name, raw))
    files.publish(folder / "new", folder / "a")
    with pytest.raises(FileExistsError):
        files.publish(folder / "newer", folder / "a")
    files.sync_folder(folder)
    assert all_of(files, folder / "a") == b"1"
    assert sorted(files.list_names(folder)) == ["a", "newer"]
    files.remove(folder / "newer")
    assert sorted(files.list_names(folder)) == ["a"]


def test_a_file_knows_its_name(both: tuple[Files, Path]) -> None:
    files, folder = both
    file = put(files, folder / "a", b"")
    assert files.is_at(file, folder / "a")
    assert not files.is_at(file, folder / "b")
    files.remove(folder / "a")
    assert not files.is_at(file, folder / "a")
    files.close(put(files, folder / "a", b""))
    assert not files.is_at(file, folder / "a")
    files.close(file)


def test_folders_are_made(both: tuple[Files, Path]) -> None:
    files, folder = both
    assert not files.is_there(folder / "inside")
    files.make_folder(folder / "inside")
    assert files.is_there(folder / "inside")


# --- the real one --------------------------------------------------------------------------------


def test_a_short_write_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pwrite = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda file, data, at: pwrite(file, data[:7], at))
    files = Files()
    files.close(put(files, tmp_path / "a", RAW))
    assert (tmp_path / "a").read_bytes() == RAW


def test_a_write_of_nothing_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "pwrite", lambda *_: 0)
    with pytest.raises(OSError, match="Input/output error"):
        put(Files(), tmp_path / "a", RAW)


@pytest.mark.parametrize("code", [errno.EPERM, errno.EOPNOTSUPP])
def test_without_links_nothing_is_written_over_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def no_links(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    folder = Folder(tmp_path)
    path = folder.write_whole(RAW)
    assert path.read_bytes() == RAW
    with pytest.raises(StoreError, match="found one that is there already"):
        folder.write_whole(RAW)
    assert sorted(Files().list_names(tmp_path)) == [".gitattributes", f"{GAME}.jsonl"]


@pytest.mark.parametrize(("code", "is_error"), [(errno.EINVAL, False), (errno.EIO, True)])
def test_a_file_system_may_sync_no_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, *, is_error: bool
) -> None:
    def refuse(_file: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuse)
    if is_error:
        with pytest.raises(OSError, match="Input/output error"):
            Files().sync_folder(tmp_path)
    else:
        Files().sync_folder(tmp_path)


def test_logs_are_not_written_through_links(tmp_path: Path) -> None:
    target = Folder(tmp_path / "target").write_whole(RAW)
    folder = Folder(tmp_path)
    (tmp_path / f"{GAME}.jsonl").symlink_to(target)
    assert len(folder.read_log(GAME).lines) == 4
    with pytest.raises(StoreError, match="found a symbolic link"):
        folder.open_writer(GAME)


def test_a_pipe_is_no_log_to_write_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / f"{GAME}.jsonl")
    with pytest.raises(StoreError, match="found a pipe, no regular file"):
        Folder(tmp_path).open_writer(GAME)


def test_the_holder_may_be_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(tmp_path)
    folder.write_whole(RAW)

    def hidden(*_: object, **__: object) -> str:
        raise PermissionError

    with folder.open_writer(GAME):
        monkeypatch.setattr(Path, "read_text", hidden)
        with pytest.raises(LockedError, match="found another process writing"):
            folder.open_writer(GAME)


HOLDER = """
import sys
from pathlib import Path
from spyrium_log.store import Folder

with Folder(Path(sys.argv[1])).open_writer(sys.argv[2]):
    print("locked", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process that has the log open for writing."""
    Folder(tmp_path).write_whole(RAW)
    command = [sys.executable, "-c", HOLDER, str(tmp_path), GAME]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        yield other
        other.kill()


def test_another_process_keeps_us_out_by_name(tmp_path: Path, holder: "subprocess.Popen[str]") -> None:
    known = f"process {holder.pid}" if Path("/proc/locks").exists() else "another process"
    with pytest.raises(LockedError, match=f"found {known} writing, at .*{GAME}.jsonl"):
        Folder(tmp_path).open_writer(GAME)
    assert len(Folder(tmp_path).read_log(GAME).lines) == 4


def test_a_lock_dies_with_its_process(tmp_path: Path, holder: "subprocess.Popen[str]") -> None:
    holder.kill()
    holder.wait()
    with Folder(tmp_path).open_writer(GAME) as writer:
        writer.append(place(4))
    assert len(Folder(tmp_path).read_log(GAME).lines) == 5
