"""The tables of an archive: a Struct each.

The docstring of a Struct is the comment on its table; the annotation of a field gives the type of its column and the
comment on it. `definitions.py` makes the SQL. Whoever changes a Struct raises SCHEMA in connections.py: an index of
another number is built anew, never migrated.

Columns have the words of the log, but for a few that SQL reserves or that make joins easier: `who` of a posting is
`seat` in every table and its `n` is `amount`, `by` is `scribe`, `at` is `time`, `where` is `space`.

There are no foreign keys: the rows of a game are replaced in one transaction, and the loader is the only writer. Sums
are as wide as any log can make them: one odd log must not keep all others out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from spyrium_log.audit import Kind
from spyrium_log.log.lines import Source
from spyrium_log.log.notes import Anchor
from spyrium_log.readmodel.aspects import Aspect
from spyrium_log.sheet import Source as ValueSource
from spyrium_log.title import Verb


class Column(NamedTuple):
    """What SQL knows of a column: the comment on it, and its type where that does not follow from the Python type."""

    comment: str
    sql: str = ""
    is_key: bool = False


WIDE = "BIGINT"
WIDE_MAP = "MAP(VARCHAR, BIGINT)"

Verdict: TypeAlias = Literal["clean", "findings", "unusable"]
Grade: TypeAlias = Literal[
    "complete",
    "unfinished",
    "gaps",
    "clean",
    "rulings",
    "findings",
    "unusable",
    "assumed",
    "unseen",
    "scores-only",
    "invented",
]
Reason: TypeAlias = Literal[
    "cannot be read to its end", "invented set", "scores only", "no final count", "open findings", "gaps"
]

EventKind: TypeAlias = Literal["decision", "deal", "final", "statement"]
Status: TypeAlias = Literal["open", "ruled", "accepted"]
Role: TypeAlias = Literal["points", "money"]

# Columns that several tables have.
GameId: TypeAlias = Annotated[str, Column("The game: game.game.")]
Line: TypeAlias = Annotated[int, Column("The event: event.n.")]
Inserted: TypeAlias = Annotated[int, Column("The event: event.i.")]
OwnLine: TypeAlias = Annotated[int, Column("The line of the log: its `n`.")]
OwnInserted: TypeAlias = Annotated[
    int, Column("Which of the events that line n, an amendment, inserted: n.i; 0 for an event with a line of its own.")
]
Whose: TypeAlias = Annotated[int, Column("Whose: seat.seat.")]
CardId: TypeAlias = Annotated[str, Column("The card: card.card.")]


class MetaRow(Struct, frozen=True):
    """One row: what this file is, and which update it stands at."""

    schema: Annotated[int, Column("The number of this set of tables.")]
    written_by: Annotated[str, Column("The version of spyrium-log that wrote the file; its rules audited the games.")]
    stamp: Annotated[str, Column("Another one after each update.")]


class PositionRow(Struct, frozen=True, gc=False):
    """One row a file of the archive that games were read from: where the tables stand. For the loader only."""

    file: Annotated[str, Column("The name of the file: game.file.")]
    content: Annotated[str, Column("SHA-256 of its bytes when it was read.")]
    stamp: Annotated[str, Column("What the disk said of it then; empty where that proves nothing.")]
    refused: Annotated[int, Column("How many games of it are in no table; while there are any, it is read again.")]


class AliasRow(Struct, frozen=True):
    """One row a spelling in players.toml: who is who. seat.player follows it."""

    spelling: Annotated[str, Column("The spelling, in small letters and with single spaces.")]
    player: Annotated[str, Column("The person: seat.player.")]


class GameRow(Struct, frozen=True, gc=False, kw_only=True):
    """One row a game: a log whose header can be read. Of two logs of one game the first by name."""

    game: Annotated[str, Column("The id of the game, from the header.", is_key=True)]
    title: Annotated[str, Column("Which title was played, by its key.")]
    rules: Annotated[str, Column("The version of the rules that the game was recorded under.")]
    edition: Annotated[str | None, Column("The edition that the options were chosen by; NULL where none was named.")]
    readings: Annotated[str, Column("The options that are not the usual ones: name=value name=value.")]
    options: Annotated[dict[str, str], Column("All readings of the rules, by name: options['NAME'].")]
    sheet: Annotated[str, Column("The digest of the sheet, with what was read off components: sheet_value.sheet.")]
    sheet_name: Annotated[str, Column("The name of the sheet.")]
    source: Annotated[Source, Column("Where the log comes from; scoresheet with events = 0: scores only.")]
    seats: Annotated[int, Column("The number of seats.")]
    first: Annotated[int | None, Column("The seat that began; NULL where an old score sheet does not say.")]
    played: Annotated[str | None, Column("When it was played, as the header says it; NULL where it does not say.")]
    place: Annotated[str | None, Column("Where it was played; NULL where the header does not say.")]
    rounds: Annotated[int, Column("The round of the last event.")]
    events: Annotated[int, Column("The number of events on the timeline.")]
    lines: Annotated[int, Column("The number of readable lines, the header and undone and corrected lines included.")]
    seconds: Annotated[int | None, Column("Duration less pauses; NULL where fewer than two events have a time.", WIDE)]
    verdict: Annotated[Verdict, Column("clean, findings (open ones), or unusable (not readable to its end).")]
    open_findings: Annotated[int, Column("The number of findings on the record not ruled on or accepted.", WIDE)]
    assumed_values: Annotated[int, Column("The number of assumed printed values that had a say in this game.")]
    invented: Annotated[bool, Column("The sheet has invented values: it is none of the printed game.")]
    unseen_cards: Annotated[int, Column("The number of dealt cards that nobody had time to look at.")]
    final: Annotated[bool, Column("The final count stands on the timeline: the scores are final.")]
    scores_only: Annotated[bool, Column("An old score sheet: it counts for scores and nothing else.")]
    gaps: Annotated[bool, Column("Moves were missed: a position was stated in the middle.")]
    rulings: Annotated[bool, Column("A person ruled something: a finding ruled or accepted, a number adjusted.")]
    amended: Annotated[bool, Column("An amendment changes what stands: game_as_recorded has another row.")]
    grades: Annotated[list[Grade], Column("All of it in words: list_contains(grades, 'complete').")]
    touched: Annotated[
        list[Aspect],
        Column("What the open findings speak against; for a report that rests on nothing of it, the game counts."),
    ]
    reason: Annotated[Reason | None, Column("Why it does not count for a report; NULL where it does.", "VARCHAR")]
    counts_for: Annotated[
        int, Column("The reports that it counts for, as bits: does_count(counts_for, 'clean', 'cards').", WIDE)
    ]
    file: Annotated[str, Column("The name of the log, or of the pack that it is in.")]
    content: Annotated[
        str, Column("SHA-256 of the log that these rows were made from; with notes, a colon and theirs.")
    ]


class SeatRow(Struct, frozen=True, gc=False, kw_only=True):
    """One row a seat of a game: who played there and how it ended.

    What reports choose games by is repeated here, so that a question about scores needs no join.
    """

    game: Annotated[str, Column("The game: game.game.", is_key=True)]
    seat: Annotated[int, Column("The seat, from 1: `who` of a posting.", is_key=True)]
    players: Annotated[int, Column("The number of players: game.seats.")]
    game_title: Annotated[str, Column("game.title.")]
    game_played: Annotated[str | None, Column("game.played.")]
    game_source: Annotated[Source, Column("game.source.")]
    game_grades: Annotated[list[Grade], Column("game.grades.")]
    game_reason: Annotated[Reason | None, Column("game.reason: NULL where it counts for a report.", "VARCHAR")]
    game_counts_for: Annotated[int, Column("game.counts_for.", WIDE)]
    player: Annotated[str, Column("The person that seat.written means by alias, else seat.written itself.")]
    written: Annotated[str, Column("The name as the log has it: of the header or its last correction.")]
    colour: Annotated[str, Column("The colour that the seat chose in the game, or has by the header.")]
    turn: Annotated[int | None, Column("The place in the order of the first round: 1 is game.first; NULL like that.")]
    points: Annotated[int | None, Column("Points on the board after the last event; NULL on an old score sheet.", WIDE)]
    total: Annotated[
        int,
        Column("The result as declared; else points and what the final count would add; final where game.final.", WIDE),
    ]
    folded: Annotated[
        int | None, Column("What the log adds up to, where the table declared another result; else NULL.", WIDE)
    ]
    assumed: Annotated[bool, Column("Some of the total rests on printed values that nobody has checked.")]
    place: Annotated[int, Column("The place that the total gives; ties share one.")]
    won: Annotated[bool | None, Column("Won, after the final count or on a score sheet; NULL where nobody counted.")]
    shared: Annotated[bool, Column("Another seat has the same place.")]
    kept: Annotated[int, Column("The cards at the end, as the sum of their bits: kept & card.bit != 0.", WIDE)]


class EventRow(Struct, frozen=True, gc=False):
    """One row an event, in both histories: what stands now (stands), and what was recorded and stands no more."""

    game: GameId
    n: OwnLine
    i: OwnInserted
    amended_by: Annotated[int, Column("The line of the amendment that says it like this; 0 where it is as recorded.")]
    stands: Annotated[bool, Column("It is on the timeline, and not undone, dropped, or corrected in another row.")]
    step: Annotated[int | None, Column("Its place on the timeline, from 1; NULL where it does not stand.")]
    round: Annotated[int, Column("The round that it is in, a deal in the one that it opens; 0 before the first.")]
    kind: Annotated[EventKind, Column("decision, deal, final (the final count) or statement.")]
    seat: Annotated[int | None, Column("Who acts: seat.seat; NULL where nobody does, or a seat that does not exist.")]
    verb: Annotated[Verb, Column("What it is called in all titles.")]
    act: Annotated[str, Column("What the title calls it: place_worker.")]
    card: Annotated[str | None, Column("The card that it is about: card.card; NULL where it is about none.")]
    notation: Annotated[str | None, Column("The act in notation; NULL for a statement, and where it does not stand.")]
    sentence: Annotated[str, Column("The event as one English sentence, with everything that moved.")]
    scribe: Annotated[str, Column("Who recorded it: `by`.")]
    time: Annotated[datetime | None, Column("When it was recorded, in UTC: `at`; NULL where the log does not say.")]


class LedgerRow(Struct, frozen=True, gc=False):
    """One row a change: what moved for whom, why, in which line.

    Its sums are what everybody holds. None of an old score sheet.
    """

    game: GameId
    n: Annotated[int, Column("The line of the log: its `n`; 0 is the header, what a seat starts with.")]
    i: OwnInserted
    step: Annotated[int, Column("event.step; 0 for the start.")]
    round: Annotated[int, Column("event.round.")]
    seat: Annotated[int, Column("Whose: seat.seat; 0 where the posting names a seat that does not exist.")]
    what: Annotated[str, Column("The resource: resource.what.")]
    amount: Annotated[int, Column("How much more; negative: less. `n` of the posting.", WIDE)]
    held: Annotated[int, Column("How much the seat has after this change: the sum of all amounts up to here.", WIDE)]
    why: Annotated[str, Column("The cause, from the closed list of the title.")]
    number: Annotated[str, Column("The rule that the cause stands in, as the rulebook numbers it.")]
    card: Annotated[str | None, Column("The card that it comes from: card.card; NULL where of none, or of several.")]
    seen: Annotated[bool, Column("A person said that it went this way, whatever the rules give.")]
    assumed: Annotated[bool, Column("The rules took it from a printed value that nobody has checked: ~ on screens.")]


class DecisionRow(Struct, frozen=True, gc=False):
    """One row a decision that stands: who chose what, and in which phase."""

    game: GameId
    n: Line
    i: Inserted
    step: Annotated[int, Column("event.step.")]
    round: Annotated[int, Column("event.round.")]
    seat: Annotated[int, Column("Who chose: seat.seat; 0 where the log names no seat, or one that does not exist.")]
    turn: Annotated[int, Column("Ordinal of the decision among this seat's, from 1.")]
    phase: Annotated[str, Column("The phase that the seat was in before it, as the title calls it.")]
    forced: Annotated[bool, Column("A choice that a rule asked for before the next turn, such as a bonus.")]
    verb: Annotated[Verb, Column("event.verb.")]
    card: Annotated[str | None, Column("event.card.")]
    space: Annotated[int | None, Column("The space of the market that its card comes from: offer.space.")]
    seconds: Annotated[float | None, Column("Seconds after the event before; NULL where not known, or after a pause.")]


class OfferRow(Struct, frozen=True, gc=False):
    """One row a card of the market at each decision of whoever was to decide, forced ones apart.

    That is the denominator of a take rate.
    """

    game: GameId
    n: Annotated[int, Column("The decision: decision.n.")]
    i: Annotated[int, Column("The decision: decision.i.")]
    seat: Annotated[int, Column("Whose decision: seat.seat.")]
    space: Annotated[int, Column("Where in the market it lies: `where` of the offer.")]
    card: CardId
    reachable: Annotated[bool, Column("The seat is placed so that it could take the card.")]
    affordable: Annotated[bool, Column("To take it now is legal.")]
    price: Annotated[int | None, Column("The least it costs now, no saving used; NULL where it cannot be paid.")]
    taken: Annotated[bool, Column("The decision took it.")]


class MarketRow(Struct, frozen=True, gc=False):
    """A market and the decisions made while it lay so: DuckDB makes rows of `offer` of it, quicker than Python can.

    `where` and `cards` are the market's; the others have a value for each decision. `taken` is the space that its card
    comes from, `reachable` lists spaces, `affordable` and `prices` are about these, as in `title.Offers`.
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


