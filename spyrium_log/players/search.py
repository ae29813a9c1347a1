"""Looking ahead: what looks good is played on many times, and what comes of it best on average is done.

Flat Monte Carlo over the acts that a greedy player likes best; the more playouts, the more of them get a chance
(progressive widening), and where it went well it is tried again (UCB1). The budget is counted in playouts and not in
seconds, so that the same dice choose the same act on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from spyrium_log.players.chance import Chance, dealing
from spyrium_log.players.greedy import after, best, ranked, step
from spyrium_log.title import AnyTitle, FinalCount, seat_of

# So many acts have been tried after n playouts: this times the root of n.
WIDENING = 1.5
# In points: how much an act that was tried seldom may be better than it looks.
CURIOSITY = 8.0
# In a playout everybody takes the best of so many acts drawn by chance: fast, sensible, and never twice the same.
GLANCE = 4
# A playout ends with the round, but not before so many decisions: then the next round is dealt, by the player's own
# dice, for nobody knows what lies in the decks.
SHORTEST = 4


@dataclass(slots=True)
class Tried:
    """An act, what it looked like, and what came of it."""

    act: Any
    total: float
    n: int = 1

    @property
    def mean(self) -> float:
        return self.total / self.n

    def hope(self, spread: float) -> float:
        return self.total / self.n + CURIOSITY * sqrt(spread / self.n)


def searched(title: AnyTitle, state: Any, acts: Sequence[Any], dice: Chance, playouts: int) -> Any:
    """The act that so many playouts speak for."""
    liked = ranked(title, state, acts, dice)
    seat = seat_of(liked[0][1])
    others = _others(title, state, seat)
    tried: list[Tried] = []
    for n in range(1, playouts + 1):
        if len(tried) < min(len(liked), WIDENING * sqrt(n)):
            looks, act = liked[len(tried)]
            # How it looks counts as one playout: few playouts do not overrule it by chance alone.
            one = Tried(act, looks - others)
            tried.append(one)
        else:
            spread = log(n)
            one = max(tried, key=lambda each: each.hope(spread))
        one.total += played_out(title, after(title, state, one.act), seat, dice)
        one.n += 1
    return max(tried, key=lambda each: each.mean).act


def played_out(title: AnyTitle, state: Any, seat: int, dice: Chance) -> float:
    """How much better the seat stands than the others, once the round is over."""
    decisions = 0
    draw = dealing(dice)
    round_ = title.round(state)
    while (awaited := title.awaits(state)).kind != "over":
        if awaited.kind == "deal":
            dealt = after(title, state, title.deal(state, draw))
            if decisions >= SHORTEST and title.round(dealt) != round_:
                break
            state = dealt
            continue
        if awaited.kind == "final":
            act = FinalCount()
        else:
            decisions += 1
            act = _glanced(title, state, dice)
        step(title, state, act)
    return title.worth(state, seat) - _others(title, state, seat)


def _glanced(title: AnyTitle, state: Any, dice: Chance) -> Any:
    acts = title.legal(state)
    if len(acts) == 1:
        return acts[0]
    return best(title, state, dice.sample(acts, GLANCE) if len(acts) > GLANCE else acts, dice)


def _others(title: AnyTitle, state: Any, seat: int) -> float:
    """What the others' positions are worth on average; nothing in a game alone."""
    worths = [title.worth(state, score.seat) for score in title.score(state) if score.seat != seat]
    return sum(worths) / len(worths) if worths else 0.0
