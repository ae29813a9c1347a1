"""Where roads, tiles, houses, bridges and gates may be built (F-2, F-6)."""

from __future__ import annotations

from typing import Literal

from spyrium_log.errors import Breach
from spyrium_log.messages import Card, Cards, Message, Term
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import BASES, BRIDGE, HOUSE, PIECES_OF_A_KIND, SIZES, TIERS, Recipe
from spyrium_log.titles.founders.ground import NOWHERE, cell_of, cells_of, mask_of, name_of
from spyrium_log.titles.founders.links import field_of, find_links, find_own_ground, find_reach, find_sections, tiles_of
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.rules.turn import breach, found_card, list_unchecked
from spyrium_log.titles.founders.state import State, Structure


def add_breaches_of_ground(
    state: State, names: tuple[str, ...], mask: int, wanted: Literal["land", "water"], breaches: list[Breach]
) -> bool:
    """Add a breach for cells that do not exist, are not the ground that is wanted, or are covered.

    False where a cell does not exist: then nothing else can be said.
    """
    field = field_of(state.printed.board)
    missing = [name for name in names if not field.cells >> cell_of(name) & 1 or cell_of(name) == NOWHERE]
    if missing or not mask:
        found = missing[0] if missing else "?"
        breaches.append(breach("cell.exists", phrase("cells"), phrase("cell", name=found)))
        return False
    unfit = mask & ~(field.land if wanted == "land" else field.river | field.wall)
    if unfit:
        breaches.append(breach("cell.kind", phrase(wanted), _message_of_occupant(state, unfit)))
    occupied = mask & (state.covered | state.roads)
    if occupied:
        breaches.append(breach("build.covered", phrase("free-cells"), _message_of_occupant(state, occupied)))
    return True


def _message_of_occupant(state: State, mask: int) -> Message:
    """What is on the first of these cells, as the found part of a breach: `a road on d4`, or the ground itself."""
    cell = (mask & -mask).bit_length() - 1
    structure = state.structure_at(cell)
    building = state.building_at(cell)
    name = name_of(cell)
    if structure is not None:
        return phrase("structure-on", card=Card(structure.kind), name=name)
    if building is not None:
        return phrase("building-on", card=Card(building.card), name=name)
    if state.roads >> cell & 1:
        return phrase("road-on", name=name)
    return phrase("kind-on", kind=Term("ground", state.printed.board.kinds.get(cell, "") or "nothing"), name=name)


def add_breaches_of_road(state: State, act: moves.LayRoad, breaches: list[Breach]) -> None:
    """A road lies on a free land cell and is connected to a structure of the seat's own (F-5.2)."""
    mask = mask_of(cells_of((act.at,)))
    if add_breaches_of_ground(state, (act.at,), mask, "land", breaches):
        _add_breach_of_reach(state, act.seat, mask, breaches)


def _add_breach_of_reach(state: State, seat: int, mask: int, breaches: list[Breach]) -> None:
    """Add a breach unless what lies on the mask is connected to a structure that the seat owns (F-6.1)."""
    if not find_reach(state, seat, find_links(state, seat)) & mask:
        breaches.append(breach("build.connected", phrase("connected-to-own"), phrase("unconnected")))


def add_breaches_of_base(state: State, base: str, at: str, breaches: list[Breach]) -> None:
    """A base tile lies on any land cell, one a section, and touches no structure of its owner's (F-2.2, F-6.2)."""
    mask = mask_of(cells_of((at,)))
    if not add_breaches_of_ground(state, (at,), mask, "land", breaches):
        return
    owner = state.base_owner.get(base, 0)
    _add_breach_of_section(state, base, owner, mask, breaches)
    _add_breach_of_touching(state, owner, mask, breaches)
    _add_breach_of_supply(state, base, owner, breaches)


def _add_breach_of_section(state: State, kind: str, owner: int, mask: int, breaches: list[Breach]) -> None:
    """Add a breach if the section has a tile of this resource, or a house of this owner (F-2.2)."""
    if mask & find_taken_sections(state, kind, owner):
        numbers = ", ".join(map(str, find_sections(state, mask)))
        expected = phrase("one-house-a-section") if kind == HOUSE else phrase("one-tile-a-section", card=Card(kind))
        breaches.append(breach("build.section", expected, phrase("another-in-section", n=numbers)))


def find_taken_sections(state: State, kind: str, owner: int) -> int:
    """The mask of all sections that have a tile of this resource, or a house of this owner."""
    mask = 0
    for structure in state.structures:
        if structure.kind == kind and (kind != HOUSE or structure.owner == owner):
            mask |= structure.mask
    taken = 0
    for section in field_of(state.printed.board).sections:
        if section & mask:
            taken |= section
    return taken


def _add_breach_of_touching(state: State, owner: int, mask: int, breaches: list[Breach]) -> None:
    """Add a breach if a new piece would touch one of its owner's, or a neutral base another (F-6.2)."""
    if mask & find_own_ground(state, owner):
        rule, expected = ("build.apart", "apart") if owner else ("build.neutrals", "neutrals-apart")
        breaches.append(breach(rule, phrase(expected), phrase("touching")))


def _add_breach_of_supply(state: State, kind: str, owner: int, breaches: list[Breach]) -> None:
    """Add a breach if all pieces of this kind are on the board (F-1.1)."""
    is_personal = kind in {HOUSE, BRIDGE}
    built = sum(each.kind == kind and (not is_personal or each.owner == owner) for each in state.structures)
    if built >= PIECES_OF_A_KIND:
        breaches.append(breach("pieces.supply", phrase("piece-left", n=PIECES_OF_A_KIND), phrase("all-built")))


