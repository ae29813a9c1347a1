"""BG Stats: its JSON exports (`BGStatsExport.json`, `.bgsplay`) in and out, and the link that fills in a play.

An export is tables that refer to each other by ids of this one file; what lasts is a `uuid`. A score is text, and may
be a formula. Plays are read one by one: a broken one is left out, the others are imported.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import TypeVar
from urllib.parse import quote
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange import values
from spyrium_log.exchange.scored import (
    MAX_COMMENTS,
    Collector,
    Imported,
    ScoredGame,
    ScoredSeat,
    Titles,
    ranked_seats,
    sort_by_order,
)
from spyrium_log.exchange.values import Json
from spyrium_log.messages import Message, exchange_message
from spyrium_log.store import fold_name
from spyrium_log.title import AnyTitle

SOURCE = "bgstats"
# Rows of one table, and players of one play, beyond anything that people recorded.
MAX_ROWS = 100_000
MAX_SEATS = 100
LINK = "https://app.bgstatsapp.com/createPlay.html?data="
# Of a game whose day alone is known: at noon in Greenwich it is the same day nearly everywhere.
NOON = "12:00:00"
# Never changed: uuids made from it are in exports that people have imported.
_NAMESPACE = UUID("0d7c2f3e-6c1b-5f58-8a0e-2b9f5c7ad9a4")


class _Row(Struct, rename="camel"):
    """A row that others refer to by its id."""

    id: int
    name: str = ""


class _Game(_Row, rename="camel"):
    """A game that somebody owns, which may be one of our titles."""

    bgg_id: int | None = None


class _Player(_Row, rename="camel"):
    """A player; the uuid is the same in every export of one person."""

    uuid: str | None = None
    is_anonymous: bool | None = None


class _Score(Struct, rename="camel"):
    """One player of a play, and the score."""

    player_ref_id: int
    score: str | int | None = None
    seat_order: int | None = None
    start_player: bool | None = None


class _GameOfPlay(Struct, rename="camel"):
    """As much of a play as refers to its game."""

    game_ref_id: int


class _Play(_GameOfPlay, rename="camel"):
    """A whole play, of a game that is one of our titles. `import_play_id` is what another program called it."""

    uuid: str
    player_scores: list[Json]
    location_ref_id: int | None = None
    play_date: str | None = None
    play_date_ymd: int | None = None
    duration_min: int | None = None
    ignored: bool | None = None
    uses_teams: bool | None = None
    bgg_id: int | None = None
    import_play_id: Json = None
    comments: Json = None


RowKind = TypeVar("RowKind", bound=_Row)

# Documented fields that have nothing to do with scores.
_FIELDS_NOT_READ: Mapping[str, str] = {
    "": "about userInfo games players locations plays challenges deletedObjects groups tags cards",
    "games": "uuid bggName bggYear highestWins noPoints cooperative usesTeams isBaseGame isExpansion designers copies "
    "urlThumb urlImage rating modificationDate",
    "players": "bggUsername metaData modificationDate",
    "locations": "uuid modificationDate",
    "plays": "entryDate modificationDate rounds board rating manualWinner scoringSetting expansionPlays "
    "nemestatsId playImages",
    "playerScores": "winner rank newPlayer role team",
}


def matches(head: bytes) -> bool:
    """Whether a file with this beginning may be an export of BG Stats: a JSON object that is no line of a log."""
    text = head.removeprefix(BOM_UTF8).lstrip()
    return text.startswith(b"{") and not text.startswith(b'{"kind":')


def read_export(raw: bytes, file: str, titles: Titles, aliases: Mapping[str, str]) -> Imported:
    """The plays of an export that are games of these titles."""
    return _Reader(_decode_export(raw, file), file, titles, aliases).read_games()


def _decode_export(raw: bytes, file: str) -> dict[str, Json]:
    """The export as plain JSON: a table of plays, and no table of too many rows."""
    export = values.decode_json(raw, file)
    if not isinstance(export, dict) or not isinstance(export.get("plays"), list):
        raise ExchangeError("bgstats-plays", place=file)
    if too_long := [name for name, rows in export.items() if isinstance(rows, list) and len(rows) > MAX_ROWS]:
        raise ExchangeError("bgstats-rows", most=MAX_ROWS, name=values.make_quotable(too_long[0]), place=file)
    return export


class _Reader:
    """Reads one export. `aliases` give the person's name for a player's name or uuid."""

    def __init__(self, export: dict[str, Json], file: str, titles: Titles, aliases: Mapping[str, str]) -> None:
        """`export`: the decoded file. The tables are read at once, the plays one by one later."""
        self.file = file
        self.aliases = aliases
        self.collector = Collector(file, titles)
        # the players without an alias, by name: their ids with the name as written
        self.players_by_name: dict[str, dict[str, str]] = {}
        self._note_unknown("", export, ())
        self.games = self._rows_by_id(export, "games", _Game)
        self.players = self._rows_by_id(export, "players", _Player)
        self.locations = self._rows_by_id(export, "locations", _Row)
        self.plays: list[Json] = export["plays"]

    def read_games(self) -> Imported:
        """The games of all plays; one that cannot be read is left out with its index and day."""
        for index, row in enumerate(self.plays):
            where = f"{self.file}: plays[{index}]"
            try:
                self._read_play(row, where)
            except ExchangeError as error:
                self.collector.leave_out(where + _day_hint(row), error)
            except msgspec.ValidationError as error:
                reason = ExchangeError("bgstats-play", found=values.make_quotable(error))
                self.collector.leave_out(where + _day_hint(row), reason)
        return self.collector.finish(self._namesake_remarks())

    def _rows_by_id(self, export: dict[str, Json], name: str, kind: type[RowKind]) -> dict[int, list[RowKind]]:
        """Rows by id. A broken row is missed only by the plays that refer to it."""
        table: dict[int, list[RowKind]] = {}
        rows = export.get(name)
        for row in rows if isinstance(rows, list) else ():
            self._note_unknown(name, row, kind.__struct_encode_fields__)
            try:
                converted = msgspec.convert(row, kind)
            except (msgspec.ValidationError, RecursionError):
                continue
            table.setdefault(converted.id, []).append(converted)
        return table

    def _note_unknown(self, table: str, row: object, fields: Iterable[str]) -> None:
        """Count the keys of a row that are neither read nor documented. `table`: '' for the export itself."""
        if isinstance(row, dict):
            for key in map(values.make_quotable, row.keys() - set(fields) - set(_FIELDS_NOT_READ[table].split())):
                self.collector.note_unknown(f"{table}[].{key}" if table else key)

    def _read_play(self, row: Json, where: str) -> None:
        """Add the game of one play, if it is one of our titles."""
        self._note_unknown("plays", row, _Play.__struct_encode_fields__)
        game = _find_row(self.games, "game", msgspec.convert(row, _GameOfPlay).game_ref_id)
        title = self.collector.find_title(game.name, game.bgg_id or 0)
        if title is not None:
            self.collector.add(self._game_of_play(msgspec.convert(row, _Play), title, where))

    def _game_of_play(self, play: _Play, title: AnyTitle, where: str) -> ScoredGame:
        """A game from a play; raises for plays without scores of single players."""
        if play.ignored:
            raise ExchangeError("ignored")
        if play.uses_teams:
            raise ExchangeError("teams")
        seats, first = self._seats_of_play(play)
        # 0 is what the app writes for no place
        location = _find_row(self.locations, "location", play.location_ref_id).name if play.location_ref_id else ""
        return ScoredGame(
            ids=_game_ids(play),
            title=title.key,
            seats=seats,
            first=first,
            played=_day_of_play(play),
            place=values.tidy(location) or None,
            minutes=values.minutes_or_none(play.duration_min or 0),
            comments=_read_comments(play.comments),
            by=SOURCE,
            where=where,
        )

    def _seats_of_play(self, play: _Play) -> tuple[tuple[ScoredSeat, ...], int | None]:
        """The seats in their order, if the play has one, and the seat that began, if it names one."""
        if len(play.player_scores) > MAX_SEATS:
            raise ExchangeError("players-at-table", found=len(play.player_scores))
        for row in play.player_scores:
            self._note_unknown("playerScores", row, _Score.__struct_encode_fields__)
        scores = msgspec.convert(play.player_scores, list[_Score])
        scores = sort_by_order(scores, [score.seat_order or 0 for score in scores])
        names = self._names_of_players([_find_row(self.players, "player", score.player_ref_id) for score in scores])
        seats = tuple(
            ScoredSeat(player=name, points=_parse_score(score.score, name))
            for name, score in zip(names, scores, strict=True)
        )
        beginners = [seat for seat, score in enumerate(scores, 1) if score.start_player]
        return seats, beginners[0] if len(beginners) == 1 else None

    def _names_of_players(self, players: Sequence[_Player]) -> list[str]:
        """A name for each player, by the alias if there is one. Anonymous ones are numbered, so that two are two."""
        names = []
        numbers = count(1)
        for player in players:
            if player.is_anonymous:
                names.append(f"anonymous {next(numbers)}")
                continue
            uuid = player.uuid or ""
            names.append(values.resolve_alias(self.aliases, uuid, player.name))
            # for the remark on namesakes
            if fold_name(uuid) not in self.aliases:
                names_by_id = self.players_by_name.setdefault(fold_name(player.name), {})
                names_by_id[uuid or f"id {player.id}"] = player.name
        return names

    def _namesake_remarks(self) -> Iterator[Message]:
        """A remark for each name that several players have: only their uuids tell them apart."""
        for names_by_id in self.players_by_name.values():
            if len(names_by_id) > 1:
                name, *_ = map(values.make_quotable, names_by_id.values())
                ids = ", ".join(map(values.make_quotable, names_by_id))
                yield exchange_message("namesakes", n=len(names_by_id), name=name, ids=ids)


def _day_hint(row: object) -> str:
    """` of 2026-11-18 12:00:00`, to find a play that is left out in the app; empty where it says no day."""
    day = row.get("playDate") if isinstance(row, dict) else None
    return f" of {values.make_quotable(day)}" if isinstance(day, str) and day else ""


def _find_row(table: Mapping[int, Sequence[RowKind]], what: str, row_id: int) -> RowKind:
    """The row with this id; a play that refers to none or to two is left out. `what` is the row's kind, for errors."""
    rows = table.get(row_id, ())
    if not rows:
        raise ExchangeError("no-row", what=what, id=values.make_quotable(row_id))
    if len(rows) > 1:
        raise ExchangeError("row-again", what=what, id=values.make_quotable(row_id), found=len(rows))
    return rows[0]


