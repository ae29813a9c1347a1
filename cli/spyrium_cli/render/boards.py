"""Which title is drawn by whom. A third title adds one line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

    from spyrium_cli.render.players import Player

Board = Callable[[Any, Sequence["Player"], str], Iterable["RenderableType"]]

BOARDS: Mapping[str, str] = {"spyrium": "spyrium_cli.render.spyrium"}


def board_of(key: str) -> Board:
    drawn: Board = import_module(BOARDS[key]).board
    return drawn
