"""The verbs of correction: what is told before anything is written, what is written, what is refused."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from shlex import split
from typing import Any

import pytest

from spyrium_cli.games import writing as corrections
from tests.cli.conftest import Run
from tests.cli.demo_game import DEMO

MOVES = [line for line in DEMO.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
SO = ("--who", "the table", "--why", "it was seen")
LETTERS = {"£": "money", "m": "money", "s": "spyrium", "p": "points"}


def lines_of(archive: Path, game: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (archive / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def begun(run: Run, game: str) -> str:
    """Nineteen events: in 16 Cy pays £1 for the Banker, in 18 Bob £1 for the crowd."""
    run("play", game, "-q", *MOVES[:19])
    return game


# --- amend ---------------------------------------------------------------------------------------

RECORDED = ("--misrecorded", "--why", "the scribe slipped")


def test_amend_tells_what_it_changes_under_both_modes_and_writes_nothing(run: Run, begun: str, archive: Path) -> None:
    before = (archive / f"{begun}.jsonl").read_bytes()
    said = run("fix", "amend", begun, 2, "p12", "--dry-run").stdout
    assert "was  2  Anna places a worker between Laboratory I and Banker\n" in said
    assert "now     Anna places a worker between Architect and Apprentice\n" in said
    played, recorded = said.partition("\nmisrecorded: ")[::2]
    assert "finding  18  posting.crowd (S-5.6.1): expected Bob money −2 (crowd), found −1\n" in played
    assert "amount   18  Bob money −1 → −2 (crowd)\n" in recorded
    assert "scores       unchanged: Anna 10 · Bob 9 · Cy 7\n" in recorded
    assert (archive / f"{begun}.jsonl").read_bytes() == before


def test_amend_writes_one_line_that_undo_takes_back(run: Run, begun: str, archive: Path) -> None:
    said = run("fix", "amend", begun, 2, "anna: p12", *RECORDED, "--yes")
    assert said.stderr == "line 20: amended as misrecorded, 1 edit\n"
    line = lines_of(archive, begun)[-1]
    assert (line["kind"], line["mode"], line["by"]) == ("amendment", "misrecorded", "tester")
    assert "between Architect and Apprentice" in run("replay", begun).stdout.splitlines()[1]
    run("undo", begun)
    assert "between Laboratory I and Banker" in run("replay", begun).stdout.splitlines()[1]


def test_the_mode_that_is_written_is_told_first(run: Run, begun: str) -> None:
    said = run("fix", "amend", begun, 19, "--drop", *RECORDED, "--dry-run").stdout
    assert said.index("misrecorded:") < said.index("misplayed:")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["2", "p12"], "expected --misplayed (the table did so) or --misrecorded"),
        (["2", "p12", "--misplayed"], "expected --why, found none"),
        (["2", *RECORDED], "expected notation for event 2, --drop or --moved"),
        (["--drop", *RECORDED], "expected an event with --drop, --insert or --moved, found none"),
        (["2", "p12", "--drop", *RECORDED], "one of them"),
        ([*RECORDED], "expected an event and what it was instead, --edit or --file"),
        (["2", "zz", *RECORDED], "found 'zz', in 'replace 2 zz' at column 11"),
        (["99", "--drop", *RECORDED], "expected an event that stands, found '99'"),
        (["99", "--moved", "anna £1 table", *RECORDED], "expected an event that stands, found '99'"),
        (["\x1b[2J", "--drop", *RECORDED], "a line's number"),
        (["--edit", "swap 2 3", *RECORDED], "expected an edit of replace, drop, insert"),
        (["2", "--moved", "zoë £1 table", *RECORDED], "found none for 'zoë'"),
    ],
)
def test_amend_refuses_what_says_nothing(run: Run, begun: str, archive: Path, arguments: list[str], said: str) -> None:
    before = (archive / f"{begun}.jsonl").read_bytes()
    error = run("fix", "amend", begun, *arguments, "--yes", code=2).stderr
    assert said in error
    assert "\x1b" not in error
    assert (archive / f"{begun}.jsonl").read_bytes() == before


def test_nobody_to_ask_is_a_refusal(run: Run, begun: str) -> None:
    assert "nobody can be asked here (--yes" in run("fix", "amend", begun, 19, "--drop", *RECORDED, code=1).stderr


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1)])
def test_a_person_is_interactive(
    run: Run, begun: str, archive: Path, monkeypatch: pytest.MonkeyPatch, answer: str, code: int
) -> None:
    monkeypatch.setattr(corrections, "is_interactive", lambda: True)
    said = run("fix", "amend", begun, 19, "--drop", *RECORDED, stdin=answer, code=code)
    assert "Write this as misrecorded? [y/N]" in said.stderr
    assert len(lines_of(archive, begun)) == 21 - code


def test_several_edits_are_one_line(run: Run, begun: str, archive: Path, tmp_path: Path) -> None:
    file = tmp_path / "edits.txt"
    file.write_text("# the last two\ndrop 18\n\n", encoding="utf-8")
    run("fix", "amend", begun, 17, "--drop", "--edit", "insert 19 anna: g14.4", "--file", file, *RECORDED, "-y")
    edits: Any = lines_of(archive, begun)[-1]["edits"]
    assert [(edit["edit"], edit["at"]) for edit in edits] == [("drop", "17"), ("insert_after", "19"), ("drop", "18")]


def test_an_event_may_be_inserted_and_named_afterwards(run: Run, begun: str) -> None:
    run("fix", "amend", begun, 19, "anna: g14.4", "--insert", *RECORDED, "-y")
    assert "20.1  Anna gains money next to Workshop I" in run("replay", begun).stdout
    run("fix", "amend", begun, "20.1", "--drop", *RECORDED, "-y")
    assert "20.1" not in run("replay", begun).stdout


def test_what_somebody_saw_move_is_ruled_and_no_finding(run: Run, begun: str, archive: Path) -> None:
    said = run(
        "fix", "amend", begun, 16, "--moved", "cy money 0 price", "--misplayed", "--why", "a gift", "--who", "Cy", "-y"
    )
    assert "Cy money −1 → 0 (price), says Cy: a gift\n" in said.stdout
    assert "[ruled]" in run("validate", begun).stdout
    line: Any = lines_of(archive, begun)[-1]
    seen = [posting for posting in line["edits"][0]["event"]["moved"] if "seen" in posting]
    assert seen == [{"who": 3, "what": "money", "n": 0, "why": "price", "seen": {"who": "Cy", "why": "a gift"}}]


def test_consequences_are_rows_for_programs(run: Run, begun: str) -> None:
    said = run("fix", "amend", begun, 2, "p12", "--dry-run", "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(said)))
    assert {row["mode"] for row in rows} == {"misplayed", "misrecorded"}
    amount = next(row for row in rows if row["change"] == "amount" and row["event"] == "18")
    assert (amount["about"], amount["before"], amount["after"]) == ("Bob money (crowd)", "-1", "-2")


def test_an_amendment_that_comes_again_is_answered(run: Run, begun: str, archive: Path) -> None:
    run("fix", "amend", begun, 19, "--drop", *RECORDED, "-y", "--cmd", "a1")
    before = (archive / f"{begun}.jsonl").read_bytes()
    assert "this is line 20 again" in run("fix", "amend", begun, 19, "--drop", *RECORDED, "--cmd", "a1").stderr
    assert "another content" in run("fix", "amend", begun, 18, "--drop", *RECORDED, "--cmd", "a1", code=1).stderr
    assert (archive / f"{begun}.jsonl").read_bytes() == before


# --- count, locate, declare, adjust --------------------------------------------------------------


def test_a_count_that_agrees_says_so(run: Run, begun: str) -> None:
    said = run("fix", "count", begun, "anna £0 s5, bob £4")
    assert (said.stdout, said.stderr) == ("", "line 20: 3 counted, and the log agrees\n")


def test_a_count_that_does_not_names_the_stretch_and_who_looks_there(run: Run, begun: str) -> None:
    run("fix", "count", begun, "bob money 4")
    said = run("fix", "count", begun, "bob £4, cy money 9", code=1)
    assert said.stdout == "Cy money: 9 counted, 8 in the log (+1)\n"
    assert "it went wrong somewhere since the beginning (spyrium fix locate " in said.stderr


def test_a_count_that_was_off_before_is_no_new_slip(run: Run, begun: str) -> None:
    run("fix", "count", begun, "cy £9", code=1)
    assert "a count before it was off by the same" in run("fix", "count", begun, "cy £9", code=1).stderr


@pytest.mark.parametrize(
    ("counted", "said"),
    [
        ("", "expected what was counted"),
        ("anna", "what was counted, such as"),
        ("anna £1 £2", "found Anna's money twice"),
        ("zoë £1", "found none for 'zoë'"),
        ("anna £\x1bx", "expected an amount"),
        ("anna £123456", "expected an amount"),
    ],
)
def test_a_count_that_says_nothing_is_refused(run: Run, begun: str, archive: Path, counted: str, said: str) -> None:
    error = run("fix", "count", begun, counted, code=2).stderr
    assert said in error
    assert "\x1b" not in error
    assert len(lines_of(archive, begun)) == 20


def test_locate_proposes_and_each_proposal_says_its_command_first(run: Run, begun: str) -> None:
    run("fix", "count", begun, "cy £9", code=1)
    result = run("fix", "locate", begun, code=1)
    assert result.stdout.startswith(
        "from the beginning, until the count in 20\n  Cy money: 9 counted, 8 in the log (+1)\n"
        f"   1 spyrium fix amend {begun} "
    )
    assert f"spyrium fix amend {begun} 16 --moved 'Cy £0 price' --who 'the count' --misplayed" in result.stdout
    assert re.fullmatch(r"slips tried: \d+\n", result.stderr)


def test_what_nothing_tells_apart_has_a_sentence_and_a_command_each(run: Run, begun: str) -> None:
    """Cy has £1 too few: nothing says which of his payments went wrong."""
    run("fix", "count", begun, "cy £7", code=1)
    rows = [json.loads(line) for line in run("fix", "locate", begun, "--format", "jsonl", code=1).stdout.splitlines()]
    like = [row for row in rows if row["like"]]
    assert like
    assert all(row["name"] == f"{row['like']}{letter}" for row, letter in zip(like[:1], "b", strict=True))
    assert len({row["command"] for row in rows}) == len(rows)
    said = [line.split(" spyrium fix amend ") for line in run("fix", "locate", begun, code=1).stdout.splitlines()]
    named = [name.strip() for name, *command in said if command]
    assert [row["name"] for row in rows if not row["like"]] == [name for name in named if name.isdigit()]
    assert set(named) - {row["name"] for row in rows} == set()
    assert "or likewise at event" not in run("fix", "locate", begun, code=1).stdout
    first = like[0]
    dry = run("fix", "locate", begun, "--write", first["name"], "--dry-run").stdout
    run("fix", "locate", begun, "--write", first["name"], "--yes")
    assert dry
    assert run("fix", "locate", begun).stderr == "every count agrees\n"


def test_a_search_that_was_cut_off_says_so(run: Run, begun: str) -> None:
    run("fix", "count", begun, "cy £7", code=1)
    assert "--effort" in run("fix", "locate", begun, "--effort", 1, code=1).stderr
    assert "--effort" not in run("fix", "locate", begun, code=1).stderr


def test_the_command_of_a_proposal_writes_it(run: Run, begun: str) -> None:
    run("fix", "count", begun, "cy £9", code=1)
    rows = [json.loads(line) for line in run("fix", "locate", begun, "--format", "jsonl", code=1).stdout.splitlines()]
    assert [row["name"] for row in rows if not row["like"]] == ["1", "2", "3", "4", "5"]
    for row in rows:
        words = split(row["command"])[1:]
        run(*words, "--yes")
        told = json.loads(run("validate", begun, "--format", "jsonl", code=1 if row["open"] else 0).stdout)
        assert sum(each["status"] == "open" for each in told["findings"]) == row["open"], row
        run("undo", begun)


def test_take_shows_and_writes_a_proposal(run: Run, begun: str, archive: Path) -> None:
    run("fix", "count", begun, "cy £9", code=1)
    said = run("fix", "locate", begun, "--write", 1, "--dry-run").stdout
    assert "settled  20  count.money: expected Cy money 8, found 9 counted\n" in said
    assert len(lines_of(archive, begun)) == 21
    assert run("fix", "locate", begun, "--write", 1, "--yes").stdout == said
    assert "clean" in run("validate", begun).stdout
    assert run("fix", "locate", begun).stderr == "every count agrees\n"


def test_take_knows_no_other_names(run: Run, begun: str) -> None:
    assert "expected a count that does not agree" in run("fix", "locate", begun, "--write", 1, code=1).stderr
    run("fix", "count", begun, "cy £9", code=1)
    assert "found none for '99'" in run("fix", "locate", begun, "--write", 99, "--yes", code=1).stderr
    assert "found none for '2.1'" in run("fix", "locate", begun, "--write", "2.1", "--yes", code=1).stderr
    assert "expected the name of a proposal" in run("fix", "locate", begun, "--write", "x", code=2).stderr


def test_of_several_stretches_the_proposals_have_two_numbers(run: Run, begun: str) -> None:
    run("fix", "count", begun, "cy £9", code=1)
    run("fix", "count", begun, "bob £5", code=1)
    rows = json.loads(run("fix", "locate", begun, "--most", 1, "--format", "json", code=1).stdout)
    assert [row["name"] for row in rows if not row["like"]] == ["1.1", "2.1"]
    assert "expected the stretch, too" in run("fix", "locate", begun, "--write", 1, code=2).stderr
    run("fix", "locate", begun, "--write", "2.1", "--yes")


def test_nothing_counted_is_said(run: Run, begun: str) -> None:
    assert run("fix", "locate", begun).stderr == "nobody has counted yet\n"


def test_a_result_is_compared(run: Run, whole: str, archive: Path) -> None:
    assert "the log agrees" in run("fix", "declare", whole, "anna 27, bob 36, cy 42").stderr
    line = len(lines_of(archive, whole)) - 1
    assert f"found one on line {line}" in run("fix", "declare", whole, "anna 27, cy 40", code=1).stderr
    run("fix", "withdraw", whole, line, "--why", "counted again")
    said = run("fix", "declare", whole, "anna 27, cy 40", code=1)
    assert said.stdout == "Cy: 40 declared, 42 in the log (−2)\n"
    # who was not declared yet may be
    run("fix", "declare", whole, "bob 36")
    assert "expected each player once" in run("fix", "declare", whole, "anna 27, anna 28", code=2).stderr
    assert "expected a player and points" in run("fix", "declare", whole, "anna", code=2).stderr
    assert [line["kind"] for line in lines_of(archive, whole)[-4:]] == ["declared", "withdrawn", "declared", "declared"]


def test_a_ruled_number_is_told_and_is_no_finding(run: Run, begun: str) -> None:
    said = run("fix", "adjust", begun, "anna +2 points, bob money -1", *SO).stdout
    assert "amount   20  Anna points 0 → +2 (adjusted)\n" in said
    assert "Anna 10 → 12" in said
    assert run("validate", begun).stdout.count("[ruled]") == 2


@pytest.mark.parametrize("amounts", ["", "anna", "+2 points", "anna two points", "anna p+2 because", "zoë p+2"])
def test_a_number_of_nobody_or_nothing_is_refused(run: Run, begun: str, amounts: str) -> None:
    assert "expected " in run("fix", "adjust", begun, amounts, *SO, code=2).stderr


# --- accept, correct, reading, withdraw ----------------------------------------------------------


def test_a_finding_is_accepted_by_name(run: Run, begun: str) -> None:
    run("play", begun, "bob: e points", "--anyway")
    several = run("fix", "accept", begun, 20, *SO, code=1).stderr
    assert several.startswith("Error: expected one finding on event 20, found 2 findings:\n  --rule turn.order\n")
    said = run("fix", "accept", begun, 20, "--rule", "turn.order", *SO)
    assert said.stdout == "accepted   20  turn.order (S-5.1): expected Anna to act, found Bob\n"
    run("fix", "accept", begun, 20, *SO)
    assert "2 accepted" not in run("validate", begun).stdout
    assert run("validate", begun).stdout.count("[accepted]") == 2


def test_there_must_be_a_finding_to_accept(run: Run, begun: str) -> None:
    assert "expected an open finding on event 3, found none" in run("fix", "accept", begun, 3, *SO, code=1).stderr
    assert "found none" in run("fix", "accept", begun, "\x1b", *SO, code=1).stderr
    run("play", begun, "bob: e points", "--anyway")
    assert "found none of these" in run("fix", "accept", begun, 20, "--rule", "no.rule", *SO, code=1).stderr


def test_the_header_is_put_right_and_what_that_changes_is_told(run: Run, begun: str) -> None:
    said = run("fix", "header", begun, "--seat", "bob", "--name", "Bobby", "--date", "18.11.2026", "--why", "so").stdout
    assert said == "seat 2: Bob (red) → Bobby (red)\nplayed: unknown → 2026-11-18\n"
    said = run("fix", "header", begun, "--first", "cy", "--why", "slip").stdout
    assert "finding  1  first.left (S-6.4): expected Cy first, found Anna\n" in said
    assert "Bobby places" in run("replay", begun).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "expected what was wrong"),
        (["--seat", "bob"], "found nothing of it"),
        (["--name", "Bobby"], "expected a seat and who sits there"),
        (["--seat", "bob", "--name", "anna"], "somebody who does not play yet, found 'anna'"),
        (["--seat", "bob", "--name", " "], "somebody who does not play yet"),
        (["--seat", "bob", "--name", "Bob"], "found nothing new"),
        (["--seat", "bob", "--colour", "pink"], "expected a colour of "),
        (["--seat", "zoë", "--name", "Z"], "found none for 'zoë'"),
        (["--date", "yesterday"], "expected a day"),
        (["--seat", "bob", "--name", "x" * 61], "expected a line that can be read again"),
    ],
)
def test_a_header_is_not_put_wrong(run: Run, begun: str, archive: Path, arguments: list[str], said: str) -> None:
    assert said in run("fix", "header", begun, *arguments, "--why", "so", code=2).stderr
    assert len(lines_of(archive, begun)) == 20


def test_a_reading_counts_and_is_kept(run: Run, begun: str, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    said = run("fix", "reading", begun, "banker", "price", 3, "--keep", "--sheet", own)
    assert "finding  14  posting.price (S-5.6.1): expected Anna money −3 (price), found −1\n" in said.stdout
    assert f"kept at {own}\n" in said.stderr
    assert '[3, "read", "tester", "' in own.read_text(encoding="utf-8")
    run("new", "--players", "A,B", "--sheet", own)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mine-9", "price", "3"], "expected a component of sheet"),
        (["mine-1", "cost", "3"], "found 'cost' of 'mine-1'"),
        (["mine-1", "price", "99999"], "expected a value as it can be printed"),
        (["mine-1", "price", "3", "--keep"], "expected --sheet with --keep"),
    ],
)
def test_a_reading_of_nothing_is_refused(run: Run, begun: str, arguments: list[str], said: str) -> None:
    assert said in run("fix", "reading", begun, *arguments, code=2).stderr


def test_a_line_off_the_timeline_is_withdrawn_once(run: Run, begun: str) -> None:
    run("fix", "declare", begun, "anna 1", code=1)
    said = run("fix", "withdraw", begun, 20, "--why", "another game").stdout
    assert said.startswith("withdrawn   20  result Anna 1\n")
    assert "settled  20  result: expected Anna 10 points, found 1 declared" in said
    assert "withdrawn by line 21" in run("fix", "withdraw", begun, 20, "--why", "again", code=2).stderr
    assert "found decision 3 (undo and amend" in run("fix", "withdraw", begun, 3, "--why", "so", code=2).stderr
    assert "expected a line from 1 to 21, found 99" in run("fix", "withdraw", begun, 99, "--why", "so", code=2).stderr


@pytest.mark.parametrize(
    "words",
    [
        ["fix", "count", "bob £4"],
        ["fix", "adjust", "anna p+2", *SO],
        ["fix", "header", "--place", "here", "--why", "so"],
        ["fix", "reading", "banker", "price", "3"],
        ["fix", "declare", "anna 10"],
        ["seal"],
    ],
)
def test_what_comes_again_with_its_id_is_answered_and_not_written(
    run: Run, begun: str, archive: Path, words: list[str]
) -> None:
    command = words[:2] if words[0] == "fix" else words[:1]
    more = words[len(command) :]
    first = run(*command, begun, *more, "--cmd", "c1")
    run("play", begun, "g14.4")
    before = (archive / f"{begun}.jsonl").read_bytes()
    again = run(*command, begun, *more, "--cmd", "c1")
    assert again.stdout == first.stdout
    assert again.stderr == f"command 'c1' came before: this is line 20 again\n{first.stderr}"
    assert (archive / f"{begun}.jsonl").read_bytes() == before
    other = ["seal"] if "header" in command else ["fix", "header", "--place", "there", "--why", "so"]
    assert "another content" in run(*other, begun, "--cmd", "c1", code=1).stderr
