"""What a shell offers when somebody presses tab: games with who played them, names of players.

It answers while somebody waits, so it reads first lines only and loads neither titles nor store; what cannot be offered
without them is in `offers`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click
from click.types import StringParamType

from spyrium_cli.games.headers import LOOKED_INTO, header_players, known_games, known_players, latest_logs, read_header

if TYPE_CHECKING:
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from spyrium_cli.session import Session

OFFERED = 60


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
    return header_players(read_header(path_named(pressed.session, name))) if name else ()


def path_named(session: Session, name: str) -> Path:
    """The file that somebody most likely means; `path_of` knows for certain, and loads what takes time."""
    from pathlib import Path

    last, _, back = name.partition("~")
    if last == "@last":
        return next(islice(latest_logs(session.archive), int(back or 0), None), Path(name))
    return next((path for path in latest_logs(session.archive) if path.name.startswith(name)), Path(name))


def _places(pressed: Pressed) -> Iterator[Offered]:
    """Where one plays, the last place first."""
    said = (read_header(path).get("place") for path in islice(latest_logs(pressed.session.archive), LOOKED_INTO))
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
        found: Offer = getattr(import_module("spyrium_cli.completion.offers"), name)
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
