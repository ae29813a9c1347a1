"""The one place where dice are made, so that the same arguments throw the same numbers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from spyrium_log.title import Draw

Dice = random.Random


def make_dice(*seed: object) -> Dice:
    """Dice seeded by these values, the same on every machine."""
    return Dice("\n".join(map(str, seed)))


def make_draw(dice: Dice, unseen: Sequence[Any] = ()) -> Draw:
    """A function that draws cards by these dice; `unseen` cards left the deck without the table knowing."""

    def draw(pool: Sequence[Any], count: int) -> list[Any]:
        left = list(pool)
        for card in unseen:
            if card in left and len(left) > count:
                left.remove(card)
        return dice.sample(left, count)

    return draw
