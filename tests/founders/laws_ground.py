"""Laws of what lies on the board: where it may lie, what it touches, what is connected (F-2, F-4, F-6, F-8.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations, pairwise

from spyrium_log.titles.founders.cards import BASES, BRIDGE, HOUSE, PIECES_OF_A_KIND, SIZES, TIERS
from spyrium_log.titles.founders.effects import DeliveryDue
from spyrium_log.titles.founders.ground import WIDTH, cells_in, mask_of
from spyrium_log.titles.founders.links import find_links
from spyrium_log.titles.founders.moves import LayRoad
from spyrium_log.titles.founders.state import Building, State, Structure
from tests.founders.laws_moment import (
    Moment,
    find_chains,
    find_tile,
    is_connected,
    is_tile,
    owned,
    reach,
    seats_of,
    show,
)

WATER = frozenset({"river", "wall"})
ASKED_ABOUT = 6
LAND = frozenset({"coast", "desert", "forest", "ruins"})


def check_networks(moment: Moment) -> int:
    """F-2.3: what the rules call connected is what a flood fill over roads and own bridges reaches."""
    state = moment.after
    things: list[Structure | Building] = [*state.structures, *state.buildings]
    # of many things some are asked about, others after the next event
    step = max(len(things) // ASKED_ABOUT, 1)
    some = things[moment.past.events % step :: step]
    for seat in seats_of(state):
        links, chains = find_links(state, seat), find_chains(state, seat)
        for thing in some:
            region, reached = links.region(thing.mask), reach(state, chains, thing.cells)
            for other in things:
                if bool(region & other.mask) == reached.isdisjoint(other.cells):
                    raise AssertionError(f"{show(thing.cells)} and {show(other.cells)} are connected for seat {seat}?")
        for one, other in pairwise(some):
            linked = bool(find_links(state, seat).region(one.mask) & other.mask)
            assert linked == is_connected(state, seat, one, other), f"one question, two answers for seat {seat}"
    return state.seats * len(some) * len(things)


def check_cells(moment: Moment) -> int:
    """F-6.5: nothing lies on a road or on anything else, and the two accounts of the board agree."""
    state = moment.after
    things: list[Structure | Building] = [*state.structures, *state.buildings]
    lying = Counter(cell for thing in things for cell in thing.cells)
    roads = cells_in(state.roads)
    twice = [cell for cell, n in (lying + Counter(roads)).items() if n > 1]
    assert not twice, f"two things lie on {show(twice)}"
    assert mask_of(lying) == state.covered, "the covered cells are not those on which something lies"
    for index, structure in enumerate(state.structures):
        assert all(state.on.get(cell) == index for cell in structure.cells), f"{show(structure.cells)} is mislaid"
    for index, building in enumerate(state.buildings):
        assert all(state.on.get(cell) == ~index for cell in building.cells), f"{building.card} is mislaid"
    assert len(state.on) == len(lying), "something lies where nothing lies"
    return len(lying) + len(roads)


def check_terrain(moment: Moment) -> int:
    """F-2.1, F-6.3: roads and tiles on land, houses on forest, bridges and gates on river and wall."""
    state = moment.after
    kinds = state.printed.board.kinds
    for road in cells_in(state.roads):
        assert kinds.get(road) in LAND, f"a road lies on {kinds.get(road)}"
    for structure in state.structures:
        allowed = {BRIDGE: WATER, HOUSE: {"forest"}}.get(structure.kind, LAND)
        ground = {kinds.get(cell) for cell in structure.cells}
        assert ground <= allowed, f"{structure.kind} on {show(structure.cells)} lies on {ground}"
    return len(state.structures)


@lru_cache(maxsize=256)
def _turns(text: str, *, mirror: bool) -> frozenset[frozenset[int]]:
    """A drawn shape in every way that it can lie, each with its first cell at 0."""
    cells = {(row, column) for row, line in enumerate(text.split("/")) for column, x in enumerate(line) if x == "x"}
    ways = set()
    for _ in range(2 if mirror else 1):
        for _ in range(4):
            cells = {(column, -row) for row, column in cells}
            ways.add(_at_zero(row * WIDTH + column for row, column in cells))
        cells = {(row, -column) for row, column in cells}
    return frozenset(ways)


def _at_zero(cells: Iterable[int]) -> frozenset[int]:
    numbers = list(cells)
    return frozenset(number - min(numbers) for number in numbers)


def check_shapes(moment: Moment) -> int:
    """F-1.2, F-10.5: tiles and buildings have their shape, and a building a cell on its terrain, or its site."""
    state = moment.after
    mirror = state.options.tile_flip == "mirror"
    for tile in filter(is_tile, state.structures):
        recipe = state.printed.recipes.get(tile.kind)
        assert len(tile.cells) == SIZES[TIERS[tile.kind]], f"{tile.kind} has {len(tile.cells)} cells"
        if recipe is not None and recipe.shape is not None:
            assert _at_zero(tile.cells) in _turns(recipe.shape.text, mirror=mirror), f"{tile.kind} is bent"
    for building in state.buildings:
        _check_building(state, building, mirror=mirror)
    return len(state.structures) + len(state.buildings)


def _check_building(state: State, building: Building, *, mirror: bool) -> None:
    prestige = state.printed.prestige[building.card]
    kinds = {state.printed.board.kinds.get(cell) for cell in building.cells}
    if prestige.site:
        names = {prestige.site, *(["tower"] if prestige.site in {"north", "west"} else [])}
        sites = [frozenset(cells) for name, cells in state.printed.board.sites if name in names]
        assert frozenset(building.cells) in sites, f"{building.card} does not stand on its site"
        return
    assert kinds <= LAND, f"{building.card} stands on {kinds}"
    assert prestige.terrain is None or prestige.terrain in kinds, f"{building.card} is not on {prestige.terrain}"
    assert prestige.shape is not None
    assert _at_zero(building.cells) in _turns(prestige.shape.text, mirror=mirror), f"{building.card} is bent"


def check_sections(moment: Moment) -> int:
    """F-2.2: in a section one tile of a resource, one house of a player, no two prestige buildings alike."""
    state = moment.after
    sections = dict(state.printed.board.sections)
    things: list[tuple[object, tuple[int, ...]]] = [
        ((each.kind, each.owner if each.kind == HOUSE else 0), each.cells)
        for each in state.structures
        if each.kind != BRIDGE
    ]
    lying = Counter((what, number) for what, cells in things for number in {sections.get(cell) for cell in cells})
    if state.options.site_section == "named":
        sections |= state.printed.board.site_sections
    for building in state.buildings:
        look = state.printed.prestige[building.card].look
        lying.update((("alike", look), number) for number in {sections.get(cell) for cell in building.cells} if look)
    twice = [each for each, n in lying.items() if n > 1 and each[1] is not None]
    assert not twice, f"more than one in a section: {twice}"
    return len(lying)


def check_apart(moment: Moment) -> int:
    """F-6.2: no two structures of one owner touch, bridges apart, and no two neutral bases."""
    state = moment.after
    pieces = [each for each in state.structures if each.kind != BRIDGE]
    around = {each.cells: reach(state, (), each.cells) for each in pieces}
    pairs = [pair for pair in combinations(pieces, 2) if pair[0].owner == pair[1].owner]
    for one, other in pairs:
        if not around[one.cells].isdisjoint(other.cells):
            raise AssertionError(f"{show(one.cells)} touches {show(other.cells)}, both of seat {one.owner}")
    return len(pairs)


def check_joined(moment: Moment) -> int:
    """F-6.1: what is no base tile is connected to something else of its owner's."""
    checked = 0
    for seat in seats_of(moment.after):
        own = owned(moment.after, seat)
        chains = find_chains(moment.after, seat)
        for piece in own:
            if piece.kind not in BASES:
                reached = reach(moment.after, chains, piece.cells)
                is_joined = any(not reached.isdisjoint(other.cells) for other in own if other is not piece)
                assert is_joined, f"{piece.kind} on {show(piece.cells)} is joined to nothing of seat {seat}"
                checked += 1
    return checked


