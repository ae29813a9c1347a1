"""Notes on a game: a file beside the log, one note or change of a note a line, never rewritten.

The lines are a set: whichever order they come in, they say the same, so that two files merge by union. Hence no line
holds the hash of another, each holds its own; and a change says the whole note again, so that it needs no other line.

Of the lines of one note the highest version stands. Where two people changed the same version, both lines stay, and
there stands a withdrawal before an edit, else the later one, else the one of the greater hash: everybody who has both
lines sees the same, and the next change settles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from spyrium_log.errors import LogError, NewerFormatError
from spyrium_log.log import chain
from spyrium_log.log.codec import MAX_LINE, MAX_LINES, LineStream, Log, check_whole, encode
from spyrium_log.log.complaints import DECODE_ERRORS, check_bytes, complaint_of
from spyrium_log.log.damage import Damage
from spyrium_log.log.lines import Event, EventLine, GameId, Hash, Ref, When, Withdrawn
from spyrium_log.log.timeline import ref_of, standing_after, timeline
from spyrium_log.title import Text, Word

FORMAT = 1
# What these allow fits into a line, however it is escaped: a note that can be made can be read.
MAX_TEXT = 4_000
# All notes on one game: a thousand long ones, or 20,000 of a sentence.
MAX_NOTES = 1 << 23
MAX_TAGS = 16
MAX_VARIATION = 100

Mark: TypeAlias = Literal["!!", "!", "!?", "?!", "?", "??"]
Tag: TypeAlias = Annotated[str, Meta(pattern=r"^\S{1,40}$(?!\n)")]
Remark: TypeAlias = Annotated[str, Meta(max_length=MAX_TEXT)]
Version: TypeAlias = Annotated[int, Meta(ge=2, le=1_000_000)]


class NoteHead(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind"):
    """The fields of every line: the note's id, who wrote the line, and when. `format` is written from format 2 on."""

    format: Literal[1] = 1
    id: GameId
    by: Word
    at: When | None = None


class Remarked(NoteHead, frozen=True, kw_only=True):
    """The whole note: the line or event of a game that it is on, by name and hash, and what it says."""

    game: GameId
    on: Ref
    line: Hash
    text: Remark = ""
    mark: Mark | None = None
    tags: Annotated[tuple[Tag, ...], Meta(max_length=MAX_TAGS)] = ()
    variation: Annotated[tuple[Text, ...], Meta(max_length=MAX_VARIATION)] = ()


class Noted(Remarked, frozen=True, kw_only=True, tag="note"):
    """A new note: its first version."""

    hash: Hash


class NoteEdited(Remarked, frozen=True, kw_only=True, tag="edited"):
    """The note from this version on. It may be on another line than before, and it brings a withdrawn note back."""

    version: Version
    hash: Hash


class NoteWithdrawn(NoteHead, frozen=True, kw_only=True, tag="withdrawn"):
    """The note is withdrawn from this version on."""

    version: Version
    why: Text | None = None
    hash: Hash


AnyNote: TypeAlias = Noted | NoteEdited
NoteLine: TypeAlias = Noted | NoteEdited | NoteWithdrawn
# stands: the line or event is as it was. moved: it was undone, amended or withdrawn. unknown: this log has no line of
# that hash.
Anchor: TypeAlias = Literal["stands", "moved", "unknown"]

_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[NoteLine] = msgspec.json.Decoder(NoteLine)


def version_of(line: NoteLine) -> int:
    """The version of the note that this line makes; a new note is version 1."""
    return 1 if isinstance(line, Noted) else line.version


class _FormatField(Struct):
    """The field of a line that says which version of this package reads it."""

    format: Annotated[int, Meta(ge=0, le=1_000_000)] = FORMAT


@dataclass(slots=True)
class Sidecar:
    """One file of notes as far as it can be read; where it cannot, the complaint and the line that it is about."""

    file: str
    lines: list[NoteLine] = field(default_factory=list)
    complaint: LogError | None = None
    bad_line: bytes = b""
    good_bytes: int = 0
    damage: Damage[NoteLine] | None = None

    @property
    def notes(self) -> Notes:
        """All that could be read, as a set: without what was written twice, and in the order of notes."""
        return Notes.from_lines(self.lines)


def hashed_bytes(line: NoteLine) -> bytes:
    """The line's canonical bytes, newline included, with the hash that is right, whatever hash it carries."""
    return chain.add_hash(_encode(replace(line, hash=""))) + b"\n"


def read_sidecar(stream: LineStream, file: str = "<bytes>") -> Sidecar:
    """Read one file of notes. An empty one has none; what is wrong is the sidecar's complaint."""
    sidecar = Sidecar(file)
    lines = sidecar.lines
    raw = b""
    try:
        while raw := stream.readline(MAX_LINE + 1):
            number = len(lines) + 1
            check_whole(raw, file, number)
            _check_size(sidecar.good_bytes + len(raw), file, number)
            lines.append(read_line(raw, file, number))
            sidecar.good_bytes += len(raw)
    except LogError as complaint:
        sidecar.complaint, sidecar.bad_line = complaint, raw
    return sidecar


