"""`spyrium show`: the board, and the lines of the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import UNUSABLE, Complaint
from spyrium_cli.options import as_recorded, at_option, game_argument
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_data

if TYPE_CHECKING:
    from spyrium_log.replay import Replay

EPILOG = """\b
Examples:
  spyrium show @last
  spyrium show @last --at 12 --legal
  spyrium show @last --after 5
  spyrium show @last --as-recorded
  spyrium show @last --log --at 20
  spyrium show game.jsonl --format json

--log lists the lines as they were written, and what became of each.
csv and md have a row for each seat, or with --legal for each legal act. Of a damaged log, the readable part is shown:
exit code 2, or 0 where only its last line is unfinished."""


@click.command("show", cls=Command, epilog=EPILOG)
@game_argument
@at_option
@click.option("--after", metavar="EVENT", help="As it stands after an event, such as 57.1.")
@as_recorded
@click.option("--legal", is_flag=True, help="List the legal acts.")
@click.option("--log", "lines", is_flag=True, help="List the lines of the log, also those undone or amended.")
@formats()
@pass_session
@click.pass_context
def command(
    ctx: click.Context,
    session: Session,
    log: str,
    at: int | None,
    after: str | None,
    as_recorded: bool,
    legal: bool,
    lines: bool,
    form: str,
) -> None:
    """Show the board, now or after any line, or list the lines of the log."""
    from spyrium_cli.games.lookup import read_log, replay_log
    from spyrium_cli.render.objects import json_line, json_text
    from spyrium_log.play import sentence

    if lines and (after is not None or legal or as_recorded):
        raise click.UsageError("expected --at or --format with --log, found --after, --legal or --as-recorded")
    read = read_log(session, log)
    done = replay_log(read, at, amended=not as_recorded, language=session.language)
    if lines:
        from spyrium_cli.commands.look.history import list_lines

        list_lines(session, read, at, form)
        ctx.exit(UNUSABLE if done.verdict == "unusable" else 0)
    title = done.title
    language = session.language_of(title, form)
    if after is not None:
        done = _cut(done, after)
    state = done.state_at(len(done.events))
    acts = [
        (title.words.write(state, act), sentence(title, state, act, done.players, language), act)
        for act in (title.legal(state) if legal else ())
    ]
    if form in {"json", "jsonl"}:
        answer = _object(done, len(done.log.lines) - 1 if at is None else at, state, acts if legal else None)
        write_data(f"{json_text(answer) if form == 'json' else json_line(answer)}\n")
    elif form in {"csv", "md"}:
        _write(done, acts if legal else None, form, language)
    else:
        _draw(done, state, language, acts if legal else None)
    ctx.exit(UNUSABLE if done.verdict == "unusable" else 0)


def _cut(done: Replay, after: str) -> Replay:
    """The game up to an event that stands."""
    from spyrium_log.replay import refolded

    if after not in done.places:
        raise Complaint(f"expected an event that stands, found '{after}', at {done.log.file}")
    return refolded(done, done.events[: done.places[after]])


def _object(done: Replay, at: int, state: Any, acts: Sequence[tuple[str, str, Any]] | None) -> dict[str, Any]:
    """The board and the scores, as programs read them."""
    from spyrium_cli.render.objects import game_object

    answer = {
        **game_object(done),
        "n": at,
        "awaits": done.title.awaits(state),
        "scores": done.scores(),
        "scores_only": done.is_scores_only,
        "board": done.title.screens.view(state),
    }
    if acts is not None:
        answer["legal"] = [
            {"notation": notation, "sentence": description, "act": act} for notation, description, act in acts
        ]
    return answer


def _write(done: Replay, acts: Sequence[tuple[str, str, Any]] | None, form: str, language: str) -> None:
    """Write a row for each seat, or for each legal act."""
    from spyrium_cli.render.rows import headings, write

    if acts is not None:
        columns = headings(("notation", "sentence"), "show", form, language)
        write(columns, [(notation, description) for notation, description, _ in acts], form)
        return
    seats = zip(done.header.seats, done.scores(), strict=True)
    rows = [(score.seat, at.player, at.colour, score.points, score.total, score.place) for at, score in seats]
    columns = ("seat", "player", "colour", "points", "total", "place")
    write(headings(columns, "show", form, language), rows, form)


def _draw(done: Replay, state: Any, language: str, acts: Sequence[tuple[str, str, Any]] | None) -> None:
    """Draw the board, what is awaited, and the legal acts if they are wanted."""
    from spyrium_cli.render.paper import draw, grid, text
    from spyrium_cli.render.players import players_of
    from spyrium_cli.render.sentences import awaited_text
    from spyrium_cli.render.text import translate
    from spyrium_cli.titles import renderer

    if done.is_scores_only:
        draw(text(translate("show.scores-only", language), "bold"))
        for player, score in zip(done.players, done.scores(), strict=True):
            draw(text(f"  {score.place}. {player} {score.total}"))
        return
    board = renderer(done.title).board(done.title.screens.view(state), players_of(done.log, state), language)
    draw(*board, text(""))
    draw(text(awaited_text(done.title.awaits(state), done.title, done.players, language), "bold"))
    if acts:
        table = grid("left", "left")
        for notation, description, _ in acts:
            table.add_row(text(f"  {notation}", "bold"), text(description))
        draw(table)
    elif acts is not None:
        draw(text(f"  {translate('show.no-choice', language)}"))
