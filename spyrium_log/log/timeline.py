"""The timeline: which events stand after undos and amendments.

Nothing here fails: an edit of an event that does not stand changes nothing, and is a finding of the audit.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeGuard, cast, get_args

from msgspec import structs

from spyrium_log.errors import LogError
from spyrium_log.log import lines as kinds


class Edited(kinds.EventLine[kinds.A, kinds.P, kinds.F], Generic[kinds.A, kinds.P, kinds.F], frozen=True, kw_only=True):
    """An event as amendment `line` has it; no line of a log. `i` counts the events that one amendment inserted."""

    i: int = 0
    line: int


def ref_of(event: kinds.Event) -> str:
    """The event's name in every command: 57, or 57.1 for the first one that amendment 57 inserted."""
    return make_ref(event.n, insertion_number(event))


def make_ref(n: int, i: int) -> str:
    """The name of event n, or of the i-th event that amendment n inserted."""
    return f"{n}.{i}" if i else str(n)


def insertion_number(event: kinds.Event) -> int:
    """The event's place, from 1, among those that its amendment inserted; 0 for an event with a line of its own."""
    return event.i if type(event) is Edited else 0


def insertion_numbers(events: Sequence[kinds.Event]) -> Sequence[int]:
    """That of each event: all 0 in a game that nobody amended, which asks no event."""
    if Edited not in map(type, events):
        return (0,) * len(events)
    return [insertion_number(event) for event in events]


def timeline(lines: Sequence[kinds.Line], *, amended: bool = True) -> list[kinds.Event]:
    """The events that stand after these lines, in order; not `amended`: as they were recorded."""
    if _REBUILDS.isdisjoint(map(type, lines)):
        # nothing was undone or amended, so every event stands
        return cast("list[kinds.Event]", [line for line in lines if type(line) in _EVENTS])
    return list(Standing(_timeline_lines(find_tips(lines)[-1]), amended=amended))


def find_phantoms(lines: Sequence[kinds.Line]) -> list[tuple[int, str]]:
    """The edits of standing amendments that name no standing event: the amendment's line, and that name."""
    if kinds.Amended not in map(type, lines):
        return []
    return Standing(_timeline_lines(find_tips(lines)[-1])).lost


# Sets of types, because `isinstance` of a Struct asks its metaclass, which for several kinds of line costs as much as
# reading the line.
_REBUILDS = frozenset((kinds.Undone, kinds.Amended))
# An Edited is no line of a log, but stands for one where only the events that stand are handed on.
_EVENTS = frozenset((kinds.Decided, kinds.Dealt, kinds.Finished, kinds.Stated, Edited))
_ASIDES = frozenset(get_args(kinds.Aside)) - {kinds.Sealed}
_ON_TIMELINE = _EVENTS | {kinds.Amended}


def is_on_timeline(line: kinds.Line) -> TypeGuard[kinds.Event | kinds.Amendment]:
    """Whether the line may change which events stand, and an undo may take it back."""
    return type(line) in _ON_TIMELINE


Tip: TypeAlias = tuple["kinds.Event | kinds.Amendment", "Tip"] | None


def find_tips(lines: Sequence[kinds.Line]) -> list[Tip]:
    """For each line, the last event or amendment then, linked to the one before; an undo goes back to an older tip."""
    tips_by_line: list[Tip] = []
    tip: Tip = None
    for line in lines:
        if is_on_timeline(line):
            tip = (line, tip)
        elif isinstance(line, kinds.Undone):
            tip = tips_by_line[line.to]
        tips_by_line.append(tip)
    return tips_by_line


# After an undo the timeline is put together again. A game with as many corrections as a log may have lines needs less
# than this; only a log of thousands of events and thousands of corrections asks for more.
MAX_REFOLDED: Final = 4_000_000


@dataclass(slots=True)
class RefoldCounter:
    """Counts the events that are put together again after corrections; LogError where a log asks for too many."""

    file: str
    count: int = 0

    def add(self, events: int) -> None:
        """Count so many events more; LogError where they are too many by now."""
        self.count += events
        if self.count > MAX_REFOLDED:
            raise LogError("too-many-corrections", file=self.file, most=MAX_REFOLDED)


def standing_after(lines: Sequence[kinds.Line], wanted: Container[int], file: str) -> Iterator[tuple[int, Standing]]:
    """Each wanted line and the events that stood after it, in one pass; the same Standing goes on to the next line."""
    line_tips = find_tips(lines)
    refolded = RefoldCounter(file)
    standing: Standing | None = Standing()
    for n, line in enumerate(lines):
        if isinstance(line, kinds.Undone):
            standing = None
        elif standing is not None and is_on_timeline(line):
            standing.apply(line)
        if n in wanted:
            if standing is None:
                timeline_lines = _timeline_lines(line_tips[n])
                refolded.add(len(timeline_lines))
                standing = Standing(timeline_lines)
            yield n, standing


def _timeline_lines(tip: Tip) -> list[kinds.Event | kinds.Amendment]:
    """The events and amendments that count where this is the last of them, in order."""
    lines = []
    while tip is not None:
        line, tip = tip
        lines.append(line)
    return lines[::-1]