def check_roads(moment: Moment) -> int:
    """F-5.2: each road is connected to somebody's structure; by one reading not before the tile that it leads to."""
    state = moment.after
    if state.options.upgrade_road_first == "tile" and isinstance(moment.act, LayRoad):
        return 0
    joined: set[int] = set()
    for seat in seats_of(state):
        own = {cell for each in owned(state, seat) for cell in each.cells}
        for chain in find_chains(state, seat):
            joined |= set() if chain.around.isdisjoint(own) else chain.cells
    loose = set(cells_in(state.roads)) - joined
    assert not loose, f"the road on {show(loose)} leads to nobody's structure"
    return state.roads.bit_count()


def check_owners(moment: Moment) -> int:
    """F-4.1, F-6.4: a base's tiles are its holder's, others their builder's; inputs are owned or accessible."""
    state = moment.after
    for tile in filter(is_tile, state.structures):
        builder = moment.past.builders.get(tile.name)
        if tile.kind in BASES:
            assert tile.owner == state.base_owner.get(tile.kind, 0), f"{tile.kind} is not its holder's"
            assert builder in {None, tile.owner} or tile.has_access(builder), f"seat {builder} built without access"
        else:
            assert builder in {None, tile.owner}, f"{tile.kind} on {show(tile.cells)} is not its builder's"
            _check_inputs(state, tile)
        assert not tile.owner or not tile.has_access(tile.owner), f"seat {tile.owner} bought access to its own tile"
    return sum(map(is_tile, state.structures))


