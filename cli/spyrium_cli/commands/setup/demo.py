"""`spyrium demo`: the main job from the first line to the last question, in an archive that is thrown away."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from spyrium_cli.complaint import INTERRUPTED, Complaint
from spyrium_cli.session import Session, Verb, pass_session
from spyrium_cli.terminal import write_line
from spyrium_log.signals import outliving_pipes

EPILOG = """\b
Example:
  spyrium demo"""

# Where points come from, a line a player.
QUESTION = """\
SELECT player, why, sum(amount)::INT AS points
FROM ledger JOIN seat USING (game, seat)
WHERE what = 'points' GROUP BY ALL ORDER BY points DESC LIMIT 5"""
# The deal and as many moves are typed, the rest comes from a file.
TYPED = 3
SHOWN = 6
# by then there is something on the board
DRAWN = 36
ARCHIVE = "archive"
MOVES = "moves.txt"


@click.command("demo", cls=Verb, epilog=EPILOG)
@pass_session
def command(session: Session) -> None:
    """Run a demonstration in a temporary folder.

    A game is recorded, a mistake made and undone, the log validated, stepped through and asked. No input is needed.
    """
    acts = [line for line in _game().splitlines() if not line.startswith("#")]
    # From within the folder, what is shown names no path that is gone afterwards.
    with outliving_pipes(), TemporaryDirectory(prefix="spyrium-demo-") as name, chdir(name):
        Path(MOVES).write_text("\n".join(acts[TYPED:]) + "\n", encoding="utf-8")
        write_line("Every line that begins with $ is a command that you can type.")
        # Elsewhere talk goes to stderr; here it is part of the story, and must keep its place in a pipe.
        with redirect_stderr(sys.stdout):
            for talk, arguments, code in _steps(acts):
                _say(talk)
                _run(arguments, session, code)
    _say('Your own game begins with `spyrium new --players "Anna,Bob,Cy"`. Then `spyrium play --help`.')


def _game() -> str:
    return resources.files("spyrium_cli").joinpath("demo.txt").read_text(encoding="utf-8")


def _steps(acts: Sequence[str]) -> Iterator[tuple[str, Sequence[str], int]]:
    """What we say, what we run, and the exit code it must have."""
    deal, *moves = acts[:TYPED]
    last = "@last"
    yield "Three players sit down.", ["new", "--players", "Anna,Bob,Cy", "--by", "demo"], 0
    yield "The table deals, two players place a worker.", ["play", last, deal, *moves], 0
    yield "A move that the rules do not allow is refused, and says why.", ["play", last, "cy: a12.1"], 1
    yield "A slip of the pen is taken back.", ["play", last, "cy: p12"], 0
    yield "", ["undo", last, "--why", "it was another gap"], 0
    yield "The rest of the evening, from a file.", ["play", last, "--quiet", "--file", MOVES], 0
    yield "Does it stand up to the rules, and to its own hashes?", ["validate", last], 0
    yield "Step through it.", ["replay", last, "--at", str(SHOWN)], 0
    yield "", ["show", last, "--at", str(DRAWN)], 0
    yield "Ask: where do the points come from?", ["query", QUESTION], 0


def _say(talk: str) -> None:
    if talk:
        write_line()
        write_line(talk)


def _quoted(argument: str) -> str:
    """As a person would quote it: SQL has its own single quotes."""
    return f'"{argument}"' if "'" in argument else shlex.quote(argument)


def _run(arguments: Sequence[str], session: Session, code: int) -> None:
    """The command as typed, through the same code; a demo that fails says so."""
    from spyrium_cli.main import cli
    from spyrium_cli.render.paper import draw, text

    draw(text(f"$ spyrium {' '.join(map(_quoted, arguments))}", "bold"))
    common = ["--archive", ARCHIVE, "--lang", session.language]
    try:
        found = cli.main([*common, *arguments], prog_name="spyrium", standalone_mode=False, obj=Session.unsettled())
    except Complaint as refusal:
        refusal.show()
        found = refusal.exit_code
    except click.Abort:
        found = INTERRUPTED
    if found == INTERRUPTED:
        raise click.exceptions.Exit(INTERRUPTED)
    if (found or 0) != code:
        raise Complaint(f"expected exit code {code} of `{arguments[0]}`, found {found}")
