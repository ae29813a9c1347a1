"""What a position is worth in points, as a player might guess. No rule: it only makes simulated players sensible.

The heart of it are the needs of the unfinished buildings: each is worth its points to whoever may fill it, the less the
more has to be done before: roads, tiles and access. The numbers are guesses in points, tried against each other in
simulated games.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from spyrium_log.titles.founders.cards import (
    BASES,
    BRIDGE,
    CALL,
    HOUSE,
    LAST_COMPLETION,
    SIZES,
    TIERS,
    TILES_OF_A_RESOURCE,
)
from spyrium_log.titles.founders.links import Field, Links, field_of
from spyrium_log.titles.founders.scoring import count_advisers, final_points
from spyrium_log.titles.founders.state import Building, Mat, State, Structure

# A coin while there are few of them, and each one more. In the final count it is a quarter of a point.
COIN: Final = 0.45
SPARE_COIN: Final = 0.25
FEW_COINS: Final = 8
INFLUENCE: Final = 0.35
LASTING: Final = 1.2
# In the votes to come: an income step, a house, an adviser; and a tile that may supply others.
INCOME: Final = 1.5
HOUSES: Final = 1.5
ADVISER: Final = 1.0
TILE: Final = 0.3
# What it is worth to have a card in hand still; those of advisers and what else there is.
CARDS: Final = {"trade": 0.5, "upgrade": 0.5, "income": 0.5, "recruit": 0.3, "construct": 0.2}
OTHER_CARD: Final = 0.4
# Of the points of a need: what they are worth to a seat that may fill it, and what is left of them with each act that
# has to be done before.
MINE: Final = 0.85
EACH_ACT: Final = 0.72
# A need that is filled, and a building that is complete, by whomever, bring the end of the game nearer.
FILLED: Final = 0.5
COMPLETE: Final = 2.0
# A need on a proposal, of what one on the board is worth that has no way to go; on the one that one votes for, that
# won.
PROPOSED: Final = 0.08
VOTED: Final = 0.02
WON: Final = 0.5
# Another vote while so many buildings are unfinished.
CALLED: Final = 2.0
ENOUGH: Final = 1
# So many roads from each other, two tiles are of no use to each other; so many acts are as good as never.
FAR: Final = 6
NEVER: Final = 9
# The inputs of a tile of these tiers may be so many cells farther away, because it lies between.
SPAN: Final = (0, 0, 2, 3)


def estimate_worth(state: State, seat: int) -> float:
    """What a seat's position is worth in points: those made, those of the final count, and those still to be made."""
    if not 0 < seat <= state.seats:
        return 0.0
    mat = state.mats[seat]
    if state.counted:
        return float(mat.points)
    left = max(LAST_COMPLETION - state.markers, 0) / LAST_COMPLETION
    final = final_points(state, seat)
    total = float(mat.points + final.get("final:goal", 0))
    total += SPARE_COIN * mat.money + (COIN - SPARE_COIN) * min(mat.money, FEW_COINS) * left
    total += INFLUENCE * mat.fleeting * left + LASTING * mat.lasting
    total += left * (INCOME * mat.income + ADVISER * count_advisers(state, seat) + _worth_of_structures(state, seat))
    total += sum(CARDS.get(card, OTHER_CARD) for card in mat.hand if card != CALL) * left
    if not left:
        return total
    return total + _worth_of_buildings(state, seat) + _worth_of_vote(state, seat, mat)


def _worth_of_structures(state: State, seat: int) -> float:
    """What the seat's tiles and houses may bring in the rest of the game."""
    total = 0.0
    for each in state.structures:
        if each.owner == seat:
            total += HOUSES if each.kind == HOUSE else TILE * TIERS.get(each.kind, 0)
    return total


def _worth_of_buildings(state: State, seat: int) -> float:
    """What the needs of the buildings on the board are worth to a seat: those that are filled, and those to fill."""
    table = _Table(state, seat)
    total = 0.0
    for building in state.buildings:
        total += FILLED * len(building.delivered)
        if building.complete:
            total += COMPLETE
            continue
        total += MINE * sum(
            points * EACH_ACT ** table.count_acts(resource, building.mask)
            for resource, points in _open_needs(state, building.card, building)
        )
    return total


def _worth_of_vote(state: State, seat: int, mat: Mat) -> float:
    """What the proposals may bring, the one the seat votes for and the one that won; and what another vote costs."""
    total = 0.0
    kinds = {each.kind for each in state.structures if each.owner == seat or each.has_access(seat)}
    for index, card in enumerate(state.proposals, 1):
        weight = PROPOSED
        if index == state.winner[0]:
            weight += WON
        elif mat.bid and mat.bid.proposal == index:
            weight += VOTED * mat.bid.points
        total += weight * sum(
            points * EACH_ACT ** _count_tiles(state, resource, kinds) for resource, points in _open_needs(state, card)
        )
    if mat.bid:
        total -= LASTING * mat.bid.lasting
    unfinished = len(state.buildings) - state.markers
    return total - CALLED * max(unfinished - ENOUGH, 0) * (state.caller == seat)


