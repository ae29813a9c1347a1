"""Where ^C is ignored when a command begins, as under nohup and in the background of a script, it stays so."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from spyrium_cli.main import cli
from tests.cli.test_simulate import PATIENCE, SPYRIUM

# So many times somebody presses ^C before the end of the input.
PRESSED = 15
GAMES = ("simulate", "-n", "12", "--policies", "random", "--seats", "2", "--seed", "5", "-q", "--processes", "2")
LASTING = "SELECT sum(a.range * b.range) FROM range(20000) a, range(20000) b"
COMMANDS = {
    "simulate": ((*GAMES, "--to", "{new}"), ""),
    "index": (("--archive", "{club}", "index", "--rebuild", "--processes", "2"), ""),
    "validate": (("validate", "{club}", "--processes", "2"), ""),
    "query": (("--archive", "{club}", "query", LASTING), ""),
    "record": (("--archive", "{new}", "record", "@last", "--plain"), "board\nquit\n"),
}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("ignored")
    assert CliRunner().invoke(cli, [*GAMES, "--to", str(at)]).exit_code == 0
    return at


@pytest.fixture
def ignored() -> Iterator[None]:
    """What is started here begins with ^C ignored."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ignored")
@pytest.mark.parametrize("command", COMMANDS)
def test_it_goes_on_to_its_end(club: Path, tmp_path: Path, command: str, counts: Counter[str]) -> None:
    words, typed = COMMANDS[command]
    new = tmp_path / "new"
    if command == "record":
        CliRunner().invoke(cli, ["--archive", str(new), "new", "--players", "Anna,Bob"])
    asked = [*SPYRIUM, *(word.format(club=club, new=new) for word in words)]
    pipe = subprocess.PIPE
    with subprocess.Popen(asked, stdin=pipe, stdout=pipe, stderr=pipe, env={**os.environ, "HOME": str(new)}) as child:
        assert child.stdin is not None
        deadline = time.monotonic() + PATIENCE
        pressed = 0
        while child.poll() is None and time.monotonic() < deadline:
            child.send_signal(signal.SIGINT)
            pressed += 1
            if pressed == PRESSED:
                child.stdin.write(typed.encode())
                child.stdin.close()
            time.sleep(0.05)
        child.kill()
        assert child.stdout is not None
        assert child.stderr is not None
        output, errors = child.stdout.read(), child.stderr.read()
    assert (child.returncode, b"Traceback" in errors) == (0, False), (output, errors)
    counts["interrupts that were ignored"] += pressed
