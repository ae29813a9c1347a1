"""What a position is worth in points, as a player might guess. No rule: it only makes simulated players sensible.

The heart of it are the needs of the unfinished buildings: each is worth its points to whoever may fill it, the less the
more has to be done before: roads, tiles and access. The numbers are guesses in points, tried against each other in
simulated games.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from spyrium_log.titles.founders.cards import BASES, BRIDGE, CALL, HOUSE, TIERS, TILES_OF_A_RESOURCE, Printed
from spyrium_log.titles.founders.ground import Shape, unite
from spyrium_log.titles.founders.links import Links, find_anchors, find_bridges, shift
from spyrium_log.titles.founders.scoring import count_advisers, count_final_points
from spyrium_log.titles.founders.state import Building, Mat, State, Structure

# A coin while there are few of them, and each one more. In the final count it is a quarter of a point.
COIN: Final = 0.45
SPARE_COIN: Final = 0.25
FEW_COINS: Final = 8
INFLUENCE: Final = 0.35
LASTING: Final = 1.2
# In the votes to come, of so many in a whole game: an income step, a house, an adviser; and a tile that may supply
# others.
VOTES: Final = 10
INCOME: Final = 1.5
HOUSES: Final = 1.5
ADVISER: Final = 1.0
TILE: Final = 0.3
# What it is worth to have a card in hand still; those of advisers and what else there is.
CARDS: Final = {"trade": 0.5, "upgrade": 0.5, "income": 0.5, "recruit": 0.3, "construct": 0.2}
OTHER_CARD: Final = 0.4
# Of the points of a need: what they are worth to a seat that may fill it, and what is left of them with each act that
# has to be done before. Nobody can pursue everything: the best counts whole, each further one less.
MINE: Final = 0.6
EACH_ACT: Final = 0.72
EACH_PROSPECT: Final = 0.8
# A need that is filled, and a building that is complete, by whomever, bring the end of the game nearer.
FILLED: Final = 0.5
COMPLETE: Final = 3.0
# A need on a proposal, of what one on the board is worth that has no way to go; on the one that one votes for, that
# won.
PROPOSED: Final = 0.08
VOTED: Final = 0.02
WON: Final = 0.5
# Another vote while so many buildings are unfinished.
CALLED: Final = 2.0
ENOUGH: Final = 1
# Alone: each influence that is missing to pay for the claims when the next vote is called; that brings the loss.
MISSING: Final = 1.5
LOST: Final = 50.0
PRICE_OF_CLAIM: Final = 4
# Fewer acts than so many are looked ahead; what takes more is as good as never.
MOST_ACTS: Final = 5
NEVER: Final = 9


def estimate_worth(state: State, seat: int) -> float:
    """What a seat's position is worth in points: those made, those of the final count, and those still to be made."""
    if not 0 < seat <= state.seats:
        return 0.0
    mat = state.mats[seat]
    if state.counted:
        return float(mat.points)
    # not by completed buildings: nobody would complete the last one
    left = max(VOTES - state.votes, 0) / VOTES
    final = count_final_points(state, seat)
    total = float(mat.points + final.get("final:goal", 0))
    total += SPARE_COIN * mat.money + (COIN - SPARE_COIN) * min(mat.money, FEW_COINS) * left
    total += INFLUENCE * mat.fleeting * left + LASTING * mat.lasting
    total += left * (INCOME * mat.income + ADVISER * count_advisers(state, seat) + _estimate_structures(state, seat))
    total += sum(CARDS.get(card, OTHER_CARD) for card in mat.hand if card != CALL) * left
    if state.seats == 1:
        total -= _estimate_claims(state, mat)
    return total + _estimate_buildings(state, seat) + _estimate_vote(state, seat, mat)


def _estimate_claims(state: State, mat: Mat) -> float:
    """In a game alone: what it costs that it is lost, or that the claims on the board could not be paid for now."""
    # a claim costs 2 more with each building that is complete, and a lasting influence pays 2 of it (F-12.3)
    due = sum(building.claim for building in state.buildings) * (PRICE_OF_CLAIM + 2 * state.markers)
    return LOST * mat.lost + MISSING * max(due - mat.fleeting - 2 * mat.lasting, 0)


def _estimate_structures(state: State, seat: int) -> float:
    """What the seat's tiles and houses may bring in the rest of the game."""
    total = 0.0
    for each in state.structures:
        if each.owner == seat:
            total += HOUSES if each.kind == HOUSE else TILE * TIERS.get(each.kind, 0)
    return total


