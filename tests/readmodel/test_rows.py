"""The tables say what the replays say: sums, scores, words."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from spyrium_log.errors import LogError
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.event_rows import walk_events
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.rows import rows_of
from spyrium_log.readmodel.tables import TABLES
from spyrium_log.replay import Replay
from spyrium_log.title import FinalCount
from tests.readmodel.archive import Archive, many, raw, replayed, usable
from tests.stories import STORIES


@cache
def archive() -> Archive:
    """Games of two titles, whole and otherwise, and every story of the examples."""
    logs = dict(many(range(40)).logs)
    for at, kind in enumerate(("half", "undone", "wrong", "cut")):
        logs |= {f"{kind}-{seed}": raw(seed, kind) for seed in range(40 + 5 * at, 45 + 5 * at)}
    return Archive(logs | {f"story-{name}": make() for name, make in STORIES.items()})


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("index") / "index.duckdb"
    update = bring_up_to_date(path, archive().sources())
    assert update.read == len(usable(archive())) > 60
    return path


def test_each_row_has_the_columns_of_its_table(index: Path) -> None:
    asked = "SELECT column_name FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index"
    for table, row in TABLES.items():
        assert tuple(name for (name,) in query(index, asked, [table]).rows) == row.__struct_fields__


def test_every_table_and_column_says_what_it_is(index: Path) -> None:
    assert query(index, "SELECT table_name FROM duckdb_tables() WHERE comment IS NULL").rows == []
    silent = "SELECT table_name, column_name FROM duckdb_columns() WHERE comment IS NULL AND NOT internal"
    assert query(index, silent).rows == []
    assert query(index, "SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment IS NULL").rows == []
    macros = "SELECT function_name FROM duckdb_functions() WHERE NOT internal"
    assert len(query(index, macros).rows) > 10
    assert query(index, f"{macros} AND comment IS NULL").rows == []


def test_the_ledger_sums_to_what_everybody_holds(index: Path, counts: Counter[str]) -> None:
    rows = query(index, "SELECT game, seat, what, sum(amount) FROM ledger GROUP BY ALL").rows
    summed = {(game, seat, what): amount for game, seat, what, amount in rows}
    for one in usable(archive()):
        if one.is_scores_only:
            continue
        for held in one.title.held(one.state_at(len(one.events))):
            assert summed.pop((one.header.game, held.who, held.what), 0) == held.n
            counts["resources in SQL equal to the state's"] += 1
    assert not any(summed.values())


def test_of_an_old_score_sheet_nothing_is_made_up(index: Path) -> None:
    """Nobody recorded what lay on the table."""
    sheets = "SELECT game FROM game WHERE scores_only"
    assert query(index, f"SELECT DISTINCT points FROM seat WHERE game IN ({sheets})").rows == [(None,)]  # noqa: S608 - ours
    for table in ("event", "ledger", "decision", "offer", "standing", "holding"):
        assert query(index, f"SELECT * FROM {table} WHERE game IN ({sheets})").rows == []  # noqa: S608 - ours


def test_what_an_amendment_inserted_goes_by_its_name(index: Path) -> None:
    moved = query(index, "SELECT DISTINCT n, i FROM ledger WHERE game = 'game-bonus-moved' AND n > 2 ORDER BY ALL").rows
    assert moved == [(3, 0), (5, 1), (5, 2)]


def test_the_ledger_sums_to_every_final_score(index: Path) -> None:
    off = """
        SELECT game, seat, coalesce(folded, total) AS total, points, sum(amount) FILTER (role = 'points')
        FROM seat JOIN game USING (game) LEFT JOIN ledger USING (game, seat)
        LEFT JOIN resource USING (title, what)
        GROUP BY ALL
        HAVING points != coalesce(sum(amount) FILTER (role = 'points'), 0) OR (any_value(final) AND points != total)
    """
    assert query(index, off).rows == []


def test_score_parts_sum_to_totals(index: Path, counts: Counter[str]) -> None:
    totals = query(index, "SELECT game, seat, coalesce(folded, total) FROM seat").rows
    said = {(game, seat): total for game, seat, total in totals}
    for one in usable(archive()):
        for score in one.scores():
            assert sum(one.sum_score_parts(score.seat).values()) == said.pop((one.header.game, score.seat))
            counts["final scores in SQL equal to the sum of their parts"] += 1
    assert said == {}


def test_a_game_says_what_its_replay_says(index: Path) -> None:
    answer = query(index, "SELECT * FROM game")
    said = {row[0]: dict(zip(answer.columns, row, strict=True)) for row in answer.rows}
    for one in usable(archive()):
        row = said.pop(one.header.game)
        assert row["verdict"] == one.verdict
        assert row["open_findings"] == sum(finding.is_open for finding in one.findings)
        assert row["final"] is any(isinstance(event.do, FinalCount) for event in one.events)
        assert (row["events"], row["lines"], row["seats"]) == (len(one.events), len(one.log.lines), len(one.players))
        assert row["assumed_values"] == one.assumed_value_count
    assert said == {}
    assert {verdict for (verdict,) in query(index, "SELECT DISTINCT verdict FROM game").rows} == {
        "clean",
        "findings",
        "unusable",
    }


def test_who_won_is_said_after_the_final_count_or_by_a_score_sheet_only(index: Path) -> None:
    wrong = """
        WITH ended AS (SELECT *, final OR (source = 'scoresheet' AND events = 0) AS is_over FROM game)
        SELECT * FROM seat JOIN ended USING (game)
        WHERE (is_over AND won IS DISTINCT FROM (total = (SELECT max(total) FROM seat s WHERE s.game = ended.game)))
            OR (NOT is_over AND won IS NOT NULL)
    """
    assert query(index, wrong).rows == []
    ties = """
        SELECT game, place, count(*) AS n, bool_and(shared), bool_or(shared) FROM seat GROUP BY ALL
        HAVING bool_and(shared) != (n > 1) OR bool_or(shared) != (n > 1)
    """
    assert query(index, ties).rows == []
    assert query(index, "SELECT count(*) > 0 FROM seat WHERE shared AND won").rows == [(True,)]


def test_rows_are_named_by_the_corrected_header() -> None:
    renamed = _corrected()
    rows = rows_of(walk_events(renamed.log), file="a", content="b")
    assert [row.player for row in rows.seat] == [seat.player for seat in renamed.header.seats]
    assert [row.colour for row in rows.seat] == [seat.colour for seat in renamed.header.seats]


def _corrected() -> Replay:
    for make in STORIES.values():
        try:
            one = replayed(make())
        except LogError:
            continue
        if one.header != one.log.header:
            return one
    raise AssertionError("no story corrects a header")
