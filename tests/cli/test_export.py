"""export: every form, to a file and to stdout; nothing is written over, nothing half."""

from __future__ import annotations

import csv
import io
import json
import os
from base64 import b64decode
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest
from click.testing import CliRunner

from spyrium_cli.exporting.forms import FORMS
from spyrium_cli.main import cli
from spyrium_log.log import notes
from spyrium_log.log.notes import Noted
from tests.cli.conftest import Run
from tests.stories import EXAMPLES


def test_the_page_holds_the_log(run: Run, whole: str, archive: Path, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    assert run("export", whole, "--to", page).stdout == ""
    text = page.read_text(encoding="utf-8")
    log = text.partition("data:application/x-ndjson;base64,")[2].partition('"')[0]
    assert b64decode(log) == (archive / f"{whole}.jsonl").read_bytes()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".game")] == []


@pytest.mark.parametrize("form", ["html", "json", "csv", "jsonl", "txt"])
def test_what_was_written_where_is_said(run: Run, whole: str, tmp_path: Path, form: str) -> None:
    file = tmp_path / f"game.{form}"
    first, *_ = run("export", whole, "--to", file).stderr.splitlines()
    assert first == f"game {whole} as {form}, at {file}"
    assert "game " not in run("export", whole, "--format", form).stderr


def test_the_page_speaks_the_language_asked_for(run: Run, whole: str) -> None:
    assert '<html lang="pl">' in run("--lang", "pl", "export", whole, "--format", "html").stdout
    run("--lang", "xx", "export", whole, "--format", "html", code=2)


def test_json_says_all_of_the_replay(run: Run, whole: str) -> None:
    said = json.loads(run("export", whole, "--format", "json").stdout)
    told = json.loads(run("replay", whole, "--format", "json").stdout)
    assert [event["sentence"] for event in said["events"]] == [event["sentence"] for event in told]
    assert said["verdict"] == "clean"
    assert said["header"]["game"] == whole
    assert [seat["player"] for seat in said["scores"]] == ["Anna", "Bob", "Cy"]
    for seat in said["scores"]:
        assert sum(seat["parts"].values()) == seat["total"]


def test_csv_is_the_ledger(run: Run, whole: str) -> None:
    rows = list(csv.DictReader(io.StringIO(run("export", whole, "--format", "csv").stdout)))
    scores = json.loads(run("export", whole, "--format", "json").stdout)["scores"]
    for score in scores:
        points = [row for row in rows if row["player"] == score["player"] and row["what"] == "points"]
        assert sum(int(row["amount"]) for row in points) == score["points"]


@pytest.mark.parametrize(("name", "code"), [("whole-game-3-players", 0), ("slip-carried-through", 0), ("counted", 1)])
def test_a_game_in_notation_comes_in_again(run: Run, archive: Path, name: str, code: int, tmp_path: Path) -> None:
    text = tmp_path / "moves.txt"
    log = EXAMPLES / f"{name}.jsonl"
    run("export", log, "--to", text)
    # the count in it disagrees with the log
    run("import", text, code=code)
    (game,) = archive.glob("*.jsonl")
    assert run("replay", game, "--format", "csv").stdout.count("\n") > 3
    same = [json.loads(run("replay", each, "--format", "json").stdout) for each in (log, game)]
    assert [[event["ref"], event["act"], event.get("moved")] for event in same[0]] == [
        [event["ref"], event["act"], event.get("moved")] for event in same[1]
    ]


def test_a_line_of_notation_that_says_nothing_is_named(run: Run, tmp_path: Path) -> None:
    text = tmp_path / "moves.txt"
    run("export", EXAMPLES / "counted.jsonl", "--to", text)
    text.write_text(text.read_text(encoding="utf-8") + "p1x\n", encoding="utf-8")
    lines = len(text.read_text(encoding="utf-8").splitlines())
    assert f"moves.txt:{lines}" in run("import", text, code=2).stdout


@pytest.mark.parametrize("name", ["first-round", "cut-off-in-mid-line"])
def test_jsonl_is_the_logs_own_bytes(run: Run, name: str, tmp_path: Path) -> None:
    raw = (EXAMPLES / f"{name}.jsonl").read_bytes()
    copy = tmp_path / "copy.jsonl"
    run("export", EXAMPLES / f"{name}.jsonl", "--to", copy)
    assert copy.read_bytes() == raw
    assert run("export", "-", "--format", "jsonl", stdin=raw).stdout_bytes == raw


