"""Where the log says seats, people say names: `anna: p12`, `red: p12`, `b:p12`, `@2 p12`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from spyrium_log.errors import NotationError
from spyrium_log.log.lines import AnyHeader
from spyrium_log.messages import syntax
from spyrium_log.shown import QUOTED
from spyrium_log.transcript.span import Span

# A name that stands alone is of letters only, so that no amount, move or number can be taken for one.
_NAME_ALONE = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
# One word may stand without a space behind its colon; a deal's `windfall:2` is never the first word.
_LEADING_SEAT = re.compile(rf"({QUOTED}|@[1-9]|[^\s:\"@]+|[^\s:\"@][^:\"]*(?=:\s)):(?=\s*\S)")
# A quoted text, in which nothing is replaced, or `@` with a name or a number.
_SEAT_MARK = re.compile(rf"{QUOTED}|@({QUOTED}|[^\W\d_]+(?:['-][^\W\d_]+)*|[0-9]+)")


class Names(NamedTuple):
    """The players and their colours, in the order of seats."""

    players: Sequence[str]
    colours: Sequence[str]

    def seat_of(self, who: str) -> int:
        """The seat of a name, a colour, a number, or the beginning of only one name or else only one colour."""
        folded = who.casefold()
        numbers = [str(seat) for seat in range(1, len(self.players) + 1)]
        same = ([word.casefold() == folded for word in words] for words in (self.players, self.colours, numbers))
        begun = ([word.casefold().startswith(folded) for word in words] for words in (self.players, self.colours))
        for matches in (*same, *begun):
            if sum(matches) == 1:
                return matches.index(True) + 1
            if any(matches):
                raise self._seat_error(who, "several-players")
        raise self._seat_error(who, "no-player")

    def _seat_error(self, who: str, key: str) -> NotationError:
        """The error for a word that names no seat or several; `key` is that of its message."""
        known = ", ".join(f"{name} ({colour})" for name, colour in zip(self.players, self.colours, strict=False))
        return NotationError(syntax(key, known=known, found=who), who, 1)

    def read_seat(self, span: Span) -> int:
        """The seat that a word names: `@2`, or what `seat_of` takes."""
        if re.fullmatch(r"@[1-9]", span.text):
            return int(span.text.removeprefix("@"))
        if not span.text:
            span.refuse(syntax("player"))
        try:
            return self.seat_of(span.cut(int(span.text.startswith("@"))).value())
        except NotationError as error:
            raise span.error(error.message) from None

    def seat_name(self, seat: int) -> str:
        """A word for this seat: the name or its first word, the colour, or `@2`."""
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


def names_of(header: AnyHeader) -> Names:
    """The names of the players of a game."""
    return Names([seat.player for seat in header.seats], [seat.colour for seat in header.seats])


def split_leading_seat(span: Span, names: Names) -> tuple[int, Span]:
    """The seat that a line begins with, 0 if with none, and the rest of the line."""
    match = _LEADING_SEAT.match(span.text)
    if match is None:
        return 0, span
    return names.read_seat(span.cut(0, match.end(1))), span.cut(match.end())


class SeatedText(NamedTuple):
    """A text with numbers for seats, and where its columns stand in the line."""

    text: str
    shifts: tuple[tuple[int, int], ...]

    def column(self, column: int) -> int:
        """The column of the line that a column of the text comes from."""
        at = column - 1
        start, line = next((start, line) for start, line in reversed(self.shifts) if start <= max(at, 0))
        return line + at - start + 1


def with_seat_numbers(span: Span, names: Names, seat: int = 0) -> SeatedText:
    """The text with `@2` for `@anna`, and with the seat of the player that the line began with."""
    source = span.text
    text = f"@{seat} " if seat else ""
    # an error about the seat points at the beginning
    shifts = [(0, span.start), (len(text), span.start)] if seat else [(0, span.start)]
    copied_until = 0
    for match in _SEAT_MARK.finditer(source):
        if match[1] is None or match[1][0] in "0123456789":
            continue
        text += source[copied_until : match.start()] + f"@{names.read_seat(span.cut(match.start(), match.end()))}"
        copied_until = match.end()
        shifts.append((len(text), span.start + copied_until))
    return SeatedText(text + source[copied_until:], tuple(shifts))


def with_player_names(text: str, names: Names) -> str:
    """The reverse of `with_seat_numbers`: names of players for the seats in the title's notation."""
    if match := re.match(r"@([1-9]) ", text):
        name = names.seat_name(int(match[1]))
        if not name.startswith("@"):
            return f"{name}: {with_player_names(text[match.end() :], names)}"

    def name_seat(match: re.Match[str]) -> str:
        """`@anna` for `@1`; a quoted text, and a seat whose name cannot stand alone, stay as they are."""
        if match[1] is None or not re.fullmatch(r"[1-9]", match[1]):
            return match[0]
        name = names.seat_name(int(match[1]))
        return name if name.startswith("@") else f"@{name}"

    return _SEAT_MARK.sub(name_seat, text)
