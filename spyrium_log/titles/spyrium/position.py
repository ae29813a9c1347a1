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
from spyrium_log.messages import Message, unexpected_message
from spyrium_log.shown import QUOTED, quote, unquote
from spyrium_log.title import Resynced
from spyrium_log.titles.spyrium.cards import CARDS, EVENTS, MARKET
from spyrium_log.titles.spyrium.messages import syntax
from spyrium_log.titles.spyrium.moves import BuildingAt, MatAt, Position

# The resources by the letter of an amount. Not every keyboard has a pound sign: `m` means it, too.
LETTERS = {"£": "money", "m": "money", "s": "spyrium", "p": "points", "w": "workers", "r": "residence"}

Fields = dict[str, Any]


class Token(NamedTuple):
    """A word of a line, its column and the whole line."""

    text: str
    column: int
    line: str

    def refuse(self, message: Message) -> NotationError:
        """An error with this message that points at the word, for the caller to raise."""
        return NotationError(message, self.line, self.column)

    def expect(self, expected: Message, known: Sequence[str] = ()) -> NotationError:
        """An error that something else is expected here, for the caller to raise; it suggests a `known` word alike."""
        word = self.text.partition(":")[0].casefold()[:LONGEST_CARD]
        return self.refuse(unexpected_message(expected, self.text, get_close_matches(word, known, n=1)))


def split_words(line: str) -> list[Token]:
    """The words of a line; a quoted string belongs to what it touches, commas and parentheses stand alone."""
    return [Token(match[0], match.start() + 1, line) for match in _TOKEN.finditer(line)]


_TOKEN = re.compile(rf'(?:{QUOTED}|[^\s(),"])+|[(),"]')


_CARD = rf"({QUOTED}|[a-z?][a-z0-9-]*)"
LONGEST_CARD = 40
# What somebody may have meant who mistyped a card.
_IDS = (*CARDS, *EVENTS)


@lru_cache(maxsize=256)
def card_word(card: str) -> str:
    """A card as it is written: its id, or in quotes what can be no id, which a log may hold all the same."""
    return card if re.fullmatch(r"[a-z?][a-z0-9-]*", card) else quote(card)


@lru_cache(maxsize=1024)
def card_with_tokens(card: str, *values: int | None) -> str:
    """`miner:13`: a card with its tokens."""
    digits = "".join([str(value) for value in values if value])
    return f"{card_word(card)}:{digits}" if digits else card_word(card)


def read_card(word: Token) -> str:
    """The card that a word names. It need not exist: a log keeps what was recorded."""
    if not re.fullmatch(_CARD, word.text):
        raise word.expect(syntax("card"), _IDS)
    return _check_card(word.text, word)


def read_dealt(word: Token) -> Fields:
    """The fields of `miner:13`, a card with its tokens."""
    match = re.fullmatch(rf"{_CARD}(?::([123]{{1,24}}))?", word.text)
    if not match:
        raise word.expect(syntax("card-with-tokens"), _IDS)
    return {"card": _check_card(match[1], word), "tokens": tuple(map(int, match[2] or ""))}


def read_event(word: Token) -> tuple[str, int | None]:
    """The card and the token of `windfall:2`; None for the token if the event has none."""
    dealt = read_dealt(word)
    if len(dealt["tokens"]) > 1:
        raise word.expect(syntax("one-event-token"))
    return dealt["card"], dealt["tokens"][0] if dealt["tokens"] else None


def _check_card(text: str, word: Token) -> str:
    """The card that a part of a word names, without quotes; NotationError where it is longer than a log allows."""
    card = _unquote(text, word) if text.startswith('"') else text
    if len(card) > LONGEST_CARD:
        raise word.refuse(syntax("card-too-long", most=LONGEST_CARD, found=len(card)))
    return card


def _unquote(text: str, word: Token) -> str:
    """The text between quotes; NotationError at the word where it is no valid string."""
    try:
        return unquote(text)
    except ValueError:
        raise word.refuse(syntax("string", found=text)) from None


def read_position(text: str, words: Sequence[Token]) -> Resynced[Position]:
    """Read what stands after the word `position` in a line of text."""
    if not words or not re.fullmatch(QUOTED, words[-1].text):
        raise NotationError(syntax("why-of-position"), text, len(text) + 1)
    why = _unquote(words[-1].text, words[-1])
    stated: Fields = {}
    mats: list[Fields] = []
    for head, *values in _split_sections(words[:-1]):
        if match := re.fullmatch(r"@([1-9])", head.text):
            mats.append(_check_bounds({"seat": int(match[1]), **_read_mat(values)}, MatAt, head))
            continue
        read_section = SECTIONS.get(head.text)
        if read_section is None:
            raise head.expect(syntax("position-part", known=", ".join(SECTIONS)), tuple(SECTIONS))
        fields = read_section(head, values)
        if fields.keys() & stated.keys():
            raise head.refuse(syntax("part-again", found=head.text))
        stated.update(_check_bounds(fields, Position, head))
    return Resynced(position=msgspec.convert({**stated, "mats": tuple(mats)}, Position), why=why)


