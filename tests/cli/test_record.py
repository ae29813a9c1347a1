"""new, play, deal, undo: what is written, what is refused, what is said."""

from __future__ import annotations

import json
import re
from pathlib import Path
from uuid import UUID

import pytest

from spyrium_log.store import Folder
from tests.cli.conftest import Run
from tests.cli.demo_game import DEMO

DEAL = "deal estate exchange mine-1 mine-2 mine-1 workshop-1 mine-1 mine-2 workshop-1 crane workshop-1"


def lines_of(archive: Path, game: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (archive / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()]


def test_new_prints_the_id_and_says_where(run: Run, archive: Path) -> None:
    result = run("new", "--players", "Anna, Bob ,Cy")
    game = result.stdout.strip()
    assert UUID(game).version == 7
    assert str(archive / f"{game}.jsonl") in result.stderr
    (header,) = lines_of(archive, game)
    assert [seat["player"] for seat in header["seats"]] == ["Anna", "Bob", "Cy"]  # type: ignore[attr-defined]
    assert header["by"] == "tester"
    assert "played" not in header


def test_new_says_everything_a_header_says(run: Run, archive: Path) -> None:
    more = ["--colours", "Green,red", "--first", "b", "--date", "2026-11-18", "--place", "Łódź", "--by", "Zoë"]
    game = run("new", "--players", "Anna,Bob,Cy", *more, "--option", "recruitment-count=one-per-pound").stdout.strip()
    (header,) = lines_of(archive, game)
    assert [seat["colour"] for seat in header["seats"]] == ["green", "red", "blue"]  # type: ignore[attr-defined]
    said = {name: header[name] for name in ("first", "played", "place", "by", "options")}
    assert said == {
        "first": 2,
        "played": "2026-11-18",
        "place": "Łódź",
        "by": "Zoë",
        "options": {"recruitment-count": "one-per-pound"},
    }


def test_ids_sort_by_time(run: Run) -> None:
    ids = [run("new", "--players", "A,B").stdout.strip() for _ in range(2)]
    assert ids[0][:13] <= ids[1][:13]
    assert run("new", "--players", "A,B", "--date", "today").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "Anna"], "expected 2 to 5 players, found 1\n"),
        (["--players", "Anna Bob"], "found 1: 'Anna Bob' has no commas between the names"),
        (["--players", "Anna,,Cy"], "a name between every two commas"),
        (["--players", "Anna,anna"], "'Anna' twice"),
        (["--players", "A" * 61 + ",B"], "at most 60 characters in --players, found 61"),
        (["--players", "A,B", "--colours", "pink"], "expected a colour of blue, red"),
        (["--players", "A,B", "--colours", "red,red"], "'red' twice"),
        (["--players", "A,B", "--colours", "red,blue,green"], "at most 2 colours"),
        (["--players", "A,B", "--first", "C"], "expected one player of A (blue), B (red), found none for 'C'"),
        (["--players", "A,B", "--option", "tie"], "expected NAME=VALUE"),
        (["--players", "A,B", "--option", "ties=shared"], "with a name of engineering-scores"),
        (["--players", "A,B", "--option", "tie=mine"], "expected shared for 'tie', found 'mine'"),
        (["--players", "A,B", "--by", "x" * 61], "at most 60 characters in --by"),
        (["--players", "A,B", "--date", "2026-13-40"], "expected a day as 2026-11-18, or today, in --date"),
        (["--players", "A,B", "--date", "20261118"], "found '20261118'"),
        (["--players", "A,B", "--date", "2026-W01-1"], "found '2026-W01-1'"),
        (["--players", "A,B", "--date", "yesterday"], "found 'yesterday'"),
    ],
)
def test_new_refuses_what_no_log_could_say(run: Run, archive: Path, arguments: list[str], said: str) -> None:
    assert said in run("new", *arguments, code=2).stderr
    assert not archive.exists()


def test_a_player_may_be_said_in_many_ways(run: Run, game: str, archive: Path) -> None:
    run("play", game, DEAL, "anna: p12", "red: p25", "c:p36", "A: p14", "2: p45", "@3 p36", "blue: p14")
    seats = [line["do"]["seat"] for line in lines_of(archive, game)[2:]]  # type: ignore[index]
    assert seats == [1, 2, 3, 1, 2, 3, 1]


