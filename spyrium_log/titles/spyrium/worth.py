"""What a position is worth in points, as a player might guess. No rule: it only makes simulated players sensible.

The numbers are guesses in points, tried against each other in simulated games.
"""

from __future__ import annotations

from spyrium_log.titles.spyrium.cards import CALLS, NEW_WORKERS, RESIDENCES, ROUNDS, TOKEN_GIVES, USES, Design, Use
from spyrium_log.titles.spyrium.scoring import final_parts
from spyrium_log.titles.spyrium.state import SPACES, STRIDE, Mat, State

POUND = 0.35
SPYRIUM = 0.9
LAST_SPYRIUM = 0.45
# A bonus that is due, and a worker who is spent on a building.
DUE = 2.0
HAND = 0.3
# A worker in each round to come, and one that can still be placed in this round.
WORKER = 1.6
PLACEABLE = 1.5
RESIDENCE = 0.3
TECHNIQUE = 1.5
# The chance that a building is used in a round, and that a card beside an own worker is still there.
USED = 0.8
REACHED = 0.7
# What may still be earned before buying, and the worth of a technique besides its use each round.
SAVINGS = 3
LEARNT = 2.0


def estimate_worth(state: State, seat: int) -> float:
    """What a seat's position is worth in points: those made, those of the final count, and those still to be made."""
    if not 0 < seat <= state.seats:
        return 0.0
    mat = state.mats[seat]
    total = float(mat.points)
    if state.counted:
        return total
    left = ROUNDS - state.round
    for _, points in final_parts(state, mat):
        total += points
    if left:
        each_round = WORKER * mat.workers + TECHNIQUE * len(mat.techniques)
        each_round += RESIDENCE * state.printed.residence(mat.residence)
        for built in mat.buildings:
            each_round += USED * _YIELDS.get(built.card, 0.0)
        total += left * each_round + POUND * mat.money + SPYRIUM * mat.spyrium
    if mat.passed or not state.round:
        return total
    if not left:
        total += POUND * mat.money + LAST_SPYRIUM * mat.spyrium
    return (
        total + DUE * mat.bonus_due + _estimate_active_workers(mat) + _estimate_market_workers(state, seat, mat, left)
    )


def _estimate_use(use: Use) -> float:
    """What one use of a building is worth in points, less its cost."""
    gained = use.n * (SPYRIUM if use.what == "spyrium" else 1.0)
    return gained - SPYRIUM * use.spyrium - HAND * use.workers


# By card: its best use, and the fewest workers that any of its uses takes.
_YIELDS = {card: max(map(_estimate_use, uses)) for card, uses in USES.items()}
_WORKERS_NEEDED = {card: min(use.workers for use in uses) for card, uses in USES.items()}


def _estimate_active_workers(mat: Mat) -> float:
    """Worth in points of the buildings that can still be used in this round and the workers still to be placed."""
    total = 0.0
    active = mat.active
    for built in mat.buildings:
        card = built.card
        if not built.inclined and card in _YIELDS and _WORKERS_NEEDED[card] <= active:
            active -= _WORKERS_NEEDED[card]
            total += _YIELDS[card]
    return total + PLACEABLE * active if mat.phase == 1 else total


def _estimate_market_workers(state: State, seat: int, mat: Mat, left: int) -> float:
    """Worth in points of the best cards that the workers in the market reach, one each; others gain money."""
    # the seat's workers, gap by gap
    workers = state.placed[seat::STRIDE]
    standing = sum(workers)
    if not standing:
        return 0.0
    market = state.market
    beside = {space for n, spaces in zip(workers, SPACES, strict=True) if n for space in spaces if market[space]}
    pounds = POUND * max((state.around[space] - 1 for space in beside), default=0)
    values = sorted((_estimate_card(state, space, mat, left) for space in beside), reverse=True)
    total = 0.0
    for value in values[:standing]:
        total += max(value, pounds)
    return REACHED * (total + pounds * max(0, standing - len(values)))


def _estimate_card(state: State, space: int, mat: Mat, left: int) -> float:
    """Worth in points of activating a card, less its price; 0 where it is too dear."""
    design = state.printed.designs.get(state.market[space])
    if design is None:
        return 0.0
    price = design.price + max(0, state.around[space] - 1)
    if design.kind == "building":
        price += len(mat.buildings)
    if price > mat.money + SAVINGS:
        return 0.0
    return _estimate_effect(state, space, design, mat, left) - POUND * price


def _estimate_effect(state: State, space: int, design: Design, mat: Mat, left: int) -> float:
    """Worth in points of what a card gives: a building over the `left` rounds to come, a character at once."""
    tokens = state.tokens[space]
    token, least = max(tokens, default=0), min(tokens, default=0)
    if design.kind == "technique":
        return LEARNT + TECHNIQUE * left
    if design.kind == "building":
        gained = design.points + left * USED * _YIELDS.get(design.card, 0.0)
        gained += WORKER * left * NEW_WORKERS.get(design.card, 0)
        if design.card in RESIDENCES:
            gained += state.printed.residence(mat.residence)
        return gained + token * (1.0 if TOKEN_GIVES.get(design.card) == "points" else SPYRIUM)
    call = CALLS[design.card]
    if (design.token and not token) or mat.spyrium < call.spyrium:
        return 0.0
    if call.residence:
        return float(state.printed.residence(mat.residence)) - POUND * least
    n = float(token if call.n is None else call.n)
    paid = SPYRIUM * call.spyrium + (POUND * least if call.pays_token else 0.0)
    return n * (SPYRIUM if call.what == "spyrium" else 1.0) - paid
