"""`spyrium score`: a game in one line, its final scores."""

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
_SAID = re.compile(r"(?P<name>.*[^\s:=])(?:\s*[:=]\s*|\s+)(?P<points>[+-]?[0-9]+)", re.DOTALL)
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

EPILOG = """\b
Examples:
  spyrium score "Anna 63, Bob 58, Cleo 61"
  spyrium score "ann 63, bo 58" --date 2026-11-18 --place "at Bob's"

A name may be begun only, where one known player's name begins so: whoever sits in a log of the archive, or stands in
its players.toml. The id goes to stdout."""


@click.command("score", cls=Command, epilog=EPILOG)
@click.argument("result")
@option("--date", "day", default="today", show_default=True)
@place_option
@option("--title", type=click.Choice(list(TITLES)), default=next(iter(TITLES)), show_default=True)
@option("--exact", "as_typed", is_flag=True)
@by_option
@pass_session
def command(
    session: Session, result: str, day: str, place: str | None, title: str, as_typed: bool, by: str | None
) -> None:
    """Record a game by its final scores alone.

    RESULT names the players in the order of seats, each with their points.
    """
    from spyrium_cli.identity import game_id, now, user_name
    from spyrium_cli.render.surface import say
    from spyrium_log.exchange.scored import ScoredGame, ScoredSeat, check_game, log_bytes

    folder = session.folder()
    scribe_ = by or user_name()
    if len(scribe_) > LONGEST_ID:
        raise click.UsageError(f"expected at most {LONGEST_ID} characters in --by, found {len(scribe_)}")
    said = list(_said(result))
    names = [name for name, _ in said]
    if not as_typed:
        names = _completed(names, sorted(folder.players()), folder.aliases().spelled)
    seats = tuple(ScoredSeat(player=name, points=n) for name, (_, n) in zip(names, said, strict=True))
    game = ScoredGame(ids=(game_id(),), title=title, seats=seats, played=_day(day), place=place, by=scribe_)
    check_game(game, TITLES)
    path = folder.write_whole(log_bytes(game, TITLES, now()))
    write_line(game.game)
    say(f"{game.result}; {game.played or 'on an unknown day'}; at {path}")


def _said(result: str) -> Iterator[tuple[str, int]]:
    from spyrium_log.exchange.values import parse_points, tidy

    parts = re.split(r"[,;]", result)
    if len(parts) == 1 and len(re.findall(r"\b[0-9]+\b", result)) > 1:
        raise click.UsageError(f"expected commas between the players, as in 'Anna 63, Bob 58', found '{result}'")
    for part in parts:
        found = _SAID.fullmatch(part.strip())
        if found is None:
            raise click.UsageError(f"expected a name and points, such as Anna 63, found '{part.strip()}'")
        yield tidy(found["name"]), parse_points(found["points"])


def _completed(names: Sequence[str], known: Sequence[str], aliases: Mapping[str, str]) -> list[str]:
    """Each name as the archive has it. Who is new, and who was only begun, is said."""
    from spyrium_cli.render.surface import say
    from spyrium_log.store import folded

    here = {**{folded(name): name for name in known}, **aliases}
    whole = []
    for name in names:
        begun = sorted({here[spelling] for spelling in here if _begins(spelling, folded(name))})
        if folded(name) in here:
            whole.append(here[folded(name)])
        elif len(begun) > 1:
            found = f"found {', '.join(begun)} (--exact takes it as it is)"
            raise Complaint(f"expected one player whose name begins with '{name}', {found}")
        else:
            say(f"{name} is {begun[0]}" if begun else f"{name} is new here")
            whole.append(begun[0] if begun else name)
    return whole


def _begins(spelling: str, said: str) -> bool:
    """An id that another program gave somebody is a spelling, but no name that anybody would begin."""
    return spelling.startswith(said) and not _ID.fullmatch(spelling)


def _day(said: str) -> str | None:
    from spyrium_cli.identity import today
    from spyrium_log.exchange.values import parse_day

    return None if said == UNKNOWN else today() if said == "today" else parse_day(said)
