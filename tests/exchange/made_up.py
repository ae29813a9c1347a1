"""Files of other programs, made up after their documented shapes: no real play is in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from spyrium_log.exchange.scored import ScoredGame, ScoredSeat

ANNA, BOB, CLEO = (f"{n}0000000-0000-4000-8000-000000000000" for n in "ABC")


def score_row(player: int, score: Any, **more: Any) -> dict[str, Any]:
    said = {"playerRefId": player, "score": score, "winner": False, "newPlayer": False, "startPlayer": False}
    return {**said, "rank": 0, "seatOrder": 0, **more}


def play_row(scores: Sequence[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "uuid": "11111111-2222-4333-8444-5555555555AA",
        "modificationDate": "2024-01-06 10:00:00",
        "entryDate": "2024-01-06 09:59:00",
        "playDate": "2024-01-05 20:15:00",
        "playDateYmd": 20240105,
        "durationMin": 75,
        "ignored": False,
        "manualWinner": False,
        "rounds": 0,
        "bggId": 0,
        "importPlayId": 0,
        "locationRefId": 1,
        "gameRefId": 7,
        "board": "",
        "rating": 0,
        "scoringSetting": 0,
        "expansionPlays": [],
        "playImages": "[]",
        "playerScores": list(scores),
        **more,
    }


def export(*plays: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A whole BGStatsExport.json."""
    return {
        "about": "made up",
        "userInfo": {"meRefId": 1},
        "games": [
            {"id": 7, "uuid": "G7", "name": "Spyrium", "bggId": 137269, "highestWins": True, "noPoints": False},
            {"id": 8, "uuid": "G8", "name": "Catan", "bggId": 13, "highestWins": True, "noPoints": False},
            {"id": 9, "uuid": "G9", "name": "spyrium ", "bggId": 0},
            {"id": 10, "uuid": "G10", "name": "Spyrium", "bggId": 99},
        ],
        "players": [
            {"id": 1, "uuid": ANNA, "name": "Anna", "isAnonymous": False, "bggUsername": "annan"},
            {"id": 2, "uuid": BOB, "name": "Bob", "isAnonymous": False},
            {"id": 3, "uuid": CLEO, "name": "Cleo", "isAnonymous": False},
            {"id": 4, "uuid": "D0", "name": "Anonymous player", "isAnonymous": True},
        ],
        "locations": [{"id": 1, "uuid": "L1", "name": "At Bob's"}],
        "plays": list(plays),
        **more,
    }


def encoded(said: Any) -> bytes:
    return json.dumps(said).encode()


PLAYS_XML = """<?xml version="1.0" encoding="utf-8"?>
<plays username="annan" userid="1" total="2" page="1" termsofuse="made up">
  <play id="501" date="2024-01-05" quantity="1" length="75" incomplete="0" nowinstats="0" location="At Bob's">
    <item name="Spyrium" objecttype="thing" objectid="137269">
      <subtypes><subtype value="boardgame"/></subtypes>
    </item>
    <comments>a good one &lt;3</comments>
    <players>
      <player username="annan" userid="1" name="Anna" startposition="2" color="Red" score="63" win="1"/>
      <player username="" userid="0" name="Bob" startposition="1" color="Blue" score="58  " new="0" rating="0" win="0"/>
    </players>
  </play>
  <play id="502" date="2024-02-01" quantity="2" length="0" incomplete="0" nowinstats="0" location="">
    <item name="Catan" objecttype="thing" objectid="13"><subtypes><subtype value="boardgame"/></subtypes></item>
  </play>
</plays>
"""


def xml_play(players: str, **more: str) -> bytes:
    """One play of Spyrium as a whole file."""
    of = {"id": "503", "date": "2024-03-01", "quantity": "1", "length": "0", "incomplete": "0", "nowinstats": "0"}
    said = " ".join(f'{key}="{value}"' for key, value in {**of, **more}.items())
    item = '<item name="Spyrium" objecttype="thing" objectid="137269"/>'
    return f"<plays><play {said}>{item}<players>{players}</players></play></plays>".encode()


GAMES = (
    ScoredGame(
        ids=("01890000-0000-7000-8000-000000000001",),
        title="spyrium",
        seats=(
            ScoredSeat(player="Anna", points=63, colour="red"),
            ScoredSeat(player="Bob", points=58, colour="blue"),
            ScoredSeat(player='Cleo "Cy", O’Brien', points=63, colour="green"),
        ),
        first=2,
        played="2024-01-05",
        place="Łódź; at Bob’s, upstairs",
        minutes=75,
    ),
    ScoredGame(
        ids=("01890000-0000-7000-8000-000000000002",),
        title="spyrium",
        seats=(ScoredSeat(player="Anna", points=-1), ScoredSeat(player="Dora", points=0)),
        played="2024-01-05",
    ),
)


def told(game: ScoredGame) -> tuple[Any, ...]:
    """What every format can carry of a game."""
    return [(seat.player, seat.points) for seat in game.seats], game.first, game.played, game.place, game.minutes
