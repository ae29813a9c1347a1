"""Component sets made by hand, for the worked examples of the rules."""

from __future__ import annotations

import dataclasses
from typing import Any

from spyrium_log.titles.founders.cards import BASES, RACES, Adviser, Prestige, Printed, Race, Recipe, TradePrices
from spyrium_log.titles.founders.ground import (
    KIND_OF_LETTER,
    SITE_OF_LETTER,
    TERRAINS,
    Board,
    cell_of,
    find_neighbours,
    flood,
    make_shape,
)
from spyrium_log.titles.founders.programme import read_programme
from tests.founders.oracle_ground import write_square

TRADE = {"coast": TradePrices(1, 2), "desert": TradePrices(2, 3), "forest": TradePrices(3, 4)}
RECIPES = {
    "machinery": (("knowledge", "metal"), (1, 1), "xx/x."),
    "books": (("crops",), (1,), "xxx"),
    "weapons": (("wood", "machinery"), (1, 4), "xxxx"),
    "cloth": (("books", "machinery"), (2, 4), "xx/xx"),
    "labor": (("books", "gems"), (2, 1), "xxx/x"),
}
PRESTIGE = {
    "university": ("xx/xx", "blue", "desert", (("knowledge", 3), ("metal", 2)), "take-back 2 but income"),
    "guild": ("xx", "grey", "desert", (("machinery", 6), ("cloth", 10)), "gain money 1"),
    "barge": ("xxx", "red", "desert", (("weapons", 9), ("labor", 5)), "recruit -1"),
    "crooked-bone": ("xx", "red", "desert", (("machinery", 4),), "gain money 1 per base-beside"),
}
ADVISERS = {
    "scholar": (1, "recruit", "knowledge", 0, "recruit free"),
    "huckster": (1, "trade", "knowledge", 1, "trade -1"),
    "foreman": (1, "recruit", "knowledge", 2, "recruit, recruit"),
    "carpenter": (1, "construct", "knowledge", 0, "construct -2"),
    "patroness": (1, "recruit", "metal", 2, "access, recruit that"),
}


def make_board(text: str, *, part_corners: bool = False) -> Board:
    """A board from the letters of a map; a dot is no square."""
    rows = text.split()
    letters = {
        cell_of(write_square((row, column))): letter
        for row, line in enumerate(rows, 1)
        for column, letter in enumerate(line, 1)
        if letter != "."
    }
    kinds = {cell: KIND_OF_LETTER[letter] for cell, letter in letters.items()}
    land = tuple(cell for cell, kind in kinds.items() if kind in TERRAINS)
    sites = tuple(
        (name, cells)
        for letter, name in SITE_OF_LETTER.items()
        for cells in flood(cell for cell in letters if letters[cell] == letter)
    )
    return Board(
        width=len(rows[0]),
        height=len(rows),
        kinds=kinds,
        numbers={cell: int(letter) for cell, letter in letters.items() if letter.isdigit()},
        sections={cell: n for n, cells in enumerate(flood(land), 1) for cell in cells},
        site_sections={},
        sites=sites,
        land=land,
        near=find_neighbours(kinds, part_corners=part_corners),
        parted=part_corners,
    )


def make_printed(text: str, *, part_corners: bool = False) -> Printed:
    """The set of the examples, on the board of this map."""
    values: dict[str, Any] = {
        "name": "examples",
        "board": make_board(text, part_corners=part_corners),
        "trade": {**TRADE, "ruins": TradePrices(3, 4)},
        "slots": (1, 1, 2, 2),
        "recipes": {
            name: Recipe(
                resource=name,
                tier=2 if name in {"machinery", "books"} else 3,
                inputs=inputs,
                flags=flags,
                shape=make_shape(shape),
            )
            for name, (inputs, flags, shape) in RECIPES.items()
        },
        "base_forbids": dict.fromkeys(BASES, frozenset()),
        "races": {
            race: Race(race=race, base=base, forbids=frozenset(), worker=read_programme("gain money 2"))
            for race, base in zip(RACES, (*BASES, None), strict=True)
        },
        "advisers": {
            card: Adviser(
                card=card, level=level, category=category, needs=needs, points=points, does=read_programme(does)
            )
            for card, (level, category, needs, points, does) in ADVISERS.items()
        },
        "prestige": {
            card: Prestige(
                card=card,
                shape=make_shape(shape),
                colour=colour,
                terrain=terrain,
                site="",
                needs=needs,
                worker=read_programme(worker),
            )
            for card, (shape, colour, terrain, needs, worker) in PRESTIGE.items()
        },
        "goals": {},
        "names": {},
        "unsure": frozenset(),
        "is_invented": True,
    }
    names = {field.name for field in dataclasses.fields(Printed)}
    return Printed(**{name: value for name, value in values.items() if name in names})
