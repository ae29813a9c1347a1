"""Which events stand. Undo names a line, and the timeline is again what it was after that line; amendments edit it.

Everything here is total: an edit that names an event that does not stand changes nothing and is a finding of the audit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias

from msgspec import structs

from spyrium_log.log.lines import (
    A,
    Accepted,
    Amended,
    Corrected,
    Declared,
    Drop,
    EventLine,
    F,
    InsertAfter,
    P,
    ReadOff,
    Replace,
    Undone,
    Withdrawn,
)

if TYPE_CHECKING:
    from spyrium_log.log.lines import Amendment, AnyHeader, AnyTold, Aside, Event, Line


class Edited(EventLine[A, P, F], Generic[A, P, F], frozen=True, kw_only=True):
    """An event as an amendment tells it; no line of a log. `i` where it was inserted, `line` is the amendment's."""

    i: int = 0
    line: int


def ref_of(event: Event) -> str:
    """The event's name: 57, or 57.1 for the first one that amendment 57 inserted."""
    return named(event.n, i_of(event))


def named(n: int, i: int) -> str:
    return f"{n}.{i}" if i else str(n)


def i_of(event: Event) -> int:
    """Which of those that its amendment inserted; 0 for an event with a line of its own."""
    return event.i if isinstance(event, Edited) else 0


def timeline(lines: Sequence[Line], until: int | None = None) -> list[Event]:
    """The events that stand after line `until` (default: the last), in order."""
    if not any(type(line) in _REBUILDS for line in lines):
        return [line for line in lines[: None if until is None else until + 1] if isinstance(line, EventLine)]
    return _unwound(tips(lines)[-1 if until is None else until])


def phantoms(lines: Sequence[Line]) -> list[tuple[int, str]]:
    """What standing amendments name that did not stand: the amendment's line, and the name."""
    if not any(type(line) is Amended for line in lines):
        return []
    return [(n, at) for n, lost in _unwound(_after_each(lines)[-1].lost) for at in lost]


_REBUILDS = (Undone, Amended)

Tip: TypeAlias = tuple["Event", "Tip"] | None
Lost: TypeAlias = tuple[tuple[int, tuple[str, ...]], "Lost"] | None


class _After(NamedTuple):
    """The timeline after a line, last link first; and what its amendments named in vain."""

    tip: Tip = None
    lost: Lost = None


def tips(lines: Sequence[Line]) -> list[Tip]:
    """After each line, the last standing event linked to the one before it; undo points back at an older tip."""
    return [after.tip for after in _after_each(lines)]


def _after_each(lines: Sequence[Line]) -> list[_After]:
    found: list[_After] = []
    now = _After()
    for line in lines:
        if isinstance(line, EventLine):
            now = _After((line, now.tip), now.lost)
        elif isinstance(line, Undone):
            now = found[line.to]
        elif isinstance(line, Amended):
            now = _amended(now, line)
        found.append(now)
    return found


def _unwound(link: Any) -> list[Any]:
    kept = []
    while link is not None:
        each, link = link
        kept.append(each)
    kept.reverse()
    return kept


# --- amendments ----------------------------------------------------------------------------------


def _amended(before: _After, line: Amendment) -> _After:
    """Unwind to the earliest event that is named, edit, wind up again: what lies before is shared with older tips."""
    wanted = {edit.at for edit in line.edits} | {effect.at for effect in line.effects}
    tip = before.tip
    events: list[Event] = []
    while tip is not None and wanted:
        event, tip = tip
        events.append(event)
        wanted.discard(ref_of(event))
    events.reverse()
    lost = (*_edit(events, line), *_rederive(events, line))
    if len(lost) == len(line.edits) + len(line.effects):
        return _After(before.tip, ((line.n, lost), before.lost))
    for event in events:
        tip = (event, tip)
    return _After(tip, ((line.n, lost), before.lost) if lost else before.lost)


def _edit(events: list[Event], line: Amendment) -> list[str]:
    """The edits one after the other, in place; answers the names of events that do not stand."""
    lost = []
    inserted = 0
    # several inserts after one event follow it in the order they are written in
    latest: dict[str, str] = {}
    for edit in line.edits:
        if isinstance(edit, InsertAfter):
            inserted += 1
        at = _index(events, latest.get(edit.at, edit.at))
        if at is None or (edit.at == "0" and not isinstance(edit, InsertAfter)):
            lost.append(edit.at)
        elif isinstance(edit, Drop):
            del events[at]
        elif isinstance(edit, Replace):
            events[at] = _told(events[at], line.n, edit.event.do, edit.event.moved, edit.event.facts)
        else:
            event = _inserted(line, inserted, edit.event)
            events.insert(at + 1, event)
            latest[edit.at] = ref_of(event)
    return lost


def _rederive(events: list[Event], line: Amendment) -> list[str]:
    places = {ref_of(event): at for at, event in enumerate(events)}
    lost = []
    for effect in line.effects:
        at = places.get(effect.at)
        if at is None:
            lost.append(effect.at)
        else:
            events[at] = _told(events[at], line.n, events[at].do, effect.moved, effect.facts)
    return lost


def _index(events: list[Event], ref: str) -> int | None:
    if ref == "0":
        return -1
    return next((at for at, event in enumerate(events) if ref_of(event) == ref), None)


def _told(event: Event, line: int, do: Any, moved: tuple[Any, ...], facts: tuple[Any, ...]) -> Event:
    """The event told otherwise: who wrote it down first, and when, stays said."""
    return Edited(
        n=event.n,
        by=event.by,
        at=event.at,
        cmd=event.cmd,
        i=i_of(event),
        line=line,
        do=do,
        moved=moved,
        facts=facts,
        prev=event.prev,
        hash=event.hash,
    )


def _inserted(line: Amendment, i: int, told: AnyTold) -> Event:
    return Edited(
        n=line.n,
        by=line.by,
        at=line.at,
        i=i,
        line=line.n,
        do=told.do,
        moved=told.moved,
        facts=told.facts,
        prev=line.prev,
        hash=line.hash,
    )


# --- the lines off the timeline ------------------------------------------------------------------


def asides(lines: Sequence[Line]) -> list[Aside]:
    """The lines off the timeline that nobody withdrew."""
    gone = {line.line for line in lines if isinstance(line, Withdrawn)}
    return [
        line
        for line in lines
        if isinstance(line, Corrected | ReadOff | Declared | Accepted | Withdrawn) and line.n not in gone
    ]


def corrected(header: AnyHeader, apart: Sequence[Aside]) -> AnyHeader:
    """The header as later lines put it right."""
    for aside in apart:
        if isinstance(aside, Corrected):
            header = _corrected(header, aside)
    return header


def _corrected(header: AnyHeader, by: Corrected) -> AnyHeader:
    said = {name: getattr(by, name) for name in ("first", "played", "place") if getattr(by, name) is not None}
    if by.seat is not None and by.seat <= len(header.seats):
        seats = list(header.seats)
        seat = seats[by.seat - 1]
        seats[by.seat - 1] = structs.replace(seat, player=by.player or seat.player, colour=by.colour or seat.colour)
        said["seats"] = tuple(seats)
    return structs.replace(header, **said)
