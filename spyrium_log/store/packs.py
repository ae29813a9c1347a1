"""Packs on the disk, plain and compressed, and the one way to read whatever holds games: a file, a folder, a pack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple, NoReturn

from spyrium_log.errors import SpyriumLogError, StoreError
from spyrium_log.log.codec import MAX_LINE, MAX_LINES, MAX_LOG, LineStream, Log
from spyrium_log.log.notes import Sidecar
from spyrium_log.log.pack import MAX_GAME, Game, is_pack, packed, unpack
from spyrium_log.store.files import DISK, Files, place, worded
from spyrium_log.store.folder import NOTES_SUFFIX, SUFFIX
from spyrium_log.store.sidecar import read_notes, read_notes_stream
from spyrium_log.store.source import Lines, id_of, lines_of, read_bytes, read_stream, up_to
from spyrium_log.store.zstd import MAGIC, compressed, decompressed
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES

ZSTD_SUFFIX = ".zst"
# Of 10,000 games: 15 bytes an event at level 3, 6.2 at 15 in four times the time, 5.3 at 19 in thirty times.
LEVEL = 15
LEVELS = range(1, 20)
# What is gathered before it is written: a line at a time would be a call of the system for each.
CHUNK = 1 << 18
# Between the name of what holds games and the id of one of them.
IN = "#"
# How the first line of a pack begins, which is longer than a head.
_SHEET = b'{"kind":"sheet"'
# How a log begins.
_HEADER = b'{"kind":"header","n":0,'


class Packed(NamedTuple):
    """What went into a pack."""

    games: int
    lines: int
    size: int


class Found(NamedTuple):
    """One game somewhere: what it is called there, how to read its log and the notes on it, and the bytes of both.

    What cannot be read raises when it is asked for, so that one bad game hides no other. `game`: the id that its first
    line says, if that can be read. `path`: the file that holds nothing but this log, as it is, where there is one.
    """

    name: str
    log: Callable[[], Log]
    notes: Callable[[], Sidecar]
    raw: Callable[[], Game]
    game: str = ""
    path: Path | None = None


class Beside(NamedTuple):
    """One log's own file, how to read the log and its bytes out of it, and the notes on it, read and as bytes.

    `log` is None where a file can be read but once, as a pipe.
    """

    path: Path
    log: Callable[[], tuple[Log, bytes]] | None
    whole: Callable[[], bytes]
    notes: Callable[[], Sidecar]
    raw: Callable[[], bytes]


def write_pack(path: Path, games: Iterable[Game], *, level: int = LEVEL, files: Files = DISK) -> Packed:
    """Put games into a new file, all of them or none; compressed where the name ends in `.zst`.

    Never over another file. The games are taken one at a time.
    """
    if level not in LEVELS:
        raise StoreError(f"expected a level from {LEVELS[0]} to {LEVELS[-1]}, found {level}, at {path}")
    counted = _Counted(games)
    parts = packing(counted, level=level if path.name.endswith(ZSTD_SUFFIX) else None)
    with worded("to write a pack", path):
        size = place(files, parts, path)
    return Packed(counted.games, counted.lines, size)


def packing(games: Iterable[Game], *, level: int | None = None) -> Iterator[bytes]:
    """The bytes of a pack, for wherever they go; with a level, compressed. The games are taken one at a time."""
    parts: Iterable[bytes] = packed(games)
    return _gathered(parts if level is None else compressed(parts, level))


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


def is_packed(head: bytes) -> bool:
    """Whether a file that begins with these bytes may be a pack, or a log that was compressed."""
    return head.startswith((MAGIC, _SHEET))


def read_pack(path: Path, *, files: Files = DISK) -> Iterator[Game]:
    """The games of a pack, one at a time, each in its original bytes; compressed or not, its first bytes say.

    Whoever calls it names the file, so that it may be a pipe.
    """
    with worded("to read a pack", path):
        file = files.open(path, "stream")
        try:
            yield from unpack(_plain(lambda size: files.read(file, size), str(path)).lines, str(path))
        finally:
            files.close(file)


# --- whatever holds games ------------------------------------------------------------------------


def games_at(
    path: Path,
    *,
    begins: str = "",
    is_named: bool = False,
    titles: Mapping[str, AnyTitle] = TITLES,
    files: Files = DISK,
) -> Iterator[Found]:
    """Every game of a file, a folder or a pack. It never raises: what cannot be read is a game that does.

    `begins`: only those whose id begins so, and what cannot be read, for nobody knows whose it is.
    `is_named`: a person named it, so that it may be a pipe.
    """
    try:
        with worded("to read a log", path):
            file = files.open(path, "stream" if is_named else "read")
    except StoreError as error:
        if isinstance(error.__cause__, IsADirectoryError):
            yield from _in_folder(path, begins, titles, files)
        else:
            yield _unreadable(str(path), error)
        return
    yield from _in_file(file, path, begins, titles, files)


def _in_file(file: int, path: Path, begins: str, titles: Mapping[str, AnyTitle], files: Files) -> Iterator[Found]:
    """Every game of an open file, which is closed behind them."""
    try:
        path_of_notes = path.with_name(path.name.removesuffix(SUFFIX) + NOTES_SUFFIX)
        beside = Beside(
            path,
            cache(partial(_log_of, path, titles, files)) if files.is_lasting(file) else None,
            partial(_bytes_of, path, files),
            partial(read_notes, path_of_notes, files=files),
            partial(_bytes_of, path_of_notes, files),
        )
        yield from games_in(lambda size: files.read(file, size), str(path), begins=begins, titles=titles, beside=beside)
    finally:
        files.close(file)


def games_in(
    read: Callable[[int], bytes],
    name: str,
    *,
    begins: str = "",
    titles: Mapping[str, AnyTitle] = TITLES,
    beside: Beside | None = None,
) -> Iterator[Found]:
    """Every game in a stream of bytes: of a log, of logs in a row as `cat` hands them on, or of a pack.

    `beside`: where the one log and its notes lie; a file holds no other.
    """
    try:
        with worded("to read a log", name):
            plain = _plain(read, name)
            first = plain.lines.readline(MAX_LINE + 1)
    except SpyriumLogError as error:
        yield _unreadable(name, error)
        return
    stream = _Again(first, plain.lines)
    if is_pack(first):
        yield from _in_pack(stream, name, begins, titles)
        return
    game = id_of(first)
    if beside is None:
        yield from _in_a_row(plain.lines, first, name, begins, titles)
        return
    if game and not game.startswith(begins):
        return
    if beside.log is not None and not plain.is_compressed:
        known, whole = beside.log, beside.whole
        yield Found(
            name, lambda: known()[0], beside.notes, lambda: Game(known()[1] or whole(), beside.raw()), game, beside.path
        )
        return
    kept = _Kept(stream)
    try:
        log = read_stream(kept, name, titles=titles)
    except SpyriumLogError as error:
        yield _unreadable(name, error)
        return
    yield Found(name, lambda: log, beside.notes, lambda: Game(kept.whole(), beside.raw()), game)


def _in_a_row(
    lines: LineStream, first: bytes, name: str, begins: str, titles: Mapping[str, AnyTitle]
) -> Iterator[Found]:
    """Each log of a stream. It is read to its end before the next one, and kept, for a stream comes by but once."""
    row = _Row(lines, first)
    named = name
    # nothing at all is one game that cannot be read
    while named == name or row.first:
        game = id_of(row.first)
        kept = _Kept(row.one())
        if not game or game.startswith(begins):
            yield _streamed(kept, named, game, titles)
        kept.whole()
        named = f"{name}{IN}{id_of(row.first) or 'next'}"


def _streamed(kept: _Kept, name: str, game: str, titles: Mapping[str, AnyTitle]) -> Found:
    try:
        log = read_stream(kept, name, titles=titles)
    except SpyriumLogError as error:
        return _unreadable(name, error)
    return Found(name, lambda: log, partial(Sidecar, name), lambda: Game(kept.whole()), game)


def _log_of(path: Path, titles: Mapping[str, AnyTitle], files: Files) -> tuple[Log, bytes]:
    """A log and the bytes that it was read from, whatever is written behind them meanwhile.

    Of a damaged log no more is read than its damage takes, and its bytes are b"".
    """
    with worded("to read a log", path):
        file = files.open(path, "read")
        try:
            kept = _Kept(Lines(lambda size: files.read(file, size)))
            log = read_stream(kept, str(path), titles=titles)
            return log, kept.whole() if log.complaint is None else b""
        finally:
            files.close(file)


def _bytes_of(path: Path, files: Files) -> bytes:
    """The bytes of a log or of notes, none where there is no such file."""
    with worded("to read a file", path):
        if files.modified(path) is None:
            return b""
        file = files.open(path, "read")
        try:
            raw = up_to(lambda size: files.read(file, size), MAX_GAME + 1)
        finally:
            files.close(file)
    if len(raw) > MAX_GAME:
        raise StoreError(f"expected a log or notes of at most {MAX_GAME} bytes, found more, at {path}")
    return raw


def _in_folder(path: Path, begins: str, titles: Mapping[str, AnyTitle], files: Files) -> Iterator[Found]:
    try:
        with worded("to list logs", path):
            names = sorted(files.names(path))
    except StoreError as error:
        yield _unreadable(str(path), error)
        return
    for name in names:
        is_log = name.removesuffix(ZSTD_SUFFIX).endswith(SUFFIX) and not name.endswith(NOTES_SUFFIX)
        if is_log and name[0] != ".":
            yield from _of_folder(path / name, begins, titles, files)


def _of_folder(path: Path, begins: str, titles: Mapping[str, AnyTitle], files: Files) -> Iterator[Found]:
    """Every game of one file of a folder. A folder in it that is called like a log is one that cannot be read."""
    try:
        with worded("to read a log", path):
            file = files.open(path, "read")
    except StoreError as error:
        yield _unreadable(str(path), error)
        return
    yield from _in_file(file, path, begins, titles, files)


def _in_pack(stream: LineStream, name: str, begins: str, titles: Mapping[str, AnyTitle]) -> Iterator[Found]:
    try:
        with worded("to read a pack", name):
            for nth, game in enumerate(unpack(stream, name), 1):
                id_ = id_of(game.log.partition(b"\n")[0])
                if id_ and not id_.startswith(begins):
                    continue
                named = f"{name}{IN}{id_ or nth}"
                log = partial(read_bytes, game.log, named, titles=titles)
                notes = partial(_notes_in, game.notes, f"{named} notes")
                yield Found(named, log, notes, partial(_same, game), id_)
    except SpyriumLogError as error:
        yield _unreadable(name, error)


def _unreadable(name: str, error: SpyriumLogError) -> Found:
    def raises() -> NoReturn:
        raise error

    return Found(name, raises, raises, raises)


def _notes_in(raw: bytes, name: str) -> Sidecar:
    return read_notes_stream(lines_of(raw), name)


def _same(game: Game) -> Game:
    return game


class _Plain(NamedTuple):
    """Lines of a stream that may have been compressed."""

    lines: Lines
    is_compressed: bool


def _plain(read: Callable[[int], bytes], name: str) -> _Plain:
    begun = b""
    while len(begun) < len(MAGIC) and (part := read(len(MAGIC) - len(begun))):
        begun += part
    rest = _Begun(begun, read)
    is_compressed = begun == MAGIC
    return _Plain(Lines(decompressed(rest.read, name) if is_compressed else rest.read), is_compressed)


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

    def __init__(self, first: bytes, rest: LineStream) -> None:
        self._first = first
        self._rest = rest

    def readline(self, limit: int, /) -> bytes:
        if not self._first:
            return self._rest.readline(limit)
        part, self._first = self._first[:limit], self._first[limit:]
        return part


class _Row:
    """Logs in a row. `first` is the line that the next one begins with, nothing behind the last."""

    __slots__ = ("_lines", "first")

    def __init__(self, lines: LineStream, first: bytes) -> None:
        self._lines = lines
        self.first = first

    def one(self) -> _One:
        """The next of them, up to the header behind it."""
        first, self.first = self.first, b""
        return _One(self, _Again(first, self._lines))

    def found(self, header: bytes) -> None:
        """The next one begins here; whoever reads by small pieces may have seen no more than a part of the line."""
        self.first = header if header.endswith(b"\n") else header + self._lines.readline(MAX_LINE + 1)


class _One:
    """The lines of one log in a row."""

    __slots__ = ("_is_over", "_lines", "_row", "_was")

    def __init__(self, row: _Row, lines: LineStream) -> None:
        self._row = row
        self._lines = lines
        self._was = b""
        self._is_over = False

    def readline(self, limit: int, /) -> bytes:
        if self._is_over:
            return b""
        line = self._lines.readline(limit)
        if self._was.endswith(b"\n") and line.startswith(_HEADER):
            self._is_over = True
            self._row.found(line)
            return b""
        self._was = line
        return line


class _Kept:
    """The lines of one log, whose bytes are kept: in one buffer, because a list costs more an entry than a line does.

    Nobody reads it further than a log may be long, in bytes or in lines.
    """

    __slots__ = ("_is_over", "_left", "_lines", "_raw")

    def __init__(self, lines: LineStream) -> None:
        self._lines = lines
        self._raw = bytearray()
        # with the line that is one too many
        self._left = MAX_LINES + 1
        self._is_over = False

    def readline(self, limit: int, /) -> bytes:
        line = b"" if self._is_over else self._lines.readline(limit)
        self._raw += line
        self._left -= 1
        # what was read to its end may be closed
        self._is_over = not line or not self._left or len(self._raw) > MAX_LOG
        return line

    def whole(self) -> bytes:
        """All that there is, read or not, as far as a log may be long."""
        while self.readline(MAX_LINE):
            pass
        return bytes(self._raw)
