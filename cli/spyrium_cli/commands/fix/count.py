"""`spyrium fix count`: what the table counted, compared with the log."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from spyrium_cli.command import Command
from spyrium_cli.complaint import Complaint
from spyrium_cli.games.writing import GameWriter, game_writer
from spyrium_cli.options import game_argument
from spyrium_cli.render.paper import draw, text
from spyrium_cli.render.sentences import reader_of
from spyrium_cli.render.surface import say
from spyrium_cli.render.text import signed, translate, with_minus
from spyrium_log import Log
from spyrium_log.edit.locate import find_stretches
from spyrium_log.messages import Reader
from spyrium_log.play import Play
from spyrium_log.replay import Replay, replay
from spyrium_log.transcript import read_move
from spyrium_log.transcript.statements import example_amounts

EPILOG = """\b
Examples:
  spyrium fix count "anna money 12 points 14"
  spyrium fix count game.jsonl "anna points 14, bob points 8"

A count changes nothing, and says nothing about what it leaves out. `spyrium play --help` has the letters of resources.

Exit code 0: the log comes to the same. 1: it is recorded, and the log comes to something else."""


@click.command("count", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("counted")
@game_writer
def command(writer: GameWriter, counted: str) -> int:
    """Record what the table counted, and compare it with the log."""
    appended = writer.append(partial(_make_count, counted=counted))
    line, game = appended.line, replay(appended.log)
    reader = reader_of(game.title, game.players, appended.language)
    recorded = translate("count.counted", reader.language, line=line.n, n=len(line.do.held))
    findings = [finding for finding in game.findings if finding.n == line.n]
    if not findings:
        say(translate("count.agrees", reader.language, said=recorded))
        return 0
    for difference in _difference_texts(game, line, reader):
        draw(text(difference))
    where = _place_text(game, line.n, writer.log, reader.language)
    say(translate("count.off", reader.language, said=recorded, n=len(findings), where=where))
    return 1


def _make_count(before: Log, *, counted: str, by: str, at: Any) -> Any:
    """The line of a count, with each amount once."""
    play = Play(before)
    act = read_move(play, f"count {counted}")
    amounts = [(holding.who, holding.what) for holding in act.held]
    if not amounts:
        raise Complaint(f"expected what was counted, such as 'anna {example_amounts(play.title)}', found '{counted}'")
    if repeated := [amount for amount in amounts if amounts.count(amount) > 1]:
        seat, what = repeated[0]
        name = play.players[seat - 1] if seat <= len(play.players) else "somebody"
        raise Complaint(f"expected each thing counted once, found {name}'s {what} twice")
    return play.propose(act, by=by, at=at, anyway=True).event


def _difference_texts(game: Replay, count: Any, reader: Reader) -> Iterator[str]:
    """`Bob money: 8 counted, 11 in the log (−3)`, for each amount of a count that differs."""
    amounts = {(holding.who, holding.what): holding.n for holding in game.title.held(game.state_after(count.n))}
    for holding in count.do.held:
        amount = amounts.get((holding.who, holding.what), 0)
        if amount != holding.n:
            whose = {"player": reader.player_name(holding.who), "what": reader.title_word("resources", holding.what)}
            difference = signed(holding.n - amount)
            yield with_minus(translate("count.one", reader.language, **whose, n=holding.n, log=amount, by=difference))


def _place_text(game: Replay, line: int, log: str, language: str) -> str:
    """Where the count of this line went wrong, unless an earlier count was off by the same. `log`: the game's name."""
    stretch = next((stretch for stretch in find_stretches(game) if stretch.until == str(line)), None)
    if stretch is None:
        return translate("count.before", language)
    began = translate("count.since" if stretch.after == "0" else "count.after", language, ref=stretch.after)
    return translate("count.where", language, began=began, log=log)
