"""An amendment before it is written: the line itself, and what it would change under either mode."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct, structs

from spyrium_log.audit import Finding
from spyrium_log.edit.derive import rederive_events
from spyrium_log.errors import AmendmentError
from spyrium_log.ledger import Entry
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Amended, Amendment, AnyEdit, AnyEventBody, Event, EventBody, Line, Mode, Rederived
from spyrium_log.log.timeline import Edited, find_phantoms, make_ref, ref_of
from spyrium_log.play import OPEN
from spyrium_log.replay import replay
from spyrium_log.title import AnyTitle, Effects, Score

MOST_EDITS = 100


class Amount(Struct, frozen=True, kw_only=True):
    """A sum of the ledger that changes in one event."""

    n: int
    i: int
    who: int
    what: str
    why: str
    before: int
    after: int

    @property
    def ref(self) -> str:
        return make_ref(self.n, self.i)


class Changes(Struct, frozen=True, kw_only=True):
    """What one more line changes: findings, sums of the ledger, scores."""

    came: tuple[Finding, ...]
    went: tuple[Finding, ...]
    amounts: tuple[Amount, ...]
    before: tuple[Score, ...]
    after: tuple[Score, ...]


class Consequences(Changes, frozen=True, kw_only=True):
    """What an amendment would change."""

    mode: Mode


def make_event_body(title: AnyTitle, state: Any, act: Any) -> AnyEventBody:
    """An act with its effects by the rules, for an edit."""
    effects = title.effects(state, act) or Effects()
    return EventBody(do=act, moved=tuple(effects.moved), facts=tuple(effects.facts))


def make_amendment(
    log: Log,
    edits: Sequence[AnyEdit],
    mode: Mode,
    *,
    by: str,
    at: datetime | None = None,
    why: str,
    n: int | None = None,
) -> Amendment:
    """The line that makes these edits. Misrecorded, it also rederives the effects of later events.

    `n` is its number where the log holds fewer lines than it has.
    """
    if not 0 < len(edits) <= MOST_EDITS:
        raise AmendmentError(f"expected 1 to {MOST_EDITS} edits, found {len(edits)}")
    n = len(log.lines) if n is None else n
    line: Amendment = Amended(n=n, by=by, at=at, mode=mode, edits=tuple(edits), why=why, prev=OPEN, hash=OPEN)
    lost = [ref for number, ref in find_phantoms([*log.lines, line]) if number == n]
    if lost:
        raise AmendmentError(f"expected an event that stands, found '{lost[0]}'")
    if mode == "misplayed":
        return line
    return structs.replace(line, effects=tuple(_rederived(log, line)))


def compute_consequences(log: Log, edits: Sequence[AnyEdit], mode: Mode) -> Consequences:
    """What an amendment would change. Nothing is written."""
    changed = compute_changes(log, make_amendment(log, edits, mode, by="", why=""))
    return Consequences(mode=mode, **structs.asdict(changed))


def compute_changes(log: Log, line: Line) -> Changes:
    """What any next line would change."""
    before, after = replay(log), replay(log_with_line(log, line))
    return Changes(
        came=tuple((Counter(after.findings) - Counter(before.findings)).elements()),
        went=tuple((Counter(before.findings) - Counter(after.findings)).elements()),
        amounts=tuple(compare_ledgers(before.ledger, after.ledger)),
        before=tuple(before.scores()),
        after=tuple(after.scores()),
    )


def log_with_line(log: Log, line: Line) -> Log:
    return dataclasses.replace(log, lines=[*log.lines, line])


def compare_ledgers(before: Iterable[Entry], after: Iterable[Entry]) -> Iterator[Amount]:
    """The sums that differ between two ledgers."""
    sums_before, sums_after = _summed(before), _summed(after)
    for key in dict.fromkeys((*sums_before, *sums_after)):
        if sums_before[key] != sums_after[key]:
            n, i, who, what, why = key
            yield Amount(n=n, i=i, who=who, what=what, why=why, before=sums_before[key], after=sums_after[key])


def _summed(ledger: Iterable[Entry]) -> Counter[tuple[int, int, int, str, str]]:
    sums: Counter[tuple[int, int, int, str, str]] = Counter()
    for entry in ledger:
        sums[entry.n, entry.i, entry.who, entry.what, entry.why] += entry.amount
    return sums


# --- what was computed on top of a slip ----------------------------------------------------------


def _rederived(log: Log, line: Amendment) -> Iterator[Rederived[Any, Any]]:
    """Later events whose derived effects change, with the new ones."""

    def is_edited(event: Event) -> bool:
        # events of this amendment hold what a person just wrote
        return isinstance(event, Edited) and event.line == line.n

    before, after = replay(log, audit=False), replay(log_with_line(log, line), audit=False)
    for event, effects in rederive_events(before, after, is_edited):
        yield Rederived(at=ref_of(event), moved=tuple(effects.moved), facts=tuple(effects.facts))
