"""Statements as people write them: counts, rulings, pauses, concessions; in notation, recorder and commands alike.

count Anna £12 s3, Bob 8 money   who has how much; what is not named is not counted
count 12 2 0, 8 - 3              seat by seat, in the order in which the title lists its resources; - leaves one out
adjust Anna: why | ...           a number that belongs to no move was ruled
pause   continue
concede                          whoever's turn it is; or `concede Anna`, `Anna: concede`
abandon why

An amount is a resource and a number: `£12`, `s-1`, `money 12`, `+2 points`, `2s3` for seat 2. Who and why may stand in
quotes, and do where they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, cast, get_args

from spyrium_log.messages import syntax
from spyrium_log.shown import QUOTED, quote
from spyrium_log.title import Abandoned, Adjusted, AnyTitle, Conceded, Continued, Counted, Holding, Paused, Seen
from spyrium_log.transcript.names import Names
from spyrium_log.transcript.span import Span

# Before the number of a space, where amounts are read by printed numbers.
SPACE = "#"

_SIGNED_NUMBER = re.compile(r"[+-]?[0-9]{1,5}")
# A cell of `count 12 2 0, 8 - 3`.
_AMOUNT_IN_ORDER = re.compile(rf"-|{SPACE}?[+-]?[0-9]{{1,5}}")
# Looks like an amount, perhaps of something that the title does not have.
_LIKE_AMOUNT = re.compile(rf"[1-9]?(?:[a-z]+|[$¢-¥₠-₿]){SPACE}?[+-]?[0-9]{{1,5}}")
_WHO_AND_WHY = re.compile(rf"(?P<who>{QUOTED}|[^:\"]*):(?P<why>.*)", re.DOTALL)


def list_resources(title: AnyTitle) -> Sequence[str]:
    """The names of what a seat can have, in the order of the title."""
    return cast("Sequence[str]", get_args(title.wire.resource))


def find_letter(title: AnyTitle, what: str) -> str:
    """How an amount of this resource is written."""
    return next(letter for letter, each in title.words.letters.items() if each == what)


def example_amounts(title: AnyTitle) -> str:
    """An amount of each resource, for a message."""
    return " ".join(f"{find_letter(title, what)}3" for what in dict.fromkeys(title.words.letters.values()))


@cache
def _amount_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """An amount in one word: seat, resource and number; `words` are the letters and names of the resources."""
    known = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?P<seat>[1-9])?(?P<what>{known})(?P<n>{SPACE}?[+-]?[0-9]{{1,5}})", re.IGNORECASE)


class Amount(NamedTuple):
    """An amount as it is written; seat 0 where it names none."""

    seat: int
    what: str
    n: str


class Grammar(NamedTuple):
    """How statements are read at one table.

    `seat` is whose an amount is that names nobody, 0 where each must name somebody. `printed` are the numbers on the
    spaces of a resource that is counted by space, for a reader who types what is printed there.
    """

    title: AnyTitle
    state: Any
    names: Names
    seat: int = 0
    printed: Callable[[str], Sequence[int]] = lambda _what: ()

    # --- amounts -------------------------------------------------------------------------------

    def amount(self, words: Sequence[Span]) -> tuple[Amount, int] | None:
        """The amount that these words begin with, and how many of them it takes."""
        names = list_resources(self.title)
        letters = self.title.words.letters
        match = _amount_pattern((*letters, *names)).fullmatch(words[0].text) if words else None
        if match is not None:
            what = match["what"]
            known = letters.get(what) or letters.get(what.casefold()) or what.casefold()
            return Amount(int(match["seat"] or 0), known, match["n"]), 1
        if words and _LIKE_AMOUNT.fullmatch(words[0].text) and not self.names.knows(words[0].text):
            words[0].refuse(syntax("one-of", known=" ".join(letters)))
        if len(words) > 1:
            first, second = words[0].text.casefold(), words[1].text.casefold()
            if first in names and _SIGNED_NUMBER.fullmatch(second):
                return Amount(0, first, second), 2
            if second in names and _SIGNED_NUMBER.fullmatch(first):
                return Amount(0, second, first), 2
        return None

    def amounts(self, span: Span) -> tuple[list[Holding[str]], Span]:
        """The amounts that a text begins with, and the rest. An amount without a seat is of the usual one."""
        words = span.words()
        holdings: list[Holding[str]] = []
        while read := self.amount(words):
            amount, word_count = read
            holdings.append(self._holding_of(amount, self.seat, words[0]))
            span = span.after(words[word_count - 1])
            words = words[word_count:]
        return holdings, span

    def _holding_of(self, amount: Amount, seat: int, word: Span) -> Holding[str]:
        """The amount as a holding of its own seat or of this one."""
        if amount.seat > len(self.names.players):
            word.refuse(syntax("seats", n=len(self.names.players)))
        seat = amount.seat or seat
        if not seat:
            word.refuse(syntax("amount-owner"))
        return Holding(seat, amount.what, self._amount_number(amount.what, amount.n, word))

    def _amount_number(self, what: str, n: str, word: Span) -> int:
        """The number; with printed spaces, the space of that printed number, or the one behind a #."""
        printed = self.printed(what)
        number = n.removeprefix(SPACE)
        if number != n and not printed:
            word.refuse(syntax("how-much", what=what))
        if number != n or not printed:
            return int(number)
        if int(number) not in printed:
            known = ", ".join(map(str, printed))
            word.refuse(syntax("track", known=known, example=f"{SPACE}1"))
        return printed.index(int(number)) + 1

    # --- counts --------------------------------------------------------------------------------

    def counted(self, span: Span, seat: int = 0) -> Counted[str]:
        """A section without a name is of the usual seat, else of the seat before it; the first one of `seat`."""
        sections = span.split(",") if span.text else []
        groups = [section.words() for section in sections]
        if any(groups) and all(_AMOUNT_IN_ORDER.fullmatch(word.text) for words in groups for word in words):
            return Counted(held=tuple(self._holdings_in_order(groups)))
        held: list[Holding[str]] = []
        for section, words in zip(sections, groups, strict=True):
            seat = self._add_section(section, words, self.seat or seat, held)
        return Counted(held=tuple(held))

    def _add_section(self, section: Span, words: list[Span], seat: int, held: list[Holding[str]]) -> int:
        """Add the amounts behind each player, and return the seat that the next section begins with."""
        is_named = False
        while words:
            read = self.amount(words)
            if read is None:
                if is_named or words[0].text[:1] in "+-":
                    words[0].refuse(syntax("amount", example=example_amounts(self.title)))
                seat, words, is_named = self.names.seat(words[0]), words[1:], True
                continue
            amount, word_count = read
            if not (seat or amount.seat):
                section.refuse(syntax("player"))
            held.append(self._holding_of(amount, seat, words[0]))
            words, is_named = words[word_count:], False
        if is_named or not section.text:
            section.at_end().refuse(syntax("counted", example=example_amounts(self.title)))
        return seat

    def _holdings_in_order(self, groups: Sequence[Sequence[Span]]) -> Iterator[Holding[str]]:
        """Holdings seat by seat, each number of the resource at its position."""
        order = list_resources(self.title)
        for seat, words in enumerate(groups, 1):
            for place, word in enumerate(words):
                if place >= len(order):
                    word.refuse(syntax("at-most", known=", ".join(order)))
                if word.text != "-":
                    yield self._holding_of(Amount(seat, order[place], word.text), seat, word)

    # --- who and why ---------------------------------------------------------------------------

    def seen(self, span: Span, by: str = "") -> Seen:
        """Who and why, as `who: why`, in quotes or not; with `by`, who may be left out."""
        match = _WHO_AND_WHY.fullmatch(span.text)
        who = span.cut(*match.span("who")) if match else span.at_end()
        why = span.cut(*match.span("why")) if match else span
        if not why.text or not (who.text or (by and match is None)):
            span.refuse(syntax("who-and-why"))
        return Seen(who=_unquoted(who) if match else by, why=_unquoted(why))

    # --- the others ----------------------------------------------------------------------------

    def adjusted(self, span: Span) -> Adjusted:
        """`who: why`; the amounts are effects of the event."""
        seen = self.seen(span)
        return Adjusted(who=seen.who, why=seen.why)

    def paused(self, span: Span) -> Paused:
        """The table stops for a while; nothing may follow the word."""
        _refuse_rest(span)
        return Paused()

    def continued(self, span: Span) -> Continued:
        """The table goes on; nothing may follow the word."""
        _refuse_rest(span)
        return Continued()

    def conceded(self, span: Span) -> Conceded:
        """The named player, else the one who began the line, else whoever is to act."""
        if span.text:
            return Conceded(seat=self.names.seat(span))
        seat = self.seat or self.title.awaits(self.state).seat
        if not seat:
            span.refuse(syntax("who-concedes"))
        return Conceded(seat=seat)

    def abandoned(self, span: Span) -> Abandoned:
        """The text is why the game ends unfinished."""
        if not span.text:
            span.refuse(syntax("why-abandoned"))
        return Abandoned(why=_unquoted(span))


