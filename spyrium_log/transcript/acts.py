"""One act as text, and what then moved where it is not what the rules give.

p12 | £-3 price                      instead of what the rules give of that kind; beside it where they give none
p12 | Bob £+1 table "Bob": "found"   of another seat; with who says so, and why
p12 | bonus_due(seat=2)              a fact, likewise instead of those of its kind
p12 |= £-3 price, s+1 effect         exactly these, whatever the rules give; `|=` alone: nothing moved
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar, get_args

import msgspec

from spyrium_log.edit.amend import AnyAct
from spyrium_log.errors import NotationError
from spyrium_log.folding import derive_effects
from spyrium_log.messages import Message, quote_words, syntax
from spyrium_log.shown import QUOTED, quote
from spyrium_log.title import (
    AnyPosting,
    AnyTitle,
    Effects,
    Fact,
    Posting,
    Seen,
    SharedCause,
    posting_key,
    seat_of,
    tag_of,
)
from spyrium_log.transcript.span import Span, find_similar, require_word
from spyrium_log.transcript.statements import STATEMENTS, Grammar, find_letter, write_statement

# Words of the title that begin acts other than moves.
TITLE_WORDS = ("deal", "final", "position")
# Who says so, and why, at the end of an item: `"Bob": "found"`.
_SEEN = re.compile(rf"(?P<who>{QUOTED})\s*:\s*(?P<why>{QUOTED})$")
# The tag of a fact and its opening parenthesis.
_FACT = re.compile(r"([a-z][a-z0-9_-]*)\(")
# A field that needs no quotes.
_WORD = re.compile(r"[a-z?][a-z0-9-]*")

T = TypeVar("T")


def read_event(span: Span, grammar: Grammar) -> tuple[AnyAct, Effects]:
    """An act and what then moved: what the rules give on this state, unless the text says otherwise."""
    bar = next(span.find_marks("|"), None)
    act = read_act(span if bar is None else span.cut(0, bar), grammar)
    derived = derive_effects(grammar.title, grammar.state, act)
    if bar is None:
        return act, derived
    effects_span, seat_grammar = span.cut(bar), grammar._replace(seat=seat_of(act))
    if effects_span.text.startswith("|="):
        return act, read_effects(effects_span.cut(len("|=")), seat_grammar)
    written = read_effects(effects_span.cut(len("|")), seat_grammar)
    if not written.moved and not written.facts:
        effects_span.at_end().refuse(syntax("effects"))
    return act, apply_replacements(derived, written)


def read_act(span: Span, grammar: Grammar) -> AnyAct:
    """The act that a text describes: a statement, or one of the title. Quotes in it must be closed."""
    seat, act_span = grammar.names.split_leading_seat(span)
    word = act_span.first()
    if word.text in STATEMENTS:
        return STATEMENTS[word.text](grammar._replace(seat=seat), act_span.after(word))
    title_text = grammar.names.replace_names_by_seats(act_span, seat)
    try:
        return grammar.title.words.read(grammar.state, title_text.text)
    except NotationError as error:
        column, message = title_text.column(error.column), error.message
        # a suggestion of the title itself is better
        if column == word.start + 1 and message.key != "syntax.meant":
            message = _add_suggestions(message, act_span, grammar)
        raise NotationError(message, span.line, column) from None


def _add_suggestions(message: Message, unreadable: Span, grammar: Grammar) -> Message:
    """Why a text cannot be read, with what may be meant: a colon after the player, a known word, or a legal move."""
    first_word = unreadable.first()
    others = unreadable.after(first_word).text
    suggestions: Sequence[str] = find_similar(first_word.text, (*STATEMENTS, *TITLE_WORDS))
    if others and grammar.names.knows(first_word.text):
        suggestions = [f"{first_word.text}: {others}"]
    elif not suggestions:
        legal = [write_act(act, grammar) for act in grammar.title.legal(grammar.state)]
        suggestions = find_similar(unreadable.text, legal)
    return syntax("meant", message=message, options=quote_words(suggestions)) if suggestions else message


def read_effects(span: Span, grammar: Grammar) -> Effects:
    """The postings and facts that are written between commas behind an act."""
    moved, facts = [], []
    for item in span.split(",") if span.text else []:
        if match := _FACT.match(item.text):
            facts.append(_read_fact(item, match.end(), grammar.title))
        else:
            moved.append(_read_posting(item, grammar))
    return Effects(moved, facts)


def _read_posting(item: Span, grammar: Grammar) -> AnyPosting:
    """A posting, `Bob £+1 table "Bob": "found"`: the player if it is not the grammar's seat, amount, cause, source."""
    posting, seen = _split_seen(item)
    words = posting.words()
    if len(words) > 1 and grammar.read_amount(words) is None:
        seat, length = grammar.names.read_first_seat(words)
        grammar, posting = grammar._replace(seat=seat), posting.after(words[length - 1])
    known = (*get_args(grammar.title.wire.cause), *get_args(SharedCause))
    if grammar.read_amount(posting.words()) is None:
        posting.first().refuse(syntax("amount", example=f"{next(iter(grammar.title.words.letters))}-1"), known)
    (amount, *more), after_amount = grammar.read_amounts(posting)
    if more or not after_amount.text:
        after_amount.at_end().refuse(syntax("one-amount"))
    cause = after_amount.first()
    if after_amount.after(cause).text:
        after_amount.after(cause).refuse(syntax("nothing-after-cause"))
    return Posting(amount.who, amount.what, amount.n, require_word(cause, syntax("cause"), known), seen)


