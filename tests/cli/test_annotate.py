"""annotate: notes beside a log, on what stands in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.demo_game import DEMO

MOVES = [line for line in DEMO.read_text(encoding="utf-8").splitlines() if line[0] != "#"]


@pytest.fixture
def begun(run: Run, game: str) -> str:
    run("play", game, "-q", *MOVES[:5])
    return game


def notes_of(run: Run, game: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in run("annotate", game, "--format", "jsonl").stdout.splitlines()]


def test_a_note_says_what_it_is_asked_to(run: Run, begun: str) -> None:
    said = run("annotate", begun, 2, "too early", "--mark", "?!", "--tag", "opening", "--instead", "p12")
    assert said.stderr == "noted on 2 by tester\n"
    (note,) = notes_of(run, begun)
    assert note.pop("at")
    assert note == {
        "id": said.stdout.strip(),
        "on": "2",
        "by": "tester",
        "mark": "?!",
        "tags": ["opening"],
        "text": "too early",
        "instead": ["p12"],
        "anchor": "stands",
    }


def test_notes_are_listed_by_what_they_stand_on(run: Run, begun: str) -> None:
    assert run("annotate", begun).stderr == "no notes\n"
    run("annotate", begun, 4, "the later")
    run("annotate", begun, 2, "the earlier")
    said = run("annotate", begun).stdout
    assert said.index("the earlier") < said.index("the later")
    assert "the earlier" not in run("annotate", begun, 4).stdout
    assert run("annotate", begun, 3).stderr == "no notes on 3\n"


def test_what_an_edit_does_not_say_stays(run: Run, begun: str) -> None:
    note = run("annotate", begun, 2, "too early", "--mark", "?!").stdout.strip()
    run("annotate", begun, "--note", note, "just right")
    run("annotate", begun, "--note", note[:20], "--tag", "opening")
    (now,) = notes_of(run, begun)
    assert (now["text"], now["mark"], now["tags"]) == ("just right", "?!", ["opening"])


def test_a_note_is_withdrawn(run: Run, begun: str) -> None:
    note = run("annotate", begun, 2, "too early").stdout.strip()
    assert run("annotate", begun, "--withdraw", note, "--why", "it was not").stderr == "withdrawn by tester\n"
    assert notes_of(run, begun) == []


def test_notes_of_two_files_are_merged_once(run: Run, begun: str, archive: Path, tmp_path: Path) -> None:
    run("annotate", begun, 2, "mine")
    beside = archive / f"{begun}.notes.jsonl"
    other = tmp_path / "theirs.notes.jsonl"
    beside.rename(other)
    run("annotate", begun, 3, "yours")
    assert run("annotate", begun, "--merge", other).stderr == "1 line of notes added, 0 were here\n"
    assert run("annotate", begun, "--merge", other).stderr == "0 lines of notes added, 1 were here\n"
    assert [note["text"] for note in notes_of(run, begun)] == ["mine", "yours"]


def test_what_was_undone_under_a_note_is_said(run: Run, begun: str) -> None:
    run("annotate", begun, 5, "gone")
    run("undo", begun)
    assert "what it speaks of stands no more" in run("annotate", begun).stdout


def test_a_note_steers_no_terminal(run: Run, begun: str) -> None:
    run("annotate", begun, 2, "\x1b[2J")
    assert "\x1b" not in run("annotate", begun).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["99", "text"], "99"),
        (["x", "text"], "expected a line or event, or 0 for the whole game, before the text, found 'x'"),
        (["a fine game"], "before the text, found 'a fine game'"),
        (["99", "text"], "expected a line or event of this log, found '99'"),
        (["2", "text", "more"], "found 3 words"),
        (["--mark", "!"], "expected a line or event to write on"),
        (["2", "x" * 4001], "expected a note that can be"),
        (["2", "--instead", "zz"], "found 'zz'"),
        (["2", "--tag", "two words"], "expected a note that can be"),
        (["--note", "none", "text"], "expected one note whose id begins with 'none', found none"),
        (["--note", "none"], "expected what the note is to say"),
        (["--withdraw", "none"], "expected one note whose id begins with 'none', found none"),
        (["--withdraw", "none", "text"], "expected nothing else to say"),
        (["--withdraw", "none", "--note", "none"], "one of them"),
        (["2", "text", "--why", "so"], "expected --why with --withdraw only"),
        (["--merge", "gone.jsonl"], "no such file"),
    ],
)
def test_a_note_that_cannot_be_is_refused(run: Run, begun: str, arguments: list[str], said: str) -> None:
    assert said in run("annotate", begun, *arguments, code=2).stderr
    assert notes_of(run, begun) == []


def test_notes_that_are_none_are_not_merged(run: Run, begun: str, tmp_path: Path) -> None:
    file = tmp_path / "none.jsonl"
    for raw in (b"\xff\n", b"{}\n", b"[" * 10_000 + b"\n"):
        file.write_bytes(raw)
        assert "none.jsonl:1" in run("annotate", begun, "--merge", file, code=2).stderr
