"""Cards: what the rulebook says of them (S-1, S-8, S-9), and their designs as a component sheet prints them.

Prices, points, symbols, copies, periods and the residence track are printed values and come from the sheet only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias, cast

from spyrium_log.errors import SheetError, Unchecked
from spyrium_log.sheet import Printed as Row
from spyrium_log.sheet import Sheet
from spyrium_log.title import SheetCheck
from spyrium_log.titles.spyrium.messages import phrase

Kind: TypeAlias = Literal["building", "character", "technique"]

PERIODS: Final = ("a", "b", "c")
PERIOD_OF_ROUND: Final = {1: "a", 2: "a", 3: "a", 4: "b", 5: "b", 6: "c"}
DECK_SIZES: Final = {"a": 30, "b": 20, "c": 9}
KIND_SIZES: Final[dict[Kind, int]] = {"building": 35, "character": 17, "technique": 7}
TOKEN_VALUES: Final = (1, 2, 3)
TOKENS_OF_A_VALUE: Final = 8
MOST_WORKERS: Final = 7
BONUS_AT: Final = 8
SECOND_BONUS_AT: Final = 20
ROUNDS: Final = 6
MARKET: Final = 9

EVENTS: Final = ("windfall", "estate", "investment", "exchange", "overtime", "recruitment", "latecomer")
EVENTS_WITH_TOKEN: Final = ("windfall",)
# What each choice costs and gives: investment S-8.3, exchange S-8.4.
INVESTMENT: Final = ((3, 3), (6, 5))
EXCHANGE: Final = ((1, 3), (3, 6))


@dataclass(frozen=True, slots=True)
class Use:
    """One effect of a building: the workers and Spyrium that it takes, and what it gives."""

    workers: int
    spyrium: int
    what: Literal["spyrium", "points"]
    n: int


@dataclass(frozen=True, slots=True)
class Call:
    """A character's effect: the Spyrium that it takes, and what it gives; `n` None where the token decides."""

    spyrium: int = 0
    what: Literal["spyrium", "points"] | None = None
    n: int | None = None
    pays_token: bool = False
    residence: bool = False


USES: Final[dict[str, tuple[Use, ...]]] = {
    "mine-1": (Use(1, 0, "spyrium", 1),),
    "mine-2": (Use(0, 0, "spyrium", 1), Use(1, 0, "spyrium", 2)),
    "mine-3": (Use(0, 0, "spyrium", 1), Use(1, 0, "spyrium", 3)),
    "workshop-1": (Use(1, 1, "points", 3),),
    "workshop-2": (Use(1, 2, "points", 5),),
    "factory-1": (Use(1, 2, "points", 6), Use(2, 3, "points", 10)),
    "factory-2": (Use(2, 3, "points", 10), Use(2, 5, "points", 15)),
    "laboratory-1": (Use(1, 1, "points", 4),),
    "laboratory-2": (Use(1, 1, "points", 5),),
    "laboratory-3": (Use(1, 2, "points", 7),),
    "university-1": (Use(1, 0, "points", 2),),
    "university-2": (Use(1, 0, "points", 3), Use(2, 0, "points", 6)),
}

# What a building gives when it is constructed: new workers, a residence action, or its token's value in a resource.
NEW_WORKERS: Final = {"neighbourhood-1": 1, "neighbourhood-2": 2}
RESIDENCES: Final = ("residence-1", "residence-2")
TOKEN_GIVES: Final[dict[str, Literal["spyrium", "points"]]] = {
    "mine-3": "spyrium",
    "university-1": "points",
    "university-2": "points",
}

CALLS: Final[dict[str, Call]] = {
    "miner": Call(what="spyrium"),
    "geologist": Call(what="spyrium", n=2),
    "apprentice": Call(spyrium=1, what="points", n=3),
    "engineer": Call(spyrium=1, what="points", n=4),
    "bureaucrat": Call(what="points"),
    "adviser": Call(what="points", n=3),
    "banker": Call(what="points", n=4, pays_token=True),
    "financier": Call(what="points", n=5, pays_token=True),
    "architect": Call(pays_token=True, residence=True),
}

TECHNIQUES: Final = ("automation", "capitalization", "engineering", "lobbying", "crane", "taylorism", "commerce")
_NUMBERED = {"mine": 3, "workshop": 2, "factory": 2, "laboratory": 3, "university": 2, "neighbourhood": 2}
BUILDINGS: Final = (
    *(f"{building}-{number}" for building, most in _NUMBERED.items() for number in range(1, most + 1)),
    *RESIDENCES,
    "luxury-home",
    "mansion",
    "palace",
)
CARDS: Final = (*BUILDINGS, *CALLS, *TECHNIQUES)
KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(BUILDINGS, "building"),
    **dict.fromkeys(CALLS, "character"),
    **dict.fromkeys(TECHNIQUES, "technique"),
}
MINES: Final = frozenset(("mine-1", "mine-2", "mine-3"))
UNSEEN: Final = "?"


