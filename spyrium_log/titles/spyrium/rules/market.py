"""Placing a worker, gaining money with one, and passing (S-5.3, S-5.5, S-5.8)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from spyrium_log.errors import Breach
from spyrium_log.messages import Alternatives, number_message
from spyrium_log.title import NOTHING, Effects, Posting
from spyrium_log.titles.spyrium.cards import MARKET
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.moves import ActivateCard, GainMoney, Gap, Pass, PlaceWorker, UseEvent
from spyrium_log.titles.spyrium.rules.turn import breach, no_such_gap, no_such_space
from spyrium_log.titles.spyrium.state import PLACES, SPACES, STRIDE, State

CAPITALIZATION_PAYS: Final = 2


def add_breaches_of_placing(state: State, act: PlaceWorker | UseEvent, breaches: list[Breach]) -> None:
    """Add what speaks against placing a worker: no gap chosen, no active worker, or no card beside the gap."""
    gap = act.gap
    if gap is None:
        breaches.append(breach("market.gap", phrase("gap"), phrase("no-choice")))
        return
    if state.mat(act.seat).active < 1:
        breaches.append(breach("worker.active", phrase("active-worker"), phrase("none")))
    if gap not in PLACES:
        breaches.append(no_such_gap(gap))
        return
    _, one, other = PLACES[gap]
    if not (state.market[one] or state.market[other]):
        breaches.append(breach("market.gap", phrase("card-beside-the-gap"), phrase("empty-beside-gap", n=gap)))


def effects_of_placing(_state: State, act: PlaceWorker) -> Effects | None:
    """Nothing is paid or gained; None where there is no such gap."""
    return NOTHING if act.gap in PLACES else None


def list_card_spaces(state: State, gap: Gap) -> list[int]:
    """The spaces beside a gap that hold a card."""
    _, one, other = PLACES[gap]
    market = state.market
    if market[one]:
        return [one, other] if market[other] else [one]
    return [other] if market[other] else []


def is_beside(state: State, gap: Gap, space: int) -> bool:
    """Whether a card lies on this space, beside the gap."""
    _, one, other = PLACES[gap]
    return space in (one, other) and state.market[space] != ""


def has_worker(state: State, seat: int, gap: Gap) -> bool:
    """Whether the seat has a worker in the gap."""
    return state.placed[PLACES[gap][0] + seat] > 0


def list_spaces_beside(state: State, seat: int) -> tuple[int, ...]:
    """The spaces beside a seat's workers, with or without a card."""
    return _find_spaces_beside(tuple(state.placed[seat::STRIDE]))


@lru_cache(maxsize=8192)
def _find_spaces_beside(own: tuple[int, ...]) -> tuple[int, ...]:
    """The spaces beside these workers, one number a gap. Cached, because the same placements come again and again."""
    return tuple(
        sorted({space for workers, spaces in zip(own, SPACES, strict=True) if workers > 0 for space in spaces})
    )


def count_others_around(state: State, act: GainMoney | ActivateCard, space: int) -> int:
    """Workers around a card but the acting one: who gains gets £1 for each, who activates pays £1 for each."""
    place, one, other = PLACES[act.gap]
    acting = space in (one, other) and state.placed[place + act.seat] > 0
    return state.around[space] - acting


def add_breaches_of_gaining(state: State, act: GainMoney, breaches: list[Breach]) -> None:
    """Add what speaks against gaining money: no own worker in the gap, or the wrong card beside it."""
    if act.gap not in PLACES:
        breaches.append(no_such_gap(act.gap))
        return
    if not has_worker(state, act.seat, act.gap):
        breaches.append(breach("gain.worker", phrase("own-worker"), phrase("none-in-gap", n=act.gap)))
    beside = list_card_spaces(state, act.gap)
    space = act.space
    if space is None:
        if beside:
            expected = phrase("card-to-choose", options=Alternatives(tuple(beside)))
            breaches.append(breach("gain.card", expected, phrase("none-chosen")))
    elif not 0 < space <= MARKET:
        breaches.append(no_such_space(space))
    elif space not in beside:
        expected = (
            phrase("card-beside-on-space", options=Alternatives(tuple(beside))) if beside else phrase("both-empty")
        )
        breaches.append(breach("gain.card", expected, phrase("space", n=space)))


def effects_of_gaining(state: State, act: GainMoney) -> Effects | None:
    """£1 for each other worker around the card, and £2 with Capitalization; None if gap or space does not exist."""
    seat = act.seat
    space = act.space
    if act.gap not in PLACES or (space is not None and not 0 < space <= MARKET):
        return None
    moved = []
    gained = count_others_around(state, act, space) if space is not None else 0
    if gained > 0:
        moved.append(Posting(seat, "money", gained, "gain"))
    is_paid = space is not None or state.options.empty_gap_capitalization == "pays"
    if is_paid and "capitalization" in state.mat(seat).techniques:
        moved.append(Posting(seat, "money", CAPITALIZATION_PAYS, "capitalization"))
    return Effects(moved)


def add_breaches_of_passing(state: State, act: Pass, breaches: list[Breach]) -> None:
    """Add a breach while a worker of the seat is in the market: nobody passes with one."""
    left = state.count_in_market(act.seat)
    if left > 0:
        breaches.append(breach("pass.workers", phrase("no-own-worker"), number_message(left)))
