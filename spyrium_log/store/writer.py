"""The one writer of a log: it holds the lock, mends what no one was ever told, and acknowledges what is on the disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from msgspec import MsgspecError
from msgspec.structs import replace

from spyrium_log.errors import ConflictError, LogError, ReadOnlyError, StoreError
from spyrium_log.log import chain, codec
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import Line
from spyrium_log.store.files import Files, worded
from spyrium_log.store.held import Held
from spyrium_log.store.patience import AT_ONCE, Patience
from spyrium_log.store.source import read_open
from spyrium_log.title import AnyTitle


class Writer:
    """Appends to one log. `log` is what is in the file; `report` says what was mended when it was opened."""

    def __init__(self, path: Path, files: Files, titles: Mapping[str, AnyTitle], patience: Patience = AT_ONCE) -> None:
        self.path = path
        with worded("to open a log for writing", path):
            self._held = Held(path, files, "log", patience=patience)
            try:
                self.log = read_open(self._held.file, path, titles=titles, files=files)
                self._take(self.log)
            except BaseException:
                self._held.abandon()
                raise
        self._by_command: dict[str, Line] = {}
        for line in self.log.lines:
            if line.cmd is not None:
                self._by_command.setdefault(line.cmd, line)

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

    def append(self, line: Line) -> Line:
        """Write one line and answer it as it now stands in the log, chained and on the disk.

        A command that is in the log already gets its first answer again. `line.n` is the number that the caller
        expects to be next.
        """
        self._held.check()
        first = self._by_command.get(line.cmd) if line.cmd is not None else None
        if first is not None:
            self._same(first, line)
            self._held.settle()
            return first
        if line.n != len(self.log.lines):
            expected = f"expected line {line.n} to be next, found {len(self.log.lines)}"
            raise ConflictError(f"{expected}: somebody else appended, at {self.path}")
        raw, chained = self._chained(line)
        self._held.settle()
        self._held.write(raw)
        self.log.lines.append(chained)
        self.log.last_digest = chain.digest(chain.body(raw[:-1]))
        if chained.cmd is not None:
            self._by_command[chained.cmd] = chained
        return chained

    def _take(self, log: Log) -> None:
        if not log.is_current:
            found = f"found log format {log.formats[0]} and {log.title.key} format {log.formats[1]}"
            raise ReadOnlyError(f"expected a log of the current formats, {found}, at {self.path}")
        # a header was on the disk before it had its name
        self._held.take(log, codec.encode, is_first_lasting=True)

    # --- before a line is written ----------------------------------------------------------------

    def _same(self, first: Line, again: Line) -> None:
        """Whether a command says again what it said, whenever and wherever it says it."""
        told, retold = (self._sealed(line, chain.GENESIS, n=0, at=None) for line in (first, again))
        if told != retold:
            found = f"found it on line {first.n} with another content"
            raise ConflictError(f"expected command '{first.cmd}' to be new, {found}, at {self.path}")

    def _chained(self, line: Line) -> tuple[bytes, Line]:
        """The line's bytes and what they say. What could not be read again is refused before anything is written."""
        raw = self._sealed(line, self.log.last.hash)
        try:
            return raw, codec.decode_next(self.log, raw)
        except LogError as complaint:
            found = f"{complaint.code}: {complaint.message}"
            raise StoreError(f"expected a line that can be read again, found {found}, at {self.path}") from complaint

    def _sealed(self, line: Line, prev: str, **instead: Any) -> bytes:
        try:
            return codec.hashed_bytes(replace(line, prev=prev, hash="", **instead))
        except (TypeError, ValueError, OverflowError, RecursionError, MsgspecError) as error:
            raise StoreError(f"expected a line that can be written, found: {error}, at {self.path}") from error
