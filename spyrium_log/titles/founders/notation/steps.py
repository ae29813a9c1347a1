"""Acts of a turn in notation: the card that is played, and what is done with it, as a follow, or next."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from spyrium_log.errors import NotationError
from spyrium_log.messages import unexpected_message
from spyrium_log.shown import QUOTED, quote
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import ACTION_CARDS, BASES, CALL, TIERS
from spyrium_log.titles.founders.messages import syntax
from spyrium_log.titles.founders.notation.choices import CALL_LETTER, CHOICES
from spyrium_log.titles.founders.notation.line import Line, Reading
from spyrium_log.titles.founders.position.pieces import (
    find_tile_shape,
    guess_inputs,
    listed_word,
    placed_word,
    read_placed,
)
from spyrium_log.titles.founders.position.tokens import (
    Fields,
    Token,
    card_word,
    cell_word,
    list_ids,
    read_card,
    read_cell,
    read_listed_cells,
)
from spyrium_log.titles.founders.state import State

# The letters of the action cards; V begins a Call to Vote, which is an act of its own.
LETTERS_OF_CARDS: Final = {"trade": "T", "construct": "C", "upgrade": "U", "recruit": "R", "income": "I"}
_CARDS_OF_LETTERS: Final = {letter: card for card, letter in LETTERS_OF_CARDS.items()}
# What begins lines other than a decision, in this title or in all: a card of such a name stands in quotes.
OTHER_LINES: Final = frozenset(
    {
        *("deal", "final", "position", "undo", "correct", "reading", "result", "accept", "withdraw", "seal", "amend"),
        *("count", "adjust", "pause", "continue", "concede", "abandon"),
    }
)
# An example of each decision: for whoever wrote something else.
_EXAMPLES: Final = ("T gems d4", "U machinery d4.1", "R 2", "V c1", "-T c", "r d5", "x", "bid 2 f1", "place d4.3")


def read_played(line: Line) -> Fields:
    """The card that the line begins with, `T`, `scholar` or `-?`; no fields where it begins with a step."""
    head = line.next
    if head is None or _is_step(head.text):
        return {}
    if not head.text.startswith("-"):
        return {"card": _read_played_card(line, head)}
    # only a log that breaks the rules has a card face-down without a card
    if head.text == "-":
        line.take("card")
        return {"down": True}
    return {"card": _read_played_card(line, head.without("-")), "down": True}


def _read_played_card(line: Line, word: Token) -> str:
    """Take the card that begins a turn: letter, id or quoted name. An unknown id is refused as a mistyped line."""
    line.take("card")
    text = word.text
    if text in _CARDS_OF_LETTERS:
        return _CARDS_OF_LETTERS[text]
    if text == CALL_LETTER:
        return CALL
    if not re.fullmatch(QUOTED, text) and not _is_known(line.state, text):
        raise _make_first_word_error(line.state, word)
    return read_card(word, line.state.printed)


def _make_first_word_error(state: State, word: Token) -> NotationError:
    """The error for a first word that means nothing; it suggests what is alike."""
    letters = {letter.casefold(): letter for letter in (*_CARDS_OF_LETTERS, CALL_LETTER)}
    expected = syntax("moves", known=", ".join(_EXAMPLES))
    # right but for its case
    if word.text in letters:
        return word.refuse(unexpected_message(expected, word.text, (letters[word.text],)))
    return word.expect(expected, [*CHOICES, *STEP_WORDS, *OTHER_LINES, *list_ids(state.printed)])


def _is_known(state: State, card: str) -> bool:
    """Whether a card can be in somebody's hand: of every game, of this set, or seen in this game."""
    if card in ACTION_CARDS or card == moves.UNSEEN or card in state.printed.advisers or card in state.row:
        return True
    return any(card in mat.hand or card in mat.discard for mat in state.mats)


def _write_played(state: State, act: moves.Played) -> str:
    """`T `, `scholar `, `-? `: the card that is played with an act; '' for none."""
    card = act.card
    if card is None:
        return "- " if act.down else ""
    word = LETTERS_OF_CARDS.get(card) or (card if _is_known(state, card) else quote(card))
    if act.down:
        return f"-{word} "
    # as a first word an id could be read as something else
    is_ambiguous = card in CHOICES or _is_step(card) or card in OTHER_LINES or word != card_word(card)
    return f"{quote(card) if is_ambiguous and card not in LETTERS_OF_CARDS else word} "


# --- steps: what is done with a card, as a follow, or next ---------------------------------------


def _is_step(word: str) -> bool:
    """Whether a word begins a step: one of its own, a resource, the number of a slot, or access to a cell, `+d4`."""
    return word in STEP_WORDS or word in TIERS or bool(re.fullmatch(r"[1-4]|\+.*", word))


