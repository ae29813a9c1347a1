"""Text from a log is anybody's text: it may say anything, and it may not steer what shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Control characters, and those that turn the direction of a line.
_STEERING = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# "seat 1 to 3" is not about who sits there.
_SEAT = re.compile(r"\bseat (\d+)\b(?! to \d)")
# "2026-11-18" and "mine-1" are no differences
_HYPHEN = re.compile(r"(?<![\w-])-(?=[£\d])")
LONGEST_MARK = 3


def plain(text: str, *, keep: str = "") -> str:
    """The text with everything that would steer a screen written out, ends of lines too: a name forges none."""
    return _STEERING.sub(lambda found: found[0] if found[0] in keep else repr(found[0])[1:-1], text)


def named(text: str, names: Sequence[str]) -> str:
    """The text with players' names where it speaks of their seats."""

    def name(seat: re.Match[str]) -> str:
        return names[int(seat[1]) - 1] if 0 < int(seat[1]) <= len(names) else seat[0]

    return _SEAT.sub(name, text)


def minus(text: str) -> str:
    """The text with the sign that people write before numbers; a program's is the hyphen, as in dates and ids."""
    return _HYPHEN.sub("−", text)


def marks(names: Sequence[str]) -> list[str]:
    """For each name the shortest beginning that no other name has; the seat where there is none."""
    return [_mark(seat, name, names) for seat, name in enumerate(names, 1)]


def _mark(seat: int, name: str, names: Sequence[str]) -> str:
    others = [other.casefold() for at, other in enumerate(names, 1) if at != seat]
    for length in range(1, LONGEST_MARK + 1):
        start = name[:length]
        if start.strip() and not any(other.startswith(start.casefold()) for other in others):
            return start[:1].upper() + start[1:]
    return str(seat)
