"""All games that somebody names: in files, folders, packs, by their names, from stdin."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from spyrium_cli.games.lookup import STDIN, find_game

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log.store import Found


def select_games(session: Session, paths: Sequence[str], *, recursive: bool = False) -> Iterator[Found]:
    """Each game; what cannot be read raises when it is asked for its log. Without paths, the whole archive."""
    from spyrium_log.store import games_at, games_in

    for path in paths or (str(session.archive),):
        if path == STDIN:
            yield from games_in(sys.stdin.buffer.read, "<stdin>")
        elif recursive and Path(path).is_dir():
            for folder in _folders(Path(path)):
                yield from games_at(folder)
        elif Path(path).exists():
            yield from games_at(Path(path), is_named=True)
        else:
            yield _named(session, path)


def _named(session: Session, name: str) -> Found:
    """One game by its name. Who names none, or more than one, is told so when it is read."""
    from spyrium_log.store import Found

    @cache
    def game() -> Found:
        return find_game(session, name)

    return Found(name, lambda: game().log(), lambda: game().notes(), lambda: game().raw())


def _folders(top: Path) -> Iterator[Path]:
    """A folder and those in it, in order; hidden ones, and games that were put away, do not count."""
    from spyrium_log.store import AWAY

    yield top
    for folder in sorted(path for path in top.iterdir() if path.is_dir() and not path.is_symlink()):
        if folder.name[0] != "." and folder.name != AWAY:
            yield from _folders(folder)
