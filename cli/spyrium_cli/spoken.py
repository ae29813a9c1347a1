"""What we answer says names where rules and logs say seats."""

from __future__ import annotations

import re
from collections.abc import Sequence

# "seat 1 to 3" is not about who sits there.
_SEAT = re.compile(r"\bseat (\d+)\b(?! to \d)")


def named(text: str, names: Sequence[str]) -> str:
    """The text with players' names where it speaks of their seats."""

    def name(seat: re.Match[str]) -> str:
        return names[int(seat[1]) - 1] if 0 < int(seat[1]) <= len(names) else seat[0]

    return _SEAT.sub(name, text)
