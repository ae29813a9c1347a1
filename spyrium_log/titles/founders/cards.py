"""The pieces that the rules name, and what a component set prints on the others.

Whatever a set does not say is None: unknown, never zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from spyrium_log.titles.founders.ground import Board, Shape
from spyrium_log.titles.founders.programme import Condition, Programme

BASES: Final = ("knowledge", "gems", "crops", "wood", "population", "livestock", "stone", "metal")
TIER_2: Final = ("books", "jewelry", "food", "leather", "bricks", "machinery")
TIER_3: Final = ("cloth", "weapons", "labor", "government")
RESOURCES: Final = (*BASES, *TIER_2, *TIER_3)
TIERS: Final[Mapping[str, int]] = {**dict.fromkeys(BASES, 1), **dict.fromkeys(TIER_2, 2), **dict.fromkeys(TIER_3, 3)}
SIZES: Final[Mapping[int, int]] = {1: 1, 2: 3, 3: 4}
TILES_OF_A_RESOURCE: Final = 3

COLOURS: Final[Mapping[str, str]] = {
    "savvas": "white",
    "harrower": "green",
    "valrath": "yellow",
    "vermling": "brown",
    "human": "purple",
    "quatryl": "blue",
    "inox": "orange",
    "orchid": "pink",
    "aesther": "grey",
}
RACES: Final = tuple(COLOURS)
# The race that takes any base card that is left.
AESTHER: Final = "aesther"

Category: TypeAlias = Literal["trade", "recruit", "construct", "upgrade"]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
CALL: Final = "call"
INCOME: Final = "income"
ACTION_CARDS: Final = (*CATEGORIES, CALL, INCOME)
HOUSE: Final = "house"
BRIDGE: Final = "bridge"
RACE: Final = "race"

ADVISERS_IN_ALL: Final = 18
PRESTIGE_IN_ALL: Final = 21
GOALS_IN_ALL: Final = 15
ROW: Final = 4
PROPOSALS: Final = 3
PIECES_OF_A_KIND: Final = 3
# So many buildings are complete when Trade may build the bases of rivals, and when the game ends.
MARKERS_FOR_RIVALS: Final = 2
LAST_COMPLETION: Final = 6
SOLO_ROUNDS: Final = 7
TILE_PRICES: Final[Mapping[int, int]] = {2: 4, 3: 6}
# Trade (3), and a house, bridge or gate: what one usually pays.
FOREIGN_BASE_PRICE: Final = 4
PIECE_PRICE: Final = 4
HOUSE_PRICE_WITHOUT_WORKERS: Final = 2
CONSTRUCT_SAVES: Final = 1

# The cards of a title in an archive, by kind.
CardKind: TypeAlias = Literal["race", "base", "adviser", "prestige", "goal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What a tile of tier 2 or 3 is made of; the flags are in the order of the inputs."""

    resource: str
    tier: int
    inputs: tuple[str, ...] | None
    flags: tuple[int | None, ...] | None
    shape: Shape | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    race: str
    base: str | None
    forbids: frozenset[str] | None
    worker: Programme | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Adviser:
    card: str
    level: int | None
    category: str | None
    needs: str | None
    points: int | None
    does: Programme | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prestige:
    """A prestige building. `site` is the site it stands on and nowhere else; '' where it has none."""

    card: str
    shape: Shape | None
    colour: str | None
    terrain: str | None
    site: str
    needs: tuple[tuple[str, int | None], ...] | None
    worker: Programme | None

    @property
    def look(self) -> tuple[str, str] | None:
        """Shape and colour, by which two buildings are alike; None where one of them is unknown."""
        return None if self.shape is None or self.colour is None else (self.shape.text, self.colour)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    card: str
    deck: str | None
    points: int | None
    when: Condition | None


class TradePrices(NamedTuple):
    """What a terrain makes a tile of an own base cost, and access to a tile; None where nobody knows."""

    build: int | None
    access: int | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Printed:
    """A component set as the rules read it, for the side that is played. Read once a game, so that it is its own key.

    `trade` is by terrain, `slots` what the four slots cost. `names` are the names of components, by component and
    language; `unsure` the values, by component and name, that are assumed.
    """

    name: str
    board: Board
    trade: Mapping[str, TradePrices]
    slots: tuple[int | None, ...]
    recipes: Mapping[str, Recipe]
    base_forbids: Mapping[str, frozenset[str] | None]
    races: Mapping[str, Race]
    advisers: Mapping[str, Adviser]
    prestige: Mapping[str, Prestige]
    goals: Mapping[str, Goal]
    names: Mapping[tuple[str, str], str]
    unsure: frozenset[tuple[str, str]]
    is_invented: bool
