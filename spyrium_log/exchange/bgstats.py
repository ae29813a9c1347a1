"""BG Stats: its JSON exports (`BGStatsExport.json`, `.bgsplay`) in and out, and the link that pushes a play to the app.

An export is tables that refer to each other by ids of this one file; what lasts is a `uuid`. A score is text, and may
be a formula. Plays are read one by one: one that is broken is left out, the others come in.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NoReturn, TypeVar
from urllib.parse import quote
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange.scored import (
    BGG_IDS,
    Imported,
    LeftOut,
    ScoredGame,
    ScoredSeat,
    called,
    check_values,
    checked,
    day_of,
    game_id,
    minutes_of,
    note_unknown,
    other_than,
    points_of,
    ranks_of,
    shown,
    tidy,
    title_of,
)
from spyrium_log.store import folded
from spyrium_log.title import AnyTitle

SOURCE = "bgstats"
LINK = "https://app.bgstatsapp.com/createPlay.html?data="
# More than anybody has, of anything.
MAX_ROWS = 100_000
MOST_SEATS = 100
# Of a game whose day alone is known: at noon in Greenwich it is the same day nearly everywhere.
NOON = "12:00:00"

_NAMESPACE = UUID("0d7c2f3e-6c1b-5f58-8a0e-2b9f5c7ad9a4")

T = TypeVar("T")


class _Game(Struct, rename="camel"):
    id: int
    name: str = ""
    bgg_id: int | None = None


class _Player(Struct, rename="camel"):
    id: int
    name: str = ""
    uuid: str | None = None
    is_anonymous: bool | None = None


class _Location(Struct, rename="camel"):
    id: int
    name: str = ""


class _Score(Struct, rename="camel"):
    player_ref_id: int
    score: str | int | None = None
    seat_order: int | None = None
    start_player: bool | None = None


class _Play(Struct, rename="camel"):
    uuid: str
    game_ref_id: int
    player_scores: list[Any]
    location_ref_id: int | None = None
    play_date: str | None = None
    play_date_ymd: int | None = None
    duration_min: int | None = None
    ignored: bool | None = None
    uses_teams: bool | None = None
    bgg_id: int | None = None
    import_play_id: Any = None


class _Of(Struct, rename="camel"):
    """As much of a play as says of which game it is."""

    game_ref_id: int


# Fields that are documented and say nothing about who scored what.
_NOTED: Mapping[str, str] = {
    "": "about userInfo games players locations plays challenges deletedObjects groups tags cards",
    "games": "uuid bggName bggYear highestWins noPoints cooperative usesTeams isBaseGame isExpansion designers copies "
    "urlThumb urlImage rating modificationDate",
    "players": "bggUsername metaData modificationDate",
    "locations": "uuid modificationDate",
    "plays": "entryDate modificationDate rounds board comments rating manualWinner scoringSetting expansionPlays "
    "nemestatsId playImages",
    "playerScores": "winner rank newPlayer role team",
}


# --- in ------------------------------------------------------------------------------------------


def is_it(head: bytes) -> bool:
    """Whether a file that begins so may be one: an object that is no line of a log."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"{") and not text.startswith(b'{"kind":')


def read(raw: bytes, file: str, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]) -> Imported:
    """The plays of an export that are games of these titles."""
    return _Reader(_object(raw, file), file, titles, aliases).read()


def _object(raw: bytes, file: str) -> dict[str, Any]:
    check_values(raw, file)
    try:
        said = json.loads(
            raw.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_no_number, parse_float=_fraction
        )
    except UnicodeDecodeError as error:
        byte = f"the byte 0x{raw[error.start]:02x}" if error.start < len(raw) else "another byte"
        raise ExchangeError(f"expected UTF-8, found {byte}, at {file}") from None
    except json.JSONDecodeError as error:
        raise ExchangeError(f"expected JSON, found: {error.msg.lower()}, at {file}:{error.lineno}") from None
    except RecursionError:
        raise ExchangeError(f"expected the tables of BG Stats, found them nested without end, at {file}") from None
    except ValueError as error:
        # a number of thousands of digits
        raise ExchangeError(f"expected JSON, found: {shown(error)}, at {file}") from None
    except ExchangeError as error:
        raise ExchangeError(f"{error}, at {file}") from None
    if not isinstance(said, dict) or not isinstance(said.get("plays"), list):
        raise ExchangeError(f"expected an export of BG Stats, found no table 'plays', at {file}")
    if long := [name for name, rows in said.items() if isinstance(rows, list) and len(rows) > MAX_ROWS]:
        raise ExchangeError(f"expected at most {MAX_ROWS} rows in '{shown(long[0])}', found more, at {file}")
    return said


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two values under one key nobody could say which is meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ExchangeError(f"expected each key once, found '{shown(twice)}' twice")
    return found


