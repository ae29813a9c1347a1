"""`spyrium fix declare`: the final result as the table has it; it moves no point, and is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command
from spyrium_cli.games.writing import append_line, check_new_result
from spyrium_cli.options import game_argument, writing
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_log import Log

EPILOG = """\b
Examples:
  spyrium fix declare game.jsonl "Anna 63, Bob 58"

Who declared something else before takes that back first, by its line; nothing of a log is replaced without a word.

Exit code 0: the log comes to the same. 1: it is recorded, and the log comes to something else."""


@click.command("declare", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("result")
@writing
@click.pass_context
def command(ctx: click.Context, session: Session, log: str, result: str, by: str | None, cmd: str | None) -> None:
    """Record the final result as the table has it."""
    from spyrium_cli.identity import now, scribe
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import minus, signed
    from spyrium_cli.render.words import tell
    from spyrium_log.messages import player_name
    from spyrium_log.replay import replay

    def make(before: Log) -> Any:
        line = _line(before, result, by or scribe(), now())
        check_new_result(before, line, log)
        return line

    done = append_line(session, log, make, cmd)
    after = replay(done.log)
    totals = {score.seat: score.total for score in after.scores()}
    language = session.language_of(after.title)
    off = [each for each in done.line.results if totals.get(each.seat) != each.points]
    if not off:
        say(tell("declare.agrees", language, line=done.line.n))
        return
    for each in off:
        n = totals.get(each.seat, 0)
        player, by_ = player_name(each.seat, after.players, language), signed(each.points - n)
        draw(text(minus(tell("declare.one", language, player=player, n=each.points, log=n, by=by_))))
    say(tell("declare.off", language, line=done.line.n, log=log))
    ctx.exit(1)


def _line(before: Log, result: str, by: str, at: Any) -> Any:
    from spyrium_cli.complaint import Complaint
    from spyrium_log.play import Play
    from spyrium_log.transcript import read_line

    line: Any = read_line(Play(before), f"result {result}", by=by, at=at)
    seats = [each.seat for each in line.results]
    if len(set(seats)) < len(seats):
        raise Complaint(f"expected each player once, found '{result}'")
    return line
