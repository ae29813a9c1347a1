"""Where a count went wrong: the stretch that a slip lies in, and the smallest edits that explain it.

A slip is found by what it leaves behind. What the table did otherwise (`misplayed`) shifts the count by what the
changed posting says, so nothing needs folding to know it. What the scribe wrote otherwise (`misrecorded`) shifts
whatever was computed on top of it, so the stretch is folded again with the other act, as far as the count. Only what
fits the count is audited, to the end of the log: later counts and later moves speak too.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any, Literal, TypeAlias

from msgspec import Struct, structs

from spyrium_log.edit.amend import again, amended, amendment, is_said, told
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import AnyEdit, AnyTold, Declared, Drop, Event, InsertAfter, Mode, Replace, Told
from spyrium_log.log.timeline import asides, ref_of
from spyrium_log.replay import Finding, Replay, audited, fold, replay, results
from spyrium_log.title import Adjusted, AnyPosting, Counted, Paused, Posting, Resynced, Seen

Kind: TypeAlias = Literal[
    "missed",  # the table did not pay or take it
    "twice",  # the table paid or took it twice
    "amount",  # the table paid or took another amount
    "other_resource",  # the table moved something else
    "other_seat",  # the table gave it to, or took it from, somebody else
    "other_choice",  # the same kind of act, another card, place, token …
    "other_act",  # another kind of act altogether
    "forgotten",  # it happened and was not written down
    "doubled",  # it happened once and was written down twice
    "never",  # it was written down and did not happen
    "two_slips",  # no one edit explains it
    "ruled",  # nobody knows: the count stands
]

# How much likelier one kind of slip is than another before anything is known of the game: what is forgotten, reckoned
# in one's head or written down in a hurry goes wrong every evening; a thing handed over wrong is seen by whoever sits
# beside; that a scribe makes up a move hardly happens. Only the order of size matters.
PRIORS: Mapping[Kind, float] = {
    "missed": 1.0,
    "doubled": 1.0,
    "forgotten": 1.0,
    "other_choice": 1.0,
    "amount": 1.0,
    "twice": 0.3,
    "other_seat": 0.3,
    "other_resource": 0.3,
    "other_act": 0.2,
    "never": 0.05,
}
# Each further field that would have been written wrong at once.
PER_FIELD = 0.3
# Each further unit that an amount would have been wrong by.
PER_UNIT = 0.6

MOST_AUDITED = 200
MOST_PAIRS = 40

Key: TypeAlias = tuple[int, str]
Change: TypeAlias = dict[Key, int]


class Off(Struct, frozen=True, kw_only=True):
    """What was counted, what the log comes to, and how far apart the two were already when it was counted before."""

    who: int
    what: str
    counted: int
    folded: int
    carried: int = 0

    @property
    def n(self) -> int:
        """What has to be explained here."""
        return self.counted - self.folded - self.carried


class Stretch(Struct, frozen=True, kw_only=True):
    """From the last count that agreed (`0`: none did) to the one that does not; of a declared result, to the end."""

    of: Literal["count", "result"]
    after: str
    until: str
    off: tuple[Off, ...]


class Proposal(Struct, frozen=True, kw_only=True):
    """Edits that would explain a stretch. `alike`: others of this kind after which the table looks the same."""

    kind: Kind
    mode: Mode
    edits: tuple[AnyEdit, ...]
    left: tuple[Off, ...]
    open: int
    alike: tuple[tuple[AnyEdit, ...], ...] = ()

    @property
    def explains(self) -> Literal["all", "partly"]:
        return "partly" if self.left else "all"


# --- stretches -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Known:
    """The last word on one number: how far off the log was, and as of which event."""

    off: int = 0
    place: int = 0


def stretches(done: Replay) -> list[Stretch]:
    """Each count whose difference is new there, and each declared result that the log does not come to.

    A difference that an earlier count had already shown is no second slip.
    """
    title = done.title
    unexplained = {finding.ref for finding in done.findings if finding.kind == "count" and finding.is_open}
    known: dict[Key, _Known] = {}
    found = []
    agreed = 0
    for place, event in enumerate(done.events, 1):
        if isinstance(event.do, Resynced):
            before = _held(done, place - 1)
            known |= {key: _Known(0, place) for key, n in _held(done, place).items() if n != before[key]}
        if not isinstance(event.do, Counted):
            continue
        held = {(has.who, has.what): has.n for has in title.held(done.state_at(place - 1))}
        off = []
        since = place
        for said in event.do.held:
            key = said.who, said.what
            folded = held.get(key, 0)
            last = known.get(key, _Known())
            known[key] = _Known(said.n - folded, place)
            if said.n - folded not in (0, last.off):
                off.append(Off(who=said.who, what=said.what, counted=said.n, folded=folded, carried=last.off))
                since = min(since, last.place)
        if off and ref_of(event) in unexplained:
            found.append(Stretch(of="count", after=_ref(done, since), until=ref_of(event), off=tuple(off)))
        if all(held.get((said.who, said.what), 0) == said.n for said in event.do.held):
            agreed = place
    return found + _declared(done, _ref(done, agreed))


def _ref(done: Replay, place: int) -> str:
    return ref_of(done.events[place - 1]) if place else "0"


def _held(done: Replay, place: int) -> Change:
    return {(has.who, has.what): has.n for has in done.title.held(done.state_at(place))}


def _declared(done: Replay, after: str) -> list[Stretch]:
    unexplained = {finding.n for finding in done.findings if finding.kind == "result" and finding.is_open}
    totals = {score.seat: score.total for score in done.scores()}
    return [
        Stretch(
            of="result",
            after=after,
            until=str(aside.n),
            off=tuple(
                Off(who=said.seat, what="result", counted=said.points, folded=totals.get(said.seat, 0))
                for said in aside.results
                if totals.get(said.seat, 0) != said.points
            ),
        )
        for aside in asides(done.log.lines)
        if isinstance(aside, Declared) and aside.n in unexplained
    ]


# --- what could have happened --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Try:
    """One edit at one place, how the count would change by it, and its weight among its kind."""

    kind: Kind
    mode: Mode
    place: int
    edit: AnyEdit
    weight: float
    change: Change


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What the log would come to: numbers at the count, the table there, open findings from the edit on."""

    tries: tuple[_Try, ...]
    change: Change
    table: Struct
    open: int


