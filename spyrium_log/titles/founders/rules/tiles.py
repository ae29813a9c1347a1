"""Where tiles of tier 2 and 3 can be built, and which roads leave a place for one (F-7.0, F-7.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple, TypeAlias

from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import TILES_OF_A_RESOURCE, Recipe
from spyrium_log.titles.founders.ground import Shape, Turned, cells_in, cells_of, mask_of, name_of, unite
from spyrium_log.titles.founders.links import (
    Links,
    field_of,
    find_anchors,
    find_bridges,
    find_links,
    find_own_cells,
    find_own_ground,
    find_reach,
    tiles_of,
)
from spyrium_log.titles.founders.programme import Instruction
from spyrium_log.titles.founders.rules.build import find_suppliers, find_taken_sections
from spyrium_log.titles.founders.rules.spend import quote
from spyrium_log.titles.founders.state import State, Structure


def can_pay(state: State, act: moves.Step, step: Instruction) -> bool:
    """Whether the seat has the coins; where nobody knows the price, it has."""
    price = quote(state, act, step)
    return price.usual is None or price.due <= state.mats[act.seat].money


def find_free_land(state: State) -> int:
    """The land cells on which nothing lies, not even a road."""
    return field_of(state.printed.board).land & ~(state.covered | state.roads)


class _Buildable(NamedTuple):
    """A tile that the seat has the inputs and the coins for: its ground, but for what lies beside roads."""

    recipe: Recipe
    shape: Shape
    suppliers: list[list[Structure]]
    ground: int


def _find_buildable(state: State, seat: int, step: Instruction) -> list[_Buildable]:
    """The tiles of tier 2 and 3 that the seat has the inputs and the coins for; none where the recipe is unknown."""
    buildable = []
    free = find_free_land(state) & ~find_own_ground(state, seat)
    for recipe in state.printed.recipes.values():
        if recipe.inputs is None or recipe.shape is None:
            continue
        suppliers = [find_suppliers(state, seat, resource) for resource in recipe.inputs]
        if not all(suppliers) or len(tiles_of(state, recipe.resource)) >= TILES_OF_A_RESOURCE:
            continue
        if can_pay(state, moves.BuildTile(seat=seat, resource=recipe.resource, cells=()), step):
            ground = free & ~find_taken_sections(state, recipe.resource, seat)
            buildable.append(_Buildable(recipe, recipe.shape, suppliers, ground))
    return buildable


def list_tiles(state: State, seat: int, step: Instruction, card: str | None = None) -> Iterator[moves.BuildTile]:
    """Every tile of tier 2 and 3 with each set of suppliers (F-7.3); connected to the road that Upgrade laid first."""
    links = find_links(state, seat)
    wanted = [find_reach(state, seat, links)]
    if card is None and (road := _find_road_before(state, seat)):
        wanted.append(links.region(road))
    mirror = state.options.tile_flip == "mirror"
    for tile in _find_buildable(state, seat, step):
        for anchors, way, regions in _list_anchors(tile, links.region, wanted, mirror=mirror):
            for anchor in cells_in(anchors):
                cells = [anchor + offset for offset in way]
                names, resource = tuple([name_of(cell) for cell in cells]), tile.recipe.resource
                for inputs in _list_inputs(regions, mask_of(cells)):
                    yield moves.BuildTile(seat=seat, resource=resource, cells=names, inputs=inputs, card=card)


def _find_road_before(state: State, seat: int) -> int:
    """The mask of the road that Upgrade laid first in this turn; 0 where it laid none."""
    if state.played != "upgrade" or state.last != seat or state.down:
        return 0
    return mask_of(cells_of(done.about for done in state.did if done.seat == seat and done.tag == "lay_road"))


# For each input of a tile, the tiles that may supply it, each with the cells that are connected to it.
_Regions: TypeAlias = list[list[tuple[Structure, int]]]


def _list_inputs(regions: _Regions, mask: int) -> Iterator[tuple[str, ...]]:
    """Every choice of a supplier for each input among those that are connected to a tile on these cells."""
    connected = [[name_of(tile.name) for tile, region in row if region & mask] for row in regions]
    return product(*connected)


def _list_anchors(
    tile: _Buildable, region_of: Callable[[int], int], wanted: list[int], *, mirror: bool
) -> Iterator[tuple[int, Turned, _Regions]]:
    """By each way that the tile can lie, the cells at which it may begin, and what is connected to each supplier."""
    regions = [[(each, region_of(each.mask)) for each in row] for row in tile.suppliers]
    inputs = [unite(region for _, region in row) for row in regions]
    for way in tile.shape.ways(mirror=mirror):
        anchors = find_anchors(tile.ground, way, [*wanted, *inputs])
        if anchors:
            yield anchors, way, regions


# --- roads before a tile -------------------------------------------------------------------------


class TileAhead(NamedTuple):
    """A tile that an action demands after a road: after so many further `roads`; `beside` is connected to the road."""

    step: Instruction
    roads: int = 0
    beside: bool = False


def keep_roads_before_tile(state: State, seat: int, cells: int, ahead: TileAhead) -> int:
    """Those of the cells on which a road leaves a place for the tile that has to follow."""
    search = _Search(state, seat, ahead)
    if not search.is_possible_at_all():
        return 0
    return mask_of(cell for cell in cells_in(cells) if search.is_possible_after(1 << cell))


class _RoadAndPlace(NamedTuple):
    """One more road, 0 if none is needed, and the cells of a place that the tile has then."""

    road: int
    place: int


class _Search:
    """Looks for a place of the tile after some roads, on the masks alone: roads cost nothing and move nothing.

    A further road connects more and takes one cell. So a place that is there without it is there with it, unless the
    road lies on the place: most roads are answered by what was found before any of them was laid.
    """

    def __init__(self, state: State, seat: int, ahead: TileAhead) -> None:
        """Look once, before any road is tried: where the tile can be built, and `_first`, a place that it has."""
        self._state = state
        self._ahead = ahead
        self._buildable = _find_buildable(state, seat, ahead.step)
        self._own = find_own_cells(state, seat)
        self._bridges = find_bridges(state.structures, seat)
        self._free = find_free_land(state)
        self._mirror = state.options.tile_flip == "mirror"
        self._before = self._connect(0)
        self._reach = self._before.region(self._own)
        place = self._find_place(self._before.region, [self._reach], 0)
        self._first = _RoadAndPlace(0, place)
        if not place and ahead.roads:
            self._first = self._find_road(self._before, self._reach, 0)
        self._beside = self._before.region(self._first.place)

    def is_possible_at_all(self) -> bool:
        """Whether the tile had a place if all the roads could lie everywhere that they could lie at last."""
        cells = self._free
        if not self._ahead.beside:
            cells &= self._reach
            for _ in range(self._ahead.roads):
                cells = self._free & _widen(self._before, cells, cells)

        def region_of(mask: int) -> int:
            """What is connected to these cells with roads on all of the cells at once: more than can ever be."""
            region = self._before.region(mask)
            for _ in range(self._ahead.roads + 1):
                region = _widen(self._before, region, cells)
            return region

        return bool(self._find_place(region_of, [region_of(self._own)], 0))

    def is_possible_after(self, road: int) -> bool:
        """Whether the tile can be built after a road on this cell (a mask) and the further ones."""
        first = self._first
        # what was found before any road was laid still holds, if this one takes none of its cells
        if first.place and not (first.place | first.road) & road:
            further = self._ahead.roads - bool(first.road)
            room = self._free & self._reach & ~(first.place | first.road | road)
            if room.bit_count() >= further and (not self._ahead.beside or self._beside & road):
                return True
        return self._is_possible(road, self._ahead.roads)

    def _is_possible(self, laid: int, left: int) -> bool:
        """Whether the tile can be built after these roads and so many further ones."""
        links = self._connect(laid)
        reach = links.region(self._own)
        wanted = [reach, links.region(laid)] if self._ahead.beside else [reach]
        place = self._find_place(links.region, wanted, laid)
        cells = self._free & reach & ~laid
        if place and (cells & ~place).bit_count() >= left:
            return True
        if left > 1:
            return any(self._is_possible(laid | 1 << cell, left - 1) for cell in cells_in(cells))
        return bool(left) and bool(self._find_road(links, reach, laid).place)

    def _find_road(self, links: Links, reach: int, laid: int) -> _RoadAndPlace:
        """One more road after which the tile has a place; its place is 0 if there is none.

        Halves the cells on which the road can lie: what has no place with roads on all of them has none with one.
        """
        halves = [self._free & reach & ~laid]
        while halves:
            cells = halves.pop()
            if not cells:
                continue
            is_one = cells.bit_count() == 1

            # bound as a default, or each half would see the cells of the last
            def region_of(mask: int, cells: int = cells) -> int:
                """What is connected to these cells with roads on all cells of this half at once."""
                return _widen(links, links.region(mask), cells)

            place = self._find_place(region_of, [_widen(links, reach, cells)], laid | (cells if is_one else 0))
            if place and is_one:
                return _RoadAndPlace(cells, place)
            if place:
                low = mask_of(cells_in(cells)[: cells.bit_count() // 2])
                halves += [cells & ~low, low]
        return _RoadAndPlace(0, 0)

    def _connect(self, laid: int) -> Links:
        """What is connected for the seat after these roads."""
        return Links(self._state.printed.board, self._state.roads | laid | self._bridges)

    def _find_place(self, region_of: Callable[[int], int], wanted: list[int], laid: int) -> int:
        """The cells of one place of the tile; 0 if there is none."""
        for tile in self._buildable:
            rest = tile._replace(ground=tile.ground & ~laid)
            for anchors, way, _ in _list_anchors(rest, region_of, wanted, mirror=self._mirror):
                # the lowest of them
                anchor = (anchors & -anchors).bit_length() - 1
                return mask_of(anchor + offset for offset in way)
        return 0


def _widen(links: Links, region: int, cells: int) -> int:
    """All that is connected to what had this region once a road lies on each of these cells, or on any of them."""
    touching = region & cells
    wider = region | links.field.grow(touching)
    for other in links.regions:
        if other & touching:
            wider |= other
    return wider
