"""The notes on a game, in a file beside its log: `<game id>.notes.jsonl`."""

from __future__ import annotations

from pathlib import Path

from msgspec import MsgspecError

from spyrium_log.errors import ConflictError, LogError, StoreError
from spyrium_log.log import notes
from spyrium_log.log.codec import LineStream, Memory
from spyrium_log.log.damage import MAX_TAIL, classify_tail
from spyrium_log.log.notes import Noted, NoteLine, Notes, Sidecar, version_of
from spyrium_log.store.files import DISK, Files, disk_errors
from spyrium_log.store.locked_file import AT_ONCE, LockedFile, Patience
from spyrium_log.store.source import Lines, read_damaged_tail


def read_notes_stream(stream: LineStream, name: str = "<stdin>") -> Sidecar:
    """Read one file of notes, damage and all."""
    with disk_errors("read-notes", name):
        sidecar = notes.read(stream, name)
        tail = b"" if sidecar.complaint is None else read_damaged_tail(sidecar.bad_line, stream)
    number = len(sidecar.lines) + 1
    sidecar.damage = damage = classify_tail(
        sidecar.complaint,
        sidecar.good_bytes,
        tail[:MAX_TAIL],
        lambda raw: notes.read_line(raw, name, number),
        more=len(tail) > MAX_TAIL,
    )
    if damage.line is not None:
        # it lacks only its newline, so it may have been acknowledged
        sidecar.lines.append(damage.line)
    return sidecar


def read_notes_bytes(raw: bytes, name: str) -> Sidecar:
    """Read one file of notes that is in memory."""
    return read_notes_stream(Memory(raw), name)


def read_notes(path: Path, *, is_named: bool = False, files: Files = DISK) -> Sidecar:
    """Read the notes in a file, without a lock; no notes where there is no file.

    `is_named`: a person named the file, so it may be a pipe.
    """
    with disk_errors("read-notes", path):
        try:
            file = files.open(path, "stream" if is_named else "read")
        except FileNotFoundError:
            return Sidecar(str(path))
        try:
            return _read_open_notes(file, path, files)
        finally:
            files.close(file)


def _read_open_notes(file: int, path: Path, files: Files) -> Sidecar:
    """Read the notes in an open file."""
    return read_notes_stream(Lines(lambda size: files.read(file, size)), str(path))


class NotesWriter(LockedFile):
    """Appends to the notes on one game, and makes their file."""

    def __init__(self, path: Path, files: Files = DISK, patience: Patience = AT_ONCE) -> None:
        with disk_errors("open-notes", path):
            super().__init__(path, files, "notes", create=True, patience=patience)
            with self.closed_on_error():
                self.sidecar = _read_open_notes(self.file, path, files)
                self.start_from(self.sidecar, notes.encode)
        self._line_by_bytes = {notes.encode(line): line for line in self.sidecar.lines}

    def append(self, line: NoteLine) -> NoteLine:
        """Write one line with its hash, and return it once it is on the disk.

        A line that is there already is returned again. A new note needs a new id, and a change must follow the latest
        version.
        """
        self.check_writable()
        raw = self._encode_line(line)
        is_new = raw not in self._line_by_bytes
        if is_new:
            self._check_version(self._decode_line(raw, 1))
        self.confirm_content()
        return self._append_line(raw) if is_new else self._line_by_bytes[raw]

    def merge(self, others: Notes) -> int:
        """Write every line that is not here yet, whatever it contradicts, and return how many those were.

        All are checked before one is written. If the machine stops half-way, merging again does the rest.
        """
        self.check_writable()
        encoded_lines = dict.fromkeys(map(self._encode_line, others.lines))
        new_lines = [raw for raw in encoded_lines if raw not in self._line_by_bytes]
        for ahead, raw in enumerate(new_lines, 1):
            self._decode_line(raw, ahead)
        self.confirm_content()
        for raw in new_lines:
            self._append_line(raw)
            self.confirm_content()
        return len(new_lines)

    def _encode_line(self, line: NoteLine) -> bytes:
        """The bytes of a line; StoreError where it cannot be encoded."""
        try:
            return notes.hashed_bytes(line)
        except (TypeError, ValueError, OverflowError, RecursionError, MsgspecError) as error:
            raise StoreError("unwritable-note", found=str(error), place=str(self.path)) from error

    def _decode_line(self, raw: bytes, ahead: int) -> NoteLine:
        """The line in these bytes, `ahead` lines after the last; StoreError for one that could not be read again."""
        try:
            return notes.read_line(raw, str(self.path), len(self.sidecar.lines) + ahead)
        except LogError as error:
            place = str(self.path)
            raise StoreError("unreadable-note", code=error.code, message=error.message, place=place) from error

    def _check_version(self, line: NoteLine) -> None:
        """Refuse a new note that is there already, and a change that follows another version than the latest."""
        latest, version, place = self.sidecar.notes.latest_version(line.id), version_of(line), str(self.path)
        if isinstance(line, Noted) and latest:
            raise ConflictError("note-there", note=line.id, place=place)
        if not isinstance(line, Noted) and not latest:
            raise ConflictError("no-note", note=line.id, place=place)
        if version != latest + 1:
            raise ConflictError("note-version", n=version, note=line.id, found=latest, place=place)

    def _append_line(self, raw: bytes) -> NoteLine:
        """Append the bytes of a line, and return the line."""
        line = self._decode_line(raw, 1)
        self.append_bytes(raw)
        self.sidecar.lines.append(line)
        self._line_by_bytes[raw] = line
        return line
