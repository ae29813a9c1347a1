"""What the readings of a log say of the components, for a sheet of one's own."""

from __future__ import annotations

from msgspec import structs

from spyrium_log.log.codec import Log
from spyrium_log.log.lines import ReadOff
from spyrium_log.log.timeline import asides
from spyrium_log.sheet import Printed, Sheet


def readings(log: Log) -> tuple[Printed, ...]:
    """The values that were read off components while this game was recorded, the last one of each.

    A value that does not say who read it, and when, was read by whoever wrote the line.
    """
    lines = [aside for aside in asides(log.lines) if isinstance(aside, ReadOff)]
    return tuple({(line.value.of, line.value.what): _signed(line) for line in lines}.values())


def _signed(line: ReadOff) -> Printed:
    day = line.at.date().isoformat() if line.at else ""
    return structs.replace(line.value, by=line.value.by or line.by, at=line.value.at or day)


def taken(own: Sheet, log: Log) -> Sheet:
    """The sheet with the values that were read in this log."""
    return own.overlaid(*readings(log))