def read_printed(span: Span) -> int | str:
    """A value as it is printed on a component: a number, or words in quotes."""
    if re.fullmatch(r"-?[0-9]{1,5}", span.text):
        return int(span.text)
    return span.string(syntax("number-or-words"))


def _refuse_rest(span: Span) -> None:
    """Refuse anything behind a statement that takes nothing."""
    if span.text:
        span.refuse(syntax("nothing-more"))


def _unquoted(span: Span) -> str:
    """The text, in quotes or not."""
    return span.value() if span.is_quoted else span.text


# The reader of each statement by its first word; it takes the rest of the line.
STATEMENTS: dict[str, Callable[[Grammar, Span], Any]] = {
    "count": Grammar.counted,
    "adjust": Grammar.adjusted,
    "pause": Grammar.paused,
    "continue": Grammar.continued,
    "concede": Grammar.conceded,
    "abandon": Grammar.abandoned,
}


# --- writing -------------------------------------------------------------------------------------


def write_statement(act: Any, title: AnyTitle, state: Any, names: Names) -> str | None:
    """The text that is read as this statement; None where the act is the title's own."""
    match act:
        case Counted():
            return " ".join(("count", ", ".join(_count_sections(act, title, names)))).rstrip()
        case Adjusted():
            return f"adjust {quote(act.who)}: {quote(act.why)}"
        case Paused():
            return "pause"
        case Continued():
            return "continue"
        case Conceded():
            return "concede" if title.awaits(state).seat == act.seat else f"{names.name(act.seat)}: concede"
        case Abandoned():
            return f"abandon {quote(act.why)}"
        case _:
            return None


def _count_sections(act: Counted[str], title: AnyTitle, names: Names) -> Iterator[str]:
    """One section for each run of holdings of one player."""
    words: list[str] = []
    who = 0
    for holding in act.held:
        if holding.who != who:
            if words:
                yield " ".join(words)
            who, words = holding.who, [names.name(holding.who)]
        words.append(f"{find_letter(title, holding.what)}{holding.n}")
    if words:
        yield " ".join(words)
