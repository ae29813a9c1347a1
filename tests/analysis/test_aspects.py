"""A finding speaks against what it touches, and a score sheet that was typed twice counts once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec import structs

from spyrium_log.analysis.figures import Reported
from spyrium_log.analysis.reports import run_report
from spyrium_log.analysis.sentences import kept_text
from spyrium_log.log.lines import Dealt, Decided
from spyrium_log.play import encode_log
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.aspects import GRADES_ASKED, PURPOSES, which_bit
from spyrium_log.readmodel.catalogue import reports
from spyrium_log.readmodel.load import bring_up_to_date
from tests.build import mere_scores
from tests.games import game
from tests.readmodel.archive import Archive

# What a wrong price speaks against: what is made of amounts, and of what somebody could afford.
TOUCHED = {"scores": True, "seats": True, "openings": True, "technique-scores": True, "records": True, "pace": True} | {
    "take-rates": False,
    "curves": False,
    "crowding": False,
}

BEGUN = datetime(2026, 1, 2, 19, tzinfo=UTC)


def misrecorded(seed: int, what: str) -> bytes:
    """A game with times in which somebody had one more of it than the rules give, once, after the first round."""
    header, *events = game("spyrium", seed).lines
    lines = [header, *(structs.replace(line, at=BEGUN + timedelta(seconds=20 * line.n)) for line in events)]
    deals = [at for at, line in enumerate(lines) if isinstance(line, Dealt)]
    at, line, nth = next(
        (at, line, nth)
        for at, line in enumerate(lines)
        if at > deals[1] and isinstance(line, Decided)
        for nth, posting in enumerate(line.moved)
        if posting.what == what
    )
    moved = list(line.moved)
    moved[nth] = structs.replace(moved[nth], n=moved[nth].n + 1)
    lines[at] = structs.replace(line, moved=tuple(moved))
    return encode_log(lines)


def indexed(folder: Path, logs: dict[str, bytes]) -> Path:
    index = folder / "index.duckdb"
    bring_up_to_date(index, Archive(logs).sources())
    return index


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return indexed(
        tmp_path_factory.mktemp("aspects"), {"price": misrecorded(3, "money"), "points": misrecorded(5, "points")}
    )


def test_a_wrong_price_says_nothing_against_the_final_scores(index: Path) -> None:
    found = dict(query(index, "SELECT file, touched FROM game").rows)
    assert found == {"price": ["amounts", "offers"], "points": ["scores", "amounts", "offers"]}
    assert query(index, "SELECT DISTINCT reason FROM game").rows == [("open findings",)]
    assert query(index, "SELECT DISTINCT file FROM result JOIN game USING (game)").rows == [("price",)]


def count_kept(reported: Reported) -> tuple[int, int]:
    assert reported.kept is not None
    return reported.kept.games, reported.kept.asked


@pytest.mark.parametrize("name", sorted(TOUCHED))
def test_a_report_leaves_out_what_a_finding_touches_and_says_how_many_games_it_keeps(index: Path, name: str) -> None:
    reported = run_report(index, name, {"title": "spyrium"})
    kept = (2 if name == "pace" else 1) if TOUCHED[name] else 0
    assert count_kept(reported) == (kept, 2)
    assert f": {kept} of 2 games count." in kept_text(reported)
    assert count_kept(run_report(index, name, {"title": "spyrium", "grade": "exact"})) == (0, 2)
    assert count_kept(run_report(index, name, {"title": "spyrium", "grade": "open"})) == (2, 2)


def test_every_report_of_many_games_says_what_it_rests_on() -> None:
    assert [report.name for report in reports() if not report.needs] == ["game"]


# --- score sheets of one day ------------------------------------------------------------------------

DAY = "2026-01-02"


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    return indexed(
        tmp_path,
        {
            "typed": mere_scores("typed", [("Anna", 40), ("Bob", 30)], played=DAY),
            "again": mere_scores("again", [("Bob", 30), ("Anna", 40)], played=DAY),
            "other-day": mere_scores("other-day", [("Anna", 40), ("Bob", 30)], played="2026-01-03"),
            "other-score": mere_scores("other-score", [("Anna", 40), ("Bob", 31)], played=DAY),
            "no-day": mere_scores("no-day", [("Anna", 40), ("Bob", 30)], played=None),
        },
    )


def totals(index: Path, **options: object) -> int:
    figure = run_report(index, "scores", options).figures[0]
    return sum(row[figure.columns.index("games")] for row in figure.rows)


def test_a_sheet_that_was_typed_twice_counts_once_unless_told_otherwise(sheets: Path) -> None:
    assert (totals(sheets), totals(sheets, repeated=True)) == (4, 5)
    assert query(sheets, "SELECT game, repeats FROM repeated").rows == [("typed", "again")]
    assert query(sheets, "SELECT count(DISTINCT game) FROM scored").rows == [(4,)]
    (left_out,) = (figure for figure in run_report(sheets, "ratings").figures if figure.name == "left-out")
    reasons = [row[left_out.columns.index("reason")] for row in left_out.rows]
    assert reasons == ["counted already"]


def test_a_bit_of_what_a_game_counts_for_is_the_same_in_sql(index: Path) -> None:
    for grade in GRADES_ASKED:
        for purpose in PURPOSES:
            bit = which_bit(grade, purpose)
            asked = query(
                index, "SELECT does_count(?, ?, ?), does_count(?, ?, ?)", [bit, grade, purpose, ~bit, grade, purpose]
            )
            assert asked.rows == [(True, False)], (grade, purpose)
