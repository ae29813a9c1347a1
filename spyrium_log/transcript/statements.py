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
from itertools import groupby
from typing import NamedTuple, cast, get_args

from spyrium_log.edit.amend import AnyAct, AnyState
from spyrium_log.messages import syntax
from spyrium_log.play import Play
from spyrium_log.shown import QUOTED, quote
from spyrium_log.title import Abandoned, Adjusted, AnyTitle, Conceded, Continued, Counted, Holding, Paused, Seen
from spyrium_log.transcript.span import Names, Span, names_of

# Before the number of a space, where amounts are read by printed numbers.
SPACE = "#"

_SIGNED_NUMBER = re.compile(r"[+-]?[0-9]{1,5}")
# A cell of `count 12 2 0, 8 - 3`.
_AMOUNT_IN_ORDER = re.compile(rf"-|{SPACE}?[+-]?[0-9]{{1,5}}")
# Looks like an amount, perhaps of something that the title does not have.
_LIKE_AMOUNT = re.compile(rf"[1-9]?(?:[a-z]+|[$¢-¥₠-₿]){SPACE}?[+-]?[0-9]{{1,5}}")
_WHO_AND_WHY = re.compile(rf"(?P<who>{QUOTED}|[^:\"]*):(?P<why>.*)", re.DOTALL)


def list_resources(title: AnyTitle) -> Sequence[str]:
    """The names of what a seat can have, in the order in which `count 12 2 0` counts them."""
    return cast("Sequence[str]", get_args(title.wire.resource))


def find_letter(title: AnyTitle, what: str) -> str:
    """How an amount of this resource is written: `£` for money."""
    return next(letter for letter, resource in title.words.letters.items() if resource == what)


def example_amounts(title: AnyTitle) -> str:
    """An amount of each resource, for a message: `£3 s3`."""
    return " ".join(f"{find_letter(title, what)}3" for what in dict.fromkeys(title.words.letters.values()))


@cache
def _compile_amount_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """An amount in one word: seat, resource and number; `words` are the letters and names of the resources."""
    known = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?P<seat>[1-9])?(?P<what>{known})(?P<n>{SPACE}?[+-]?[0-9]{{1,5}})", re.IGNORECASE)


class Amount(NamedTuple):
    """An amount as it is written, and how many words it takes; seat 0 where it names none."""

    seat: int
    what: str
    n: str
    word_count: int = 1


class Grammar(NamedTuple):
    """How statements are read at one table.

    `seat` is whose an amount is that names nobody, 0 where each must name somebody. `printed` are the numbers on the
    spaces of a resource that is counted by space, for a reader who types what is printed there.
    """

    title: AnyTitle
    state: AnyState
    names: Names
    seat: int = 0
    printed: Callable[[str], Sequence[int]] = lambda _what: ()

    def read_amount(self, words: Sequence[Span]) -> Amount | None:
        """The amount that these words begin with; None if they begin with something else."""
        if not words:
            return None
        names, letters = list_resources(self.title), self.title.words.letters
        match = _compile_amount_pattern((*letters, *names)).fullmatch(words[0].text)
        if match is not None:
            what = match["what"]
            resource = letters.get(what) or letters.get(what.casefold()) or what.casefold()
            return Amount(int(match["seat"] or 0), resource, match["n"])
        if _LIKE_AMOUNT.fullmatch(words[0].text) and not self.names.knows(words[0].text):
            words[0].refuse(syntax("one-of", known=" ".join(letters)))
        first = words[0].text.casefold()
        second = words[1].text.casefold() if len(words) > 1 else ""
        for what, number in ((first, second), (second, first)):
            if what in names and _SIGNED_NUMBER.fullmatch(number):
                return Amount(0, what, number, word_count=2)
        return None

    def read_amounts(self, span: Span) -> tuple[list[Holding[str]], Span]:
        """The amounts that a text begins with, and what follows. One without a seat is of the grammar's seat."""
        words = span.words()
        holdings: list[Holding[str]] = []
        while amount := self.read_amount(words):
            holdings.append(self._make_holding(amount, self.seat, words[0]))
            span = span.after(words[amount.word_count - 1])
            words = words[amount.word_count :]
        return holdings, span

    def _make_holding(self, amount: Amount, seat: int, word: Span) -> Holding[str]:
        """The amount as a holding of the seat it names, else of this one; `word` is where errors point."""
        if amount.seat > len(self.names.players):
            word.refuse(syntax("seats", n=len(self.names.players)))
        seat = amount.seat or seat
        if not seat:
            word.refuse(syntax("amount-owner"))
        return Holding(seat, amount.what, self._read_number(amount.what, amount.n, word))

    def _read_number(self, what: str, text: str, word: Span) -> int:
        """The number of an amount; where spaces are printed, the space with that number, or the one behind a #."""
        printed = self.printed(what)
        number = text.removeprefix(SPACE)
        if number != text and not printed:
            word.refuse(syntax("how-much", what=what))
        if number != text or not printed:
            return int(number)
        if int(number) not in printed:
            known = ", ".join(map(str, printed))
            word.refuse(syntax("track", known=known, example=f"{SPACE}1"))
        return printed.index(int(number)) + 1

    def read_count(self, span: Span, seat: int = 0) -> Counted[str]:
        """`Anna £12 s3, Bob 8 money` or `12 2 0, 8 - 3`; the first section, if nobody is named, is of `seat`."""
        sections = span.split(",") if span.text else []
        groups = [section.words() for section in sections]
        if any(groups) and all(_AMOUNT_IN_ORDER.fullmatch(word.text) for words in groups for word in words):
            return Counted(held=tuple(self._read_in_order(groups)))
        held: list[Holding[str]] = []
        for section, words in zip(sections, groups, strict=True):
            seat = self._add_section(section, words, self.seat or seat, held)
        return Counted(held=tuple(held))

    def _add_section(self, section: Span, words: list[Span], seat: int, held: list[Holding[str]]) -> int:
        """Add the amounts of a section such as `bob m8 s1` to `held`; the last player named goes on in the next one."""
        is_named = False
        while words:
            amount = self.read_amount(words)
            if amount is None:
                if is_named or words[0].text[:1] in "+-":
                    words[0].refuse(syntax("amount", example=example_amounts(self.title)))
                seat, length = self.names.read_first_seat(words)
                words, is_named = words[length:], True
                continue
            if not (seat or amount.seat):
                section.refuse(syntax("player"))
            held.append(self._make_holding(amount, seat, words[0]))
            words, is_named = words[amount.word_count :], False
        if is_named or not section.text:
            section.at_end().refuse(syntax("counted", example=example_amounts(self.title)))
        return seat

    def _read_in_order(self, groups: Sequence[Sequence[Span]]) -> Iterator[Holding[str]]:
        """Holdings seat by seat, each number of the resource at its position; `-` leaves one out."""
        order = list_resources(self.title)
        for seat, words in enumerate(groups, 1):
            for place, word in enumerate(words):
                if place >= len(order):
                    word.refuse(syntax("at-most", known=", ".join(order)))
                if word.text != "-":
                    yield self._make_holding(Amount(seat, order[place], word.text), seat, word)

    def read_seen(self, span: Span, by: str = "") -> Seen:
        """Who and why, as `who: why`, in quotes or not; with `by`, who may be left out."""
        match = _WHO_AND_WHY.fullmatch(span.text)
        who = span.cut(*match.span("who")) if match else span.at_end()
        why = span.cut(*match.span("why")) if match else span
        if not why.text or not (who.text or (by and match is None)):
            span.refuse(syntax("who-and-why"))
        return Seen(who=_read_text(who) if match else by, why=_read_text(why))

    def read_adjustment(self, span: Span) -> Adjusted:
        """A ruling about a number: `who: why`; the amounts are effects of the event."""
        seen = self.read_seen(span)
        return Adjusted(who=seen.who, why=seen.why)

    def read_concession(self, span: Span) -> Conceded:
        """Who concedes: the named player, else the one who began the line, else whoever is to act."""
        if span.text:
            return Conceded(seat=self.names.read_seat(span))
        seat = self.seat or self.title.awaits(self.state).seat
        if not seat:
            span.refuse(syntax("who-concedes"))
        return Conceded(seat=seat)

    def read_abandonment(self, span: Span) -> Abandoned:
        """The end of an unfinished game; the text is why."""
        if not span.text:
            span.refuse(syntax("why-abandoned"))
        return Abandoned(why=_read_text(span))


