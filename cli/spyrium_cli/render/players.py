"""Who is who on the paper: a mark that nobody else has, and the colour of the pieces beside it, never instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# Black pieces would not be seen on a black terminal: they are bold in whatever the terminal writes with.
STYLES = {
    "blue": "bright_blue",
    "red": "bright_red",
    "yellow": "yellow",
    "green": "green",
    "black": "bold",
    "white": "bold",
}
LONGEST_MARK = 3


@dataclass(frozen=True, slots=True)
class Player:
    seat: int
    name: str
    mark: str
    style: str


def players(names: Sequence[str], colours: Sequence[str]) -> list[Player]:
    return [
        Player(seat, name, _mark(seat, name, names), STYLES.get(colour, "bold"))
        for seat, (name, colour) in enumerate(zip(names, colours, strict=True), 1)
    ]


def _mark(seat: int, name: str, names: Sequence[str]) -> str:
    """The shortest beginning of the name that no other name has; the seat where there is none."""
    others = [other.casefold() for at, other in enumerate(names, 1) if at != seat]
    for length in range(1, LONGEST_MARK + 1):
        start = name[:length]
        if start.strip() and not any(other.startswith(start.casefold()) for other in others):
            return start[:1].upper() + start[1:]
    return str(seat)
