"""A piece of a line that knows its place: whatever is said against it points at a column of the line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import NoReturn

from msgspec import Struct

from spyrium_log.errors import NotationError
from spyrium_log.messages import Message, syntax, unexpected
from spyrium_log.shown import QUOTED, quote, unquote

# Longer lines are no notation: only a header that carries a sheet of its own comes near.
LONGEST_LINE = 1 << 20
# Similar words are found by comparing letters, which takes long for long words.
_LONGEST_COMPARED = 40

_NEEDS_NO_QUOTES = re.compile(r"[a-z?][a-z0-9_.:-]*")
_QUOTED = re.compile(QUOTED)
_WORD = re.compile(rf"(?:{QUOTED}|[^\s\"])+|\"")


class Span(Struct, frozen=True):
    """A piece of a line, `line[start:end]`: an error about it points at its column."""

    line: str
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.line[self.start : self.end]

    def error(self, message: Message) -> NotationError:
        """An error that points at the first column of the span."""
        return NotationError(message, self.line, self.start + 1)

    def refuse(self, expected: Message, known: Sequence[str] = ()) -> NoReturn:
        """Raise an error: this was expected, the span was found; with known words that resemble it."""
        raise self.error(unexpected(expected, self.text, find_similar(self.text, known)))

    def cut(self, start: int, end: int | None = None) -> Span:
        """A part of it, without the blanks around; positions count from its own start."""
        start, end = self.start + start, self.end if end is None else self.start + end
        text = self.line[start:end]
        start += len(text) - len(text.lstrip())
        return Span(self.line, start, max(start, start + len(text.strip())))

    def at_end(self) -> Span:
        """The empty span behind it, to point at what is missing."""
        return Span(self.line, self.end, self.end)

    def marks(self, marks: str) -> Iterator[int]:
        """The positions of these characters outside quotes. An unclosed quote is refused."""
        for match in re.finditer(rf"{QUOTED}|[\"{re.escape(marks)}]", self.text):
            if match[0] == '"':
                raise self.cut(match.start()).error(syntax("closing-quote"))
            if len(match[0]) == 1:
                yield match.start()

    def split(self, mark: str) -> list[Span]:
        """The parts between marks outside quotes."""
        cuts = [-1, *self.marks(mark), len(self.text)]
        return [self.cut(left + 1, right) for left, right in pairwise(cuts)]

    def words(self) -> list[Span]:
        """The words between blanks; a text in quotes is part of one word."""
        return [self.cut(match.start(), match.end()) for match in _WORD.finditer(self.text)]

    def first(self) -> Span:
        """The first word; empty if there is none."""
        match = _WORD.search(self.text)
        return self.cut(match.start(), match.end()) if match else self

    def after(self, word: Span) -> Span:
        """The text after one of its words."""
        return self.cut(word.end - self.start)

    @property
    def is_quoted(self) -> bool:
        """Whether all of it is one text in quotes."""
        return _QUOTED.fullmatch(self.text) is not None

    def string(self, what: Message) -> str:
        """The content of a word in quotes."""
        if not self.is_quoted:
            self.refuse(syntax("quoted", what=what))
        return self.value()

    def value(self) -> str:
        """The content of a word, in quotes or not."""
        if not self.text.startswith('"'):
            return self.text
        try:
            return unquote(self.text)
        except ValueError:
            self.refuse(syntax("string"))

    def number(self, what: Message, most: int = 1_000_000) -> int:
        """A number in ASCII digits."""
        if not re.fullmatch(r"[0-9]{1,7}", self.text) or int(self.text) > most:
            self.refuse(what)
        return int(self.text)


def line_span(line: str) -> Span:
    """The line without the blanks around it."""
    return Span(line, 0, len(line)).cut(0)


def word_text(text: str) -> str:
    """The word, in quotes if it needs them."""
    return text if _NEEDS_NO_QUOTES.fullmatch(text) else quote(text)


def find_similar(word: str, known: Sequence[str]) -> Sequence[str]:
    """The known words that this one resembles."""
    if not 0 < len(word) <= _LONGEST_COMPARED:
        return ()
    # two keys in the wrong order: p21 for p12
    same_letters = [each for each in known if sorted(each) == sorted(word)]
    return same_letters or get_close_matches(word, known, n=3)


def require_word(span: Span, what: Message, known: Collection[str]) -> str:
    """The word, if it is in a closed list."""
    if span.text not in known:
        span.refuse(syntax("of", what=what, known=", ".join(known)), tuple(known))
    return span.text
