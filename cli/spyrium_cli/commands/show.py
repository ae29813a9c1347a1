"""`spyrium show`: the board as it stands, or as it stood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.complaint import UNUSABLE
from spyrium_cli.session import Session, Verb, pass_session

if TYPE_CHECKING:
    from spyrium_log.replay import Replay

EPILOG = """\b
Examples:
  spyrium show @last
  spyrium show @last --at 12 --legal
  spyrium show game.jsonl --format json

Of a damaged log what can be read is shown. Exit code 2 then, but 0 where only its end was never finished."""


@click.command("show", cls=Verb, epilog=EPILOG)
@click.argument("log")
@click.option("--at", type=click.IntRange(min=0), metavar="N", help="As it stood after line N.")
@click.option("--legal", is_flag=True, help="List what whoever is to act may do.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@pass_session
@click.pass_context
def command(ctx: click.Context, session: Session, log: str, at: int | None, legal: bool, form: str) -> None:
    """Draw the board, now or after any line."""
    from spyrium_cli.games import read_log, replayed
    from spyrium_cli.render.said import pretty
    from spyrium_log.play import sentence

    done = replayed(read_log(session, log), at)
    title = done.title
    language = session.language_of(title)
    state = done.state_at(len(done.events))
    acts = [
        (title.notation.write(state, act), sentence(title, state, act, done.players, language), act)
        for act in (title.legal(state) if legal else ())
    ]
    if form == "json":
        click.echo(pretty(_said(done, len(done.log.lines) - 1 if at is None else at, state, acts if legal else None)))
    else:
        _draw(done, state, language, acts if legal else None)
    ctx.exit(UNUSABLE if done.verdict == "unusable" else 0)


def _said(done: Replay, at: int, state: Any, acts: Sequence[tuple[str, str, Any]] | None) -> dict[str, Any]:
    from spyrium_cli.render.said import game

    said = {
        **game(done),
        "n": at,
        "awaits": done.title.awaits(state),
        "scores": done.scores(),
        "scores_only": done.is_scores_only,
        "board": done.title.view(state),
    }
    if acts is not None:
        said["legal"] = [{"notation": notation, "sentence": told, "act": act} for notation, told, act in acts]
    return said


def _draw(done: Replay, state: Any, language: str, acts: Sequence[tuple[str, str, Any]] | None) -> None:
    from spyrium_cli.games import players_of
    from spyrium_cli.render.boards import board_of
    from spyrium_cli.render.paper import draw, grid, text
    from spyrium_cli.render.turns import awaited

    if done.is_scores_only:
        draw(text("scores only: nobody recorded the moves", "bold"))
        for player, score in zip(done.players, done.scores(), strict=True):
            draw(text(f"  {score.place}. {player} {score.total}"))
        return
    draw(*board_of(done.title.key)(done.title.view(state), players_of(done), language), text(""))
    draw(text(awaited(done.title.awaits(state), done.players), "bold"))
    if acts:
        table = grid("left", "left")
        for notation, told, _ in acts:
            table.add_row(text(f"  {notation}", "bold"), text(told))
        draw(table)
    elif acts is not None:
        draw(text("  nothing to choose"))
