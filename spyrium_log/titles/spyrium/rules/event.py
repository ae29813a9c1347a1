"""Using the round's event card (S-5.4, S-8). One entry a card: what speaks against it, what it does."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from spyrium_log.errors import Breach
from spyrium_log.messages import Alternatives, card_message, choice_message, number_message
from spyrium_log.title import AnyPosting, Effects, Posting
from spyrium_log.titles.spyrium.cards import EXCHANGE, INVESTMENT, MOST_WORKERS
from spyrium_log.titles.spyrium.effects import EventTokenTaken, SpyriumFact
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.moves import GAINS, UseEvent
from spyrium_log.titles.spyrium.rules.activate import add_breaches_of_commerce, can_keep_token, token_postings
from spyrium_log.titles.spyrium.rules.bonus import add_bonus, breaches_of_residence, residence_postings
from spyrium_log.titles.spyrium.rules.building import add_use, breaches_of_inclined, breaches_of_uses
from spyrium_log.titles.spyrium.rules.market import add_breaches_of_placing
from spyrium_log.titles.spyrium.rules.turn import add_stray_breaches, breach
from spyrium_log.titles.spyrium.state import PLACES, State

Moved = list[AnyPosting]
Facts = list[SpyriumFact]

CHOICES: Final = ("gain", "residence", "choice", "slot", "effect", "gap")
COST_OF_OVERTIME: Final = 1


def add_breaches_of_event(state: State, act: UseEvent, breaches: list[Breach]) -> None:
    """Add what speaks against using the event, then against choices it does not ask for."""
    if state.mat(act.seat).used_event:
        breaches.append(breach("event.once", phrase("event-once"), phrase("second-use")))
    if act.declined:
        if state.options.event_effect == "required":
            breaches.append(breach("event.effect", phrase("whole-effect"), phrase("no-effect")))
        if state.event == "latecomer":
            breaches.extend(_breaches_of_phase(state, act))
        breaches.extend(_breaches_of_commerce(state, act))
        add_stray_breaches(act, CHOICES, breaches)
        return
    card = _CARDS.get(state.event)
    if card is None:
        breaches.append(breach("event.effect", phrase("known-event"), card_message(state.event)))
        return
    breaches.extend(card.breaches(state, act))
    breaches.extend(_breaches_of_commerce(state, act))
    add_stray_breaches(act, CHOICES, breaches, asked=card.asks)


def effects_of_event(state: State, act: UseEvent) -> Effects | None:
    """What using the event brings, nothing if declined; None where there is no such event or choice."""
    if act.declined:
        return Effects()
    card = _CARDS.get(state.event)
    moved: Moved = []
    facts: Facts = []
    if card is None or not card.add_effects(state, act, moved, facts):
        return None
    add_bonus(state, act.seat, moved, facts)
    return Effects(moved, facts)


def _breaches_of_windfall(state: State, act: UseEvent) -> list[Breach]:
    """Breaches unless a gain was chosen and a token lies on the event."""
    breaches = []
    if act.gain not in GAINS:
        chosen = phrase("no-choice") if act.gain is None else choice_message((act.gain,))
        breaches.append(breach("windfall.gain", phrase("windfall-gains"), chosen))
    if not state.event_token:
        breaches.append(breach("event.effect", phrase("token-on-event"), phrase("none")))
    return breaches


def _breaches_of_commerce(state: State, act: UseEvent) -> list[Breach]:
    """Breaches of changing the windfall's token by Commerce, once a round; none where it was not chosen."""
    breaches: list[Breach] = []
    if act.commerce is not None:
        uses_token = state.event == "windfall" and bool(state.event_token) and not act.declined
        add_breaches_of_commerce(state.mat(act.seat), act.commerce, breaches, uses_token=uses_token)
    return breaches


