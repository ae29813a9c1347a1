"""The one place where dice are made. Every throw follows from what the caller says: the same words, the same throws."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from spyrium_log.title import Draw

Chance = random.Random


def chance(*words: object) -> Chance:
    """Dice of their own for these words, on every machine the same."""
    return Chance("\n".join(map(str, words)))


def dealing(dice: Chance, gone: Sequence[Any] = ()) -> Draw:
    """What deals by these dice. What is `gone` is in no deck, even where the table cannot know it."""

    def draw(pool: Sequence[Any], k: int) -> list[Any]:
        left = list(pool)
        for card in gone:
            if card in left and len(left) > k:
                left.remove(card)
        return dice.sample(left, k)

    return draw
