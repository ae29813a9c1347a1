"""Policies over the door: legal, reproducible, and blind for what nobody sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import structs

from spyrium_log.errors import PolicyError
from spyrium_log.players import parse_policy
from spyrium_log.players.policies import MOST_VALUED, apply_act, choose_best, make_dice
from spyrium_log.title import AnyTitle, Deed, FinalCount
from tests.games import ALL_TITLES, QUICK_TITLES, moves, start

SPECS = ("random", "greedy", "search:3")


def played(title: AnyTitle, spec: str, deal: str, rounds: int = 9) -> list[Any]:
    """All acts of a game with these dice for the deals after the first; it may end when so many rounds are over."""
    who = parse_policy(spec)
    state = start(title, 5, 2).state
    hands = [make_dice(spec, seat) for seat in range(2)]
    draw = make_dice("first deal").sample
    acts: list[Any] = []
    while (awaited := title.awaits(state)).kind != "over":
        if awaited.kind == "deal":
            if not rounds:
                break
            rounds -= 1
            act = title.deal(state, draw)
            draw = make_dice(deal).sample
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
@pytest.mark.parametrize("title", QUICK_TITLES)
def test_a_policy_plays_a_whole_game_and_the_same_one_again(title: str, spec: str, counts: Counter[str]) -> None:
    rounds = 1 if spec.startswith("search") else 9
    acts = played(ALL_TITLES[title], spec, "deal", rounds)
    assert acts == played(ALL_TITLES[title], spec, "deal", rounds)
    counts[f"players: acts of {spec} at {title}"] += len(acts)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("title", QUICK_TITLES)
def test_what_lies_in_the_decks_changes_no_choice(title: str, spec: str) -> None:
    """Whatever is dealt later, the first round is played alike; and another deal is another game."""
    games = [played(ALL_TITLES[title], spec, deal, rounds=2) for deal in ("one order", "another order", "a third one")]
    one = games[0]
    second = [at for at, act in enumerate(one) if isinstance(act, ALL_TITLES[title].wire.deal)][1]
    assert all(game[:second] == one[:second] for game in games)
    # where two cards are left that can come, two deals may be the same
    assert any(game[second] != one[second] for game in games)


def test_choosing_leaves_the_table_as_it_is() -> None:
    title = ALL_TITLES["spyrium"]
    state = start(title, 5, 3).state
    apply_act(title, state, title.deal(state, make_dice("deal").sample))
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


def test_of_very_many_acts_some_of_each_deed_are_valued() -> None:
    """A busy board has hundreds of places for a road: what can be done in a few only is valued all the same."""
    title = ALL_TITLES["founders"]
    play = start(title, 3, 4)
    acts = next(acts for _ in moves(play, 3) if len(acts := title.legal(play.state)) > 3 * MOST_VALUED)
    valued: list[Any] = []

    def record_effects(state: Any, act: Any) -> Any:
        """The effects of an act, which is listed."""
        valued.append(act)
        return title.effects(state, act)

    chosen = choose_best(structs.replace(title, effects=record_effects), play.state, acts, make_dice("many"))
    assert chosen in valued
    assert len(set(valued)) == len(valued) <= MOST_VALUED
    every, some = (
        Counter((deed.verb, deed.card) for deed in deeds(title, play.state, each)) for each in (acts, valued)
    )
    assert every.keys() == some.keys()
    assert max(some.values()) < max(every.values())


def deeds(title: AnyTitle, state: Any, acts: Sequence[Any]) -> list[Deed]:
    return [title.tables.deed(state, act) for act in acts]
