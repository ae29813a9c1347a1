"""`spyrium fix reading`: record a printed value."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command
from spyrium_cli.games.writing import append_line
from spyrium_cli.options import game_argument, option, patience_of, writing
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_log.title import AnyTitle

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
@writing
def command(
    session: Session,
    log: str,
    card: str,
    what: str,
    value: str,
    keep: bool,
    sheet: str | None,
    by: str | None,
    cmd: str | None,
) -> None:
    """Record a value as it is printed on your own component."""
    from spyrium_cli.render.surface import say
    from spyrium_log.edit.asides import record_reading

    sheet = sheet or session.settings.get("sheet").value
    if keep and not sheet:
        raise click.UsageError("expected --sheet with --keep, a file for what you read; found none")
    done = append_line(session, log, partial(record_reading, value=_printed(card, what, value)), by, cmd)
    say(f"line {done.line.n}: {card} {what} is {value}, read by {done.line.by}")
    done.draw_changes(session.language_of(done.log.title))
    if keep and sheet:
        _keep(session, Path(sheet), done.log.title, done.line)


def _printed(card: str, what: str, value: str) -> Any:
    """The value as a sheet holds it: a number where it looks like one."""
    from msgspec import ValidationError, convert

    from spyrium_cli.complaint import Complaint
    from spyrium_log.sheet import Printed

    number_or_text = int(value) if re.fullmatch(r"[+-]?[0-9]{1,5}", value) else value
    try:
        return convert([card, what, number_or_text, "read"], Printed)
    except ValidationError as error:
        raise Complaint(f"expected a value as it can be printed, found that {error}") from None


def _keep(session: Session, path: Path, title: AnyTitle, line: Any) -> None:
    """Write the value into a sheet, with who read it and when."""
    from msgspec.structs import replace

    from spyrium_cli.render.surface import say
    from spyrium_log.store import take_readings

    row = replace(line.value, by=line.by, at=line.at.date().isoformat() if line.at else "")
    take_readings(path, [row], over=title.sheet(), name=NAME, patience=patience_of(session))
    say(f"kept at {path}")
