"""The only place that writes to stdout and stderr line by line, and that asks: what it writes steers no screen.

Words for people have whatever would steer a screen written out, wherever they go. Data for programs goes into a pipe or
a file as it is; onto a terminal, like words. What is drawn with colours and boxes goes through `render.paper`.
"""

from __future__ import annotations

import sys
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable
from typing import IO, Any

import click


def _plain(words: str, keep: str = "") -> str:
    """What is plain as it stands loads nothing: help and version are said with this, too."""
    if words.isascii() and words.isprintable():
        return words
    from spyrium_log.shown import plain

    return plain(words, keep=keep)


def write_line(words: str = "", *, keep: str = "") -> None:
    """Words for people, to stdout. `keep`: characters that are ours, such as the end of a line."""
    click.echo(_plain(words, keep))


def write_note(words: str = "", *, keep: str = "", end: str = "\n", file: IO[Any] | None = None) -> None:
    """Words about what was done, asked or refused: to stderr."""
    click.echo(_plain(words, keep) + end, nl=False, file=file, err=file is None)


def write_data(text: str) -> None:
    """Text for programs, to stdout."""
    # else, click would take escape sequences out of what goes into a pipe
    click.echo(_plain(text, "\n") if sys.stdout.isatty() else text, nl=False, color=True)


def write_bytes(parts: Iterable[bytes]) -> None:
    """Bytes for programs, to stdout."""
    if not sys.stdout.isatty():
        for part in parts:
            sys.stdout.buffer.write(part)
        return
    decoder = getincrementaldecoder("utf-8")("replace")
    for part in parts:
        write_data(decoder.decode(part))
    write_data(decoder.decode(b"", final=True))


def ask(question: str, *, default: str | None = None, read: Callable[[str], Any] | None = None) -> Any:
    """What somebody answers, as `read` reads it; asked again until it can be read. Enter takes the default."""
    usual = f" [{default}]" if default else ""
    reader = None if read is None else _complaining_plainly(read)
    return click.prompt(_plain(f"{question}{usual}"), default=default, show_default=False, value_proc=reader, err=True)


def _complaining_plainly(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Click prints the message of whoever refuses an answer as it is."""

    def reader(answer: str) -> Any:
        try:
            return read(answer)
        except click.UsageError as error:
            raise click.UsageError(_plain(error.message)) from error

    return reader


def read_line(prompt: str) -> str:
    """A line that somebody types, with history and completion where this Python has them."""
    return input(_plain(prompt))


def confirm(question: str, *, default: bool = False) -> bool:
    """Whether somebody agrees."""
    return click.confirm(_plain(question), default=default, err=True)
