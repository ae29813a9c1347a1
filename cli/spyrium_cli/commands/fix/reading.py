"""`spyrium fix reading`: a value as it is printed, read off the component itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Command
from spyrium_cli.games.writing import append_line
from spyrium_cli.options import game_argument, option, patience_of, writing
from spyrium_cli.session import Session

if TYPE_CHECKING:
    from spyrium_log import Log

EPILOG = """\b
Examples:
  spyrium fix reading @last mine-1 price 4
  spyrium fix reading @last mine-1 price 4 --keep --sheet own.toml

It counts for this game, over the sheet that the log carries; --keep writes it into your own sheet too, which new
games start from (spyrium new --sheet). `spyrium sheet cards` lists the components and their
values. What this changes is told."""

NAME = "my own"


@click.command("reading", cls=Command, epilog=EPILOG)
@game_argument
@click.argument("card")
@click.argument("what")
@click.argument("value")
@click.option("--keep", is_flag=True, help="Write it into your own sheet, too.")
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
    from spyrium_cli.identity import now, scribe
    from spyrium_cli.render import changes
    from spyrium_cli.render.surface import say
    from spyrium_cli.render.text import reader_of
    from spyrium_log.edit.amend import changes as changed
    from spyrium_log.edit.asides import reading
    from spyrium_log.play import Play

    sheet = sheet or session.settings.value("sheet")
    if keep and not sheet:
        raise click.UsageError("expected --sheet with --keep, a file for what you read; found none")

    def make(before: Log) -> Any:
        return reading(before, _printed(card, what, value), by=by or scribe(), at=now())

    done = append_line(session, log, make, cmd)
    table = Play(done.log)
    say(f"line {done.line.n}: {card} {what} is {value}, read by {done.line.by}")
    told = changed(done.before, done.line)
    if told.came or told.went or told.amounts or told.before != told.after:
        names = [at.player for at in table.header.seats]
        changes.draw_changes(told, reader_of(table.title, names, session.language_of(table.title)))
    if keep and sheet:
        _keep(session, Path(sheet), table, done.line)


def _printed(card: str, what: str, value: str) -> Any:
    """A value is a number where it looks like one."""
    from msgspec import ValidationError, convert

    from spyrium_cli.complaint import Complaint
    from spyrium_log.sheet import Printed

    said = int(value) if re.fullmatch(r"[+-]?[0-9]{1,5}", value) else value
    try:
        return convert([card, what, said, "read"], Printed)
    except ValidationError as error:
        raise Complaint(f"expected a value as it can be printed, found that {error}") from None


def _keep(session: Session, path: Path, table: Any, line: Any) -> None:
    """Who read it and when stands with it."""
    from msgspec.structs import replace

    from spyrium_cli.render.surface import say
    from spyrium_log.store import take_readings

    day = line.at.date().isoformat() if line.at else ""
    row = replace(line.value, by=line.by, at=day)
    take_readings(path, [row], over=table.title.sheet(), name=NAME, patience=patience_of(session))
    say(f"kept at {path}")
