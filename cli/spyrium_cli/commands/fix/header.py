"""`spyrium fix header`: correct who played, when and where."""

from __future__ import annotations

from typing import Any

import click

from spyrium_cli.command import Command
from spyrium_cli.games.writing import GameWriter, game_writer
from spyrium_cli.options import game_argument, option, place_option, why_option
from spyrium_cli.render.surface import say
from spyrium_cli.terminal import write_line
from spyrium_log import Log
from spyrium_log.edit.asides import correct_header
from spyrium_log.exchange.values import parse_day
from spyrium_log.play import Play
from spyrium_log.transcript import names_of

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
@game_writer
def command(
    writer: GameWriter, why: str, seat: str | None, first: str | None, day: str | None, **fields: str | None
) -> None:
    """Correct who played, in which colour, who began, when and where."""
    if not any((seat, first, day, *fields.values())):
        raise click.UsageError("expected what was wrong: --seat, --first, --date or --place; found none of them")

    def correct(before: Log, **signature: Any) -> Any:
        """The line that corrects the header."""
        names = names_of(Play(before).header)
        player, colour = fields["player"], fields["colour"]
        return correct_header(
            before,
            seat=names.seat_of(seat) if seat else None,
            player=player.strip() if player is not None else None,
            colour=colour.casefold() if colour else None,
            first=names.seat_of(first) if first else None,
            played=parse_day(day) if day else None,
            place=fields["place"],
            why=why,
            **signature,
        )

    appended = writer.append(correct)
    before, after = (_header_fields(Play(log).header) for log in (appended.before, appended.log))
    for field, value in before.items():
        if value != after[field]:
            write_line(f"{field}: {value} → {after[field]}")
    appended.draw_changes()
    say(f"line {appended.line.n}: corrected")


def _header_fields(header: Any) -> dict[str, str]:
    """What can be corrected in a header, for people, by the name of the field."""
    seats = {f"seat {number}": f"{seat.player} ({seat.colour})" for number, seat in enumerate(header.seats, 1)}
    first = header.seats[header.first - 1].player
    return {**seats, "first": first, "played": header.played or "unknown", "place": header.place or "unknown"}