def _split_seen(item: Span) -> tuple[Span, Seen | None]:
    """An item of effects without who says so and why at its end, and those; None if it does not say."""
    match = _SEEN.search(item.text)
    if match is None:
        return item, None
    who, why = (item.cut(*match.span(group)).read_string(syntax("who-and-why-words")) for group in ("who", "why"))
    return item.cut(0, match.start()), Seen(who=who, why=why)


def _read_fact(item: Span, start: int, title: AnyTitle) -> Fact:
    """A fact, `bonus_due(seat=2)`; its fields begin at `start`."""
    end = next(item.find_marks(")"), None)
    if end is None:
        item.at_end().refuse(syntax("parenthesis"))
    behind, seen = _split_seen(item.cut(end + 1))
    if behind.text:
        behind.refuse(syntax("nothing-after-fact"))
    known = {tag_of(kind): kind for kind in get_args(title.wire.fact) or (title.wire.fact,)}
    tag = require_word(item.cut(0, start - 1), syntax("fact"), known)
    fields = {"fact": tag, "seen": msgspec.to_builtins(seen), **_read_fields(item.cut(start, end))}
    try:
        fact: Fact = msgspec.convert(fields, known[tag])
    except msgspec.ValidationError as error:
        raise item.error(syntax("impossible-fact", found=str(error))) from None
    return fact


def _read_fields(span: Span) -> dict[str, int | bool | str]:
    """The fields of a fact by name, each a word such as `seat=2`. Who saw the fact is no field of its text."""
    fields: dict[str, int | bool | str] = {}
    for word in span.words():
        name, equals, _ = word.text.partition("=")
        if not equals or name in (*fields, "seen"):
            word.refuse(syntax("fact-fields"))
        fields[name] = read_value(word.cut(len(name) + len(equals)))
    return fields


def read_value(span: Span) -> int | bool | str:
    """A value that a text names: a number, `true` or `false`, or a word, in quotes or not."""
    if re.fullmatch(r"-?[0-9]{1,6}", span.text):
        return int(span.text)
    if span.text in ("true", "false"):
        return span.text == "true"
    return span.value()


def apply_replacements(effects: Effects, replacements: Effects) -> Effects:
    """The effects with replacements: each replaces those of its kind, or is added if there are none."""
    return Effects(
        _replace_items(effects.moved, replacements.moved, posting_key),
        _replace_items(effects.facts, replacements.facts, type),
    )


