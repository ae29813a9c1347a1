"""Many logs in one stream: what can be recomputed is left out, and unpacking gives the original bytes back.

    {"kind":"sheet","digest":"…","sheet":{…}}      a component sheet, before the first game that is played on it
    {"kind":"header", …}                           a header starts the next game; its sheet is named by digest
    {"kind":"decision", …}                         lines without `prev` and `hash`
    {"kind":"notes"}                               where there are notes on the game, they come next
    {"kind":"note", …}                             lines of notes without `hash`
    {"kind":"end","lines":112,"hash":"…"}          how many lines, and the last one's hash: the game is whole

A hash is four fifths of a compressed line and follows from the bytes before it. The last one vouches for them all;
notes hold no hash of each other, so where there are some the end has a hash over all of them, `notes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import Raw, Struct

from spyrium_log.errors import LogError
from spyrium_log.log import chain
from spyrium_log.log.codec import MAX_LINE, MAX_LINES, MAX_LOG, LineStream, decode_sheet
from spyrium_log.log.complaints import DECODE_ERRORS
from spyrium_log.log.lines import Hash, Number
from spyrium_log.log.notes import MAX_NOTES
from spyrium_log.shown import replace_unprintable

_PREV = b',"prev":"'
# Bytes of `,"prev":"…"` with its 32 hexadecimal digits.
_PREV_TAIL = len(_PREV) + 32 + 1
_SHEET = b',"sheet":'
_NOTES = b'{"kind":"notes"}\n'

# A reader holds one game with its notes, and the sheets so far. The longest game anybody recorded is a hundredth of
# this, and the sheets of a thousand tables are as much.
MAX_GAME = MAX_LOG + MAX_NOTES
MAX_SHEETS = 1 << 24
# As much of what the decoder says, and of an unknown kind of line, as an error quotes.
_MOST_QUOTED, _LONGEST_KIND = 300, 60

Decoded = TypeVar("Decoded")


class Game(NamedTuple):
    """One game as its files hold it: the log's bytes and those of the notes beside it."""

    log: bytes
    notes: bytes = b""


class SheetLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="sheet"):
    """A component sheet, once a pack, for the games after it that name its digest."""

    digest: Hash
    sheet: Raw


class EndLine(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind", tag="end"
):
    """The end of a game: how many lines its log has, the hash of the last, and one over its notes, if it has any."""

    lines: Number
    hash: Hash
    notes: Hash | None = None


class _KindField(Struct):
    """The field of a line that says what it is."""

    kind: str


class _HeaderDigest(Struct, tag_field="kind", tag="header"):
    """The field of a header that says which sheet it is played on."""

    sheet_digest: Hash


_decode_kind = msgspec.json.Decoder(_KindField).decode
_decode_header = msgspec.json.Decoder(_HeaderDigest).decode
_decode_sheet_line = msgspec.json.Decoder(SheetLine).decode
_decode_end = msgspec.json.Decoder(EndLine).decode
_encode = msgspec.json.Encoder().encode


def _decode_or_raise(
    decode: Callable[[bytes], Decoded], raw: bytes, code: str, key: str, file: str = "<bytes>", line: int = 1
) -> Decoded:
    """What `decode` makes of the bytes of a line; where it refuses them, a LogError of this code and message key."""
    try:
        return decode(raw)
    except DECODE_ERRORS as error:
        raise LogError(code, key, file=file, line=line, found=str(error)[:_MOST_QUOTED]) from None


def pack_games(games: Iterable[Game]) -> Iterator[bytes]:
    """A whole pack, line by line. A game that could not be unpacked again is refused."""
    # the digest leaves out a sheet's name, so two sheets of one digest may differ in bytes
    sheets: dict[str, str] = {}
    for game in games:
        yield from _pack_game(game, sheets)


def _pack_game(game: Game, sheets: dict[str, str]) -> Iterator[bytes]:
    """The lines of one game. `sheets`: by digest the hash of the bytes that the pack holds; kept up to date."""
    for raw, most in ((game.log, MAX_LOG), (game.notes, MAX_NOTES)):
        if len(raw) > most:
            raise LogError("too-large", "game-too-large-by", most=most, found=len(raw))
    prev = chain.GENESIS
    lines = _split_lines(game.log)
    if not 0 < len(lines) <= MAX_LINES:
        raise LogError("pack", "pack-lines", most=MAX_LINES, found=len(lines))
    for number, line in enumerate(lines, 1):
        hashed = chain.cut_hash(line)
        if not chain.is_whole(line) or hashed[-_PREV_TAIL:] != _PREV + prev.encode() + b'"':
            raise LogError("chain", line=number)
        body, prev = hashed[:-_PREV_TAIL], chain.short_digest(hashed)
        if number == 1:
            yield from _pack_header(body, sheets)
        else:
            yield _check_kind(body + b"}\n", number)
    yield from _pack_notes(game.notes)
    hash_of_notes = chain.short_digest(game.notes) if game.notes else None
    yield _encode(EndLine(lines=len(lines), hash=prev, notes=hash_of_notes)) + b"\n"


