"""`spyrium fix withdraw`: a line off the timeline counts no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spyrium_cli import terminal
from spyrium_cli.command import Command
from spyrium_cli.games.writing import append_line
from spyrium_cli.options import game_argument, why_option, writing
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_log import Log

EPILOG = """\b
Examples:
  spyrium fix withdraw @last 14 --why "that was another game"

A correction, a reading, a result, an accepted finding, a seal. What is on the timeline is taken back by undo. What
this changes is told."""


@click.command("withdraw", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("line", type=click.IntRange(min=0))
@why_option
@writing
def command(session: Session, log: str, line: int, why: str, by: str | None, cmd: str | None) -> None:
    """Withdraw a line that is not on the timeline."""
    from spyrium_cli.identity import now, scribe
    from spyrium_cli.render import changes
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import reader_of
    from spyrium_log.edit.amend import changes as changed
    from spyrium_log.edit.asides import withdrawal
    from spyrium_log.play import Play
    from spyrium_log.transcript import write_line

    def make(before: Log) -> Any:
        return withdrawal(before, line, why=why, by=by or scribe(), at=now())

    done = append_line(session, log, make, cmd)
    table = Play(done.before)
    terminal.write_line(f"withdrawn {line:>4}  {write_line(table, done.before.lines[line])}")
    told = changed(done.before, done.line)
    if told.came or told.went or told.amounts or told.before != told.after:
        names = [at.player for at in table.header.seats]
        changes.draw_changes(told, reader_of(table.title, names, session.language_of(table.title)))
    say(f"line {done.line.n}: withdrawn")
