"""A whole set for one side of the board: recipes, races and cards, from its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from spyrium_log.titles.founders.cards import (
    ACTION_CARDS,
    BASES,
    CATEGORIES,
    RACES,
    RESOURCES,
    ROW,
    SIZES,
    TIER_2,
    TIER_3,
    TIERS,
    Adviser,
    Goal,
    Prestige,
    Printed,
    Race,
    Recipe,
    TradePrices,
)
from spyrium_log.titles.founders.effects import DECKS
from spyrium_log.titles.founders.ground import SITE_OF_LETTER, TERRAINS, Board, Shape, Side, make_shape
from spyrium_log.titles.founders.programme import Programme, read_condition, read_programme
from spyrium_log.titles.founders.sets.maps import find_sites, fits, read_board
from spyrium_log.titles.founders.sets.values import ADVISER, GOAL, MOST, PRESTIGE, Values

LEVELS: Final = (1, 2, 3)
NONE: Final = "none"
SITES: Final = tuple(SITE_OF_LETTER.values())
# The flag of a base input, and that of an input of tier 2 by the number of its own inputs.
BASE_FLAG: Final = 1
FLAGS_OF_TIER_2: Final = {1: 2, 2: 4}
_MOST_NEEDS = 8

# How many inputs a tile has, by tier.
INPUTS: Final = {2: (1, 2), 3: (2,)}


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


def read_trade(values: Values) -> dict[str, TradePrices]:
    """What building a base and buying access cost, by terrain."""
    names = {terrain: f"terrain-{terrain}" for terrain in TERRAINS}
    return {
        terrain: TradePrices(values.read_number(name, "build"), values.read_number(name, "access"))
        for terrain, name in names.items()
    }


def read_slots(values: Values) -> tuple[int | None, ...]:
    """What the board prints below each slot of the adviser row."""
    return tuple(values.read_number(f"slot-{slot}", "price") for slot in range(1, ROW + 1))


def read_recipes(values: Values, board: Board) -> dict[str, Recipe]:
    """The recipes of tiers 2 and 3. Flags follow from them, unless the set says others."""
    inputs = {resource: _read_inputs(values, resource) for resource in (*TIER_2, *TIER_3)}
    return {
        resource: Recipe(
            resource=resource,
            tier=TIERS[resource],
            inputs=own_inputs,
            flags=_read_flags(values, resource, inputs),
            shape=_read_tile_shape(values, resource, board),
        )
        for resource, own_inputs in inputs.items()
    }


def _read_inputs(values: Values, resource: str) -> tuple[str, ...] | None:
    """What a tile is made of, each of a lower tier: so no recipe goes in a circle."""
    inputs = values.read(resource, "inputs", _parse_resources, "inputs")
    if inputs is None:
        return None
    tier = TIERS[resource]
    too_high = [each for each in inputs if TIERS[each] >= tier]
    # a tile of tier 3 is made of one of tier 2 at least
    has_right_tiers = resource not in TIER_3 or any(each in TIER_2 for each in inputs)
    if too_high:
        values.add_flaw("circle", of=resource, found=too_high[0])
    elif len(inputs) not in INPUTS[tier] or not has_right_tiers:
        values.add_flaw(f"recipe-{tier}", of=resource, found="+".join(inputs))
    else:
        return inputs
    return None


def _read_flags(
    values: Values, resource: str, inputs: Mapping[str, tuple[str, ...] | None]
) -> tuple[int | None, ...] | None:
    """The flags of a tile: those printed, else those that its recipe and its inputs' recipes have."""
    own_inputs = inputs[resource]
    flags = values.read(resource, "flags", _parse_flags, "flags")
    # without the recipe nobody can say how many there are
    if own_inputs is None:
        return flags
    if flags is None:
        return tuple(usual_flag(each, inputs) for each in own_inputs)
    if len(flags) != len(own_inputs):
        values.add_flaw("flags-count", of=resource, n=len(own_inputs), found=len(flags))
        return None
    return flags


def usual_flag(resource: str, inputs: Mapping[str, tuple[str, ...] | None]) -> int | None:
    """The usual flag of an input; None where that hangs on a recipe (among `inputs`) which is not known."""
    if resource in BASES:
        return BASE_FLAG
    own_inputs = inputs.get(resource)
    return None if own_inputs is None else FLAGS_OF_TIER_2[len(own_inputs)]


def _read_tile_shape(values: Values, resource: str, board: Board) -> Shape | None:
    """The shape of a tile; one of a wrong size, or with no room on the board, is a flaw and is used all the same."""
    shape = values.read(resource, "shape", make_shape, "shape")
    if shape is None:
        return None
    if shape.size != SIZES[TIERS[resource]]:
        values.add_flaw("shape-size", of=resource, n=SIZES[TIERS[resource]], found=shape.text)
    elif board.land and not fits(board, shape):
        values.add_flaw("shape-fits", of=resource, found=shape.text)
    return shape


def read_base_forbids(values: Values) -> dict[str, frozenset[str] | None]:
    """The bases that each base card forbids as a third one."""
    return {base: values.read(base, "forbids", _parse_forbids, "forbids") for base in BASES}


