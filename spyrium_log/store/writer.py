"""The one writer of a log: it holds the lock, mends what was cut short, and acknowledges what is on the disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import MsgspecError
from msgspec.structs import replace

from spyrium_log.errors import ConflictError, LogError, ReadOnlyError, StoreError
from spyrium_log.log import chain, codec
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Line
from spyrium_log.messages import store_message
from spyrium_log.store.files import Files, disk_errors
from spyrium_log.store.held import Appender, Held
from spyrium_log.store.patience import AT_ONCE, Patience
from spyrium_log.store.source import Lines, read_stream
from spyrium_log.title import AnyTitle


class Writer(Appender):
    """Appends to one log. `log` is what is in the file."""

    def __init__(self, path: Path, files: Files, titles: Mapping[str, AnyTitle], patience: Patience = AT_ONCE) -> None:
        self.path = path
        with disk_errors("open-log", path):
            self._held = Held(path, files, "log", patience=patience)
            try:
                self.log = read_stream(Lines(lambda size: files.read(self._held.file, size)), str(path), titles=titles)
                self._continue_log(self.log)
            except BaseException:
                self._held.abandon()
                raise
        self._by_command: dict[str, Line] = {}
        for line in self.log.lines:
            if line.cmd is not None:
                self._by_command.setdefault(line.cmd, line)

    def append(self, line: Line) -> Line:
        """Write one line, chained to the last one, and return it once it is on the disk.

        A command that is in the log already returns its first line again. `line.n` must be the next number.
        """
        self._held.check()
        first_line = self._by_command.get(line.cmd) if line.cmd is not None else None
        if first_line is not None:
            self._refuse_other_content(first_line, line)
            self._held.settle()
            return first_line
        if line.n != len(self.log.lines):
            found = len(self.log.lines)
            raise ConflictError(store_message("next-line", n=line.n, found=found, place=str(self.path)))
        raw, written_line = self._checked_bytes(line)
        self._held.settle()
        self._held.append(raw)
        self.log.lines.append(written_line)
        self.log.last_raw = raw
        if written_line.cmd is not None:
            self._by_command[written_line.cmd] = written_line
        return written_line

    def _continue_log(self, log: Log) -> None:
        """Append to this log from now on; ReadOnlyError where it is of an older format."""
        if not log.is_current:
            log_format, title_format = log.formats
            raise ReadOnlyError(
                store_message(
                    "older-format", n=log_format, title=log.title.key, found=title_format, place=str(self.path)
                )
            )
        # a new log is on the disk before it gets its name
        self._held.go_on_from(log, codec.encode, is_first_lasting=True)

    # --- before a line is written ----------------------------------------------------------------

    def _refuse_other_content(self, first_line: Line, repeated: Line) -> None:
        """Refuse a command that comes again with another content; its line number and time do not count."""
        raw, raw_again = (self._encoded(line, chain.GENESIS, n=0, at=None) for line in (first_line, repeated))
        if raw != raw_again:
            raise ConflictError(
                store_message("command", command=first_line.cmd or "", n=first_line.n, place=str(self.path))
            )

    def _checked_bytes(self, line: Line) -> tuple[bytes, Line]:
        """The line's bytes and what they say. What could not be read again is refused before anything is written."""
        raw = self._encoded(line, self.log.lines[-1].hash)
        try:
            return raw, codec.decode_next(self.log, raw)
        except LogError as complaint:
            raise StoreError(
                store_message("unreadable-line", code=complaint.code, message=complaint.message, place=str(self.path))
            ) from complaint

    def _encoded(self, line: Line, prev: str, **changes: Any) -> bytes:
        """The bytes of a line after the line of hash `prev`; StoreError where it cannot be encoded."""
        try:
            return codec.hashed_bytes(replace(line, prev=prev, hash="", **changes))
        except (TypeError, ValueError, OverflowError, RecursionError, MsgspecError) as error:
            raise StoreError(store_message("unwritable-line", found=str(error), place=str(self.path))) from error
