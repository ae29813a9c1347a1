"""A decision with one field altered is legal or breaks a rule, never neither and never both.

`python -m tests.founders.test_altered 100000` runs the long campaign and prints what it has tried.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from msgspec import structs

from spyrium_log.title import FinalCount, Table
from spyrium_log.titles.founders import FOUNDERS
from spyrium_log.titles.founders.cards import ACTION_CARDS, RACES, RESOURCES
from spyrium_log.titles.founders.ground import NAMES, cell_of, name_of
from spyrium_log.titles.founders.legal import list_legal_decisions
from spyrium_log.titles.founders.moves import (
    DECISIONS,
    UNSEEN,
    BuildTile,
    BuyAccess,
    Decision,
    Deliver,
    PlacePrestige,
    TakeBack,
)
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.rules.turn import RULES
from spyrium_log.titles.founders.sets import PRACTICE
from spyrium_log.titles.founders.state import State
from tests.games import draw_options

ALTERATIONS = 1_500
# A game is left after so many events: it has been through votes, deliveries and workers by then.
MOST_EVENTS = 110
THIN = 0.25
# So many alterations of one decision, of hundreds.
A_DECISION = 30
PLACE = {rule: place for place, rule in enumerate(RULES)}
# What seals are made of and with: no list of legal acts can name any.
LEFT_ALONE = frozenset({"salt", "seal"})
STEPS = (-65, -64, -63, -1, 1, 63, 64, 65, -2, 2, 128)


@dataclass
class Tally:
    """What was tried, and what went against the law."""

    tried: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    neither: list[str] = field(default_factory=list)
    both: list[str] = field(default_factory=list)
    disordered: list[str] = field(default_factory=list)


# --- alterations ---------------------------------------------------------------------------------


def list_cells_near(name: str) -> list[str]:
    """The cells around a cell, and names that mean nothing."""
    return [name_of(cell_of(name) + step) for step in STEPS if cell_of(name) + step in NAMES] + ["?", "z40"]


def list_other_cells(cells: tuple[str, ...]) -> list[tuple[str, ...]]:
    """All moved one way, one moved, one left out, one said twice, or in another order."""
    moved = [tuple(name_of(cell_of(name) + step) for name in cells) for step in STEPS[:8]]
    others = [
        (*cells[:place], other, *cells[place + 1 :])
        for place, name in enumerate(cells)
        for other in list_cells_near(name)
    ]
    fewer = [(*cells[:place], *cells[place + 1 :]) for place in range(len(cells))]
    return [*moved, *others, *fewer, (*cells, *cells[:1]), cells[::-1], ()]


def list_cards(state: State) -> list[str]:
    """Cards of every kind, those in hand and on the table above all."""
    hands = [card for mat in state.mats for card in (*mat.hand, *mat.discard)]
    return [*dict.fromkeys((*ACTION_CARDS, *hands, *state.row, *state.proposals, UNSEEN, "castle"))]


def list_last_cells(state: State) -> list[str]:
    """The last cell of everything that lies there."""
    return [name_of(piece.cells[-1]) for piece in state.structures]


def list_buildings(state: State) -> list[str]:
    """Prestige buildings, placed and proposed."""
    return [*(building.card for building in state.buildings), *state.proposals, "castle"]


# Values for each field of a decision, from the table and the value that it has.
VALUES: Final[Mapping[str, Callable[[State, Any], Sequence[Any]]]] = {
    "seat": lambda _state, _value: range(6),
    "who": lambda _state, _value: [None, *range(6)],
    "card": lambda state, _value: [None, *list_cards(state)],
    "named": lambda state, _value: [None, *list_cards(state)],
    "down": lambda _state, value: [not value],
    "at": lambda state, value: [*list_cells_near(value), *list_last_cells(state)],
    "cells": lambda _state, value: list_other_cells(value),
    "inputs": lambda state, value: [*list_other_cells(value), tuple(list_last_cells(state)[: len(value)])],
    "base": lambda _state, value: [*RESOURCES, "castle", *([None] if value is None else [])],
    "resource": lambda _state, _value: [*RESOURCES, "castle"],
    "race": lambda _state, _value: [*RACES, "elf"],
    "building": lambda state, _value: list_buildings(state),
    "on": lambda state, _value: ["race", *list_buildings(state)],
    "what": lambda _state, _value: ["money", "fleeting"],
    "cards": lambda state, value: [(), value[:1], value * 2, value[::-1], *((card,) for card in list_cards(state))],
    "slot": lambda _state, _value: range(6),
    "proposal": lambda _state, _value: range(5),
    **dict.fromkeys(("money", "fleeting", "lasting", "roads"), lambda _state, _value: range(-1, 8)),
}


def alter(rng: random.Random, state: State, act: Decision) -> Decision:
    """The act with another value in one field; with the same where there is no other."""
    name = rng.choice([name for name in act.__struct_fields__ if name not in LEFT_ALONE])
    value = getattr(act, name)
    others = [other for other in VALUES[name](state, value) if other != value]
    return structs.replace(act, **{name: rng.choice(others)}) if others else act


def list_plain_forms(state: State, act: Decision) -> Iterator[Decision]:
    """What a list of legal acts calls the same: cells in order, a tile by its first cell, a card seen, or unseen."""
    if getattr(act, "card", None) == UNSEEN and getattr(act, "down", False):
        # some card that can be played face-down, whichever
        yield from (structs.replace(act, card=card) for card in state.mat(act.seat).hand)
        return
    match act:
        case BuildTile():
            inputs = tuple(name_of_tile(state, name) for name in act.inputs)
            yield structs.replace(act, cells=sort_cells(act.cells), inputs=inputs)
        case PlacePrestige():
            yield structs.replace(act, cells=sort_cells(act.cells))
        case BuyAccess() | Deliver():
            yield structs.replace(act, at=name_of_tile(state, act.at))
        case TakeBack():
            discard = state.mat(act.seat).discard
            yield structs.replace(act, cards=tuple(sorted(card if card in discard else UNSEEN for card in act.cards)))
        case _:
            yield act


def sort_cells(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(names, key=cell_of))


def name_of_tile(state: State, name: str) -> str:
    """The first cell of what lies on a cell."""
    tile = state.structure_at(cell_of(name))
    return name_of(tile.name) if tile else name


def check(tally: Tally, state: State, act: Decision, lawful: frozenset[Decision]) -> None:
    """Say which of the two an act is: legal, or a breach."""
    breaches = FOUNDERS.breaches(state, act)
    is_legal = any(form in lawful for form in list_plain_forms(state, act))
    tally.tried["alterations"] += 1
    tally.tried["alterations that are legal"] += is_legal
    if is_legal and breaches:
        tally.both.append(f"{act}: {breaches[0]}")
    elif not is_legal and not breaches:
        tally.neither.append(repr(act))
    if breaches:
        tally.refused[breaches[0].rule] += 1
        if breaches[0].rule != min((breach.rule for breach in breaches), key=PLACE.__getitem__):
            tally.disordered.append(f"{act}: {[breach.rule for breach in breaches]}")


# --- the campaign --------------------------------------------------------------------------------


def choose_options(rng: random.Random) -> Options:
    """The default readings in some games, anything in the others."""
    if rng.random() < 0.4:
        return Options()
    return draw_options(Options, rng)


class Game:
    """One game by chance, of which some decisions are altered."""

    def __init__(self, seed: int, tally: Tally) -> None:
        self.rng = rng = random.Random(seed)
        self.tally = tally
        self.name = f"game {seed}"
        # with more coins more happens
        start = (("money", rng.choice((7, 25))),)
        seats = rng.choice(FOUNDERS.seats)
        sheet = FOUNDERS.sheet(PRACTICE)
        self.state = FOUNDERS.setup(
            Table(start=(start,) * seats, first=rng.randint(1, seats), options=choose_options(rng), sheet=sheet)
        )
        tally.tried[f"games of {seats}"] += 1

    def play(self) -> None:
        last = None
        for _ in range(MOST_EVENTS):
            kind = FOUNDERS.awaits(self.state).kind
            if kind == "over":
                return
            legal = list_legal_decisions(self.state)
            act = self._choose(kind, legal)
            if self.rng.random() < THIN:
                # where a deal or the count is due nobody may decide anything
                for decision in [act, self.rng.choice(legal)] if legal else [last] if last else []:
                    self._alter(decision, frozenset(legal))
            last = act if isinstance(act, DECISIONS) else last
            effects = FOUNDERS.effects(self.state, act)
            assert effects is not None
            FOUNDERS.evolve(self.state, act, effects.moved, effects.facts)

    def _choose(self, kind: str, legal: list[Decision]) -> Any:
        """The deal or count that is due; else a kind of act by chance, and one of it."""
        if kind == "deal":
            return FOUNDERS.deal(self.state, lambda pool, k: self.rng.sample(list(pool), k))
        if kind == "final":
            return FinalCount()
        chosen = self.rng.choice(sorted({type(act).__name__ for act in legal}))
        return self.rng.choice([act for act in legal if type(act).__name__ == chosen])

    def _alter(self, act: Decision, lawful: frozenset[Decision]) -> None:
        self.tally.tried["decisions altered"] += 1
        for other in {alter(self.rng, self.state, act) for _ in range(A_DECISION)} - {act}:
            check(self.tally, self.state, other, lawful)


def campaign(n: int, seed: int = 1) -> Tally:
    """Games by chance until so many alterations were tried: of decisions made, and of others that were not."""
    tally = Tally()
    while tally.tried["alterations"] < n:
        Game(seed, tally).play()
        seed += 1
    return tally


@cache
def small_campaign() -> Tally:
    return campaign(ALTERATIONS)


def test_an_altered_decision_is_legal_or_breaks_a_rule(counts: Counter[str]) -> None:
    tally = small_campaign()
    for name, n in tally.tried.items():
        counts[f"founders, {name}"] = n
    assert tally.tried["alterations that are legal"] > 0
    assert not tally.neither[:5]


def test_no_legal_decision_breaks_a_rule() -> None:
    assert not small_campaign().both[:5]


def test_the_first_breach_is_the_first_in_the_rulebook() -> None:
    assert not small_campaign().disordered[:5]


def test_every_field_of_a_decision_has_other_values() -> None:
    """Else a new one would go untried."""
    fields = {name for kind in DECISIONS for name in kind.__struct_fields__}
    assert fields == {*VALUES} | LEFT_ALONE


def main(n: int, seed: int) -> int:
    began = time.monotonic()
    done = campaign(n, seed)
    for name, many in (*sorted(done.tried.items()), *done.refused.most_common()):
        print(f"{many:>12,}  {name}")
    wrong = {"neither": done.neither, "both": done.both, "disordered": done.disordered}
    for law, cases in wrong.items():
        print(f"{len(cases):>12,}  {law}")
        print(*(f"              {case}" for case in cases[:8]), sep="\n", end="\n" if cases else "")
    print(f"{time.monotonic() - began:>12,.1f}  seconds")
    return any(map(len, wrong.values()))


if __name__ == "__main__":
    numbers = [int(argument.replace("_", "")) for argument in sys.argv[1:]]
    sys.exit(main(*(numbers + [ALTERATIONS, 1][len(numbers) :])))
