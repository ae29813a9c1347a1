"""Positions in notation: what lies on the table, as far as somebody states it.

Sections between commas, in any order; then the reason, in quotes. What is not stated stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from spyrium_log.errors import NotationError
from spyrium_log.messages import Message, unexpected_message
from spyrium_log.shown import QUOTED, quote
from spyrium_log.title import Resynced
from spyrium_log.titles.founders.cards import Printed
from spyrium_log.titles.founders.messages import syntax
from spyrium_log.titles.founders.moves import UNSEEN, BuildingAt, MatAt, Position, TileAt
from spyrium_log.titles.founders.position.tokens import (
    Fields,
    Token,
    card_word,
    cell_word,
    read_card,
    read_cell,
    read_string,
)

# The resources by the letter of an amount.
LETTERS: Final = {"c": "money", "f": "fleeting", "l": "lasting", "i": "income", "p": "points"}

# Commas and parentheses stand alone.
_WORD = re.compile(rf'(?:{QUOTED}|[^\s(),"])+|[(),"]')


def read_position(text: str, printed: Printed) -> Resynced[Position]:
    """Read a whole line that begins with the word `position`."""
    words = [Token(match[0], match.start() + 1, text) for match in _WORD.finditer(text)][1:]
    if not words or not re.fullmatch(QUOTED, words[-1].text):
        raise NotationError(syntax("why-of-position"), text, len(text) + 1)
    why = read_string(words[-1])
    stated: Fields = {"mats": ()}
    for section in _split_sections(words[:-1]):
        for name, value in _read_section(section, printed).items():
            if name not in stated:
                stated[name] = value
            elif name in _GROWING:
                stated[name] = (*stated[name], *value)
            else:
                raise section[0].refuse(syntax("part-again", found=section[0].text))
    try:
        return Resynced(position=msgspec.convert(stated, Position), why=why)
    except msgspec.ValidationError:
        raise NotationError(syntax("impossible-position", word="position"), text, 1) from None


# Fields that each of several sections adds to; any other is stated once.
_GROWING: Final = ("tiles", "buildings", "mats")


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


def _read_section(section: Sequence[Token], printed: Printed) -> Fields:
    """The fields that a section states; NotationError where a value is outside the bounds of the log."""
    head, *values = section
    if match := re.fullmatch(r"@([1-9])", head.text):
        fields: Fields = {"mats": ({"seat": int(match[1]), **_read_mat(values, printed)},)}
    elif head.text in SECTIONS:
        fields = SECTIONS[head.text](head, values, printed)
    else:
        raise head.expect(syntax("position-part", known=", ".join(SECTIONS)), tuple(SECTIONS))
    try:
        msgspec.convert(fields, Position)
    except msgspec.ValidationError:
        raise head.refuse(syntax("impossible-position", word=head.text)) from None
    return fields


def _only_word(head: Token, values: Sequence[Token], expected: Message) -> Token:
    """The only word of a section; NotationError where there are more or none."""
    if len(values) != 1:
        column = values[1].column if values else head.column + len(head.text)
        raise NotationError(syntax("one-word", what=expected, word=head.text, n=len(values)), head.line, column)
    return values[0]


def _match_only_word(head: Token, values: Sequence[Token], pattern: str, expected: str) -> re.Match[str]:
    """The only word of a section, which must be of this form; `expected` is the key of what it should be."""
    word = _only_word(head, values, syntax(expected))
    match = re.fullmatch(pattern, word.text)
    if match is None:
        raise word.expect(syntax(expected))
    return match


def _read_votes(head: Token, values: Sequence[Token], _printed: Printed) -> Fields:
    """`votes 2`: how many votes there were."""
    return {"votes": int(_match_only_word(head, values, r"[0-9]{1,2}", "number")[0])}


def _read_last(head: Token, values: Sequence[Token], _printed: Printed) -> Fields:
    """`last @2`: whose turn ended last."""
    return {"last": int(_match_only_word(head, values, r"@([0-9])", "seat")[1])}


def _read_cards(head: Token, values: Sequence[Token], printed: Printed) -> Fields:
    """`row scholar - foreman`: `-` is a slot where no card lies."""
    return {head.text: tuple("-" if word.text == "-" else read_card(word, printed) for word in values)}


def _read_tile(head: Token, values: Sequence[Token], printed: Printed) -> Fields:
    """`tile machinery d4 d5 e5 @1 +@2 <c4 <e7`: cells, owner, who has access, which tiles supplied it."""
    # nothing of this kind lies on the board
    if [word.text for word in values] == ["-"]:
        return {"tiles": ()}
    fields: Fields = {"kind": _read_first_card(head, values, printed), "cells": [], "inputs": [], "access": []}
    for word in values[1:]:
        if match := re.fullmatch(r"(\+?)@([0-9])", word.text):
            if match[1]:
                fields["access"].append(int(match[2]))
            elif "owner" in fields:
                raise word.refuse(syntax("part-again", found=word.text))
            else:
                fields["owner"] = int(match[2])
        elif word.text.startswith("<"):
            fields["inputs"].append(read_cell(word.without("<")))
        else:
            fields["cells"].append(read_cell(word))
    return {"tiles": (fields,)}


def _read_building(head: Token, values: Sequence[Token], printed: Printed) -> Fields:
    """`building university d4 d5 e4 gems@1 wood@0 complete claim`: cells, who delivered what (0: nobody), flags."""
    # nothing of this kind lies on the board
    if [word.text for word in values] == ["-"]:
        return {"buildings": ()}
    fields: Fields = {"card": _read_first_card(head, values, printed), "cells": [], "delivered": []}
    for word in values[1:]:
        if word.text in _FLAGS:
            fields[word.text] = True
        elif match := re.fullmatch(r"(.+)@([0-9])", word.text):
            resource = read_card(word._replace(text=match[1]), printed)
            fields["delivered"].append({"resource": resource, "seat": int(match[2])})
        else:
            fields["cells"].append(read_cell(word))
    return {"buildings": (fields,)}


_FLAGS: Final = ("complete", "claim")


def _read_first_card(head: Token, values: Sequence[Token], printed: Printed) -> str:
    """The card that a section is about; NotationError where it names none."""
    if not values:
        column = head.column + len(head.text)
        raise NotationError(unexpected_message(syntax("card"), ""), head.line, column)
    return read_card(values[0], printed)


SECTIONS: Final[dict[str, Callable[[Token, Sequence[Token], Printed], Fields]]] = {
    "votes": _read_votes,
    "last": _read_last,
    "row": _read_cards,
    "proposals": _read_cards,
    "spent": _read_cards,
    "goals": _read_cards,
    "tile": _read_tile,
    "roads": lambda _head, values, _printed: {"roads": tuple(map(read_cell, values))},
    "building": _read_building,
}

_AMOUNT = re.compile(rf"([{''.join(LETTERS)}])(-?[0-9]{{1,4}})")
_UNKNOWN = re.compile(r"\?([0-9]{1,2})")
# The words of a mat with cards in parentheses: one, and its field; or any number.
_SINGLE_CARDS: Final = {"race": "race", "base": "race_base"}
_CARD_LISTS: Final = ("bases", "hand", "discard", "used")
MAT_WORDS: Final = (*_SINGLE_CARDS, *_CARD_LISTS)


def _read_mat(words: Sequence[Token], printed: Printed) -> Fields:
    """The fields of what one seat has, from `c7 race(human) hand(trade recruit) ?1 …`."""
    fields: Fields = {}
    index = 0
    while index < len(words):
        word = words[index]
        inside: Sequence[Token] = ()
        index += 1
        if word.text in MAT_WORDS:
            inside, index = _take_parenthesised(words, index)
        name, value = _read_mat_field(word, inside, printed)
        if name in fields:
            raise word.refuse(syntax("part-again", found=word.text))
        fields[name] = value
    return fields


def _read_mat_field(word: Token, inside: Sequence[Token], printed: Printed) -> tuple[str, int | str | tuple[str, ...]]:
    """The name and the value of the field that a word states; `inside` are the words in parentheses behind it."""
    if match := _AMOUNT.fullmatch(word.text):
        return LETTERS[match[1]], int(match[2])
    if match := _UNKNOWN.fullmatch(word.text):
        return "unknown", int(match[1])
    cards = tuple(read_card(each, printed) for each in inside)
    if word.text in _CARD_LISTS:
        return word.text, cards
    if word.text in _SINGLE_CARDS:
        _only_word(word, inside, syntax("card"))
        return _SINGLE_CARDS[word.text], cards[0]
    raise word.expect(syntax("mat-word", known=", ".join(MAT_WORDS)), MAT_WORDS)


def _take_parenthesised(words: Sequence[Token], index: int) -> tuple[Sequence[Token], int]:
    """The words in the parentheses that open at an index, and the index behind them."""
    before = words[index - 1]
    if index == len(words) or words[index].text != "(":
        column = before.column + len(before.text)
        raise NotationError(syntax("no-opening-parenthesis", word=before.text), before.line, column)
    for end in range(index + 1, len(words)):
        if words[end].text == ")":
            return words[index + 1 : end], end + 1
    raise words[index].refuse(syntax("no-closing-parenthesis"))


# --- writing a position --------------------------------------------------------------------------


def write_position(act: Resynced[Position]) -> str:
    """A position as one line, its reason last; `read_position` reads it back."""
    sections = [*_write_table_sections(act.position), *map(_write_mat_section, act.position.mats)]
    return f"position {', '.join(sections)} {quote(act.why)}" if sections else f"position {quote(act.why)}"


def _write_table_sections(position: Position) -> Iterator[str]:
    """The sections about the table; what the position leaves open is not written."""
    if position.votes is not None:
        yield f"votes {position.votes}"
    if position.last is not None:
        yield f"last @{position.last}"
    for name in ("row", "proposals", "spent", "goals"):
        cards = getattr(position, name)
        if cards is not None:
            yield " ".join((name, *("-" if card == "-" else card_word(card) for card in cards)))
    if position.roads is not None:
        yield " ".join(("roads", *map(cell_word, position.roads)))
    if position.tiles is not None:
        yield from map(_write_tile, position.tiles) if position.tiles else ("tile -",)
    if position.buildings is not None:
        yield from map(_write_building, position.buildings) if position.buildings else ("building -",)


def _write_tile(tile: TileAt) -> str:
    """`tile machinery d4 d5 e5 @1 +@2 <c4`: as `_read_tile` reads it."""
    words = ["tile", card_word(tile.kind), *map(cell_word, tile.cells)]
    words += [f"@{tile.owner}"] if tile.owner else []
    words += [f"+@{seat}" for seat in tile.access]
    return " ".join([*words, *(f"<{cell_word(cell)}" for cell in tile.inputs)])


def _write_building(building: BuildingAt) -> str:
    """`building university d4 d5 gems@1 complete`: as `_read_building` reads it."""
    words = ["building", card_word(building.card), *map(cell_word, building.cells)]
    words += [f"{card_word(token.resource)}@{token.seat}" for token in building.delivered]
    return " ".join([*words, *(flag for flag in _FLAGS if getattr(building, flag))])


def _write_mat_section(mat: MatAt) -> str:
    """`@1 c7 p12 race(human) hand(trade call)`: what a position states of one seat."""
    words = [f"@{mat.seat}"]
    amounts = {letter: getattr(mat, name) for letter, name in LETTERS.items()}
    words += [f"{letter}{amount}" for letter, amount in amounts.items() if amount is not None]
    for word, name in _SINGLE_CARDS.items():
        card = getattr(mat, name)
        words += [] if card is None else [f"{word}({card_word(card)})"]
    for name in _CARD_LISTS:
        cards = getattr(mat, name)
        words += [] if cards is None else [f"{name}({' '.join(map(card_word, cards))})"]
    return " ".join(words if mat.unknown is None else [*words, f"{UNSEEN}{mat.unknown}"])
