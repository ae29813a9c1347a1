"""Policies over the door: legal, reproducible, and blind for what nobody sees."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from spyrium_log.errors import PolicyError
from spyrium_log.players import parse_policy
from spyrium_log.players.policies import apply_act, make_dice, make_draw
from spyrium_log.title import AnyTitle, FinalCount
from tests.games import ALL_TITLES, start

SPECS = ("random", "greedy", "search:3")


def played(title: AnyTitle, spec: str, deal: str, rounds: int = 9) -> list[Any]:
    """All acts of a game with these dice for the deals after the first; it may end when so many rounds are over."""
    who = parse_policy(spec)
    state = start(title, 5, 2).state
    hands = [make_dice(spec, seat) for seat in range(2)]
    draw = make_draw(make_dice("first deal"))
    acts: list[Any] = []
    while (awaited := title.awaits(state)).kind != "over":
        if awaited.kind == "deal":
            if not rounds:
                break
            rounds -= 1
            act = title.deal(state, draw)
            draw = make_draw(make_dice(deal))
        elif awaited.kind == "final":
            act = FinalCount()
        else:
            act = who.choose(title, state, hands[awaited.seat - 1])
            assert act in title.legal(state)
            assert act.seat == awaited.seat
        acts.append(act)
        apply_act(title, state, act)
    return acts


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("title", ALL_TITLES)
def test_a_policy_plays_a_whole_game_and_the_same_one_again(title: str, spec: str, counts: Counter[str]) -> None:
    rounds = 1 if spec.startswith("search") else 9
    acts = played(ALL_TITLES[title], spec, "deal", rounds)
    assert acts == played(ALL_TITLES[title], spec, "deal", rounds)
    counts[f"players: acts of {spec} at {title}"] += len(acts)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("title", ALL_TITLES)
def test_what_lies_in_the_decks_changes_no_choice(title: str, spec: str) -> None:
    """Whatever is dealt later, the first round is played alike; and another deal is another game."""
    one, other = (played(ALL_TITLES[title], spec, deal, rounds=2) for deal in ("one order", "another order"))
    deals = [at for at, act in enumerate(one) if isinstance(act, ALL_TITLES[title].wire.deal)]
    assert one[: deals[1]] == other[: deals[1]]
    assert one[deals[1]] != other[deals[1]]


def test_choosing_leaves_the_table_as_it_is() -> None:
    title = ALL_TITLES["spyrium"]
    state = start(title, 5, 3).state
    apply_act(title, state, title.deal(state, make_draw(make_dice("deal"))))
    for spec in SPECS:
        before = title.screens.view(title.copy(state))
        parse_policy(spec).choose(title, state, make_dice("seat"))
        assert title.screens.view(state) == before


@pytest.mark.parametrize(
    "spec", ["", "best", "search:", "search:0", "search:-1", "search:1000000", "search:x", "Greedy"]
)
def test_a_policy_that_nobody_knows_is_refused(spec: str) -> None:
    with pytest.raises(PolicyError, match="expected a policy of random, greedy, search:N"):
        parse_policy(spec)


def test_a_search_has_a_budget_and_a_name() -> None:
    assert parse_policy("search").spec == "search:50"
    assert parse_policy("search:7").name == "search7"
