"""A large file made part by part, so that an interrupted command can go on.

The parts are files in a hidden folder beside the file, each whole or not there at all; the last step joins them. Packs
can be made so, because packs one after the other are a pack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from spyrium_log.store.files import DISK, Files, disk_errors, make_folders, place
from spyrium_log.store.source import read_up_to, read_whole

# No part is larger than what a reader holds of a pack at a time.
MAX_PART = 1 << 26


class Parts:
    """The parts of one file. `key` keeps them apart from the parts of other content for the same file."""

    def __init__(self, path: Path, key: str, files: Files = DISK) -> None:
        self.path = path
        self.folder = path.with_name(f".{path.name}.{key}.parts")
        self._files = files

    def names(self) -> set[str]:
        """The names of the parts that are there."""
        with disk_errors("list-parts", self.folder):
            return {name for name in self._files.names(self.folder) if name[0] != "."}

    def add(self, name: str, raw: bytes) -> None:
        """Add a part; one of the same name that is there already stays."""
        with disk_errors("write-part", self.folder):
            make_folders(self._files, self.folder)
            with suppress(FileExistsError):
                place(self._files, [raw], self.folder / name)

    def join(self, names: Sequence[str], *, over: bool = False) -> int:
        """Join the named parts in this order to the file, remove them, and return the number of bytes.

        Where the file is there already and is these parts, an earlier call was interrupted while it removed them.
        """
        with disk_errors("write-file", self.path):
            make_folders(self._files, self.path.parent)
            try:
                size = place(self._files, self._read_parts(names), self.path, over=over)
            except FileExistsError:
                size = self._size_if_joined(names)
                if not size:
                    raise
            for name in self._files.names(self.folder):
                self._files.remove(self.folder / name)
            # without parts there is no folder
            with suppress(FileNotFoundError):
                self._files.remove_folder(self.folder)
        return size

    def _size_if_joined(self, names: Sequence[str]) -> int:
        """The size of the file, if it is these parts; else 0."""
        size = 0
        file = self._files.open(self.path, "read")
        try:
            for part in self._read_parts(names):
                if read_up_to(partial(self._files.read, file), len(part)) != part:
                    return 0
                size += len(part)
            return 0 if self._files.read(file, 1) else size
        finally:
            self._files.close(file)

    def _read_parts(self, names: Sequence[str]) -> Iterator[bytes]:
        """The bytes of each part."""
        for name in names:
            yield read_whole(self.folder / name, MAX_PART, files=self._files)
