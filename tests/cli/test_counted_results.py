"""The result that counts: as the table declared it, and of two sheets of one game one."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.conftest import Run

DAY = "2026-01-02"


def test_who_types_a_sheet_twice_is_warned(run: Run) -> None:
    first = run("score", "Anna 40, Bob 30", "--date", DAY)
    assert "same players and scores" not in first.stderr
    again = run("score", "Bob 30, Anna 40", "--date", DAY)
    assert f"Warning: the same players and scores as {first.stdout.strip()} of that day" in again.stderr
    for result, day in (("Anna 40, Bob 31", DAY), ("Anna 40, Bob 30", "2026-01-03")):
        assert "same players and scores" not in run("score", result, "--date", day).stderr
    for options, games in (((), 3), (("--repeated",), 4)):
        answer = json.loads(run("report", "scores", *options, "--format", "json").stdout)
        assert [row["games"] for row in answer["figures"][0]["rows"]] == [games]


def test_a_declared_result_is_the_one_that_counts_and_is_marked(run: Run, whole: str) -> None:
    def answer(sql: str) -> Any:
        return json.loads(run("query", sql, "--format", "json").stdout)

    (game,) = json.loads(run("games", "--format", "json").stdout)
    assert game["folded"] == [None] * 3
    before = dict(zip(game["players"], game["totals"], strict=True))
    loser = min(before, key=lambda name: before[name])
    after = before | {loser: before[loser] + 100}
    run("fix", "declare", whole, ", ".join(f"{name} {points}" for name, points in after.items()), code=None)
    (game,) = json.loads(run("games", "--format", "json").stdout)
    assert game["totals"] == list(after.values())
    assert game["folded"] == [before[name] if name == loser else None for name in game["players"]]
    assert game["winners"] == [loser]
    assert f"{after[loser]} (≠{before[loser]})" in run("games").stdout
    assert answer("SELECT count(*) AS n FROM result") == [{"n": 3}]
    parts = answer("SELECT points FROM score_part WHERE part = 'declared'")
    assert parts == [{"points": 100}]
    (total,) = json.loads(run("report", "scores", "--format", "json").stdout)["figures"][0]["rows"]
    assert total["mean"] == sum(after.values()) / 3
