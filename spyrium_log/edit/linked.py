"""Two entries of one slip: an act with a wrong choice and its use that had to name it, or two acts in the wrong order.

Whoever writes down that a worker was placed in a wrong gap has to name that gap when the worker is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from spyrium_log.edit.amend import AnyAct, AnyState
from spyrium_log.edit.search import PlacedReplace, Search
from spyrium_log.edit.slip import PER_FIELD, Slip, changed_fields, list_other_choices
from spyrium_log.title import seat_of

# No round is longer, except in a damaged log.
MOST_AHEAD = 200


def find_linked_slips(search: Search) -> Iterator[Slip]:
    """Slips of two entries each, for `locate`: from the count back to the beginning of the round of the last count."""
    if not search.events:
        return
    # that count may be the last event
    round_of_last_count = search.rounds[min(search.after, len(search.events) - 1)]
    start = search.rounds.index(round_of_last_count)
    for place in range(search.until - 1, start - 1, -1):
        if search.spend():
            return
        if isinstance(search.events[place].do, search.title.wire.decision):
            yield from _find_choices_and_uses(search, place)
            yield from _find_swaps(search, place)


def _find_later_decisions(search: Search, place: int) -> Iterator[int]:
    """The places of later decisions of the same seat in this round, where a choice may be named again."""
    seat = seat_of(search.events[place].do)
    for later in range(place + 1, min(search.until, place + MOST_AHEAD)):
        if search.rounds[later] != search.rounds[place]:
            return
        act = search.events[later].do
        if isinstance(act, search.title.wire.decision) and seat_of(act) == seat:
            yield later


def _find_choices_and_uses(search: Search, place: int) -> Iterator[Slip]:
    """Slips of two edits: another choice in this act, and the same one in the seat's later acts that name it."""
    act = search.events[place].do
    uses = _find_uses(search, place)
    if not uses:
        return
    # a wrong choice here takes two wrong entries, and this is one way to make them
    search.named.add(place)
    search.possible["choice_and_use"] += 1
    state = search.game.state_at(place)
    for kind, weight, other in list_other_choices(act, search.list_legal(state)):
        # another kind of act has other fields
        changed = changed_fields(act, other) if kind != "other_act" else {}
        renamed = [use for use in uses if any(_names_choice(search.events[use].do, act, name) for name in changed)]
        if renamed:
            first_edit = search.replace_act(place, state, other)
            yield from _find_renamed_uses(search, first_edit, renamed, changed, weight)


def _find_uses(search: Search, place: int) -> list[int]:
    """The places of later acts of another kind that name a choice of this act: neither the seat nor a yes or no."""
    act = search.events[place].do
    fields = (name for name in act.__struct_fields__ if name != "seat")
    choices = [name for name in fields if not isinstance(getattr(act, name), bool | None)]
    return [
        use
        for use in _find_later_decisions(search, place)
        if type(search.events[use].do) is not type(act)
        and any(_names_choice(search.events[use].do, act, name) for name in choices)
    ]


def _names_choice(later: AnyAct, act: AnyAct, name: str) -> bool:
    """Whether a field of this name has the same value in both acts; a missing field counts as None."""
    return bool(getattr(later, name, None) == getattr(act, name))


def _find_renamed_uses(
    search: Search, first_edit: PlacedReplace, naming: Sequence[int], changed: Mapping[str, Any], weight: float
) -> Iterator[Slip]:
    """Slips of two edits: the first one, and at one of the uses a legal act that names the other choice.

    `naming`: the places of the uses; `changed`: the fields that the first edit changes, with their new values.
    """
    place, edit = first_edit
    title, state = search.title, search.game.state_at(place)
    title.evolve(state, edit.event.do, edit.event.moved, edit.event.facts)
    for later in range(place + 1, naming[-1] + 1):
        if later in naming and later >= search.after:
            for share, act in _weigh_renamed_acts(search.events[later].do, search.list_legal(state), changed):
                second_edit = search.replace_act(later, state, act)
                slip = search.fold_edits("choice_and_use", weight * share, (first_edit, second_edit))
                if slip is not None:
                    yield slip
        if search.spend() or not search.fold_event(later, state):
            return


def _weigh_renamed_acts(
    recorded: AnyAct, legal: Iterable[AnyAct], changed: Mapping[str, Any]
) -> list[tuple[float, AnyAct]]:
    """Legal acts with a changed value in place of the recorded one, each with its share of the weight (1 in all)."""
    candidates = []
    for act in legal:
        if type(act) is type(recorded):
            fields = changed_fields(recorded, act)
            renamed = sum(changed.get(name) == value for name, value in fields.items())
            if renamed:
                # each further field that differs makes it less likely
                candidates.append((PER_FIELD ** (len(fields) - renamed), act))
    total = sum(weight for weight, _ in candidates)
    return [(weight / total, act) for weight, act in candidates]


def _find_swaps(search: Search, place: int) -> Iterator[Slip]:
    """Slips of two edits: the act and the seat's next one happened in the other order."""
    act = search.events[place].do
    next_place = next(_find_later_decisions(search, place), None)
    if next_place is None or next_place < search.after or search.events[next_place].do == act:
        return
    search.possible["swapped"] += 1
    state = search.game.state_at(place)
    for sooner in _list_legal_forms(search, state, search.events[next_place].do):
        first_edit = search.replace_act(place, state, sooner)
        _, edit = first_edit
        between = search.game.state_at(place)
        search.title.evolve(between, sooner, edit.event.moved, edit.event.facts)
        if not all(search.fold_event(index, between) for index in range(place + 1, next_place)):
            continue
        for later in _list_legal_forms(search, between, act):
            slip = search.fold_edits("swapped", 1, (first_edit, search.replace_act(next_place, between, later)))
            if slip is not None:
                yield slip


def _list_legal_forms(search: Search, state: AnyState, act: AnyAct) -> list[AnyAct]:
    """The act itself if it is legal on this state, else the legal acts that differ from it only in a yes or no."""
    if not search.title.breaches(state, act):
        return [act]
    same_kind = [other for other in search.list_legal(state) if type(other) is type(act)]
    return [
        other for other in same_kind if all(isinstance(value, bool) for value in changed_fields(act, other).values())
    ]
