"""What a position is worth in points, as a player might guess. No rule: it only makes simulated players sensible.

The numbers are guesses in points, tried against each other in simulated games.
"""

from __future__ import annotations

from typing import TypeAlias

from spyrium_log.titles.founders.cards import HOUSE, LAST_COMPLETION, TIERS, TILES_OF_A_RESOURCE
from spyrium_log.titles.founders.links import Links, find_own_cells
from spyrium_log.titles.founders.scoring import count_advisers, count_structures, final_points
from spyrium_log.titles.founders.state import State, Structure

COIN = 0.3
INFLUENCE = 0.5
LASTING = 1.2
# An income step and a house, in each vote to come.
INCOME = 0.6
HOUSES = 0.7
ADVISER = 0.8
# What a tile may still bring to its owner: a part of the points of a need on the board the nearer it lies, and of one
# on a proposal.
NEED = 0.6
PROPOSED = 0.12
# What a tile is worth by its tier as a source of points in votes to come; access to one of another owner.
TIER = (0.0, 0.25, 0.8, 1.6)
ACCESS = 0.1
# The inputs of a tile of tier 2 or 3, all there; and all within reach of each other. Half of them are worth a quarter.
INPUTS = (0.0, 0.0, 1.4, 2.4)
IN_REACH = (0.0, 0.0, 5.0, 8.0)
# A need that is filled, by whomever, brings the end of the game nearer; a building that is not complete does not.
FILLED = 0.3
UNFINISHED = 0.4
# A vote that one called while so many buildings are unfinished already.
CALLED = 4.0
ENOUGH = 2
VOTES = 6
MOST_COINS = 10
# Steps between two tiles from which on they are of no use to each other.
FAR = 7


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
    needs = _list_needs(state)
    links = Links(state, seat)
    for tile in state.structures:
        if tile.owner == seat and tile.kind in TIERS:
            total += left * TIER[TIERS[tile.kind]] + _worth_of_needs(tile, needs, links)
        elif tile.has_access(seat):
            total += left * ACCESS
    total += left * _worth_of_recipes(state, seat, links)
    total += FILLED * sum(len(each.delivered) for each in state.buildings)
    total += left * VOTES / 2 * (INCOME * mat.income + HOUSES * count_structures(state, seat, HOUSE))
    total += COIN * min(mat.money, MOST_COINS) + INFLUENCE * mat.fleeting + left * LASTING * mat.lasting
    total += ADVISER * left * count_advisers(state, seat)
    unfinished = len(state.buildings) - state.markers
    return total - UNFINISHED * unfinished - CALLED * (state.caller == seat and unfinished >= ENOUGH)


# An open need: the resource, its points, and the mask of the building; 0 for a proposal's.
_Need: TypeAlias = tuple[str, int, int]


def _list_needs(state: State) -> list[_Need]:
    """Every need of a building or a proposal that is still open."""
    if state.markers >= LAST_COMPLETION:
        return []
    cards = [(each.card, each.mask, {resource for resource, _ in each.delivered}) for each in state.buildings]
    cards += [(card, 0, set()) for card in state.proposals]
    needs = []
    for card, mask, filled in cards:
        prestige = state.printed.prestige.get(card)
        for resource, points in (prestige.needs or ()) if prestige else ():
            if resource not in filled:
                needs.append((resource, points or 0, mask))
    return needs


def _worth_of_needs(tile: Structure, needs: list[_Need], links: Links) -> float:
    """What the needs for the resource of a tile may bring, the more the nearer the building is."""
    total = 0.0
    for resource, points, mask in needs:
        if resource == tile.kind:
            total += points * (NEED * _nearness(links, [tile.mask, mask]) if mask else PROPOSED)
    return total


def _nearness(links: Links, masks: list[int]) -> float:
    """1 for what is connected, less the farther the masks lie from each other, 0 from FAR steps on."""
    regions = [links.region(mask) for mask in masks]
    for steps in range(FAR):
        common = regions[0]
        for region in regions[1:]:
            common &= region
        if common & links.field.land:
            return 1 - steps / FAR
        regions = [links.field.grow(region) for region in regions]
    return 0.0


def _worth_of_recipes(state: State, seat: int, links: Links) -> float:
    """What the tiles are worth that the seat could build, or has some of the inputs of; of which no more are built."""
    usable: dict[str, int] = {}
    built: dict[str, int] = {}
    for tile in state.structures:
        built[tile.kind] = built.get(tile.kind, 0) + 1
        if tile.owner == seat or tile.has_access(seat):
            usable[tile.kind] = usable.get(tile.kind, 0) | tile.mask
    total = 0.0
    for recipe in state.printed.recipes.values():
        if not recipe.inputs or built.get(recipe.resource, 0) >= TILES_OF_A_RESOURCE:
            continue
        masks = [usable[each] for each in recipe.inputs if each in usable]
        total += INPUTS[recipe.tier] * (len(masks) / len(recipe.inputs)) ** 2
        if len(masks) == len(recipe.inputs):
            total += IN_REACH[recipe.tier] * _nearness(links, [*masks, find_own_cells(state, seat)])
    return total
