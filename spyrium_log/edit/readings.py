"""What the readings of a log say of the components, for a sheet of one's own."""

from __future__ import annotations

from msgspec import structs

from spyrium_log.log.codec import Log
from spyrium_log.log.lines import ReadOff
from spyrium_log.log.timeline import asides
from spyrium_log.sheet import Printed, Sheet


def readings(log: Log) -> tuple[Printed, ...]:
    """The values that somebody read off a component while this was recorded; of one value the last.

    A value that does not say who read it, and when, was read by whoever wrote the line.
    """
    lines = [aside for aside in asides(log.lines) if isinstance(aside, ReadOff)]
    return tuple({(line.value.of, line.value.what): _signed(line) for line in lines}.values())


def _signed(line: ReadOff) -> Printed:
    day = line.at.date().isoformat() if line.at else ""
    return structs.replace(line.value, by=line.value.by or line.by, at=line.value.at or day)


def taken(own: Sheet, log: Log) -> Sheet:
    """The sheet with what was read in this log. What that changes, `sheet.differences` says."""
    return own.overlaid(*readings(log))
