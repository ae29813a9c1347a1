"""What holds of every report on any archive, said in SQL and of its rows."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from spyrium_log.analysis.reports import run_report
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.catalogue import reports
from spyrium_log.readmodel.load import bring_up_to_date
from tests.analysis.test_oracle import DAYS, NAMES, archive
from tests.build import mere_scores
from tests.readmodel.archive import Archive, raw
from tests.shares import share
from tests.stories import STORIES

SCORES = ("technique-scores", "building-scores", "character-scores")
NEEDED: dict[str, dict[str, object]] = {
    "player": {"player": "Anna"},
    "head-to-head": {"player": "Anna", "against": "Bob"},
}


@pytest.fixture(scope="module", params=share([2, 3], 2))
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("laws") / "index.duckdb"
    bring_up_to_date(path, archive(40, seed=request.param).sources())
    return path


def rows(index: Path, name: str, figure: str, **options: object) -> list[dict[str, Any]]:
    found = next(one for one in run_report(index, name, options).figures if one.name == figure)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def test_points_are_the_sum_of_the_ledger_and_totals_that_of_their_parts(index: Path, counts: Counter[str]) -> None:
    off = """
        WITH moved AS (
            SELECT game, seat, sum(amount) AS n
            FROM ledger JOIN game USING (game) JOIN resource USING (title, what) WHERE role = 'points' GROUP BY ALL
        ),
        parts AS (SELECT game, seat, sum(points) AS n FROM score_part GROUP BY ALL)
        SELECT seat.game, seat.seat FROM seat
        LEFT JOIN moved USING (game, seat) LEFT JOIN parts USING (game, seat)
        WHERE coalesce(moved.n, 0) != seat.points OR coalesce(parts.n, 0) != seat.total
    """
    assert query(index, off).rows == []
    ((seats,),) = query(index, "SELECT count(*) FROM seat").rows
    counts["seats whose ledger and parts balance in SQL"] += seats


@pytest.mark.parametrize("grade", ["clean", "open", "exact"])
def test_with_and_without_are_all_seats(index: Path, grade: str, counts: Counter[str]) -> None:
    totals = rows(index, "scores", "totals", grade=grade)
    seats = Counter({(row["title"], row["players"]): row["seats"] for row in totals})
    wins = Counter({(row["title"], row["players"]): row["won"] for row in totals})
    of_scores = """
        SELECT title, players, won FROM results(of_grade := $grade, of_aspect := 'scores')
        WHERE game NOT IN (SELECT game FROM results(of_grade := $grade, of_aspect := 'cards'))
    """
    for title, players, won in query(index, of_scores, {"grade": grade}).rows:
        seats[title, players] -= 1
        wins[title, players] -= won
        counts["seats that count for scores alone"] += 1
    for name in SCORES:
        for row in rows(index, name, "by-players", grade=grade):
            group = (row["title"], row["players"])
            assert row["n_with"] + row["n_without"] == seats[group]
            assert row["won_with"] + row["won_without"] == wins[group]
            counts["cards with and without"] += 1
        for row in rows(index, name, "scores", grade=grade):
            of_title = sum(n for (title, _), n in seats.items() if title == row["title"])
            assert row["n_with"] + row["n_without"] == of_title


@pytest.mark.parametrize(("name", "figure"), [*((name, "scores") for name in SCORES), ("take-rates", "rates")])
def test_one_card_has_the_rank_that_it_has_among_all(index: Path, name: str, figure: str) -> None:
    among_all = [row for row in rows(index, name, figure, least=2) if row["card"] != "?"]
    assert max(row["rank"] or 0 for row in among_all) > 1
    for row in share(among_all, 6):
        (one,) = rows(index, name, figure, least=2, card=row["card"], title=row["title"])
        assert (one["card"], one["rank"], one["note"]) == (row["card"], row["rank"], row["note"])


def test_a_game_of_which_moves_were_missed_counts_for_scores_alone(tmp_path: Path) -> None:
    index = asked(tmp_path, {"tie": STORIES["shared-win"](), "whole": raw(1)})
    ((gaps, final),) = query(index, "SELECT gaps, final FROM game WHERE file = 'tie'").rows
    assert (gaps, final) == (True, True)
    counted = {figure: rows(index, "scores", figure) for figure in ("totals", "left-out")}
    assert sum(row["games"] for row in counted["totals"]) == 2
    assert [(row["reason"], row["counts"], row["files"]) for row in counted["left-out"]] == [
        ("gaps", "for scores", "tie")
    ]
    for name in ("technique-scores", "curves", "openings", "seats"):
        assert [(row["reason"], row["files"]) for row in rows(index, name, "left-out")] == [("gaps", "tie")]
    assert {row["games"] for row in rows(index, "curves", "scores")} == {1}
    assert [row["counts"] for row in rows(index, "scores", "left-out", grade="exact")] == ["not"]


def test_somebody_wins_every_game(index: Path, counts: Counter[str]) -> None:
    won = sum(row["won"] for row in rows(index, "scores", "totals"))
    games = sum(row["games"] for row in rows(index, "scores", "totals"))
    assert won >= games
    assert won == games or query(index, "SELECT count(*) FROM scored WHERE won AND shared").rows[0][0] > won - games
    by_seat = rows(index, "seats", "seats")
    ((recorded,),) = query(index, "SELECT count(*) FROM result WHERE won").rows
    assert sum(row["won"] for row in by_seat) == recorded
    assert sum(row["expected"] * row["n"] for row in by_seat) == pytest.approx(recorded, abs=1e-9)
    counts["wins counted twice"] += won


def not_at_all(left_out: list[dict[str, Any]]) -> list[dict[str, Any]]:
    assert {row["counts"] for row in left_out} <= {"not", "for scores"}
    return [row for row in left_out if row["counts"] == "not"]


def test_games_count_or_are_left_out(index: Path, counts: Counter[str]) -> None:
    ((games,),) = query(index, "SELECT count(*) FROM game").rows
    counted = sum(row["games"] for row in rows(index, "scores", "totals"))
    left = sum(row["games"] for row in not_at_all(rows(index, "scores", "left-out")))
    assert counted + left == games
    late = rows(index, "scores", "left-out", since="2025")
    since = rows(index, "scores", "totals", since="2025") + not_at_all(late)
    older = "SELECT count(*) FROM game WHERE played < '2025'"
    assert sum(row["games"] for row in since) + query(index, older).rows[0][0] == games
    counts["games that count or are left out"] += games


def test_a_duel_seen_by_the_other_is_turned_round(index: Path, counts: Counter[str]) -> None:
    turned = {"ahead": "behind", "behind": "ahead", "level": "level", "games": "games"}
    for one, other in share(product(NAMES[:3], NAMES[1:4]), 4):
        mine = rows(index, "head-to-head", "summary", player=one, against=other)
        theirs = rows(index, "head-to-head", "summary", player=other, against=one)
        assert [[row[name] for name in turned] for row in mine] == [
            [row[name] for name in turned.values()] for row in theirs
        ]
        assert [(row["margin"], row["worst"]) for row in mine] == [(-row["margin"], -row["best"]) for row in theirs]
        games = rows(index, "head-to-head", "games", player=one, against=other)
        for title in {row["title"] for row in games}:
            numbers = [int(row["label"].partition(",")[0]) for row in games if row["title"] == title]
            assert numbers == [*range(len(numbers), 0, -1)]
        counts["duels seen from both sides"] += len(mine)


# --- small and odd archives ----------------------------------------------------------------------


def asked(tmp_path: Path, logs: dict[str, bytes]) -> Path:
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, Archive(logs).sources())
    for report in reports():
        if report.name != "game":
            run_report(index, report.name, NEEDED.get(report.name, {}))
    return index


@pytest.mark.parametrize("name", ["abandoned", "amended-before-a-resync", "scores-only", "shared-win"])
def test_every_report_answers_on_an_archive_of_one_game(tmp_path: Path, name: str) -> None:
    index = asked(tmp_path, {name: STORIES[name]()})
    for (game,) in query(index, "SELECT game FROM game").rows:
        assert run_report(index, "game", {"game": game}).figures[0].rows


def test_every_report_answers_on_nothing_and_on_nothing_usable(tmp_path: Path) -> None:
    asked(tmp_path / "nothing", {})
    index = asked(tmp_path / "garbage", {"a": b"", "b": raw(1, "garbage")})
    assert all(not figure.rows for figure in run_report(index, "scores").figures)


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    """Old score sheets, and nothing else."""
    logs = {
        f"s{nth}": mere_scores(f"sheet-{nth}", scores, played=day)
        for nth, (scores, day) in enumerate(
            [
                ([("Anna", 5), ("Bob", 5)], None),
                ([("Anna", 9), ("Bob", 2)], DAYS[2]),
                ([("Anna", 9)], None),
                ([("Anna", 9), ("Anna", 9), ("Bob", 1)], None),
            ]
        )
    }
    return asked(tmp_path, logs)


def test_mere_scores_make_ratings(sheets: Path) -> None:
    assert [(row["player"], row["games"], row["wins"]) for row in rows(sheets, "ratings", "ratings")] == [
        ("Anna", 2, 2),
        ("Bob", 2, 1),
    ]
    assert {(row["reason"], row["games"]) for row in rows(sheets, "ratings", "left-out")} == {
        ("one player", 1),
        ("somebody sat twice", 1),
    }
    undated = rows(sheets, "ratings", "left-out", since="2024")
    assert [row["reason"] for row in undated if row["players"] == 2] == ["no day"]


def test_mere_scores_count_where_scores_are_asked_and_nowhere_else(sheets: Path) -> None:
    assert [(row["players"], row["games"], row["mean"]) for row in rows(sheets, "scores", "totals")] == [
        (1, 1, 9),
        (2, 2, 21 / 4),
        (3, 1, 19 / 3),
    ]
    assert rows(sheets, "scores", "causes") == not_at_all(rows(sheets, "scores", "left-out")) == []
    assert {row["reason"]: row["games"] for row in rows(sheets, "scores", "left-out", players=2)} == {"scores only": 2}
    (duel,) = rows(sheets, "head-to-head", "summary", player="Anna", against="Bob")
    assert (duel["games"], duel["ahead"], duel["level"], duel["margin"]) == (2, 1, 1, 3.5)
    assert {row["players"]: row["games"] for row in rows(sheets, "player", "summary", player="Bob")} == {2: 2, 3: 1}
    assert rows(sheets, "player", "cards", player="Bob") == []
    books = {row["record"]: (row["figure"], row["player"], row["times"]) for row in rows(sheets, "records", "records")}
    assert books["highest score"] == (9, "Anna", 3)
    assert books["largest margin"] == (7, "Anna", 1)
    assert "most techniques" not in books
    assert rows(sheets, "seats", "seats") == []


def test_an_old_score_sheet_is_not_exact(sheets: Path) -> None:
    for name in ("scores", "ratings"):
        assert rows(sheets, name, "totals" if name == "scores" else name, grade="exact") == []
        assert {row["reason"] for row in rows(sheets, name, "left-out", grade="exact")} == {"scores only"}
