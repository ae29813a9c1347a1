"""Deals as a scribe types them: codes or names of cards with their tokens, read while they are half typed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from spyrium_log.catalogue import ENGLISH, fold_letters
from spyrium_log.errors import NotationError
from spyrium_log.messages import Argument, Count, Message, Reader, unexpected_message
from spyrium_log.title import PartialDeal
from spyrium_log.titles.spyrium.cards import CARDS, EVENTS, EVENTS_WITH_TOKEN, MARKET, TOKEN_VALUES, UNSEEN
from spyrium_log.titles.spyrium.messages import syntax, vocabulary
from spyrium_log.titles.spyrium.moves import DealtCard, RoundDealt
from spyrium_log.titles.spyrium.rules.deal import count_cards_left, count_tokens_needed, next_first_seat
from spyrium_log.titles.spyrium.state import State
from spyrium_log.titles.spyrium.words import component_name

# Two cards whose first two letters are those of another card.
_SPECIAL_CODES = {"luxury-home": "lu", "engineering": "eg"}
CODE_OF_CARD = {
    card: _SPECIAL_CODES.get(card) or (card[0] + card[-1] if card[-1].isdigit() else card[:2])
    for card in (*CARDS, *EVENTS)
}
CARD_OF_CODE = {code: card for card, code in CODE_OF_CARD.items()}
# Letters of a code; a name that is typed has more.
CODE_LENGTH = 2

_TOKENS = re.compile(r"[\s,]*([123][123\s,]*)?")
_NAME = re.compile(r"[\w' -]{0,40}")
# Names of cards one behind the other, up to a token or a mark that is part of no name.
_TYPED_NAMES = re.compile(r"[^\W\d][\w' -]*[\w']|[^\W\d]")
# The events of a deal in notation, which stand before its other cards.
EVENTS_TYPED = 2

# A card of a deal and the digits of its tokens: `("miner", "13")`.
Typed: TypeAlias = tuple[str, str]
# The whole cards typed, and the beginning of one that is still being typed, '' if none is.
_Reading: TypeAlias = tuple[list[Typed], str]


def deal_words(state: State, deal: RoundDealt) -> list[str]:
    """The words to type for a deal, `mi13` for each card; an event that is known already is left out."""
    first = [_write_code(deal.event, deal.event_token)] if _is_event_typed(state) else []
    market = [_write_code(dealt.card, *dealt.tokens) for dealt in deal.market]
    return [*first, _write_code(deal.next_event, deal.next_token), *market]


def _write_code(card: str, *tokens: int | None) -> str:
    """`mi13`: the code of a card with the values of its tokens, as it is typed."""
    return CODE_OF_CARD.get(card, card) + "".join(str(token) for token in tokens if token)


def _is_event_typed(state: State) -> bool:
    """Whether a deal names the round's event: only if nobody saw it the round before."""
    return state.next_event in ("", UNSEEN)


def read_deal(state: State, text: str, language: str) -> PartialDeal:
    """Read as much of a deal as was typed, and ask for what comes next: tokens of the last card, or a further card."""
    reader = _DealReader(state, text, language)
    cards, begun = reader.read_cards_and_tokens()
    words = [":".join(filter(None, card)) for card in cards]
    left = len(reader.event_places) - len(cards)
    deal = None if left else _make_deal(state, cards)
    lacking = _count_missing_tokens(state, *cards[-1]) if cards and not begun else 0
    if lacking:
        card = cards[-1][0] if language == ENGLISH else component_name(cards[-1][0], language)
        question = _ask("tokens", language, tokens=Count(lacking, "tokens"), card=card)
        return PartialDeal(deal, words, question, [(str(value), "") for value in TOKEN_VALUES])
    if deal is not None:
        return PartialDeal(deal, words, "", ())
    names = _map_names_to_cards(language)
    codes = [
        (CODE_OF_CARD.get(card, card), card if language == ENGLISH else component_name(card, language))
        for card in _list_cards_to_come(state, cards, are_events=left > MARKET)
        if _is_beginning_of_card(card, begun, names)
    ]
    if begun and not codes:
        raise NotationError(unexpected_message(syntax("coming-card"), begun), text, len(text) - len(begun) + 1)
    return PartialDeal(None, words, _name_next_card(left, language), codes, begun)


