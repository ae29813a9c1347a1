"""Deals as a scribe types them: codes or names of cards, read while they are half typed, for the deal that is due."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, product
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

from spyrium_log.errors import NotationError
from spyrium_log.messages import unexpected_message
from spyrium_log.shown import quote
from spyrium_log.title import PartialDeal
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import BASES, CALL, PROPOSALS, RACES, RESOURCES, ROW, TIER_2, TIER_3, Printed
from spyrium_log.titles.founders.effects import DECKS
from spyrium_log.titles.founders.messages import syntax, vocabulary
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.rules.deal import (
    count_advisers_due,
    count_deck,
    count_proposals_due,
    list_seen_advisers,
    list_seen_proposals,
)
from spyrium_log.titles.founders.rules.turn import find_stage
from spyrium_log.titles.founders.state import State
from spyrium_log.titles.founders.words import component_name

CODE_LENGTH: Final = 2
# Two letters for what every set has: no two of these begin alike.
CODE_OF_FIXED_CARD: Final = {card: card[:CODE_LENGTH] for card in (*RESOURCES, *RACES)}
CARD_OF_CODE: Final = {code: card for card, code in CODE_OF_FIXED_CARD.items()}
# The key of each action card: an adviser's code stands in the same place. Two letters in a list of cards.
ACTION_KEYS: Final = {"trade": "t", "recruit": "r", "construct": "c", "upgrade": "u", "income": "i", CALL: "v"}
ACTION_CODES: Final = {"trade": "tr", "recruit": "re", "construct": "co", "upgrade": "up", "income": "ic", CALL: "vo"}
# What may follow the key of an action card, as the shorthand has it: a coin, an influence, a road, a worker; then what
# the card is for. A code that looks like both would mean two things.
_BASIC_KEYS: Final = "0irw"
_KEYS_BEHIND: Final = {
    "t": _BASIC_KEYS + "+" + "".join(card[0] for card in BASES),
    "r": _BASIC_KEYS,
    "c": _BASIC_KEYS + "hb",
    "u": _BASIC_KEYS + "".join(card[0] for card in (*TIER_2, *TIER_3)),
}
# Behind these nothing need follow.
_WHOLE_KEYS: Final = "iv"
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"


def codes_of(printed: Printed) -> Mapping[str, str]:
    """The two letters of each card of a set, and of what every set has."""
    return _make_codes((*printed.advisers, *printed.prestige, *printed.goals))


def cards_by_code(printed: Printed) -> Mapping[str, str]:
    """The card of each code of a set, for reading what was typed."""
    return {code: card for card, code in codes_of(printed).items()}


@lru_cache(maxsize=64)
def _make_codes(cards: tuple[str, ...]) -> Mapping[str, str]:
    """Two letters for each id, the same for the same cards in the same order; a card that none is left for has none."""
    codes = dict(CODE_OF_FIXED_CARD)
    taken = {*CARD_OF_CODE, *ACTION_CODES.values()}
    for card in cards:
        code = next((code for code in _list_codes(card) if code not in taken and not _is_ambiguous(code)), None)
        if card not in codes and code is not None:
            codes[card] = code
            taken.add(code)
    return codes


def _list_codes(card: str) -> Iterator[str]:
    """Every two letters that may stand for a card: its first two, others of it in their order, then any."""
    letters = [letter for letter in card if letter in _ALPHABET]
    yield from map("".join, chain(combinations(letters, CODE_LENGTH), product(_ALPHABET, repeat=CODE_LENGTH)))


def _is_ambiguous(code: str) -> bool:
    """Whether a code could also be read as the key of an action card and what follows it: no card gets such a one."""
    return code[0] in _WHOLE_KEYS or code[1] in _KEYS_BEHIND.get(code[0], "")


def code_of(printed: Printed, card: str) -> str:
    """What to type for a card: its code, `?`, or its id in quotes where the set does not have it."""
    return UNSEEN if card == UNSEEN else codes_of(printed).get(card) or quote(card)


# --- which cards are due -------------------------------------------------------------------------

# What a card of a deal is, for the question.
_Kind: TypeAlias = Literal["adviser", "proposal", "achievement"]
# Before a proposal that goes back on the deck.
BACK: Final = "-"
# What stands between cards, and between the letters of a name; names are compared without it, in any alphabet.
_BETWEEN_CARDS = re.compile(r"[\s,]*")
_BETWEEN_LETTERS = re.compile(r"[\W_]+")
_NAME = re.compile(r"[\w' -]{0,40}")
# An id that the set does not have.
_QUOTED_ID = re.compile(r'"([a-z][a-z0-9-]{0,39})"')
# The deals that may put a proposal back on the deck.
_DEALS_WITH_BACK: Final = ("setup", "proposals")


def _list_kinds_due(state: State) -> list[_Kind]:
    """The kind of each card of the deal that is due, in order."""
    match find_stage(state).kind:
        case "setup":
            kinds: list[_Kind] = ["adviser"] * ROW
            kinds += ["proposal"] * PROPOSALS
            return kinds + ["achievement"] * len(DECKS) if state.options.achievements == "with" else kinds
        case "row":
            return ["adviser"] * count_advisers_due(state)
        case "proposals":
            return ["proposal"] * count_proposals_due(state)
        case _:
            return ["proposal"]


def _map_kinds_to_cards(printed: Printed) -> dict[_Kind, tuple[str, ...]]:
    """All the cards of the set, by what they are in a deal."""
    return {
        "adviser": tuple(printed.advisers),
        "proposal": tuple(printed.prestige),
        "achievement": tuple(printed.goals),
    }


def _list_cards_to_come(state: State, kind: _Kind, typed: Sequence[str]) -> list[str]:
    """The cards of a kind that can still come behind those typed, and one that nobody saw."""
    match kind:
        case "adviser":
            known = list_seen_advisers(state)
        case "proposal":
            known = list_seen_proposals(state)
            # discarded ones come again once the deck is dealt out; up to as many as are dealt may go back on it
            if count_deck(state) < 2 * PROPOSALS:
                known = [card for card in known if card not in state.spent]
        case "achievement":
            known = [*state.goals]
        case _:
            assert_never(kind)
    cards = _map_kinds_to_cards(state.printed)[kind]
    return [*(card for card in cards if card not in known and card not in typed), UNSEEN]


class _Typed(NamedTuple):
    """A card of a deal, and whether it went back on the deck."""

    card: str
    is_back: bool = False


class _Reading(NamedTuple):
    """The whole cards typed, and the beginning of one that is still being typed, '' if none is."""

    cards: list[_Typed]
    begun: str


def read_deal(state: State, text: str, language: str) -> PartialDeal:
    """Read as much of the deal that is due as was typed, and ask for the next card."""
    kinds = _list_kinds_due(state)
    typed, begun = _DealReader(state, kinds, text, language).read()
    words = [f"{BACK if each.is_back else ''}{each.card}" for each in typed]
    count = sum(not each.is_back for each in typed)
    if count == len(kinds) and not begun:
        return PartialDeal(_make_deal(state, typed), words, question="", codes=())
    kind = "proposal" if begun.startswith(BACK) else kinds[count]
    begun = begun.removeprefix(BACK)
    to_come = _list_cards_to_come(state, kind, [each.card for each in typed])
    codes = _list_codes_begun(state.printed, to_come, begun, language)
    # wrong from where the last card begins
    if begun and not codes:
        raise NotationError(unexpected_message(syntax("coming-card"), begun), text, len(text) - len(begun) + 1)
    question = vocabulary(language)["questions"][kind].format(n=kinds[:count].count(kind) + 1)
    return PartialDeal(None, words, question, codes, begun)


def _list_codes_begun(printed: Printed, cards: Sequence[str], begun: str, language: str) -> list[tuple[str, str]]:
    """Code and name of each of these cards that what was typed may go on to be; `?` is its own name."""
    names = _map_names_to_cards(printed, cards, language)
    return [
        (code_of(printed, card), card if card == UNSEEN else _name_of(printed, card, language))
        for card in cards
        if _is_beginning(printed, card, begun, names)
    ]


def _name_of(printed: Printed, card: str, language: str) -> str:
    """The name of a card in a language, as the set has it; else the rulebook's."""
    return printed.names.get((card, language)) or component_name(card, language)


