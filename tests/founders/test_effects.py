"""What an act or a deal comes to where no example shows it: a fact of the rules each, on a table of the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from spyrium_log.titles.founders import FOUNDERS
from spyrium_log.titles.founders.effects import GoalGone, GoalMet, VoteVoid, VoteWon
from spyrium_log.titles.founders.moves import (
    Act,
    AdvisersDealt,
    Bid,
    BuildingAt,
    BuyAccess,
    CallVote,
    Decline,
    Gain,
    LayRoad,
    PlacePrestige,
    ProposalsDealt,
    Recruit,
    TileAt,
    UseWorker,
)
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.state import State
from spyrium_log.titles.founders.view import make_view
from tests.founders.corpus import ROW, TILES, alone, base, bridge, building, completed, house, tile, town, you
from tests.founders.corpus_votes import FULL_DESERT, won

ACHIEVEMENTS = Options(achievements="with")
INFLUENCE = Gain(seat=1, what="fleeting", card="trade", down=True)


def play(state: State, act: Act) -> None:
    """What the rules make of an act, legal or not."""
    effects = FOUNDERS.effects(state, act)
    assert effects is not None
    FOUNDERS.evolve(state, act, effects.moved, effects.facts)


def test_f_8_2_a_tile_has_earned_what_its_owner_kept() -> None:
    """Machinery of neutral knowledge and of seat 3's metal delivers for 5: 1 is passed on, and 2 are lost."""
    machinery = tile("machinery", "b5 b6 c6", 1, "g5 j1")
    at = town(more=(base("metal", "j1"), machinery), buildings=(building("fish-market", "d8 e8"),))
    state = at.then(LayRoad(seat=1, card="trade", down=True, at="d7")).state()
    assert [state.mat(seat).points - 5 for seat in (1, 2, 3)] == [2, 0, 1]
    assert {each.kind: each.earned for each in make_view(state).tiles if each.earned} == {"machinery": 2, "metal": 1}


def test_f_10_1_a_road_that_cannot_be_laid_is_left_out_and_the_call_goes_on() -> None:
    """The table took a road although nothing of the caller's is on the board."""
    state = town(you(hand=("upgrade", "call"), discard=("trade", "recruit")), tiles=TILES[1:3]).state()
    play(state, CallVote(seat=1, roads=1))
    left_out = Decline(seat=1)
    assert FOUNDERS.legal(state) == [left_out]
    assert not FOUNDERS.breaches(state, left_out)
    play(state, left_out)
    assert (FOUNDERS.awaits(state).kind, FOUNDERS.awaits(state).seats) == ("decision", (1,))


ON_TWO = (
    building("salt-barge", "a1 b1 c1", "livestock/1", "leather/1"),
    building("fish-market", "a4 b4", "livestock/1"),
)
ON_THREE = (*ON_TWO, building("crooked-bone", "g8 h8", "crops/1"))


@pytest.mark.parametrize(("buildings", "facts"), [(ON_TWO, []), (ON_THREE, [GoalMet, GoalGone])])
def test_f_12_2_three_buildings_are_not_three_deliveries(buildings: tuple[BuildingAt, ...], facts: list[type]) -> None:
    at = town(buildings=buildings, goals=("three-buildings", "", ""), options=ACHIEVEMENTS)
    effects = FOUNDERS.effects(at.state(), INFLUENCE)
    assert effects
    assert [type(fact) for fact in effects.facts] == facts


@pytest.mark.parametrize(("piece", "points"), [(house("a1", 1), 6), (bridge("a1", 1), 0)])
def test_f_12_2_a_bridge_is_no_structure_in_a_section(piece: TileAt, points: int) -> None:
    """Not even where a table built it on land. Seats 1 and 2 have one structure each besides, left of the river."""
    state = town(more=(piece,), goals=("", "", "most-structures"), options=ACHIEVEMENTS).state()
    assert dict(FOUNDERS.score(state)[0].final).get("final:goal", 0) == points


def test_f_12_2_a_mid_game_achievement_that_nobody_meets_in_time_leaves_the_game() -> None:
    """Ten coins: everybody has nine at the end of the turn with the second completed building."""
    at = town(buildings=completed(2), goals=("", "ten-coins", ""), options=ACHIEVEMENTS)
    effects = FOUNDERS.effects(at.state(), INFLUENCE)
    assert effects
    assert list(effects.facts) == [GoalGone(deck="mid")]
    later = FOUNDERS.effects(at.then(INFLUENCE).state(), Gain(seat=2, what="money", card="trade", down=True))
    assert later
    assert {posting.what for posting in later.moved} == {"money"}


def test_f_12_3_advisers_that_left_the_game_are_not_counted_among_the_buildings() -> None:
    """Two proposals and three buildings of 21: a third proposal comes, however many advisers were played."""
    state = alone(votes=3, buildings=completed(3)).state()
    state.proposals = state.proposals[:2]
    state.removed = tuple(state.printed.advisers)
    assert FOUNDERS.awaits(state).kind == "deal"


