"""A decision with one field altered is legal or breaks a rule, never neither and never both; and `offers` counts.

`python -m tests.spyrium.test_altered 1000000` runs the long campaign and prints what it has tried.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import pytest
from msgspec import inspect, structs

from spyrium_log.title import Offers
from spyrium_log.titles.spyrium import SPYRIUM
from spyrium_log.titles.spyrium.legal import compute_offers, list_legal_decisions
from spyrium_log.titles.spyrium.moves import DECISIONS, ActivateCard, Decision, GainMoney
from spyrium_log.titles.spyrium.options import Options
from spyrium_log.titles.spyrium.rules.turn import RULES
from spyrium_log.titles.spyrium.state import State
from tests.games import draw_options, moves, start
from tests.scribe import Scribe, market, mat, workers

ALTERATIONS = 60_000
NAMES = ("mine-1", "mine-3", "residence-1", "banker", "crane", "?", "castle")
MOST = 9
THIN = 0.15
# A seat that does not exist breaks S-1.1, before everything else.
PLACE = {rule: place for place, rule in enumerate(RULES, 1)} | {"seat.exists": 0}
# What a bonus brings in the same act is no part of a price.
COSTS = frozenset(("price", "symbol", "crowd", "lobbying", "site", "crane", "token", "commerce"))


@dataclass
class Tally:
    """What was tried, and what went against the law."""

    tried: Counter[str] = field(default_factory=Counter)
    neither: list[str] = field(default_factory=list)
    both: list[str] = field(default_factory=list)
    disordered: list[str] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)


# --- alterations ---------------------------------------------------------------------------------


@cache
def values(kind: type[Decision]) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """Every field of a kind of decision, with the values of its type."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return tuple((each.name, tuple(_values(each.type))) for each in info.fields)


def _values(kind: inspect.Type) -> Iterator[Any]:
    match kind:
        case inspect.UnionType(types=types):
            for each in types:
                yield from _values(each)
        case inspect.NoneType():
            yield None
        case inspect.BoolType():
            yield from (False, True)
        case inspect.IntType(ge=low, le=high):
            assert low is not None
            assert high is not None
            yield from range(low, min(high, MOST) + 1)
        case inspect.LiteralType(values=literals):
            yield from literals
        case inspect.StrType():
            yield from NAMES
        case _:
            raise TypeError(f"no values known for {kind}")


def altered(act: Decision) -> Iterator[Decision]:
    """The act with one field said otherwise, in every way."""
    for name, others in values(type(act)):
        was = getattr(act, name)
        for value in others:
            if value != was:
                yield structs.replace(act, **{name: value})


def check(tally: Tally, state: State, act: Decision, lawful: frozenset[Decision]) -> None:
    for other in altered(act):
        breaches = SPYRIUM.breaches(state, other)
        tally.tried["alterations"] += 1
        if other in lawful:
            tally.tried["alterations that are legal"] += 1
            if breaches:
                tally.both.append(f"{other}: {breaches[0]}")
        elif not breaches:
            tally.neither.append(repr(other))
        elif breaches[0] != min(breaches, key=lambda breach: (breach.on == "sheet", PLACE[breach.rule])):
            tally.disordered.append(f"{other}: {[breach.rule for breach in breaches]}")


# --- offers --------------------------------------------------------------------------------------


def counted(state: State, lawful: frozenset[Decision]) -> Offers:
    """What the market offers, from the legal decisions alone: an own worker beside a card may always gain money."""
    beside = {act.space for act in lawful if isinstance(act, GainMoney)}
    ways: dict[int, list[ActivateCard]] = {}
    for act in lawful:
        if isinstance(act, ActivateCard):
            ways.setdefault(act.space, []).append(act)
    spaces = tuple(space for space, card in enumerate(state.market) if card)
    within = tuple(space for space in spaces if space in beside)
    assert set(ways) <= set(within)
    return Offers(
        where=spaces,
        cards=tuple(state.market[space] for space in spaces),
        reachable=within,
        affordable=tuple(space in ways for space in within),
        prices=tuple(
            min((cost(state, act) for act in ways.get(space, ()) if unhelped(act)), default=None) for space in within
        ),
    )


def unhelped(act: ActivateCard) -> bool:
    return not act.lobbying and act.commerce is None


def cost(state: State, act: ActivateCard) -> int:
    given = SPYRIUM.effects(state, act)
    assert given is not None
    return -sum(posting.n for posting in given.moved if posting.what == "money" and posting.why in COSTS)


def check_offers(tally: Tally, state: State, lawful: frozenset[Decision]) -> None:
    awaited = SPYRIUM.awaits(state)
    if awaited.kind != "decision":
        return
    expected, found = counted(state, lawful), compute_offers(state, awaited.seat)
    tally.tried["offers"] += len(expected.where)
    tally.tried["offers that are affordable"] += sum(expected.affordable)
    if found != expected:
        tally.offered.append(f"{found}, counted {expected}")


class Offer(NamedTuple):
    """A card alone in the market, and a worker beside it of a seat with so much money over what is printed."""

    card: str
    over: int
    techniques: tuple[str, ...] = ()
    tilted: tuple[str, ...] = ()
    beside: str = "1"


