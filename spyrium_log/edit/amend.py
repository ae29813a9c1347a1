"""An amendment before it is written: the line itself, and what it would change under either mode."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, TypeAlias, get_args

from msgspec import Struct, structs

from spyrium_log.errors import AmendmentError
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Amended, Amendment, AnyEdit, AnyTold, Event, Line, Mode, Rederived, Told
from spyrium_log.log.timeline import Edited, named, phantoms, ref_of
from spyrium_log.play import OPEN
from spyrium_log.replay import Entry, Finding, Replay, replay
from spyrium_log.title import AnyPosting, AnyTitle, Effects, Score, SharedCause

MOST_EDITS = 100


class Amount(Struct, frozen=True, kw_only=True):
    """A sum of the ledger that changes, in one event."""

    n: int
    i: int
    who: int
    what: str
    why: str
    before: int
    after: int

    @property
    def ref(self) -> str:
        return named(self.n, self.i)


class Consequences(Struct, frozen=True, kw_only=True):
    """What an amendment would change."""

    mode: Mode
    came: tuple[Finding, ...]
    went: tuple[Finding, ...]
    amounts: tuple[Amount, ...]
    before: tuple[Score, ...]
    after: tuple[Score, ...]


def told(title: AnyTitle, state: Any, act: Any) -> AnyTold:
    """An act with what the rules make of it on this state, for an edit to carry."""
    given = title.effects(state, act) or Effects()
    return Told(do=act, moved=tuple(given.moved), facts=tuple(given.facts))


def amendment(
    log: Log, edits: Sequence[AnyEdit], mode: Mode, *, by: str, at: datetime | None = None, why: str
) -> Amendment:
    """The line that makes these edits. A scribe's slip takes along every effect that was computed on top of it."""
    if not 0 < len(edits) <= MOST_EDITS:
        raise AmendmentError(f"expected 1 to {MOST_EDITS} edits, found {len(edits)}")
    n = len(log.lines)
    line: Amendment = Amended(n=n, by=by, at=at, mode=mode, edits=tuple(edits), why=why, prev=OPEN, hash=OPEN)
    lost = [ref for number, ref in phantoms([*log.lines, line]) if number == n]
    if lost:
        raise AmendmentError(f"expected an event that stands, found '{lost[0]}'")
    if mode == "misplayed":
        return line
    return structs.replace(line, effects=tuple(_rederived(log, line)))


def consequences(log: Log, edits: Sequence[AnyEdit], mode: Mode) -> Consequences:
    """Which findings come and go, which amounts, scores and places change: nothing is written."""
    before = replay(log)
    after = replay(amended(log, amendment(log, edits, mode, by="", why="")))
    return Consequences(
        mode=mode,
        came=tuple((Counter(after.findings) - Counter(before.findings)).elements()),
        went=tuple((Counter(before.findings) - Counter(after.findings)).elements()),
        amounts=tuple(_amounts(before.ledger, after.ledger)),
        before=tuple(before.scores()),
        after=tuple(after.scores()),
    )


def amended(log: Log, line: Line) -> Log:
    return dataclasses.replace(log, lines=[*log.lines, line])


def _amounts(before: Iterable[Entry], after: Iterable[Entry]) -> Iterator[Amount]:
    had, has = _summed(before), _summed(after)
    for key in dict.fromkeys((*had, *has)):
        if had[key] != has[key]:
            n, i, who, what, why = key
            yield Amount(n=n, i=i, who=who, what=what, why=why, before=had[key], after=has[key])


def _summed(ledger: Iterable[Entry]) -> Counter[tuple[int, int, int, str, str]]:
    sums: Counter[tuple[int, int, int, str, str]] = Counter()
    for entry in ledger:
        sums[entry.n, entry.i, entry.who, entry.what, entry.why] += entry.amount
    return sums


# --- what was computed on top of a slip ----------------------------------------------------------


def _rederived(log: Log, line: Amendment) -> Iterator[Rederived[Any, Any]]:
    """Later events whose derived effects the edits change, with those they have instead."""
    title = log.title
    before, after = replay(log, audit=False), replay(amended(log, line), audit=False)
    start = _first_change(before, after)
    was = _given(before, start)
    state = after.state_at(start)
    for event in after.events[start:]:
        ref = ref_of(event)
        # what the edits tell themselves was told by a person just now
        is_told = isinstance(event, Edited) and event.line == line.n
        now = None if is_told else title.effects(state, event.do)
        effects = again(event, was.get(ref), now)
        if effects is None or (tuple(effects.moved), tuple(effects.facts)) == (event.moved, event.facts):
            title.evolve(state, event.do, event.moved, event.facts)
        else:
            title.evolve(state, event.do, effects.moved, effects.facts)
            yield Rederived(at=ref, moved=tuple(effects.moved), facts=tuple(effects.facts))


def _first_change(before: Replay, after: Replay) -> int:
    pairs = enumerate(zip(before.events, after.events, strict=False))
    shorter = min(len(before.events), len(after.events))
    return next((index for index, (one, other) in pairs if one is not other and one != other), shorter)


def _given(done: Replay, start: int) -> dict[str, Effects | None]:
    """What the rules made of each event as it stood, by name."""
    title = done.title
    state = done.state_at(start)
    given = {}
    for event in done.events[start:]:
        given[ref_of(event)] = title.effects(state, event.do)
        title.evolve(state, event.do, event.moved, event.facts)
    return given


def again(event: Event, was: Effects | None, now: Effects | None) -> Effects | None:
    """The event's effects under the rules' new answer; None where that answer is the old one, or there is none.

    What a person saw stays, and where it stood in the place of what the rules gave, it still does.
    """
    if now is None or (was is not None and _is_same(was, now)):
        return None
    derived = [posting for posting in event.moved if not is_said(posting)]
    said = [posting for posting in event.moved if is_said(posting)]
    instead = {_key(posting) for posting in said} - {_key(posting) for posting in derived}
    seen = [fact for fact in event.facts if fact.seen is not None]
    instead_of = {type(fact) for fact in seen} - {type(fact) for fact in event.facts if fact.seen is None}
    return Effects(
        [*(posting for posting in now.moved if _key(posting) not in instead), *said],
        [*(fact for fact in now.facts if type(fact) not in instead_of), *seen],
    )


# No rule derives these: where one is recorded, a person put it there.
_PEOPLES = frozenset(get_args(SharedCause))

_Key: TypeAlias = tuple[int, str, str]


def _key(posting: AnyPosting) -> _Key:
    return posting.who, posting.what, posting.why


def is_said(posting: AnyPosting) -> bool:
    return posting.seen is not None or posting.why in _PEOPLES


def _is_same(one: Effects, other: Effects) -> bool:
    """Order never counts."""
    return Counter(one.moved) == Counter(other.moved) and Counter(one.facts) == Counter(other.facts)
