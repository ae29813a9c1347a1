"""One pass over the events of a replay: what each did, on which table. Pure.

What becomes rows of the large tables is kept column by column, under the names of tables.sql: to make an object of
every row takes longer than to find out what it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, TypeAlias

from msgspec import Struct

from spyrium_log.ledger import Entry
from spyrium_log.log.lines import Amended, Event, EventLine, Undone
from spyrium_log.log.timeline import Edited, i_of
from spyrium_log.readmodel.holdings import Credit, Holdings
from spyrium_log.readmodel.tables import Columns, OffersRow
from spyrium_log.replay import Replay, told_by, written
from spyrium_log.title import AnyTitle, Deed, FinalCount, Offers, Paused, Resynced, Score, tag_of

LANGUAGE = "en"
# What a standing says besides the resources.
SCORE = "score"
Held: TypeAlias = dict[tuple[int, str], int]

# What kind of event a verb is; any other is a decision.
_KINDS = {"deal": "deal", "final": "final", "state": "statement"}
DECISION = "decision"


class Telling:
    """What each event that stands did, on the table before it; then what the ledger says of each.

    One after the other, for two small loops are quicker than a large one.
    """

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.game = replay.header.game
        self.title: AnyTitle = replay.title
        self.seats = len(replay.header.seats)
        self.state: Any = self.title.copy(replay.snapshots[0])
        self.held: Held = {
            (has.who, has.what): 0 for has in self.title.held(self.state) if has.who in range(1, self.seats + 1)
        }
        self.turns = [0] * (self.seats + 1)
        self.waits = waits(replay.events)
        # Which round the last event stands in, and the scores after it.
        self.round = 0
        self.scores: Sequence[Score] = ()
        # Whether the final count stands.
        self.counted = any(type(event.do) is FinalCount for event in replay.events)
        self.closed: dict[int, tuple[int, Held]] = {}
        self.scored: dict[int, Sequence[Score]] = {}
        self.laid: dict[int, list[list[str]]] = {}
        self.events = Events()
        self.changes = Changes()
        self.decisions = Decisions()
        self.offers = Markets()
        self.holdings = Holdings(self.title, self.seats)

    def tell(self) -> None:
        self._go_over_tables()
        self._go_over_ledger()

    def _go_over_tables(self) -> None:
        replay, title, state = self.replay, self.title, self.state
        players, seats, turns = replay.players, self.seats, self.turns
        deed_of, describe, spell, write = title.tables.deed, title.words.describe, title.words.spell, title.words.write
        awaits, phase, offers, evolve, round_of = (
            title.awaits,
            title.phase,
            title.tables.offers,
            title.evolve,
            title.round,
        )
        add, decided, offered = self.events.rows.append, self.decisions.rows.append, self.offers.found.append
        before = 0
        for step, (event, waited) in enumerate(zip(replay.events, self.waits, strict=True), 1):
            act, moved, facts = event.do, event.moved, event.facts
            deed = deed_of(state, act)
            kind = _KINDS.get(deed.verb, DECISION)
            sentence = describe(state, act, moved, facts, players, LANGUAGE)
            notation = None
            scores: Sequence[Score] = ()
            if kind == DECISION:
                said: int = act.seat
                seat = said if said <= seats else 0
                turns[seat] += 1
                awaited = awaits(state)
                decided((step, before, seat, turns[seat], phase(state, said), awaited.kind == "choice", waited))
                if awaited.seat == said:
                    notation = spell(state, act)
                    if awaited.kind == "decision":
                        offered((offers(state, said), event, seat, deed.space))
                else:
                    notation = write(state, act)
            elif kind != "statement" or type(act) is Resynced:
                notation = write(state, act)
                scores = title.score(state)
            evolve(state, act, moved, facts)
            now = round_of(state)
            if now != before:
                self.scored[before] = scores or title.score(state)
                before = now
            if type(act) is Resynced:
                self.laid[step] = [self._tableau(seat) for seat in range(1, seats + 1)]
            add((event, deed, now, sentence, step, notation))
        self.round = before
        self.scores = self.scored[before] = title.score(state)

    def _tableau(self, seat: int) -> list[str]:
        return [piece.card for piece in self.title.tables.tableau(self.state, seat)]

    def _go_over_ledger(self) -> None:
        entries = self.replay.ledger
        at, most = 0, len(entries)
        while at < most and not entries[at].n:
            at += 1
        self._post(0, 0, entries[:at], Deed("state"))
        round_ = step = 0
        for step, (event, deed, now, _, _, _) in enumerate(self.events.rows, 1):
            if now != round_:
                self.closed[round_] = step - 1, dict(self.held)
                round_ = now
            credited: Sequence[Credit] = ()
            if at < most and entries[at].n == event.n:
                begun, i = at, i_of(event)
                while at < most and entries[at].n == event.n and entries[at].i == i:
                    at += 1
                credited = self._post(step, now, entries[begun:at], deed)
            if credited or deed.space or deed.used:
                self.holdings.add(event, deed, step, now, credited)
            if step in self.laid:
                self.holdings.lay_out(self.laid[step], step, now)
        self.closed[round_] = step, dict(self.held)
        self.holdings.end(self.state, step, counted=self.counted)

    def _post(self, step: int, round_: int, entries: Sequence[Entry], deed: Deed) -> list[Credit]:
        """What the ledger says of one event; answers what of it comes from a card."""
        held, card_of, add = self.held, self.title.tables.credited, self.changes.rows.append
        credited = []
        for entry in entries:
            who, what, amount, why = entry.who, entry.what, entry.amount, entry.why
            key = who, what
            has = held[key] = held.get(key, 0) + amount
            card = card_of(deed, why) or None
            if card:
                credited.append((who, what, amount, why, card))
            add((step, round_, has, card))
        return credited

    def standings(self) -> Columns:
        rows = [
            (round_, step, seat, what, n)
            for round_, (step, held) in self.closed.items()
            for seat, what, n in (
                *((seat, what, n) for (seat, what), n in held.items() if seat),
                *((score.seat, SCORE, score.total) for score in self.scored[round_]),
            )
        ]
        rounds, steps, seats, whats, amounts = zip(*rows, strict=True)
        return {"game": self.game, "round": rounds, "step": steps, "seat": seats, "what": whats, "amount": amounts}


class Events:
    """Of the table `event`."""

    def __init__(self) -> None:
        # Of each event: what was done, the round, the sentence, the step and the notation.
        self.rows: list[tuple[Event, Deed, int, str, int | None, str | None]] = []

    def columns(self, game: str) -> Columns:
        if not self.rows:
            return {}
        events, deeds, rounds, sentences, steps, notations = zip(*self.rows, strict=True)
        acts: list[Struct] = [event.do for event in events]
        inserted, told = _corrected(events)
        return {
            "game": game,
            "n": [event.n for event in events],
            "i": inserted,
            "told": told,
            "stands": [step is not None for step in steps],
            "step": steps,
            "round": rounds,
            "kind": [_KINDS.get(deed.verb, DECISION) for deed in deeds],
            "seat": [getattr(act, "seat", None) for act in acts],
            "verb": [deed.verb for deed in deeds],
            "act": [tag_of(type(act)) for act in acts],
            "card": [deed.card or None for deed in deeds],
            "notation": notations,
            "sentence": sentences,
            "scribe": [event.by for event in events],
            "time": [event.at and _utc(event.at) for event in events],
        }


def _corrected(events: Sequence[Event]) -> tuple[Sequence[int], Sequence[int]]:
    """Which of its line's each event is, and which amendment tells it; mostly nobody amended any."""
    if Edited not in set(map(type, events)):
        none = (0,) * len(events)
        return none, none
    return [i_of(event) for event in events], [told_by(event) for event in events]


