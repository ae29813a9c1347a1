"""What a position is worth in points, as a player might guess. No rule: it only makes simulated players sensible.

The numbers are guesses in points, tried against each other in simulated games.
"""

from __future__ import annotations

from spyrium_log.titles.founders.cards import HOUSE, LAST_COMPLETION, TIERS, TILES_OF_A_RESOURCE
from spyrium_log.titles.founders.links import Links, find_reach
from spyrium_log.titles.founders.scoring import count_advisers, count_structures, final_points
from spyrium_log.titles.founders.state import State, Structure

COIN = 0.35
INFLUENCE = 0.6
LASTING = 1.2
# An income step and a house, in each vote to come.
INCOME = 0.7
HOUSE_IN_HAND = 0.8
ADVISER = 1.0
CARD = 0.25
# What a tile may still bring: a need on the board, and a part of the points printed there.
NEED = 0.35
PROPOSED = 0.12
# What a tile is worth by its tier as a source of points in votes to come.
TIER = (0.0, 0.25, 0.8, 1.6)
OWN_ACCESS = 0.2
# The inputs of a tile, all there, and all of them connected; by tier. Half the inputs are worth a quarter.
INPUTS = (0.0, 0.0, 1.6, 2.6)
CONNECTED = (0.0, 0.0, 2.4, 3.6)
# A need that is filled, by whomever: it brings the end of the game nearer.
FILLED = 0.3
VOTES = 6
MOST_COINS = 10


def estimate_worth(state: State, seat: int) -> float:
    """What a seat's position is worth in points: those made, those of the final count, and those still to be made."""
    if not 0 < seat <= state.seats:
        return 0.0
    mat = state.mats[seat]
    total = float(mat.points)
    if state.counted:
        return total
    total += sum(final_points(state, seat).values())
    left = max(LAST_COMPLETION - state.markers, 0) / LAST_COMPLETION
    needs = _count_needs(state)
    for structure in state.structures:
        if structure.kind in TIERS:
            total += _worth_of_tile(structure, seat, needs, left)
    total += left * (INCOME * VOTES * mat.income / 2 + HOUSE_IN_HAND * VOTES * count_structures(state, seat, HOUSE) / 2)
    total += left * _worth_of_recipes(state, seat) + FILLED * sum(len(each.delivered) for each in state.buildings)
    total += COIN * min(mat.money, MOST_COINS) + INFLUENCE * mat.fleeting + left * LASTING * mat.lasting
    return total + ADVISER * left * count_advisers(state, seat) + CARD * mat.cards_in_hand


def _worth_of_recipes(state: State, seat: int) -> float:
    """What the tiles are worth that the seat could build, or has some of the inputs of; of which no more are built."""
    usable: dict[str, int] = {}
    built: dict[str, int] = {}
    links = Links(state, seat)
    for tile in state.structures:
        built[tile.kind] = built.get(tile.kind, 0) + 1
        if tile.owner == seat or tile.has_access(seat):
            usable[tile.kind] = usable.get(tile.kind, 0) | links.region(tile.mask)
    reach = find_reach(state, seat, links) & ~(state.covered | state.roads)
    total = 0.0
    for recipe in state.printed.recipes.values():
        if not recipe.inputs or built.get(recipe.resource, 0) >= TILES_OF_A_RESOURCE:
            continue
        regions = [usable[each] for each in recipe.inputs if each in usable]
        total += INPUTS[recipe.tier] * (len(regions) / len(recipe.inputs)) ** 2
        if len(regions) == len(recipe.inputs):
            common = reach
            for region in regions:
                common &= region
            total += CONNECTED[recipe.tier] * bool(common)
    return total


def _worth_of_tile(tile: Structure, seat: int, needs: dict[str, float], left: float) -> float:
    """What a tile may still bring to a seat: its owner most, and a little to whoever has access to it."""
    if tile.owner == seat:
        return left * TIER[TIERS[tile.kind]] + needs.get(tile.kind, 0.0)
    return OWN_ACCESS * left if tile.has_access(seat) else 0.0


def _count_needs(state: State) -> dict[str, float]:
    """By resource, a part of the points that open needs of buildings and proposals would bring."""
    needs: dict[str, float] = {}
    printed = state.printed.prestige
    weights = [(building.card, NEED, {each for each, _ in building.delivered}) for building in state.buildings]
    weights += [(card, PROPOSED, set()) for card in state.proposals]
    if state.markers >= LAST_COMPLETION:
        return needs
    for card, weight, filled in weights:
        prestige = printed.get(card)
        for resource, points in (prestige.needs or ()) if prestige else ():
            if resource not in filled:
                needs[resource] = needs.get(resource, 0.0) + weight * (points or 0)
    return needs
