"""The general reports on games of Founders: also of one player, and beside games of the other title."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from spyrium_log.analysis.reports import run_report
from spyrium_log.play import encode_log
from spyrium_log.readmodel.catalogue import reports
from spyrium_log.readmodel.load import bring_up_to_date
from tests.games import EXAMPLES, game
from tests.readmodel.archive import Archive

GAMES = (
    "founders/alone-on-the-thematic-side",
    "founders/two-players-on-the-thematic-side",
    "founders/three-players-on-the-thematic-side",
)
# The values of the sheets of Founders are made up.
CHOSEN = {"grade": "invented", "source": "simulated"}
NEEDED = {"player": {"player": "Anna"}, "head-to-head": {"player": "Anna", "against": "Bob"}}
GENERAL = [report.name for report in reports() if report.needs]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Whole games of one, two and three players, and one of the other title."""
    logs = {name: (EXAMPLES / f"{name}.jsonl").read_bytes() for name in GAMES}
    header, *lines = game("spyrium", 3).lines
    logs["spyrium"] = encode_log([structs.replace(header, source="simulated"), *lines])
    path = tmp_path_factory.mktemp("reports") / "index.duckdb"
    assert bring_up_to_date(path, Archive(logs).sources()).unusable == ()
    return path


def rows(index: Path, report: str, figure: str) -> list[dict[str, Any]]:
    reported = run_report(index, report, {"title": "founders", **CHOSEN, **NEEDED.get(report, {})})
    return next(
        [dict(zip(one.columns, row, strict=True)) for row in one.rows] for one in reported.figures if one.name == figure
    )


@pytest.mark.parametrize("name", GENERAL)
def test_a_report_counts_each_game_that_it_does_not_leave_out(index: Path, name: str) -> None:
    reported = run_report(index, name, {**CHOSEN, **NEEDED.get(name, {})})
    (left_out,) = [figure for figure in reported.figures if figure.name == "left-out"]
    gone = [dict(zip(left_out.columns, row, strict=True)) for row in left_out.rows]
    not_at_all = sum(row["games"] for row in gone if row.get("counts", "not") == "not")
    assert reported.kept is not None
    assert 0 <= reported.kept.assumed <= reported.kept.games == reported.kept.asked - not_at_all


def test_whoever_is_alone_begins_and_that_is_no_game_of_the_order_of_seats(index: Path) -> None:
    assert {row["players"] for row in rows(index, "seats", "seats")} == {2, 3}
    (left_out,) = rows(index, "seats", "left-out")
    assert (left_out["players"], left_out["reason"], left_out["games"]) == (1, "one player", 1)
    assert [row["players"] for row in rows(index, "scores", "totals")] == [1, 2, 3]


def test_a_price_that_was_saved_is_nothing_that_the_card_brought(index: Path) -> None:
    """The Scholar saves the whole price of the Toll Clerk."""
    figures = run_report(index, "game", {"game": "game-alone-on-the-thematic-side"}).figures
    (cards,) = [figure for figure in figures if figure.name == "cards"]
    (clerk,) = [
        row for row in (dict(zip(cards.columns, one, strict=True)) for one in cards.rows) if row["card"] == "toll-clerk"
    ]
    assert (clerk["paid"], clerk["returned"]) == ({}, {"lasting": 1, "points": 1})
