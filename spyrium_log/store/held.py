"""A file that this process alone writes: locked, mended, and synced before anybody is answered.

A log and its notes are appended to alike; what a line is, and which one may come next, is their writers' own affair.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn, Protocol

from spyrium_log.errors import ConflictError, LockedError, LogError, PoisonedError, ReadOnlyError, StoreError
from spyrium_log.log.damage import Damage
from spyrium_log.store.files import Files, create_free, reason


class Content(Protocol):
    """What was read from the file, and where its good part ends."""

    lines: list[Any]
    complaint: LogError | None
    damage: Damage[Any] | None
    good_bytes: int


class Held:
    """The file with its lock; `what` it is called in messages. After the first error nothing more is written."""

    def __init__(self, path: Path, files: Files, what: str, *, create: bool = False) -> None:
        self.path = path
        self.report: list[str] = []
        self._files = files
        self._what = what
        self._cause: BaseException | None = None
        self._is_hard = False
        self._is_open = True
        self.file = self._opened(create=create)
        try:
            self._lock()
        except BaseException:
            self.abandon()
            raise

    def take(self, content: Content, last: bytes) -> None:
        """Go on from what was read; `last` is the line that may be seen in it and yet not be on the disk."""
        self._content = content
        self._last = last
        if content.complaint is None or content.damage is None:
            return
        if not content.damage.is_mendable:
            raise ReadOnlyError(_advice(content.damage, content.complaint, len(content.lines), self._what))
        self._cut(content, content.damage)

    def close(self) -> None:
        """Let go of the file and its lock. Everything acknowledged is on the disk already."""
        if not self._is_open:
            return
        self._is_open = False
        try:
            self._files.close(self.file)
        except OSError as error:
            self._cause = error
            raise StoreError(f"expected to close a {self._what}, found {reason(error)}, at {self.path}") from error

    def abandon(self) -> None:
        try:
            self.close()
        except StoreError:
            return  # something worse is being said already

    def leave(self, error: BaseException | None) -> None:
        """The end of a `with`."""
        if error is None:
            self.close()
        else:
            self.abandon()

    # --- writing ---------------------------------------------------------------------------------

    def check(self) -> None:
        """Whether this may be written to at all."""
        if self._cause is not None:
            raise self._poisoned(self._cause) from self._cause
        if not self._is_open:
            raise StoreError(f"expected an open writer, found a closed one, at {self.path}")

    def settle(self) -> None:
        """What an answer rests on: the file is as we know it, and what is in it is on the disk."""
        self._untouched()
        if not self._is_hard:
            self._harden()
            self._is_hard = True

    def write(self, raw: bytes) -> None:
        """Behind the rest and on the disk."""
        self._write(raw, self._content.good_bytes)
        self._content.good_bytes += len(raw)

    def _untouched(self) -> None:
        """The lock is only advice: an editor does not ask for it, and git puts another file under the name."""
        try:
            is_here = self._files.is_at(self.file, self.path)
            size = self._files.size(self.file)
        except OSError as error:
            self._poison(error)
        if not is_here:
            expected = f"expected the {self._what} that was opened"
            raise ConflictError(f"{expected}, found another file under its name, at {self.path}")
        if size != self._content.good_bytes:
            expected = f"expected {self._content.good_bytes} bytes, found {size}"
            raise ConflictError(f"{expected}: somebody wrote without the lock, at {self.path}")

    def _write(self, raw: bytes, at: int) -> None:
        """On the disk, or no more from this writer: after a failed fsync nobody knows what is there."""
        try:
            self._files.write(self.file, raw, at)
            self._files.fsync(self.file)
        except BaseException as error:  # noqa: BLE001 - an interrupt between the two leaves as little known
            self._poison(error)

    def _harden(self) -> None:
        """Before the first answer: the last line on the disk, too.

        The writer before this one may have died before its fsync, or its fsync may have failed. Then the line is to
        be seen and yet is not on the disk, and the kernel thinks it clean: only writing it again makes it last.
        """
        if self._last:
            self._write(self._last, self._content.good_bytes - len(self._last))
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
        expected = f"expected to write line {len(self._content.lines)}, found {found}"
        return PoisonedError(f"{expected}: nothing more is written until it is opened again, at {self.path}")

    # --- opening ---------------------------------------------------------------------------------

    def _opened(self, *, create: bool) -> int:
        try:
            return self._files.open(self.path, "write")
        except FileNotFoundError:
            if not create:
                raise
        try:
            return self._files.open(self.path, "create")
        except FileExistsError:
            # somebody else was as quick
            return self._files.open(self.path, "write")

    def _lock(self) -> None:
        holder = self._files.lock(self.file)
        if holder is not None:
            who = f"process {holder}" if holder else "another process"
            raise LockedError(f"expected to be the only writer, found {who} writing, at {self.path}")
        if not self._files.is_at(self.file, self.path):
            raise StoreError(f"expected one {self._what}, found another put in its place, at {self.path}")

    def _cut(self, content: Content, damage: Damage[Any]) -> None:
        """Set aside what was never acknowledged, then cut it off; a line that lacks its newline gets it."""
        end = content.good_bytes + damage.keep
        if damage.aside:
            self._set_aside(damage)
            self._files.truncate(self.file, end)
            self._files.fsync(self.file)
        if damage.line is not None:
            # Not before the rest is gone from the disk: a newline in front of it would make a line of it. And the
            # whole line, for its bytes may be no more on the disk than its newline (_harden).
            self._files.write(self.file, damage.tail[: damage.keep] + b"\n", content.good_bytes)
            self._files.fsync(self.file)
            end += 1
            self.report.append(f"the last line lacked its newline and got it, at {self.path}:{len(content.lines)}")
        content.good_bytes = end
        content.complaint = None
        content.damage = Damage("none")

    def _set_aside(self, damage: Damage[Any]) -> None:
        files = self._files
        aside, file = create_free(files, self.path.with_name(f"{self.path.name}.torn"))
        try:
            files.write(file, damage.aside, 0)
            files.fsync(file)
        finally:
            files.close(file)
        files.sync_folder(aside.parent)
        self.report.append(f"{damage.message}: {len(damage.aside)} bytes cut off and kept, at {aside}")


def _advice(damage: Damage[Any], complaint: LogError, good: int, what: str) -> str:
    kinds = {
        "ambiguous": "it may have been acknowledged, so that nobody but you may drop it",
        "corrupt": "what follows was acknowledged",
    }
    advice = f"compare with a copy, or save the first {good} lines as a new {what}"
    return f"{complaint.code}: {damage.message}; {kinds[damage.kind]}: {advice}, at {complaint.file}:{complaint.line}"
