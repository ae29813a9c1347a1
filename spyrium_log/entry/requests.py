"""What a scribe wants written, and the lines that hold it. Times, ids and names come from the caller."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from spyrium_log.audit import Finding
from spyrium_log.edit import amend, annotate, asides
from spyrium_log.log.lines import AnyEdit, AnyEventBody, Line, Mode, ReadOff, Replace
from spyrium_log.log.notes import Mark, Noted
from spyrium_log.log.timeline import ref_of
from spyrium_log.play import OPEN, Play
from spyrium_log.sheet import Printed
from spyrium_log.title import AnyPosting

# the mode of a ruling: it says what the table did
MODE: Mode = "misplayed"


class Act(Struct, frozen=True, kw_only=True):
    """Record an act or a statement; `anyway` against the rules."""

    act: Any
    extra: Sequence[AnyPosting] = ()
    anyway: bool = False


class Undo(Struct, frozen=True, kw_only=True):
    """Undo to a line, by default to before the last event."""

    to: int | None = None


class Reading(Struct, frozen=True, kw_only=True):
    """Record a printed value, read off the component."""

    of: str
    what: str
    value: int | str


class Note(Struct, frozen=True, kw_only=True):
    """Write a mark, a remark or both; by default on the last event."""

    text: str = ""
    mark: Mark | None = None
    on: str = ""
    tags: tuple[str, ...] = ()


class Acceptance(Struct, frozen=True, kw_only=True):
    """Accept a finding on an earlier line."""

    finding: Finding
    who: str
    why: str


class Ruling(Struct, frozen=True, kw_only=True):
    """Change what an earlier event moved; later events stay."""

    at: str
    event: AnyEventBody
    why: str


Logged: TypeAlias = Act | Undo | Reading | Acceptance | Ruling
Request: TypeAlias = Logged | Note
# Types for front ends, which need only the number and the sentence.
Written: TypeAlias = Line
NewNote: TypeAlias = Noted


def line(play: Play, request: Logged, *, by: str, at: datetime | None = None, cmd: str | None = None) -> Line:
    """The line that a request appends to the log."""
    if isinstance(request, Act):
        return play.event(request.act, by=by, at=at, cmd=cmd, anyway=request.anyway, extra=request.extra)
    if isinstance(request, Undo):
        return replace(play.undo_line(request.to, by=by, at=at), cmd=cmd)
    if isinstance(request, Acceptance):
        accepted = asides.accept_finding(play.log, request.finding, who=request.who, why=request.why, by=by, at=at)
        return replace(accepted, cmd=cmd)
    if isinstance(request, Ruling):
        return replace(amend.make_amendment(play.log, _edits_of(request), MODE, by=by, at=at, why=request.why), cmd=cmd)
    day = at.date().isoformat() if at else ""
    value = Printed(request.of, request.what, request.value, "read", by, day)
    return ReadOff(n=len(play.log.lines), by=by, at=at, cmd=cmd, value=value, prev=OPEN, hash=OPEN)


def _edits_of(request: Ruling) -> list[AnyEdit]:
    """A ruling as the edits of an amendment."""
    return [Replace(at=request.at, event=request.event)]


def consequences(play: Play, request: Ruling) -> amend.Consequences:
    """What a ruling about an earlier event changes."""
    return amend.compute_consequences(play.log, _edits_of(request), MODE)


def last_of(play: Play) -> str:
    """The name of the last event; 0 before the first."""
    events = play.events()
    return ref_of(events[-1]) if events else "0"


def note(play: Play, request: Note, *, note: str, by: str, at: datetime | None = None) -> Noted:
    """The first line of a new note."""
    on = request.on or last_of(play)
    return annotate.make_note(
        play.log, on, note_id=note, by=by, at=at, text=request.text, mark=request.mark, tags=request.tags
    )
