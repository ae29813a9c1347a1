"""Choosing by playouts: the act that did best on average when the round was played to its end many times.

Flat Monte Carlo over the acts that a greedy player ranks first; with more playouts more acts are tried (progressive
widening), and acts that did well are tried more often (UCB1). The budget is a number of playouts, not of seconds, so
the same dice choose the same act on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from spyrium_log.players.chance import Chance, dealing
from spyrium_log.players.greedy import after, apply_act, best, ranked
from spyrium_log.title import AnyTitle, FinalCount, seat_of

# After n playouts, this times the root of n acts have been tried.
WIDENING = 1.5
# In points: how much better than its mean an act may be that was seldom tried.
CURIOSITY = 8.0
# In a playout everybody takes the best of so many acts drawn by chance: fast, sensible, and never twice the same.
SAMPLE = 4
# A playout of fewer decisions goes on into the next round, which is dealt by the player's own dice.
MIN_DECISIONS = 4


@dataclass(slots=True)
class _Trial:
    """An act with the sum of its results. `n` counts its first estimate and its playouts."""

    act: Any
    total: float
    n: int = 1

    @property
    def mean(self) -> float:
        return self.total / self.n

    def upper_bound(self, playouts: int) -> float:
        return self.mean + CURIOSITY * sqrt(log(playouts) / self.n)


def searched(title: AnyTitle, state: Any, acts: Sequence[Any], dice: Chance, playouts: int) -> Any:
    """The act with the best mean after so many playouts."""
    candidates = ranked(title, state, acts, dice)
    seat = seat_of(candidates[0][1])
    others = _mean_of_others(title, state, seat)
    trials: list[_Trial] = []
    for n in range(1, playouts + 1):
        if len(trials) < min(len(candidates), WIDENING * sqrt(n)):
            worth, act = candidates[len(trials)]
            trial = _Trial(act, worth - others)
            trials.append(trial)
        else:
            trial = max(trials, key=lambda each: each.upper_bound(n))
        trial.total += _playout(title, after(title, state, trial.act), seat, dice)
        trial.n += 1
    return max(trials, key=lambda each: each.mean).act


def _playout(title: AnyTitle, state: Any, seat: int, dice: Chance) -> float:
    """Play the round to its end; the seat's lead over the mean of the others."""
    decisions = 0
    draw = dealing(dice)
    first_round = title.round(state)
    while (awaited := title.awaits(state)).kind != "over":
        if awaited.kind == "deal":
            dealt = after(title, state, title.deal(state, draw))
            if decisions >= MIN_DECISIONS and title.round(dealt) != first_round:
                break
            state = dealt
        elif awaited.kind == "final":
            apply_act(title, state, FinalCount())
        else:
            decisions += 1
            acts = title.legal(state)
            some = dice.sample(acts, SAMPLE) if len(acts) > SAMPLE else acts
            apply_act(title, state, some[0] if len(some) == 1 else best(title, state, some, dice))
    return title.worth(state, seat) - _mean_of_others(title, state, seat)


def _mean_of_others(title: AnyTitle, state: Any, seat: int) -> float:
    """The mean worth of the other seats; 0 in a game of one."""
    worths = [title.worth(state, score.seat) for score in title.score(state) if score.seat != seat]
    return sum(worths) / len(worths) if worths else 0.0
