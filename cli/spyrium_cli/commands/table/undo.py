"""`spyrium undo`: take back events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from spyrium_cli.command import Command
from spyrium_cli.complaint import Complaint, Refusal
from spyrium_cli.options import at_option, game_argument, option, writing
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_line

if TYPE_CHECKING:
    from spyrium_log.play import Play

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
    from msgspec.structs import replace

    from spyrium_cli.commands.table.play import next_of
    from spyrium_cli.games.writing import cut_log, find_repeated_line, open_writer
    from spyrium_cli.identity import now, scribe
    from spyrium_cli.render.surface import say
    from spyrium_log.play import Play

    with open_writer(session, log) as writer:
        first = find_repeated_line(writer.log, cmd)
        table = Play(writer.log if first is None else cut_log(writer.log, first))
        _check(table, at)
        language = session.language_of(table.title)
        before = dict(_sentences(table, language))
        line = writer.append(replace(table.undo_line(at, by=by or scribe(), at=now(), why=why), cmd=cmd))
        table = Play(cut_log(writer.log, line.n + 1))
        after = dict(_sentences(table, language))
    for word, events, kept in (("took back", before, after), ("brought back", after, before)):
        for ref in (ref for ref in events if ref not in kept):
            write_line(f"{word} {ref:>4}  {events[ref]}")
    say(next_of(table, language))


def _check(table: Play, at: int | None) -> None:
    last = len(table.log.lines) - 1
    if at is None and not table.events():
        raise Refusal("expected an event to take back, found none")
    if at is not None and at > last:
        raise Complaint(f"expected a line from 0 to {last}, found {at}")


def _sentences(table: Play, language: str) -> list[tuple[str, str]]:
    from spyrium_log.replay import replay

    done = replay(table.log, audit=False)
    return [(done.name_of(event), sentence) for event, sentence in done.sentences(language)]
