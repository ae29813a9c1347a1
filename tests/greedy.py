"""A small player that takes what looks best now: games that resemble games, for examples and key counts."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from msgspec import structs

from spyrium_log.log.codec import Log
from spyrium_log.play import Play
from spyrium_log.title import AnyTitle, FinalCount
from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.moves import PlaceWorker, TakeBonus
from spyrium_log.titles.spyrium.state import PLACES, State
from tests.games import LONGEST, log_of, new_header

SPYRIUM = TITLES["spyrium"]


def worth(title: AnyTitle, state: State, seat: int) -> float:
    """How well a seat stands: points now and at the end, and what still makes points."""
    left = 7 - state.round
    mat = state.mats[seat]
    total = title.score(state)[seat - 1].total
    engine = sum(2.2 * left for _ in mat.buildings) + sum(1.5 * left for _ in mat.techniques)
    inclined = sum(1.6 for built in mat.buildings if built.inclined)
    return (
        total + 0.3 * mat.money + 0.9 * mat.spyrium + 1.5 * left * mat.workers + engine - inclined + 0.5 * mat.residence
    )


def attraction(state: State, act: PlaceWorker) -> float:
    """Cards beside the gap, less those who already stand there and the ones already within reach."""
    _, one, other = PLACES[act.gap]
    beside = [space for space in (one, other) if state.market[space]]
    taken = sum(state.around[space] for space in beside)
    return 4 + len(beside) - 0.5 * taken


def choose(title: AnyTitle, state: State, rng: random.Random) -> Any:
    """The act with the best position after it; placing is judged by what it stands beside."""
    legal = list(title.legal(state))
    rng.shuffle(legal)
    seat = legal[0].seat
    now = worth(title, state, seat)

    def gain(act: Any) -> float:
        if isinstance(act, PlaceWorker):
            return attraction(state, act)
        if isinstance(act, TakeBonus):
            return 1.0 if act.bonus == "worker" and state.round < 5 else 0.0
        after = title.copy(state)
        made = title.effects(state, act)
        assert made is not None
        title.evolve(after, act, made.moved, made.facts)
        # standing workers are worth something, so that phase II waits until they are placed
        return worth(title, after, seat) - now - (1.5 * state.mats[seat].active if getattr(act, "enter", False) else 0)

    return max(legal, key=gain)


@cache
def greedy_game(seed: int, seats: int) -> Log:
    """One whole game by greedy players."""
    header = structs.replace(new_header(SPYRIUM, seed, seats), source="simulated")
    play = Play(log_of(SPYRIUM, [header]))
    rng = random.Random(seed)
    while (awaited := play.awaits()).kind != "over":
        if awaited.kind == "deal":
            act: Any = SPYRIUM.deal(play.state, lambda pool, k: rng.sample(list(pool), k))
        elif awaited.kind == "final":
            act = FinalCount()
        else:
            act = choose(SPYRIUM, play.state, rng)
        assert len(play.log.lines) < LONGEST
        line = play.propose(act, by="greedy").event
        play.append(line)
    return log_of(SPYRIUM, play.log.lines)
