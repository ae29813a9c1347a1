"""What the cards and tokens seen say of the decks and the reserve (S-1, S-4.3, S-4.5, S-4.6)."""

from __future__ import annotations

from collections.abc import Sequence

from spyrium_log.errors import Breach
from spyrium_log.messages import Card, Message, Term, card_message, number_message
from spyrium_log.titles.spyrium.cards import (
    EVENTS_WITH_TOKEN,
    KIND_SIZES,
    KINDS,
    PERIOD_OF_ROUND,
    PERIODS,
    TOKEN_VALUES,
    UNSEEN,
    Design,
)
from spyrium_log.titles.spyrium.effects import CardNamed, SpyriumFact
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.moves import RoundDealt
from spyrium_log.titles.spyrium.rules.turn import breach
from spyrium_log.titles.spyrium.state import State


def period_of(round_: int) -> str:
    """The period of a round. Round 0 has none: a card stated in a position may be of any."""
    return PERIOD_OF_ROUND.get(round_, "")


def breaches_of_cards(state: State, round_: int, new: Sequence[str]) -> list[Breach]:
    """Breaches of these cards being seen in a round, too many of one or unknown; on the sheet where only it says so."""
    breaches = []
    period = period_of(round_)
    at = PERIODS.index(period) if period else -1
    designs = state.printed.designs
    seen = [*(name for _, name in state.dealt), *new]
    seen_in_period = [*(name for number, name in state.dealt if PERIOD_OF_ROUND.get(number) == period), *new]
    for name in dict.fromkeys(new):
        count = seen.count(name)
        design = designs.get(name)
        if design is None:
            if name != UNSEEN:
                breaches.append(breach("cards.composition", phrase("game-card"), card_message(name)))
        elif count > 1 and design.kind == "technique":
            breaches.append(breach("cards.composition", phrase("one-in-game", card=Card(name)), number_message(count)))
        elif count > sum(design.copies):
            expected = phrase("copies-in-game", n=sum(design.copies), card=Card(name))
            breaches.append(_breach_of_deck(design, PERIODS, expected, count))
        elif at >= 0 and (count := seen_in_period.count(name)) > design.copies[at]:
            expected = phrase("copies-in-period", n=design.copies[at], card=Card(name), word=period.upper())
            breaches.append(_breach_of_deck(design, (period,), expected, count))
    kinds = [KINDS.get(name) for name in seen]
    for kind, size in KIND_SIZES.items():
        if len(kinds) > size < (cards := kinds.count(kind)):
            expected = phrase("cards-of-kind", n=size, kind=Term("kinds", kind))
            breaches.append(breach("cards.composition", expected, number_message(cards)))
    return breaches


def _breach_of_deck(design: Design, periods: Sequence[str], expected: Message, count: int) -> Breach:
    """More copies of a card than the decks of these periods hold; on the sheet, if one of their counts is assumed."""
    is_assumed = any(f"copies-{period}" in design.assumed for period in periods)
    return breach("cards.deck", expected, number_message(count), "sheet" if is_assumed else "record")


def breaches_of_naming(state: State, facts: Sequence[SpyriumFact]) -> list[Breach]:
    """Breaches of a ruling that names cards dealt unseen: none lies on the space, or the game has no such card."""
    named = [fact for fact in facts if isinstance(fact, CardNamed)]
    breaches: list[Breach] = []
    unseen = {space for space, card in enumerate(state.market) if card == UNSEEN}
    for fact in named:
        if fact.space not in unseen:
            expected = phrase("unseen-card", n=fact.space)
            breaches.append(breach("choice.stray", expected, phrase("named-there", card=Card(fact.card))))
        unseen.discard(fact.space)
    return breaches + breaches_of_cards(state, state.round, [fact.card for fact in named])


def list_event_draws(state: State, act: RoundDealt) -> list[int]:
    """The tokens drawn for event cards, before those of the market."""
    first = [act.event_token] if act.event_token and not state.next_token else []
    return [*first, act.next_token] if act.next_token else first


def list_market_draws(act: RoundDealt) -> list[int]:
    """The tokens drawn for the cards of the market."""
    return [value for dealt in act.market for value in dealt.tokens]


def find_discard_pile(state: State) -> list[int]:
    """The discard pile after the last round is cleared away."""
    pile = state.discard.copy()
    for tokens in state.tokens:
        for value in tokens:
            pile[value] += 1
    if state.event_token:
        pile[state.event_token] += 1
    return pile


def breaches_of_tokens(state: State, act: RoundDealt) -> list[Breach]:
    """Check the draw for each event, then that for the market as one batch.

    A batch lies within the reserve, or holds all of it and the rest lay in the discard pile. Where a card was dealt
    unseen nobody knows what was drawn, and only the 24 tokens are certain.
    """
    of_events, of_market = list_event_draws(state, act), list_market_draws(act)
    drawn = of_events + of_market
    breaches = [
        breach("tokens.composition", phrase("values", n=TOKEN_VALUES[-1]), phrase("value", n=value))
        for value in (act.event_token, act.next_token, *of_market)
        if value is not None and value not in TOKEN_VALUES
    ]
    if breaches or not drawn:
        return breaches
    pile = find_discard_pile(state)
    for value in TOKEN_VALUES:
        n, most = drawn.count(value), state.reserve[value] + pile[value]
        if n > most:
            expected = phrase("tokens-to-draw", n=most, m=value)
            breaches.append(breach("tokens.composition", expected, number_message(n)))
    if breaches or _has_unseen_card(state, act):
        return breaches
    reserve = state.reserve.copy()
    for value in of_events:
        if not sum(reserve):
            reserve, pile = pile, [0] * len(pile)
        breaches += _breaches_of_batch([value], reserve, pile)
        reserve[value] -= 1
    return breaches + _breaches_of_batch(of_market, reserve, pile)


def _breaches_of_batch(drawn: list[int], reserve: list[int], pile: list[int]) -> list[Breach]:
    """Breaches of tokens drawn together that reserve and discard pile cannot have held."""
    breaches = []
    returned = len(drawn) > sum(reserve)
    for value in TOKEN_VALUES:
        n = drawn.count(value)
        most = reserve[value] + (pile[value] if returned else 0)
        if n > most:
            breaches.append(breach("tokens.reserve", phrase("tokens-most", n=most, m=value), phrase("drawn", n=n)))
        elif returned and n < reserve[value]:
            expected = phrase("tokens-all", n=reserve[value], m=value)
            breaches.append(breach("tokens.reserve", expected, phrase("drawn", n=n)))
    return breaches


def _has_unseen_card(state: State, act: RoundDealt) -> bool:
    """Whether a card in the game so far or in this deal was not seen."""
    if UNSEEN in (act.event, act.next_event) or UNSEEN in state.events_seen:
        return True
    return UNSEEN in [name for _, name in state.dealt] or UNSEEN in [dealt.card for dealt in act.market]


def has_right_token(card: str, token: int | None) -> bool:
    """Whether an event card has a token exactly if it shows one."""
    return card == UNSEEN or (card in EVENTS_WITH_TOKEN) == (token is not None)
