"""What a shell offers when somebody presses tab: games with who played them, names of players.

It answers while somebody waits, so it reads first lines only and loads neither titles nor store; what cannot be offered
without them is in `offers`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click
from click.types import StringParamType

from spyrium_cli.regular import beginning_of

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
                    if entry.is_file():
                        found.append((entry.stat().st_mtime_ns, entry.path))
    from pathlib import Path

    return (Path(path) for _, path in sorted(found, reverse=True))


def header_of(path: Path) -> dict[str, Any]:
    """What a log's first line says, as far as it can be read at all."""
    import json

    with suppress(OSError, ValueError, RecursionError):
        header = json.loads(beginning_of(path, LONGEST_HEADER).partition(b"\n")[0])
        return header if isinstance(header, dict) else {}
    return {}


def known_games(archive: Path) -> Iterator[Known]:
    """The latest games, the last one first. A log whose header cannot be read has no players."""
    for path in islice(latest(archive), LOOKED_INTO):
        header = header_of(path)
        played = str(header.get("played") or header.get("at") or "")[:10]
        yield Known(path.name.removesuffix(SUFFIX), players_in(header), played)


def players_in(header: Mapping[str, Any]) -> tuple[str, ...]:
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


# --- what is offered -----------------------------------------------------------------------------


class Offered(NamedTuple):
    """A word, and what it means; or that the shell is to offer its files."""

    value: str
    help: str = ""
    type: Literal["plain", "file", "dir"] = "plain"


class Pressed(NamedTuple):
    """Where somebody presses tab: the call so far, and the word that was begun."""

    ctx: click.Context
    session: Session
    begun: str

    def said(self, name: str) -> Any:
        """What was said before of an argument or option."""
        return self.ctx.params.get(name)

    @property
    def verb(self) -> str:
        return self.ctx.command.name or ""


Offer = Callable[[Pressed], Iterable[Offered]]