def _pack_notes(raw: bytes) -> Iterator[bytes]:
    """The lines of a pack for the notes on a game, after one that says that notes follow; none where there are none."""
    if raw:
        yield _NOTES
    for number, line in enumerate(_split_lines(raw), 1):
        if not chain.is_whole(line):
            raise LogError("hash", "notes-damaged", line=number)
        # the brace at its end is cut with the hash
        yield _check_kind(chain.cut_hash(line) + b"}\n", number)


def _pack_header(body: bytes, sheets: dict[str, str]) -> Iterator[bytes]:
    """The lines of a pack for a header: without its sheet, and before it the sheet unless the pack holds it.

    `body` is the header up to its `prev`, without a last brace; `sheets` are those that the pack holds: see _pack_game.
    """
    start = body.find(_SHEET)
    # the sheet is the last field before `prev`
    sheet = body[start + len(_SHEET) :]
    header = _decode_or_raise(_decode_header, body + b"}", "no-header", "no-header-first")
    digest = _decode_or_raise(decode_sheet, sheet, "no-header", "no-header-first").digest
    if digest != header.sheet_digest:
        raise LogError("sheet-digest", expected=digest, found=replace_unprintable(header.sheet_digest))
    raw_digest = chain.short_digest(sheet)
    if sheets.get(digest) != raw_digest:
        sheets[digest] = raw_digest
        yield _encode(SheetLine(digest=digest, sheet=Raw(sheet))) + b"\n"
    yield body[:start] + b"}\n"


def _split_lines(raw: bytes) -> list[bytes]:
    """The lines without their newlines; bytes.splitlines would also split at other ends of lines."""
    *lines, unended = raw.split(b"\n")
    if unended:
        raise LogError("cut-off", "no-newline", line=len(lines) + 1)
    return lines


def _check_kind(line: bytes, number: int) -> bytes:
    """The line itself, if no reader of the pack can take it for one of the pack's own; else LogError."""
    kind = _decode_or_raise(_decode_kind, line, "not-json", "not-pack-line", line=number).kind
    if kind in {"sheet", "header", "notes", "end"}:
        raise LogError("pack", "pack-line", line=number)
    return line


def is_pack(line: bytes) -> bool:
    """Whether a stream that begins with this line is a pack: its first line is a sheet."""
    try:
        return _decode_kind(line).kind == "sheet"
    except DECODE_ERRORS:
        return False


def unpack(stream: LineStream, name: str = "<pack>") -> Iterator[Game]:
    """The games of a pack, one at a time, in their original bytes; LogError where one comes out otherwise."""
    sheets = _Sheets(name)
    game: _UnpackedGame | None = None
    number = 0
    for number, line in enumerate(_read_lines(stream, name), 1):
        kind = _decode_or_raise(_decode_kind, line, "not-json", "not-pack-line", name, number).kind
        if kind == "sheet" and game is None:
            sheets.add(line, number)
        elif kind == "header" and game is None:
            game = _UnpackedGame(name)
            game.add(sheets.add_to_header(line, number), number)
        elif game is None or kind == "header":
            key = "pack-no-header" if game is None else "pack-no-end"
            raise LogError("pack", key, file=name, line=number, found=replace_unprintable(kind[:_LONGEST_KIND]))
        elif kind == "end":
            yield game.finish(line, number)
            game = None
        elif line == _NOTES and not game.has_notes:
            game.has_notes = True
        else:
            # without the brace and the newline at its end
            game.add(line[:-2], number)
    if game is not None:
        raise LogError("cut-off", "pack-cut-off", file=name, line=number + 1)


