"""What the first lines of logs say, without the titles or the store: quick enough to complete a word."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from spyrium_cli.files import read_beginning

if TYPE_CHECKING:
    from pathlib import Path

    from spyrium_cli.session import Session

SUFFIX = ".jsonl"
NOTES_SUFFIX = ".notes.jsonl"
# So many of the latest games are looked into: a person who presses tab means one of them.
LOOKED_INTO = 200
# A header with its sheet is a tenth of it.
LONGEST_HEADER = 1 << 18


class KnownGame(NamedTuple):
    """A game by its first line, as far as that says anything."""

    game: str
    players: tuple[str, ...]
    played: str

    @property
    def description(self) -> str:
        return " · ".join(filter(None, (", ".join(self.players), self.played)))


def latest_logs(archive: Path) -> Iterator[Path]:
    """The logs of a folder, the one last written first."""
    found = []
    with suppress(OSError), os.scandir(archive) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIX) and not entry.name.endswith(NOTES_SUFFIX) and entry.name[0] != ".":
                with suppress(OSError):
                    if entry.is_file():
                        found.append((entry.stat().st_mtime_ns, entry.path))
    from pathlib import Path

    return (Path(path) for _, path in sorted(found, reverse=True))


def read_header(path: Path) -> dict[str, Any]:
    """What a log's first line says, as far as it can be read at all."""
    import json

    with suppress(OSError, ValueError, RecursionError):
        header = json.loads(read_beginning(path, LONGEST_HEADER).partition(b"\n")[0])
        return header if isinstance(header, dict) else {}
    return {}


def known_games(archive: Path) -> Iterator[KnownGame]:
    """The latest games, the last one first. A log whose header cannot be read has no players."""
    for path in islice(latest_logs(archive), LOOKED_INTO):
        header = read_header(path)
        played = str(header.get("played") or header.get("at") or "")[:10]
        yield KnownGame(path.name.removesuffix(SUFFIX), header_players(header), played)


def header_players(header: Mapping[str, Any]) -> tuple[str, ...]:
    """Who sits there, by a log's first line."""
    with suppress(KeyError, TypeError):
        return tuple(str(seat["player"]) for seat in header["seats"])
    return ()


def known_players(session: Session) -> list[str]:
    """Who is settled as a frequent player, then who played lately: each person once, whatever the logs call them."""
    names = list(session.settings.value("players") or ())
    for game in known_games(session.archive):
        names.extend(game.players)
    person = _persons(session.archive)
    names = [person(name) for name in names]
    return list({name.casefold(): name for name in reversed(names)}.values())[::-1]


def _persons(archive: Path) -> Callable[[str], str]:
    """Whom a name means. The store is loaded only where somebody wrote that down; what is wrong there, others say."""
    path = archive / "players.toml"
    if not path.exists():
        return str
    from spyrium_log.errors import SpyriumLogError
    from spyrium_log.store import read_aliases

    with suppress(SpyriumLogError):
        return read_aliases(path).person
    return str
