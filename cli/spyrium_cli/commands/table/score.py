"""`spyrium score`: record a game by its final scores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import Complaint, WrongCall, call_message, warn
from spyrium_cli.games.headers import list_known_games
from spyrium_cli.identity import make_game_id, now, today, user_name
from spyrium_cli.options import LONGEST_ID, by_option, exact_option, option, place_option
from spyrium_cli.recording.new_game import check_length
from spyrium_cli.render.surface import tell
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_line
from spyrium_log.errors import SpyriumLogError
from spyrium_log.exchange.scored import ScoredGame, ScoredSeat, check_game, encode_scored_game
from spyrium_log.exchange.values import parse_day, parse_points, tidy
from spyrium_log.replay import replay
from spyrium_log.standings import with_declared
from spyrium_log.store import fold_name
from spyrium_log.titles import TITLES

UNKNOWN = "unknown"
_RESULT = re.compile(r"(?P<name>.*[^\s:=])(?:\s*[:=]\s*|\s+)(?P<points>[+-]?[0-9]+)", re.DOTALL)
# An id that another program gave a player: a spelling that nobody types.
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

EPILOG = """\b
Examples:
  spyrium score "Anna 63, Bob 58, Cleo 61"
  spyrium score "ann 63, bo 58" --date 2026-11-18 --place "at Bob's"

The beginning of a name is enough for a known player: one of a log of the archive, or of its players.toml. The id goes
to stdout. --date unknown leaves the day open."""


@click.command("score", cls=Command, epilog=EPILOG)
@click.argument("result")
@option("--date", "day", default="today", show_default=True)
@place_option
@option("--title", type=click.Choice(list(TITLES)), default=next(iter(TITLES)), show_default=True)
@exact_option
@by_option
@pass_session
def record_scores(
    session: Session, result: str, day: str, place: str | None, title: str, exact: bool, by: str | None
) -> None:
    """Record a game by its final scores alone.

    RESULT has the players in the order of seats, each with their points.
    """
    folder = session.folder()
    by = check_length(by or user_name(), "--by", LONGEST_ID)
    results = list(_parse_results(result))
    names = [name for name, _ in results]
    if not exact:
        known_names = {fold_name(name): name for name in sorted(folder.list_players())}
        known_names.update(folder.read_aliases().spelled)
        names = [_complete_name(name, known_names) for name in names]
    seats = tuple(ScoredSeat(player=name, points=points) for name, (_, points) in zip(names, results, strict=True))
    day_of_word: Mapping[str, str | None] = {UNKNOWN: None, "today": today()}
    played = day_of_word[day] if day in day_of_word else parse_day(day)
    game = ScoredGame(ids=(make_game_id(),), title=title, seats=seats, played=played, place=place, by=by)
    check_game(game, TITLES)
    path = folder.write_whole(encode_scored_game(game, TITLES, now()))
    write_line(game.game)
    if game.played:
        tell("said.scored", result=str(game.result), day=str(game.played), place=str(path))
    else:
        tell("said.scored-undated", result=str(game.result), place=str(path))
    for other in _find_same_results(session, game):
        warn(call_message("same-result", game=other))


def _find_same_results(session: Session, game: ScoredGame) -> Iterator[str]:
    """The latest games of that day with the same players and scores, by the names of their logs."""
    results = sorted((fold_name(seat.player), seat.points) for seat in game.seats)
    for known in list_known_games(session.archive):
        names = sorted(map(fold_name, known.players))
        if game.played is None or game.game in known.game or known.played != game.played:
            continue
        if names == [name for name, _ in results]:
            with suppress(SpyriumLogError):
                other = replay(session.folder().read_log(known.game))
                totals = [score.total for score in with_declared(other.scores(), other.declared)]
                if sorted(zip(map(fold_name, known.players), totals, strict=True)) == results:
                    yield known.game


def _parse_results(text: str) -> Iterator[tuple[str, int]]:
    """Each player's name and points in a text such as `Anna 63, Bob 58`."""
    parts = re.split(r"[,;]", text)
    if len(parts) == 1 and len(re.findall(r"\b[0-9]+\b", text)) > 1:
        raise WrongCall("commas", found=text)
    for part in parts:
        match = _RESULT.fullmatch(part.strip())
        if match is None:
            raise WrongCall("name-and-points", found=part.strip())
        yield tidy(match["name"]), parse_points(match["points"])


def _complete_name(typed: str, known_names: Mapping[str, str]) -> str:
    """The name as the archive spells it, the only one that begins so, or what was typed; the last two are said."""
    if name := known_names.get(fold_name(typed)):
        return name
    spellings = [spelling for spelling in known_names if spelling.startswith(fold_name(typed))]
    names = sorted({known_names[spelling] for spelling in spellings if not _ID.fullmatch(spelling)})
    if len(names) > 1:
        raise Complaint(call_message("one-player", begins=typed, found=", ".join(names)))
    if names:
        tell("said.is", typed=typed, name=names[0])
    else:
        tell("said.is-new", typed=typed)
    return names[0] if names else typed