OUT_OF_REACH, WITH_HELP = (None, False), (None, True)
OFFERED = {
    Offer("banker:23", 2): (2, True),
    Offer("banker:23", 1): OUT_OF_REACH,
    Offer("banker:23", 2, ("commerce",)): (2, True),
    Offer("banker:23", 1, ("commerce",)): WITH_HELP,
    Offer("banker:23", 0, ("commerce",)): OUT_OF_REACH,
    Offer("banker:23", 1, ("commerce",), ("commerce",)): OUT_OF_REACH,
    # what Commerce cannot make less
    Offer("banker:13", 0, ("commerce",)): OUT_OF_REACH,
    # another worker beside it
    Offer("banker:23", 2, ("commerce",), beside="12"): WITH_HELP,
    Offer("banker:23", 1, ("commerce",), beside="12"): OUT_OF_REACH,
    Offer("banker:23", 1, ("lobbying",), beside="12"): OUT_OF_REACH,
    Offer("banker:23", 1, ("commerce", "lobbying"), beside="12"): WITH_HELP,
    Offer("banker:23", 1, ("commerce", "lobbying"), ("lobbying",), "12"): OUT_OF_REACH,
    # a token that is no part of the price
    Offer("miner:23", 0, ("commerce",), beside="12"): OUT_OF_REACH,
}


@pytest.mark.parametrize("offer", OFFERED, ids=str)
def test_what_commerce_makes_affordable_is_offered_without_a_price(offer: Offer) -> None:
    scribe = Scribe("game-offered", seats=2)
    printed = scribe.state.printed.designs[offer.card.partition(":")[0]].price
    own = mat(1, money=printed + offer.over, spyrium=9, workers=3, active=2, residence=2)
    scribe.resync(
        "a table",
        round=4,
        first=1,
        event="estate",
        market=market(offer.card),
        workers=workers(g12=offer.beside),
        mats=(structs.replace(own, techniques=offer.techniques, tilted=offer.tilted),),
    )
    found = SPYRIUM.tables.offers(scribe.state, 1)
    over, affordable = OFFERED[offer]
    assert (found.reachable, found.affordable) == ((1,), (affordable,))
    assert found.prices == (None if over is None else printed + over,)
    assert found == counted(scribe.state, frozenset(list_legal_decisions(scribe.state)))


# --- the campaign --------------------------------------------------------------------------------


def options(rng: random.Random) -> Options:
    """The default readings in some games, anything in the others."""
    if rng.random() < 0.3:
        return Options()
    return draw_options(Options, rng)


@cache
def campaign(n: int, seed: int = 1) -> Tally:
    """Random games until so many alterations were tried: of every decision made, and of one that was not."""
    tally = Tally()
    number = seed
    while tally.tried["alterations"] < n:
        rng = random.Random(number)
        play = start(SPYRIUM, number, options=options(rng))
        tally.tried["games"] += 1
        last = None
        for act in moves(play, number):
            ways = list_legal_decisions(play.state)
            lawful = frozenset(ways)
            check_offers(tally, play.state, lawful)
            if isinstance(act, DECISIONS):
                last = act
                # followed thinly, so that many games are
                if rng.random() < THIN:
                    tally.tried["decisions altered"] += 2
                    check(tally, play.state, act, lawful)
                    check(tally, play.state, rng.choice(ways), lawful)
            elif last is not None:
                # a deal or the count is due: nobody may decide anything
                tally.tried["decisions altered"] += 1
                check(tally, play.state, last, lawful)
        number += 1
    return tally


@pytest.fixture(scope="module")
def tally() -> Tally:
    return campaign(ALTERATIONS)


def test_an_altered_decision_is_legal_or_breaks_a_rule(tally: Tally, counts: Counter[str]) -> None:
    for name, n in tally.tried.items():
        counts[f"spyrium, {name}"] = n
    assert tally.tried["alterations"] >= ALTERATIONS
    assert not tally.neither[:5]


def test_no_legal_decision_breaks_a_rule(tally: Tally) -> None:
    assert not tally.both[:5]


def test_the_first_breach_is_the_first_in_the_rulebook(tally: Tally) -> None:
    assert not tally.disordered[:5]


def test_offers_are_a_count_over_legal(tally: Tally) -> None:
    assert tally.tried["offers that are affordable"]
    assert not tally.offered[:5]


def main(n: int, seed: int) -> int:
    began = time.monotonic()
    done = campaign(n, seed)
    for name, many in done.tried.items():
        print(f"{many:>12,}  {name}")
    wrong = {"neither": done.neither, "both": done.both, "disordered": done.disordered, "offers": done.offered}
    for law, cases in wrong.items():
        print(f"{len(cases):>12,}  {law}")
        print(*(f"              {case}" for case in cases[:5]), sep="\n", end="\n" if cases else "")
    print(f"{time.monotonic() - began:>12,.1f}  seconds")
    return any(map(len, wrong.values()))


if __name__ == "__main__":
    numbers = [int(argument.replace("_", "")) for argument in sys.argv[1:]]
    sys.exit(main(*(numbers + [ALTERATIONS, 1][len(numbers) :])))