class _Table(NamedTuple):
    """All of a state that the worth of its buildings to a seat depends on."""

    printed: Printed
    roads: int
    covered: int
    structures: tuple[Structure, ...]
    buildings: tuple[Building, ...]
    base_owner: tuple[tuple[str, int], ...]


def _estimate_buildings(state: State, seat: int) -> float:
    """What the needs of the buildings on the board are worth to a seat: those that are filled, and those to fill."""
    table = _Table(
        state.printed,
        state.roads,
        state.covered,
        tuple(state.structures),
        tuple(state.buildings),
        tuple(state.base_owner.items()),
    )
    return _estimate_needs(table, seat)


@lru_cache(maxsize=1024)
def _estimate_needs(table: _Table, seat: int) -> float:
    """Of _estimate_buildings. Cached, because most acts that a player weighs up leave the board as it is."""
    outlook = _Outlook(table, seat)
    total = 0.0
    prospects = []
    for building in table.buildings:
        total += FILLED * len(building.delivered) + COMPLETE * building.complete
        for resource, points in _list_open_needs(table.printed, building.card, building):
            prospects.append(points * EACH_ACT ** outlook.count_acts(resource, building.mask))
    prospects.sort(reverse=True)
    return total + MINE * sum(prospect * EACH_PROSPECT**index for index, prospect in enumerate(prospects))


def _estimate_vote(state: State, seat: int, mat: Mat) -> float:
    """What the proposals may bring, the one the seat votes for and the one that won; and what another vote costs."""
    total = 0.0
    kinds = {each.kind for each in state.structures if each.owner == seat or each.has_access(seat)}
    for index, card in enumerate(state.proposals, 1):
        weight = PROPOSED
        if index == state.winner.proposal:
            weight += WON
        elif mat.bid and mat.bid.proposal == index:
            weight += VOTED * mat.bid.points
        total += weight * sum(
            points * EACH_ACT ** _count_missing_tiles(state, resource, kinds)
            for resource, points in _list_open_needs(state.printed, card)
        )
    if mat.bid:
        total -= LASTING * mat.bid.lasting
    if state.caller == seat:
        total -= CALLED * max(len(state.buildings) - state.markers - ENOUGH, 0)
    return total


def _list_open_needs(printed: Printed, card: str, building: Building | None = None) -> list[tuple[str, int]]:
    """The needs of a building, or of a proposal, that are still open, with their points: what is unknown counts 0."""
    prestige = printed.prestige.get(card)
    filled = {resource for resource, _ in building.delivered} if building else set()
    # None: nobody knows what is printed
    needs = (prestige.needs or ()) if prestige else ()
    return [(resource, points or 0) for resource, points in needs if resource not in filled]


def _count_missing_tiles(state: State, resource: str, kinds: set[str]) -> int:
    """How many tiles a seat that may use these `kinds` has to build before there is one of this resource."""
    if resource in kinds:
        return 0
    recipe = state.printed.recipes.get(resource)
    # what a tile is made of, nothing where nobody knows
    inputs = (recipe.inputs or ()) if recipe else ()
    return 1 + sum(_count_missing_tiles(state, each, kinds) for each in inputs)


# The cells of which something is true after no more acts than none, one, two, and so on: never fewer with more.
_Masks: TypeAlias = list[int]


