"""Logs by the names that people give them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spyrium_cli.complaint import Complaint, Refusal
from spyrium_cli.complete import latest
from spyrium_cli.render.paper import say
from spyrium_cli.render.players import Player, players
from spyrium_cli.render.text import counted

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log.replay import Replay
    from spyrium_log.store import Writer

STDIN = "-"
# as much of a file as says what it is
HEAD = 64


def path_of(session: Session, name: str) -> Path:
    """The file of the game of that name: a path, the beginning of an id, `@last`, or `@last~1`, the one before it."""
    back = re.fullmatch(r"@last~(\d{1,9})", name)
    if back is None:
        return session.folder().resolve(name)
    found = next(islice(latest(session.archive), int(back[1]), None), None)
    if found is None:
        many = counted(sum(1 for _ in latest(session.archive)), "game")
        raise Complaint(f"expected a game that many before the last one, found {many}, at {session.archive}")
    return found


def read_log(session: Session, name: str) -> Any:
    """The log of that name, from the archive, a path or stdin."""
    if name == STDIN:
        from spyrium_log.store import read_stream

        return read_stream(sys.stdin.buffer, "<stdin>")
    path = path_of(session, name)
    _check_one(path)
    return session.folder().read(path)


def _check_one(path: Path) -> None:
    """What holds many games is for the commands that take many."""
    from spyrium_log.store import is_packed

    if path.is_dir():
        raise Complaint(f"expected one game, found a folder; validate, whatif and export take folders, at {path}")
    with suppress(OSError), path.open("rb") as file:
        if is_packed(file.read(HEAD)):
            raise Complaint(f"expected one game, found a pack; import brings its games into the archive, at {path}")


def check_playable(log: Any) -> None:
    """A game of which only the scores are known has no table to play at."""
    from spyrium_log.replay import replay

    # a game from the table is not folded to learn that it is none from a sheet
    if log.header.source == "scoresheet" and replay(log, audit=False).is_scores_only:
        raise Refusal(f"expected a game that is played, found one of which only the scores are known, at {log.file}")


@contextmanager
def written(session: Session, name: str) -> Iterator[Writer]:
    """The log of that name, for appending. What was mended when it was opened is said, whatever comes of the rest."""
    with session.folder().writer(path_of(session, name)) as writer:
        for mended in writer.report:
            say(mended)
        yield writer


def prefix(log: Any, lines: int) -> Any:
    """The log as it was with so many lines."""
    from dataclasses import replace

    return replace(log, lines=log.lines[:lines])


def answered(log: Any, cmd: str | None) -> int | None:
    """The line that this command made when it came before."""
    first = next((line.n for line in log.lines if line.cmd == cmd), None) if cmd else None
    if first is not None:
        say(f"command '{cmd}' came before: this is line {first} again")
    return first


def players_of(done: Replay) -> list[Player]:
    seats = done.header.seats
    return players([seat.player for seat in seats], [seat.colour for seat in seats])


def replayed(log: Any, at: int | None = None, *, amended: bool = True) -> Replay:
    """The game as it stands, or as it stood after line `at`; not `amended`, as it was recorded."""
    from spyrium_log.replay import replay

    last = len(log.lines) - 1
    if at is not None and at > last:
        raise Complaint(f"expected a line from 0 to {last}, found {at}, at {log.file}")
    if log.complaint is not None:
        say(f"only the first {counted(len(log.lines), 'line')} can be read: {log.complaint}")
    return replay(log, until=at, audit=False, amended=amended)
