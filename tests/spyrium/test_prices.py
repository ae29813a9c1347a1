"""One price: what the market offers, what is legal and what is paid agree on every decision of whole games."""

from __future__ import annotations

import random
from collections import Counter

from spyrium_log.titles import TITLES
from spyrium_log.titles.spyrium.legal import compute_offers, list_activations, list_legal_decisions
from spyrium_log.titles.spyrium.moves import ActivateCard
from spyrium_log.titles.spyrium.options import Options
from spyrium_log.titles.spyrium.rules import find_breaches
from spyrium_log.titles.spyrium.rules.activate import quote, total_pounds
from spyrium_log.titles.spyrium.rules.turn import find_awaited
from spyrium_log.titles.spyrium.state import State
from tests.games import moves, start
from tests.shares import part
from tests.spyrium.test_altered import options

SPYRIUM = TITLES["spyrium"]
GAMES = part(200, 2)
GAPS = (12, 23, 45, 56, 78, 89, 14, 25, 36, 47, 58, 69)


def check_prices(state: State, counts: Counter[str]) -> None:
    """Every way to activate a card beside a worker, quoted, against the offers and the legal acts."""
    seat = find_awaited(state).seat
    enter = state.mats[seat].phase == 1
    offered = compute_offers(state, seat)
    ways: dict[int, list[ActivateCard]] = {space: [] for space in offered.reachable}
    for gap in GAPS:
        for space in divmod(gap, 10):
            if state.placed[GAPS.index(gap) * 10 + seat] > 0 and space in ways:
                ways[space] += list_activations(state, seat, gap, space, enter=enter)  # type: ignore[arg-type]
    lawful = {act for act in list_legal_decisions(state) if isinstance(act, ActivateCard)}
    for space, affordable, price in zip(offered.reachable, offered.affordable, offered.prices, strict=True):
        possible = [act for act in ways[space] if not find_breaches(state, act)]
        assert {act for act in lawful if act.space == space} == set(possible)
        design = state.printed.designs[state.market[space]]
        plain = [act for act in possible if not act.lobbying and act.commerce is None]
        prices = [total_pounds(quote(state, act, design)) for act in plain]
        assert (affordable, price) == (bool(possible), min(prices, default=None))
        counts["ways to activate, quoted"] += len(ways[space])
        counts["offers compared with quotes"] += 1


def test_offers_and_legal_ask_for_the_price_that_is_paid(counts: Counter[str]) -> None:
    for number in range(GAMES):
        drawn: Options = options(random.Random(number))
        play = start(SPYRIUM, number, options=drawn)
        for _ in moves(play, number):
            if find_awaited(play.state).kind == "decision":
                check_prices(play.state, counts)
                counts["decisions whose prices were compared"] += 1
        counts["games whose prices were compared"] += 1
