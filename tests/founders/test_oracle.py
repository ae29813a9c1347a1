"""The worked examples of the rules against the oracle alone; then random games, told by the project and the oracle."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from spyrium_log.titles.founders.moves import (
    Bid,
    BuildBase,
    BuildBridge,
    BuildHouse,
    BuildTile,
    BuyAccess,
    CallVote,
    ChooseProposal,
    LayRoad,
    PayClaims,
    PlacePrestige,
    Recruit,
)
from spyrium_log.titles.founders.options import Options
from tests.founders.oracle import Table
from tests.founders.oracle_games import campaign
from tests.founders.oracle_ground import Thing, read_square
from tests.founders.oracle_sets import make_printed

BOARD = """
dddddddddddddddddddd
dddddddddddddddddddd
dddddddddddddddddddd
dddddddddddddddddddd
dddddddddddddddddddd
dddddddddddddddddddd
dddddddddddddddddddd
ccccffff1111rrrrrrrr
~~~~~~~~~~~~~~~~~~~~
dddddddddddddddddddd
####################
dddddddddddddddddddd
"""
PRINTED = make_printed(BOARD)
GAMES = 8
EVENTS = 110
PURPLE, YELLOW, WHITE, BLUE = 1, 2, 3, 4


def make_table(*, seats: int = 4, options: Options | None = None, money: int = 20, **owners: int) -> Table:
    """A table in mid-game: seat 1 is to act, and owns no base that is not named."""
    table = Table(seats=seats, first=1, options=options or Options(), printed=PRINTED, money=money)
    table.todo = [{"do": "turn", "seat": 1}]
    table.base_owner = owners
    table.race = dict(zip(table.seats, ("savvas", "harrower", "valrath", "vermling"), strict=False))
    return table


def lay(table: Table, resource: str, owner: int, cells: str, *inputs: Thing, access: int = 0) -> Thing:
    tile = table.put_tile(
        resource, owner, owner, [square for square in map(read_square, cells.split()) if square], list(inputs)
    )
    tile["access"] = {access} - {0}
    return tile


def build(table: Table, card: str, *cells: str, complete: bool = False) -> Thing:
    """A prestige building on these cells."""
    squares = frozenset(square for square in map(read_square, cells) if square)
    table.buildings.append(
        {"card": card, "cells": squares, "placer": 1, "tokens": {}, "complete": complete, "claim": False}
    )
    return table.buildings[-1]


def lay_roads(table: Table, cells: str) -> None:
    table.roads |= {square for square in map(read_square, cells.split()) if square}


def points(table: Table) -> tuple[int, ...]:
    return tuple(table.held(seat, "points") for seat in table.seats)


def do(table: Table, act: Any) -> None:
    """Do what must be legal."""
    assert table.reasons(act) == []
    table.apply(act)


def cascade(table: Table, tile: Thing, value: int) -> int:
    """Deliver at a price; what was lost."""
    table.moved.clear()
    table.move(tile["owner"], "points", value, "delivered")
    table.pass_on(tile, value, "guild")
    lost = -sum(n for (_, _, why), n in table.moved.items() if why == "lost")
    assert sum(table.moved.values()) + lost == value
    return lost


def test_page_17_purple_upgrades_with_an_own_and_a_bought_input() -> None:
    table = make_table(knowledge=PURPLE, metal=YELLOW)
    lay(table, "knowledge", PURPLE, "a1")
    lay(table, "metal", YELLOW, "e1", access=PURPLE)
    lay_roads(table, "b2 d2")
    do(table, BuildTile(seat=1, card="upgrade", resource="machinery", cells=("c3", "c4", "d4"), inputs=("a1", "e1")))
    assert points(table) == (1, 1, 0, 0)
    assert table.held(PURPLE, "money") == 16
    assert table.held(PURPLE, "income") == 2
    assert table.awaited() == ("choice", (1,)), "a road, if one likes"


def two_base_tier_2(table: Table, owner: int, first: int, second: int) -> Thing:
    """Machinery of knowledge and metal."""
    table.base_owner |= {base: seat for base, seat in (("knowledge", first), ("metal", second)) if seat}
    return lay(
        table, "machinery", owner, "c3 c4 d4", lay(table, "knowledge", first, "a1"), lay(table, "metal", second, "e1")
    )


def test_page_21_example_1() -> None:
    table = make_table()
    table.score_inputs(two_base_tier_2(table, WHITE, PURPLE, YELLOW))
    assert points(table) == (1, 1, 0, 0)


def test_page_21_example_2() -> None:
    table = make_table(wood=BLUE)
    machinery = two_base_tier_2(table, WHITE, PURPLE, YELLOW)
    weapons = lay(table, "weapons", PURPLE, "g1 h1 i1 j1", lay(table, "wood", BLUE, "g4"), machinery)
    table.score_inputs(weapons)
    assert points(table) == (1, 1, 2, 1)


def test_page_22_example_3_a_base_into_the_university() -> None:
    table = make_table(knowledge=BLUE, metal=YELLOW)
    lay(table, "knowledge", BLUE, "a1")
    table.proposals = ["university", "guild", "barge"]
    table.todo = [{"do": "place", "seat": 1, "proposal": 1}, {"do": "turn", "seat": 2}]
    do(table, PlacePrestige(seat=1, cells=("b2", "c2", "b3", "c3")))
    assert points(table) == (0, 0, 0, 3)


def test_page_22_example_4_a_road_delivers() -> None:
    table = make_table()
    table.todo = [{"do": "turn", "seat": YELLOW}]
    two_base_tier_2(table, YELLOW, YELLOW, BLUE)
    build(table, "guild", "f5", "g5")
    do(table, LayRoad(seat=YELLOW, card="trade", down=True, at="e5"))
    assert points(table) == (0, 5, 0, 1)


def example_5(table: Table) -> BuildTile:
    """White's books on white's crops; purple's machinery of purple's and yellow's base; cloth from both."""
    table.base_owner |= {"crops": WHITE}
    machinery = two_base_tier_2(table, PURPLE, PURPLE, YELLOW)
    crops = lay(table, "crops", WHITE, "a6")
    lay(table, "books", WHITE, "c6 d6 e6", crops)
    machinery["access"].add(WHITE)
    lay_roads(table, "e5 f5")
    table.todo = [{"do": "turn", "seat": WHITE}]
    cells = ("g4", "g5", "h4", "h5")
    return BuildTile(seat=WHITE, card="upgrade", resource="cloth", cells=cells, inputs=("c6", "c3"))