def _add_effects_of_windfall(state: State, act: UseEvent, moved: Moved, facts: Facts) -> bool:
    """Add the token's value as the resource chosen, and the token kept by option; False for no such resource."""
    token = state.event_token
    if act.gain is not None and act.gain not in GAINS:
        return False
    if act.gain is not None and token:
        moved.extend(token_postings(act, act.gain, token))
    mat = state.mat(act.seat)
    takes = state.options.commerce_event_token == "taken" and "commerce" in mat.techniques
    if takes and token and can_keep_token(state, mat):
        facts.append(EventTokenTaken(seat=act.seat))
    return True


def _breaches_of_estate(state: State, act: UseEvent) -> list[Breach]:
    """Breaches unless there is a Spyrium to pay and a possible residence action was chosen."""
    return _breaches_of_paying(state, act, "estate.spyrium", "spyrium", 1) + breaches_of_residence(
        state, act.seat, act.residence
    )


def _add_effects_of_estate(state: State, act: UseEvent, moved: Moved, _facts: Facts) -> bool:
    """Add one Spyrium paid and the residence action. True: this event cannot name what does not exist."""
    moved.append(Posting(act.seat, "spyrium", -1, "event"))
    moved.extend(residence_postings(state, act.seat, act.residence, "event"))
    return True


def _breaches_of_paying(state: State, act: UseEvent, rule: str, what: str, n: int) -> list[Breach]:
    """A breach if the seat has less of a resource than the event takes; none where it takes nothing."""
    at_hand: int = getattr(state.mat(act.seat), what)
    if at_hand >= n or n <= 0:
        return []
    if what == "money":
        return [breach(rule, phrase("money-at-hand", n=n), phrase("money", n=at_hand))]
    return [breach(rule, phrase("spyrium-at-hand", n=n), number_message(at_hand))]


class Trade(NamedTuple):
    """An event card that gives one thing for another, in ways to choose from."""

    rule: str
    pays: str
    gets: str
    ways: tuple[tuple[int, int], ...]

    def way(self, act: UseEvent) -> tuple[int, int] | None:
        """The amounts paid and received by the choice made; None where there is no such choice."""
        return self.ways[act.choice - 1] if act.choice is not None and 0 < act.choice <= len(self.ways) else None


TRADES: Final = {
    "investment": Trade("investment.choice", "money", "points", INVESTMENT),
    "exchange": Trade("exchange.choice", "spyrium", "money", EXCHANGE),
}


def _breaches_of_trade(state: State, act: UseEvent) -> list[Breach]:
    """Breaches of an investment or exchange: a way to trade was not chosen, or cannot be paid."""
    trade = TRADES[state.event]
    way = trade.way(act)
    if way is None:
        chosen = phrase("choice", n=act.choice) if act.choice else phrase("no-choice")
        return [breach(trade.rule, phrase("choices", options=_ways_message(state.event)), chosen)]
    paid, _ = way
    return _breaches_of_paying(state, act, trade.rule, trade.pays, paid)


@lru_cache
def _ways_message(event: str) -> Alternatives:
    """What an event takes and gives, by the choice for it: `1 (1 Spyrium → £3) or 2 (3 Spyrium → £6)`."""
    ways = [
        phrase("investment-way" if event == "investment" else "exchange-way", n=n, paid=paid, got=got)
        for n, (paid, got) in enumerate(TRADES[event].ways, 1)
    ]
    return Alternatives(tuple(ways))


def _add_effects_of_trade(state: State, act: UseEvent, moved: Moved, _facts: Facts) -> bool:
    """Add what an investment or exchange takes and gives; False where no such way was chosen."""
    trade = TRADES[state.event]
    way = trade.way(act)
    if way is None:
        return False
    paid, received = way
    moved.append(Posting(act.seat, trade.pays, -paid, "event"))
    moved.append(Posting(act.seat, trade.gets, received, "event"))
    return True