def test_what_is_counted_and_said_is_recorded_too(run: Run, game: str, archive: Path) -> None:
    run("play", game, DEAL, "p12", "count anna £10 w3, bob m10", "pause", "continue", "Cy: concede")
    acts = [line["do"]["act"] for line in lines_of(archive, game)[3:]]  # type: ignore[index]
    assert acts == ["counted", "paused", "continued", "conceded"]
    assert "clean" in run("validate", game).stdout
    said = run("play", game, "cuont anna £10", code=2).stderr
    assert "did you mean 'count'?, in 'cuont anna £10' at column 1" in said


def test_a_beginning_of_two_players_is_nobody(run: Run) -> None:
    game = run("new", "--players", "Anna,Arne").stdout.strip()
    assert "found more than one for 'a'" in run("play", game, DEAL, "a: p12", code=2).stderr
    assert "found none for 'zoë'" in run("play", game, DEAL, "zoë: p12", code=2).stderr
    run("play", game, DEAL, "an: p12", "arn: p12")


def test_play_repeats_what_it_recorded_and_says_who_is_next(run: Run, game: str) -> None:
    result = run("play", "@last", DEAL, "p12")
    assert result.stdout.splitlines()[1] == "   2  Anna places a worker between Mine I and Mine II"
    assert result.stderr == "recorded 2 events; Bob is to act\n"
    quiet = run("play", game[:13], "-q", "p25")
    assert quiet.stdout == ""


def test_a_refusal_names_every_breach_and_what_comes_near_and_writes_nothing(
    run: Run, game: str, archive: Path
) -> None:
    before = (archive / f"{game}.jsonl").read_bytes()
    said = run("play", game, DEAL, "p12", "bob: a25.2", code=1).stderr
    assert said.startswith("Error: refused: 'bob: a25.2'; nothing was recorded\n")
    assert re.search(r"^  turn\.phase \(S-5\.2\): expected .+, found phase I$", said, re.MULTILINE)
    assert re.search(r"^  activate\.worker \(S-5\.6\): expected .+, found .+$", said, re.MULTILINE)
    assert re.search(r"nearest legal moves:\n  \S+ .* Bob ", said)
    assert (archive / f"{game}.jsonl").read_bytes() == before


def test_anyway_records_it_and_the_audit_finds_it(run: Run, game: str) -> None:
    run("play", game, DEAL, "p12")
    said = run("play", game, "cy: p36", "--anyway").stderr
    assert said.startswith("against the rules: turn.order (S-5.1): expected Bob to act, found Cy\n")
    verdict = run("validate", game, code=1).stdout
    assert verdict.startswith("findings")
    where = "  event 3 (line 4): turn.order (S-5.1): expected Bob to act, found Cy [open]"
    assert where in verdict
    remarks = run("play", game, "cy: p36", "cy: p36", "@7 p12", "--anyway").stderr.splitlines()
    assert remarks[0].startswith("'cy: p36': against the rules: ")
    assert "'@7 p12': against the rules: seat.exists (S-1.1): expected seat 1 to 3, found seat 7" in remarks


def test_notation_that_says_nothing_is_shown_where(run: Run, game: str) -> None:
    for typed, where in (
        ("zz", "found 'zz', in 'zz' at column 1"),
        ("anna: p13", "found '13': did you mean 'p36' or 'p23' or 'p14'?, in 'anna: p13' at column 7"),
        (" anna:p13", "in ' anna:p13' at column 7"),
        ("  p12 lob", "in '  p12 lob' at column 7"),
        ("Anna:   p12   zz", "found 'zz', in 'Anna:   p12   zz' at column 15"),
        ("anna: u99.1", "found 'u99.1', in 'anna: u99.1' at column 7"),
    ):
        said = run("play", game, DEAL, typed, code=2).stderr
        assert where in said
        assert "@1" not in said


def test_a_card_that_does_not_exist_is_answered_with_the_one_that_was_meant(run: Run, game: str) -> None:
    wrong = DEAL.replace("mine-1", "mine1", 1)
    assert "found 'mine1': did you mean 'mine-1'?\n" in run("play", game, wrong, code=1).stderr
    assert "found 'mine1': did you mean 'mine-1'?\n" in run("play", game, wrong, "--anyway").stderr
    run("undo", game)
    said = run("play", game, DEAL.replace("mine-1", "mine", 1), code=1).stderr
    assert "found 'mine': did you mean 'mine-1', 'mine-2', 'mine-3'?\n" in said
    said = run("play", game, DEAL.replace("estate", "Estate"), code=2).stderr
    assert "found 'Estate': did you mean 'estate'?, in 'deal Estate" in said
    said = run("play", game, DEAL.replace("estate", "qqq"), code=1).stderr
    assert "found 'qqq'\n" in said


