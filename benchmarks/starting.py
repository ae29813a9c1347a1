"""How long the command takes to say what it can do, and to answer a small question, beside the least for each."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from click.testing import CliRunner

from benchmarks.contender import Contender
from spyrium_cli.main import cli

# What the installed script runs.
HELP = "import sys; sys.argv = ['spyrium', '--help']; from spyrium_cli.start import main; main()"
LEAST = "import click, rich"


SMALL = "SELECT 1"
ASK = "import sys; sys.argv = ['spyrium', 'query', {sql!r}]; from spyrium_cli.start import main; main()"
# What the command does but for the process of its own that answers.
ASK_WITHIN = """
from pathlib import Path
import spyrium_cli.main, spyrium_cli.commands.ask.query
from spyrium_cli.render.rows import write
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.sources import sources_of
from spyrium_log.store import Folder
folder = Path({folder!r})
index = folder / "index.duckdb"
bring_up_to_date(index, sources_of(Folder(folder), anywhere=True))
answer = query(index, {sql!r})
write(answer.columns, answer.rows, "table")
"""
GAMES = 30


def contenders() -> list[Contender]:
    return [
        Contender("spyrium --help", "a process", "start", 1, lambda: run(HELP)),
        Contender("import click, rich", "a process", "start", 1, lambda: run(LEAST)),
    ]


def asking(folder: Path) -> list[Contender]:
    """A question to a small archive, answered by a process of its own and by the command's."""
    archive = folder / "asked"
    words = ["simulate", "-n", GAMES, "--seats", "2", "--policies", "random", "--seed", 1, "-q", "--processes", 1]
    CliRunner().invoke(cli, [*map(str, words), "--to", str(archive)], catch_exceptions=False)
    fed = f"{SMALL}, an archive of {GAMES} games"
    ask, within = ASK.format(sql=SMALL), ASK_WITHIN.format(sql=SMALL, folder=str(archive))
    env = {"SPYRIUM_ARCHIVE": str(archive)}
    return [
        Contender("spyrium query", fed, "question", 1, lambda: run(ask, env)),
        Contender("the same in one process", fed, "question", 1, lambda: run(within, env)),
    ]


def run(code: str, settled: Mapping[str, str] | None = None) -> None:
    # As installed: a shell that forbids compiled files would have ours compiled each time, and nobody else's.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, env={**env, **(settled or {})})
