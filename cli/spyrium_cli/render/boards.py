"""Which title is drawn by whom. A third title adds one line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from spyrium_log.messages import Card, Message

if TYPE_CHECKING:
    from rich.console import ConsoleRenderable

    from spyrium_cli.render.players import Player

Board = Callable[[Any, Sequence["Player"], str], Iterable["ConsoleRenderable"]]

BOARDS: Mapping[str, str] = {"spyrium": "spyrium_cli.render.spyrium"}
SMALL_BOARDS: Mapping[str, str] = {"spyrium": "spyrium_cli.render.spyrium_small"}
CARDS: Mapping[str, str] = {"spyrium": "spyrium_cli.render.cards"}


def board_of(key: str) -> Board:
    drawn: Board = import_module(BOARDS[key]).board
    return drawn


def small_board_of(key: str) -> Board:
    """The same in a third of the lines, for a screen that has more to show."""
    drawn: Board = import_module(SMALL_BOARDS[key]).board
    return drawn


def unscored(key: str, view: Any) -> Any:
    """The same table with nobody's points, for whoever would rather not know who leads."""
    return import_module(BOARDS[key]).unscored(view)


def near(word: str, key: str) -> Sequence[str]:
    """The ids that a word may mean which is the id of no card: all that go on from it, or one that looks like it."""
    from difflib import get_close_matches

    ids: Sequence[str] = import_module(CARDS[key]).IDS
    if word in ids:
        return ()
    typed = word.partition(":")[0].casefold()
    return [each for each in ids if each.startswith(f"{typed}-")] or get_close_matches(typed, ids, n=1)


def near_cards(found: Message, key: str) -> Sequence[str]:
    """The same of the card that a finding found; nothing where it found something else."""
    card = found.arguments.get("card")
    return near(card.key, key) if found.key == "findings.card" and isinstance(card, Card) else ()


def bare(key: str, state: Any, act: Any) -> Sequence[str]:
    """The cards of a deal that lie there with tokens, and were said without."""
    found: Sequence[str] = import_module(CARDS[key]).bare(state, act)
    return found