class Standing:
    """The events that stand, by name, in a linked ring around `0`: an edit costs the same in a log of any length."""

    __slots__ = ("_after", "_before", "_events", "lost")

    def __init__(self, lines: Iterable[kinds.Event | kinds.Amendment] = (), *, amended: bool = True) -> None:
        """The events that stand after these lines; not `amended`: as they were recorded."""
        self._events: dict[str, kinds.Event] = {}
        self._after = {"0": "0"}
        self._before = {"0": "0"}
        self.lost: list[tuple[int, str]] = []
        for line in lines:
            if amended or not isinstance(line, kinds.Amended):
                self.apply(line)

    def __iter__(self) -> Iterator[kinds.Event]:
        """The events in their order, once around the ring."""
        ref = self._after["0"]
        while ref != "0":
            yield self._events[ref]
            ref = self._after[ref]

    def get(self, ref: str) -> kinds.Event | None:
        """The standing event of this name; None where there is none."""
        return self._events.get(ref)

    def apply(self, line: kinds.Event | kinds.Amendment) -> None:
        """Go on with the next line: an event stands from here on, an amendment edits those that stand."""
        if isinstance(line, kinds.Amended):
            self._amend(line)
        else:
            self._add(line)

    def _add(self, event: kinds.Event, after: str | None = None) -> None:
        """Put the event into the ring at the end, or after the one of this name."""
        ref = ref_of(event)
        left = self._before["0"] if after is None else after
        right = self._after[left]
        self._after[left] = self._before[right] = ref
        self._before[ref], self._after[ref] = left, right
        self._events[ref] = event

    def _amend(self, line: kinds.Amendment) -> None:
        """Apply the edits in order, then the effects; what names no standing event changes nothing."""
        inserted = 0
        # several events inserted after the same one keep the order of their edits
        last_inserted: dict[str, str] = {}
        for edit in line.edits:
            if isinstance(edit, kinds.InsertAfter):
                inserted += 1
                after = last_inserted.get(edit.at, edit.at)
                if after in self._after:
                    self._add(_edited_event(line, edit.event, line.n, i=inserted), after)
                    last_inserted[edit.at] = make_ref(line.n, inserted)
                else:
                    self.lost.append((line.n, edit.at))
            elif edit.at not in self._events:
                self.lost.append((line.n, edit.at))
            elif isinstance(edit, kinds.Replace):
                self._replace(edit.at, line.n, edit.event)
            else:
                self._drop(edit.at)
        for effect in line.effects:
            self._rederive(line.n, effect)

    def _rederive(self, line: int, effect: kinds.AnyRederived) -> None:
        """Give the event that an effect names what amendment `line` says that it moved; what was done stays."""
        if effect.at in self._events:
            do = self._events[effect.at].do
            self._replace(effect.at, line, kinds.EventBody(do=do, moved=effect.moved, facts=effect.facts))
        else:
            self.lost.append((line, effect.at))

    def _drop(self, ref: str) -> None:
        """Take the event of this name out of the ring."""
        left, right = self._before.pop(ref), self._after.pop(ref)
        self._after[left], self._before[right] = right, left
        del self._events[ref]

    def _replace(self, ref: str, line: int, body: kinds.AnyEventBody) -> None:
        """Give the event of this name the body that amendment `line` has; who recorded it and when stays."""
        event = self._events[ref]
        self._events[ref] = _edited_event(event, body, line, i=insertion_number(event), cmd=event.cmd)


def _edited_event(
    source: kinds.Event | kinds.Amendment, body: kinds.AnyEventBody, line: int, *, i: int, cmd: str | None = None
) -> kinds.Event:
    """An event as amendment `line` has it: its body, recorded as the event or amendment `source` was."""
    return Edited(
        n=source.n,
        by=source.by,
        at=source.at,
        cmd=cmd,
        i=i,
        line=line,
        do=body.do,
        moved=body.moved,
        facts=body.facts,
        prev=source.prev,
        hash=source.hash,
    )


def list_asides(lines: Sequence[kinds.Line]) -> list[kinds.Aside]:
    """The lines off the timeline that nobody withdrew: corrections, readings, results and accepted findings."""
    asides = [cast("kinds.Aside", line) for line in lines if type(line) in _ASIDES]
    withdrawn = {line.line for line in asides if isinstance(line, kinds.Withdrawn)}
    return [line for line in asides if line.n not in withdrawn]


def apply_corrections(header: kinds.AnyHeader, standing_asides: Sequence[kinds.Aside]) -> kinds.AnyHeader:
    """The header with the corrections among these lines; one of a seat that does not exist changes nothing."""
    for line in standing_asides:
        if not isinstance(line, kinds.Corrected):
            continue
        changes = {name: getattr(line, name) for name in ("first", "played", "place")}
        changes["seats"] = tuple(_correct_seat(seat, line, n) for n, seat in enumerate(header.seats, 1))
        header = structs.replace(header, **{name: value for name, value in changes.items() if value is not None})
    return header


def _correct_seat(seat: kinds.SeatAt[str], line: kinds.Corrected, n: int) -> kinds.SeatAt[str]:
    """Seat `n` with the name and the colour that a correction gives it, if it is about this seat."""
    if line.seat != n:
        return seat
    return structs.replace(seat, player=line.player or seat.player, colour=line.colour or seat.colour)
