"""The writers of a log and of the notes beside it. They acknowledge what is on the disk.

The notes on a game are in a file beside its log: `<game id>.notes.jsonl`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import MsgspecError
from msgspec.structs import replace

from spyrium_log.errors import ConflictError, LogError, ReadOnlyError, StoreError
from spyrium_log.log import chain, codec, notes
from spyrium_log.log.codec import LineStream, Memory
from spyrium_log.log.damage import classify_tail
from spyrium_log.log.lines import Line
from spyrium_log.log.notes import Noted, NoteLine, Notes, Sidecar, version_of
from spyrium_log.store.files import DISK, Files, reading_file, wrap_disk_errors
from spyrium_log.store.locked_file import AT_ONCE, LockedFile, Patience
from spyrium_log.store.source import Lines, read_damaged_tail, read_stream
from spyrium_log.title import AnyTitle


class Writer(LockedFile):
    """Appends to one log. `log` is what is in the file."""

    def __init__(self, path: Path, files: Files, titles: Mapping[str, AnyTitle], patience: Patience = AT_ONCE) -> None:
        """Open the log with its lock, read it, and mend an append that was cut short; ReadOnlyError on other damage."""
        with wrap_disk_errors("open-log", path):
            super().__init__(path, files, "log", patience=patience)
            with self.closed_on_error():
                self.log = read_stream(Lines(lambda size: files.read(self.file, size)), str(path), titles=titles)
                if not self.log.is_current:
                    n, found = self.log.formats
                    raise ReadOnlyError("older-format", n=n, title=self.log.title.key, found=found, place=str(path))
                # a new log is on the disk before it gets its name
                self.mend_and_start_from(self.log, is_first_lasting=True)
        # reversed, so that of a command that was repeated the first line stays
        self._by_command = {line.cmd: line for line in reversed(self.log.lines) if line.cmd is not None}

    def append(self, line: Line) -> Line:
        """Write one line, chained to the last one, and return it once it is on the disk.

        A command that is in the log already returns its first line again. `line.n` must be the next number.
        """
        self.check_writable()
        first_line = self._by_command.get(line.cmd) if line.cmd is not None else None
        if first_line is not None:
            self._check_same_content(first_line, line)
            self.confirm_content()
            return first_line
        if line.n != len(self.log.lines):
            raise ConflictError("next-line", n=line.n, found=len(self.log.lines), place=str(self.path))
        raw, written_line = self._encode_and_decode(line)
        self.confirm_content()
        self.append_bytes(raw)
        self.log.lines.append(written_line)
        self.log.last_raw = raw
        if written_line.cmd is not None:
            self._by_command[written_line.cmd] = written_line
        return written_line

    def _check_same_content(self, first_line: Line, repeated: Line) -> None:
        """Refuse a command that comes again with another content; its line number and time do not count."""
        raw, raw_again = (self._encode_after(chain.GENESIS, line, n=0, at=None) for line in (first_line, repeated))
        if raw != raw_again:
            raise ConflictError("command", command=first_line.cmd or "", n=first_line.n, place=str(self.path))

    def _encode_and_decode(self, line: Line) -> tuple[bytes, Line]:
        """The bytes of the next line, and what a reader makes of them; StoreError where it could not read them."""
        raw = self._encode_after(self.log.lines[-1].hash, line)
        try:
            return raw, codec.decode_next(self.log, raw)
        except LogError as error:
            place = str(self.path)
            raise StoreError("unreadable-line", code=error.code, message=error.message, place=place) from error

    def _encode_after(self, prev: str, line: Line, **changes: int | None) -> bytes:
        """The bytes of a line after the line of hash `prev`, with these fields; StoreError where it has none."""
        try:
            return codec.hashed_bytes(replace(line, prev=prev, hash="", **changes))
        except (TypeError, ValueError, OverflowError, RecursionError, MsgspecError) as error:
            raise StoreError("unwritable-line", found=str(error), place=str(self.path)) from error


def read_notes_stream(stream: LineStream, name: str = "<stdin>") -> Sidecar:
    """Read a file of notes; `damage` says what is wrong at its end. A whole last line without its newline is kept."""
    with wrap_disk_errors("read-notes", name):
        sidecar = notes.read_sidecar(stream, name)
        tail = b"" if sidecar.complaint is None else read_damaged_tail(sidecar.bad_line, stream)
    number = len(sidecar.lines) + 1
    sidecar.damage = damage = classify_tail(
        sidecar.complaint, sidecar.good_bytes, tail, lambda raw: notes.read_line(raw, name, number)
    )
    if damage.line is not None:
        # it lacks only its newline, so it may have been acknowledged
        sidecar.lines.append(damage.line)
    return sidecar


def read_notes_bytes(raw: bytes, name: str) -> Sidecar:
    """Read the bytes of a file of notes with its damage; `name` stands for the file in errors."""
    return read_notes_stream(Memory(raw), name)


def read_notes(path: Path, *, is_named: bool = False, files: Files = DISK) -> Sidecar:
    """Read the notes in a file, or in a pipe that a person named, without a lock; no notes where there is no file."""
    try:
        with reading_file(files, path, "read-notes", "stream" if is_named else "read") as read:
            return read_notes_stream(Lines(read), str(path))
    except StoreError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return Sidecar(str(path))
        raise


class NotesWriter(LockedFile):
    """Appends to the notes on one game, and makes their file."""

    def __init__(self, path: Path, files: Files = DISK, patience: Patience = AT_ONCE) -> None:
        """Open the notes with their lock, or make their file; mend an append that was cut short."""
        with wrap_disk_errors("open-notes", path):
            super().__init__(path, files, "notes", create=True, patience=patience)
            with self.closed_on_error():
                self.sidecar = read_notes_stream(Lines(lambda size: files.read(self.file, size)), str(path))
                self.mend_and_start_from(self.sidecar)
        self._line_by_bytes = {codec.encode(line): line for line in self.sidecar.lines}

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
        """The bytes of a line with its hash; StoreError where a note holds what JSON cannot."""
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
        """Write the bytes of a line that was checked; from now on it is among the notes."""
        line = self._decode_line(raw, 1)
        self.append_bytes(raw)
        self.sidecar.lines.append(line)
        self._line_by_bytes[raw] = line
        return line
