"""BoardGameGeek: saved answers of its XML API2 about plays. A score there is free text, and players may be missing.

XML is hostile: document types and entities are refused at once, depth and number of elements are limited.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn
from xml.parsers import expat

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange.scored import Collector, Imported, ScoredGame, ScoredSeat
from spyrium_log.exchange.values import game_id, parse_day, parse_points, player_name, shown, tidy, valid_minutes
from spyrium_log.title import AnyTitle

SOURCE = "bgg"
MAX_DEPTH = 8
# 25,000 plays of five players.
MAX_ELEMENTS = 200_000
# Bytes of one element, whose attributes are all made at once; and bytes that are parsed at once.
MAX_TAG = 1 << 18
CHUNK = 1 << 16
# What BoardGameGeek writes for a play without a date.
UNKNOWN_DAY = "0000-00-00"

# The attributes of each element that the API had when this was written.
_KNOWN_ATTRIBUTES: Mapping[str, frozenset[str]] = {
    name: frozenset(attributes.split())
    for name, attributes in {
        "plays": "username userid total page termsofuse",
        "play": "id userid date quantity length incomplete nowinstats location",
        "item": "name objecttype objectid",
        "subtypes": "",
        "subtype": "value",
        "comments": "",
        "players": "",
        "player": "username userid name startposition color score new rating win",
    }.items()
}


class _Play:
    """One play as it stands in the file, at this line: attributes, none of them checked yet."""

    __slots__ = ("attributes", "item", "line", "players")

    def __init__(self, attributes: Mapping[str, str], line: int) -> None:
        self.attributes = attributes
        self.line = line
        self.item: Mapping[str, str] = {}
        self.players: list[Mapping[str, str]] = []

    def text(self, name: str, default: str = "") -> str:
        """An attribute without the blanks around it."""
        return self.attributes.get(name, default).strip()

    def number(self, name: str) -> int:
        """An attribute as a whole number; 0 where it is none."""
        return _number_or_zero(self.text(name))


def matches(head: bytes) -> bool:
    """Whether a file with this beginning may be one."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"<", b"\xff\xfe<", b"\xfe\xff\x00<"))


def read(raw: bytes, file: str, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]) -> Imported:
    """The plays of a saved file that are games of these titles."""
    collector = Collector(file, titles)
    games: dict[str, ScoredGame] = {}
    for play in _Parser(file, collector).parse(raw):
        where = f"{file}:{play.line}"
        quantity = max(1, play.number("quantity"))
        title = collector.find_title(
            play.item.get("name", ""), _number_or_zero(play.item.get("objectid", "")), quantity
        )
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
        if games.setdefault(game.game, game).seats != game.seats:
            collector.leave_out(where, f"expected play {play.text('id')} once, found it again with {game.result}")
    return collector.imported()


def _game_of_play(play: _Play, title: AnyTitle, where: str, aliases: Mapping[str, str]) -> ScoredGame:
    """The game of a play; raises for one whose scores are not certain."""
    if not play.number("id"):
        raise ExchangeError(f"expected a play with an id, found '{shown(play.text('id'))}'")
    for mark, expected in (("incomplete", "a game that was finished"), ("nowinstats", "a game that counts")):
        if play.text(mark) not in {"", "0"}:
            raise ExchangeError(f"expected {expected}, found it marked {mark}")
    if (quantity := play.text("quantity", "1")) != "1":
        raise ExchangeError(f"expected the scores of one game, found one set of them for {shown(quantity)}")
    if not play.players:
        raise ExchangeError("expected players with scores, found none")
    seats = [_seat_of_player(player, aliases) for player in play.players]
    orders = [_number_or_zero(player.get("startposition", "")) for player in play.players]
    if all(orders) and len(set(orders)) == len(orders):
        seats = [seat for _, seat in sorted(zip(orders, seats, strict=True), key=lambda pair: pair[0])]
    day = play.text("date")
    return ScoredGame(
        ids=(game_id("bgg:play", str(play.number("id"))),),
        title=title.key,
        seats=tuple(seats),
        played=None if day in {"", UNKNOWN_DAY} else parse_day(day),
        place=tidy(play.text("location")) or None,
        minutes=valid_minutes(play.number("length")),
        by=SOURCE,
        where=where,
    )


