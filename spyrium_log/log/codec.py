"""Bytes to lines and back. Every byte may be hostile; the good lines and the complaint about the rest are both kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from msgspec import structs

from spyrium_log.errors import LogError, NewerFormatError
from spyrium_log.log import chain
from spyrium_log.log.complaints import DECODE_ERRORS, complaint_of, other_hash, other_spelling
from spyrium_log.log.fast_reader import read_good_lines
from spyrium_log.log.headers import NO_SHEET, ShortHeader, checked_sheet, start_of, without_sheet
from spyrium_log.log.line_types import decoder
from spyrium_log.log.lines import FORMAT, AnyHeader, Header, Line, Sealed, Undone
from spyrium_log.sheet import Sheet
from spyrium_log.shown import printable
from spyrium_log.title import AnyTitle

if TYPE_CHECKING:
    from spyrium_log.log.damage import Damage

# Bytes of a line with its newline: only a header that carries a large sheet comes near.
MAX_LINE = 1 << 20
# A game is 100 to 400 lines, every undo and correction included: 50 times as many are no game. What a reader makes of
# the lines costs many times their bytes, so both have a bound.
MAX_LINES = 20_000
MAX_LOG = 1 << 23

Upcast = Callable[[dict[str, Any]], dict[str, Any]]

# From an older format of the log to the next one, one line at a time. Format 1 is the first.
UPCASTS: Mapping[int, Upcast] = {}

_encode = msgspec.json.Encoder().encode
_untyped_decoder = msgspec.json.Decoder(dict[str, Any])


class LineStream(Protocol):
    """The one method of a binary stream that reading needs."""

    def readline(self, limit: int, /) -> bytes: ...


class Memory:
    """Bytes in memory as a stream of lines."""

    __slots__ = ("_position", "_raw")

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._position = 0

    def readline(self, limit: int, /) -> bytes:
        """The next line with its newline, or the next `limit` bytes of a longer one; none at the end."""
        start = self._position
        self._position = self._raw.find(b"\n", start, start + limit) + 1 or start + limit
        return self._raw[start : self._position]


@dataclass(slots=True)
class Log:
    """One log as far as it can be read; where it cannot be read on, the complaint and the line that it is about."""

    file: str
    title: AnyTitle
    header: AnyHeader
    sheet: Sheet
    lines: list[Line]
    complaint: LogError | None = None
    bad_line: bytes = b""
    good_bytes: int = 0
    last_raw: bytes = b""
    formats: tuple[int, int] = field(default=(FORMAT, 0))
    damage: Damage[Line] | None = None

    @property
    def last_digest(self) -> str:
        """The full hash of the last line, in the bytes in which it was read or written."""
        return chain.line_digest(self.last_raw)

    @property
    def is_current(self) -> bool:
        """Whether it is written in the current formats, and may be appended to."""
        return self.formats == (FORMAT, self.title.title_format)


# --- writing -------------------------------------------------------------------------------------


def encode(line: Line) -> bytes:
    """The line's canonical bytes, newline included, with the hash it carries."""
    return _encode(line) + b"\n"


def hashed_bytes(line: Line) -> bytes:
    """The canonical bytes of a line whose `hash` is still empty, with its hash, newline included."""
    return chain.with_hash(_encode(line)) + b"\n"


def sheet_bytes(sheet: Sheet) -> msgspec.Raw:
    """A sheet as a header carries it."""
    return msgspec.Raw(_encode(sheet))


# --- reading -------------------------------------------------------------------------------------


def read(
    stream: LineStream,
    titles: Mapping[str, AnyTitle],
    file: str = "<bytes>",
    *,
    verify: bool = True,
    upcasts: Mapping[int, Upcast] = UPCASTS,
) -> Log:
    """Read one log. A header that cannot be read raises LogError; anything later is the log's complaint."""
    raw = stream.readline(MAX_LINE + 1)
    if not raw:
        raise LogError("empty", file=file)
    check_whole(raw, file, 1)
    short = without_sheet(raw)
    start = short.start if short else start_of(raw, file)
    if start.format > FORMAT:
        raise NewerFormatError("newer-format", file=file, expected=FORMAT, found=start.format)
    title = titles.get(start.title)
    if title is None:
        known, found = ", ".join(sorted(titles)), printable(start.title[:60])
        raise LogError("unknown-title", file=file, known=known, found=found)
    reader = _LineReader(title, (start.format, start.title_format), verify=verify, upcasts=upcasts, file=file)
    header = (reader.short_header(raw, short) if short else None) or reader.line(raw, 0, chain.GENESIS)
    if not isinstance(header, Header):
        raise LogError("no-header", file=file, found=str(type(header).__struct_config__.tag))
    log = Log(file, title, header, checked_sheet(header, file), [header], formats=reader.formats)
    log.good_bytes = len(raw)
    log.last_raw = _read_after_header(stream, reader, log, raw)
    return log


def _read_after_header(stream: LineStream, reader: _LineReader, log: Log, last: bytes) -> bytes:
    """Read the log from its second line on; return the bytes of its last good line.

    Where the fast reader stops, the line reader says what is wrong with the line, or accepts it.
    """
    lines = log.lines
    readline, decode, verify = stream.readline, reader.decode_fast, reader.verify
    after = b""
    try:
        while True:
            room = MAX_LOG - log.good_bytes
            last, after, good = read_good_lines(
                readline, decode, lines, last, longest=MAX_LINE, most=MAX_LINES, room=room, verify=verify
            )
            log.good_bytes += good
            number = len(lines)
            if not after:
                return last
            check_whole(after, log.file, number + 1)
            check_size(log.good_bytes + len(after), log.file, number + 1)
            line = reader.line(after, number, lines[-1].hash)
            if isinstance(line, Sealed):
                reader.check_seal(line, number, chain.line_digest(last))
            lines.append(line)
            log.good_bytes += len(after)
            last = after
    except LogError as complaint:
        log.complaint, log.bad_line = complaint, after
        return last


