"""Who is to do what next, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spyrium_log.title import Awaited


def awaited(what: Awaited, names: Sequence[str]) -> str:
    name = names[what.seat - 1] if 0 < what.seat <= len(names) else f"seat {what.seat}"
    return {
        "decision": f"{name} is to act",
        "choice": f"{name} is to choose a bonus",
        "deal": "a round is to be dealt",
        "final": "the final count is next",
        "over": "the game is over",
    }[what.kind]
