"""What a scribe types at the table, and which of several ways to say a move is the likeliest.

    12       place a worker in gap 12; with none left to place, activate card 1
             with the worker who stands towards card 2
    a1 a12   activate card 1; with the worker towards card 2
    g1       gain money beside card 1
    u2 u21   use the building in slot 2, the larger effect; its first effect
    r2       reuse it
    e        use the event, then the letter or number of what it asks;
             > behind it moves to phase II with it
    x        pass
    w  5     the bonus: a worker, or £5

What is left out is guessed, and shown before Enter:
    o3 o0    over slot 3; on a new site
    t2       with the token 2
    m  s     the residence action moves, or scores
    l  n     with Lobbying, without
    c3 c0    Commerce makes the token a 3; leaves it
    d        the effect declined
    a3=mi    the unseen card 3 turns out to be a Miner

A card of a deal is two letters, its tokens follow as digits: mi13; or its
name, or as much of it as tells it apart: miner13, app. ? is a card that
nobody saw.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import convert, structs

from spyrium_log.errors import NotationError
from spyrium_log.messages import unexpected
from spyrium_log.title import FinalCount, PartialDeal, Rank, Step
from spyrium_log.titles.spyrium.cards import (
    CALLS,
    CARDS,
    EVENTS,
    EVENTS_WITH_TOKEN,
    KINDS,
    MARKET,
    PERIODS,
    ROUNDS,
    TOKEN_VALUES,
    UNSEEN,
    USES,
)
from spyrium_log.titles.spyrium.legal import activations, legal
from spyrium_log.titles.spyrium.messages import syntax, vocabulary
from spyrium_log.titles.spyrium.moves import (
    GAPS,
    Act,
    ActivateCard,
    GainMoney,
    Pass,
    PlaceWorker,
    Residence,
    ReuseBuilding,
    RoundDealt,
    TakeBonus,
    UseBuilding,
    UseEvent,
)
from spyrium_log.titles.spyrium.rules.activate import can_tilt, pounds, quote
from spyrium_log.titles.spyrium.rules.deal import next_first, tokens_for
from spyrium_log.titles.spyrium.rules.decks import period_of
from spyrium_log.titles.spyrium.rules.market import has_worker, others_around
from spyrium_log.titles.spyrium.rules.turn import awaits
from spyrium_log.titles.spyrium.state import GAPS_AROUND, PLACES, Mat, State
from spyrium_log.titles.spyrium.words import component

# Two cards whose first two letters are those of another card.
_SPECIAL_CODES = {"luxury-home": "lu", "engineering": "eg"}
_CARD_CODES = {
    card: _SPECIAL_CODES.get(card) or (card[0] + card[-1] if card[-1].isdigit() else card[:2])
    for card in (*CARDS, *EVENTS)
}
CODES = {code: card for card, code in _CARD_CODES.items()}
# Letters of a code.
CODE_LENGTH = 2

# Until this round it is better to move on the track than to score.
LAST_TO_MOVE = 4


# --- keys ----------------------------------------------------------------------------------------


def steps(state: State, act: Act) -> list[Step]:
    """What to type for a legal act."""
    if isinstance(act, PlaceWorker):
        return [Step("move", "p", optional=True), Step("gap", str(act.gap))]
    if isinstance(act, GainMoney):
        return [Step("move", "g"), *_card_steps(act)]
    if isinstance(act, ActivateCard):
        # a number alone is a gap as long as there is a worker to place
        mat = state.mat(act.seat)
        return [
            Step("move", "a", optional=mat.phase > 1 or not mat.active),
            *_card_steps(act),
            *_activation_steps(state, act),
        ]
    if isinstance(act, UseBuilding | ReuseBuilding):
        return [*_building_steps(act)]
    if isinstance(act, UseEvent):
        return [Step("move", "e"), *_event_steps(state, act)]
    if isinstance(act, TakeBonus):
        return [Step("move", "b"), Step("bonus", "w" if act.bonus == "worker" else "5")]
    if isinstance(act, RoundDealt):
        return [Step("card", word) for word in _deal_words(state, act)]
    return [Step("move", "x" if isinstance(act, Pass) else "f")] if isinstance(act, Pass | FinalCount) else []


def _card_steps(act: GainMoney | ActivateCard) -> list[Step]:
    """The card, and which of several workers: the one towards another card."""
    if act.space is None:
        return [Step("gap", str(act.gap), optional=True)]
    return [Step("card", str(act.space)), Step("worker", str(_other_space(act.gap, act.space)), optional=True)]


def _other_space(gap: int, space: int) -> int:
    """The space on the other side of a gap."""
    _, one, other = PLACES[gap]
    return other if space == one else one


def _activation_steps(state: State, act: ActivateCard) -> list[Step]:
    """The choices that this player has here."""
    mat = state.mat(act.seat)
    card = act.named or state.market[act.space]
    steps = []
    if act.named:
        steps.append(Step("card", f"={_CARD_CODES.get(act.named, act.named)}"))
    if KINDS.get(card) == "building" and mat.buildings:
        steps.append(Step("over which building", f"o{act.over or 0}", optional=True))
    if act.token:
        steps.append(Step("token", f"t{act.token}", optional=True))
    if act.residence:
        steps.append(Step("residence", act.residence[0], optional=True))
    if can_tilt(mat, "lobbying"):
        steps.append(Step("Lobbying", "l" if act.lobbying else "n", optional=True))
    if state.tokens[act.space] and can_tilt(mat, "commerce"):
        steps.append(Step("Commerce", f"c{act.commerce or 0}", optional=True))
    if act.declined:
        steps.append(Step("effect", "d"))
    return steps


def _building_steps(act: UseBuilding | ReuseBuilding) -> list[Step]:
    """Slot, then the effect; a second use at once is `r` with its effect."""
    steps = [Step("move", "u" if isinstance(act, UseBuilding) else "r"), Step("building", str(act.slot))]
    steps.append(Step("effect", str(act.effect), optional=True))
    if isinstance(act, UseBuilding) and act.again:
        steps.append(Step("again", f"r{act.again}"))
    return steps


def _event_steps(state: State, act: UseEvent) -> list[Step]:
    """What the event of this round asks for, one step each."""
    steps = [Step("gain", act.gain[0])] if act.gain else []
    steps += [Step("residence", act.residence[0])] if act.residence else []
    steps += [Step("choice", str(act.choice))] if act.choice else []
    steps += [Step("building", str(act.slot)), Step("effect", str(act.effect), optional=True)] if act.slot else []
    steps += [Step("gap", str(act.gap))] if act.gap else []
    mat = state.mat(act.seat)
    if can_tilt(mat, "commerce") and state.event_token and not act.declined:
        steps.append(Step("Commerce", f"c{act.commerce or 0}", optional=True))
    steps += [Step("effect", "d")] if act.declined else []
    if mat.phase == 1:
        steps.append(Step("phase", ">" if act.enter else "i", optional=True))
    return steps


def naming(state: State, card: str) -> list[Act]:
    """Every legal activation of an unseen card if it turns out to be this one."""
    named: list[Act] = []
    for space in range(1, MARKET + 1):
        if state.market[space] == UNSEEN:
            known = state.copy()
            known.market[space] = card
            acts = [act for act in legal(known) if isinstance(act, ActivateCard) and act.space == space]
            named += [structs.replace(act, named=card) for act in acts]
    return named


def acts_to_try(state: State) -> list[Act]:
    """Acts that may be typed without being legal; only for cards with an own worker beside them."""
    awaited = awaits(state)
    if awaited.kind != "decision":
        return []
    seat = awaited.seat
    mat = state.mats[seat]
    enter = mat.phase == 1
    acts: list[Act] = [PlaceWorker(seat=seat, gap=gap) for gap in GAPS] if enter and mat.active else []
    for space in range(1, MARKET + 1):
        for gap in [gap for gap in GAPS_AROUND[space] if has_worker(state, seat, gap)]:
            acts.append(GainMoney(seat=seat, gap=gap, space=space, enter=enter))
            acts += activations(state, seat, gap, space, enter=enter)
    for slot, built in enumerate(mat.buildings, 1):
        for effect in range(1, len(USES.get(built.card, ())) + 1):
            acts.append(UseBuilding(seat=seat, slot=slot, effect=effect, enter=enter))
            acts.append(ReuseBuilding(seat=seat, slot=slot, effect=effect, enter=enter))
    return acts


def hint(state: State, act: Act, rules: Sequence[str], language: str) -> str:
    """A hint for a deal without tokens: no rule forbids one, because the tokens may run out."""
    if "market.tokens" not in rules or not isinstance(act, RoundDealt):
        return ""
    cards = [dealt.card for dealt in act.market if not dealt.tokens and tokens_for(state, dealt.card)]
    return vocabulary(language)["hints"]["tokens"].format(cards=", ".join(cards), card=cards[0]) if cards else ""


# --- what is likely ------------------------------------------------------------------------------


def rank(state: State, act: Act) -> Rank:
    """The order on the screen: along the board, and within one card by cost."""
    if isinstance(act, PlaceWorker):
        return Rank(waste=False, order=(0, act.gap))
    if isinstance(act, ActivateCard):
        return Rank(waste=act.declined, order=(1, act.space, *_activation_order(state, act)))
    if isinstance(act, GainMoney):
        return _rank_of_gaining(state, act)
    if isinstance(act, UseBuilding | ReuseBuilding):
        return Rank(waste=False, order=(3 if isinstance(act, UseBuilding) else 4, act.slot, -act.effect))
    if isinstance(act, UseEvent):
        choices = (act.slot or 0, -(act.effect or 0), act.gap or 0, -(act.choice or 0))
        commerce = -(act.commerce or state.event_token)
        gain = ("points", "spyrium", "money").index(act.gain) if act.gain else 0
        return Rank(
            waste=act.declined, order=(5, *choices, gain, _residence_order(state, act.residence), commerce, act.enter)
        )
    if isinstance(act, TakeBonus):
        return Rank(waste=False, order=(0, act.bonus == "money"))
    return Rank(waste=False, order=(6,))


def _rank_of_gaining(state: State, act: GainMoney) -> Rank:
    """By space, gaps without a card last; a worker who is needed elsewhere is offered last."""
    if act.space is None:
        return Rank(waste=False, order=(2, MARKET + 1, act.gap))
    return Rank(waste=False, order=(2, act.space, _is_needed_elsewhere(state, act.seat, act.gap, act.space), act.gap))


def _is_needed_elsewhere(state: State, seat: int, gap: int, space: int) -> bool:
    """Whether this is the player's only worker beside the gap's other card; such a worker is offered last."""
    other = _other_space(gap, space)
    places = (PLACES[around][0] + seat for around in GAPS_AROUND[other])
    return bool(state.market[other]) and sum(state.placed[place] for place in places) == 1


def _activation_order(state: State, act: ActivateCard) -> tuple[int, ...]:
    """The order of ways to activate one card: with help where possible, then by price."""
    card = act.named or state.market[act.space]
    design = state.printed.designs.get(card)
    if design is None:
        return (act.gap,)
    crowd = others_around(state, act, act.space)
    pays = card in CALLS and CALLS[card].pays_token
    # a building's token is not chosen, and Commerce for what it shows already would be wasted
    value = act.commerce or act.token or max(state.tokens[act.space], default=0)
    return (
        bool(act.lobbying) != (crowd > 0),
        act.over is not None,
        _points_given_up(state, state.mat(act.seat), act.over),
        pounds(quote(state, act, design)),
        value if pays else -value,
        act.commerce is not None,
        _residence_order(state, act.residence),
        _is_needed_elsewhere(state, act.seat, act.gap, act.space),
        act.gap,
    )


def _points_given_up(state: State, mat: Mat, over: int | None) -> int:
    """The printed points of the replaced building."""
    if over is None or over > len(mat.buildings):
        return 0
    design = state.printed.designs.get(mat.buildings[over - 1].card)
    return design.points if design else 0


def _residence_order(state: State, residence: Residence | None) -> int:
    """0 for what most players prefer in this round: moving early, scoring late."""
    if residence is None:
        return 0
    return (residence == "score") == (state.round <= LAST_TO_MOVE)


# --- deals ---------------------------------------------------------------------------------------


def _asks_event(state: State) -> bool:
    """Whether the round's event has to be typed: only if nobody saw it the round before."""
    return state.next_event in ("", UNSEEN)


