"""How a piece lies, as text: its shape, how often it is turned, its first cell; and which tiles may supply one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spyrium_log.titles.founders.ground import NAMES, Shape, cell_of, name_of
from spyrium_log.titles.founders.messages import syntax
from spyrium_log.titles.founders.moves import Cells
from spyrium_log.titles.founders.position.tokens import Token, cell_word, read_cell, read_listed_cells
from spyrium_log.titles.founders.rules.build import find_suppliers
from spyrium_log.titles.founders.state import State, Structure

_PLACED = re.compile(r"(?P<first>[a-z]{1,2}0?[1-9][0-9]?)(?:\.(?=.)(?P<turn>[0-3])?(?P<mirrored>m)?)?")
# How no cells at all are written.
_NO_CELLS: Final = "-"


def placed_word(shape: Shape | None, cells: Cells) -> str:
    """`d4.1` where the shape fits the cells, else `d4,d5,e5`."""
    turn = find_turn(shape, cells)
    return f"{cells[0]}{turn}" if turn is not None else listed_word(cells) or _NO_CELLS


def listed_word(cells: Cells) -> str:
    """`d4,d5,e5`; a comma stands behind a single one, which else could be the first cell of a shape."""
    return ",".join(map(cell_word, cells)) + ("," if len(cells) == 1 else "")


def read_placed(word: Token, shape: Shape | None) -> Cells:
    """The cells of `d4.1` or `d4,d5,e5`; none for `-`. Where nobody knows the `shape` they must all be listed."""
    if word.text == _NO_CELLS:
        return ()
    match = _PLACED.fullmatch(word.text)
    if not match:
        return read_listed_cells(word)
    if shape is None:
        raise word.expect(syntax("cells-spelled-out"))
    turns = shape.mirrored if match["mirrored"] else shape.turns
    first = read_cell(word._replace(text=match["first"]))
    cells = cells_from(first, turns[int(match["turn"] or 0)])
    if cells is None:
        raise word.expect(syntax("cells-on-board"))
    return cells


def find_placed_shape(state: State) -> Shape | None:
    """The shape of the prestige building that is to be placed; None where nobody knows it."""
    prestige = state.printed.prestige.get(state.chosen_proposal)
    return prestige.shape if prestige else None


def list_turns(shape: Shape) -> list[tuple[str, tuple[int, ...]]]:
    """Each way a shape can lie, with what is written behind its first cell: nothing, `.1` turned, `.m` mirrored."""
    turned = [(f".{turn}" if turn else "", steps) for turn, steps in enumerate(shape.turns)]
    return turned + [(f".{turn or ''}m", steps) for turn, steps in enumerate(shape.mirrored)]


def cells_from(first: str, steps: Sequence[int]) -> Cells | None:
    """The cells of a shape that lies with its first cell here; None where some of them have no name."""
    start = cell_of(first)
    cells = tuple(NAMES.get(start + step, "") for step in steps)
    return cells if start and all(cells) else None


def find_turn(shape: Shape | None, cells: Cells) -> str | None:
    """How a shape lies on these cells, as `list_turns` writes it; None where it does not fit them, or is unknown."""
    if shape is None or len(cells) != shape.size:
        return None
    return next((turn for turn, steps in list_turns(shape) if cells_from(cells[0], steps) == cells), None)


def find_tile_shape(state: State, resource: str) -> Shape | None:
    """The shape of the tiles of a resource; None where nobody knows it."""
    recipe = state.printed.recipes.get(resource)
    return recipe.shape if recipe else None


def list_suppliers(state: State, seat: int, resource: str) -> list[list[Structure]]:
    """For each input of a resource, the tiles that a seat may use, connected or not; empty for an unknown recipe."""
    recipe = state.printed.recipes.get(resource)
    inputs = recipe.inputs if recipe else None
    return [find_suppliers(state, seat, kind) for kind in inputs or ()]


def guess_inputs(state: State, seat: int, resource: str) -> Cells:
    """The tiles that supply a new one where there is one only for each input; else none."""
    suppliers = list_suppliers(state, seat, resource)
    is_clear = all(len(tiles) == 1 for tiles in suppliers)
    return tuple(name_of(tile.name) for tiles in suppliers for tile in tiles) if is_clear else ()
