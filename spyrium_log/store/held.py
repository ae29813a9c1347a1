"""A file that this process alone writes: locked, mended, and synced before anybody is answered.

A log and its notes are appended to alike; what a line is, and which one may come next, is their writers' own affair.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, Protocol

from spyrium_log.errors import ChangedError, LockedError, LogError, PoisonedError, ReadOnlyError, StoreError
from spyrium_log.log.damage import Damage
from spyrium_log.store.files import Files, Stamp, create_free, reason
from spyrium_log.store.patience import AT_ONCE, Patience, Wait


class Content(Protocol):
    """What was read from the file, and where its good part ends."""

    lines: list[Any]
    complaint: LogError | None
    damage: Damage[Any] | None
    good_bytes: int


class Held:
    """The file with its lock; `what` it is called in messages. After the first error nothing more is written."""

    def __init__(
        self, path: Path, files: Files, what: str, *, create: bool = False, patience: Patience = AT_ONCE
    ) -> None:
        self.path = path
        self.report: list[str] = []
        self._files = files
        self._what = what
        self._cause: BaseException | None = None
        self._is_hard = False
        self._is_open = True
        self.file = self._locked(create=create, patience=patience)
        try:
            # before anything is read, so that a change while it is read is seen
            self._stamp = files.stamp(self.file)
        except BaseException:
            self.abandon()
            raise

    def take(self, content: Content, encode: Callable[[Any], bytes], *, is_first_lasting: bool = False) -> None:
        """Go on from what was read. `encode` makes the bytes of a line.

        The last line may be seen in the file and yet not be on the disk, unless it is the first and `is_first_lasting`.
        """
        self._content = content
        self._encode = encode
        self._end = encode(content.lines[-1]) if content.lines else b""
        self._is_hard_end = is_first_lasting and len(content.lines) == 1
        if content.complaint is None or content.damage is None:
            return
        if not content.damage.is_mendable:
            raise ReadOnlyError(_advice(content.damage, content.complaint, len(content.lines), self._what))
        self._cut(content, content.damage)
        self._stamp = self._files.stamp(self.file)

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
        self._check_content()
        if not self._is_hard:
            self._harden()
            self._is_hard = True

    def write(self, raw: bytes) -> None:
        """Behind the rest and on the disk."""
        self._write(raw, self._content.good_bytes)
        self._content.good_bytes += len(raw)
        self._end = raw

    def check_untouched(self) -> None:
        """Whether nobody wrote to the file since it was opened: for one that is read here and then replaced."""
        if self._seen() != self._stamp:
            expected = f"expected the {self._what} as it was read, found it written to since"
            raise ChangedError(f"{expected}: somebody wrote without the lock, at {self.path}")

    def _check_content(self) -> None:
        """The lock is only advice: an editor does not ask for it, and git puts another file under the name.

        A file that bears another time than after our last write is read again, and is gone on with where every byte
        is as it was. Not seen are: a change before the last line that the clock of the file system puts into the same
        tick as our own write (some milliseconds; nanoseconds since Linux 6.13), one between this look and our write,
        and one through a mapping of the file that the kernel has not written out yet. Whoever reads the log finds
        those by their hashes.
        """
        try:
            seen = self._seen()
        except OSError as error:
            self._poison(error)
        if seen.size != self._content.good_bytes:
            expected = f"expected {self._content.good_bytes} bytes, found {seen.size}"
            raise ChangedError(f"{expected}: somebody wrote without the lock, at {self.path}")
        if seen != self._stamp:
            self._compare()
            self._stamp = seen
        elif self._read_at(len(self._end), seen.size - len(self._end)) != self._end:
            raise self._changed(len(self._content.lines))

    def _seen(self) -> Stamp:
        """What the disk says of the file, if it is still the one of that name."""
        if not self._files.is_at(self.file, self.path):
            expected = f"expected the {self._what} that was opened"
            raise ChangedError(f"{expected}, found another file under its name, at {self.path}")
        return self._files.stamp(self.file)

    def _compare(self) -> None:
        """Read every line again: each must be the bytes that it was."""
        at = 0
        for number, line in enumerate(self._content.lines, 1):
            raw = self._encode(line)
            if self._read_at(len(raw), at) != raw:
                raise self._changed(number)
            at += len(raw)

    def _read_at(self, size: int, at: int) -> bytes:
        try:
            return self._files.read_at(self.file, size, at)
        except OSError as error:
            self._poison(error)

    def _changed(self, number: int) -> ChangedError:
        expected = f"expected line {number} of the {self._what} as it was, found other bytes"
        return ChangedError(f"{expected}: somebody wrote without the lock, at {self.path}:{number}")

    def _write(self, raw: bytes, at: int) -> None:
        """On the disk, or no more from this writer: after a failed fsync nobody knows what is there."""
        try:
            self._files.write(self.file, raw, at)
            # not after the fsync, which takes long enough for somebody else to write
            self._stamp = self._files.stamp(self.file)
            self._files.fsync(self.file)
        except BaseException as error:  # noqa: BLE001 - an interrupt between the two leaves as little known
            self._poison(error)

    def _harden(self) -> None:
        """Before the first answer: the last line on the disk, too.

        The writer before this one may have died before its fsync, or its fsync may have failed. Then the line is to
        be seen and yet is not on the disk, and the kernel thinks it clean: only writing it again makes it last.
        """
        if self._end and not self._is_hard_end:
            self._write(self._end, self._content.good_bytes - len(self._end))
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

    def _locked(self, *, create: bool, patience: Patience) -> int:
        """The open file with its lock.

        As long as the patience lasts, another process that has it is waited for, and a file that was replaced
        meanwhile is opened anew.
        """
        wait = Wait(patience)
        while True:
            file = self._opened(create=create)
            try:
                obstacle = self._obstacle(file, patience.seconds)
            except BaseException:
                self._let_go(file)
                raise
            if obstacle is None:
                return file
            self._let_go(file)
            if not wait.pause(obstacle):
                raise obstacle

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

    def _obstacle(self, file: int, seconds: float) -> StoreError | None:
        """Why the file cannot be had now; None where it is locked for us."""
        holder = self._files.lock(file)
        if holder is not None:
            who = f"process {holder}" if holder else "another process"
            within = f" within {seconds:g} s" if seconds else ""
            message = f"expected to be the only writer{within}, found {who} writing, at {self.path}"
            return LockedError(message, holder=holder, file=str(self.path))
        if not self._files.is_at(file, self.path):
            return StoreError(f"expected one {self._what}, found another put in its place, at {self.path}")
        return None

    def _let_go(self, file: int) -> None:
        # something worse is being said already
        with suppress(OSError):
            self._files.close(file)

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
