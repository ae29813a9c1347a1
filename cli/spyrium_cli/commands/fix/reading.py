"""`spyrium fix reading`: record a printed value."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec import ValidationError, convert, structs

from spyrium_cli.command import Command
from spyrium_cli.complaint import Complaint
from spyrium_cli.games.writing import GameWriter, game_writer
from spyrium_cli.options import game_argument, option, patience_of
from spyrium_cli.render.surface import say
from spyrium_log.edit.asides import record_reading
from spyrium_log.sheet import Printed
from spyrium_log.store import write_readings

EPILOG = """\b
Examples:
  spyrium fix reading mine-1 price 4
  spyrium fix reading mine-1 price 4 --keep --sheet own.toml

The value counts for this game. With --keep it goes into your own sheet too, which new games start from. `spyrium sheet
cards` lists the components and their values."""

NAME = "my own"


@click.command("reading", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("card")
@click.argument("what")
@click.argument("value")
@click.option("--keep", is_flag=True, help="Write the value into your own sheet, too.")
@option("--sheet", type=click.Path(dir_okay=False), envvar="SPYRIUM_SHEET", show_envvar=True)
@game_writer
def command(writer: GameWriter, card: str, what: str, value: str, keep: bool, sheet: str | None) -> None:
    """Record a value as it is printed on your own component."""
    sheet = sheet or writer.session.settings.get("sheet").value
    if keep and not sheet:
        raise click.UsageError("expected --sheet with --keep, a file for what you read; found none")
    appended = writer.append(partial(record_reading, value=_read_printed(card, what, value)))
    line = appended.line
    say(f"line {line.n}: {card} {what} is {value}, read by {line.by}")
    appended.draw_changes()
    if keep and sheet:
        row = structs.replace(line.value, by=line.by, at=line.at.date().isoformat() if line.at else "")
        over = appended.log.title.sheet()
        write_readings(Path(sheet), [row], over=over, name=NAME, patience=patience_of(writer.session))
        say(f"kept at {sheet}")


def _read_printed(card: str, what: str, value: str) -> Any:
    """The value as a sheet holds it: a number where it looks like one."""
    number_or_text = int(value) if re.fullmatch(r"[+-]?[0-9]{1,5}", value) else value
    try:
        return convert([card, what, number_or_text, "read"], Printed)
    except ValidationError as error:
        raise Complaint(f"expected a value as it can be printed, found that {error}") from None