def test_f_12_3_alone_a_proposal_like_one_that_lies_there_is_put_back() -> None:
    """The Harbour Office has shape and colour of the University."""
    state = alone(votes=1, buildings=completed(1)).state()
    state.proposals = ("university", "salt-barge")

    def draw(pool: Sequence[Any], _n: int) -> list[Any]:
        return ["harbour-office"] if "harbour-office" in pool else ["merchants-guild"]

    deal = FOUNDERS.deal(state, draw)
    assert deal == ProposalsDealt(cards=("merchants-guild",), put_back=("harbour-office",))


def test_f_7_4_an_adviser_is_in_reach_by_access_too() -> None:
    """Access to knowledge, for the Scholar in slot 1; nothing for the three others."""
    state = town(tiles=(base("population", "l9"), base("knowledge", "g5", 1))).state()
    assert FOUNDERS.tables.offers(state, 1).reachable == (1,)


def test_f_12_3_alone_the_proposals_are_on_offer_at_the_choice() -> None:
    state = alone(before=(CallVote(seat=1),)).state()
    assert FOUNDERS.tables.offers(state, 1).cards == state.proposals


def test_f_2_3_a_corner_is_one_step_to_the_nearest_legal_cell() -> None:
    """From g7 it is two steps to e5, over corners, and three to g10."""
    state = town(tiles=(base("gems", "d4"), base("population", "g11"))).state()
    act = LayRoad(seat=1, card="trade", down=True, at="g7")
    assert FOUNDERS.recorder.nearest(state, act)[0] == LayRoad(seat=1, card="trade", down=True, at="e5")


def test_f_5_7_a_row_filled_at_once_ends_the_turn_with_its_achievements() -> None:
    """Seat 3 follows last: its worker on the Salt Barge recruits, and the row is filled before the turn ends."""
    at = town(
        more=(base("metal", "d1", 3), house("m2", 3)),
        row=("gatekeeper", *ROW[1:]),
        buildings=(building("salt-barge", "a1 b1 c1", "livestock/3", "leather/1"), *ON_THREE[1:]),
        goals=("three-buildings", "", ""),
        options=Options(achievements="with", row_refill="at-once"),
        before=[
            BuyAccess(seat=1, card="trade", at="g5"),
            Decline(seat=2),
            UseWorker(seat=3, on="salt-barge"),
            Recruit(seat=3, slot=1),
        ],
    )
    effects = FOUNDERS.effects(at.state(), AdvisersDealt(cards=("foreman",)))
    assert effects
    assert [type(fact) for fact in effects.facts] == [GoalMet, GoalGone]


@pytest.mark.parametrize(("reading", "kind"), [("play-on", "deal"), ("stop", "final")])
def test_f_11_1_a_call_that_is_stopped_deals_no_proposals(reading: Any, kind: str) -> None:
    """The University is placed as the sixth building; the state says that it got its deliveries."""
    at = won(options=Options(end_in_call=reading), buildings=completed(5))
    state = at.then(PlacePrestige(seat=1, cells=("e2", "f2", "e3", "f3"))).state()
    assert FOUNDERS.awaits(state).kind == "deal"
    state.buildings[-1] = state.buildings[-1]._replace(complete=True)
    assert FOUNDERS.awaits(state).kind == kind


def test_f_10_5_by_a_new_vote_the_last_proposal_wins_and_is_replaced() -> None:
    """Neither of the two fits where the desert is full of roads. About one that is left nobody can vote."""
    bids = tuple(Bid(seat=seat, proposal=1) for seat in (1, 2, 3))
    at = won(options=Options(unplaceable="new-vote"), roads=FULL_DESERT, bids=bids[:2])
    state = at.state()
    state.proposals = ("university", "crooked-bone")
    kinds = []
    for bid in (bids[2], *bids):
        effects = FOUNDERS.effects(state, bid)
        assert effects
        kinds += [type(fact) for fact in effects.facts]
        FOUNDERS.evolve(state, bid, effects.moved, effects.facts)
    assert kinds == [VoteVoid, VoteWon]
    assert FOUNDERS.awaits(state).kind == "deal"


def test_f_10_6_a_new_deck_holds_the_cards_of_buildings_that_the_table_discards() -> None:
    """The University stands; its card came into the new deck, and may be proposed again without another shuffle."""
    options = Options(workers="without", no_workers_card="discard")
    at = won(spent=("playhouse", "bath-house"), options=options)
    state = at.then(PlacePrestige(seat=1, cells=("e2", "f2", "e3", "f3"))).state()
    play(state, ProposalsDealt(cards=("playhouse", "grain-hall", "fish-market"), shuffled=True))
    state.proposals = ()
    again = ProposalsDealt(cards=("university", "bath-house", "salt-barge"))
    assert not FOUNDERS.breaches(state, again)
