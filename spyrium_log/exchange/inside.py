"""The log inside our own exports, an HTML page or a replay as JSON. It must end in the hash that the export names."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from codecs import BOM_UTF8

import msgspec
from msgspec import Struct

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange.values import check_json_size, shown
from spyrium_log.store import read_bytes

_PAGE_BEGINNING = re.compile(rb"\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_REPLAY_BEGINNING = re.compile(rb'\s*\{\s*"header"\s*:\s*\{')
# Text of a log stands in a page without a `<`, so these come from the page itself.
_LINK = b'<a id="log" '
_DIGEST = b'<code id="digest">'
_HREF = re.compile(rb'\bhref="data:application/x-ndjson;base64,([0-9A-Za-z+/=]*)"')


class _Replay(Struct):
    """The fields of a replay that hold the log."""

    log: list[str]
    hash: str


def is_page(head: bytes) -> bool:
    """Whether a file with this beginning may be a page."""
    return _PAGE_BEGINNING.match(head.removeprefix(BOM_UTF8)) is not None


def log_in_page(raw: bytes, file: str) -> bytes:
    """The bytes of the log in a page."""
    link = _text_between(raw, _LINK, b">", "a link to the log", file)
    href = _HREF.search(link)
    try:
        log = b64decode(href[1], validate=True) if href else b""
    except binascii.Error as error:
        raise ExchangeError(f"expected a log as base64, found: {error}, at {file}") from None
    digest = _text_between(raw, _DIGEST, b"<", "the hash of the log", file)
    return _checked_log(digest.decode(errors="replace"), log, file)


def _text_between(raw: bytes, begin: bytes, end: bytes, what: str, file: str) -> bytes:
    """What stands between two marks, the first of which must occur once."""
    count = raw.count(begin)
    if count != 1:
        raise ExchangeError(f"expected a page that export made, with {what} in it; found {count}, at {file}")
    start = raw.index(begin) + len(begin)
    stop = raw.find(end, start)
    return raw[start:] if stop < 0 else raw[start:stop]


def is_replay(head: bytes) -> bool:
    """Whether a file with this beginning may be a replay as JSON."""
    return _REPLAY_BEGINNING.match(head.removeprefix(BOM_UTF8)) is not None


def log_in_replay(raw: bytes, file: str) -> bytes:
    """The bytes of the log in a replay as JSON."""
    check_json_size(raw, file)
    try:
        exported = msgspec.json.decode(raw.removeprefix(BOM_UTF8), type=_Replay)
        log = "".join(f"{line}\n" for line in exported.log).encode()
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        found = f"expected a replay that export made, with the log in it; found: {shown(error)}"
        raise ExchangeError(f"{found}, at {file}") from None
    return _checked_log(exported.hash, log, file)


def _checked_log(digest: str, raw: bytes, file: str) -> bytes:
    """The log, if it is whole and ends in this hash."""
    log = read_bytes(raw, file)
    if log.complaint is not None:
        raise log.complaint
    if log.last_digest != digest:
        raise ExchangeError(f"expected a log that ends in hash '{shown(digest)}', found {log.last_digest}, at {file}")
    return raw
