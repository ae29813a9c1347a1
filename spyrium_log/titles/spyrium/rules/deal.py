"""The start of a round, and what its cards and tokens say of the decks and the reserve (S-3, S-4, S-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spyrium_log.errors import Breach
from spyrium_log.title import AnyPosting, Effects, Posting
from spyrium_log.titles.spyrium.cards import (
    EVENTS,
    EVENTS_WITH_TOKEN,
    KIND_SIZES,
    KINDS,
    MARKET,
    PERIOD_OF_ROUND,
    PERIODS,
    TOKEN_VALUES,
    UNSEEN,
)
from spyrium_log.titles.spyrium.effects import TokensReturned
from spyrium_log.titles.spyrium.moves import DealtCard, RoundDealt
from spyrium_log.titles.spyrium.rules.bonus import add_bonus
from spyrium_log.titles.spyrium.rules.turn import awaits, breach

if TYPE_CHECKING:
    from spyrium_log.title import Draw
    from spyrium_log.titles.spyrium.cards import Design
    from spyrium_log.titles.spyrium.effects import SpyriumFact
    from spyrium_log.titles.spyrium.state import State

TECHNIQUE_CAP = 7


def tokens_for(state: State, card: str) -> int:
    """How many tokens a market card asks for (S-4.3)."""
    design = state.printed.designs.get(card)
    if design is None or not design.token:
        return 0
    return state.seats - 1 if design.kind == "character" else 1


def draws(state: State, act: RoundDealt) -> list[int]:
    """The tokens drawn for this deal, in order: the event's before the market's."""
    drawn = []
    if act.event_token and not state.next_token:
        drawn.append(act.event_token)
    if act.next_token:
        drawn.append(act.next_token)
    for dealt in act.market:
        drawn.extend(dealt.tokens)
    return drawn


def discarded(state: State) -> list[int]:
    """The discard pile as it is once the round before is cleared away."""
    pile = state.discard.copy()
    for tokens in state.tokens:
        for value in tokens:
            pile[value] += 1
    if state.event_token:
        pile[state.event_token] += 1
    return pile


def next_first(state: State) -> int:
    return state.first % state.seats + 1 if state.round else state.first


def breaches_of_deal(state: State, act: RoundDealt) -> list[Breach]:
    found: list[Breach] = []
    awaited = awaits(state)
    if awaited.kind != "deal":
        found.append(breach("turn.order", f"a {awaited.kind}", f"round {act.round} dealt"))
    if act.round != state.round + 1:
        found.append(breach("round.number", f"round {state.round + 1}", f"round {act.round}"))
    found.extend(_against_events(state, act))
    found.extend(_against_market(state, act))
    found.extend(_against_tokens(state, act))
    found.extend(_against_cards(state, act))
    if act.first != next_first(state):
        found.append(breach("first.left", f"seat {next_first(state)} first", f"seat {act.first}"))
    return found


def _against_events(state: State, act: RoundDealt) -> list[Breach]:
    found = []
    if state.round:
        if act.event != state.next_event:
            found.append(breach("event.follows", f"'{state.next_event}'", f"'{act.event}'"))
        if (act.event_token or 0) != state.next_token:
            found.append(
                breach("event.token", f"the token on it, {state.next_token or 'none'}", _token(act.event_token))
            )
    elif not _token_fits(act.event, act.event_token):
        found.append(breach("event.token", _wanted(act.event), _token(act.event_token)))
    seen = [*state.events_seen, *([] if state.round else [act.event])]
    found += [
        breach("event.unique", "one of the seven event cards", f"'{card}'")
        for card in (act.next_event, *(() if state.round else (act.event,)))
        if card not in EVENTS and card != UNSEEN
    ]
    if act.next_event in seen and act.next_event != UNSEEN:
        found.append(breach("event.unique", "an event card not seen yet", f"'{act.next_event}' again"))
    if not _token_fits(act.next_event, act.next_token):
        found.append(breach("event.token", _wanted(act.next_event), _token(act.next_token)))
    return found


def _token_fits(card: str, token: int | None) -> bool:
    return card == UNSEEN or (card in EVENTS_WITH_TOKEN) == (token is not None)


def _wanted(card: str) -> str:
    return f"a token on '{card}'" if card in EVENTS_WITH_TOKEN else f"no token on '{card}'"


def _token(value: int | None) -> str:
    return f"token {value}" if value else "none"


def _against_market(state: State, act: RoundDealt) -> list[Breach]:
    found = []
    if len(act.market) != MARKET:
        found.append(breach("market.size", f"{MARKET} cards", f"{len(act.market)}"))
    lacking = 0
    for space, dealt in enumerate(act.market, 1):
        wanted = tokens_for(state, dealt.card)
        lacking += max(0, wanted - len(dealt.tokens))
        if len(dealt.tokens) > wanted and dealt.card != UNSEEN:
            expected = f"{wanted} tokens on '{dealt.card}'"
            found.append(breach("market.tokens", expected, f"{len(dealt.tokens)} on space {space}"))
    if lacking:
        left = sum(state.reserve) + sum(discarded(state)) - len(draws(state, act))
        if left > 0:
            expected = f"{lacking} more tokens on the market's cards"
            found.append(breach("market.tokens", expected, f"{left} left undrawn"))
    return found


def _against_tokens(state: State, act: RoundDealt) -> list[Breach]:
    """As one batch: within the reserve, or all of it and the rest from the discard pile (S-4.5)."""
    drawn = draws(state, act)
    if not drawn:
        return []
    found = []
    pile = discarded(state)
    returned = len(drawn) > sum(state.reserve)
    for value in TOKEN_VALUES:
        n = drawn.count(value)
        most = state.reserve[value] + (pile[value] if returned else 0)
        if n > most:
            found.append(breach("tokens.reserve", f"at most {most} tokens of value {value}", f"{n} drawn"))
        elif returned and n < state.reserve[value]:
            least = state.reserve[value]
            found.append(breach("tokens.reserve", f"all {least} tokens of value {value} that were left", f"{n} drawn"))
    return found


def _against_cards(state: State, act: RoundDealt) -> list[Breach]:
    """What is certain is a finding on the record, what is only assumed one on the sheet (S-4.6)."""
    found = []
    period = _period(act.round)
    index = PERIODS.index(period)
    here = [card.card for card in act.market]
    names = [name for _, name in state.dealt] + here
    in_period = [name for round_, name in state.dealt if _period(round_) == period] + here
    for name in dict.fromkeys(here):
        if name == UNSEEN:
            continue
        design = state.printed.designs.get(name)
        if design is None:
            found.append(breach("cards.deck", "a card of the game", f"'{name}'"))
            continue
        copies = sum(design.copies)
        many = names.count(name)
        if many > copies:
            text = breach("cards.deck", f"at most {copies} '{name}' in the game", f"{many}")
            certain = design.kind == "technique" or not _is_assumed(design, period)
            found.append(text if certain else _on_sheet(text))
        elif (many := in_period.count(name)) > design.copies[index]:
            expected = f"at most {design.copies[index]} '{name}' in period {period.upper()}"
            text = breach("cards.deck", expected, f"{many}")
            found.append(_on_sheet(text) if _is_assumed(design, period) else text)
    kinds = [KINDS.get(name) for name in names]
    for kind, size in KIND_SIZES.items():
        if kinds.count(kind) > size:
            found.append(breach("cards.composition", f"at most {size} {kind} cards", f"{kinds.count(kind)}"))
    return found


def _period(round_: int) -> str:
    return PERIOD_OF_ROUND.get(round_, PERIODS[-1])


def _is_assumed(design: Design, period: str) -> bool:
    return f"copies-{period}" in design.assumed


def _on_sheet(text: Breach) -> Breach:
    return Breach(text.rule, text.number, text.expected, text.found, "sheet")


def effects_of_deal(state: State, act: RoundDealt) -> Effects:
    moved: list[AnyPosting] = []
    facts: list[SpyriumFact] = []
    for seat in state.clockwise():
        mat = state.mats[seat]
        if state.round and state.options.taylorism_scores == "end-of-round" and "taylorism" in mat.techniques:
            scored: list[AnyPosting] = [Posting(seat, "points", min(TECHNIQUE_CAP, mat.workers), "taylorism")]
            add_bonus(state, seat, scored, facts)
            moved.extend(scored)
        pounds = state.printed.residence(mat.residence)
        if pounds:
            moved.append(Posting(seat, "money", pounds, "revenue"))
    drawn = len(draws(state, act))
    left = sum(state.reserve)
    if drawn > left or (drawn == left and drawn and state.options.token_reshuffle == "when-empty"):
        facts.append(TokensReturned())
    return Effects(moved, facts)


def deal(state: State, draw: Draw) -> RoundDealt:
    """The next round out of the cards and tokens that are left. `draw(pool, k)` is the caller's chance."""
    round_ = state.round + 1
    period = _period(round_)
    dealt = [name for number, name in state.dealt if _period(number) == period]
    pool = [
        name
        for name, design in state.printed.designs.items()
        for _ in range(design.copies[PERIODS.index(period)] - dealt.count(name))
    ]
    events = [card for card in EVENTS if card not in state.events_seen]
    bag = _Bag(state, draw)
    if state.round:
        event, event_token = state.next_event, state.next_token or None
    else:
        event = draw(events, 1)[0]
        events.remove(event)
        event_token = bag.take() if event in EVENTS_WITH_TOKEN else None
    next_event = draw(events, 1)[0] if events else UNSEEN
    next_token = bag.take() if next_event in EVENTS_WITH_TOKEN else None
    market = []
    for card in draw(pool, min(MARKET, len(pool))):
        tokens = [value for _ in range(tokens_for(state, card)) if (value := bag.take())]
        market.append(DealtCard(card=card, tokens=tuple(tokens)))
    return RoundDealt(
        round=round_,
        first=next_first(state),
        event=event,
        event_token=event_token,
        next_event=next_event,
        next_token=next_token,
        market=tuple(market),
    )


class _Bag:
    """The reserve, and the discard pile once it is needed."""

    def __init__(self, state: State, draw: Draw) -> None:
        self.draw = draw
        self.left = [value for value in TOKEN_VALUES for _ in range(state.reserve[value])]
        self.pile = [value for value in TOKEN_VALUES for _ in range(discarded(state)[value])]

    def take(self) -> int | None:
        if not self.left:
            self.left, self.pile = self.pile, []
        if not self.left:
            return None
        value: int = self.draw(self.left, 1)[0]
        self.left.remove(value)
        return value