def _breaches_of_overtime(state: State, act: UseEvent) -> list[Breach]:
    """Breaches unless there is £1, an inclined building was chosen, and what its effect needs is there."""
    breaches = _breaches_of_paying(state, act, "overtime.money", "money", COST_OF_OVERTIME)
    if act.slot is None or act.effect is None:
        breaches.append(breach("building.use", phrase("building-and-effect"), phrase("no-choice")))
        return breaches
    mat = state.mat(act.seat)
    return breaches + breaches_of_inclined(mat, act.slot) + breaches_of_uses(mat, act.slot, (act.effect,))


def _add_effects_of_overtime(state: State, act: UseEvent, moved: Moved, facts: Facts) -> bool:
    """Add the pound and one use of the building; False where there is no such use."""
    if act.slot is None or act.effect is None:
        return False
    moved.append(Posting(act.seat, "money", -COST_OF_OVERTIME, "event"))
    return add_use(state, act.seat, act.slot, act.effect, moved, facts)


def _breaches_of_recruitment(state: State, act: UseEvent) -> list[Breach]:
    """Breaches unless there is £1 for each worker owned, and a worker left to take."""
    mat = state.mat(act.seat)
    breaches = _breaches_of_paying(state, act, "recruitment.money", "money", mat.workers)
    if mat.workers >= MOST_WORKERS:
        breaches.append(breach("recruitment.worker", phrase("worker-left"), phrase("all-owned", n=mat.workers)))
    return breaches


def _add_effects_of_recruitment(state: State, act: UseEvent, moved: Moved, _facts: Facts) -> bool:
    """Add £1 paid for each worker owned, and one new worker, by option one a pound. True: it names nothing."""
    owned = state.mat(act.seat).workers
    new = 1 if state.options.recruitment_count == "one" else owned
    if owned:
        moved.append(Posting(act.seat, "money", -owned, "event"))
    new = min(new, MOST_WORKERS - owned)
    if new > 0:
        moved.append(Posting(act.seat, "workers", new, "event"))
    return True


def _breaches_of_latecomer(state: State, act: UseEvent) -> list[Breach]:
    """Breaches unless it is phase II, a worker is active and a card lies beside the gap chosen."""
    breaches = _breaches_of_phase(state, act)
    add_breaches_of_placing(state, act, breaches)
    return breaches


def _breaches_of_phase(state: State, act: UseEvent) -> list[Breach]:
    """A breach in phase I, unless the act enters phase II: Latecomer is for phase II only."""
    if state.mat(act.seat).phase == 1 and not act.enter:
        return [breach("latecomer.phase", phrase("phase-2"), phrase("phase-1"))]
    return []


def _has_gap(_state: State, act: UseEvent, _moved: Moved, _facts: Facts) -> bool:
    """Whether the gap that Latecomer names exists. There is nothing to add: the fold places the worker."""
    return act.gap is not None and act.gap in PLACES


class EventRules(NamedTuple):
    """The rules of one event card: the choices that it asks for, and how to judge and apply its use.

    `add_effects` is False where the use names what does not exist.
    """

    asks: tuple[str, ...]
    breaches: Callable[[State, UseEvent], list[Breach]]
    add_effects: Callable[[State, UseEvent, Moved, Facts], bool]


_CARDS: Final = {
    "windfall": EventRules(("gain",), _breaches_of_windfall, _add_effects_of_windfall),
    "estate": EventRules(("residence",), _breaches_of_estate, _add_effects_of_estate),
    "investment": EventRules(("choice",), _breaches_of_trade, _add_effects_of_trade),
    "exchange": EventRules(("choice",), _breaches_of_trade, _add_effects_of_trade),
    "overtime": EventRules(("slot", "effect"), _breaches_of_overtime, _add_effects_of_overtime),
    "recruitment": EventRules((), _breaches_of_recruitment, _add_effects_of_recruitment),
    "latecomer": EventRules(("gap",), _breaches_of_latecomer, _has_gap),
}
