"""Packs on the disk, plain and compressed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from spyrium_log.errors import StoreError
from spyrium_log.log.pack import Game, pack_games, unpack
from spyrium_log.messages import store_message
from spyrium_log.store.files import DISK, Files, disk_errors, place, reading_file
from spyrium_log.store.zstd import MAGIC, compressed, plain_lines

ZSTD_SUFFIX = ".zst"
# Of 10,000 games: 15 bytes an event at level 3, 6.2 at 15 in four times the time, 5.3 at 19 in thirty times.
LEVEL = 15
LEVELS = range(1, 20)
# What is gathered before it is written: a line at a time would be a call of the system for each.
CHUNK = 1 << 18
# How the first line of a pack begins, which is longer than a head.
_SHEET = b'{"kind":"sheet"'


class Packed(NamedTuple):
    """What went into a pack."""

    games: int
    lines: int
    size: int


def write_pack(path: Path, games: Iterable[Game], *, level: int = LEVEL, files: Files = DISK) -> Packed:
    """Put games into a new file, all of them or none; compressed where the name ends in `.zst`.

    Never over another file. The games are taken one at a time.
    """
    if level not in LEVELS:
        raise StoreError(store_message("level", least=LEVELS[0], most=LEVELS[-1], found=level, place=str(path)))
    counted = _CountedGames(games)
    parts = packing(counted, level=level if path.name.endswith(ZSTD_SUFFIX) else None)
    with disk_errors("write-pack", path):
        size = place(files, parts, path)
    return Packed(counted.games, counted.lines, size)


def packing(games: Iterable[Game], *, level: int | None = None) -> Iterator[bytes]:
    """The bytes of a pack; with a level, compressed. The games are taken one at a time."""
    parts: Iterable[bytes] = pack_games(games)
    return _in_chunks(parts if level is None else compressed(parts, level))


class _CountedGames:
    """Games, counted as they are taken."""

    def __init__(self, games: Iterable[Game]) -> None:
        self._games = games
        self.games = 0
        self.lines = 0

    def __iter__(self) -> Iterator[Game]:
        for game in self._games:
            self.games += 1
            self.lines += game.log.count(b"\n")
            yield game


def _in_chunks(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in parts of at least CHUNK."""
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


def read_pack(path: Path, *, files: Files = DISK) -> Iterator[Game]:
    """The games of a pack, one at a time, each in its original bytes. It may be compressed, and it may be a pipe."""
    with reading_file(files, path, "read-pack", "stream") as read:
        yield from unpack(plain_lines(read, str(path)).lines, str(path))
