"""compare: what two recordings tell otherwise, and what is written when one takes from the other."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from spyrium_cli.main import cli
from spyrium_log.edit.amend import make_event_body
from spyrium_log.store import read_path
from spyrium_log.title import Posting, Seen
from tests.cli.conftest import Run
from tests.scribe import Scribe
from tests.stories import EXAMPLES, FIRST_DEAL, opening


@pytest.fixture
def hers(tmp_path: Path) -> Path:
    """She missed a worker and a rule."""
    path = tmp_path / "hers.jsonl"
    scribe = opening().play("p12").play("@3 p45", "@1 p36", anyway=True)
    path.write_bytes(scribe.play("@2 p25", "@3 p36", ">a12.1", anyway=True).raw())
    return path


@pytest.fixture
def his(tmp_path: Path) -> Path:
    """He sat himself first, and saw another price."""
    scribe = Scribe("game-his", players=("Bobby", "Cleo", "Anna"), first=3).play(FIRST_DEAL)
    scribe.play("p12", "p12", "p56", "p36", "p25", "p36")
    act = scribe.title.words.read(scribe.state, ">a12.1")
    crowd = [each for each in make_event_body(scribe.title, scribe.state, act).moved if each.why == "crowd"]
    seen = Seen(who="Bob", why="the Mine was on offer")
    scribe.act(act, moved=[Posting(3, "money", -1, "price", seen), *crowd])
    path = tmp_path / "his.jsonl"
    path.write_bytes(scribe.raw())
    return path


def test_a_recording_is_like_itself(run: Run, hers: Path) -> None:
    assert run("compare", hers, hers).stderr == "7 the same\n"


def test_what_differs_stands_side_by_side(run: Run, hers: Path, his: Path) -> None:
    result = run("compare", hers, his, code=1)
    said = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "Bob of A is Bobby of B, by spelling" in said
    assert "+ 3 Bobby places a worker between Mine I and Apprentice" in said
    assert "in B: Anna money −1 (price, seen by Bob); Anna money −1 (crowd)" in said
    assert result.stderr == "5 the same, 2 differ, 1 only in B\n"


def test_all_lists_what_is_the_same_too(run: Run, hers: Path, his: Path) -> None:
    assert "1–2" in run("compare", hers, his, code=1).stdout
    assert "1–2" not in run("compare", hers, his, "--all", code=1).stdout


@pytest.fixture
def gaps(tmp_path: Path) -> tuple[Path, Path]:
    """Bob stands beside Anna's card in the one, and elsewhere in the other: what she pays follows from it."""
    paths = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    for path, gap in zip(paths, ("p12", "p36"), strict=True):
        path.write_bytes(opening().play("p12", gap, "p45", ">a12.1").raw())
    return paths


def test_what_only_follows_is_folded_under_its_cause(run: Run, gaps: tuple[Path, Path]) -> None:
    result = run("compare", *gaps, code=1)
    assert "what only follows from it: 5" in result.stdout
    assert "Anna money −1 (crowd)" not in result.stdout
    assert result.stderr == "3 the same, 1 differ, 1 only follow from these\n"
    whole = run("compare", *gaps, "--all", code=1).stdout
    assert "only follows from 3" in whole
    assert "Anna money −1 (crowd)" in whole


def test_programs_are_told_what_a_difference_follows_from(run: Run, gaps: tuple[Path, Path]) -> None:
    hunks = json.loads(run("compare", *gaps, "--format", "json", code=1).stdout)["hunks"]
    numbers = [(hunk["number"], hunk["follows_from"]) for hunk in hunks if hunk["kind"] != "same"]
    assert numbers == [(1, None), (2, 1)]
    rows = run("compare", *gaps, "--format", "csv", code=1).stdout.splitlines()
    assert rows[0].startswith("number,follows_from,kind,")
    assert any(row.startswith("2,1,otherwise,effects,") for row in rows)


def test_rows_are_hunks(run: Run, hers: Path, his: Path) -> None:
    rows = run("compare", hers, his, "--format", "csv", code=1).stdout.splitlines()
    assert rows[0] == "number,follows_from,kind,what,a,b,a_sentence,b_sentence"
    hunks = json.loads(run("compare", hers, his, "--format", "jsonl", code=1).stdout)["hunks"]
    assert len(rows) == len(hunks) + 1
    assert run("compare", hers, his, "--format", "md", code=1).stdout.startswith("| number | follows_from | kind |")


def test_json_names_every_event(run: Run, hers: Path, his: Path) -> None:
    said = json.loads(run("compare", hers, his, "--format", "json", code=1).stdout)
    assert said["is_same"] is False
    assert [hunk["kind"] for hunk in said["hunks"]] == ["same", "b", "otherwise", "same", "otherwise"]
    assert said["hunks"][1]["b"] == [{"event": "3", "sentence": "Bobby places a worker between Mine I and Apprentice"}]


