"""Mistakes that are corrected later: undone, dropped, replaced, inserted."""

from __future__ import annotations

from typing import Any

from spyrium_log.edit.amend import make_event_body
from spyrium_log.log.lines import AnyEventBody, Drop, EventBody, InsertAfter, Mode, Replace
from spyrium_log.log.timeline import ref_of
from spyrium_log.replay import replay
from tests.mistakes.scribe import Scribe

MODES: tuple[Mode, ...] = ("misplayed", "misrecorded")
# An undo is taken back so often.
REDONE = 0.3
# Nobody goes back further.
FURTHEST = 60


def undone(scribe: Scribe, act: Any) -> bool:
    """Something else was written first, and taken back."""
    other = scribe.other_legal(act)
    if other is None:
        return False
    scribe.write(scribe.event(other))
    before = scribe.table.line_before_last()
    scribe.table.undo(by=scribe.by, why=scribe.why())
    if scribe.dice.random() < REDONE:
        # the undo is taken back: what stood before it stands again
        scribe.table.undo(len(scribe.table.log.lines) - 2, by=scribe.by)
        scribe.table.undo(before, by=scribe.by)
    scribe.write(scribe.event(act))
    return True


def doubled(scribe: Scribe, act: Any) -> bool:
    """Written down twice, and one of them dropped later."""
    if not isinstance(act, scribe.title.wire.decision):
        return False
    scribe.write(scribe.event(act))
    scribe.write(scribe.event(act))
    scribe.amend("misplayed", Drop(at=str(len(scribe.table.log.lines) - 1)))
    return True


def misrecorded(scribe: Scribe, act: Any) -> bool:
    """The scribe slipped, and corrects the event before the next one."""
    return _retold(scribe, act, "misrecorded")


def misplay_told(scribe: Scribe, act: Any) -> bool:
    """What was recorded first was what should have been done; what was done stands now."""
    return _retold(scribe, act, "misplayed")


def _retold(scribe: Scribe, act: Any, mode: Mode) -> bool:
    other = scribe.other_legal(act)
    if other is None:
        return False
    right = make_event_body(scribe.title, scribe.table.state, act)
    scribe.write(scribe.event(other))
    scribe.amend(mode, Replace(at=str(len(scribe.table.log.lines) - 1), event=right))
    return True


def told_late(scribe: Scribe, _act: Any) -> bool:
    """An earlier decision is replaced: what came after it stays, and may break rules now."""
    done = replay(scribe.table.log, audit=False)
    places = [at for at, event in enumerate(done.events) if isinstance(event.do, scribe.title.wire.decision)]
    if not places:
        return False
    at = scribe.dice.choice(places[-FURTHEST:])
    before = done.state_at(at)
    event = done.events[at]
    others = [other for other in scribe.title.legal(before) if other != event.do]
    if not others:
        return False
    edit = Replace(at=ref_of(event), event=make_event_body(scribe.title, before, scribe.dice.choice(others)))
    scribe.amend(scribe.dice.choice(MODES), edit)
    return True


def inserted(scribe: Scribe, _act: Any) -> bool:
    """A ruling that was forgotten is inserted where it belongs."""
    events = scribe.table.list_events()
    if not events:
        return False
    adjustment = scribe.adjustment()
    event: AnyEventBody = EventBody(do=adjustment.do, moved=adjustment.moved)
    at = ref_of(scribe.dice.choice(events[-FURTHEST:]))
    scribe.amend(scribe.dice.choice(MODES), InsertAfter(at=at, event=event))
    # what was to come next was chosen on another table
    return True
