"""The demo works where nothing is: no home, no archive, no terminal."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from spyrium_cli.commands import demo
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
    assert "\nclean  " in done.stdout
    assert len(done.stdout.splitlines()) < 90
    print(f"{time.monotonic() - began:.1f} s")


def test_demo_on_a_screen(screen: Callable[..., str]) -> None:
    assert "\x1b[" in screen("demo")


def test_a_demo_that_fails_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "QUESTION", "SELECT nobody")
    assert "expected exit code 0 of `query`, found 2" in run("demo", code=2).stderr


def test_its_game_can_be_made_anew() -> None:
    lines = list(demo_game.lines())
    assert lines[-1] == "final"
    assert sum(line.startswith("deal ") for line in lines) == 6
