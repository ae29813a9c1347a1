"""A file that this process alone writes: locked, mended, and synced before anybody is answered.

A log and its notes are appended to alike; what a line is, and which one may come next, is up to their writers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeAlias

from spyrium_log.errors import ChangedError, Closing, LockedError, LogError, PoisonedError, ReadOnlyError, StoreError
from spyrium_log.log.codec import Log, encode
from spyrium_log.log.damage import Damage
from spyrium_log.log.lines import Line
from spyrium_log.log.notes import NoteLine, Sidecar
from spyrium_log.messages import Message, damage_message, store_message
from spyrium_log.store.files import Files, Stamp, create_free, refusal_reason

# Seconds between two attempts to lock: they grow from the first pause to the last.
FIRST_PAUSE, LAST_PAUSE, GROWTH = 0.002, 0.05, 1.5
# After so many seconds a person wants to know what takes so long.
TELL_AFTER = 1.0

# What was read from the file: its lines, and where its good part ends.
Content: TypeAlias = Log | Sidecar


class Patience(NamedTuple):
    """Seconds to wait for a file that another process locked; `tell` gets the obstacle once, after TELL_AFTER."""

    seconds: float = 0
    tell: Callable[[LockedError], None] | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


AT_ONCE = Patience()


class Wait:
    """One wait; it begins when this is made."""

    def __init__(self, patience: Patience) -> None:
        """Begin to wait now."""
        self._patience = patience
        self._began = patience.clock()
        self._pause = FIRST_PAUSE
        self._is_announced = False

    def sleep_or_raise(self, obstacle: StoreError) -> None:
        """Sleep before the next attempt to lock a file; raise the obstacle where the time is up."""
        patience = self._patience
        waited = patience.clock() - self._began
        if waited >= patience.seconds:
            raise obstacle
        if waited >= TELL_AFTER and not self._is_announced and patience.tell and isinstance(obstacle, LockedError):
            self._is_announced = True
            patience.tell(obstacle)
        patience.sleep(min(self._pause, patience.seconds - waited))
        self._pause = min(self._pause * GROWTH, LAST_PAUSE)


class LockedFile(Closing):
    """An open file with its lock. After the first error nothing more is written.

    `kind` is a key of the store's messages: `log`. `mended` says what was mended when it was opened.
    """

    def __init__(
        self, path: Path, files: Files, kind: str, *, create: bool = False, patience: Patience = AT_ONCE
    ) -> None:
        """Open and lock the file; with `create` it is made where there is none."""
        self.path = path
        self.mended: list[Message] = []
        self._files = files
        self._kind = store_message(kind)
        self._first_error: BaseException | None = None
        self._is_synced = False
        self._is_open = True
        self.file = self._open_locked(create=create, patience=patience)

    @property
    def report(self) -> list[str]:
        """What was mended when it was opened, in English."""
        return list(map(str, self.mended))

    def mend_and_start_from(self, content: Content, *, is_first_lasting: bool = False) -> None:
        """Begin to append to what was read, after mending its end; ReadOnlyError for what only a person may mend.

        The last line may be seen in the file and yet not be on the disk, unless it is the first and `is_first_lasting`.
        """
        self._content = content
        self._last_line = encode(content.lines[-1]) if content.lines else b""
        self._is_last_line_lasting = is_first_lasting and len(content.lines) == 1
        if content.complaint is None or content.damage is None:
            return
        if not content.damage.is_mendable:
            raise self._make_read_only_error(content.damage, content.complaint)
        self._mend_end(content, content.damage)
        self._stamp = self._files.stamp(self.file)

    def close(self) -> None:
        """Let go of the file and its lock. Everything acknowledged is on the disk already."""
        if not self._is_open:
            return
        self._is_open = False
        try:
            self._files.close(self.file)
        except OSError as error:
            self._first_error = error
            raise StoreError("close", what=self._kind, reason=refusal_reason(error), place=str(self.path)) from error

    @contextmanager
    def closed_on_error(self) -> Iterator[None]:
        """Close the file if the block raises: in it the file is read, and then kept open for whoever writes."""
        try:
            yield
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise

    def check_writable(self) -> None:
        """Refuse to write where an error came before, or the file is closed."""
        if self._first_error is not None:
            raise self._make_poisoned_error(self._first_error) from self._first_error
        if not self._is_open:
            raise StoreError("closed", place=str(self.path))

    def confirm_content(self) -> None:
        """Make sure that the file is as we know it, and that what is in it is on the disk."""
        self._check_content()
        if not self._is_synced:
            self._rewrite_last_line()
            self._is_synced = True

    def append_bytes(self, raw: bytes) -> None:
        """Put the bytes of a line on the disk, after the good ones."""
        self._write(raw, self._content.good_bytes)
        self._content.good_bytes += len(raw)
        self._last_line = raw

    def check_untouched(self) -> None:
        """Refuse where somebody wrote to the file since it was opened, before it is replaced by a changed copy."""
        if self._current_stamp() != self._stamp:
            raise ChangedError("written-since", what=self._kind, place=str(self.path))

    def _check_content(self) -> None:
        """Check that nobody wrote to the file: an editor does not ask for the lock, and git replaces files.

        A file that bears another time than after our last write is read again, and is gone on with where every byte
        is as it was. Not seen are: a change before the last line that the clock of the file system puts into the same
        tick as our own write (some milliseconds; nanoseconds since Linux 6.13), one between this look and our write,
        and one through a mapping of the file that the kernel has not written out yet. Whoever reads the log finds
        those by their hashes.
        """
        try:
            stamp = self._current_stamp()
        except OSError as error:
            self._stop_writing(error)
        if stamp.size != self._content.good_bytes:
            raise ChangedError("bytes", n=self._content.good_bytes, found=stamp.size, place=str(self.path))
        if stamp != self._stamp:
            self._compare_lines()
            self._stamp = stamp
        elif self._read_at(len(self._last_line), stamp.size - len(self._last_line)) != self._last_line:
            raise self._make_changed_error(len(self._content.lines))

    def _current_stamp(self) -> Stamp:
        """The stamp of the file; ChangedError where another file has its name by now."""
        if not self._files.is_at(self.file, self.path):
            raise ChangedError("replaced", what=self._kind, place=str(self.path))
        return self._files.stamp(self.file)

    def _compare_lines(self) -> None:
        """Read every line again, as after somebody touched the file, and refuse where one has other bytes."""
        offset = 0
        for number, line in enumerate(self._content.lines, 1):
            raw = encode(line)
            if self._read_at(len(raw), offset) != raw:
                raise self._make_changed_error(number)
            offset += len(raw)

    def _read_at(self, size: int, offset: int) -> bytes:
        """Read bytes of the file, to see that they are ours; after an error nothing more is written."""
        try:
            return self._files.read_at(self.file, size, offset)
        except OSError as error:
            self._stop_writing(error)

    def _make_changed_error(self, number: int) -> ChangedError:
        """The error for line `number`, which has other bytes than those we read or wrote."""
        return ChangedError("line-changed", n=number, what=self._kind, place=f"{self.path}:{number}")

    def _write(self, raw: bytes, offset: int) -> None:
        """Write and sync. After a failed sync nobody knows what is on the disk, so nothing more is written."""
        try:
            self._files.write(self.file, raw, offset)
            # not after the sync, which takes long enough for somebody else to write
            self._stamp = self._files.stamp(self.file)
            self._files.fsync(self.file)
        except BaseException as error:  # noqa: BLE001 - an interrupt between the two leaves as little known
            self._stop_writing(error)

    def _rewrite_last_line(self) -> None:
        """Before the first answer, put the last line on the disk.

        The writer before this one may have died before its sync, or its sync may have failed. Then the line can be
        read and yet is not on the disk, and the kernel takes it for written: only writing it again makes it last.
        """
        if self._last_line and not self._is_last_line_lasting:
            self._write(self._last_line, self._content.good_bytes - len(self._last_line))
        try:
            self._files.sync_folder(self.path.parent)
        except BaseException as error:  # noqa: BLE001 - an interrupt leaves as little known
            self._stop_writing(error)

    def _stop_writing(self, error: BaseException) -> NoReturn:
        """Raise this error, or PoisonedError for one of the disk, and refuse to write from now on."""
        self._first_error = error
        if isinstance(error, OSError):
            raise self._make_poisoned_error(error) from error
        raise error

    def _make_poisoned_error(self, cause: BaseException) -> PoisonedError:
        """The error for every attempt to write after a failure, whose cause it names."""
        reason = refusal_reason(cause) if isinstance(cause, OSError) else f"'{type(cause).__name__}'"
        return PoisonedError("poisoned", n=len(self._content.lines), reason=reason, place=str(self.path))

    def _open_locked(self, *, create: bool, patience: Patience) -> int:
        """Open and lock the file and return its number; while patient, wait for the lock; open it anew if replaced."""
        wait: Wait | None = None
        while True:
            try:
                file = self._files.open(self.path, "create" if create else "write")
            except FileExistsError:
                file = self._files.open(self.path, "write")
            try:
                self._lock(file, patience.seconds)
                # before anything is read, so that a change while it is read is seen
                self._stamp = self._files.stamp(file)
            except BaseException as error:
                # the first error matters more
                with suppress(OSError):
                    self._files.close(file)
                if not isinstance(error, StoreError):
                    raise
                wait = wait or Wait(patience)
                wait.sleep_or_raise(error)
            else:
                return file

    def _lock(self, file: int, seconds: float) -> None:
        """Lock the open file; StoreError if another process has it, after `seconds` of waiting, or it lost its name."""
        holder = self._files.lock(file)
        path = str(self.path)
        if holder is not None:
            who = store_message("process", n=holder) if holder else store_message("another-process")
            within = store_message("within", seconds=f"{seconds:g}") if seconds else ""
            raise LockedError("locked", holder=holder, file=path, within=within, who=who, place=path)
        if not self._files.is_at(file, self.path):
            raise StoreError("in-its-place", what=self._kind, place=path)

    def _mend_end(self, content: Content, damage: Damage[Line | NoteLine]) -> None:
        """Set aside what was never acknowledged and cut it off; a line that lacks its newline gets it."""
        end = content.good_bytes + damage.keep
        if damage.aside:
            self._set_aside(damage)
            self._files.truncate(self.file, end)
            self._files.fsync(self.file)
        if damage.line is not None:
            # Not before what follows is gone from the disk: a newline in front of it would make a line of it. And the
            # whole line, for its bytes may be no more on the disk than its newline (_rewrite_last_line).
            self._files.write(self.file, damage.tail[: damage.keep] + b"\n", content.good_bytes)
            self._files.fsync(self.file)
            end += 1
            self.mended.append(damage_message("newline-added", place=str(self.path), n=len(content.lines)))
        content.good_bytes = end
        content.complaint = None
        content.damage = Damage("none")

    def _set_aside(self, damage: Damage[Line | NoteLine]) -> None:
        """Write the bytes that will be cut off to a file beside: even what was never acknowledged is not lost."""
        files = self._files
        aside, file = create_free(files, self.path.with_name(f"{self.path.name}.torn"))
        try:
            files.write(file, damage.aside, 0)
            files.fsync(file)
        finally:
            files.close(file)
        files.sync_folder(aside.parent)
        cut_off = damage_message("set-aside", message=damage.message, n=len(damage.aside), place=str(aside))
        self.mended.append(cut_off)

    def _make_read_only_error(self, damage: Damage[Line | NoteLine], complaint: LogError) -> ReadOnlyError:
        """The error for damage that only a person may decide about."""
        return ReadOnlyError(
            damage.kind,
            code=complaint.code,
            message=damage.message,
            n=len(self._content.lines),
            what=self._kind,
            place=f"{complaint.file}:{complaint.line}",
        )
