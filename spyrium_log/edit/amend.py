"""Corrections before they are written: amendments and what they would change, and lines off the timeline.

A mistake of whoever types is refused before anything is written.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, TypeAlias, get_args

from msgspec import Struct, structs

from spyrium_log.audit import Finding
from spyrium_log.catalogue import shared_words
from spyrium_log.colours import Colours
from spyrium_log.errors import AmendmentError
from spyrium_log.folding import derive_effects
from spyrium_log.header import make_table
from spyrium_log.ledger import Entry, SeatResource
from spyrium_log.log import lines as kinds
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Amendment, AnyEdit, AnyEventBody, Event, Line, Mode
from spyrium_log.log.timeline import Edited, apply_corrections, find_phantoms, list_asides, make_ref, ref_of
from spyrium_log.messages import Reader
from spyrium_log.play import OPEN
from spyrium_log.replay import Replay, current_sheet, replay
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.title import AnyPosting, AnyTitle, Effects, Score, SharedCause, posting_key, tag_of

# A state and an act of whatever title: only that title knows their types.
AnyState: TypeAlias = Any
AnyAct: TypeAlias = Any
AnyReplace: TypeAlias = kinds.Replace[Any, Any, Any]
# The fields that every line has, by name: n, by, at, cmd, prev, hash. Their values are of several types.
Head: TypeAlias = dict[str, Any]

MOST_EDITS = 100
# Causes that no rule uses: a person wrote them.
_MANUAL_CAUSES = frozenset(get_args(SharedCause))
_CAN_BE_WITHDRAWN = (kinds.Corrected, kinds.ReadOff, kinds.Declared, kinds.Accepted, kinds.Sealed)


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
        """The name of the event, for messages: `57`, or `57.1` for one that line 57 inserted."""
        return make_ref(self.n, self.i)


class Changes(Struct, frozen=True, kw_only=True):
    """What one more line changes: findings, sums of the ledger, scores."""

    came: tuple[Finding, ...]
    went: tuple[Finding, ...]
    amounts: tuple[Amount, ...]
    before: tuple[Score, ...]
    after: tuple[Score, ...]


def make_event_body(title: AnyTitle, state: AnyState, act: AnyAct) -> AnyEventBody:
    """The act with the effects that the rules give it on this state, as an edit of an amendment holds it."""
    return make_event_body_with(act, derive_effects(title, state, act))


def make_event_body_with(act: AnyAct, effects: Effects) -> AnyEventBody:
    """The act with these effects, whoever says so, as an edit of an amendment holds it."""
    return kinds.EventBody(do=act, moved=tuple(effects.moved), facts=tuple(effects.facts))


def make_amendment(
    log: Log, edits: Sequence[AnyEdit], mode: Mode, *, by: str, why: str, at: datetime | None = None, n: int = 0
) -> Amendment:
    """The line (number `n`, 0: the next) of these edits; if misrecorded, with the new effects of later events."""
    if not 0 < len(edits) <= MOST_EDITS:
        raise AmendmentError("count", most=MOST_EDITS, n=len(edits))
    n = n or len(log.lines)
    line: Amendment = kinds.Amended(n=n, by=by, at=at, mode=mode, edits=tuple(edits), why=why, prev=OPEN, hash=OPEN)
    refs_without_event = [ref for number, ref in find_phantoms([*log.lines, line]) if number == n]
    if refs_without_event:
        raise AmendmentError("standing-event", found=refs_without_event[0])
    if mode == "misplayed":
        # the table saw what later events moved
        return line
    return structs.replace(line, effects=tuple(_rederive_later_events(log, line)))


def _rederive_later_events(log: Log, line: Amendment) -> Iterator[kinds.Rederived[Any, Any]]:
    """The effects of later events that come to something else after this amendment, for a slip of the scribe."""
    before, after = replay(log, audit=False), replay(log_with_line(log, line), audit=False)
    for event, effects in rederive_events(before, after, amendment=line.n):
        yield kinds.Rederived(at=ref_of(event), moved=tuple(effects.moved), facts=tuple(effects.facts))


def compute_consequences(log: Log, edits: Sequence[AnyEdit], mode: Mode) -> Changes:
    """What an amendment of these edits would change, for whoever decides about it. Nothing is written."""
    return compute_changes(log, make_amendment(log, edits, mode, by="", why=""))


def compute_changes(log: Log, line: Line) -> Changes:
    """What any next line of the log would change, for whoever decides about it. Nothing is written."""
    before, after = replay(log), replay(log_with_line(log, line))
    return Changes(
        came=subtract_findings(after.findings, before.findings),
        went=subtract_findings(before.findings, after.findings),
        amounts=tuple(compare_ledgers(before.ledger, after.ledger)),
        before=tuple(before.scores()),
        after=tuple(after.scores()),
    )


def log_with_line(log: Log, line: Line) -> Log:
    """A copy of the log with one more line, to replay it and see what the line does; its chain is not checked."""
    return dataclasses.replace(log, lines=[*log.lines, line])


def subtract_findings(findings: Iterable[Finding], known: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings without those that are known; of several equal ones, as many as are not known."""
    return tuple((Counter(findings) - Counter(known)).elements())


