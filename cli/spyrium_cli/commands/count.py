"""`spyrium count`: what lies on the table, counted, against what the log comes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.corrections import Appended, appended, by_option
from spyrium_cli.session import Session, Verb, command_id, pass_session

if TYPE_CHECKING:
    from spyrium_log import Log
    from spyrium_log.replay import Replay

EPILOG = """\b
Examples:
  spyrium count game.jsonl "anna £12 s3 p14, bob £8"
  spyrium count @last "anna money 12 points 14"

£ or m is money, s Spyrium, p points, w workers, r residence. What is not said is not counted. A count changes nothing.
Exit code 0: it agrees. 1: it is recorded and does not."""


@click.command("count", cls=Verb, epilog=EPILOG)
@click.argument("log")
@click.argument("counted")
@by_option
@command_id
@pass_session
@click.pass_context
def command(ctx: click.Context, session: Session, log: str, counted: str, by: str | None, cmd: str | None) -> None:
    """Record what the table counted, and hear whether it agrees."""
    from spyrium_cli.identity import now, scribe
    from spyrium_cli.render.paper import draw, say, text
    from spyrium_log.replay import replay

    def make(before: Log) -> Any:
        return _line(before, counted, by or scribe(), now())

    done = appended(session, log, make, cmd)
    after = replay(done.log)
    findings = [finding for finding in after.findings if finding.n == done.line.n]
    said = f"line {done.line.n}: {len(done.line.do.held)} counted"
    if not findings:
        say(f"{said}, and the log agrees")
        return
    for told in _off(done, after):
        draw(text(told))
    say(f"{said}, {len(findings)} of them otherwise than in the log; {_where(done, after, log)}")
    ctx.exit(1)


def _line(before: Log, counted: str, by: str, at: Any) -> Any:
    from spyrium_cli.complaint import Complaint
    from spyrium_cli.spoken import lettered
    from spyrium_log.play import Play
    from spyrium_log.transcript import read_move

    table = Play(before)
    act = read_move(table, lettered(f"count {counted}", table.title.notation.letters))
    said = [(holding.who, holding.what) for holding in act.held]
    if not said:
        raise Complaint(f"expected what was counted, such as 'anna £12 s3', found '{counted}'")
    if twice := [key for key in said if said.count(key) > 1]:
        name = table.header.seats[twice[0][0] - 1].player if twice[0][0] <= len(table.header.seats) else "somebody"
        raise Complaint(f"expected each thing counted once, found {name}'s {twice[0][1]} twice")
    return table.event(act, by=by, at=at, anyway=True)


def _off(done: Appended, after: Replay) -> Iterator[str]:
    """`Bob money: 8 counted, 11 in the log (−3)`."""
    held = {(has.who, has.what): has.n for has in after.title.held(after.state_after(done.line.n))}
    for said in done.line.do.held:
        n = held.get((said.who, said.what), 0)
        if n != said.n:
            name = after.players[said.who - 1] if said.who <= len(after.players) else f"seat {said.who}"
            yield f"{name} {said.what}: {said.n} counted, {n} in the log ({said.n - n:+d})"


def _where(done: Appended, after: Replay, log: str) -> str:
    """The stretch that the slip lies in. What an earlier count showed already is no new one."""
    from spyrium_log.edit.locate import stretches

    stretch = next((each for each in stretches(after) if each.until == str(done.line.n)), None)
    if stretch is None:
        return "a count before it was off by the same"
    began = "since the beginning" if stretch.after == "0" else f"after event {stretch.after}"
    return f"it went wrong somewhere {began} (spyrium locate {log} says what would explain it)"