def _no_number(word: str) -> NoReturn:
    raise ExchangeError(f"expected JSON, found '{word}'")


def _fraction(text: str) -> float | str:
    """`1e999` would be infinity; as text it is only of the wrong type."""
    number = float(text)
    return number if abs(number) < float("inf") else text


@dataclass
class _Table(Generic[T]):
    """Rows by the ids that this file gives them."""

    what: str
    rows: dict[int, list[T]] = field(default_factory=dict)

    def one(self, id_: int) -> T:
        rows = self.rows.get(id_, [])
        if len(rows) != 1:
            raise ExchangeError(f"expected one {self.what} of id {shown(id_)}, found {len(rows) or 'none'}")
        return rows[0]


class _Reader:
    def __init__(
        self, said: dict[str, Any], file: str, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]
    ) -> None:
        self.file = file
        self.titles = titles
        self.aliases = aliases
        self.unknown: Counter[str] = Counter()
        self.left_out: list[LeftOut] = []
        self.others: Counter[str] = Counter()
        self.persons: dict[str, dict[str, str]] = {}
        self._known("", said, ())
        self.games = self._table(said, "games", "game", _Game)
        self.players = self._table(said, "players", "player", _Player)
        self.locations = self._table(said, "locations", "location", _Location)
        self.plays: list[Any] = said["plays"]

    def read(self) -> Imported:
        games = list(self._games())
        left_out = self.left_out + [
            LeftOut(where=self.file, why=why, games=n, is_other=True) for why, n in self.others.items()
        ]
        return Imported(
            games=tuple(games),
            left_out=tuple(left_out),
            unknown=dict(sorted(self.unknown.items())),
            remarks=tuple(self._namesakes()),
        )

    def _table(self, said: dict[str, Any], name: str, what: str, kind: type[T]) -> _Table[T]:
        """A row that is broken is missed by the plays that refer to it, and by nobody else."""
        table: _Table[T] = _Table(what)
        rows = said.get(name)
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict):
                self._known(name, row, kind.__struct_encode_fields__)  # type: ignore[attr-defined]
            try:
                made = msgspec.convert(row, kind)
            except (msgspec.ValidationError, RecursionError):
                continue
            table.rows.setdefault(made.id, []).append(made)  # type: ignore[attr-defined]
        return table

    def _known(self, table: str, row: Mapping[str, Any], fields: Iterable[str]) -> None:
        for key in row.keys() - set(fields) - set(_NOTED[table].split()):
            note_unknown(self.unknown, f"{table}[].{shown(key)}" if table else shown(key))

    def _games(self) -> Iterator[ScoredGame]:
        for at, row in enumerate(self.plays):
            if isinstance(row, dict):
                self._known("plays", row, _Play.__struct_encode_fields__)
            try:
                title = self._title(row)
                if title is None:
                    continue
                yield checked(self._game(row, title, f"{self.file}: plays[{at}]"), self.titles)
            except msgspec.ValidationError as error:
                self._leave(at, row, f"expected a play of BG Stats, found: {shown(error)}")
            except ExchangeError as error:
                self._leave(at, row, str(error))

    def _leave(self, at: int, row: Any, why: str) -> None:
        day = row.get("playDate") if isinstance(row, dict) else None
        of = f" of {shown(day)}" if isinstance(day, str) and day else ""
        self.left_out.append(LeftOut(where=f"{self.file}: plays[{at}]{of}", why=why))

    def _title(self, row: Any) -> AnyTitle | None:
        """None for another game, which is counted."""
        game = self.games.one(msgspec.convert(row, _Of).game_ref_id)
        title = title_of(self.titles, game.name, game.bgg_id or 0)
        if title is None:
            self.others[other_than(self.titles, game.name)] += 1
        return title

    def _game(self, row: Any, title: AnyTitle, where: str) -> ScoredGame:
        play = msgspec.convert(row, _Play)
        if play.ignored:
            raise ExchangeError("expected a play that counts, found it marked as ignored")
        if play.uses_teams:
            raise ExchangeError("expected players for themselves, found teams")
        seats, first = self._seats(play)
        place = tidy(self.locations.one(play.location_ref_id).name) if play.location_ref_id else None
        return ScoredGame(
            ids=_ids(play),
            title=title.key,
            seats=seats,
            first=first,
            played=_played(play),
            place=place or None,
            minutes=minutes_of(play.duration_min or 0),
            by=SOURCE,
            where=where,
        )

    def _seats(self, play: _Play) -> tuple[tuple[ScoredSeat, ...], int | None]:
        """In the order of seats where the play has one, and who began, where one did."""
        if len(play.player_scores) > MOST_SEATS:
            raise ExchangeError(f"expected players around a table, found {len(play.player_scores)}")
        scores = []
        for row in play.player_scores:
            if isinstance(row, dict):
                self._known("playerScores", row, _Score.__struct_encode_fields__)
            scores.append(msgspec.convert(row, _Score))
        orders = [score.seat_order or 0 for score in scores]
        if all(orders) and len(set(orders)) == len(orders):
            scores.sort(key=lambda score: score.seat_order or 0)
        names = self._names([self.players.one(score.player_ref_id) for score in scores])
        seats = [
            ScoredSeat(player=name, points=_points(score.score, name))
            for name, score in zip(names, scores, strict=True)
        ]
        began = [seat for seat, score in enumerate(scores, 1) if score.start_player]
        return tuple(seats), began[0] if len(began) == 1 else None

    def _names(self, players: Sequence[_Player]) -> list[str]:
        """Nobody in particular is numbered, so that two of them are two."""
        names = []
        strangers = 0
        for player in players:
            if player.is_anonymous:
                strangers += 1
                names.append(f"anonymous {strangers}")
                continue
            uuid = player.uuid or ""
            names.append(called(self.aliases, uuid, player.name))
            if folded(uuid) not in self.aliases:
                self.persons.setdefault(folded(player.name), {})[uuid or f"id {player.id}"] = player.name
        return names

    def _namesakes(self) -> Iterator[str]:
        """Two people of one name would be one here: only their uuids tell them apart."""
        for ids in self.persons.values():
            if len(ids) > 1:
                name = next(iter(ids.values()))
                known = ", ".join(shown(id_) for id_ in ids)
                yield f"{len(ids)} players are called '{shown(name)}' ({known}): an alias for each id tells them apart"


