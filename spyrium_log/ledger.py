"""The ledger: every change of every resource, with its cause and the number of its rule."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

from msgspec import Struct

from spyrium_log.log.lines import AnyHeader, Event
from spyrium_log.log.timeline import insertion_number, insertion_numbers, make_ref
from spyrium_log.title import AnyTitle, Counted, PostingKey, Resynced, posting_key

# Whose and what an amount is; what belongs to nobody is of seat 0.
SeatResource: TypeAlias = tuple[int, str]
Holdings: TypeAlias = AbstractSet[SeatResource]
# By the index of an event, its amounts that rest on printed values which nobody has checked.
AssumedKeys: TypeAlias = Mapping[int, AbstractSet[PostingKey]]


class Entry(Struct, frozen=True, gc=False, kw_only=True):
    """One row of the ledger: what moved for whom, why, by which rule, in which line or inserted event `n.i`.

    `seen`: a person ruled it; `assumed`: the rules took it from a printed value that nobody has checked.
    """

    n: int
    i: int = 0
    who: int
    what: str
    amount: int
    why: str
    number: str
    seen: bool = False
    assumed: bool = False

    @property
    def ref(self) -> str:
        """The name of the event that moved it; 0 for what a seat started with."""
        return make_ref(self.n, self.i)


def make_ledger(
    title: AnyTitle, header: AnyHeader, events: Sequence[Event], assumed: AssumedKeys, start: Any
) -> list[Entry]:
    """What the seats start with and all that moved since. `start`, the state before the first event, is changed."""
    # what a log moves for a seat that does not exist stands with the table, 0
    rules = title.causes
    seats = len(header.seats)
    rows = [
        Entry(n=0, who=who, what=what, amount=amount, why="start", number=rules["start"])
        for who, seat in enumerate(header.seats, 1)
        for what, amount in seat.start
    ]
    unseen = dict(_find_unseen(title, events, start, seats))
    for index, (event, i) in enumerate(zip(events, insertion_numbers(events), strict=True)):
        rows += unseen.get(index, ())
        if not event.moved:
            continue
        n, keys = event.n, assumed.get(index)
        rows += [
            Entry(
                n=n,
                i=i,
                who=posting.who if posting.who <= seats else 0,
                what=posting.what,
                amount=posting.n,
                why=posting.why,
                number=rules[posting.why],
                seen=posting.seen is not None,
                assumed=keys is not None and posting.seen is None and posting_key(posting) in keys,
            )
            for posting in event.moved
        ]
    return rows


def _find_unseen(title: AnyTitle, events: Sequence[Event], state: Any, seats: int) -> Iterator[tuple[int, list[Entry]]]:
    """For each position that somebody stated, the index of its event and entries for what nobody saw move before."""
    if not [event for event in events if type(event.do) is Resynced]:
        return
    for index, event in enumerate(events):
        before = collect_holdings(title, state) if type(event.do) is Resynced else None
        title.evolve(state, event.do, event.moved, event.facts)
        if before is not None:
            yield index, [*_make_unseen_entries(title, event, before, collect_holdings(title, state), seats)]


def walk_assumed_holdings(ledger: Sequence[Entry], events: Sequence[Event]) -> Iterator[Holdings]:
    """Before the first event and after each: the amounts, by seat and resource, that rest on unchecked values.

    Whoever counts an amount, rules what an event moved of it, or states it with a position, settles it.
    """
    entries: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in ledger:
        if entry.assumed or entry.seen or entry.why == "unseen":
            entries[entry.ref].append(entry)
    assumed: Holdings = frozenset()
    yield assumed
    for event in events:
        if isinstance(event.do, Counted):
            assumed -= {(holding.who, holding.what) for holding in event.do.held}
        if own := entries.get(make_ref(event.n, insertion_number(event))):
            # what a person says that an event moved is certain, and so is a position
            ruled = {(entry.who, entry.what) for entry in own if entry.seen}
            assumed -= {(entry.who, entry.what) for entry in own if entry.why == "unseen"}
            assumed |= {(entry.who, entry.what) for entry in own if entry.assumed} - ruled
        yield assumed


def find_assumed_holdings(ledger: Sequence[Entry], events: Sequence[Event]) -> Holdings:
    """Those after the last event. Where nobody settled an amount, they are all that ever were: quick to say."""
    settled = [entry for entry in ledger if entry.seen or entry.why == "unseen"]
    counts = [event for event in events if type(event.do) is Counted]
    if settled or counts:
        *_, last = walk_assumed_holdings(ledger, events)
        return last
    return {(entry.who, entry.what) for entry in ledger if entry.assumed}


def collect_holdings(title: AnyTitle, state: Any) -> dict[SeatResource, int]:
    """The amounts that everybody has, by seat and resource, to compare them with others; the table is seat 0."""
    return {(holding.who, holding.what): holding.n for holding in title.held(state)}


def _make_unseen_entries(
    title: AnyTitle, event: Event, before: Mapping[SeatResource, int], after: Mapping[SeatResource, int], seats: int
) -> Iterable[Entry]:
    """An entry for each amount (by seat and resource) that the event changed beyond its postings."""
    posted: Counter[SeatResource] = Counter()
    for posting in event.moved:
        posted[posting.who if posting.who <= seats else 0, posting.what] += posting.n
    number = title.causes["unseen"]
    for (who, what), now in after.items():
        amount = now - before[who, what] - posted[who, what]
        if amount:
            yield Entry(
                n=event.n, i=insertion_number(event), who=who, what=what, amount=amount, why="unseen", number=number
            )
