"""A card that lays roads and then builds: it may begin with the roads after which it can be finished (F-7.0)."""

from __future__ import annotations

import random
from collections import Counter

from spyrium_log.title import NOTHING
from spyrium_log.titles.founders import FOUNDERS, moves
from spyrium_log.titles.founders.ground import name_of
from spyrium_log.titles.founders.rules.turn import find_stage
from spyrium_log.titles.founders.state import State
from tests.games import moves as play_by_chance
from tests.games import start
from tests.shares import part

# The adviser of the practice set that lays two roads and then builds a tile.
PAVER = "paver"
# Of each game, so many positions, and of each of those so many roads that may be laid and so many that may not.
POSITIONS = 4
ROADS = 4


def after(state: State, act: moves.Act) -> State:
    copy = FOUNDERS.copy(state)
    moved, facts = FOUNDERS.effects(copy, act) or NOTHING
    FOUNDERS.evolve(copy, act, moved, facts)
    return copy


def find_roads(state: State, seat: int, card: str | None) -> list[moves.LayRoad]:
    """The roads against which nothing speaks but that the card could not be finished."""
    roads = [moves.LayRoad(seat=seat, at=name_of(cell), card=card) for cell in state.printed.board.land]
    return [road for road in roads if {each.rule for each in FOUNDERS.breaches(state, road)} <= {"card.full"}]


def can_be_finished(state: State, seat: int) -> bool:
    """Whether some second road leaves a tile to be built, tried one by one."""
    return any(
        isinstance(act, moves.BuildTile)
        for road in find_roads(state, seat, None)
        for act in FOUNDERS.legal(after(state, road))
    )


def list_turns(seed: int) -> list[State]:
    """The positions of a game by chance in which a turn begins."""
    play = start(FOUNDERS, seed)
    return [
        FOUNDERS.copy(play.state) for _ in play_by_chance(play, seed, most=150) if find_stage(play.state).kind == "turn"
    ]


def test_a_road_may_begin_a_card_if_the_tile_can_follow(counts: Counter[str]) -> None:
    dice = random.Random(7)
    for seed in range(part(4, 4)):
        for state in dice.sample(list_turns(seed), POSITIONS):
            seat = FOUNDERS.awaits(state).seat
            state.mats[seat].hand += (PAVER,)
            legal = {
                act
                for act in FOUNDERS.legal(state)
                if isinstance(act, moves.LayRoad) and act.card == PAVER and not act.down
            }
            roads = find_roads(state, seat, PAVER)
            assert legal <= set(roads)
            for kind, group in (("may", legal), ("may not", set(roads) - legal)):
                for road in dice.sample(sorted(group, key=lambda road: road.at), min(ROADS, len(group))):
                    assert can_be_finished(after(state, road), seat) == (kind == "may"), road
                    counts[f"roads before a tile that {kind} be laid"] += 1
    assert all(counts[f"roads before a tile that {kind} be laid"] for kind in ("may", "may not"))
