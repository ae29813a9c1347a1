"""Tables of final scores as CSV, made up as people keep them."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange import csv_scores
from spyrium_log.exchange.scored import Imported
from spyrium_log.titles import TITLES
from tests.exchange.made_up import GAMES, told

LONG = """\
date,location,player,score
2024-01-05,Home,Anna,63
2024-01-05,Home,Bob,58
2024-01-06,,Anna,40
2024-01-06,,Cleo,41
"""
WIDE = "date,Anna,Bob,Cleo\n2024-01-05,63,58,\n2024-01-06,40,,41\n"


def read(text: str | bytes, **aliases: str) -> Imported:
    raw = text if isinstance(text, bytes) else text.encode()
    return csv_scores.read_scores(raw, "s.csv", TITLES, aliases)


def results(came: Imported) -> list[str]:
    return [f"{game.played}: {game.result}" for game in came.games]


def left(came: Imported) -> list[tuple[str, str]]:
    return [(one.where, str(one.why)) for one in came.left_out]


BOTH = ["2024-01-05: Anna 63, Bob 58", "2024-01-06: Anna 40, Cleo 41"]


@pytest.mark.parametrize("text", [LONG, WIDE])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_both_forms_in_every_dress(text: str, delimiter: str, ends: str, encoding: str) -> None:
    came = read(text.replace(",", delimiter).replace("\n", ends).encode(encoding))
    assert results(came) == BOTH
    assert came.left_out == ()


def test_players_as_columns_and_as_rows_are_the_same_games() -> None:
    assert [game.game for game in read(WIDE).games] != [game.game for game in read(LONG).games]
    plain = LONG.replace("Home", "")
    assert [game.game for game in read(WIDE).games] == [game.game for game in read(plain).games]


def test_quoted_cells_may_hold_anything_and_lines_still_count() -> None:
    came = read('played,place,"Anna, the first",Bob\n2024-01-05,"at\nBob\'s",1,2\n2024-01-06,x,1.0,2\n')
    assert results(came) == ["2024-01-05: Anna, the first 1, Bob 2"]
    assert came.games[0].place == "at Bob's"
    assert left(came) == [
        ("s.csv:4", "expected a whole number of points, found '1.0' in column 'Anna, the first' for 'Anna, the first'")
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("text", [LONG, WIDE])
def test_every_cell_may_be_quoted(text: str, delimiter: str) -> None:
    rows = [delimiter.join(f'"{cell}"' for cell in line.split(",")) for line in text.splitlines()]
    assert results(read("\n".join(rows))) == BOTH


@pytest.mark.parametrize(
    "score", ["63.0", "63,5", "1.234", "1 234", "1'234", "6o", "=1+1", "12+5", "NaN", "1e2", "٦٣", "100000"]
)
def test_junk_is_refused_with_its_line_and_column(score: str) -> None:
    came = read(f'date;Anna;Bob\n2024-01-05;"{score}";58\n2024-01-06;1;2\n')
    assert results(came) == ["2024-01-06: Anna 1, Bob 2"]
    assert left(came) == [
        ("s.csv:2", f"expected a whole number of points, found '{score}' in column 'Anna' for 'Anna'")
    ]


def test_a_row_of_one_seat_takes_its_game_with_it() -> None:
    came = read(LONG.replace("58", "58?"))
    assert results(came) == BOTH[1:]
    assert left(came) == [("s.csv:2", "expected a whole number of points, found '58?' in column 'score' for 'Bob'")]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("05/01/2024,1,2,", "expected a day as 2026-11-18, found '05/01/2024' in column 'date'"),
        ("2024-13-01,1,2,", "expected a day of the calendar, found '2024-13-01' in column 'date'"),
        ("2024-01-05,1,,", "expected 2 to 5 players, found 1"),
        ("2024-01-05,,,", "expected scores in the columns of players, found none"),
        ("2024-01-05,1,2,3,4", "expected 4 cells, found 5"),
    ],
)
def test_a_row_that_is_not_certain_is_left_out(row: str, said: str) -> None:
    came = read(f"{WIDE}{row}\n")
    assert results(came) == BOTH
    assert left(came) == [("s.csv:4", said)]


def test_days_between_dots_begin_with_the_day() -> None:
    assert results(read("date,A,B\n3.11.2026,1,2\n03. 11. 2026,2,1\n")) == [
        "2026-11-03: A 1, B 2",
        "2026-11-03: A 2, B 1",
    ]


def test_two_games_of_one_evening_need_a_column_that_tells_them_apart() -> None:
    rows = "2024-01-05,Anna,63\n2024-01-05,Bob,58\n2024-01-05,Anna,1\n2024-01-05,Bob,2\n"
    came = read(f"date,player,score\n{rows}")
    assert left(came) == [("s.csv:2", "expected a column 'game' that tells two games apart, found 'Anna' twice in one")]
    lines = [f"{n // 2 + 1},{row}" for n, row in enumerate(rows.splitlines())]
    came = read("\n".join(["game,date,player,score", *lines]))
    assert results(came) == ["2024-01-05: Anna 63, Bob 58", "2024-01-05: Anna 1, Bob 2"]


def test_rows_of_one_game_say_one_day() -> None:
    came = read("id,date,player,score\n1,2024-01-05,Anna,1\n1,2024-01-05,Bob,2\n1,2024-01-06,Cleo,3\n")
    said = "expected '2024-01-05' for the whole game in column 'date', found '2024-01-06' in line 4"
    assert (came.games, left(came)) == ((), [("s.csv:2", said)])


def test_a_rank_is_no_place() -> None:
    came = read("date,place,player,score\n2024-01-05,1,Anna,63\n2024-01-05,2,Bob,58\n")
    assert came.games == ()
    came = read("date,place,Anna,Bob\n2024-01-05,1,63,58\n")
    assert left(came) == [("s.csv:2", "expected where it was played in column 'place', found '1': a rank?")]


def test_other_games_are_no_loss() -> None:
    came = read("game,date,Anna,Bob\nCatan 2,2024-01-05,1,2\nSpyrium,2024-01-05,3,4\n17,2024-01-05,5,6\n")
    assert results(came) == ["2024-01-05: Anna 3, Bob 4", "2024-01-05: Anna 5, Bob 6"]
    assert [(str(one.why), one.what == "other") for one in came.left_out] == [
        ("expected a game of Spyrium or Founders of Gloomhaven, found 'Catan 2'", True)
    ]


def test_the_order_of_seats_and_who_began() -> None:
    came = read("seat,player,score,first,colour\n10,Anna,1,,red\n9,Bob,2,yes,blue\n")
    (game,) = came.games
    assert [(seat.player, seat.colour) for seat in game.seats] == [("Bob", "blue"), ("Anna", "red")]
    assert game.first == 1


def test_aliases() -> None:
    assert results(read(WIDE, anna="Anna Nowak"))[0] == "2024-01-05: Anna Nowak 63, Bob 58"


def test_the_same_row_twice_is_two_games_and_the_same_two_again() -> None:
    twice = f"{WIDE}2024-01-06,40,,41\n"
    ids = [game.game for game in read(twice).games]
    assert len(set(ids)) == 3
    assert ids == [game.game for game in read(twice, anna="Anna Nowak").games]
    assert ids[:2] == [game.game for game in read(WIDE).games]


def test_what_went_out_comes_in_the_same() -> None:
    came = read(csv_scores.write_scores(GAMES, TITLES))
    assert [told(game) for game in came.games] == [told(game) for game in GAMES]
    assert [game.game for game in came.games] == [game.game for game in GAMES]
    assert came.left_out == ()


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-3", "@x", "'=1", "''=1", "'t Hart", "\uff1d1"])
def test_a_name_that_is_a_formula_goes_out_behind_an_apostrophe_and_comes_in_the_same(name: str) -> None:
    seats = tuple(replace(seat, player=f"{name}{at}") for at, seat in enumerate(GAMES[0].seats))
    game = replace(GAMES[0], seats=seats, place=name)
    raw = csv_scores.write_scores([game], TITLES)
    assert raw == csv_scores.write_scores([game], TITLES, raw=True) or f"'{name}" in raw.decode()
    assert not re.search(rb'(?m)(?:^|,)"?[=+@]', raw)
    (came,) = read(raw).games
    assert told(came) == told(game)


# --- hostile -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "found none, at s.csv:1"),
        (b"nothing\n", "expected columns between commas"),
        (b"date,Anna,Bob\n2024-01-05,\xff,1\n", "expected UTF-8, found the byte 0xff, at s.csv:2"),
        (b"date,Anna,anna\n", "found 'anna' twice"),
        (b"date,day,Anna\n", "found 'day' twice"),
        (b"date,,Anna\n", "found one without a name"),
        (b'date,Anna\n"x', "expected CSV, found"),
        (b'date,Anna\n"x"y,1\n', "expected CSV, found"),
        (b'"date"x,Anna\n', "expected columns between commas"),
        (b"date,Anna\n" + b"x" * 200_000 + b",1\n", "expected CSV, found"),
        (b"a," * 50 + b"\n", "found 'a' twice"),
        (b",".join(b"c%d" % n for n in range(500)) + b"\n", "expected at most 200 columns"),
    ],
)
def test_what_is_no_table_is_one_typed_error(raw: bytes, said: str) -> None:
    with pytest.raises(ExchangeError) as caught:
        read(raw)
    assert said in str(caught.value)


def test_too_many_lines_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_scores, "MAX_LINES", 2)
    with pytest.raises(ExchangeError, match="expected at most 2 lines"):
        read(WIDE)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from([LONG, WIDE]),
    st.text(alphabet='12,;\t"\n\r\x00 Ana=+-.\u2028\ud7ff', max_size=12),
    st.integers(0, 60),
)
def test_any_table_is_read_or_refused(counts: Counter[str], text: str, more: str, at: int) -> None:
    try:
        came = read(text[:at] + more + text[at:])
    except ExchangeError:
        counts["CSV refused"] += 1
    else:
        counts["CSV read"] += 1
        assert len(came.games) <= 8
