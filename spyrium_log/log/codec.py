"""Bytes to lines and back. Every byte may be hostile; the good lines and the complaint about the rest are both kept.

Nearly all logs of an archive carry the same sheet, and half of the time that a header takes would go into skipping it,
twice. So a sheet that was read before is recognised by its bytes and cut out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, Protocol

import msgspec
from msgspec import Meta, Struct, structs

from spyrium_log.errors import LogError, NewerFormatError
from spyrium_log.log import chain
from spyrium_log.log.complaints import DECODE_ERRORS, check_bytes, complaint_of
from spyrium_log.log.fast_reader import read_good_lines
from spyrium_log.log.line_types import line_decoder
from spyrium_log.log.lines import FORMAT, AnyHeader, Header, Line, Sealed, Undone
from spyrium_log.sheet import Sheet
from spyrium_log.shown import replace_unprintable
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

    def readline(self, limit: int, /) -> bytes:
        """The next line with its newline, or the next `limit` bytes of a longer one; none at the end."""


@dataclass(slots=True)
class Memory:
    """Bytes in memory as a stream of lines."""

    raw: bytes
    position: int = 0

    def readline(self, limit: int, /) -> bytes:
        """The next line with its newline, or the next `limit` bytes of a longer one; none at the end."""
        start = self.position
        self.position = self.raw.find(b"\n", start, start + limit) + 1 or start + limit
        return self.raw[start : self.position]


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
    formats: tuple[int, int] = (FORMAT, 0)
    damage: Damage[Line] | None = None

    @property
    def last_digest(self) -> str:
        """The full hash of the last line, as a seal after it names it: of the bytes that were read or written."""
        return chain.line_digest(self.last_raw)

    @property
    def is_current(self) -> bool:
        """Whether it is written in the current formats; only then it may be appended to."""
        return self.formats == (FORMAT, self.title.title_format)


def encode(line: Struct) -> bytes:
    """The canonical bytes of a line of a log or of notes, newline included, with whatever hash it carries."""
    return _encode(line) + b"\n"


def hashed_bytes(line: Line) -> bytes:
    """The canonical bytes of a line whose `hash` is still empty, with its hash, newline included."""
    return chain.add_hash(_encode(line)) + b"\n"


def sheet_bytes(sheet: Sheet) -> msgspec.Raw:
    """A sheet as a header carries it: bytes, which are decoded once for all logs that have the same ones."""
    return msgspec.Raw(_encode(sheet))


# Bytes of the sheets that are kept decoded: a few hundred of those that ship, or a few of the largest that can be.
_MOST_SHEET_BYTES = 1 << 22
# What stands before the sheet, with its digest.
_BEFORE_SHEET = re.compile(rb'"sheet_digest":"([0-9a-f]{32})","sheet":')
# How far into a header that is searched: what stands before it is short unless somebody means harm.
_MOST_SEARCHED = 8192
# Stands in for a sheet that was cut out.
_NO_SHEET = b'"cut"'

# Bounded, because an error quotes it and because the steps up to the current format are counted.
_FormatNumber = Annotated[int, Meta(ge=0, le=1_000_000)]


class _HeaderStart(Struct, tag_field="kind", tag="header"):
    """The fields of a header that choose its decoder."""

    n: int
    format: _FormatNumber
    title: str
    title_format: _FormatNumber


class _ShortHeader(NamedTuple):
    """A header without its sheet, which was read before, and the sheet's bytes."""

    raw: bytes
    sheet: bytes
    start: _HeaderStart


class DecodedSheet(NamedTuple):
    """A sheet, its digest, and whether its bytes are the ones that this package writes."""

    sheet: Sheet
    digest: str
    is_canonical: bool


class _SheetCache:
    """Sheets by their bytes, and the bytes by digest. Counted in bytes: a hostile pack chooses how large a sheet is."""

    def __init__(self) -> None:
        """No sheet yet; `by_digest` are the bytes of those that were found right."""
        self.by_digest: dict[bytes, bytes] = {}
        self._decoded: dict[bytes, DecodedSheet] = {}
        self._size = 0

    def decode(self, raw: bytes) -> DecodedSheet:
        """The sheet in these bytes of a header, decoded once; DECODE_ERRORS where they hold none."""
        cached = self._decoded.get(raw)
        if cached is None:
            sheet = msgspec.json.decode(raw, type=Sheet)
            cached = DecodedSheet(sheet, sheet.digest(), _encode(sheet) == raw)
            self._size += len(raw)
            if self._size > _MOST_SHEET_BYTES:
                self._decoded.clear()
                self.by_digest.clear()
                self._size = len(raw)
            self._decoded[raw] = cached
        return cached