def _map_names_to_cards(printed: Printed, cards: Iterable[str], language: str) -> Mapping[str, str]:
    """The card of each full name, small letters without blanks: ids, and the names in this language."""
    names = [(name, card) for card in cards for name in (card, _name_of(printed, card, language))]
    return {_fold_name(name): card for name, card in names if card != UNSEEN}


def _fold_name(name: str) -> str:
    """A name as it is compared with what was typed: small letters, without what stands between them."""
    return _BETWEEN_LETTERS.sub("", name).casefold()


def _is_beginning(printed: Printed, card: str, typed: str, cards_by_name: Mapping[str, str]) -> bool:
    """Whether what was typed begins the code or a name of the card, so that a deal can propose it."""
    start = _fold_name(typed)
    names = [name for name, named_card in cards_by_name.items() if named_card == card]
    is_name_begun = bool(start) and any(name.startswith(start) for name in names)
    return is_name_begun or code_of(printed, card).startswith(typed.casefold())


class _DealReader:
    """Splits a deal as it is typed into cards, with or without separators: `scca-un` ends in a card put back.

    Two letters are a code wherever the rest can be read then; else a name, in full or as much of it as tells it apart.
    """

    def __init__(self, state: State, kinds: Sequence[_Kind], text: str, language: str) -> None:
        """Gather the codes and names of every card that the deal can hold."""
        self._kinds = kinds
        self._text = text
        self._printed = state.printed
        self._codes = cards_by_code(state.printed)
        self._can_put_back = find_stage(state).kind in _DEALS_WITH_BACK
        self._cards = _map_kinds_to_cards(state.printed)
        self._names = {kind: _map_names_to_cards(state.printed, cards, language) for kind, cards in self._cards.items()}
        # where the last card begins that some way of reading came to, and how many are before it: for an error
        self._furthest = (0, 0)
        # starts, each with the number of cards before it, from which the text cannot be read
        self._dead_ends: set[tuple[int, int]] = set()

    def read(self) -> _Reading:
        """Read the whole text; NotationError where it is no deal."""
        reading = self._read_cards(0, 0)
        if reading is not None:
            return reading
        start, count = self._furthest
        word = re.match(r"[^\W\d_]+|.", self._text[start:])
        expected = syntax("deal-cards", n=count) if count == len(self._kinds) else syntax("card")
        raise NotationError(unexpected_message(expected, word[0] if word else ""), self._text, start + 1)

    def _read_cards(self, start: int, count: int) -> _Reading | None:
        """Read from index `start` on, after so many cards, the last perhaps half typed; None: every way fails."""
        start = _skip_separators(self._text, start)
        if start == len(self._text):
            return _Reading([], "")
        self._furthest = max(self._furthest, (start, count))
        if (start, count) in self._dead_ends:
            return None
        is_back = self._can_put_back and self._text[start] == BACK
        # behind the last card only what went back on the deck may come
        if count == len(self._kinds) and not is_back:
            return None
        kind: _Kind = "proposal" if is_back else self._kinds[count]
        begins = _skip_separators(self._text, start + len(BACK)) if is_back else start
        for card, end in self._find_cards(begins, kind):
            rest = self._read_cards(end, count if is_back else count + 1)
            if rest is not None:
                return _Reading([_Typed(card, is_back), *rest.cards], rest.begun)
        if self._is_begun(self._text[begins:], kind):
            return _Reading([], self._text[start:])
        self._dead_ends.add((start, count))
        return None

    def _is_begun(self, text: str, kind: _Kind) -> bool:
        """Whether the text is the beginning of some card of a kind, which is still being typed."""
        return any(_is_beginning(self._printed, card, text, self._names[kind]) for card in self._cards[kind])

    def _find_cards(self, start: int, kind: _Kind) -> Iterator[tuple[str, int]]:
        """The cards that the text may name at index `start`, each with the index behind it; the likeliest first."""
        text = self._text
        if text[start : start + 1] == UNSEEN:
            yield UNSEEN, start + 1
        if match := _QUOTED_ID.match(text, start):
            yield match[1], match.end()
        coded_card = self._codes.get(text[start : start + CODE_LENGTH].casefold())
        if coded_card in self._cards[kind]:
            yield coded_card, start + CODE_LENGTH
        match = _NAME.match(text, start)
        typed = match[0] if match else ""
        # full names and beginnings that only one card has, the longest first
        for length in range(len(typed), CODE_LENGTH, -1):
            cards = self._list_named(_fold_name(typed[:length]), kind)
            if len(cards) == 1:
                yield cards.pop(), start + length

    def _list_named(self, word: str, kind: _Kind) -> set[str]:
        """The cards of a kind whose name is this word, else those whose names begin with it."""
        names = self._names[kind]
        if word in names:
            return {names[word]}
        # as short as a code, it is one, and no beginning of a name
        if len(word) <= CODE_LENGTH:
            return set()
        return {card for name, card in names.items() if name.startswith(word)}


