"""Slips that could have happened between two counts, each with how the second count would change by it.

What the table did otherwise (`misplayed`) changes the count by what the changed posting says, so nothing needs folding
to know it. What the scribe wrote otherwise (`misrecorded`) changes whatever was computed on top of it, so the events
are folded again with the other act, as far as the count and no further than the first move that contradicts it.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Literal, TypeAlias

from msgspec import Struct, structs

from spyrium_log.edit.amend import told
from spyrium_log.edit.derive import again, is_said
from spyrium_log.log.lines import AnyEdit, AnyTold, Declared, Drop, Event, InsertAfter, Mode, Replace, Told
from spyrium_log.log.timeline import asides, ref_of
from spyrium_log.replay import Finding, Key, Replay, audited, fold, results
from spyrium_log.title import Adjusted, AnyPosting, Counted, Paused, Posting, Resynced, Seen

SlipKind: TypeAlias = Literal[
    "missed",  # the table did not pay or take it
    "twice",  # the table paid or took it twice
    "amount",  # the table paid or took another amount
    "other_resource",  # the table moved something else
    "other_seat",  # the table gave it to, or took it from, somebody else
    "other_choice",  # the same kind of act with another card, place, token …
    "other_act",  # another kind of act altogether
    "forgotten",  # it happened and was not written down
    "doubled",  # it happened once and was written down twice
    "never",  # it was written down and did not happen
    "ruled",  # nobody knows: the count stands
]

# Each further field of an act that would have been written wrong at once, and each further unit that an amount would
# have been wrong by: so much less likely. Only the order of size matters.
PER_FIELD = 0.3
PER_UNIT = 0.6

# A posting says no more at once (title.Amount).
MOST_AMOUNT = 99_999

Number: TypeAlias = tuple[int, str]
Change: TypeAlias = dict[Number, int]
Otherwise: TypeAlias = tuple[SlipKind, float, tuple[AnyPosting, ...]]

TOTAL = "result"
"""What a declared result counts: points with everything that the final count adds."""


@dataclass(frozen=True, slots=True)
class Slip:
    """One edit at one place, how the count would change by it, and its weight among its kind."""

    kind: SlipKind
    mode: Mode
    place: int
    edit: AnyEdit
    weight: float
    change: Change


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a log would come to with these slips put right: the numbers and the table at the count, open findings."""

    slips: tuple[Slip, ...]
    change: Change
    table: Struct
    open: int


def mode_of(slips: Iterable[Slip]) -> Mode:
    """An amendment has one mode. What a person saw stays whatever is derived anew, so the scribe's slip decides."""
    return "misrecorded" if any(slip.mode == "misrecorded" for slip in slips) else "misplayed"


def holdings(done: Replay, place: int) -> Change:
    """What everybody has after so many events."""
    return {(has.who, has.what): has.n for has in done.title.held(done.state_at(place))}


