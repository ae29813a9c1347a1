"""Which amounts rest on printed values that nobody has checked. Everybody who marks an amount asks here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any, Final

from spyrium_log.title import FinalCount, PostingKey
from spyrium_log.titles.spyrium.cards import CALLS, MARKET, RESIDENCES, Design
from spyrium_log.titles.spyrium.moves import Act, ActivateCard, ReuseBuilding, RoundDealt, UseBuilding, UseEvent
from spyrium_log.titles.spyrium.state import Mat, State

NONE: Final[AbstractSet[PostingKey]] = frozenset()


def list_assumed(state: State, act: Act) -> AbstractSet[PostingKey]:
    """The amounts of an act, by seat, resource and cause, that the rules take from values which nobody has checked."""
    list_keys = _LIST_KEYS.get(type(act))
    return frozenset(list_keys(state, act)) if list_keys and state.printed.has_assumed else NONE


def _keys_of_activating(state: State, act: ActivateCard) -> Iterator[PostingKey]:
    """The parts of the price that the card prints, and the points of a residence."""
    card = act.named or (state.market[act.space] if 0 < act.space <= MARKET else "")
    design = state.printed.designs.get(card)
    if design is None:
        return
    seat, mat = act.seat, state.mat(act.seat)
    if "price" in design.assumed:
        yield seat, "money", "price"
        if state.options.crane_discount != "site":
            yield seat, "money", "crane"
    if act.over is not None and 0 < act.over <= len(mat.buildings):
        replaced = state.printed.designs.get(mat.buildings[act.over - 1].card)
        if {"price", "symbols"} & design.assumed or (replaced is not None and "symbols" in replaced.assumed):
            yield seat, "money", "symbol"
    has_residence = design.card in RESIDENCES or (design.card in CALLS and CALLS[design.card].residence)
    if has_residence and _scores_assumed(state, mat, act.residence):
        yield seat, "points", "effect"


def _keys_of_event(state: State, act: UseEvent) -> Iterator[PostingKey]:
    """The points of a residence action; what Engineering gives for the building that is used."""
    if _scores_assumed(state, state.mat(act.seat), act.residence):
        yield act.seat, "points", "event"
    if act.slot is not None:
        yield from _keys_of_factory(state, act.seat, act.slot)


def _scores_assumed(state: State, mat: Mat, residence: str | None) -> bool:
    """Whether a residence action scores a number of the track that nobody checked."""
    return residence == "score" and state.printed.is_residence_assumed(mat.residence)


def _keys_of_using(state: State, act: UseBuilding | ReuseBuilding) -> Iterator[PostingKey]:
    """What Engineering gives for the building, if it is a factory."""
    return _keys_of_factory(state, act.seat, act.slot)


def _keys_of_factory(state: State, seat: int, slot: int) -> Iterator[PostingKey]:
    """What Engineering gives for workers in the building, of which nobody may have checked that it is a factory."""
    buildings = state.mat(seat).buildings
    design = state.printed.designs.get(buildings[slot - 1].card) if 0 < slot <= len(buildings) else None
    if design is not None and "symbols" in design.assumed:
        yield seat, "points", "engineering"


def _keys_of_deal(state: State, _act: RoundDealt) -> Iterator[PostingKey]:
    """The revenue of everybody whose step of the track nobody checked."""
    for seat in range(1, state.seats + 1):
        if state.printed.is_residence_assumed(state.mats[seat].residence):
            yield seat, "money", "revenue"


def _keys_of_final(state: State, _act: FinalCount) -> Iterator[PostingKey]:
    """The printed points of buildings, what Engineering counts of them, and the step that Lobbying scores."""
    for seat in range(1, state.seats + 1):
        mat = state.mats[seat]
        designs = [state.printed.designs.get(built.card) for built in mat.buildings]
        assumed = [design.assumed for design in designs if design is not None]
        if any("points" in values for values in assumed):
            yield seat, "points", "final:buildings"
        if any(_is_engineering_assumed(state, design) for design in designs if design is not None):
            yield seat, "points", "final:engineering"
        if state.printed.is_residence_assumed(mat.residence):
            yield seat, "points", "final:lobbying"


def _is_engineering_assumed(state: State, design: Design) -> bool:
    """Whether nobody checked what Engineering counts of a building: its symbols, and by one reading its points."""
    if "symbols" in design.assumed:
        return True
    is_counted = "factory" in design.symbols and state.options.engineering_scores != "count"
    return is_counted and "points" in design.assumed


_LIST_KEYS: Final[dict[type, Callable[[State, Any], Iterator[PostingKey]]]] = {
    ActivateCard: _keys_of_activating,
    UseEvent: _keys_of_event,
    UseBuilding: _keys_of_using,
    ReuseBuilding: _keys_of_using,
    RoundDealt: _keys_of_deal,
    FinalCount: _keys_of_final,
}