def make_grammar(play: Play, state: AnyState = None, seat: int = 0) -> Grammar:
    """How statements are read in this game. Only acts need its `state`, which costs a `Table` work to make."""
    return Grammar(play.title, state, names_of(play.header), seat)


def read_printed(span: Span) -> int | str:
    """A value as it is printed on a component: a number, or words in quotes."""
    if re.fullmatch(r"-?[0-9]{1,5}", span.text):
        return int(span.text)
    return span.read_string(syntax("number-or-words"))


def _read_text(span: Span) -> str:
    """The words of a span, without the quotes if it is quoted."""
    return span.value() if span.is_quoted else span.text


def _read_alone(act: Paused | Continued, arguments: Span) -> Paused | Continued:
    """The act of `pause` or `continue`; anything behind the word is refused."""
    if arguments.text:
        arguments.refuse(syntax("nothing-more"))
    return act


# The reader of each statement by its first word; it takes the rest of the line.
STATEMENTS: dict[str, Callable[[Grammar, Span], AnyAct]] = {
    "count": Grammar.read_count,
    "adjust": Grammar.read_adjustment,
    "pause": lambda _grammar, arguments: _read_alone(Paused(), arguments),
    "continue": lambda _grammar, arguments: _read_alone(Continued(), arguments),
    "concede": Grammar.read_concession,
    "abandon": Grammar.read_abandonment,
}


def write_statement(act: AnyAct, grammar: Grammar) -> str | None:
    """The text that is read as this statement; None where the act is the title's own, which writes it itself."""
    match act:
        case Counted():
            return f"count {', '.join(_write_held(act, grammar))}".rstrip()
        case Adjusted():
            return f"adjust {quote(act.who)}: {quote(act.why)}"
        case Paused():
            return "pause"
        case Continued():
            return "continue"
        case Conceded():
            is_awaited = grammar.title.awaits(grammar.state).seat == act.seat
            return "concede" if is_awaited else f"{grammar.names.seat_name(act.seat)}: concede"
        case Abandoned():
            return f"abandon {quote(act.why)}"
        case _:
            return None


def _write_held(counted: Counted[str], grammar: Grammar) -> Iterator[str]:
    """`Anna £12 s3`: what was counted, a section for each run of amounts of one seat."""
    letters = {holding.what: find_letter(grammar.title, holding.what) for holding in counted.held}
    for seat, held in groupby(counted.held, lambda holding: holding.who):
        amounts = (f"{letters[holding.what]}{holding.n}" for holding in held)
        yield " ".join((grammar.names.seat_name(seat), *amounts))
