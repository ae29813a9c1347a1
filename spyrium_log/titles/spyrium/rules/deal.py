"""What the table does: the start of a round (S-3, S-4, S-6), and the final count (S-10)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from spyrium_log.errors import Breach
from spyrium_log.messages import Card, Message, Seat, card_message, number_message, seat_message
from spyrium_log.title import AnyPosting, Draw, Effects, FinalCount, Posting
from spyrium_log.titles.spyrium.cards import EVENTS, EVENTS_WITH_TOKEN, MARKET, PERIODS, ROUNDS, TOKEN_VALUES, UNSEEN
from spyrium_log.titles.spyrium.effects import SpyriumFact, TokensReturned
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.moves import DealtCard, RoundDealt
from spyrium_log.titles.spyrium.rules.bonus import add_bonus
from spyrium_log.titles.spyrium.rules.decks import (
    breaches_of_cards,
    breaches_of_tokens,
    find_discard_pile,
    has_right_token,
    list_event_draws,
    list_market_draws,
    period_of,
)
from spyrium_log.titles.spyrium.rules.turn import breach, expected_next_message, find_awaited
from spyrium_log.titles.spyrium.scoring import TECHNIQUE_CAP, final_postings
from spyrium_log.titles.spyrium.state import State


def count_tokens_needed(state: State, card: str) -> int:
    """Number of tokens that a market card needs (S-4.3)."""
    design = state.printed.designs.get(card)
    if design is None or not design.token:
        return 0
    return state.seats - 1 if design.kind == "character" else 1


def next_first_seat(state: State) -> int:
    """The first player of the next round: the seat to the left; before round 1 as the game began."""
    return state.first % state.seats + 1 if state.round else state.first


def breaches_of_deal(state: State, act: RoundDealt) -> list[Breach]:
    """Breaches of a deal: its time, events, market, tokens, cards and first player."""
    breaches = []
    if act.round != state.round + 1 or act.round > ROUNDS:
        expected = phrase("round", n=state.round + 1) if state.round < ROUNDS else phrase("no-round", n=ROUNDS)
        breaches.append(breach("round.number", expected, phrase("round", n=act.round)))
    awaited = find_awaited(state)
    if awaited.kind != "deal":
        # anything else wrong with a deal that comes too early follows from that
        rule = "bonus.pending" if awaited.kind == "choice" else "turn.order"
        return [*breaches, breach(rule, expected_next_message(state), phrase("dealt", n=act.round))]
    breaches.extend(_breaches_of_events(state, act))
    breaches.extend(_breaches_of_market(state, act))
    breaches.extend(breaches_of_tokens(state, act))
    breaches.extend(breaches_of_cards(state, act.round, [card.card for card in act.market]))
    if act.first != next_first_seat(state):
        expected = phrase("first", seat=Seat(next_first_seat(state)))
        breaches.append(breach("first.left", expected, seat_message(act.first)))
    return breaches


def _breaches_of_events(state: State, act: RoundDealt) -> list[Breach]:
    """The future event becomes this round's, with its token; an unseen one may be any."""
    breaches = []
    is_known = state.next_event not in ("", UNSEEN)
    new = [act.next_event] if is_known else [act.event, act.next_event]
    if is_known:
        if act.event != state.next_event:
            breaches.append(breach("event.follows", card_message(state.next_event), card_message(act.event)))
        if (act.event_token or 0) != state.next_token:
            expected = phrase("token-of-it", n=state.next_token) if state.next_token else phrase("no-token-of-it")
            breaches.append(breach("event.token", expected, _found_token(act.event_token)))
    elif not has_right_token(act.event, act.event_token):
        breaches.append(breach("event.token", _expected_token(act.event), _found_token(act.event_token)))
    seen = list(state.events_seen)
    for card in new:
        if card != UNSEEN and card not in EVENTS:
            breaches.append(breach("event.unique", phrase("seven-events"), card_message(card)))
        elif card != UNSEEN and card in seen:
            breaches.append(breach("event.unique", phrase("new-event"), phrase("card-again", card=Card(card))))
        seen.append(card)
    if not has_right_token(act.next_event, act.next_token):
        breaches.append(breach("event.token", _expected_token(act.next_event), _found_token(act.next_token)))
    return breaches


def _expected_token(card: str) -> Message:
    """Whether the event card shows a token, as the expected part of a breach."""
    return phrase("token-on" if card in EVENTS_WITH_TOKEN else "no-token-on", card=Card(card))


def _found_token(value: int | None) -> Message:
    """The token on an event card, as the found part of a breach."""
    return phrase("token", n=value) if value else phrase("none")


