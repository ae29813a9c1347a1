"""CONTRIBUTING follows one decision through the rooms: its commands are run, and call the functions in that order."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from spyrium_cli.main import cli

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "CONTRIBUTING.md"
ROW = re.compile(r"^\| [^|]+ \| `(?P<file>[\w/.]+)` \| `(?P<name>[\w.]+)` \|$")
# What was recorded before the decision that the first table follows.
BEFORE = (
    ["new", "--players", "Anna,Bob,Cleo", "--by", "Anna"],
    [
        *("play", "@last"),
        "deal exchange estate mine-1 apprentice residence-1 university-1:2 workshop-1 crane miner:13 mine-1 mine-2",
        *("p12", "p12", "p45", "p25"),
    ],
)
WALKS = (["play", "@last", "bob: >a12.2"], ["validate", "@last"], ["report", "scores", "--least", "1"])


class Step(NamedTuple):
    """A function of a table, and the file it stands in."""

    file: str
    name: str


def tables() -> list[list[Step]]:
    """The tables of the page, each a walk."""
    rows = [ROW.match(line) for line in PAGE.read_text(encoding="utf-8").splitlines()]
    runs = [[Step(row["file"], row["name"]) for row in run if row] for is_row, run in groupby(rows, bool) if is_row]
    assert len(runs) == len(WALKS)
    return runs


@contextmanager
def recorded_calls() -> Iterator[list[Step]]:
    """Every function of ours that is called meanwhile, in the order of calls."""
    calls: list[Step] = []
    prefix = f"{ROOT}/"

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(prefix):
            calls.append(Step(code.co_filename.removeprefix(prefix), code.co_qualname))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def first_not_called(steps: Sequence[Step], calls: Sequence[Step]) -> Step | None:
    """The first step that was not called after the one before it."""
    rest = iter(calls)
    return next((step for step in steps if step not in rest), None)


def call(arguments: Sequence[str]) -> None:
    result = CliRunner().invoke(cli, list(arguments), prog_name="spyrium", catch_exceptions=False)
    assert result.exit_code == 0, result.output


def test_the_walk_is_what_the_program_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPYRIUM_ARCHIVE", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    for arguments in BEFORE:
        call(arguments)
    for steps, arguments in zip(tables(), WALKS, strict=True):
        with recorded_calls() as calls:
            call(arguments)
        missing = first_not_called(steps, calls)
        assert missing is None, f"{' '.join(arguments)}: {missing} is not called, or earlier than the table says"


def test_a_step_out_of_order_is_seen() -> None:
    one, two = Step("a.py", "one"), Step("a.py", "two")
    assert first_not_called([one, two], [two, one]) == two
    assert first_not_called([one, two], [one, one, two]) is None


def test_the_walk_goes_through_every_room() -> None:
    files = {step.file for steps in tables() for step in steps}
    rooms = ("cli/", "play.py", "replay.py", "titles/spyrium/rules", "titles/spyrium/evolve", "log/", "store/")
    for room in (*rooms, "readmodel/", "analysis/"):
        assert any(room in file for file in files), room