def read_races(values: Values) -> dict[str, Race]:
    """The races, each with its base resource, the bases that it forbids, and what its worker does."""
    return {
        race: Race(
            race=race,
            base=values.read_word(race, "base", BASES),
            forbids=values.read(race, "forbids", _parse_forbids, "forbids"),
            worker=_read_action(values, race, "worker"),
        )
        for race in RACES
    }


def read_advisers(values: Values) -> dict[str, Adviser]:
    """The advisers of the set, by card; what the set does not say is None."""
    return {
        card: Adviser(
            card=card,
            level=_read_level(values, card),
            category=values.read_word(card, "category", CATEGORIES),
            needs=values.read_word(card, "needs", RESOURCES),
            points=values.read_number(card, "points"),
            does=_read_action(values, card, "does"),
        )
        for card in values.list_cards(ADVISER)
    }


def _read_level(values: Values, card: str) -> int | None:
    """The level of an adviser; None where it is unknown, and, with a flaw, where it is none of the three."""
    level = values.read_number(card, "level")
    if level is None or level in LEVELS:
        return level
    values.add_flaw("level", of=card, found=level)
    return None


def read_prestige(values: Values, side: str, board: Board) -> dict[str, Prestige]:
    """The prestige buildings; each must find room on the board of the side."""
    cards = {card: _read_building(values, card) for card in values.list_cards(PRESTIGE)}
    if board.land:
        for building in cards.values():
            _check_room(values, side, board, building)
    return cards


def _read_building(values: Values, card: str) -> Prestige:
    """A prestige building as the set has it, before anybody asks whether it fits on the board."""
    return Prestige(
        card=card,
        shape=values.read(card, "shape", make_shape, "shape"),
        colour=values.read(card, "colour", _parse_colour, "colour"),
        terrain=values.read_word(card, "terrain", TERRAINS),
        site=values.read_word(card, "site", SITES) or "",
        needs=values.read(card, "needs", _parse_needs, "needs"),
        worker=_read_action(values, card, "worker"),
    )


def _check_room(values: Values, side: str, board: Board, building: Prestige) -> None:
    """Add a flaw if the building has no site on this side of the board, or its shape fits nowhere."""
    shape = building.shape
    if not building.site:
        if shape is not None and not fits(board, shape, building.terrain):
            values.add_flaw("building-fits", of=building.card, side=side, found=shape.text)
        return
    sites = find_sites(board, building.site)
    if not sites:
        values.add_flaw("no-site", of=building.card, side=side, site=building.site)
    elif shape is not None and not any(_is_shape_of(shape, cells) for cells in sites):
        values.add_flaw("site-shape", of=building.card, side=side, found=shape.text)


def _is_shape_of(shape: Shape, cells: tuple[int, ...]) -> bool:
    """Whether these cells have the shape, turned or mirrored somehow."""
    return tuple(cell - cells[0] for cell in cells) in shape.ways(mirror=True)


def read_goals(values: Values) -> dict[str, Goal]:
    """The goals of the set, by card, each with its deck, its points and when it is met."""
    return {
        card: Goal(
            card=card,
            deck=values.read_word(card, "deck", DECKS),
            points=values.read_number(card, "points"),
            when=values.read(card, "when", read_condition, "condition"),
        )
        for card in values.list_cards(GOAL)
    }


def _read_action(values: Values, of: str, what: str) -> Programme | None:
    """What a card or a worker does. A card that it names must be one."""
    programme = values.read(of, what, read_programme, "programme")
    for instruction in programme or ():
        if instruction.but and instruction.but not in (*ACTION_CARDS, *values.list_cards(ADVISER)):
            values.add_flaw("no-card", of=of, what=what, found=instruction.but)
    return programme


def _parse_resources(text: str) -> tuple[str, ...]:
    """`knowledge+metal`. ValueError for what is no resource, and for one said twice."""
    names = tuple(text.split("+"))
    if not set(names) <= set(RESOURCES) or len(set(names)) < len(names):
        raise ValueError(text)
    return names


def _parse_forbids(text: str) -> frozenset[str]:
    """`gems+metal`, or `none`. ValueError for what is no base."""
    names = frozenset() if text == NONE else frozenset(_parse_resources(text))
    if not names <= set(BASES):
        raise ValueError(text)
    return names


def _parse_flags(text: str) -> tuple[int, ...]:
    """A flag for each input of a tile: `1+4`. ValueError for what is no number."""
    return tuple(_parse_number(part) for part in text.split("+"))


def _parse_colour(text: str) -> str:
    """A colour: any word of small letters. ValueError for anything else."""
    if not (text.isascii() and text.isalpha() and text.islower()):
        raise ValueError(text)
    return text


def _parse_needs(text: str) -> tuple[tuple[str, int | None], ...]:
    """`gems:2 wood:3`; the points left out where they are not known."""
    needs: dict[str, int | None] = {}
    for part in text.split():
        resource, colon, points = part.partition(":")
        if resource not in RESOURCES or resource in needs:
            raise ValueError(text)
        needs[resource] = _parse_number(points) if colon else None
    if not 0 < len(needs) <= _MOST_NEEDS:
        raise ValueError(text)
    return tuple(needs.items())


def _parse_number(text: str) -> int:
    """A number of at most two digits. ValueError for anything else, as for `-1` or `1_0`."""
    # int() would take more than people write
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST))):
        raise ValueError(text)
    return int(text)
