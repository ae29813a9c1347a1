"""Notes as somebody makes them: what they stand on is looked up, a variation is played through by the rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple, get_args

from msgspec import Struct

from spyrium_log.edit.amend import AnyAct, AnyState
from spyrium_log.errors import AmendmentError, NotationError, SpyriumLogError
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import EventLine
from spyrium_log.log.notes import Anchor, AnyNote, Mark, Noted, NoteEdited, Notes, NoteWithdrawn, find_anchors
from spyrium_log.log.timeline import ref_of, timeline
from spyrium_log.messages import syntax, unexpected_message
from spyrium_log.play import OPEN, Play
from spyrium_log.replay import Replay, replay

# A tag behind a remark, `#opening`; `#12` is the number of something.
_LAST_TAG = re.compile(r"(?:^|\s+)#([^\W\d]\S{0,39})$")
MARKS: tuple[Mark, ...] = get_args(Mark)


class TypedNote(NamedTuple):
    """What a note says, as somebody typed it in one line."""

    mark: Mark | None = None
    text: str = ""
    tags: tuple[str, ...] = ()


def read_note(typed: str) -> TypedNote:
    """`!? why not #opening`: a mark, a remark, tags at its end, each of which may be left out."""
    # the longer marks come before those they begin with
    mark = next((mark for mark in sorted(MARKS, key=len, reverse=True) if typed.startswith(mark)), None)
    text = typed.removeprefix(mark or "").strip()
    tags: list[str] = []
    while found := _LAST_TAG.search(text):
        tags.insert(0, found[1])
        text = text[: found.start()]
    return TypedNote(mark, text, tuple(tags))


class Remark(Struct, frozen=True, kw_only=True):
    """A note that stands, by whoever wrote it first, `on` a line or an event; `anchor`: whether that still stands."""

    on: str
    by: str
    text: str
    mark: Mark | None
    tags: tuple[str, ...]
    variation: tuple[str, ...]
    anchor: Anchor


class Listed(Remark, frozen=True, kw_only=True):
    """The same with its id and its time, for whoever looks for it."""

    id: str
    at: datetime | None


def list_remarks(log: Log, notes: Notes) -> list[Listed]:
    """The standing notes, in the order of what they stand on and then of their ids, for `note list`."""
    anchors, authors = find_anchors(notes, log), notes.authors()
    copied = ("id", "on", "at", "text", "mark", "tags", "variation")
    remarks = [
        Listed(by=authors[note.id], anchor=anchors[note.id], **{name: getattr(note, name) for name in copied})
        for note in notes.standing().values()
    ]
    # as numbers: 57.1 stands after 57 and before 58, and 9 before 10
    return sorted(remarks, key=lambda remark: ([int(part) for part in remark.on.split(".")], remark.id))


def list_game_remarks(game: Replay, notes: Notes) -> list[Remark]:
    """The notes on this game, in the order of what they are about, for a page or a screen that shows it."""
    own_ids = {note.id for note in notes.standing().values() if note.game == game.header.game}
    remarks = (remark for remark in list_remarks(game.log, notes) if remark.id in own_ids)
    return [Remark(**{name: getattr(remark, name) for name in Remark.__struct_fields__}) for remark in remarks]


def make_note(
    log: Log,
    on: str,
    *,
    note_id: str,
    by: str,
    at: datetime | None = None,
    text: str = "",
    mark: Mark | None = None,
    tags: Sequence[str] = (),
    instead: Sequence[str] = (),
) -> Noted:
    """A new note on a line, or on an event as it stands now; `instead` is a variation, in notation."""
    play_variation(log, on, instead)
    return Noted(
        id=note_id,
        by=by,
        at=at,
        game=log.header.game,
        on=on,
        line=_find_hash(log, on),
        text=text,
        mark=mark,
        tags=tuple(tags),
        variation=tuple(instead),
        hash=OPEN,
    )


def edit_note(
    log: Log,
    notes: Notes,
    note_id: str,
    *,
    by: str,
    at: datetime | None = None,
    text: str | None = None,
    mark: Mark | None = None,
    tags: Sequence[str] | None = None,
    instead: Sequence[str] | None = None,
) -> NoteEdited:
    """The next version of a note, for `note edit`. What is not given stays, and so does the line it is on."""
    old = find_note(notes, note_id)
    if instead is not None:
        play_variation(log, old.on, instead)
    fields = {name: getattr(old, name) for name in ("id", "game", "on", "line", "text", "mark", "tags", "variation")}
    fields |= {name: value for name, value in (("text", text), ("mark", mark)) if value is not None}
    fields |= {name: tuple(words) for name, words in (("tags", tags), ("variation", instead)) if words is not None}
    return NoteEdited(by=by, at=at, version=notes.latest_version(old.id) + 1, hash=OPEN, **fields)


def withdraw_note(
    notes: Notes, note_id: str, *, by: str, at: datetime | None = None, why: str | None = None
) -> NoteWithdrawn:
    """The last version of a note, which withdraws it: from then on it does not stand any more."""
    note = find_note(notes, note_id)
    return NoteWithdrawn(id=note.id, by=by, at=at, why=why, version=notes.latest_version(note.id) + 1, hash=OPEN)


def find_note(notes: Notes, typed_id: str) -> AnyNote:
    """The standing note whose id is, or else begins like, what somebody typed; refused if there are several or none."""
    standing = notes.standing()
    ids = [typed_id] if typed_id in standing else [note_id for note_id in standing if note_id.startswith(typed_id)]
    if not ids:
        raise AmendmentError("no-note", found=typed_id)
    if len(ids) > 1:
        raise AmendmentError("several-notes", found=typed_id, n=len(ids), ids=", ".join(ids))
    return standing[ids[0]]


def _find_hash(log: Log, on: str) -> str:
    """The hash that dates a note: of the log's last line if its event stands now, else of the line as recorded."""
    if on in {ref_of(event) for event in timeline(log.lines)}:
        return log.lines[-1].hash
    # of an inserted event, `57.1`, the line of its amendment
    line = log.lines[int(on.partition(".")[0])]
    if isinstance(line, EventLine) or on == str(line.n):
        return line.hash
    raise AmendmentError("note-place", found=on)


