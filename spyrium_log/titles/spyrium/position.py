"""Positions in notation: what lies on the table, as far as somebody states it.

Sections between commas, in any order, each at most once; then the reason, in quotes. What is not stated stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from spyrium_log.errors import NotationError
from spyrium_log.messages import Message, unexpected
from spyrium_log.shown import QUOTED, quote, unquote
from spyrium_log.title import Resynced
from spyrium_log.titles.spyrium.cards import CARDS, EVENTS, MARKET
from spyrium_log.titles.spyrium.messages import syntax
from spyrium_log.titles.spyrium.moves import BuildingAt, DealtCard, MatAt, Position

# The resources by the letter of an amount. Not every keyboard has a pound sign: `m` means it, too.
LETTERS = {"£": "money", "m": "money", "s": "spyrium", "p": "points", "w": "workers", "r": "residence"}

Fields = dict[str, Any]


class Token(NamedTuple):
    """A word of a line, and its column."""

    text: str
    column: int


def tokens(text: str) -> list[Token]:
    """The words of a line; a quoted string belongs to what it touches, commas and parentheses stand alone."""
    return [Token(match[0], match.start() + 1) for match in _TOKEN.finditer(text)]


_TOKEN = re.compile(rf'(?:{QUOTED}|[^\s(),"])+|[(),"]')


# --- cards ---------------------------------------------------------------------------------------

_CARD = rf"({QUOTED}|[a-z?][a-z0-9-]*)"
LONGEST_CARD = 40
# What somebody may have meant who mistyped a card.
_IDS = (*CARDS, *EVENTS)


@lru_cache(maxsize=256)
def card_word(card: str) -> str:
    """A card as a word: its id, or in quotes what can be no id."""
    return card if re.fullmatch(r"[a-z?][a-z0-9-]*", card) else quote(card)


@lru_cache(maxsize=1024)
def with_tokens(card: str, *values: int | None) -> str:
    """`miner:13`: a card with its tokens."""
    digits = "".join([str(value) for value in values if value])
    return f"{card_word(card)}:{digits}" if digits else card_word(card)


def read_card(word: str, column: int, text: str) -> str:
    """The card that a word names. It need not exist: a log keeps what was recorded."""
    if not re.fullmatch(_CARD, word):
        raise NotationError(unexpected(syntax("card"), word, similar(word, _IDS)), text, column)
    return _checked_card(word, column, text)


def read_dealt(word: str, column: int, text: str) -> Fields:
    """`miner:13`: a card with its tokens."""
    match = re.fullmatch(rf"{_CARD}(?::([123]{{1,24}}))?", word)
    if not match:
        near = similar(word, _IDS)
        raise NotationError(unexpected(syntax("card-with-tokens"), word, near), text, column)
    return {"card": _checked_card(match[1], column, text), "tokens": tuple(int(value) for value in match[2] or "")}


def read_event(word: Token, text: str) -> tuple[str, int | None]:
    """`windfall:2`: an event card with its token, if it has one."""
    dealt = read_dealt(word.text, word.column, text)
    if len(dealt["tokens"]) > 1:
        raise NotationError(unexpected(syntax("one-event-token"), word.text), text, word.column)
    return dealt["card"], dealt["tokens"][0] if dealt["tokens"] else None


def _checked_card(word: str, column: int, text: str) -> str:
    """The card of a word that has the form of one, without quotes."""
    card = _unquote(word, column, text) if word.startswith('"') else word
    if len(card) > LONGEST_CARD:
        raise NotationError(syntax("card-too-long", most=LONGEST_CARD, found=len(card)), text, column)
    return card


def _unquote(word: str, column: int, text: str) -> str:
    """The text between quotes; NotationError where it is no valid string."""
    try:
        return unquote(word)
    except ValueError:
        raise NotationError(syntax("string", found=word), text, column) from None


def similar(word: str, known: Sequence[str]) -> Sequence[str]:
    """The known word that this one resembles, if there is one."""
    return get_close_matches(word.partition(":")[0].casefold()[:LONGEST_CARD], known, n=1)


# --- reading -------------------------------------------------------------------------------------


def read_position(text: str, words: Sequence[Token]) -> Resynced[Position]:
    """Read what stands after the word `position`."""
    if not words or not re.fullmatch(QUOTED, words[-1].text):
        raise NotationError(syntax("why-of-position"), text, len(text) + 1)
    why = _unquote(words[-1].text, words[-1].column, text)
    stated: Fields = {}
    mats: list[Fields] = []
    for section in _split_sections(words[:-1]):
        head, rest = section[0], section[1:]
        if match := re.fullmatch(r"@([1-9])", head.text):
            mats.append(_within_bounds({"seat": int(match[1]), **_read_mat(text, rest)}, MatAt, head, text))
            continue
        reader = SECTIONS.get(head.text)
        if reader is None:
            known = ", ".join(SECTIONS)
            near = similar(head.text, tuple(SECTIONS))
            raise NotationError(unexpected(syntax("position-part", known=known), head.text, near), text, head.column)
        fields = reader(text, head, rest)
        if fields.keys() & stated.keys():
            raise NotationError(syntax("part-again", found=head.text), text, head.column)
        _within_bounds(fields, Position, head, text)
        stated.update(fields)
    return Resynced(position=msgspec.convert({**stated, "mats": tuple(mats)}, Position), why=why)


def _split_sections(words: Sequence[Token]) -> Iterator[list[Token]]:
    """The words between commas; empty sections are skipped."""
    section: list[Token] = []
    for word in (*words, Token(",", 0)):
        if word.text != ",":
            section.append(word)
        elif section:
            yield section
            section = []


def _within_bounds(fields: Fields, kind: type[Position | MatAt], head: Token, text: str) -> Fields:
    """The fields, once their values are within the bounds of the log."""
    try:
        msgspec.convert(fields, kind)
    except msgspec.ValidationError:
        raise NotationError(syntax("impossible-position", word=head.text), text, head.column) from None
    return fields


def _only_word(text: str, head: Token, rest: Sequence[Token], what: Message) -> Token:
    """The only word of a section."""
    if len(rest) != 1:
        at = rest[1].column if rest else head.column + len(head.text)
        raise NotationError(syntax("one-word", what=what, word=head.text, n=len(rest)), text, at)
    return rest[0]


def _read_round(text: str, head: Token, rest: Sequence[Token]) -> Fields:
    """`round 3`: one number."""
    word = _only_word(text, head, rest, syntax("number"))
    if not re.fullmatch(r"[0-9]{1,2}", word.text):
        raise NotationError(unexpected(syntax("number-after-round"), word.text), text, word.column)
    return {"round": int(word.text)}


def _read_seat(text: str, head: Token, rest: Sequence[Token]) -> Fields:
    """`first @2`, `last @2`: the word before the seat is the field."""
    word = _only_word(text, head, rest, syntax("seat"))
    if not re.fullmatch(r"@[0-9]", word.text):
        raise NotationError(unexpected(syntax("seat-after", word=head.text), word.text), text, word.column)
    return {head.text: int(word.text[1])}


def _read_event_section(text: str, head: Token, rest: Sequence[Token]) -> Fields:
    """`event windfall:2`; `event :2` changes the token alone."""
    word = _only_word(text, head, rest, syntax("event-card"))
    card_field, token_field = ("event", "event_token") if head.text == "event" else ("next_event", "next_token")
    if match := re.fullmatch(r":([123])", word.text):
        return {token_field: int(match[1])}
    card, token = read_event(word, text)
    return {card_field: card} | ({token_field: token} if token else {})


def _read_market(text: str, _head: Token, rest: Sequence[Token]) -> Fields:
    """Nine spaces, `-` where no card lies; what is left out at the end is empty."""
    if len(rest) > MARKET:
        raise NotationError(syntax("market-spaces", n=MARKET, found=len(rest)), text, rest[MARKET].column)
    spaces = [None if word.text == "-" else read_dealt(word.text, word.column, text) for word in rest]
    return {"market": (*spaces, *(None for _ in range(MARKET - len(spaces))))}


def _read_workers(text: str, _head: Token, rest: Sequence[Token]) -> Fields:
    """`12@1*2`: two workers of seat 1 in gap 12."""
    placed = []
    for word in rest:
        match = re.fullmatch(r"([0-9]{2})@([1-9])(?:\*([0-9]{1,2}))?", word.text)
        if not match:
            raise NotationError(unexpected(syntax("workers"), word.text), text, word.column)
        placed.append({"gap": int(match[1]), "seat": int(match[2]), "n": int(match[3] or 1)})
    return {"workers": tuple(placed)}


def _read_discard(text: str, head: Token, rest: Sequence[Token]) -> Fields:
    """`discard 1123`: the values of the tokens on the pile."""
    word = _only_word(text, head, rest, syntax("tokens"))
    return {"discard": _token_values(word, text)}


def _token_values(word: Token, text: str) -> tuple[int, ...]:
    """The values of tokens, `-` for none."""
    if not re.fullmatch(r"[123]{1,24}|-", word.text):
        raise NotationError(unexpected(syntax("tokens"), word.text), text, word.column)
    return () if word.text == "-" else tuple(int(value) for value in word.text)


SECTIONS: dict[str, Callable[[str, Token, Sequence[Token]], Fields]] = {
    "round": _read_round,
    "first": _read_seat,
    "last": _read_seat,
    "event": _read_event_section,
    "next": _read_event_section,
    "market": _read_market,
    "workers": _read_workers,
    "discard": _read_discard,
}

_AMOUNTS = {**LETTERS, "a": "active"}
_WRITTEN_AMOUNTS = tuple((letter, name) for letter, name in _AMOUNTS.items() if letter != "m")
_AMOUNT = re.compile(rf"([{''.join(_AMOUNTS)}])(-?[0-9]{{1,4}})")
_PHASES = {"I": 1, "II": 2}
_FLAGS = {"passed": "passed", "used": "used_event", "due": "bonus_due"}
_LISTS = {"built": "buildings", "techs": "techniques", "tilted": "tilted", "kept": "kept", "bonus": "bonuses"}
# The letters of bonuses; 5 stands for £5.
_BONUSES = {"w": "worker", "5": "money"}
MAT_WORDS = (*_PHASES, *_FLAGS, *(f"!{flag}" for flag in _FLAGS), *_LISTS)


def _read_mat(text: str, words: Sequence[Token]) -> Fields:
    """What one seat has."""
    fields: Fields = {}
    index = 0
    while index < len(words):
        word = words[index]
        end = index + 1
        if match := _AMOUNT.fullmatch(word.text):
            name, value = _AMOUNTS[match[1]], int(match[2])
        elif word.text in _PHASES:
            name, value = "phase", _PHASES[word.text]
        elif word.text.removeprefix("!") in _FLAGS:
            name, value = _FLAGS[word.text.removeprefix("!")], not word.text.startswith("!")
        elif word.text in _LISTS:
            inside, end = _parenthesised_words(text, words, index)
            name, value = _LISTS[word.text], _read_list(word.text, inside, text)
        else:
            known = ", ".join(MAT_WORDS)
            raise NotationError(
                unexpected(syntax("mat-word", known=known), word.text, similar(word.text, MAT_WORDS)), text, word.column
            )
        if name in fields:
            raise NotationError(syntax("part-again", found=word.text), text, word.column)
        fields[name] = value
        index = end
    return fields


def _parenthesised_words(text: str, words: Sequence[Token], index: int) -> tuple[list[Token], int]:
    """The words in the parentheses after a word, and where it goes on."""
    word = words[index]
    opened = words[index + 1] if index + 1 < len(words) else None
    if opened is None or opened.text != "(":
        raise NotationError(syntax("no-opening-parenthesis", word=word.text), text, word.column + len(word.text))
    inside: list[Token] = []
    for number in range(index + 2, len(words)):
        if words[number].text == ")":
            return inside, number + 1
        inside.append(words[number])
    raise NotationError(syntax("no-closing-parenthesis"), text, opened.column)


def _read_list(name: str, inside: Sequence[Token], text: str) -> Any:
    """The words in parentheses as what the list holds: buildings, cards, tokens or bonuses."""
    if name == "built":
        return tuple(_read_building(word, text) for word in inside)
    if name in ("techs", "tilted"):
        return tuple(read_card(word.text, word.column, text) for word in inside)
    values: list[Any] = []
    for word in inside:
        if name == "kept":
            values += _token_values(word, text)
        elif not re.fullmatch(r"[w5]{1,2}", word.text):
            raise NotationError(unexpected(syntax("bonuses"), word.text), text, word.column)
        else:
            values += [_BONUSES[letter] for letter in word.text]
    return tuple(values)


def _read_building(word: Token, text: str) -> Fields:
    """`/workshop-1*2`: inclined, with two workers on it."""
    match = re.fullmatch(rf"(/)?{_CARD}(?:\*([0-9]{{1,2}}))?", word.text)
    if not match:
        raise NotationError(unexpected(syntax("building"), word.text), text, word.column)
    card = _checked_card(match[2], word.column, text)
    return {"card": card, "inclined": bool(match[1]), "workers": int(match[3] or 0)}


# --- writing -------------------------------------------------------------------------------------


def write_position(act: Resynced[Position]) -> str:
    """A position as one line, its reason last; `read_position` reads it back."""
    sections = [*_write_table_sections(act.position), *(_write_mat_section(mat) for mat in act.position.mats)]
    return f"position {', '.join(sections)} {quote(act.why)}" if sections else f"position {quote(act.why)}"


def _write_table_sections(position: Position) -> Iterator[str]:
    """The sections about the table; what the position leaves open is not written."""
    for word, value in (("round ", position.round), ("first @", position.first), ("last @", position.last)):
        if value is not None:
            yield f"{word}{value}"
    yield from _write_event_section("event", position.event, position.event_token)
    yield from _write_event_section("next", position.next_event, position.next_token)
    if position.market is not None:
        yield " ".join(("market", *_market_words(position.market)))
    if position.workers is not None:
        placed = (f"{w.gap}@{w.seat}" + (f"*{w.n}" if w.n != 1 else "") for w in position.workers)
        yield " ".join(("workers", *placed))
    if position.discard is not None:
        yield f"discard {_token_digits(position.discard) or '-'}"


def _write_event_section(word: str, card: str | None, token: int | None) -> Iterator[str]:
    """An event card with its token, or a token alone."""
    if card is not None:
        yield f"{word} {with_tokens(card, token)}"
    elif token is not None:
        yield f"{word} :{token}"


def _market_words(market: Sequence[DealtCard | None]) -> list[str]:
    """The cards of the market, without the empty spaces at the end."""
    words = [with_tokens(dealt.card, *dealt.tokens) if dealt else "-" for dealt in market]
    while words and words[-1] == "-":
        words.pop()
    return words


def _token_digits(values: Sequence[int]) -> str:
    """Values of tokens without a separator: each is one digit."""
    return "".join(str(value) for value in values)


def _write_mat_section(mat: MatAt) -> str:
    """`@1 £12 s3 I built(...)`: what a position states of one seat."""
    words = [f"@{mat.seat}"]
    words += [f"{letter}{n}" for letter, name in _WRITTEN_AMOUNTS if (n := getattr(mat, name)) is not None]
    words += [phase for phase, number in _PHASES.items() if mat.phase == number]
    for word, name in _FLAGS.items():
        value = getattr(mat, name)
        if value is not None:
            words.append(word if value else f"!{word}")
    if mat.buildings is not None:
        words.append(f"built({' '.join(_building_word(building) for building in mat.buildings)})")
    if mat.techniques is not None:
        words.append(f"techs({' '.join(card_word(card) for card in mat.techniques)})")
    if mat.tilted is not None:
        words.append(f"tilted({' '.join(card_word(card) for card in mat.tilted)})")
    if mat.kept is not None:
        words.append(f"kept({_token_digits(mat.kept)})")
    if mat.bonuses is not None:
        words.append(f"bonus({''.join('w' if bonus == 'worker' else '5' for bonus in mat.bonuses)})")
    return " ".join(words)


def _building_word(building: BuildingAt) -> str:
    """`/workshop-1*2`: inclined, with two workers on it."""
    return (
        ("/" if building.inclined else "")
        + card_word(building.card)
        + (f"*{building.workers}" if building.workers else "")
    )