def _ask(key: str, language: str, **arguments: Argument) -> str:
    """A question about a deal in a language."""
    return Message(vocabulary, f"questions.{key}", **arguments).text_for(Reader(language, words=vocabulary(language)))


def _name_next_card(left: int, language: str) -> str:
    """What to ask for if so many cards of a deal are still to be typed: events first, then the market by spaces."""
    if left > MARKET:
        return _ask("future-event" if left == MARKET + 1 else "round-event", language)
    return _ask("card", language, n=MARKET - left + 1)


@cache
def _map_names_to_cards(language: str) -> dict[str, str]:
    """The card of each full name, folded: ids, and the names in this language."""
    names = [(card, card) for card in CODE_OF_CARD] + [(component_name(card, language), card) for card in CODE_OF_CARD]
    # the number of a design may be typed as a digit: `Kopalnia 2` is `Kopalnia II`
    numbered = [(name.rstrip("I") + card[-1], card) for name, card in names if card[-1].isdigit()]
    return {fold_letters(name): card for name, card in (*numbered, *names)}


@cache
def _map_local_codes(language: str, *, are_events: bool) -> dict[str, str]:
    """The card of each code that its name in a language makes, of events or of others, as no other card's name does.

    It is made like those of ids: two letters, or one and the number of the design. An id's own code is none of these.
    """
    if language == ENGLISH:
        return {}
    cards = [card for card in CODE_OF_CARD if (card in EVENTS) == are_events]
    folded = {card: fold_letters(component_name(card, language)) for card in cards}
    codes = {card: name[0] + card[-1] if card[-1].isdigit() else name[:CODE_LENGTH] for card, name in folded.items()}
    known = {CODE_OF_CARD[card] for card in cards}
    counts = Counter(codes.values())
    return {code: card for card, code in codes.items() if counts[code] == 1 and code not in known}


@cache
def map_codes(language: str) -> Mapping[str, str]:
    """The card of each code, of its id or of its name in a language; an event gives way to a card of the market."""
    events, others = (_map_local_codes(language, are_events=are_events) for are_events in (True, False))
    return {**events, **CARD_OF_CODE, **others}


def replace_names(text: str, language: str) -> str:
    """A deal in notation whose cards stand by their names or codes in a language, with their ids; all else as it is."""
    if language == ENGLISH or not text.startswith("deal "):
        return text
    done: list[str] = []
    ids = _TYPED_NAMES.sub(lambda match: _replace_typed_names(match[0], language, done), text.removeprefix("deal "))
    return f"deal {ids}"


def _replace_typed_names(typed: str, language: str, done: list[str]) -> str:
    """What was typed between tokens, with the id of each name in it, the longest names first; other words stay.

    `done`: all words of the deal so far, to which these are added.
    """
    names, words, start = _map_names_to_cards(language), typed.split(" "), len(done)
    while words:
        for count in range(len(words), 0, -1):
            card = names.get(fold_letters(" ".join(words[:count])))
            if card is not None or count == 1:
                done.append(card or _find_coded(words[0], language, is_event=len(done) < EVENTS_TYPED))
                del words[:count]
                break
    return " ".join(done[start:])


def _find_coded(word: str, language: str, *, is_event: bool) -> str:
    """The card of a code, of its id or of its name in a language, which is an event or not; else the word itself."""
    card = CARD_OF_CODE.get(word.casefold())
    if card is not None and (card in EVENTS) == is_event:
        return card
    return _map_local_codes(language, are_events=is_event).get(fold_letters(word)) or card or word