def located(log: Log, stretch: Stretch, *, most: int = 10, effort: int = 250, who: str = "the count") -> list[Proposal]:
    """The edits that explain a stretch best, the likeliest first.

    `effort` bounds the search by so many replays of the whole log; what lies nearest to the count is looked at first.
    `who` is whom a posting cites that says the table did otherwise than the rules.
    """
    search = _Search(log, stretch, effort * (len(log.lines) + 1), Seen(who=who, why=f"as counted in {stretch.until}"))
    wanted = search.wanted
    posted, written = list(search.misplayed()), list(search.misrecorded())
    posted += list(search.carried_on(posted))
    if not any(each.change == wanted for each in chain(posted, written)):
        written = list(search.misrecorded(anyway=True))
    tries = [*posted, *written]
    fitting: list[tuple[_Try, ...]] = [(each,) for each in tries if each.change == wanted]
    if not fitting:
        partly = [(each,) for each in tries if each.change and each.change.items() <= wanted.items()]
        fitting = [*_pairs(tries, wanted), *_likeliest(partly)[:MOST_AUDITED]]
    outcomes = [search.best_outcome(each) for each in _likeliest(fitting)[:MOST_AUDITED]]
    ranked = [_proposal(search, group) for group in _ranked(search, tries, outcomes)[:most]]
    return [*ranked, *search.ruled()][:most]


def _likeliest(fitting: Sequence[tuple[_Try, ...]]) -> list[tuple[_Try, ...]]:
    return sorted(fitting, key=lambda tries: (-_weight(tries), -tries[-1].place))


def _weight(tries: Iterable[_Try]) -> float:
    weight = 1.0
    for each in tries:
        weight *= PRIORS[each.kind] * each.weight
    return weight


def _pairs(tries: Sequence[_Try], wanted: Change) -> list[tuple[_Try, ...]]:
    """Two edits of different events that explain together what neither does."""
    by_change: dict[frozenset[tuple[Key, int]], list[_Try]] = {}
    for each in tries:
        if each.change:
            by_change.setdefault(frozenset(each.change.items()), []).append(each)
    found: list[tuple[_Try, ...]] = []
    for change, ones in by_change.items():
        rest = dict(wanted)
        for key, n in change:
            rest[key] = rest.get(key, 0) - n
        others = by_change.get(frozenset((key, n) for key, n in rest.items() if n), ())
        if others:
            best, second = (max(some, key=lambda each: _weight([each])) for some in (ones, others))
            if best.place < second.place:
                found.append((best, second))
    return _likeliest(found)[:MOST_PAIRS]