class Search:
    """The events from one place to a count at another (at the end: a declared result), and what it takes to try slips.

    `budget` is how many events may be looked at; what lies nearest to the count is tried first.
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
        self.before = self._measured(done.state_at(until))
        self.lacking = list(self._lacking())
        # how many sums could have been out by some amount
        self.sums = 0
        self._seats = range(1, len(done.header.seats) + 1)
        self._resources = tuple(dict.fromkeys(has.what for has in self.title.held(done.state_at(0))))
        self._given = self._given_everywhere()
        self._counts = self._counts_before()
        self._declared = [aside for aside in asides(done.log.lines) if isinstance(aside, Declared)]
        self._open = [finding for finding in done.findings if finding.is_open and finding.kind != "result"]
        self._broken = {done.places[finding.ref] - 1 for finding in done.findings if finding.kind == "breach"}

    def _given_everywhere(self) -> list[Any]:
        """What the rules make of each event as it stands."""
        title, state = self.title, self.done.state_at(0)
        given = []
        for event in self.events:
            given.append(title.effects(state, event.do))
            title.evolve(state, event.do, event.moved, event.facts)
        return given

    def _counts_before(self) -> dict[int, dict[Number, tuple[int, int]]]:
        """For each earlier count, and each number of it: what the log has, and what was said."""
        counts = {}
        for place, event in enumerate(self.events[: self.until]):
            if isinstance(event.do, Counted):
                held = holdings(self.done, place)
                counts[place] = {
                    (said.who, said.what): (held.get((said.who, said.what), 0), said.n) for said in event.do.held
                }
        return counts

    def _measured(self, state: Any) -> Change:
        """The numbers that were counted, or everybody's total."""
        if self.of == "result":
            return {(score.seat, TOTAL): score.total for score in self.title.score(state)}
        said = {(holding.who, holding.what) for holding in self.events[self.until].do.held}
        return {key: has.n for has in self.title.held(state) if (key := (has.who, has.what)) in said}

    def _changed(self, state: Any) -> Change:
        before = self.before
        return {key: n - before[key] for key, n in self._measured(state).items() if n != before[key]}

    def _lacking(self) -> Iterator[tuple[Number, int]]:
        """Which number would have to be other by how much: of a total, any resource that makes as many points."""
        if self.of == "count":
            yield from ((key, n) for key, n in self.wanted.items() if abs(n) <= MOST_AMOUNT)
            return
        for (who, _), n in self.wanted.items():
            for what in dict.fromkeys(has.what for has in self.title.held(self.done.state_at(0))):
                state = self.done.state_at(self.until)
                self.title.evolve(state, Paused(), (Posting(who, what, n, "adjusted"),), ())
                if self._changed(state) == {(who, TOTAL): n}:
                    yield (who, what), n

    # --- what the table may have done otherwise --------------------------------------------------

    def misplayed(self, seen: Seen) -> Iterator[Slip]:
        """Each posting missed, made twice, of another amount or thing, or for another seat, as a person saw it."""
        for place in range(self.until - 1, self.after - 1, -1):
            event = self.events[place]
            if isinstance(event.do, Adjusted | Counted | Resynced):
                continue
            for kind, weight, moved in self._otherwise(event, seen):
                # a table moves a handful of things at once; a hostile line may move a million
                self.budget -= len(moved) // 8
                if self.budget <= 0:
                    return
                edit = Replace(at=ref_of(event), event=Told(do=event.do, moved=moved, facts=event.facts))
                yield Slip(kind, "misplayed", place, edit, weight, self._shift(place, event, moved))

    def carried_on(self, slips: Sequence[Slip]) -> Iterator[Slip]:
        """What the table did otherwise, where the recorder's tool then worked out more on top of what it did not know.

        Only what explains a part by itself is folded for that, as a slip of the scribe is.
        """
        for slip in slips:
            if slip.change.items() & self.wanted.items():
                state = self.done.state_at(slip.place)
                for carried in self._folded(slip.kind, slip.weight, slip.place, state, slip.edit, anyway=False):
                    if carried.change != slip.change:
                        yield carried

    def _shift(self, place: int, event: Event, moved: Sequence[AnyPosting]) -> Change:
        """How other postings would change the count. Later effects stand, so only a total has to be folded for."""
        if self.of == "result":
            state = self.done.state_at(place)
            self.title.evolve(state, event.do, moved, event.facts)
            self.budget -= self.until - place
            return self._changed(fold(self.title, state, self.events[place + 1 :]))
        sums: Counter[Number] = Counter()
        for posting in moved:
            sums[posting.who, posting.what] += posting.n
        for posting in event.moved:
            sums[posting.who, posting.what] -= posting.n
        return {key: n for key, n in sums.items() if n and key in self.before}

    def _otherwise(self, event: Event, seen: Seen) -> Iterator[Otherwise]:
        """The event's postings as the table may have made them. What somebody saw is not doubted."""
        kept = {(posting.who, posting.what, posting.why) for posting in event.moved if is_said(posting)}
        due: Counter[Key] = Counter()
        for posting in event.moved:
            key = posting.who, posting.what, posting.why
            if key not in kept:
                due[key] += posting.n
        for key, n in due.items():
            if abs(n) <= MOST_AMOUNT:
                yield from self._otherwise_one(event, seen, key, n)
        for some in _together(due):
            yield "missed", 1 / len(some), _instead(event, seen, some)
        yield from self._amounts(event, seen, due)

    def _otherwise_one(self, event: Event, seen: Seen, key: Key, n: int) -> Iterator[Otherwise]:
        who, what, why = key
        without = _instead(event, seen, (key,))
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
        """What was paid or taken in all, wrong by what the count lacks: `table` says that only the total is known."""
        totals: Counter[Number] = Counter()
        parts: dict[Number, set[int]] = {}
        for (who, what, _), n in due.items():
            totals[who, what] += n
            parts.setdefault((who, what), set()).add(n)
        self.sums += len(totals)
        for (who, what), n in self.lacking:
            # nobody takes where he has to pay; and a part missed or paid twice has a name of its own
            if (who, what) in totals and not {n, -n} & parts[who, what]:
                total = totals[who, what]
                if total == 0 or total * (total + n) > 0:
                    weight = (1 - PER_UNIT) / 2 * PER_UNIT ** (abs(n) - 1)
                    yield "amount", weight, (*event.moved, Posting(who, what, n, "table", seen))

    # --- what the scribe may have written otherwise ----------------------------------------------

    def misrecorded(self, *, anyway: bool = False) -> Iterator[Slip]:
        """Other acts, one more and one less since the last count; before it, other acts that it would not have shown.

        A slip that a later move contradicts is left out at once, unless `anyway`.
        """
        if not self.events:
            return
        entries = Counter(_entry(event) for event in self.events[self.after : self.until])
        for place in range(self.until, -1, -1):
            if self.budget <= 0:
                return
            state = self.done.state_at(place)
            legal = self.title.legal(state)
            self.budget -= len(legal)
            for kind, weight, edit in self._written(place, state, legal, entries):
                yield from self._folded(kind, weight, place, state, edit, anyway=anyway)

    def _written(
        self, place: int, state: Any, legal: Sequence[Any], entries: Mapping[Any, int]
    ) -> Iterator[tuple[SlipKind, float, AnyEdit]]:
        is_since = place >= self.after
        event = self.events[place] if place < self.until else None
        if event is not None and isinstance(event.do, self.title.wire.decision):
            for act in legal:
                if act != event.do:
                    edit = Replace(at=ref_of(event), event=told(self.title, state, act))
                    yield (
                        ("other_choice", _likeness(act, event.do), edit)
                        if type(act) is type(event.do)
                        else (
                            "other_act",
                            1,
                            edit,
                        )
                    )
        if is_since:
            after = self._ref(place)
            for act in legal:
                yield "forgotten", 1, InsertAfter(at=after, event=told(self.title, state, act))
        if is_since and event is not None and isinstance(event.do, self.title.wire.decision | Adjusted):
            yield "doubled" if entries[_entry(event)] > 1 else "never", 1, Drop(at=ref_of(event))

    def _ref(self, place: int) -> str:
        return ref_of(self.events[place - 1]) if place else "0"

    def _folded(
        self, kind: SlipKind, weight: float, place: int, state: Any, edit: AnyEdit, *, anyway: bool
    ) -> Iterator[Slip]:
        """The events with the edit as far as the count, unless an earlier count or a move speaks against it."""
        title = self.title
        state = title.copy(state)
        if not isinstance(edit, Drop):
            title.evolve(state, edit.event.do, edit.event.moved, edit.event.facts)
        for index in range(place if isinstance(edit, InsertAfter) else place + 1, self.until):
            self.budget -= 1
            act = self.events[index].do
            if index in self._counts and self._is_disturbed(index, state):
                return
            if not anyway and index not in self._broken and title.breaches(state, act):
                return
            event = self._rederived(index, state)
            title.evolve(state, act, event.moved, event.facts)
        change = self._changed(state)
        if change:
            yield Slip(kind, "misrecorded", place, edit, weight, change)

    def _is_disturbed(self, index: int, state: Any) -> bool:
        held = {(has.who, has.what): has.n for has in self.title.held(state)}
        return any(held.get(key, 0) not in either for key, either in self._counts[index].items())

    def _rederived(self, index: int, state: Any) -> Event:
        """The event as an amendment of a scribe's slip would tell it on this state."""
        event = self.events[index]
        now = self.title.effects(state, event.do)
        if now == self._given[index]:
            return event
        effects = again(event, self._given[index], now)
        if effects is None:
            return event
        return structs.replace(event, moved=tuple(effects.moved), facts=tuple(effects.facts))

    # --- what then stands ------------------------------------------------------------------------

    def outcome(self, slips: tuple[Slip, ...]) -> Outcome:
        """What the log comes to. What the table did otherwise may have been carried on after the count, too."""
        told_so = self._outcome(slips)
        if not told_so.open or mode_of(slips) == "misrecorded":
            return told_so
        carried_on = self._outcome(tuple(dataclasses.replace(slip, mode="misrecorded") for slip in slips))
        return carried_on if carried_on.change == told_so.change and carried_on.open < told_so.open else told_so

    def _outcome(self, slips: tuple[Slip, ...]) -> Outcome:
        """The log with these edits, audited from the first of them to the end."""
        title, mode = self.title, mode_of(slips)
        edits = {slip.place: slip.edit for slip in slips}
        start = min(edits)
        state = self.done.state_at(start)
        found: list[Finding] = []
        at_count = state
        for place in range(start, len(self.events) + 1):
            if isinstance(edit := edits.get(place), InsertAfter):
                found += self._added(_retold(self.events[min(place, len(self.events) - 1)], edit.event), state)
            if place == self.until:
                at_count = title.copy(state)
            if place < len(self.events) and not isinstance(edit, Drop):
                event = self.events[place]
                if isinstance(edit, Replace):
                    event = _retold(event, edit.event)
                elif mode == "misrecorded":
                    event = self._rederived(place, state)
                found += self._added(event, state)
        found += results(self._declared, title.score(state))
        known = sum(self.done.places.get(finding.ref, start + 1) <= start for finding in self._open)
        many = known + sum(finding.is_open for finding in found)
        return Outcome(slips, self._changed(at_count), title.view(at_count), many)

    def _added(self, event: Event, state: Any) -> list[Finding]:
        found = audited(self.title, state, event)
        self.title.evolve(state, event.do, event.moved, event.facts)
        return found

    def ruled(self, seen: Seen) -> Iterator[Outcome]:
        """What is left when nobody remembers: what was counted stands. Of a total nobody knows what it came from."""
        moved = tuple(Posting(who, what, n, "adjusted", seen) for (who, what), n in self.lacking)
        if self.of == "count" and moved:
            said: AnyTold = Told(do=Adjusted(who=seen.who, why=seen.why), moved=moved)
            edit = InsertAfter(at=self._ref(self.until), event=said)
            outcome = self._outcome((Slip("ruled", "misplayed", self.until, edit, 1, {}),))
            if outcome.change:
                yield outcome


