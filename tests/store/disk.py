"""A disk in memory that keeps two truths: what programs see, and what a power cut leaves. It fails on request."""

import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from spyrium_log.store.files import Files, Mode, Stamp

ROOT = Path("/archive")


@dataclass(slots=True)
class Inode:
    seen: bytearray = field(default_factory=bytearray)
    durable: bytearray = field(default_factory=bytearray)
    # What was done since the last fsync: (offset, bytes), or (size, None) for a truncation.
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)
    locked: bool = False
    when: int = 0

    def change(self, at: int, data: bytes | None) -> None:
        apply(self.seen, at, data)
        self.pending.append((at, data))


def apply(content: bytearray, at: int, data: bytes | None) -> None:
    if data is None:
        del content[at:]
    else:
        content.extend(bytes(max(0, at - len(content))))
        content[at : at + len(data)] = data


@dataclass(slots=True)
class Opened:
    path: Path
    inode: Inode
    at: int = 0
    has_lock: bool = False


class PowerCut(BaseException):
    """The machine went off; no handler of the program runs after this."""


class Disk(Files):
    """Files in memory. `calls` is what was asked; `fails` says at which call (from 0) what is raised instead."""

    def __init__(self) -> None:
        self.names_seen: dict[Path, Inode] = {}
        self.names_durable: dict[Path, Inode] = {}
        self.folders = {Path("/"), ROOT}
        self.opened: dict[int, Opened] = {}
        self.calls: list[tuple[str, str]] = []
        self.fails: dict[int, BaseException] = {}
        self.is_off = False
        self.clock = 0

    def asked(self, call: str, name: str) -> BaseException | None:
        if self.is_off:
            raise PowerCut
        error = self.fails.get(len(self.calls))
        self.calls.append((call, name))
        self.is_off = isinstance(error, PowerCut)
        return error

    def on(self, call: str, file: int) -> tuple[Opened, BaseException | None]:
        opened = self.opened[file]
        return opened, self.asked(call, opened.path.name)

    def after_power_cut(self, applied: int = 0) -> "Disk":
        """What is there when the machine comes back: what was synced, and the first `applied` other changes."""
        disk = Disk()
        for path, inode in self.names_durable.items():
            kept = bytearray(inode.durable)
            for at, data in inode.pending[:applied]:
                apply(kept, at, data)
            disk.names_seen[path] = disk.names_durable[path] = Inode(bytearray(kept), kept)
        return disk

    def restarted(self) -> "Disk":
        """The same disk for another process: its locks are gone, what is cached stays."""
        disk = Disk()
        disk.names_seen, disk.names_durable = self.names_seen, self.names_durable
        for inode in disk.names_seen.values():
            inode.locked = False
        return disk

    def put(self, path: Path, raw: bytes) -> None:
        inode = Inode(bytearray(raw), bytearray(raw))
        self.names_seen[path] = self.names_durable[path] = inode

    def raw(self, path: Path) -> bytes:
        return bytes(self.names_seen[path].seen)

    def edit(self, path: Path, at: int, data: bytes) -> None:
        """Somebody else writes into the file in place; without any bytes they only touch it."""
        self.clock += 1
        inode = self.names_seen[path]
        inode.when = self.clock
        inode.change(at, data)

    # --- Files -----------------------------------------------------------------------------------

    def open(self, path: Path, mode: Mode) -> int:
        stop(self.asked(f"open {mode}", path.name))
        if mode in {"create", "secret"}:
            if path in self.names_seen:
                refuse(errno.EEXIST)
            self.names_seen[path] = Inode()
        elif path not in self.names_seen:
            refuse(errno.ENOENT)
        file = 3 + len(self.calls)
        self.opened[file] = Opened(path, self.names_seen[path])
        return file

    def close(self, file: int) -> None:
        opened, error = self.on("close", file)
        del self.opened[file]
        if opened.has_lock:
            opened.inode.locked = False
        stop(error)

    def read(self, file: int, size: int) -> bytes:
        opened, error = self.on("read", file)
        stop(error)
        part = bytes(opened.inode.seen[opened.at : opened.at + size])
        opened.at += len(part)
        return part

    def read_at(self, file: int, size: int, at: int) -> bytes:
        opened, error = self.on("read_at", file)
        stop(error)
        return bytes(opened.inode.seen[at : at + size])

    def write(self, file: int, data: bytes, at: int) -> None:
        opened, error = self.on("write", file)
        self.clock += 1
        opened.inode.when = self.clock
        if error is not None:
            # As on a full disk: some of it is there.
            opened.inode.change(at, data[: len(data) // 2])
        stop(error)
        opened.inode.change(at, data)

    def truncate(self, file: int, size: int) -> None:
        opened, error = self.on("truncate", file)
        stop(error)
        opened.inode.change(size, None)

    def stamp(self, file: int) -> Stamp:
        opened, error = self.on("stamp", file)
        stop(error)
        return Stamp(len(opened.inode.seen), opened.inode.when, opened.inode.when)

    def is_lasting(self, file: int) -> bool:
        _, error = self.on("is_lasting", file)
        stop(error)
        return True

    def fsync(self, file: int) -> None:
        opened, error = self.on("fsync", file)
        inode = opened.inode
        if error is None:
            for at, data in inode.pending:
                apply(inode.durable, at, data)
        if not isinstance(error, PowerCut):
            # After a failed fsync the kernel takes the pages for clean: they are seen, and never written.
            inode.pending.clear()
        stop(error)

    def lock(self, file: int) -> int | None:
        opened, error = self.on("lock", file)
        stop(error)
        if opened.inode.locked:
            return 4711
        opened.inode.locked = opened.has_lock = True
        return None

    def is_at(self, file: int, path: Path) -> bool:
        opened, error = self.on("is_at", file)
        stop(error)
        return self.names_seen.get(path) is opened.inode

    def is_there(self, path: Path) -> bool:
        stop(self.asked("is_there", path.name))
        return path in self.folders or path in self.names_seen

    def last_written(self, path: Path) -> int | None:
        stop(self.asked("last_written", path.name))
        return self.names_seen[path].when if path in self.names_seen else None

    def list_names(self, folder: Path) -> Sequence[str]:
        stop(self.asked("names", folder.name))
        return [path.name for path in self.names_seen if path.parent == folder]

    def make_folder(self, path: Path) -> None:
        stop(self.asked("make_folder", path.name))
        self.folders.add(path)

    def sync_folder(self, path: Path) -> None:
        stop(self.asked("sync_folder", path.name))
        others = {name: inode for name, inode in self.names_durable.items() if name.parent != path}
        here = {name: inode for name, inode in self.names_seen.items() if name.parent == path}
        self.names_durable = {**others, **here}

    def publish(self, path: Path, name: Path) -> None:
        stop(self.asked("publish", name.name))
        if name in self.names_seen and self.names_seen[name] is not self.names_seen[path]:
            refuse(errno.EEXIST)
        self.names_seen[name] = self.names_seen.pop(path)

    def replace(self, path: Path, name: Path) -> None:
        stop(self.asked("replace", name.name))
        self.names_seen[name] = self.names_seen.pop(path)

    def remove(self, path: Path) -> None:
        stop(self.asked("remove", path.name))
        del self.names_seen[path]

    def remove_folder(self, path: Path) -> None:
        stop(self.asked("remove_folder", path.name))
        if any(name.parent == path for name in self.names_seen):
            refuse(errno.ENOTEMPTY)
        if path not in self.folders:
            refuse(errno.ENOENT)
        self.folders.remove(path)


def stop(error: BaseException | None) -> None:
    if error is not None:
        raise error


def refuse(code: int) -> NoReturn:
    raise OSError(code, os.strerror(code))


def failed(code: int = errno.EIO) -> OSError:
    return OSError(code, os.strerror(code))
