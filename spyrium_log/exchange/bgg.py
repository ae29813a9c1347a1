"""BoardGameGeek: saved answers of its XML API2 about plays. A score there is free text, and players may be missing.

XML is hostile: document types and entities are refused at once, depth and number of elements are limited.
"""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange import values
from spyrium_log.exchange.scored import Collector, Imported, ScoredGame, ScoredSeat, Titles, sort_by_order
from spyrium_log.title import AnyTitle

MAX_DEPTH = 8
# 25,000 plays of five players.
MAX_ELEMENTS = 200_000
# Bytes of one element, whose attributes are all made at once; and bytes that are parsed at once.
MAX_TAG = 1 << 18
CHUNK = 1 << 16
# What BoardGameGeek writes for a play without a date.
UNKNOWN_DAY = "0000-00-00"
MAX_DIGITS = 9

# The attributes of each element that the API had when this was written.
_KNOWN_ATTRIBUTES: Mapping[str, set[str]] = {
    "plays": {"username", "userid", "total", "page", "termsofuse"},
    "play": {"id", "userid", "date", "quantity", "length", "incomplete", "nowinstats", "location"},
    "item": {"name", "objecttype", "objectid"},
    "subtypes": set(),
    "subtype": {"value"},
    "comments": set(),
    "players": set(),
    "player": {"username", "userid", "name", "startposition", "color", "score", "new", "rating", "win"},
}


@dataclass(slots=True)
class _Play:
    """One play as it stands in the file, at this line: attributes, none of them checked yet."""

    attributes: Mapping[str, str]
    line: int
    item: Mapping[str, str] = field(default_factory=dict)
    players: list[Mapping[str, str]] = field(default_factory=list)

    def text(self, name: str, default: str = "") -> str:
        """An attribute without the blanks around it."""
        return self.attributes.get(name, default).strip()

    def number(self, name: str) -> int:
        """An attribute as a whole number; 0 where it is none."""
        return _number_or_zero(self.text(name))


def matches(head: bytes) -> bool:
    """Whether a file with this beginning may be saved plays of BoardGameGeek."""
    # in UTF-8 or UTF-16, which puts a zero before or after each character
    return head.removeprefix(BOM_UTF8).lstrip().startswith((b"<", BOM_UTF16_LE + b"<", BOM_UTF16_BE + b"\0<"))


def read_plays(raw: bytes, file: str, titles: Titles, aliases: Mapping[str, str]) -> Imported:
    """The plays of a saved file that are games of these titles."""
    collector = Collector(file, titles)
    games: dict[str, ScoredGame] = {}
    for play in _Parser(file, collector).parse_plays(raw):
        where = f"{file}:{play.line}"
        quantity = max(1, play.number("quantity"))
        bgg_id = _number_or_zero(play.item.get("objectid", ""))
        title = collector.find_title(play.item.get("name", ""), bgg_id, quantity)
        if title is None:
            continue
        try:
            game = _game_of_play(play, title, where, aliases)
            if game.game not in games:
                collector.add(game)
        except ExchangeError as error:
            collector.leave_out(where, error, quantity)
            continue
        # pages that were saved while somebody recorded overlap
        first_seen = games.setdefault(game.game, game)
        if first_seen.seats != game.seats:
            collector.leave_out(where, ExchangeError("play-again", id=play.text("id"), found=game.result))
    return collector.finish()


def _game_of_play(play: _Play, title: AnyTitle, where: str, aliases: Mapping[str, str]) -> ScoredGame:
    """The game of a play; raises for one whose scores are not certain."""
    if not play.number("id"):
        raise ExchangeError("play-id", found=values.make_quotable(play.text("id")))
    for mark in ("incomplete", "nowinstats"):
        if play.text(mark) not in {"", "0"}:
            raise ExchangeError(mark)
    if (quantity := play.text("quantity", "1")) != "1":
        raise ExchangeError("several-games", found=values.make_quotable(quantity))
    if not play.players:
        raise ExchangeError("no-players")
    day = play.text("date")
    seats = [_seat_of_player(player, aliases) for player in play.players]
    orders = [_number_or_zero(player.get("startposition", "")) for player in play.players]
    return ScoredGame(
        ids=(values.make_game_id("bgg:play", str(play.number("id"))),),
        title=title.key,
        seats=tuple(sort_by_order(seats, orders)),
        played=None if day in {"", UNKNOWN_DAY} else values.parse_day(day),
        place=values.tidy(play.text("location")) or None,
        minutes=values.minutes_or_none(play.number("length")),
        by="bgg",
        where=where,
    )


