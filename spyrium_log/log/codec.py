"""Bytes to lines and back. Every byte is hostile; the good prefix and the complaint are both kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Protocol

import msgspec
from msgspec import Meta, Struct, structs

from spyrium_log.errors import LogError, NewerFormatError
from spyrium_log.log import chain
from spyrium_log.log.lines import (
    FORMAT,
    Accepted,
    Amended,
    AnyHeader,
    Corrected,
    Dealt,
    Decided,
    Declared,
    Finished,
    Header,
    Line,
    ReadOff,
    Sealed,
    Stated,
    Undone,
    Withdrawn,
)
from spyrium_log.log.stride import stride
from spyrium_log.sheet import Sheet
from spyrium_log.shown import printable
from spyrium_log.title import (
    Abandoned,
    Adjusted,
    AnyTitle,
    Conceded,
    Continued,
    Counted,
    FinalCount,
    Paused,
    Posting,
    Resynced,
    SharedCause,
    Wire,
)

if TYPE_CHECKING:
    from spyrium_log.log.damage import Damage

MAX_LINE = 1 << 20
# An evening is 100 to 400 lines, every undo and correction included: 50 times as many are no game. What a reader makes
# of the lines costs many times their bytes, so that both have a bound.
MAX_LINES = 20_000
MAX_LOG = 1 << 23
# The deepest line a title can be asked to hold; what nests deeper cannot be well typed.
MAX_DEPTH = 16

Upcast = Callable[[dict[str, Any]], dict[str, Any]]

# From an older format of the log to the next one, one line at a time. Format 1 is the first.
UPCASTS: Mapping[int, Upcast] = {}

_encode = msgspec.json.Encoder().encode
_old = msgspec.json.Decoder(dict[str, Any])


class Readline(Protocol):
    """As much of a binary stream as reading needs."""

    def readline(self, limit: int, /) -> bytes: ...


# Bounded, because a refusal quotes it and because the steps up to the current format are counted.
_Format = Annotated[int, Meta(ge=0, le=1_000_000)]


class _Peek(Struct, tag_field="kind", tag="header"):
    """As much of a header as says which decoder reads it."""

    n: int
    format: _Format
    title: str
    title_format: _Format


_peek = msgspec.json.Decoder(_Peek)


@dataclass(slots=True)
class Log:
    """One log as far as it can be read, and the complaint where it cannot be read on."""

    file: str
    title: AnyTitle
    header: AnyHeader
    sheet: Sheet
    lines: list[Line]
    complaint: LogError | None = None
    good_bytes: int = 0
    last_digest: str = ""
    formats: tuple[int, int] = field(default=(FORMAT, 0))
    damage: Damage[Line] | None = None

    @property
    def last(self) -> Line:
        return self.lines[-1]

    @property
    def is_current(self) -> bool:
        return self.formats == (FORMAT, self.title.title_format)


def line_type(title: AnyTitle) -> Any:
    """The union of all lines of one title, made from its wire types."""
    return _line_type(title.wire, title.options)


@cache
def _line_type(wire: Wire, options: type[Struct]) -> Any:
    posting = _of(Posting, wire.resource, wire.cause | SharedCause)
    statement = _statement(wire)
    return (
        _of(Header, wire.resource, options)
        | _of(Decided, wire.decision, posting, wire.fact)
        | _of(Dealt, wire.deal, posting, wire.fact)
        | _of(Finished, FinalCount, posting, wire.fact)
        | _of(Stated, statement, posting, wire.fact)
        | Undone
        | _of(Amended, act_type(wire), posting, wire.fact)
        | Corrected
        | ReadOff
        | Declared
        | Accepted
        | Withdrawn
        | Sealed
    )


@cache
def act_type(wire: Wire) -> Any:
    """The union of all acts of one title."""
    return wire.decision | wire.deal | FinalCount | _statement(wire)


def _statement(wire: Wire) -> Any:
    return (
        _of(Counted, wire.resource)
        | Adjusted
        | _of(Resynced, wire.position)
        | Paused
        | Continued
        | Conceded
        | Abandoned
    )


def _of(generic: Any, *parameters: Any) -> Any:
    """A generic line type with its types filled in, which only run time knows."""
    return generic[parameters]


@cache
def _decoder(wire: Wire, options: type[Struct]) -> msgspec.json.Decoder[Line]:
    return msgspec.json.Decoder(_line_type(wire, options))


def encode(line: Line) -> bytes:
    """The line's canonical bytes, newline included, with whatever hash it carries."""
    return _encode(line) + b"\n"


