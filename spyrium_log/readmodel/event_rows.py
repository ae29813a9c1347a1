"""One pass over the events of a replay: what each did, on which table. Pure.

The rows of the large tables are kept as columns: to make an object of every row takes longer than to find out what is
in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, TypeAlias

from msgspec import Struct

from spyrium_log.ledger import Entry
from spyrium_log.log.lines import Amended, Event, EventLine, Undone
from spyrium_log.log.timeline import Edited, insertion_number
from spyrium_log.readmodel.holdings import Credit, Holdings
from spyrium_log.readmodel.tables import Columns, DecisionRow, EventRow, LedgerRow, MarketRow, StandingRow, columns_of
from spyrium_log.replay import Replay, amendment_of, walk_recorded_lines
from spyrium_log.title import AnyTitle, Deed, FinalCount, Offers, Paused, Resynced, Score, seat_of, tag_of

# Sentences of the table `event` are English, whoever reads them.
LANGUAGE = "en"
# What a standing says besides the resources.
SCORE = "score"
Amounts: TypeAlias = dict[tuple[int, str], int]

# The kind of event by verb; any other is a decision.
_KIND_OF_VERB = {"deal": "deal", "final": "final", "state": "statement"}
DECISION = "decision"


class EventWalk:
    """What each standing event did, on the table before it; then what the ledger says of each.

    One after the other: two small loops are quicker than a large one.
    """

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.game = replay.header.game
        self.title: AnyTitle = replay.title
        self.seats = len(replay.header.seats)
        self.state: Any = self.title.copy(replay.snapshots[0])
        self.amounts: Amounts = {
            (has.who, has.what): 0 for has in self.title.held(self.state) if has.who in range(1, self.seats + 1)
        }
        self.turns = [0] * (self.seats + 1)
        self.waits = waiting_times(replay.events)
        # The round of the last event, and the scores after it.
        self.round = 0
        self.scores: Sequence[Score] = ()
        self.act_types = {type(event.do) for event in replay.events}
        self.has_final_count = FinalCount in self.act_types
        # By round: its last step and what everybody held then, and the scores.
        self.amounts_after: dict[int, tuple[int, Amounts]] = {}
        self.scores_after: dict[int, Sequence[Score]] = {}
        # By step: the cards before each seat, where a position was stated.
        self.stated_cards: dict[int, list[list[str]]] = {}
        self.events = Events()
        self.changes = Changes()
        self.decisions = Decisions()
        self.markets = Markets()
        self.holdings = Holdings(replay, self.seats)

    def run(self) -> None:
        """Fill all the lists of rows."""
        self._walk_events()
        self._walk_ledger()

    def _walk_events(self) -> None:
        """Play the events one after the other: what each did, decided and left to choose.

        Members are bound to local names first: this loop takes most of the time of an index.
        """
        replay, title, state, seats = self.replay, self.title, self.state, self.seats
        players, turns = replay.players, self.turns
        deed_of, offers, describe = title.tables.deed, title.tables.offers, title.words.describe
        spell, write = title.words.spell, title.words.write
        awaits, phase, evolve, round_of = title.awaits, title.phase, title.evolve, title.round
        add_event, add_decision = self.events.rows.append, self.decisions.rows.append
        add_market = self.markets.seen.append
        last_round = 0
        for step, (event, waited) in enumerate(zip(replay.events, self.waits, strict=True), 1):
            act, moved, facts = event.do, event.moved, event.facts
            actor = seat_of(act)
            deed = deed_of(state, act)
            kind = _KIND_OF_VERB.get(deed.verb, DECISION)
            sentence = describe(state, act, moved, facts, players, LANGUAGE)
            notation = None
            scores: Sequence[Score] = ()
            if kind == DECISION:
                seat = actor if actor <= seats else 0
                turns[seat] += 1
                awaited = awaits(state)
                is_forced = awaited.kind == "choice"
                add_decision((step, last_round, seat, turns[seat], phase(state, actor), is_forced, waited))
                notation = spell(state, act) if awaited.seats == (actor,) else write(state, act)
                if awaited.kind == DECISION and actor in awaited.seats:
                    add_market((offers(state, actor), event, seat, deed.space))
            elif kind != "statement" or type(act) is Resynced:
                notation = write(state, act)
                scores = title.score(state)
            evolve(state, act, moved, facts)
            now = round_of(state)
            if now != last_round:
                self.scores_after[last_round] = scores or title.score(state)
                last_round = now
            if type(act) is Resynced:
                self.stated_cards[step] = [self._cards_before(seat) for seat in range(1, seats + 1)]
            add_event((event, deed, now, sentence, step, notation, actor or None))
        self.round = last_round
        self.scores = self.scores_after[last_round] = title.score(state)

    def _cards_before(self, seat: int) -> list[str]:
        """The cards before a seat."""
        return [piece.card for piece in self.title.tables.tableau(self.state, seat)]

    def _walk_ledger(self) -> None:
        """Give each event the ledger's entries that are its own; they stand in the order of the events."""
        entries = self.replay.ledger
        index, end = 0, len(entries)
        while index < end and not entries[index].n:
            index += 1
        self._add_changes(0, 0, entries[:index], Deed("state"))
        last_round = step = 0
        for step, (event, deed, now, *_) in enumerate(self.events.rows, 1):
            if now != last_round:
                self.amounts_after[last_round] = step - 1, dict(self.amounts)
                last_round = now
            credits_: Sequence[Credit] = ()
            if index < end and entries[index].n == event.n:
                first, i = index, insertion_number(event)
                while index < end and entries[index].n == event.n and entries[index].i == i:
                    index += 1
                credits_ = self._add_changes(step, now, entries[first:index], deed)
            if credits_ or deed.space or deed.used:
                self.holdings.add(event, deed, step, now, credits_)
            if step in self.stated_cards:
                self.holdings.state(self.stated_cards[step], step, now)
        self.amounts_after[last_round] = step, dict(self.amounts)
        self.holdings.end(self.state, step, has_final_count=self.has_final_count)

    def _add_changes(self, step: int, round_: int, entries: Sequence[Entry], deed: Deed) -> list[Credit]:
        """Add the ledger's entries of one event; returns those that come from a card."""
        amounts, card_of, add = self.amounts, self.title.tables.credited, self.changes.rows.append
        credits_ = []
        for entry in entries:
            who, what, amount, why = entry.who, entry.what, entry.amount, entry.why
            key = who, what
            held = amounts[key] = amounts.get(key, 0) + amount
            card = card_of(deed, why) or None
            if card:
                credits_.append((who, what, amount, why, card))
            add((step, round_, held, card))
        return credits_

    def standings(self) -> Columns:
        """What each seat held, and its score, at the end of each round."""
        rows = [
            (round_, step, seat, what, amount)
            for round_, (step, amounts) in self.amounts_after.items()
            for seat, what, amount in (
                *((seat, what, amount) for (seat, what), amount in amounts.items() if seat),
                *((score.seat, SCORE, score.total) for score in self.scores_after[round_]),
            )
        ]
        rounds, steps, seats, whats, amounts = zip(*rows, strict=True)
        return columns_of(StandingRow, self.game, round=rounds, step=steps, seat=seats, what=whats, amount=amounts)


