"""Texts in quotes, as the text form of a game writes them."""

from __future__ import annotations

from msgspec import MsgspecError, json

# What a string in quotes looks like; whether it is one, `unquoted` says.
QUOTED = r'"(?:[^"\\\x00-\x1f]|\\.)*"'


def quoted(text: str) -> str:
    """The text in quotes, as in JSON: nothing in it ends a line, a word or a terminal's patience."""
    spelt = json.encode(text).decode()
    return "".join(char if char.isprintable() else _escaped(char) for char in spelt)


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def unquoted(word: str) -> str:
    """What a word in quotes says; ValueError where it says nothing."""
    try:
        return json.decode(word.encode(), type=str)
    except MsgspecError as error:
        raise ValueError(str(error)) from None
