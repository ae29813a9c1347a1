"""Choosing the act after which the position is worth most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spyrium_log.players.chance import Chance
from spyrium_log.title import NOTHING, AnyTitle, seat_of


def apply_act(title: AnyTitle, state: Any, act: Any) -> None:
    """Change the state by an act and by what the rules make of it."""
    moved, facts = title.effects(state, act) or NOTHING
    title.evolve(state, act, moved, facts)


def after(title: AnyTitle, state: Any, act: Any) -> Any:
    """The state after an act, as a copy."""
    copy = title.copy(state)
    apply_act(title, copy, act)
    return copy


def ranked(title: AnyTitle, state: Any, acts: Sequence[Any], dice: Chance) -> list[tuple[float, Any]]:
    """The acts with the worth of the position after each, best first; dice order equal ones."""
    valued = [(_worth_after(title, state, act), act) for act in dice.sample(acts, len(acts))]
    valued.sort(key=lambda pair: -pair[0])
    return valued


def best(title: AnyTitle, state: Any, acts: Sequence[Any], dice: Chance) -> Any:
    """The first of the ranked acts."""
    return max(dice.sample(acts, len(acts)), key=lambda act: _worth_after(title, state, act))


def _worth_after(title: AnyTitle, state: Any, act: Any) -> float:
    """To the seat that acts."""
    return title.worth(after(title, state, act), seat_of(act))
