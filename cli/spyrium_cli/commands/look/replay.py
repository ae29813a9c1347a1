"""`spyrium replay`: a game event by event, on a screen or as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import UNUSABLE
from spyrium_cli.options import (
    as_recorded,
    at_option,
    by_option,
    game_argument,
    light_option,
    plain_option,
    wait_option,
)
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_log.replay import Replay
    from spyrium_log.stepper import Stepper
    from spyrium_log.store import FoundGame
    from spyrium_log.title import Score

EPILOG = """\b
Examples:
  spyrium replay @last
  spyrium replay @last --at 20
  spyrium replay @last --as-recorded
  spyrium replay game.jsonl --format jsonl

At a terminal of 80 by 24 or more it is a full screen: arrows, search, guesses, variations kept as notes, and both
histories where something was corrected. --plain, a pipe or --format print sentences. Of a damaged log, the readable
part is replayed: exit code 2, or 0 where only its last line is unfinished."""

COLUMNS = ("n", "ref", "by", "at", "verb", "sentence")


@click.command("replay", cls=Command, epilog=EPILOG)
@game_argument
@at_option
@as_recorded
@plain_option
@click.option("--no-scores", is_flag=True, help="Hide the scores.")
@light_option
@by_option
@formats()
@wait_option
@pass_session
@click.pass_context
def command(
    ctx: click.Context,
    session: Session,
    log: str,
    at: int | None,
    as_recorded: bool,
    plain: bool,
    no_scores: bool,
    light: bool,
    by: str | None,
    form: str,
) -> None:
    """Replay a game event by event, with the scores after each round."""
    from spyrium_cli.games.lookup import find_game, replay_log
    from spyrium_cli.render.rows import write, write_json
    from spyrium_cli.render.surface import is_roomy
    from spyrium_log.exchange.tables import event_objects
    from spyrium_log.stepper import Stepper

    game = find_game(session, log)
    done = replay_log(game.log(), at, amended=not as_recorded, language=session.language)
    language = session.language_of(done.title, form)
    if form == "table" and is_roomy() and not plain and done.events:
        stepper = Stepper(done.log, game.notes().notes, language)
        if as_recorded:
            stepper.switch_history()
        if at is not None:
            stepper.go_to(at)
        ctx.exit(_step(session, game, stepper, scores=not no_scores, light=light, by=by))
    elif form == "table":
        _draw(done, language, scores=not no_scores)
    elif form in {"csv", "md"}:
        seats = [f"total_{seat}" for seat in range(1, len(done.players) + 1)]
        write((*COLUMNS, *seats), [_row(row) for row in event_objects(done, language)], form, null="")
    else:
        write_json(event_objects(done, language), form)
    ctx.exit(UNUSABLE if done.verdict == "unusable" else 0)


def _step(session: Session, game: FoundGame, stepper: Stepper, *, scores: bool, light: bool, by: str | None) -> int:
    """Step through the game on a full screen. Variations are kept as notes if the log has its own file."""
    from spyrium_cli.identity import game_id, now, user_name
    from spyrium_cli.tui.stepper import StepperScreen
    from spyrium_log.edit.annotate import make_note
    from spyrium_log.errors import StoreError

    folder = session.folder()
    path = game.path

    def keep(on: str, notation: Sequence[str]) -> str:
        if path is None:
            raise StoreError(f"expected a log in a file of its own to keep notes on, found {game.name}")
        variation = make_note(stepper.log, on, note_id=game_id(), by=by or user_name(), at=now(), instead=notation)
        with folder.notes_writer(path) as writer:
            note_id = writer.append(variation).id
        stepper.add_note(variation)
        return note_id

    app = StepperScreen(stepper, keep=keep, scores=scores, light=light)
    app.run()
    return app.return_code or 0


def _row(row: dict[str, Any]) -> tuple[Any, ...]:
    return (*(row[column] for column in COLUMNS), *(score.total for score in row["scores"]))


def _draw(done: Replay, language: str, *, scores: bool) -> None:
    """Draw the events as sentences, with the scores before each deal and at the end."""
    from spyrium_cli.render.paper import draw, grid, text
    from spyrium_cli.render.players import players_of
    from spyrium_cli.render.sentences import awaited_text
    from spyrium_cli.render.text import translate
    from spyrium_log.title import seat_of

    title = done.title
    if done.is_scores_only:
        points = " · ".join(f"{name} {score.total}" for name, score in zip(done.players, done.scores(), strict=True))
        draw(text(translate("show.scores-only", language)), text(points, "bold"))
        return
    state = done.state_at(len(done.events))
    styles = {player.seat: player.style for player in players_of(done.log, state)}
    table = grid("right", "left")
    starts = done.round_starts() if scores else frozenset()
    for position, (event, sentence) in enumerate(done.sentences(language), 1):
        if position in starts and position > 1:
            score = title.score(done.state_at(position - 1))
            table.add_row("", text(_standing(score, done.players, language), "bold"))
        table.add_row(text(done.name_of(event), "dim"), text(sentence, styles.get(seat_of(event.do), "")))
    if scores:
        table.add_row("", text(_standing(title.score(state), done.players, language), "bold"))
    table.add_row("", text(awaited_text(title.awaits(state), title, done.players, language)))
    draw(table)


def _standing(scores: Sequence[Score], names: Sequence[str], language: str) -> str:
    """The points of each player, and the total where it differs."""
    return " · ".join(f"{name} {_points(score, language)}" for name, score in zip(names, scores, strict=True))


def _points(score: Score, language: str) -> str:
    from spyrium_cli.render.text import minus, translate

    if score.total == score.points:
        return minus(str(score.points))
    return minus(translate("show.if-counted", language, points=score.points, total=score.total))
