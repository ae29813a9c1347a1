"""What never gets lost in a game by the rules: resources move by postings only, workers, tokens and cards are counted.

`python -m tests.spyrium.test_conservation 10000` plays as many whole games and prints what occurred.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Any

from spyrium_log.title import Effects
from spyrium_log.titles.spyrium import RESOURCES, SPYRIUM
from spyrium_log.titles.spyrium.cards import KIND_SIZES, KINDS, MOST_WORKERS, TOKEN_VALUES, TOKENS_OF_A_VALUE
from spyrium_log.titles.spyrium.moves import ActivateCard, UseBuilding, UseEvent
from spyrium_log.titles.spyrium.options import Options
from spyrium_log.titles.spyrium.state import GAPS_AROUND, PLACES, STRIDE, State
from tests.games import LONGEST, choose, draw_options, start

GAMES = 40


def any_options(rng: random.Random) -> Options:
    """The defaults in half of the games, any reading in the others."""
    if rng.random() < 0.5:
        return Options()
    return draw_options(Options, rng)


def held(state: State) -> Counter[tuple[int, str]]:
    return Counter({(has.who, has.what): has.n for has in SPYRIUM.held(state)})


def check_tokens(state: State) -> None:
    lying = [*state.tokens, *(mat.kept for mat in state.mats), (state.event_token,), (state.next_token,)]
    for value in TOKEN_VALUES:
        on_table = sum(tokens.count(value) for tokens in lying)
        assert state.reserve[value] >= 0
        assert state.discard[value] >= 0
        assert state.reserve[value] + state.discard[value] + on_table == TOKENS_OF_A_VALUE


def check_workers(state: State) -> None:
    for seat in range(1, state.seats + 1):
        mat = state.mats[seat]
        on_buildings = sum(built.workers for built in mat.buildings)
        places = (mat.active, mat.inactive, state.count_in_market(seat), on_buildings)
        assert min(places) >= 0
        assert sum(places) == mat.workers <= MOST_WORKERS
    for space in range(1, 10):
        around = sum(sum(state.placed[PLACES[gap][0] : PLACES[gap][0] + STRIDE]) for gap in GAPS_AROUND[space])
        assert around == state.around[space]


def check_cards(state: State) -> None:
    seen = [card for _, card in state.dealt]
    for card, design in state.printed.designs.items():
        assert seen.count(card) <= sum(design.copies)
    for kind, size in KIND_SIZES.items():
        assert sum(KINDS.get(card) == kind for card in seen) <= size
    for mat in state.mats:
        assert len(set(mat.techniques)) == len(mat.techniques)
    assert len(set(state.events_seen)) == len(state.events_seen)


def check_move(before: Counter[tuple[int, str]], given: Effects, after: State) -> None:
    """Money, Spyrium, points, workers and the disc move by postings and by nothing else."""
    for posting in given.moved:
        before[posting.who, posting.what] += posting.n
    assert before == held(after)
    for mat in after.mats[1:]:
        assert all(getattr(mat, what) >= 0 for what in RESOURCES)


def note(state: State, act: Any, given: Effects, seen: Counter[str]) -> None:
    """What occurred, by kind: an event, a card's effect, a technique at work, a fact."""
    seen[f"act {type(act).__name__}"] += 1
    if isinstance(act, ActivateCard):
        seen[f"card {state.market[act.space]}"] += 1
    elif isinstance(act, UseBuilding):
        seen[f"use {state.mats[act.seat].buildings[act.slot - 1].card}.{act.effect}"] += 1
    elif isinstance(act, UseEvent):
        seen[f"event {state.event}"] += 1
    seen.update(f"cause {posting.why}" for posting in given.moved)
    seen.update(f"fact {type(fact).__name__}" for fact in given.facts)


def campaign(games: int, seed: int = 0) -> Counter[str]:
    seen: Counter[str] = Counter()
    for number in range(seed, seed + games):
        rng = random.Random(number)
        play = start(SPYRIUM, number, 2 + number % 4, any_options(rng))
        state = play.state
        while (act := choose(play, rng)) is not None:
            assert not [found for found in SPYRIUM.breaches(state, act) if found.on == "record"]
            given = SPYRIUM.effects(state, act)
            assert given is not None
            note(state, act, given, seen)
            before = held(state)
            SPYRIUM.evolve(state, act, given.moved, given.facts)
            check_move(before, given, state)
            check_workers(state)
            check_tokens(state)
            check_cards(state)
            seen["events"] += 1
            assert seen["events"] < LONGEST * games
        seen["games"] += 1
    return seen


def test_nothing_is_lost_and_nothing_comes_from_nowhere(counts: Counter[str]) -> None:
    seen = campaign(GAMES)
    counts["conservation: games"] += seen["games"]
    counts["conservation: events"] += seen["events"]
    assert seen["events"] > GAMES * 50


def main(games: int) -> int:
    seen = campaign(games)
    for name, n in sorted(seen.items()):
        print(f"{n:>12,}  {name}")
    print(f"{seen['games']:,} games, {seen['events']:,} events, nothing lost")
    return 0 if seen["games"] == games > 0 else 1


if __name__ == "__main__":
    sys.exit(main(*(int(n) for n in sys.argv[1:])))