def compare_ledgers(before: Iterable[Entry], after: Iterable[Entry]) -> Iterator[Amount]:
    """The sums of seat, resource and cause that differ between two ledgers, event by event."""
    sums_before, sums_after = _sum_entries(before), _sum_entries(after)
    for key in dict.fromkeys((*sums_before, *sums_after)):
        if sums_before[key] != sums_after[key]:
            n, i, who, what, why = key
            yield Amount(n=n, i=i, who=who, what=what, why=why, before=sums_before[key], after=sums_after[key])


def sum_postings(postings: Iterable[AnyPosting]) -> Counter[SeatResource]:
    """The sum of postings by seat and resource, whatever their causes."""
    sums: Counter[SeatResource] = Counter()
    for posting in postings:
        sums[posting.who, posting.what] += posting.n
    return sums


def _sum_entries(ledger: Iterable[Entry]) -> Counter[tuple[int, int, int, str, str]]:
    """The sum of the amounts by line, number among the inserted events, seat, resource and cause."""
    sums: Counter[tuple[int, int, int, str, str]] = Counter()
    for entry in ledger:
        sums[entry.n, entry.i, entry.who, entry.what, entry.why] += entry.amount
    return sums


def rederive_events(before: Replay, after: Replay, amendment: int = 0) -> Iterator[tuple[Event, Effects]]:
    """The events of `after` whose effects by the rules change, except those that line `amendment` (0: none) edited."""
    title = after.title
    start = _find_first_change(before, after)
    old_effects = _compute_effects_by_ref(before, start)
    state = after.state_at(start)
    for event in after.events[start:]:
        is_edited = isinstance(event, Edited) and event.line == amendment
        new_effects = None if is_edited else title.effects(state, event.do)
        effects = rederive_effects(event, old_effects.get(ref_of(event)), new_effects)
        if effects is None or (tuple(effects.moved), tuple(effects.facts)) == (event.moved, event.facts):
            title.evolve(state, event.do, event.moved, event.facts)
        else:
            title.evolve(state, event.do, effects.moved, effects.facts)
            yield event, effects


def _find_first_change(before: Replay, after: Replay) -> int:
    """Number of events that are the same before the first change; 0 under other options or another sheet."""
    if (before.header.options, before.sheet) != (after.header.options, after.sheet):
        return 0
    pairs = enumerate(zip(before.events, after.events, strict=False))
    shorter = min(len(before.events), len(after.events))
    # most are the same object, which is quicker to see than that they are equal
    return next((place for place, (old, new) in pairs if old is not new and old != new), shorter)


def _compute_effects_by_ref(game: Replay, start: int) -> dict[str, Effects | None]:
    """The effects by the rules of each event from place `start` on, by the event's name (`57`, `57.1`)."""
    title, state = game.title, game.state_at(start)
    effects = {}
    for event in game.events[start:]:
        effects[ref_of(event)] = title.effects(state, event.do)
        title.evolve(state, event.do, event.moved, event.facts)
    return effects


def rederive_effects(event: Event, old: Effects | None, new: Effects | None) -> Effects | None:
    """The event's effects once the rules give `new` for `old`; None if they do not change. What a person saw stays."""
    if new is None or (old is not None and _are_same_effects(old, new)):
        return None
    derived = [posting for posting in event.moved if not is_manual(posting)]
    manual = [posting for posting in event.moved if is_manual(posting)]
    # a manual posting with no derived one beside it stands in place of what the rules gave
    replaced_keys = {posting_key(posting) for posting in manual} - {posting_key(posting) for posting in derived}
    seen = [fact for fact in event.facts if fact.seen is not None]
    replaced_facts = {type(fact) for fact in seen} - {type(fact) for fact in event.facts if fact.seen is None}
    return Effects(
        [*(posting for posting in new.moved if posting_key(posting) not in replaced_keys), *manual],
        [*(fact for fact in new.facts if type(fact) not in replaced_facts), *seen],
    )


def is_manual(posting: AnyPosting) -> bool:
    """Whether a person wrote the posting, instead of the rules."""
    return posting.seen is not None or posting.why in _MANUAL_CAUSES


def _are_same_effects(left: Effects, right: Effects) -> bool:
    """Whether both have the same postings and facts, in whatever order."""
    return Counter(left.moved) == Counter(right.moved) and Counter(left.facts) == Counter(right.facts)


def find_open_findings(log: Log, at: str, *, rule: str | None = None, expected: str | None = None) -> list[Finding]:
    """The open findings on an event or line `at`, for a ruling; only of this rule and expectation, if any is given."""
    findings = (finding for finding in replay(log).findings if finding.ref == at and finding.status == "open")
    return [
        finding for finding in findings if rule in (None, finding.rule) and expected in (None, str(finding.expected))
    ]