def _parse_score(score: str | int | None, name: str) -> int:
    """A score as the app writes it, which may be a sum; None is refused as an empty one. The error names the player."""
    with values.wrap_errors("for-player", player=values.make_quotable(name)):
        return values.parse_points("" if score is None else str(score), allow_sum=True)


def _read_comments(comments: Json) -> str:
    """What somebody wrote about a play, line by line, cut to what a note holds; nothing where it is no text."""
    if not isinstance(comments, str):
        return ""
    return "\n".join(filter(None, map(values.tidy, comments.splitlines())))[:MAX_COMMENTS]


def _game_ids(play: _Play) -> tuple[str, ...]:
    """The ids that the game may have here: of our own export, of the same play at BoardGameGeek, of BG Stats."""
    uuid = play.uuid.strip().casefold()
    if not uuid:
        raise ExchangeError("no-uuid")
    ids = []
    exported = play.import_play_id
    # the app keeps what another program called it; that the uuid was made of it, only our own export says
    if isinstance(exported, str) and uuid == uuid_of("play", exported).casefold():
        ids.append(exported)
    if play.bgg_id is not None and play.bgg_id > 0:
        ids.append(values.make_game_id("bgg:play", str(play.bgg_id)))
    return (*ids, values.make_game_id(SOURCE, uuid))


