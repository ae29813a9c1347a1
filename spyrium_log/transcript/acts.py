"""One act as text: the title's own as the title writes them, and here the statements that all titles share.

count Anna £12 s3, Bob £8      who has how much; what is not said is not counted
adjust "who": "why" | ...      a number that belongs to no move was ruled
pause   continue
concede                        whoever's turn it is, or `Anna: concede`
abandon "why"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from spyrium_log.errors import NotationError
from spyrium_log.quoting import quoted
from spyrium_log.title import (
    Abandoned,
    Adjusted,
    AnyTitle,
    Conceded,
    Continued,
    Counted,
    Effects,
    Holding,
    Paused,
    seat_of,
)
from spyrium_log.transcript.effects import letter_of, read_amount, read_effects, write_effects
from spyrium_log.transcript.names import Names, headed, named, seated
from spyrium_log.transcript.span import MEANT, Span, meant

# The title's own first words that are no moves.
TITLES_OWN = ("deal", "final", "position")


def read_told(span: Span, title: AnyTitle, state: Any, names: Names) -> tuple[Any, Effects]:
    """An act and what then moved: what the rules give on this state, unless the text says otherwise."""
    bar = next(span.marks("|"), None)
    act = read_act(span if bar is None else span.cut(0, bar), title, state, names)
    given = title.effects(state, act) or Effects()
    if bar is None:
        return act, given
    return act, read_effects(span.cut(bar), title, names, _seat(act), given)


def write_told(act: Any, effects: Effects, title: AnyTitle, state: Any, names: Names) -> str:
    given = title.effects(state, act) or Effects()
    return write_act(act, title, state, names) + write_effects(effects, given, title, names, _seat(act))


def _seat(act: Any) -> int:
    """Whose amounts need no name: the acting player's."""
    return seat_of(act)


def read_act(span: Span, title: AnyTitle, state: Any, names: Names) -> Any:
    for _ in span.marks(""):  # a quote that is never closed is said to be one
        pass
    seat, rest = headed(span, names)
    word = rest.first()
    shared = STATEMENTS.get(word.text)
    if shared is not None:
        return shared(_Said(rest.after(word), title, state, names, seat))
    own = seated(rest, names, seat)
    try:
        return title.words.read(state, own.text)
    except NotationError as error:
        column = own.column(error.column)
        # the title knows better what was meant by a word of its own
        is_hinted = MEANT in error.message
        hint = _hint(rest, title, state, names) if column == word.start + 1 and not is_hinted else ""
        raise NotationError(error.message + hint, span.line, column) from None


def _hint(rest: Span, title: AnyTitle, state: Any, names: Names) -> str:
    """What was meant: a player and a colon, a word, or a move that is legal now."""
    who, what = rest.first(), rest.after(rest.first())
    if what.text and names.knows(who.text):
        return f"{MEANT}'{who.text}: {what.text}'?"
    return meant(rest.first().text, (*STATEMENTS, *TITLES_OWN)) or meant(rest.text, legal_now(title, state, names))


def legal_now(title: AnyTitle, state: Any, names: Names) -> list[str]:
    return [named(title.words.write(state, act), names) for act in title.legal(state)]


def write_act(act: Any, title: AnyTitle, state: Any, names: Names) -> str:
    match act:
        case Counted():
            return " ".join(("count", ", ".join(_counts(act, title, names)))).rstrip()
        case Adjusted():
            return f"adjust {quoted(act.who)}: {quoted(act.why)}"
        case Paused():
            return "pause"
        case Continued():
            return "continue"
        case Conceded():
            awaited = title.awaits(state).seat
            return "concede" if awaited == act.seat else f"{names.name(act.seat)}: concede"
        case Abandoned():
            return f"abandon {quoted(act.why)}"
        case _:
            return named(title.words.write(state, act), names)


def _counts(act: Counted[str], title: AnyTitle, names: Names) -> Iterator[str]:
    """One section a player, as long as it goes on about the same one."""
    words: list[str] = []
    who = 0
    for holding in act.held:
        if holding.who != who:
            if words:
                yield " ".join(words)
            who, words = holding.who, [names.name(holding.who)]
        words.append(f"{letter_of(title, holding.what)}{holding.n}")
    if words:
        yield " ".join(words)


# --- the shared statements -----------------------------------------------------------------------


class _Said:
    """What follows a statement's word, and all it takes to read it."""

    __slots__ = ("names", "rest", "seat", "state", "title")

    def __init__(self, rest: Span, title: AnyTitle, state: Any, names: Names, seat: int) -> None:
        self.rest = rest
        self.title = title
        self.state = state
        self.names = names
        self.seat = seat

    def nothing(self) -> None:
        if self.rest.text:
            self.rest.refuse("nothing more")


def _count(said: _Said) -> Counted[str]:
    held: list[Holding[str]] = []
    for section in said.rest.split(",") if said.rest.text else []:
        words = section.words()
        if words and read_amount(words[0], said.title) is None:
            who, words = said.names.seat(words[0]), words[1:]
        else:
            who = said.seat
        if not who:
            section.refuse("a player")
        if not words:
            section.at_end().refuse("what was counted, such as " + " ".join(_examples(said.title)))
        for word in words:
            amount = read_amount(word, said.title)
            if amount is None:
                word.refuse("an amount such as " + " ".join(_examples(said.title)))
            held.append(Holding(who, *amount))
    return Counted(held=tuple(held))


def _examples(title: AnyTitle) -> list[str]:
    return [f"{letter_of(title, what)}3" for what in dict.fromkeys(title.words.letters.values())]


def _adjust(said: _Said) -> Adjusted:
    who, why = who_and_why(said.rest)
    return Adjusted(who=who, why=why)


def _pause(said: _Said) -> Paused:
    said.nothing()
    return Paused()


def _continue(said: _Said) -> Continued:
    said.nothing()
    return Continued()


def _concede(said: _Said) -> Conceded:
    said.nothing()
    seat = said.seat or said.title.awaits(said.state).seat
    if not seat:
        said.rest.refuse("who concedes, as in 'anna: concede'")
    return Conceded(seat=seat)


def _abandon(said: _Said) -> Abandoned:
    return Abandoned(why=said.rest.string("why"))


STATEMENTS: dict[str, Callable[[_Said], Any]] = {
    "count": _count,
    "adjust": _adjust,
    "pause": _pause,
    "continue": _continue,
    "concede": _concede,
    "abandon": _abandon,
}


def who_and_why(span: Span) -> tuple[str, str]:
    """`"who": "why"`, and nothing else."""
    colon = next(span.marks(":"), None)
    if colon is None:
        span.refuse('"who": "why"')
    return span.cut(0, colon).string("who"), span.cut(colon + 1).string("why")