@dataclass(frozen=True, slots=True)
class Design:
    """One design of card, as the sheet prints it. `assumed` names the values nobody has checked.

    `kin` are the buildings that have a symbol in common with this one, itself included.
    """

    card: str
    kind: Kind
    price: int
    points: int
    symbols: frozenset[str]
    kin: frozenset[str]
    token: bool
    copies: tuple[int, int, int]
    assumed: frozenset[str]

    def list_unchecked(self, *values: str) -> tuple[Unchecked, ...]:
        """Those of these printed values of the card that are assumed."""
        return tuple([Unchecked(self.card, value) for value in values if value in self.assumed])


@dataclass(frozen=True, slots=True)
class Printed:
    """A component sheet as the rules read it.

    `assumed_steps`: the steps of the track, from 1, that nobody checked; `has_assumed`: whether any value was not.
    """

    designs: dict[str, Design]
    track: tuple[int, ...]
    assumed_steps: frozenset[int]
    has_assumed: bool

    def residence(self, step: int) -> int:
        """The number printed on a step of the track; off the track, that of the nearest step."""
        return self.track[min(max(step, 1), len(self.track)) - 1]

    def is_residence_assumed(self, step: int) -> bool:
        """Whether nobody checked the number that `residence` gives for a step."""
        return min(max(step, 1), len(self.track)) in self.assumed_steps


TRACK: Final = "residence-track"


def name_step(step: int) -> str:
    """The name of the number on a step of the track: `space-1`."""
    return f"space-{step}"


# By identity, valid while the sheet is kept here: comparing two sheets takes as long as ten events.
_PRINTED_BY_ID: Final[dict[int, tuple[Sheet, Printed]]] = {}
# Then all are dropped: a process that reads thousands of own sheets must not keep them all.
_MOST_KEPT_SHEETS: Final = 64


def read_printed(sheet: Sheet) -> Printed:
    """The designs and the track of a sheet, kept for the next game with it. SheetError where it lacks a value."""
    known = _PRINTED_BY_ID.get(id(sheet))
    if known is None:
        if len(_PRINTED_BY_ID) >= _MOST_KEPT_SHEETS:
            _PRINTED_BY_ID.clear()
        known = _PRINTED_BY_ID[id(sheet)] = (sheet, _read_printed(sheet))
    return known[1]


@lru_cache(maxsize=64)
def _read_printed(sheet: Sheet) -> Printed:
    """Read the designs and the track, row by row. Cached by value: two equal sheets share one result."""
    rows = sheet.rows_by_key()
    symbols = {card: frozenset(str(_find_row(rows, card, "symbols").value).split("+")) - {""} for card in BUILDINGS}
    designs = {card: _read_design(card, rows, symbols) for card in CARDS}
    track: list[Row] = []
    while (key := (TRACK, name_step(len(track) + 1))) in rows:
        track.append(rows[key])
    if not track:
        raise SheetError("no-component", component=phrase("residence-track"))
    assumed_steps = frozenset(step for step, row in enumerate(track, 1) if row.source == "assumed")
    return Printed(designs, tuple(map(_read_number, track)), assumed_steps, sheet.has_assumed)


def check_sheet(sheet: Sheet) -> SheetCheck:
    """What speaks against a sheet: a value that cannot be read, or decks of other sizes than the rulebook says."""
    try:
        designs = read_printed(sheet).designs.values()
    except SheetError as error:
        return SheetCheck(flaws=(error.message,))
    sizes = {period: sum(design.copies[at] for design in designs) for at, period in enumerate(PERIODS)}
    flaws = [
        phrase("deck-size", period=period, n=DECK_SIZES[period], found=size)
        for period, size in sizes.items()
        if size != DECK_SIZES[period]
    ]
    assumed = sum(row.source == "assumed" for row in sheet.printed)
    return SheetCheck(flaws, (phrase("assumed-values", n=assumed),) if assumed else ())


def _read_design(card: str, rows: dict[tuple[str, str], Row], symbols: dict[str, frozenset[str]]) -> Design:
    """One card as the sheet prints it; `symbols` are those of every building, to find its kin."""
    kind = KINDS[card]
    copies = tuple(_read_number(_find_row(rows, card, f"copies-{period}")) for period in PERIODS)
    own = symbols.get(card, frozenset())
    return Design(
        card=card,
        kind=kind,
        price=_read_number(_find_row(rows, card, "price")),
        points=_read_number(_find_row(rows, card, "points")) if kind == "building" else 0,
        symbols=own,
        kin=frozenset(other for other, its_symbols in symbols.items() if own & its_symbols),
        token=kind != "technique" and _find_row(rows, card, "token").value == "yes",
        copies=cast("tuple[int, int, int]", copies),
        assumed=frozenset(what for (of, what), row in rows.items() if of == card and row.source == "assumed"),
    )


def _find_row(rows: dict[tuple[str, str], Row], of: str, what: str) -> Row:
    """The row of one value of a card; SheetError where the sheet has none."""
    try:
        return rows[of, what]
    except KeyError:
        raise SheetError("no-value", of=of, what=what) from None


def _read_number(row: Row) -> int:
    """The number in a row; SheetError where it holds a text."""
    if not isinstance(row.value, int):
        raise SheetError("no-number", of=row.of, what=row.what, found=str(row.value))
    return row.value
