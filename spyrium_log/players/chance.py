"""The one place where dice are made, so that the same arguments throw the same numbers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from spyrium_log.title import Draw

Chance = random.Random


def chance(*words: object) -> Chance:
    """Dice seeded by these words, the same on every machine."""
    return Chance("\n".join(map(str, words)))


def dealing(dice: Chance, unseen: Sequence[Any] = ()) -> Draw:
    """A function that draws cards by these dice; `unseen` cards left the deck without the table knowing."""

    def draw(pool: Sequence[Any], k: int) -> list[Any]:
        left = list(pool)
        for card in unseen:
            if card in left and len(left) > k:
                left.remove(card)
        return dice.sample(left, k)

    return draw