def test_cards_that_were_said_without_their_tokens_are_named(run: Run, game: str) -> None:
    said = run("play", game, DEAL.replace("crane", "miner").replace("mine-1", "university-1", 1), code=1).stderr
    assert "said without tokens: university-1, miner; what lies on a card stands behind a colon" in said
    assert "as in university-1:1\n" in said
    said = run("play", game, DEAL.replace("crane", "miner:1"), code=1).stderr
    assert "market.tokens" in said
    assert "said without" not in said


def test_a_file_may_have_comments_and_its_faults_have_lines(run: Run, game: str, tmp_path: Path) -> None:
    file = tmp_path / "moves.txt"
    file.write_text(f"# an evening\n{DEAL}\n\nanna: p12  # quick\nzz\n", encoding="utf-8")
    assert f"at {file}:5" in run("play", game, "--file", file, code=2).stderr
    file.write_text(f"{DEAL}\nanna: p12  # quick\na12.1\n", encoding="utf-8")
    assert f"refused: 'a12.1' at {file}:3" in run("play", game, "--file", file, code=1).stderr
    run("play", game, "--file", "-", stdin=f"{DEAL}\nanna: p12\n")
    assert "or --file, found neither" in run("play", game, code=2).stderr
    assert "or --file, found both" in run("play", game, "p12", "--file", file, code=2).stderr


def test_deal_by_chance_is_the_same_by_the_same_seed(run: Run, game: str) -> None:
    first = run("play", "--deal", game, "--seed", 7)
    assert "dealt with --seed 7: deal " in first.stderr
    run("undo", game)
    again = run("play", "--deal", game, "--seed", 7)
    assert again.stdout.partition("  Turn")[2] == first.stdout.partition("  Turn")[2]
    assert "expected a round to be dealt, found that Anna is to act" in run("play", "--deal", game, code=1).stderr
    run("undo", game)
    assert re.search(r"--seed \d+", run("play", "--deal", game).stderr)


def test_undo_says_what_it_took_back_and_brought_back(run: Run, game: str, archive: Path) -> None:
    run("play", game, DEAL, "p12", "p25")
    assert run("undo", game).stdout == "took back    3  Bob places a worker between Mine II and Mine I\n"
    said = run("undo", game, "--at", 3, "--why", "it was right").stdout
    assert said == "brought back    3  Bob places a worker between Mine II and Mine I\n"
    assert run("undo", game, "--at", 1).stdout.count("took back") == 2
    assert [line.get("to") for line in lines_of(archive, game)[4:]] == [2, 3, 1]
    assert "expected a line from 0 to 6, found 99" in run("undo", game, "--at", 99, code=2).stderr


def test_nothing_to_undo_is_refused(run: Run, game: str) -> None:
    assert "expected an event to take back, found none" in run("undo", game, code=1).stderr


def test_a_log_that_somebody_writes_is_locked(run: Run, game: str, archive: Path) -> None:
    with Folder(archive).open_writer(game):
        assert "only writer" in run("play", game, DEAL, "--wait", "0", code=1).stderr


def test_the_game_of_the_demo_is_whole_and_clean(run: Run, game: str) -> None:
    run("play", game, "-q", "--file", DEMO)
    assert "clean" in run("validate", game).stdout
    assert run("replay", game).stdout.rstrip().endswith("the game is over")


