"""BoardGameGeek: saved answers of its XML API2 about plays. A score there is free text, and players may be missing.

XML is hostile: a document type or an entity is refused before anything is made of it, depth and number are capped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NoReturn
from xml.parsers import expat

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange.scored import (
    Imported,
    LeftOut,
    ScoredGame,
    ScoredSeat,
    called,
    checked,
    day_of,
    game_id,
    minutes_of,
    note_unknown,
    other_than,
    points_of,
    shown,
    tidy,
    title_of,
)
from spyrium_log.title import AnyTitle

SOURCE = "bgg"
MAX_DEPTH = 8
# 25,000 plays of five players.
MAX_ELEMENTS = 200_000
# As many bytes as one element may have, for all of its attributes are made at once; and as many as are parsed at once.
LONGEST_TAG = 1 << 18
CHUNK = 1 << 16
# How BoardGameGeek says that it does not know the day.
NO_DAY = "0000-00-00"

_KNOWN: Mapping[str, frozenset[str]] = {
    "plays": frozenset(["username", "userid", "total", "page", "termsofuse"]),
    "play": frozenset(["id", "userid", "date", "quantity", "length", "incomplete", "nowinstats", "location"]),
    "item": frozenset(["name", "objecttype", "objectid"]),
    "subtypes": frozenset(),
    "subtype": frozenset(["value"]),
    "comments": frozenset(),
    "players": frozenset(),
    "player": frozenset(["username", "userid", "name", "startposition", "color", "score", "new", "rating", "win"]),
}


class _Play:
    """One play as it stands in the file: attributes, none of them believed yet."""

    __slots__ = ("item", "line", "of", "players")

    def __init__(self, of: Mapping[str, str], line: int) -> None:
        self.of = of
        self.line = line
        self.item: Mapping[str, str] = {}
        self.players: list[Mapping[str, str]] = []


def is_it(head: bytes) -> bool:
    """Whether a file that begins so may be one."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"<", b"\xff\xfe<", b"\xfe\xff\x00<"))


def read(raw: bytes, file: str, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]) -> Imported:
    """The plays of a saved file that are games of these titles."""
    reader = _Reader(file)
    reader.parse(raw)
    games: dict[str, ScoredGame] = {}
    left_out: list[LeftOut] = []
    others: Counter[str] = Counter()
    for play in reader.plays:
        where = f"{file}:{play.line}"
        try:
            title = title_of(titles, play.item.get("name", ""), _number(play.item.get("objectid", "")))
            if title is None:
                others[other_than(titles, play.item.get("name", ""))] += max(1, _number(play.of.get("quantity", "")))
                continue
            game = checked(_game(play, title, where, aliases), titles)
        except ExchangeError as error:
            many = max(1, _number(play.of.get("quantity", "")))
            left_out.append(LeftOut(where=where, why=str(error), games=many))
            continue
        # pages that were saved while somebody recorded overlap
        if games.setdefault(game.game, game).seats != game.seats:
            found = f"found it again with {game.result}"
            left_out.append(LeftOut(where=where, why=f"expected play {play.of['id']} once, {found}"))
    left_out += [LeftOut(where=file, why=why, games=n, is_other=True) for why, n in others.items()]
    return Imported(games=tuple(games.values()), left_out=tuple(left_out), unknown=dict(sorted(reader.unknown.items())))


def _game(play: _Play, title: AnyTitle, where: str, aliases: Mapping[str, str]) -> ScoredGame:
    of = play.of
    if not _number(of.get("id", "")):
        raise ExchangeError(f"expected a play with an id, found '{shown(of.get('id', ''))}'")
    for mark, said in (("incomplete", "a game that was finished"), ("nowinstats", "a game that counts")):
        if of.get(mark, "0").strip() not in {"", "0"}:
            raise ExchangeError(f"expected {said}, found it marked {mark}")
    quantity = of.get("quantity", "1").strip()
    if quantity != "1":
        # whose scores these are is not known, and the others have none
        raise ExchangeError(f"expected the scores of one game, found one set of them for {shown(quantity)}")
    if not play.players:
        raise ExchangeError("expected players with scores, found none")
    seats = [_seat(player, aliases) for player in play.players]
    orders = [_number(player.get("startposition", "")) for player in play.players]
    if all(orders) and len(set(orders)) == len(orders):
        seats = [seat for _, seat in sorted(zip(orders, seats, strict=True), key=lambda pair: pair[0])]
    day = of.get("date", "").strip()
    return ScoredGame(
        ids=(game_id("bgg:play", str(_number(of["id"]))),),
        title=title.key,
        seats=tuple(seats),
        played=None if day in {"", NO_DAY} else day_of(day),
        place=tidy(of.get("location", "")) or None,
        minutes=minutes_of(_number(of.get("length", ""))),
        by=SOURCE,
        where=where,
    )


