"""What pieces count, which achievements are met, the final count, scores and places (F-11.2, F-12.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from spyrium_log.title import Score
from spyrium_log.titles.founders.cards import (
    ACTION_CARDS,
    BRIDGE,
    CALL,
    HOUSE,
    LAST_COMPLETION,
    PIECES_OF_A_KIND,
    SOLO_ROUNDS,
    TIERS,
    Goal,
)
from spyrium_log.titles.founders.links import field_of
from spyrium_log.titles.founders.programme import MOST_STRUCTURES
from spyrium_log.titles.founders.state import State

_COINS_A_POINT: Final = 4


def count_structures(state: State, seat: int, kind: str) -> int:
    """How many a seat has of a resource's tiles, of HOUSE or BRIDGE: for supplies, rewards, income and achievements."""
    return sum(each.kind == kind and each.owner == seat for each in state.structures)


def count_resources(state: State, seat: int) -> int:
    """How many different resources the seat has a tile of on the board (F-4.3)."""
    return len({each.kind for each in state.structures if each.owner == seat and each.kind in TIERS})


def count_advisers(state: State, seat: int) -> int:
    """How many advisers the seat has, in hand and discarded."""
    mat = state.mat(seat)
    return sum(card not in ACTION_CARDS for card in (*mat.hand, *mat.discard))


def count_deliveries(state: State, seat: int) -> int:
    """How many delivery tokens the seat has on the board."""
    return sum(each == seat for building in state.buildings for _, each in building.delivered)


def count_workers(state: State, seat: int) -> int:
    """How many workers the seat can use now: one a house, less those in use (F-9)."""
    houses = count_structures(state, seat, HOUSE)
    return min(houses, PIECES_OF_A_KIND) - len(state.mat(seat).used)


def _count_tier(state: State, seat: int, tier: int) -> int:
    """The tiles of a tier that the seat built, which are those it owns."""
    return sum(TIERS.get(each.kind, 0) == tier and each.owner == seat for each in state.structures)


_COUNTS: Final[dict[str, Callable[[State, int], int]]] = {
    "buildings-delivered": lambda state, seat: sum(
        any(each == seat for _, each in building.delivered) for building in state.buildings
    ),
    "tier2-built": lambda state, seat: _count_tier(state, seat, 2),
    "tier3-built": lambda state, seat: _count_tier(state, seat, 3),
    "deliveries": count_deliveries,
    "resources": count_resources,
    "houses": lambda state, seat: count_structures(state, seat, HOUSE),
    "advisers": count_advisers,
    "lasting": lambda state, seat: state.mats[seat].lasting,
    "money": lambda state, seat: state.mats[seat].money,
}


def meets_goal(state: State, seat: int, goal: Goal) -> bool:
    """Whether the seat meets an achievement as things stand; nobody does where it is unknown."""
    if goal.when is None:
        return False
    if goal.when.count == MOST_STRUCTURES:
        return any(_has_most(state, seat, section) for section in field_of(state.printed.board).sections)
    return _COUNTS[goal.when.count](state, seat) >= goal.when.least


def _has_most(state: State, seat: int, section: int) -> bool:
    """Whether the seat owns more structures in a section than every other; bridges do not count (F-12.2)."""
    counts = [0] * (state.seats + 1)
    for structure in state.structures:
        if structure.kind != BRIDGE and structure.mask & section and structure.owner <= state.seats:
            counts[structure.owner] += 1
    # 0: nobody's
    others = [n for other, n in enumerate(counts) if other not in {0, seat}]
    return counts[seat] > max(others, default=0)


def count_final_points(state: State, seat: int) -> dict[str, int]:
    """What the final count gives a seat, by cause, without zeros (F-11.2)."""
    mat = state.mats[seat]
    # the third is of the final deck
    goal = state.printed.goals.get(state.goals[2])
    parts = {
        "final:lasting": max(mat.lasting, 0),
        "final:money": max(mat.money, 0) // _COINS_A_POINT,
        "final:goal": (goal.points or 0) if goal and meets_goal(state, seat, goal) else 0,
    }
    return {cause: n for cause, n in parts.items() if n}


def compute_scores(state: State) -> list[Score]:
    """The score of every seat; a tie is broken clockwise from the holder of the token, so that no place is shared."""
    # once the final count was made, its points are among those of the mat
    parts = {seat: {} if state.counted else count_final_points(state, seat) for seat in range(1, state.seats + 1)}
    totals = {seat: state.mats[seat].points + sum(parts[seat].values()) for seat in parts}
    order = state.list_seats_from(state.last or state.first)
    ranked = sorted(order, key=lambda seat: -totals[seat])
    return [
        Score(
            seat=seat,
            points=state.mats[seat].points,
            final=tuple(parts[seat].items()),
            total=totals[seat],
            place=ranked.index(seat) + 1,
            lost=is_lost(state, seat),
        )
        for seat in parts
    ]


def is_lost(state: State, seat: int) -> bool:
    """Whether a game alone is lost: by its claims, or played out with a building unfinished (F-12.3)."""
    if state.seats > 1:
        return False
    return state.mats[seat].lost or (is_played_out_alone(state) and state.markers < LAST_COMPLETION)


def is_played_out_alone(state: State) -> bool:
    """Whether in a game alone all cards but the Call to Vote were played after the last vote there is (F-12.3)."""
    return state.votes >= SOLO_ROUNDS - 1 and state.mats[1].hand == (CALL,)
