"""`spyrium replay`: a game event by event, on a screen or as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from spyrium_cli import options
from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import UNUSABLE
from spyrium_cli.games.lookup import find_game, replay_log
from spyrium_cli.games.writing import Signature
from spyrium_cli.identity import make_game_id, now, user_name
from spyrium_cli.render import surface
from spyrium_cli.render.rows import formats, translate_cells, translate_headings, write, write_json
from spyrium_cli.render.text import translate, with_minus
from spyrium_cli.session import Session

# What loads titles or rich stays in functions: the shell loads this module to complete a word.
if TYPE_CHECKING:
    from spyrium_log.edit.annotate import Remark
    from spyrium_log.replay import Replay
    from spyrium_log.stepper import ShownNote, Stepper
    from spyrium_log.store import FoundGame

EPILOG = """\b
Examples:
  spyrium replay @last
  spyrium replay @last --at 20
  spyrium replay @last --as-recorded
  spyrium replay game.jsonl --format jsonl

At a terminal of 80 by 24 or more it is a full screen: arrows, search, notes, variations to try and to step through,
guesses with a score, the curve of the points, and both histories where something was corrected. F1 lists the keys.
--plain, a pipe or --format print sentences. Of a damaged log, the readable part is replayed: exit code 2, or 0 where
only its last line is unfinished."""

COLUMNS = ("n", "ref", "by", "at", "verb", "sentence")


@click.command("replay", cls=Command, epilog=EPILOG)
@options.game_argument
@options.at_option
@options.as_recorded
@options.plain_option
@click.option("--no-scores", "scores", flag_value=False, default=True, help="Hide the scores.")
@options.light_option
@options.by_option
@formats()
@options.wait_option
@pass_session
def replay_game(
    session: Session,
    log: str,
    at: int | None,
    as_recorded: bool,
    plain: bool,
    scores: bool,
    light: bool,
    by: str | None,
    form: str,
) -> int:
    """Replay a game event by event, with the scores after each round."""
    from spyrium_log.edit.annotate import list_game_remarks
    from spyrium_log.stepper import Stepper

    file = find_game(session, log)
    game = replay_log(file.log(), at, amended=not as_recorded, language=session.language)
    language = session.language_of(game.title, form)
    if form == "table" and surface.is_roomy() and not plain and game.events:
        stepper = Stepper(game.log, file.notes().notes, language)
        if as_recorded:
            stepper.switch_history()
        if at is not None:
            stepper.go_to(at)
        return _open_stepper(session, file, stepper, scores=scores, light=light, by=by)
    if form == "table":
        remarks = list_game_remarks(game, file.notes().notes)
        _draw_events(game, remarks, language, scores=scores)
    else:
        _write_events(game, language, form)
    return UNUSABLE if game.verdict == "unusable" else 0


def _write_events(game: Replay, language: str, form: str) -> None:
    """Write the events for programs: a row each with the totals of all seats, or an object with all that is known."""
    from spyrium_log.exchange.tables import event_objects

    events = event_objects(game, language)
    if form in {"csv", "md"}:
        seats = range(1, len(game.players) + 1)
        rows = ([event[column] for column in COLUMNS] + [score.total for score in event["scores"]] for event in events)
        columns = [*COLUMNS, *(f"total_{seat}" for seat in seats)]
        heads = [
            *translate_headings(COLUMNS, "replay-heads", form, language),
            *(translate("replay-heads.total", language, seat=seat) for seat in seats),
        ]
        write(heads, translate_cells(columns, rows, {"verb": "verbs"}, form, language), form, null="")
    else:
        write_json(events, form)


def _open_stepper(
    session: Session, file: FoundGame, stepper: Stepper, *, scores: bool, light: bool, by: str | None
) -> int:
    """Step through the game on a full screen; the exit code. Notes and variations go beside the log's own file."""
    from spyrium_cli.tui.stepper import StepperScreen
    from spyrium_log.edit.annotate import TypedNote, make_note
    from spyrium_log.errors import StoreError

    def write_note(on: str, typed: TypedNote, instead: Sequence[str]) -> ShownNote:
        """Append a note, or a variation as one; it is returned once it is on the disk."""
        if file.path is None:
            raise StoreError("notes-on-part", found=file.name)
        signature = Signature(by=by or user_name(), at=now())
        note = make_note(stepper.log, on, note_id=make_game_id(), **typed._asdict(), instead=instead, **signature)
        with session.folder().open_notes_writer(file.path) as writer:
            writer.append(note)
        return note

    app = StepperScreen(stepper, write=write_note, scores=scores, light=light)
    app.run()
    return app.return_code or 0


def _draw_events(game: Replay, remarks: Sequence[Remark], language: str, *, scores: bool) -> None:
    """Draw the events as sentences with their notes, and with the scores before each deal and at the end."""
    from spyrium_cli.render.paper import draw, grid, players_of, text
    from spyrium_cli.render.sentences import awaited_text
    from spyrium_log.title import seat_of

    title = game.title
    if game.is_scores_only:
        points = " · ".join(f"{name} {score.total}" for name, score in zip(game.players, game.scores(), strict=True))
        draw(text(translate("show.scores-only", language)), text(points, "bold"))
        return
    state = game.state_at(len(game.events))
    styles = {player.seat: player.style for player in players_of(game.log, state)}
    table = grid("right", "left")
    notes = _describe_notes(game, remarks, language)
    for line in notes.get("0", ()):
        table.add_row("", text(line, "italic"))
    starts = game.find_round_starts() if scores else frozenset()
    for position, (event, sentence) in enumerate(game.describe_events(language), 1):
        # before the first event there are no scores to show
        if position in starts and position > 1:
            table.add_row("", text(_scores_text(game, position - 1, language), "bold"))
        name = game.name_of(event)
        table.add_row(text(name, "dim"), text(sentence, styles.get(seat_of(event.do), "")))
        for line in notes.get(name, ()):
            table.add_row("", text(line, "italic"))
    if scores:
        table.add_row("", text(_scores_text(game, len(game.events), language), "bold"))
    table.add_row("", text(awaited_text(title.awaits(state), title, game.players, language)))
    draw(table)


def _describe_notes(game: Replay, remarks: Sequence[Remark], language: str) -> dict[str, list[str]]:
    """The notes on each event, by its name, each followed by its variation in sentences."""
    from spyrium_cli.render.sentences import note_text
    from spyrium_log.edit.annotate import describe_variation

    lines: dict[str, list[str]] = {}
    for remark in remarks:
        lines.setdefault(remark.on, []).append(note_text(remark))
        if remark.variation:
            moves = describe_variation(game.log, remark.on, remark.variation, language)
            lines.setdefault(remark.on, []).append(translate("stepper.variation", language, moves="; ".join(moves)))
    return lines


def _scores_text(game: Replay, position: int, language: str) -> str:
    """`Anna 12 (~19 if counted now) · Bob −1`; in brackets, where it differs, what a count at this event would give."""
    texts = []
    for name, standing in zip(game.players, game.list_standings(position), strict=True):
        points = standing.points
        if standing.score.total != standing.score.points:
            points = translate("show.if-counted", language, points=points, total=standing.total)
        texts.append(f"{name} {with_minus(points)}")
    return " · ".join(texts)
