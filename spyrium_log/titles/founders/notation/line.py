"""The words of a decision, taken one after the other, and the act that they make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias, TypeVar

import msgspec

from spyrium_log.errors import NotationError
from spyrium_log.messages import unexpected_message
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.messages import syntax
from spyrium_log.titles.founders.position.tokens import Fields, Token, read_card
from spyrium_log.titles.founders.state import State

Act = TypeVar("Act", bound=msgspec.Struct)
# The type of an act, and its fields but for the seat and the card that is played.
Reading: TypeAlias = "tuple[type[moves.Decision], Fields]"


class Line:
    """The words of a decision, taken one after the other; `state` and `seat` are what they are read for."""

    def __init__(self, state: State, seat: int, words: Sequence[Token]) -> None:
        """Begin before the first word."""
        self.state = state
        self.seat = seat
        self._words = words
        self._taken = 0

    @property
    def next(self) -> Token | None:
        """The next word, None at the end of the line."""
        return self._words[self._taken] if self._taken < len(self._words) else None

    def take(self, expected: str) -> Token:
        """The next word; NotationError at the end of the line, with the key of what is expected."""
        word = self.next
        if word is None:
            last = self._words[-1]
            raise NotationError(unexpected_message(syntax(expected), ""), last.line, last.column + len(last.text))
        self._taken += 1
        return word

    def take_card(self) -> str:
        """The card that the next word names; NotationError where it can be no card."""
        return read_card(self.take("card"), self.state.printed)

    def take_match(self, pattern: str, expected: str) -> re.Match[str]:
        """The next word, which must be of this form; `expected` is the key of what it should be."""
        word = self.take(expected)
        match = re.fullmatch(pattern, word.text)
        if match is None:
            raise word.expect(syntax(expected))
        return match

    def take_amounts(self, letters: str) -> Fields:
        """The amounts that words such as `f3` say, each letter at most once; none where the next word is no amount."""
        fields: Fields = {}
        while self.next and (match := re.fullmatch(rf"([{letters}])([0-9]{{1,2}})", self.next.text)):
            name = AMOUNTS[match[1]]
            if name in fields:
                raise self.next.refuse(syntax("choice-again", found=match[0]))
            fields[name] = int(match[2])
            self._taken += 1
        return fields


# What the letter of an amount stands for.
AMOUNTS: Final = {"c": "money", "f": "fleeting", "l": "lasting", "r": "roads"}


def convert_act(kind: type[Act], fields: Fields, head: Token) -> Act:
    """The act of these fields; NotationError at the first word where a value is outside the bounds of the log."""
    try:
        return msgspec.convert({"act": kind.__struct_config__.tag, **fields}, kind)
    except msgspec.ValidationError:
        raise head.refuse(syntax("move-bounds", move=head.text)) from None
