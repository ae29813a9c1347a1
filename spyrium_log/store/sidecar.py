"""The notes on a game, in a file beside its log: `<game id>.notes.jsonl`."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import MsgspecError

from spyrium_log.errors import ConflictError, LogError, StoreError
from spyrium_log.log import notes
from spyrium_log.log.codec import LineStream, Memory
from spyrium_log.log.damage import MAX_TAIL, assessed
from spyrium_log.log.notes import Noted, NoteLine, Notes, Sidecar, version_of
from spyrium_log.store.files import DISK, Files, worded
from spyrium_log.store.held import Held
from spyrium_log.store.patience import AT_ONCE, Patience
from spyrium_log.store.source import Lines, TailLines


def read_notes_stream(stream: LineStream, name: str = "<stdin>") -> Sidecar:
    """Read one file of notes, damage and all."""
    lines = TailLines(stream)
    with worded("to read notes", name):
        sidecar = notes.read(lines, name)
        tail = b"" if sidecar.complaint is None else lines.tail()
    number = len(sidecar.lines) + 1
    sidecar.damage = damage = assessed(
        sidecar.complaint,
        sidecar.good_bytes,
        tail[:MAX_TAIL],
        lambda raw: notes.read_line(raw, name, number),
        more=len(tail) > MAX_TAIL,
    )
    if damage.line is not None:
        # It is whole and lacks only its newline, so it may have been acknowledged, and is shown.
        sidecar.lines.append(damage.line)
    return sidecar


def read_notes_bytes(raw: bytes, name: str) -> Sidecar:
    """Read one file of notes that is in memory."""
    return read_notes_stream(Memory(raw), name)


def read_notes(path: Path, *, is_named: bool = False, files: Files = DISK) -> Sidecar:
    """Read the notes in a file, without a lock. Where there is no file, nobody has written any yet.

    `is_named`: a person named it, so that it may be a pipe.
    """
    with worded("to read notes", path):
        try:
            file = files.open(path, "stream" if is_named else "read")
        except FileNotFoundError:
            return Sidecar(str(path))
        try:
            return _read_open(file, path, files)
        finally:
            files.close(file)


def _read_open(file: int, path: Path, files: Files) -> Sidecar:
    return read_notes_stream(Lines(lambda size: files.read(file, size)), str(path))


class NotesWriter:
    """Appends to the notes on one game, and makes their file. `report` says what was mended when it was opened."""

    def __init__(self, path: Path, files: Files = DISK, patience: Patience = AT_ONCE) -> None:
        self.path = path
        with worded("to open notes for writing", path):
            self._held = Held(path, files, "file of notes", create=True, patience=patience)
            try:
                self.sidecar = _read_open(self._held.file, path, files)
                self._held.take(self.sidecar, notes.encode)
            except BaseException:
                self._held.abandon()
                raise
        self._written = {notes.encode(line): line for line in self.sidecar.lines}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held.leave(error)

    @property
    def report(self) -> list[str]:
        return self._held.report

    def close(self) -> None:
        """Let go of the file and its lock. Everything acknowledged is on the disk already."""
        self._held.close()

    def append(self, line: NoteLine) -> NoteLine:
        """Write one line and answer it as it now stands in the file, hashed and on the disk.

        A line that is there already is answered again. A new note has a new id, and a change follows the version that
        it was made from.
        """
        self._held.check()
        raw = self._bytes(line)
        new = raw not in self._written
        if new:
            self._follows(self._read(raw, 1))
        self._held.settle()
        return self._add(raw) if new else self._written[raw]

    def merge(self, others: Notes) -> int:
        """Write every line that is not here yet, whatever it contradicts: a union. Answers how many those were.

        All are looked at before one is written. Where the machine stops half-way, merging again does the rest.
        """
        self._held.check()
        new = [raw for raw in dict.fromkeys(map(self._bytes, others.lines)) if raw not in self._written]
        for ahead, raw in enumerate(new, 1):
            self._read(raw, ahead)
        self._held.settle()
        for raw in new:
            self._add(raw)
            self._held.settle()
        return len(new)

    def _bytes(self, line: NoteLine) -> bytes:
        try:
            return notes.hashed_bytes(line)
        except (TypeError, ValueError, OverflowError, RecursionError, MsgspecError) as error:
            raise StoreError(f"expected a note that can be written, found: {error}, at {self.path}") from error

    def _read(self, raw: bytes, ahead: int) -> NoteLine:
        """What the bytes say. What could not be read again is refused before anything is written."""
        try:
            return notes.read_line(raw, str(self.path), len(self.sidecar.lines) + ahead)
        except LogError as complaint:
            found = f"{complaint.code}: {complaint.message}"
            raise StoreError(f"expected a note that can be read again, found {found}, at {self.path}") from complaint

    def _follows(self, line: NoteLine) -> None:
        latest = self.sidecar.notes.latest(line.id)
        if isinstance(line, Noted) and latest:
            raise ConflictError(f"expected a new note, found '{line.id}' to be there already, at {self.path}")
        if not isinstance(line, Noted) and not latest:
            raise ConflictError(f"expected note '{line.id}' to change, found none, at {self.path}")
        if version_of(line) != latest + 1:
            expected = f"expected version {version_of(line)} of note '{line.id}' to follow, found {latest}"
            raise ConflictError(f"{expected}: somebody else changed it, at {self.path}")

    def _add(self, raw: bytes) -> NoteLine:
        line = self._read(raw, 1)
        self._held.write(raw)
        self.sidecar.lines.append(line)
        self._written[raw] = line
        return line