def _instead(event: Event, seen: Seen, keys: Sequence[Key]) -> tuple[AnyPosting, ...]:
    """The event's postings without some: a seen 0 stands in the place of what the rules give."""
    kept = [each for each in event.moved if (each.who, each.what, each.why) not in keys]
    return (*kept, *(Posting(who, what, 0, why, seen) for who, what, why in keys))


_TOGETHER: tuple[Callable[[Key], Any], ...] = (itemgetter(0, 1), itemgetter(0), itemgetter(2))


def _together(due: Iterable[Key]) -> Iterator[tuple[Key, ...]]:
    """What is forgotten together: all that a seat has of one resource from an event, all of a seat, all of a cause."""
    seen = set()
    for same in _TOGETHER:
        groups: dict[Any, list[Key]] = {}
        for key in due:
            groups.setdefault(same(key), []).append(key)
        for group in map(tuple, groups.values()):
            if len(group) > 1 and group not in seen:
                seen.add(group)
                yield group


def _likeness(act: Any, other: Any) -> float:
    """Of two acts of one kind: the fewer choices differ, the likelier one was written for the other."""
    fields = sum(getattr(act, name) != getattr(other, name) for name in act.__struct_fields__)
    return float(PER_FIELD ** (fields - 1))


def _entry(event: Event) -> tuple[Any, tuple[AnyPosting, ...]]:
    """What would have been entered twice. Numbers that were ruled differ by what they move, decisions by themselves."""
    return event.do, event.moved if isinstance(event.do, Adjusted) else ()


def _retold(event: Event, said: AnyTold) -> Event:
    return structs.replace(event, do=said.do, moved=said.moved, facts=said.facts)