def _split_sections(words: Sequence[Token]) -> Iterator[list[Token]]:
    """The words between commas; empty sections are skipped."""
    section: list[Token] = []
    for word in words:
        if word.text != ",":
            section.append(word)
        elif section:
            yield section
            section = []
    if section:
        yield section


def _check_bounds(fields: Fields, kind: type[Position | MatAt], head: Token) -> Fields:
    """The fields as they are; NotationError where a value is outside the bounds of the log."""
    try:
        msgspec.convert(fields, kind)
    except msgspec.ValidationError:
        raise head.refuse(syntax("impossible-position", word=head.text)) from None
    return fields


def _only_word(head: Token, words: Sequence[Token], expected: Message) -> Token:
    """The word of a section that takes just one; NotationError where there are more or none."""
    if len(words) != 1:
        column = words[1].column if words else head.column + len(head.text)
        raise NotationError(syntax("one-word", what=expected, word=head.text, n=len(words)), head.line, column)
    return words[0]


def _read_round(head: Token, words: Sequence[Token]) -> Fields:
    """The field of `round 3`."""
    word = _only_word(head, words, syntax("number"))
    if not re.fullmatch(r"[0-9]{1,2}", word.text):
        raise word.expect(syntax("number-after-round"))
    return {"round": int(word.text)}


def _read_seat(head: Token, words: Sequence[Token]) -> Fields:
    """The field of `first @2` or `last @2`, which the word before the seat names."""
    word = _only_word(head, words, syntax("seat"))
    if not re.fullmatch(r"@[0-9]", word.text):
        raise word.expect(syntax("seat-after", word=head.text))
    return {head.text: int(word.text[1])}


def _read_event_section(head: Token, words: Sequence[Token]) -> Fields:
    """The fields of `event windfall:2` or `next estate`; `event :2` changes the token alone."""
    word = _only_word(head, words, syntax("event-card"))
    card_field, token_field = ("event", "event_token") if head.text == "event" else ("next_event", "next_token")
    if match := re.fullmatch(r":([123])", word.text):
        return {token_field: int(match[1])}
    card, token = read_event(word)
    return {card_field: card} | ({token_field: token} if token else {})


def _read_market(_head: Token, words: Sequence[Token]) -> Fields:
    """The field of `market mine-1 - miner:2`: `-` where no card lies; spaces left out at the end are empty."""
    if len(words) > MARKET:
        raise words[MARKET].refuse(syntax("market-spaces", n=MARKET, found=len(words)))
    spaces = [None if word.text == "-" else read_dealt(word) for word in words]
    empty = [None] * (MARKET - len(spaces))
    return {"market": (*spaces, *empty)}


def _read_workers(_head: Token, words: Sequence[Token]) -> Fields:
    """The field of `workers 12@1*2`: two workers of seat 1 in gap 12."""
    placed = []
    for word in words:
        match = re.fullmatch(r"([0-9]{2})@([1-9])(?:\*([0-9]{1,2}))?", word.text)
        if not match:
            raise word.expect(syntax("workers"))
        placed.append({"gap": int(match[1]), "seat": int(match[2]), "n": int(match[3] or 1)})
    return {"workers": tuple(placed)}


def _read_discard(head: Token, words: Sequence[Token]) -> Fields:
    """The field of `discard 1123`: the values of the tokens on the pile."""
    return {"discard": _read_tokens(_only_word(head, words, syntax("tokens")))}


def _read_tokens(word: Token) -> tuple[int, ...]:
    """The values of tokens, `-` for none."""
    if not re.fullmatch(r"[123]{1,24}|-", word.text):
        raise word.expect(syntax("tokens"))
    return () if word.text == "-" else tuple(map(int, word.text))


