"""`spyrium score`: record a game by its final scores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import Complaint
from spyrium_cli.options import LONGEST_ID, by_option, option, place_option
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_line
from spyrium_log.titles import TITLES

UNKNOWN = "unknown"
_RESULT = re.compile(r"(?P<name>.*[^\s:=])(?:\s*[:=]\s*|\s+)(?P<points>[+-]?[0-9]+)", re.DOTALL)
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
@option("--exact", is_flag=True)
@by_option
@pass_session
def command(
    session: Session, result: str, day: str, place: str | None, title: str, exact: bool, by: str | None
) -> None:
    """Record a game by its final scores alone.

    RESULT has the players in the order of seats, each with their points.
    """
    from spyrium_cli.identity import game_id, now, user_name
    from spyrium_cli.render.surface import say
    from spyrium_log.exchange.scored import ScoredGame, ScoredSeat, check_game, log_bytes

    folder = session.folder()
    scribe_ = by or user_name()
    if len(scribe_) > LONGEST_ID:
        raise click.UsageError(f"expected at most {LONGEST_ID} characters in --by, found {len(scribe_)}")
    results = list(_results(result))
    names = [name for name, _ in results]
    if not exact:
        names = _completed(names, sorted(folder.players()), folder.aliases().spelled)
    seats = tuple(ScoredSeat(player=name, points=n) for name, (_, n) in zip(names, results, strict=True))
    game = ScoredGame(ids=(game_id(),), title=title, seats=seats, played=_day(day), place=place, by=scribe_)
    check_game(game, TITLES)
    path = folder.write_whole(log_bytes(game, TITLES, now()))
    write_line(game.game)
    say(f"{game.result}; {game.played or 'on an unknown day'}; at {path}")


def _results(result: str) -> Iterator[tuple[str, int]]:
    """Each player's name and points in a text such as `Anna 63, Bob 58`."""
    from spyrium_log.exchange.values import parse_points, tidy

    parts = re.split(r"[,;]", result)
    if len(parts) == 1 and len(re.findall(r"\b[0-9]+\b", result)) > 1:
        raise click.UsageError(f"expected commas between the players, as in 'Anna 63, Bob 58', found '{result}'")
    for part in parts:
        match = _RESULT.fullmatch(part.strip())
        if match is None:
            raise click.UsageError(f"expected a name and points, such as Anna 63, found '{part.strip()}'")
        yield tidy(match["name"]), parse_points(match["points"])


def _completed(names: Sequence[str], known: Sequence[str], aliases: Mapping[str, str]) -> list[str]:
    """Each name as the archive spells it; says which names it completed, and which are new."""
    from spyrium_cli.render.surface import say
    from spyrium_log.store import fold_name

    known_names = {**{fold_name(name): name for name in known}, **aliases}
    completed = []
    for name in names:
        matching = sorted({known_names[spelling] for spelling in known_names if _begins(spelling, fold_name(name))})
        if fold_name(name) in known_names:
            completed.append(known_names[fold_name(name)])
        elif len(matching) > 1:
            hint = f"found {', '.join(matching)} (--exact takes it as it is)"
            raise Complaint(f"expected one player whose name begins with '{name}', {hint}")
        else:
            say(f"{name} is {matching[0]}" if matching else f"{name} is new here")
            completed.append(matching[0] if matching else name)
    return completed


def _begins(spelling: str, typed: str) -> bool:
    """Whether a spelling begins so; ids of other programs are spellings that nobody types."""
    return spelling.startswith(typed) and not _ID.fullmatch(spelling)


def _day(text: str) -> str | None:
    from spyrium_cli.identity import today
    from spyrium_log.exchange.values import parse_day

    return None if text == UNKNOWN else today() if text == "today" else parse_day(text)