def test_what_is_picked_is_taken_as_one_amendment(run: Run, hers: Path, his: Path) -> None:
    before = len(read_path(hers).lines)
    result = run("compare", hers, his, "--add", "3,8", "--why", "Bob saw more", "--by", "Anna", "--yes")
    said = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "new 8.1 Bob places a worker between Mine I and Apprentice (after 2)" in said
    assert any(line.startswith("finding 7 posting.price") and line.endswith("[ruled]") for line in said)
    line = read_path(hers).lines[before]
    assert (line.by, getattr(line, "why", ""), len(getattr(line, "edits", ()))) == ("Anna", "Bob saw more", 2)
    left = run("compare", hers, his, code=1).stderr
    assert left == "7 the same, 1 differ\n"


def test_take_all_leaves_no_difference(run: Run, hers: Path, his: Path) -> None:
    run("compare", hers, his, "--add-all", "--yes")
    assert run("compare", hers, his, code=1).stderr == "8 the same\n"
    assert "both are the same" in run("compare", hers, his, "--add-all", "--yes", code=1).stderr


def test_what_only_a_tells_can_be_dropped(run: Run, hers: Path, his: Path) -> None:
    assert "found '1'" in run("compare", his, hers, "--remove", "1", code=2).stderr
    run("compare", his, hers, "--remove", "3", "--yes")
    assert "only in A" not in run("compare", his, hers, code=1).stderr


def test_a_dry_run_writes_nothing(run: Run, hers: Path, his: Path) -> None:
    before = hers.read_bytes()
    result = run("compare", hers, his, "--add-all", "--dry-run", "--misplayed")
    assert "misplayed: the table really played this" in result.stdout
    assert result.stderr == "nothing was written\n"
    assert hers.read_bytes() == before


def test_consequences_as_an_object(run: Run, hers: Path, his: Path) -> None:
    said = json.loads(run("compare", hers, his, "--add", "3", "--dry-run", "--format", "json").stdout)
    assert said["edits"][0]["at"] == "2"
    assert said["consequences"]["mode"] == "misrecorded"


def test_who_cannot_be_asked_has_to_say_yes(run: Run, hers: Path, his: Path) -> None:
    before = hers.read_bytes()
    assert "--yes writes it" in run("compare", hers, his, "--add", "3", code=1).stderr
    assert hers.read_bytes() == before


@pytest.mark.parametrize("answer", ["y", "n"])
def test_a_person_is_asked(hers: Path, his: Path, archive: Path, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    before = hers.read_bytes()
    keyboard = io.StringIO(f"{answer}\n")
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", keyboard)
    with pytest.raises(SystemExit):
        cli.main(["compare", str(hers), str(his), "--add", "3"], prog_name="spyrium")
    assert (hers.read_bytes() == before) == (answer == "n")
    assert not archive.exists()


def test_a_command_made_again_is_answered(run: Run, hers: Path, his: Path) -> None:
    words = ("compare", hers, his, "--add", "3", "--yes", "--cmd", "merge-1")
    run(*words)
    after = hers.read_bytes()
    assert "came before" in run(*words).stderr
    assert hers.read_bytes() == after


def test_who_is_whom_may_be_said(run: Run, hers: Path, his: Path) -> None:
    said = json.loads(run("compare", hers, his, "--match", "Bob=Cleo", "--format", "json", code=1).stdout)
    assert {(match["a"], match["b"]) for match in said["seats"]} == {(1, 3), (2, 2), (3, 1)}
    same = run("compare", hers, his, "--match", "Bob=Bobby,Anna=Anna", code=1)
    assert same.stderr == run("compare", hers, his, code=1).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--match", "Bob"), "expected A=B in --match"),
        (("--match", "Bob=Dora"), "found none for 'Dora'"),
        (("--add", "99", "--yes"), "found '99'"),
        (("--add", "2", "--yes"), "found '2'"),
        (("--add", "3", "--yes", "--why", "x" * 501), "at most 500 characters in --why"),
    ],
)
def test_what_cannot_be_done_is_refused(run: Run, hers: Path, his: Path, words: tuple[str, ...], said: str) -> None:
    before = hers.read_bytes()
    assert said in run("compare", hers, his, *words, code=2).stderr
    assert hers.read_bytes() == before


@pytest.mark.parametrize("name", ["flipped-bit", "whole-game-2-players", "no-such"])
def test_what_cannot_be_compared_is_exit_2(run: Run, hers: Path, name: str) -> None:
    assert run("compare", hers, EXAMPLES / f"{name}.jsonl", code=2).stderr.startswith("Error: ")
