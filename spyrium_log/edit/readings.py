"""What the readings of a log say of the components, for a sheet of one's own."""

from __future__ import annotations

from spyrium_log.log.codec import Log
from spyrium_log.log.lines import ReadOff
from spyrium_log.log.timeline import asides
from spyrium_log.sheet import Printed, Sheet


def readings(log: Log) -> tuple[Printed, ...]:
    """The values that somebody read off a component while this was recorded; of one value the last."""
    found = {
        (aside.value.of, aside.value.what): aside.value for aside in asides(log.lines) if isinstance(aside, ReadOff)
    }
    return tuple(found.values())


def taken(own: Sheet, log: Log) -> Sheet:
    """The sheet with what was read in this log. What that changes, `sheet.differences` says."""
    return own.overlaid(*readings(log))
