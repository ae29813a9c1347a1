"""Old score sheets: what was declared is all there is, and every reader of scores says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec import structs

from spyrium_cli.main import cli
from spyrium_log.analysis.reports import run_report
from spyrium_log.edit.experiment import run_experiment
from spyrium_log.edit.history import list_history
from spyrium_log.log.lines import Declared, Line, Result, Withdrawn
from spyrium_log.play import OPEN, Play, encode_log, make_scoresheet
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.replay import Replay, replay
from spyrium_log.sheet import Printed
from spyrium_log.title import AnyTitle, Paused
from spyrium_log.titles import TITLES
from tests.games import log_of
from tests.readmodel.archive import one_game
from tests.test_laws import every_title

SPYRIUM = TITLES["spyrium"]
SCORES = (("Anna", 48), ("Bob", 51), ("Cleo", 51))


def sheet(title: AnyTitle = SPYRIUM, scores: Any = SCORES) -> list[Line]:
    return list(make_scoresheet(title, game="game-sheet", scores=scores))


def done(*lines: Line, title: AnyTitle = SPYRIUM) -> Replay:
    return replay(log_of(title, lines))


@every_title
def test_what_was_declared_is_the_score(title: AnyTitle) -> None:
    one = done(*sheet(title), title=title)
    assert one.is_scores_only
    assert (one.verdict, one.findings, one.assumed_value_count) == ("clean", [], 0)
    assert [(score.seat, score.total, score.place) for score in one.scores()] == [(1, 48, 3), (2, 51, 1), (3, 51, 1)]
    assert [one.sum_score_parts(seat) for seat in (1, 2, 3)] == [{"declared": 48}, {"declared": 51}, {"declared": 51}]


@pytest.mark.parametrize(("first", "said"), [(1, ""), (2, "; Bob begins")])
def test_nobody_began_where_the_sheet_does_not_say_it(first: int, said: str) -> None:
    header, declared = make_scoresheet(SPYRIUM, game="game-sheet", scores=SCORES, first=first)
    assert done(header, declared).first == (None if first == 1 else first)
    told = next(list_history(done(header, declared).log)).sentence
    assert told == f"Spyrium: Anna (blue), Bob (red), Cleo (yellow){said}"


def test_a_seat_without_points_is_a_finding() -> None:
    header, declared = sheet()
    assert isinstance(declared, Declared)
    one = done(header, structs.replace(declared, results=declared.results[:2]))
    assert [(str(each.expected), str(each.found)) for each in one.findings] == [("seat 3 with points", "none declared")]


def test_points_of_a_seat_that_is_not_there_are_a_finding() -> None:
    header, declared = sheet()
    assert isinstance(declared, Declared)
    one = done(header, structs.replace(declared, results=(*declared.results, Result(seat=9, points=3))))
    assert [(str(each.expected), str(each.found)) for each in one.findings] == [("seat 9 0 points", "3 declared")]


def test_the_last_that_was_declared_counts_until_it_is_withdrawn() -> None:
    header, declared = sheet()
    assert isinstance(declared, Declared)
    again = structs.replace(declared, n=2, results=(Result(seat=1, points=60), *declared.results[1:]))
    assert done(header, declared, again).scores()[0].total == 60
    gone = Withdrawn(n=3, by="x", line=2, why="it was 48", prev=OPEN, hash=OPEN)
    one = done(header, declared, again, gone)
    assert (one.scores()[0].total, one.findings) == (48, [])


def test_with_an_event_it_is_a_log_like_any_other() -> None:
    log = log_of(SPYRIUM, sheet())
    line = Play(log).propose(Paused(), by="x").event
    one = done(*log.lines, line)
    assert not one.is_scores_only
    assert {finding.kind for finding in one.findings} == {"result"}


def test_a_declared_result_of_another_source_is_audited_as_ever() -> None:
    header, declared = sheet()
    one = done(structs.replace(header, source="table"), declared)
    assert (one.verdict, len(one.findings)) == ("findings", 3)


def test_the_tables_have_the_scores_and_the_report_counts_them_and_no_causes(tmp_path: Path) -> None:
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, [one_game("old", "x", lambda: done(*sheet()).log)])
    assert query(index, "SELECT source, events, verdict, final FROM game").rows == [("scoresheet", 0, "clean", False)]
    seats = "SELECT points, total, place, won, shared FROM seat ORDER BY seat"
    assert query(index, seats).rows == [
        (None, 48, 3, False, False),
        (None, 51, 1, True, True),
        (None, 51, 1, True, True),
    ]
    totals, causes, left_out = run_report(index, "scores").figures
    assert [row[:5] for row in totals.rows] == [("spyrium", 3, 1, 3, 50)]
    assert causes.rows == []
    assert [row[2:5] for row in left_out.rows] == [("scores only", "for scores", 1)]


@pytest.mark.parametrize("verb", ["show", "replay"])
def test_the_screens_say_that_there_are_scores_only(tmp_path: Path, verb: str) -> None:
    path = tmp_path / "old.jsonl"
    path.write_bytes(encode_log(sheet()))
    result = CliRunner().invoke(cli, [verb, str(path)], prog_name="spyrium")
    assert result.exit_code == 0
    assert "scores only" in result.output
    assert "Bob" in result.output
    assert "51" in result.output
    assert "waits" not in result.output


def test_programs_are_told_too(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_bytes(encode_log(sheet()))
    result = CliRunner().invoke(cli, ["show", str(path), "--format", "json"], prog_name="spyrium")
    said = json.loads(result.stdout)
    assert said["scores_only"] is True
    assert [score["total"] for score in said["scores"]] == [48, 51, 51]


def test_no_other_sheet_changes_mere_scores() -> None:
    log = log_of(SPYRIUM, sheet())
    said = run_experiment(log, sheet=SPYRIUM.sheet().with_readings(Printed("residence-track", "space-2", 9, "read")))
    assert (said.rests_on, said.is_without_effect) == ((), True)
    assert [score.total for score in said.after] == [48, 51, 51]
