"""The one writer of a log: it holds the lock, mends what no one was ever told, and acknowledges what is on the disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

from msgspec import MsgspecError
from msgspec.structs import replace

from spyrium_log.errors import (
    ConflictError,
    LockedError,
    LogError,
    PoisonedError,
    ReadOnlyError,
    StoreError,
)
from spyrium_log.log import chain, codec
from spyrium_log.log.codec import Log
from spyrium_log.log.damage import Damage
from spyrium_log.log.lines import Line
from spyrium_log.store.files import Files, create_free, reason, worded
from spyrium_log.store.source import read_open
from spyrium_log.title import AnyTitle


class Writer:
    """Appends to one log. `log` is what is in the file; `report` says what was mended when it was opened."""

    def __init__(self, path: Path, files: Files, titles: Mapping[str, AnyTitle]) -> None:
        self.path = path
        self.report: list[str] = []
        self._files = files
        self._cause: BaseException | None = None
        self._is_hard = False
        self._is_open = True
        with worded("to open a log for writing", path):
            self._file = files.open(path, "write")
            try:
                self._lock()
                self.log = read_open(self._file, path, titles=titles, files=files)
                self._mend(self.log)
            except BaseException:
                self._abandon()
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
        if error is None:
            self.close()
        else:
            self._abandon()

    def close(self) -> None:
        """Let go of the file and its lock. Everything acknowledged is on the disk already."""
        if not self._is_open:
            return
        self._is_open = False
        try:
            self._files.close(self._file)
        except OSError as error:
            self._cause = error
            raise StoreError(f"expected to close a log, found {reason(error)}, at {self.path}") from error

    def append(self, line: Line) -> Line:
        """Write one line and answer it as it now stands in the log, chained and on the disk.

        A command that is in the log already gets its first answer again. `line.n` is the number that the caller
        expects to be next.
        """
        if self._cause is not None:
            raise self._poisoned(self._cause) from self._cause
        if not self._is_open:
            raise StoreError(f"expected an open writer, found a closed one, at {self.path}")
        first = self._by_command.get(line.cmd) if line.cmd is not None else None
        if first is not None:
            self._same(first, line)
            self._settle()
            return first
        if line.n != len(self.log.lines):
            expected = f"expected line {line.n} to be next, found {len(self.log.lines)}"
            raise ConflictError(f"{expected}: somebody else appended, at {self.path}")
        raw, chained = self._chained(line)
        self._settle()
        self._write(raw, self.log.good_bytes)
        self.log.lines.append(chained)
        self.log.good_bytes += len(raw)
        self.log.last_digest = chain.digest(chain.body(raw[:-1]))
        if chained.cmd is not None:
            self._by_command[chained.cmd] = chained
        return chained

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
            return raw, codec.following(self.log, raw)
        except LogError as complaint:
            found = f"{complaint.code}: {complaint.message}"
            raise StoreError(f"expected a line that can be read again, found {found}, at {self.path}") from complaint

    def _sealed(self, line: Line, prev: str, **instead: Any) -> bytes:
        try:
            return codec.sealed_bytes(replace(line, prev=prev, hash="", **instead))
        except (TypeError, ValueError, OverflowError, RecursionError, MsgspecError) as error:
            raise StoreError(f"expected a line that can be written, found: {error}, at {self.path}") from error

    def _settle(self) -> None:
        """What the answer rests on: the file is as we know it, and what is in it is on the disk."""
        self._untouched()
        if not self._is_hard:
            self._harden()
            self._is_hard = True

    def _untouched(self) -> None:
        """The lock is only advice: an editor does not ask for it, and git puts another file under the name."""
        try:
            is_here = self._files.is_at(self._file, self.path)
            size = self._files.size(self._file)
        except OSError as error:
            self._poison(error)
        if not is_here:
            raise ConflictError(f"expected the log that was opened, found another file under its name, at {self.path}")
        if size != self.log.good_bytes:
            expected = f"expected {self.log.good_bytes} bytes, found {size}"
            raise ConflictError(f"{expected}: somebody wrote without the lock, at {self.path}")

    # --- writing ---------------------------------------------------------------------------------

    def _write(self, raw: bytes, at: int) -> None:
        """On the disk, or no more from this writer: after a failed fsync nobody knows what is there."""
        try:
            self._files.write(self._file, raw, at)
            self._files.fsync(self._file)
        except BaseException as error:  # noqa: BLE001 - an interrupt between the two leaves as little known
            self._poison(error)

    def _harden(self) -> None:
        """Before the first answer: the last line on the disk, too.

        The writer before this one may have died before its fsync, or its fsync may have failed. Then the line is to
        be seen and yet is not on the disk, and the kernel thinks it clean: only writing it again makes it last.
        """
        if len(self.log.lines) > 1:
            raw = codec.encode(self.log.last)
            self._write(raw, self.log.good_bytes - len(raw))
        try:
            self._files.sync_folder(self.path.parent)
        except BaseException as error:  # noqa: BLE001 - see _write
            self._poison(error)

    def _poison(self, error: BaseException) -> NoReturn:
        self._cause = error
        if isinstance(error, OSError):
            raise self._poisoned(error) from error
        raise error

    def _poisoned(self, cause: BaseException) -> PoisonedError:
        found = reason(cause) if isinstance(cause, OSError) else f"'{type(cause).__name__}'"
        expected = f"expected to write line {len(self.log.lines)}, found {found}"
        return PoisonedError(f"{expected}: nothing more is written until the log is opened again, at {self.path}")

    # --- opening ---------------------------------------------------------------------------------

    def _lock(self) -> None:
        holder = self._files.lock(self._file)
        if holder is not None:
            who = f"process {holder}" if holder else "another process"
            raise LockedError(f"expected to be the only writer, found {who} writing, at {self.path}")
        if not self._files.is_at(self._file, self.path):
            raise StoreError(f"expected one log, found another put in its place, at {self.path}")

    def _mend(self, log: Log) -> None:
        if not log.is_current:
            found = f"found log format {log.formats[0]} and {log.title.key} format {log.formats[1]}"
            raise ReadOnlyError(f"expected a log of the current formats, {found}, at {self.path}")
        if log.complaint is None or log.damage is None:
            return
        if not log.damage.is_mendable:
            raise ReadOnlyError(_advice(log.damage, log.complaint, len(log.lines)))
        self._cut(log, log.damage)

    def _cut(self, log: Log, damage: Damage) -> None:
        """Set aside what was never acknowledged, then cut it off; a line that lacks its newline gets it."""
        end = log.good_bytes + damage.keep
        if damage.aside:
            self._set_aside(damage)
            self._files.truncate(self._file, end)
            self._files.fsync(self._file)
        if damage.line is not None:
            # Not before the rest is gone from the disk: a newline in front of it would make a line of it. And the
            # whole line, for its bytes may be no more on the disk than its newline (_harden).
            self._files.write(self._file, damage.tail[: damage.keep] + b"\n", log.good_bytes)
            self._files.fsync(self._file)
            end += 1
            self.report.append(f"the last line lacked its newline and got it, at {self.path}:{damage.line.n + 1}")
        log.good_bytes = end
        log.complaint = None
        log.damage = Damage("none")

    def _set_aside(self, damage: Damage) -> None:
        files = self._files
        aside, file = create_free(files, self.path.with_name(f"{self.path.name}.torn"))
        try:
            files.write(file, damage.aside, 0)
            files.fsync(file)
        finally:
            files.close(file)
        files.sync_folder(aside.parent)
        self.report.append(f"{damage.message}: {len(damage.aside)} bytes cut off and kept, at {aside}")

    def _abandon(self) -> None:
        try:
            self.close()
        except StoreError:
            return  # something worse is being said already


def _advice(damage: Damage, complaint: LogError, good: int) -> str:
    kinds = {
        "ambiguous": "it may have been acknowledged, so that nobody but you may drop it",
        "corrupt": "what follows was acknowledged",
    }
    advice = f"compare with a copy, or save the first {good} lines as a new log"
    return f"{complaint.code}: {damage.message}; {kinds[damage.kind]}: {advice}, at {complaint.file}:{complaint.line}"