class StandingRow(Struct, frozen=True, gc=False):
    """What everybody holds after each round: one row a seat and resource.

    None of an old score sheet. After each event: ledger.held, or standing_after(game).
    """

    game: GameId
    round: Annotated[int, Column("After which round; 0 is the start. The last one includes the final count.")]
    step: Annotated[int, Column("The last event of the round: event.step.")]
    seat: Whose
    what: Annotated[str, Column("The resource; `score`: points and what a final count would add now.")]
    amount: Annotated[int, Column("How much of it.", WIDE)]


class HoldingRow(Struct, frozen=True, gc=False):
    """One row a card that a seat took and that stays before it: when, for what, and what came of it."""

    game: GameId
    seat: Whose
    nth: Annotated[int, Column("Ordinal of the card among this seat's, from 1.")]
    card: CardId
    kind: Annotated[str, Column("card.kind.")]
    n: Annotated[int | None, Column("The event that brought it: event.n; NULL where only a stated position shows it.")]
    i: Annotated[int | None, Column("The event that brought it: event.i.")]
    round: Annotated[int, Column("In which round.")]
    paid: Annotated[dict[str, int], Column("What was paid for it, less savings: paid['money'].", WIDE_MAP)]
    uses: Annotated[int, Column("How often it was used.")]
    returned: Annotated[dict[str, int], Column("What it brought before the final count, less its uses.", WIDE_MAP)]
    lost: Annotated[int | None, Column("The step at which another card replaced it; NULL where it stayed to the end.")]
    final_points: Annotated[int, Column("What the final count gives for it, or would give now.", WIDE)]


