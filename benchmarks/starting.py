"""How long the command takes to say what it can do, beside what it cannot do without."""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks.contender import Contender

# What the installed script runs.
HELP = "import sys; sys.argv = ['spyrium', '--help']; from spyrium_cli.start import main; main()"
LEAST = "import click, rich"


def contenders() -> list[Contender]:
    # As installed: a shell that forbids compiled files would have ours compiled each time, and nobody else's.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run(code: str) -> None:
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, env=env)

    return [
        Contender("spyrium --help", "a process", "start", 1, lambda: run(HELP)),
        Contender("import click, rich", "a process", "start", 1, lambda: run(LEAST)),
    ]
