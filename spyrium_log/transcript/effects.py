"""What moved otherwise than the rules give, and what a move does not say by itself, as text.

    | £-3 price                      instead of what the rules give of that kind; beside it where they give none
    | Bob £+1 table "Bob": "found"   of another seat; with who says so, and why
    | bonus_due(seat=2)              a fact, likewise instead of those of its kind
    |= £-3 price, s+1 effect         exactly these, whatever the rules give; `|=` alone: nothing moved

Nothing is written where everything moved as the rules give.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, get_args

import msgspec

from spyrium_log.messages import syntax
from spyrium_log.shown import QUOTED, quote
from spyrium_log.title import AnyPosting, AnyTitle, Effects, Posting, Seen, SharedCause, Wire
from spyrium_log.transcript.names import Names
from spyrium_log.transcript.span import Span, require_word
from spyrium_log.transcript.statements import Grammar, find_letter

# Who says so, and why, at the end of an item: `"Bob": "found"`.
_SEEN = re.compile(rf"({QUOTED})\s*:\s*({QUOTED})$")
# The tag of a fact and its opening parenthesis.
_FACT = re.compile(r"([a-z][a-z0-9_-]*)\(")
# A field that needs no quotes.
_WORD = re.compile(r"[a-z?][a-z0-9-]*")

T = TypeVar("T")


# --- reading -------------------------------------------------------------------------------------


def read_effects(span: Span, grammar: Grammar, derived: Effects) -> Effects:
    """What stands after the act, from the bar on."""
    if span.text.startswith("|="):
        return read_exactly(span.cut(2), grammar)
    written = read_exactly(span.cut(1), grammar)
    if not written.moved and not written.facts:
        span.at_end().refuse(syntax("effects"))
    return with_replacements(derived, written)


def read_exactly(span: Span, grammar: Grammar) -> Effects:
    """Postings and facts between commas."""
    moved, facts = [], []
    for item in span.split(",") if span.text else []:
        if match := _FACT.match(item.text):
            facts.append(_read_fact(item, match.end(), grammar.title))
        else:
            moved.append(_read_posting(item, grammar))
    return Effects(moved, facts)


def _read_posting(item: Span, grammar: Grammar) -> AnyPosting:
    """A posting: the player if it is not the usual one, an amount, a cause, and who saw it."""
    rest, seen = _read_seen(item)
    words = rest.words()
    if len(words) > 1 and grammar.amount(words) is None:
        grammar = grammar._replace(seat=grammar.names.seat(words[0]))
        rest = rest.after(words[0])
    known = causes(grammar.title)
    if grammar.amount(rest.words()) is None:
        rest.first().refuse(syntax("amount", example=_example_amount(grammar.title)), known)
    (amount, *more), rest = grammar.amounts(rest)
    if more or not rest.text:
        rest.at_end().refuse(syntax("one-amount"))
    cause = rest.first()
    if rest.after(cause).text:
        rest.after(cause).refuse(syntax("nothing-after-cause"))
    return Posting(amount.who, amount.what, amount.n, require_word(cause, syntax("cause"), known), seen)


def _example_amount(title: AnyTitle) -> str:
    """An amount with a sign, for a message."""
    return f"{next(iter(title.words.letters))}-1"


def _read_seen(item: Span) -> tuple[Span, Seen | None]:
    """Who says so and why, at the end of an item."""
    match = _SEEN.search(item.text)
    if match is None:
        return item, None
    who, why = (item.cut(*match.span(group)).string(syntax("who-and-why-words")) for group in (1, 2))
    return item.cut(0, match.start()), Seen(who=who, why=why)


def _read_fact(item: Span, start: int, title: AnyTitle) -> Any:
    """A fact, `tag(name=value ...)`; its fields begin at `start`."""
    end = next(item.marks(")"), None)
    if end is None:
        item.at_end().refuse(syntax("parenthesis"))
    rest, seen = _read_seen(item.cut(end + 1)) if item.cut(end + 1).text else (item.at_end(), None)
    if rest.text:
        rest.refuse(syntax("nothing-after-fact"))
    known = facts_of(title.wire)
    tag = require_word(item.cut(0, start - 1), syntax("fact"), known)
    fields: dict[str, Any] = {} if seen is None else {"seen": msgspec.to_builtins(seen)}
    for word in item.cut(start, end).words():
        name, equals, _ = word.text.partition("=")
        if not equals or name in fields:
            word.refuse(syntax("fact-fields"))
        fields[name] = _read_value(word.cut(len(name) + 1))
    try:
        return msgspec.convert({"fact": tag, **fields}, known[tag])
    except msgspec.ValidationError as error:
        raise item.error(syntax("impossible-fact", found=str(error))) from None


def _read_value(span: Span) -> Any:
    """A field of a fact: a number, a truth, or a word; which of them it must be, its type says."""
    if re.fullmatch(r"-?[0-9]{1,6}", span.text):
        return int(span.text)
    return {"true": True, "false": False}.get(span.text) if span.text in ("true", "false") else span.value()


@cache
def facts_of(wire: Wire) -> dict[str, type[Any]]:
    """A title's facts by tag."""
    kinds = get_args(wire.fact) or (wire.fact,)
    return {str(kind.__struct_config__.tag): kind for kind in kinds}


