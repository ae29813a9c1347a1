"""Where prestige buildings may be placed (F-2.1, F-10.5)."""

from __future__ import annotations

from collections.abc import Iterator

from spyrium_log.titles.founders.cards import Prestige
from spyrium_log.titles.founders.ground import cells_in, mask_of
from spyrium_log.titles.founders.links import field_of, find_anchors
from spyrium_log.titles.founders.state import State

# The sites that take either tower, and the names of the towers' own.
_TOWER_SITE = "tower"
_TOWERS = ("north", "west", _TOWER_SITE)


def fits_somewhere(state: State, card: str) -> bool:
    """Whether the building can be placed; it can where nobody knows its shape."""
    prestige = state.printed.prestige.get(card)
    # its one tile may be on the board already (no-workers-card)
    if state.find_building(card) is not None:
        return False
    if prestige is None or (prestige.shape is None and not prestige.site):
        return True
    return any(True for _ in list_places(state, prestige))


def list_places(state: State, prestige: Prestige) -> Iterator[tuple[int, ...]]:
    """The cells of every place where a building may stand; none where nobody knows its shape."""
    if prestige.site:
        yield from (tuple(cells_in(site)) for site in find_free_sites(state, prestige))
        return
    if prestige.shape is None:
        return
    field = field_of(state.printed.board)
    ground = field.land & ~(state.covered | state.roads) & ~find_alike_ground(state, prestige)
    # some cell lies on the terrain that the card asks for
    wanted = field.terrains.get(prestige.terrain, 0) if prestige.terrain else ground
    for way in prestige.shape.ways(mirror=state.options.tile_flip == "mirror"):
        for anchor in cells_in(find_anchors(ground, way, (wanted,))):
            yield tuple(anchor + offset for offset in way)


def find_free_sites(state: State, prestige: Prestige) -> list[int]:
    """The masks of the sites that take this building, and where nothing stands."""
    field = field_of(state.printed.board)
    closed = state.covered | find_alike_ground(state, prestige)
    sites = [mask for name, mask in field.sites if _takes(name, prestige) and not mask & closed]
    if state.options.site_terrain == "site" or prestige.terrain is None:
        return sites
    # a site has no terrain itself: by this reading it must touch the card's
    return [mask for mask in sites if field.grow(mask) & field.terrains.get(prestige.terrain, 0)]


def _takes(site: str, prestige: Prestige) -> bool:
    """Whether a site of this name takes the building: its own, or any tower's for a tower."""
    return site == prestige.site or (site == _TOWER_SITE and prestige.site in _TOWERS)


def find_alike_ground(state: State, prestige: Prestige) -> int:
    """The sections in which a building alike in shape and colour stands (F-2.2); nothing where a look is unknown."""
    look = prestige.look
    if look is None:
        return 0
    alike = 0
    for building in state.buildings:
        other = state.printed.prestige.get(building.card)
        if other is not None and other.look == look:
            alike |= building.mask
    taken = 0
    for section in _find_section_masks(state):
        if section & alike:
            taken |= section
    return taken


def _find_section_masks(state: State) -> list[int]:
    """The sections; with the cells of sites in them, where the table reads the set's sections so."""
    board = state.printed.board
    sections = list(field_of(board).sections)
    if state.options.site_section == "named":
        for number in range(len(sections)):
            sections[number] |= mask_of(cell for cell, section in board.site_sections.items() if section == number + 1)
    return sections