def read_step(line: Line, *, is_played: bool) -> Reading:
    """The step that a line says; behind a card that `is_played` it may be missing, for an action without a choice."""
    if line.next is None and is_played:
        return moves.PlayCard, {}
    word = line.take("step")
    if word.text in STEP_WORDS:
        return STEP_WORDS[word.text](line)
    if word.text in TIERS:
        return _read_base(line, word.text) if word.text in BASES else _read_tile(line, word.text)
    if re.fullmatch(r"[1-4]", word.text):
        return moves.Recruit, {"slot": int(word.text), **_read_named(line)}
    if word.text.startswith("+"):
        return moves.BuyAccess, {"at": read_cell(word.without("+"))}
    raise word.expect(syntax("step"), [*STEP_WORDS, *TIERS])


def _read_base(line: Line, base: str) -> Reading:
    """`gems d4`: a tile of this base, and its cell."""
    return moves.BuildBase, {"base": base, "at": read_cell(line.take("cell"))}


def _read_tile(line: Line, resource: str) -> Reading:
    """`machinery d4.1 <c4,f7`: the tile, how it lies, and its suppliers where they cannot be guessed."""
    cells = read_placed(line.take("placed"), find_tile_shape(line.state, resource))
    inputs = guess_inputs(line.state, line.seat, resource)
    if line.next and line.next.text.startswith("<"):
        inputs = read_listed_cells(line.take("placed").without("<"))
    return moves.BuildTile, {"resource": resource, "cells": cells, "inputs": inputs}


def _read_named(line: Line) -> Fields:
    """`=scholar`: the adviser whom nobody had seen; no fields where none is named."""
    if line.next is None or not line.next.text.startswith("="):
        return {}
    return {"named": read_card(line.take("card").without("="), line.state.printed)}


STEP_WORDS: Final[dict[str, Callable[[Line], Reading]]] = {
    "c": lambda _line: (moves.Gain, {"what": "money"}),
    "f": lambda _line: (moves.Gain, {"what": "fleeting"}),
    "r": lambda line: (moves.LayRoad, {"at": read_cell(line.take("cell"))}),
    "h": lambda line: (moves.BuildHouse, {"at": read_cell(line.take("cell"))}),
    "b": lambda line: (moves.BuildBridge, {"at": read_cell(line.take("cell"))}),
    "w": lambda line: (moves.UseWorker, {"on": line.take_card()}),
    # where the resource does not say whether it is a base
    "build": lambda line: _read_base(line, line.take_card()),
    "tile": lambda line: _read_tile(line, line.take_card()),
    "play": lambda _line: (moves.PlayCard, {}),
}


def _write_tile(state: State, act: moves.BuildTile) -> str:
    """`machinery d4.1 <c4,f7`; the suppliers are left out where they are those that are guessed."""
    # the word tells it from a base, and from what is no resource
    word = "" if TIERS.get(act.resource, 1) > 1 else "tile "
    placed = placed_word(find_tile_shape(state, act.resource), act.cells)
    inputs = "" if act.inputs == guess_inputs(state, act.seat, act.resource) else f" <{listed_word(act.inputs)}"
    return f"{word}{card_word(act.resource)} {placed}{inputs}"


def write_step(state: State, act: moves.Played) -> str:
    """`T gems d4`, `-? c`, `r d5`: an act of a turn with the card that is played."""
    played = _write_played(state, act)
    # a card alone is played for an action that begins with no choice
    if played and type(act) is moves.PlayCard:
        return played.rstrip()
    return f"{played}{_WRITERS[type(act)](state, act)}"


_WRITERS: Final[dict[type, Callable[[State, Any], str]]] = {
    moves.Gain: lambda _state, act: "c" if act.what == "money" else "f",
    moves.LayRoad: lambda _state, act: f"r {cell_word(act.at)}",
    moves.BuildHouse: lambda _state, act: f"h {cell_word(act.at)}",
    moves.BuildBridge: lambda _state, act: f"b {cell_word(act.at)}",
    moves.BuildBase: lambda _state, act: (
        f"{'' if act.base in BASES else 'build '}{card_word(act.base)} {cell_word(act.at)}"
    ),
    moves.BuyAccess: lambda _state, act: f"+{cell_word(act.at)}",
    moves.BuildTile: _write_tile,
    moves.Recruit: lambda _state, act: str(act.slot) if act.named is None else f"{act.slot} ={card_word(act.named)}",
    moves.UseWorker: lambda _state, act: f"w {card_word(act.on)}",
    moves.PlayCard: lambda _state, _act: "play",
}
