"""Logs by the names that people give them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from spyrium_cli.complaint import Complaint
from spyrium_cli.render.paper import say
from spyrium_cli.render.players import Player, players
from spyrium_cli.render.text import counted

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log.replay import Replay

STDIN = "-"


def read_log(session: Session, name: str) -> Any:
    """The log of that name, from the archive, a path or stdin."""
    if name == STDIN:
        from spyrium_log.store import read_stream

        return read_stream(sys.stdin.buffer, "<stdin>")
    folder = session.folder()
    return folder.read(folder.resolve(name))


def players_of(done: Replay) -> list[Player]:
    seats = done.header.seats
    return players([seat.player for seat in seats], [seat.colour for seat in seats])


def replayed(log: Any, at: int | None = None) -> Replay:
    """The game as it stands, or as it stood after line `at`."""
    from spyrium_log.replay import replay

    last = len(log.lines) - 1
    if at is not None and at > last:
        raise Complaint(f"expected a line from 0 to {last}, found {at}, at {log.file}")
    if log.complaint is not None:
        say(f"only the first {counted(len(log.lines), 'line')} can be read: {log.complaint}")
    return replay(log, until=at, audit=False)
