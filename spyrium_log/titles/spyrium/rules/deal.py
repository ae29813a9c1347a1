"""What the table does: the start of a round (S-3, S-4, S-6), from decks and reserve, and the final count (S-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from spyrium_log.errors import Breach, Unchecked
from spyrium_log.messages import Card, Count, Message, Seat, Term, card_message, number_message, seat_message
from spyrium_log.title import AnyPosting, Draw, Effects, FinalCount, Posting
from spyrium_log.titles.spyrium.cards import (
    EVENTS,
    EVENTS_WITH_TOKEN,
    KIND_SIZES,
    KINDS,
    MARKET,
    PERIOD_OF_ROUND,
    PERIODS,
    ROUNDS,
    TOKEN_VALUES,
    UNSEEN,
    Design,
)
from spyrium_log.titles.spyrium.effects import CardNamed, SpyriumFact, TokensReturned
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.moves import DealtCard, RoundDealt
from spyrium_log.titles.spyrium.rules.bonus import add_bonus
from spyrium_log.titles.spyrium.rules.turn import breach, expected_next_message, find_awaited
from spyrium_log.titles.spyrium.scoring import TECHNIQUE_CAP, final_postings
from spyrium_log.titles.spyrium.state import State


def count_tokens_needed(state: State, card: str) -> int:
    """Number of tokens that are laid on a market card (S-4.3): a character takes one less than there are players."""
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
    """Breaches unless the future event becomes this round's with its token, and a new one becomes the future event."""
    breaches = []
    is_known = state.next_event not in ("", UNSEEN)
    new = [act.next_event] if is_known else [act.event, act.next_event]
    if is_known:
        if act.event != state.next_event:
            breaches.append(breach("event.follows", card_message(state.next_event), card_message(act.event)))
        if (act.event_token or 0) != state.next_token:
            expected = phrase("token-of-it", n=state.next_token) if state.next_token else phrase("no-token-of-it")
            breaches.append(breach("event.token", expected, _describe_token(act.event_token)))
    else:
        breaches.extend(_breaches_of_event_token(act.event, act.event_token))
    seen = list(state.events_seen)
    for card in new:
        if card != UNSEEN and card not in EVENTS:
            breaches.append(breach("event.unique", phrase("seven-events"), card_message(card)))
        elif card != UNSEEN and card in seen:
            breaches.append(breach("event.unique", phrase("new-event"), phrase("card-again", card=Card(card))))
        seen.append(card)
    return breaches + _breaches_of_event_token(act.next_event, act.next_token)


def _breaches_of_event_token(card: str, token: int | None) -> list[Breach]:
    """A breach unless a token lies on an event card exactly if the card shows one; an unseen card may have one."""
    shows_token = card in EVENTS_WITH_TOKEN
    if card == UNSEEN or shows_token == (token is not None):
        return []
    expected = phrase("token-on" if shows_token else "no-token-on", card=Card(card))
    return [breach("event.token", expected, _describe_token(token))]


def _describe_token(value: int | None) -> Message:
    """The token that lies on an event card, as the found part of a breach."""
    return phrase("token", n=value) if value else phrase("none")


def _breaches_of_market(state: State, act: RoundDealt) -> list[Breach]:
    """Breaches unless there are nine cards with their tokens; tokens may lack once none is left to draw."""
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
            expected = phrase("tokens-on", tokens=Count(wanted, "tokens"), card=Card(card))
            found = phrase("tokens-on-space", n=count, m=space)
            breaches.append(breach("market.tokens", expected, found, _list_unchecked_tokens(state, [card])))
    if lacking:
        drawn = len(list_event_draws(state, act)) + len(list_market_draws(act))
        left = sum(state.reserve) + sum(find_discard_pile(state)) - drawn
        if left > 0:
            expected = phrase("another-token") if lacking == 1 else phrase("more-tokens", n=lacking)
            unchecked = _list_unchecked_tokens(state, [dealt.card for dealt in act.market])
            breaches.append(breach("market.tokens", expected, phrase("none-drawn", n=left), unchecked))
    return breaches


def _list_unchecked_tokens(state: State, cards: Sequence[str]) -> tuple[Unchecked, ...]:
    """For those of these cards of which nobody checked whether they show a token, that value."""
    designs = [state.printed.designs[card] for card in dict.fromkeys(cards) if card in state.printed.designs]
    return tuple([value for design in designs for value in design.list_unchecked("token")])


def effects_of_deal(state: State, act: RoundDealt) -> Effects:
    """Revenue, the points of Taylorism where it scores each round, and whether the discard pile refills the reserve."""
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
    """A breach unless all rounds are over and no bonus is due."""
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
    events = [card for card in EVENTS if card not in state.events_seen]
    tokens = _draw_tokens(state, draw)
    if state.round:
        event, event_token = state.next_event, state.next_token or None
    else:
        event = draw(events, 1)[0]
        events.remove(event)
        event_token = next(tokens, None) if event in EVENTS_WITH_TOKEN else None
    next_event = draw(events, 1)[0] if events else UNSEEN
    next_token = next(tokens, None) if next_event in EVENTS_WITH_TOKEN else None
    deck = [card for card, n in count_cards_left(state).items() for _ in range(n)]
    cards = draw(deck, min(MARKET, len(deck)))
    return RoundDealt(
        round=state.round + 1,
        first=next_first_seat(state),
        event=event,
        event_token=event_token,
        next_event=next_event,
        next_token=next_token,
        market=tuple([DealtCard(card=c, tokens=tuple(islice(tokens, count_tokens_needed(state, c)))) for c in cards]),
    )


