"""Text from a log is anybody's text: it may say anything, and it may not steer what shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence

# What a terminal obeys, or what nobody sees: control characters (C0, DEL, C1), ends of lines and paragraphs, marks
# that turn the direction of a line, characters without width, tags, halves of a character that is not whole.
_STEERING = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
# The two joiners are spelling inside a word of Arabic or of the scripts of India and its neighbours, and the second one
# between the parts of an emoji; anywhere else nobody sees them.
_JOINED = {
    "\u200c": re.compile(r"[\u0620-\u08ff\u0900-\u109f\u1780-\u18af]{2}"),
    "\u200d": re.compile(r"[\u0620-\u08ff\u0900-\u109f\u1780-\u18af]{2}|[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]{2}"),
}
# "seat 1 to 3" is not about who sits there.
_SEAT = re.compile(r"\bseat (\d+)\b(?! to \d)")
# "2026-11-18" and "mine-1" are no differences
_HYPHEN = re.compile(r"(?<![\w-])-(?=[^\w\s]?\d)")
LONGEST_MARK = 3


def plain(text: str, *, keep: str = "") -> str:
    """The text with everything that would steer a screen written out, ends of lines too: a name forges none."""
    return _STEERING.sub(
        lambda found: found[0] if found[0] in keep or _is_spelling(found) else repr(found[0])[1:-1], text
    )


def _is_spelling(found: re.Match[str]) -> bool:
    """Whether it is a joiner between what it joins."""
    joined, at = _JOINED.get(found[0]), found.start()
    return (
        joined is not None and at > 0 and bool(joined.fullmatch(found.string[at - 1] + found.string[at + 1 : at + 2]))
    )


def printable(text: str) -> str:
    """The text fit for one line of a message: what cannot be printed is replaced."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def json_plain(text: str) -> str:
    """JSON with the same characters escaped as JSON escapes them: other bytes, the same values.

    Only strings hold such characters, but for the ends of lines between tokens.
    """
    if text.isascii() and "\x7f" not in text:
        return text
    return _STEERING.sub(
        lambda found: found[0] if found[0] == "\n" or _is_spelling(found) else _json_escape(found[0]), text
    )


def _json_escape(character: str) -> str:
    """Its number in four hexadecimal digits; beyond those, the two halves that UTF-16 makes of it."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def named(text: str, names: Sequence[str]) -> str:
    """The text with players' names where it speaks of their seats."""

    def name(seat: re.Match[str]) -> str:
        return names[int(seat[1]) - 1] if 0 < int(seat[1]) <= len(names) else seat[0]

    return _SEAT.sub(name, text)


def minus(text: str) -> str:
    """The text with the sign that people write before numbers; a program's is the hyphen, as in dates and ids."""
    return _HYPHEN.sub("−", text)


def marks(names: Sequence[str]) -> list[str]:
    """For each name the shortest beginning that no other name has; the seat where there is none."""
    return [_mark(seat, name, names) for seat, name in enumerate(names, 1)]


def _mark(seat: int, name: str, names: Sequence[str]) -> str:
    others = [other.casefold() for at, other in enumerate(names, 1) if at != seat]
    for length in range(1, LONGEST_MARK + 1):
        start = name[:length]
        if start.strip() and not any(other.startswith(start.casefold()) for other in others):
            return start[:1].upper() + start[1:]
    return str(seat)
