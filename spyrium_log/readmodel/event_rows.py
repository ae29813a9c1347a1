"""One pass over the events of a game, with its audit: what each did, on which table. Pure.

The rows of the large tables are kept as columns: to make an object of every row takes longer than to find out what is
in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, TypeAlias

from msgspec import Struct

from spyrium_log.folding import NONE, describe_event
from spyrium_log.ledger import Entry
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Amended, Event, EventLine, Undone
from spyrium_log.log.timeline import Edited, insertion_number, insertion_numbers
from spyrium_log.readmodel.holdings import Credit, Holdings
from spyrium_log.readmodel.tables import Columns, DecisionRow, EventRow, LedgerRow, MarketRow, StandingRow, columns_of
from spyrium_log.replay import Replay, amendment_of, replay, walk_recorded_lines
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
    """What each standing event did, on the table before it, and what the ledger says of each."""

    def __init__(self, game: Replay, state: Any) -> None:
        """No event yet: `follow` collects what each table needs of them while the game is folded into `state`."""
        self.replay = game
        self.game = game.header.game
        self.title: AnyTitle = game.title
        self.seats = len(game.header.seats)
        self.state = state
        self.amounts: Amounts = {
            (has.who, has.what): 0 for has in self.title.held(self.state) if has.who in range(1, self.seats + 1)
        }
        self.turns = [0] * (self.seats + 1)
        self.waits = waiting_times(game.events)
        # The round of the last event, and the scores after it.
        self.round = 0
        self.scores: Sequence[Score] = ()
        self.act_types = {type(event.do) for event in game.events}
        self.has_final_count = FinalCount in self.act_types
        # By round: its last step and what everybody held then, and the scores.
        self.amounts_after: dict[int, tuple[int, Amounts]] = {}
        self.scores_after: dict[int, Sequence[Score]] = {}
        # By step: the cards before each seat, where a position was stated.
        self.stated_cards: dict[int, list[list[str]]] = {}
        # Of each event: what was done, the round, the sentence, the step, the notation and who acted.
        self.events: list[tuple[Event, Deed, int, str, int | None, str | None, int | None]] = []
        # Of each entry of the ledger: the step, the round, the amount held after it, and the card that it comes from.
        self.changes: list[tuple[int, int, int, str | None]] = []
        # Of each decision: the step, the round, the seat and its turn, the phase, whether it was forced, the seconds.
        self.decisions: list[tuple[int, int, int, int, str, bool, float | None]] = []
        # The market before each decision, the event, its seat, the space of its card.
        self.markets: list[tuple[Offers, Event, int, int]] = []
        self.holdings = Holdings(game, self.seats)

    def follow(self) -> Iterator[None]:
        """Fill `events`, `decisions`, `markets`, `scores_after` and `stated_cards`, a step before each event.

        A row describes the table before its event; round and scores are those after it. What is called for each event
        is bound to a local name first, for this loop takes most of the time of an index.
        """
        game, title, state, seats = self.replay, self.title, self.state, self.seats
        players, turns = game.players, self.turns
        deed_of, offers, describe = title.tables.deed, title.tables.offers, title.words.describe
        spell, write = title.words.spell, title.words.write
        awaits, phase, round_of = title.awaits, title.phase, title.round
        add_event, add_decision = self.events.append, self.decisions.append
        add_market = self.markets.append
        last_round = 0
        list_assumed, assumed = title.assumed, {}
        for step, (event, waited) in enumerate(zip(game.events, self.waits, strict=True), 1):
            act, moved, facts = event.do, event.moved, event.facts
            keys = list_assumed(state, act) if moved else NONE
            if keys:
                assumed[step - 1] = keys
            actor = seat_of(act)
            deed = deed_of(state, act)
            kind = _KIND_OF_VERB.get(deed.verb, DECISION)
            sentence = describe(state, act, moved, facts, players, LANGUAGE, keys)
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
            # the fold plays the event
            yield
            now = round_of(state)
            if now != last_round:
                self.scores_after[last_round] = scores or title.score(state)
                last_round = now
            if type(act) is Resynced:
                tableau = title.tables.tableau
                self.stated_cards[step] = [
                    [piece.card for piece in tableau(state, seat)] for seat in range(1, seats + 1)
                ]
            add_event((event, deed, now, sentence, step, notation, actor or None))
        # the ledger would play all of it once more for them
        game.assumed_keys = assumed
        self.round = last_round
        self.scores = self.scores_after[last_round] = title.score(state)
        # one after the other: two small loops are quicker than a large one
        self._walk_ledger()

    def _walk_ledger(self) -> None:
        """Give each event the ledger's entries that are its own; they stand in the order of the events."""
        entries = self.replay.ledger
        index, end = 0, len(entries)
        # the entries of line 0, the header: what everybody starts with
        while index < end and not entries[index].n:
            index += 1
        self._add_changes(0, 0, entries[:index], Deed("state"))
        last_round = step = 0
        for step, (event, deed, now, _, _, _, _) in enumerate(self.events, 1):
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
                for seat, cards in enumerate(self.stated_cards[step], 1):
                    self.holdings.match_cards(seat, cards, step, now)
        self.amounts_after[last_round] = step, dict(self.amounts)
        self.holdings.set_final_points(self.state, step, has_final_count=self.has_final_count)

    def _add_changes(self, step: int, round_: int, entries: Sequence[Entry], deed: Deed) -> list[Credit]:
        """Add the ledger's entries of one event; returns those that come from a card."""
        amounts, card_of, add = self.amounts, self.title.tables.credited, self.changes.append
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

    def event_columns(self) -> Columns:
        """The rows of the table `event`."""
        if not self.events:
            return {}
        events, deeds, rounds, sentences, steps, notations, actors = zip(*self.events, strict=True)
        acts: list[Struct] = [event.do for event in events]
        inserted, amended_by = _numbers_and_amendments(events)
        return columns_of(
            EventRow,
            self.game,
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
            time=[event.at and _to_utc(event.at) for event in events],
        )

    def ledger_columns(self) -> Columns:
        """The rows of the table `ledger`."""
        if not self.changes:
            return {}
        entries = self.replay.ledger
        steps, rounds, held, cards = zip(*self.changes, strict=True)
        return columns_of(
            LedgerRow,
            self.game,
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
            assumed=[entry.assumed for entry in entries],
        )

    def decision_columns(self) -> Columns:
        """The rows of the table `decision`."""
        if not self.decisions:
            return {}
        own = dict(zip(_COLUMNS_OF_DECISION, zip(*self.decisions, strict=True), strict=True))
        # Steps count from 1.
        events, deeds, *_ = zip(*[self.events[step - 1] for step in own["step"]], strict=True)
        inserted, _ = _numbers_and_amendments(events)
        return columns_of(
            DecisionRow,
            self.game,
            n=[event.n for event in events],
            i=inserted,
            verb=[deed.verb for deed in deeds],
            card=[deed.card or None for deed in deeds],
            space=[deed.space or None for deed in deeds],
            **own,
        )

    def market_rows(self) -> list[MarketRow]:
        """Each market that lay for a while, with the decisions made meanwhile: the rows of the table `offer`."""
        markets: list[tuple[Offers, list[tuple[Any, ...]]]] = []
        last, decisions = None, list[tuple[Any, ...]]()
        for offers, event, seat, taken in self.markets:
            # Titles hand out the same tuples for the same market; where not, there are more lines and no other rows.
            if last is None or offers.cards is not last.cards or offers.where is not last.where:
                last, decisions = offers, []
                markets.append((offers, decisions))
            i = insertion_number(event)
            decisions.append((event.n, i, seat, taken, offers.reachable, offers.affordable, offers.prices))
        # of each market its cards, then a list for each field of a decision
        return [MarketRow(self.game, one.where, one.cards, *zip(*made, strict=True)) for one, made in markets]

    def standing_columns(self) -> Columns:
        """What each seat held, and its score, at the end of each round: the rows of the table `standing`."""
        rows: list[tuple[int, int, int, str, int]] = []
        for round_, (step, amounts) in self.amounts_after.items():
            # seat 0 is none, for a log may name a seat that does not exist
            rows += [(round_, step, seat, what, amount) for (seat, what), amount in amounts.items() if seat]
            rows += [(round_, step, score.seat, SCORE, score.total) for score in self.scores_after[round_]]
        # all but the game
        names = StandingRow.__struct_fields__[1:]
        return columns_of(StandingRow, self.game, **dict(zip(names, zip(*rows, strict=True), strict=True)))


