"""Errors and warnings for users, and exit codes.

1: the input is valid, the check failed or the act was refused. 2: the input cannot be read, or the call is wrong. An
error that ends a command begins with `Error:`; one that only limits its result, with `Warning:`, each in the
language of the call.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from spyrium_log.errors import SpyriumLogError
    from spyrium_log.messages import Argument, Message, Reader

# Exit codes: the rules or the facts speak against the input; it cannot be read, or the call is wrong; Ctrl-C, as every
# shell counts it: 128, and the number of the signal.
REFUSED = 1
UNUSABLE = 2
INTERRUPTED = 130
LONGEST_QUOTED = 60


class Complaint(click.ClickException):
    """An error for the user: something cannot be read, or the call is wrong."""

    exit_code = UNUSABLE
    # of the word `Error` before the message
    language = "en"

    def __init__(self, message: Message | str, *more: str) -> None:
        """`more`: lines after the message. Ends of lines within a line are written out."""
        super().__init__(str(message))
        self.sentence = message
        self.more = more

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the error to stderr, as click does with its own."""
        from spyrium_cli.render.text import translate
        from spyrium_cli.terminal import write_note

        for line in (translate("shell.error", self.language, message=self.message), *self.more):
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


class TranslatedCall(click.UsageError):
    """A wrong call of which all that is printed is in a language: usage, hint, prefix and message."""

    def __init__(self, error: click.UsageError, message: str, language: str) -> None:
        """`error`: the one that click or a command raised; `message`: what it says, in the language."""
        super().__init__(message, error.ctx)
        self.language = language
        # what may be said for a word that is missing stands in lines of its own, and quotes nobody
        self._is_list = isinstance(error, click.MissingParameter)

    def show(self, file: IO[Any] | None = None) -> None:
        """Write what click writes: the usage, how to get help, and the error."""
        from spyrium_cli.render.text import translate
        from spyrium_cli.terminal import write_note

        if self.ctx is not None:
            usage = self.ctx.get_usage().partition(":")[2].strip()
            write_note(translate("shell.usage", self.language, usage=usage), keep="\n", file=file)
            write_note(translate("shell.try-help", self.language, command=self.ctx.command_path), file=file)
            write_note(file=file)
        error = translate("shell.error", self.language, message=self.message.expandtabs(2))
        if self._is_list:
            write_note(error, keep="\n", file=file)
        else:
            write_note(error, file=file)


class WrongValue(click.BadParameter):
    """A value of an option or an argument that its own check refuses; click says of which."""

    def __init__(self, key: str, /, **arguments: Argument) -> None:
        """`key`: of a sentence of the command line, as `table.key`."""
        self.sentence = shell_message(key, **arguments)
        super().__init__(str(self.sentence))


def call_message(key: str, /, **arguments: Argument) -> Message:
    """A sentence about the arguments of a call, in the language that `translate_error` chooses."""
    return shell_message(f"calls.{key}", **arguments)


def shell_message(key: str, /, **arguments: Argument) -> Message:
    """A sentence of the command line: `key` is `table.key` of its words. A language is chosen where it is shown."""
    from spyrium_cli.render.text import vocabulary
    from spyrium_log.messages import Message

    return Message(vocabulary, key, **arguments)


def spoken(message: Message | SpyriumLogError | str) -> str:
    """A message, or that of an error, in the language of this call; a text as it is."""
    from spyrium_cli.session import language_of_call
    from spyrium_log.messages import Reader

    if isinstance(message, str):
        return message
    return message.text_for(Reader(language_of_call(click.get_current_context(silent=True)), minus="-"))


def translate_error(error: click.ClickException, language: str) -> click.ClickException:
    """The error in a language, one of click itself too; a text of the system as it is."""
    from spyrium_log.messages import Reader

    reader = Reader(language, minus="-")
    if isinstance(error, Complaint):
        message = error.sentence if isinstance(error.sentence, str) else error.sentence.text_for(reader)
        translated = type(error)(message, *error.more)
        translated.language = language
        return translated
    if isinstance(error, WrongCall):
        error = click.UsageError(error.sentence.text_for(reader), error.ctx)
    elif isinstance(error, WrongValue):
        error = click.BadParameter(error.sentence.text_for(reader), error.ctx, error.param, error.param_hint)
    if language == "en" or isinstance(error, click.exceptions.NoArgsIsHelpError | TranslatedCall):
        return error
    if not isinstance(error, click.UsageError):
        return error
    from spyrium_cli.click_words import translate_message

    return TranslatedCall(error, translate_message(error.format_message(), language), language)


def warn(message: Message | str) -> None:
    """Tell the user of a problem that does not end the command."""
    from spyrium_cli.terminal import write_note

    write_note(spoken(shell_message("shell.warning", message=message)))


def warn_left_out(name: str, why: str) -> None:
    """Warn of one input among many that was left out, and why, which may name it already."""
    key = "shell.left-out" if name in why else "shell.left-out-of"
    arguments = {} if name in why else {"name": name}
    warn(shell_message(key, why=why, **arguments))


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
    from spyrium_log.messages import Reader

    kind, message = _describe_error(error, Reader(language, minus="-"))
    complaint = kind(message)
    complaint.language = language
    return complaint


def _describe_error(error: Exception, reader: Reader) -> tuple[type[Complaint], str]:
    """Whether an error is a refusal, and its sentence for this reader."""
    from spyrium_log.errors import ConflictError, IllegalError, LockedError, SpyriumLogError

    if isinstance(error, click.ClickException):
        return Complaint, translate_error(error, reader.language).message
    if isinstance(error, SpyriumLogError):
        is_refusal = isinstance(error, IllegalError | ConflictError | LockedError)
        return Refusal if is_refusal else Complaint, error.text_for(reader)
    if isinstance(error, OSError):
        reason = _system_reason(error, reader)
        if error.filename:
            reason = shell_message("shell.system", message=reason, place=str(error.filename)).text_for(reader)
        return Complaint, reason
    if isinstance(error, UnicodeDecodeError):
        found = f"0x{error.object[error.start]:02x}"
        return Complaint, shell_message("shell.no-utf8", found=found).text_for(reader)
    if isinstance(error, UnicodeEncodeError):
        return Complaint, shell_message("shell.no-text", found=error.object[:LONGEST_QUOTED]).text_for(reader)
    fault = shell_message("shell.fault", kind=type(error).__name__, error=str(error))
    return Complaint, fault.text_for(reader)


def _system_reason(error: OSError, reader: Reader) -> str:
    """Why the system refused: in English its own words."""
    from spyrium_log.store.files import refusal_reason

    reason = refusal_reason(error)
    if reader.language == "en" or isinstance(reason, str):
        return (error.strerror or str(error)).lower()
    return reason.text_for(reader)
