"""`spyrium demo`: the main job from the first line to the last question, in an archive that is thrown away."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import INTERRUPTED, Complaint
from spyrium_cli.session import Session
from spyrium_cli.settings.title import title_of
from spyrium_cli.terminal import write_line
from spyrium_cli.titles import Demonstration, renderer
from spyrium_log.signals import no_broken_pipes

EPILOG = """\b
Example:
  spyrium demo"""

ARCHIVE = "archive"
MOVES = "moves.txt"


@click.command("demo", cls=Command, epilog=EPILOG)
@pass_session
def command(session: Session) -> None:
    """Run a demonstration in a temporary folder.

    A game is recorded, a mistake made and undone, the log validated, stepped through and asked. No input is needed.
    """
    title = title_of(session)
    make = renderer(title).demonstration
    if make is None:
        raise Complaint(f"expected a title with a demonstration, found {title.name}")
    demo = make()
    # From within the folder, what is shown names no path that is gone afterwards.
    with no_broken_pipes(), TemporaryDirectory(prefix="spyrium-demo-") as name, chdir(name):
        Path(MOVES).write_text("\n".join(demo.moves[demo.typed :]) + "\n", encoding="utf-8")
        write_line("Every line that begins with $ is a command that you can type.")
        # Elsewhere talk goes to stderr; here it is part of the story, and must keep its place in a pipe.
        with redirect_stderr(sys.stdout):
            for talk, arguments, code in _steps(demo):
                _say(talk)
                _run(arguments, session, code)
    _say(f'Your own game begins with `spyrium new --players "{demo.players}"`. Then `spyrium play --help`.')


def _steps(demo: Demonstration) -> Iterator[tuple[str, Sequence[str], int]]:
    """What we say, what we run, and the exit code it must have."""
    last = "@last"
    yield "Start a game.", ["new", "--players", demo.players, "--by", "demo"], 0
    yield "Record the deal and the first moves.", ["play", last, *demo.moves[: demo.typed]], 0
    yield "A move that the rules do not allow is refused, with the rule.", ["play", last, demo.refused], 1
    yield "A mistake is undone.", ["play", last, demo.mistake], 0
    yield "", ["undo", last, "--why", "recorded by mistake"], 0
    yield "Record the rest of the game from a file.", ["play", last, "--quiet", "--file", MOVES], 0
    yield "Check the log against the rules and its own hashes.", ["validate", last], 0
    yield "Step through it.", ["replay", last, "--at", str(demo.replayed)], 0
    yield "", ["show", last, "--at", str(demo.shown)], 0
    yield demo.question, ["query", demo.sql], 0


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