def causes(title: AnyTitle) -> tuple[str, ...]:
    """The causes that a posting may have: those of the title, and those that all titles share."""
    return (*get_args(title.wire.cause), *get_args(SharedCause))


# --- in the place of what the rules give ---------------------------------------------------------


def _posting_key(posting: AnyPosting) -> Hashable:
    """The kind of a posting: those alike in it replace each other."""
    return posting.who, posting.what, posting.why


def with_replacements(effects: Effects, replacements: Effects) -> Effects:
    """The effects with replacements: each replaces those of its kind, or is added if there are none."""
    return Effects(
        _replaced(effects.moved, replacements.moved, _posting_key), _replaced(effects.facts, replacements.facts, type)
    )


def _replaced(items: Sequence[T], replacements: Sequence[T], key: Callable[[T], Hashable]) -> list[T]:
    """The items, each group of replacements in the place of the first of its kind, or at the end."""
    groups = _grouped(replacements, key)
    kinds = set(groups)
    replaced: list[T] = []
    for each in items:
        replaced += groups.pop(key(each), []) if key(each) in kinds else [each]
    return replaced + [each for rest in groups.values() for each in rest]


def _grouped(items: Sequence[T], key: Callable[[T], Hashable]) -> dict[Hashable, list[T]]:
    """The items by their kind, in order."""
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _differing(derived: Sequence[T], recorded: Sequence[T], key: Callable[[T], Hashable]) -> list[T]:
    """The recorded items of each kind that differs from what the rules give."""
    before, after = _grouped(derived, key), _grouped(recorded, key)
    return [each for kind, items in after.items() if before.get(kind) != items for each in items]


# --- writing -------------------------------------------------------------------------------------


def write_effects(effects: Effects, derived: Effects, title: AnyTitle, names: Names, seat: int) -> str:
    """The text after the act; empty if the effects are those of the rules."""
    if _are_equal(effects, derived):
        return ""
    differing = Effects(
        _differing(derived.moved, effects.moved, _posting_key), _differing(derived.facts, effects.facts, type)
    )
    if (differing.moved or differing.facts) and _are_equal(with_replacements(derived, differing), effects):
        return f" | {write_exactly(differing, title, names, seat)}"
    return f" |= {write_exactly(effects, title, names, seat)}".rstrip()


def _are_equal(left: Effects, right: Effects) -> bool:
    """Whether two effects hold the same in the same order, whether as lists or as tuples."""
    return (tuple(left.moved), tuple(left.facts)) == (tuple(right.moved), tuple(right.facts))


def write_exactly(effects: Effects, title: AnyTitle, names: Names, seat: int) -> str:
    """The text that `read_exactly` reads as these effects. Postings of `seat` name no player; 0: all name one."""
    items = [_posting_text(posting, title, names, seat) for posting in effects.moved]
    return ", ".join([*items, *(_fact_text(fact) for fact in effects.facts)])


def _posting_text(posting: AnyPosting, title: AnyTitle, names: Names, seat: int) -> str:
    """A posting: `Bob £+1 table "Bob": "found"`, without the player if it is of this seat."""
    who = "" if posting.who == seat else f"{names.name(posting.who)} "
    amount = f"{posting.n:+d}" if posting.n else "0"
    return f"{who}{find_letter(title, posting.what)}{amount} {posting.why}{_seen_text(posting.seen)}"


def _seen_text(seen: Seen | None) -> str:
    """Who saw it and why, after a blank; empty if it was computed."""
    return "" if seen is None else f" {quote(seen.who)}: {quote(seen.why)}"


def _fact_text(fact: Any) -> str:
    """A fact: `bonus_due(seat=2)`; a field without a value is left out."""
    fields: Mapping[str, Any] = msgspec.structs.asdict(fact)
    words = [f"{name}={_value_text(value)}" for name, value in fields.items() if name != "seen" and value is not None]
    return f"{type(fact).__struct_config__.tag}({' '.join(words)}){_seen_text(fact.seen)}"


def _value_text(value: object) -> str:
    """A field of a fact, in quotes where it would be read as anything else."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    text = str(value)
    return text if _WORD.fullmatch(text) and text not in ("true", "false") else quote(text)
