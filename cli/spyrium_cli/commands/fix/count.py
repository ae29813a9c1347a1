"""`spyrium fix count`: what the table counted, compared with the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command
from spyrium_cli.complaint import Complaint
from spyrium_cli.games.writing import Appended, append_line
from spyrium_cli.options import game_argument, writing
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_log import Log
    from spyrium_log.replay import Replay

EPILOG = """\b
Examples:
  spyrium fix count "anna money 12 points 14"
  spyrium fix count game.jsonl "anna points 14, bob points 8"

A count changes nothing, and says nothing about what it leaves out. `spyrium play --help` has the letters of resources.

Exit code 0: the log comes to the same. 1: it is recorded, and the log comes to something else."""


@click.command("count", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("counted")
@writing
@click.pass_context
def command(ctx: click.Context, session: Session, log: str, counted: str, by: str | None, cmd: str | None) -> None:
    """Record what the table counted, and compare it with the log."""
    from functools import partial

    from spyrium_cli.render.paper import draw, text
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import translate
    from spyrium_log.replay import replay

    done = append_line(session, log, partial(_count, counted=counted), by, cmd)
    after = replay(done.log)
    language = session.language_of(after.title)
    findings = [finding for finding in after.findings if finding.n == done.line.n]
    recorded = translate("count.counted", language, line=done.line.n, n=len(done.line.do.held))
    if not findings:
        say(translate("count.agrees", language, said=recorded))
        return
    for difference in _differences(done, after, language):
        draw(text(difference))
    say(translate("count.off", language, said=recorded, n=len(findings), where=_place(done, after, log, language)))
    ctx.exit(1)


def _count(before: Log, *, counted: str, by: str, at: Any) -> Any:
    """The line of a count, with each amount once."""
    from spyrium_log.play import Play
    from spyrium_log.transcript import read_move
    from spyrium_log.transcript.statements import example_amounts

    table = Play(before)
    act = read_move(table, f"count {counted}")
    amounts = [(holding.who, holding.what) for holding in act.held]
    if not amounts:
        raise Complaint(f"expected what was counted, such as 'anna {example_amounts(table.title)}', found '{counted}'")
    if twice := [amount for amount in amounts if amounts.count(amount) > 1]:
        seat, what = twice[0]
        name = table.players[seat - 1] if seat <= len(table.players) else "somebody"
        raise Complaint(f"expected each thing counted once, found {name}'s {what} twice")
    return table.event(act, by=by, at=at, anyway=True)


def _differences(done: Appended, after: Replay, language: str) -> Iterator[str]:
    """Lines such as `Bob money: 8 counted, 11 in the log (−3)`."""
    from spyrium_cli.render.text import minus, signed, translate
    from spyrium_log.messages import player_name

    # English uses the names of the wire; another language has its own
    names = after.title.words.vocabulary(language)["resources"] if language != "en" else {}
    amounts = {(has.who, has.what): has.n for has in after.title.held(after.state_after(done.line.n))}
    for holding in done.line.do.held:
        amount = amounts.get((holding.who, holding.what), 0)
        if amount != holding.n:
            whose = {
                "player": player_name(holding.who, after.players, language),
                "what": names.get(holding.what, holding.what),
            }
            yield minus(
                translate("count.one", language, **whose, n=holding.n, log=amount, by=signed(holding.n - amount))
            )


def _place(done: Appended, after: Replay, log: str, language: str) -> str:
    """Where it went wrong, unless an earlier count was off by the same."""
    from spyrium_cli.render.text import translate
    from spyrium_log.edit.locate import find_stretches

    stretch = next((each for each in find_stretches(after) if each.until == str(done.line.n)), None)
    if stretch is None:
        return translate("count.before", language)
    began = translate("count.since" if stretch.after == "0" else "count.after", language, ref=stretch.after)
    return translate("count.where", language, began=began, log=log)