class ScorePartRow(Struct, frozen=True, gc=False):
    """Where the points of each seat came from, by cause; they sum to seat.total."""

    game: GameId
    seat: Whose
    part: Annotated[str, Column("The cause: ledger.why; `final:...` is of the final count, or would be.")]
    points: Annotated[int, Column("How many points.", WIDE)]
    assumed: Annotated[int, Column("How many of them rest on printed values that nobody has checked.", WIDE)]


class FindingRow(Struct, frozen=True, gc=False):
    """One row a finding of the audit."""

    game: GameId
    n: Annotated[int, Column("The line that it is about: event.n, or a line off the timeline.")]
    i: Inserted
    kind: Annotated[Kind, Column("What sort of finding.")]
    rule: Annotated[str, Column("The rule, by its id: market.gap.")]
    number: Annotated[str, Column("The rule, as the rulebook numbers it; empty where it is of no rulebook.")]
    expected: Annotated[str, Column("What was expected.")]
    found: Annotated[str, Column("What was found.")]
    about: Annotated[Literal["record", "sheet"], Column("On the record, or on the sheet: `on`.")]
    status: Annotated[Status, Column("open, ruled (the event says so itself) or accepted.")]


class NoteRow(Struct, frozen=True, gc=False):
    """One row a note that stands on a game."""

    game: GameId
    n: Annotated[int, Column("The line or event that it is on: event.n; 0 is the game as a whole.")]
    i: Inserted
    nth: Annotated[int, Column("Ordinal of the note among the game's, from 1.")]
    author: Annotated[str, Column("Who wrote it first.")]
    mark: Annotated[str | None, Column("!!, !, !?, ?!, ? or ??; NULL for none.")]
    tags: Annotated[Sequence[str], Column("Its tags: list_contains(tags, 'opening').")]
    text: Annotated[str, Column("The text.")]
    variation: Annotated[Sequence[str], Column("What could have been played instead, as notation.")]
    anchor: Annotated[Anchor, Column("Whether what it is on is unchanged since it was written.")]


