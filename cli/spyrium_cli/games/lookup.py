"""Logs by the names that people give them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spyrium_cli.command import LAST, OPEN
from spyrium_cli.complaint import Complaint, Refusal, complaint_of, warn
from spyrium_cli.games.headers import latest_logs
from spyrium_cli.render.surface import say
from spyrium_cli.render.text import counted
from spyrium_cli.render.words import tell

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log.replay import Replay
    from spyrium_log.store import Found, Writer

STDIN = "-"
# as much of a file as says what it is
HEAD = 64
# Whoever named none of several games is told so many.
MOST_NAMED = 4


def writable_path(session: Session, name: str) -> Path:
    """The file of the game of that name, to write to: no game can be written to in a pack, or in a stream."""
    place, begins = split_name(name)
    if place == STDIN:
        raise Complaint("expected a game in a file of its own to write to, found stdin")
    path = _resolved(session, place)
    if not _is_pack(path):
        if not begins and not path.is_dir():
            return path
        found = find_game(session, name).path
        if found is not None:
            return found
    raise Complaint(
        f"expected a game in a file of its own to write to, found a pack: import brings its games into the archive,"
        f" at {path}"
    )


def find_game(session: Session, name: str) -> Found:
    """The one game of that name, to read: a path, the beginning of an id, `@last`, `@last~1`, - for stdin.

    Of a pack or a folder it is the only game, or the one whose id begins as what stands after `#`.
    """
    from spyrium_log.store import games_at, games_in

    place, begins = split_name(name)
    if place == STDIN:
        return _only(games_in(sys.stdin.buffer.read, "<stdin>", begins=begins), begins, place)
    path = _resolved(session, place)
    return _only(games_at(path, begins=begins, is_named=path == Path(place)), begins, str(path))


def read_log(session: Session, name: str) -> Any:
    """The log of the one game of that name."""
    return find_game(session, name).log()


def split_name(name: str) -> tuple[str, str]:
    """What holds the games, and how the id of the one that is meant begins. A file may have any name."""
    from spyrium_log.store import IN

    place, of, begins = name.rpartition(IN)
    return (name, "") if not (of and place) or Path(name).exists() else (place, begins)


def _resolved(session: Session, name: str) -> Path:
    """The file or folder of that name: a path, the beginning of an id, `@last`, `@last~1` (the one before), `@open`."""
    from spyrium_log.errors import StoreError

    if name == OPEN:
        return _last_open(session)
    back = re.fullmatch(r"@last~(\d{1,9})", name)
    if back is None:
        return session.folder().resolve(name)
    found = next(islice(latest_logs(session.archive), int(back[1]), None), None)
    if found is None:
        many = counted(sum(1 for _ in latest_logs(session.archive)), "game")
        raise StoreError(f"expected a game that many before the last one, found {many}, at {session.archive}")
    return found


def _last_open(session: Session) -> Path:
    """The game last written that is not over."""
    from spyrium_log.errors import SpyriumLogError, StoreError

    for path in latest_logs(session.archive):
        with suppress(SpyriumLogError):
            if is_open(session.folder().read(path)):
                return path
    raise StoreError(f"expected a game that is not over, found none, at {session.archive}")


def is_open(log: Any) -> bool:
    """Whether the game can go on."""
    from spyrium_log.replay import replay

    done = replay(log, audit=False)
    return not done.is_scores_only and log.title.awaits(done.state_at(len(done.events))).kind != "over"


def _is_pack(path: Path) -> bool:
    from spyrium_log.errors import StoreError
    from spyrium_log.store import head_of, is_packed

    with suppress(StoreError):
        return is_packed(head_of(path, HEAD))
    return False


def _only(games: Iterator[Found], begins: str, place: str) -> Found:
    """The one that is meant. What cannot be read may have been it: that is told where no whole id was said."""
    from spyrium_log.errors import StoreError

    found: list[Found] = []
    unread: list[Found] = []
    for game in games:
        if begins and not game.game:
            unread.append(game)
        elif not any(_is_same(game, other) for other in found):
            found.append(game)
        if len(found) > MOST_NAMED:
            break
    found = [game for game in found if begins and game.game == begins] or found
    if not found or found[0].game != begins:
        for one in unread:
            _warn_of(one)
    if len(found) == 1:
        return found[0]
    if not found:
        which = f" that begins with '{begins}'" if begins else ""
        raise StoreError(f"expected a game{which}, found none, at {place}")
    raise StoreError(f"expected one game, found {_several(found, place)}")


def _is_same(game: Found, other: Found) -> bool:
    """Whether one game is there twice."""
    return bool(game.game) and game.game == other.game and game.raw() == other.raw()


def _several(found: Sequence[Found], place: str) -> str:
    """`game-a, game-b and more: name one as games.jsonl#game-a, or as its id begins`."""
    from spyrium_log.store import IN

    ids = [game.game for game in found]
    alone = [game for game in ids if game and ids.count(game) == 1]
    some = [
        game.game if game.game in alone else game.name if game.game else "one that cannot be read"
        for game in found[:MOST_NAMED]
    ]
    how = f"name one as {place}{IN}{alone[0]}, or as its id begins" if alone else "name one by its own file"
    if place == STDIN:
        how = "of a pipe, only one can be read"
    return f"{', '.join(some)}{' and more' if len(found) > MOST_NAMED else ''}: {how}"


def _warn_of(game: Found) -> None:
    from spyrium_log.errors import SpyriumLogError

    try:
        game.log()
    except SpyriumLogError as error:
        warn(complaint_of(error).message)


def check_playable(log: Any) -> None:
    """A game of which only the scores are known has no table to play at."""
    from spyrium_log.replay import replay

    # a game from the table is not folded to learn that it is none from a sheet
    if log.header.source == "scoresheet" and replay(log, audit=False).is_scores_only:
        raise Refusal(f"expected a game that is played, found one of which only the scores are known, at {log.file}")


@contextmanager
def open_writer(session: Session, name: str) -> Iterator[Writer]:
    """The log of that name, for appending. What was mended when it was opened is said, whatever comes of the rest."""
    path = writable_path(session, name)
    if name == OPEN and path != session.folder().resolve(LAST):
        say(f"{path.stem} is the last game that is not over")
    with session.folder().writer(path) as writer:
        for mended in writer.report:
            say(mended)
        yield writer


def first_lines(log: Any, lines: int) -> Any:
    """The log as it was with so many lines."""
    from dataclasses import replace

    return replace(log, lines=log.lines[:lines])


def earlier_line(log: Any, cmd: str | None) -> int | None:
    """The line that this command made when it came before."""
    first = next((line.n for line in log.lines if line.cmd == cmd), None) if cmd else None
    if first is not None:
        say(f"command '{cmd}' came before: this is line {first} again")
    return first


def warn_of_damage(read: Any, one: str, language: str) -> None:
    """Of a log or notes on it only the beginning is told."""
    lines = counted(len(read.lines), one, language)
    warn(tell("damage.first", language, lines=lines, why=read.complaint))


def replay_log(log: Any, at: int | None = None, *, amended: bool = True, language: str = "en") -> Replay:
    """The game as it stands, or as it stood after line `at`; not `amended`, as it was recorded."""
    from spyrium_log.replay import replay

    last = len(log.lines) - 1
    if at is not None and at > last:
        raise Complaint(f"expected a line from 0 to {last}, found {at}, at {log.file}")
    if log.complaint is not None:
        warn_of_damage(log, "line", language)
    return replay(log, until=at, audit=False, amended=amended)
