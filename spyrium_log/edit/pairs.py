"""Events of two recordings in pairs, and which of their differences only follow from an earlier one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from spyrium_log.edit.amend import AnyState, rederive_effects
from spyrium_log.folding import derive_effects
from spyrium_log.log.lines import Event
from spyrium_log.log.timeline import ref_of
from spyrium_log.replay import Replay
from spyrium_log.title import NOTHING, AnyTitle, Effects

# Up to so many differences are each tried as causes; beyond that the difference before is taken for the cause.
MOST_CAUSES = 30

Rules: TypeAlias = frozenset[str]
# Seat, field, and its value in each of the recordings.
Choice: TypeAlias = tuple[int, str, Any, Any]


class BrokenRules(NamedTuple):
    """The rules that each recording breaks also where both agree, as with a missing choice: they prove nothing."""

    first: Rules
    second: Rules


_NO_RULES = BrokenRules(frozenset(), frozenset())


class Item(NamedTuple):
    """An event with the seats of the first recording; `act` is its act in bytes, `effects` are what moved."""

    event: Event
    act: bytes
    effects: tuple[Counter[Any], Counter[Any]]

    @property
    def ref(self) -> str:
        """The event's name in its own recording: `57`, or `57.1` for one that line 57 inserted."""
        return ref_of(self.event)

    def is_equal(self, other: Item) -> bool:
        """Whether the act and what moved are the same, whatever the line and who recorded it."""
        return (self.act, self.effects) == (other.act, other.effects)


class Pair(NamedTuple):
    """An event of each recording; None where only the other one has it."""

    a: Item | None
    b: Item | None

    @property
    def what(self) -> Literal["", "act", "effects"]:
        """How two events differ: in the act, in the effects, or not; empty if there is only one."""
        if self.a is None or self.b is None or self.a.is_equal(self.b):
            return ""
        return "effects" if self.a.act == self.b.act else "act"

    @property
    def kind(self) -> Literal["same", "a", "b", "otherwise"]:
        """Which recordings have the event; if both, whether they agree."""
        if self.a is None or self.b is None:
            return "a" if self.b is None else "b"
        return "otherwise" if self.what else "same"


def find_causes(first: Replay, pairs: Sequence[Pair]) -> dict[int, int]:
    """The places of differences that only follow from another, each with the place of that one.

    They follow where the two tables alone make the difference, or where a choice is named again, such as the gap that a
    worker stands in, and differs both times.
    """
    title = first.title
    causes: list[int] = []
    follows: list[int] = []
    # by place: the differences that name a choice again, and what the rules give the first recording's event
    named_again: dict[int, int] = {}
    effects: dict[int, Effects] = {}
    # where a choice that differs was made in this round
    chosen: dict[Choice, int] = {}
    broken = _NO_RULES
    rounds: tuple[int, int] | None = None
    for place, (pair, mine, other) in enumerate(_fold_pairs(first, pairs)):
        rounds_before, rounds = rounds, (title.round(mine), title.round(other))
        if rounds != rounds_before:
            chosen.clear()
        if pair.a is not None and (causes or pair.kind != "same"):
            effects[place] = derive_effects(title, mine, pair.a.event.do)
        if pair.kind == "same":
            if causes:
                broken = BrokenRules(_find_broken_rules(title, mine, pair.a), _find_broken_rules(title, other, pair.b))
        elif not _continues_difference(pairs, place):
            cause = _find_choice_named_again(pairs, place, chosen)
            if cause is not None:
                named_again[place] = cause
            elif causes and _follows_from_table(title, pair, mine, other, effects.get(place, NOTHING), broken):
                follows.append(place)
            else:
                causes.append(place)
                chosen |= dict.fromkeys(_list_changed_choices(pair), place)
    cause_by_place = named_again | dict(_attribute_differences(first, pairs, causes, follows, effects))
    # what continues a difference has its cause
    for place in range(1, len(pairs)):
        if place - 1 in cause_by_place and _continues_difference(pairs, place):
            cause_by_place[place] = cause_by_place[place - 1]
    return cause_by_place


def _fold_pairs(first: Replay, pairs: Sequence[Pair]) -> Iterator[tuple[Pair, AnyState, AnyState]]:
    """Each pair with the state before it in the first recording and in the second; both states go on in place."""
    mine, other = first.state_at(0), first.state_at(0)
    for pair in pairs:
        yield pair, mine, other
        for item, state in ((pair.a, mine), (pair.b, other)):
            if item is not None:
                first.title.evolve(state, item.event.do, item.event.moved, item.event.facts)


