"""Policies: how a simulated player of any title chooses among the legal acts.

A policy sees the state and has dice of its own. Cards are dealt when a deal is due, by dice that no policy has.

`search` chooses by playouts: the act that did best on average when the round was played to its end many times. It is
flat Monte Carlo over the acts that a greedy player ranks first; with more playouts more acts are tried (progressive
widening), and acts that did well are tried more often (UCB1). The budget is a number of playouts, not of seconds, so
the same dice choose the same act on any machine.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import log, sqrt
from typing import Any, TypeAlias

from spyrium_log.errors import PolicyError
from spyrium_log.title import NOTHING, AnyTitle, FinalCount, seat_of

# Dice are made here only, so that the same arguments throw the same numbers.
Dice = random.Random

# Of whatever title: only that title knows their types.
AnyState: TypeAlias = Any
AnyAct: TypeAlias = Any

# Picks one of several legal acts.
Choose: TypeAlias = Callable[[AnyTitle, AnyState, Sequence[AnyAct], Dice], AnyAct]

# What a policy is called.
SPECS = ("random", "greedy", "search:N")
_SEARCH = re.compile(r"search(?::([0-9]{1,6}))?")
PLAYOUTS = 50
MAX_PLAYOUTS = 100_000

# After n playouts, this times the root of n acts have been tried.
WIDENING = 1.5
# In points: how much better than its mean an act may be that was seldom tried.
CURIOSITY = 8.0
# In a playout everybody takes the best of so many acts drawn by chance: fast, sensible, and never twice the same.
SAMPLE = 4
# Where more acts than so many are legal, so many are drawn and valued. A busy board has more than a thousand.
MOST_VALUED = 100
# A playout of fewer decisions goes on into the next round, which is dealt by the player's own dice.
MIN_DECISIONS = 4


def make_dice(*seed: object) -> Dice:
    """Dice seeded by these values, the same on every machine."""
    return Dice("\n".join(map(str, seed)))


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to choose; `spec` is its name on the command line."""

    spec: str
    choose_among: Choose

    @property
    def name(self) -> str:
        """The name of the player; without the colon, which ends a name in a transcript."""
        return self.spec.replace(":", "")

    def choose(self, title: AnyTitle, state: AnyState, dice: Dice) -> AnyAct:
        """The next act of the seat to act; None where no act is legal."""
        acts = title.legal(state)
        if len(acts) > 1:
            return self.choose_among(title, state, acts, dice)
        return acts[0] if acts else None


def parse_policy(spec: str) -> Policy:
    """The policy of one of the `SPECS`, as `greedy` or `search:200`; PolicyError for anything else."""
    if spec == "random":
        return Policy(spec, lambda _title, _state, acts, dice: dice.choice(acts))
    if spec == "greedy":
        return Policy(spec, choose_best)
    match = _SEARCH.fullmatch(spec)
    playouts = int(match[1] or PLAYOUTS) if match else 0
    if not 0 < playouts <= MAX_PLAYOUTS:
        raise PolicyError("policy", known=", ".join(SPECS), most=MAX_PLAYOUTS, found=spec[:60])
    return Policy(f"search:{playouts}", partial(choose_by_playouts, playouts=playouts))


def apply_act(title: AnyTitle, state: AnyState, act: AnyAct) -> None:
    """Change the state by an act and by what the rules make of it."""
    moved, facts = title.effects(state, act) or NOTHING
    title.evolve(state, act, moved, facts)


def _copy_state_after(title: AnyTitle, state: AnyState, act: AnyAct) -> AnyState:
    """A copy of the state, after an act: so that the act can be tried."""
    copy = title.copy(state)
    apply_act(title, copy, act)
    return copy


def _estimate_worth_after(title: AnyTitle, state: AnyState, act: AnyAct) -> float:
    """What the position after an act is worth to the seat that acts."""
    return title.worth(_copy_state_after(title, state, act), seat_of(act))


