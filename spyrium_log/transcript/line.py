"""One line of text to the line of the log that it makes now, and back.

    [12.] ACT [| EFFECTS]                        see acts and effects; `12.` checks which line it is
    amend MODE "why": EDIT; EDIT ...             see correction
    undo 5 "why", seal, ...                      see aside

After any of them: tags, `[by "who"] [at 2026-11-18T20:15:00Z] [cmd "id"]`, and `# a comment`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec import structs

from spyrium_log.errors import ArgumentError, LogError, NotationError
from spyrium_log.log import codec
from spyrium_log.log.lines import Amended, EventLine, Header, Line, When
from spyrium_log.messages import syntax, unexpected
from spyrium_log.play import OPEN, Play
from spyrium_log.title import Effects
from spyrium_log.transcript.acts import read_act, read_event, write_act, write_event
from spyrium_log.transcript.aside import ASIDES, Head, write_aside
from spyrium_log.transcript.correction import read_amendment, write_amendment
from spyrium_log.transcript.span import LONGEST_LINE, Span, line_span
from spyrium_log.transcript.statements import STATEMENTS, grammar_of

# The number that may stand before a line: `12.`.
_LINE_NUMBER = re.compile(r"([0-9]{1,7})\.(?=\s)")

READERS: Mapping[str, Callable[[Span, Play, Head], Line]] = {**ASIDES, "amend": read_amendment}
WORDS = (*READERS, *STATEMENTS)


def read_line(play: Play, text: str, *, by: str, at: datetime | None = None) -> Line | None:
    """The line of the log that a text describes; None for a comment or an empty one.

    It is recorded as it is said, whatever the rules think of it: `play.event` and the audit know better.
    """
    span = without_comment(text)
    if not span.text:
        return None
    statement, tags = _split_tags(span)
    head: Head = {"n": len(play.log.lines), "by": by, "at": at, "prev": OPEN, "hash": OPEN, **tags}
    statement = _without_number(statement, head["n"])
    line = _read_statement(statement, play, head)
    # bounds of its values are checked on decoding only
    try:
        codec.decode_next(play.log, codec.hashed_bytes(structs.replace(line, prev=play.log.lines[-1].hash, hash="")))
    except LogError as error:
        raise statement.error(syntax("no-log-line", found=error.message)) from None
    return line


def read_move(play: Play, text: str) -> Any:
    """The act that a line describes; effects and tags are refused."""
    span = without_comment(text)
    bar = next(span.marks("|["), None)
    if bar is not None:
        raise span.cut(bar).error(unexpected(syntax("act-alone"), span.text[bar]))
    return read_act(span, grammar_of(play, play.state))


def without_comment(text: str) -> Span:
    """The line without its comment. Refused: one that is too long, and half of a character, a surrogate in Python."""
    if len(text) > LONGEST_LINE:
        raise NotationError(syntax("line-too-long", most=LONGEST_LINE), "", 1)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotationError(syntax("half-character"), text, error.start + 1) from None
    span = line_span(text)
    comment = next(span.marks("#"), None) if "#" in text else None
    return span if comment is None else span.cut(0, comment)


def _split_tags(span: Span) -> tuple[Span, Head]:
    """The line without its tags `[by "who"] [at ...] [cmd ...]`, and their values by name."""
    marks = list(span.marks("[]"))
    if not marks:
        return span, {}
    tags: Head = {}
    end = marks[0]
    for opened, closed in zip_longest(marks[::2], marks[1::2]):
        between = span.cut(end, opened)
        if between.text or closed is None or span.text[opened] + span.text[closed] != "[]":
            span.cut(end).refuse(syntax("tag-example"))
        inside = span.cut(opened + 1, closed)
        name = inside.first()
        if name.text in tags:
            raise name.error(syntax("tag-again", found=name.text))
        tags[name.text] = read_tag(name, inside.after(name))
        end = closed + 1
    if span.cut(end).text:
        span.cut(end).refuse(syntax("nothing-after-tags"))
    statement = span.cut(0, marks[0])
    if not statement.text:
        raise span.error(syntax("no-act-before-tags"))
    return statement, tags


def read_tag(name: Span, value: Span) -> datetime | str:
    """The value of a tag: who recorded the line, when, or the command that made it."""
    if name.text == "at":
        try:
            at: datetime = msgspec.convert(value.text, When)
        except msgspec.ValidationError:
            value.refuse(syntax("time"))
        return at
    if name.text not in ("by", "cmd"):
        name.refuse(syntax("tag-names"), ("by", "at", "cmd"))
    return value.string(syntax("word", word=name.text))


def _without_number(span: Span, n: int) -> Span:
    """The line without its number, which must be `n` if there is one."""
    match = _LINE_NUMBER.match(span.text)
    if match is None:
        return span
    if int(match[1]) != n:
        span.cut(0, match.end(1)).refuse(syntax("line-number", n=n))
    return span.cut(match.end())


def _read_statement(span: Span, play: Play, head: Head) -> Line:
    """The line that a text describes, without its tags. `head`: the fields that every line has."""
    word = span.first()
    if word.text in READERS:
        return READERS[word.text](span.after(word), play, head)
    act, effects = read_event(span, grammar_of(play, play.state))
    try:
        return play.make_event_line(act, effects, by=head["by"], at=head["at"], cmd=head.get("cmd"))
    except ArgumentError as error:
        raise span.error(syntax("no-log-line", found=error.message)) from None


def write_line(play: Play, line: Line) -> str:
    """The text that `read_line` reads as this line, the next one of the log, without its tags."""
    if isinstance(line, EventLine):
        return write_event(line.do, Effects(line.moved, line.facts), grammar_of(play, play.state))
    if isinstance(line, Header):
        raise TypeError("expected a line after the header, found a header")
    return write_amendment(line, play) if isinstance(line, Amended) else write_aside(line, play)


def write_move(play: Play, act: Any) -> str:
    """The text that `read_move` reads as this act."""
    return write_act(act, grammar_of(play, play.state))
