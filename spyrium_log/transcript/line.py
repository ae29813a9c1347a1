"""One line of text to the line of the log that it makes now, and back.

    [12.] ACT [| EFFECTS]                        see acts; `12.` checks which line it is
    amend MODE "why": EDIT; EDIT ...             see correction
    undo 5 "why"                                 the table is again as it was after line 5
    correct seat Bob player "Bobby" "why"        the header was wrong
    reading mine-1 price 3 read "Anna" "2026"    a printed value, who read it, when
    result Anna 50, Bob 41                       what the table says it scored
    accept 5 turn.order "who": "why"             a finding that the table lives with
    withdraw 6 "why"                             a line off the timeline counts no longer
    seal                                         so many lines; `seal signed KEY SIGNATURE` in the exact text

After any of them: tags, `[by "who"] [at 2026-11-18T20:15:00Z] [cmd "id"]`, and `# a comment`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import zip_longest
from typing import Any, cast, get_args

import msgspec
from msgspec import structs

from spyrium_log.edit.amend import AnyAct, Head
from spyrium_log.errors import ArgumentError, LogError, NotationError
from spyrium_log.log import codec
from spyrium_log.log import lines as kinds
from spyrium_log.log.lines import Line
from spyrium_log.log.timeline import make_ref
from spyrium_log.messages import syntax, unexpected_message
from spyrium_log.play import OPEN, Play
from spyrium_log.sheet import Printed
from spyrium_log.sheet import Source as SheetSource
from spyrium_log.shown import quote
from spyrium_log.title import Effects
from spyrium_log.transcript.acts import read_act, read_event, write_event
from spyrium_log.transcript.correction import read_amendment, read_ref, write_amendment
from spyrium_log.transcript.span import LONGEST_LINE, Names, Span, line_span, names_of, quote_if_needed, require_word
from spyrium_log.transcript.statements import STATEMENTS, make_grammar, read_printed

# The number that may stand before a line: `12.`.
_LINE_NUMBER = re.compile(r"([0-9]{1,7})\.(?=\s)")
# The tags that any line may have.
LINE_TAGS = ("by", "at", "cmd")
_CORRECTABLE_FIELDS = ("seat", "player", "colour", "first", "played", "place")


# Each reader takes what stands after the first word, the game so far, and the fields that every line has.


def _read_undo(arguments: Span, play: Play, head: Head) -> Line:
    """The line of `undo [LINE] ["why"]`: without a line, back to before the last event."""
    words = arguments.words()
    if not words:
        to = play.line_before_last()
        # nothing stands: the game was the same after every line
        if to == head["n"] - 1:
            arguments.refuse(syntax("nothing-to-undo"))
    else:
        to = words[0].read_number(syntax("line"))
    if to >= head["n"]:
        words[0].refuse(syntax("line-before", n=head["n"]))
    after = arguments.after(words[0]) if words else arguments
    return kinds.Undone(**head, to=to, why=after.read_string(syntax("why")) if after.text else None)


def _read_correction(arguments: Span, play: Play, head: Head) -> Line:
    """The line of `correct seat Bob player "Bobby" "why"`: header fields, each before its value; why comes last."""
    words = arguments.words()
    if not words or len(words) % 2 == 0:
        arguments.refuse(syntax("header-correction"))
    fields: dict[str, Any] = {}
    # names and values take turns, and the last word is why
    for name, value in zip(words[:-1:2], words[1:-1:2], strict=True):
        if name.text not in _CORRECTABLE_FIELDS or name.text in fields:
            name.refuse(syntax("each-once", known=", ".join(_CORRECTABLE_FIELDS)), _CORRECTABLE_FIELDS)
        if name.text in ("seat", "first"):
            fields[name.text] = names_of(play.header).read_seat(value)
        else:
            fields[name.text] = value.read_string(syntax("word", word=name.text))
    return kinds.Corrected(**head, **fields, why=words[-1].read_string(syntax("why")))


def _read_printed_value(arguments: Span, _play: Play, head: Head) -> Line:
    """The line of `reading COMPONENT WHAT VALUE SOURCE ["who" ["when"]]`."""
    words = arguments.words()
    if not 4 <= len(words) <= 6:  # noqa: PLR2004 - what a reading says, and who read it and when
        arguments.refuse(syntax("printed-value"))
    of, what, number, source_word = words[:4]
    source = cast("SheetSource", require_word(source_word, syntax("source"), get_args(SheetSource)))
    by_and_at = [word.read_string(syntax("who-and-when")) for word in words[4:]]
    return kinds.ReadOff(**head, value=Printed(of.value(), what.value(), read_printed(number), source, *by_and_at))


def _read_result(arguments: Span, play: Play, head: Head) -> Line:
    """The line of `result Anna 50, Bob 41`."""
    results, names = [], names_of(play.header)
    for section in arguments.split(","):
        *who, points = section.words() or [section]
        if not who or not re.fullmatch(r"-?[0-9]{1,5}", points.text):
            section.refuse(syntax("result"))
        seat, length = names.read_first_seat(who)
        if length < len(who):
            section.refuse(syntax("result"))
        results.append(kinds.Result(seat=seat, points=int(points.text)))
    return kinds.Declared(**head, results=tuple(results))


def _read_acceptance(arguments: Span, play: Play, head: Head) -> Line:
    """The line of `accept EVENT RULE [expected "text"] "who": "why"`; EVENT is `57`, or `57.1` for an inserted one."""
    words = arguments.words()
    if len(words) < 3:  # noqa: PLR2004 - the line, the rule, and who and why
        arguments.refuse(syntax("acceptance"))
    number, _, insertion = read_ref(words[0]).partition(".")
    rule, expected = words[1].value(), None
    who_and_why = arguments.after(words[1])
    if words[2].text == "expected":
        quoted = who_and_why.after(words[2]).first()
        expected, who_and_why = quoted.read_string(syntax("expected")), who_and_why.after(quoted)
    seen = make_grammar(play).read_seen(who_and_why)
    line, i = int(number), int(insertion or 0)
    return kinds.Accepted(**head, line=line, i=i, rule=rule, expected=expected, who=seen.who, why=seen.why)


def _read_withdrawal(arguments: Span, _play: Play, head: Head) -> Line:
    """The line of `withdraw LINE "why"`."""
    words = arguments.words()
    if not words:
        arguments.refuse(syntax("line"))
    line = words[0].read_number(syntax("line"))
    return kinds.Withdrawn(**head, line=line, why=arguments.after(words[0]).read_string(syntax("why")))


def _read_seal(arguments: Span, play: Play, head: Head) -> Line:
    """The line of `seal [signed KEY SIGNATURE]`; the text lacks the bytes that were signed: it copies the signature."""
    words = arguments.words()
    if words and (len(words) != 3 or words[0].text != "signed"):  # noqa: PLR2004 - signed, the key, the signature
        arguments.refuse(syntax("signature"))
    signed = kinds.Signed(key=words[1].text, signature=words[2].text) if words else None
    return structs.replace(play.make_seal_line(by=head["by"], at=head["at"]), cmd=head.get("cmd"), signed=signed)


READERS: Mapping[str, Callable[[Span, Play, Head], Line]] = {
    "undo": _read_undo,
    "correct": _read_correction,
    "reading": _read_printed_value,
    "result": _read_result,
    "accept": _read_acceptance,
    "withdraw": _read_withdrawal,
    "seal": _read_seal,
    "amend": read_amendment,
}
WORDS = (*READERS, *STATEMENTS)


def _write_correction(line: kinds.Corrected, names: Names) -> str:
    """The text of a header correction: the fields that it changes, and why."""
    words = []
    for name in _CORRECTABLE_FIELDS:
        value = getattr(line, name)
        if value is not None:
            words.append(f"{name} {names.seat_name(value) if name in ('seat', 'first') else quote(value)}")
    return " ".join(["correct", *words, quote(line.why)])


def _write_printed_value(value: Printed) -> str:
    """The text of a value read off a component; a date alone needs an empty name before it."""
    printed = value.value if isinstance(value.value, int) else quote(value.value)
    words = ["reading", quote_if_needed(value.of), quote_if_needed(value.what), str(printed), value.source]
    words += [quote(value.by)] if value.by or value.at else []
    words += [quote(value.at)] if value.at else []
    return " ".join(words)


def read_line(play: Play, text: str, *, by: str, at: datetime | None = None) -> Line | None:
    """The line of the log that a text describes, whatever the rules think of it; None for a comment or an empty one."""
    span = strip_comment(text)
    if not span.text:
        return None
    statement, tags = _split_tags(span)
    head: Head = {"n": len(play.log.lines), "by": by, "at": at, "prev": OPEN, "hash": OPEN, **tags}
    statement = _strip_number(statement, head["n"])
    line = _read_statement(statement, play, head)
    # bounds of its values are checked on decoding only
    try:
        codec.decode_next(play.log, codec.hashed_bytes(structs.replace(line, prev=play.log.lines[-1].hash, hash="")))
    except LogError as error:
        raise statement.error(syntax("no-log-line", found=error.message)) from None
    return line


def read_move(play: Play, text: str) -> AnyAct:
    """The act that a line of text describes, for whoever only tries it; effects and tags are refused."""
    span = strip_comment(text)
    bar = next(span.find_marks("|["), None)
    if bar is not None:
        raise span.cut(bar).error(unexpected_message(syntax("act-alone"), span.text[bar]))
    return read_act(span, make_grammar(play, play.state))


def strip_comment(text: str) -> Span:
    """The line without its comment; refused if too long, or with half of a character, a surrogate in Python."""
    if len(text) > LONGEST_LINE:
        raise NotationError(syntax("line-too-long", most=LONGEST_LINE), "", 1)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotationError(syntax("half-character"), text, error.start + 1) from None
    span = line_span(text)
    comment = next(span.find_marks("#"), None) if "#" in text else None
    return span if comment is None else span.cut(0, comment)


def _split_tags(span: Span) -> tuple[Span, Head]:
    """The line without its tags `[by "who"] [at ...] [cmd ...]`, and their values by name."""
    marks = list(span.find_marks("[]"))
    if not marks:
        return span, {}
    tags: Head = {}
    end = marks[0]
    # brackets that open and close a tag take turns
    for opened, closed in zip_longest(marks[::2], marks[1::2]):
        between = span.cut(end, opened)
        if between.text or closed is None or span.text[opened] + span.text[closed] != "[]":
            span.cut(end).refuse(syntax("tag-example"))
        tag = span.cut(opened + 1, closed)
        name = tag.first()
        if name.text in tags:
            raise name.error(syntax("tag-again", found=name.text))
        tags[name.text] = read_tag(name, tag.after(name))
        end = closed + 1
    if span.cut(end).text:
        span.cut(end).refuse(syntax("nothing-after-tags"))
    statement = span.cut(0, marks[0])
    if not statement.text:
        raise span.error(syntax("no-act-before-tags"))
    return statement, tags


def read_tag(name: Span, value: Span) -> datetime | str:
    """The value of a tag of any line: who recorded it, when, or the command that made it."""
    if name.text == "at":
        try:
            at: datetime = msgspec.convert(value.text, kinds.When)
        except msgspec.ValidationError:
            value.refuse(syntax("time"))
        return at
    if name.text not in LINE_TAGS:
        name.refuse(syntax("tag-names"), LINE_TAGS)
    return value.read_string(syntax("word", word=name.text))


def _strip_number(span: Span, n: int) -> Span:
    """The line without the number before it, `12.`, which must be `n` if there is one."""
    match = _LINE_NUMBER.match(span.text)
    if match is None:
        return span
    if int(match[1]) != n:
        span.cut(0, match.end(1)).refuse(syntax("line-number", n=n))
    return span.cut(match.end())


def _read_statement(span: Span, play: Play, head: Head) -> Line:
    """The line of the log that a text without tags describes: READERS know the first words of all but events."""
    word = span.first()
    if word.text in READERS:
        return READERS[word.text](span.after(word), play, head)
    act, effects = read_event(span, make_grammar(play, play.state))
    try:
        return play.make_event_line(act, effects, by=head["by"], at=head["at"], cmd=head.get("cmd"))
    except ArgumentError as error:
        raise span.error(syntax("no-log-line", found=error.message)) from None


def write_line(play: Play, line: Line) -> str:
    """The text that `read_line` reads as this line, the next one of the log, without its tags."""
    match line:
        case kinds.EventLine():
            return write_event(line.do, Effects(line.moved, line.facts), make_grammar(play, play.state))
        case kinds.Amended():
            return write_amendment(line, play)
        case kinds.Undone():
            return f"undo {line.to}" + (f" {quote(line.why)}" if line.why is not None else "")
        case kinds.Corrected():
            return _write_correction(line, names_of(play.header))
        case kinds.ReadOff():
            return _write_printed_value(line.value)
        case kinds.Declared():
            names = names_of(play.header)
            return "result " + ", ".join(f"{names.seat_name(result.seat)} {result.points}" for result in line.results)
        case kinds.Accepted():
            at, rule = make_ref(line.line, line.i), quote_if_needed(line.rule)
            expected = f" expected {quote(line.expected)}" if line.expected is not None else ""
            return f"accept {at} {rule}{expected} {quote(line.who)}: {quote(line.why)}"
        case kinds.Withdrawn():
            return f"withdraw {line.line} {quote(line.why)}"
        case kinds.Sealed():
            return "seal" if line.signed is None else f"seal signed {line.signed.key} {line.signed.signature}"
        case kinds.Header():
            raise TypeError("expected a line after the header, found a header")