def offered(offer: Offer, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """What goes on from the word; nothing where something is wrong, for a shell that completes cannot say it."""
    from click.shell_completion import CompletionItem

    from spyrium_cli.render.text import plain
    from spyrium_cli.session import session_of

    session = session_of(ctx)
    session.settings.warns = False
    try:
        found = list(offer(Pressed(ctx, session, incomplete)))
    except Exception:  # noqa: BLE001 - whatever it is, the command itself will say it
        return []
    begun = incomplete.casefold()
    return [
        CompletionItem(one.value, type=one.type, help=plain(one.help))
        for one in found
        if one.type != "plain" or (one.value.casefold().startswith(begun) and one.value.isprintable())
    ]


class Completed(StringParamType):
    """A word that the shell can complete."""

    def __init__(self, offer: Offer) -> None:
        self._offer = offer

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        del param
        return offered(self._offer, ctx, incomplete)


class LineNumber(click.IntRange):
    """A number that the shell can complete."""

    def __init__(self, like: click.IntRange, offer: Offer) -> None:
        super().__init__(like.min, like.max)
        self._offer = offer

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        del param
        return offered(self._offer, ctx, incomplete)


def _logs(pressed: Pressed) -> Iterator[Offered]:
    begun = pressed.begun
    yield Offered("@last", "the game last written")
    if not begun or begun[0] not in "@./~":
        known = (game for game in known_games(pressed.session.archive) if game.game.startswith(begun))
        yield from (Offered(game.game, game.told) for game in islice(known, OFFERED))
    if os.sep in begun or not begun or os.path.lexists(begun):
        yield Offered(begun, type="file")


def _names(pressed: Pressed) -> Iterator[Offered]:
    """The name behind the last comma."""
    yield from listed(pressed.begun, known_players(pressed.session))


def _results(pressed: Pressed) -> Iterator[Offered]:
    """The name behind the last comma, those at the table first; points are theirs to say."""
    said, comma, begun = pressed.begun.rpartition(",")
    scored = {word.strip().rpartition(" ")[0].casefold() for word in said.split(",")}
    space = " " if comma else ""
    for name in dict.fromkeys((*_at_table(pressed), *known_players(pressed.session))):
        if name.casefold() not in scored and name.casefold().startswith(begun.strip().casefold()):
            yield Offered(f"{said}{comma}{space}{name} ")


def _people(pressed: Pressed) -> Iterator[Offered]:
    """Who sits at this table, then everybody else."""
    names = (*_at_table(pressed), *known_players(pressed.session))
    yield from (Offered(name) for name in dict.fromkeys(names))


def _seats(pressed: Pressed) -> Iterator[Offered]:
    """Whoever sits at this table; where it is only being set up, whoever was named."""
    said = (pressed.said("players") or "").split(",")
    yield from (Offered(name.strip()) for name in (*_at_table(pressed), *said) if name.strip())


def _at_table(pressed: Pressed) -> Sequence[str]:
    name = pressed.said("log") or pressed.said("game")
    return players_in(header_of(path_named(pressed.session, name))) if name else ()


def path_named(session: Session, name: str) -> Path:
    """The file that somebody most likely means; `path_of` knows for certain, and loads what takes time."""
    from pathlib import Path

    last, _, back = name.partition("~")
    if last == "@last":
        return next(islice(latest(session.archive), int(back or 0), None), Path(name))
    return next((path for path in latest(session.archive) if path.name.startswith(name)), Path(name))


def _places(pressed: Pressed) -> Iterator[Offered]:
    """Where one plays, the last place first."""
    said = (header_of(path).get("place") for path in islice(latest(pressed.session.archive), LOOKED_INTO))
    yield from (Offered(place) for place in dict.fromkeys(said) if isinstance(place, str))


def _today(_pressed: Pressed) -> Iterator[Offered]:
    from spyrium_cli.identity import today

    yield Offered(today(), "today")


def listed(begun: str, words: Iterable[str], helps: Mapping[str, str] | None = None) -> Iterator[Offered]:
    """Words for a list with commas between: whatever goes on behind the last one, each once."""
    said, comma, last = begun.rpartition(",")
    taken = {word.strip().casefold() for word in said.split(",")}
    for word in words:
        if word.casefold().startswith(last.strip().casefold()) and word.casefold() not in taken:
            yield Offered(f"{said}{comma}{word}", (helps or {}).get(word, ""))


def _later(name: str) -> Offer:
    """What needs titles or a log is loaded when it is asked for."""

    def offer(pressed: Pressed) -> Iterable[Offered]:
        found: Offer = getattr(import_module("spyrium_cli.offers"), name)
        return found(pressed)

    return offer


# By the name of the argument or option: whoever adds a verb need not think of it.
OFFERS: Mapping[str, Offer] = {
    "log": _logs,
    "game": _logs,
    "other": _logs,
    "paths": _logs,
    "players": _names,
    "player": _names,
    "into": _names,
    "by": _people,
    "who": _people,
    "result": _results,
    "seat": _seats,
    "first": _seats,
    "place": _places,
    "played": _today,
    "day": _today,
    **{
        name: _later(name)
        for name in (
            "after",
            "before",
            "card",
            "cards",
            "colour",
            "colours",
            "drops",
            "edit",
            "edition",
            "event",
            "expected",
            "instead",
            "key",
            "kind",
            "lang",
            "name",
            "notation",
            "options",
            "rule",
            "tags",
            "takes",
            "title",
            "value",
            "what",
            "withdraw",
            "word",
            "words",
        )
    },
}
NUMBERS: Mapping[str, Offer] = {name: _later("lines") for name in ("at", "to", "line")}


def complete(param: click.Parameter) -> None:
    """Make the shell complete a parameter whose name says what it holds."""
    name = param.name or ""
    if param.type is click.STRING and name in OFFERS:
        param.type = Completed(OFFERS[name])
    elif isinstance(param.type, click.IntRange) and name in NUMBERS:
        param.type = LineNumber(param.type, NUMBERS[name])
