"""Many logs in one stream: what can be recomputed is left out, and unpacking gives the original bytes back.

    {"kind":"sheet","digest":"…","sheet":{…}}      a component sheet, before the first game that is played on it
    {"kind":"header", …}                           a header starts the next game; its sheet is named by digest
    {"kind":"decision", …}                         lines without `prev` and `hash`
    {"kind":"end","lines":112,"hash":"…"}          how many lines, and the last one's hash: the game is whole

A hash is four fifths of a compressed line and follows from the bytes before it. The last one vouches for them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw, Struct

from spyrium_log.errors import LogError
from spyrium_log.log import chain
from spyrium_log.log.codec import MAX_LINE, MAX_LINES, Readline, sheet_in
from spyrium_log.log.lines import Hash, Number

_PREV = b',"prev":"'
_TAIL = len(_PREV) + 32 + 1
_SHEET = b',"sheet":'


class SheetLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="sheet"):
    digest: Hash
    sheet: Raw


class EndLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="end"):
    lines: Number
    hash: Hash


class _Kind(Struct):
    """As much of a line as says what it is."""

    kind: str


class _Header(Struct):
    sheet_digest: Hash


_kind = msgspec.json.Decoder(_Kind)
_header = msgspec.json.Decoder(_Header)
_sheet_line = msgspec.json.Decoder(SheetLine)
_end_line = msgspec.json.Decoder(EndLine)
_encode = msgspec.json.Encoder().encode


# --- packing -------------------------------------------------------------------------------------


class Packer:
    """Writes one pack; remembers which sheets it holds already."""

    def __init__(self) -> None:
        self._sheets: set[str] = set()

    def pack(self, raw: bytes, name: str = "<bytes>") -> Iterator[bytes]:
        """One log, whole and sound, as the pack's lines."""
        # not splitlines: that knows other ends of lines than ours
        lines = [line + b"\n" for line in raw.split(b"\n")]
        if lines.pop() != b"\n" or not lines:
            raise LogError(
                "cut-off", "expected a log that ends in a newline, found none", file=name, line=len(lines) + 1
            )
        prev = chain.GENESIS
        for at, line in enumerate(lines, 1):
            body, hash_ = _checked(line, prev, name, at)
            if at == 1:
                yield from self._header(body, name)
            else:
                yield body + b"}\n"
            prev = hash_
        yield _encode(EndLine(lines=len(lines), hash=prev)) + b"\n"

    def _header(self, body: bytes, name: str) -> Iterator[bytes]:
        """The header without its sheet, and before it the sheet where the pack has not got it yet."""
        try:
            digest = _header.decode(body + b"}").sheet_digest
        except msgspec.MsgspecError as error:
            raise LogError("no-header", f"expected a header first: {error}", file=name) from None
        start = body.index(_SHEET)
        if digest not in self._sheets:
            self._sheets.add(digest)
            yield _encode(SheetLine(digest=digest, sheet=Raw(body[start + len(_SHEET) :]))) + b"\n"
        yield body[:start] + b"}\n"


def _checked(line: bytes, prev: str, name: str, at: int) -> tuple[bytes, str]:
    """The line up to its `prev`, and its hash: only what follows from the bytes may be left out."""
    whole = chain.body(line[:-1])
    if line[-1:] != b"\n" or not chain.is_whole(line[:-1]) or whole[-_TAIL:] != _PREV + prev.encode() + b'"':
        raise LogError("chain", "expected a log without damage, found a line that does not follow", file=name, line=at)
    return whole[:-_TAIL], chain.short_digest(whole)


# --- unpacking -----------------------------------------------------------------------------------


def unpack(stream: Readline, name: str = "<pack>") -> Iterator[bytes]:
    """The logs of a pack, each as its original bytes; one game in memory at a time.

    A game that does not come out as it went in raises, and says where in the pack.
    """
    sheets: dict[str, bytes] = {}
    game: list[bytes] = []
    prev = chain.GENESIS
    for at, line in enumerate(_lines(stream, name), 1):
        kind = _kind_of(line, name, at)
        if kind == "sheet":
            _remember(line, sheets, name, at)
            continue
        if kind == "end" and game:
            yield _ended(line, game, prev, name, at)
            game, prev = [], chain.GENESIS
            continue
        if (kind == "header") != (not game):
            found = "a header before the end of a game" if game else f"a '{kind}' before a header"
            raise LogError("pack", f"expected a header to start each game, found {found}", file=name, line=at)
        if len(game) >= MAX_LINES:
            raise LogError("too-many-lines", f"expected at most {MAX_LINES} lines a game", file=name, line=at)
        body = line[:-2] if game else _with_sheet(line, sheets, name, at)
        whole = body + _PREV + prev.encode() + b'"'
        prev = chain.short_digest(whole)
        game.append(chain.hashed(whole, prev) + b"\n")
    if game:
        raise LogError(
            "cut-off", "expected the end of the last game, found the end of the pack", file=name, line=at + 1
        )


def _lines(stream: Readline, name: str) -> Iterator[bytes]:
    at = 0
    while raw := stream.readline(MAX_LINE + 1):
        at += 1
        if raw[-2:] != b"}\n":
            code = "too-long" if len(raw) > MAX_LINE else "cut-off"
            raise LogError(code, f"expected a whole line of at most {MAX_LINE} bytes", file=name, line=at)
        yield raw


def _kind_of(line: bytes, name: str, at: int) -> str:
    try:
        return _kind.decode(line).kind
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise LogError("not-json", f"expected a line of a pack, found: {error}"[:300], file=name, line=at) from None


def _remember(line: bytes, sheets: dict[str, bytes], name: str, at: int) -> None:
    try:
        said = _sheet_line.decode(line)
        raw = bytes(said.sheet)
        digest = sheet_in(raw)[1]
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise LogError("pack", f"expected a component sheet, found: {error}"[:300], file=name, line=at) from None
    if digest != said.digest:
        raise LogError("sheet-digest", f"expected {digest}, found '{said.digest}'", file=name, line=at)
    sheets[digest] = raw


def _with_sheet(line: bytes, sheets: dict[str, bytes], name: str, at: int) -> bytes:
    try:
        digest = _header.decode(line).sheet_digest
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise LogError("no-header", f"expected a header, found: {error}"[:300], file=name, line=at) from None
    if digest not in sheets:
        raise LogError("pack", f"expected sheet {digest} before the game that is played on it", file=name, line=at)
    return line[:-2] + _SHEET + sheets[digest]


def _ended(line: bytes, game: list[bytes], prev: str, name: str, at: int) -> bytes:
    try:
        end = _end_line.decode(line)
    except msgspec.MsgspecError as error:
        raise LogError("pack", f"expected the end of a game, found: {error}"[:300], file=name, line=at) from None
    if (end.lines, end.hash) != (len(game), prev):
        expected = f"{end.lines} lines that end in hash {end.hash}"
        raise LogError("hash", f"expected {expected}, found {len(game)} that end in {prev}", file=name, line=at)
    return b"".join(game)


def packed(logs: Iterable[bytes]) -> Iterator[bytes]:
    """A whole pack, line by line."""
    packer = Packer()
    for raw in logs:
        yield from packer.pack(raw)
