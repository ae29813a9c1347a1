"""What is done with every event of every log, and nothing else: as fast as it goes, and compiled where that is wanted.

A module by itself, because the compiled build takes whole modules and cannot make the Structs that its callers define.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from spyrium_log.errors import Breach
from spyrium_log.title import NOTHING, AnyTitle, Counted, Effects, PostingKey

# No amounts.
NONE: AbstractSet[PostingKey] = frozenset()


def fold_events(title: AnyTitle, state: Any, events: Iterable[Any]) -> Any:
    """Apply events to the state, in place and unchecked, and return it."""
    evolve = title.evolve
    for event in events:
        evolve(state, event.do, event.moved, event.facts)
    return state


def derive_effects(title: AnyTitle, state: Any, act: Any) -> Effects:
    """What an act moves by the rules; nothing where pieces for it are missing, as after moves that nobody recorded."""
    return title.effects(state, act) or NOTHING


def describe_event(
    title: AnyTitle,
    state: Any,
    act: Any,
    moved: Sequence[Any],
    facts: Sequence[Any],
    players: Sequence[str],
    language: str,
) -> str:
    """The event in a sentence, amounts that rest on unchecked values with their sign; `state` is the one before it."""
    assumed = title.assumed(state, act) if moved else NONE
    return title.words.describe(state, act, moved, facts, players, language, assumed)


def judge_event(title: AnyTitle, state: Any, event: Any) -> tuple[Sequence[Breach], Effects | None] | None:
    """The breaches and effects by the rules (None: pieces are missing); None alone where the event agrees."""
    act = event.do
    breaches = title.breaches(state, act)
    effects = title.effects(state, act)
    # the audit compares a count with what is held, of which the rules say nothing
    if breaches or effects is None or type(act) is Counted:
        return breaches, effects
    moved, facts = effects
    if tuple(moved) == event.moved and tuple(facts) == event.facts:
        return None
    return breaches, effects