_start_decoder = msgspec.json.Decoder(_HeaderStart)
_CACHE = _SheetCache()
decode_sheet: Final = _CACHE.decode


def _check_sheet(header: AnyHeader, file: str) -> Sheet:
    """The header's sheet; LogError where it is not spelled as it must be, or is another one than the header names."""
    raw = bytes(header.sheet)
    try:
        sheet, digest, is_canonical = decode_sheet(raw)
    except DECODE_ERRORS as error:
        raise complaint_of(error, raw, file, 1) from None
    if not is_canonical:
        raise LogError("not-canonical", "sheet-spelling", file=file)
    if header.sheet_digest != digest:
        raise LogError("sheet-digest", file=file, expected=digest, found=replace_unprintable(header.sheet_digest))
    # the next header that has it is read without it
    _CACHE.by_digest[digest.encode()] = raw
    return sheet


def _cut_sheet(raw: bytes) -> _ShortHeader | None:
    """The header without its sheet; None where the sheet is new, or anything is odd about the header."""
    match = _BEFORE_SHEET.search(raw, 0, _MOST_SEARCHED)
    sheet = _CACHE.by_digest.get(match[1]) if match else None
    if match is None or sheet is None or not raw.startswith(sheet, match.end()):
        return None
    after_sheet = raw[match.end() + len(sheet) :]
    if _NO_SHEET in after_sheet:
        # it would look as if that sheet had been cut out
        return None
    short = raw[: match.end()] + _NO_SHEET + after_sheet
    try:
        return _ShortHeader(short, sheet, _start_decoder.decode(short))
    except DECODE_ERRORS:
        return None


def read(stream: LineStream, titles: Mapping[str, AnyTitle], file: str = "<bytes>", *, verify: bool = True) -> Log:
    """Read one log as far as it is good: a bad header raises LogError, anything later is the log's complaint."""
    raw = stream.readline(MAX_LINE + 1)
    if not raw:
        raise LogError("empty", file=file)
    check_whole(raw, file, 1)
    short = _cut_sheet(raw)
    try:
        start = short.start if short else _start_decoder.decode(raw)
    except DECODE_ERRORS as error:
        raise complaint_of(error, raw, file, 1) from None
    title = _find_title(start, titles, file)
    reader = _LineReader(title, (start.format, start.title_format), verify=verify, file=file)
    header = reader.read_short_header(raw, short) if short else None
    header = header or reader.read_line(raw, 0, chain.GENESIS)
    if not isinstance(header, Header):
        raise LogError("no-header", file=file, found=str(type(header).__struct_config__.tag))
    log = Log(file, title, header, _check_sheet(header, file), [header], formats=reader.formats)
    log.good_bytes = len(raw)
    log.last_raw = raw
    _read_after_header(stream, reader, log)
    return log


def _find_title(start: _HeaderStart, titles: Mapping[str, AnyTitle], file: str) -> AnyTitle:
    """The title that a header names; LogError where none of these is it, or the log is of a newer format."""
    if start.format > FORMAT:
        raise NewerFormatError("newer-format", file=file, expected=FORMAT, found=start.format)
    title = titles.get(start.title)
    if title is None:
        known, found = ", ".join(sorted(titles)), replace_unprintable(start.title[:60])
        raise LogError("unknown-title", file=file, known=known, found=found)
    return title


def _read_after_header(stream: LineStream, reader: _LineReader, log: Log) -> None:
    """Read the log from its second line on: what the fast reader refuses, the line reader explains or accepts."""
    raw = b""
    try:
        while True:
            log.last_raw, raw, good = read_good_lines(
                stream.readline,
                reader.decode_fast,
                log.lines,
                log.last_raw,
                longest=MAX_LINE,
                most=MAX_LINES,
                room=MAX_LOG - log.good_bytes,
                verify=reader.verify,
            )
            log.good_bytes += good
            if not raw:
                return
            log.lines.append(reader.read_next(log, raw))
            log.good_bytes += len(raw)
            log.last_raw = raw
    except LogError as complaint:
        log.complaint, log.bad_line = complaint, raw


def decode_next(log: Log, raw: bytes) -> Line:
    """The line that these bytes, newline included, would be after the log's last one; the log stays as it is."""
    return _LineReader(log.title, log.formats, verify=True, file=log.file).read_next(log, raw)


def check_whole(raw: bytes, file: str, number: int) -> None:
    """Refuse a line that is too long, or that lacks its newline: an append was cut short, or is under way."""
    if len(raw.removesuffix(b"\n")) > MAX_LINE:
        raise LogError("too-long", file=file, line=number, most=MAX_LINE)
    if raw[-1:] != b"\n":
        raise LogError("cut-off", file=file, line=number, n=len(raw))


