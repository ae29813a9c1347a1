"""`spyrium undo`: take back events."""

from __future__ import annotations

import click
from msgspec.structs import replace

from spyrium_cli.command import Command
from spyrium_cli.commands.table.play import describe_next
from spyrium_cli.complaint import Complaint, Refusal
from spyrium_cli.games.writing import cut_log, find_repeated_line, open_writer
from spyrium_cli.identity import now, scribe
from spyrium_cli.options import at_option, game_argument, option, writing
from spyrium_cli.render.surface import say
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_line

EPILOG = """\b
Examples:
  spyrium undo
  spyrium undo --at 12 --why "two moves were missed"

Nothing is deleted: undo is a line too. To take an undo back, undo with --at the line before it."""


@click.command("undo", cls=Command, epilog=EPILOG)
@game_argument
@at_option
@option("--why")
@writing
def command(session: Session, log: str, at: int | None, why: str | None, by: str | None, cmd: str | None) -> None:
    """Take back the last event, or all events after a line."""
    # loads titles; the shell loads this module to complete a word
    from spyrium_log.play import Play
    from spyrium_log.replay import replay

    with open_writer(session, log) as writer:
        repeated = find_repeated_line(writer.log, cmd)
        table = Play(writer.log if repeated is None else cut_log(writer.log, repeated))
        last = len(table.log.lines) - 1
        if at is None and not table.list_events():
            raise Refusal("expected an event to take back, found none")
        if at is not None and at > last:
            raise Complaint(f"expected a line from 0 to {last}, found {at}")
        line = writer.append(replace(table.make_undo_line(at, by=by or scribe(), at=now(), why=why), cmd=cmd))
        undone_table = Play(cut_log(writer.log, line.n + 1))
    language = session.language_of(table.title)
    before, after = (replay(game.log, audit=False).sentences_by_event(language) for game in (table, undone_table))
    for verb, events, others in (("took back", before, after), ("brought back", after, before)):
        for name in (name for name in events if name not in others):
            write_line(f"{verb} {name:>4}  {events[name]}")
    say(describe_next(undone_table, language))
