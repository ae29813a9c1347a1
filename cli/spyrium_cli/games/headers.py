"""What the first lines of logs say, without the titles or the store: quick enough to complete a word."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from spyrium_cli.files import read_beginning

if TYPE_CHECKING:
    from pathlib import Path

    from spyrium_cli.session import Session
    from spyrium_log.store import Aliases

SUFFIX = ".jsonl"
NOTES_SUFFIX = ".notes.jsonl"
MOST_GAMES_READ = 200
# Ten times a header with its sheet.
LONGEST_HEADER = 1 << 18
# One letter may be a whole name.
SHORTEST_BEGINNING = 2


class KnownGame(NamedTuple):
    """A game by the first line of its log; what that does not say is empty."""

    game: str
    players: tuple[str, ...]
    played: str

    @property
    def description(self) -> str:
        """`Anna, Bob · 2026-11-18`."""
        return " · ".join(filter(None, (", ".join(self.players), self.played)))


def list_latest_logs(archive: Path) -> Iterator[Path]:
    """The logs of a folder, the one last written first; none where there is no folder."""
    logs = []
    with suppress(OSError), os.scandir(archive) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIX) and not entry.name.endswith(NOTES_SUFFIX) and entry.name[0] != ".":
                with suppress(OSError):
                    if entry.is_file():
                        logs.append((entry.stat().st_mtime_ns, entry.path))
    from pathlib import Path

    return (Path(path) for _, path in sorted(logs, reverse=True))


def read_header(path: Path) -> dict[str, Any]:
    """The fields of the first line of a log, none of them checked; none where it cannot be read."""
    import json

    with suppress(OSError, ValueError, RecursionError):
        header = json.loads(read_beginning(path, LONGEST_HEADER).partition(b"\n")[0])
        return header if isinstance(header, dict) else {}
    return {}


def list_known_games(archive: Path) -> Iterator[KnownGame]:
    """The latest games, the last one first. Those whose header cannot be read have no players."""
    for path in islice(list_latest_logs(archive), MOST_GAMES_READ):
        header = read_header(path)
        # of a time only the day, which takes ten characters
        played = str(header.get("played") or header.get("at") or "")[:10]
        yield KnownGame(path.name.removesuffix(SUFFIX), header_players(header), played)


def header_players(header: Mapping[str, Any]) -> tuple[str, ...]:
    """The players of a header by seat; none where it does not say."""
    with suppress(KeyError, TypeError):
        return tuple(str(seat["player"]) for seat in header["seats"])
    return ()


def list_known_players(session: Session) -> list[str]:
    """The players of the settings, then those of the latest games; each person once, under one name."""
    names = list(session.settings.get("players").value or ())
    for game in list_known_games(session.archive):
        names.extend(game.players)
    person_of = _make_alias_resolver(session.archive)
    persons: dict[str, str] = {}
    for name in map(person_of, names):
        persons.setdefault(name.casefold(), name)
    return list(persons.values())


def _make_alias_resolver(archive: Path) -> Callable[[str], str]:
    """A function from a name to the person's. The store is loaded only for such a file; a broken one is ignored."""
    path = archive / "players.toml"
    if not path.exists():
        # which leaves a name as it is
        return str
    from spyrium_log.errors import SpyriumLogError
    from spyrium_log.store import read_aliases

    with suppress(SpyriumLogError):
        return read_aliases(path).resolve_name
    return str


def resolve_names(session: Session, typed: Sequence[str]) -> list[str]:
    """Full names: by an alias, a known name in any case, or the only known name that begins so; others as typed."""
    aliases, names = session.folder().read_aliases(), list_known_players(session)
    return [_resolve_name(name, names, aliases) for name in typed]


def _resolve_name(typed: str, names: Sequence[str], aliases: Aliases) -> str:
    """The full name for one that was typed: by an alias, in any case, or by a beginning that only one name has."""
    from spyrium_log.store import fold_name

    beginning = fold_name(typed)
    if beginning in aliases.spelled:
        return aliases.resolve_name(typed)
    matches = [name for name in names if fold_name(name).startswith(beginning)]
    exact = [name for name in matches if fold_name(name) == beginning]
    if exact:
        return exact[0]
    return matches[0] if len(matches) == 1 and len(typed) >= SHORTEST_BEGINNING else typed