def _open_needs(state: State, card: str, building: Building | None = None) -> list[tuple[str, int]]:
    """The needs of a building or a proposal that are still open, with their points."""
    prestige = state.printed.prestige.get(card)
    filled = {resource for resource, _ in building.delivered} if building else set()
    needs = (prestige.needs or ()) if prestige else ()
    return [(resource, points or 0) for resource, points in needs if resource not in filled]


def _count_tiles(state: State, resource: str, kinds: set[str]) -> int:
    """The tiles that are missing before there is one of this resource."""
    if resource in kinds:
        return 0
    recipe = state.printed.recipes.get(resource)
    return 1 + sum(_count_tiles(state, each, kinds) for each in (recipe.inputs or ())) if recipe else 1


class _Table:
    """What a seat has to know of the board to count acts."""

    __slots__ = ("field", "free", "kinds", "links", "own", "rings", "seat", "state")

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.links = Links(state, seat)
        self.field = self.links.field
        self.kinds: dict[str, list[Structure]] = {}
        self.own = 0
        for each in state.structures:
            self.kinds.setdefault(each.kind, []).append(each)
            if each.owner == seat:
                self.own |= each.mask
        self.free = self.field.land & ~(state.covered | state.roads)
        self.rings: dict[int, tuple[int, ...]] = {}

    def rings_of(self, mask: int) -> tuple[int, ...]:
        """The cells that are connected to these, with no more roads, with one, and so on."""
        rings = self.rings.get(mask)
        if rings is None:
            ways = (self.field.land | self.field.river | self.field.wall) & ~self.state.covered
            rings = self.rings[mask] = _find_rings(self.field, self.links.regions, ways, mask)
        return rings

    def count_acts(self, resource: str, mask: int) -> int:
        """The acts before a tile of the seat's own can deliver to a building."""
        rings = self.rings_of(mask)
        own = [each for each in self.kinds.get(resource, ()) if each.owner == self.seat]
        acts = min((_find_ring(rings, each.mask) for each in own), default=NEVER)
        if acts <= 1:
            return acts
        if resource in BASES:
            if self.state.base_owner.get(resource, 0) == self.seat:
                acts = min(acts, self.count_acts_of_base(resource, rings))
            return acts
        return min(acts, self.count_acts_of_tile(resource, rings, 0))

    def count_acts_of_base(self, base: str, rings: tuple[int, ...]) -> int:
        """The acts before a new tile of a base is connected: itself, and roads."""
        tiles = self.kinds.get(base, ())
        if len(tiles) >= TILES_OF_A_RESOURCE:
            return NEVER
        ground = self.free
        for section in self.field.sections:
            if any(each.mask & section for each in tiles):
                ground &= ~section
        return 1 + _find_ring(rings, ground)

    def count_acts_of_tile(self, resource: str, rings: tuple[int, ...], span: int) -> int:
        """The acts before a new tile of tier 2 or 3 is connected: itself, its inputs, and roads."""
        recipe = self.state.printed.recipes.get(resource)
        if recipe is None or not recipe.inputs or len(self.kinds.get(resource, ())) >= TILES_OF_A_RESOURCE:
            return NEVER
        span += SPAN[recipe.tier]
        acts = 1 + max(_find_ring(rings, self.own) - span, 0)
        for each in recipe.inputs:
            acts += self.count_acts_of_input(each, rings, span)
        return min(acts, NEVER)

    def count_acts_of_input(self, resource: str, rings: tuple[int, ...], span: int) -> int:
        """The acts before a tile of tier 2 or 3 can be made of this resource at the place of the rings."""
        acts = NEVER
        for each in self.kinds.get(resource, ()):
            foreign = each.owner != self.seat and not each.has_access(self.seat)
            acts = min(acts, foreign + max(_find_ring(rings, each.mask) - span, 0))
        if acts <= 1:
            return acts
        if resource not in BASES:
            return min(acts, self.count_acts_of_tile(resource, rings, span))
        owner = self.state.base_owner.get(resource, 0)
        return min(acts, self.count_acts_of_base(resource, rings) + (owner not in {0, self.seat}))


def _find_ring(rings: tuple[int, ...], mask: int) -> int:
    """The number of roads that are missing to what lies on these cells; NEVER where they are too many."""
    return next((index for index, ring in enumerate(rings) if ring & mask), NEVER)


@lru_cache(maxsize=2048)
def _find_rings(field: Field, regions: tuple[int, ...], ways: int, mask: int) -> tuple[int, ...]:
    """The cells that are connected to these ones, with no more roads, with one, and so on; a bridge counts as a road.

    Cached, because most acts that are tried change neither.
    """
    rings = []
    reached = mask
    while len(rings) < FAR:
        grown = field.grow(reached)
        for region in regions:
            if region & reached:
                grown |= region
        rings.append(grown)
        reached = grown & ways
    return tuple(rings)