def count_cards_left(state: State) -> dict[str, int]:
    """By card, the copies that the deck of the next round's period still holds."""
    period = PERIOD_OF_ROUND.get(state.round + 1, PERIODS[-1])
    # cards of round 0 were stated in a position: they may be of any period
    dealt = Counter(card for round_, card in state.dealt if PERIOD_OF_ROUND.get(round_) == period)
    return {card: d.copies[PERIODS.index(period)] - dealt[card] for card, d in state.printed.designs.items()}


def _draw_tokens(state: State, draw: Draw) -> Iterator[int]:
    """Tokens drawn one by one from the reserve and, once it is empty, from the discard pile."""
    for pile in (state.reserve, find_discard_pile(state)):
        left = [value for value in TOKEN_VALUES for _ in range(pile[value])]
        while left:
            value: int = draw(left, 1)[0]
            left.remove(value)
            yield value


def breaches_of_cards(state: State, round_: int, new: Sequence[str]) -> list[Breach]:
    """Breaches of new cards in a round: unknown ones, or more of one card or kind than the game or period has."""
    breaches = []
    period = PERIOD_OF_ROUND.get(round_, "")
    at = PERIODS.index(period) if period else -1
    designs = state.printed.designs
    counts = {name: new.count(name) for name in new}
    counts_in_period = counts.copy()
    for number, name in state.dealt:
        if name in counts:
            counts[name] += 1
            counts_in_period[name] += PERIOD_OF_ROUND.get(number) == period
    for name, count in counts.items():
        design = designs.get(name)
        if design is None:
            if name != UNSEEN:
                breaches.append(breach("cards.composition", phrase("game-card"), card_message(name)))
        elif count > 1 and design.kind == "technique":
            breaches.append(breach("cards.composition", phrase("one-in-game", card=Card(name)), number_message(count)))
        elif count > sum(design.copies):
            expected = phrase("copies-in-game", n=sum(design.copies), card=Card(name))
            breaches.append(_breach_of_deck(design, PERIODS, expected, count))
        elif at >= 0 and counts_in_period[name] > design.copies[at]:
            expected = phrase("copies-in-period", n=design.copies[at], card=Card(name), word=period.upper())
            breaches.append(_breach_of_deck(design, (period,), expected, counts_in_period[name]))
    kinds = [*map(KINDS.get, [name for _, name in state.dealt]), *map(KINDS.get, new)]
    for kind, size in KIND_SIZES.items():
        if len(kinds) > size < (cards := kinds.count(kind)):
            expected = phrase("cards-of-kind", n=size, kind=Term("kinds", kind))
            breaches.append(breach("cards.composition", expected, number_message(cards)))
    return breaches


def _breach_of_deck(design: Design, periods: Sequence[str], expected: Message, count: int) -> Breach:
    """The breach of more copies than these periods hold; it may be the sheet's fault where their number is assumed."""
    return breach(
        "cards.deck", expected, number_message(count), design.list_unchecked(*(f"copies-{p}" for p in periods))
    )


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
    """The tokens drawn for event cards: the round's, unless it lay there as the future event, then the future one's."""
    first = [act.event_token] if act.event_token and not state.next_token else []
    return [*first, act.next_token] if act.next_token else first


def list_market_draws(act: RoundDealt) -> list[int]:
    """The tokens drawn for the cards of the market, in the order of its spaces."""
    return [value for dealt in act.market for value in dealt.tokens]


def find_discard_pile(state: State) -> list[int]:
    """Tokens of the discard pile by value, with those that the end of the round adds: of the market and the event."""
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
            expected = phrase("tokens-to-draw", tokens=Count(most, "tokens"), m=value)
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
    """Breaches where these tokens cannot have been drawn together; `reserve` and discard `pile`: counts by value."""
    breaches = []
    # then all of it was drawn, and the rest came from the pile
    reserve_ran_out = len(drawn) > sum(reserve)
    for value in TOKEN_VALUES:
        n = drawn.count(value)
        most = reserve[value] + (pile[value] if reserve_ran_out else 0)
        if n > most:
            expected = phrase("tokens-most", tokens=Count(most, "tokens"), m=value)
            breaches.append(breach("tokens.reserve", expected, phrase("drawn", n=n)))
        elif reserve_ran_out and n < reserve[value]:
            expected = phrase("tokens-all", tokens=Count(reserve[value], "tokens"), m=value)
            breaches.append(breach("tokens.reserve", expected, phrase("drawn", n=n)))
    return breaches


def _has_unseen_card(state: State, act: RoundDealt) -> bool:
    """Whether a card in the game so far or in this deal was not seen."""
    if UNSEEN in (act.event, act.next_event) or UNSEEN in state.events_seen:
        return True
    return UNSEEN in [name for _, name in state.dealt] or UNSEEN in [dealt.card for dealt in act.market]