class Events:
    """The rows of the table `event`."""

    def __init__(self) -> None:
        # Of each event: what was done, the round, the sentence, the step, the notation and who acted.
        self.rows: list[tuple[Event, Deed, int, str, int | None, str | None, int | None]] = []

    def columns(self, game: str) -> Columns:
        if not self.rows:
            return {}
        events, deeds, rounds, sentences, steps, notations, actors = zip(*self.rows, strict=True)
        acts: list[Struct] = [event.do for event in events]
        inserted, amended_by = _numbers_and_amendments(events)
        return columns_of(
            EventRow,
            game,
            n=[event.n for event in events],
            i=inserted,
            amended_by=amended_by,
            stands=[step is not None for step in steps],
            step=steps,
            round=rounds,
            kind=[_KIND_OF_VERB.get(deed.verb, DECISION) for deed in deeds],
            seat=actors,
            verb=[deed.verb for deed in deeds],
            act=[tag_of(type(act)) for act in acts],
            card=[deed.card or None for deed in deeds],
            notation=notations,
            sentence=sentences,
            scribe=[event.by for event in events],
            time=[event.at and _in_utc(event.at) for event in events],
        )


def _numbers_and_amendments(events: Sequence[Event]) -> tuple[Sequence[int], Sequence[int]]:
    """Of each event its number within its line, and the amendment that says it like this; mostly there is none."""
    if Edited not in set(map(type, events)):
        none = (0,) * len(events)
        return none, none
    return [insertion_number(event) for event in events], [amendment_of(event) for event in events]


class Changes:
    """The rows of the table `ledger`: what the entries themselves do not say."""

    def __init__(self) -> None:
        # Of each entry: the step, the round, the amount held after it, and the card that it comes from.
        self.rows: list[tuple[int, int, int, str | None]] = []

    def columns(self, game: str, entries: Sequence[Entry]) -> Columns:
        if not entries:
            return {}
        steps, rounds, held, cards = zip(*self.rows, strict=True)
        return columns_of(
            LedgerRow,
            game,
            n=[entry.n for entry in entries],
            i=[entry.i for entry in entries],
            step=steps,
            round=rounds,
            seat=[entry.who for entry in entries],
            what=[entry.what for entry in entries],
            amount=[entry.amount for entry in entries],
            held=held,
            why=[entry.why for entry in entries],
            number=[entry.number for entry in entries],
            card=cards,
            seen=[entry.seen for entry in entries],
        )


