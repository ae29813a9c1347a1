"""The only module that touches the disk.

Durability depends on the order of the calls, which callers choose: `write` reaches the page cache, `fsync` the disk,
and a new name (`open` to create, `publish`, `remove`, `make_folder`) lasts after `sync_folder`.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from spyrium_log.errors import StoreError
from spyrium_log.messages import Message, store_message

# read: a regular file, as found in a folder. stream: anything that a person named, pipes too. write: a regular file
# that exists. create: a new file. secret: the same, which only its owner may read.
Mode: TypeAlias = Literal["read", "stream", "write", "create", "secret"]

# Without O_NONBLOCK, opening a pipe that nobody writes to waits for ever. For a regular file it changes nothing.
_OPEN_FLAGS = {
    "read": os.O_RDONLY | os.O_NONBLOCK,
    "stream": os.O_RDONLY,
    "write": os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK,
    "create": os.O_RDWR | os.O_NOFOLLOW | os.O_CREAT | os.O_EXCL,
    "secret": os.O_RDWR | os.O_NOFOLLOW | os.O_CREAT | os.O_EXCL,
}
# Errors of file systems without hard links.
_WITHOUT_HARD_LINKS = {errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK}
# Errors of file systems that cannot sync folders.
_WITHOUT_FOLDER_SYNC = {errno.EBADF, errno.EINVAL}

# Reasons that the messages of the store word.
_REASON_KEYS = {
    errno.ENOSPC: "no-space",
    errno.EDQUOT: "quota",
    errno.EFBIG: "largest-file",
    errno.EIO: "disk-failed",
    errno.EROFS: "read-only-disk",
    errno.EACCES: "no-permission",
    errno.EPERM: "no-permission",
    errno.ENOENT: "no-file",
    errno.ENOTDIR: "no-folder",
    errno.EISDIR: "folder",
    errno.EEXIST: "there-already",
    errno.ELOOP: "symbolic-link",
    errno.ENXIO: "device",
    errno.ENOLCK: "no-locks",
}


class Stamp(NamedTuple):
    """What the disk says of an open file without reading it: its size, and the times (ns) of its last changes.

    `changed` follows every change, also one that sets `modified` back, and changes of the name or the permissions.
    """

    size: int
    modified: int
    changed: int


# What else may have the name of a file.
_KIND_NAMES = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class Files:
    """The calls that logs need of a disk (POSIX). Each may raise OSError, and then has done all, some or nothing."""

    def open(self, path: Path, mode: Mode) -> int:
        """Open a file and return its number; OSError where the name is that of anything else than the mode takes."""
        # a new file is its owner's alone, or everybody's as far as the umask allows
        permissions = 0o600 if mode == "secret" else 0o666
        file = os.open(path, _OPEN_FLAGS[mode] | os.O_CLOEXEC, permissions)
        # of the open file, because the name may belong to another one by now
        kind = stat.S_IFMT(os.fstat(file).st_mode)
        if kind == stat.S_IFDIR or (mode != "stream" and kind != stat.S_IFREG):
            os.close(file)
            name = _KIND_NAMES.get(kind, "something else")
            code = errno.EISDIR if kind == stat.S_IFDIR else errno.EINVAL
            raise OSError(code, f"{name}, no regular file", str(path))
        return file

    def close(self, file: int) -> None:
        """Close the file, which also lets go of its lock."""
        os.close(file)

    def read(self, file: int, size: int) -> bytes:
        """Read the next bytes, at most `size`; none at the end."""
        return os.read(file, size)

    def read_at(self, file: int, size: int, at: int) -> bytes:
        """Read bytes from this offset on, fewer only where the file ends."""
        parts = []
        while size and (part := os.pread(file, size, at)):
            parts.append(part)
            size -= len(part)
            at += len(part)
        return b"".join(parts)

    def write(self, file: int, data: bytes, at: int) -> None:
        """Write all of the bytes, from this offset on."""
        left = memoryview(data)
        while left:
            written = os.pwrite(file, left, at)
            if not written:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            left = left[written:]
            at += written

    def truncate(self, file: int, size: int) -> None:
        """Cut off all bytes beyond this size."""
        os.ftruncate(file, size)

    def stamp(self, file: int) -> Stamp:
        """What shows whether somebody else has written to the open file since."""
        status = os.fstat(file)
        return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)

    def is_lasting(self, file: int) -> bool:
        """Whether the file can be read again, unlike a pipe."""
        return stat.S_ISREG(os.fstat(file).st_mode)

    def fsync(self, file: int) -> None:
        """Put bytes and size on the disk. After an error nobody knows what is there, and a second try is no proof."""
        if sys.platform == "darwin":
            # on macOS, fsync stops at the drive's cache
            fcntl.fcntl(file, fcntl.F_FULLFSYNC)
        else:
            os.fsync(file)

    def lock(self, file: int) -> int | None:
        """Lock the file and return None; or, without waiting, the process that has the lock (0: unknown)."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return _find_lock_holder(os.fstat(file))
        return None

    def is_at(self, file: int, path: Path) -> bool:
        """Whether the open file still has that name."""
        try:
            return os.path.samestat(path.lstat(), os.fstat(file))
        except FileNotFoundError:
            return False

    def is_there(self, path: Path) -> bool:
        """Whether anything has this name; not a symbolic link to nothing."""
        return _stat_if_any(path) is not None

    def last_written(self, path: Path) -> int | None:
        """When a regular file was last written, in nanoseconds; None where there is none of this name."""
        status = _stat_if_any(path)
        return status.st_mtime_ns if status is not None and stat.S_ISREG(status.st_mode) else None

    def list_names(self, folder: Path) -> Sequence[str]:
        """The names in a folder, in any order; none where there is no folder."""
        try:
            return [path.name for path in folder.iterdir()]
        except FileNotFoundError:
            return ()

    def make_folder(self, path: Path) -> None:
        """Make one folder; FileExistsError where the name is taken."""
        path.mkdir()

    def sync_folder(self, path: Path) -> None:
        """Put the names in a folder on the disk; file systems that cannot do that keep them without being asked."""
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        except OSError as error:
            if error.errno not in _WITHOUT_FOLDER_SYNC:
                raise
        finally:
            os.close(folder)

    def publish(self, path: Path, name: Path) -> None:
        """Rename a file in one step, unlike a rename never over another file: then FileExistsError.

        If the process dies in the middle, the file may have both names; publishing again removes the first.
        """
        # a hard link to a name that is taken is refused
        try:
            name.hardlink_to(path)
        except FileExistsError:
            if not os.path.samestat(path.lstat(), name.lstat()):
                raise
        except OSError as error:
            if error.errno not in _WITHOUT_HARD_LINKS:
                raise
            if os.path.lexists(name):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(name)) from None
            path.rename(name)
            return
        path.unlink()

    def replace(self, path: Path, name: Path) -> None:
        """Rename a file over another one in one step: whoever opens the name gets either the old or the new file."""
        path.replace(name)

    def remove(self, path: Path) -> None:
        """Remove the name of a file; whoever has the file open can go on using it."""
        path.unlink()

    def remove_folder(self, path: Path) -> None:
        """Remove an empty folder."""
        path.rmdir()


