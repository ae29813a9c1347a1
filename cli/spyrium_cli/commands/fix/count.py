"""`spyrium fix count`: what lies on the table, counted, against what the log comes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command
from spyrium_cli.games.writing import Appended, append_line
from spyrium_cli.options import game_argument, writing
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_log import Log
    from spyrium_log.replay import Replay

EPILOG = """\b
Examples:
  spyrium fix count game.jsonl "anna £12 s3 p14, bob £8"
  spyrium fix count @last "anna money 12 points 14"

An amount is a resource and a number, or its letter (spyrium play --help). What is not named is not counted. A count
changes nothing. Exit code 0: it agrees. 1: it is recorded and does not."""


@click.command("count", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("counted")
@writing
@click.pass_context
def command(ctx: click.Context, session: Session, log: str, counted: str, by: str | None, cmd: str | None) -> None:
    """Record what the table counted, and compare it with the log."""
    from spyrium_cli.identity import now, scribe
    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.words import tell
    from spyrium_log.replay import replay

    def make(before: Log) -> Any:
        return _line(before, counted, by or scribe(), now())

    done = append_line(session, log, make, cmd)
    after = replay(done.log)
    language = session.language_of(after.title)
    findings = [finding for finding in after.findings if finding.n == done.line.n]
    said = tell("count.counted", language, line=done.line.n, n=len(done.line.do.held))
    if not findings:
        say(tell("count.agrees", language, said=said))
        return
    for told in _off(done, after, language):
        draw(text(told))
    say(tell("count.off", language, said=said, n=len(findings), where=_where(done, after, log, language)))
    ctx.exit(1)


def _line(before: Log, counted: str, by: str, at: Any) -> Any:
    from spyrium_cli.complaint import Complaint
    from spyrium_log.play import Play
    from spyrium_log.transcript import read_move
    from spyrium_log.transcript.statements import examples

    table = Play(before)
    act = read_move(table, f"count {counted}")
    said = [(holding.who, holding.what) for holding in act.held]
    if not said:
        raise Complaint(f"expected what was counted, such as 'anna {examples(table.title)}', found '{counted}'")
    if twice := [key for key in said if said.count(key) > 1]:
        name = table.header.seats[twice[0][0] - 1].player if twice[0][0] <= len(table.header.seats) else "somebody"
        raise Complaint(f"expected each thing counted once, found {name}'s {twice[0][1]} twice")
    return table.event(act, by=by, at=at, anyway=True)


def _off(done: Appended, after: Replay, language: str) -> Iterator[str]:
    """`Bob money: 8 counted, 11 in the log (−3)`."""
    from spyrium_cli.render.text import minus, signed
    from spyrium_cli.render.words import tell
    from spyrium_log.messages import player_name

    # our own word for a resource is the wire's; a language that is not ours has the edition's
    names = after.title.words.vocabulary(language)["resources"] if language != "en" else {}
    held = {(has.who, has.what): has.n for has in after.title.held(after.state_after(done.line.n))}
    for said in done.line.do.held:
        n = held.get((said.who, said.what), 0)
        if n != said.n:
            off = {"player": player_name(said.who, after.players, language), "what": names.get(said.what, said.what)}
            yield minus(tell("count.one", language, **off, n=said.n, log=n, by=signed(said.n - n)))


def _where(done: Appended, after: Replay, log: str, language: str) -> str:
    """The stretch that the slip lies in. What an earlier count showed already is no new one."""
    from spyrium_cli.render.words import tell
    from spyrium_log.edit.locate import stretches

    stretch = next((each for each in stretches(after) if each.until == str(done.line.n)), None)
    if stretch is None:
        return tell("count.before", language)
    began = tell("count.since" if stretch.after == "0" else "count.after", language, ref=stretch.after)
    return tell("count.where", language, began=began, log=log)