def _ranked(search: _Search, tries: Iterable[_Try], outcomes: Sequence[_Outcome]) -> list[list[_Outcome]]:
    """Outcomes in groups that nothing on the record tells apart, the best group first.

    What explains more, and leaves fewer findings, comes first. Then the likelier: a kind of slip with few ways to
    happen in this stretch explains by chance less often than one with many, so a group weighs its share of its kind.
    """
    possible: defaultdict[Kind, float] = defaultdict(float)
    for each in tries:
        # every sum can be out by any amount, of which only one is tried
        possible[each.kind] += each.weight if each.kind != "amount" else 0
    possible["amount"] = search.sums
    groups: list[list[_Outcome]] = []
    for outcome in outcomes:
        for group in groups:
            if _is_alike(group[0], outcome):
                group.append(outcome)
                break
        else:
            groups.append([outcome])

    def order(group: list[_Outcome]) -> tuple[int, int, int, float, int]:
        first = group[0]
        share = 0.0
        for outcome in group:
            one = 1.0
            for each in outcome.tries:
                one *= PRIORS[each.kind] * each.weight / possible[each.kind]
            share += one
        return len(search.left(first.change)), first.open, len(first.tries), -share, -first.tries[-1].place

    return sorted(groups, key=order)


def _is_alike(one: _Outcome, other: _Outcome) -> bool:
    kinds = [[(each.kind, each.mode) for each in outcome.tries] for outcome in (one, other)]
    return kinds[0] == kinds[1] and one.change == other.change and one.open == other.open and one.table == other.table


def _proposal(search: _Search, group: Sequence[_Outcome]) -> Proposal:
    edits = [tuple(each.edit for each in outcome.tries) for outcome in group]
    first = group[0].tries
    mode = _mode(first)
    return Proposal(
        kind=first[0].kind if len(first) == 1 else "two_slips",
        mode=mode,
        edits=edits[0],
        left=search.left(group[0].change),
        open=search.open_after(edits[0], mode),
        alike=tuple(edits[1:]),
    )


def _mode(tries: Sequence[_Try]) -> Mode:
    """An amendment has one mode. What a person saw stays whatever is derived anew, so the scribe's slip decides."""
    return "misrecorded" if any(each.mode == "misrecorded" for each in tries) else "misplayed"