_COLUMNS_OF_DECISION = ("step", "round", "seat", "turn", "phase", "forced", "seconds")


def _numbers_and_amendments(events: Sequence[Event]) -> tuple[Sequence[int], Sequence[int]]:
    """Two columns of a table of events: `i`, and `amended_by`; both 0 for all in a game that nobody amended."""
    inserted = insertion_numbers(events)
    if Edited not in map(type, events):
        return inserted, inserted
    return inserted, [amendment_of(event) for event in events]


def walk_events(log: Log, *, amended: bool = True) -> EventWalk:
    """Audit a log and walk through its events, both in one pass; not `amended`: as it was recorded."""
    walks = []

    def follow(game: Replay, state: Any) -> Iterator[None]:
        walks.append(EventWalk(game, state))
        return walks[0].follow()

    replay(log, amended=amended, companion=follow)
    add_replaced_events(walks[0])
    return walks[0]


def add_replaced_events(walk: EventWalk) -> None:
    """Add the events that were recorded and undone or corrected since, each on the table as it then was."""
    game, title = walk.replay, walk.title
    if not {Undone, Amended} & set(map(type, game.log.lines)):
        return
    standing = {event.n for event in game.events if type(event) is not Edited}
    for line, course in walk_recorded_lines(game):
        if isinstance(line, EventLine) and line.n not in standing:
            before, after = course.state_after(line.n - 1), course.state_after(line.n)
            sentence = describe_event(title, before, line.do, line.moved, line.facts, game.players, LANGUAGE)
            deed, actor = title.tables.deed(before, line.do), seat_of(line.do) or None
            walk.events.append((line, deed, title.round(after), sentence, None, None, actor))


def waiting_times(events: Sequence[Event]) -> list[float | None]:
    """Seconds from the event before to each event, where both have a time and no pause lies between."""
    if not [event for event in events if event.at is not None]:
        return [None] * len(events)
    return [None, *(_seconds_between(before, event) for before, event in pairwise(events))]


def _seconds_between(before: Event, event: Event) -> float | None:
    """Seconds between two events; None after a pause, of inserted ones, where times are missing or run backwards."""
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


def _to_utc(at: datetime) -> datetime | None:
    """The time in UTC without its zone, for DuckDB needs another package to read zones; None before year 1."""
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


def alternatives(game: Replay, where: int | str | None = None) -> Iterator[Alternative]:
    """At every decision, or at the one event named `where`, each act that the rules allowed whoever was to act."""
    title = game.title
    state = title.copy(game.snapshots[0])
    for event in game.events:
        if where is None or game.name_of(event) == str(where):
            for act in title.legal(state):
                deed = title.tables.deed(state, act)
                yield Alternative(
                    game=game.header.game,
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
