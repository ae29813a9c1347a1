"""The players as they are drawn: each has a mark of its own, and beside it the colour of its pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spyrium_log.shown import short_names

if TYPE_CHECKING:
    from spyrium_log import Log

# Readable on a dark and on a light terminal; black and white pieces are bold in the terminal's own colour.
STYLES = {
    "black": "bold",
    "blue": "bright_blue",
    "brown": "dark_orange3",
    "gray": "grey50",
    "grey": "grey50",
    "natural": "bold",
    "orange": "dark_orange",
    "pink": "hot_pink",
    "purple": "bright_magenta",
    "red": "bright_red",
    "violet": "bright_magenta",
    "white": "bold",
}


@dataclass(frozen=True, slots=True)
class Player:
    """A player as drawn: `mark` stands for the name where there is no room, `style` is one of rich's."""

    seat: int
    name: str
    mark: str
    style: str


def players_of(log: Log, state: Any) -> list[Player]:
    """Who sits at the table of `state`: in some games a colour is chosen on the way."""
    names = [seat.player for seat in log.header.seats]
    chosen_colours = (log.title.screens.colour(state, seat) for seat in range(1, len(names) + 1))
    colours = (chosen or seat.colour for chosen, seat in zip(chosen_colours, log.header.seats, strict=True))
    return [
        Player(seat, name, mark, style_of(colour))
        for seat, (name, mark, colour) in enumerate(zip(names, short_names(names), colours, strict=True), 1)
    ]


def style_of(colour: str) -> str:
    """The style of a colour that a title names; bold where the terminal has no such colour."""
    from rich.color import ANSI_COLOR_NAMES

    return STYLES.get(colour) or (colour if colour in ANSI_COLOR_NAMES else "bold")
