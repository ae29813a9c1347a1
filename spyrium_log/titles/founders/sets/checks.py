"""What speaks against a set, and what it lacks for which game.

Certain is what a rulebook says, or several sources agree on: see official-partial.toml. A set need not say it; a set
that says otherwise has a slip in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from spyrium_log.messages import Message
from spyrium_log.sheet import Sheet, number_row
from spyrium_log.title import SheetCheck
from spyrium_log.titles.founders.cards import (
    ADVISERS_IN_ALL,
    AESTHER,
    BASES,
    GOALS_IN_ALL,
    PRESTIGE_IN_ALL,
    ROW,
    TIER_2,
    TIER_3,
    Adviser,
    Goal,
    Prestige,
    Printed,
)
from spyrium_log.titles.founders.ground import SIDES, Board, Side, name_of
from spyrium_log.titles.founders.messages import flaw
from spyrium_log.titles.founders.sets.components import read_set, usual_flag
from spyrium_log.titles.founders.sets.maps import NO_BOARD
from spyrium_log.titles.founders.sets.values import Values

# What the printed game is known to have.
CERTAIN_RECIPES: Final[Mapping[str, tuple[str, ...]]] = {"machinery": ("knowledge", "metal")}
CERTAIN_BASES: Final[Mapping[str, str]] = {"vermling": "wood", "human": "population"}
# Printed rows of points show that flags of tier 3 add up to each of these.
TOTALS_OF_TIER_3: Final = frozenset({3, 5, 6})
MOST_ALIKE: Final = 3
SITES_OF_SIDE: Final[Mapping[Side, Mapping[str, int]]] = {
    "thematic": {"west": 1, "north": 1, "fortress": 1},
    "symmetric": {"fortress": 1, "tower": 3},
}
START_NUMBERS: Final = (1, 2, 3, 4)


def check_set(sheet: Sheet) -> SheetCheck:
    """The flaws of a set on both sides of the board, and what is missing for which variant and number of players."""
    values = Values(sheet)
    sides = {side: read_set(values, side, part_corners=False) for side in SIDES}
    # all but the board is the same on both sides
    cards = sides[SIDES[0]]
    flaws, remarks = [*_list_slips(cards)], [*_list_lacks(cards)]
    for side, printed in sides.items():
        if printed.board is not NO_BOARD:
            flaws += _list_slips_of_board(side, printed.board)
            remarks += _list_corner_contacts(side, printed.board)
        elif (f"board-{side}", number_row("map", 1)) not in values.rows:
            remarks.append(flaw("lack-board", side=side))
    return SheetCheck((*values.flaws, *flaws), tuple(remarks))


def _list_slips(printed: Printed) -> Iterator[Message]:
    """What contradicts what is certain, of everything but the board."""
    yield from _list_slips_of_races(printed)
    yield from _list_slips_of_recipes(printed)
    yield from _list_slips_of_numbers(printed)


def _list_slips_of_numbers(printed: Printed) -> Iterator[Message]:
    """Slips in how many cards there are: of one look among the prestige buildings, and of each kind."""
    looks = Counter(building.look for building in printed.prestige.values() if building.look)
    for (shape, colour), count in looks.items():
        if count > MOST_ALIKE:
            yield flaw("alike", most=MOST_ALIKE, n=count, shape=shape, colour=colour)
    counts = {
        "advisers": (len(printed.advisers), ADVISERS_IN_ALL),
        "prestige": (len(printed.prestige), PRESTIGE_IN_ALL),
        "goals": (len(printed.goals), GOALS_IN_ALL),
    }
    for kind, (count, most) in counts.items():
        if count > most:
            yield flaw("too-many", most=most, things=flaw(kind), n=count)


def _list_slips_of_races(printed: Printed) -> Iterator[Message]:
    """Slips in the races: two of one base, and bases that the rulebook shows otherwise."""
    races: dict[str, list[str]] = {}
    for race in printed.races.values():
        if race.base is not None:
            races.setdefault(race.base, []).append(race.race)
    for base, races_of_base in races.items():
        if len(races_of_base) > 1:
            yield flaw("base-twice", base=base, races=", ".join(races_of_base))
    for name, certain in CERTAIN_BASES.items():
        if printed.races[name].base not in {None, certain}:
            yield flaw("certain", what="base", of=name, expected=certain, found=str(printed.races[name].base))


def _list_slips_of_recipes(printed: Printed) -> Iterator[Message]:
    """Slips in the recipes: what the rulebook shows otherwise, and totals that a printed set cannot have."""
    inputs = {name: recipe.inputs for name, recipe in printed.recipes.items()}
    for name, certain in CERTAIN_RECIPES.items():
        own_inputs = inputs[name]
        if own_inputs is not None and set(own_inputs) != set(certain):
            yield flaw("certain", what="inputs", of=name, expected="+".join(certain), found="+".join(own_inputs))
    yield from _list_slips_of_flags(printed, inputs)
    # some tile of tier 2 is made of one input
    if all(len(inputs[name] or ()) > 1 for name in TIER_2):
        yield flaw("one-input")
    totals = [_total_flags(printed.recipes[name].flags) for name in TIER_3]
    known = sorted(total for total in totals if total is not None)
    if len(known) == len(TIER_3) and not set(known) >= TOTALS_OF_TIER_3:
        yield flaw("totals", expected=", ".join(map(str, sorted(TOTALS_OF_TIER_3))), found=", ".join(map(str, known)))


def _list_slips_of_flags(printed: Printed, inputs: Mapping[str, tuple[str, ...] | None]) -> Iterator[Message]:
    """Printed flags that differ from what the recipes of their inputs make them."""
    for name, recipe in printed.recipes.items():
        usual = tuple(usual_flag(each, inputs) for each in recipe.inputs or ())
        flags = recipe.flags if usual else None
        if flags and any(known not in {None, flag} for known, flag in zip(usual, flags, strict=True)):
            expected = "+".join("?" if each is None else str(each) for each in usual)
            yield flaw("certain", what="flags", of=name, expected=expected, found="+".join(map(str, flags)))


def _total_flags(flags: tuple[int | None, ...] | None) -> int | None:
    """What the flags of a tile add up to; None where one of them is not known."""
    known = [flag for flag in flags or () if flag is not None]
    return sum(known) if flags and len(known) == len(flags) else None


def _list_slips_of_board(side: Side, board: Board) -> Iterator[Message]:
    """Slips in one side of the board: too many or too few sites, and starting numbers that are missing."""
    sites = Counter(name for name, _ in board.sites)
    for site in {**SITES_OF_SIDE[side], **sites}:
        expected = SITES_OF_SIDE[side].get(site, 0)
        if sites[site] != expected:
            yield flaw("sites", side=side, site=site, n=expected, found=sites[site])
    numbers = Counter(board.numbers.values())
    for number in START_NUMBERS:
        if not numbers[number]:
            yield flaw("no-number", side=side, number=number)
        # so many players start on cells numbered up to their number, each on one
        elif sum(numbers[each] for each in START_NUMBERS[:number]) < number:
            yield flaw("few-numbers", side=side, n=number)


def _list_corner_contacts(side: Side, board: Board) -> Iterator[Message]:
    """Where two sections touch, the first time: the option `river-corner` matters on such a board."""
    for cell in board.land:
        for other in board.near[cell]:
            # 0: in no section; each pair is met from both sides
            if 0 < board.sections.get(cell, 0) < board.sections.get(other, 0):
                yield flaw("corner", side=side, cell=name_of(cell), other=name_of(other))
                return


def _list_lacks(printed: Printed) -> Iterator[Message]:
    """For which games what is missing, in how many pieces of how many."""
    recipes, races, buildings = printed.recipes.values(), printed.races.values(), printed.prestige.values()
    prices = [price for both_prices in printed.trade.values() for price in both_prices]
    own_bases = [race.base for race in races if race.race != AESTHER]
    workers = [building.worker for building in buildings]
    every, with_workers = "for-every-game", "for-workers"
    lacks = (
        (every, "recipes", _count_missing(recipe.inputs for recipe in recipes), len(recipes)),
        (every, "tile-shapes", _count_missing(recipe.shape for recipe in recipes), len(recipes)),
        (every, "trade-prices", _count_missing(prices), len(prices)),
        (every, "slot-prices", _count_missing(printed.slots), ROW),
        (every, "whole-advisers", *_count_lacks(map(_is_whole_adviser, printed.advisers.values()), ADVISERS_IN_ALL)),
        (every, "whole-prestige", *_count_lacks(map(_is_whole_building, buildings), PRESTIGE_IN_ALL)),
        ("for-draft", "race-bases", _count_missing(own_bases), len(own_bases)),
        ("for-draft", "race-forbids", _count_missing(race.forbids for race in races), len(races)),
        ("for-two", "base-forbids", _count_missing(printed.base_forbids.values()), len(BASES)),
        (with_workers, "race-workers", _count_missing(race.worker for race in races), len(races)),
        (with_workers, "prestige-workers", *_count_lacks((worker is not None for worker in workers), PRESTIGE_IN_ALL)),
        ("for-achievements", "whole-goals", *_count_lacks(map(_is_whole_goal, printed.goals.values()), GOALS_IN_ALL)),
    )
    for game, things, n, most in lacks:
        if n > 0:
            yield flaw("lack", game=flaw(game), n=n, most=most, things=flaw(things))


def _count_missing(values: Iterable[object]) -> int:
    """How many of these values the set does not say, for a line of `_list_lacks`."""
    return sum(value is None for value in values)


def _count_lacks(known: Iterable[bool], in_all: int) -> tuple[int, int]:
    """How many cards of a kind are not known, of how many there are in all: both for a line of `_list_lacks`."""
    return in_all - sum(known), in_all


def _is_whole_adviser(card: Adviser) -> bool:
    """Whether everything is known of an adviser that the rules ask for."""
    return None not in (card.level, card.category, card.needs, card.points, card.does)


def _is_whole_building(card: Prestige) -> bool:
    """Whether needs with their points are known, and where it can stand; the worker's action is counted apart."""
    place: Collection[object] = (card.site,) if card.site else (card.shape, card.colour, card.terrain)
    return None not in place and card.needs is not None and all(points is not None for _, points in card.needs)


def _is_whole_goal(card: Goal) -> bool:
    """Whether everything is known of a goal that the rules ask for."""
    return None not in (card.deck, card.points, card.when)
