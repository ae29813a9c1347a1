"""Headers: which decoder reads a log, and its component sheet.

Nearly all logs of an archive carry the same sheet, and half of the time that a header takes would go into skipping it,
twice. So a sheet that was read before is recognised by its bytes and cut out.
"""

from __future__ import annotations

import re
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta, Struct

from spyrium_log.errors import LogError
from spyrium_log.log.complaints import DECODE_ERRORS, complaint_of
from spyrium_log.log.lines import AnyHeader
from spyrium_log.sheet import Sheet
from spyrium_log.shown import printable

# Bytes of the sheets that are kept decoded: a few hundred of those that ship, or a few of the largest that can be.
_MOST_SHEET_BYTES = 1 << 22
# What stands before the sheet, with its digest.
_BEFORE_SHEET = re.compile(rb'"sheet_digest":"([0-9a-f]{32})","sheet":')
# How far into a header that is searched: what stands before it is short unless somebody means harm.
_MOST_SEARCHED = 8192
# Stands in for a sheet that was cut out.
NO_SHEET = b'"cut"'

_encode_json = msgspec.json.Encoder().encode

# Bounded, because an error quotes it and because the steps up to the current format are counted.
_FormatNumber = Annotated[int, Meta(ge=0, le=1_000_000)]


class HeaderStart(Struct, tag_field="kind", tag="header"):
    """The fields of a header that choose its decoder."""

    n: int
    format: _FormatNumber
    title: str
    title_format: _FormatNumber


_start_decoder = msgspec.json.Decoder(HeaderStart)


def start_of(raw: bytes, file: str) -> HeaderStart:
    """The fields that choose the decoder, from the first line of a log."""
    try:
        return _start_decoder.decode(raw)
    except DECODE_ERRORS as error:
        raise complaint_of(error, raw, file, 1) from None


class DecodedSheet(NamedTuple):
    """A sheet, its digest, and whether its bytes are the ones that this package writes."""

    sheet: Sheet
    digest: str
    is_canonical: bool


class _SheetCache:
    """Decoded sheets by their bytes, and the bytes by digest.

    Its size is counted in bytes, because a hostile pack chooses how large a sheet is.
    """

    def __init__(self) -> None:
        self.by_digest: dict[bytes, bytes] = {}
        self._decoded: dict[bytes, DecodedSheet] = {}
        self._size = 0

    def decoded(self, raw: bytes) -> DecodedSheet:
        """The sheet in these bytes of a header, decoded once; DECODE_ERRORS where they hold none."""
        cached = self._decoded.get(raw)
        if cached is None:
            sheet = msgspec.json.decode(raw, type=Sheet)
            cached = DecodedSheet(sheet, sheet.digest(), _encode_json(sheet) == raw)
            self._size += len(raw)
            if self._size > _MOST_SHEET_BYTES:
                self._decoded.clear()
                self.by_digest.clear()
                self._size = len(raw)
            self._decoded[raw] = cached
        return cached


_CACHE = _SheetCache()
decoded_sheet: Final = _CACHE.decoded


def checked_sheet(header: AnyHeader, file: str) -> Sheet:
    """The header's sheet, if it is spelled as it must be and is the one that the header names."""
    raw = bytes(header.sheet)
    try:
        sheet, digest, is_canonical = decoded_sheet(raw)
    except DECODE_ERRORS as error:
        raise complaint_of(error, raw, file, 1) from None
    if not is_canonical:
        raise LogError("not-canonical", "sheet-spelling", file=file)
    if header.sheet_digest != digest:
        raise LogError("sheet-digest", file=file, expected=digest, found=printable(header.sheet_digest))
    _CACHE.by_digest[digest.encode()] = raw
    return sheet


class ShortHeader(NamedTuple):
    """A header without its sheet, which was read before, and the sheet's bytes."""

    raw: bytes
    sheet: bytes
    start: HeaderStart


def without_sheet(raw: bytes) -> ShortHeader | None:
    """The header without its sheet; None where the sheet is new, or anything is odd about the header."""
    match = _BEFORE_SHEET.search(raw, 0, _MOST_SEARCHED)
    sheet = _CACHE.by_digest.get(match[1]) if match else None
    if match is None or sheet is None or not raw.startswith(sheet, match.end()):
        return None
    rest = raw[match.end() + len(sheet) :]
    if NO_SHEET in rest:
        return None
    short = raw[: match.end()] + NO_SHEET + rest
    try:
        return ShortHeader(short, sheet, _start_decoder.decode(short))
    except DECODE_ERRORS:
        return None