class Changes:
    """Of the table `ledger`: what the entries themselves do not say."""

    def __init__(self) -> None:
        # Of each entry: the step, the round, what is held then, and the card that it comes from.
        self.rows: list[tuple[int, int, int, str | None]] = []

    def columns(self, game: str, entries: Sequence[Entry]) -> Columns:
        if not entries:
            return {}
        steps, rounds, held, cards = zip(*self.rows, strict=True)
        return {
            "game": game,
            "n": [entry.n for entry in entries],
            "i": [entry.i for entry in entries],
            "step": steps,
            "round": rounds,
            "seat": [entry.who for entry in entries],
            "what": [entry.what for entry in entries],
            "amount": [entry.amount for entry in entries],
            "held": held,
            "why": [entry.why for entry in entries],
            "number": [entry.number for entry in entries],
            "card": cards,
            "seen": [entry.seen for entry in entries],
        }


class Decisions:
    """Of the table `decision`: what the events themselves do not say."""

    def __init__(self) -> None:
        # Of each decision: the step, the round, the seat and its turn, the phase, whether it was forced, the seconds.
        self.rows: list[tuple[int, int, int, int, str, bool, float | None]] = []

    def columns(self, game: str, told: Events) -> Columns:
        if not self.rows:
            return {}
        steps, rounds, seats, turns, phases, forced, seconds = zip(*self.rows, strict=True)
        events, deeds, *_ = zip(*[told.rows[step - 1] for step in steps], strict=True)
        inserted, _ = _corrected(events)
        return {
            "game": game,
            "n": [event.n for event in events],
            "i": inserted,
            "step": steps,
            "round": rounds,
            "seat": seats,
            "turn": turns,
            "phase": phases,
            "forced": forced,
            "verb": [deed.verb for deed in deeds],
            "card": [deed.card or None for deed in deeds],
            "space": [deed.space or None for deed in deeds],
            "seconds": seconds,
        }