def _day_of_play(play: _Play) -> str | None:
    """The day of a play, from either of the two fields that may hold it."""
    if play.play_date and play.play_date.strip():
        return values.parse_day(play.play_date)
    if not play.play_date_ymd:
        return None
    # a number such as 20261118
    year, month_and_day = divmod(play.play_date_ymd, 10_000)
    month, day = divmod(month_and_day, 100)
    return values.parse_day(f"{year}-{month:02}-{day:02}")


def uuid_of(kind: str, identity: str) -> str:
    """The uuid of a thing in upper case, as the app writes it: always the same, so that it recognises the thing."""
    return str(uuid5(_NAMESPACE, f"{kind}:{identity}")).upper()


def write_export(games: Sequence[ScoredGame], titles: Titles) -> bytes:
    """An export of these games: same games, same bytes."""
    title_keys = list(dict.fromkeys(game.title for game in games))
    names = list(dict.fromkeys(seat.player for game in games for seat in game.seats))
    places = list(dict.fromkeys(game.place for game in games if game.place))
    export = {
        "about": "Final scores, written by Spyrium Log",
        "userInfo": {"meRefId": 0},
        "games": [_game_row(number, titles[key]) for number, key in enumerate(title_keys, 1)],
        "players": [
            {"id": number, "uuid": uuid_of("player", fold_name(name)), "name": name, "isAnonymous": False}
            for number, name in enumerate(names, 1)
        ],
        "locations": [
            {"id": number, "uuid": uuid_of("location", fold_name(name)), "name": name}
            for number, name in enumerate(places, 1)
        ],
        "plays": [_play_row(game, title_keys, names, places) for game in games],
    }
    return json.dumps(export, ensure_ascii=False, indent=1).encode() + b"\n"


