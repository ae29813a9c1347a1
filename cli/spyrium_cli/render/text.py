"""Text from a log is anybody's text: it may say anything, and it may not steer the terminal."""

from __future__ import annotations

import re

# Control characters, and those that turn the direction of a line.
_STEERING = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str, *, keep: str = "") -> str:
    """The text with everything that would steer the terminal written out, ends of lines too: a name forges none."""
    return _STEERING.sub(lambda found: found[0] if found[0] in keep else repr(found[0])[1:-1], text)


def counted(n: int, one: str) -> str:
    """1 event, 2 events."""
    return f"{n} {one}{'' if n == 1 else 's'}"
