"""Who is who on the paper: a mark that nobody else has, and the colour of the pieces beside it, never instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spyrium_log.shown import marks

# Black pieces would not be seen on a black terminal: they are bold in whatever the terminal writes with.
STYLES = {
    "blue": "bright_blue",
    "red": "bright_red",
    "yellow": "yellow",
    "green": "green",
    "black": "bold",
    "white": "bold",
}


@dataclass(frozen=True, slots=True)
class Player:
    seat: int
    name: str
    mark: str
    style: str


def players(names: Sequence[str], colours: Sequence[str]) -> list[Player]:
    return [
        Player(seat, name, mark, STYLES.get(colour, "bold"))
        for seat, (name, mark, colour) in enumerate(zip(names, marks(names), colours, strict=True), 1)
    ]
