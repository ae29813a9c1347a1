"""Deals in notation: which one, its cards, and words with the cards that they are about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from spyrium_log.errors import NotationError
from spyrium_log.messages import unexpected_message
from spyrium_log.shown import quote
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import Printed
from spyrium_log.titles.founders.messages import syntax
from spyrium_log.titles.founders.notation.line import convert_act
from spyrium_log.titles.founders.position.tokens import Fields, Token, card_word, read_card

# The deals by their first word, and what stands behind each word in them: '' before the first of these words.
DEALS: Final[dict[str, tuple[type[moves.Deal], dict[str, str]]]] = {
    "table": (moves.TableDealt, {"": "advisers", "proposals": "proposals", "back": "put_back", "goals": "goals"}),
    "row": (moves.AdvisersDealt, {"": "cards"}),
    "proposals": (moves.ProposalsDealt, {"": "cards", "back": "put_back", "shuffled": "shuffled"}),
    "instead": (moves.ProposalReplaced, {"": "card", "shuffled": "shuffled"}),
}
_DEAL_WORDS: Final = frozenset({word for _, parts in DEALS.values() for word in parts})


def read_deal(printed: Printed, text: str, words: Sequence[Token]) -> moves.Deal:
    """Read what stands behind `deal`: which one, its cards, and words with the cards that they are about."""
    if not words:
        raise NotationError(unexpected_message(syntax("deals", known=", ".join(DEALS)), ""), text, len(text) + 1)
    head, *rest = words
    if head.text not in DEALS:
        raise head.expect(syntax("deals", known=", ".join(DEALS)), tuple(DEALS))
    kind, parts = DEALS[head.text]
    cards = _split_parts(parts, rest, printed)
    fields: Fields = {parts[part]: tuple(cards.get(part, ())) for part in parts}
    if "shuffled" in parts:
        fields["shuffled"] = "shuffled" in cards
    if kind is moves.ProposalReplaced:
        fields["card"] = _take_only_card(head, cards[""])
    return convert_act(kind, fields, head)


def _split_parts(parts: Collection[str], words: Sequence[Token], printed: Printed) -> dict[str, list[str]]:
    """The cards behind each of these words, '' for those before the first; each word stands once."""
    part = ""
    cards: dict[str, list[str]] = {part: []}
    for word in words:
        if word.text in parts:
            part = word.text
            if part in cards:
                raise word.refuse(syntax("part-again", found=part))
            cards[part] = []
        elif part == "shuffled":
            raise word.expect(syntax("nothing-after", word=part))
        elif word.text in _DEAL_WORDS:
            raise word.expect(syntax("card"))
        else:
            cards[part].append(read_card(word, printed))
    return cards


def _take_only_card(head: Token, cards: Sequence[str]) -> str:
    """The one card of a deal that has one; NotationError where there are more or none."""
    if len(cards) != 1:
        raise head.refuse(syntax("one-word", what=syntax("card"), word=head.text, n=len(cards)))
    return cards[0]


def write_deal(act: moves.Deal) -> str:
    """`deal proposals university salt-barge back fortress shuffled`."""
    name, parts = next((name, parts) for name, (kind, parts) in DEALS.items() if kind is type(act))
    words = ["deal", name]
    for word, field in parts.items():
        value = getattr(act, field)
        if word == "shuffled":
            words += [word] if value else []
            continue
        # the one card of `instead`
        cards = (value,) if isinstance(value, str) else value
        # the first cards stand behind no word
        words += [word] if word and cards else []
        words += [quote(card) if card in _DEAL_WORDS else card_word(card) for card in cards]
    return " ".join(words)
