"""One act as text: the title's own as the title writes them, and the statements that all titles share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spyrium_log.errors import NotationError
from spyrium_log.messages import quote_words, syntax
from spyrium_log.title import AnyTitle, Effects, seat_of
from spyrium_log.transcript.effects import read_effects, write_effects
from spyrium_log.transcript.names import Names, split_leading_seat, with_player_names, with_seat_numbers
from spyrium_log.transcript.span import Span, find_similar
from spyrium_log.transcript.statements import STATEMENTS, Grammar, write_statement

# Words of the title that begin acts other than moves.
TITLE_WORDS = ("deal", "final", "position")


def read_event(span: Span, title: AnyTitle, state: Any, names: Names) -> tuple[Any, Effects]:
    """An act and what then moved: what the rules give on this state, unless the text says otherwise."""
    bar = next(span.marks("|"), None)
    act = read_act(span if bar is None else span.cut(0, bar), title, state, names)
    derived = title.effects(state, act) or Effects()
    if bar is None:
        return act, derived
    return act, read_effects(span.cut(bar), Grammar(title, state, names, seat_of(act)), derived)


def write_event(act: Any, effects: Effects, title: AnyTitle, state: Any, names: Names) -> str:
    """The text that `read_event` reads as this act with these effects; `state` is the table before it."""
    derived = title.effects(state, act) or Effects()
    return write_act(act, title, state, names) + write_effects(effects, derived, title, names, seat_of(act))


def read_act(span: Span, title: AnyTitle, state: Any, names: Names) -> Any:
    """The act that a text describes: a statement, or one of the title. Every quote in it is closed."""
    seat, rest = split_leading_seat(span, names)
    word = rest.first()
    statement = STATEMENTS.get(word.text)
    if statement is not None:
        return statement(Grammar(title, state, names, seat), rest.after(word))
    title_text = with_seat_numbers(rest, names, seat)
    try:
        return title.words.read(state, title_text.text)
    except NotationError as error:
        column = title_text.column(error.column)
        # a suggestion of the title itself is better
        is_hinted = error.message.key == "syntax.meant"
        suggestions = _suggestions(rest, title, state, names) if column == word.start + 1 and not is_hinted else ()
        message = (
            syntax("meant", message=error.message, options=quote_words(suggestions)) if suggestions else error.message
        )
        raise NotationError(message, span.line, column) from None


def _suggestions(rest: Span, title: AnyTitle, state: Any, names: Names) -> Sequence[str]:
    """Texts to suggest for one that cannot be read: with a colon after the player, a known word, or a legal move."""
    who, what = rest.first(), rest.after(rest.first())
    if what.text and names.knows(who.text):
        return [f"{who.text}: {what.text}"]
    return find_similar(who.text, (*STATEMENTS, *TITLE_WORDS)) or find_similar(
        rest.text, legal_notations(title, state, names)
    )


def legal_notations(title: AnyTitle, state: Any, names: Names) -> list[str]:
    """Every legal act as it is typed."""
    return [with_player_names(title.words.write(state, act), names) for act in title.legal(state)]


def write_act(act: Any, title: AnyTitle, state: Any, names: Names) -> str:
    """The text that `read_act` reads as this act, without effects."""
    statement = write_statement(act, title, state, names)
    return with_player_names(title.words.write(state, act), names) if statement is None else statement
