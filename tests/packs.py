"""Packs on a disk, written whole and read as a stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from spyrium_log.log.pack import Game, unpack
from spyrium_log.store import DISK, LEVEL, Files, encode_pack
from spyrium_log.store.files import reading_file, wrap_disk_errors, write_file
from spyrium_log.store.zstd import open_lines


def write_pack(path: Path, games: Iterable[Game], *, level: int = LEVEL, files: Files = DISK) -> int:
    """Put games into a new file, compressed where its name ends in `.zst`; return its size."""
    parts = encode_pack(games, level=level if path.name.endswith(".zst") else None)
    with wrap_disk_errors("write-file", path):
        return write_file(files, parts, path)


def read_pack(path: Path, *, files: Files = DISK) -> Iterator[Game]:
    """The games of a pack, one at a time."""
    with reading_file(files, path, "read-pack", "stream") as read:
        yield from unpack(open_lines(read, str(path))[0], str(path))
