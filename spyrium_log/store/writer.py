"""The one writer of a log: it holds the lock, mends what was cut short, and acknowledges what is on the disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import MsgspecError
from msgspec.structs import replace

from spyrium_log.errors import ConflictError, LogError, ReadOnlyError, StoreError
from spyrium_log.log import chain, codec
from spyrium_log.log.lines import Line
from spyrium_log.store.files import Files, disk_errors
from spyrium_log.store.locked_file import AT_ONCE, LockedFile, Patience
from spyrium_log.store.source import Lines, read_stream
from spyrium_log.title import AnyTitle


class Writer(LockedFile):
    """Appends to one log. `log` is what is in the file."""

    def __init__(self, path: Path, files: Files, titles: Mapping[str, AnyTitle], patience: Patience = AT_ONCE) -> None:
        with disk_errors("open-log", path):
            super().__init__(path, files, "log", patience=patience)
            with self.closed_on_error():
                self.log = read_stream(Lines(lambda size: files.read(self.file, size)), str(path), titles=titles)
                self._check_format()
                # a new log is on the disk before it gets its name
                self.start_from(self.log, codec.encode, is_first_lasting=True)
        self._by_command: dict[str, Line] = {}
        for line in self.log.lines:
            if line.cmd is not None:
                self._by_command.setdefault(line.cmd, line)

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

    def _check_format(self) -> None:
        """Refuse to append to a log of an older format."""
        if not self.log.is_current:
            n, found = self.log.formats
            raise ReadOnlyError("older-format", n=n, title=self.log.title.key, found=found, place=str(self.path))

    def _check_same_content(self, first_line: Line, repeated: Line) -> None:
        """Refuse a command that comes again with another content; its line number and time do not count."""
        raw, raw_again = (self._encode_after(chain.GENESIS, line, n=0, at=None) for line in (first_line, repeated))
        if raw != raw_again:
            raise ConflictError("command", command=first_line.cmd or "", n=first_line.n, place=str(self.path))

    def _encode_and_decode(self, line: Line) -> tuple[bytes, Line]:
        """The line's bytes and the line they decode to; StoreError for a line that could not be read again."""
        raw = self._encode_after(self.log.lines[-1].hash, line)
        try:
            return raw, codec.decode_next(self.log, raw)
        except LogError as error:
            place = str(self.path)
            raise StoreError("unreadable-line", code=error.code, message=error.message, place=place) from error

    def _encode_after(self, prev: str, line: Line, **changes: Any) -> bytes:
        """The bytes of a line after the line of hash `prev`; StoreError where it cannot be encoded."""
        try:
            return codec.hashed_bytes(replace(line, prev=prev, hash="", **changes))
        except (TypeError, ValueError, OverflowError, RecursionError, MsgspecError) as error:
            raise StoreError("unwritable-line", found=str(error), place=str(self.path)) from error
