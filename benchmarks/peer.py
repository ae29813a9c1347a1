"""Peers that are no Python: programs that go through the same lines again for every line they are sent."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO

from benchmarks.contender import Absent, Contender, Entrant
from benchmarks.inputs import Inputs

HERE = Path(__file__).parent
BOARDGAME = "boardgame.io"
# Without it, what boardgame.io is built on freezes every state that it makes.
AS_SERVED = {**os.environ, "NODE_ENV": "production"}

Entering = Callable[[Inputs, Path], AbstractContextManager[Entrant]]


@contextmanager
def answering(command: list[str], inputs: Inputs) -> Iterator[Contender]:
    """A peer's run: a newline goes in, and when it is through, one line comes out, what every seat holds."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=AS_SERVED) as process:
        asked, told = process.stdin, process.stdout
        assert asked is not None  # noqa: S101 - both are pipes
        assert told is not None  # noqa: S101
        found = _answer(asked, told)
        assert found == inputs.totals, f"{command[0]} comes to other totals"  # noqa: S101 - it does other work
        yield Contender("", "", "decision", inputs.decisions, lambda: _answer(asked, told))
        asked.close()


def _answer(asked: IO[bytes], told: IO[bytes]) -> list[int]:
    asked.write(b"\n")
    asked.flush()
    return [int(n) for n in told.readline().split()]


@contextmanager
def native(inputs: Inputs, folder: Path) -> Iterator[Entrant]:
    """fold.c, compiled here and now."""
    name = "C: parse and fold"
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        yield Absent(name, "no gcc")
        return
    program = folder / "fold"
    subprocess.run([compiler, "-std=c11", "-O2", "-o", program, HERE / "fold.c"], check=True)
    with answering([str(program), str(written(inputs, folder))], inputs) as run:
        yield replace(run, name=name, fed="bytes, envelope checked, hashes not")


@contextmanager
def boardgame(inputs: Inputs, folder: Path) -> Iterator[Entrant]:
    """replay.cjs, where node is there and finds the package."""
    name = "boardgame.io replay"
    node = shutil.which("node")
    if node is None:
        yield Absent(name, "no node")
    elif (version := version_of_boardgame()) is None:
        yield Absent(name, f"node finds no {BOARDGAME} (npm install --no-save --prefix benchmarks {BOARDGAME})")
    else:
        with answering([node, str(HERE / "replay.cjs"), str(written(inputs, folder))], inputs) as run:
            yield replace(run, name=name, fed=f"the same lines, as moves of version {version}")


def version_of_boardgame() -> str | None:
    """The version that node finds; None without node or package."""
    return said("node", str(HERE / "replay.cjs"), "--version")


def said(*command: str) -> str | None:
    """The first line that a program says of itself; None where there is no such program, or it says nothing."""
    program = shutil.which(command[0])
    if program is None:
        return None
    done = subprocess.run([program, *command[1:]], capture_output=True, text=True, check=False)
    return next(iter(done.stdout.splitlines()), None) or None


def written(inputs: Inputs, folder: Path) -> Path:
    """The games one after the other in a file."""
    path = folder / "logs.jsonl"
    path.write_bytes(b"".join(inputs.raws))
    return path
