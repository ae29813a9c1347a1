"""The demo works where nothing is: no home, no archive, no terminal."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from spyrium_cli.titles import spyrium
from tests.cli import demo_game
from tests.cli.conftest import Run


def test_demo_in_an_empty_environment(tmp_path: Path) -> None:
    """An empty home, nothing else in the environment but where the packages are."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "spyrium_cli", "demo"],
        env={"HOME": str(tmp_path), "PYTHONPATH": ":".join(filter(None, sys.path))},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []
    verbs = re.findall(r"^\$ spyrium (\w+)", done.stdout, re.MULTILINE)
    assert verbs == ["new", "play", "play", "play", "undo", "play", "validate", "replay", "show", "query"]
    assert "refused: 'cy: a12.1'; nothing was recorded" in done.stdout
    assert "took back" in done.stdout
    assert "spyrium-demo-" not in done.stdout
    assert "\nclean  " in done.stdout
    assert len(done.stdout.splitlines()) < 90
    print(f"{time.monotonic() - began:.1f} s")


def test_demo_on_a_screen(screen: Callable[..., str]) -> None:
    assert "\x1b[" in screen("demo")


def test_a_demo_that_fails_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spyrium, "QUESTION", "SELECT nobody")
    assert "expected exit code 0 of `query`, found 2" in run("demo", code=2).stderr


def test_its_game_can_be_made_anew() -> None:
    lines = list(demo_game.lines())
    assert lines[-1] == "final"
    assert sum(line.startswith("deal ") for line in lines) == 6


# --- quiet ends ----------------------------------------------------------------------------------


def started(tmp_path: Path) -> subprocess.Popen[str]:
    """The demo, whose temporary folder is in `tmp_path`."""
    return subprocess.Popen(
        [sys.executable, "-m", "spyrium_cli", "demo"],
        env={"HOME": str(tmp_path), "TMPDIR": str(tmp_path), "PYTHONPATH": ":".join(filter(None, sys.path))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@pytest.mark.usefixtures("interrupts")
def test_ctrl_c_in_the_demo_is_quiet_and_leaves_nothing(tmp_path: Path) -> None:
    with started(tmp_path) as demo_:
        assert demo_.stdout is not None
        while not demo_.stdout.readline().startswith("$ spyrium play @last --quiet"):
            continue
        assert list(tmp_path.iterdir())
        demo_.send_signal(signal.SIGINT)
        stdout, stderr = demo_.communicate(timeout=30)
    # A newline ends the line with ^C: where the talk goes, or where it went before.
    assert (demo_.returncode, stdout + stderr) == (130, "\n")
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_leaves_the_demo_leaves_nothing_behind(tmp_path: Path) -> None:
    with started(tmp_path) as demo_:
        assert demo_.stdout is not None
        assert demo_.stderr is not None
        assert demo_.stdout.readline()
        demo_.stdout.close()
        assert demo_.stderr.read() == ""
        assert demo_.wait(timeout=30) != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, click.Abort])
def test_an_interrupt_of_a_command_ends_the_demo(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    def interrupt(*_: object) -> None:
        raise error

    monkeypatch.setattr("spyrium_cli.commands.look.show.read_log", interrupt)
    said = run("demo", code=130)
    assert "expected exit code" not in said.output
    assert "Abort" not in said.output


def test_without_signals_of_pipes_the_demo_is_the_same(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "spyrium_cli.commands.setup.demo._list_steps", lambda *_: iter([("", ["new", "--players", "A,B"], 0)])
    )
    monkeypatch.setattr(sys, "platform", "win32")
    assert "$ spyrium new" in run("demo").stdout
