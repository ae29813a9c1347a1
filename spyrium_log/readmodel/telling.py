"""One pass over the events of a replay: what each did, on which table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, TypeAlias

from msgspec import Struct

from spyrium_log.log.lines import Amended, Event, EventLine, Undone
from spyrium_log.log.timeline import Edited, i_of
from spyrium_log.readmodel.holdings import Holdings
from spyrium_log.readmodel.tables import DecisionRow, EventRow, LedgerRow, OffersRow, StandingRow
from spyrium_log.replay import Entry, Replay, told_by, written
from spyrium_log.title import AnyTitle, Deed, FinalCount, Paused, Resynced, Score, tag_of

LANGUAGE = "en"
# What a standing says besides the resources.
SCORE = "score"
Held: TypeAlias = dict[tuple[int, str], int]

# What kind of event a verb is; any other is a decision.
_KINDS = {"deal": "deal", "final": "final", "state": "statement"}
DECISION = "decision"


class Telling:
    """One pass over the events that stand, with the table before and after each."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.game = replay.header.game
        self.title: AnyTitle = replay.title
        self.seats = len(replay.header.seats)
        self.state: Any = self.title.copy(replay.snapshots[0])
        self.held: Held = {
            (has.who, has.what): 0 for has in self.title.held(self.state) if has.who in range(1, self.seats + 1)
        }
        self.round = 0
        self.counted = False
        self.turns = [0] * (self.seats + 1)
        self.waits = list(waits(replay.events))
        self.scores: Sequence[Score] = ()
        self.closed: dict[int, list[StandingRow]] = {}
        self.events: list[EventRow] = []
        self.ledger: list[LedgerRow] = []
        self.decisions: list[DecisionRow] = []
        self.offers: list[OffersRow] = []
        self.holdings = Holdings(self.title, self.seats)

    def tell(self) -> None:
        replay, title, state, game = self.replay, self.title, self.state, self.game
        players = replay.players
        cards, describe, write = title.cards, title.describe, title.notation.write
        evolve, round_of = title.evolve, title.round
        entries = replay.ledger
        at = self._entries(0, 0, 0, entries, 0, Deed("state"))
        for step, (event, waited) in enumerate(zip(replay.events, self.waits, strict=True), 1):
            act, moved, n, i = event.do, event.moved, event.n, i_of(event)
            deed = cards.deed(state, act)
            kind = _KINDS.get(deed.verb, DECISION)
            sentence = describe(state, act, moved, event.facts, players, LANGUAGE)
            resynced = type(act) is Resynced
            notation = write(state, act) if kind != "statement" or resynced else None
            scores = title.score(state) if kind == "deal" or resynced else ()
            if kind == DECISION:
                self._decide(act, n, i, deed, step, waited)
            evolve(state, act, moved, event.facts)
            now = round_of(state)
            if now != self.round:
                self._close(step - 1, scores or title.score(state))
                self.round = now
            if type(act) is FinalCount:
                self.counted = True
            self.events.append(_event_row(game, event, i, deed, now, sentence, step, notation))
            begun = at
            if at < len(entries) and entries[at].n == n:
                at = self._entries(n, i, step, entries, at, deed)
            if at > begun or deed.space or deed.used or resynced:
                self.holdings.add(state, event, deed, step, now, self.ledger[begun:at])
        self.scores = title.score(state)
        self._close(len(replay.events), self.scores)
        self.holdings.end(state, len(replay.events), counted=self.counted)

    def _entries(self, n: int, i: int, step: int, entries: Sequence[Entry], at: int, deed: Deed) -> int:
        """The ledger of one event, which begins at a place in all of it; answers where it ends."""
        held, ledger, game, round_, most = self.held, self.ledger, self.game, self.round, len(entries)
        credited = self.title.cards.credited
        while at < most and (entry := entries[at]).n == n and entry.i == i:
            who, what, amount, why = entry.who, entry.what, entry.amount, entry.why
            has = held[who, what] = held.get((who, what), 0) + amount
            card = credited(deed, why) or None
            ledger.append(
                LedgerRow(game, n, i, step, round_, who, what, amount, has, why, entry.number, card, entry.seen)
            )
            at += 1
        return at

    def _decide(self, act: Any, n: int, i: int, deed: Deed, step: int, waited: float | None) -> None:
        title, state, game = self.title, self.state, self.game
        said: int = act.seat
        seat = said if said <= self.seats else 0
        self.turns[seat] += 1
        awaited = title.awaits(state)
        self.decisions.append(
            DecisionRow(
                game,
                n,
                i,
                step,
                self.round,
                seat,
                self.turns[seat],
                title.phase(state, said),
                awaited.kind == "choice",
                deed.verb,
                deed.card or None,
                deed.space or None,
                waited,
            )
        )
        if awaited.kind == "decision" and awaited.seat == said:
            self.offers.append(OffersRow(game, n, i, seat, deed.space, title.offers(state, said)))

    def _close(self, step: int, scores: Sequence[Score]) -> None:
        game, round_ = self.game, self.round
        rows = [StandingRow(game, round_, step, seat, what, n) for (seat, what), n in self.held.items() if seat]
        rows += [StandingRow(game, round_, step, score.seat, SCORE, score.total) for score in scores]
        self.closed[round_] = rows

    def standings(self) -> list[StandingRow]:
        return [row for rows in self.closed.values() for row in rows]


def _event_row(
    game: str,
    event: Event,
    i: int,
    deed: Deed,
    round_: int,
    sentence: str,
    step: int | None = None,
    notation: str | None = None,
) -> EventRow:
    act: Struct = event.do
    return EventRow(
        game,
        event.n,
        i,
        told_by(event),
        step is not None,
        step,
        round_,
        _KINDS.get(deed.verb, DECISION),
        getattr(act, "seat", None),
        deed.verb,
        tag_of(type(act)),
        deed.card or None,
        notation,
        sentence,
        event.by,
        _utc(event.at),
    )


def fallen(replay: Replay) -> list[EventRow]:
    """What was recorded and stands no more, or is told otherwise now; each on the table as it then was."""
    if not any(type(line) is Undone or type(line) is Amended for line in replay.log.lines):
        return []
    title = replay.title
    standing = {event.n for event in replay.events if type(event) is not Edited}
    return [
        _event_row(
            replay.header.game,
            line,
            i_of(line),
            title.cards.deed(before, line.do),
            title.round(after),
            title.describe(before, line.do, line.moved, line.facts, replay.players, LANGUAGE),
        )
        for line, before, after in written(replay)
        if isinstance(line, EventLine) and line.n not in standing
    ]


def waits(events: Sequence[Event]) -> Iterator[float | None]:
    """How long after the one before it each event was recorded, where both say and nobody paused."""
    if events:
        yield None
    for before, event in pairwise(events):
        yield _between(before, event)


def _between(before: Event, event: Event) -> float | None:
    if before.at is None or event.at is None or type(before.do) is Paused or i_of(before) or i_of(event):
        return None
    seconds = (event.at - before.at).total_seconds()
    return seconds if seconds >= 0 else None


def _utc(at: datetime | None) -> datetime | None:
    """Without its zone: Python asks DuckDB for no times that have one. None where that is before or after all time."""
    try:
        return at and at.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:
        return None
