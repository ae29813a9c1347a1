"""BG Stats out: an export that the app reads, and the link that opens the app with a play filled in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid5

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange.scored import ScoredGame, ranked_seats
from spyrium_log.exchange.values import parse_day
from spyrium_log.store import folded
from spyrium_log.title import AnyTitle

LINK = "https://app.bgstatsapp.com/createPlay.html?data="
# Of a game whose day alone is known: at noon in Greenwich it is the same day nearly everywhere.
NOON = "12:00:00"
# Never changed: uuids made from it are in exports that people have imported.
_NAMESPACE = UUID("0d7c2f3e-6c1b-5f58-8a0e-2b9f5c7ad9a4")


def uuid_of(kind: str, identity: str) -> str:
    """The uuid of a thing of this kind, in upper case as the app writes them.

    It is the same whenever it is made, so that the app recognises the thing.
    """
    return str(uuid5(_NAMESPACE, f"{kind}:{identity}")).upper()


def write(games: Sequence[ScoredGame], titles: Mapping[str, AnyTitle]) -> bytes:
    """An export of these games: same games, same bytes."""
    title_keys = list(dict.fromkeys(game.title for game in games))
    names = list(dict.fromkeys(seat.player for game in games for seat in game.seats))
    places = list(dict.fromkeys(game.place for game in games if game.place))
    export = {
        "about": "Final scores, written by Spyrium Log",
        "userInfo": {"meRefId": 0},
        "games": [_game_row(number, titles[key]) for number, key in enumerate(title_keys, 1)],
        "players": [
            {**_row_of_name(number, "player", name), "isAnonymous": False} for number, name in enumerate(names, 1)
        ],
        "locations": [_row_of_name(number, "location", place) for number, place in enumerate(places, 1)],
        "plays": [_play_row(game, title_keys, names, places) for game in games],
    }
    return json.dumps(export, ensure_ascii=False, indent=1).encode() + b"\n"


def _row_of_name(number: int, kind: str, name: str) -> dict[str, Any]:
    """What every row of players and locations holds: its id in this file, its uuid, its name."""
    return {"id": number, "uuid": uuid_of(kind, folded(name)), "name": name}


def _game_row(number: int, title: AnyTitle) -> dict[str, Any]:
    """A title as a row of the table `games`."""
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


def _play_row(
    game: ScoredGame, title_keys: Sequence[str], names: Sequence[str], places: Sequence[str]
) -> dict[str, Any]:
    """A game as a row of the table `plays`; other rows are referred to by their numbers."""
    day = _required_day(game)
    noon_of_day = f"{day} {NOON}"
    return {
        "uuid": uuid_of("play", game.game),
        "gameRefId": title_keys.index(game.title) + 1,
        "locationRefId": places.index(game.place) + 1 if game.place else 0,
        "playDate": noon_of_day,
        "playDateYmd": int(day.replace("-", "")),
        "entryDate": noon_of_day,
        "modificationDate": noon_of_day,
        "durationMin": game.minutes or 0,
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
        raise ExchangeError(f"expected the day it was played, found none, at game {game.game}")
    return parse_day(game.played)


def push_link(game: ScoredGame, titles: Mapping[str, AnyTitle]) -> str:
    """The link that opens BG Stats with this play; opened again, the app recognises it by its id."""
    title = titles[game.title]
    game_fields: dict[str, Any] = {
        "name": title.name,
        "sourceGameId": title.key,
        "highestWins": True,
        "noPoints": False,
    }
    if title.bgg_id:
        game_fields["bggId"] = title.bgg_id
    play: dict[str, Any] = {
        "sourceName": "Spyrium Log",
        "sourcePlayId": game.game,
        "playDate": f"{_required_day(game)} {NOON}",
        "game": game_fields,
        "players": [
            {
                "name": seat.player,
                "sourcePlayerId": uuid_of("player", folded(seat.player)),
                "score": seat.points,
                "rank": rank,
                "winner": rank == 1 and not seat.lost,
                "startPlayer": number == game.first,
            }
            for number, seat, rank in ranked_seats(game)
        ],
    }
    if game.minutes:
        play["durationMin"] = game.minutes
    if game.place:
        play["location"] = game.place
    return LINK + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")