def _deal_words(state: State, act: RoundDealt) -> list[str]:
    """The words to type for a deal; an event that is known already is left out."""
    first = [_code_with_tokens(act.event, act.event_token)] if _asks_event(state) else []
    market = [_code_with_tokens(dealt.card, *dealt.tokens) for dealt in act.market]
    return [*first, _code_with_tokens(act.next_event, act.next_token), *market]


def _code_with_tokens(card: str, *tokens: int | None) -> str:
    """`mi13`: the code of a card and the values of its tokens."""
    return _CARD_CODES.get(card, card) + "".join(str(token) for token in tokens if token)


def deal(state: State, text: str, language: str) -> PartialDeal:
    """Read as much of a deal as was typed; NotationError if it names no card."""
    places = _event_places(state)
    cards, begun = _DealReader(state, text, language).read()
    words = [":".join([card, tokens] if tokens else [card]) for card, tokens in cards]
    lacking = _missing_tokens(state, *cards[-1]) if cards and not begun else 0
    if lacking:
        of = f"{lacking} token{'s' if lacking > 1 else ''} on {cards[-1][0]}"
        codes = [(str(value), "") for value in TOKEN_VALUES]
        return PartialDeal(_build_deal(state, cards) if len(cards) == len(places) else None, words, of, codes)
    if len(cards) == len(places):
        return PartialDeal(_build_deal(state, cards), words, "", ())
    place = len(cards) - len(places) + MARKET
    name = f"card {place + 1}" if place >= 0 else "the future event" if place == -1 else "the round's event"
    left = _cards_to_come(state, cards, event=place < 0)
    codes = [
        (code, _name_beside_code(card, language))
        for code, card in left
        if _is_beginning_of_card(card, begun, _names(language))
    ]
    if begun and not codes:
        raise NotationError(unexpected(syntax("coming-card"), begun), text, len(text) - len(begun) + 1)
    return PartialDeal(None, words, name, codes, begun)


