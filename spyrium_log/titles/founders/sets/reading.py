"""A whole set, for one side of the board."""

from __future__ import annotations

from spyrium_log.titles.founders.cards import Printed
from spyrium_log.titles.founders.ground import Side
from spyrium_log.titles.founders.sets.components import (
    read_advisers,
    read_base_forbids,
    read_goals,
    read_prestige,
    read_races,
    read_recipes,
    read_slots,
    read_trade,
)
from spyrium_log.titles.founders.sets.maps import read_board
from spyrium_log.titles.founders.sets.values import Values


def read_set(values: Values, side: Side, *, part_corners: bool) -> Printed:
    """A set for a side, as far as it can be read; the flaws are with the values, and the board may be NO_BOARD."""
    board = read_board(values, side, part_corners=part_corners)
    return Printed(
        name=values.sheet.name,
        board=board,
        trade=read_trade(values),
        slots=read_slots(values),
        recipes=read_recipes(values, board),
        base_forbids=read_base_forbids(values),
        races=read_races(values),
        advisers=read_advisers(values),
        prestige=read_prestige(values, side, board),
        goals=read_goals(values),
        names=values.read_names(),
        unsure=frozenset((row.of, row.what) for row in values.sheet.printed if row.source == "assumed"),
        is_invented=values.sheet.is_invented,
    )