DISK = Files()


def _stat_if_any(path: Path) -> os.stat_result | None:
    """What the disk says of a file, of a symbolic link's target; None where there is none."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _find_lock_holder(status: os.stat_result) -> int:
    """The process that holds the lock of a file, where the system lists its locks (Linux); else 0."""
    locked_file = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    try:
        rows = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    for row in rows:
        # `1: FLOCK ADVISORY WRITE 714 08:01:1042 0 EOF`; what waits for a lock has an arrow before FLOCK
        _, kind, _, _, process, file, *_ = row.split()
        if kind == "FLOCK" and file == locked_file:
            # below zero where the system does not say
            return max(0, int(process))
    return 0


def create_free(files: Files, path: Path, mode: Mode = "create") -> tuple[Path, int]:
    """Create a file of this name, or of the first numbered one that is free; returns its path and the open file."""
    free = path
    # the name without a number is the first
    number = 1
    while True:
        try:
            return free, files.open(free, mode)
        except FileExistsError:
            number += 1
            free = path.with_name(f"{path.name}.{number}")


def make_folders(files: Files, folder: Path) -> None:
    """Make a folder and those above it, where they are missing; each name is on the disk before the next is made."""
    if not files.is_there(folder):
        make_folders(files, folder.parent)
        with suppress(FileExistsError):
            files.make_folder(folder)
        files.sync_folder(folder.parent)


def write_file(files: Files, parts: Iterable[bytes], path: Path, mode: Mode = "create", *, over: bool = False) -> int:
    """Write a whole file beside its place, sync it, and only then give it its name. Return the number of bytes.

    Nobody ever sees half of it. `over`: replace another file of that name, instead of FileExistsError.
    """
    beside, file = create_free(files, path.with_name(f".{path.name}.new"), mode)
    size = 0
    try:
        try:
            for part in parts:
                files.write(file, part, size)
                size += len(part)
            files.fsync(file)
        finally:
            files.close(file)
        give_name = files.replace if over else files.publish
        give_name(beside, path)
    except BaseException:
        with suppress(OSError):
            files.remove(beside)
        raise
    files.sync_folder(path.parent)
    return size


@contextmanager
def wrap_disk_errors(task: str, place: Path | str) -> Iterator[None]:
    """Raise a StoreError for an OSError in the block: `task` was to be done (a key of the store's messages), where."""
    try:
        yield
    except OSError as error:
        task_message = store_message(task)
        raise StoreError("refused", task=task_message, reason=refusal_reason(error), place=str(place)) from error


@contextmanager
def reading_file(
    files: Files, path: Path, task: str, mode: Mode = "read", *, missing_ok: bool = False
) -> Iterator[Callable[[int], bytes]]:
    """For the block the `read` of a file, of an empty one if it is `missing_ok`; StoreError where the disk refuses."""
    with wrap_disk_errors(task, path):
        try:
            file = files.open(path, mode)
        except FileNotFoundError:
            if not missing_ok:
                raise
            yield lambda _: b""
            return
        try:
            yield lambda size: files.read(file, size)
        finally:
            files.close(file)


def refusal_reason(error: OSError) -> Message | str:
    """Why the disk refused: a message of the store, or the words of the system for an error it has no message for."""
    key = _REASON_KEYS.get(error.errno or 0)
    return store_message(key) if key else (error.strerror or str(error)).lower()
