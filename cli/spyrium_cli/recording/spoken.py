"""Amounts as people say them, for a notation that says them shorter."""

from __future__ import annotations

import re
from collections.abc import Mapping


def lettered(text: str, letters: Mapping[str, str]) -> str:
    """The text with amounts as the notation writes them: `money -3` and `-3 money` are `£-3`, `+2 points` is `p+2`."""
    letter_of = {what: letter for letter, what in [*letters.items()][::-1]}
    words = "|".join(map(re.escape, letter_of))
    number = r"[+-]?[0-9]{1,5}"
    amounts = re.compile(rf"(?<![\w+-])(?:({words})\s+({number})|({number})\s+({words}))(?!\w)", re.IGNORECASE)
    return amounts.sub(lambda said: _amount(said, letter_of), text)


def _amount(said: re.Match[str], letter_of: Mapping[str, str]) -> str:
    what, n = (said[1], said[2]) if said[1] else (said[4], said[3])
    return f"{letter_of[what.casefold()]}{n}"
