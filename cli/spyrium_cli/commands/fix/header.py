"""`spyrium fix header`: correct who played, when and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command
from spyrium_cli.games.writing import append_line
from spyrium_cli.options import game_argument, option, place_option, why_option, writing
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_line

if TYPE_CHECKING:
    from spyrium_log import Log

EPILOG = """\b
Examples:
  spyrium fix header --seat bob --name Bobby --why "so he is called"
  spyrium fix header --date 2026-11-18 --place "the club" --why "it was missing"
  spyrium fix header --first cy --why "the scribe slipped"

Players cannot change seats in this way: that is another game."""


@click.command("header", cls=Command, epilog=EPILOG)
@game_argument
@click.option("--seat", metavar="WHO", help="The seat to correct: a name, a colour or a number.")
@click.option("--name", "player", help="The right name of the player.")
@click.option("--colour", help="The right colour of the seat.")
@option("--first", metavar="WHO")
@option("--date", "day")
@place_option
@why_option
@writing
def command(
    session: Session,
    log: str,
    seat: str | None,
    player: str | None,
    colour: str | None,
    first: str | None,
    day: str | None,
    place: str | None,
    why: str,
    by: str | None,
    cmd: str | None,
) -> None:
    """Correct who played, in which colour, who began, when and where."""
    from spyrium_cli.render.surface import say
    from spyrium_log.edit.asides import correct_header
    from spyrium_log.exchange.values import parse_day
    from spyrium_log.play import Play
    from spyrium_log.transcript import names_of

    if not any((seat, player, colour, first, day, place)):
        raise click.UsageError("expected what was wrong: --seat, --first, --date or --place; found none of them")

    def correct(before: Log, **signature: Any) -> Any:
        names = names_of(Play(before).header)
        return correct_header(
            before,
            seat=names.seat_of(seat) if seat else None,
            player=player.strip() if player is not None else None,
            colour=colour.casefold() if colour else None,
            first=names.seat_of(first) if first else None,
            played=parse_day(day) if day else None,
            place=place,
            why=why,
            **signature,
        )

    done = append_line(session, log, correct, by, cmd)
    before, after = (_fields(Play(each).header) for each in (done.before, done.log))
    for (field, was), (_, now) in zip(before, after, strict=True):
        if was != now:
            write_line(f"{field}: {was} → {now}")
    done.draw_changes(session.language_of(done.log.title))
    say(f"line {done.line.n}: corrected")


def _fields(header: Any) -> list[tuple[str, str]]:
    """What can be corrected in a header, for people."""
    return [
        *((f"seat {number}", f"{seat.player} ({seat.colour})") for number, seat in enumerate(header.seats, 1)),
        ("first", header.seats[header.first - 1].player),
        ("played", header.played or "unknown"),
        ("place", header.place or "unknown"),
    ]
