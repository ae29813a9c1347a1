"""BG Stats exports in and out. The files are made up after the documented shape."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange import bgstats
from spyrium_log.exchange.importer import Importer
from spyrium_log.exchange.scored import Imported
from spyrium_log.exchange.values import MAX_BYTES
from spyrium_log.messages import Reader
from spyrium_log.store import Folder
from spyrium_log.titles import TITLES
from tests.exchange.made_up import ANNA, BOB, CLEO, GAMES, encoded, export, play_row, score_row, told

SCORES = (score_row(1, "63"), score_row(2, "58"))


def read(said: Any, **aliases: str) -> Imported:
    raw = said if isinstance(said, bytes) else encoded(said)
    return bgstats.read_export(raw, "export.json", TITLES, {key.casefold(): name for key, name in aliases.items()})


def why(*scores: dict[str, Any], **more: Any) -> str:
    """Why the one play did not come in."""
    came = read(export(play_row(scores or SCORES, **more)))
    assert came.games == ()
    (left,) = came.left_out
    assert left.where.startswith("export.json: plays[0]")
    assert left.what != "other"
    return str(left.why)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "archive")


# --- in ------------------------------------------------------------------------------------------


def test_a_play_becomes_a_game() -> None:
    came = read(export(play_row(SCORES)))
    (game,) = came.games
    assert told(game) == ([("Anna", 63), ("Bob", 58)], None, "2024-01-05", "At Bob's", 75)
    assert (came.left_out, came.unknown, came.remarks) == ((), {}, ())
    assert (game.title, game.by) == ("spyrium", "bgstats")


def test_the_uuid_is_the_identity_however_it_is_spelled() -> None:
    one, two = (read(export(play_row(SCORES, uuid=uuid))).games[0].game for uuid in ("AB-12", "ab-12"))
    assert one == two
    assert read(export(play_row(SCORES, uuid="ab-13"))).games[0].game != one


@pytest.mark.parametrize(
    ("score", "points"), [("12+5", 17), (" 63 ", 63), ("-3", -3), ("20 - 5+1", 16), (63, 63), ("007", 7)]
)
def test_a_score_is_text_and_may_be_a_formula(score: Any, points: int) -> None:
    (game,) = read(export(play_row([score_row(1, score), score_row(2, "0")]))).games
    assert game.seats[0].points == points


@pytest.mark.parametrize(
    "score",
    [
        "12.5",
        "1,234",
        "12*5",
        "5+",
        "+",
        "6 3",
        "\uff11\uff12",
        "99999+1",
        "1" * 5000,
        "+".join("1" * 999),
        63.0,
        True,
        [],
        10**30,
    ],
)
def test_a_score_that_is_not_certain_leaves_the_play_out(score: Any) -> None:
    assert "expected" in why(score_row(1, score), score_row(2, "58"))


def test_a_play_without_scores_is_left_out_and_says_whose() -> None:
    assert why(score_row(1, "63"), score_row(2, "")) == "expected a score, found none for 'Bob'"
    assert why(score_row(1, None), score_row(2, "1")) == "expected a score, found none for 'Anna'"


def test_rank_0_is_no_place() -> None:
    (game,) = read(export(play_row([score_row(1, "1", rank=0), score_row(2, "2", rank=2)]))).games
    assert [seat.rank for seat in game.seats] == [None, None]


def test_seats_are_in_order_where_there_is_one() -> None:
    (game,) = read(
        export(play_row([score_row(1, "1", seatOrder=2), score_row(2, "2", seatOrder=1, startPlayer=True)]))
    ).games
    assert [seat.player for seat in game.seats] == ["Bob", "Anna"]
    assert game.first == 1
    (game,) = read(export(play_row([score_row(1, "1"), score_row(2, "2", startPlayer=True)]))).games
    assert ([seat.player for seat in game.seats], game.first) == (["Anna", "Bob"], 2)


def test_nobody_in_particular_may_sit_there_twice() -> None:
    (game,) = read(export(play_row([score_row(4, "1"), score_row(1, "2"), score_row(4, "3")]))).games
    assert [seat.player for seat in game.seats] == ["anonymous 1", "Anna", "anonymous 2"]


def test_other_games_are_counted_and_no_loss() -> None:
    catan = [play_row(SCORES, gameRefId=8, uuid=str(n)) for n in range(3)]
    came = read(export(*catan, play_row(SCORES), play_row(SCORES, gameRefId=10, uuid="x")))
    assert len(came.games) == 1
    assert [(left.games, str(left.why), left.what == "other") for left in came.left_out] == [
        (3, "expected a game of Spyrium or Founders of Gloomhaven, found 'Catan'", True),
        (1, "expected a game of Spyrium or Founders of Gloomhaven, found 'Spyrium'", True),
    ]


def test_without_a_number_the_name_says_which_game() -> None:
    assert len(read(export(play_row(SCORES, gameRefId=9))).games) == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"ignored": True}, "found it marked as ignored"),
        ({"usesTeams": True}, "found teams"),
        ({"playDate": "yesterday"}, "expected a day as 2026-11-18, found 'yesterday'"),
        ({"playDate": "2024-02-30 12:00:00"}, "expected a day of the calendar"),
        ({"gameRefId": 77}, "expected one game of id 77, found none"),
        ({"gameRefId": "7"}, "expected a play of BG Stats, found"),
        ({"locationRefId": 5}, "expected one location of id 5, found none"),
        ({"uuid": " "}, "expected a play with a uuid"),
        ({"playerScores": {}}, "expected a play of BG Stats, found"),
        ({"playerScores": [None]}, "expected a play of BG Stats, found"),
        ({"playerScores": []}, "expected 2 to 5 players, found 0"),
        ({"playerScores": [score_row(1, "1")]}, "expected 2 to 5 players, found 1"),
        ({"playerScores": [score_row(1, "1"), score_row(9, "1")]}, "expected one player of id 9, found none"),
        ({"playerScores": [score_row(1, "1"), score_row(1, "2")]}, "found 'Anna' twice"),
    ],
)
def test_what_is_not_certain_is_left_out(more: dict[str, Any], said: str) -> None:
    assert said in why(**more)


def test_one_broken_play_takes_no_other_with_it() -> None:
    came = read(export(None, 3, {"gameRefId": 7}, play_row(SCORES)))  # type: ignore[arg-type]
    assert len(came.games) == 1
    assert [left.where for left in came.left_out] == [f"export.json: plays[{n}]" for n in range(3)]


@pytest.mark.parametrize(("date", "ymd", "day"), [(None, 20240105, "2024-01-05"), ("", 0, None), (None, None, None)])
def test_a_day_may_be_said_otherwise_or_not_at_all(date: str | None, ymd: int | None, day: str | None) -> None:
    (game,) = read(export(play_row(SCORES, playDate=date, playDateYmd=ymd))).games
    assert game.played == day


@pytest.mark.parametrize("ymd", [1, -20240105, 202, 99999999, 10**17])
def test_a_day_that_is_none_leaves_the_play_out(ymd: int) -> None:
    assert "expected a day" in why(playDate=None, playDateYmd=ymd)


def test_unknown_fields_are_counted() -> None:
    came = read(export(play_row([score_row(1, "1", mood=1), score_row(2, "2", mood=2)], colour="x"), extra=1))
    assert came.unknown == {"extra": 1, "playerScores[].mood": 2, "plays[].colour": 1}


def test_one_person_has_one_name() -> None:
    (game,) = read(export(play_row(SCORES)), anna="Anna Nowak", **{BOB: "Robert"}).games
    assert [seat.player for seat in game.seats] == ["Anna Nowak", "Robert"]


def test_two_people_of_one_name_are_told_apart_by_their_ids() -> None:
    said = export(
        play_row([score_row(1, "1"), score_row(2, "2")]), play_row([score_row(3, "3"), score_row(2, "1")], uuid="y")
    )
    said["players"][2]["name"] = "anna"
    came = read(said)
    (remark,) = came.remarks
    assert str(remark) == f"2 players are called 'Anna' ({ANNA}, {CLEO}): an alias for each id tells them apart"
    assert (
        remark.text_for(Reader("pl")) == f"imię „Anna” ma 2 graczy ({ANNA}, {CLEO}): odróżnia ich alias dla każdego id"
    )
    assert read(said, **{CLEO: "Anna K.", ANNA: "Anna N."}).remarks == ()


def test_rows_of_one_id_are_nobody() -> None:
    said = export(play_row(SCORES))
    said["players"].append({"id": 2, "uuid": "E0", "name": "Emil"})
    (left,) = read(said).left_out
    assert str(left.why) == "expected one player of id 2, found 2"


def test_a_play_that_boardgamegeek_has_too_is_known_by_both_ids() -> None:
    with_bgg = read(export(play_row(SCORES, bggId=501))).games[0]
    without = read(export(play_row(SCORES))).games[0]
    assert set(without.ids) < set(with_bgg.ids)


# --- hostile -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "expected JSON"),
        (b"{", "expected JSON"),
        (b"[]", "found no table 'plays'"),
        (b'{"plays": 3}', "found no table 'plays'"),
        (b'{"plays": NaN}', "found 'NaN'"),
        (b'{"plays": -Infinity}', "found '-Infinity'"),
        (b'{"plays": [], "plays": []}', "found 'plays' twice"),
        (b'{"plays": [' + b"9" * 5000 + b"]}", "expected JSON, found"),
        (b'{"plays": ' + b"[" * 100_000, "expected "),
        (b'{"plays": "\xff"}', "expected UTF-8, found the byte 0xff"),
        (b'{"plays"\n:\n,}', "at export.json:3"),
    ],
)
def test_what_is_no_export_is_one_typed_error(raw: bytes, said: str) -> None:
    with pytest.raises(ExchangeError) as caught:
        read(raw)
    assert said in str(caught.value)
    assert "export.json" in str(caught.value)


def test_a_row_with_a_key_twice_is_refused() -> None:
    raw = encoded(export(play_row(SCORES))).replace(b'"score": "63"', b'"score": "63", "score": "64"')
    with pytest.raises(ExchangeError, match="found 'score' twice"):
        read(raw)


def test_numbers_beyond_all_bounds_are_left_out() -> None:
    raw = encoded(export(play_row(SCORES))).replace(b'"durationMin": 75', b'"durationMin": 1e999')
    assert "expected a play" in str(read(raw).left_out[0].why)
    raw = encoded(export(play_row(SCORES))).replace(b'"gameRefId": 7', b'"gameRefId": ' + b"7" * 4000)
    assert len(read(raw).left_out) == 1


def test_more_rows_than_anybody_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bgstats, "MAX_ROWS", 4)
    assert len(read(export(play_row(SCORES))).games) == 1
    with pytest.raises(ExchangeError, match=r"expected at most 4 rows in 'plays', found more, at export\.json"):
        read(export(*[play_row(SCORES)] * 5))
    assert why(*[score_row(1, "1")] * 101) == "expected players around a table, found 101"


def test_a_lone_surrogate_is_no_name() -> None:
    said = export(play_row(SCORES))
    said["players"][0]["name"] = "\ud800"
    assert "that can be printed" in str(read(said).left_out[0].why)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
TABLES = ("games", "players", "locations", "plays")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_wrong_types_anywhere_are_only_left_out(counts: Counter[str], data: st.DataObject) -> None:
    """One value of a good export becomes any other: the play is still fine, or left out, or the file is refused."""
    said = export(play_row([dict(row) for row in SCORES]))
    spots: list[tuple[Any, Any]] = [(said, name) for name in said]
    spots += [(row, key) for name in TABLES for row in said[name] for key in row]
    spots += [(row, key) for row in said["plays"][0]["playerScores"] for key in row]
    where, key = data.draw(st.sampled_from(spots))
    where[key] = data.draw(JSON)
    try:
        came = read(said)
    except ExchangeError:
        counts["exports refused"] += 1
        return
    assert len(came.games) + sum(left.games for left in came.left_out) == len(said["plays"])
    counts["exports with one wrong value read"] += 1


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from((*TABLES, "about")), JSON | st.lists(JSON, max_size=3), max_size=5))
def test_any_json_is_read_or_refused(counts: Counter[str], said: dict[str, Any]) -> None:
    try:
        assert read(said).games == ()
    except ExchangeError:
        counts["any JSON refused"] += 1
    else:
        counts["any JSON read"] += 1


def test_no_file_of_scores_is_larger_than_the_cap() -> None:
    assert 1_000_000 < MAX_BYTES < 100_000_000


def test_what_somebody_wrote_about_a_play_comes_along(folder: Folder) -> None:
    played = play_row(SCORES, comments="  a long\tevening \r\n\n with cake\n")
    imported = read(export(played))
    assert imported.games[0].comments == "a long evening\nwith cake"
    assert imported.unknown == {}
    assert read(export(play_row(SCORES, comments=["cake"]))).games[0].comments == ""
    assert len(read(export(play_row(SCORES, comments="x" * 9_999))).games[0].comments) == 4_000
    (dry,) = Importer(folder, TITLES, is_dry=True).add(imported)
    assert (dry.what, dry.notes) == ("new", 0)
    (outcome,) = Importer(folder, TITLES).add(imported)
    assert (outcome.what, outcome.notes) == ("new", 1)
    (note,) = folder.read_notes(outcome.game).notes.standing().values()
    assert (note.on, note.by, note.text) == ("0", "bgstats", "a long evening\nwith cake")
    (again,) = Importer(folder, TITLES).add(imported)
    assert (again.what, again.notes) == ("there", 0)
    assert len(folder.read_notes(outcome.game).lines) == 1


# --- out -----------------------------------------------------------------------------------------


def test_comments_come_back_as_they_went_out() -> None:
    game = replace(GAMES[0], comments="a long evening\n12: ! the best move")
    assert read(bgstats.write_export([game], TITLES)).games[0].comments == game.comments


def test_what_went_out_comes_in_the_same() -> None:
    came = read(bgstats.write_export(GAMES, TITLES))
    assert [told(game) for game in came.games] == [told(game) for game in GAMES]
    assert [game.game for game in came.games] == [game.game for game in GAMES]
    assert (came.left_out, came.unknown, came.remarks) == ((), {}, ())


def test_written_again_it_is_recognised() -> None:
    assert bgstats.write_export(GAMES, TITLES) == bgstats.write_export(GAMES, TITLES)
    one = json.loads(bgstats.write_export(GAMES[:1], TITLES))
    two = json.loads(bgstats.write_export(GAMES[::-1], TITLES))
    assert one["plays"][0]["uuid"] == two["plays"][1]["uuid"]
    assert {row["uuid"] for row in one["players"]} < {row["uuid"] for row in two["players"]}


def test_an_export_says_what_the_app_reads() -> None:
    said = json.loads(bgstats.write_export(GAMES, TITLES))
    (game,) = said["games"]
    assert (game["name"], game["bggId"]) == ("Spyrium", 137269)
    play = said["plays"][0]
    assert (play["playDate"], play["playDateYmd"]) == ("2024-01-05 12:00:00", 20240105)
    scores = play["playerScores"]
    assert [score["score"] for score in scores] == ["63", "58", "63"]
    assert [score["rank"] for score in scores] == [1, 3, 1]
    assert [score["startPlayer"] for score in scores] == [False, True, False]
    assert said["plays"][1]["locationRefId"] == 0


def test_a_game_of_an_unknown_day_cannot_go_out() -> None:
    game = replace(GAMES[0], played=None)
    for write in (lambda: bgstats.write_export([game], TITLES), lambda: bgstats.push_link(game, TITLES)):
        with pytest.raises(ExchangeError, match="expected the day it was played, found none, at game 0189"):
            write()


def test_a_forged_id_of_ours_is_not_believed() -> None:
    raw = bgstats.write_export(GAMES, TITLES)
    forged = raw.replace(GAMES[0].game.encode(), b"../../etc/passwd")
    came = read(forged)
    assert came.games[0].game not in {GAMES[0].game, "../../etc/passwd"}


def test_the_link_says_the_play() -> None:
    link = bgstats.push_link(GAMES[0], TITLES)
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
    said = json.loads(parse_qs(parts.query)["data"][0])
    assert said["sourceName"]
    assert said["sourcePlayId"] == GAMES[0].game
    assert said["playDate"] == "2024-01-05 12:00:00"
    assert said["game"] == {
        "name": "Spyrium",
        "sourceGameId": "spyrium",
        "bggId": 137269,
        "highestWins": True,
        "noPoints": False,
    }
    assert [(one["name"], one["score"], one["rank"], one["winner"]) for one in said["players"]] == [
        ("Anna", 63, 1, True),
        ("Bob", 58, 3, False),
        ('Cleo "Cy", O’Brien', 63, 1, True),
    ]
    assert [one["startPlayer"] for one in said["players"]] == [False, True, False]
    assert (said["durationMin"], said["location"]) == (75, "Łódź; at Bob’s, upstairs")