class Variation:
    """Moves that might have come instead of the event `ref`, or after another line: by the rules, in memory only.

    `table` is the game after them; of each move there are its act, its notation and its sentence.
    """

    def __init__(self, log: Log, ref: str, language: str = "en") -> None:
        """Begin before the event, without a move."""
        self.ref = ref
        self.table = Play(log)
        self.table.state = _find_state_before(log, ref)
        self.acts: list[AnyAct] = []
        self.notation: list[str] = []
        self.sentences: list[str] = []
        self._language = language

    def play(self, notation: str) -> None:
        """Play one more move; IllegalError where the rules forbid it."""
        act = self.table.read_notation(notation)
        # words and notation are of the state before the move
        sentence, written = self.table.describe_act(act, self._language), self.table.write_notation(act)
        self.table.do(act, by="variation")
        self.acts.append(act)
        self.notation.append(written)
        self.sentences.append(sentence)


def play_variation(log: Log, ref: str, lines: Sequence[str], language: str = "en") -> Variation:
    """A variation of these moves, in notation; IllegalError or NotationError where one cannot be played."""
    variation = Variation(log, ref, language)
    for line in lines:
        variation.play(line)
    return variation


def describe_variation(log: Log, ref: str, lines: Sequence[str], language: str) -> Sequence[str]:
    """The moves of a variation in sentences; as they were typed where the game does not allow them any more."""
    with suppress(SpyriumLogError):
        return play_variation(log, ref, lines, language).sentences
    return lines


def _find_state_before(log: Log, ref: str) -> AnyState:
    """The state before an event, for a variation: as it stands now or, if it was undone, as it was recorded on."""
    line = next((line for line in log.lines if str(line.n) == ref.partition(".")[0]), None)
    if line is not None:
        current, recorded = replay(log, audit=False), replay(log, until=line.n, audit=False)
        for game in (current, recorded):
            if ref in game.position_by_name:
                return game.state_at(game.position_by_name[ref] - 1)
        # a line without an event, such as a correction
        if ref == str(line.n) and not isinstance(line, EventLine):
            return recorded.state_at(len(recorded.events))
    raise NotationError(unexpected_message(syntax("event-of-log"), ref), ref, 1)