def _replace_items(items: Sequence[T], replacements: Sequence[T], key: Callable[[T], Hashable]) -> list[T]:
    """The items, each group of replacements in the place of the first of its kind, or at the end."""
    groups = _group_by(replacements, key)
    kinds = set(groups)
    replaced: list[T] = []
    for item in items:
        # the first of a kind gives way to the whole group, the others to nothing
        replaced += groups.pop(key(item), []) if key(item) in kinds else [item]
    return replaced + [item for added in groups.values() for item in added]


def _group_by(items: Sequence[T], key: Callable[[T], Hashable]) -> dict[Hashable, list[T]]:
    """The items by their key, in order: several may be of one kind, such as two postings of one cause."""
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _list_differing(derived: Sequence[T], recorded: Sequence[T], key: Callable[[T], Hashable]) -> list[T]:
    """The recorded items that have to be written: of each kind that differs from what the rules give."""
    derived_groups, recorded_groups = _group_by(derived, key), _group_by(recorded, key)
    return [item for kind, items in recorded_groups.items() if derived_groups.get(kind) != items for item in items]


def write_event(act: AnyAct, effects: Effects, grammar: Grammar) -> str:
    """The text that `read_event` reads as this act with these effects, on the state before it."""
    derived = derive_effects(grammar.title, grammar.state, act)
    text, seat_grammar = write_act(act, grammar), grammar._replace(seat=seat_of(act))
    if _are_equal(effects, derived):
        return text
    differing = Effects(
        _list_differing(derived.moved, effects.moved, posting_key), _list_differing(derived.facts, effects.facts, type)
    )
    if (differing.moved or differing.facts) and _are_equal(apply_replacements(derived, differing), effects):
        return f"{text} | {write_effects(differing, seat_grammar)}"
    return f"{text} |= {write_effects(effects, seat_grammar)}".rstrip()


def write_act(act: AnyAct, grammar: Grammar) -> str:
    """The text that `read_act` reads as this act, without effects."""
    statement = write_statement(act, grammar)
    if statement is not None:
        return statement
    return grammar.names.replace_seats_by_names(grammar.title.words.write(grammar.state, act))


def _are_equal(left: Effects, right: Effects) -> bool:
    """Whether two effects are written alike: the same in the same order, whether as lists or as tuples."""
    return (tuple(left.moved), tuple(left.facts)) == (tuple(right.moved), tuple(right.facts))


def write_effects(effects: Effects, grammar: Grammar) -> str:
    """The text that `read_effects` reads as these. Only postings of another seat than the grammar's name a player."""
    items = [_write_posting(posting, grammar) for posting in effects.moved]
    return ", ".join([*items, *map(_write_fact, effects.facts)])


def _write_posting(posting: AnyPosting, grammar: Grammar) -> str:
    """A posting: `Bob £+1 table "Bob": "found"`, without the player if it is of the grammar's seat."""
    who = "" if posting.who == grammar.seat else f"{grammar.names.seat_name(posting.who)} "
    amount = f"{posting.n:+d}" if posting.n else "0"
    return f"{who}{find_letter(grammar.title, posting.what)}{amount} {posting.why}{_write_seen(posting.seen)}"


def _write_seen(seen: Seen | None) -> str:
    """Who saw a posting or fact and why, with the blank before it; empty if it was computed."""
    return "" if seen is None else f" {quote(seen.who)}: {quote(seen.why)}"


def _write_fact(fact: Fact) -> str:
    """A fact: `bonus_due(seat=2)`; a field without a value is left out."""
    fields = {name: value for name, value in msgspec.structs.asdict(fact).items() if name != "seen"}
    words = [f"{name}={_write_value(value)}" for name, value in fields.items() if value is not None]
    return f"{tag_of(type(fact))}({' '.join(words)}){_write_seen(fact.seen)}"


def _write_value(value: int | str) -> str:
    """A field of a fact as text: `true` for True, a word in quotes where it would be read as anything else."""
    if isinstance(value, int):
        return str(value).lower()
    return value if _WORD.fullmatch(value) and value not in ("true", "false") else quote(value)