SECTIONS: dict[str, Callable[[Token, Sequence[Token]], Fields]] = {
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


def _read_mat(words: Sequence[Token]) -> Fields:
    """The fields of what one seat has, from `£12 I built(mine-1) …`."""
    fields: Fields = {}
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        flag = word.text.removeprefix("!")
        value: object
        if match := _AMOUNT.fullmatch(word.text):
            name, value = _AMOUNTS[match[1]], int(match[2])
        elif word.text in _PHASES:
            name, value = "phase", _PHASES[word.text]
        elif flag in _FLAGS:
            name, value = _FLAGS[flag], flag == word.text
        elif word.text in _LISTS:
            inside, index = _take_parenthesised_words(words, index)
            name, value = _LISTS[word.text], _read_list(word.text, inside)
        else:
            raise word.expect(syntax("mat-word", known=", ".join(MAT_WORDS)), MAT_WORDS)
        if name in fields:
            raise word.refuse(syntax("part-again", found=word.text))
        fields[name] = value
    return fields


def _take_parenthesised_words(words: Sequence[Token], index: int) -> tuple[Sequence[Token], int]:
    """The words in the parentheses that open at an index, and the index behind them, to read on from."""
    before = words[index - 1]
    if index == len(words) or words[index].text != "(":
        column = before.column + len(before.text)
        raise NotationError(syntax("no-opening-parenthesis", word=before.text), before.line, column)
    for end in range(index + 1, len(words)):
        if words[end].text == ")":
            return words[index + 1 : end], end + 1
    raise words[index].refuse(syntax("no-closing-parenthesis"))


def _read_list(name: str, words: Sequence[Token]) -> tuple[Fields | str | int, ...]:
    """The words in parentheses as what the list holds: buildings, cards, tokens or bonuses."""
    if name == "built":
        return tuple(_read_building(word) for word in words)
    if name in ("techs", "tilted"):
        return tuple(read_card(word) for word in words)
    read_values = _read_tokens if name == "kept" else _read_bonuses
    return tuple(value for word in words for value in read_values(word))


def _read_bonuses(word: Token) -> tuple[str, ...]:
    """`w5`: the bonuses that are left, a worker and £5."""
    if not re.fullmatch(r"[w5]{1,2}", word.text):
        raise word.expect(syntax("bonuses"))
    return tuple(_BONUSES[letter] for letter in word.text)


def _read_building(word: Token) -> Fields:
    """The fields of `/workshop-1*2`: inclined, with two workers on it."""
    match = re.fullmatch(rf"(/)?{_CARD}(?:\*([0-9]{{1,2}}))?", word.text)
    if not match:
        raise word.expect(syntax("building"))
    return {"card": _check_card(match[2], word), "inclined": bool(match[1]), "workers": int(match[3] or 0)}


def write_position(act: Resynced[Position]) -> str:
    """A position as one line, its reason last; `read_position` reads it back."""
    sections = [*_write_table_sections(act.position), *(_write_mat_section(mat) for mat in act.position.mats)]
    return " ".join(filter(None, ("position", ", ".join(sections), quote(act.why))))


def _write_table_sections(position: Position) -> Iterator[str]:
    """The sections about the table; what the position leaves open is not written."""
    for word, value in (("round ", position.round), ("first @", position.first), ("last @", position.last)):
        if value is not None:
            yield f"{word}{value}"
    yield from _write_event_section("event", position.event, position.event_token)
    yield from _write_event_section("next", position.next_event, position.next_token)
    if position.market is not None:
        words = [card_with_tokens(dealt.card, *dealt.tokens) if dealt else "-" for dealt in position.market]
        # empty spaces at the end are not written
        while words and words[-1] == "-":
            words.pop()
        yield " ".join(("market", *words))
    if position.workers is not None:
        placed = (f"{w.gap}@{w.seat}" + (f"*{w.n}" if w.n != 1 else "") for w in position.workers)
        yield " ".join(("workers", *placed))
    if position.discard is not None:
        yield f"discard {''.join(map(str, position.discard)) or '-'}"


def _write_event_section(word: str, card: str | None, token: int | None) -> Iterator[str]:
    """The section of an event card with its token, or of a token alone; none where neither is stated."""
    if card is not None:
        yield f"{word} {card_with_tokens(card, token)}"
    elif token is not None:
        yield f"{word} :{token}"


def _write_mat_section(mat: MatAt) -> str:
    """`@1 £12 s3 I built(...)`: what a position states of one seat."""
    words = [f"@{mat.seat}"]
    words += [f"{letter}{n}" for letter, name in _WRITTEN_AMOUNTS if (n := getattr(mat, name)) is not None]
    words += [phase for phase, number in _PHASES.items() if mat.phase == number]
    for word, name in _FLAGS.items():
        value = getattr(mat, name)
        if value is not None:
            words.append(word if value else f"!{word}")
    for word, (separator, write_value) in _LIST_WRITERS.items():
        values = getattr(mat, _LISTS[word])
        if values is not None:
            words.append(f"{word}({separator.join(map(write_value, values))})")
    return " ".join(words)


def _write_building(building: BuildingAt) -> str:
    """A building of a list, as `/workshop-1*2`: inclined, with two workers on it."""
    workers = f"*{building.workers}" if building.workers else ""
    return f"{'/' if building.inclined else ''}{card_word(building.card)}{workers}"


# What stands between the values of a list, and how one is written.
_LIST_WRITERS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "built": (" ", _write_building),
    "techs": (" ", card_word),
    "tilted": (" ", card_word),
    "kept": ("", str),
    "bonus": ("", {bonus: letter for letter, bonus in _BONUSES.items()}.__getitem__),
}