class _Search:
    """One stretch of one log, and what it takes to try an edit on it."""

    def __init__(self, log: Log, stretch: Stretch, budget: int, seen: Seen) -> None:
        self.log = log
        self.stretch = stretch
        self.budget = budget
        self.seen = seen
        self.done = replay(log)
        self.title = self.done.title
        self.events = self.done.events
        self.until = self._place(stretch.until) if stretch.of == "count" else len(self.events)
        self.after = 0 if stretch.after == "0" else self._place(stretch.after) + 1
        self.given = self._given()
        self.counts = self._counts()
        self.before = self._measured(self.done.state_at(self.until))
        self.wanted: Change = {(off.who, off.what): off.n for off in stretch.off}
        self.declared = [aside for aside in asides(log.lines) if isinstance(aside, Declared)]
        self.open = [finding for finding in self.done.findings if finding.is_open and finding.kind != "result"]
        self.seats = set(range(1, len(self.done.header.seats) + 1))
        self.resources = {has.what for has in self.title.held(self.done.state_at(0))}
        self.one_seat = 1 / max(1, len(self.seats) - 1)
        self.one_resource = 1 / max(1, len(self.resources) - 1)
        self.lacking = self._lacking()
        self.sums = 0
        self.broken = {self._place(finding.ref) for finding in self.done.findings if finding.kind == "breach"}
        self.anyway = False

    def _place(self, ref: str) -> int:
        return self.done.places[ref] - 1

    def _given(self) -> list[Any]:
        """What the rules make of each event as it stands."""
        title, state = self.title, self.done.state_at(0)
        given = []
        for event in self.events:
            given.append(title.effects(state, event.do))
            title.evolve(state, event.do, event.moved, event.facts)
        return given

    def _counts(self) -> dict[int, dict[Key, tuple[int, int]]]:
        """For each count before the one that disagrees, and each number of it: what the log has, and what was said."""
        counts = {}
        for place, event in enumerate(self.events[: self.until]):
            if isinstance(event.do, Counted):
                held = _held(self.done, place)
                counts[place] = {
                    (said.who, said.what): (held.get((said.who, said.what), 0), said.n) for said in event.do.held
                }
        return counts

    def _measured(self, state: Any) -> Change:
        """What the stretch ends in: the numbers that were counted, or everybody's total."""
        if self.stretch.of == "result":
            return {(score.seat, "result"): score.total for score in self.title.score(state)}
        said = {(holding.who, holding.what) for holding in self.events[self.until].do.held}
        return {key: has.n for has in self.title.held(state) if (key := (has.who, has.what)) in said}

    def _changed(self, state: Any) -> Change:
        before = self.before
        return {key: n - before[key] for key, n in self._measured(state).items() if n != before[key]}

    def left(self, change: Change) -> tuple[Off, ...]:
        """What such a change would leave unexplained, or bring about."""
        off = {(each.who, each.what): each for each in self.stretch.off}
        left = []
        for key in dict.fromkeys((*off, *change)):
            was = off.get(key)
            if was is None:
                was = Off(who=key[0], what=key[1], counted=self.before[key], folded=self.before[key])
            now = structs.replace(was, folded=was.folded + change.get(key, 0))
            if now.n:
                left.append(now)
        return tuple(left)

    def _lacking(self) -> list[tuple[Key, int]]:
        """By how much which number would have to be other: of a total, any resource that makes as many points."""
        if self.stretch.of == "count":
            return list(self.wanted.items())
        lacking = []
        for (who, _), n in self.wanted.items():
            for what in sorted(self.resources):
                state = self.done.state_at(self.until)
                self.title.evolve(state, Paused(), (Posting(who, what, n, "adjusted"),), ())
                if self._changed(state) == {(who, "result"): n}:
                    lacking.append(((who, what), n))
        return lacking

    # --- what the table may have done otherwise --------------------------------------------------

    def misplayed(self) -> Iterator[_Try]:
        for place in range(self.until - 1, self.after - 1, -1):
            event = self.events[place]
            if not isinstance(event.do, Adjusted | Counted | Resynced):
                for kind, weight, moved in self._otherwise(event):
                    edit = Replace(at=ref_of(event), event=Told(do=event.do, moved=moved, facts=event.facts))
                    yield _Try(kind, "misplayed", place, edit, weight, self._shift(place, event, moved))

    def carried_on(self, posted: Sequence[_Try]) -> Iterator[_Try]:
        """What the table did otherwise, where the recorder's tool then worked out more on top of what it did not know.

        Only what explains a part by itself is folded for that, as for a slip of the scribe.
        """
        for each in posted:
            if each.change.items() & self.wanted.items():
                state = self.done.state_at(each.place)
                for carried in self._folded(each.kind, each.weight, each.place, state, each.edit):
                    if carried.change != each.change:
                        yield carried

    def _shift(self, place: int, event: Event, moved: Sequence[AnyPosting]) -> Change:
        """How other postings would change the count. Later effects stand, so only a total has to be folded for."""
        if self.stretch.of == "result":
            state = self.done.state_at(place)
            self.title.evolve(state, event.do, moved, event.facts)
            self.budget -= self.until - place
            return self._changed(fold(self.title, state, self.events[place + 1 :]))
        sums = Counter[Key]()
        for posting in moved:
            sums[posting.who, posting.what] += posting.n
        for posting in event.moved:
            sums[posting.who, posting.what] -= posting.n
        return {key: n for key, n in sums.items() if n and key in self.before}

    def _otherwise(self, event: Event) -> Iterator[tuple[Kind, float, tuple[AnyPosting, ...]]]:
        """The event's postings as the table may have made them. What somebody saw is not doubted."""
        kept = {(posting.who, posting.what, posting.why) for posting in event.moved if is_said(posting)}
        due = Counter[tuple[int, str, str]]()
        for posting in event.moved:
            if (key := (posting.who, posting.what, posting.why)) not in kept:
                due[key] += posting.n
        for key, n in due.items():
            who, what, why = key
            yield self._as("missed", 1, event, {key: 0})
            yield self._as("twice", 1, event, {}, (who, what, n, why))
            for resource in self.resources - {what}:
                yield self._as("other_resource", self.one_resource, event, {key: 0}, (who, resource, n, why))
            for seat in self.seats - {who}:
                yield self._as("other_seat", self.one_seat, event, {key: 0}, (seat, what, n, why))
        for some in _together(due):
            yield self._as("missed", 1 / len(some), event, dict.fromkeys(some, 0))
        yield from self._amounts(event, due)

    def _amounts(
        self, event: Event, due: Mapping[tuple[int, str, str], int]
    ) -> Iterator[tuple[Kind, float, tuple[AnyPosting, ...]]]:
        """What was paid or taken in all, wrong by what the count lacks: `table` says that only the total is known."""
        totals = Counter[Key]()
        parts: dict[Key, set[int]] = {}
        for (who, what, _), n in due.items():
            totals[who, what] += n
            parts.setdefault((who, what), set()).add(n)
        self.sums += len(totals)
        for (who, what), n in self.lacking:
            total = totals.get((who, what))
            if total is None or total * (total + n) <= 0 < abs(total) or {n, -n} & parts[who, what]:
                continue
            weight = (1 - PER_UNIT) / 2 * PER_UNIT ** (abs(n) - 1)
            yield "amount", weight, (*event.moved, Posting(who, what, n, "table", self.seen))

    def _as(
        self,
        kind: Kind,
        weight: float,
        event: Event,
        instead: Mapping[tuple[int, str, str], int],
        *beside: tuple[int, str, int, str],
    ) -> tuple[Kind, float, tuple[AnyPosting, ...]]:
        """The event's postings with some said otherwise: a seen one stands in the place of what the rules give."""
        kept = [each for each in event.moved if (each.who, each.what, each.why) not in instead]
        said = [Posting(who, what, n, why, self.seen) for (who, what, why), n in instead.items()]
        more = [Posting(who, what, n, why, self.seen) for who, what, n, why in beside]
        return kind, weight, (*kept, *said, *more)

    # --- what the scribe may have written otherwise ----------------------------------------------

    def misrecorded(self, *, anyway: bool = False) -> Iterator[_Try]:
        """Other acts, one more and one less in the stretch; before it, other acts that no count until then shows.

        A slip that later moves contradict is left out at once, unless nothing else explains the count.
        """
        if not self.events:
            return
        self.anyway = anyway
        done_so = Counter(event.do for event in self.events[self.after : self.until])
        for place in range(self.until, -1, -1):
            if self.budget <= 0:
                return
            state = self.done.state_at(place)
            legal = self.title.legal(state)
            self.budget -= len(legal)
            if place < self.until:
                yield from self._replaced(place, state, legal)
            if place >= self.after:
                yield from self._inserted(place, state, legal)
                if place < self.until:
                    yield from self._dropped(place, state, done_so)

    def _replaced(self, place: int, state: Any, legal: Sequence[Any]) -> Iterator[_Try]:
        event = self.events[place]
        if not isinstance(event.do, self.title.wire.decision):
            return
        for act in legal:
            if act == event.do:
                continue
            edit = Replace(at=ref_of(event), event=told(self.title, state, act))
            if type(act) is type(event.do):
                fields = sum(getattr(act, name) != getattr(event.do, name) for name in act.__struct_fields__)
                yield from self._folded("other_choice", PER_FIELD ** (fields - 1), place, state, edit)
            else:
                yield from self._folded("other_act", 1, place, state, edit)

    def _inserted(self, place: int, state: Any, legal: Sequence[Any]) -> Iterator[_Try]:
        for act in legal:
            edit = InsertAfter(at=_ref(self.done, place), event=told(self.title, state, act))
            yield from self._folded("forgotten", 1, place, state, edit)

    def _dropped(self, place: int, state: Any, done_so: Mapping[Any, int]) -> Iterator[_Try]:
        event = self.events[place]
        if isinstance(event.do, self.title.wire.decision | Adjusted):
            kind: Kind = "doubled" if done_so[event.do] > 1 else "never"
            yield from self._folded(kind, 1, place, state, Drop(at=ref_of(event)))

    def _folded(self, kind: Kind, weight: float, place: int, state: Any, edit: AnyEdit) -> Iterator[_Try]:
        """The stretch with the edit, as far as the count, unless a count before it would have shown that."""
        state = self.title.copy(state)
        if not isinstance(edit, Drop):
            self.title.evolve(state, edit.event.do, edit.event.moved, edit.event.facts)
        for index in range(place if isinstance(edit, InsertAfter) else place + 1, self.until):
            if index in self.counts and self._is_disturbed(index, state):
                return
            self.budget -= 1
            event = self.events[index]
            if not self.anyway and index not in self.broken and self.title.breaches(state, event.do):
                return
            event = self._rederived(index, state)
            self.title.evolve(state, event.do, event.moved, event.facts)
        change = self._changed(state)
        if change:
            yield _Try(kind, "misrecorded", place, edit, weight, change)

    def _is_disturbed(self, index: int, state: Any) -> bool:
        held = {(has.who, has.what): has.n for has in self.title.held(state)}
        return any(held.get(key, 0) not in either for key, either in self.counts[index].items())

    def _rederived(self, index: int, state: Any) -> Event:
        """The event as an amendment of a scribe's slip would tell it on this state."""
        event = self.events[index]
        now = self.title.effects(state, event.do)
        if now == self.given[index]:
            return event
        effects = again(event, self.given[index], now)
        if effects is None:
            return event
        return structs.replace(event, moved=tuple(effects.moved), facts=tuple(effects.facts))

    # --- what then stands ------------------------------------------------------------------------

    def best_outcome(self, tries: tuple[_Try, ...]) -> _Outcome:
        """What the table did otherwise may have been carried on by the recorder's tool, after the count too."""
        as_it_stands = self._outcome(tries)
        if not as_it_stands.open or _mode(tries) == "misrecorded":
            return as_it_stands
        carried_on = self._outcome(tuple(dataclasses.replace(each, mode="misrecorded") for each in tries))
        return min((as_it_stands, carried_on), key=lambda each: (len(self.left(each.change)), each.open))

    def _outcome(self, tries: tuple[_Try, ...]) -> _Outcome:
        """The log with these edits, audited from the first of them to the end."""
        title = self.title
        mode = _mode(tries)
        edits = {each.place: each.edit for each in tries}
        start = min(edits)
        state = self.done.state_at(start)
        found: list[Finding] = []
        at_count = None
        for place in range(start, len(self.events) + 1):
            for event in self._edited(place, state, edits.get(place), mode):
                if place == self.until and event is self._event(place):
                    at_count = title.copy(state)
                found += audited(title, state, event)
                title.evolve(state, event.do, event.moved, event.facts)
        at_count = state if at_count is None else at_count
        found += results(self.declared, title.score(state))
        known = sum(self.done.places.get(finding.ref, start + 1) <= start for finding in self.open)
        return _Outcome(
            tries, self._changed(at_count), title.view(at_count), known + sum(finding.is_open for finding in found)
        )

    def _event(self, place: int) -> Event | None:
        return self.events[place] if place < len(self.events) else None

    def _edited(self, place: int, state: Any, edit: AnyEdit | None, mode: Mode) -> Iterator[Event]:
        """What stands at a place instead of its event. The caller folds each before asking for the next."""
        if isinstance(edit, InsertAfter):
            near = self.events[min(place, len(self.events) - 1)]
            yield _retold(near, edit.event)
        event = self._event(place)
        if event is None or isinstance(edit, Drop):
            return
        if isinstance(edit, Replace):
            yield _retold(event, edit.event)
        else:
            yield event if mode == "misplayed" else self._rederived(place, state)

    def open_after(self, edits: Sequence[AnyEdit], mode: Mode) -> int:
        """How many findings would be open, by the amendment itself."""
        line = amendment(self.log, edits, mode, by="", why="")
        return sum(finding.is_open for finding in replay(amended(self.log, line)).findings)

    def ruled(self) -> Iterator[Proposal]:
        """What is left when nobody remembers: what was counted stands. Of a total nobody can say what it came from."""
        if self.stretch.of == "count":
            act = Adjusted(who=self.seen.who, why=self.seen.why)
            moved = tuple(Posting(off.who, off.what, off.n, "adjusted", self.seen) for off in self.stretch.off)
            edit: AnyEdit = InsertAfter(at=_ref(self.done, self.until), event=Told(do=act, moved=moved))
            edits: tuple[AnyEdit, ...] = (edit,)
            yield Proposal(
                kind="ruled", mode="misplayed", edits=edits, left=(), open=self.open_after(edits, "misplayed")
            )


def _together(due: Iterable[tuple[int, str, str]]) -> Iterator[list[tuple[int, str, str]]]:
    """What is forgotten together: all of one resource a seat has from an event, all of a seat, all of one cause."""
    seen = set()
    for same in (itemgetter(0, 1), itemgetter(0), itemgetter(2)):
        groups: dict[Any, list[tuple[int, str, str]]] = {}
        for key in due:
            groups.setdefault(same(key), []).append(key)
        for group in groups.values():
            if len(group) > 1 and tuple(group) not in seen:
                seen.add(tuple(group))
                yield group


def _retold(event: Event, said: AnyTold) -> Event:
    return structs.replace(event, do=said.do, moved=said.moved, facts=said.facts)
