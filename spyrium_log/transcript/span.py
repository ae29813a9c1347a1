"""A piece of a line that knows its place, and names where the log says seats: `anna: p12`, `b:p12`, `@2 p12`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import NamedTuple, NoReturn

from msgspec import Struct

from spyrium_log.colours import SeatedColours, find_seats_by_colour
from spyrium_log.errors import NotationError
from spyrium_log.log.lines import AnyHeader
from spyrium_log.messages import Message, syntax, unexpected_message
from spyrium_log.shown import QUOTED, quote, unquote

# Longer lines are no notation: only a header that carries a sheet of its own comes near.
LONGEST_LINE = 1 << 20
# No number of a line or a format is larger.
MAX_NUMBER = 1_000_000
# Similar words are found by comparing letters, which takes long for long words.
_LONGEST_COMPARED = 40

_NEEDS_NO_QUOTES = re.compile(r"[a-z?][a-z0-9_.:-]*")
_QUOTED = re.compile(QUOTED)
_WORD = re.compile(rf"(?:{QUOTED}|[^\s\"])+|\"")
# A name that stands alone is of letters only, so that no amount, move or number can be taken for one.
_NAME_ALONE = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
# One word may stand without a space behind its colon; a deal's `windfall:2` is never the first word.
_LEADING_SEAT = re.compile(rf"({QUOTED}|@[1-9]|[^\s:\"@]+|[^\s:\"@][^:\"]*(?=:\s)):(?=\s*\S)")
# A quoted text, in which nothing is replaced, or `@` with a name or a number.
_SEAT_MARK = re.compile(rf"{QUOTED}|@({QUOTED}|[^\W\d_]+(?:['-][^\W\d_]+)*|[0-9]+)")


class Span(Struct, frozen=True):
    """A piece of a line, `line[start:end]`: an error about it points at its column."""

    line: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """The piece itself."""
        return self.line[self.start : self.end]

    def error(self, message: Message) -> NotationError:
        """An error that points at the first column of the span."""
        return NotationError(message, self.line, self.start + 1)

    def refuse(self, expected: Message, known: Sequence[str] = ()) -> NoReturn:
        """Raise an error: this was expected, the span was found; it suggests known words that resemble it."""
        raise self.error(unexpected_message(expected, self.text, find_similar(self.text, known)))

    def cut(self, start: int, end: int | None = None) -> Span:
        """A part of it, without the blanks around; positions count from its own start."""
        piece = self.line[self.start + start : self.end if end is None else self.start + end]
        begins = self.start + start + len(piece) - len(piece.lstrip())
        return Span(self.line, begins, begins + len(piece.strip()))

    def at_end(self) -> Span:
        """The empty span behind it, to point at what is missing."""
        return Span(self.line, self.end, self.end)

    def find_marks(self, marks: str) -> Iterator[int]:
        """The positions of these characters outside quotes. An unclosed quote is refused."""
        for match in re.finditer(rf"{QUOTED}|[\"{re.escape(marks)}]", self.text):
            if match[0] == '"':
                raise self.cut(match.start()).error(syntax("closing-quote"))
            # anything longer is a quoted text
            if len(match[0]) == 1:
                yield match.start()

    def split(self, mark: str) -> list[Span]:
        """The parts between marks outside quotes."""
        cuts = [-1, *self.find_marks(mark), len(self.text)]
        return [self.cut(left + 1, right) for left, right in pairwise(cuts)]

    def words(self) -> list[Span]:
        """The words between blanks, each a span; a text in quotes is part of one word."""
        return [self.cut(match.start(), match.end()) for match in _WORD.finditer(self.text)]

    def first(self) -> Span:
        """The first word; empty if there is none."""
        match = _WORD.search(self.text)
        return self.cut(match.start(), match.end()) if match else self

    def after(self, word: Span) -> Span:
        """What stands after one of its words, up to its own end."""
        return self.cut(word.end - self.start)

    @property
    def is_quoted(self) -> bool:
        """Whether all of it is one text in quotes."""
        return _QUOTED.fullmatch(self.text) is not None

    def read_string(self, what: Message) -> str:
        """The content of a word in quotes; refused without quotes, naming `what` was expected."""
        if not self.is_quoted:
            self.refuse(syntax("quoted", what=what))
        return self.value()

    def value(self) -> str:
        """The content of a word, without the quotes if it has any."""
        if not self.text.startswith('"'):
            return self.text
        try:
            return unquote(self.text)
        except ValueError:
            self.refuse(syntax("string"))

    def read_number(self, what: Message) -> int:
        """A number in ASCII digits that a log can hold; anything else is refused, and `what` says what was expected."""
        if not re.fullmatch(r"[0-9]{1,7}", self.text) or int(self.text) > MAX_NUMBER:
            self.refuse(what)
        return int(self.text)


def line_span(line: str) -> Span:
    """The whole line as a span, without the blanks around it, to be read piece by piece."""
    return Span(line, 0, len(line)).cut(0)


def quote_if_needed(text: str) -> str:
    """The word as it is written so that it reads back: in quotes if it needs them."""
    return text if _NEEDS_NO_QUOTES.fullmatch(text) else quote(text)


def find_similar(word: str, known: Sequence[str]) -> Sequence[str]:
    """The known words that a mistyped one resembles, for a suggestion; none if it is too long to compare."""
    if not 0 < len(word) <= _LONGEST_COMPARED:
        return ()
    # two keys in the wrong order: p21 for p12
    same_letters = [other for other in known if sorted(other) == sorted(word)]
    return same_letters or get_close_matches(word, known, n=3)


def require_word(span: Span, what: Message, known: Collection[str]) -> str:
    """The word of a span, which must be one of a closed list; `what` says what the list is of."""
    if span.text not in known:
        span.refuse(syntax("of", what=what, known=", ".join(known)), tuple(known))
    return span.text


class SeatedText(NamedTuple):
    """A text with numbers for seats, and where its columns stand in the line."""

    text: str
    shifts: tuple[tuple[int, int], ...]

    def column(self, column: int) -> int:
        """The column of the line that a column of the text comes from, so that an error of the title points there."""
        index = column - 1
        # the last piece that begins at or before the index, in the text and in the line
        shifts = ((start, in_line) for start, in_line in reversed(self.shifts) if start <= max(index, 0))
        start, in_line = next(shifts)
        return in_line + index - start + 1


class Names(NamedTuple):
    """The players and their colours, in the order of seats."""

    players: Sequence[str]
    colours: Sequence[str]

    def seat_of(self, who: str) -> int:
        """The seat of a name, a colour, a number, or the beginning of only one name or else only one colour.

        A colour may be named in any language.
        """
        folded = who.casefold()
        numbers = [str(seat) for seat in range(1, len(self.players) + 1)]
        whole = ([word.casefold() == folded for word in words] for words in (self.players, self.colours, numbers))
        begun = ([word.casefold().startswith(folded) for word in words] for words in (self.players, self.colours))
        # a whole word goes before a beginning, a name before a colour, and what a log says before other languages
        for matches in (*whole, *begun, *find_seats_by_colour(who, self.colours)):
            if sum(matches) == 1:
                return matches.index(True) + 1
            if any(matches):
                raise self._make_seat_error(who, "several-players")
        raise self._make_seat_error(who, "no-player")

    def _make_seat_error(self, who: str, key: str) -> NotationError:
        """The error for a word that names no seat or several (`key` of its message), with the names that there are."""
        known = SeatedColours(tuple(self.players), tuple(self.colours))
        return NotationError(syntax(key, known=known, found=who), who, 1)

    def read_seat(self, span: Span) -> int:
        """The seat that a word names: `@2`, or what `seat_of` takes."""
        if re.fullmatch(r"@[1-9]", span.text):
            return int(span.text.removeprefix("@"))
        if not span.text:
            span.refuse(syntax("player"))
        word = span.cut(1) if span.text.startswith("@") else span
        try:
            return self.seat_of(word.value())
        except NotationError as error:
            raise span.error(error.message) from None

    def read_first_seat(self, words: Sequence[Span]) -> tuple[int, int]:
        """The seat that words begin with, and how many of them name it: a whole name of several words goes first."""
        seat, length = self._find_long_name(words)
        return (seat, length) if seat else (self.read_seat(words[0]), 1)

    def find_first_seat(self, words: Sequence[Span]) -> tuple[int, int]:
        """The same; 0, 0 where the words begin with no name of exactly one player."""
        seat, length = self._find_long_name(words)
        return (seat, length) if seat or not (words and self.knows(words[0].value())) else (self.read_seat(words[0]), 1)

    def _find_long_name(self, words: Sequence[Span]) -> tuple[int, int]:
        """The seat whose whole name these words begin with, and how many they are; 0, 0 for no name of several."""
        names = [player.casefold().split() for player in self.players]
        folded = [word.text.casefold() for word in words]
        length = max((len(name) for name in names if folded[: len(name)] == name), default=0)
        return (names.index(folded[:length]) + 1, length) if length > 1 else (0, 0)

    def seat_name(self, seat: int) -> str:
        """A word that names this seat in a text: the player's name, its first word, the colour, or `@2`."""
        if 0 < seat <= len(self.players):
            player = self.players[seat - 1]
            for word in (player, player.partition(" ")[0], self.colours[seat - 1]):
                is_plain = _NAME_ALONE.fullmatch(word) and not any(map(str.isnumeric, word))
                if is_plain and self.knows(word) and self.seat_of(word) == seat:
                    return word
        return f"@{seat}"

    def knows(self, who: str) -> bool:
        """Whether a word names exactly one player."""
        try:
            return bool(self.seat_of(who))
        except NotationError:
            return False

    def split_leading_seat(self, span: Span) -> tuple[int, Span]:
        """The seat that a line begins with, as in `anna: p12`, 0 if with none, and what follows it."""
        match = _LEADING_SEAT.match(span.text)
        if match is None:
            return self._split_leading_name(span) if ":" in span.line else (0, span)
        return self.read_seat(span.cut(0, match.end(1))), span.cut(match.end())

    def _split_leading_name(self, span: Span) -> tuple[int, Span]:
        """The seat of a line such as `Tom Jones:p12`, where only whole names of several words are looked for."""
        before = span.text.partition(":")[0]
        words = span.cut(0, len(before)).words()
        seat, length = self._find_long_name(words)
        return (seat, span.cut(len(before) + 1)) if seat and length == len(words) else (0, span)

    def replace_names_by_seats(self, span: Span, seat: int = 0) -> SeatedText:
        """The text as a title reads it: `@2` for `@anna`, and before it the seat of whoever the line began with."""
        source = span.text
        text = f"@{seat} " if seat else ""
        # where pieces begin, in the text and in the line; an error about the seat points at the beginning
        shifts = [(0, span.start), (len(text), span.start)] if seat else [(0, span.start)]
        copied_until = 0
        for match in _SEAT_MARK.finditer(source):
            # quoted text and numbers of seats stay as they are
            if match[1] is None or match[1][0].isdecimal():
                continue
            words = span.cut(match.start() + 1).words()
            seat, length = self._find_long_name(words)
            end = words[length - 1].end - span.start if seat else match.end()
            text += f"{source[copied_until : match.start()]}@{seat or self.read_seat(span.cut(match.start(), end))}"
            copied_until = end
            shifts.append((len(text), span.start + copied_until))
        return SeatedText(text + source[copied_until:], tuple(shifts))

    def replace_seats_by_names(self, text: str) -> str:
        """The reverse of `replace_names_by_seats`: names of players for the seats in the title's notation."""
        if match := re.match(r"@([1-9]) ", text):
            name = self.seat_name(int(match[1]))
            if not name.startswith("@"):
                return f"{name}: {self.replace_seats_by_names(text[match.end() :])}"

        def name_seat(match: re.Match[str]) -> str:
            """`@anna` for `@1`; a quoted text, and a seat whose name cannot stand alone, stay as they are."""
            if match[1] is None or not re.fullmatch(r"[1-9]", match[1]):
                return match[0]
            name = self.seat_name(int(match[1]))
            return name if name.startswith("@") else f"@{name}"

        return _SEAT_MARK.sub(name_seat, text)


def names_of(header: AnyHeader) -> Names:
    """The names of the players of a game, as texts use them for seats."""
    return Names([seat.player for seat in header.seats], [seat.colour for seat in header.seats])