def _game_row(number: int, title: AnyTitle) -> dict[str, Json]:
    """A title as a row of the table `games`, with the number by which plays refer to it."""
    return {
        "id": number,
        "uuid": uuid_of("game", title.key),
        "name": title.name,
        "bggId": title.bgg_id,
        "bggName": title.name,
        "highestWins": True,
        "noPoints": False,
        "cooperative": False,
        "usesTeams": False,
        "isBaseGame": True,
        "isExpansion": False,
    }


def _play_row(game: ScoredGame, titles: Sequence[str], names: Sequence[str], places: Sequence[str]) -> dict[str, Json]:
    """A game as a row of the table `plays`; other rows are referred to by their numbers."""
    day = _required_day(game)
    noon_of_day = f"{day} {NOON}"
    return {
        "uuid": uuid_of("play", game.game),
        "gameRefId": titles.index(game.title) + 1,
        "locationRefId": places.index(game.place) + 1 if game.place else 0,
        "playDate": noon_of_day,
        "playDateYmd": int(day.replace("-", "")),
        "entryDate": noon_of_day,
        "modificationDate": noon_of_day,
        "durationMin": game.minutes or 0,
        "comments": game.comments,
        "ignored": False,
        "manualWinner": False,
        "usesTeams": False,
        "importPlayId": game.game,
        "playerScores": [
            {
                "playerRefId": names.index(seat.player) + 1,
                "score": str(seat.points),
                "winner": rank == 1 and not seat.lost,
                "rank": rank,
                "seatOrder": number,
                "startPlayer": number == game.first,
                "newPlayer": False,
            }
            for number, seat, rank in ranked_seats(game)
        ],
    }


def _required_day(game: ScoredGame) -> str:
    """The day of a game; raises where there is none, for BG Stats has no play without a day."""
    if game.played is None:
        raise ExchangeError("no-day", game=game.game)
    return values.parse_day(game.played)


def push_link(game: ScoredGame, titles: Titles) -> str:
    """The link that opens BG Stats with this play; opened again, the app recognises it by its id."""
    title = titles[game.title]
    play: dict[str, Json] = {
        "sourceName": "Spyrium Log",
        "sourcePlayId": game.game,
        "playDate": f"{_required_day(game)} {NOON}",
        "game": {"name": title.name, "sourceGameId": title.key, "highestWins": True, "noPoints": False},
        "players": [
            {
                "name": seat.player,
                "sourcePlayerId": uuid_of("player", fold_name(seat.player)),
                "score": seat.points,
                "rank": rank,
                "winner": rank == 1 and not seat.lost,
                "startPlayer": number == game.first,
            }
            for number, seat, rank in ranked_seats(game)
        ],
    }
    if title.bgg_id:
        play["game"]["bggId"] = title.bgg_id
    if game.minutes:
        play["durationMin"] = game.minutes
    if game.place:
        play["location"] = game.place
    return LINK + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")
