"""Text fit for a screen or a line. A log may hold any text, and none of it may control the terminal that shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import MsgspecError, json

# Characters that a terminal obeys or nobody sees: control characters (C0, DEL, C1), ends of lines and paragraphs, marks
# that turn the direction of a line, characters without width, tags, surrogates.
_CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
# The two joiners are spelling inside a word of Arabic or of the scripts of India and its neighbours, and the second one
# between the parts of an emoji; anywhere else nobody sees them.
_JOINED = {
    "\u200c": re.compile(r"[\u0620-\u08ff\u0900-\u109f\u1780-\u18af]{2}"),
    "\u200d": re.compile(r"[\u0620-\u08ff\u0900-\u109f\u1780-\u18af]{2}|[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]{2}"),
}
# "2026-11-18" and "mine-1" are no differences
_HYPHEN = re.compile(r"(?<![\w-])-(?=[^\w\s]?\d)")
LONGEST_SHORT_NAME = 3
# What a text in quotes looks like; whether it is one, `unquote` says.
QUOTED = r'"(?:[^"\\\x00-\x1f]|\\.)*"'


def plain(text: str, *, keep: str = "") -> str:
    """The text with control and invisible characters written out, ends of lines too. `keep`: characters to leave."""

    def write_out(match: re.Match[str]) -> str:
        r"""The character as Python escapes it, without the quotes: `\x1b`."""
        return match[0] if match[0] in keep or _is_joiner(match) else repr(match[0])[1:-1]

    return _CONTROL.sub(write_out, text)


def _is_joiner(match: re.Match[str]) -> bool:
    """Whether the character is a joiner between letters that it may join: then it is spelling and stays."""
    pair, start, text = _JOINED.get(match[0]), match.start(), match.string
    if pair is None or start == 0:
        return False
    # at the end of the text nothing follows
    return pair.fullmatch(text[start - 1] + text[start + 1 : start + 2]) is not None


def replace_unprintable(text: str) -> str:
    """The text fit for one line of a message: each character that cannot be printed is a `�`."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def escape_json(text: str) -> str:
    """JSON with its control and invisible characters as JSON escapes, but for ends of lines: the same values."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _CONTROL.sub(
        lambda match: match[0] if match[0] == "\n" or _is_joiner(match) else _json_escape(match[0]), text
    )


def _json_escape(character: str) -> str:
    r"""The character as JSON escapes it: `\u200b`; beyond U+FFFF, an escape for each half of its UTF-16."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[start : start + 2].hex()}" for start in range(0, len(units), 2))


def quote(text: str) -> str:
    """The text in quotes, as in JSON: nothing in it ends a line or controls a terminal."""
    quoted = json.encode(text).decode()
    return "".join(char if char.isprintable() else _json_escape(char) for char in quoted)


def unquote(word: str) -> str:
    """The text that `quote` made this word of; ValueError where it is no text in quotes."""
    try:
        return json.decode(word.encode(), type=str)
    except MsgspecError as error:
        raise ValueError(str(error)) from None


def with_minus(text: str) -> str:
    """The text with a minus, as people read it, where numbers have a hyphen; hyphens in dates and ids stay."""
    return _HYPHEN.sub("−", text)


def short_names(names: Sequence[str]) -> list[str]:
    """For each player the prefix that tells them apart, for narrow columns; the seat's number where none is short."""
    return [_short_name(seat, name, names) for seat, name in enumerate(names, 1)]


def _short_name(seat: int, name: str, names: Sequence[str]) -> str:
    """The shortest prefix that no other name has: `A` for Anna; the number of the seat where none is short enough."""
    others = [other.casefold() for number, other in enumerate(names, 1) if number != seat]
    for length in range(1, LONGEST_SHORT_NAME + 1):
        start = name[:length]
        if start.strip() and not any(other.startswith(start.casefold()) for other in others):
            return start[:1].upper() + start[1:]
    return str(seat)
