"""Lines off the timeline as somebody makes them: what they speak of is looked up first.

The log takes any of them and the audit says what is odd; here a slip of whoever types is refused before it is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from spyrium_log.audit import Finding
from spyrium_log.errors import AmendmentError
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Accepted, Corrected, Declared, Line, ReadOff, Sealed, Withdrawn
from spyrium_log.log.timeline import apply_corrections, asides
from spyrium_log.play import OPEN
from spyrium_log.replay import replay
from spyrium_log.sheet import Printed, Sheet

# Lines that can be withdrawn.
_ASIDE = (Corrected, ReadOff, Declared, Accepted, Sealed)


def find_open_findings(log: Log, at: str, *, rule: str | None = None, expected: str | None = None) -> list[Finding]:
    """The open findings on a line or an event."""
    return [
        finding
        for finding in replay(log).findings
        if finding.ref == at
        and finding.status == "open"
        and rule in (None, finding.rule)
        and expected in (None, str(finding.expected))
    ]


def accept_finding(log: Log, finding: Finding, *, who: str, why: str, by: str, at: datetime | None = None) -> Accepted:
    """Accept a finding. If the line has another one of that rule, `expected` tells them apart."""
    alike = {
        str(each.expected) for each in replay(log).findings if (each.ref, each.rule) == (finding.ref, finding.rule)
    }
    return Accepted(
        n=len(log.lines),
        by=by,
        at=at,
        line=finding.n,
        i=finding.i,
        rule=finding.rule,
        expected=str(finding.expected) if len(alike) > 1 else None,
        who=who,
        why=why,
        prev=OPEN,
        hash=OPEN,
    )


def find_declared_before(log: Log, line: Line) -> Declared | None:
    """The standing result of a player who is declared again; it has to be withdrawn first."""
    if not isinstance(line, Declared):
        return None
    seats = {result.seat for result in line.results}
    for aside in asides(log.lines):
        if isinstance(aside, Declared) and not seats.isdisjoint(result.seat for result in aside.results):
            return aside
    return None


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
) -> Corrected:
    """Correct the header. A correction that changes nothing, or names a player twice, is refused."""
    header = apply_corrections(log.header, asides(log.lines))
    line = Corrected(
        n=len(log.lines),
        by=by,
        at=at,
        seat=seat,
        player=player,
        colour=colour,
        first=first,
        played=played,
        place=place,
        why=why,
        prev=OPEN,
        hash=OPEN,
    )
    if (seat is None) != (player is None and colour is None):
        found = "nothing of it" if player is None and colour is None else "no seat"
        raise AmendmentError(f"expected a seat and who sits there or in which colour, found {found}")
    for number in (seat, first):
        if number is not None and not 0 < number <= len(header.seats):
            raise AmendmentError(f"expected a seat from 1 to {len(header.seats)}, found {number}")
    if colour is not None and colour not in log.title.colours:
        raise AmendmentError(f"expected a colour of {', '.join(log.title.colours)}, found '{colour}'")
    others = {each.player.casefold() for number, each in enumerate(header.seats, 1) if number != seat}
    if player is not None and (not player.strip() or player.casefold() in others):
        raise AmendmentError(f"expected the name of somebody who does not play yet, found '{player}'")
    if apply_corrections(header, [line]) == header:
        raise AmendmentError("expected what the header says otherwise, found nothing new")
    return line


def record_reading(log: Log, value: Printed, *, by: str, at: datetime | None = None) -> ReadOff:
    """Record a printed value of a component that the sheet knows."""
    log.sheet.with_own_values(Sheet(name="this reading", printed=(value,)))
    return ReadOff(n=len(log.lines), by=by, at=at, value=value, prev=OPEN, hash=OPEN)


def withdraw_line(log: Log, line: int, *, why: str, by: str, at: datetime | None = None) -> Withdrawn:
    """Withdraw a line that is not on the timeline."""
    if not 0 < line < len(log.lines):
        raise AmendmentError(f"expected a line from 1 to {len(log.lines) - 1}, found {line}")
    withdrawn = log.lines[line]
    if not isinstance(withdrawn, _ASIDE):
        found = f"found {_kind(withdrawn)} {line} (undo and amend are for the timeline)"
        raise AmendmentError(f"expected a line off the timeline to withdraw, {found}")
    if gone := _withdrawn(log.lines, line):
        raise AmendmentError(f"expected a line that counts, found {_kind(withdrawn)} {line} withdrawn by line {gone}")
    return Withdrawn(n=len(log.lines), by=by, at=at, line=line, why=why, prev=OPEN, hash=OPEN)


def _kind(line: Line) -> str:
    return str(line.__struct_config__.tag)


def _withdrawn(lines: Iterable[Line], line: int) -> int:
    """The line that withdrew this one; 0 if none."""
    return next((each.n for each in lines if isinstance(each, Withdrawn) and each.line == line), 0)
