"""One line of text to the line of the log that it makes now, and back.

    [12.] ACT [| EFFECTS]                        see acts and effects; `12.` checks which line it is
    undo 5 "why"                                 the table is again as it was after line 5
    amend MODE "why": EDIT; EDIT ...             see correction
    correct seat Bob player "Bobby" "why"        the header was wrong
    reading mine-1 price 3 read "Anna" "2026"    a printed value, who read it, when
    result Anna 50, Bob 41                       what the table says it scored
    accept 5 turn.order "who": "why"             a finding that the table lives with
    withdraw 6 "why"                             a line off the timeline counts no longer
    seal

After any of them: tags, `[by "who"] [at 2026-11-18T20:15:00Z] [cmd "id"]`, and `# a comment`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import zip_longest
from typing import Any, get_args

import msgspec
from msgspec import structs

from spyrium_log.errors import LogError, NotationError
from spyrium_log.log import codec
from spyrium_log.log.lines import (
    Accepted,
    Amended,
    Corrected,
    Declared,
    EventLine,
    Line,
    ReadOff,
    Result,
    Sealed,
    Undone,
    When,
    Withdrawn,
)
from spyrium_log.play import OPEN, Play
from spyrium_log.sheet import Printed
from spyrium_log.sheet import Source as SheetSource
from spyrium_log.title import Effects, quoted
from spyrium_log.transcript.acts import STATEMENTS, read_act, read_told, who_and_why, write_act, write_told
from spyrium_log.transcript.correction import read_amendment, read_ref, write_amendment
from spyrium_log.transcript.names import names_of
from spyrium_log.transcript.span import LONGEST_LINE, Span, whole

Head = dict[str, Any]

_NUMBER = re.compile(r"([0-9]{1,7})\.(?=\s)")
_PLAIN = re.compile(r"[a-z?][a-z0-9_.:-]*")


# --- reading -------------------------------------------------------------------------------------


def read_line(play: Play, text: str, *, by: str, at: datetime | None = None) -> Line | None:
    """The line that a text makes now; None for a comment or an empty one.

    It is recorded as it is said, whatever the rules think of it: `play.event` and the audit know better.
    """
    span = bare(text)
    if not span.text:
        return None
    said, tags = _tagged(span)
    head: Head = {"n": len(play.log.lines), "by": by, "at": at, **tags}
    said = _numbered(said, head["n"])
    line = _read(said, play, head)
    return _checked(line, play, said)


def read_move(play: Play, text: str) -> Any:
    """The act alone that a line says, for whoever wants to know what the rules make of it; nothing moved otherwise."""
    span = bare(text)
    bar = next(span.marks("|["), None)
    if bar is not None:
        raise span.cut(bar).error(f"expected an act and nothing after it, found '{span.text[bar]}'")
    return read_act(span, play.title, play.state, names_of(play.header))


def bare(text: str) -> Span:
    """The line without its comment."""
    span = whole(text)
    _sound(span)
    comment = next(span.marks("#"), None) if "#" in text else None
    return span if comment is None else span.cut(0, comment)


def _sound(span: Span) -> None:
    if len(span.line) > LONGEST_LINE:
        raise NotationError(f"expected a line of at most {LONGEST_LINE} characters, found a longer one", "", 1)
    try:
        span.line.encode()
    except UnicodeEncodeError as error:
        raise NotationError("expected characters of Unicode, found half of one", span.line, error.start + 1) from None


def _tagged(span: Span) -> tuple[Span, Head]:
    """The line, and the tags after it."""
    marks = list(span.marks("[]"))
    if not marks:
        return span, {}
    tags: Head = {}
    end = marks[0]
    for opened, closed in zip_longest(marks[::2], marks[1::2]):
        between = span.cut(end, opened)
        if between.text or closed is None or span.text[opened] + span.text[closed] != "[]":
            span.cut(end).refuse('a tag such as [by "Anna"]')
        inside = span.cut(opened + 1, closed)
        name = inside.first()
        if name.text in tags:
            raise name.error(f"'{name.text}' says again what was said")
        tags[name.text] = read_tag(name, inside.after(name))
        end = closed + 1
    if span.cut(end).text:
        span.cut(end).refuse("nothing after the tags")
    said = span.cut(0, marks[0])
    if not said.text:
        raise span.error("expected an act before the tags, found none")
    return said, tags


def read_tag(name: Span, value: Span) -> Any:
    """Who recorded a line, when, and the command that made it."""
    if name.text == "at":
        try:
            return msgspec.convert(value.text, When)
        except msgspec.ValidationError:
            value.refuse("a time such as 2026-11-18T20:15:00Z")
    if name.text not in ("by", "cmd"):
        name.refuse("a tag of by, at, cmd", ("by", "at", "cmd"))
    return value.string(name.text)


def _numbered(span: Span, n: int) -> Span:
    match = _NUMBER.match(span.text)
    if match is None:
        return span
    if int(match[1]) != n:
        span.cut(0, match.end(1)).refuse(f"line {n}")
    return span.cut(match.end())


def _read(span: Span, play: Play, head: Head) -> Line:
    word = span.first()
    reader = ASIDES.get(word.text)
    if reader is not None:
        return reader(span.after(word), play, head)
    act, effects = read_told(span, play.title, play.state, names_of(play.header))
    line = play.event(act, by=head["by"], at=head["at"], cmd=head.get("cmd"), anyway=True)
    return structs.replace(line, moved=tuple(effects.moved), facts=tuple(effects.facts))


def _checked(line: Line, play: Play, span: Span) -> Line:
    """The same line, once the log would take it: bounds are checked on decoding only."""
    try:
        chained(line, play)
    except LogError as error:
        raise span.error(f"expected a line that a log can hold, found that {error.message}") from None
    return line


def chained(line: Line, play: Play) -> tuple[bytes, Line]:
    """The line as it would stand at the end of the log, and its bytes."""
    raw = codec.sealed_bytes(structs.replace(line, prev=play.log.last.hash, hash=""))
    return raw, codec.following(play.log, raw)


# --- the lines that are no events ----------------------------------------------------------------


def _undo(rest: Span, play: Play, head: Head) -> Line:
    words = rest.words()
    if not words:
        to = play.before_last()
        if to == head["n"] - 1:
            rest.refuse("an event to take back, but none stands: a line's number")
    else:
        to = words[0].number("a line's number")
    if to >= head["n"]:
        words[0].refuse(f"a line before this one, {head['n']}")
    after = rest.after(words[0]) if words else rest
    return Undone(**head, to=to, why=after.string("why") if after.text else None, prev=OPEN, hash=OPEN)


def _correct(rest: Span, play: Play, head: Head) -> Line:
    """Words and what they say in turn; why comes last."""
    words = rest.words()
    if not words or len(words) % 2 == 0:
        rest.refuse('what was wrong and why, as in: seat Bob player "Bobby" "why"')
    said: dict[str, Any] = {}
    for name, value in zip(words[:-1:2], words[1:-1:2], strict=True):
        if name.text not in _CORRECTED or name.text in said:
            name.refuse(f"each of {', '.join(_CORRECTED)} at most once", _CORRECTED)
        is_seat = name.text in ("seat", "first")
        said[name.text] = names_of(play.header).seat(value) if is_seat else value.string(name.text)
    return Corrected(**head, **said, why=words[-1].string("why"), prev=OPEN, hash=OPEN)


_CORRECTED = ("seat", "player", "colour", "first", "played", "place")


def _reading(rest: Span, _play: Play, head: Head) -> Line:
    words = rest.words()
    if not 4 <= len(words) <= 6:  # noqa: PLR2004 - what a reading says, and who read it and when
        rest.refuse("a component, what is printed, its value, its source, who and when")
    of, what, number, source = words[:4]
    value = int(number.text) if re.fullmatch(r"-?[0-9]{1,5}", number.text) else number.string("a number, or a word")
    if source.text not in get_args(SheetSource):
        source.refuse("a source of " + ", ".join(get_args(SheetSource)), get_args(SheetSource))
    by_and_at = [word.string("who and when") for word in words[4:]]
    printed = Printed(of.value(), what.value(), value, source.text, *by_and_at)  # type: ignore[arg-type]
    return ReadOff(**head, value=printed, prev=OPEN, hash=OPEN)


def _result(rest: Span, play: Play, head: Head) -> Line:
    results = []
    for section in rest.split(","):
        words = section.words()
        if len(words) != 2 or not re.fullmatch(r"-?[0-9]{1,5}", words[1].text):  # noqa: PLR2004 - who, and how much
            section.refuse("a player and points, as in Anna 50")
        results.append(Result(seat=names_of(play.header).seat(words[0]), points=int(words[1].text)))
    return Declared(**head, results=tuple(results), prev=OPEN, hash=OPEN)


def _accept(rest: Span, _play: Play, head: Head) -> Line:
    words = rest.words()
    if len(words) < 3:  # noqa: PLR2004 - the line, the rule, and who and why
        rest.refuse('a line, a rule, and who and why, as in 5 turn.order "Anna": "nobody minded"')
    number, _, i = read_ref(words[0]).partition(".")
    said: dict[str, Any] = {"line": int(number), "i": int(i or 0), "rule": words[1].value()}
    after = rest.after(words[1])
    if words[2].text == "expected":
        after = after.cut(len("expected"))
        text = after.first()
        said["expected"] = text.string("what was expected")
        after = after.after(text)
    said["who"], said["why"] = who_and_why(after)
    return Accepted(**head, **said, prev=OPEN, hash=OPEN)


def _withdraw(rest: Span, _play: Play, head: Head) -> Line:
    words = rest.words()
    if not words:
        rest.refuse("a line's number")
    line = words[0].number("a line's number")
    why = rest.after(words[0]).string("why")
    return Withdrawn(**head, line=line, why=why, prev=OPEN, hash=OPEN)


def _seal(rest: Span, play: Play, head: Head) -> Line:
    if rest.text:
        rest.refuse("nothing more")
    return structs.replace(play.seal(by=head["by"], at=head["at"]), cmd=head.get("cmd"))


ASIDES: Mapping[str, Callable[[Span, Play, Head], Line]] = {
    "undo": _undo,
    "amend": read_amendment,
    "correct": _correct,
    "reading": _reading,
    "result": _result,
    "accept": _accept,
    "withdraw": _withdraw,
    "seal": _seal,
}
WORDS = (*ASIDES, *STATEMENTS)


# --- writing -------------------------------------------------------------------------------------


def write_line(play: Play, line: Line) -> str:
    """The text that `read_line` reads as this line, which is the log's next one; who recorded it and when apart."""
    names = names_of(play.header)
    match line:
        case EventLine():
            return write_told(line.do, Effects(line.moved, line.facts), play.title, play.state, names)
        case Undone():
            return f"undo {line.to}" + (f" {quoted(line.why)}" if line.why is not None else "")
        case Amended():
            return write_amendment(line, play)
        case Corrected():
            return _corrected(line, play)
        case ReadOff():
            return _read_off(line.value)
        case Declared():
            return "result " + ", ".join(f"{names.name(each.seat)} {each.points}" for each in line.results)
        case Accepted():
            i = f".{line.i}" if line.i else ""
            expected = f" expected {quoted(line.expected)}" if line.expected is not None else ""
            return f"accept {line.line}{i} {word(line.rule)}{expected} {quoted(line.who)}: {quoted(line.why)}"
        case Withdrawn():
            return f"withdraw {line.line} {quoted(line.why)}"
        case Sealed():
            return "seal"
        case _:
            raise TypeError(f"expected a line after the header, found {type(line).__name__}")


def write_move(play: Play, act: Any) -> str:
    """The text of an act that `read_move` reads as the same one now."""
    return write_act(act, play.title, play.state, names_of(play.header))


def word(text: str) -> str:
    """A word as it is, or in quotes."""
    return text if _PLAIN.fullmatch(text) else quoted(text)


def _corrected(line: Corrected, play: Play) -> str:
    names = names_of(play.header)
    said = []
    for name in _CORRECTED:
        value = getattr(line, name)
        if value is not None:
            said.append(f"{name} {names.name(value) if name in ('seat', 'first') else quoted(value)}")
    return " ".join(["correct", *said, quoted(line.why)])


def _read_off(value: Printed) -> str:
    printed = value.value if isinstance(value.value, int) else quoted(value.value)
    said = ["reading", word(value.of), word(value.what), str(printed), value.source]
    said += [quoted(value.by)] if value.by or value.at else []
    said += [quoted(value.at)] if value.at else []
    return " ".join(said)