def accept_finding(
    log: Log, finding: Finding, *, who: str, why: str, by: str, at: datetime | None = None
) -> kinds.Accepted:
    """The line that accepts a finding; it says what was expected if there is another finding of the rule there."""
    findings = replay(log).findings
    same_rule = {str(other.expected) for other in findings if (other.ref, other.rule) == (finding.ref, finding.rule)}
    expected = str(finding.expected) if len(same_rule) > 1 else None
    head = _make_head(log, by, at)
    return kinds.Accepted(**head, line=finding.n, i=finding.i, rule=finding.rule, expected=expected, who=who, why=why)


def find_declared_before(log: Log, line: Line) -> kinds.Declared | None:
    """The standing result of a player whom `line` declares again: it has to be withdrawn first. None: nobody's."""
    if not isinstance(line, kinds.Declared):
        return None
    seats = {result.seat for result in line.results}
    declared = (aside for aside in list_asides(log.lines) if isinstance(aside, kinds.Declared))
    return next((old for old in declared if not seats.isdisjoint(result.seat for result in old.results)), None)


def correct_header(
    log: Log,
    *,
    seat: int | None = None,
    player: str | None = None,
    colour: str | None = None,
    first: int | None = None,
    played: str | None = None,
    place: str | None = None,
    why: str,
    by: str,
    at: datetime | None = None,
) -> kinds.Corrected:
    """The line that corrects the header. One that changes nothing, or names a player twice, is refused."""
    head = _make_head(log, by, at)
    line = kinds.Corrected(
        **head, seat=seat, player=player, colour=colour, first=first, played=played, place=place, why=why
    )
    header = apply_corrections(log.header, list_asides(log.lines))
    _check_correction(log.title, header, line)
    if apply_corrections(header, [line]) == header:
        raise AmendmentError("same-header")
    return line


def _check_correction(title: AnyTitle, header: kinds.AnyHeader, line: kinds.Corrected) -> None:
    """Refuse a header correction with a seat, colour or player that this game cannot have."""
    has_player_or_colour = line.player is not None or line.colour is not None
    if (line.seat is None) == has_player_or_colour:
        raise AmendmentError("no-seat" if has_player_or_colour else "seat-alone")
    for seat in (line.seat, line.first):
        if seat is not None and not 0 < seat <= len(header.seats):
            raise AmendmentError("seat", most=len(header.seats), n=seat)
    if line.colour is not None and line.colour not in title.colours:
        raise AmendmentError("colour", known=Colours(tuple(title.colours)), found=line.colour)
    others = {other.player.casefold() for seat, other in enumerate(header.seats, 1) if seat != line.seat}
    if line.player is not None and (not line.player.strip() or line.player.casefold() in others):
        raise AmendmentError("player", found=line.player)


def record_reading(log: Log, value: Printed, *, by: str, at: datetime | None = None) -> kinds.ReadOff:
    """The line that records a printed value of a component; refused if the game cannot go on with it."""
    check_reading(log, value)
    return kinds.ReadOff(**_make_head(log, by, at), value=value)


def check_reading(log: Log, value: Printed) -> None:
    """SheetError where the sheet does not know the component, or no game can be played with the value."""
    own = Sheet(name="this reading", printed=(value,))
    _check_sheet(log, log.title.with_own_values(own, current_sheet(log)))


def _check_sheet(log: Log, sheet: Sheet) -> None:
    """SheetError where no game can be played with the sheet: whoever reads the log could not read on."""
    log.title.setup(make_table(apply_corrections(log.header, list_asides(log.lines)), sheet))


class _LineKind(Struct, frozen=True):
    """A kind of line in a message."""

    key: str

    def text_for(self, reader: Reader) -> str:
        """The word for it; in English the kind itself, as a log has it."""
        return shared_words(reader.language)["line-kinds"][self.key]


def withdraw_line(log: Log, line: int, *, why: str, by: str, at: datetime | None = None) -> kinds.Withdrawn:
    """The line that withdraws one off the timeline, such as a correction; events are undone instead."""
    if not 0 < line < len(log.lines):
        raise AmendmentError("line", most=len(log.lines) - 1, n=line)
    target = log.lines[line]
    kind = _LineKind(tag_of(type(target)))
    if not isinstance(target, _CAN_BE_WITHDRAWN):
        raise AmendmentError("on-timeline", kind=kind, n=line)
    for other in log.lines:
        if isinstance(other, kinds.Withdrawn) and other.line == line:
            raise AmendmentError("withdrawn", kind=kind, n=line, by=other.n)
    withdrawn = kinds.Withdrawn(**_make_head(log, by, at), line=line, why=why)
    if isinstance(target, kinds.ReadOff):
        # a card that other readings are about cannot lose its kind
        _check_sheet(log, current_sheet(log_with_line(log, withdrawn)))
    return withdrawn


def _make_head(log: Log, by: str, at: datetime | None) -> Head:
    """The fields that every kind of line has, for the next line of the log; whoever appends it closes the chain."""
    return {"n": len(log.lines), "by": by, "at": at, "prev": OPEN, "hash": OPEN}
