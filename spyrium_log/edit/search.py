"""Slips that could have happened between two counts, each with how the second count would change by it.

A slip of the table changes what its posting says; after one of the scribe the events are folded again with another act.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from spyrium_log.audit import Finding, audit_event, wrong_result_findings
from spyrium_log.edit import amend
from spyrium_log.edit.amend import AnyAct, AnyState
from spyrium_log.edit.slip import (
    PER_UNIT,
    Change,
    OtherPostings,
    Outcome,
    PlacedEdit,
    Postings,
    Slip,
    SlipKind,
    Stretch,
    choose_mode,
    entry_key,
    group_forgotten_together,
    list_other_choices,
    replace_body,
    zero_postings,
)
from spyrium_log.errors import AmendmentError
from spyrium_log.folding import fold_events
from spyrium_log.ledger import SeatResource, collect_holdings
from spyrium_log.log.lines import AnyEdit, Declared, Drop, Event, InsertAfter, Replace
from spyrium_log.log.timeline import list_asides, ref_of
from spyrium_log.replay import Replay
from spyrium_log.title import (
    MOST_AMOUNT,
    Adjusted,
    Counted,
    Effects,
    Paused,
    Posting,
    PostingKey,
    Resynced,
    Seen,
    posting_key,
)

# What a declared result counts: points with everything that the final count adds.
TOTAL = "result"
PlacedReplace: TypeAlias = tuple[int, amend.AnyReplace]


def find_ref_before(game: Replay, place: int) -> str:
    """The name of the event before a place, `57` or `57.1`; before the first `0`, the header."""
    return ref_of(game.events[place - 1]) if place else "0"


def _count_events_to(game: Replay, ref: str) -> int:
    """How many events there are up to and including this one, 0 for the header (`0`); refused if it does not stand."""
    if ref == "0":
        return 0
    if ref not in game.position_by_name:
        raise AmendmentError("standing-event", found=ref)
    return game.position_by_name[ref]


class Search:
    """Tries slips among the events from place `after` to the count at `until`; for a declared result, to the end.

    `wanted`: by how much each number has to change. `budget`: how many events may still be looked at; what lies nearest
    to the count is tried first. `tried`: how many slips were; `is_cut`: the budget ended before the slips did.
    """

    def __init__(self, game: Replay, stretch: Stretch, budget: int) -> None:
        """Fold the game once, and keep what every attempt needs of it."""
        self.game = game
        self.title = game.title
        self.events = game.events
        self.is_result = stretch.of == "result"
        self.after = _count_events_to(game, stretch.after)
        # the count itself is not searched
        self.until = len(game.events) if self.is_result else _count_events_to(game, stretch.until) - 1
        self.wanted: Change = {off.key: off.n for off in stretch.off}
        self.budget = budget
        self.tried = 0
        self.is_cut = False
        self.before = self._read_numbers(game.state_at(self.until))
        # for each kind of slip, the sum of the weights of all that could have happened
        self.possible: defaultdict[SlipKind, float] = defaultdict(float)
        # acts whose choice a later act names: a wrong choice takes two wrong entries
        self.named: set[int] = set()
        self._seats = range(1, len(game.header.seats) + 1)
        self._resources = tuple(dict.fromkeys(holding.what for holding in self.title.held(game.state_at(0))))
        self.lacking = list(self._find_lacking())
        # for each event its effects by the rules, and the round after it
        self._effects: list[Effects | None] = []
        self.rounds: list[int] = []
        self._fold_once()
        self._counts = self._find_earlier_counts()
        self._declared = [aside for aside in list_asides(game.log.lines) if isinstance(aside, Declared)]
        self._open = [finding for finding in game.findings if finding.is_open and finding.kind != "result"]
        self._broken = {game.position_by_name[finding.ref] - 1 for finding in game.findings if finding.kind == "breach"}

    def spend(self, events: int = 0) -> bool:
        """Take so many events off the budget; returns whether it is used up, and notes that if it is."""
        self.budget -= events
        self.is_cut = self.is_cut or self.budget <= 0
        return self.budget <= 0

    def list_legal(self, state: AnyState) -> Sequence[AnyAct]:
        """The legal acts on this state; each takes one event off the budget, because each is then tried."""
        legal = self.title.legal(state)
        self.budget -= len(legal)
        return legal

    def replace_act(self, place: int, state: AnyState, act: AnyAct) -> PlacedReplace:
        """The edit, with its place, that puts an act there instead of the event, with its effects on this state."""
        return place, Replace(at=ref_of(self.events[place]), event=amend.make_event_body(self.title, state, act))

    def _fold_once(self) -> None:
        """Fold the game as it stands, and note the effects by the rules of every event, and the round after it."""
        title, state = self.title, self.game.state_at(0)
        for event in self.events:
            self._effects.append(title.effects(state, event.do))
            title.evolve(state, event.do, event.moved, event.facts)
            self.rounds.append(title.round(state))

    def _find_earlier_counts(self) -> dict[int, dict[SeatResource, tuple[int, int]]]:
        """For each count before the last, by place: each of its numbers by the log, and as it was counted."""
        counts = {}
        for place, event in enumerate(self.events[: self.until]):
            if isinstance(event.do, Counted):
                held = collect_holdings(self.title, self.game.state_at(place))
                keys = {(counted.who, counted.what): counted.n for counted in event.do.held}
                counts[place] = {key: (held.get(key, 0), n) for key, n in keys.items()}
        return counts

    def _read_numbers(self, state: AnyState) -> Change:
        """The numbers on this state that the count counted; for a declared result, everybody's total."""
        if self.is_result:
            return {(score.seat, TOTAL): score.total for score in self.title.score(state)}
        counted = {(holding.who, holding.what) for holding in self.events[self.until].do.held}
        return {key: n for key, n in collect_holdings(self.title, state).items() if key in counted}

    def _find_change(self, state: AnyState) -> Change:
        """By how much the counted numbers on this state differ from those by the log."""
        return {key: n - self.before[key] for key, n in self._read_numbers(state).items() if n != self.before[key]}

    def _find_lacking(self) -> Iterator[tuple[SeatResource, int]]:
        """The changes of single resources that would make the count right; for a total, each worth that many points."""
        for (seat, resource), n in self.wanted.items():
            # no posting holds more
            if abs(n) > MOST_AMOUNT:
                continue
            if not self.is_result:
                yield (seat, resource), n
                continue
            for worth in self._resources:
                state = self.game.state_at(self.until)
                # a pause has no effect but its postings
                self.title.evolve(state, Paused(), (Posting(seat, worth, n, "adjusted"),), ())
                if self._find_change(state) == {(seat, TOTAL): n}:
                    yield (seat, worth), n

    def find_table_slips(self, seen: Seen) -> Iterator[Slip]:
        """Each posting missed, made twice, of another amount or resource, or for another seat, as `seen` says."""
        for place in range(self.until - 1, self.after - 1, -1):
            event = self.events[place]
            if isinstance(event.do, Adjusted | Counted | Resynced):
                continue
            for kind, weight, moved in self._list_other_postings(event, seen):
                # an event has a few postings, which are free; in a hostile log it may have a million
                if self.spend(len(moved) // 8):
                    return
                self.tried += 1
                # `_list_other_totals` counts how many amounts could be wrong
                self.possible[kind] += weight if kind != "amount" else 0
                edit = Replace(
                    at=ref_of(event), event=amend.make_event_body_with(event.do, Effects(moved, event.facts))
                )
                yield Slip(kind, "misplayed", ((place, edit),), weight, self._compute_change_by_postings(place, moved))

    def carry_on_slips(self, slips: Sequence[Slip]) -> Iterator[Slip]:
        """Slips of the table that explain a part, where the scribe's tool went on from them: later effects changed."""
        for slip in slips:
            if slip.change.items() & self.wanted.items():
                carried = self.fold_edits(slip.kind, slip.weight, slip.edits)
                if carried is not None and carried.change != slip.change:
                    yield carried

    def _compute_change_by_postings(self, place: int, moved: Postings) -> Change:
        """How other postings of an event would change the count. Later effects stay: only totals need folding."""
        event = self.events[place]
        if self.is_result:
            state = self.game.state_at(place)
            self.title.evolve(state, event.do, moved, event.facts)
            self.budget -= self.until - place
            return self._find_change(fold_events(self.title, state, self.events[place + 1 :]))
        sums = amend.sum_postings(moved)
        sums.subtract(amend.sum_postings(event.moved))
        return {key: n for key, n in sums.items() if n and key in self.before}

    def _list_other_postings(self, event: Event, seen: Seen) -> Iterator[OtherPostings]:
        """The event's postings as the table may really have made them. What somebody saw is not doubted."""
        manual = {posting_key(posting) for posting in event.moved if amend.is_manual(posting)}
        due: Counter[PostingKey] = Counter()
        for posting in event.moved:
            key = posting_key(posting)
            if key not in manual:
                due[key] += posting.n
        for key, n in due.items():
            if abs(n) <= MOST_AMOUNT:
                yield from self._list_other_postings_of_key(event, seen, key, n)
        for keys in group_forgotten_together(due):
            yield "missed", 1 / len(keys), zero_postings(event, seen, keys)
        yield from self._list_other_totals(event, seen, due)

    def _list_other_postings_of_key(self, event: Event, seen: Seen, key: PostingKey, n: int) -> Iterator[OtherPostings]:
        """The postings with those of one key, `n` in all, missed, made twice, of another resource, for another seat."""
        seat, resource, why = key
        without = zero_postings(event, seen, (key,))
        yield "missed", 1, without
        yield "twice", 1, (*event.moved, Posting(seat, resource, n, why, seen))
        for other in self._resources:
            if other != resource:
                yield "other_resource", 1 / (len(self._resources) - 1), (*without, Posting(seat, other, n, why, seen))
        for other_seat in self._seats:
            if other_seat != seat:
                weight = 1 / max(1, len(self._seats) - 1)
                yield "other_seat", weight, (*without, Posting(other_seat, resource, n, why, seen))

    def _list_other_totals(self, event: Event, seen: Seen, due: Mapping[PostingKey, int]) -> Iterator[OtherPostings]:
        """The postings with what the count lacks added to what was paid or taken, with cause `table`."""
        parts: defaultdict[SeatResource, list[int]] = defaultdict(list)
        for (seat, resource, _), n in due.items():
            parts[seat, resource].append(n)
        # a sum can be wrong by any amount; only the one that fits is tried
        self.possible["amount"] += len(due)
        for key, n in self.lacking:
            # nobody takes money instead of paying; a part that was missed or doubled is another kind
            if key in parts and not {n, -n} & {*parts[key]}:
                total = sum(parts[key])
                if total == 0 or total * (total + n) > 0:
                    # a sum of more parts goes wrong more often; the weights of all amounts off add up to 1 a part
                    weight = len(parts[key]) * (1 - PER_UNIT) / 2 * PER_UNIT ** (abs(n) - 1)
                    yield "amount", weight, (*event.moved, Posting(*key, n, "table", seen))

    def find_scribe_slips(self, *, allow_breaches: bool = False) -> Iterator[Slip]:
        """Acts to add, to drop or to replace by others; `allow_breaches`: also those that a later move contradicts."""
        entries = Counter(entry_key(event) for event in self.events[self.after : self.until])
        for place in range(self.until, -1, -1):
            if not self.events or self.spend():
                return
            for kind, weight, edit in self._list_other_entries(place, entries):
                slip = self.fold_edits(kind, weight, ((place, edit),), allow_breaches=allow_breaches)
                # what an earlier count would have shown did not happen; a choice that is named again is another kind
                is_named = kind == "other_choice" and place in self.named
                if not allow_breaches and (slip is not None or (place >= self.after and not is_named)):
                    self.possible[kind] += weight
                if slip is not None:
                    yield slip

    def _list_other_entries(
        self, place: int, entries: Mapping[tuple[AnyAct, Postings], int]
    ) -> Iterator[tuple[SlipKind, float, AnyEdit]]:
        """What the scribe may have written wrong at a place, with its correction; `entries`: how often each stands."""
        state = self.game.state_at(place)
        legal = self.list_legal(state)
        is_after_last_count = place >= self.after
        event = self.events[place] if place < self.until else None
        if event is not None and isinstance(event.do, self.title.wire.decision):
            for kind, weight, act in list_other_choices(event.do, legal):
                _, edit = self.replace_act(place, state, act)
                yield kind, weight, edit
        if is_after_last_count:
            after = find_ref_before(self.game, place)
            for act in legal:
                body = amend.make_event_body(self.title, state, act)
                yield "forgotten", 1 / len(legal), InsertAfter(at=after, event=body)
        if is_after_last_count and event is not None and isinstance(event.do, self.title.wire.decision | Adjusted):
            yield "doubled" if entries[entry_key(event)] > 1 else "never", 1, Drop(at=ref_of(event))

    def fold_edits(
        self, kind: SlipKind, weight: float, edits: tuple[PlacedEdit, ...], *, allow_breaches: bool = False
    ) -> Slip | None:
        """Fold the events with these edits, in order, to the count; None if it stays or an event before contradicts."""
        edit_at = dict(edits)
        start, _ = edits[0]
        state = self.game.state_at(start)
        self.tried += 1
        for place in range(start, self.until + 1):
            edit = edit_at.get(place)
            if isinstance(edit, InsertAfter | Replace):
                self.title.evolve(state, edit.event.do, edit.event.moved, edit.event.facts)
            is_kept = place < self.until and not isinstance(edit, Drop | Replace)
            if is_kept and not self.fold_event(place, state, allow_breaches=allow_breaches):
                return None
        change = self._find_change(state)
        return Slip(kind, "misrecorded", edits, weight, change) if change else None

    def fold_event(self, place: int, state: AnyState, *, allow_breaches: bool = False) -> bool:
        """Apply the event of a place to a changed state; False if a count or a rule contradicts it."""
        self.budget -= 1
        act = self.events[place].do
        if place in self._counts:
            held = collect_holdings(self.title, state)
            # the table has what was counted, or what the log had then although something else was counted
            if any(held.get(key, 0) not in numbers for key, numbers in self._counts[place].items()):
                return False
        if not allow_breaches and place not in self._broken and self.title.breaches(state, act):
            return False
        event = self._rederive_event(place, state)
        self.title.evolve(state, act, event.moved, event.facts)
        return True

    def _rederive_event(self, place: int, state: AnyState) -> Event:
        """The event with the effects that it would have on this state, as after a misrecorded amendment."""
        event, old_effects = self.events[place], self._effects[place]
        new_effects = self.title.effects(state, event.do)
        effects = None if new_effects == old_effects else amend.rederive_effects(event, old_effects, new_effects)
        return event if effects is None else replace_body(event, amend.make_event_body_with(event.do, effects))

    def find_outcome(self, slips: tuple[Slip, ...]) -> Outcome:
        """What the log comes to with these slips; those of the table may have been carried on after the count."""
        outcome = self._audit_slips(slips)
        if not outcome.open or choose_mode(slips) == "misrecorded":
            return outcome
        carried = self._audit_slips(tuple(dataclasses.replace(slip, mode="misrecorded") for slip in slips))
        return carried if carried.change == outcome.change and carried.open < outcome.open else outcome

    def _audit_slips(self, slips: tuple[Slip, ...]) -> Outcome:
        """What the log comes to with the edits of these slips: all events from the first of them on are audited."""
        mode = choose_mode(slips)
        edits = {place: edit for slip in slips for place, edit in slip.edits}
        start = min(edits)
        state = state_at_count = self.game.state_at(start)
        findings: list[Finding] = []
        for place in range(start, len(self.events) + 1):
            edit = edits.get(place)
            if isinstance(edit, InsertAfter):
                # the line of a neighbour stands in for the one that does not exist yet
                neighbour = self.events[min(place, len(self.events) - 1)]
                findings += self._audit_event(replace_body(neighbour, edit.event), state)
            if place == self.until:
                state_at_count = self.title.copy(state)
            if place < len(self.events) and not isinstance(edit, Drop):
                if isinstance(edit, Replace):
                    event = replace_body(self.events[place], edit.event)
                else:
                    event = self._rederive_event(place, state) if mode == "misrecorded" else self.events[place]
                findings += self._audit_event(event, state)
        findings += wrong_result_findings(self._declared, self.title.score(state))
        # what comes before the first edit stays as it is
        open_before = sum(self.game.position_by_name.get(finding.ref, start + 1) <= start for finding in self._open)
        open_findings = open_before + sum(finding.is_open for finding in findings)
        return Outcome(slips, self._find_change(state_at_count), self.title.screens.view(state_at_count), open_findings)

    def _audit_event(self, event: Event, state: AnyState) -> list[Finding]:
        """The findings of an event on this state, to which it is then applied."""
        findings = audit_event(self.title, state, event)
        self.title.evolve(state, event.do, event.moved, event.facts)
        return findings

    def rule_count(self, seen: Seen) -> Iterator[Outcome]:
        """The outcome of ruling that the count stands, if that changes anything; none for a declared total."""
        moved = tuple(Posting(*key, n, "adjusted", seen) for key, n in self.lacking)
        if moved and not self.is_result:
            event = amend.make_event_body_with(Adjusted(who=seen.who, why=seen.why), Effects(moved))
            edit = InsertAfter(at=find_ref_before(self.game, self.until), event=event)
            outcome = self._audit_slips((Slip("ruled", "misplayed", ((self.until, edit),), 1, {}),))
            if outcome.change:
                yield outcome
