"""What went wrong, in one sentence, with the exit code that says of what kind it is.

1: all was understood, and something speaks against it. 2: something cannot be read, or was wrongly called. What ends a
call begins with `Error:`; what only spoils its answer, with `Warning:`.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from typing import IO, Any

import click

REFUSED = 1
UNUSABLE = 2
INTERRUPTED = 130
LONGEST_QUOTED = 60


class Complaint(click.ClickException):
    """The one error that a user sees: something is unusable, or was called wrongly."""

    exit_code = UNUSABLE

    def __init__(self, message: str, *more: str) -> None:
        """`more`: lines below the sentence. What is quoted in one line makes no other one."""
        super().__init__(message)
        self.more = more

    def show(self, file: IO[Any] | None = None) -> None:
        from spyrium_cli.terminal import write_note

        for line in (f"Error: {self.message}", *self.more):
            write_note(line, file=file)


class Refusal(Complaint):
    """All was understood, and it was not done."""

    exit_code = REFUSED


def warn(message: str) -> None:
    """What somebody should know who gets his answer all the same."""
    from spyrium_cli.terminal import write_note

    write_note(f"Warning: {message}")


def warn_left_out(name: str, why: str) -> None:
    """One of many, which hides no other."""
    warn(f"left out: {why}" if name in why else f"left out: {name}: {why}")


def near(word: str, known: Iterable[str]) -> str:
    """What stands behind a word that nobody knows: the one that was meant."""
    from difflib import get_close_matches

    close = get_close_matches(word.casefold(), list(known), n=1)
    return f": did you mean '{close[0]}'?" if close else ""


def is_broken_pipe(error: Exception) -> bool:
    return isinstance(error, OSError) and error.errno == errno.EPIPE


def is_interrupt(error: Exception) -> bool:
    """DuckDB answers ^C with an error of its own kind, and Python 3.11 with another where a class is being made."""
    return isinstance(error, RuntimeError) and (
        str(error) == "Query interrupted" or isinstance(error.__cause__, KeyboardInterrupt)
    )


def complaint_of(error: Exception, language: str = "en") -> Complaint:
    """The sentence for whatever was raised."""
    from spyrium_log.errors import ConflictError, IllegalError, LockedError, SpyriumLogError
    from spyrium_log.messages import Reader

    if isinstance(error, SpyriumLogError):
        is_refusal = isinstance(error, IllegalError | ConflictError | LockedError)
        return (Refusal if is_refusal else Complaint)(error.sentence(Reader(language, minus="-")))
    if isinstance(error, OSError):
        place = f" at {error.filename}" if error.filename else ""
        return Complaint(f"{(error.strerror or str(error)).lower()}{place}")
    if isinstance(error, UnicodeDecodeError):
        return Complaint(f"expected UTF-8, found byte 0x{error.object[error.start]:02x}")
    if isinstance(error, UnicodeEncodeError):
        return Complaint(f"expected text in UTF-8, found other bytes in '{error.object[:LONGEST_QUOTED]}'")
    kind = type(error).__name__
    return Complaint(f"a fault of spyrium itself: {kind}: {error} (--debug shows where)")
