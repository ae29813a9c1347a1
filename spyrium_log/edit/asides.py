"""Lines off the timeline as somebody makes them: a mistake of whoever types is refused before it is written."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from spyrium_log.audit import Finding
from spyrium_log.errors import AmendmentError
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Accepted, Corrected, Declared, Line, ReadOff, Sealed, Withdrawn
from spyrium_log.log.timeline import apply_corrections, asides
from spyrium_log.play import OPEN
from spyrium_log.replay import replay
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.title import tag_of

_CAN_BE_WITHDRAWN = (Corrected, ReadOff, Declared, Accepted, Sealed)


def find_open_findings(log: Log, at: str, *, rule: str | None = None, expected: str | None = None) -> list[Finding]:
    """The open findings on a line or event by name, and if given only those of a rule or with what was expected."""
    findings = (finding for finding in replay(log).findings if finding.ref == at and finding.status == "open")
    return [each for each in findings if rule in (None, each.rule) and expected in (None, str(each.expected))]


def accept_finding(log: Log, finding: Finding, *, who: str, why: str, by: str, at: datetime | None = None) -> Accepted:
    """The line that accepts a finding; it says what was expected if there is another finding of the rule there."""
    findings = replay(log).findings
    alike = {str(each.expected) for each in findings if (each.ref, each.rule) == (finding.ref, finding.rule)}
    expected = str(finding.expected) if len(alike) > 1 else None
    head = _next_head(log, by, at)
    return Accepted(**head, line=finding.n, i=finding.i, rule=finding.rule, expected=expected, who=who, why=why)


def find_declared_before(log: Log, line: Line) -> Declared | None:
    """The standing result of a player who is declared again; it has to be withdrawn first."""
    if not isinstance(line, Declared):
        return None
    seats = {result.seat for result in line.results}
    declared = (aside for aside in asides(log.lines) if isinstance(aside, Declared))
    return next((each for each in declared if not seats.isdisjoint(result.seat for result in each.results)), None)


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
    """The line that corrects the header. One that changes nothing, or names a player twice, is refused."""
    header = apply_corrections(log.header, asides(log.lines))
    has_player_or_colour = player is not None or colour is not None
    if (seat is None) == has_player_or_colour:
        raise AmendmentError("no-seat" if has_player_or_colour else "seat-alone")
    for number in (seat, first):
        if number is not None and not 0 < number <= len(header.seats):
            raise AmendmentError("seat", most=len(header.seats), n=number)
    if colour is not None and colour not in log.title.colours:
        raise AmendmentError("colour", known=", ".join(log.title.colours), found=colour)
    others = {each.player.casefold() for number, each in enumerate(header.seats, 1) if number != seat}
    if player is not None and (not player.strip() or player.casefold() in others):
        raise AmendmentError("player", found=player)
    head = _next_head(log, by, at)
    line = Corrected(**head, seat=seat, player=player, colour=colour, first=first, played=played, place=place, why=why)
    if apply_corrections(header, [line]) == header:
        raise AmendmentError("same-header")
    return line


def record_reading(log: Log, value: Printed, *, by: str, at: datetime | None = None) -> ReadOff:
    """The line that records a printed value of a component; refused if the sheet does not know the component."""
    log.sheet.with_own_values(Sheet(name="this reading", printed=(value,)))
    return ReadOff(**_next_head(log, by, at), value=value)


def withdraw_line(log: Log, line: int, *, why: str, by: str, at: datetime | None = None) -> Withdrawn:
    """The line that withdraws one off the timeline."""
    if not 0 < line < len(log.lines):
        raise AmendmentError("line", most=len(log.lines) - 1, n=line)
    kind = tag_of(type(log.lines[line]))
    if not isinstance(log.lines[line], _CAN_BE_WITHDRAWN):
        raise AmendmentError("on-timeline", kind=kind, n=line)
    for each in log.lines:
        if isinstance(each, Withdrawn) and each.line == line:
            raise AmendmentError("withdrawn", kind=kind, n=line, by=each.n)
    return Withdrawn(**_next_head(log, by, at), line=line, why=why)


def _next_head(log: Log, by: str, at: datetime | None) -> dict[str, Any]:
    """The fields that every kind of line has, for the next line of the log."""
    return {"n": len(log.lines), "by": by, "at": at, "prev": OPEN, "hash": OPEN}
