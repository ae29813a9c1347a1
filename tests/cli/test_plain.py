"""Recording by lines: through pipes, from files; what is said, what is refused, what it costs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from spyrium_log.store import Folder
from tests.cli.conftest import Run
from tests.cli.demo_game import DEMO
from tests.store.test_writer import wait_for_tick

ROOT = Path(__file__).parents[2]
DEAL = "exesm1apr1u12w1crmi13lum2"


def lines_of(archive: Path, game: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (archive / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()]


def test_lines_become_events_and_each_is_answered(run: Run, game: str, archive: Path) -> None:
    result = run("record", game, "--plain", stdin=f"{DEAL}\n12\np36\n45\na1\nquit\nnever\n")
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["1", "2", "3", "4", "5"]
    assert result.stdout.splitlines()[4].startswith("   5  Anna starts their Activation phase. Anna constructs Mine I")
    assert "Anna £10 → ~£8" in result.stderr
    assert "Bob is to act" in result.stderr
    lines = lines_of(archive, game)
    assert len(lines) == 6
    assert all(line["by"] == "tester" and line["at"] and line["cmd"] for line in lines[1:])


def test_a_ruling_without_a_reason_is_asked_about_at_the_end(run: Run, game: str, archive: Path) -> None:
    result = run("record", game, "--plain", stdin=f"{DEAL}\n12\n@1 p45!\n#3\nwhy 3\nquit\nBob: we all agreed\n")
    assert "3 turn.order (S-5.1)" in result.stderr
    assert "3 was ruled by the table: who said so, and why?" in result.stderr
    notes = (archive / f"{game}.notes.jsonl").read_text(encoding="utf-8")
    assert "Bob: we all agreed" in notes
    again = run("record", game, "--plain", stdin="/m+1\nquit\n")
    assert "5 was ruled by the table" in again.stderr
    assert (archive / f"{game}.notes.jsonl").read_text(encoding="utf-8") == notes


def test_a_pipe_is_enough_and_the_last_game_is_meant(run: Run, game: str, archive: Path) -> None:
    run("record", stdin=f"{DEAL}\n12\n")
    assert len(lines_of(archive, game)) == 3


def test_what_is_refused_says_why_and_what_comes_near(run: Run, game: str, archive: Path) -> None:
    said = run("record", game, stdin=f"{DEAL}\na12.1\n1\nzz\n", code=1).stderr
    assert "refused: 'a12.1'; nothing was recorded" in said
    assert "activate.worker (S-5.6): expected an own worker in the gap, found none in gap 12" in said
    assert "! records it all the same" in said
    assert "not recorded: '1': expected gap" in said
    assert "  12     Anna places a worker between" in said
    assert "not recorded: 'zz': " in said
    assert len(lines_of(archive, game)) == 2
    run("record", game, stdin="a12.1\n!\na12.1!\n", code=1)
    assert len(lines_of(archive, game)) == 4


def test_what_was_refused_is_not_offered_to_enter(run: Run, game: str) -> None:
    said = run("record", game, stdin=f"{DEAL}\n12\n23\n36\n45\nx\n", code=1).stderr
    assert "refused: 'x'" in said
    assert "Enter:" not in said


def test_many_events_that_go_are_counted(run: Run, game: str) -> None:
    said = run("record", game, stdin=f"{DEAL}\n12\n23\n36\n45\n56\nu 1\nu 6\nu 4\n").stdout.splitlines()
    assert re.fullmatch(r"   7  takes back 5 events, from 2 Anna .*; to 6 Bob .*", said[6])
    assert re.fullmatch(r"   8  brings back 5 events, from 2 Anna .*; to 6 Bob .*", said[7])
    assert re.fullmatch(r"   9  takes back 5 Anna .*; takes back 6 Bob .*", said[8])


def test_questions_record_nothing(run: Run, game: str, archive: Path) -> None:
    result = run("record", game, stdin=f"list\nhelp\n{DEAL}\nlist\nboard\n")
    assert "  ex     exchange" in result.stderr
    assert "place a worker in gap 12" in result.stderr
    assert "c 12 2 0, 8 1 3" in result.stderr
    assert "  12     Anna places a worker" in result.stderr
    assert "Turn 1" in result.stdout
    assert len(lines_of(archive, game)) == 2


def test_sayings_go_where_they_belong(run: Run, game: str, archive: Path) -> None:
    said = run("record", game, stdin=f"{DEAL}\n12\n;! early\nc 10 2\n=m1 3\n/m+1 Bob: found\nu\n~ bob m3: lost\n")
    kinds = [line["kind"] for line in lines_of(archive, game)]
    assert kinds == ["header", "deal", "decision", "statement", "reading", "statement", "undo", "statement"]
    assert "on 2: ! early" in said.stdout
    (noted,) = Folder(archive).read_notes(game).lines
    assert noted.by == "tester"
    assert run("validate", game).exit_code == 0


def test_what_else_may_be_said_is_asked_and_said(run: Run, game: str, archive: Path) -> None:
    lines = (
        DEAL,
        "?",
        "@2 p12!",
        "#2 Bob: nobody minded",
        "#1 ;late",
        "pause",
        "continue",
        "concede bob",
        "abandon why",
    )
    said = run("record", game, stdin="".join(f"{line}\n" for line in lines))
    assert "  #      a ruling about an earlier line" in said.stderr
    assert "2 stands, says Bob: nobody minded; turn.order (S-5.1): expected Anna to act, found Bob" in said.stdout
    kinds = [line["kind"] for line in lines_of(archive, game)]
    assert kinds == ["header", "deal", "decision", "accepted", *["statement"] * 4]
    (noted,) = Folder(archive).read_notes(game).lines
    assert noted.on == "1"  # type: ignore[union-attr]
    assert "the game is over" in said.stderr


def test_a_ruling_that_moves_what_is_recorded_is_an_amendment(run: Run, game: str, archive: Path) -> None:
    said = run("record", game, stdin=f"{DEAL}\n12\n36\n45\na1\n#5 m-1 Bob: we said so\n")
    assert "at 5: Anna money -1, not -2; Bob: we said so" in said.stdout
    assert lines_of(archive, game)[-1]["kind"] == "amendment"
    assert run("validate", game).exit_code == 0


def test_enter_alone_takes_what_was_offered(run: Run, whole: str, archive: Path) -> None:
    path = archive / f"{whole}.jsonl"
    before = path.read_bytes()
    path.write_bytes(b"".join(before.splitlines(keepends=True)[:-1]))
    result = run("record", whole, stdin="\n\n")
    assert "the final count is next; Enter: " in result.stderr
    assert "the game is over" in result.stderr
    assert len(path.read_bytes().splitlines()) == len(before.splitlines())


def test_a_whole_game_is_transcribed(run: Run, game: str, archive: Path) -> None:
    result = run("record", game, "--file", DEMO)
    assert result.stderr.endswith(f"recorded {len(lines_of(archive, game)) - 1} lines\n")
    assert "clean" in run("validate", game).stdout


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [("zz", 2, "'zz'"), ("cy: p12", 1, "refused: 'cy: p12': turn.order"), ("zed: p12", 2, "'zed'")],
)
def test_a_transcript_stops_where_it_cannot_go_on(
    run: Run, game: str, archive: Path, tmp_path: Path, line: str, code: int, said: str
) -> None:
    file = tmp_path / "evening.txt"
    cards = "mine-1 apprentice residence-1 university-1:2 workshop-1 crane miner:13 luxury-home mine-2"
    said_so_far = f"# an evening\ndeal exchange estate {cards}\n\nanna: p12  # quick\n"
    file.write_text(f"{said_so_far}{line}\np45\n", encoding="utf-8")
    found = run("record", game, "--file", file, code=code).stderr
    assert said in found
    assert f"at {file}:5; 2 lines before it stand in the log" in found
    assert len(lines_of(archive, game)) == 3


def test_a_result_is_said_once(run: Run, game: str, archive: Path, tmp_path: Path) -> None:
    file = tmp_path / "end.txt"
    file.write_text("result Anna 50, Bob 40\nresult Bob 41\n", encoding="utf-8")
    found = run("record", game, "--file", file, code=1).stderr
    assert "expected the first result of these players, found one on line 1" in found
    assert f"at {file}:2; 1 line before it stand in the log" in found
    run("fix", "withdraw", game, 1, "--why", "misread")
    file.write_text("result Bob 41\n", encoding="utf-8")
    run("record", game, "--file", file)
    assert [line["kind"] for line in lines_of(archive, game)] == ["header", "declared", "withdrawn", "declared"]


def test_a_torn_end_is_told_of_before_anything_else(run: Run, game: str, archive: Path) -> None:
    path = archive / f"{game}.jsonl"
    path.write_bytes(path.read_bytes() + b'{"kind":"deci')
    assert "13 bytes cut off" in run("record", game, stdin=f"{DEAL}\n").stderr


def test_a_game_that_somebody_writes_is_refused(run: Run, game: str, archive: Path) -> None:
    with Folder(archive).open_writer(game):
        assert "only writer" in run("record", game, "--wait", "0", stdin="", code=1).stderr


def test_no_game_is_said(run: Run) -> None:
    assert (
        "expected an answer, found the end of the input; nothing was written" in run("record", stdin="", code=2).stderr
    )
    assert "expected a game that is not over, found none" in run("record", "--file", "-", stdin="", code=2).stderr


def recording(archive: Path, game: str) -> subprocess.Popen[str]:
    """The recorder in a process of its own, at the other end of pipes."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "cli")])
    env = {**os.environ, "PYTHONPATH": paths, "SPYRIUM_ARCHIVE": str(archive)}
    command = [sys.executable, "-m", "spyrium_cli", "record", game]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=env, text=True)


def test_through_real_pipes_each_line_is_answered_at_once(archive: Path, game: str) -> None:
    with recording(archive, game) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for keys in (DEAL, "12", "45"):
            process.stdin.write(keys + "\n")
            process.stdin.flush()
            n = int(process.stdout.readline().split()[0])
            # it is there before it is answered
            assert len(lines_of(archive, game)) == n + 1
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_a_byte_changed_in_place_is_said_and_nothing_is_acknowledged_on_top_of_it(archive: Path, game: str) -> None:
    path = archive / f"{game}.jsonl"
    with recording(archive, game) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(DEAL + "\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith("   1  ")
        whole = path.read_bytes()
        flipped = bytearray(whole)
        flipped[40] ^= 1
        wait_for_tick(path, path.stat().st_ctime_ns)
        path.write_bytes(flipped)
        process.stdin.write("12\n")
        process.stdin.flush()
        said = next(line for line in process.stderr if line.startswith("not recorded: '12': "))
        assert f"{path}:1" in said
        assert path.read_bytes() == flipped
        path.write_bytes(whole)
        process.stdin.write("12\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith("   2  ")
        process.stdin.close()
        # a line was refused
        assert process.wait(timeout=60) == 1
    assert len(lines_of(archive, game)) == 3
