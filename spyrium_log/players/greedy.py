"""Taking what looks best at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spyrium_log.players.chance import Chance
from spyrium_log.title import AnyTitle, seat_of


def step(title: AnyTitle, state: Any, act: Any) -> None:
    """The table does it, and what the rules make of it moves."""
    made = title.effects(state, act)
    moved, facts = made if made is not None else ((), ())
    title.evolve(state, act, moved, facts)


def after(title: AnyTitle, state: Any, act: Any) -> Any:
    """The table as it would stand."""
    twin = title.copy(state)
    step(title, twin, act)
    return twin


def ranked(title: AnyTitle, state: Any, acts: Sequence[Any], dice: Chance) -> list[tuple[float, Any]]:
    """The acts with what the position after each is worth to whoever acts, best first; dice order the equal ones."""
    worth = title.worth
    shuffled = dice.sample(acts, len(acts))
    valued = [(worth(after(title, state, act), seat_of(act)), act) for act in shuffled]
    valued.sort(key=lambda each: -each[0])
    return valued


def best(title: AnyTitle, state: Any, acts: Sequence[Any], dice: Chance) -> Any:
    """The first of the ranked, without ranking the others."""
    worth = title.worth
    return max(dice.sample(acts, len(acts)), key=lambda act: worth(after(title, state, act), seat_of(act)))