class Markets:
    """Of the table `offer`: what each decision found, whose it was and which space its card comes from."""

    def __init__(self) -> None:
        self.found: list[tuple[Offers, Event, int, int]] = []

    def rows(self, game: str) -> list[OffersRow]:
        """Each market as it lies for a while, with the decisions that found it so."""
        lying: list[tuple[Offers, list[tuple[Any, ...]]]] = []
        last, decisions = None, list[tuple[Any, ...]]()
        for found, event, seat, taken in self.found:
            # Titles hand out the same tuples for the same market; where not, there are more lines and no other rows.
            if last is None or found.cards is not last.cards or found.where is not last.where:
                last, decisions = found, []
                lying.append((found, decisions))
            decisions.append((event.n, i_of(event), seat, taken, found.reachable, found.affordable, found.prices))
        return [OffersRow(game, market.where, market.cards, *zip(*rows, strict=True)) for market, rows in lying]


def add_fallen(replay: Replay, told: Events) -> None:
    """What was recorded and stands no more, or is told otherwise now; each on the table as it then was."""
    if not any(type(line) is Undone or type(line) is Amended for line in replay.log.lines):
        return
    title = replay.title
    standing = {event.n for event in replay.events if type(event) is not Edited}
    for each in written(replay):
        line = each.line
        if isinstance(line, EventLine) and line.n not in standing:
            before, after = each.before, each.after
            sentence = title.words.describe(before, line.do, line.moved, line.facts, replay.players, LANGUAGE)
            told.rows.append((line, title.tables.deed(before, line.do), title.round(after), sentence, None, None))


def waits(events: Sequence[Event]) -> list[float | None]:
    """How long after the one before it each event was recorded, where both say and nobody paused."""
    none: list[float | None] = [None] * len(events)
    if all(event.at is None for event in events):
        return none
    return none[:1] + [_between(before, event) for before, event in pairwise(events)]


def _between(before: Event, event: Event) -> float | None:
    if before.at is None or event.at is None or type(before.do) is Paused or i_of(before) or i_of(event):
        return None
    seconds = (event.at - before.at).total_seconds()
    return seconds if seconds >= 0 else None


def _utc(at: datetime) -> datetime | None:
    """Without its zone: Python asks DuckDB for no times that have one. None where that is before or after all time."""
    try:
        return (at if at.tzinfo is UTC else at.astimezone(UTC)).replace(tzinfo=None)
    except OverflowError:
        return None