class _UnpackedGame:
    """One game of a pack, as far as its lines have been read."""

    __slots__ = ("_lines", "_name", "_notes", "_prev", "has_notes")

    def __init__(self, name: str) -> None:
        """A game without lines; `name` is that of the pack, for errors."""
        self._name = name
        self._lines = _LineBuffer(name, MAX_LOG)
        self._prev = chain.GENESIS
        self._notes = _LineBuffer(name, MAX_NOTES)
        self.has_notes = False

    def add(self, body: bytes, number: int) -> None:
        """Add a line of the log, which came without `prev` and hash, or one of the notes, which came without hash."""
        if self.has_notes:
            self._notes.add(chain.join_hash(body, chain.short_digest(body)) + b"\n", number)
            return
        whole = body + _PREV + self._prev.encode() + b'"'
        self._prev = chain.short_digest(whole)
        self._lines.add(chain.join_hash(whole, self._prev) + b"\n", number)

    def finish(self, line: bytes, number: int) -> Game:
        """The whole game, checked against the line that ends it."""
        name, lines = self._name, self._lines.count
        end = _decode_or_raise(_decode_end, line, "pack", "pack-end", name, number)
        if (end.lines, end.hash) != (lines, self._prev):
            n, expected = end.lines, replace_unprintable(end.hash)
            raise LogError(
                "hash", "pack-hash", file=name, line=number, n=n, expected=expected, count=lines, found=self._prev
            )
        game = Game(bytes(self._lines.raw), bytes(self._notes.raw))
        hash_of_notes = chain.short_digest(game.notes) if self.has_notes else None
        if end.notes != hash_of_notes:
            expected, found = (
                f"'{replace_unprintable(hash_)}'" if hash_ else "none" for hash_ in (end.notes, hash_of_notes)
            )
            raise LogError("hash", "notes-hash", file=name, line=number, expected=expected, found=found)
        return game


@dataclass(slots=True)
class _LineBuffer:
    """The lines of a log or of its notes in one buffer, with their number: a list would cost an entry for each."""

    name: str
    most: int
    count: int = 0
    raw: bytearray = field(default_factory=bytearray)

    def add(self, line: bytes, number: int) -> None:
        """Keep a line; LogError, at this line of the pack, where there are too many or they are too long."""
        if self.count >= MAX_LINES:
            raise LogError("too-many-lines", "game-lines", file=self.name, line=number, most=MAX_LINES)
        if len(self.raw) + len(line) > self.most:
            raise LogError("too-large", "game-too-large", file=self.name, line=number, most=self.most)
        self.count += 1
        self.raw += line


def _read_lines(stream: LineStream, name: str) -> Iterator[bytes]:
    """The lines of a pack with their newlines; LogError for one that is cut off or too long."""
    for number in count(1):
        try:
            raw = stream.readline(MAX_LINE + 1)
        except LogError as error:
            # whoever decompresses does not count lines
            error.line = number
            raise
        if not raw:
            return
        if raw[-2:] != b"}\n":
            code = "too-long" if len(raw) > MAX_LINE else "cut-off"
            raise LogError(code, "whole-line", file=name, line=number, most=MAX_LINE)
        yield raw


@dataclass(slots=True)
class _Sheets:
    """The sheets of a pack so far, by digest, and the bytes that they take."""

    name: str
    by_digest: dict[str, bytes] = field(default_factory=dict)
    size: int = 0

    def add(self, line: bytes, number: int) -> None:
        """Keep the sheet of a line, whose digest must be right."""
        name = self.name
        sheet_line = _decode_or_raise(_decode_sheet_line, line, "pack", "pack-sheet", name, number)
        raw = bytes(sheet_line.sheet)
        digest = _decode_or_raise(decode_sheet, raw, "pack", "pack-sheet", name, number).digest
        if digest != sheet_line.digest:
            found = replace_unprintable(sheet_line.digest)
            raise LogError("sheet-digest", file=name, line=number, expected=digest, found=found)
        self.size += len(raw) - len(self.by_digest.get(digest, b""))
        self.by_digest[digest] = raw
        if self.size > MAX_SHEETS:
            raise LogError("too-large", "sheets-too-large", file=name, line=number, most=MAX_SHEETS)

    def add_to_header(self, line: bytes, number: int) -> bytes:
        """The header with the sheet that it names, up to where its `prev` goes."""
        digest = _decode_or_raise(_decode_header, line, "no-header", "broken-header", self.name, number).sheet_digest
        if digest not in self.by_digest:
            raise LogError("pack", "sheet-missing", file=self.name, line=number, expected=replace_unprintable(digest))
        # without the brace and the newline at its end
        return line[:-2] + _SHEET + self.by_digest[digest]
