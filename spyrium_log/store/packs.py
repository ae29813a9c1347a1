"""Packs on the disk, plain and compressed, and the one way to read whatever holds games: a file, a folder, a pack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple, NoReturn

import msgspec

from spyrium_log.errors import SpyriumLogError, StoreError
from spyrium_log.log.codec import MAX_LINE, Log, Readline
from spyrium_log.log.lines import GameId
from spyrium_log.log.notes import Sidecar
from spyrium_log.log.pack import Game, is_pack, packed, unpack
from spyrium_log.store.files import DISK, Files, place, worded
from spyrium_log.store.folder import NOTES_SUFFIX, SUFFIX
from spyrium_log.store.sidecar import read_notes, read_notes_stream
from spyrium_log.store.source import Lines, lines_of, read_bytes, read_stream
from spyrium_log.store.zstd import MAGIC, compressed, decompressed
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES

ZSTD_SUFFIX = ".zst"
# Of 10,000 games: 15 bytes an event at level 3, 6.2 at 15 in four times the time, 5.3 at 19 in thirty times.
LEVEL = 15
LEVELS = range(1, 20)
# What is gathered before it is written: a line at a time would be a call of the system for each.
CHUNK = 1 << 18


class Packed(NamedTuple):
    """What went into a pack."""

    games: int
    lines: int
    size: int


class Found(NamedTuple):
    """One game somewhere: what it is called there, and how to read its log and the notes on it.

    What cannot be read raises when it is asked for, so that one bad game hides no other.
    """

    name: str
    log: Callable[[], Log]
    notes: Callable[[], Sidecar]


def write_pack(path: Path, games: Iterable[Game], *, level: int = LEVEL, files: Files = DISK) -> Packed:
    """Put games into a new file, all of them or none; compressed where the name ends in `.zst`.

    Never over another file. The games are taken one at a time.
    """
    if level not in LEVELS:
        raise StoreError(f"expected a level from {LEVELS[0]} to {LEVELS[-1]}, found {level}, at {path}")
    counted = _Counted(games)
    parts: Iterator[bytes] = packed(counted)
    if path.name.endswith(ZSTD_SUFFIX):
        parts = compressed(parts, level)
    with worded("to write a pack", path):
        size = place(files, _gathered(parts), path)
    return Packed(counted.games, counted.lines, size)


class _Counted:
    """Games on their way, and how many they were."""

    def __init__(self, games: Iterable[Game]) -> None:
        self._games = games
        self.games = 0
        self.lines = 0

    def __iter__(self) -> Iterator[Game]:
        for game in self._games:
            self.games += 1
            self.lines += game.log.count(b"\n")
            yield game


def _gathered(parts: Iterable[bytes]) -> Iterator[bytes]:
    held: list[bytes] = []
    size = 0
    for part in parts:
        held.append(part)
        size += len(part)
        if size >= CHUNK:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held)


def read_pack(path: Path, *, files: Files = DISK) -> Iterator[Game]:
    """The games of a pack, one at a time, each in its original bytes; compressed or not, its first bytes say."""
    with worded("to read a pack", path):
        file = files.open(path, "read")
        try:
            yield from unpack(_plain(lambda size: files.read(file, size), str(path)), str(path))
        finally:
            files.close(file)


# --- whatever holds games ------------------------------------------------------------------------


def games_at(path: Path, *, titles: Mapping[str, AnyTitle] = TITLES, files: Files = DISK) -> Iterator[Found]:
    """Every game of a file, a folder or a pack. It never raises: what cannot be read is a game that does."""
    try:
        with worded("to read a log", path):
            file = files.open(path, "read")
    except StoreError as error:
        if isinstance(error.__cause__, IsADirectoryError):
            yield from _in_folder(path, titles, files)
        else:
            yield _unreadable(str(path), error)
        return
    try:
        notes = partial(read_notes, path.with_name(path.name.removesuffix(SUFFIX) + NOTES_SUFFIX), files=files)
        yield from games_in(lambda size: files.read(file, size), str(path), titles=titles, notes=notes)
    finally:
        files.close(file)


def games_in(
    read: Callable[[int], bytes],
    name: str,
    *,
    titles: Mapping[str, AnyTitle] = TITLES,
    notes: Callable[[], Sidecar] | None = None,
) -> Iterator[Found]:
    """Every game in a stream of bytes: of one log, or of a pack. `notes`: where those on the one log are."""
    try:
        with worded("to read a log", name):
            lines = _plain(read, name)
            first = lines.readline(MAX_LINE + 1)
    except SpyriumLogError as error:
        yield _unreadable(name, error)
        return
    stream = _Again(first, lines)
    if is_pack(first):
        yield from _in_pack(stream, name, titles)
    else:
        try:
            log = read_stream(stream, name, titles=titles)
        except SpyriumLogError as error:
            yield _unreadable(name, error)
        else:
            yield Found(name, lambda: log, notes or partial(Sidecar, name))


def _in_folder(path: Path, titles: Mapping[str, AnyTitle], files: Files) -> Iterator[Found]:
    try:
        with worded("to list logs", path):
            names = sorted(files.names(path))
    except StoreError as error:
        yield _unreadable(str(path), error)
        return
    for name in names:
        is_log = name.removesuffix(ZSTD_SUFFIX).endswith(SUFFIX) and not name.endswith(NOTES_SUFFIX)
        if is_log and name[0] != ".":
            yield from games_at(path / name, titles=titles, files=files)


def _in_pack(stream: Readline, name: str, titles: Mapping[str, AnyTitle]) -> Iterator[Found]:
    try:
        with worded("to read a pack", name):
            for nth, game in enumerate(unpack(stream, name), 1):
                named = f"{name}:{_id_of(game, nth)}"
                log = partial(read_bytes, game.log, named, titles=titles)
                yield Found(named, log, partial(read_notes_stream, lines_of(game.notes), f"{named} notes"))
    except SpyriumLogError as error:
        yield _unreadable(name, error)


def _unreadable(name: str, error: SpyriumLogError) -> Found:
    def raises() -> NoReturn:
        raise error

    return Found(name, raises, raises)


class _Id(msgspec.Struct):
    game: GameId


_id = msgspec.json.Decoder(_Id)


def _id_of(game: Game, nth: int) -> str:
    """What a game of a pack is called: the id that its header says, or its place where that says none."""
    try:
        return _id.decode(game.log.partition(b"\n")[0]).game
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return f"#{nth}"


def _plain(read: Callable[[int], bytes], name: str) -> Lines:
    """Lines of a stream that may be compressed."""
    begun = b""
    while len(begun) < len(MAGIC) and (part := read(len(MAGIC) - len(begun))):
        begun += part
    rest = _Begun(begun, read)
    return Lines(decompressed(rest.read, name) if begun == MAGIC else rest.read)


class _Begun:
    """A stream of which the first bytes have been looked at."""

    __slots__ = ("_begun", "_read")

    def __init__(self, begun: bytes, read: Callable[[int], bytes]) -> None:
        self._begun = begun
        self._read = read

    def read(self, size: int) -> bytes:
        if not self._begun:
            return self._read(size)
        part, self._begun = self._begun[:size], self._begun[size:]
        return part


class _Again:
    """Lines of which the first has been looked at."""

    __slots__ = ("_first", "_rest")

    def __init__(self, first: bytes, rest: Readline) -> None:
        self._first = first
        self._rest = rest

    def readline(self, limit: int, /) -> bytes:
        if not self._first:
            return self._rest.readline(limit)
        part, self._first = self._first[:limit], self._first[limit:]
        return part
