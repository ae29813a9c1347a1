"""The formats that can be imported: how each is recognised by its first bytes, and what reads it."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from spyrium_log import transcript
from spyrium_log.errors import ExchangeError, SpyriumLogError
from spyrium_log.exchange import bgg, bgstats, csv_scores, inside
from spyrium_log.exchange.scored import Imported, LeftOut, WholeLog, other_title_text
from spyrium_log.exchange.tables import LEDGER
from spyrium_log.exchange.values import game_id
from spyrium_log.play import bytes_of
from spyrium_log.store import FoundGame, games_in, is_packed, reading
from spyrium_log.title import AnyTitle

# Bytes at the beginning of a file that tell its format.
HEAD = 4096

# Takes the bytes, the name of their file, titles and aliases.
Reader: TypeAlias = Callable[[bytes, str, Mapping[str, AnyTitle], Mapping[str, str]], Imported]


class Format(NamedTuple):
    """A format: what people call it, whether a file may be one by its first bytes, and what reads the whole file."""

    description: str
    matches: Callable[[bytes], bool]
    read: Reader


def _is_log(head: bytes) -> bool:
    """Whether a file with this beginning may be a log: its first line is the header, and `kind` stands first."""
    return head.startswith(b'{"kind":"header"')


def _read_log(raw: bytes, file: str, titles: Mapping[str, AnyTitle], _aliases: Mapping[str, str]) -> Imported:
    """A log is copied byte for byte, so it has to be whole. Several in a row, as `cat` makes them, are a pack."""
    games = games_in(reading(raw), file)
    first, second = next(games), next(games, None)
    if second is not None:
        return Imported(logs=(_packed_log(game, titles) for game in chain((first, second), games)))
    log = first.log()
    if log.complaint is not None:
        raise log.complaint
    whole = _wanted_log(log, file, titles, raw)
    return Imported(left_out=(whole,)) if isinstance(whole, LeftOut) else Imported(logs=(whole,))


def _reader_inside(inside: Callable[[bytes, str], bytes]) -> Reader:
    """A reader of the log inside one of our own exports; `inside` takes its bytes out of those of the file."""

    def read(raw: bytes, file: str, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]) -> Imported:
        """The log inside the file, as if it had been given by itself."""
        return _read_log(inside(raw, file), file, titles, aliases)

    return read


def _read_pack(raw: bytes, file: str, titles: Mapping[str, AnyTitle], _aliases: Mapping[str, str]) -> Imported:
    """Each game by itself: a damaged one is left out, the others are imported."""
    return Imported(logs=(_packed_log(game, titles) for game in games_in(reading(raw), file)))


def _packed_log(game: FoundGame, titles: Mapping[str, AnyTitle]) -> WholeLog | LeftOut:
    """A game of a pack, or why it is left out."""
    try:
        log, notes = game.log(), game.notes()
        complaint = log.complaint or notes.complaint
        if complaint is not None:
            raise complaint
    except SpyriumLogError as error:
        return LeftOut(where=game.name, why=str(error), is_unusable=True)
    return _wanted_log(log, game.name, titles, *game.raw())


def _wanted_log(
    log: Any, file: str, titles: Mapping[str, AnyTitle], raw: bytes, notes: bytes = b""
) -> WholeLog | LeftOut:
    """A log that was read, or the reason that it is left out: a title that is not wanted here."""
    header = log.header
    if header.title not in titles:
        return LeftOut(where=file, why=other_title_text(titles, log.title.name), is_other=True)
    return WholeLog(
        game=header.game,
        raw=raw,
        notes=notes,
        players=tuple(seat.player for seat in header.seats),
        played=header.played,
        place=header.place,
        where=file,
    )


# After comments, a text of moves begins with the tag that names its title and game.
_FIRST_TAG = re.compile(rb"(?:\s*#[^\n]*\n|\s)*\[[a-z][a-z0-9-]* \"")


def _is_notation(head: bytes) -> bool:
    """Whether a file with this beginning may be a game in notation."""
    return _FIRST_TAG.match(head.removeprefix(BOM_UTF8)) is not None


def _read_notation(raw: bytes, file: str, titles: Mapping[str, AnyTitle], _aliases: Mapping[str, str]) -> Imported:
    """A whole game or none: what follows a line that cannot be read would be played on another table."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ExchangeError(f"expected UTF-8, found byte 0x{raw[error.start]:02x}, at {file}:{line}") from None
    places: list[int] = []
    lines = transcript.split_transcript(text, file)
    log = transcript.read_transcript(lines, titles, file, game=game_id("notation", text), by="notation", places=places)
    whole = _wanted_log(log, file, titles, bytes_of(log.lines))
    return Imported(logs=(whole if isinstance(whole, LeftOut) else replace(whole, is_notation=True, places=places),))


_LEDGER_HEADING = ",".join(LEDGER).encode()


def _read_scores(raw: bytes, file: str, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]) -> Imported:
    """Final scores as CSV. Our own ledger looks like such a table and holds none, so it is refused by name."""
    if raw.startswith(_LEDGER_HEADING):
        raise ExchangeError(f"expected final scores, found the ledger of a game: its log can be imported, at {file}")
    return csv_scores.read(raw, file, titles, aliases)


FORMATS: Mapping[str, Format] = {
    "log": Format("a log of this program", _is_log, _read_log),
    "pack": Format("a pack of logs", is_packed, _read_pack),
    "notation": Format("a game in notation", _is_notation, _read_notation),
    "html": Format("a page that export made", inside.is_page, _reader_inside(inside.log_in_page)),
    "json": Format("a replay that export made, as JSON", inside.is_replay, _reader_inside(inside.log_in_replay)),
    "bgstats": Format("a JSON export of BG Stats", bgstats.matches, bgstats.read),
    "bgg": Format("plays of BoardGameGeek, saved as XML", bgg.matches, bgg.read),
    "csv": Format("final scores as CSV", csv_scores.matches, _read_scores),
}


def format_of(raw: bytes, file: str) -> str:
    """The name of the first format that matches."""
    for name, each in FORMATS.items():
        if each.matches(raw[:HEAD]):
            return name
    known = ", ".join(each.description for each in FORMATS.values())
    raise ExchangeError(f"expected {known}; found none of them, at {file}")
