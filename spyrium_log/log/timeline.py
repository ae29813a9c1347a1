"""Which events stand. Undo names a line, and the timeline is again what it was after that line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from spyrium_log.log.lines import Accepted, Corrected, Declared, EventLine, ReadOff, Undone, Withdrawn

if TYPE_CHECKING:
    from spyrium_log.log.lines import AnyHeader, Aside, Event, Line


def ref_of(event: Event) -> str:
    """The event's name: the number of its line."""
    return str(event.n)


def timeline(lines: Sequence[Line], until: int | None = None) -> list[Event]:
    """The events that stand after line `until` (default: the last), in order."""
    if not any(type(line) is Undone for line in lines):
        return [line for line in lines[: None if until is None else until + 1] if isinstance(line, EventLine)]
    kept: list[Event] = []
    tip = tips(lines)[-1 if until is None else until]
    while tip is not None:
        event, tip = tip
        kept.append(event)
    kept.reverse()
    return kept


Tip = tuple["Event", "Tip"] | None


def tips(lines: Sequence[Line]) -> list[Tip]:
    """After each line, the last standing event linked to the one before it; undo points back at an older tip."""
    found: list[Tip] = []
    tip: Tip = None
    for line in lines:
        if isinstance(line, EventLine):
            tip = (line, tip)
        elif isinstance(line, Undone):
            tip = found[line.to]
        found.append(tip)
    return found


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
