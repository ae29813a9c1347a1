"""Two entries of one slip: an act with a wrong choice and its use that had to name it, or two acts in the wrong order.

Whoever writes down that a worker was placed in a wrong gap has to name that gap when the worker is used. No title is
known here: what an act may have been is what the title says is legal then, and a later act names a choice of an earlier
one where a field of the same name holds the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from spyrium_log.edit.amend import make_event_body
from spyrium_log.edit.search import Search
from spyrium_log.edit.slip import PER_FIELD, Slip, other_choices
from spyrium_log.log.lines import Replace
from spyrium_log.log.timeline import ref_of
from spyrium_log.title import seat_of

# No round is longer, except in a damaged log.
MOST_AHEAD = 200


def linked(search: Search) -> Iterator[Slip]:
    """Slips of two entries each, from the count back to the beginning of the round of the last count."""
    start = _opening(search, search.after)
    for place in range(search.until - 1, start - 1, -1):
        if search.is_spent():
            return
        event = search.events[place]
        if isinstance(event.do, search.title.wire.decision):
            yield from _choices_and_uses(search, place)
            yield from _swaps(search, place)


def _opening(search: Search, place: int) -> int:
    """The place of the event that began the round of this place."""
    return search.rounds.index(search.rounds[min(place, len(search.events) - 1)]) if search.events else 0


def _ahead(search: Search, place: int) -> Iterator[int]:
    """The places of later decisions of the same seat in this round."""
    seat = seat_of(search.events[place].do)
    for later in range(place + 1, min(search.until, place + MOST_AHEAD)):
        if search.rounds[later] != search.rounds[place]:
            return
        act = search.events[later].do
        if isinstance(act, search.title.wire.decision) and seat_of(act) == seat:
            yield later


# --- a choice and its use ------------------------------------------------------------------------


def _choices_and_uses(search: Search, place: int) -> Iterator[Slip]:
    """Another choice in this act, and the same choice in a later act of the seat that names it."""
    act = search.events[place].do
    uses = list(_uses(search, place))
    if not uses:
        return
    search.named.add(place)
    search.possible["choice_and_use"] += 1
    state = search.done.state_at(place)
    legal = search.title.legal(state)
    search.budget -= len(legal)
    for kind, weight, other in other_choices(act, legal):
        changed = _changed(act, other) if kind != "other_act" else {}
        naming = [at for at in uses if any(_names_choice(search.events[at].do, act, name) for name in changed)]
        if naming:
            first = (place, Replace(at=ref_of(search.events[place]), event=make_event_body(search.title, state, other)))
            yield from _with_use(search, first, naming, changed, weight)


def _uses(search: Search, place: int) -> Iterator[int]:
    """Later acts of another kind that name a choice of this act."""
    act = search.events[place].do
    for at in _ahead(search, place):
        later = search.events[at].do
        if type(later) is not type(act) and any(_names_choice(later, act, name) for name in _choices(act)):
            yield at


def _with_use(
    search: Search,
    first: tuple[int, Replace[Any, Any, Any]],
    naming: Sequence[int],
    changed: Mapping[str, Any],
    weight: float,
) -> Iterator[Slip]:
    """The events with the first edit; at each use the legal acts that name the other choice."""
    place, edit = first
    title = search.title
    state = search.done.state_at(place)
    title.evolve(state, edit.event.do, edit.event.moved, edit.event.facts)
    for at in range(place + 1, naming[-1] + 1):
        if at in naming and at >= search.after:
            recorded = search.events[at].do
            legal = title.legal(state)
            search.budget -= len(legal)
            for share, act in _renamed_acts(recorded, legal, changed):
                second = (at, Replace(at=ref_of(search.events[at]), event=make_event_body(title, state, act)))
                slip = search.folded("choice_and_use", weight * share, (first, second))
                if slip is not None:
                    yield slip
        if search.is_spent() or not search.step(at, state):
            return


def _choices(act: Any) -> Iterator[str]:
    """The fields that hold a choice: neither the seat nor a plain yes or no."""
    for name in act.__struct_fields__:
        value = getattr(act, name)
        if name != "seat" and value is not None and not isinstance(value, bool):
            yield name


def _names_choice(later: Any, act: Any, name: str) -> bool:
    return bool(getattr(later, name, None) == getattr(act, name))


def _changed(act: Any, other: Any) -> dict[str, Any]:
    """The fields in which another act of the same type differs, with its values."""
    fields = act.__struct_fields__
    return {name: getattr(other, name) for name in fields if getattr(act, name) != getattr(other, name)}


def _renamed(recorded: Any, act: Any, changed: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in _changed(recorded, act).items() if changed.get(name) == value}


def _renamed_acts(recorded: Any, legal: Iterable[Any], changed: Mapping[str, Any]) -> Iterator[tuple[float, Any]]:
    """Legal acts with the other choice in place of the recorded one, each with its share of the weight."""
    candidates = [
        (PER_FIELD ** (len(_changed(recorded, act)) - len(renamed)), act)
        for act in legal
        if type(act) is type(recorded) and (renamed := _renamed(recorded, act, changed))
    ]
    weight = sum(each for each, _ in candidates)
    return ((each / weight, act) for each, act in candidates)


# --- the other order -----------------------------------------------------------------------------


def _swaps(search: Search, place: int) -> Iterator[Slip]:
    """The act and the seat's next one in the other order."""
    act = search.events[place].do
    at = next(_ahead(search, place), None)
    if at is None or at < search.after or search.events[at].do == act:
        return
    search.possible["swapped"] += 1
    title, state = search.title, search.done.state_at(place)
    later = search.events[at].do
    for sooner in _nearest(search, state, later):
        first = (place, Replace(at=ref_of(search.events[place]), event=make_event_body(title, state, sooner)))
        between = search.done.state_at(place)
        title.evolve(between, sooner, first[1].event.moved, first[1].event.facts)
        if not all(search.step(index, between) for index in range(place + 1, at)):
            continue
        for then in _nearest(search, between, act):
            second = (at, Replace(at=ref_of(search.events[at]), event=make_event_body(title, between, then)))
            slip = search.folded("swapped", 1, (first, second))
            if slip is not None:
                yield slip


def _nearest(search: Search, state: Any, act: Any) -> list[Any]:
    """The act as it is legal on this state: itself, or with another yes or no."""
    if not search.title.breaches(state, act):
        return [act]
    legal = [other for other in search.title.legal(state) if type(other) is type(act)]
    search.budget -= len(legal)
    return [other for other in legal if all(isinstance(value, bool) for value in _changed(act, other).values())]