def test_a_damaged_log_is_exported_as_far_as_it_can_be_read(run: Run, tmp_path: Path) -> None:
    for form in FORMS:
        result = run("export", EXAMPLES / "flipped-bit.jsonl", "--to", tmp_path / f"game.{form}", code=2)
        assert "only the first 1 line can be read" in result.stderr
        assert (tmp_path / f"game.{form}").stat().st_size


def test_notes_go_along_and_damaged_ones_are_said(run: Run, whole: str, archive: Path) -> None:
    log = json.loads((archive / f"{whole}.jsonl").read_bytes().splitlines()[2])
    note = Noted(id="note-1", by="Cy", game=whole, on="2", line=log["hash"], text="Why there?", hash="0" * 32)
    (archive / f"{whole}.notes.jsonl").write_bytes(notes.hashed_bytes(note) + b"torn")
    result = run("export", whole, "--format", "json")
    assert [one["text"] for one in json.loads(result.stdout)["notes"]] == ["Why there?"]
    assert "only the first 1 note can be read" in result.stderr
    assert "Why there?" in run("export", whole, "--format", "html").stdout


def test_nothing_is_written_over_unless_forced(run: Run, whole: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("mine", encoding="utf-8")
    assert "--force writes over it" in run("export", whole, "--to", file, code=1).stderr
    assert file.read_text(encoding="utf-8") == "mine"
    run("export", whole, "--to", file, "--force")
    assert json.loads(file.read_text(encoding="utf-8"))["header"]["game"] == whole
    assert run("export", whole, "--to", tmp_path, "--format", "csv", code=2).stderr.startswith("Error: expected")


def test_what_cannot_be_published_leaves_nothing(
    run: Run, whole: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody makes the file while ours is written; or the disk gives up."""
    file = tmp_path / "game.csv"
    monkeypatch.setattr(Path, "exists", lambda _path: False)
    file.write_text("theirs", encoding="utf-8")
    run("export", whole, "--to", file, code=1)
    assert file.read_text(encoding="utf-8") == "theirs"

    def fails(_file: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fails)
    run("export", whole, "--to", tmp_path / "other.csv", code=2)
    assert {path.name for path in tmp_path.iterdir() if "csv" in path.name} == {"game.csv"}


def test_a_form_is_asked_for_where_the_name_says_none(run: Run, whole: str) -> None:
    assert "or --format, found neither\n" in run("export", whole, code=2).stderr
    assert "found neither: did you mean --to game.html?" in run("export", whole, "game.html", code=2).stderr
    assert "found 'game.exe'" in run("export", whole, "--to", "game.exe", code=2).stderr
    result = CliRunner().invoke(cli, ["export", whole, "--format", "exe"])
    assert result.exit_code == 2


# --- what a form cannot hold -----------------------------------------------------------------------


@pytest.fixture
def vouched(run: Run, whole: str, tmp_path: Path) -> str:
    """A game with a signature, two notes, and a third that was withdrawn."""
    for text in ("why there?", "a fine move"):
        run("annotate", whole, "2", text)
    third = run("annotate", whole, "3", "oops").stdout.split()
    run("annotate", whole, "--withdraw", third[-1])
    run("seal", whole, "--new-key", tmp_path / "club.pem")
    return whole


@pytest.mark.parametrize(
    ("form", "left"),
    [
        ("txt", "when each line was recorded, 1 signature, 2 notes"),
        ("csv", "2 notes"),
        ("jsonl", "2 notes"),
        ("html", "2 lines of notes that were changed or withdrawn"),
        ("json", "2 lines of notes that were changed or withdrawn"),
    ],
)
def test_what_a_form_leaves_out_is_said(run: Run, vouched: str, form: str, left: str) -> None:
    assert run("export", vouched, "--format", form).stderr == f"left out of {form}: {left}; a pack keeps all\n"


def test_corrections_are_no_part_of_a_ledger(run: Run) -> None:
    said = run("export", EXAMPLES / "forgotten-move-inserted.jsonl", "--format", "csv").stderr
    assert said == "left out of csv: what was undone or amended; a pack keeps all\n"


def test_what_a_form_leaves_out_is_said_in_the_language_of_the_call(run: Run, vouched: str) -> None:
    said = run("export", vouched, "--format", "txt", "--lang", "ru").stderr
    assert all(words in said for words in ("когда записана каждая строка", "1 подпись", "2 заметки")), said


@pytest.mark.parametrize(
    ("form", "left"), [("scores", "moves and notes"), ("bgstats", "moves"), ("bgstats-link", "moves and notes")]
)
def test_scores_alone_are_said_to_be_alone(run: Run, vouched: str, form: str, left: str) -> None:
    run("fix", "header", vouched, "--date", "2026-11-18", "--why", "nobody said")
    assert f"left out of {form}: {left}; a pack keeps them\n" in run("export", vouched, "--format", form).stderr
    sheet = run("score", "Anna 63, Bob 58", "--exact").stdout.strip()
    assert "left out" not in run("export", sheet, "--format", form).stderr


class Clock:
    """A clock that a test sets."""

    time = datetime(2026, 11, 18, 12, tzinfo=UTC)

    def now(self, _zone: tzinfo | None = None) -> datetime:
        return self.time


def test_bg_stats_gets_how_long_a_game_took_who_began_where_and_what_was_noted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of 45 minutes, with a pause of an hour, recorded without a day."""
    clock = Clock()
    monkeypatch.setattr("spyrium_cli.identity.datetime", clock)
    game = run("new", "--players", "Anna,Bob", "--first", "Bob", "--place", "the club", "--exact").stdout.strip()
    deal = (
        "deal exchange estate mine-1 apprentice residence-1 university-1:2 workshop-1 crane miner:1 luxury-home mine-2"
    )
    for minutes, line in ((0, deal), (20, "p12"), (10, "pause"), (60, "continue"), (15, "p23")):
        clock.time += timedelta(minutes=minutes)
        run("play", game, line)
    run("fix", "declare", game, "Anna 63, Bob 58", code=1)
    run("annotate", game, "0", "with cake")
    run("annotate", game, "2", "too early", "--mark", "?", "--tag", "opening", "--instead", "p14")
    run("annotate", game, "5", "the last one")
    file = tmp_path / "evening.bgsplay"
    run("export", game, "--to", file)
    (play,) = json.loads(file.read_bytes())["plays"]
    assert (play["playDateYmd"], play["durationMin"]) == (20261118, 45)
    assert [score["startPlayer"] for score in play["playerScores"]] == [False, True]
    assert json.loads(file.read_bytes())["locations"][play["locationRefId"] - 1]["name"] == "the club"
    assert play["comments"] == "with cake\n2: ? too early (p14) #opening\nthe last one"
    assert "durationMin%22%3A45" in run("export", game, "--format", "bgstats-link").stdout
    # here it is known, whatever day the log says; elsewhere it comes with day, place, beginner and a note
    assert run("import", file).stdout.splitlines()[1].startswith("there ")
    monkeypatch.setenv("SPYRIUM_ARCHIVE", str(tmp_path / "elsewhere"))
    run("import", file)
    run("export", "@last", "--to", tmp_path / "again.bgsplay")
    (again,) = json.loads((tmp_path / "again.bgsplay").read_bytes())["plays"]
    # a log of final scores has no place for how long it took
    assert again == play | {"durationMin": 0}


@pytest.mark.parametrize("form", ["scores", "bgstats", "bgstats-link", "pack", "html", "dataset"])
def test_an_export_that_fails_leaves_no_file(run: Run, game: str, archive: Path, tmp_path: Path, form: str) -> None:
    if form in {"pack", "html", "dataset"}:
        (archive / f"{game}.jsonl").write_bytes(b"{}\n")
    here = tmp_path / "here"
    here.mkdir()
    result = run("export", game, "--format", form, "--to", here / "out", code=None)
    assert result.exit_code in {1, 2}
    assert list(here.iterdir()) == []


def test_a_code_is_not_left_alone_where_the_file_is_there(run: Run, tmp_path: Path) -> None:
    sheet = run("score", "Anna 63, Bob 58", "--exact", "--date", "2026-11-18").stdout.strip()
    there, code = tmp_path / "there", tmp_path / "code.svg"
    there.write_bytes(b"")
    run("export", sheet, "--format", "bgstats-link", "--qr", code, "--to", there, code=1)
    assert not code.exists()


@pytest.mark.parametrize("form", ["pack", "jsonl", "json", "html"])
def test_what_holds_all_says_nothing(run: Run, whole: str, form: str) -> None:
    assert "left out" not in run("export", whole, "--format", form).stderr
