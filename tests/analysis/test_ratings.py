"""Ratings: what a game moves, and that strong players come out on top."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path

import pytest

from spyrium_log.analysis.ratings import START, STEP, Rated, Ratings, elo_after, expected_share, rate_games, rate_titles
from spyrium_log.analysis.reports import run_report
from spyrium_log.readmodel.answers import Answer
from spyrium_log.readmodel.load import bring_up_to_date
from tests.analysis.test_oracle import archive


def test_two_equals_exchange_half_a_step() -> None:
    assert elo_after([START, START], [1, 2]) == [START + STEP / 2, START - STEP / 2]


def test_a_shared_place_between_equals_moves_nobody() -> None:
    assert elo_after([START, START, START], [1, 1, 1]) == [START, START, START]


def test_four_hundred_more_should_win_ten_of_eleven() -> None:
    assert expected_share(1900, 1500) == pytest.approx(10 / 11)


def test_a_game_of_five_moves_nobody_further_than_a_step() -> None:
    for places in permutations(range(1, 6)):
        after = elo_after([1200.0, 1500.0, 1800.0, 1500.0, 2100.0], places)
        moved = [now - then for now, then in zip(after, [1200.0, 1500.0, 1800.0, 1500.0, 2100.0], strict=True)]
        assert max(map(abs, moved)) < STEP
        assert sum(moved) == pytest.approx(0)


def test_the_stronger_player_is_found() -> None:
    """Five of known strength, 400 games in which the stronger of two wins more often: both ratings give the order."""
    dice = random.Random(7)
    strength = {"Anna": 4.0, "Bob": 3.0, "Cleo": 2.0, "Dov": 1.0, "Eve": 0.0}
    games = []
    for _ in range(400):
        table = dice.sample(sorted(strength), dice.randint(2, 5))
        order = sorted(table, key=lambda player: -dice.gauss(strength[player], 1))
        games.append([(player, place) for place, player in enumerate(order, 1)])
    ratings = rate_games(games)
    standings = ratings.standings()
    assert [one.player for one in standings] == sorted(strength)
    assert sorted(standings, key=lambda one: -one.elo) == standings
    assert sum(one.games for one in standings) == sum(map(len, games)) == len(ratings.course)
    assert sum(one.wins for one in standings) == len(games)
    assert sum(one.elo for one in standings) == pytest.approx(len(standings) * START)


def test_who_played_more_is_surer() -> None:
    ratings = Ratings()
    for _ in range(20):
        ratings.add([("Anna", 1), ("Bob", 2)])
    ratings.add([("Cleo", 1), ("Bob", 2)])
    anna, cleo = (next(one for one in ratings.standings() if one.player == name) for name in ("Anna", "Cleo"))
    assert anna.deviation < cleo.deviation
    assert anna.low > cleo.low


def test_nobody_is_rated_for_playing_alone_or_against_himself() -> None:
    ratings = rate_games([[("Anna", 1)], [("Anna", 1), ("Anna", 2)], []])
    assert ratings.games == 0
    assert ratings.standings() == []


def test_both_tables_come_from_one_computation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, archive(8, seed=1).sources())
    asked: list[Answer] = []

    def counted(seats: Answer) -> Rated:
        asked.append(seats)
        return rate_titles(seats)

    monkeypatch.setattr("spyrium_log.analysis.reports.rate_titles", counted)
    ratings, course, _ = run_report(index, "ratings").figures
    assert len(asked) == 1
    assert ratings.rows
    assert course.rows