class _Outlook:
    """What a seat can reach on the board by so many acts: each lays a road, buys access, or builds a tile.

    Cells are counted as if every act were open at any time; coins and whose turn it is are not looked at.
    """

    __slots__ = (
        *("_base_owner", "_delivering", "_free", "_ground", "_grow", "_near", "_own", "_regions", "_seat", "_sections"),
        *("_table", "_tiles", "_ways"),
    )

    def __init__(self, table: _Table, seat: int) -> None:
        """Work out once what the seat has, where it can build and which cells its roads reach."""
        self._table = table
        self._seat = seat
        self._base_owner = dict(table.base_owner)
        links = Links(table.printed.board, table.roads | find_bridges(table.structures, seat))
        self._regions = links.regions
        self._grow = links.field.grow
        self._sections = links.field.sections
        self._tiles: dict[str, list[Structure]] = {}
        own = touching = 0
        for each in table.structures:
            self._tiles.setdefault(each.kind, []).append(each)
            if each.owner == seat:
                own |= each.mask
                touching |= each.mask if each.kind != BRIDGE else 0
        self._ways = (links.field.land | links.field.river | links.field.wall) & ~table.covered
        self._free = links.field.land & ~(table.covered | table.roads)
        self._ground = self._free & ~self._grow(touching)
        self._near: dict[str, _Masks] = {}
        self._delivering: dict[str, _Masks] = {}
        self._own = self._spread([own] * MOST_ACTS)

    def count_acts(self, resource: str, mask: int) -> int:
        """The acts before a tile of the seat's own delivers to the building on these cells."""
        if resource not in self._delivering:
            self._delivering[resource] = self._find_delivering(resource)
        reached = self._delivering[resource]
        return next((acts for acts in range(MOST_ACTS) if reached[acts] & mask), NEVER)

    def _find_delivering(self, resource: str) -> _Masks:
        """Where something is connected to a tile of this resource that the seat owns, or will."""
        tiles = self._tiles.get(resource, ())
        is_foreign = resource in BASES and self._base_owner.get(resource, 0) != self._seat
        # then to use a tile is to own it
        if not is_foreign and all(each.owner == self._seat for each in tiles):
            return self._find_connected(resource)
        own = [unite(each.mask for each in tiles if each.owner == self._seat)] * MOST_ACTS
        # a new tile of another seat's base would be that seat's
        return self._spread(own if is_foreign else _add_by_act(own, self._find_places(resource)))

    def _find_connected(self, resource: str) -> _Masks:
        """Where something is connected to a tile of this resource that the seat may use, or will."""
        if resource not in self._near:
            tiles = self._tiles.get(resource, ())
            usable = unite(each.mask for each in tiles if each.owner == self._seat or each.has_access(self._seat))
            reachable = unite(each.mask for each in tiles)
            # with one act the seat buys access to any of them
            masks = [usable, *[reachable] * (MOST_ACTS - 1)]
            self._near[resource] = self._spread(_add_by_act(masks, self._find_places(resource)))
        return self._near[resource]

    def _find_places(self, resource: str) -> _Masks:
        """Where a new tile of this resource could lie, each cell that it could cover."""
        tiles = self._tiles.get(resource, ())
        if len(tiles) >= TILES_OF_A_RESOURCE:
            return [0] * MOST_ACTS
        owner = self._base_owner.get(resource, 0) if resource in BASES else self._seat
        ground = self._ground if owner == self._seat else self._free
        built = unite(each.mask for each in tiles)
        for section in self._sections:
            if section & built:
                ground &= ~section
        if resource in BASES:
            acts = 1 if owner in {0, self._seat} else 2
            return [0] * acts + [ground] * (MOST_ACTS - acts)
        recipe = self._table.printed.recipes.get(resource)
        if recipe is None or not recipe.inputs or recipe.shape is None:
            return [0] * MOST_ACTS
        places = _meet_by_act([_find_room(ground, recipe.shape)] * MOST_ACTS, self._own)
        for each in recipe.inputs:
            # what is out of reach with all acts is out of reach, whatever else is near
            if not places[-1]:
                break
            places = _meet_by_act(places, self._find_connected(each))
        return [0, *places[:-1]]

    def _spread(self, tiles: _Masks) -> _Masks:
        """Where something is connected to what lies on these cells: by each number of acts, a road longer each time."""
        masks = []
        reached = 0
        for tile in tiles:
            # with one act more a road lies wherever there was room within reach
            near = tile | (reached & self._ways)
            reached = self._grow(near) if near else 0
            for region in self._regions:
                if region & near:
                    reached |= region
            masks.append(reached)
        return masks


@lru_cache(maxsize=1024)
def _find_room(ground: int, shape: Shape) -> int:
    """Every cell that a shape on this ground could cover. Cached, because many acts leave the ground as it is."""
    room = 0
    for way in shape.ways(mirror=False):
        anchors = find_anchors(ground, way, ())
        for offset in way:
            room |= shift(anchors, offset)
    return room


def _add_by_act(one: _Masks, other: _Masks) -> _Masks:
    """The cells of which either is true, act by act."""
    return [mask | added for mask, added in zip(one, other, strict=True)]


def _meet_by_act(one: _Masks, other: _Masks) -> _Masks:
    """The cells of which both are true, when the acts for either are added up."""
    if not one[-1] or not other[-1]:
        return [0] * MOST_ACTS
    met = []
    for acts in range(MOST_ACTS):
        mask = 0
        for first in range(acts + 1):
            mask |= one[first] & other[acts - first]
        met.append(mask)
    return met