class SheetValueRow(Struct, frozen=True, gc=False):
    """One row a printed value of each sheet that some game was played with."""

    sheet: Annotated[str, Column("The digest of the sheet: game.sheet.")]
    component: Annotated[str, Column("Of which component, for cards card.card: `of`.")]
    what: Annotated[str, Column("Which value: price, points, ...")]
    value: Annotated[str, Column("What is printed; value::INTEGER where it is a number.")]
    source: Annotated[ValueSource, Column("Who vouches for it.")]
    reader: Annotated[str, Column("Who read it off the component; empty where nobody did.")]
    read: Annotated[str, Column("When it was read; empty where nobody said.")]


class CardRow(Struct, frozen=True, gc=False):
    """One row a card of each title."""

    title: Annotated[str, Column("The title: game.title.", is_key=True)]
    card: Annotated[str, Column("The card, by its id.", is_key=True)]
    kind: Annotated[str, Column("Its kind, as the title calls it.")]
    nth: Annotated[int, Column("Its place among those of its kind, from 1.")]
    bit: Annotated[int | None, Column("What it adds to seat.kept; NULL where that does not count it.", WIDE)]


class ResourceRow(Struct, frozen=True, gc=False):
    """One row a resource of each title."""

    title: Annotated[str, Column("The title: game.title.", is_key=True)]
    what: Annotated[str, Column("The resource: ledger.what, standing.what.", is_key=True)]
    role: Annotated[Role | None, Column("points: the score is counted in it; money: prices are paid in it.")]


