"""Component sets: what is printed on boards, cards and mats, read from a sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from spyrium_log.errors import SheetError
from spyrium_log.sheet import Sheet, parse_sheet
from spyrium_log.titles.founders.cards import Printed
from spyrium_log.titles.founders.ground import Side
from spyrium_log.titles.founders.messages import flaw
from spyrium_log.titles.founders.sets.checks import check_set as check_set
from spyrium_log.titles.founders.sets.components import read_set
from spyrium_log.titles.founders.sets.maps import NO_BOARD
from spyrium_log.titles.founders.sets.values import Values
from spyrium_log.titles.founders.sets.values import list_values_of as list_values_of

PRACTICE: Final = "practice-1"

# By identity, valid while the sheet is kept here: comparing two sheets takes as long as ten events.
_PRINTED_BY_ID: Final[dict[tuple[int, Side, bool], tuple[Sheet, Printed]]] = {}
# Then all are dropped: a process that reads thousands of own sheets must not keep them all.
_MOST_KEPT_SHEETS: Final = 64


def read_printed(sheet: Sheet, side: Side, *, part_corners: bool) -> Printed:
    """A set for the side that is played; SheetError where it has a flaw. `part_corners`: see find_neighbours."""
    key = (id(sheet), side, part_corners)
    if key not in _PRINTED_BY_ID:
        if len(_PRINTED_BY_ID) >= _MOST_KEPT_SHEETS:
            _PRINTED_BY_ID.clear()
        _PRINTED_BY_ID[key] = (sheet, _read_printed(sheet, side, part_corners=part_corners))
    _, printed = _PRINTED_BY_ID[key]
    return printed


@lru_cache(maxsize=64)
def _read_printed(sheet: Sheet, side: Side, *, part_corners: bool) -> Printed:
    """Read a set. Cached by value: two equal sheets share one result."""
    values = Values(sheet)
    printed = read_set(values, side, part_corners=part_corners)
    if values.flaws:
        raise SheetError(values.flaws[0])
    return printed


def check_board(printed: Printed, side: Side) -> None:
    """SheetError where the set has no board of the side that is to be played on."""
    if printed.board is NO_BOARD:
        raise SheetError(flaw("no-board", sheet=printed.name, side=side, practice=PRACTICE))


@cache
def read_practice() -> Sheet:
    """The set to practise with: whole, and invented."""
    return _read_shipped("practice-1.toml")


@cache
def read_official() -> Sheet:
    """What is known of the printed set. It has no board: somebody's own set lies over it."""
    return _read_shipped("official-partial.toml")


def _read_shipped(file: str) -> Sheet:
    """The sheet in a file that ships beside this module."""
    return parse_sheet(resources.files(__name__).joinpath(file).read_text(encoding="utf-8"))


# The sets that ship. The first is the usual one, which own values lie over.
SHEETS: Final[Mapping[str, Callable[[], Sheet]]] = {"official-partial": read_official, PRACTICE: read_practice}
