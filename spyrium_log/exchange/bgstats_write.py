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
_NAMESPACE = UUID("0d7c2f3e-6c1b-5f58-8a0e-2b9f5c7ad9a4")


def uuid_of(kind: str, identity: str) -> str:
    """Upper case, as the app writes them; the same for the same thing, so that the app recognises it."""
    return str(uuid5(_NAMESPACE, f"{kind}:{identity}")).upper()


def write(games: Sequence[ScoredGame], titles: Mapping[str, AnyTitle]) -> bytes:
    """An export of these games: same games, same bytes."""
    keys = list(dict.fromkeys(game.title for game in games))
    names = list(dict.fromkeys(seat.player for game in games for seat in game.seats))
    places = list(dict.fromkeys(game.place for game in games if game.place))
    export = {
        "about": "Final scores, written by Spyrium Log",
        "userInfo": {"meRefId": 0},
        "games": [_game_row(number, titles[key]) for number, key in enumerate(keys, 1)],
        "players": [{**_named(number, "player", name), "isAnonymous": False} for number, name in enumerate(names, 1)],
        "locations": [_named(number, "location", place) for number, place in enumerate(places, 1)],
        "plays": [_play_row(game, keys, names, places) for game in games],
    }
    return json.dumps(export, ensure_ascii=False, indent=1).encode() + b"\n"


def _named(number: int, kind: str, name: str) -> dict[str, Any]:
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


def _play_row(game: ScoredGame, keys: Sequence[str], names: Sequence[str], places: Sequence[str]) -> dict[str, Any]:
    """A game as a row of the table `plays`; other rows are referred to by their numbers."""
    day = _day(game)
    moment = f"{day} {NOON}"
    return {
        "uuid": uuid_of("play", game.game),
        "gameRefId": keys.index(game.title) + 1,
        "locationRefId": places.index(game.place) + 1 if game.place else 0,
        "playDate": moment,
        "playDateYmd": int(day.replace("-", "")),
        "entryDate": moment,
        "modificationDate": moment,
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


def _day(game: ScoredGame) -> str:
    """BG Stats has no play without a day."""
    if game.played is None:
        raise ExchangeError(f"expected the day it was played, found none, at game {game.game}")
    return parse_day(game.played)


def push_link(game: ScoredGame, titles: Mapping[str, AnyTitle]) -> str:
    """The link that opens BG Stats with this play; opened again, the app recognises it by its id."""
    title = titles[game.title]
    about: dict[str, Any] = {"name": title.name, "sourceGameId": title.key, "highestWins": True, "noPoints": False}
    if title.bgg_id:
        about["bggId"] = title.bgg_id
    play: dict[str, Any] = {
        "sourceName": "Spyrium Log",
        "sourcePlayId": game.game,
        "playDate": f"{_day(game)} {NOON}",
        "game": about,
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
