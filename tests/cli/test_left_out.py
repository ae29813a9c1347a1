"""A call that names no game is about the last one that the command can use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.stories import FIRST_DEAL


@pytest.mark.parametrize(
    "words",
    [
        ["show"],
        ["show", "--log"],
        ["replay", "--plain"],
        ["seal", "--checkpoint"],
        ["fix", "locate"],
        ["annotate"],
        ["annotate", "0"],
        ["fix", "amend", "2", "p45", "--dry-run"],
        ["fix", "amend", "--edit", "replace 2 p45", "--dry-run"],
    ],
    ids=" ".join,
)
def test_the_last_game_is_meant(run: Run, whole: str, words: Sequence[str]) -> None:
    at = 2 if words[0] == "fix" else 1
    named = run(*words[:at], whole, *words[at:])
    assert run(*words).stdout.replace(whole, "@last") == named.stdout.replace(whole, "@last")


def test_what_is_written_goes_into_the_last_game(run: Run, game: str, archive: Path) -> None:
    run("play", FIRST_DEAL, "p12", "bob: p12")
    run("fix", "count", "anna £99", code=1)
    run("fix", "adjust", "anna +2 points", "--who", "Anna", "--why", "so")
    run("fix", "header", "--place", "here", "--why", "so")
    run("fix", "reading", "mine-1", "price", "4")
    run("fix", "withdraw", "6", "--why", "so")
    run("annotate", "2", "why there?")
    run("undo")
    run("seal")
    assert len((archive / f"{game}.jsonl").read_bytes().splitlines()) == 11


def test_a_game_that_is_over_is_not_played(run: Run, game: str, whole: str, archive: Path) -> None:
    run("show", whole)
    before = (archive / f"{whole}.jsonl").read_bytes()
    done = run("play", FIRST_DEAL)
    assert f"{game} is the last game that is not over" in done.stderr
    assert (archive / f"{whole}.jsonl").read_bytes() == before
    run("record", "--plain", stdin="p12\n")
    assert "Anna" in run("show", game, "--log").stdout.splitlines()[-1]
    assert (
        "expected a game that is not over, found none" in run("--archive", archive / "none", "play", "x", code=2).stderr
    )


def test_the_name_of_a_game_is_told_from_a_move(run: Run, game: str, archive: Path) -> None:
    for name in ("@last", "@open", game, game[:13], f"{game}.jsonl", str(archive / f"{game}.jsonl")):
        assert "expected notation" in run("play", name, code=2).stderr
    assert "'zz'" in run("play", game, "zz", code=2).stderr
    assert "'zz'" in run("play", "zz", code=2).stderr
    assert "expected one of 1 games" in run("show", "zz", code=2).stderr
