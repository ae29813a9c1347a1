"""The only module that writes lines to stdout and stderr, and asks questions.

Text for people has control characters written out, wherever it goes. Data for programs is written to a pipe or a file
as it is, and to a terminal like text. What is drawn with colours and boxes goes through `render.paper`.
"""

from __future__ import annotations

import sys
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable
from typing import IO, Any, TypeVar

import click

Answer = TypeVar("Answer")


def _escape_controls(words: str, keep: str = "") -> str:
    """The text with control characters written out. Plain ASCII loads nothing, which keeps help and version quick."""
    if words.isascii() and words.isprintable():
        return words
    from spyrium_log.shown import plain

    return plain(words, keep=keep)


def write_line(words: str = "", *, keep: str = "") -> None:
    """Write text for people to stdout. `keep`: control characters to leave, such as the end of a line."""
    click.echo(_escape_controls(words, keep))


def write_note(words: str = "", *, keep: str = "", end: str = "\n", file: IO[Any] | None = None) -> None:
    """Write text about what was done, asked or refused to stderr."""
    click.echo(_escape_controls(words, keep) + end, nl=False, file=file, err=file is None)


def write_data(text: str) -> None:
    """Write text for programs to stdout."""
    # color=True, because click would remove escape sequences from a pipe
    click.echo(_escape_controls(text, "\n") if sys.stdout.isatty() else text, nl=False, color=True)


def write_bytes(parts: Iterable[bytes]) -> None:
    """Write bytes for programs to stdout."""
    if not sys.stdout.isatty():
        for part in parts:
            sys.stdout.buffer.write(part)
        return
    decoder = getincrementaldecoder("utf-8")("replace")
    for part in parts:
        write_data(decoder.decode(part))
    write_data(decoder.decode(b"", final=True))


def ask(
    question: str, *, default: str | None, read: Callable[[str], Answer], default_answer: str | None = None
) -> Answer:
    """Ask a question until `read` accepts the answer; return what it made of it. Enter takes the default.

    `default_answer`: what Enter answers instead, without being shown.
    """
    from spyrium_cli.complaint import shell_message, spoken, translate_error
    from spyrium_cli.session import language_of_call

    shown_default = f" [{default}]" if default else ""
    prompt = _escape_controls(f"{question}{shown_default}")
    enter = default if default_answer is None else default_answer
    while True:
        answer = click.prompt(prompt, default=enter, show_default=False, err=True)
        try:
            return read(answer)
        except click.UsageError as error:
            translated = translate_error(error, language_of_call(click.get_current_context(silent=True)))
            write_note(spoken(shell_message("shell.error", message=translated.format_message())))


def read_line(prompt: str) -> str:
    """Read a line that somebody types, with history and completion where this Python has them."""
    return input(_escape_controls(prompt))


def confirm(question: str, *, default: bool = False) -> bool:
    """Ask on stderr until the answer is yes or no, in the language of the call or in English; Enter: the default."""
    from spyrium_cli.complaint import WrongValue, shell_message, spoken

    answers = {spoken(shell_message(f"words.{word}")): word == "yes" for word in ("yes", "no")}
    letters = {**{word[0]: is_yes for word, is_yes in answers.items()}, **answers}
    letters = {"y": True, "yes": True, "n": False, "no": False, **letters}

    def read_answer(answer: str) -> bool:
        """Whether the answer is yes; a usage error for what is neither."""
        word = answer.strip().casefold()
        if not word:
            return default
        if word not in letters:
            raise WrongValue("shell.yes-or-no", yes=next(iter(answers)), no=list(answers)[-1])
        return letters[word]

    yes, no = (word[0] for word in answers)
    choices = f"[{yes.upper() if default else yes}/{no if default else no.upper()}]"
    return bool(ask(f"{question} {choices}", default=None, read=read_answer, default_answer=""))
