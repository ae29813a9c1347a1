"""`--wait`: a file that another process writes for a moment is waited for, by every command that writes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import click
import pytest

from spyrium_cli.main import cli
from spyrium_cli.options import parse_seconds
from spyrium_cli.session import Session
from spyrium_log.store import Folder
from tests.cli.conftest import Run
from tests.reference import commands

ROOT = Path(__file__).parents[2]
WRITERS, ROUNDS = 20, 3
# Only against a test that hangs.
PATIENCE = 120

# One of the writers: a command after the other.
APPENDING = """
import sys
from spyrium_cli.main import cli
from spyrium_cli.options import parse_seconds

game, number, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for n in range(rounds):
    words = ["play", game, f"count anna £{number * rounds + n}", "--wait", "2m"]
    cli.main(words, prog_name="spyrium", standalone_mode=False)
"""

# Every command that writes to a file that is there already. `new`, `score`, `simulate`, `export`, `salvage` and
# `demo` make new files; `config` replaces a file that nobody keeps locked.
WRITING = {
    *("annotate", "compare", "import", "play", "record", "replay", "seal", "undo"),
    *(f"fix {name}" for name in ("accept", "adjust", "amend", "count", "declare", "header", "locate", "reading")),
    *("fix withdraw", "games merge", "games put-away", "games bring-back"),
    *("sheet edit", "sheet verify", "sheet import"),
}


def started(archive: Path, *words: str, program: tuple[str, ...] = ("-m", "spyrium_cli")) -> subprocess.Popen[str]:
    """The command in a process of its own, which ^C ends, whatever this process does with it."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "cli")])
    env = {**os.environ, "SPYRIUM_ARCHIVE": str(archive), "PYTHONPATH": paths}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, *program, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=env,
        )
    finally:
        signal.signal(signal.SIGINT, before)


def waiting(archive: Path, game: str) -> subprocess.Popen[str]:
    """A command that has said that it waits for this process."""
    process = started(archive, "play", game, "count anna £5", "--wait", "60s")
    assert process.stderr is not None
    said = process.stderr.readline()
    assert said.startswith("waiting up to 60 s: ")
    assert f"{game}.jsonl" in said
    if Path("/proc/locks").exists():
        assert f"process {os.getpid()} is writing" in said
    return process


@pytest.mark.parametrize(
    ("text", "seconds"), [("0", 0), ("2", 2), ("2s", 2), ("500ms", 0.5), ("0.25s", 0.25), ("1m", 60), ("3600s", 3600)]
)
def test_a_time_is_written_as_people_write_it(text: str, seconds: float) -> None:
    assert parse_seconds(text) == seconds


@pytest.mark.parametrize("text", ["", "s", "-1", "2 s", "1h", "3601s", "61m", "nan", "inf", "1e3", "2s3", "9" * 10])
def test_another_time_is_refused(run: Run, game: str, text: str) -> None:
    result = run("play", game, "count anna £5", "--wait", text, code=2)
    assert "expected a time up to an hour" in result.stderr


def test_a_command_waits_two_seconds_unless_told_otherwise() -> None:
    assert Session().wait == 2
    for name, command in writing().items():
        option = next(param for param in command.params if param.name == "wait")
        assert option.default == "2s", name


def writing() -> dict[str, click.Command]:
    found = {ctx.command_path.removeprefix("spyrium "): ctx.command for ctx in commands(cli, "spyrium")}
    return {name: each for name, each in found.items() if any(param.name == "wait" for param in each.params)}


def test_every_command_that_writes_to_what_is_there_waits() -> None:
    assert set(writing()) == WRITING


def test_a_command_that_does_not_wait_is_refused_at_once(run: Run, game: str, archive: Path) -> None:
    with Folder(archive).open_writer(game):
        result = run("play", game, "count anna £5", "--wait", "0", code=1)
    assert "expected to be the only writer, found" in result.stderr
    assert len(Folder(archive).read_log(game).lines) == 1
    run("play", game, "count anna £5", "--wait", "0")


def test_one_that_waited_in_vain_says_how_long(run: Run, game: str, archive: Path) -> None:
    with Folder(archive).open_writer(game):
        result = run("play", game, "count anna £5", "--wait", "10ms", code=1)
    assert "expected to be the only writer within 0.01 s, found" in result.stderr
    assert "waiting" not in result.stderr


def test_who_waits_for_long_says_for_whom_and_goes_on(game: str, archive: Path) -> None:
    with Folder(archive).open_writer(game):
        process = waiting(archive, game)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "   1  " in out
    assert len(Folder(archive).read_log(game).lines) == 2


def test_who_is_interrupted_while_waiting_has_written_nothing(game: str, archive: Path) -> None:
    with Folder(archive).open_writer(game):
        process = waiting(archive, game)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert len(Folder(archive).read_log(game).lines) == 1


def test_twenty_writers_all_get_their_line_in(game: str, archive: Path, counts: Counter[str]) -> None:
    crowd = [started(archive, game, str(n), str(ROUNDS), program=("-c", APPENDING)) for n in range(WRITERS)]
    for process in crowd:
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        counts["appends of contending writers"] += len(out.splitlines())
    log = Folder(archive).read_log(game)
    assert log.complaint is None
    held = sorted(line.do.held[0].n for line in log.lines[1:])  # type: ignore[union-attr]
    assert held == list(range(WRITERS * ROUNDS))
