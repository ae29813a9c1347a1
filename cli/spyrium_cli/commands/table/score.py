"""`spyrium score`: record a game by its final scores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.commands.table.new import check_length
from spyrium_cli.complaint import Complaint, WrongCall, call_message
from spyrium_cli.identity import make_game_id, now, today, user_name
from spyrium_cli.options import LONGEST_ID, by_option, exact_option, option, place_option
from spyrium_cli.render.surface import tell
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_line
from spyrium_log.exchange.scored import ScoredGame, ScoredSeat, check_game, encode_scored_game
from spyrium_log.exchange.values import parse_day, parse_points, tidy
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
        names = _complete_names(names, sorted(folder.list_players()), folder.read_aliases().spelled)
    seats = tuple(ScoredSeat(player=name, points=points) for name, (_, points) in zip(names, results, strict=True))
    played = None if day == UNKNOWN else today() if day == "today" else parse_day(day)
    game = ScoredGame(ids=(make_game_id(),), title=title, seats=seats, played=played, place=place, by=by)
    check_game(game, TITLES)
    path = folder.write_whole(encode_scored_game(game, TITLES, now()))
    write_line(game.game)
    if game.played:
        tell("said.scored", result=str(game.result), day=str(game.played), place=str(path))
    else:
        tell("said.scored-undated", result=str(game.result), place=str(path))


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


def _complete_names(names: Sequence[str], known: Sequence[str], aliases: Mapping[str, str]) -> list[str]:
    """Each name as the archive spells it; says which names it completed, and which are new."""
    known_names = {**{fold_name(name): name for name in known}, **aliases}
    return [known_names.get(fold_name(name)) or _complete_name(name, known_names) for name in names]


def _complete_name(typed: str, known_names: Mapping[str, str]) -> str:
    """The only known name that begins so, by its folded spellings; the name as typed where none does."""
    begun = [spelling for spelling in known_names if spelling.startswith(fold_name(typed))]
    names = sorted({known_names[spelling] for spelling in begun if not _ID.fullmatch(spelling)})
    if len(names) > 1:
        raise Complaint(call_message("one-player", begins=typed, found=", ".join(names)))
    if names:
        tell("said.is", typed=typed, name=names[0])
    else:
        tell("said.is-new", typed=typed)
    return names[0] if names else typed