def _seat(player: Mapping[str, str], aliases: Mapping[str, str]) -> ScoredSeat:
    names = [name for key in ("username", "name") if (name := player.get(key, "").strip())]
    if not names:
        raise ExchangeError("expected a name for each player, found none")
    name = called(aliases, *names)
    try:
        points = points_of(player.get("score", ""))
    except ExchangeError as error:
        raise ExchangeError(f"{error} for '{shown(name)}'") from None
    return ScoredSeat(player=name, points=points, colour=tidy(player.get("color", "")) or None)


def _number(text: str) -> int:
    """A whole number that counts or names something; 0 where there is none."""
    said = text.strip()
    return int(said) if said.isascii() and said.isdecimal() and len(said) <= len("999999999") else 0


class _Reader:
    """What expat sees, kept as plays. It is handed bytes, and asks for no more."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.plays: list[_Play] = []
        self.unknown: Counter[str] = Counter()
        self._open: list[str] = []
        self._elements = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._declared
        self._parser.EntityDeclHandler = self._declared
        self._parser.ExternalEntityRefHandler = self._declared

    def parse(self, raw: bytes) -> None:
        try:
            for start in range(0, len(raw), CHUNK):
                self._parser.Parse(raw[start : start + CHUNK])
                if start - self._parser.CurrentByteIndex > LONGEST_TAG:
                    self._refuse(f"an element of more than {LONGEST_TAG} bytes")
            self._parser.Parse(b"", True)  # noqa: FBT003 - expat takes it by place only: these were all the bytes
        except expat.ExpatError as error:
            found = expat.ErrorString(error.code)
            raise ExchangeError(f"expected XML, found: {found}, at {self.file}:{error.lineno}") from None
        except (LookupError, ValueError) as error:
            # an encoding that Python does not know, or that is none of text
            raise ExchangeError(f"expected XML, found: {shown(error)}, at {self.file}:1") from None

    def _refuse(self, what: str) -> NoReturn:
        line = self._parser.CurrentLineNumber
        raise ExchangeError(f"expected plays of BoardGameGeek, found {what}, at {self.file}:{line}")

    def _declared(self, *_said: object) -> NoReturn:
        self._refuse("a document type or an entity, which such a file never has")

    def _start(self, name: str, of: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > MAX_ELEMENTS:
            self._refuse(f"more than {MAX_ELEMENTS} elements")
        if len(self._open) >= MAX_DEPTH:
            self._refuse(f"elements nested deeper than {MAX_DEPTH}")
        if not self._open and name != "plays":
            # what the server says where it does not answer
            self._refuse(f"<{shown(name)}>")
        self._note(name, of)
        inside = self._open[-1] if self._open else ""
        if (inside, name) == ("plays", "play"):
            self.plays.append(_Play(of, self._parser.CurrentLineNumber))
        elif (inside, name) == ("play", "item") and self.plays:
            self.plays[-1].item = of
        elif self._open[1:] == ["play", "players"] and name == "player":
            self.plays[-1].players.append(of)
        self._open.append(name)

    def _note(self, name: str, of: Mapping[str, str]) -> None:
        known = _KNOWN.get(name)
        if known is None:
            note_unknown(self.unknown, f"<{shown(name)}>")
            return
        for key in of.keys() - known:
            note_unknown(self.unknown, f"{name}@{shown(key)}")

    def _end(self, _name: str) -> None:
        self._open.pop()