class _LineReader:
    """Reads the lines of one log one at a time, with every check, and upcasts those of an older format."""

    __slots__ = ("decode", "decode_fast", "file", "formats", "upcasts", "verify")

    def __init__(self, title: AnyTitle, formats: tuple[int, int], *, verify: bool, file: str) -> None:
        """Prepare for a log of these formats, its own and its title's; LogError where no upcasts lead to today's."""
        self.file = file
        self.formats = formats
        self.verify = verify
        self.decode = line_decoder(title.wire, title.options).decode
        self.upcasts: list[Upcast] = []
        if formats != (FORMAT, title.title_format):
            self.upcasts += self._upcasts_from(UPCASTS, formats[0], FORMAT, "log")
            self.upcasts += self._upcasts_from(title.upcasts, formats[1], title.title_format, title.key)
        # the fast reader upcasts nothing
        self.decode_fast: Callable[[bytes], Line | None] = (lambda _: None) if self.upcasts else self.decode

    def _upcasts_from(self, upcasts: Mapping[int, Upcast], version: int, current: int, what: str) -> list[Upcast]:
        """The upcasts from one format of the log, or of the title `what`, to the current; LogError where one lacks."""
        if version > current:
            raise NewerFormatError("newer-title-format", file=self.file, what=what, expected=current, found=version)
        if not all(number in upcasts for number in range(version, current)):
            raise LogError("unknown-format", file=self.file, what=what, expected=current, found=version)
        return [upcasts[number] for number in range(version, current)]

    def read_next(self, log: Log, raw: bytes) -> Line:
        """The line in these bytes, newline included, as the next one of the log; a seal must fit the lines before."""
        number = len(log.lines)
        check_whole(raw, self.file, number + 1)
        if log.good_bytes + len(raw) > MAX_LOG:
            raise LogError("too-large", file=self.file, line=number + 1, most=MAX_LOG)
        line = self.read_line(raw, number, log.lines[-1].hash)
        if isinstance(line, Sealed):
            self._check_seal(line, number, log.last_digest)
        return line

    def _check_seal(self, seal: Sealed, number: int, digest: str) -> None:
        """Refuse a seal that names another number of lines before it, or another hash of the last of them."""
        if (seal.count, seal.final) != (number, digest):
            count, found = seal.count, replace_unprintable(seal.final)
            place = number + 1
            raise LogError("seal", file=self.file, line=place, n=number, expected=digest, count=count, found=found)

    def read_line(self, raw: bytes, number: int, prev: str) -> Line:
        """The line in these bytes, newline included: checked from the outside in."""
        bare = raw[:-1]
        if number >= MAX_LINES:
            raise LogError("too-many-lines", file=self.file, line=number + 1, most=MAX_LINES)
        try:
            line = self._decode_older(bare) if self.upcasts else self.decode(bare)
        except DECODE_ERRORS as error:
            raise complaint_of(error, bare, self.file, number + 1) from None
        return self._check_line(line, bare, number, prev)

    def read_short_header(self, raw: bytes, short: _ShortHeader) -> Line | None:
        """The header, read quickly by leaving out a known sheet; None where it must be read as a whole."""
        try:
            line = None if self.upcasts else self.decode(short.raw)
        except DECODE_ERRORS:
            return None
        # of a sheet that stands there twice the last one counts
        if not isinstance(line, Header) or bytes(line.sheet) != _NO_SHEET:
            return None
        return self._check_line(structs.replace(line, sheet=msgspec.Raw(short.sheet)), raw[:-1], 0, chain.GENESIS)

    def _check_line(self, line: Line, bare: bytes, number: int, prev: str) -> Line:
        """The line, if it belongs at this place, its bytes are its canonical ones and its hash is right."""
        file, line_number = self.file, number + 1
        if line.n != number:
            raise LogError("number", file=file, line=line_number, expected=number, found=line.n)
        if number and isinstance(line, Header):
            raise LogError("header-again", file=file, line=line_number)
        if line.prev != prev:
            raise LogError("prev", file=file, line=line_number, expected=prev, found=replace_unprintable(line.prev))
        if self.verify:
            check_bytes(bare, None if self.upcasts else _encode(line), line.hash, file, line_number)
        if isinstance(line, Undone) and line.to >= number:
            raise LogError("undo-ahead", file=file, line=line_number, n=number, found=line.to)
        return line

    def _decode_older(self, bare: bytes) -> Line:
        """A line of an older format, upcast step by step and read as one of the current."""
        untyped = _untyped_decoder.decode(bare)
        try:
            for upcast in self.upcasts:
                untyped = upcast(untyped)
        except (AttributeError, LookupError, TypeError, ValueError):
            raise msgspec.ValidationError("Expected a line of an older format") from None
        return self.decode(_encode(untyped))