def _seat_of_player(player: Mapping[str, str], aliases: Mapping[str, str]) -> ScoredSeat:
    """One player of a play; an alias of the user name counts before one of the name."""
    names = [name for key in ("username", "name") if (name := player.get(key, "").strip())]
    if not names:
        raise ExchangeError("expected a name for each player, found none")
    name = player_name(aliases, *names)
    try:
        points = parse_points(player.get("score", ""))
    except ExchangeError as error:
        raise ExchangeError(f"{error} for '{shown(name)}'") from None
    return ScoredSeat(player=name, points=points, colour=tidy(player.get("color", "")) or None)


def _number_or_zero(text: str) -> int:
    """A whole number of at most nine digits; 0 where there is none."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= len("999999999") else 0


class _Parser:
    """Turns what expat reports into plays."""

    def __init__(self, file: str, collector: Collector) -> None:
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

    def parse(self, raw: bytes) -> list[_Play]:
        """The plays of a file, parsed in pieces, so that a huge element is noticed before it is whole."""
        try:
            for start in range(0, len(raw), CHUNK):
                self._expat.Parse(raw[start : start + CHUNK])
                if start - self._expat.CurrentByteIndex > MAX_TAG:
                    self._refuse(f"an element of more than {MAX_TAG} bytes")
            self._expat.Parse(b"", True)  # noqa: FBT003 - expat takes it by place only: these were all the bytes
        except expat.ExpatError as error:
            found = expat.ErrorString(error.code)
            raise ExchangeError(f"expected XML, found: {found}, at {self.file}:{error.lineno}") from None
        except (LookupError, ValueError) as error:
            # an encoding that Python does not know, or one that is not for text
            raise ExchangeError(f"expected XML, found: {shown(error)}, at {self.file}:1") from None
        return self.plays

    def _refuse(self, found: str) -> NoReturn:
        """Raise an error at the line that is being parsed."""
        line = self._expat.CurrentLineNumber
        raise ExchangeError(f"expected plays of BoardGameGeek, found {found}, at {self.file}:{line}")

    def _refuse_declaration(self, *_arguments: object) -> NoReturn:
        """Called by expat for a document type or an entity, with which a small file can grow without end."""
        self._refuse("a document type or an entity, which such a file never has")

    def _open_element(self, name: str, attributes: dict[str, str]) -> None:
        """Called by expat for each opening tag."""
        self._element_count += 1
        if self._element_count > MAX_ELEMENTS:
            self._refuse(f"more than {MAX_ELEMENTS} elements")
        if len(self._open_tags) >= MAX_DEPTH:
            self._refuse(f"elements nested deeper than {MAX_DEPTH}")
        if not self._open_tags and name != "plays":
            # an error message of the server
            self._refuse(f"<{shown(name)}>")
        self._note_unknown(name, attributes)
        parent = self._open_tags[-1] if self._open_tags else ""
        if (parent, name) == ("plays", "play"):
            self.plays.append(_Play(attributes, self._expat.CurrentLineNumber))
        elif (parent, name) == ("play", "item") and self.plays:
            self.plays[-1].item = attributes
        elif self._open_tags[1:] == ["play", "players"] and name == "player":
            self.plays[-1].players.append(attributes)
        # expat names only the element: which elements it stands in is remembered here
        self._open_tags.append(name)

    def _note_unknown(self, name: str, attributes: Mapping[str, str]) -> None:
        """Count elements and attributes that the API did not have when this was written."""
        known = _KNOWN_ATTRIBUTES.get(name)
        if known is None:
            self.collector.note_unknown(f"<{shown(name)}>")
            return
        for key in attributes.keys() - known:
            self.collector.note_unknown(f"{name}@{shown(key)}")
