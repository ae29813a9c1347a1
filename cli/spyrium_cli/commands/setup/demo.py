"""`spyrium demo`: a demonstration in a temporary folder."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from spyrium_cli.command import LAST, Command, pass_session
from spyrium_cli.complaint import INTERRUPTED, REFUSED, Complaint, shell_message
from spyrium_cli.render.paper import draw, text
from spyrium_cli.render.text import translate
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_line
from spyrium_cli.titles import Demonstration, find_renderer
from spyrium_log.signals import no_broken_pipes

EPILOG = """\b
Example:
  spyrium demo"""

ARCHIVE = "archive"
MOVES = "moves.txt"


@click.command("demo", cls=Command, epilog=EPILOG)
@pass_session
def run_demonstration(session: Session) -> None:
    """Run a demonstration in a temporary folder.

    It records a game, makes and undoes a mistake, validates the log, replays it and asks a question.
    """
    title = session.title
    make_demonstration = find_renderer(title).demonstration
    if make_demonstration is None:
        raise Complaint(shell_message("demo.no-demonstration", title=title.name))
    demo = make_demonstration()
    # run inside the folder, so that no path of it is printed
    with no_broken_pipes(), TemporaryDirectory(prefix="spyrium-demo-") as name, chdir(name):
        Path(MOVES).write_text("\n".join(demo.moves[demo.typed :]) + "\n", encoding="utf-8")
        write_line(translate("demo.commands", session.language))
        # messages on stderr are part of the demonstration, in the order of the output
        with redirect_stderr(sys.stdout):
            for key, arguments, exit_code in _list_steps(demo, next(iter(title.sheets))):
                if key:
                    write_line()
                    write_line(translate(f"demo.{key}", session.language))
                _run_command(arguments, session, exit_code)
    write_line()
    write_line(translate("demo.end", session.language, players=demo.players))


def _list_steps(demo: Demonstration, sheet: str) -> Iterator[tuple[str, Sequence[str], int]]:
    """Each step: the key of a sentence (empty: none), the arguments of a command, and its expected exit code.

    `sheet`: the one that ships. By the values of one's own, moves of the demonstration may be against the rules.
    """
    yield "start", ["new", "--players", demo.players, "--sheet", sheet, "--by", "demo"], 0
    yield "first-moves", ["play", LAST, *demo.moves[: demo.typed]], 0
    yield "refused", ["play", LAST, demo.refused], REFUSED
    yield "mistake", ["play", LAST, demo.mistake], 0
    yield "", ["undo", LAST, "--why", "recorded by mistake"], 0
    yield "rest", ["play", LAST, "--quiet", "--file", MOVES], 0
    yield "check", ["validate", LAST], 0
    yield "replay", ["replay", LAST, "--at", str(demo.replayed)], 0
    yield "", ["show", LAST, "--at", str(demo.shown)], 0
    yield "question", ["query", demo.sql], 0


def _run_command(arguments: Sequence[str], session: Session, expected_code: int) -> None:
    """Print and run a command; ^C or an unexpected exit code ends the demonstration."""
    # as one types it in a shell: SQL has single quotes, and stands in double ones
    typed = " ".join(f'"{word}"' if "'" in word else shlex.quote(word) for word in arguments)
    draw(text(f"$ spyrium {typed}", "bold"))
    exit_code = _call_program(["--archive", ARCHIVE, "--lang", session.language, *arguments])
    if exit_code == INTERRUPTED:
        raise click.exceptions.Exit(INTERRUPTED)
    if exit_code != expected_code:
        raise Complaint(shell_message("demo.code", command=arguments[0], expected=expected_code, found=exit_code))


def _call_program(arguments: Sequence[str]) -> int:
    """The exit code of `spyrium` with these arguments, run in this process without anybody's settings."""
    from spyrium_cli.main import cli

    session = Session()
    session.settings.ignore_files()
    try:
        return cli.main(arguments, prog_name="spyrium", standalone_mode=False, obj=session) or 0
    except Complaint as complaint:
        complaint.show()
        return complaint.exit_code
    except click.Abort:
        return INTERRUPTED