def _breaches_of_market(state: State, act: RoundDealt) -> list[Breach]:
    """Nine cards, each with its tokens; too few only while tokens are left to draw."""
    breaches = []
    if len(act.market) != MARKET:
        breaches.append(breach("market.size", phrase("cards", n=MARKET), number_message(len(act.market))))
    lacking = 0
    for space, dealt in enumerate(act.market, 1):
        card, count = dealt.card, len(dealt.tokens)
        wanted = count_tokens_needed(state, card)
        if count < wanted:
            lacking += wanted - count
        elif count > wanted and card != UNSEEN:
            expected = phrase("tokens-on", n=wanted, card=Card(card))
            breaches.append(breach("market.tokens", expected, phrase("tokens-on-space", n=count, m=space)))
    if lacking:
        drawn = len(list_event_draws(state, act)) + len(list_market_draws(act))
        left = sum(state.reserve) + sum(find_discard_pile(state)) - drawn
        if left > 0:
            expected = phrase("another-token") if lacking == 1 else phrase("more-tokens", n=lacking)
            breaches.append(breach("market.tokens", expected, phrase("none-drawn", n=left)))
    return breaches


def effects_of_deal(state: State, act: RoundDealt) -> Effects:
    """Revenue, Taylorism where it scores each round, and whether the discard pile returns."""
    moved: list[AnyPosting] = []
    facts: list[SpyriumFact] = []
    for seat in range(1, state.seats + 1):
        mat = state.mats[seat]
        if state.round and state.options.taylorism_scores == "end-of-round" and "taylorism" in mat.techniques:
            scored: list[AnyPosting] = [Posting(seat, "points", min(TECHNIQUE_CAP, mat.workers), "taylorism")]
            add_bonus(state, seat, scored, facts)
            moved.extend(scored)
        pounds = state.printed.residence(mat.residence)
        if pounds:
            moved.append(Posting(seat, "money", pounds, "revenue"))
    drawn = len(list_event_draws(state, act)) + len(list_market_draws(act))
    left = sum(state.reserve)
    if drawn > left or (drawn == left and drawn and state.options.token_reshuffle == "when-empty"):
        facts.append(TokensReturned())
    return Effects(moved, facts)


def breaches_of_final(state: State, _act: FinalCount) -> list[Breach]:
    """A breach unless all rounds are over; a bonus that is due is its own rule."""
    awaited = find_awaited(state)
    if awaited.kind == "final":
        return []
    rule = "bonus.pending" if awaited.kind == "choice" else "final.due"
    return [breach(rule, expected_next_message(state), phrase("final"))]


def effects_of_final(state: State, _act: FinalCount) -> Effects:
    """The points of the count, and by option the bonuses that they bring."""
    moved = final_postings(state)
    facts: list[SpyriumFact] = []
    if state.options.bonus_in_final_scoring == "yes":
        for seat in state.list_seats_clockwise():
            own = [posting for posting in moved if posting.who == seat]
            count = len(own)
            add_bonus(state, seat, own, facts)
            moved.extend(own[count:])
    return Effects(moved, facts)


def draw_deal(state: State, draw: Draw) -> RoundDealt:
    """Deal the next round from the cards and tokens left; `draw(pool, k)` picks k of a pool by chance."""
    round_ = state.round + 1
    period = period_of(round_)
    dealt = [name for number, name in state.dealt if period_of(number) == period]
    pool = [
        name
        for name, design in state.printed.designs.items()
        for _ in range(design.copies[PERIODS.index(period)] - dealt.count(name))
    ]
    events = [card for card in EVENTS if card not in state.events_seen]
    drawn = _draw_tokens(state, draw)
    if state.round:
        event, event_token = state.next_event, state.next_token or None
    else:
        event = draw(events, 1)[0]
        events.remove(event)
        event_token = next(drawn, None) if event in EVENTS_WITH_TOKEN else None
    next_event = draw(events, 1)[0] if events else UNSEEN
    next_token = next(drawn, None) if next_event in EVENTS_WITH_TOKEN else None
    cards = draw(pool, min(MARKET, len(pool)))
    return RoundDealt(
        round=round_,
        first=next_first_seat(state),
        event=event,
        event_token=event_token,
        next_event=next_event,
        next_token=next_token,
        market=tuple(
            DealtCard(card=card, tokens=tuple(islice(drawn, count_tokens_needed(state, card)))) for card in cards
        ),
    )


def _draw_tokens(state: State, draw: Draw) -> Iterator[int]:
    """Tokens drawn one by one from the reserve and, once it is empty, from the discard pile."""
    for pile in (state.reserve, find_discard_pile(state)):
        left = [value for value in TOKEN_VALUES for _ in range(pile[value])]
        while left:
            value: int = draw(left, 1)[0]
            left.remove(value)
            yield value