def test_a_game_on_an_own_sheet(run: Run, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('name = "ours"\n["mine-1"]\nprice = [4, "read", "Anna", "2026-11-18"]\n', encoding="utf-8")
    game = run("new", "--players", "A,B", "--sheet", own).stdout.strip()
    run(
        "play",
        game,
        "deal exchange estate mine-1 crane mine-1 mine-2 mine-2 workshop-1 workshop-1 apprentice apprentice",
    )
    shown = run("show", game).stdout
    assert "  £4" in shown
    assert "~£4" in shown
    own.write_text('name = "ours"\n["mine-9"]\nprice = [4, "read"]\n', encoding="utf-8")
    assert "'mine-9'" in run("new", "--players", "A,B", "--sheet", own, code=2).stderr


# --- what was mended -----------------------------------------------------------------------------


@pytest.mark.parametrize("verb", [["play", "p12"], ["play", "a12.1"], ["play", "zz"], ["undo"], ["play --deal"]])
def test_what_was_cut_is_said_also_where_it_is_then_refused(
    run: Run, game: str, archive: Path, verb: list[str]
) -> None:
    run("play", game, DEAL)
    path = archive / f"{game}.jsonl"
    path.write_bytes(path.read_bytes() + b'{"kind":"deci')
    name, *acts = verb
    code = {"p12": 0, "a12.1": 1, "zz": 2, "": 0 if name == "undo" else 1}["".join(acts)]
    said = run(*name.split(), game, *acts, code=code).stderr
    assert re.search(rf"13 bytes cut off and kept, at {path}\S+\n", said)
    assert len(list(archive.glob("*.torn*"))) == 1
    assert "cut off" not in run("undo", game, code=0 if verb == ["play", "p12"] or name != "undo" else 1).stderr


def test_a_newline_that_was_lost_is_given_back_aloud(run: Run, game: str, archive: Path) -> None:
    run("play", game, DEAL)
    path = archive / f"{game}.jsonl"
    path.write_bytes(path.read_bytes().rstrip())
    assert "lacked its newline and got it" in run("play", game, "p12").stderr


# --- command ids ---------------------------------------------------------------------------------


def test_a_command_that_comes_again_gets_its_first_answer(run: Run, game: str, archive: Path) -> None:
    run("play", game, DEAL)
    first = run("play", game, "p12", "--cmd", "c1")
    run("play", game, "p12")
    before = (archive / f"{game}.jsonl").read_bytes()
    again = run("play", game, "anna: p12", "--cmd", "c1")
    assert again.stdout == first.stdout
    assert again.stderr == f"command 'c1' came before: this is line 2 again\n{first.stderr}"
    assert "found it on line 2 with another content" in run("play", game, "p14", "--cmd", "c1", code=1).stderr
    assert "with another content" in run("undo", game, "--cmd", "c1", code=1).stderr
    assert "expected one act with --cmd, found 2" in run("play", game, "p12", "p12", "--cmd", "c2", code=2).stderr
    for cmd in ("", "x" * 61):
        assert "expected 1 to 60 characters" in run("play", game, "p12", "--cmd", cmd, code=2).stderr
    assert (archive / f"{game}.jsonl").read_bytes() == before


def test_what_went_against_the_rules_is_answered_again_too(run: Run, game: str) -> None:
    run("play", game, DEAL)
    first = run("play", game, "cy: p12", "--anyway", "--cmd", "c1")
    assert run("play", game, "cy: p12", "--cmd", "c1").stdout == first.stdout


def test_an_undo_that_comes_again_takes_back_nothing_more(run: Run, game: str, archive: Path) -> None:
    run("play", game, DEAL, "p12", "p25")
    first = run("undo", game, "--cmd", "u1")
    run("play", game, "p36")
    before = (archive / f"{game}.jsonl").read_bytes()
    again = run("undo", game, "--cmd", "u1")
    assert again.stdout == first.stdout
    assert again.stderr.endswith(first.stderr)
    assert "with another content" in run("undo", game, "--at", 1, "--cmd", "u1", code=1).stderr
    assert (archive / f"{game}.jsonl").read_bytes() == before


def test_undo_says_which_amendment_it_took_back(run: Run, game: str) -> None:
    run("play", game, DEAL, "p12")
    run("fix", "amend", game, 2, "p23", "--misrecorded", "--why", "wrong gap", "--yes")
    assert "amendment (misrecorded): replaces 2" in run("undo", game).stdout


def test_what_writes_to_the_last_game_names_it_where_there_are_others(run: Run, game: str) -> None:
    assert "is the last game" not in run("undo", code=None).stderr
    other = run("new", "--players", "Dan,Eve").stdout.strip()
    run("play", other, DEAL.replace("miner:1", "miner:1,3"), code=None)
    run("play", other, "abandon it got late", code=None)
    last = run("undo", code=None).stderr
    assert f"{other} is the last game: Dan, Eve" in last
    assert "is the last game" not in run("undo", game, code=None).stderr


@pytest.mark.parametrize(
    "words", [["undo"], ["show"], ["replay"], ["play", "p12"], ["query", "SELECT 1"], ["validate"]]
)
def test_an_archive_without_games_is_met_with_a_hint(run: Run, archive: Path, words: list[str]) -> None:
    assert not archive.exists() or not list(archive.iterdir())
    assert "spyrium new begins one" in run(*words, code=2).stderr
