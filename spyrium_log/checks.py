"""Checks of arguments that callers of the library pass; ArgumentError says what was expected and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from difflib import get_close_matches
from unicodedata import category

from spyrium_log.errors import ArgumentError
from spyrium_log.shown import plain

# Categories of Unicode: control characters, ends of lines, halves of characters.
_CONTROL = frozenset(("Cc", "Zl", "Zp", "Cs"))
LONGEST_WORD = 60
LONGEST_TEXT = 500
# No number at a table is larger, and Python refuses to write one of thousands of digits.
LARGEST_SHOWN = 10**18


def refused(expected: str, found: object, hint: str = "") -> ArgumentError:
    """The error for an argument; `hint` ends its message."""
    return ArgumentError(f"expected {expected}, found {shown(found)}{hint}")


def shown(value: object) -> str:
    """A value as an error quotes it: short, and fit for a terminal."""
    if value is None:
        return "none"
    if isinstance(value, str):
        return f"'{plain(_cut(value))}'"
    if isinstance(value, int) and abs(value) > LARGEST_SHOWN:
        return "a larger number"
    if isinstance(value, bool | int | float):
        return str(value)
    return f"a value of type {type(value).__name__}"


def _cut(text: str) -> str:
    """The text, cut to the length that an error quotes."""
    return text if len(text) <= LONGEST_WORD else f"{text[:LONGEST_WORD]}…"


def near(word: object, known: Iterable[str]) -> str:
    """The known word that this one resembles, as the end of a message; else nothing."""
    close = get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return f"; did you mean '{close[0]}'?" if close else ""


def check_type(value: object, kind: type | tuple[type, ...], expected: str) -> None:
    """A value of this type."""
    if not isinstance(value, kind):
        raise refused(expected, value)


def check_text(value: object, what: str, most: int = LONGEST_WORD) -> None:
    """One line of text that is not blank and not longer than a log takes. Joiners and marks of direction may stand."""
    if not isinstance(value, str):
        raise refused(f"{what} as text", value)
    if not value.strip():
        raise refused(what, value)
    if any(category(char) in _CONTROL for char in value):
        raise refused(f"{what} without control characters", value)
    if len(value) > most:
        raise ArgumentError(f"expected {what} of at most {most} characters, found {len(value)}")


def check_number(value: object, what: str, low: int, high: int) -> None:
    """A whole number within bounds; True and False are none."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise refused(f"{what} from {low} to {high}", value)


def check_word(value: object, what: str, known: Sequence[str]) -> None:
    """One of the known words."""
    if value not in known:
        raise refused(f"{what} of {', '.join(known)}", value, near(value, known))


def check_time(value: object) -> None:
    """A time with its zone, or None: a naive one means another moment in each zone."""
    if value is not None and (not isinstance(value, datetime) or value.utcoffset() is None):
        found = shown(value) if not isinstance(value, datetime) else f"{value.isoformat()} without a time zone"
        raise ArgumentError(f"expected a time with its time zone, found {found}")


def check_list(values: object, what: str) -> Sequence[object]:
    """A sequence. A text is not one, though Python takes it for the list of its letters."""
    if isinstance(values, str | bytes) or not isinstance(values, Sequence):
        raise refused(f"a list of {what}", values)
    return values


def check_once(values: Sequence[str], what: str) -> None:
    """No two values that differ only in capitals."""
    folded = [value.casefold() for value in values]
    for index, value in enumerate(folded):
        if value in folded[:index]:
            raise ArgumentError(f"expected {what} once each, found {shown(values[index])} twice")
