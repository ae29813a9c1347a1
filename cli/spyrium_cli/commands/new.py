"""`spyrium new`: the header of a log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import IO, TYPE_CHECKING, Any, get_args

import click

from spyrium_cli.session import LONGEST_WORD, Session, Verb, pass_session

if TYPE_CHECKING:
    from spyrium_log.title import AnyTitle

TITLE = "spyrium"
# As long as the log takes it.
LONGEST_TEXT = 500

EPILOG = """\b
Example:
  spyrium new --players "Anna,Bob,Cy" --colours "red,blue,green" --first Bob --option tie=shared

The id goes to stdout, so that a script can keep it; where the log lies goes to stderr."""


@click.command("new", cls=Verb, epilog=EPILOG)
@click.option("--players", required=True, help="Names in the order of seats, with commas between.")
@click.option("--colours", default="", help="Their colours, in the same order.")
@click.option("--first", default="1", show_default=True, help="Who begins: name, colour or seat.")
@click.option("--played", help="The day it was played, as 2026-11-18, or today.")
@click.option("--place", help="Where.")
@click.option("--by", envvar="SPYRIUM_BY", show_envvar=True, help="Who records; your login if not said.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A reading of the rules (S-11).")
@click.option(
    "--sheet",
    type=click.File("r", encoding="utf-8"),
    envvar="SPYRIUM_SHEET",
    show_envvar=True,
    help="Your own component sheet (TOML), over the one that ships.",
)
@pass_session
def command(
    session: Session,
    players: str,
    colours: str,
    first: str,
    played: str | None,
    place: str | None,
    by: str | None,
    options: Sequence[str],
    sheet: IO[str] | None,
) -> None:
    """Start the log of a game."""
    from spyrium_cli.identity import game_id, now, scribe, today
    from spyrium_cli.render.paper import say
    from spyrium_cli.spoken import seat_of
    from spyrium_log.play import header
    from spyrium_log.sheet import parse_sheet
    from spyrium_log.titles import TITLES

    title = TITLES[TITLE]
    names = _names(title, players)
    pieces = _colours(title, colours, len(names))
    line = header(
        title,
        game=game_id(),
        players=names,
        colours=pieces,
        first=seat_of(first, names, pieces),
        by=_short(by or scribe(), "--by", LONGEST_WORD),
        at=now(),
        options=_readings(title, options),
        sheet=title.sheet().owned(parse_sheet(sheet.read(), sheet.name)) if sheet else None,
        played=_day(played, today()),
        place=_short(place, "--place", LONGEST_TEXT) if place else None,
    )
    path = session.folder().create(line)
    click.echo(line.game)
    say(f"a log for {', '.join(names)} at {path}")


def _names(title: AnyTitle, said: str) -> list[str]:
    names = [_short(name.strip(), "--players", LONGEST_WORD) for name in said.split(",")]
    if "" in names:
        raise click.UsageError(f"expected a name between every two commas, found '{said}'")
    if len(names) not in title.seats:
        few, many = title.seats[0], title.seats[-1]
        raise click.UsageError(f"expected {few} to {many} players, found {len(names)}")
    if twice := {name for name in names if [other.casefold() for other in names].count(name.casefold()) > 1}:
        raise click.UsageError(f"expected a name for each player alone, found '{min(twice)}' twice")
    return names


def _colours(title: AnyTitle, said: str, seats: int) -> list[str]:
    """What was said, then what is left in the box."""
    colours = [colour.strip().casefold() for colour in said.split(",")] if said else []
    for at, colour in enumerate(colours):
        if colour not in title.colours:
            raise click.UsageError(f"expected a colour of {', '.join(title.colours)}, found '{colour}'")
        if colour in colours[:at]:
            raise click.UsageError(f"expected a colour for each player alone, found '{colour}' twice")
    if len(colours) > seats:
        raise click.UsageError(f"expected at most {seats} colours for {seats} players, found {len(colours)}")
    return [*colours, *(colour for colour in title.colours if colour not in colours)][:seats]


def _short(said: str, option: str, most: int) -> str:
    if len(said) > most:
        raise click.UsageError(f"expected at most {most} characters in {option}, found {len(said)}")
    return said


def _day(said: str | None, today: str) -> str | None:
    if said is None or said == "today":
        return said and today
    try:
        day = date.fromisoformat(said).isoformat()
    except ValueError:
        day = ""
    # Python reads other spellings of a day, too.
    if day != said:
        raise click.UsageError(f"expected a day as 2026-11-18, or today, in --played, found '{said}'")
    return day


# --- readings of the rules -----------------------------------------------------------------------


def _readings(title: AnyTitle, said: Sequence[str]) -> Any:
    """The options of this table, each checked by name against what the title knows."""
    from msgspec import convert
    from msgspec.structs import fields

    known = {field.encode_name: [str(word) for word in get_args(field.type)] for field in fields(title.options)}
    readings: dict[str, str] = {}
    for option in said:
        name, equals, value = option.partition("=")
        if not equals or name not in known:
            raise click.UsageError(f"expected NAME=VALUE with a name of {', '.join(known)}; found '{option}'")
        if value not in known[name]:
            raise click.UsageError(f"expected {' or '.join(known[name])} for '{name}', found '{value}'")
        readings[name] = value
    return convert(readings, title.options)
