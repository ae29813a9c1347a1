"""Simulated games and games of people are never counted together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from spyrium_log.analysis.page import report_page
from spyrium_log.analysis.reports import run_report
from spyrium_log.analysis.sentences import left_out_text
from spyrium_log.errors import ReadModelError
from spyrium_log.play import encode_log
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.catalogue import find_report, reports
from spyrium_log.readmodel.load import bring_up_to_date
from tests.games import game
from tests.readmodel.archive import Archive

NEEDED: dict[str, dict[str, object]] = {
    "player": {"player": "Anna"},
    "head-to-head": {"player": "Anna", "against": "Bob"},
}


def log(nth: int, source: Any, *names: str) -> bytes:
    """A game of this source, of two seats with these names."""
    played = next(one for one in (game("spyrium", seed) for seed in range(nth, 999)) if len(one.header.seats) == 2)
    seats = tuple(structs.replace(seat, player=name) for seat, name in zip(played.header.seats, names, strict=True))
    header = structs.replace(played.header, game=f"game-{nth:03}", source=source, seats=seats)
    return encode_log([header, *played.lines[1:]])


def indexed(folder: Path, **logs: bytes) -> Path:
    index = folder / "index.duckdb"
    bring_up_to_date(index, Archive(logs).sources())
    return index


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return indexed(
        tmp_path_factory.mktemp("mixed"),
        table=log(1, "table", "Anna", "Bob"),
        notation=log(20, "notation", "Bob", "greedy-1"),
        one=log(40, "simulated", "greedy", "search:30"),
        other=log(60, "simulated", "random", "greedy"),
    )


def rows(index: Path, name: str, figure: str, **options: object) -> list[dict[str, Any]]:
    found = next(one for one in run_report(index, name, options).figures if one.name == figure)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


@pytest.mark.parametrize("name", [report.name for report in reports() if report.name != "game"])
def test_no_report_has_a_simulated_game_unasked(mixed: Path, name: str) -> None:
    options = {option.name for option in find_report(name).options}
    reported = run_report(mixed, name, NEEDED.get(name, {}) | ({"least": 1} if "least" in options else {}))
    assert not reported.simulated
    told = [value for figure in reported.figures for row in figure.rows for value in row if figure.name != "left-out"]
    assert not {"greedy", "search:30", "random"} & {*map(str, told)}
    if name not in NEEDED:
        assert "simulated 2" in left_out_text(reported)


def test_each_source_is_asked_by_itself(mixed: Path) -> None:
    def games(**options: object) -> int:
        return sum(row["games"] for row in rows(mixed, "scores", "totals", **options))

    assert [games(), games(source="real"), games(source="simulated")] == [2, 2, 2]
    assert [games(source="table"), games(source="notation"), games(source="scoresheet")] == [1, 1, 0]
    assert query(mixed, "SELECT count(DISTINCT game) FROM result").rows == [(2,)]
    assert query(mixed, "SELECT DISTINCT source FROM scored ORDER BY source").rows == [("table",), ("notation",)]
    with pytest.raises(ReadModelError, match=r"expected source to be one of real, table, .*, found 'bots'"):
        run_report(mixed, "scores", {"source": "bots"})


def test_where_there_are_simulated_games_alone_they_are_asked_and_the_head_says_so(tmp_path: Path, mixed: Path) -> None:
    index = indexed(tmp_path, one=log(40, "simulated", "greedy", "random"))
    alone, asked = run_report(index, "scores"), run_report(mixed, "scores", {"source": "simulated"})
    for reported in (alone, asked):
        assert reported.simulated
        assert reported.heading.endswith("(simulated games)")
        assert b"(simulated games)</h1>" in report_page(reported)
        assert reported.figures[0].rows
    assert not run_report(mixed, "scores").simulated
    assert query(index, "SELECT count(*) FROM result").rows == [(2,)]
    (id_,) = query(mixed, "SELECT game FROM game WHERE source = 'simulated' ORDER BY game LIMIT 1").rows[0]
    assert run_report(mixed, "game", {"game": id_}).simulated


def test_nobody_called_like_a_policy_is_rated_among_people(mixed: Path) -> None:
    people = {row["player"] for row in rows(mixed, "ratings", "ratings", least=1)}
    assert people == {"Anna", "Bob"}
    assert {(row["reason"], row["games"]) for row in rows(mixed, "ratings", "left-out")} == {
        ("simulated", 2),
        ("a policy of the simulation played", 1),
    }
    policies = {row["player"] for row in rows(mixed, "ratings", "ratings", source="simulated", least=1)}
    assert policies == {"greedy", "search:30", "random"}
