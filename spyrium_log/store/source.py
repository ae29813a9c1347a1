"""Reading one log from a file, a stream or bytes in memory, damage and all. Nothing is read further than needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from spyrium_log.checks import check_type
from spyrium_log.errors import StoreError
from spyrium_log.log import codec
from spyrium_log.log.codec import LineStream, Log, Memory
from spyrium_log.log.complaints import DECODE_ERRORS
from spyrium_log.log.damage import MAX_TAIL, Damage, classify_tail
from spyrium_log.log.lines import GameId
from spyrium_log.store.files import DISK, Files, reading_file, wrap_disk_errors
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES

# Bytes that are asked of the disk at a time.
CHUNK = 1 << 16


class Lines:
    """A stream of lines from one of bytes, of which `start` was read before; it holds at most a line and a chunk."""

    __slots__ = ("_buffer", "_position", "_read")

    def __init__(self, read: Callable[[int], bytes], start: bytes = b"") -> None:
        """`read` gives the next bytes, at most as many as it is asked for; none at the end."""
        self._read = read
        self._buffer = start
        self._position = 0

    def readline(self, limit: int, /) -> bytes:
        """The next line with its newline, or the first `limit` bytes of a longer one; none at the end."""
        # 0 where the buffer has no whole line, for then find returns -1
        end = self._buffer.find(b"\n", self._position, self._position + limit) + 1 or self._fill_buffer(limit)
        line = self._buffer[self._position : end]
        self._position = end
        return line

    def unread(self, line: bytes) -> None:
        """Put back the line that was read last, after a look at it that says how to read the stream."""
        self._position -= len(line)

    def _fill_buffer(self, limit: int) -> int:
        """Buffer the next line, or as much of it as may be read; return where it ends."""
        parts = [self._buffer[self._position :]]
        size = len(parts[0])
        while size < limit and b"\n" not in parts[-1] and (chunk := self._read(CHUNK)):
            parts.append(chunk)
            size += len(chunk)
        self._buffer = b"".join(parts)
        self._position = 0
        # 0 as in readline
        return self._buffer.find(b"\n", 0, limit) + 1 or min(limit, size)


def read_damaged_tail(bad_line: bytes, stream: LineStream) -> bytes:
    """Read the file from its first bad line on: as much as one append can leave behind, and a byte if there is more."""
    return bad_line + read_up_to(stream.readline, MAX_TAIL + 1 - len(bad_line))


def read_stream(stream: LineStream, name: str = "<stdin>", *, titles: Mapping[str, AnyTitle] = TITLES) -> Log:
    """Read one log with its damage. A header that cannot be read raises LogError."""
    with wrap_disk_errors("read-log", name):
        log = codec.read(stream, titles, name)
        if log.complaint is None:
            log.damage = Damage("none")
            return log
        tail = read_damaged_tail(log.bad_line, stream)
    log.damage = damage = classify_tail(log.complaint, log.good_bytes, tail, lambda raw: codec.decode_next(log, raw))
    if damage.line is not None:
        # it lacks only its newline, so it may have been acknowledged
        log.lines.append(damage.line)
        log.last_raw = tail[: damage.keep] + b"\n"
    return log


def read_bytes(raw: bytes, name: str, *, titles: Mapping[str, AnyTitle] = TITLES) -> Log:
    """Read the bytes of one log with its damage; `name` stands for the file in errors."""
    return read_stream(Memory(raw), name, titles=titles)


def read_log(raw: bytes, file: str = "<bytes>") -> Log:
    """Read the bytes of one log of any title on the shelf. What is wrong after its header is its complaint."""
    check_type(raw, bytes, "log-bytes")
    check_type(file, str, "bytes-name")
    return read_bytes(raw, file)


def make_reader(raw: bytes) -> Callable[[int], bytes]:
    """A function `read(size)` over bytes in memory, as a file has it."""
    unread = memoryview(raw)

    def read(size: int) -> bytes:
        """The next bytes, at most `size`; none at the end."""
        nonlocal unread
        part, unread = unread[:size], unread[size:]
        return bytes(part)

    return read


def read_path(path: Path, *, titles: Mapping[str, AnyTitle] = TITLES, files: Files = DISK) -> Log:
    """Read the log in a file. It takes no lock, so it may see an append that is under way."""
    with reading_file(files, path, "read-log") as read:
        return read_stream(Lines(read), str(path), titles=titles)


def read_whole(path: Path, most: int, *, is_named: bool = False, files: Files = DISK) -> bytes:
    """All bytes of a file that is no log, or of a pipe if a person named it; StoreError for more than `most`."""
    with reading_file(files, path, "read-file", "stream" if is_named else "read") as read:
        return read_all(read, most, path)


def read_head(path: Path, most: int) -> bytes:
    """The first bytes of a file, no more than `most`: enough to tell what it holds."""
    with reading_file(DISK, path, "read-file") as read:
        return read_up_to(read, most)


def read_all(read: Callable[[int], bytes], most: int, place: Path | str, refusal: str = "too-large") -> bytes:
    """All bytes there are to read; StoreError, by the key `refusal`, where there are more than `most`."""
    raw = read_up_to(read, most + 1)
    if len(raw) > most:
        raise StoreError(refusal, most=most, place=str(place))
    return raw


def read_up_to(read: Callable[[int], bytes], most: int) -> bytes:
    """All bytes there are to read, but no more than `most`."""
    parts: list[bytes] = []
    left = most
    while left > 0 and (part := read(min(CHUNK, left))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


class _GameField(msgspec.Struct):
    game: GameId


_game_decoder = msgspec.json.Decoder(_GameField)


def parse_game_id(line: bytes) -> str:
    """The game's id from the first line of its log; '' where there is none."""
    try:
        return _game_decoder.decode(line).game
    except DECODE_ERRORS:
        return ""
