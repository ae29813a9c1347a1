"""Checks of arguments that callers of the library pass; ArgumentError says what was expected and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from difflib import get_close_matches
from unicodedata import category

from spyrium_log.errors import ArgumentError
from spyrium_log.messages import Message, argument_message
from spyrium_log.shown import plain

# Categories of Unicode: control characters, ends of lines, halves of characters.
_CONTROL = frozenset(("Cc", "Zl", "Zp", "Cs"))
LONGEST_WORD = 60
LONGEST_TEXT = 500
# No number at a table is larger, and Python refuses to write one of thousands of digits.
LARGEST_SHOWN = 10**18


def nearest_word(word: object, known: Iterable[str]) -> str:
    """The known word that a mistyped one resembles most, for "did you mean"; '' where none is near."""
    close = get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return close[0] if close else ""


def argument_error(expected: Message | str, found: object, known: Iterable[str] = ()) -> ArgumentError:
    """The error for a wrong argument; `expected` is a key of the messages, `known` the words that may be meant."""
    expected = argument_message(expected) if isinstance(expected, str) else expected
    if near := nearest_word(found, known):
        return ArgumentError("similar", expected=expected, found=quote_value(found), word=near)
    return ArgumentError("found", expected=expected, found=quote_value(found))


def quote_value(value: object) -> Message | str:
    """A value as an error quotes it: short, and fit for a terminal."""
    if isinstance(value, str):
        text = value if len(value) <= LONGEST_WORD else f"{value[:LONGEST_WORD]}…"
        return argument_message("quoted", text=plain(text))
    if isinstance(value, int) and abs(value) > LARGEST_SHOWN:
        return argument_message("larger-number")
    if isinstance(value, bool | int | float):
        return str(value)
    return argument_message("none") if value is None else argument_message("of-type", type=type(value).__name__)


def check_type(value: object, kind: type | tuple[type, ...], expected: str) -> None:
    """Refuse a value of another type; `expected` is the key of the message that says what it should be."""
    if not isinstance(value, kind):
        raise argument_error(expected, value)


def check_text(value: object, expected: str, most: int = LONGEST_WORD) -> None:
    """Refuse all but one line of text, not blank and no longer than a log takes."""
    what = argument_message(expected)
    if not isinstance(value, str):
        raise argument_error(argument_message("as-text", what=what), value)
    if not value.strip():
        raise argument_error(what, value)
    if any(category(char) in _CONTROL for char in value):
        raise argument_error(argument_message("without-control", what=what), value)
    if len(value) > most:
        raise ArgumentError("too-long", what=what, most=most, found=len(value))


def check_number(value: object, expected: str, low: int, high: int) -> None:
    """Refuse all but a whole number from `low` to `high`; True and False are none."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise argument_error(argument_message("within", what=argument_message(expected), low=low, high=high), value)


def check_word(value: object, expected: str, known: Sequence[str]) -> None:
    """Refuse a word that is none of the known ones; the error names them, and the one it resembles."""
    if value not in known:
        what = argument_message(expected)
        raise argument_error(argument_message("one-of", what=what, known=", ".join(known)), value, known)


def check_time(value: object) -> None:
    """Refuse a time without a zone: it means another moment in each zone. None is no time."""
    if value is not None and not isinstance(value, datetime):
        raise argument_error("time", value)
    if value is not None and value.utcoffset() is None:
        raise ArgumentError("no-zone", time=value.isoformat())


def check_list(values: object, expected: str) -> Sequence[object]:
    """Return the values if they are a sequence. A text is none, though Python takes it for its letters."""
    if isinstance(values, str | bytes) or not isinstance(values, Sequence):
        raise argument_error(argument_message("list", what=argument_message(expected)), values)
    return values


def check_once(values: Sequence[str], expected: str) -> None:
    """Refuse two values that differ only in capitals, if at all: nobody could tell such players apart."""
    folded = [value.casefold() for value in values]
    for index, value in enumerate(folded):
        if value in folded[:index]:
            raise ArgumentError("twice", what=argument_message(expected), found=quote_value(values[index]))