def _draw_acts(title: AnyTitle, state: AnyState, acts: Sequence[AnyAct], dice: Dice) -> Sequence[AnyAct]:
    """The acts in an order by chance; of very many a part, in which each deed with each card has an equal share.

    Whatever a title does in a thousand places, as laying a road, would else leave no room for what it seldom can do.
    """
    shuffled = dice.sample(acts, len(acts))
    if len(acts) <= MOST_VALUED:
        return shuffled
    deeds: dict[tuple[str, str], list[AnyAct]] = {}
    for act in shuffled:
        deed = title.tables.deed(state, act)
        deeds.setdefault((deed.verb, deed.card), []).append(act)
    drawn: list[AnyAct] = []
    # the smallest first: what they leave of their shares is for the others
    for done, alike in enumerate(sorted(deeds.values(), key=len)):
        share = (MOST_VALUED - len(drawn)) // (len(deeds) - done)
        drawn += alike[: max(share, 1)]
    return dice.sample(drawn, len(drawn))


def choose_best(title: AnyTitle, state: AnyState, acts: Sequence[AnyAct], dice: Dice) -> AnyAct:
    """The act after which the position is worth most; dice choose among equal ones."""
    return max(_draw_acts(title, state, acts, dice), key=lambda act: _estimate_worth_after(title, state, act))


@dataclass(slots=True)
class _Trial:
    """An act with the sum of its results. `n` counts its first estimate and its playouts."""

    act: AnyAct
    total: float
    n: int = 1

    @property
    def mean(self) -> float:
        """The mean result in points."""
        return self.total / self.n

    def upper_bound(self, playouts: int) -> float:
        """How good the act may be (UCB1): its mean, and more the seldomer it was tried in so many playouts."""
        return self.mean + CURIOSITY * sqrt(log(playouts) / self.n)


def choose_by_playouts(title: AnyTitle, state: AnyState, acts: Sequence[AnyAct], dice: Dice, playouts: int) -> AnyAct:
    """The act with the best mean result after so many playouts; promising acts are tried more often."""
    # dice order acts of equal worth
    candidates = [(_estimate_worth_after(title, state, act), act) for act in _draw_acts(title, state, acts, dice)]
    candidates.sort(key=lambda candidate: -candidate[0])
    seat = seat_of(acts[0])
    worth_of_others = _compute_mean_of_others(title, state, seat)
    trials: list[_Trial] = []
    for n in range(1, playouts + 1):
        if len(trials) < min(len(candidates), WIDENING * sqrt(n)):
            worth, act = candidates[len(trials)]
            trial = _Trial(act, worth - worth_of_others)
            trials.append(trial)
        else:
            trial = max(trials, key=lambda each: each.upper_bound(n))
        trial.total += _play_out(title, _copy_state_after(title, state, trial.act), seat, dice)
        trial.n += 1
    return max(trials, key=lambda each: each.mean).act


def _play_out(title: AnyTitle, state: AnyState, seat: int, dice: Dice) -> float:
    """Play the round to its end, and return the seat's lead in points over the mean of the others."""
    decisions = 0
    first_round = title.round(state)
    while (awaited := title.awaits(state)).kind != "over":
        if awaited.kind == "deal":
            dealt = _copy_state_after(title, state, title.deal(state, dice.sample))
            if decisions >= MIN_DECISIONS and title.round(dealt) != first_round:
                break
            state = dealt
        elif awaited.kind == "final":
            apply_act(title, state, FinalCount())
        else:
            decisions += 1
            acts = title.legal(state)
            sample = dice.sample(acts, SAMPLE) if len(acts) > SAMPLE else acts
            apply_act(title, state, sample[0] if len(sample) == 1 else choose_best(title, state, sample, dice))
    return title.worth(state, seat) - _compute_mean_of_others(title, state, seat)


def _compute_mean_of_others(title: AnyTitle, state: AnyState, seat: int) -> float:
    """The mean worth of the other seats; 0 in a game of one."""
    worths = [title.worth(state, score.seat) for score in title.score(state) if score.seat != seat]
    return sum(worths) / len(worths) if worths else 0.0
