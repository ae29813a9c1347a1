"""`spyrium fix withdraw`: take back a line that is not on the timeline."""

from __future__ import annotations

from functools import partial

import click

from spyrium_cli import terminal
from spyrium_cli.command import Command
from spyrium_cli.games.writing import GameWriter, game_writer
from spyrium_cli.options import game_argument, why_option
from spyrium_cli.render.surface import say
from spyrium_log.edit.asides import withdraw_line
from spyrium_log.play import Play
from spyrium_log.transcript import write_line

EPILOG = """\b
Example:
  spyrium fix withdraw 14 --why "that was another game"

LINE is a correction, a reading, a result, an accepted finding or a seal. `spyrium undo` takes back what is on the
timeline."""


@click.command("withdraw", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("line", type=click.IntRange(min=0))
@why_option
@game_writer
def command(writer: GameWriter, line: int, why: str) -> None:
    """Withdraw a line that is not on the timeline."""
    appended = writer.append(partial(withdraw_line, line=line, why=why))
    terminal.write_line(f"withdrawn {line:>4}  {write_line(Play(appended.before), appended.before.lines[line])}")
    appended.draw_changes()
    say(f"line {appended.line.n}: withdrawn")
