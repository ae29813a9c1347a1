"""Slips that could have happened between two counts, each with how the second count would change by it.

What the table did otherwise (`misplayed`) changes the count by what the changed posting says, so nothing needs folding
to know it. What the scribe wrote otherwise (`misrecorded`) changes whatever was computed on top of it, so the events
are folded again with the other act, as far as the count and no further than the first move that contradicts it.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import structs

from spyrium_log.audit import Finding, Key, audited, wrong_results
from spyrium_log.edit.amend import make_event_body
from spyrium_log.edit.derive import is_manual, rederive_effects
from spyrium_log.edit.slip import (
    PER_UNIT,
    Change,
    Number,
    Otherwise,
    Outcome,
    Slip,
    SlipKind,
    edited_event,
    entry_key,
    forgotten_together,
    mode_of,
    other_choices,
    without_postings,
)
from spyrium_log.folding import folded
from spyrium_log.log.lines import AnyEdit, AnyEventBody, Declared, Drop, Event, EventBody, InsertAfter, Replace
from spyrium_log.log.timeline import asides, ref_of
from spyrium_log.replay import Replay
from spyrium_log.title import MOST_AMOUNT, Adjusted, AnyPosting, AnyTitle, Counted, Paused, Posting, Resynced, Seen

TOTAL = "result"
"""What a declared result counts: points with everything that the final count adds."""


def held_by(title: AnyTitle, state: Any) -> Change:
    """What everybody holds, by seat and resource."""
    return {(holding.who, holding.what): holding.n for holding in title.held(state)}


def holdings(done: Replay, place: int) -> Change:
    """What everybody holds after so many events."""
    return held_by(done.title, done.state_at(place))


class Search:
    """Tries slips in the events from one place to a count at another; for a declared result, to the end.

    `budget` is how many events may be looked at; what lies nearest to the count is tried first. `tried`: how many
    slips were, `is_cut`: the budget ended before the slips did.
    """

    def __init__(
        self, done: Replay, *, after: int, until: int, of: Literal["count", "result"], wanted: Change, budget: int
    ) -> None:
        self.done = done
        self.title = done.title
        self.events = done.events
        self.after = after
        self.until = until
        self.of = of
        self.wanted = wanted
        self.budget = budget
        self.tried = 0
        self.is_cut = False
        self.before = self._numbers(done.state_at(until))
        # for each kind of slip, the sum of the weights of all that could have happened
        self.possible: defaultdict[SlipKind, float] = defaultdict(float)
        # acts whose choice a later act names: a wrong choice takes two wrong entries
        self.named: set[int] = set()
        self._seats = range(1, len(done.header.seats) + 1)
        self._resources = tuple(dict.fromkeys(holding.what for holding in self.title.held(done.state_at(0))))
        self.lacking = list(self._lacking())
        # for each event its effects by the rules, and the round after it
        self._effects: list[Any] = []
        self.rounds: list[int] = []
        self._fold_once()
        self._counts = self._counts_before()
        self._declared = [aside for aside in asides(done.log.lines) if isinstance(aside, Declared)]
        self._open = [finding for finding in done.findings if finding.is_open and finding.kind != "result"]
        self._broken = {done.places[finding.ref] - 1 for finding in done.findings if finding.kind == "breach"}

    def is_spent(self, events: int = 0) -> bool:
        """Whether the budget is used up, after so many more events."""
        self.budget -= events
        self.is_cut = self.is_cut or self.budget <= 0
        return self.budget <= 0

    def _fold_once(self) -> None:
        title, state = self.title, self.done.state_at(0)
        for event in self.events:
            self._effects.append(title.effects(state, event.do))
            title.evolve(state, event.do, event.moved, event.facts)
            self.rounds.append(title.round(state))

    def _counts_before(self) -> dict[int, dict[Number, tuple[int, int]]]:
        """For each earlier count and each of its numbers: the number by the log, and the counted one."""
        counts = {}
        for place, event in enumerate(self.events[: self.until]):
            if isinstance(event.do, Counted):
                held = holdings(self.done, place)
                counts[place] = {
                    (counted.who, counted.what): (held.get((counted.who, counted.what), 0), counted.n)
                    for counted in event.do.held
                }
        return counts

    def _numbers(self, state: Any) -> Change:
        """The numbers that were counted; for a declared result, everybody's total."""
        if self.of == "result":
            return {(score.seat, TOTAL): score.total for score in self.title.score(state)}
        counted = {(holding.who, holding.what) for holding in self.events[self.until].do.held}
        return {key: holding.n for holding in self.title.held(state) if (key := (holding.who, holding.what)) in counted}

    def _changed(self, state: Any) -> Change:
        before = self.before
        return {key: n - before[key] for key, n in self._numbers(state).items() if n != before[key]}

    def _lacking(self) -> Iterator[tuple[Number, int]]:
        """The numbers that would have to differ, and by how much; for a total, any resource worth that many points."""
        for (who, what), n in self.wanted.items():
            # no posting holds more
            if abs(n) > MOST_AMOUNT:
                continue
            if self.of == "count":
                yield (who, what), n
                continue
            for resource in self._resources:
                state = self.done.state_at(self.until)
                self.title.evolve(state, Paused(), (Posting(who, resource, n, "adjusted"),), ())
                if self._changed(state) == {(who, TOTAL): n}:
                    yield (who, resource), n

    # --- what the table may have done otherwise --------------------------------------------------

    def misplayed(self, seen: Seen) -> Iterator[Slip]:
        """Each posting missed, made twice, of another amount or resource, or for another seat."""
        for place in range(self.until - 1, self.after - 1, -1):
            event = self.events[place]
            if isinstance(event.do, Adjusted | Counted | Resynced):
                continue
            for kind, weight, moved in self._other_postings(event, seen):
                # an event has a few postings; in a hostile log it may have a million
                if self.is_spent(len(moved) // 8):
                    return
                self.tried += 1
                self.possible[kind] += weight if kind != "amount" else 0
                edit = Replace(at=ref_of(event), event=EventBody(do=event.do, moved=moved, facts=event.facts))
                yield Slip(kind, "misplayed", ((place, edit),), weight, self._shift(place, event, moved))

    def carried_on(self, slips: Sequence[Slip]) -> Iterator[Slip]:
        """Slips of the table with effects that the scribe's tool computed on top, not knowing of them.

        Only what explains a part by itself is folded for that, as a slip of the scribe is.
        """
        for slip in slips:
            if slip.change.items() & self.wanted.items():
                carried = self.folded(slip.kind, slip.weight, slip.edits)
                if carried is not None and carried.change != slip.change:
                    yield carried

    def _shift(self, place: int, event: Event, moved: Sequence[AnyPosting]) -> Change:
        """How other postings would change the count. Later effects stay, so only totals need folding."""
        if self.of == "result":
            state = self.done.state_at(place)
            self.title.evolve(state, event.do, moved, event.facts)
            self.budget -= self.until - place
            return self._changed(folded(self.title, state, self.events[place + 1 :]))
        sums: Counter[Number] = Counter()
        for posting in moved:
            sums[posting.who, posting.what] += posting.n
        for posting in event.moved:
            sums[posting.who, posting.what] -= posting.n
        return {key: n for key, n in sums.items() if n and key in self.before}

    def _other_postings(self, event: Event, seen: Seen) -> Iterator[Otherwise]:
        """The postings of the event as the table may have made them. What somebody saw is not doubted."""
        kept = {(posting.who, posting.what, posting.why) for posting in event.moved if is_manual(posting)}
        due: Counter[Key] = Counter()
        for posting in event.moved:
            key = posting.who, posting.what, posting.why
            if key not in kept:
                due[key] += posting.n
        for key, n in due.items():
            if abs(n) <= MOST_AMOUNT:
                yield from self._other_postings_of(event, seen, key, n)
        for keys in forgotten_together(due):
            yield "missed", 1 / len(keys), without_postings(event, seen, keys)
        yield from self._amounts(event, seen, due)

    def _other_postings_of(self, event: Event, seen: Seen, key: Key, n: int) -> Iterator[Otherwise]:
        """The same for one posting: missed, made twice, of another resource, or for another seat."""
        who, what, why = key
        without = without_postings(event, seen, (key,))
        yield "missed", 1, without
        yield "twice", 1, (*event.moved, Posting(who, what, n, why, seen))
        for other in self._resources:
            if other != what:
                weight = 1 / (len(self._resources) - 1)
                yield "other_resource", weight, (*without, Posting(who, other, n, why, seen))
        for seat in self._seats:
            if seat != who:
                weight = 1 / max(1, len(self._seats) - 1)
                yield "other_seat", weight, (*without, Posting(seat, what, n, why, seen))

    def _amounts(self, event: Event, seen: Seen, due: Mapping[Key, int]) -> Iterator[Otherwise]:
        """A wrong total of what was paid or taken, by what the count lacks, as a posting with cause `table`."""
        totals: Counter[Number] = Counter()
        parts: dict[Number, list[int]] = {}
        for (who, what, _), n in due.items():
            totals[who, what] += n
            parts.setdefault((who, what), []).append(n)
        # a sum can be wrong by any amount; only the one that fits is tried
        self.possible["amount"] += len(due)
        for (who, what), n in self.lacking:
            # nobody takes money instead of paying; a part that was missed or doubled is another kind
            if (who, what) in totals and not {n, -n} & {*parts[who, what]}:
                total = totals[who, what]
                if total == 0 or total * (total + n) > 0:
                    # a sum of more parts goes wrong more often
                    weight = len(parts[who, what]) * (1 - PER_UNIT) / 2 * PER_UNIT ** (abs(n) - 1)
                    yield "amount", weight, (*event.moved, Posting(who, what, n, "table", seen))

    # --- what the scribe may have written otherwise ----------------------------------------------

    def misrecorded(self, *, anyway: bool = False) -> Iterator[Slip]:
        """Other acts, added acts and dropped acts since the last count; before it, only those it would not show.

        A slip that a later move contradicts is left out at once, unless `anyway`.
        """
        if not self.events:
            return
        entries = Counter(entry_key(event) for event in self.events[self.after : self.until])
        for place in range(self.until, -1, -1):
            if self.is_spent():
                return
            state = self.done.state_at(place)
            legal = self.title.legal(state)
            self.budget -= len(legal)
            for kind, weight, edit in self._other_entries(place, state, legal, entries):
                slip = self.folded(kind, weight, ((place, edit),), anyway=anyway)
                # what an earlier count would have shown did not happen; a choice that is named again is another kind
                is_named = kind == "other_choice" and place in self.named
                if not anyway and (slip is not None or (place >= self.after and not is_named)):
                    self.possible[kind] += weight
                if slip is not None:
                    yield slip

    def _other_entries(
        self, place: int, state: Any, legal: Sequence[Any], entries: Mapping[Any, int]
    ) -> Iterator[tuple[SlipKind, float, AnyEdit]]:
        """What the scribe may have written wrong at a place, with the edit that corrects it."""
        is_since = place >= self.after
        event = self.events[place] if place < self.until else None
        if event is not None and isinstance(event.do, self.title.wire.decision):
            for kind, weight, act in other_choices(event.do, legal):
                yield kind, weight, Replace(at=ref_of(event), event=make_event_body(self.title, state, act))
        if is_since:
            after = self._ref(place)
            for act in legal:
                yield "forgotten", 1 / len(legal), InsertAfter(at=after, event=make_event_body(self.title, state, act))
        if is_since and event is not None and isinstance(event.do, self.title.wire.decision | Adjusted):
            yield "doubled" if entries[entry_key(event)] > 1 else "never", 1, Drop(at=ref_of(event))

    def _ref(self, place: int) -> str:
        return ref_of(self.events[place - 1]) if place else "0"

    def folded(
        self, kind: SlipKind, weight: float, edits: tuple[tuple[int, AnyEdit], ...], *, anyway: bool = False
    ) -> Slip | None:
        """Fold the events with these edits to the count; None if an earlier count or a move contradicts them."""
        place = edits[0][0]
        state = self.done.state_at(place)
        at = dict(edits)
        self.tried += 1
        for index in range(place, self.until + 1):
            edit = at.get(index)
            if isinstance(edit, InsertAfter | Replace):
                self.title.evolve(state, edit.event.do, edit.event.moved, edit.event.facts)
            if (
                index < self.until
                and not isinstance(edit, Drop | Replace)
                and not self.step(index, state, anyway=anyway)
            ):
                return None
        change = self._changed(state)
        return Slip(kind, "misrecorded", edits, weight, change) if change else None

    def step(self, index: int, state: Any, *, anyway: bool = False) -> bool:
        """Fold one event; False if a count or a rule contradicts it."""
        self.budget -= 1
        act = self.events[index].do
        if index in self._counts and self._is_disturbed(index, state):
            return False
        if not anyway and index not in self._broken and self.title.breaches(state, act):
            return False
        event = self._rederived(index, state)
        self.title.evolve(state, act, event.moved, event.facts)
        return True

    def _is_disturbed(self, index: int, state: Any) -> bool:
        held = {(holding.who, holding.what): holding.n for holding in self.title.held(state)}
        return any(held.get(key, 0) not in values for key, values in self._counts[index].items())

    def _rederived(self, index: int, state: Any) -> Event:
        """The event with its effects rederived on this state, as a misrecorded amendment would have it."""
        event = self.events[index]
        new_effects = self.title.effects(state, event.do)
        if new_effects == self._effects[index]:
            return event
        effects = rederive_effects(event, self._effects[index], new_effects)
        if effects is None:
            return event
        return structs.replace(event, moved=tuple(effects.moved), facts=tuple(effects.facts))

    # --- what then stands ------------------------------------------------------------------------

    def outcome(self, slips: tuple[Slip, ...]) -> Outcome:
        """What the log comes to with these slips; slips of the table may have been carried on after the count."""
        as_told = self._outcome(slips)
        if not as_told.open or mode_of(slips) == "misrecorded":
            return as_told
        carried = self._outcome(tuple(dataclasses.replace(slip, mode="misrecorded") for slip in slips))
        return carried if carried.change == as_told.change and carried.open < as_told.open else as_told

    def _outcome(self, slips: tuple[Slip, ...]) -> Outcome:
        """Audit the log with these edits from the first of them to the end."""
        title, mode = self.title, mode_of(slips)
        edits = {place: edit for slip in slips for place, edit in slip.edits}
        start = min(edits)
        state = self.done.state_at(start)
        findings: list[Finding] = []
        at_count = state
        for place in range(start, len(self.events) + 1):
            if isinstance(edit := edits.get(place), InsertAfter):
                findings += self._added(edited_event(self.events[min(place, len(self.events) - 1)], edit.event), state)
            if place == self.until:
                at_count = title.copy(state)
            if place < len(self.events) and not isinstance(edit, Drop):
                event = self.events[place]
                if isinstance(edit, Replace):
                    event = edited_event(event, edit.event)
                elif mode == "misrecorded":
                    event = self._rederived(place, state)
                findings += self._added(event, state)
        findings += wrong_results(self._declared, title.score(state))
        known = sum(self.done.places.get(finding.ref, start + 1) <= start for finding in self._open)
        count = known + sum(finding.is_open for finding in findings)
        return Outcome(slips, self._changed(at_count), title.screens.view(at_count), count)

    def _added(self, event: Event, state: Any) -> list[Finding]:
        findings = audited(self.title, state, event)
        self.title.evolve(state, event.do, event.moved, event.facts)
        return findings

    def ruled(self, seen: Seen) -> Iterator[Outcome]:
        """Rule that the count stands; not for a total, whose source nobody knows."""
        moved = tuple(Posting(who, what, n, "adjusted", seen) for (who, what), n in self.lacking)
        if self.of == "count" and moved:
            event: AnyEventBody = EventBody(do=Adjusted(who=seen.who, why=seen.why), moved=moved)
            edit = InsertAfter(at=self._ref(self.until), event=event)
            outcome = self._outcome((Slip("ruled", "misplayed", ((self.until, edit),), 1, {}),))
            if outcome.change:
                yield outcome