def add_breaches_of_piece(state: State, act: moves.BuildHouse | moves.BuildBridge, breaches: list[Breach]) -> None:
    """Add breaches of a house (on forest, one a section, apart from own structures), a bridge or a gate (on water)."""
    mask = mask_of(cells_of((act.at,)))
    is_house = isinstance(act, moves.BuildHouse)
    if not add_breaches_of_ground(state, (act.at,), mask, "land" if is_house else "water", breaches):
        return
    kind = HOUSE if is_house else BRIDGE
    _add_breach_of_supply(state, kind, act.seat, breaches)
    _add_breach_of_reach(state, act.seat, mask, breaches)
    if is_house:
        if not mask & field_of(state.printed.board).forest:
            breaches.append(breach("build.forest", phrase("forest"), _message_of_occupant(state, mask)))
        _add_breach_of_section(state, HOUSE, act.seat, mask, breaches)
        _add_breach_of_touching(state, act.seat, mask, breaches)


def add_breaches_of_tile(state: State, act: moves.BuildTile, breaches: list[Breach]) -> None:
    """Add every breach of a tile of tier 2 or 3 (F-6.1 to F-6.5); of an unknown one, or off the board, only that."""
    recipe = state.printed.recipes.get(act.resource)
    if recipe is None:
        breaches.append(breach("tile.shape", phrase("tile-of-tier-2-or-3"), found_card(act.resource)))
        return
    cells = cells_of(act.cells)
    mask = mask_of(cells)
    if not add_breaches_of_ground(state, act.cells, mask, "land", breaches):
        return
    if not has_shape(state, recipe, cells) or len(set(act.cells)) != len(act.cells):
        shape = phrase("shape", shape=recipe.shape.text if recipe.shape else "?")
        found = phrase("cells-found", names=" ".join(act.cells))
        breaches.append(breach("tile.shape", shape, found, list_unchecked(state, (act.resource, "shape"))))
    _add_breach_of_supply(state, act.resource, act.seat, breaches)
    _add_breach_of_reach(state, act.seat, mask, breaches)
    _add_breach_of_section(state, act.resource, act.seat, mask, breaches)
    _add_breach_of_touching(state, act.seat, mask, breaches)
    _add_breaches_of_inputs(state, act, recipe, find_links(state, act.seat).region(mask), breaches)


def has_shape(state: State, recipe: Recipe, cells: tuple[int, ...]) -> bool:
    """Whether these cells, in order, are the tile's shape turned somehow; any, where nobody knows the shape."""
    if recipe.shape is None:
        return len(cells) == SIZES[recipe.tier]
    steps = tuple(cell - cells[0] for cell in cells)
    return steps in recipe.shape.ways(mirror=state.options.tile_flip == "mirror")


def _add_breaches_of_inputs(
    state: State, act: moves.BuildTile, recipe: Recipe, region: int, breaches: list[Breach]
) -> None:
    """Add a breach for each input that is not supplied as F-6.4 asks; `region` is what is connected to the new tile."""
    tiles = [state.structure_at(cell_of(name)) for name in act.inputs]
    kinds = [tile.kind if tile else "?" for tile in tiles]
    if recipe.inputs is not None and kinds != list(recipe.inputs):
        expected = phrase("inputs", options=Cards(recipe.inputs))
        found = phrase("inputs-found", options=Cards(tuple(kinds)))
        breaches.append(breach("tile.inputs", expected, found, list_unchecked(state, (act.resource, "inputs"))))
        return
    if recipe.inputs is None and not all(0 < TIERS.get(kind, 0) < recipe.tier for kind in kinds):
        breaches.append(
            breach("tile.inputs", phrase("lower-tiles"), phrase("inputs-found", options=Cards(tuple(kinds))))
        )
        return
    # where one does not exist, the kinds said so
    for tile in filter(None, tiles):
        if not may_use(tile, act.seat):
            found = phrase("no-access", card=Card(tile.kind), name=name_of(tile.name))
            breaches.append(breach("tile.access", phrase("own-or-access"), found))
        elif not region & tile.mask:
            found = phrase("unconnected-input", card=Card(tile.kind), name=name_of(tile.name))
            breaches.append(breach("tile.connected", phrase("connected-to-input"), found))


def may_use(tile: Structure, seat: int) -> bool:
    """Whether the seat owns the tile or has access to it."""
    return tile.owner == seat or tile.has_access(seat)


def find_suppliers(state: State, seat: int, resource: str) -> list[Structure]:
    """The tiles of a resource that the seat owns or has access to."""
    return [tile for tile in tiles_of(state, resource) if may_use(tile, seat)]


def has_phantom(state: State, act: moves.Step) -> bool:
    """Whether an act names a cell, a tile or a resource that does not exist, so that no rule can say what it does."""
    match act:
        case moves.LayRoad() | moves.BuildHouse() | moves.BuildBridge():
            return cell_of(act.at) == NOWHERE
        case moves.BuildBase():
            return cell_of(act.at) == NOWHERE or act.base not in BASES
        case moves.Recruit():
            return not state.card_in_slot(act.slot)
        case moves.BuyAccess():
            tile = state.structure_at(cell_of(act.at))
            return tile is None or tile.kind in {HOUSE, BRIDGE}
        case moves.BuildTile():
            is_on_cells = bool(act.cells) and all(cell_of(name) != NOWHERE for name in act.cells)
            return not is_on_cells or TIERS.get(act.resource, 1) == 1
        case _:
            return False
