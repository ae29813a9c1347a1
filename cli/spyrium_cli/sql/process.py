"""The process that runs a query, from outside: starting it, sending the query, reading the answer, ending it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from shutil import get_terminal_size
from signal import Signals
from threading import Timer
from typing import IO, NamedTuple, Self, cast

import click

from spyrium_cli.complaint import Complaint, shell_message, warn
from spyrium_cli.render.surface import colour_setting, is_screen
from spyrium_cli.session import language_of_call, wants_raw
from spyrium_cli.sql.frames import DONE, ERROR, OPENED, OUTPUT, Failure, Outcome, Request, read_frames
from spyrium_cli.sql.limits import IS_ENFORCED, Limits, memory_text
from spyrium_cli.terminal import write_note
from spyrium_log.signals import delayed_interrupt, no_broken_pipes

# It looks for code where this one does, and nowhere else: without -S it would also look for packages by itself, which
# takes a while, and in the folder that it is started in.
_CHILD_CODE = "import sys; sys.path[:] = {path!r}; from spyrium_cli.sql.child import main; main()"
# Each memory arena of the C library reserves 64 MB of addresses that are hardly ever used, and counts.
_MEMORY_ARENAS = "2"


class Question(NamedTuple):
    """A statement with the values of its parameters, and how to answer it.

    `limit`: the most rows (0: all). `unsafe`: it may read and write files. `to`: the file of the answer (None: stdout).
    """

    sql: str
    parameters: Mapping[str, object]
    form: str
    limit: int = 0
    unsafe: bool = False
    to: Path | None = None


class QueryProcess:
    """A process for one query, started early because it takes a while to be ready."""

    def __init__(self, limits: Limits, *, debug: bool = False) -> None:
        """Start the process, which waits for its question. `debug`: show its traceback and its stderr."""
        self._limits = limits
        self._debug = debug
        self._is_late = False
        self._memory = shell_message("sql.memory-size", size=memory_text(limits.memory))
        command = [sys.executable, "-S", "-c", _CHILD_CODE.format(path=sys.path)]
        # ^C is for this process, which ends the other.
        with delayed_interrupt():
            self._process = subprocess.Popen(  # noqa: S603 - our own code
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if debug else subprocess.DEVNULL,
                env={**os.environ, "MALLOC_ARENA_MAX": _MEMORY_ARENAS},
            )
        self._stdin, self._stdout = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)

    def __enter__(self) -> Self:
        """The process, which is ended after the block."""
        return self

    def __exit__(self, *_error: object) -> None:
        """End the process, whatever happened in the block."""
        self.close()

    def close(self) -> None:
        """End the process, even in the middle of a query."""
        self._process.kill()
        self._process.wait()
        self._stdout.close()
        # Closing writes what is still in the buffer.
        with no_broken_pipes(), suppress(BrokenPipeError):
            self._stdin.close()

    def answer(self, index: Path, question: Question, opened: Callable[[bool], None]) -> Outcome:
        """Write the answer; `opened` is told before the first row whether the index is a copy of one being written."""
        from spyrium_log.readmodel.reading import Scratch

        scratch = Scratch.beside(index, self._limits.memory)
        # without a limit it is never started
        timer = Timer(self._limits.timeout or 0, self._kill_late)
        timer.daemon = True
        try:
            self._send_question(index, question, scratch.files)
            if self._limits.timeout is not None:
                timer.start()
            return self._read_answer(opened)
        finally:
            timer.cancel()
            self.close()
            scratch.remove()

    def _kill_late(self) -> None:
        """Called when the time is over: end the process, and remember that this is why."""
        self._is_late = True
        self._process.kill()

    def _send_question(self, index: Path, question: Question, scratch: Path) -> None:
        """Send the question with all that the other process must know of this one."""
        request: Request = {
            **question._asdict(),
            "database": str(index),
            "to": None if question.to is None else str(question.to),
            "memory": self._limits.memory,
            "scratch": str(scratch),
            "is_screen": is_screen(),
            "columns": get_terminal_size().columns,
            "encoding": getattr(sys.stdout, "encoding", None) or "utf-8",
            "colour": colour_setting(),
            "raw": wants_raw(),
            "language": language_of_call(click.get_current_context(silent=True)),
        }
        try:
            with no_broken_pipes():
                self._stdin.write(json.dumps(request).encode() + b"\n")
                self._stdin.flush()
        except BrokenPipeError:
            raise self._make_complaint_without_answer() from None

    def _read_answer(self, opened: Callable[[bool], None]) -> Outcome:
        """Write the output as it arrives; the outcome, or the error that the process reports."""
        for kind, payload in read_frames(self._stdout):
            if kind == OUTPUT:
                _write_piece(payload)
                continue
            message = json.loads(payload)
            if kind == OPENED:
                opened(message["held"])
            elif kind == DONE:
                return Outcome(**message)
            elif kind == ERROR:
                raise self._make_complaint(message)
        raise self._make_complaint_without_answer()

    def _make_complaint(self, failure: Failure) -> Complaint:
        """The error for a failure that the process reports."""
        if failure["is_memory"]:
            return Complaint(shell_message("sql.memory", memory=self._memory))
        if self._debug:
            write_note(failure["trace"], keep="\n")
        return Complaint(failure["message"])

    def _make_complaint_without_answer(self) -> Complaint:
        """The error for a process that ended without a word: the time was over, a signal ended it, or it exited."""
        code = self._process.wait()
        if self._is_late:
            return Complaint(shell_message("sql.late", seconds=f"{self._limits.timeout:g}"))
        if code >= 0:
            return Complaint(shell_message("sql.ended", code=code))
        # below zero it is the number of the signal
        name = Signals(-code).name
        if name == "SIGKILL":
            return Complaint(shell_message("sql.killed", signal=name))
        return Complaint(shell_message("sql.failed", memory=self._memory, signal=name))


def _write_piece(payload: bytes) -> None:
    """Write a piece of output at once: whoever waits sees the first rows early."""
    if sys.stdout is not None:  # it was closed before we began
        sys.stdout.flush()
        sys.stdout.buffer.write(payload)
        sys.stdout.buffer.flush()


def warn_of_missing_limit() -> None:
    """Warn where the system cannot enforce --memory."""
    if not IS_ENFORCED:
        warn(shell_message("sql.unlimited"))
