"""`spyrium fix adjust`: a number that somebody ruled, with no move that it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command
from spyrium_cli.games.writing import append_line
from spyrium_cli.options import game_argument, who_option, why_option, writing
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_log import Log

EPILOG = """\b
Examples:
  spyrium fix adjust @last "anna +2 points" --who "the table" --why "a bonus was missed"
  spyrium fix adjust @last "anna £-1, bob £+1" --who Cy --why "change was never given"

An amount is a resource and a number, or its letter (spyrium play --help). What went wrong within a move is for
amend."""


@click.command("adjust", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("amounts")
@who_option
@why_option
@writing
def command(session: Session, log: str, amounts: str, who: str, why: str, by: str | None, cmd: str | None) -> None:
    """Record an amount that was ruled and belongs to no move."""
    from spyrium_cli.identity import now, scribe
    from spyrium_cli.render import changes
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import reader_of
    from spyrium_log.edit.amend import changes as changed
    from spyrium_log.play import Play
    from spyrium_log.quoting import quoted
    from spyrium_log.transcript import read_line

    def make(before: Log) -> Any:
        table = Play(before)
        ruled = ", ".join(f"{amount.strip()} adjusted" for amount in amounts.split(","))
        return read_line(table, f"adjust {quoted(who)}: {quoted(why)} | {ruled}", by=by or scribe(), at=now())

    done = append_line(session, log, make, cmd)
    table = Play(done.log)
    names = [seat.player for seat in table.header.seats]
    to = reader_of(table.title, names, session.language_of(table.title))
    changes.draw_changes(changed(done.before, done.line), to)
    say(f"line {done.line.n}: adjusted, says {who}")