def decode_next(log: Log, raw: bytes, upcasts: Mapping[int, Upcast] = UPCASTS) -> Line:
    """The line that these bytes, newline included, would be after the log's last one; the log stays as it is."""
    number = len(log.lines)
    check_whole(raw, log.file, number + 1)
    check_size(log.good_bytes + len(raw), log.file, number + 1)
    reader = _LineReader(log.title, log.formats, verify=True, upcasts=upcasts, file=log.file)
    line = reader.line(raw, number, log.lines[-1].hash)
    if isinstance(line, Sealed):
        reader.check_seal(line, number, log.last_digest)
    return line


def check_whole(raw: bytes, file: str, number: int) -> None:
    """Refuse a line that is too long, or that lacks its newline."""
    if len(raw.removesuffix(b"\n")) > MAX_LINE:
        raise LogError("too-long", file=file, line=number, most=MAX_LINE)
    if raw[-1:] != b"\n":
        raise LogError("cut-off", file=file, line=number, n=len(raw))


def check_size(size: int, file: str, number: int) -> None:
    """Refuse a log that is longer, with this line, than any game."""
    if size > MAX_LOG:
        raise LogError("too-large", file=file, line=number, most=MAX_LOG)


def _decode_nothing(_raw: bytes) -> None:
    """The fast decoder of a log of an older format, whose lines must be upcast first."""


class _LineReader:
    """Reads the lines of one log one at a time, with every check, and upcasts those of an older format."""

    __slots__ = ("decode", "decode_fast", "file", "formats", "title", "upcasts", "verify")

    def __init__(
        self, title: AnyTitle, formats: tuple[int, int], *, verify: bool, upcasts: Mapping[int, Upcast], file: str
    ) -> None:
        self.file = file
        self.formats = formats
        self.verify = verify
        self.title = title
        self.decode = decoder(title.wire, title.options).decode
        self.upcasts: list[Upcast] = []
        if formats != (FORMAT, title.title_format):
            self.upcasts += self._upcasts_from(upcasts, formats[0], FORMAT, "log")
            self.upcasts += self._upcasts_from(title.upcasts, formats[1], title.title_format, title.key)
        self.decode_fast: Callable[[bytes], Line | None] = _decode_nothing if self.upcasts else self.decode

    def _upcasts_from(self, upcasts: Mapping[int, Upcast], version: int, current: int, what: str) -> list[Upcast]:
        """The upcasts from one format to the current one; LogError where there is no way."""
        if version > current:
            raise NewerFormatError("newer-title-format", file=self.file, what=what, expected=current, found=version)
        if not all(number in upcasts for number in range(version, current)):
            raise LogError("unknown-format", file=self.file, what=what, expected=current, found=version)
        return [upcasts[number] for number in range(version, current)]

    def line(self, raw: bytes, number: int, prev: str) -> Line:
        """The line in these bytes, newline included: checked from the outside in."""
        bare = raw[:-1]
        if number >= MAX_LINES:
            raise LogError("too-many-lines", file=self.file, line=number + 1, most=MAX_LINES)
        try:
            line = self.decode(bare) if not self.upcasts else self._decode_older(bare)
        except DECODE_ERRORS as error:
            raise complaint_of(error, bare, self.file, number + 1) from None
        return self._checked_line(line, bare, number, prev)

    def short_header(self, raw: bytes, short: ShortHeader) -> Line | None:
        """The header, read without its sheet; None where it must be read as it is."""
        try:
            line = None if self.upcasts else self.decode(short.raw)
        except DECODE_ERRORS:
            return None
        # of a sheet that stands there twice the last one counts
        if not isinstance(line, Header) or bytes(line.sheet) != NO_SHEET:
            return None
        return self._checked_line(structs.replace(line, sheet=msgspec.Raw(short.sheet)), raw[:-1], 0, chain.GENESIS)

    def _checked_line(self, line: Line, bare: bytes, number: int, prev: str) -> Line:
        """The line, if it belongs at this place, its bytes are its canonical ones and its hash is right."""
        file, line_number = self.file, number + 1
        if line.n != number:
            raise LogError("number", file=file, line=line_number, expected=number, found=line.n)
        if number and isinstance(line, Header):
            raise LogError("header-again", file=file, line=line_number)
        if line.prev != prev:
            raise LogError("prev", file=file, line=line_number, expected=prev, found=printable(line.prev))
        if self.verify and not self.upcasts and (canonical := _encode(line)) != bare:
            raise other_spelling(canonical, bare, file, line_number)
        if self.verify and not chain.is_whole(bare):
            raise other_hash(bare, line.hash, file, line_number)
        if isinstance(line, Undone) and line.to >= number:
            raise LogError("undo-ahead", file=file, line=line_number, n=number, found=line.to)
        return line

    def check_seal(self, line: Sealed, number: int, digest: str) -> None:
        """Refuse a seal that does not fit the lines before it."""
        if (line.count, line.final) != (number, digest):
            found, line_number = printable(line.final), number + 1
            raise LogError(
                "seal", file=self.file, line=line_number, n=number, expected=digest, count=line.count, found=found
            )

    def _decode_older(self, bare: bytes) -> Line:
        """A line of an older format as one of the current."""
        untyped = _untyped_decoder.decode(bare)
        try:
            for upcast in self.upcasts:
                untyped = upcast(untyped)
        except (AttributeError, LookupError, TypeError, ValueError):
            raise msgspec.ValidationError("Expected a line of an older format") from None
        return self.decode(_encode(untyped))