def test_page_23_example_5a_building_cloth() -> None:
    table = make_table()
    do(table, example_5(table))
    assert points(table) == (3, 1, 2, 0)
    assert table.held(WHITE, "money") == 14


def test_page_23_example_5a_and_5b_building_cloth_beside_the_guild() -> None:
    table = make_table()
    act = example_5(table)
    build(table, "guild", "i6", "j6")["tokens"]["machinery"] = YELLOW
    do(table, act)
    assert points(table) == (6, 2, 8, 0)


def test_page_23_example_5b_alone() -> None:
    table = make_table()
    do(table, example_5(table))
    before = points(table)
    tile = table.tile_named("g4")
    assert tile
    cascade(table, tile, 10)
    assert tuple(now - then for now, then in zip(points(table), before, strict=True)) == (3, 1, 6, 0)


def test_page_23_a_neutral_base_scores_nobody_and_costs_two() -> None:
    table = make_table()
    machinery = two_base_tier_2(table, WHITE, 0, YELLOW)
    table.score_inputs(machinery)
    assert points(table) == (0, 1, 0, 0)
    assert cascade(table, machinery, 4) == 2
    assert points(table) == (0, 2, 1, 0)


def own_chain(table: Table) -> Thing:
    """White's labor of white's books on blue's crops, and of white's gems."""
    table.base_owner |= {"crops": BLUE, "gems": WHITE}
    books = lay(table, "books", WHITE, "c6 d6 e6", lay(table, "crops", BLUE, "a6"))
    return lay(table, "labor", WHITE, "g1 h1 i1 g2", books, lay(table, "gems", WHITE, "k1"))