# The rows of one game in one of the large tables: for each column the list of its values, the game once.
Columns: TypeAlias = dict[str, Any]


class Rows(Struct, frozen=True, kw_only=True):
    """All rows of one game, by table."""

    game: Sequence[GameRow]
    seat: Sequence[SeatRow]
    event: Columns
    ledger: Columns
    decision: Columns
    offer: Sequence[MarketRow]
    standing: Columns
    holding: Sequence[HoldingRow]
    score_part: Sequence[ScorePartRow]
    finding: Sequence[FindingRow]
    note: Sequence[NoteRow]


# The tables with rows of games.
OF_GAMES: Mapping[str, type[Struct]] = {
    "game": GameRow,
    "seat": SeatRow,
    "event": EventRow,
    "ledger": LedgerRow,
    "decision": DecisionRow,
    "offer": OfferRow,
    "standing": StandingRow,
    "holding": HoldingRow,
    "score_part": ScorePartRow,
    "finding": FindingRow,
    "note": NoteRow,
}
# The tables that people query, by name.
ROWS: Mapping[str, type[Struct]] = {**OF_GAMES, "sheet_value": SheetValueRow, "card": CardRow, "resource": ResourceRow}
# Of these tables the history as it was recorded is kept too, in a table of its own for the games where it differs.
HISTORIES = ("game", "seat", "ledger", "decision", "standing", "holding", "score_part", "finding")
RECORDED: Mapping[str, str] = {table: f"recorded_{table}" for table in HISTORIES}
# Every table in the file, and its rows.
TABLES: Mapping[str, type[Struct]] = {
    "meta": MetaRow,
    "position": PositionRow,
    "alias": AliasRow,
    **ROWS,
    **{recorded: OF_GAMES[table] for table, recorded in RECORDED.items()},
}
# Every table with rows of games, in either history.
LOADED = (*OF_GAMES, *RECORDED.values())
# The tables whose rows come as columns, for they are the largest.
LARGE = ("event", "ledger", "decision", "standing")
COLUMNAR = frozenset((*LARGE, *(RECORDED[table] for table in LARGE if table in RECORDED)))
VIEWS = ("repeated", "scored", "result", "held", "taken")
# What a person may have meant by the name of a table.
RELATIONS = (*ROWS, "alias", *(f"{table}_as_recorded" for table in HISTORIES), *VIEWS)


def columns_of(kind: type[Struct], game: str, /, **columns: Sequence[Any]) -> Columns:
    """The rows of a game as columns, in the order of the table; TypeError unless they are exactly the table's."""
    names = kind.__struct_fields__[1:]
    if columns.keys() != set(names):
        raise TypeError(f"expected the columns {names}, found {(*columns,)}")
    return {"game": game, **{name: columns[name] for name in names}}
