"""Events of two recordings in pairs, and which of their differences only follow from an earlier one.

Where a scribe wrote another gap, his tool reckoned other prices from there on: one difference, however many events it
shows in. Each difference that is none of its own is told under the one it follows from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from spyrium_log.edit.derive import rederive_effects
from spyrium_log.log.lines import Event, EventBody
from spyrium_log.replay import Replay
from spyrium_log.title import NOTHING, AnyTitle, Effects

# Up to so many differences are each tried as causes; beyond that the difference before is taken for the cause.
MOST_CAUSES = 30


Rules: TypeAlias = frozenset[str]
# Seat, field, and its value in each of the recordings.
Choice: TypeAlias = tuple[int, str, Any, Any]


class Item(NamedTuple):
    """An event with the seats of the first recording; `key` is its act, `effects` what moved."""

    ref: str
    body: EventBody[Any, Any, Any]
    key: bytes
    effects: tuple[Counter[Any], Counter[Any]]
    event: Event


class Pair(NamedTuple):
    a: Item | None
    b: Item | None

    @property
    def what(self) -> Literal["", "act", "effects"]:
        """How two events differ: in the act, in the effects, or not."""
        if self.a is None or self.b is None or self.a[2:4] == self.b[2:4]:
            return ""
        return "effects" if self.a.key == self.b.key else "act"

    @property
    def is_same(self) -> bool:
        return self.a is not None and self.b is not None and not self.what


def causes_of(one: Replay, pairs: Sequence[Pair]) -> dict[int, int]:
    """For each difference that only follows from another, the place of that one.

    It follows where the rules, asked of the table that the second recording has, turn what the first says into what the
    second says; where neither could have been made on the other's table; or where a choice is named again, such as the
    gap that a worker stands in, and is told otherwise both times.
    """
    title = one.title
    mine, other = one.state_at(0), one.state_at(0)
    causes: list[int] = []
    follows: list[int] = []
    # the choices of this round that differ, and the differences that name them again
    chosen: dict[Choice, int] = {}
    named_again: dict[int, int] = {}
    effects: dict[int, Effects] = {}
    # rules that a recording breaks all the time, with a missing choice for instance, prove nothing
    broken: tuple[Rules, Rules] = frozenset(), frozenset()
    rounds = title.round(mine), title.round(other)
    for place, pair in enumerate(pairs):
        if rounds != (rounds := (title.round(mine), title.round(other))):
            chosen.clear()
        if pair.a is not None and (causes or not pair.is_same):
            effects[place] = title.effects(mine, pair.a.body.do) or NOTHING
        if not (pair.is_same or _continues(pairs, place)):
            choices = _chosen(pair)
            cause = next((chosen[choice] for choice in choices if choice in chosen), None)
            if cause is not None and _act_type(pairs[cause]) is _act_type(pair):
                cause = None
            if cause is not None:
                named_again[place] = cause
            elif causes and _follows(title, pair, mine, other, effects.get(place, NOTHING), broken):
                follows.append(place)
            else:
                causes.append(place)
                chosen |= dict.fromkeys(choices, place)
        elif pair.is_same and causes:
            broken = _rules(title, mine, pair.a), _rules(title, other, pair.b)
        for item, state in ((pair.a, mine), (pair.b, other)):
            if item is not None:
                title.evolve(state, item.body.do, item.body.moved, item.body.facts)
    cause_by_place = named_again | dict(_attributed(one, pairs, causes, follows, effects))
    for place in range(1, len(pairs)):
        if place - 1 in cause_by_place and _continues(pairs, place):
            cause_by_place[place] = cause_by_place[place - 1]
    return cause_by_place


def _continues(pairs: Sequence[Pair], place: int) -> bool:
    """Whether the pair before is also an event of the same recording only: then both are one difference."""
    pair = pairs[place]
    if place == 0 or (pair.a is not None and pair.b is not None):
        return False
    before = pairs[place - 1]
    return (before.a is None, before.b is None) == (pair.a is None, pair.b is None)


def _chosen(pair: Pair) -> list[Choice]:
    """The choices in which two acts of the same kind differ."""
    if pair.a is None or pair.b is None:
        return []
    one, other = pair.a.body.do, pair.b.body.do
    if type(one) is not type(other) or not hasattr(one, "seat"):
        return []
    both = ((name, getattr(one, name), getattr(other, name)) for name in one.__struct_fields__)
    return [
        (one.seat, name, mine, theirs) for name, mine, theirs in both if mine != theirs and _is_choice(mine, theirs)
    ]


def _act_type(pair: Pair) -> type[Any]:
    """The type of the act. Two workers in wrong gaps are two slips; placing one and using it are one."""
    return type(pair.a.body.do if pair.a else None)


def _is_choice(*values: Any) -> bool:
    return not any(value is None or isinstance(value, bool | tuple) for value in values)


def _follows(
    title: AnyTitle,
    pair: Pair,
    mine: Any,
    other: Any,
    effects: Effects,
    broken: tuple[Rules, Rules] = (frozenset(), frozenset()),
) -> bool:
    """Whether the difference comes from the states alone. `broken`: rules that each recording breaks anyway."""
    if pair.what == "effects":
        return _is_derived(title, pair, other, effects)
    sides = ((pair.a, mine, other, broken[1]), (pair.b, other, mine, broken[0]))
    return all(
        _rules(title, there, item) - anyway and not _rules(title, here, item)
        for item, here, there, anyway in sides
        if item is not None
    )


def _rules(title: AnyTitle, state: Any, item: Item | None) -> Rules:
    """The rules that an event breaks on this state."""
    return frozenset() if item is None else frozenset(each.rule for each in title.breaches(state, item.body.do))


def _is_derived(title: AnyTitle, pair: Pair, other: Any, old_effects: Effects) -> bool:
    """Whether the effects of the second recording are those of the first, rederived on its state."""
    if pair.a is None or pair.b is None:
        return False
    effects = rederive_effects(pair.a.event, old_effects, title.effects(other, pair.a.body.do) or NOTHING)
    return effects is not None and (Counter(effects.moved), Counter(effects.facts)) == pair.b.effects


# --- from which ----------------------------------------------------------------------------------


def _attributed(
    one: Replay, pairs: Sequence[Pair], causes: Sequence[int], follows: Sequence[int], effects: Mapping[int, Effects]
) -> Iterator[tuple[int, int]]:
    """Each difference with the last cause that explains it alone, else with the last cause before it."""
    explained: dict[int, int] = {}
    if 1 < len(causes) <= MOST_CAUSES:
        for cause in causes:
            explained |= dict.fromkeys(_explained(one, pairs, cause, set(follows), effects), cause)
    for place in follows:
        before = max(cause for cause in causes if cause < place)
        yield place, explained.get(place, before)


def _explained(
    one: Replay, pairs: Sequence[Pair], cause: int, follows: set[int], effects: Mapping[int, Effects]
) -> Iterator[int]:
    """The later differences that vanish if the first recording has this event as the second has it."""
    title = one.title
    before = sum(pair.a is not None for pair in pairs[:cause])
    mine, state = one.state_at(before), one.state_at(before)
    takes_other = False
    for place in range(cause, len(pairs)):
        pair = pairs[place]
        takes_other = place == cause or (takes_other and _continues(pairs, place))
        if place in follows and _follows(title, pair, mine, state, effects.get(place, NOTHING)):
            yield place
            takes_other = True
        if pair.a is not None:
            title.evolve(mine, pair.a.body.do, pair.a.body.moved, pair.a.body.facts)
        _fold_on(title, state, pair.b if takes_other else pair.a, effects.get(place, NOTHING), as_told=takes_other)


def _fold_on(title: AnyTitle, state: Any, item: Item | None, old_effects: Effects, *, as_told: bool) -> None:
    """Apply the event as it was recorded, or with its effects rederived."""
    if item is None:
        return
    do, moved, facts = item.body.do, item.body.moved, item.body.facts
    if not as_told and (effects := rederive_effects(item.event, old_effects, title.effects(state, do) or NOTHING)):
        moved, facts = tuple(effects.moved), tuple(effects.facts)
    title.evolve(state, do, moved, facts)


def grouped(pairs: Sequence[Pair], follows: Mapping[int, int]) -> Iterator[tuple[list[Pair], int, int]]:
    """Adjacent pairs of one kind, with the number of their difference and of its cause (0: none)."""
    numbers: dict[int, int] = {}
    groups: list[tuple[list[int], object]] = []
    for place, pair in enumerate(pairs):
        kind = (pair.a is None, pair.b is None, place if pair.what else None, follows.get(place))
        if groups and groups[-1][1] == kind:
            groups[-1][0].append(place)
        else:
            groups.append(([place], kind))
    for places, _ in groups:
        is_same = pairs[places[0]].is_same
        number = 0 if is_same else len(set(numbers.values())) + 1
        numbers.update(dict.fromkeys(places, number) if number else {})
        cause = follows.get(places[0])
        yield [pairs[place] for place in places], number, numbers[cause] if cause is not None else 0
