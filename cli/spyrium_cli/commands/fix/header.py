"""`spyrium fix header`: the header was wrong about who, when or where."""

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
  spyrium fix header @last --seat bob --name Bobby --why "so he is called"
  spyrium fix header @last --date 2026-11-18 --place "the club" --why "it was missing"
  spyrium fix header @last --first cy --why "the scribe slipped"

Seats cannot change places so: then somebody recorded another game. What this changes is told."""


@click.command("header", cls=Command, epilog=EPILOG)
@game_argument
@click.option("--seat", metavar="WHO", help="Whose seat: a name, a colour or a number.")
@click.option("--name", "player", help="The right name of the player.")
@click.option("--colour", help="In which colour.")
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
    from spyrium_cli.identity import now, scribe
    from spyrium_cli.render import changes
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import reader_of
    from spyrium_log.edit.amend import changes as changed
    from spyrium_log.edit.asides import correction
    from spyrium_log.exchange.values import parse_day
    from spyrium_log.play import Play
    from spyrium_log.transcript import names_of

    if not any((seat, player, colour, first, day, place)):
        raise click.UsageError("expected what was wrong: --seat, --first, --date or --place; found none of them")

    def make(before: Log) -> Any:
        names = names_of(Play(before).header)
        return correction(
            before,
            seat=names.seat_of(seat) if seat else None,
            player=player.strip() if player is not None else None,
            colour=colour.casefold() if colour else None,
            first=names.seat_of(first) if first else None,
            played=parse_day(day) if day else None,
            place=place,
            why=why,
            by=by or scribe(),
            at=now(),
        )

    done = append_line(session, log, make, cmd)
    table = Play(done.log)
    for what, was, is_now in _said(Play(done.before).header, table.header):
        write_line(f"{what}: {was} → {is_now}")
    told = changed(done.before, done.line)
    if told.came or told.went or told.amounts or told.before != told.after:
        names = [at.player for at in table.header.seats]
        changes.draw_changes(told, reader_of(table.title, names, session.language_of(table.title)))
    say(f"line {done.line.n}: corrected")


def _said(was: Any, is_now: Any) -> list[tuple[str, str, str]]:
    """What the header said, and what it says now."""
    pairs = [
        *((f"seat {n}", _seat(a), _seat(b)) for n, (a, b) in enumerate(zip(was.seats, is_now.seats, strict=True), 1)),
        ("first", was.seats[was.first - 1].player, is_now.seats[is_now.first - 1].player),
        ("played", was.played or "unknown", is_now.played or "unknown"),
        ("place", was.place or "unknown", is_now.place or "unknown"),
    ]
    return [(what, a, b) for what, a, b in pairs if a != b]


def _seat(seat: Any) -> str:
    return f"{seat.player} ({seat.colour})"
