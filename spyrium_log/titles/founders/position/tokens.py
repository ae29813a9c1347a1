"""Words of a line, and cards and cells as words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple

from spyrium_log.errors import NotationError
from spyrium_log.messages import Message, unexpected_message
from spyrium_log.shown import QUOTED, quote, unquote
from spyrium_log.titles.founders.cards import ACTION_CARDS, RACES, RESOURCES, Printed
from spyrium_log.titles.founders.effects import LONGEST_CARD, LONGEST_CELL
from spyrium_log.titles.founders.messages import syntax

Fields = dict[str, Any]


class Token(NamedTuple):
    """A word of a line, its column and the whole line."""

    text: str
    column: int
    line: str

    def without(self, sign: str) -> Token:
        """The word behind a sign that it begins with, as `d4` of `+d4`, at its own column."""
        return self._replace(text=self.text.removeprefix(sign), column=self.column + len(sign))

    def refuse(self, message: Message) -> NotationError:
        """An error with this message at the word, for the caller to raise."""
        return NotationError(message, self.line, self.column)

    def expect(self, expected: Message, known: Sequence[str] = ()) -> NotationError:
        """An error that something else is expected, for the caller to raise; it suggests the `known` word alike."""
        # what is longer than any card is like none, and would take long to compare
        word = self.text.casefold()[:LONGEST_CARD]
        return self.refuse(unexpected_message(expected, self.text, get_close_matches(word, known, n=1)))


def split_words(line: str) -> list[Token]:
    """The words between blanks; a quoted string belongs to what it touches."""
    return [Token(match[0], match.start() + 1, line) for match in _WORD.finditer(line)]


_WORD = re.compile(rf'(?:{QUOTED}|[^\s"])+|"')

_ID = re.compile(r"[a-z][a-z0-9-]*|\?")
_CELL_NAME = re.compile(r"[a-z]{1,2}[1-9][0-9]?")
# As somebody may type it: `d04` is d4.
_TYPED_CELL = re.compile(r"([a-z]{1,2})0?([1-9][0-9]?)")
_LISTED_CELL = re.compile(rf'{QUOTED}|[^,"]+')


def list_ids(printed: Printed) -> list[str]:
    """The ids that somebody may have meant who mistyped one."""
    return [*RESOURCES, *RACES, *ACTION_CARDS, *printed.advisers, *printed.prestige, *printed.goals]


@lru_cache(maxsize=1024)
def card_word(card: str) -> str:
    """A card as a word: its id, or in quotes what can be no id."""
    return card if _ID.fullmatch(card) else quote(card)


def read_card(word: Token, printed: Printed) -> str:
    """The card that a word names. It need not exist: a log keeps what was recorded."""
    if not re.fullmatch(QUOTED, word.text) and not _ID.fullmatch(word.text):
        raise word.expect(syntax("card"), list_ids(printed))
    return _read_text(word, LONGEST_CARD, "card-too-long")


def _read_text(word: Token, most: int, too_long: str) -> str:
    """The text of a word, without quotes; NotationError with the message `too_long` where it has more letters."""
    text = read_string(word) if word.text.startswith('"') else word.text
    if len(text) > most:
        raise word.refuse(syntax(too_long, most=most, found=len(text)))
    return text


def read_string(word: Token) -> str:
    """The text between quotes; NotationError where it is no valid string."""
    try:
        return unquote(word.text)
    except ValueError:
        raise word.refuse(syntax("string", found=word.text)) from None


def cell_word(cell: str) -> str:
    """A cell as a word: its name, or in quotes what names none."""
    return cell if _CELL_NAME.fullmatch(cell) else quote(cell)


def read_cell(word: Token) -> str:
    """The name of the cell that a word means, `d4` for `d04`, on a board or not."""
    if re.fullmatch(QUOTED, word.text):
        return _read_text(word, LONGEST_CELL, "cell-too-long")
    match = _TYPED_CELL.fullmatch(word.text)
    if not match:
        raise word.expect(syntax("cell"))
    return f"{match[1]}{match[2]}"


def read_listed_cells(word: Token) -> tuple[str, ...]:
    """`d4,d5`: the cells between commas; one may stand behind the last."""
    cells = []
    unread = word
    while unread.text:
        match = _LISTED_CELL.match(unread.text)
        if match is None:
            raise unread.expect(syntax("cell"))
        cells.append(read_cell(unread._replace(text=match[0])))
        unread = unread.without(match[0])
        if unread.text and not unread.text.startswith(","):
            raise unread.expect(syntax("comma"))
        unread = unread.without(",")
    return tuple(cells)