class Decisions:
    """The rows of the table `decision`: what the events themselves do not say."""

    def __init__(self) -> None:
        # Of each decision: the step, the round, the seat and its turn, the phase, whether it was forced, the seconds.
        self.rows: list[tuple[int, int, int, int, str, bool, float | None]] = []

    def columns(self, game: str, all_events: Events) -> Columns:
        if not self.rows:
            return {}
        steps, rounds, seats, turns, phases, forced, seconds = zip(*self.rows, strict=True)
        events, deeds, *_ = zip(*[all_events.rows[step - 1] for step in steps], strict=True)
        inserted, _ = _numbers_and_amendments(events)
        return columns_of(
            DecisionRow,
            game,
            n=[event.n for event in events],
            i=inserted,
            step=steps,
            round=rounds,
            seat=seats,
            turn=turns,
            phase=phases,
            forced=forced,
            verb=[deed.verb for deed in deeds],
            card=[deed.card or None for deed in deeds],
            space=[deed.space or None for deed in deeds],
            seconds=seconds,
        )


class Markets:
    """The rows of the table `offer`: the market before each decision, the event, its seat, the space of its card."""

    def __init__(self) -> None:
        self.seen: list[tuple[Offers, Event, int, int]] = []

    def rows(self, game: str) -> list[MarketRow]:
        """Each market that lay for a while, with the decisions made meanwhile."""
        markets: list[tuple[Offers, list[tuple[Any, ...]]]] = []
        last, decisions = None, list[tuple[Any, ...]]()
        for offers, event, seat, taken in self.seen:
            # Titles hand out the same tuples for the same market; where not, there are more lines and no other rows.
            if last is None or offers.cards is not last.cards or offers.where is not last.where:
                last, decisions = offers, []
                markets.append((offers, decisions))
            decisions.append(
                (event.n, insertion_number(event), seat, taken, offers.reachable, offers.affordable, offers.prices)
            )
        return [MarketRow(game, market.where, market.cards, *zip(*rows, strict=True)) for market, rows in markets]


def add_replaced(replay: Replay, events: Events) -> None:
    """Add the events that were recorded and undone or corrected since, each on the table as it then was."""
    if not any(type(line) is Undone or type(line) is Amended for line in replay.log.lines):
        return
    title = replay.title
    standing = {event.n for event in replay.events if type(event) is not Edited}
    for line, course in walk_recorded_lines(replay):
        if isinstance(line, EventLine) and line.n not in standing:
            before, after = course.state_after(line.n - 1), course.state_after(line.n)
            sentence = title.words.describe(before, line.do, line.moved, line.facts, replay.players, LANGUAGE)
            deed, actor = title.tables.deed(before, line.do), seat_of(line.do) or None
            events.rows.append((line, deed, title.round(after), sentence, None, None, actor))


def waiting_times(events: Sequence[Event]) -> list[float | None]:
    """Seconds from the event before to each event, where both have a time and no pause lies between."""
    none: list[float | None] = [None] * len(events)
    if all(event.at is None for event in events):
        return none
    return none[:1] + [_seconds_between(before, event) for before, event in pairwise(events)]


def _seconds_between(before: Event, event: Event) -> float | None:
    """Seconds between two events; None where a time is missing, in doubt or runs backwards."""
    if (
        before.at is None
        or event.at is None
        or type(before.do) is Paused
        or insertion_number(before)
        or insertion_number(event)
    ):
        return None
    seconds = (event.at - before.at).total_seconds()
    return seconds if seconds >= 0 else None


def _in_utc(at: datetime) -> datetime | None:
    """The time in UTC without its zone, for DuckDB needs another package to read zones. None where it has no year."""
    try:
        return (at if at.tzinfo is UTC else at.astimezone(UTC)).replace(tzinfo=None)
    except OverflowError:
        return None


class Alternative(Struct, frozen=True, kw_only=True):
    """One legal act at one decision that stands: keys and words are those of the tables decision and offer."""

    game: str
    n: int
    i: int
    seat: int
    act: str
    verb: str
    card: str | None
    space: int | None
    notation: str
    chosen: bool


def alternatives(replay: Replay, where: int | str | None = None) -> Iterator[Alternative]:
    """At every decision, or at one event by its name, what the rules allowed whoever was to act."""
    title = replay.title
    state = title.copy(replay.snapshots[0])
    for event in replay.events:
        if where is None or replay.name_of(event) == str(where):
            for act in title.legal(state):
                deed = title.tables.deed(state, act)
                yield Alternative(
                    game=replay.header.game,
                    n=event.n,
                    i=insertion_number(event),
                    seat=act.seat,
                    act=str(type(act).__struct_config__.tag),
                    verb=deed.verb,
                    card=deed.card or None,
                    space=deed.space or None,
                    notation=title.words.write(state, act),
                    chosen=act == event.do,
                )
        title.evolve(state, event.do, event.moved, event.facts)