def sheet_bytes(sheet: Sheet) -> msgspec.Raw:
    """A sheet as a header carries it."""
    return msgspec.Raw(_encode(sheet))


def sealed_bytes(line: Line) -> bytes:
    """The canonical bytes of a line that carries no hash yet, with its hash, newline included."""
    return chain.closed(_encode(line)) + b"\n"


# --- reading -------------------------------------------------------------------------------------


def read(
    stream: Readline,
    titles: Mapping[str, AnyTitle],
    file: str = "<bytes>",
    *,
    verify: bool = True,
    upcasts: Mapping[int, Upcast] = UPCASTS,
) -> Log:
    """Read one log. A header that cannot be read raises; anything later is the log's complaint."""
    raw = next_line(stream, file, 1)
    if raw is None:
        raise LogError("empty", file=file)
    cut = _cut(raw)
    peek = cut.peek if cut else _peeked(raw, file)
    _refuse_newer(peek, file)
    title = titles.get(peek.title)
    if title is None:
        known, found = ", ".join(sorted(titles)), printable(peek.title[:60])
        raise LogError("unknown-title", file=file, known=known, found=found)
    reader = _Reader(title, (peek.format, peek.title_format), verify=verify, upcasts=upcasts, file=file)
    header = reader.header(raw, cut) if cut else None
    if header is None:
        header = reader.line(raw, 0, chain.GENESIS)
    if not isinstance(header, Header):
        raise LogError("no-header", file=file, found=_kind(header))
    log = Log(file, title, header, _sheet(header, file), [header], formats=reader.formats)
    log.good_bytes = len(raw)
    last = _read_on(stream, reader, log, raw)
    log.last_digest = chain.digest(chain.body(last[:-1]))
    return log


# Bytes of the sheets that are kept decoded: a few hundred of those that ship, or a few of the largest that can be.
_MOST_SHEET_BYTES = 1 << 22


class _Sheets:
    """The sheets that headers had, by their bytes and by their digests: nearly all logs of an archive share one.

    What is kept is counted in bytes, because a hostile pack chooses how large a sheet is.
    """

    def __init__(self) -> None:
        self.by_digest: dict[bytes, bytes] = {}
        self._decoded: dict[bytes, tuple[Sheet, str, bool]] = {}
        self._size = 0

    def decoded(self, raw: bytes) -> tuple[Sheet, str, bool]:
        known = self._decoded.get(raw)
        if known is None:
            sheet = msgspec.json.decode(raw, type=Sheet)
            known = sheet, sheet.digest(), _encode(sheet) == raw
            self._size += len(raw)
            if self._size > _MOST_SHEET_BYTES:
                self._decoded.clear()
                self.by_digest.clear()
                self._size = len(raw)
            self._decoded[raw] = known
        return known


_SHEETS = _Sheets()


def sheet_in(raw: bytes) -> tuple[Sheet, str, bool]:
    """A header's sheet from its bytes, its digest, and whether the bytes are its one spelling."""
    return _SHEETS.decoded(raw)