def _points(score: str | int | None, name: str) -> int:
    try:
        return points_of("" if score is None else str(score) if isinstance(score, int) else score, may_add=True)
    except ExchangeError as error:
        raise ExchangeError(f"{error} for '{shown(name)}'") from None


def _ids(play: _Play) -> tuple[str, ...]:
    """Our own export says which game it was; a play that BoardGameGeek has too is one game with the one there."""
    uuid = play.uuid.strip().casefold()
    if not uuid:
        raise ExchangeError("expected a play with a uuid, found none")
    ids = [game_id(SOURCE, uuid)]
    if play.bgg_id is not None and play.bgg_id > 0:
        ids.insert(0, game_id("bgg:play", str(play.bgg_id)))
    ours = play.import_play_id
    if isinstance(ours, str) and uuid == _uuid("play", ours).casefold():
        ids.insert(0, ours)
    return tuple(ids)


def _played(play: _Play) -> str | None:
    if play.play_date and play.play_date.strip():
        return day_of(play.play_date)
    if not play.play_date_ymd:
        return None
    digits = str(play.play_date_ymd)
    return day_of(f"{digits[:-4]}-{digits[-4:-2]}-{digits[-2:]}")


# --- out -----------------------------------------------------------------------------------------


def _uuid(what: str, identity: str) -> str:
    """Upper case, as the app writes them; the same for the same thing, so that it is recognised when it comes again."""
    return str(uuid5(_NAMESPACE, f"{what}:{identity}")).upper()