def _is_beginning_of_card(card: str, begun: str, names: Mapping[str, str]) -> bool:
    """Whether what was typed begins the code or a name of the card."""
    if CODE_OF_CARD.get(card, card).startswith(begun):
        return True
    start = fold_letters(begun)
    return bool(start) and any(name.startswith(start) and named == card for name, named in names.items())


class _DealReader:
    """Splits a deal as it is typed into cards and tokens, with or without separators: `mi13ap2` has a Miner first.

    Two letters are a code wherever the rest can be read then and tokens lie where they must; else a name, in full or
    as much of it as tells it apart.
    """

    def __init__(self, state: State, text: str, language: str) -> None:
        """Nothing is read yet; the state says which cards can come, and which places are events."""
        self._state = state
        self._text = text
        self._typed = text.casefold()
        # for each card of the deal, whether it is an event
        self.event_places = [*([True] * (2 if _is_event_typed(state) else 1)), *([False] * MARKET)]
        self._coming = {card for event in (True, False) for card in _list_cards_to_come(state, [], are_events=event)}
        self._names = _map_names_to_cards(language)
        self._language = language
        # where the last card began that some way of reading came to: an error is shown there
        self._furthest = 0
        # starts, each with the place of its card in the deal, from which the text cannot be read
        self._dead_ends: set[tuple[int, int]] = set()
        # whether events may stand in the places of other cards, and the reverse
        self._any_kind = False

    def read_cards_and_tokens(self) -> _Reading:
        """Read the whole text; NotationError where it is no deal."""
        reading = self._read_cards(0, 0)
        if reading is not None:
            return reading
        column = self._furthest + 1
        # once more with any kind of card in any place: if that works, a card of the wrong kind was the mistake
        self._any_kind = True
        self._dead_ends.clear()
        reading = self._read_cards(0, 0)
        if reading is not None:
            self._check_kinds(reading[0], column)
            return reading
        unread = self._typed[self._furthest :]
        letters = re.match(r"[^\W\d_]*", unread)
        expected = syntax("card" if unread[:1].isalpha() else "card-or-token")
        message = unexpected_message(expected, letters[0] if letters and letters[0] else unread[:1])
        raise NotationError(message, self._text, self._furthest + 1)

    def _check_kinds(self, cards: Sequence[Typed], column: int) -> None:
        """Raise an error if an event stands in the place of a card, or the reverse."""
        if len(cards) > len(self.event_places):
            raise NotationError(syntax("deal-cards", n=len(self.event_places)), self._text, column)
        for (card, _), event in zip(cards, self.event_places, strict=False):
            if card != UNSEEN and (card in EVENTS) != event:
                message = unexpected_message(syntax("event" if event else "card"), card)
                raise NotationError(message, self._text, column)

    def _read_cards(self, start: int, place: int) -> _Reading | None:
        """Read from index `start` to the end; the first card there is number `place` of the deal, from 0. None: no way.

        Every way is tried until one works: cards with all their tokens, then that the rest is a card still being
        typed, and last cards that lack tokens.
        """
        begun = self._typed[start:].lstrip(" ,\t")
        start = len(self._typed) - len(begun)
        if not begun:
            return [], ""
        self._furthest = max(self._furthest, start)
        if (start, place) in self._dead_ends or place >= len(self.event_places) + self._any_kind:
            return None
        lacking_tokens = []
        for card, end in self._find_cards(start, place):
            tokens, end_of_tokens = self._read_tokens(end)
            if end_of_tokens < len(self._typed) and _count_missing_tokens(self._state, card, tokens):
                lacking_tokens.append((card, tokens, end_of_tokens))
            elif reading := self._read_behind((card, tokens), end_of_tokens, place):
                return reading
        if place < len(self.event_places) and any(
            card != UNSEEN and self._is_expected(card, place) and _is_beginning_of_card(card, begun, self._names)
            for card in self._coming
        ):
            return [], begun
        for card, tokens, end in lacking_tokens:
            if reading := self._read_behind((card, tokens), end, place):
                return reading
        self._dead_ends.add((start, place))
        return None

    def _read_behind(self, card: Typed, end: int, place: int) -> _Reading | None:
        """The reading of a card that ends at index `end` and of all behind it; None where that cannot be read."""
        reading = self._read_cards(end, place + 1)
        if reading is None:
            return None
        cards, begun = reading
        return [card, *cards], begun

    def _read_tokens(self, start: int) -> tuple[str, int]:
        """The digits of the tokens behind a card, also after a blank, and the index where they end."""
        match = _TOKENS.match(self._typed, start)
        if match is None or not match[1]:
            return "", start
        return re.sub(r"[\s,]", "", match[1]), match.end()

    def _is_expected(self, card: str, place: int) -> bool:
        """Whether a card of this kind, event or not, belongs at this place of the deal; behind the last, any may."""
        return place >= len(self.event_places) or (card in EVENTS) == self.event_places[place]

    def _find_cards(self, start: int, place: int) -> Iterator[tuple[str, int]]:
        """The cards that the text may name at index `start`, each with the index behind it; the likeliest first."""
        if self._typed[start] == UNSEEN:
            yield UNSEEN, start + 1
        code = self._typed[start : start + CODE_LENGTH]
        coded = CARD_OF_CODE.get(code)
        if coded and (self._any_kind or self._is_expected(coded, place)):
            yield coded, start + CODE_LENGTH
        word = _NAME.match(self._typed, start)
        typed = word[0] if word else ""
        expected = {
            name: card for name, card in self._names.items() if self._any_kind or self._is_expected(card, place)
        }
        # full names and beginnings that only one card has, the longest first
        for length in range(len(typed), CODE_LENGTH, -1):
            begun = fold_letters(typed[:length])
            if begun in expected:
                yield expected[begun], start + length
                continue
            cards = {card for name, card in expected.items() if name.startswith(begun)}
            if len(cards) == 1 and len(begun) > CODE_LENGTH and not self._any_kind:
                yield cards.pop(), start + length
        # last, because a local name may begin with the codes of two other cards
        is_event = place < len(self.event_places) and self.event_places[place]
        if local := _map_local_codes(self._language, are_events=is_event).get(fold_letters(code)):
            yield local, start + CODE_LENGTH