@pytest.mark.parametrize(("reading", "delivered"), [("passes", (4, 1)), ("stays", (5, 0))])
def test_our_own_a_own_links_do_not_shield_the_rival(reading: Any, delivered: tuple[int, int]) -> None:
    table = make_table(options=Options(own_link=reading))
    labor = own_chain(table)
    table.score_inputs(labor)
    assert points(table) == (0, 0, 2, 1)
    cascade(table, labor, 5)
    assert (table.held(WHITE, "points") - 2, table.held(BLUE, "points") - 1) == delivered


def test_our_own_b_neutrals_at_every_level() -> None:
    table = make_table()
    machinery = two_base_tier_2(table, WHITE, 0, BLUE)
    weapons = lay(table, "weapons", YELLOW, "g1 h1 i1 j1", lay(table, "wood", 0, "g4"), machinery)
    table.score_inputs(weapons)
    assert points(table) == (0, 0, 1, 1)
    assert cascade(table, weapons, 9) == 4
    assert points(table) == (0, 3, 2, 2)


@pytest.mark.parametrize("completed", [0, 1, 5])
def test_our_own_c_prices_alone(completed: int) -> None:
    table = make_table(seats=1)
    for card in list(PRINTED.prestige)[:1] * completed:
        build(table, card, "a1", complete=True)
    assert [table.price_of_proposal(n) for n in (1, 2, 3)] == [0, 2 + completed, 4 + 2 * completed]


def test_alone_claims_are_paid_before_the_proposal() -> None:
    table = make_table(seats=1)
    table.cards[1] |= {"hand": ["call"], "discard": ["trade", "construct"]}
    build(table, "guild", "f5", "g5")
    table.buildings[0]["claim"] = True
    table.proposals = ["university", "barge", "crooked-bone"]
    table.purse[1]["lasting"] = 3
    do(table, CallVote(seat=1))
    assert table.awaited() == ("choice", (1,))
    assert table.reasons(PayClaims(seat=1, lasting=1)), "a claim costs 4"
    do(table, PayClaims(seat=1, lasting=2))
    assert table.reasons(ChooseProposal(seat=1, proposal=3, lasting=1)), "the right proposal costs 4"
    do(table, ChooseProposal(seat=1, proposal=2, lasting=1))
    do(table, PlacePrestige(seat=1, cells=("a1", "b1", "c1")))
    assert [building["claim"] for building in table.buildings] == [True, True]


def test_page_18_two_cards_left_bring_a_coin_and_a_road() -> None:
    table = make_table(knowledge=1)
    lay(table, "knowledge", PURPLE, "a1")
    table.cards[1] |= {"hand": ["trade", "recruit", "call"], "discard": ["construct", "upgrade"]}
    assert table.reasons(CallVote(seat=1, money=1)), "each card brings something"
    do(table, CallVote(seat=1, money=1, roads=1))
    assert table.held(1, "money") == 21
    do(table, LayRoad(seat=1, at="b2"))
    assert table.awaited() == ("decision", (1,)), "everybody bids, the caller first"


