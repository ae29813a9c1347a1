"""`spyrium show`: the board, and the lines of the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click
from msgspec import structs

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import UNUSABLE, Complaint, WrongCall, call_message
from spyrium_cli.games.lookup import cut_log, read_log, replay_log
from spyrium_cli.options import as_recorded, at_option, game_argument
from spyrium_cli.render.rows import formats, translate_cells, translate_headings, write, write_json, write_object
from spyrium_cli.render.text import invented_set_text, translate
from spyrium_cli.session import Session

# What loads titles or rich stays in functions: the shell loads this module to complete a word.
if TYPE_CHECKING:
    from spyrium_log import Log, Replay
    from spyrium_log.edit.amend import AnyAct, AnyState
    from spyrium_log.edit.history import HistoryLine

EPILOG = """\b
Examples:
  spyrium show @last
  spyrium show @last --at 12 --legal
  spyrium show @last --after 5
  spyrium show @last --as-recorded
  spyrium show @last --log --at 20
  spyrium show game.jsonl --format json

csv and md have a row for each seat, or with --legal for each legal act. Of a damaged log, the readable part is shown:
exit code 2, or 0 where only its last line is unfinished."""

STYLE_BY_STATUS = {"undone": "dim", "dropped": "dim", "withdrawn": "dim", "amended": "yellow"}


class LegalAct(NamedTuple):
    """An act that is legal now, in notation and as a sentence."""

    notation: str
    sentence: str
    act: AnyAct


@click.command("show", cls=Command, epilog=EPILOG)
@game_argument
@at_option
@click.option("--after", "ref", metavar="EVENT", help="As it stands after an event, such as 57.1.")
@as_recorded
@click.option("--legal", is_flag=True, help="List the legal acts.")
@click.option("--log", "lines", is_flag=True, help="List the lines of the log, also those undone or amended.")
@formats()
@pass_session
def show_game(
    session: Session, log: str, at: int | None, ref: str | None, as_recorded: bool, legal: bool, lines: bool, form: str
) -> int:
    """Show the board, now or after any line, or list the lines of the log."""
    if lines and (ref is not None or legal or as_recorded):
        raise WrongCall("lines-alone")
    read = read_log(session, log)
    game = replay_log(read, at, amended=not as_recorded, language=session.language)
    if lines:
        _list_lines(read if at is None else cut_log(read, at + 1), session.language_of(read.title, form), form)
        return UNUSABLE if game.verdict == "unusable" else 0
    language = session.language_of(game.title, form)
    if ref is not None:
        game = _cut_game(game, ref)
    state = game.state_at(len(game.events))
    acts = _list_legal_acts(game, state, language) if legal else None
    if form in {"json", "jsonl"}:
        last = len(read.lines) - 1
        write_object(_board_object(game, last if at is None else at, state, acts), form)
    elif form in {"csv", "md"}:
        if acts is None:
            _write_seats(game, form, language)
        else:
            rows = [(act.notation, act.sentence) for act in acts]
            write(translate_headings(("notation", "sentence"), "show", form, language), rows, form)
    else:
        _draw_board(game, state, language, acts)
    return UNUSABLE if game.verdict == "unusable" else 0


def _cut_game(game: Replay, ref: str) -> Replay:
    """The game up to the event of that name; Complaint for one that does not stand."""
    from spyrium_log.replay import replay_events

    if ref not in game.position_by_name:
        raise Complaint(call_message("event-at", found=ref, place=game.log.file))
    return replay_events(game, game.events[: game.position_by_name[ref]])


def _list_legal_acts(game: Replay, state: AnyState, language: str) -> list[LegalAct]:
    """Everything that the rules allow in a state of the game, for `--legal`."""
    from spyrium_log.play import describe_act

    title, players = game.title, game.players
    return [
        LegalAct(title.words.write(state, act), describe_act(title, state, act, players, language), act)
        for act in title.legal(state)
    ]


def _board_object(game: Replay, at: int, state: AnyState, acts: Sequence[LegalAct] | None) -> dict[str, object]:
    """The board and the scores, as programs read them. `acts`: None where they were not asked for."""
    header = game.header
    players = [{"seat": n, "player": seat.player, "colour": seat.colour} for n, seat in enumerate(header.seats, 1)]
    board: dict[str, object] = {
        "game": header.game,
        "title": header.title,
        "file": game.log.file,
        "played": header.played,
        "players": players,
        "n": at,
        "awaits": game.title.awaits(state),
        "scores": game.scores(),
        "assumed": [{"seat": seat, "what": what} for seat, what in sorted(game.assumed_holdings[-1])],
        "scores_only": game.is_scores_only,
        "board": game.title.screens.view(state),
    }
    return board if acts is None else {**board, "legal": [act._asdict() for act in acts]}


def _write_seats(game: Replay, form: str, language: str) -> None:
    """Write a row for each seat: who sits there, with the points now and what a count would give."""
    from spyrium_log.colours import colour_name

    rows = [
        (
            score.seat,
            seat.player,
            colour_name(seat.colour, language),
            score.points,
            score.total,
            score.place,
            is_assumed,
        )
        for seat, (score, _, is_assumed) in zip(game.header.seats, game.list_standings(len(game.events)), strict=True)
    ]
    columns = ("seat", "player", "colour", "points", "total", "place", "assumed")
    heads = translate_headings(columns, "seats-heads", form, language)
    write(heads, rows, form, language=language)


def _draw_board(game: Replay, state: AnyState, language: str, acts: Sequence[LegalAct] | None) -> None:
    """Draw the board, what is awaited, and the legal acts if they were asked for."""
    from spyrium_cli.render.paper import draw, grid, players_of, text
    from spyrium_cli.render.sentences import awaited_text
    from spyrium_cli.titles import find_renderer

    if game.is_scores_only:
        draw(text(translate("show.scores-only", language), "bold"))
        for player, score in zip(game.players, game.scores(), strict=True):
            draw(text(f"  {score.place}. {player} {score.total}"))
        return
    players = players_of(game.log, state, game.assumed_holdings[-1])
    board = find_renderer(game.title).board(game.title.screens.view(state), players, language)
    draw(*board, text(""))
    if game.sheet.is_invented:
        draw(text(invented_set_text(game.sheet.name, language)))
    draw(text(awaited_text(game.title.awaits(state), game.title, game.players, language), "bold"))
    if acts:
        table = grid("left", "left")
        for act in acts:
            table.add_row(text(f"  {act.notation}", "bold"), text(act.sentence))
        draw(table)
    elif acts is not None:
        draw(text(f"  {translate('show.no-choice', language)}"))


def _list_lines(log: Log, language: str, form: str) -> None:
    """List the lines of a log, also those undone or amended, and what became of each."""
    from spyrium_log.catalogue import shared_words
    from spyrium_log.edit.history import HistoryLine, list_history

    lines = list_history(log, language)
    if form == "table":
        _draw_lines(lines, language)
    elif form in {"csv", "md"}:
        columns = HistoryLine.__struct_fields__
        kinds = shared_words(language)["line-kinds"]
        cells = [structs.astuple(structs.replace(line, kind=kinds[line.kind])) for line in lines]
        rows = translate_cells(columns, cells, {"status": "fates"}, form, language)
        write(translate_headings(columns, "lines-heads", form, language), rows, form, null="")
    else:
        write_json(lines, form)


def _draw_lines(lines: Iterable[HistoryLine], language: str) -> None:
    """Draw the lines; below an amended one, the event as it is now."""
    from spyrium_cli.render.paper import draw, grid, text

    table = grid("right", "left", "left", "left")
    for line in lines:
        style = STYLE_BY_STATUS.get(line.status, "")
        is_as_it_was = line.status in {"stands", "aside"}
        status = "" if is_as_it_was else translate(f"log.{line.status}", language, line=line.through)
        table.add_row(text(line.ref, "dim"), text(line.by, "dim"), text(status, style), text(line.sentence, style))
        if line.now is not None:
            table.add_row("", "", text(translate("log.now", language)), text(line.now))
    draw(table)