def write(games: Sequence[ScoredGame], titles: Mapping[str, AnyTitle]) -> bytes:
    """An export that BG Stats reads: the same games make the same bytes."""
    keys = list(dict.fromkeys(game.title for game in games))
    names = list(dict.fromkeys(seat.player for game in games for seat in game.seats))
    places = list(dict.fromkeys(game.place for game in games if game.place))
    said = {
        "about": "Final scores, written by Spyrium Log",
        "userInfo": {"meRefId": 0},
        "games": [_game_row(at, titles[key]) for at, key in enumerate(keys, 1)],
        "players": [
            {"id": at, "uuid": _uuid("player", folded(name)), "name": name, "isAnonymous": False}
            for at, name in enumerate(names, 1)
        ],
        "locations": [
            {"id": at, "uuid": _uuid("location", folded(place)), "name": place} for at, place in enumerate(places, 1)
        ],
        "plays": [_play_row(game, keys, names, places) for game in games],
    }
    return json.dumps(said, ensure_ascii=False, indent=1).encode() + b"\n"


def _game_row(at: int, title: AnyTitle) -> dict[str, Any]:
    return {
        "id": at,
        "uuid": _uuid("game", title.key),
        "name": title.name,
        "bggId": BGG_IDS.get(title.key, 0),
        "bggName": title.name,
        "highestWins": True,
        "noPoints": False,
        "cooperative": False,
        "usesTeams": False,
        "isBaseGame": True,
        "isExpansion": False,
    }


def _play_row(game: ScoredGame, keys: Sequence[str], names: Sequence[str], places: Sequence[str]) -> dict[str, Any]:
    day = _day(game)
    when = f"{day} {NOON}"
    row = {
        "uuid": _uuid("play", game.game),
        "gameRefId": keys.index(game.title) + 1,
        "locationRefId": places.index(game.place) + 1 if game.place else 0,
        "playDate": when,
        "playDateYmd": int(day.replace("-", "")),
        "entryDate": when,
        "modificationDate": when,
        "durationMin": game.minutes or 0,
        "ignored": False,
        "manualWinner": False,
        "usesTeams": False,
        "importPlayId": game.game,
    }
    row["playerScores"] = [
        {
            "playerRefId": names.index(seat.player) + 1,
            "score": str(seat.points),
            "winner": rank == 1,
            "rank": rank,
            "seatOrder": at,
            "startPlayer": at == game.first,
            "newPlayer": False,
        }
        for at, (seat, rank) in enumerate(zip(game.seats, ranks_of(game), strict=True), 1)
    ]
    return row


def _day(game: ScoredGame) -> str:
    """BG Stats has no play without a day."""
    if game.played is None:
        raise ExchangeError(f"expected the day it was played, found none, at game {game.game}")
    return day_of(game.played)


def push_link(game: ScoredGame, titles: Mapping[str, AnyTitle]) -> str:
    """The link that opens BG Stats with this play filled in; opened again, the app knows it by its id."""
    title = titles[game.title]
    about: dict[str, Any] = {"name": title.name, "sourceGameId": title.key, "highestWins": True, "noPoints": False}
    if title.key in BGG_IDS:
        about["bggId"] = BGG_IDS[title.key]
    said: dict[str, Any] = {
        "sourceName": "Spyrium Log",
        "sourcePlayId": game.game,
        "playDate": f"{_day(game)} {NOON}",
        "game": about,
        "players": [
            {
                "name": seat.player,
                "sourcePlayerId": _uuid("player", folded(seat.player)),
                "score": seat.points,
                "rank": rank,
                "winner": rank == 1,
                "startPlayer": at == game.first,
            }
            for at, (seat, rank) in enumerate(zip(game.seats, ranks_of(game), strict=True), 1)
        ],
    }
    if game.minutes:
        said["durationMin"] = game.minutes
    if game.place:
        said["location"] = game.place
    return LINK + quote(json.dumps(said, ensure_ascii=False, separators=(",", ":")), safe="")