def _seat_of_player(player: Mapping[str, str], aliases: Mapping[str, str]) -> ScoredSeat:
    """One player of a play; an alias of the user name counts before one of the name."""
    names = [name for key in ("username", "name") if (name := player.get(key, "").strip())]
    if not names:
        raise ExchangeError("no-player-name")
    name = values.resolve_alias(aliases, *names)
    with values.wrap_errors("for-player", player=values.make_quotable(name)):
        points = values.parse_points(player.get("score", ""))
    return ScoredSeat(player=name, points=points, colour=values.tidy(player.get("color", "")) or None)


def _number_or_zero(text: str) -> int:
    """The whole number in an attribute; 0 where there is none, or one of more than `MAX_DIGITS` digits."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS else 0


class _Parser:
    """Turns what expat reports into plays."""

    def __init__(self, file: str, collector: Collector) -> None:
        """`file`: its name, for errors. `collector`: counts what the API did not have."""
        self.file = file
        self.collector = collector
        self.plays: list[_Play] = []
        self._open_tags: list[str] = []
        self._element_count = 0
        self._expat = expat.ParserCreate()
        self._expat.StartElementHandler = self._open_element
        self._expat.EndElementHandler = lambda _name: self._open_tags.pop()
        self._expat.StartDoctypeDeclHandler = self._refuse_declaration
        self._expat.EntityDeclHandler = self._refuse_declaration
        self._expat.ExternalEntityRefHandler = self._refuse_declaration

    def parse_plays(self, raw: bytes) -> list[_Play]:
        """The plays of a file, parsed in pieces, so that a huge element is noticed before it is whole."""
        try:
            for start in range(0, len(raw), CHUNK):
                self._expat.Parse(raw[start : start + CHUNK])
                if start - self._expat.CurrentByteIndex > MAX_TAG:
                    self._raise_here("bgg-element", most=MAX_TAG)
            self._expat.Parse(b"", True)  # noqa: FBT003 - expat takes it by place only: these were all the bytes
        except expat.ExpatError as error:
            place = f"{self.file}:{error.lineno}"
            raise ExchangeError("not-xml", found=expat.ErrorString(error.code), place=place) from None
        except (LookupError, ValueError) as error:
            # an encoding that Python does not know, or one that is not for text
            raise ExchangeError("not-xml", found=values.make_quotable(error), place=f"{self.file}:1") from None
        return self.plays

    def _raise_here(self, key: str, **arguments: int | str) -> NoReturn:
        """Raise the ExchangeError of this key at the line that is being parsed."""
        place = f"{self.file}:{self._expat.CurrentLineNumber}"
        raise ExchangeError("at", message=ExchangeError(key, **arguments), place=place)

    def _refuse_declaration(self, *_arguments: object) -> NoReturn:
        """Called by expat for a document type or an entity, with which a small file can grow without end."""
        self._raise_here("bgg-declaration")

    def _open_element(self, name: str, attributes: dict[str, str]) -> None:
        """Called by expat for each opening tag: take what belongs to a play."""
        self._check_element(name)
        self._note_unknown(name, attributes)
        # expat names only the element: which elements it stands in is remembered here
        self._open_tags.append(name)
        match self._open_tags:
            case ["plays", "play"]:
                self.plays.append(_Play(attributes, self._expat.CurrentLineNumber))
            case ["plays", "play", "item"]:
                self.plays[-1].item = attributes
            case ["plays", "play", "players", "player"]:
                self.plays[-1].players.append(attributes)

    def _check_element(self, name: str) -> None:
        """Refuse an element that is one too many, lies too deep, or shows that the file holds something else."""
        self._element_count += 1
        if self._element_count > MAX_ELEMENTS:
            self._raise_here("bgg-elements", most=MAX_ELEMENTS)
        if len(self._open_tags) >= MAX_DEPTH:
            self._raise_here("bgg-depth", most=MAX_DEPTH)
        if not self._open_tags and name != "plays":
            # an error message of the server
            self._raise_here("bgg-root", found=values.make_quotable(name))

    def _note_unknown(self, name: str, attributes: Mapping[str, str]) -> None:
        """Count elements and attributes that the API did not have when this was written."""
        if name not in _KNOWN_ATTRIBUTES:
            self.collector.note_unknown(f"<{values.make_quotable(name)}>")
        # of an element that is unknown itself, no attribute
        for key in attributes.keys() - _KNOWN_ATTRIBUTES.get(name, attributes.keys()):
            self.collector.note_unknown(f"{name}@{values.make_quotable(key)}")
