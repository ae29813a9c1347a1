"""Decisions that play no card, in notation: those of the draft, of a vote, and choices that a rule forces."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from spyrium_log.shown import QUOTED, quote
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.messages import syntax
from spyrium_log.titles.founders.notation.line import AMOUNTS, Line, Reading
from spyrium_log.titles.founders.position.pieces import find_placed_shape, placed_word, read_placed
from spyrium_log.titles.founders.position.tokens import Fields, Token, card_word, cell_word, read_cell, read_string
from spyrium_log.titles.founders.state import State

CALL_LETTER: Final = "V"
# The letters of the amounts that a decision names: fleeting and lasting influence; what a Call to Vote brings.
_INFLUENCE: Final = "fl"
_BONUSES: Final = "cfr"


def _read_race(line: Line) -> Reading:
    """`race human`, `race aesther gems`: the base only where somebody has to say it."""
    race = line.take_card()
    return moves.TakeRace, {"race": race, "base": line.take_card() if line.next else None}


def _read_taking(line: Line) -> Reading:
    """`base wood`, `base wood @2`: from whom, where somebody had it."""
    base = line.take_card()
    return moves.TakeBase, {"base": base, "who": int(line.take_match(r"@([1-9])", "seat")[1]) if line.next else None}


def _read_proposal(line: Line, kind: type[moves.Decision]) -> Reading:
    """`tie 2`, `choose 3 f1 l2`: a proposal, and the influence for it where the decision has any."""
    fields: Fields = {"proposal": int(line.take_match(r"[1-3]", "proposal")[0])}
    if kind is not moves.BreakTie:
        fields.update(line.take_amounts(_INFLUENCE))
    return kind, fields


def _read_bid(line: Line) -> Reading:
    """`bid 2 f3 l1 salt:9c0a`: the salt only where the bid was sealed."""
    kind, fields = _read_proposal(line, moves.Bid)
    if line.next and line.next.text.startswith("salt:"):
        fields["salt"] = _read_seal(line.take("seal").without("salt:"))
    return kind, fields


# A hash or a salt that needs no quotes.
_PLAIN_SEAL = re.compile(r"[0-9a-z]+")


def _read_seal(word: Token) -> str:
    """A hash or a salt, in quotes or not; NotationError for anything else."""
    if re.fullmatch(QUOTED, word.text):
        return read_string(word)
    if not _PLAIN_SEAL.fullmatch(word.text):
        raise word.expect(syntax("seal"))
    return word.text


def _seal_word(seal: str) -> str:
    """A hash or a salt as a word, in quotes where it needs them."""
    return seal if _PLAIN_SEAL.fullmatch(seal) else quote(seal)


def _read_taking_back(line: Line) -> Reading:
    """`back trade recruit`; `back` alone takes no card."""
    cards = []
    while line.next:
        cards.append(line.take_card())
    return moves.TakeBack, {"cards": tuple(cards)}


def _read_delivery(line: Line) -> Reading:
    """`deliver university gems d4`: to which building, what, from which tile."""
    return moves.Deliver, {
        "building": line.take_card(),
        "resource": line.take_card(),
        "at": read_cell(line.take("cell")),
    }


CHOICES: Final[dict[str, Callable[[Line], Reading]]] = {
    "race": _read_race,
    "base": _read_taking,
    "start": lambda line: (moves.PlaceStart, {"at": read_cell(line.take("cell"))}),
    CALL_LETTER: lambda line: (moves.CallVote, line.take_amounts(_BONUSES)),
    "sealed": lambda line: (moves.SealBid, {"seal": _read_seal(line.take("seal"))}),
    "bid": _read_bid,
    "tie": lambda line: _read_proposal(line, moves.BreakTie),
    "choose": lambda line: _read_proposal(line, moves.ChooseProposal),
    "pay": lambda line: (moves.PayClaims, line.take_amounts(_INFLUENCE)),
    "place": lambda line: (
        moves.PlacePrestige,
        {"cells": read_placed(line.take("placed"), find_placed_shape(line.state))},
    ),
    "deliver": _read_delivery,
    "back": _read_taking_back,
    "x": lambda _line: (moves.Decline, {}),
}


def _write_amounts(act: moves.CallVote | moves.Bid | moves.ChooseProposal | moves.PayClaims, letters: str) -> str:
    """` f3 l1`: what a decision pays or brings, with a blank before each amount, without what is 0."""
    amounts = {letter: getattr(act, AMOUNTS[letter]) for letter in letters}
    return "".join(f" {letter}{amount}" for letter, amount in amounts.items() if amount)


def _write_bid(_state: State, act: moves.Bid) -> str:
    """`bid 2 f1 salt:…`: the salt only of a bid that was sealed."""
    salt = "" if act.salt is None else f" salt:{_seal_word(act.salt)}"
    return f"bid {act.proposal}{_write_amounts(act, _INFLUENCE)}{salt}"


CHOICE_WRITERS: Final[dict[type, Callable[[State, Any], str]]] = {
    moves.TakeRace: lambda _state, act: " ".join(
        ["race", card_word(act.race), *([] if act.base is None else [card_word(act.base)])]
    ),
    moves.TakeBase: lambda _state, act: f"base {card_word(act.base)}{'' if act.who is None else f' @{act.who}'}",
    moves.PlaceStart: lambda _state, act: f"start {cell_word(act.at)}",
    moves.CallVote: lambda _state, act: f"{CALL_LETTER}{_write_amounts(act, _BONUSES)}",
    moves.SealBid: lambda _state, act: f"sealed {_seal_word(act.seal)}",
    moves.Bid: _write_bid,
    moves.BreakTie: lambda _state, act: f"tie {act.proposal}",
    moves.ChooseProposal: lambda _state, act: f"choose {act.proposal}{_write_amounts(act, _INFLUENCE)}",
    moves.PayClaims: lambda _state, act: f"pay{_write_amounts(act, _INFLUENCE)}",
    moves.PlacePrestige: lambda state, act: f"place {placed_word(find_placed_shape(state), act.cells)}",
    moves.Deliver: lambda _state, act: (
        f"deliver {card_word(act.building)} {card_word(act.resource)} {cell_word(act.at)}"
    ),
    moves.TakeBack: lambda _state, act: " ".join(["back", *map(card_word, act.cards)]),
    moves.Decline: lambda _state, _act: "x",
}
