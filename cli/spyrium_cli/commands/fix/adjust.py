"""`spyrium fix adjust`: an amount that the table ruled."""

from __future__ import annotations

from typing import Any

import click

from spyrium_cli.command import Command
from spyrium_cli.games.writing import GameWriter, game_writer
from spyrium_cli.options import game_argument, who_option, why_option
from spyrium_cli.render.surface import say
from spyrium_log import Log
from spyrium_log.play import Play
from spyrium_log.shown import quote
from spyrium_log.transcript import read_line

EPILOG = """\b
Examples:
  spyrium fix adjust "anna +2 points" --who "the table" --why "a bonus was missed"
  spyrium fix adjust "anna -1 money, bob +1 money" --who Cy --why "change was never given"

`spyrium play --help` has the letters of resources. To correct an amount within a move, use `spyrium fix amend`."""


@click.command("adjust", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("amounts")
@who_option
@why_option
@game_writer
def command(writer: GameWriter, amounts: str, who: str, why: str) -> None:
    """Record an amount that was ruled and belongs to no move."""

    def adjust(before: Log, **signature: Any) -> Any:
        """The line of the adjustment, read from its notation."""
        postings = ", ".join(f"{amount.strip()} adjusted" for amount in amounts.split(","))
        return read_line(Play(before), f"adjust {quote(who)}: {quote(why)} | {postings}", **signature)

    appended = writer.append(adjust)
    appended.draw_changes()
    say(f"line {appended.line.n}: adjusted, says {who}")
