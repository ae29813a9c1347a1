"""Achievements at the end of a turn (F-5.7, F-12.2)."""

from __future__ import annotations

from typing import Final

from spyrium_log.titles.founders import effects
from spyrium_log.titles.founders.rules.deliver import Outcome
from spyrium_log.titles.founders.scoring import meets_goal
from spyrium_log.titles.founders.state import State

_MARKERS_FOR_MID: Final = 2


def has_goals_left(state: State) -> bool:
    """Whether an achievement can still be met at the end of a turn: of the first two decks."""
    return bool(state.goals[0] or state.goals[1])


def add_goals(outcome: Outcome) -> None:
    """Score the immediate achievement if somebody meets it, then the mid-game one once it is due (F-5.7)."""
    state = outcome.state
    _add_goal(outcome, 0)
    if state.markers >= _MARKERS_FOR_MID:
        _add_goal(outcome, 1)


def _add_goal(outcome: Outcome, deck: int) -> None:
    """Score the achievement of a deck (its place in DECKS) for all who meet it; the first stays until somebody does."""
    state = outcome.state
    goal = state.printed.goals.get(state.goals[deck])
    if goal is None:
        return
    key = effects.DECKS[deck]
    playing = [seat for seat in range(1, state.seats + 1) if not state.mats[seat].conceded]
    met = [seat for seat in playing if meets_goal(state, seat, goal)]
    for seat in met:
        outcome.note(effects.GoalMet(deck=key, seat=seat))
        outcome.gain(seat, "points", goal.points or 0, f"goal:{key}")
    if met or deck:
        outcome.note(effects.GoalGone(deck=key))
