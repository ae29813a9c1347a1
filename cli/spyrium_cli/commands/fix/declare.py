"""`spyrium fix declare`: the final result as the table has it."""

from __future__ import annotations

from typing import Any

import click

from spyrium_cli.command import Command
from spyrium_cli.complaint import Complaint
from spyrium_cli.games.writing import GameWriter, check_new_result, game_writer
from spyrium_cli.options import game_argument
from spyrium_cli.render.paper import draw, text
from spyrium_cli.render.surface import say
from spyrium_cli.render.text import signed, translate, with_minus
from spyrium_log import Log
from spyrium_log.messages import player_name
from spyrium_log.play import Play
from spyrium_log.replay import replay
from spyrium_log.transcript import read_line

EPILOG = """\b
Example:
  spyrium fix declare "Anna 63, Bob 58"

It moves no point. An earlier result must be withdrawn first.

Exit code 0: the log comes to the same. 1: it is recorded, and the log comes to something else."""


@click.command("declare", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("result")
@game_writer
def command(writer: GameWriter, result: str) -> int:
    """Record the final result as the table has it."""

    def declare(before: Log, **signature: Any) -> Any:
        """The line of the result, read from its notation; refused where a player is named twice or has a result."""
        line: Any = read_line(Play(before), f"result {result}", **signature)
        seats = [score.seat for score in line.results]
        if len(set(seats)) < len(seats):
            raise Complaint(f"expected each player once, found '{result}'")
        check_new_result(before, line, writer.log)
        return line

    appended = writer.append(declare)
    game, language = replay(appended.log), appended.language
    totals = {score.seat: score.total for score in game.scores()}
    differing = [score for score in appended.line.results if totals.get(score.seat) != score.points]
    if not differing:
        say(translate("declare.agrees", language, line=appended.line.n))
        return 0
    for score in differing:
        total = totals.get(score.seat, 0)
        player, difference = player_name(score.seat, game.players, language), signed(score.points - total)
        draw(
            text(
                with_minus(translate("declare.one", language, player=player, n=score.points, log=total, by=difference))
            )
        )
    say(translate("declare.off", language, line=appended.line.n, log=writer.log))
    return 1
