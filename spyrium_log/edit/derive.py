"""Effects derived anew: what the rules make of the same decisions once something else is otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeAlias, get_args

from spyrium_log.log.lines import Event
from spyrium_log.log.timeline import ref_of
from spyrium_log.replay import Replay
from spyrium_log.title import AnyPosting, Effects, SharedCause


def rederive_events(
    before: Replay, after: Replay, is_edited: Callable[[Event], bool] = lambda _: False
) -> Iterator[tuple[Event, Effects]]:
    """The events of `after` whose effects change, with their new effects.

    The others stay: the rules answer as they did, or a person just edited them (`is_edited`).
    """
    title = after.title
    start = _first_change(before, after)
    old_effects = _effects_by_name(before, start)
    state = after.state_at(start)
    for event in after.events[start:]:
        new_effects = None if is_edited(event) else title.effects(state, event.do)
        effects = rederive_effects(event, old_effects.get(ref_of(event)), new_effects)
        if effects is None or (tuple(effects.moved), tuple(effects.facts)) == (event.moved, event.facts):
            title.evolve(state, event.do, event.moved, event.facts)
        else:
            title.evolve(state, event.do, effects.moved, effects.facts)
            yield event, effects


def _first_change(before: Replay, after: Replay) -> int:
    """The first event that may change: under other options or another sheet, the first of all."""
    if (before.header.options, before.sheet) != (after.header.options, after.sheet):
        return 0
    pairs = enumerate(zip(before.events, after.events, strict=False))
    shorter = min(len(before.events), len(after.events))
    return next((index for index, (one, other) in pairs if one is not other and one != other), shorter)


def _effects_by_name(done: Replay, start: int) -> dict[str, Effects | None]:
    """The effects by the rules of each event as it stood, by name."""
    title = done.title
    state = done.state_at(start)
    effects = {}
    for event in done.events[start:]:
        effects[ref_of(event)] = title.effects(state, event.do)
        title.evolve(state, event.do, event.moved, event.facts)
    return effects


def rederive_effects(event: Event, old: Effects | None, new: Effects | None) -> Effects | None:
    """The event's effects under the rules' new answer; None if that is the old one, or there is none.

    What a person saw stays, and where it stood in the place of what the rules gave, it still does.
    """
    if new is None or (old is not None and _is_same(old, new)):
        return None
    derived = [posting for posting in event.moved if not is_manual(posting)]
    manual = [posting for posting in event.moved if is_manual(posting)]
    replaced_keys = {_key(posting) for posting in manual} - {_key(posting) for posting in derived}
    seen = [fact for fact in event.facts if fact.seen is not None]
    replaced_facts = {type(fact) for fact in seen} - {type(fact) for fact in event.facts if fact.seen is None}
    return Effects(
        [*(posting for posting in new.moved if _key(posting) not in replaced_keys), *manual],
        [*(fact for fact in new.facts if type(fact) not in replaced_facts), *seen],
    )


# Causes that no rule uses: a person wrote them.
_MANUAL_CAUSES = frozenset(get_args(SharedCause))

_Key: TypeAlias = tuple[int, str, str]


def _key(posting: AnyPosting) -> _Key:
    return posting.who, posting.what, posting.why


def is_manual(posting: AnyPosting) -> bool:
    return posting.seen is not None or posting.why in _MANUAL_CAUSES


def _is_same(one: Effects, other: Effects) -> bool:
    """Whether both have the same items, in any order."""
    return Counter(one.moved) == Counter(other.moved) and Counter(one.facts) == Counter(other.facts)