def _sheet(header: AnyHeader, file: str) -> Sheet:
    raw = bytes(header.sheet)
    try:
        sheet, digest, is_canonical = sheet_in(raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise complaint_of(error, raw, file, 1) from None
    if not is_canonical:
        raise LogError("not-canonical", "sheet-spelling", file=file)
    if header.sheet_digest != digest:
        raise LogError("sheet-digest", file=file, expected=digest, found=printable(header.sheet_digest))
    _SHEETS.by_digest[digest.encode()] = raw
    return sheet


_BEFORE_SHEET = re.compile(rb'"sheet_digest":"([0-9a-f]{32})","sheet":')
# As far into a header as that is looked for: what stands before it is short unless somebody means harm.
_NEAR = 8192
_NO_SHEET = b'"cut"'


class _Cut(NamedTuple):
    """A header whose sheet was read before: the header without it, and the sheet.

    Half of the time that a header takes would go into skipping its sheet, twice. To say that these bytes are those
    bytes takes none.
    """

    short: bytes
    sheet: bytes
    peek: _Peek


def _cut(raw: bytes) -> _Cut | None:
    """None where there is anything to say about the header: the bytes as they are then say it."""
    found = _BEFORE_SHEET.search(raw, 0, _NEAR)
    sheet = _SHEETS.by_digest.get(found[1]) if found else None
    if found is None or sheet is None or not raw.startswith(sheet, found.end()):
        return None
    rest = raw[found.end() + len(sheet) :]
    if _NO_SHEET in rest:
        return None
    short = raw[: found.end()] + _NO_SHEET + rest
    try:
        return _Cut(short, sheet, _peek.decode(short))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None


def following(log: Log, raw: bytes, upcasts: Mapping[int, Upcast] = UPCASTS) -> Line:
    """The line that these bytes, newline included, would be after the log's last one; the log stays as it is."""
    number = len(log.lines)
    next_line(Memory(raw), log.file, number + 1)
    check_size(log.good_bytes + len(raw), log.file, number + 1)
    reader = _Reader(log.title, log.formats, verify=True, upcasts=upcasts, file=log.file)
    line = reader.line(raw, number, log.last.hash)
    if isinstance(line, Sealed):
        reader.seal(line, number, log.last_digest)
    return line


class Memory:
    """Bytes in memory as a stream of lines."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._at = 0

    def readline(self, limit: int, /) -> bytes:
        begin = self._at
        self._at = self._raw.find(b"\n", begin, begin + limit) + 1 or begin + limit
        return self._raw[begin : self._at]


def _read_on(stream: Readline, reader: _Reader, log: Log, last: bytes) -> bytes:
    """Fill the log from its second line on; answer the bytes of its last good line.

    Whatever the stride does not take goes to the reader, which says what is wrong with it, or finds nothing.
    """
    lines = log.lines
    read, decode, verify = stream.readline, reader.quick, reader.verify
    try:
        while True:
            room = MAX_LOG - log.good_bytes
            last, after, good = stride(
                read, decode, lines, last, longest=MAX_LINE, most=MAX_LINES, room=room, verify=verify
            )
            log.good_bytes += good
            number = len(lines)
            if after[-1:] != b"\n" and _ended(after, log.file, number + 1):
                return last
            check_size(log.good_bytes + len(after), log.file, number + 1)
            line = reader.line(after, number, lines[-1].hash)
            if isinstance(line, Sealed):
                reader.seal(line, number, chain.digest(chain.body(last[:-1])))
            lines.append(line)
            log.good_bytes += len(after)
            last = after
    except LogError as complaint:
        log.complaint = complaint
        return last


def next_line(stream: Readline, file: str, number: int) -> bytes | None:
    """The next line with its newline, None at the end. Never reads past the cap."""
    raw = stream.readline(MAX_LINE + 1)
    return None if raw[-1:] != b"\n" and _ended(raw, file, number) else raw


def check_size(size: int, file: str, number: int) -> None:
    """Refuse a log that is longer, with this line, than any game."""
    if size > MAX_LOG:
        raise LogError("too-large", file=file, line=number, most=MAX_LOG)


def _ended(raw: bytes, file: str, number: int) -> bool:
    """What a read without a newline is: the end of the file, or a complaint."""
    if not raw:
        return True
    if len(raw) > MAX_LINE:
        raise LogError("too-long", file=file, line=number, most=MAX_LINE)
    raise LogError("cut-off", file=file, line=number, n=len(raw))


def _peeked(raw: bytes, file: str) -> _Peek:
    try:
        peek = _peek.decode(raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise complaint_of(error, raw, file, 1) from None
    return peek


def _refuse_newer(peek: _Peek, file: str) -> None:
    if peek.format > FORMAT:
        raise NewerFormatError("newer-format", file=file, expected=FORMAT, found=peek.format)


def _nothing(_raw: bytes) -> None:
    """A line of an older format is nothing that can be decoded as it is."""


class _Reader:
    """What it takes to read the lines of one log: the decoder, and the upcasts an old log needs."""

    __slots__ = ("casts", "decode", "file", "formats", "quick", "title", "verify")

    def __init__(
        self,
        title: AnyTitle,
        formats: tuple[int, int],
        *,
        verify: bool,
        upcasts: Mapping[int, Upcast],
        file: str,
    ) -> None:
        self.file = file
        self.formats = formats
        self.verify = verify
        self.title = title
        self.decode = _decoder(title.wire, title.options).decode
        self.casts = self._chain(upcasts, formats[0], FORMAT, "log")
        self.casts += self._chain(title.upcasts, formats[1], title.title_format, title.key)
        self.quick: Callable[[bytes], Line | None] = _nothing if self.casts else self.decode

    def _chain(self, steps: Mapping[int, Upcast], found: int, current: int, what: str) -> list[Upcast]:
        if found > current:
            raise NewerFormatError("newer-title-format", file=self.file, what=what, expected=current, found=found)
        if not all(f in steps for f in range(found, current)):
            raise LogError("unknown-format", file=self.file, what=what, expected=current, found=found)
        return [steps[f] for f in range(found, current)]

    def line(self, raw: bytes, number: int, prev: str) -> Line:
        """One line with its newline, checked from the outside in."""
        bare = raw[:-1]
        if number >= MAX_LINES:
            raise LogError("too-many-lines", file=self.file, line=number + 1, most=MAX_LINES)
        try:
            line = self.decode(bare) if not self.casts else self._upcast(bare)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise complaint_of(error, bare, self.file, number + 1) from None
        return self._checked(line, bare, number, prev)

    def header(self, raw: bytes, cut: _Cut) -> Line | None:
        """The first line of a log, but for the time that its sheet takes; None where that cannot be cut out."""
        try:
            line = None if self.casts else self.decode(cut.short)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            return None
        # of a sheet that is said twice the last one counts
        if not isinstance(line, Header) or bytes(line.sheet) != _NO_SHEET:
            return None
        line = structs.replace(line, sheet=msgspec.Raw(cut.sheet))
        return self._checked(line, raw[:-1], 0, chain.GENESIS)

    def _checked(self, line: Line, bare: bytes, number: int, prev: str) -> Line:
        if line.n != number:
            raise LogError("number", file=self.file, line=number + 1, expected=number, found=line.n)
        if number and isinstance(line, Header):
            raise LogError("header-again", file=self.file, line=number + 1)
        if line.prev != prev:
            raise LogError("prev", file=self.file, line=number + 1, expected=prev, found=printable(line.prev))
        if self.verify:
            self._verify(line, bare, number)
        if isinstance(line, Undone) and line.to >= number:
            raise LogError("undo-ahead", file=self.file, line=number + 1, n=number, found=line.to)
        return line

    def _verify(self, line: Line, bare: bytes, number: int) -> None:
        if not self.casts and (right := _encode(line)) != bare:
            raise other_spelling(right, bare, self.file, number + 1)
        if not chain.is_whole(bare):
            raise other_hash(bare, line.hash, self.file, number + 1)

    def seal(self, line: Sealed, number: int, digest: str) -> None:
        """Whether a seal says of the lines before it what is so."""
        if (line.count, line.final) != (number, digest):
            found = printable(line.final)
            raise LogError(
                "seal", file=self.file, line=number + 1, n=number, expected=digest, count=line.count, found=found
            )

    def _upcast(self, bare: bytes) -> Line:
        plain = _old.decode(bare)
        try:
            for cast_up in self.casts:
                plain = cast_up(plain)
        except (AttributeError, LookupError, TypeError, ValueError):
            raise msgspec.ValidationError("Expected a line of an older format") from None
        return self.decode(_encode(plain))


# By how the decoder's sentence begins: further on it quotes what it found, and that may read like any of these.
_CODES = (
    (r"Input data was truncated", "truncated"),
    (r"JSON is malformed", "not-json"),
    (r"Object contains unknown field", "unknown-field"),
    (r"Object missing required field", "missing-field"),
    (r"Invalid (enum )?value", "unknown-word"),
    (r"(Integer value|Number) out of range|Invalid RFC3339", "out-of-range"),
    (r"Expected `[^`]*` (?!- at)", "out-of-range"),
    (r"Expected", "wrong-type"),
)


def complaint_of(error: Exception, raw: bytes, file: str, line: int) -> LogError:
    """A typed error for whatever the decoder says. The message quotes no more than a person can read."""
    if isinstance(error, RecursionError):
        return LogError("too-deep", file=file, line=line, most=MAX_DEPTH)
    if isinstance(error, UnicodeDecodeError):
        return LogError("not-utf8", file=file, line=line, found=f"0x{error.object[error.start]:02x}")
    if not raw.strip():
        return LogError("blank", file=file, line=line)
    text = str(error)[:300]
    code = next((code for pattern, code in _CODES if re.match(pattern, text)), "not-json")
    message = text if text.startswith("JSON") else text[:1].lower() + text[1:]
    key = "decoder" if message.startswith("expected") else "not-json" if code == "not-json" else "not-this-kind"
    return LogError(code, key, file=file, line=line, found=printable(message))


def other_spelling(right: bytes, bare: bytes, file: str, line: int) -> LogError:
    """The error for bytes that are not the one spelling of their line; it quotes where they begin to differ."""
    at = next((i for i, (a, b) in enumerate(zip(right, bare, strict=False)) if a != b), len(bare))
    found = bare[max(0, at - 12) : at + 12].decode("utf-8", "replace")
    return LogError("not-canonical", file=file, line=line, found=printable(found))


def other_hash(bare: bytes, found: str, file: str, line: int) -> LogError:
    expected = chain.short_digest(chain.body(bare))
    return LogError("hash", file=file, line=line, expected=expected, found=printable(found))


def _kind(line: Line) -> str:
    return str(type(line).__struct_config__.tag)
