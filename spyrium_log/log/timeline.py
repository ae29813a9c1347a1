"""Which events stand. Undo names a line, and the timeline is again what it was after that line; amendments edit it.

Everything here is total: an edit that names an event that does not stand changes nothing and is a finding of the audit.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeGuard, cast

from msgspec import structs

from spyrium_log.errors import LogError
from spyrium_log.log.lines import (
    A,
    Accepted,
    Amended,
    Corrected,
    Dealt,
    Decided,
    Declared,
    EventLine,
    F,
    Finished,
    InsertAfter,
    P,
    ReadOff,
    Replace,
    Stated,
    Told,
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
    return event.i if type(event) is Edited else 0


def timeline(lines: Sequence[Line], until: int | None = None, *, amended: bool = True) -> list[Event]:
    """The events that stand after line `until` (default: the last), in order; or stood, before anybody amended them."""
    if _REBUILDS.isdisjoint(map(type, lines)):
        standing = lines if until is None else lines[: until + 1]
        return [cast("Event", line) for line in standing if type(line) in _EVENTS]
    return list(_folded(lines, until, amended=amended))


def phantoms(lines: Sequence[Line]) -> list[tuple[int, str]]:
    """What standing amendments name that did not stand: the amendment's line, and the name."""
    return _folded(lines).lost if Amended in map(type, lines) else []


# By type, because `isinstance` of a Struct asks its metaclass, and that for several kinds of line costs as much as
# reading the line.
_REBUILDS = frozenset((Undone, Amended))
# What an amendment tells is no line of a log, and stands for one where only the events that stand are handed on.
_EVENTS = frozenset((Decided, Dealt, Finished, Stated, Edited))
_ASIDES = frozenset((Corrected, ReadOff, Declared, Accepted, Withdrawn))

_COUNTING = _EVENTS | {Amended}


def counts(line: Line) -> TypeGuard[Event | Amendment]:
    """Whether it is on the timeline, or changes what is."""
    return type(line) in _COUNTING


Tip: TypeAlias = tuple["Event | Amendment", "Tip"] | None


def tips(lines: Sequence[Line]) -> list[Tip]:
    """After each line, the last that counts, linked to the one before it; undo points back at an older tip."""
    found: list[Tip] = []
    tip: Tip = None
    for line in lines:
        if counts(line):
            tip = (line, tip)
        elif isinstance(line, Undone):
            tip = found[line.to]
        found.append(tip)
    return found


def _folded(lines: Sequence[Line], until: int | None = None, *, amended: bool = True) -> Standing:
    counting = _counting(tips(lines)[-1 if until is None else until])
    return Standing(reversed(counting), amended=amended)


# An undo may go back behind all that an amendment told. Of a whole evening with as many corrections as a log may have
# lines that is less than this; only a log of thousands of events and of thousands of corrections asks for more.
MAX_REFOLDED: Final = 4_000_000


class Refolded:
    """How many events were put together once more because of a correction; a log that asks for too many is refused."""

    __slots__ = ("_file", "_many")

    def __init__(self, file: str) -> None:
        self._file = file
        self._many = 0

    def add(self, events: int) -> None:
        self._many += events
        if self._many > MAX_REFOLDED:
            raise LogError("too-many-corrections", file=self._file, most=MAX_REFOLDED)


def standing_after(lines: Sequence[Line], wanted: Container[int], file: str) -> Iterator[tuple[int, Standing]]:
    """What stood after each line whose number is wanted, in one pass. It is only good until the next one."""
    found = tips(lines)
    refolded = Refolded(file)
    standing: Standing | None = Standing()
    for n, line in enumerate(lines):
        if isinstance(line, Undone):
            standing = None
        elif standing is not None and counts(line):
            standing.take(line)
        if n in wanted:
            if standing is None:
                counting = _counting(found[n])
                refolded.add(len(counting))
                standing = Standing(reversed(counting))
            yield n, standing


def _counting(tip: Tip) -> list[Event | Amendment]:
    """The lines that count, the last one first."""
    counting = []
    while tip is not None:
        line, tip = tip
        counting.append(line)
    return counting


class Standing:
    """Events by name, in a ring of names that begins and ends at `0`: an edit costs the same in the longest log."""

    __slots__ = ("_after", "_before", "_events", "lost")

    def __init__(self, counting: Iterable[Event | Amendment] = (), *, amended: bool = True) -> None:
        self._events: dict[str, Event] = {}
        self._after = {"0": "0"}
        self._before = {"0": "0"}
        self.lost: list[tuple[int, str]] = []
        for line in counting:
            if amended or not isinstance(line, Amended):
                self.take(line)

    def __iter__(self) -> Iterator[Event]:
        ref = self._after["0"]
        while ref != "0":
            yield self._events[ref]
            ref = self._after[ref]

    def get(self, ref: str) -> Event | None:
        """The event of this name, if it stands."""
        return self._events.get(ref)

    def take(self, line: Event | Amendment) -> None:
        """The next line that counts."""
        if isinstance(line, Amended):
            self.amend(line)
        else:
            self.add(line)

    def add(self, event: Event, after: str | None = None) -> None:
        """The event at the end, or after another."""
        ref = ref_of(event)
        left = self._before["0"] if after is None else after
        right = self._after[left]
        self._after[left] = self._before[right] = ref
        self._before[ref], self._after[ref] = left, right
        self._events[ref] = event

    def _drop(self, ref: str) -> None:
        left, right = self._before.pop(ref), self._after.pop(ref)
        self._after[left], self._before[right] = right, left
        del self._events[ref]

    def amend(self, line: Amendment) -> None:
        """The edits one after the other, then the effects; what names no standing event changes nothing."""
        inserted = 0
        # several inserts after one event follow it in the order they are written in
        latest: dict[str, str] = {}
        for edit in line.edits:
            if isinstance(edit, InsertAfter):
                inserted += 1
                after = latest.get(edit.at, edit.at)
                if after in self._after:
                    self.add(_inserted(line, inserted, edit.event), after)
                    latest[edit.at] = named(line.n, inserted)
                else:
                    self.lost.append((line.n, edit.at))
            elif edit.at not in self._events:
                self.lost.append((line.n, edit.at))
            elif isinstance(edit, Replace):
                self._tell(edit.at, line.n, edit.event)
            else:
                self._drop(edit.at)
        for effect in line.effects:
            if effect.at in self._events:
                do = self._events[effect.at].do
                self._tell(effect.at, line.n, Told(do=do, moved=effect.moved, facts=effect.facts))
            else:
                self.lost.append((line.n, effect.at))

    def _tell(self, ref: str, line: int, told: AnyTold) -> None:
        """The event told otherwise: who wrote it down first, and when, stays said."""
        event = self._events[ref]
        self._events[ref] = Edited(
            n=event.n,
            by=event.by,
            at=event.at,
            cmd=event.cmd,
            i=i_of(event),
            line=line,
            do=told.do,
            moved=told.moved,
            facts=told.facts,
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
    apart = [cast("Aside", line) for line in lines if type(line) in _ASIDES]
    gone = {line.line for line in apart if isinstance(line, Withdrawn)}
    return [line for line in apart if line.n not in gone]


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
