"""`spyrium fix adjust`: an amount that the table ruled."""

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
  spyrium fix adjust "anna +2 points" --who "the table" --why "a bonus was missed"
  spyrium fix adjust "anna -1 money, bob +1 money" --who Cy --why "change was never given"

`spyrium play --help` has the letters of resources. To correct an amount within a move, use `spyrium fix amend`."""


@click.command("adjust", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("amounts")
@who_option
@why_option
@writing
def command(session: Session, log: str, amounts: str, who: str, why: str, by: str | None, cmd: str | None) -> None:
    """Record an amount that was ruled and belongs to no move."""
    from spyrium_cli.render.surface import say
    from spyrium_log.play import Play
    from spyrium_log.quoting import quoted
    from spyrium_log.transcript import read_line

    def adjustment(before: Log, **signature: Any) -> Any:
        postings = ", ".join(f"{amount.strip()} adjusted" for amount in amounts.split(","))
        return read_line(Play(before), f"adjust {quoted(who)}: {quoted(why)} | {postings}", **signature)

    done = append_line(session, log, adjustment, by, cmd)
    done.draw_changes(session.language_of(done.log.title))
    say(f"line {done.line.n}: adjusted, says {who}")
