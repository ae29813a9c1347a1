"""The formats that can be imported: how each is recognised by its first bytes, and what reads it.

Our own exports of a game, an HTML page or a replay as JSON, hold its log; it must end in the hash that they name.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spyrium_log import transcript
from spyrium_log.errors import ExchangeError, SpyriumLogError
from spyrium_log.exchange import bgg, bgstats, csv_scores
from spyrium_log.exchange.scored import Imported, Outcome, Titles, WholeLog, explain_other_title, reason_of
from spyrium_log.exchange.tables import LEDGER
from spyrium_log.exchange.values import check_json_size, decode_utf8, make_game_id, make_quotable
from spyrium_log.messages import exchange_message
from spyrium_log.play import encode_log
from spyrium_log.store import FoundGame, Log, is_packed, make_reader, read_bytes, read_games

HEAD_BYTES = 4096

# Takes the bytes, the name of their file, titles and aliases.
Reader: TypeAlias = Callable[[bytes, str, Titles, Mapping[str, str]], Imported]

# After comments, a text of moves begins with the tag that names its title and game.
_FIRST_TAG = re.compile(rb"(?:\s*#[^\n]*\n|\s)*\[[a-z][a-z0-9-]* \"")
_PAGE_BEGINNING = re.compile(rb"\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_REPLAY_BEGINNING = re.compile(rb'\s*\{\s*"header"\s*:\s*\{')
# Text of a log stands in a page without a `<`, so these come from the page itself.
_LINK = b'<a id="log" '
_DIGEST = b'<code id="digest">'
_HREF = re.compile(rb'\bhref="data:application/x-ndjson;base64,([0-9A-Za-z+/=]*)"')


class Format(NamedTuple):
    """A format: whether a file may be one by its first bytes, and what reads the whole file."""

    matches: Callable[[bytes], bool]
    read: Reader


def _read_log(raw: bytes, file: str, titles: Titles, aliases: Mapping[str, str]) -> Imported:
    """A log is copied byte for byte, so it has to be whole. Several in a row, as `cat` makes them, are a pack."""
    games = read_games(make_reader(raw), file)
    first = next(games)
    if next(games, None) is not None:
        return _read_pack(raw, file, titles, aliases)
    log = first.log()
    if log.complaint is not None:
        raise log.complaint
    whole = _accept_log(log, file, titles, raw)
    return Imported(left_out=(whole,)) if isinstance(whole, Outcome) else Imported(logs=(whole,))


def _read_pack(raw: bytes, file: str, titles: Titles, _aliases: Mapping[str, str]) -> Imported:
    """Each game by itself: a damaged one is left out, the others are imported."""
    return Imported(logs=(_read_packed_log(game, titles) for game in read_games(make_reader(raw), file)))


def _read_packed_log(game: FoundGame, titles: Titles) -> WholeLog | Outcome:
    """A game of a pack, or why it is left out."""
    try:
        log = game.log()
        complaint = log.complaint or game.notes().complaint
        if complaint is not None:
            raise complaint
    except SpyriumLogError as error:
        return Outcome(what="unusable", where=game.name, why=reason_of(error))
    return _accept_log(log, game.name, titles, *game.raw())


def _accept_log(log: Log, file: str, titles: Titles, raw: bytes, notes: bytes = b"") -> WholeLog | Outcome:
    """A log that was read, or the reason that it is left out: a title that is not wanted here."""
    header = log.header
    if header.title not in titles:
        return Outcome(what="other", where=file, why=explain_other_title(titles, log.title.name))
    return WholeLog(
        game=header.game,
        raw=raw,
        notes=notes,
        players=tuple(seat.player for seat in header.seats),
        played=header.played,
        place=header.place,
        where=file,
    )


def _read_notation(raw: bytes, file: str, titles: Titles, _aliases: Mapping[str, str]) -> Imported:
    """A whole game or none: what follows a line that cannot be read would be played on another table."""
    text = decode_utf8(raw, file)
    places: list[int] = []
    lines = transcript.split_transcript(text, file)
    game = make_game_id("notation", text)
    log = transcript.read_transcript(lines, titles, file, game=game, by="notation", places=places)
    accepted = _accept_log(log, file, titles, encode_log(log.lines))
    if isinstance(accepted, Outcome):
        return Imported(logs=(accepted,))
    return Imported(logs=(replace(accepted, is_notation=True, places=places),))


class _Replay(Struct):
    """The fields of a replay as JSON that hold the log."""

    log: list[str]
    hash: str


def _read_inside(find_log: Callable[[bytes, str], bytes]) -> Reader:
    """A reader of the log inside one of our own exports; `find_log` takes its bytes out of those of the file."""
    return lambda raw, file, titles, aliases: _read_log(find_log(raw, file), file, titles, aliases)


def _log_in_page(raw: bytes, file: str) -> bytes:
    """The log that a page of ours links to; ExchangeError where it is not there, or not the one of its hash."""
    href = _HREF.search(_text_between(raw, _LINK, b">", "page-log", file))
    try:
        log = b64decode(href[1], validate=True) if href else b""
    except binascii.Error as error:
        raise ExchangeError("not-base64", found=str(error), place=file) from None
    digest = _text_between(raw, _DIGEST, b"<", "page-hash", file)
    return _check_log(digest.decode(errors="replace"), log, file)


def _text_between(raw: bytes, begin: bytes, end: bytes, error_key: str, file: str) -> bytes:
    """What stands between two marks; where the first one does not occur once, the ExchangeError of this key."""
    count = raw.count(begin)
    if count != 1:
        raise ExchangeError(error_key, found=count, place=file)
    return raw.partition(begin)[2].partition(end)[0]


def _log_in_replay(raw: bytes, file: str) -> bytes:
    """The log whose lines a replay as JSON holds; ExchangeError where it is none, or not the log of its hash."""
    check_json_size(raw, file)
    try:
        exported = msgspec.json.decode(raw.removeprefix(BOM_UTF8), type=_Replay)
        log = "".join(f"{line}\n" for line in exported.log).encode()
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise ExchangeError("not-replay", found=make_quotable(error), place=file) from None
    return _check_log(exported.hash, log, file)


def _check_log(digest: str, raw: bytes, file: str) -> bytes:
    """The same bytes, if they are a whole log that ends in this hash; else the error that says why not."""
    log = read_bytes(raw, file)
    if log.complaint is not None:
        raise log.complaint
    if log.last_digest != digest:
        raise ExchangeError("other-hash", expected=make_quotable(digest), found=log.last_digest, place=file)
    return raw


def _read_scores(raw: bytes, file: str, titles: Titles, aliases: Mapping[str, str]) -> Imported:
    """Final scores as CSV. Our own ledger looks like such a table and holds none, so it is refused by name."""
    if raw.startswith(",".join(LEDGER).encode()):
        raise ExchangeError("ledger", place=file)
    return csv_scores.read_scores(raw, file, titles, aliases)


def _begins_with(pattern: re.Pattern[bytes]) -> Callable[[bytes], bool]:
    """A test for `Format.matches`: whether a file begins so, after its byte order mark."""
    return lambda head: pattern.match(head.removeprefix(BOM_UTF8)) is not None


FORMATS: Mapping[str, Format] = {
    # a log's first line is the header, in which `kind` stands first
    "log": Format(lambda head: head.startswith(b'{"kind":"header"'), _read_log),
    "pack": Format(is_packed, _read_pack),
    "notation": Format(_begins_with(_FIRST_TAG), _read_notation),
    "html": Format(_begins_with(_PAGE_BEGINNING), _read_inside(_log_in_page)),
    "json": Format(_begins_with(_REPLAY_BEGINNING), _read_inside(_log_in_replay)),
    "bgstats": Format(bgstats.matches, bgstats.read_export),
    "bgg": Format(bgg.matches, bgg.read_plays),
    "csv": Format(csv_scores.matches, _read_scores),
}


def format_of(raw: bytes, file: str) -> str:
    """The name of the first format that matches; ExchangeError where none does."""
    for name, known_format in FORMATS.items():
        if known_format.matches(raw[:HEAD_BYTES]):
            return name
    raise ExchangeError("unknown-format", known=exchange_message("known-formats"), place=file)
