"""Notes as somebody makes them: what they stand on, what changes and what stays."""

from __future__ import annotations

import pytest

from spyrium_log.edit.annotate import edit_note, make_note, withdraw_note
from spyrium_log.errors import AmendmentError, IllegalError, NotationError
from spyrium_log.log.lines import Replace
from spyrium_log.log.notes import Notes, find_anchors
from tests.scribe import Scribe
from tests.stories import opening


def table() -> Scribe:
    return opening().play("p12", "p45", "p45")


def test_a_note_speaks_of_the_event_as_it_stands_now() -> None:
    scribe = table()
    scribe.amend("misplayed", Replace(at="3", event=scribe.told("2", "p25")), why="one space on")
    made = make_note(scribe.log(), "3", note_id="note-1", by="ann", text="why there?", mark="?!", tags=["opening"])
    assert (made.on, made.line, made.mark, made.tags) == ("3", scribe.log().lines[5].hash, "?!", ("opening",))
    assert find_anchors(Notes.from_lines([made]), scribe.log()) == {"note-1": "stands"}
    scribe.undo(4)
    assert find_anchors(Notes.from_lines([made]), scribe.log()) == {"note-1": "moved"}


def test_a_note_may_stand_on_any_line() -> None:
    scribe = table().undo(3)
    made = [make_note(scribe.log(), on, note_id=f"note-{on}", by="ann") for on in ("0", "4", "5")]
    assert find_anchors(Notes.from_lines(made), scribe.log()) == {
        "note-0": "stands",
        "note-4": "moved",
        "note-5": "stands",
    }


def test_a_variation_is_played_before_it_is_noted() -> None:
    log = table().log()
    assert make_note(log, "4", note_id="note-1", by="ann", instead=["p12", "p25"]).variation == ("p12", "p25")
    with pytest.raises(IllegalError):
        make_note(log, "4", note_id="note-1", by="ann", instead=["a45.5"])
    with pytest.raises(NotationError, match="expected a line or event of this log"):
        make_note(log, "9", note_id="note-1", by="ann")


def test_what_is_not_said_anew_stays() -> None:
    log = table().log()
    notes = Notes.from_lines([make_note(log, "3", note_id="note-1", by="ann", text="why?", mark="?", tags=["opening"])])
    change = edit_note(log, notes, "note", by="bob", text="I see", tags=[])
    assert (change.id, change.version, change.by, change.on) == ("note-1", 2, "bob", "3")
    assert (change.text, change.mark, change.tags) == ("I see", "?", ())
    gone = withdraw_note(Notes.from_lines([*notes.lines, change]), "note-1", by="ann", why="settled")
    assert (gone.id, gone.version) == ("note-1", 3)


def test_the_beginning_of_an_id_is_enough_where_only_one_begins_so() -> None:
    log = table().log()
    notes = Notes.from_lines(make_note(log, "3", note_id=f"note-{n}", by="ann") for n in (1, 12))
    assert withdraw_note(notes, "note-1", by="ann").id == "note-1"
    for begins, found in (("note", "2: note-1, note-12"), ("x", "none")):
        with pytest.raises(AmendmentError, match=f"begins with '{begins}', found {found}"):
            withdraw_note(notes, begins, by="ann")
