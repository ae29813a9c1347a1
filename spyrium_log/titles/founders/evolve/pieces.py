"""Roads, structures and prestige buildings on the board, and the deliveries between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import BRIDGE, HOUSE
from spyrium_log.titles.founders.evolve.cards import note_act
from spyrium_log.titles.founders.ground import NOWHERE, cell_of, cells_of, mask_of
from spyrium_log.titles.founders.state import MOST_CARDS, MOST_PIECES, Building, DueDelivery, State, Structure


def put_structure(state: State, structure: Structure) -> None:
    """Lay a structure down where it belongs; one without a cell lies nowhere."""
    if structure.cells and len(state.structures) < MOST_PIECES:
        state.on.update(dict.fromkeys(structure.cells, len(state.structures)))
        state.structures.append(structure)
        state.covered |= structure.mask


def put_building(state: State, building: Building) -> None:
    """Lay a prestige building down where it belongs; one without a cell lies nowhere."""
    if building.cells and len(state.buildings) < MOST_PIECES:
        # ~: the index of a building, not of a structure
        state.on.update(dict.fromkeys(building.cells, ~len(state.buildings)))
        state.buildings.append(building)
        state.covered |= building.mask


def make_structure(
    kind: str, owner: int, cells: tuple[int, ...], inputs: tuple[int, ...] = (), access: int = 0
) -> Structure:
    """A structure on these cells, of which those that do not exist are left out."""
    cells = tuple(cell for cell in cells if cell != NOWHERE)
    return Structure(kind, owner, cells, mask_of(cells), inputs, access)


def _lay_road(state: State, act: moves.LayRoad) -> None:
    """Lay a road; it counts off those that a Call to Vote still owes its caller."""
    note_act(state, act, act.at)
    state.roads |= mask_of(cells_of((act.at,)))
    if act.seat == state.caller and state.roads_due:
        state.roads_due -= 1


def _build_base(state: State, act: moves.BuildBase) -> None:
    """Build a tile for whoever holds the base; somebody else who builds it has access to it."""
    note_act(state, act, act.at)
    owner = state.base_owner.get(act.base, 0)
    access = 0 if owner == act.seat else 1 << act.seat
    put_structure(state, make_structure(act.base, owner, (cell_of(act.at),), access=access))


def _buy_access(state: State, act: moves.BuyAccess) -> None:
    """Give the seat access to the tile on a cell, if there is one."""
    note_act(state, act, act.at)
    index = state.on.get(cell_of(act.at), -1)
    # below 0 there is no structure, but a prestige building or nothing
    if index >= 0:
        tile = state.structures[index]
        state.structures[index] = tile._replace(access=tile.access | 1 << act.seat)


def _build_piece(state: State, act: moves.BuildHouse | moves.BuildBridge) -> None:
    """Build a house, a bridge or a gate, which belongs to its builder."""
    note_act(state, act, act.at)
    kind = HOUSE if type(act) is moves.BuildHouse else BRIDGE
    put_structure(state, make_structure(kind, act.seat, (cell_of(act.at),)))


def _build_tile(state: State, act: moves.BuildTile) -> None:
    """Build a tile of tier 2 or 3; what supplied it is kept for what it will score."""
    note_act(state, act, act.cells[0] if act.cells else "")
    suppliers = [state.structure_at(cell_of(name)) for name in act.inputs]
    inputs = tuple(NOWHERE if tile is None else tile.name for tile in suppliers)
    put_structure(state, make_structure(act.resource, act.seat, cells_of(act.cells), inputs))


def _place_start(state: State, act: moves.PlaceStart) -> None:
    """Put a tile of the base of the seat's race on the board; `?` where nobody knows which that is."""
    put_structure(state, make_structure(state.mat(act.seat).race_base or moves.UNSEEN, act.seat, (cell_of(act.at),)))


# --- deliveries ----------------------------------------------------------------------------------


def _deliver(state: State, act: moves.Deliver) -> None:
    """The delivery that was chosen is no longer due, whatever seat had to choose; that it was made is a fact."""
    need = act.building, act.resource
    state.due = tuple(due for due in state.due if (due.building, due.resource) != need)


def _add_due_delivery(state: State, fact: effects.DeliveryDue) -> None:
    """Note a delivery that somebody has to choose before the turn goes on."""
    if len(state.due) < MOST_CARDS:
        state.due = (*state.due, DueDelivery(fact.building, fact.resource, fact.seat))


def _note_delivery(state: State, card: str, resource: str, seat: int) -> None:
    """Put a delivery token of a seat (0: a neutral one) on a building."""
    building = state.find_building(card)
    if building is not None and len(building.delivered) < MOST_CARDS:
        _change_building(state, card, delivered=(*building.delivered, (resource, seat)))


def _change_building(state: State, card: str, **changes: Any) -> None:
    """Set these fields of a prestige building, if it stands."""
    for index, building in enumerate(state.buildings):
        if building.card == card:
            state.buildings[index] = building._replace(**changes)
            return


def _note_score(state: State, fact: effects.Scored) -> None:
    """Add what the owner kept to what the tile earned."""
    index = state.on.get(cell_of(fact.at), -1)
    # below 0 there is no structure, but a prestige building or nothing
    if index >= 0:
        tile = state.structures[index]
        state.structures[index] = tile._replace(earned=tile.earned + fact.kept)


ACTS_OF_PIECES: Final[dict[type, Callable[[State, Any], None]]] = {
    moves.PlaceStart: _place_start,
    moves.LayRoad: _lay_road,
    moves.BuildBase: _build_base,
    moves.BuyAccess: _buy_access,
    moves.BuildHouse: _build_piece,
    moves.BuildBridge: _build_piece,
    moves.BuildTile: _build_tile,
    moves.Deliver: _deliver,
}

FACTS_OF_PIECES: Final[dict[type, Callable[[State, Any], None]]] = {
    effects.Delivered: lambda state, fact: _note_delivery(state, fact.building, fact.resource, fact.seat),
    effects.NeutralDelivered: lambda state, fact: _note_delivery(state, fact.building, fact.resource, 0),
    effects.DeliveryDue: _add_due_delivery,
    effects.Scored: _note_score,
    effects.Completed: lambda state, fact: _change_building(state, fact.building, complete=True),
    effects.ClaimPut: lambda state, fact: _change_building(state, fact.building, claim=True),
    effects.ClaimTaken: lambda state, fact: _change_building(state, fact.building, claim=False),
}
