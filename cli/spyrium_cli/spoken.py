"""Where the log says seats, people say names: `anna: p12`, `red: p12`, `b: p12`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from spyrium_log.errors import NotationError

# One word may stand without a space behind its colon; a deal's `windfall:2` is never the first word.
_SPOKEN = re.compile(r"(?:([^:]+):\s+|([^:\s]+):)(\S.*)", re.DOTALL)


class Seated(NamedTuple):
    """A line of notation; in what was said, its columns stand `shift` further on."""

    notation: str
    shift: int = 0


def seated(text: str, names: Sequence[str], colours: Sequence[str]) -> Seated:
    """The line with the seat as the notation writes it."""
    said = _SPOKEN.match(text, len(text) - len(text.lstrip()))
    if said is None:
        return Seated(text)
    seat = f"@{seat_of((said[1] or said[2]).strip(), names, colours, text)} "
    return Seated(seat + said[3], said.start(3) - len(seat))


def seat_of(who: str, names: Sequence[str], colours: Sequence[str], text: str = "") -> int:
    """A name, a colour, a seat's number, or a beginning that only one name has, or else only one colour."""
    for words in (names, colours, [str(seat) for seat in range(1, len(names) + 1)]):
        for seat, word in enumerate(words, 1):
            if word.casefold() == who.casefold():
                return seat
    begun: list[int] = []
    for words in (names, colours):
        begun = [seat for seat, word in enumerate(words, 1) if word.casefold().startswith(who.casefold())]
        if len(begun) == 1:
            return begun[0]
        if begun:
            break
    known = ", ".join(f"{name} ({colour})" for name, colour in zip(names, colours, strict=False))
    what = "more than one" if begun else "none"
    raise NotationError(f"expected one player of {known}, found {what} for '{who}'", text or who, 1)
