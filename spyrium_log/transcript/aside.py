"""The lines that are no events: undo, and what stands off the timeline.

undo 5 "why"                                 the table is again as it was after line 5
correct seat Bob player "Bobby" "why"        the header was wrong
reading mine-1 price 3 read "Anna" "2026"    a printed value, who read it, when
result Anna 50, Bob 41                       what the table says it scored
accept 5 turn.order "who": "why"             a finding that the table lives with
withdraw 6 "why"                             a line off the timeline counts no longer
seal                                         so many lines; `seal signed KEY SIGNATURE` in the exact text
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

from msgspec import structs

from spyrium_log.log.lines import (
    Accepted,
    Aside,
    Corrected,
    Declared,
    Line,
    ReadOff,
    Result,
    Sealed,
    Signed,
    Undone,
    Withdrawn,
)
from spyrium_log.messages import syntax
from spyrium_log.play import OPEN, Play
from spyrium_log.sheet import Printed
from spyrium_log.sheet import Source as SheetSource
from spyrium_log.shown import quote
from spyrium_log.transcript.correction import read_ref
from spyrium_log.transcript.names import names_of
from spyrium_log.transcript.span import Span, word_text
from spyrium_log.transcript.statements import Grammar, read_printed

# The fields that every line begins with, by name: n, by, at, cmd. Their values are of several types.
Head = dict[str, Any]

# --- reading -------------------------------------------------------------------------------------


# Each reader takes what stands after the first word, the game so far, and the fields that every line begins with.


def _read_undo(rest: Span, play: Play, head: Head) -> Line:
    """`[LINE] ["why"]`: without a line, back to before the last event."""
    words = rest.words()
    if not words:
        to = play.before_last()
        if to == head["n"] - 1:
            rest.refuse(syntax("nothing-to-undo"))
    else:
        to = words[0].number(syntax("line"))
    if to >= head["n"]:
        words[0].refuse(syntax("line-before", n=head["n"]))
    after = rest.after(words[0]) if words else rest
    return Undone(**head, to=to, why=after.string(syntax("why")) if after.text else None, prev=OPEN, hash=OPEN)


def _read_correction(rest: Span, play: Play, head: Head) -> Line:
    """`seat Bob player "Bobby" "why"`: names of header fields, each before its value; why comes last."""
    words = rest.words()
    if not words or len(words) % 2 == 0:
        rest.refuse(syntax("header-correction"))
    fields: dict[str, Any] = {}
    for name, value in zip(words[:-1:2], words[1:-1:2], strict=True):
        if name.text not in _CORRECTABLE_FIELDS or name.text in fields:
            name.refuse(syntax("each-once", known=", ".join(_CORRECTABLE_FIELDS)), _CORRECTABLE_FIELDS)
        is_seat = name.text in ("seat", "first")
        fields[name.text] = (
            names_of(play.header).seat(value) if is_seat else value.string(syntax("word", word=name.text))
        )
    return Corrected(**head, **fields, why=words[-1].string(syntax("why")), prev=OPEN, hash=OPEN)


_CORRECTABLE_FIELDS = ("seat", "player", "colour", "first", "played", "place")


def _read_printed_value(rest: Span, _play: Play, head: Head) -> Line:
    """`COMPONENT WHAT VALUE SOURCE ["who" ["when"]]`."""
    words = rest.words()
    if not 4 <= len(words) <= 6:  # noqa: PLR2004 - what a reading says, and who read it and when
        rest.refuse(syntax("printed-value"))
    of, what, number, source = words[:4]
    if source.text not in get_args(SheetSource):
        source.refuse(
            syntax("of", what=syntax("source"), known=", ".join(get_args(SheetSource))), get_args(SheetSource)
        )
    by_and_at = [word.string(syntax("who-and-when")) for word in words[4:]]
    printed = Printed(of.value(), what.value(), read_printed(number), source.text, *by_and_at)  # type: ignore[arg-type]
    return ReadOff(**head, value=printed, prev=OPEN, hash=OPEN)


def _read_result(rest: Span, play: Play, head: Head) -> Line:
    """`Anna 50, Bob 41`."""
    results = []
    for section in rest.split(","):
        words = section.words()
        if len(words) != 2 or not re.fullmatch(r"-?[0-9]{1,5}", words[1].text):  # noqa: PLR2004 - who, and how much
            section.refuse(syntax("result"))
        results.append(Result(seat=names_of(play.header).seat(words[0]), points=int(words[1].text)))
    return Declared(**head, results=tuple(results), prev=OPEN, hash=OPEN)


def _read_acceptance(rest: Span, play: Play, head: Head) -> Line:
    """`EVENT RULE [expected "text"] "who": "why"`."""
    words = rest.words()
    if len(words) < 3:  # noqa: PLR2004 - the line, the rule, and who and why
        rest.refuse(syntax("acceptance"))
    number, _, i = read_ref(words[0]).partition(".")
    fields: dict[str, Any] = {"line": int(number), "i": int(i or 0), "rule": words[1].value()}
    after = rest.after(words[1])
    if words[2].text == "expected":
        after = after.cut(len("expected"))
        text = after.first()
        fields["expected"] = text.string(syntax("expected"))
        after = after.after(text)
    seen = Grammar(play.title, None, names_of(play.header)).seen(after)
    return Accepted(**head, **fields, who=seen.who, why=seen.why, prev=OPEN, hash=OPEN)


def _read_withdrawal(rest: Span, _play: Play, head: Head) -> Line:
    """`LINE "why"`."""
    words = rest.words()
    if not words:
        rest.refuse(syntax("line"))
    line = words[0].number(syntax("line"))
    why = rest.after(words[0]).string(syntax("why"))
    return Withdrawn(**head, line=line, why=why, prev=OPEN, hash=OPEN)


def _read_seal(rest: Span, play: Play, head: Head) -> Line:
    """`[signed KEY SIGNATURE]`. A signature covers bytes that the text does not hold, so it is copied as it is."""
    words = rest.words()
    if words and (len(words) != 3 or words[0].text != "signed"):  # noqa: PLR2004 - signed, the key, the signature
        rest.refuse(syntax("signature"))
    signed = Signed(key=words[1].text, signature=words[2].text) if words else None
    return structs.replace(play.seal_line(by=head["by"], at=head["at"]), cmd=head.get("cmd"), signed=signed)


ASIDES: Mapping[str, Callable[[Span, Play, Head], Line]] = {
    "undo": _read_undo,
    "correct": _read_correction,
    "reading": _read_printed_value,
    "result": _read_result,
    "accept": _read_acceptance,
    "withdraw": _read_withdrawal,
    "seal": _read_seal,
}


# --- writing -------------------------------------------------------------------------------------


def write_aside(line: Aside | Undone, play: Play) -> str:
    """The text that one of the readers above reads as this line."""
    names = names_of(play.header)
    match line:
        case Undone():
            return f"undo {line.to}" + (f" {quote(line.why)}" if line.why is not None else "")
        case Corrected():
            return _correction_text(line, play)
        case ReadOff():
            return _printed_value_text(line.value)
        case Declared():
            return "result " + ", ".join(f"{names.name(each.seat)} {each.points}" for each in line.results)
        case Accepted():
            i = f".{line.i}" if line.i else ""
            expected = f" expected {quote(line.expected)}" if line.expected is not None else ""
            return f"accept {line.line}{i} {word_text(line.rule)}{expected} {quote(line.who)}: {quote(line.why)}"
        case Withdrawn():
            return f"withdraw {line.line} {quote(line.why)}"
        case Sealed():
            return "seal" if line.signed is None else f"seal signed {line.signed.key} {line.signed.signature}"


def _correction_text(line: Corrected, play: Play) -> str:
    """The text of a header correction: the fields that it changes, and why."""
    names = names_of(play.header)
    words = []
    for name in _CORRECTABLE_FIELDS:
        value = getattr(line, name)
        if value is not None:
            words.append(f"{name} {names.name(value) if name in ('seat', 'first') else quote(value)}")
    return " ".join(["correct", *words, quote(line.why)])


def _printed_value_text(value: Printed) -> str:
    """The text of a value read off a component; a date alone needs an empty name before it."""
    printed = value.value if isinstance(value.value, int) else quote(value.value)
    words = ["reading", word_text(value.of), word_text(value.what), str(printed), value.source]
    words += [quote(value.by)] if value.by or value.at else []
    words += [quote(value.at)] if value.at else []
    return " ".join(words)
