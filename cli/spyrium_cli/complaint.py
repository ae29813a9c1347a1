"""Errors and warnings for users, and exit codes.

1: the input is valid, the check failed or the act was refused. 2: the input cannot be read, or the call is wrong. An
error that ends a command begins with `Error:`; one that only limits its result, with `Warning:`.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from spyrium_log.messages import Argument, Message

# Exit codes: the rules or the facts speak against the input; it cannot be read, or the call is wrong; Ctrl-C, as every
# shell counts it: 128, and the number of the signal.
REFUSED = 1
UNUSABLE = 2
INTERRUPTED = 130
LONGEST_QUOTED = 60


class Complaint(click.ClickException):
    """An error for the user: something cannot be read, or the call is wrong."""

    exit_code = UNUSABLE

    def __init__(self, message: Message | str, *more: str) -> None:
        """`more`: lines after the message. Ends of lines within a line are written out."""
        super().__init__(str(message))
        self.sentence = message
        self.more = more

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the error to stderr, as click does with its own."""
        from spyrium_cli.terminal import write_note

        for line in (f"Error: {self.message}", *self.more):
            write_note(line, file=file)


class Refusal(Complaint):
    """The input was valid, but the command refused it."""

    exit_code = REFUSED


class WrongCall(click.UsageError):
    """Arguments that are wrong or do not go together, as a command finds and not click."""

    def __init__(self, key: str, /, **arguments: Argument) -> None:
        """`key`: of a sentence in the table `calls` of the shell's words."""
        self.sentence = call_message(key, **arguments)
        super().__init__(str(self.sentence))


def call_message(key: str, /, **arguments: Argument) -> Message:
    """A sentence about the arguments of a call, in the language that `translate_error` chooses."""
    from spyrium_cli.render.text import vocabulary
    from spyrium_log.messages import Message

    return Message(vocabulary, f"calls.{key}", **arguments)


def translate_error(error: click.ClickException, language: str) -> click.ClickException:
    """The error with its message in a language; one of click itself, or with a text of the system, as it is."""
    from spyrium_log.messages import Reader

    reader = Reader(language, minus="-")
    if isinstance(error, WrongCall):
        return click.UsageError(error.sentence.text_for(reader), error.ctx)
    if isinstance(error, Complaint) and not isinstance(error.sentence, str):
        return type(error)(error.sentence.text_for(reader), *error.more)
    return error


def warn(message: str) -> None:
    """Tell the user of a problem that does not end the command."""
    from spyrium_cli.terminal import write_note

    write_note(f"Warning: {message}")


def warn_left_out(name: str, why: str) -> None:
    """Warn of one input among many that was left out, and why, which may name it already."""
    warn(f"left out: {why}" if name in why else f"left out: {name}: {why}")


def did_you_mean(word: str, known: Iterable[str], key: str = "near") -> Message | str:
    """The end of a message about an unknown word: the known word that it resembles; empty if there is none."""
    from difflib import get_close_matches

    close = get_close_matches(word.casefold(), list(known), n=1)
    return call_message(key, near=close[0]) if close else ""


def shorten(text: str, most: int) -> str:
    """A text with `…` for what follows after so many characters."""
    return text if len(text) <= most else f"{text[:most]}…"


def is_broken_pipe(error: Exception) -> bool:
    """Whether an error says that nobody reads our output any more."""
    return isinstance(error, OSError) and error.errno == errno.EPIPE


def is_interrupt(error: Exception) -> bool:
    """Whether an error is ^C in disguise: DuckDB has an error of its own, Python 3.11 another where a class is made."""
    is_in_class = isinstance(error.__cause__, KeyboardInterrupt)
    return isinstance(error, RuntimeError) and (is_in_class or str(error) == "Query interrupted")


def complaint_of(error: Exception, language: str = "en") -> Complaint:
    """The error for the user for any exception, in the language where it can be said in it."""
    from spyrium_log.errors import ConflictError, IllegalError, LockedError, SpyriumLogError
    from spyrium_log.messages import Reader

    if isinstance(error, click.ClickException):
        return Complaint(translate_error(error, language).message)
    if isinstance(error, SpyriumLogError):
        is_refusal = isinstance(error, IllegalError | ConflictError | LockedError)
        return (Refusal if is_refusal else Complaint)(error.text_for(Reader(language, minus="-")))
    if isinstance(error, OSError):
        place = f" at {error.filename}" if error.filename else ""
        return Complaint(f"{(error.strerror or str(error)).lower()}{place}")
    if isinstance(error, UnicodeDecodeError):
        return Complaint(f"expected UTF-8, found byte 0x{error.object[error.start]:02x}")
    if isinstance(error, UnicodeEncodeError):
        return Complaint(f"expected text in UTF-8, found other bytes in '{error.object[:LONGEST_QUOTED]}'")
    kind = type(error).__name__
    return Complaint(f"a fault of spyrium itself: {kind}: {error} (--debug shows where)")
