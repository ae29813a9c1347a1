"""A game on a set whose values are invented is in no report, unless somebody asks for such games."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from msgspec import structs

from spyrium_log.analysis.reports import run_report
from spyrium_log.play import Play
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.replay import Replay, replay
from spyrium_log.sheet import Sheet
from spyrium_log.titles import TITLES
from tests.games import log_of, moves
from tests.readmodel.archive import one_game

SPYRIUM = TITLES["spyrium"]
INVENTED = Sheet(
    name="practice-9", printed=tuple(structs.replace(row, source="invented") for row in SPYRIUM.sheet().printed)
)


@cache
def played(name: str, sheet: Sheet, *, most: int = 10_000) -> Replay:
    """A game by chance on this sheet, or the beginning of one."""
    header = Play.new(SPYRIUM, game=name, players=("Anna", "Bob"), source="simulated", sheet=sheet).header
    play = Play(log_of(SPYRIUM, [header]))
    for _ in moves(play, 7, most):
        pass
    return replay(play.log)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("invented") / "index.duckdb"
    games = {
        "printed": played("printed", SPYRIUM.sheet()),
        "invented": played("invented", INVENTED),
        "half": played("half", INVENTED, most=20),
    }
    sources = [one_game(name, name, lambda game=game: game.log) for name, game in games.items()]  # type: ignore[misc]
    bring_up_to_date(path, sources)
    return path


def test_the_tables_say_which_games_are_on_an_invented_set(index: Path) -> None:
    rows = query(index, "SELECT game, invented, list_contains(grades, 'invented'), reason FROM game ORDER BY game").rows
    assert rows == [
        ("half", True, True, "invented set"),
        ("invented", True, True, "invented set"),
        ("printed", False, False, None),
    ]
    assert query(index, "SELECT DISTINCT game FROM scored").rows == [("printed",)]
    assert query(index, "SELECT DISTINCT sheet_name FROM game WHERE invented").rows == [("practice-9",)]


@pytest.mark.parametrize("grade", ["clean", "open", "exact"])
def test_no_report_has_such_a_game_unasked(index: Path, grade: str) -> None:
    totals, _, left_out = run_report(index, "scores", {"grade": grade}).figures
    assert [row[:3] for row in totals.rows] == [("spyrium", 2, 1)]
    assert [row[2:5] for row in left_out.rows] == [("invented set", "not", 2)]


def test_asked_for_it_counts_like_any_other(index: Path) -> None:
    totals, _, left_out = run_report(index, "scores", {"grade": "invented"}).figures
    assert [row[:3] for row in totals.rows] == [("spyrium", 2, 2)]
    assert [row[2:5] for row in left_out.rows] == [("no final count", "not", 1)]