def test_page_19_the_vote_of_three_six_and_one() -> None:
    table = make_table()
    table.proposals = ["university", "barge", "guild"]
    for seat in table.seats:
        table.purse[seat] |= {"fleeting": 5, "lasting": 1}
    table.caller = 1
    table.todo = [{"do": "bids"}, {"do": "reveal"}, {"do": "place"}, {"do": "after placing"}]
    orange = 3
    for act in (
        Bid(seat=1, proposal=1, fleeting=2),
        Bid(seat=2, proposal=2, fleeting=1),
        Bid(seat=orange, proposal=2, fleeting=1, lasting=1),
    ):
        do(table, act)
    _, facts = table.apply(Bid(seat=4, proposal=3))
    assert facts == [("VoteWon", frozenset({("proposal", 2), ("seat", orange)}))]
    assert table.awaited() == ("choice", (orange,))
    assert [table.held(seat, "fleeting") for seat in table.seats] == [0, 0, 0, 0]
    assert [table.held(seat, "lasting") for seat in table.seats] == [1, 1, 0, 1]


@pytest.mark.parametrize(("at", "price"), [("a8", 1), ("a1", 2), ("e8", 3), ("j8", 3)])
def test_pages_14_to_17_an_own_base_costs_one_to_three(at: str, price: int) -> None:
    table = make_table(knowledge=1)
    do(table, BuildBase(seat=1, card="trade", base="knowledge", at=at))
    assert table.held(1, "money") == 20 - price


@pytest.mark.parametrize(("at", "price"), [("a8", 2), ("a1", 3), ("e8", 4), ("j8", 4)])
def test_pages_14_to_17_access_costs_two_to_four_to_the_owner(at: str, price: int) -> None:
    table = make_table(knowledge=2)
    lay(table, "knowledge", 2, at)
    do(table, BuyAccess(seat=1, card="trade", at=at))
    assert (table.held(1, "money"), table.held(2, "money")) == (20 - price, 20 + price)


def test_pages_14_to_17_a_neutral_base_costs_four_a_rivals_too_once_two_buildings_are_complete() -> None:
    table = make_table(seats=2, knowledge=2)
    rivals = BuildBase(seat=1, card="trade", base="knowledge", at="a1")
    assert table.reasons(rivals)
    for card in ("university", "guild"):
        build(table, card, "t7", complete=True)
    do(table, rivals)
    assert (table.held(1, "money"), table.held(2, "money"), table.held(2, "income")) == (16, 24, 1)
    neutral = make_table(seats=2)
    do(neutral, BuildBase(seat=1, card="trade", base="metal", at="a1"))
    assert (neutral.held(1, "money"), neutral.held(1, "income")) == (16, 0)


def test_pages_14_to_17_houses_and_bridges_cost_three_and_four() -> None:
    table = make_table(knowledge=1)
    lay(table, "knowledge", 1, "c7")
    lay(table, "metal", 2, "f7")
    lay_roads(table, "d8")
    do(table, BuildHouse(seat=1, card="construct", at="e8"))
    assert table.held(1, "money") == 17
    follow = BuildBridge(seat=2, at="g9")
    lay_roads(table, "g8")
    do(table, follow)
    assert table.held(2, "money") == 16


@pytest.mark.parametrize(("slot", "price"), [(1, 1), (4, 2)])
def test_pages_14_to_17_an_adviser_costs_one_or_two(slot: int, price: int) -> None:
    table = make_table(knowledge=1)
    lay(table, "knowledge", 1, "a1")
    table.row = ["scholar", "huckster", "foreman", "carpenter"]
    do(table, Recruit(seat=1, card="recruit", slot=slot))
    assert (table.held(1, "money"), table.held(1, "lasting"), table.held(1, "fleeting")) == (20 - price, 1, 1)


def test_the_oracle_and_the_project_tell_the_same_games(counts: Counter[str]) -> None:
    compared, disagreements = campaign(GAMES, most_events=EVENTS)
    assert not disagreements, "\n".join(disagreements[:3])
    # What was never refused or never scored has not been compared.
    for what in ("acts refused by both", "effects compared", "fact Delivered", "fact Scored", "final scores compared"):
        assert compared[what], what
    counts.update({f"oracle of Founders: {name}": compared[name] for name in ("games", "effects compared")})