def _check_size(size: int, file: str, number: int) -> None:
    """Refuse a file that is longer, with this line, than the notes on any game."""
    if size > MAX_NOTES:
        raise LogError("too-large", "notes-too-large", file=file, line=number, most=MAX_NOTES)


def read_line(raw: bytes, file: str, number: int) -> NoteLine:
    """The line in these bytes, newline included; LogError says which of the checks, from the outside in, it fails."""
    bare = raw[:-1]
    if number > MAX_LINES:
        raise LogError("too-many-lines", file=file, line=number, most=MAX_LINES)
    try:
        line = _decoder.decode(bare)
    except DECODE_ERRORS as error:
        _refuse_newer(bare, file, number)
        raise complaint_of(error, bare, file, number) from None
    check_bytes(bare, _encode(line), line.hash, file, number)
    return line


def _refuse_newer(bare: bytes, file: str, number: int) -> None:
    """Raise NewerFormatError for a bad line that names a newer format: that is no damage."""
    version = FORMAT
    with suppress(*DECODE_ERRORS):
        version = msgspec.json.decode(bare, type=_FormatField).format
    if version > FORMAT:
        raise NewerFormatError("newer-format", "newer-notes", file=file, line=number, expected=FORMAT, found=version)


@dataclass(frozen=True, slots=True)
class Notes:
    """A set of lines, each once, in an order that depends on their content alone."""

    lines: tuple[NoteLine, ...] = ()

    @classmethod
    def from_lines(cls, lines: Iterable[NoteLine]) -> Notes:
        """The set of these lines: of two files with notes on one game, chain both."""
        # by their bytes: one moment may be written in two time zones, and then the hashes differ
        line_by_bytes = {encode(line): line for line in lines}
        return cls(tuple(sorted(line_by_bytes.values(), key=lambda line: (line.id, _make_sort_key(line)))))

    def history(self, note: str) -> list[NoteLine]:
        """All lines of one note, the one that stands at the end."""
        return [line for line in self.lines if line.id == note]

    def standing(self) -> dict[str, AnyNote]:
        """The notes that nobody withdrew, by id, each in its latest version."""
        latest = {line.id: line for line in self.lines}
        return {note: line for note, line in latest.items() if not isinstance(line, NoteWithdrawn)}

    def authors(self) -> dict[str, str]:
        """Who wrote each note first, whoever changed it later: the first of its lines counts."""
        return {line.id: line.by for line in reversed(self.lines)}

    def latest_version(self, note: str) -> int:
        """The latest version of a note; 0 where there is no such note."""
        return max((version_of(line) for line in self.history(note)), default=0)


def _make_sort_key(line: NoteLine) -> tuple[Any, ...]:
    """Sorts by version; of one version a withdrawal comes last, else the later line, else the greater hash."""
    # a line without a time is before all others, and is never compared with a time
    return version_of(line), isinstance(line, NoteWithdrawn), line.at is not None, line.at, line.hash


def find_anchors(notes: Notes, log: Log) -> dict[str, Anchor]:
    """For each standing note, by id, whether what it is on is unchanged: a line or event, named with its hash."""
    lines = log.lines
    standing_now = {ref_of(event): event for event in timeline(lines)}
    number_of = {line.hash: line.n for line in lines}
    withdrawn = {line.line for line in lines if isinstance(line, Withdrawn)}
    standing = notes.standing()
    events = _find_noted_events(standing, log, number_of)

    def find_anchor(id_: str, note: AnyNote) -> Anchor:
        """Whether what this note is on stands as it was, was moved or withdrawn, or is not in this log."""
        number, event = number_of.get(note.line), events.get(id_)
        if note.game != log.header.game or number is None:
            return "unknown"
        # a note on this very line, which is no event
        if note.on == str(number) and not isinstance(lines[number], EventLine):
            return "moved" if number in withdrawn else "stands"
        if event is None:
            return "unknown"
        return "stands" if standing_now.get(note.on) == event else "moved"

    return {id_: find_anchor(id_, note) for id_, note in standing.items()}


def _find_noted_events(notes: Mapping[str, AnyNote], log: Log, number_of: Mapping[str, int]) -> dict[str, Event]:
    """The event that each note is on, by the note's id, as it stood after the line whose hash the note names."""
    events: dict[str, Event] = {}
    # by line: the notes with the hash of that line that are on another event, which the line inserted or edited
    ids_and_refs: dict[int, list[tuple[str, str]]] = {}
    for id_, note in notes.items():
        number = number_of.get(note.line)
        if number is None:
            continue
        line = log.lines[number]
        if note.on != str(number):
            ids_and_refs.setdefault(number, []).append((id_, note.on))
        elif isinstance(line, EventLine):
            events[id_] = line
    # in one pass, because hostile notes may name every line of a long log
    for number, standing in standing_after(log.lines, ids_and_refs, log.file) if ids_and_refs else ():
        for id_, ref in ids_and_refs[number]:
            if (event := standing.get(ref)) is not None:
                events[id_] = event
    return events