def _skip_separators(text: str, start: int) -> int:
    """The index behind what may stand between two cards; `start` itself where nothing does."""
    match = _BETWEEN_CARDS.match(text, start)
    return match.end() if match else start


# --- the act -------------------------------------------------------------------------------------


def _make_deal(state: State, typed: Sequence[_Typed]) -> moves.Deal:
    """The deal that is due, once all its cards were typed."""
    cards = tuple(each.card for each in typed if not each.is_back)
    back = tuple(each.card for each in typed if each.is_back)
    match find_stage(state).kind:
        case "setup":
            others = cards[ROW:]
            return moves.TableDealt(
                advisers=cards[:ROW], proposals=others[:PROPOSALS], put_back=back, goals=others[PROPOSALS:]
            )
        case "row":
            return moves.AdvisersDealt(cards=cards)
        case "proposals":
            return moves.ProposalsDealt(cards=cards, put_back=back, shuffled=_must_shuffle(state, len(typed)))
        case _:
            return moves.ProposalReplaced(card=cards[0], shuffled=_must_shuffle(state, 1))


def _must_shuffle(state: State, drawn: int) -> bool:
    """Whether the discarded proposals have to be shuffled for so many cards: the deck has fewer."""
    return bool(state.spent) and drawn > count_deck(state)


def deal_words(printed: Printed, deal: moves.Deal) -> list[str]:
    """What to type for a deal, card by card: for the transcript of a game and for hints."""
    match deal:
        case moves.TableDealt():
            return _list_words(printed, (*deal.advisers, *deal.proposals), deal.put_back, deal.goals)
        case moves.ProposalsDealt():
            return _list_words(printed, deal.cards, deal.put_back)
        case moves.AdvisersDealt():
            return _list_words(printed, deal.cards)
        case moves.ProposalReplaced():
            return _list_words(printed, (deal.card,))
        case _:
            assert_never(deal)


def _list_words(printed: Printed, cards: moves.Cards, back: moves.Cards = (), goals: moves.Cards = ()) -> list[str]:
    """The codes of cards, then of those that went back on the deck, then of achievements."""
    words = [code_of(printed, card) for card in cards] + [BACK + code_of(printed, card) for card in back]
    return words + [code_of(printed, card) for card in goals]