def _continues_difference(pairs: Sequence[Pair], place: int) -> bool:
    """Whether this pair and the one before are events of the same recording only: then both are one difference."""
    pair = pairs[place]
    if place == 0 or (pair.a is not None and pair.b is not None):
        return False
    before = pairs[place - 1]
    return (before.a is None, before.b is None) == (pair.a is None, pair.b is None)


def _find_choice_named_again(pairs: Sequence[Pair], place: int, chosen: Mapping[Choice, int]) -> int | None:
    """The place of the act that made a choice which this one names again; None where it makes its own."""
    cause = next((chosen[choice] for choice in _list_changed_choices(pairs[place]) if choice in chosen), None)
    # two workers in wrong gaps are two slips; placing one and using it are one
    is_use = cause is not None and _find_act_type(pairs[cause]) is not _find_act_type(pairs[place])
    return cause if is_use else None


def _list_changed_choices(pair: Pair) -> list[Choice]:
    """The choices in which two acts of the same kind differ; a later act may name them again."""
    if pair.a is None or pair.b is None:
        return []
    mine, other = pair.a.event.do, pair.b.event.do
    if type(mine) is not type(other) or not hasattr(mine, "seat"):
        return []
    values = ((mine.seat, name, getattr(mine, name), getattr(other, name)) for name in mine.__struct_fields__)
    return [
        (seat, name, own, its) for seat, name, own, its in values if own != its and _is_choice(own) and _is_choice(its)
    ]


def _is_choice(value: Any) -> bool:
    """Whether the value of a field is a choice; one that is missing, a yes or no, or a list is none."""
    return not (value is None or isinstance(value, bool | tuple))


def _find_act_type(pair: Pair) -> type[Any]:
    """The type of the act in the first recording; NoneType where only the second has the event."""
    return type(pair.a.event.do if pair.a else None)


def _follows_from_table(
    title: AnyTitle, pair: Pair, mine: AnyState, other: AnyState, effects: Effects, broken: BrokenRules = _NO_RULES
) -> bool:
    """Whether the tables alone make the difference. `effects`: of the first event; `broken`: rules broken anyway."""
    if pair.what == "effects" and pair.a is not None and pair.b is not None:
        derived = rederive_effects(pair.a.event, effects, derive_effects(title, other, pair.a.event.do))
        return derived is not None and (Counter(derived.moved), Counter(derived.facts)) == pair.b.effects
    # on its own table each act is legal, on the other one it breaks a rule that is not broken anyway
    sides = ((pair.a, mine, other, broken.second), (pair.b, other, mine, broken.first))
    return all(
        _find_broken_rules(title, there, item) - anyway and not _find_broken_rules(title, here, item)
        for item, here, there, anyway in sides
        if item is not None
    )


def _find_broken_rules(title: AnyTitle, state: AnyState, item: Item | None) -> Rules:
    """The ids of the rules that an event breaks on this state; none if there is no event."""
    return frozenset() if item is None else frozenset(each.rule for each in title.breaches(state, item.event.do))


def _attribute_differences(
    first: Replay, pairs: Sequence[Pair], causes: Sequence[int], follows: Sequence[int], effects: Mapping[int, Effects]
) -> Iterator[tuple[int, int]]:
    """Each place that `follows` with the last cause that explains it alone, else with the last one before it."""
    explained: dict[int, int] = {}
    if 1 < len(causes) <= MOST_CAUSES:
        for cause in causes:
            explained |= dict.fromkeys(_find_explained(first, pairs, cause, set(follows), effects), cause)
    for place in follows:
        before = max(cause for cause in causes if cause < place)
        yield place, explained.get(place, before)


def _find_explained(
    first: Replay, pairs: Sequence[Pair], cause: int, follows: set[int], effects: Mapping[int, Effects]
) -> Iterator[int]:
    """The later differences that vanish if the first recording has the event at `cause` as the second has it."""
    title = first.title
    before = sum(pair.a is not None for pair in pairs[:cause])
    mine, state = first.state_at(before), first.state_at(before)
    takes_other = False
    for place in range(cause, len(pairs)):
        pair, old_effects = pairs[place], effects.get(place, NOTHING)
        takes_other = place == cause or (takes_other and _continues_difference(pairs, place))
        if place in follows and _follows_from_table(title, pair, mine, state, old_effects):
            yield place
            takes_other = True
        if pair.a is not None:
            title.evolve(mine, pair.a.event.do, pair.a.event.moved, pair.a.event.facts)
        item = pair.b if takes_other else pair.a
        if item is not None:
            event = item.event
            # None: as the second recording has it, it keeps what it moved
            new_effects = None if takes_other else derive_effects(title, state, event.do)
            moved, facts = rederive_effects(event, old_effects, new_effects) or (event.moved, event.facts)
            title.evolve(state, event.do, tuple(moved), tuple(facts))
