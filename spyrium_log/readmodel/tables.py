"""A row of each table in tables.sql as a type: field for column, but for `offer`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from msgspec import Struct


class GameRow(Struct, frozen=True, gc=False, kw_only=True):
    game: str
    title: str
    rules: str
    edition: str | None
    readings: str
    options: dict[str, str]
    sheet: str
    sheet_name: str
    source: str
    seats: int
    first: int | None
    played: str | None
    place: str | None
    rounds: int
    events: int
    lines: int
    seconds: int | None
    verdict: str
    open_findings: int
    assumed_values: int
    unseen_cards: int
    final: bool
    scores_only: bool
    gaps: bool
    rulings: bool
    amended: bool
    grades: list[str]
    file: str
    content: str


class SeatRow(Struct, frozen=True, gc=False, kw_only=True):
    game: str
    seat: int
    player: str
    written: str
    colour: str
    turn: int | None
    points: int | None
    total: int
    place: int
    won: bool | None
    shared: bool
    techniques: int


class EventRow(Struct, frozen=True, gc=False):
    game: str
    n: int
    i: int
    told: int
    stands: bool
    step: int | None
    round: int
    kind: str
    seat: int | None
    verb: str
    act: str
    card: str | None
    notation: str | None
    sentence: str
    scribe: str
    time: datetime | None


class LedgerRow(Struct, frozen=True, gc=False):
    game: str
    n: int
    i: int
    step: int
    round: int
    seat: int
    what: str
    amount: int
    held: int
    why: str
    number: str
    card: str | None
    seen: bool


class DecisionRow(Struct, frozen=True, gc=False):
    game: str
    n: int
    i: int
    step: int
    round: int
    seat: int
    turn: int
    phase: str
    forced: bool
    verb: str
    card: str | None
    space: int | None
    seconds: float | None


class OffersRow(Struct, frozen=True, gc=False):
    """A market, and the decisions that found it so: DuckDB makes rows of the table `offer` of it, quicker than we can.

    `where` and `cards` are the market's, all others have a value for each decision: `taken` is the space that its card
    comes from, `reachable` lists spaces, `affordable` and `prices` say of these what `title.Offers` says.
    """

    game: str
    where: Sequence[int]
    cards: Sequence[str]
    n: Sequence[int]
    i: Sequence[int]
    seat: Sequence[int]
    taken: Sequence[int]
    reachable: Sequence[Sequence[int]]
    affordable: Sequence[Sequence[bool]]
    prices: Sequence[Sequence[int | None]]


class OfferRow(Struct, frozen=True, gc=False):
    """As DuckDB makes it of OffersRow."""

    game: str
    n: int
    i: int
    seat: int
    space: int
    card: str
    reachable: bool
    affordable: bool
    price: int | None
    taken: bool


class StandingRow(Struct, frozen=True, gc=False):
    game: str
    round: int
    step: int
    seat: int
    what: str
    amount: int


class HoldingRow(Struct, frozen=True, gc=False, kw_only=True):
    game: str
    seat: int
    nth: int
    card: str
    kind: str
    n: int | None
    i: int | None
    round: int
    paid: dict[str, int]
    uses: int
    returned: dict[str, int]
    lost: int | None
    final_points: int


class ScorePartRow(Struct, frozen=True, gc=False):
    game: str
    seat: int
    part: str
    points: int


class FindingRow(Struct, frozen=True, gc=False):
    game: str
    n: int
    i: int
    kind: str
    rule: str
    number: str
    expected: str
    found: str
    about: str
    status: str


class NoteRow(Struct, frozen=True, gc=False):
    game: str
    n: int
    i: int
    nth: int
    author: str
    mark: str | None
    tags: Sequence[str]
    text: str
    variation: Sequence[str]
    anchor: str


class SheetValueRow(Struct, frozen=True, gc=False):
    sheet: str
    component: str
    what: str
    value: str
    source: str
    reader: str
    read: str


class CardRow(Struct, frozen=True, gc=False):
    title: str
    card: str
    kind: str
    nth: int
    bit: int | None


# The rows of one game in one of the large tables, as a list of values a column; the game itself is said once.
Columns: TypeAlias = dict[str, Any]


class Rows(Struct, frozen=True, kw_only=True):
    """All rows of one game, by table. Of the large tables as columns: DuckDB makes rows of them again, and quicker."""

    game: Sequence[GameRow]
    seat: Sequence[SeatRow]
    event: Columns
    ledger: Columns
    decision: Columns
    offer: Sequence[OffersRow]
    standing: Columns
    holding: Sequence[HoldingRow]
    score_part: Sequence[ScorePartRow]
    finding: Sequence[FindingRow]
    note: Sequence[NoteRow]


# The tables that have the rows of a game.
TABLES = Rows.__struct_fields__
# Of these the history as recorded is kept, too: where it differs, in a table of its own.
HISTORIES = ("game", "seat", "ledger", "decision", "standing", "holding", "score_part", "finding")
RECORDED: Mapping[str, str] = {table: f"recorded_{table}" for table in HISTORIES}
# Every table that has the rows of a game, in either history.
LOADED = (*TABLES, *RECORDED.values())
# Everything that one can ask, views included.
RELATIONS = (
    *TABLES,
    *(f"{table}_as_recorded" for table in HISTORIES),
    "alias",
    "sheet_value",
    "card",
    "counted",
    "result",
    "scored",
    "held_technique",
    "technique_total",
)


class PositionRow(Struct, frozen=True, gc=False):
    """Where the tables stand with one file."""

    file: str
    content: str
    stamp: str
    refused: int


# The large tables.
LARGE: Mapping[str, type[Struct]] = {
    "event": EventRow,
    "ledger": LedgerRow,
    "decision": DecisionRow,
    "standing": StandingRow,
}
# The tables whose rows come as columns.
COLUMNAR: Mapping[str, type[Struct]] = {
    **LARGE,
    **{RECORDED[table]: row for table, row in LARGE.items() if table in HISTORIES},
}
# What a row of each table that people ask is, as a type.
ROWS: Mapping[str, type[Struct]] = {
    "game": GameRow,
    "seat": SeatRow,
    **LARGE,
    "offer": OfferRow,
    "holding": HoldingRow,
    "score_part": ScorePartRow,
    "finding": FindingRow,
    "note": NoteRow,
    "card": CardRow,
    "sheet_value": SheetValueRow,
}
