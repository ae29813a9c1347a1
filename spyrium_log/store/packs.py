"""Packs on the disk, plain and compressed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from spyrium_log.log.pack import Game, pack_games
from spyrium_log.store.files import DISK, Files, make_folders, reading_file, wrap_disk_errors, write_file
from spyrium_log.store.source import read_up_to, read_whole
from spyrium_log.store.zstd import MAGIC, compress

ZSTD_SUFFIX = ".zst"
# Of 10,000 games: 15 bytes an event at level 3, 6.2 at 15 in four times the time, 5.3 at 19 in thirty times.
LEVEL = 15
# What is gathered before it is written: a line at a time would be a call of the system for each.
CHUNK = 1 << 18
# How the first line of a pack begins, which is longer than a head.
_SHEET = b'{"kind":"sheet"'
# No part is larger than what a reader holds of a pack at a time.
MAX_PART = 1 << 26


def encode_pack(games: Iterable[Game], *, level: int | None = None) -> Iterator[bytes]:
    """The bytes of a pack; with a level, compressed. The games are taken one at a time."""
    parts: Iterable[bytes] = pack_games(games)
    return _join_small_parts(parts if level is None else compress(parts, level))


def _join_small_parts(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in parts of at least CHUNK, but the last, so that writing them takes fewer calls of the system."""
    waiting: list[bytes] = []
    size = 0
    for part in parts:
        waiting.append(part)
        size += len(part)
        if size >= CHUNK:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)


def is_packed(head: bytes) -> bool:
    """Whether a file that begins with these bytes may be a pack, or a log that was compressed."""
    return head.startswith((MAGIC, _SHEET))


class Parts:
    """A large file made part by part, so that an interrupted command can go on.

    The parts are files in a hidden folder beside the file, each whole or not there at all; `join` is the last step.
    Packs can be made so, because packs one after the other are a pack. `key` keeps the parts apart from those of other
    content for the same file.
    """

    def __init__(self, path: Path, key: str, files: Files = DISK) -> None:
        """The parts that are there already, if a command was interrupted; `path` is the file to be made of them."""
        self.path = path
        self.folder = path.with_name(f".{path.name}.{key}.parts")
        self._files = files

    def list_names(self) -> set[str]:
        """The names of the parts that are there, which need not be made again."""
        with wrap_disk_errors("list-parts", self.folder):
            return {name for name in self._files.list_names(self.folder) if name[0] != "."}

    def add(self, name: str, raw: bytes) -> None:
        """Add a part; one of the same name that is there already stays."""
        with wrap_disk_errors("write-part", self.folder):
            make_folders(self._files, self.folder)
            with suppress(FileExistsError):
                write_file(self._files, [raw], self.folder / name)

    def join(self, names: Sequence[str], *, over: bool = False) -> int:
        """Join the named parts in this order to the file, remove all parts, and return the number of bytes.

        `over`: replace a file that is there. Without it, one that is these parts already was left by an earlier call,
        interrupted while it removed them.
        """
        with wrap_disk_errors("write-file", self.path):
            make_folders(self._files, self.path.parent)
            try:
                size = write_file(self._files, self._read_parts(names), self.path, over=over)
            except FileExistsError:
                size = self._size_if_joined(names)
                if not size:
                    raise
            for name in self._files.list_names(self.folder):
                self._files.remove(self.folder / name)
            # without parts there is no folder
            with suppress(FileNotFoundError):
                self._files.remove_folder(self.folder)
        return size

    def _size_if_joined(self, names: Sequence[str]) -> int:
        """The size of the file, if it holds these parts and no more; else 0."""
        size = 0
        with reading_file(self._files, self.path, "write-file") as read:
            for part in self._read_parts(names):
                if read_up_to(read, len(part)) != part:
                    return 0
                size += len(part)
            return 0 if read(1) else size

    def _read_parts(self, names: Sequence[str]) -> Iterator[bytes]:
        """The bytes of these parts, one in memory at a time."""
        for name in names:
            yield read_whole(self.folder / name, MAX_PART, files=self._files)
