"""A table laid out anew, as far as somebody states what lies on it."""

from __future__ import annotations

from typing import Final

from spyrium_log.title import Resynced
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import ROW
from spyrium_log.titles.founders.effects import DECKS
from spyrium_log.titles.founders.evolve.cards import hold_base, pad, start_turn
from spyrium_log.titles.founders.evolve.pieces import make_structure, put_building, put_structure
from spyrium_log.titles.founders.ground import cell_of, cells_of, mask_of
from spyrium_log.titles.founders.state import Building, State, Structure

# What a position and a mat of it state as the state and the mat themselves hold it.
_FIELDS_OF_STATE: Final = ("votes", "proposals", "spent")
_FIELDS_OF_MAT: Final = tuple(name for name in moves.MatAt.__struct_fields__ if name != "seat")


def apply_position(state: State, act: Resynced[moves.Position]) -> None:
    """Replace what a position states; what it leaves out stays. Nothing is open in the turn any more."""
    position = act.position
    for name in _FIELDS_OF_STATE:
        value = getattr(position, name)
        if value is not None:
            setattr(state, name, value)
    # a turn without a card, which nobody follows
    if position.last is not None:
        start_turn(state, position.last, "", down=True)
    if position.row is not None:
        _lay_row(state, position.row)
    if position.goals is not None:
        state.goals = pad(position.goals, len(DECKS))
    for stated in position.mats:
        _apply_position_of_mat(state, stated)
    if position.roads is not None:
        state.roads = mask_of(cells_of(position.roads))
    if position.tiles is not None or position.buildings is not None:
        _lay_out_again(state, position)


def _lay_row(state: State, cards: tuple[str, ...]) -> None:
    """Lay out the adviser row anew; `-` states an empty slot."""
    state.advisers_seen = max(state.advisers_seen, len(cards))
    state.row = pad(tuple("" if card == "-" else card for card in cards), ROW)
    state.row_taken = False


def _apply_position_of_mat(state: State, stated: moves.MatAt) -> None:
    """Replace what a position states of one seat; what is None stays."""
    mat = state.mat(stated.seat)
    for name in _FIELDS_OF_MAT:
        value = getattr(stated, name)
        if value is not None:
            setattr(mat, name, value)
    for base in filter(None, (stated.race_base, *(stated.bases or ()))):
        hold_base(state, base, stated.seat)


def _lay_out_again(state: State, position: moves.Position) -> None:
    """Clear the board and lay down what a position states; tiles or buildings that it leaves out stay."""
    tiles = state.structures if position.tiles is None else map(_make_stated_structure, position.tiles)
    buildings = state.buildings if position.buildings is None else map(_make_stated_building, position.buildings)
    state.structures, state.buildings, state.on, state.covered = [], [], {}, 0
    for tile in tiles:
        put_structure(state, tile)
    for building in buildings:
        put_building(state, building)


def _make_stated_structure(stated: moves.TileAt) -> Structure:
    """The structure that a position states, its names of cells turned into cells."""
    inputs = tuple(cell_of(name) for name in stated.inputs)
    return make_structure(stated.kind, stated.owner, cells_of(stated.cells), inputs, mask_of(stated.access))


def _make_stated_building(stated: moves.BuildingAt) -> Building:
    """The prestige building that a position states; nobody knows who placed it."""
    cells = cells_of(stated.cells)
    delivered = tuple((token.resource, token.seat) for token in stated.delivered)
    return Building(stated.card, cells, mask_of(cells), 0, delivered, stated.complete, stated.claim)
