"""What a shell offers when somebody presses tab: games with who played them, names of players.

It answers while somebody waits, so it reads first lines only and loads neither titles nor store.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.types import StringParamType

if TYPE_CHECKING:
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from spyrium_cli.session import Session

SUFFIX = ".jsonl"
NOTES_SUFFIX = ".notes.jsonl"
# So many of the latest games are looked into: a person who presses tab means one of them.
LOOKED_INTO = 200
OFFERED = 60
# A header with its sheet is a tenth of it.
LONGEST_HEADER = 1 << 18


class Known(NamedTuple):
    """A game by its first line, as far as that says anything."""

    game: str
    players: tuple[str, ...]
    played: str

    @property
    def told(self) -> str:
        return " · ".join(filter(None, (", ".join(self.players), self.played)))


def latest(archive: Path) -> Iterator[Path]:
    """The logs of a folder, the one last written first."""
    found = []
    with suppress(OSError), os.scandir(archive) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIX) and not entry.name.endswith(NOTES_SUFFIX) and entry.name[0] != ".":
                with suppress(OSError):
                    found.append((entry.stat().st_mtime_ns, entry.path))
    from pathlib import Path

    return (Path(path) for _, path in sorted(found, reverse=True))


def header_of(path: Path) -> dict[str, Any]:
    """What a log's first line says, as far as it can be read at all."""
    import json

    with suppress(OSError, ValueError, RecursionError), path.open("rb") as file:
        header = json.loads(file.readline(LONGEST_HEADER))
        return header if isinstance(header, dict) else {}
    return {}


def known_games(archive: Path) -> Iterator[Known]:
    """The latest games, the last one first. A log whose header cannot be read has no players."""
    from itertools import islice

    for path in islice(latest(archive), LOOKED_INTO):
        players: tuple[str, ...] = ()
        played = ""
        header = header_of(path)
        with suppress(KeyError, TypeError):
            players = tuple(str(seat["player"]) for seat in header["seats"])
            played = str(header.get("played") or header.get("at") or "")[:10]
        yield Known(path.name.removesuffix(SUFFIX), players, played)


def known_players(session: Session) -> list[str]:
    """Who is settled as a frequent player, then who played lately, each once."""
    names = list(session.settings.value("players") or ())
    for game in known_games(session.archive):
        names.extend(game.players)
    return list({name.casefold(): name for name in reversed(names)}.values())[::-1]


# --- what is offered -----------------------------------------------------------------------------

Offer = Callable[["Session", str], "Iterator[CompletionItem]"]


class Completed(StringParamType):
    """A word that the shell can complete."""

    def __init__(self, offer: Offer) -> None:
        self._offer = offer

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from spyrium_cli.complaint import Complaint
        from spyrium_cli.session import session_of

        del param
        session = session_of(ctx)
        session.settings.warns = False
        try:
            return list(self._offer(session, incomplete))
        except Complaint:
            # A shell that completes has no place to say it; the command itself will.
            return []


def _logs(session: Session, incomplete: str) -> Iterator[CompletionItem]:
    from click.shell_completion import CompletionItem

    from spyrium_cli.render.text import plain

    if "@last".startswith(incomplete):
        yield CompletionItem("@last", help="the game last written")
    if not incomplete or incomplete[0] not in "@./~":
        begun = [game for game in known_games(session.archive) if game.game.startswith(incomplete)]
        for game in begun[:OFFERED]:
            yield CompletionItem(game.game, help=plain(game.told))
    if os.sep in incomplete or not incomplete or os.path.lexists(incomplete):
        yield CompletionItem(incomplete, type="file")


def _names(session: Session, incomplete: str) -> Iterator[CompletionItem]:
    """The name behind the last comma."""
    from click.shell_completion import CompletionItem

    said, comma, begun = incomplete.rpartition(",")
    taken = {name.strip().casefold() for name in said.split(",")}
    for name in known_players(session):
        if name.isprintable() and name.casefold().startswith(begun.strip().casefold()) and name.casefold() not in taken:
            yield CompletionItem(f"{said}{comma}{name}")


def _keys(_session: Session, incomplete: str) -> Iterator[CompletionItem]:
    from click.shell_completion import CompletionItem

    from spyrium_cli.config import KEYS

    for name, key in KEYS.items():
        if name.startswith(incomplete):
            yield CompletionItem(name, help=key.help)


# By the name of the argument or option: whoever adds a verb need not think of it.
OFFERS = {
    "log": _logs,
    "game": _logs,
    "paths": _logs,
    "players": _names,
    "player": _names,
    "by": _names,
    "key": _keys,
}


def complete(param: click.Parameter) -> None:
    """Make the shell complete a parameter whose name says what it holds."""
    if param.type is click.STRING and param.name in OFFERS:
        param.type = Completed(OFFERS[param.name])