def _event_places(state: State) -> list[bool]:
    """For each card of a deal, whether it is an event."""
    return [*([True] * (2 if _asks_event(state) else 1)), *([False] * MARKET)]


# What names are told apart by, in any alphabet: neither case nor what stands between the letters.
_BETWEEN_LETTERS = re.compile(r"[\W_]+")
# fewer letters are a code and no name
NAMED_FROM = 3


@cache
def _names(language: str) -> dict[str, str]:
    """The cards by full name: their ids, and their names in this language."""
    every = [(card, card) for card in _CARD_CODES] + [(component(card, language), card) for card in _CARD_CODES]
    return {_BETWEEN_LETTERS.sub("", name).casefold(): card for name, card in every}


def _name_beside_code(card: str, language: str) -> str:
    """The name of a card; an unseen card has none."""
    return card if language == "en" or card == UNSEEN else component(card, language)


def _is_beginning_of_card(card: str, begun: str, names: Mapping[str, str]) -> bool:
    """Whether what was typed begins the code or a name of the card."""
    if _CARD_CODES.get(card, card).startswith(begun):
        return True
    start = _BETWEEN_LETTERS.sub("", begun)
    return bool(start) and any(name.startswith(start) and of == card for name, of in names.items())


class _DealReader:
    """A deal as it is typed: codes and names with their tokens, with or without separators.

    Two letters are a code wherever the rest can be read then and tokens lie where they must; else a name, in full or
    as much of it as tells it apart.
    """

    def __init__(self, state: State, text: str, language: str) -> None:
        self._state = state
        self._text = text
        self._typed = text.casefold()
        self._event_places = _event_places(state)
        self._coming = {card for event in (True, False) for _, card in _cards_to_come(state, [], event=event)}
        self._names = _names(language)
        self._furthest = 0
        self._failed: set[tuple[int, int]] = set()

    def read(self) -> tuple[list[tuple[str, str]], str]:
        """The cards with their tokens, and the beginning of a further one."""
        cards = self._read_from(0, 0, any_kind=False)
        if cards is None:
            column = self._furthest + 1
            self._failed.clear()
            cards = self._read_from(0, 0, any_kind=True)
            if cards is not None:
                self._check_kinds(cards[0], column)
        if cards is not None:
            return cards
        rest = self._typed[self._furthest :]
        word = re.match(r"[^\W\d_]*|.", rest)
        expected = syntax("card" if rest[:1].isalpha() else "card-or-token")
        message = unexpected(expected, word[0] if word and word[0] else rest[:1])
        raise NotationError(message, self._text, self._furthest + 1)

    def _check_kinds(self, cards: Sequence[tuple[str, str]], column: int) -> None:
        """Raise an error if an event stands in the place of a card, or the reverse."""
        if len(cards) > len(self._event_places):
            raise NotationError(syntax("deal-cards", n=len(self._event_places)), self._text, column)
        for (card, _), event in zip(cards, self._event_places, strict=False):
            if card != UNSEEN and (card in EVENTS) != event:
                message = unexpected(syntax("event" if event else "card"), card)
                raise NotationError(message, self._text, column)

    def _read_from(self, at: int, number: int, *, any_kind: bool) -> tuple[list[tuple[str, str]], str] | None:
        """The cards from position `at` on, the first of them number `number` of the deal; None if it cannot be read.

        A reading that leaves tokens out is tried after those that do not.
        """
        at = _after_separators(self._typed, at)
        if at == len(self._typed):
            return [], ""
        self._furthest = max(self._furthest, at)
        if (at, number) in self._failed or number >= len(self._event_places) + any_kind:
            return None
        postponed = []
        for card, end in self._cards_at(at, number, any_kind=any_kind):
            tokens, after = self._tokens_at(end)
            if after < len(self._typed) and _missing_tokens(self._state, card, tokens):
                postponed.append((card, tokens, after))
            elif (rest := self._read_from(after, number + 1, any_kind=any_kind)) is not None:
                return [(card, tokens), *rest[0]], rest[1]
        begun = self._typed[at:]
        if number < len(self._event_places) and any(self._is_half_typed(begun, card, number) for card in self._coming):
            return [], begun
        for card, tokens, after in postponed:
            if (rest := self._read_from(after, number + 1, any_kind=any_kind)) is not None:
                return [(card, tokens), *rest[0]], rest[1]
        self._failed.add((at, number))
        return None

    def _tokens_at(self, at: int) -> tuple[str, int]:
        """The tokens behind a card, also after a blank."""
        match = re.compile(r"[\s,]*([123][123\s,]*)?").match(self._typed, at)
        digits = match[1] if match and match[1] else ""
        return re.sub(r"[\s,]", "", digits), at if not digits or match is None else match.end()

    def _is_expected(self, card: str, number: int) -> bool:
        """Whether a card of this kind is expected at this place."""
        return number >= len(self._event_places) or (card in EVENTS) == self._event_places[number]

    def _cards_at(self, at: int, number: int, *, any_kind: bool) -> Iterator[tuple[str, int]]:
        """The cards that the text may begin with here, and where each ends; the likeliest first."""
        if self._typed[at] == UNSEEN:
            yield UNSEEN, at + 1
        code = CODES.get(self._typed[at : at + CODE_LENGTH])
        if code and (any_kind or self._is_expected(code, number)):
            yield code, at + CODE_LENGTH
        word = re.compile(r"[\w' -]{0,40}").match(self._typed, at)
        typed = word[0] if word else ""
        expected = {name: card for name, card in self._names.items() if any_kind or self._is_expected(card, number)}
        for length in range(len(typed), NAMED_FROM - 1, -1):
            begun = _BETWEEN_LETTERS.sub("", typed[:length])
            if begun in expected:
                yield expected[begun], at + length
                continue
            cards = {card for name, card in expected.items() if name.startswith(begun)}
            if len(cards) == 1 and len(begun) >= NAMED_FROM and not any_kind:
                yield cards.pop(), at + length

    def _is_half_typed(self, begun: str, card: str, number: int) -> bool:
        """Whether the rest of the text begins this card, and it may come at this place."""
        return card != UNSEEN and self._is_expected(card, number) and _is_beginning_of_card(card, begun, self._names)