def _count_missing_tokens(state: State, card: str, tokens: str) -> int:
    """Number of tokens that the card still needs; `tokens` are the digits of those already typed."""
    wanted = int(card in EVENTS_WITH_TOKEN) if card in EVENTS else count_tokens_needed(state, card)
    return max(0, wanted - len(tokens))


def _list_cards_to_come(state: State, cards: Sequence[Typed], *, are_events: bool) -> list[str]:
    """The event cards, or the cards of this period's deck, that can still come behind those typed."""
    typed = Counter(card for card, _ in cards)
    if are_events:
        return [*(card for card in EVENTS if card not in state.events_seen and not typed[card]), UNSEEN]
    return [*(card for card, left in count_cards_left(state).items() if left > typed[card]), UNSEEN]


def _make_deal(state: State, cards: Sequence[Typed]) -> RoundDealt:
    """The deal of these cards: the round's event unless it is known, the next event, the market."""
    dealt = [DealtCard(card=card, tokens=tuple(map(int, tokens))) for card, tokens in cards]
    if _is_event_typed(state):
        event, event_token = dealt[0].card, next(iter(dealt.pop(0).tokens), None)
    else:
        event, event_token = state.next_event, state.next_token or None
    next_event, *market = dealt
    return RoundDealt(
        round=state.round + 1,
        first=next_first_seat(state),
        event=event,
        event_token=event_token,
        next_event=next_event.card,
        next_token=next(iter(next_event.tokens), None),
        market=tuple(market),
    )
