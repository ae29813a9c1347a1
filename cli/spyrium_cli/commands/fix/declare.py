"""`spyrium fix declare`: the final result as the table has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command
from spyrium_cli.complaint import Complaint
from spyrium_cli.games.writing import append_line, check_new_result
from spyrium_cli.options import game_argument, writing
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_log import Log

EPILOG = """\b
Example:
  spyrium fix declare "Anna 63, Bob 58"

It moves no point. An earlier result must be withdrawn first.

Exit code 0: the log comes to the same. 1: it is recorded, and the log comes to something else."""


@click.command("declare", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("result")
@writing
@click.pass_context
def command(ctx: click.Context, session: Session, log: str, result: str, by: str | None, cmd: str | None) -> None:
    """Record the final result as the table has it."""
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import minus, signed, translate
    from spyrium_log.messages import player_name
    from spyrium_log.play import Play
    from spyrium_log.replay import replay
    from spyrium_log.transcript import read_line

    def declaration(before: Log, **signature: Any) -> Any:
        line: Any = read_line(Play(before), f"result {result}", **signature)
        seats = [each.seat for each in line.results]
        if len(set(seats)) < len(seats):
            raise Complaint(f"expected each player once, found '{result}'")
        check_new_result(before, line, log)
        return line

    done = append_line(session, log, declaration, by, cmd)
    after = replay(done.log)
    language = session.language_of(after.title)
    totals = {score.seat: score.total for score in after.scores()}
    differing = [each for each in done.line.results if totals.get(each.seat) != each.points]
    if not differing:
        say(translate("declare.agrees", language, line=done.line.n))
        return
    for each in differing:
        total = totals.get(each.seat, 0)
        player, difference = player_name(each.seat, after.players, language), signed(each.points - total)
        draw(text(minus(translate("declare.one", language, player=player, n=each.points, log=total, by=difference))))
    say(translate("declare.off", language, line=done.line.n, log=log))
    ctx.exit(1)
