"""The tables as recorded are what the tables of the logs would be if nobody had amended them.

`python -m tests.readmodel.test_history 300` compares the rows of so many games amended at random.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from spyrium_log import open_archive
from spyrium_log.analysis.reports import run_report
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Amended, Undone
from spyrium_log.play import encode_log
from spyrium_log.readmodel import event_rows
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.catalogue import CHOICES, reports
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.reader import Source
from spyrium_log.readmodel.rows import is_amended
from spyrium_log.readmodel.tables import HISTORIES, RECORDED, LedgerRow, SeatRow
from spyrium_log.replay import replay
from tests.edit.test_amend_laws import corrected_game
from tests.games import QUICK_TITLES, game, log_of, read
from tests.readmodel.archive import OPEN, one_game, raw, replayed
from tests.stories import STORIES

SHARE = 40


def amended_logs(games: int) -> list[Log]:
    """Of both titles, every other one amended or undone somewhere."""
    logs = [
        corrected_game(title, seed, most=90) if seed % 2 else game(title.key, seed)
        for seed in range(games)
        for title in QUICK_TITLES.values()
    ]
    # Two games of one id would be one.
    return list({log.header.game: log for log in logs}.values())


def sources(logs: Sequence[Log]) -> Iterator[Source]:
    for at, log in enumerate(logs):
        yield one_game(f"log-{at:04}", str(at), lambda log=log: log)  # type: ignore[misc]


def compare(folder: Path, games: int, counts: Counter[str]) -> None:
    logs = amended_logs(games)
    index, first = folder / "index.duckdb", folder / "first.duckdb"
    bring_up_to_date(index, sources(logs))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(event_rows, "walk_events", partial(event_rows.walk_events, amended=False))
        bring_up_to_date(first, sources(logs))
    amended = {log.header.game for log in logs if is_amended(replay(log, audit=False))}
    for table in HISTORIES:
        answers = [query(index, f"FROM {table}_as_recorded ORDER BY ALL"), query(first, f"FROM {table} ORDER BY ALL")]
        assert answers[0].columns == answers[1].columns
        assert answers[0].rows == answers[1].rows, table
        counts[f"rows as recorded that are as a log without amendments: {table}"] += len(answers[0].rows)
        own = query(index, f"SELECT DISTINCT game FROM {RECORDED[table]}").rows  # noqa: S608 - ours
        assert {name for (name,) in own} <= amended
        differ = query(
            index,
            f"SELECT count(*) FROM (FROM {table} EXCEPT ALL FROM {table}_as_recorded)",  # noqa: S608 - ours
        ).rows
        counts[f"rows that an amendment changed: {table}"] += differ[0][0]
    assert {name for (name,) in query(index, "SELECT game FROM game WHERE amended").rows} == amended
    counts["games that were amended"] += len(amended)
    counts["games that nobody amended"] += len(logs) - len(amended)


def test_rows_as_recorded_are_those_of_a_log_without_amendments(tmp_path: Path, counts: Counter[str]) -> None:
    compare(tmp_path, SHARE, counts)
    assert counts["games that were amended"] > 10
    assert counts["games that nobody amended"] > 10
    for table in ("ledger", "seat", "score_part", "standing", "game"):
        assert counts[f"rows that an amendment changed: {table}"], table


def test_an_amendment_that_was_undone_leaves_one_history() -> None:
    log = next(log for log in amended_logs(20) if is_amended(replay(log)))
    at = next(line.n for line in log.lines if type(line) is Amended)
    undone = [*log.lines, Undone(n=len(log.lines), by="x", to=at - 1, prev=OPEN, hash=OPEN)]
    assert is_amended(replay(log_of(log.title, undone))) is False


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that nobody amended, and one whose scores an amendment changed."""
    path = tmp_path_factory.mktemp("index") / "index.duckdb"
    bring_up_to_date(path, sources([replayed(raw(1)).log, story()]))
    return path


def story() -> Log:
    logs = (read(make()) for make in STORIES.values())
    return next(log for log in logs if replay(log).scores() != replay(log, amended=False).scores())


def test_reports_tell_either_history(index: Path) -> None:
    log = story()
    for as_recorded in (False, True):
        done = replay(log, amended=not as_recorded)
        reported = run_report(index, "game", {"game": log.header.game, "as_recorded": as_recorded})
        result = next(figure for figure in reported.figures if figure.name == "result")
        at = [result.columns.index(name) for name in ("seat", "total")]
        assert {tuple(row[i] for i in at) for row in result.rows} == {(one.seat, one.total) for one in done.scores()}
        assert ("true" if as_recorded else "false") in result.sql


def test_reports_of_scores_take_the_history_and_say_it_in_their_sql(index: Path) -> None:
    takes = {report.name for report in reports() if CHOICES["as_recorded"] in report.options}
    assert takes == {"curves", "game", "head-to-head", "ratings", "records", "scores", "seats"}
    for name in takes - {"game", "head-to-head"}:
        reported = run_report(index, name, {"as_recorded": True})
        assert all("as_recorded := true" in figure.sql for figure in reported.figures), name


def test_rows_in_python_come_from_either_history(tmp_path: Path) -> None:
    log = story()
    (tmp_path / "one.jsonl").write_bytes(encode_log(log.lines))
    archive = open_archive(tmp_path)
    for as_recorded in (False, True):
        done = replay(log, amended=not as_recorded)
        totals = {row.seat: row.total for row in archive.rows(SeatRow, as_recorded=as_recorded)}
        assert totals == {score.seat: score.total for score in done.scores()}
        assert len(list(archive.rows(LedgerRow, as_recorded=as_recorded))) == len(done.ledger)


if __name__ == "__main__":
    counted: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as made:
        compare(Path(made), int(sys.argv[1]), counted)
    for said, n in sorted(counted.items()):
        print(f"{n:9,}  {said}")
    sys.exit(0 if counted["games that were amended"] else 1)
