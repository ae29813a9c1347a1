"""Saved plays of BoardGameGeek. The files are made up after the documented shape."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange import bgg
from spyrium_log.exchange.scored import Imported
from spyrium_log.titles import TITLES
from tests.exchange.made_up import PLAYS_XML, told, xml_play

TWO = '<player name="Anna" score="63"/><player name="Bob" score="58"/>'


def read(raw: bytes, **aliases: str) -> Imported:
    return bgg.read_plays(raw, "plays.xml", TITLES, aliases)


def why(raw: bytes) -> str:
    came = read(raw)
    assert came.games == ()
    (left,) = came.left_out
    assert left.where == "plays.xml:1"
    return str(left.why)


def test_a_play_becomes_a_game() -> None:
    came = read(PLAYS_XML.encode())
    (game,) = came.games
    assert told(game) == ([("Bob", 58), ("Anna", 63)], None, "2024-01-05", "At Bob's", 75)
    assert [seat.colour for seat in game.seats] == ["Blue", "Red"]
    assert game.where == "plays.xml:3"
    (left,) = came.left_out
    assert (left.games, str(left.why), left.what == "other") == (
        2,
        "expected a game of Spyrium or Founders of Gloomhaven, found 'Catan'",
        True,
    )
    assert came.unknown == {}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1"])
def test_any_encoding_that_it_names(encoding: str) -> None:
    name = {"utf-8-sig": "utf-8"}.get(encoding, encoding)
    text = PLAYS_XML.replace('encoding="utf-8"', f'encoding="{name}"').replace("Bob", "Zoë")
    (game,) = read(text.encode(encoding)).games
    assert game.seats[0].player == "Zoë"


def test_a_username_has_an_alias_too() -> None:
    (game,) = read(PLAYS_XML.encode(), annan="Anna Nowak").games
    assert [seat.player for seat in game.seats] == ["Bob", "Anna Nowak"]


@pytest.mark.parametrize(("score", "points"), [("125  ", 125), ("-3", -3), ("0", 0), ("+7", 7)])
def test_a_score_that_says_one_number(score: str, points: int) -> None:
    (game,) = read(xml_play(TWO.replace("63", score))).games
    assert game.seats[0].points == points


@pytest.mark.parametrize(
    "score", ["49-46ish", "49-46", "12+5", "63.5", "1,234", "about 60", "١٢", "1e3", "100000", "9" * 9999]
)
def test_a_score_that_says_none_or_many(score: str) -> None:
    found = why(xml_play(TWO.replace("63", score)))
    assert found.startswith("expected a whole number of points, found '")
    assert found.endswith("' for 'Anna'")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (xml_play(""), "expected players with scores, found none"),
        (xml_play('<player name="Anna"/><player name="Bob" score="1"/>'), "expected a score, found none for 'Anna'"),
        (xml_play('<player score="1"/><player name="Bob" score="1"/>'), "expected a name for each player"),
        (xml_play('<player name="Anna" score="1"/>'), "expected 2 to 5 players, found 1"),
        (xml_play(TWO.replace("Bob", "anna")), "twice"),
        (xml_play(TWO, incomplete="1"), "marked incomplete"),
        (xml_play(TWO, nowinstats="1"), "marked nowinstats"),
        (xml_play(TWO, date="soon"), "expected a day"),
        (xml_play(TWO, id=""), "expected a play with an id"),
        (xml_play(TWO, id="-4"), "expected a play with an id"),
    ],
)
def test_what_is_not_certain_is_left_out(raw: bytes, said: str) -> None:
    assert said in why(raw)


def test_several_games_with_one_set_of_scores_are_none() -> None:
    came = read(xml_play(TWO, quantity="3"))
    (left,) = came.left_out
    assert (left.games, came.games) == (3, ())
    assert str(left.why) == "expected the scores of one game, found one set of them for 3"


def test_no_day_is_said_as_zeros() -> None:
    (game,) = read(xml_play(TWO, date="0000-00-00")).games
    assert game.played is None


def test_a_play_on_two_pages_is_one() -> None:
    play = xml_play(TWO)[len("<plays>") : -len("</plays>")]
    came = read(b"<plays>" + play + play + b"</plays>")
    assert (len(came.games), came.left_out) == (1, ())
    came = read(b"<plays>" + play + play.replace(b"63", b"64") + b"</plays>")
    assert (len(came.games), str(came.left_out[0].why)) == (
        1,
        "expected play 503 once, found it again with Anna 64, Bob 58",
    )


def test_unknown_attributes_are_counted() -> None:
    came = read(xml_play(TWO.replace("<player ", '<player mood="1" ') + "<pet/>"))
    assert came.unknown == {"<pet>": 1, "player@mood": 2}


# --- hostile -------------------------------------------------------------------------------------

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (f'<!DOCTYPE plays [<!ENTITY l0 "ha">{LAUGHS}]><plays>&l9;</plays>', "a document type or an entity"),
        ('<!DOCTYPE plays [<!ENTITY x SYSTEM "file:///etc/passwd">]><plays>&x;</plays>', "a document type"),
        ('<!DOCTYPE plays SYSTEM "http://localhost/x.dtd"><plays/>', "a document type"),
        ('<!DOCTYPE plays [<!ENTITY % p SYSTEM "file:///x">%p;]><plays/>', "a document type"),
        ("<!DOCTYPE plays><plays/>", "a document type"),
        ("<plays>&x;</plays>", "undefined entity"),
        ("", "expected XML"),
        ("<plays>", "expected XML"),
        ("<plays></play>", "expected XML"),
        ("<plays/><plays/>", "expected XML"),
        ('<plays a="1" a="2"/>', "expected XML, found: duplicate attribute"),
        ("<plays>\x00</plays>", "expected XML"),
        ("<html/>", "found <html>"),
        ("<errors><error><message>x</message></error></errors>", "found <errors>"),
        ("<plays>" + "<a>" * 9 + "</a>" * 9 + "</plays>", "nested deeper than 8"),
        ("<plays>" + "<a>" * 1_000_000, "nested deeper than 8"),
        ('<?xml version="1.0" encoding="no-such"?><plays/>', "expected XML"),
        ('<?xml version="1.0" encoding="utf-7"?><plays/>', "expected XML"),
        ('<?xml version="1.0" encoding="rot13"?><plays/>', "expected XML"),
        ('<?xml version="1.0" encoding="shift_jis"?><plays/>', "expected XML"),
    ],
)
def test_hostile_xml_is_one_typed_error_with_its_line(raw: str, said: str) -> None:
    with pytest.raises(ExchangeError) as caught:
        read(raw.encode())
    assert said in str(caught.value)
    assert "at plays.xml:1" in str(caught.value)


def test_too_many_elements_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bgg, "MAX_ELEMENTS", 10)
    with pytest.raises(ExchangeError, match="more than 10 elements"):
        read(b"<plays>" + b"<a/>" * 10 + b"</plays>")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, len(PLAYS_XML) - 1), st.binary(max_size=6), st.integers(0, 40))
def test_a_file_with_a_hole_is_read_or_refused(counts: Counter[str], at: int, instead: bytes, gone: int) -> None:
    raw = PLAYS_XML.encode()
    try:
        came = read(raw[:at] + instead + raw[at + gone :])
    except ExchangeError:
        counts["damaged XML refused"] += 1
    else:
        counts["damaged XML read"] += 1
        assert len(came.games) <= 2