def _check_inputs(state: State, tile: Structure) -> None:
    suppliers = [find_tile(state, cell) for cell in tile.inputs]
    recipe = state.printed.recipes[tile.kind]
    kinds = tuple(supplier.kind if supplier else "?" for supplier in suppliers)
    assert recipe.inputs in {None, kinds}, f"{tile.kind} is made of {kinds}"
    for supplier in filter(None, suppliers):
        has_it = supplier.owner == tile.owner or supplier.has_access(tile.owner)
        assert has_it, f"seat {tile.owner} has no access to {show(supplier.cells)}"
        linked = is_connected(state, tile.owner, tile, supplier)
        assert linked, f"{show(supplier.cells)} supplies {show(tile.cells)} from afar"


def check_supply(moment: Moment) -> int:
    """F-1.1, F-1.2: three tiles of a resource, three houses and three bridges of a player."""
    pieces = Counter((each.kind, 0 if is_tile(each) else each.owner) for each in moment.after.structures)
    for (kind, owner), n in pieces.items():
        assert n <= PIECES_OF_A_KIND, f"{n} pieces of {kind} of seat {owner}"
    return len(pieces)


def check_deliveries(moment: Moment) -> int:
    """F-8.4: each need is filled once, from a connected tile, as soon as there is one; F-8.5: then it is complete."""
    state = moment.after
    checked = 0
    for building in state.buildings:
        needs = [resource for resource, _ in state.printed.prestige[building.card].needs or ()]
        filled = [resource for resource, _ in building.delivered]
        assert len(set(filled)) == len(filled), f"{building.card} got one delivery twice"
        assert set(filled) <= set(needs), f"{building.card} got what it does not need"
        assert building.complete == (set(filled) == set(needs)), f"{building.card} is complete: {building.complete}"
        for resource, seat in building.delivered:
            _check_token(state, building, resource, seat)
        for resource in set(needs) - set(filled):
            _check_open_need(state, building, resource)
        checked += len(needs)
    return checked


def _find_sources(state: State, building: Building, resource: str) -> list[Structure]:
    """The tiles of a resource that are connected to a building for their owner."""
    tiles = [each for each in state.structures if each.kind == resource and each.owner]
    around = {seat: reach(state, find_chains(state, seat), building.cells) for seat in {tile.owner for tile in tiles}}
    return [tile for tile in tiles if not around[tile.owner].isdisjoint(tile.cells)]


def _check_token(state: State, building: Building, resource: str, seat: int) -> None:
    if not seat:
        neutral = resource in BASES and not state.base_owner.get(resource) and state.seats > 1
        assert neutral, f"a neutral token of {resource}, which is not neutral"
        return
    sources = {tile.owner for tile in _find_sources(state, building, resource)}
    assert seat in sources, f"seat {seat} delivered {resource} to {building.card} without a connected tile"


def _check_open_need(state: State, building: Building, resource: str) -> None:
    if (building.card, resource) in {due[:2] for due in state.due}:
        return
    sources = _find_sources(state, building, resource)
    assert not sources, f"{resource} on {show(sources[0].cells)} is connected to {building.card}, which waits for it"


def check_choices(moment: Moment) -> int:
    """F-8.4: a delivery is chosen only where several tiles can make it."""
    dues = moment.facts_of(DeliveryDue)
    for due in dues:
        building = next(each for each in moment.after.buildings if each.card == due.building)
        n = len(_find_sources(moment.after, building, due.resource))
        assert n > 1, f"{n} tiles of {due.resource} to choose from for {due.building}"
    return len(dues)
