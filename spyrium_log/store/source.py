"""Where the lines of a log come from: a file, a stream, or bytes in hand. Nothing here is read further than needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from spyrium_log.checks import check_type
from spyrium_log.errors import StoreError
from spyrium_log.log import chain, codec
from spyrium_log.log.codec import LineStream, Log
from spyrium_log.log.damage import MAX_TAIL, assess
from spyrium_log.log.lines import GameId
from spyrium_log.store.files import DISK, Files, worded
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES

CHUNK = 1 << 16


class Lines:
    """A stream of lines from a stream of bytes. It holds no more than one line and one chunk."""

    __slots__ = ("_at", "_held", "_read")

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._held = b""
        self._at = 0

    def readline(self, limit: int, /) -> bytes:
        end = self._held.find(b"\n", self._at, self._at + limit) + 1 or self._filled(limit)
        line = self._held[self._at : end]
        self._at = end
        return line

    def _filled(self, limit: int) -> int:
        """Hold the next line, or as much of it as may be read; answer where it ends."""
        parts = [self._held[self._at :]]
        size = len(parts[0])
        while size < limit and b"\n" not in parts[-1] and (chunk := self._read(CHUNK)):
            parts.append(chunk)
            size += len(chunk)
        self._held = b"".join(parts)
        self._at = 0
        return self._held.find(b"\n", 0, limit) + 1 or min(limit, size)


class Remembering:
    """Lines, and the last one again: where it is a bad one, the tail of the log begins with it."""

    __slots__ = ("_lines", "last")

    def __init__(self, lines: LineStream) -> None:
        self._lines = lines
        self.last = b""

    def readline(self, limit: int, /) -> bytes:
        self.last = self._lines.readline(limit)
        return self.last

    def tail(self) -> bytes:
        """From the last line on, as much as one append can leave behind, and a byte to tell whether there is more."""
        parts = [self.last]
        size = len(self.last)
        while size <= MAX_TAIL and (part := self._lines.readline(MAX_TAIL + 1 - size)):
            parts.append(part)
            size += len(part)
        return b"".join(parts)


def read_stream(stream: LineStream, name: str = "<stdin>", *, titles: Mapping[str, AnyTitle] = TITLES) -> Log:
    """Read one log, damage and all. A header that cannot be read raises LogError."""
    lines = Remembering(stream)
    with worded("to read a log", name):
        log = codec.read(lines, titles, name)
        tail = b"" if log.complaint is None else lines.tail()
    log.damage = damage = assess(log, tail[:MAX_TAIL], more=len(tail) > MAX_TAIL)
    if damage.line is not None:
        # It is whole and lacks only its newline, so it may have been acknowledged, and is shown.
        log.lines.append(damage.line)
        log.last_digest = chain.digest(chain.body(tail[: damage.keep]))
    return log


def read_bytes(raw: bytes, name: str, *, titles: Mapping[str, AnyTitle] = TITLES) -> Log:
    """Read one log that is in memory."""
    return read_stream(lines_of(raw), name, titles=titles)


def read_log(raw: bytes, file: str = "<bytes>") -> Log:
    """Read the bytes of one log, of any title on the shelf; what is wrong after its header is its complaint."""
    check_type(raw, bytes, "the bytes of a log")
    check_type(file, str, "what the bytes are called in messages")
    return read_bytes(raw, file)


def lines_of(raw: bytes) -> Lines:
    """Bytes in memory as a stream of lines."""
    return Lines(reading(raw))


def reading(raw: bytes) -> Callable[[int], bytes]:
    """Bytes in memory, to be read as a file is."""
    rest = memoryview(raw)

    def read(size: int) -> bytes:
        nonlocal rest
        part, rest = rest[:size], rest[size:]
        return bytes(part)

    return read


def read_path(path: Path, *, titles: Mapping[str, AnyTitle] = TITLES, files: Files = DISK) -> Log:
    """Read the log in a file, wherever it is. It takes no lock, so that it may see an append that is under way."""
    with worded("to read a log", path):
        file = files.open(path, "read")
        try:
            return read_open(file, path, titles=titles, files=files)
        finally:
            files.close(file)


def read_whole(path: Path, most: int, *, is_named: bool = False, files: Files = DISK) -> bytes:
    """All bytes of a file that is no log. One that is larger is refused, and not read to its end.

    `is_named`: a person named it, so that it may be a pipe.
    """
    with worded("to read a file", path):
        file = files.open(path, "stream" if is_named else "read")
        try:
            raw = up_to(lambda size: files.read(file, size), most + 1)
        finally:
            files.close(file)
    if len(raw) > most:
        raise StoreError(f"expected at most {most} bytes, found more, at {path}")
    return raw


def head_of(path: Path, most: int, *, files: Files = DISK) -> bytes:
    """As much of the beginning of a file as is asked for."""
    with worded("to read a file", path):
        file = files.open(path, "read")
        try:
            return up_to(lambda size: files.read(file, size), most)
        finally:
            files.close(file)


def up_to(read: Callable[[int], bytes], most: int) -> bytes:
    """What there is to read, and no more than so many bytes of it."""
    parts: list[bytes] = []
    left = most
    while left > 0 and (part := read(min(CHUNK, left))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def read_open(file: int, path: Path, *, titles: Mapping[str, AnyTitle], files: Files) -> Log:
    """Read the log in an open file."""
    return read_stream(Lines(lambda size: files.read(file, size)), str(path), titles=titles)


class _Id(msgspec.Struct):
    game: GameId


_id = msgspec.json.Decoder(_Id)


def id_of(line: bytes) -> str:
    """The id that the first line of a game says, if it says one."""
    try:
        return _id.decode(line).game
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return ""
