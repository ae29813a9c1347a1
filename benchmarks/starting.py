"""How long the command takes to say what it can do, beside what it cannot do without."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.contender import Contender

# What the installed script runs.
HELP = "import sys; sys.argv = ['spyrium', '--help']; from spyrium_cli.start import main; main()"
LEAST = "import click, rich"


def contenders() -> list[Contender]:
    def run(code: str) -> None:
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)

    return [
        Contender("spyrium --help", "a process", "start", 1, lambda: run(HELP)),
        Contender("import click, rich", "a process", "start", 1, lambda: run(LEAST)),
    ]
