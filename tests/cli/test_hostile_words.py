"""Whatever a log, a file or an argument says, a terminal gets text and sequences of ours: the checks, and a share.

`tests/cli/hostile.py` has the strings, the calls and the campaign, `tests/cli/terminals.py` the terminal.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.hostile import STRINGS, World, calls, commands
from tests.cli.terminals import SMALL, foreign, words_of

ROOT = Path(__file__).parents[2]
HARMLESS = {"letters", "markup"}


@pytest.mark.parametrize("name", STRINGS)
def test_each_hostile_string_is_seen(name: str) -> None:
    raw = f"Anna {STRINGS[name]} Bob\n".encode("utf-8", "surrogateescape")
    assert bool(foreign(raw, joiners=name in HARMLESS)) == (name not in HARMLESS)
    # within what we write, too
    assert bool(foreign(b"\x1b[1m" + raw + b"\x1b[0m", joiners=name in HARMLESS)) == (name not in HARMLESS)


@pytest.mark.parametrize(
    "raw",
    [
        b"\x1b[5m",
        b"\x1b[8m",
        b"\x1b[38;5;8;8m",
        b"\x1b[25;1H",
        b"\x1b[?47h",
        b"\x1b[?1049",
        b"\x1b[6n",
        b"\x1b]22;\x1b]0;x\x07",
        b"\x1b]22;evil\x07",
        b"\xc2\x9b",
        b"\x9b",
        b"\xe2\x80\xae",
        b"a\rb",
        b"\x1b\x1b[0m[2J",
    ],
)
def test_a_sequence_that_is_not_ours_is_seen(raw: bytes) -> None:
    assert foreign(raw, SMALL) != []


def test_what_we_write_is_ours() -> None:
    drawn = b"\x1b[1;38;2;1;2;3;48;5;4mAnna\x1b[0m\x1b[24;80H\x1b[2K\r\x1b[1A\r\n"
    raw = b"\x1b[?1049h\x1b[?25l" + drawn + b"\x1b[?2026$p\x1b[?1049l\n"
    assert foreign(raw, SMALL) == []
    assert words_of(raw) == "Anna\r\r\n\n"


def test_every_command_is_called() -> None:
    """Whoever adds a command adds a call of it."""
    assert {*calls(World(Path(), "x"))} - {""} == {*commands()}


def test_a_share_of_the_campaign() -> None:
    """Every sixth call of each command, in a process of its own, which forks for every call."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "cli")])
    run = subprocess.run(
        [sys.executable, "-m", "tests.cli.hostile", "1", "6"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    found = re.search(
        r"(\d+) calls of (\d+) commands .* (\d+) of them on a full screen; written out in (\d+)", run.stdout
    )
    assert found is not None, run.stdout
    called, known, screens, shown = map(int, found.groups())
    assert called == sum(len(every[::6]) for every in calls(World(Path(), "x")).values()) > 60
    assert known == len({*commands()})
    assert screens >= 2
    assert shown > called * 0.8
