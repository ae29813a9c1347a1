"""`spyrium replay`: a game as sentences, with the scores after each round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.complaint import UNUSABLE
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session, Verb, as_recorded, pass_session

if TYPE_CHECKING:
    from spyrium_log.replay import Replay
    from spyrium_log.title import Score

EPILOG = """\b
Examples:
  spyrium replay @last
  spyrium replay @last --at 20
  spyrium replay @last --as-recorded
  spyrium replay game.jsonl --format jsonl

Of a damaged log what can be read is told. Exit code 2 then, but 0 where only its end was never finished."""

COLUMNS = ("n", "ref", "by", "at", "verb", "sentence")


@click.command("replay", cls=Verb, epilog=EPILOG)
@click.argument("log")
@click.option("--at", type=click.IntRange(min=0), metavar="N", help="As it stood after line N.")
@as_recorded
@formats()
@pass_session
@click.pass_context
def command(ctx: click.Context, session: Session, log: str, at: int | None, as_recorded: bool, form: str) -> None:
    """Tell a game event by event, with the scores after each round."""
    from spyrium_cli.games import read_log, replayed
    from spyrium_cli.render.rows import write, write_json

    done = replayed(read_log(session, log), at, amended=not as_recorded)
    language = session.language_of(done.title)
    if form == "table":
        _tell(done, language)
    elif form in {"csv", "md"}:
        seats = [f"total_{seat}" for seat in range(1, len(done.players) + 1)]
        write((*COLUMNS, *seats), [_row(said) for said in _said(done, language)], form, null="")
    else:
        write_json(_said(done, language), form)
    ctx.exit(UNUSABLE if done.verdict == "unusable" else 0)


def _row(said: dict[str, Any]) -> tuple[Any, ...]:
    return (*(said[column] for column in COLUMNS), *(score.total for score in said["scores"]))


def _said(done: Replay, language: str) -> Iterator[dict[str, Any]]:
    """Every standing event, what it moved, and how everybody stands after it."""
    title = done.title
    for index, (event, sentence) in enumerate(done.sentences(language), 1):
        yield {
            "n": event.n,
            "ref": done.name_of(event),
            "by": event.by,
            "at": event.at,
            "verb": title.verb(event.do),
            "sentence": sentence,
            "act": event.do,
            "moved": event.moved,
            "facts": event.facts,
            "scores": title.score(done.state_at(index)),
        }


def _tell(done: Replay, language: str) -> None:
    from spyrium_cli.games import players_of
    from spyrium_cli.render.paper import draw, grid, text
    from spyrium_cli.render.turns import awaited

    title = done.title
    if done.is_scores_only:
        points = " · ".join(f"{name} {score.total}" for name, score in zip(done.players, done.scores(), strict=True))
        draw(text("scores only: nobody recorded the moves"), text(points, "bold"))
        return
    styles = {player.seat: player.style for player in players_of(done)}
    told = grid("right", "left")
    for index, (event, sentence) in enumerate(done.sentences(language)):
        if index and title.verb(event.do) in {"deal", "final"}:
            told.add_row("", text(_standing(title.score(done.state_at(index)), done.players), "bold"))
        told.add_row(text(done.name_of(event), "dim"), text(sentence, styles.get(getattr(event.do, "seat", 0), "")))
    state = done.state_at(len(done.events))
    told.add_row("", text(_standing(title.score(state), done.players), "bold"))
    told.add_row("", text(awaited(title.awaits(state), done.players)))
    draw(told)


def _standing(scores: Sequence[Score], names: Sequence[str]) -> str:
    """Everybody's points; what they would be, counted now, where that is more."""
    return " · ".join(
        f"{name} {score.points}" + (f" ({score.total} if counted now)" if score.total != score.points else "")
        for name, score in zip(names, scores, strict=True)
    )