def _after_separators(text: str, at: int) -> int:
    """The position of the next character that is no blank and no comma."""
    while at < len(text) and text[at] in " ,\t":
        at += 1
    return at


def _missing_tokens(state: State, card: str, tokens: str) -> int:
    """Number of tokens that the card still needs."""
    wanted = int(card in EVENTS_WITH_TOKEN) if card in EVENTS else tokens_for(state, card)
    return max(0, wanted - len(tokens))


def _cards_to_come(state: State, cards: list[tuple[str, str]], *, event: bool) -> list[tuple[str, str]]:
    """The cards that can still come, by code."""
    typed = Counter(card for card, _ in cards)
    unseen = [("?", UNSEEN)]
    if event:
        left = [card for card in EVENTS if card not in state.events_seen and not typed[card]]
        return [(_CARD_CODES[card], card) for card in left] + unseen
    period = period_of(min(state.round + 1, ROUNDS))
    gone = typed + Counter(card for number, card in state.dealt if period_of(number) == period)
    designs = state.printed.designs.items()
    left = [card for card, design in designs if design.copies[PERIODS.index(period)] > gone[card]]
    return [(_CARD_CODES[card], card) for card in left] + unseen


def _build_deal(state: State, cards: list[tuple[str, str]]) -> RoundDealt:
    """The deal of these cards."""
    read = [(card, tuple(int(token) for token in tokens)) for card, tokens in cards]
    event = read.pop(0) if _asks_event(state) else (state.next_event, (state.next_token,))
    next_event, *market = read
    fields: dict[str, Any] = {
        "act": "round_dealt",
        "round": state.round + 1,
        "first": next_first(state),
        "event": event[0],
        "event_token": next(iter(event[1]), 0) or None,
        "next_event": next_event[0],
        "next_token": next(iter(next_event[1]), None),
        "market": [{"card": card, "tokens": tokens} for card, tokens in market],
    }
    return convert(fields, RoundDealt)


# --- printed values -----------------------------------------------------------------------------


def relied_value(state: State, act: Act) -> tuple[str, str] | None:
    """The printed price that the act depends on."""
    if isinstance(act, ActivateCard):
        card = act.named or state.market[act.space]
        return (card, "price") if card in KINDS else None
    return None


def printed_numbers(state: State, what: str) -> Sequence[int]:
    """The numbers printed along the residence track."""
    return state.printed.track if what == "residence" else ()
