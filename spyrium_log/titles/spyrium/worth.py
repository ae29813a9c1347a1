"""What a position comes to in points, as a player would guess it. No rule: it only makes simulated players sensible.

The numbers are guesses in points, tried against each other in simulated games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spyrium_log.titles.spyrium.cards import CALLS, NEW_WORKERS, RESIDENCES, ROUNDS, TOKEN_GIVES, USES, Use
from spyrium_log.titles.spyrium.scoring import final_parts
from spyrium_log.titles.spyrium.state import GAPS_AROUND, PLACES, STRIDE

if TYPE_CHECKING:
    from spyrium_log.titles.spyrium.cards import Design
    from spyrium_log.titles.spyrium.state import Mat, State

POUND = 0.35
SPYRIUM = 0.9
# A worker of one's own, for each round that is still to come; one that can still be placed, in this one.
WORKER = 1.6
PLACEABLE = 1.5
RESIDENCE = 0.3
TECHNIQUE = 1.5
# How often a building is used in a round, and how surely a card beside a worker of one's own is still there.
USED = 0.8
REACHED = 0.7


def worth(state: State, seat: int) -> float:
    """Points now and at the count, what still makes points, and what the workers in the market stand beside."""
    mat = state.mats[seat]
    left = ROUNDS - state.round
    total = float(mat.points) + sum(points for _, points in final_parts(state, mat))
    if state.counted:
        return float(mat.points)
    total += left * (WORKER * mat.workers + RESIDENCE * state.printed.residence(mat.residence))
    total += left * (TECHNIQUE * len(mat.techniques) + USED * sum(_yield(built.card) for built in mat.buildings))
    total += 2.0 * mat.bonus_due
    if mat.passed or not state.round:
        return total + (POUND * mat.money + SPYRIUM * mat.spyrium if left else 0)
    total += POUND * mat.money + SPYRIUM * mat.spyrium * (1.0 if left else 0.5)
    return total + _hands(mat) + _prospects(state, seat, mat, left)


def _yield(card: str) -> float:
    """What one use of a building brings, less what it takes."""
    return _YIELDS.get(card, 0.0)


def _net(use: Use) -> float:
    gained = use.n * (SPYRIUM if use.what == "spyrium" else 1.0)
    return gained - SPYRIUM * use.spyrium - 0.3 * use.workers


_YIELDS = {card: max(map(_net, uses)) for card, uses in USES.items()}
_HANDS = {card: min(use.workers for use in uses) for card, uses in USES.items()}


def _hands(mat: Mat) -> float:
    """Buildings that can still be used in this round, and the workers who may yet be placed."""
    total = 0.0
    active = mat.active
    for built in mat.buildings:
        if not built.inclined and built.card in _YIELDS:
            needed = _HANDS[built.card]
            if needed <= active:
                active -= needed
                total += _YIELDS[built.card]
    return total + PLACEABLE * active * (mat.phase == 1)


def _prospects(state: State, seat: int, mat: Mat, left: int) -> float:
    """The best cards that the workers in the market can reach, one each; the others gain money where they stand."""
    placed = state.placed
    standing = 0
    beside: dict[int, int] = {}
    for place, one, other in PLACES.values():
        n = placed[place + seat]
        if n:
            standing += n
            beside[one] = beside[other] = 1
    if not standing:
        return 0.0
    values = [_card(state, space, mat, left) for space in beside if state.market[space]]
    crowds = [state.around[space] - 1 for space in beside if state.market[space]]
    pounds = POUND * max(crowds, default=0)
    values = sorted((value for value in values if value > pounds), reverse=True)[:standing]
    return REACHED * (sum(values) + pounds * (standing - len(values)))


def _card(state: State, space: int, mat: Mat, left: int) -> float:
    """What activating a card comes to, less what it costs."""
    design = state.printed.designs.get(state.market[space])
    if design is None:
        return 0.0
    price = design.price + max(0, state.around[space] - 1)
    if design.kind == "building":
        price += len(mat.buildings)
    if price > mat.money + 3:
        return 0.0
    return _gain(state, space, design, mat, left) - POUND * price


def _gain(state: State, space: int, design: Design, mat: Mat, left: int) -> float:
    tokens = state.tokens[space]
    token = max(tokens, default=0)
    if design.kind == "technique":
        return 2.0 + TECHNIQUE * left
    if design.kind == "building":
        gained = design.points + left * USED * _yield(design.card)
        gained += WORKER * left * NEW_WORKERS.get(design.card, 0)
        if design.card in RESIDENCES:
            gained += state.printed.residence(mat.residence)
        return gained + token * (1.0 if TOKEN_GIVES.get(design.card) == "points" else SPYRIUM)
    call = CALLS[design.card]
    if (design.token and not token) or mat.spyrium < call.spyrium:
        return 0.0
    if call.residence:
        return float(state.printed.residence(mat.residence)) - POUND * min(tokens)
    n = float(token if call.n is None else call.n)
    paid = SPYRIUM * call.spyrium + (POUND * min(tokens) if call.pays_token else 0.0)
    return n * (SPYRIUM if call.what == "spyrium" else 1.0) - paid
