"""`spyrium declare`: the final result as the table has it; it moves no point, and is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.corrections import appended, by_option
from spyrium_cli.session import Session, Verb, command_id, pass_session

if TYPE_CHECKING:
    from spyrium_log import Log

EPILOG = """\b
Examples:
  spyrium declare game.jsonl "Anna 63, Bob 58"

Exit code 0: the log comes to the same. 1: it is recorded, and the log comes to something else."""


@click.command("declare", cls=Verb, epilog=EPILOG)
@click.argument("log")
@click.argument("result")
@by_option
@command_id
@pass_session
@click.pass_context
def command(ctx: click.Context, session: Session, log: str, result: str, by: str | None, cmd: str | None) -> None:
    """Record the final result as the table has it."""
    from spyrium_cli.identity import now, scribe
    from spyrium_cli.render.paper import draw, say, text
    from spyrium_log.replay import replay

    def make(before: Log) -> Any:
        return _line(before, result, by or scribe(), now())

    done = appended(session, log, make, cmd)
    after = replay(done.log)
    totals = {score.seat: score.total for score in after.scores()}
    off = [each for each in done.line.results if totals.get(each.seat) != each.points]
    if not off:
        say(f"line {done.line.n}: declared, and the log comes to the same")
        return
    for each in off:
        n = totals.get(each.seat, 0)
        name = after.players[each.seat - 1] if each.seat <= len(after.players) else f"seat {each.seat}"
        draw(text(f"{name}: {each.points} declared, {n} in the log ({each.points - n:+d})"))
    say(f"line {done.line.n}: declared, otherwise than the log (spyrium locate {log} says what would explain it)")
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
