"""What an act or a deal comes to where no example shows it: a fact of the rules each, on a table of the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from spyrium_log.title import Conceded, Paused
from spyrium_log.titles.founders import FOUNDERS
from spyrium_log.titles.founders.effects import Delivered, DeliveryDue, GoalGone, GoalMet, VoteVoid, VoteWon
from spyrium_log.titles.founders.moves import (
    Act,
    AdvisersDealt,
    Bid,
    BuildBase,
    BuildingAt,
    BuyAccess,
    CallVote,
    Decline,
    Deliver,
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
from tests.founders.corpus import (
    ROW,
    TILES,
    At,
    alone,
    base,
    bridge,
    building,
    completed,
    house,
    sheet_with,
    tile,
    town,
    you,
)
from tests.founders.corpus_cards import BONE, DUE, FOLLOWED, KNOWING, ROAD_OR_NOT, deliver, holding, recruit
from tests.founders.corpus_doubtful import without
from tests.founders.corpus_rows import LAST_PAIRS, RECRUITED, TWO_PAIRS
from tests.founders.corpus_turns import TRADED
from tests.founders.corpus_votes import BIDDING, DESERT_IS_FULL, FULL_DESERT, won

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


# Machinery of seat 1 on b5, as above; what its second input says is not what could have supplied it, or no tile at all.
SUPPLIED_FALSELY = {
    "a tile of tier 3": (tile("weapons", "j1 k1 l1 m1", 3), tile("machinery", "b5 b6 c6", 1, "g5 j1")),
    "an empty cell": (tile("machinery", "b5 b6 c6", 1, "g5 j1"),),
}


@pytest.mark.parametrize("more", SUPPLIED_FALSELY.values(), ids=list(SUPPLIED_FALSELY))
def test_f_8_2_what_cannot_have_supplied_a_tile_gets_nothing_of_its_points(more: tuple[TileAt, ...]) -> None:
    """Of the 5 points 2 are lost for the neutral knowledge; a tile of tier 2 is made of base resources only."""
    at = town(more=more, buildings=(building("fish-market", "d8 e8"),))
    state = at.then(LayRoad(seat=1, card="trade", down=True, at="d7")).state()
    assert [state.mat(seat).points - 5 for seat in (1, 2, 3)] == [3, 0, 0]


def test_f_8_4_a_need_of_unknown_points_is_filled_and_scores_nothing() -> None:
    at = town(
        tiles=(base("population", "f10"),),
        buildings=(building("crooked-bone", "g8 h8"),),
        sheet=sheet_with(("crooked-bone", "needs", "population crops:2")),
    )
    effects = FOUNDERS.effects(at.state(), LayRoad(seat=1, card="trade", down=True, at="g9"))
    assert effects
    assert list(effects.facts) == [Delivered(building="crooked-bone", resource="population", at="f10", seat=1)]
    assert list(effects.moved) == []


def test_f_8_4_a_delivery_that_waits_for_a_choice_is_not_due_a_second_time() -> None:
    """Seat 2, whose choice it was, has conceded; seat 3 follows with a road that connects nothing more."""
    state = FOLLOWED.then(Conceded(seat=2)).state()
    effects = FOUNDERS.effects(state, LayRoad(seat=3, at="h9"))
    assert effects
    assert list(effects.facts) == []


def test_f_8_4_each_seat_chooses_among_its_own_deliveries() -> None:
    """A table said that seat 2 is due one as well, of the wood on f8."""
    state = DUE.state()
    due = DeliveryDue(building="crooked-bone", resource="wood", seat=2)
    FOUNDERS.evolve(state, Paused(), (), (due,))
    assert {act.at for act in FOUNDERS.legal(state) if isinstance(act, Deliver)} == {"l9", "f10"}
    assert len(FOUNDERS.legal(state)) == 2


def test_f_7_6_what_a_card_brings_by_itself_comes_behind_a_step_that_was_left_out() -> None:
    """A road that one may leave out, a coin, an own base: it costs 3 on forest."""
    act = BuildBase(seat=1, card="drover", base="population", at="a11")
    effects = FOUNDERS.effects(town(holding("drover"), sheet=ROAD_OR_NOT).state(), act)
    assert effects
    assert [(each.who, each.n, each.why) for each in effects.moved if each.what == "money"] == [
        (1, -3, "price"),
        (1, 1, "adviser"),
    ]


def test_f_7_6_a_later_step_does_not_settle_the_first_one() -> None:
    """The table took the adviser before the access that the Patroness begins with: the access is still due."""
    state = town(holding("patroness")).state()
    play(state, recruit(2, "patroness"))
    assert FOUNDERS.awaits(state).kind == "choice"
    assert {type(act) for act in FOUNDERS.legal(state)} == {BuyAccess}


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


def test_f_3_1_a_pair_stays_where_all_that_is_left_is_alike() -> None:
    """Four proposals are left, two pairs: three lie there, and the fourth stays on the deck."""
    state = LAST_PAIRS.state()
    deal = FOUNDERS.deal(state, lambda pool, n: sorted(pool)[:n])
    assert isinstance(deal, ProposalsDealt)
    assert {*deal.cards, *deal.put_back} == {*TWO_PAIRS}
    assert (len(deal.cards), len(deal.put_back)) == (3, 1)
    assert not FOUNDERS.breaches(state, deal)


def test_f_12_2_an_achievement_that_nobody_can_read_scores_nothing() -> None:
    sheet = without(("most-structures", "when"))
    state = town(goals=("", "", "most-structures"), options=ACHIEVEMENTS, sheet=sheet).state()
    assert ["final:goal" in dict(score.final) for score in FOUNDERS.score(state)] == [False] * 3


def test_f_7_4_an_adviser_is_in_reach_by_access_too() -> None:
    """Access to knowledge, for the Scholar in slot 1; nothing for the three others."""
    state = town(tiles=(base("population", "l9"), base("knowledge", "g5", 1))).state()
    assert FOUNDERS.tables.offers(state, 1).reachable == (1,)


@pytest.mark.parametrize(
    ("at", "seat", "slots"),
    [
        (town(), 1, (1, 2, 3, 4)),
        (town(), 2, ()),
        (town(you(hand=("trade", "call"))), 1, ()),
        (TRADED, 2, ()),
        (town(before=[recruit(1)], **KNOWING), 2, (2, 3, 4)),
        (DUE, 1, ()),
    ],
    ids=["turn", "not to act", "no card to recruit", "follow of Trade", "follow of Recruit", "delivery"],
)
def test_f_7_4_the_row_is_on_offer_to_who_may_recruit_now(at: At, seat: int, slots: tuple[int, ...]) -> None:
    assert FOUNDERS.tables.offers(at.state(), seat).where == slots


def test_f_12_3_alone_the_proposals_are_on_offer_at_the_choice() -> None:
    state = alone(before=(CallVote(seat=1),)).state()
    assert FOUNDERS.tables.offers(state, 1).cards == state.proposals


def test_f_2_3_a_corner_is_one_step_to_the_nearest_legal_cell() -> None:
    """From g7 it is two steps to e5, over corners, and three to g10."""
    state = town(tiles=(base("gems", "d4"), base("population", "g11"))).state()
    act = LayRoad(seat=1, card="trade", down=True, at="g7")
    assert FOUNDERS.recorder.nearest(state, act)[0] == LayRoad(seat=1, card="trade", down=True, at="e5")


def test_a_deal_has_nothing_near() -> None:
    assert FOUNDERS.recorder.nearest(RECRUITED.state(), AdvisersDealt(cards=("paver",))) == []


def test_what_is_on_no_cell_is_as_near_to_each_cell() -> None:
    """So the legal roads come as they are listed: along the board."""
    state = town(tiles=(base("population", "l9"),)).state()
    near = FOUNDERS.recorder.nearest(state, LayRoad(seat=1, card="trade", down=True, at="?"))
    assert [act.at for act in near if isinstance(act, LayRoad)] == ["k8", "l8", "m8"]


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


def test_f_8_4_what_an_adviser_brings_waits_for_the_delivery_that_is_due() -> None:
    """The road connects two tiles with the Crooked Bone; each delivery of one's own brings a coin, this one too."""
    sheet = sheet_with(("drover", "does", "road, gain fleeting 1, gain money 1 per delivered"), source="read")
    state = town(you(hand=("drover", "upgrade", "call")), sheet=sheet, **BONE).state()
    moved = []
    for act in (LayRoad(seat=1, card="drover", at="g9"), deliver()):
        effects = FOUNDERS.effects(state, act)
        assert effects
        moved.append([posting.n for posting in effects.moved if posting.why == "adviser"])
        FOUNDERS.evolve(state, act, effects.moved, effects.facts)
    assert moved == [[], [1, 1]]


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


def test_f_10_5_without_a_second_best_that_fits_the_best_is_replaced() -> None:
    """All three voted for the University, which fits nowhere where the desert is full of roads."""
    options = Options(unplaceable="second-best")
    bids = tuple(Bid(seat=seat, proposal=1) for seat in (1, 2, 3))
    state = won(options=options, roads=FULL_DESERT, bids=bids[:2]).state()
    effects = FOUNDERS.effects(state, bids[2])
    assert effects
    assert list(effects.facts) == [VoteWon(proposal=1, seat=1)]
    FOUNDERS.evolve(state, bids[2], effects.moved, effects.facts)
    assert FOUNDERS.awaits(state).kind == "deal"


def test_f_10_4_bids_for_what_is_not_proposed_decide_nothing() -> None:
    state = BIDDING.state()
    for seat in (1, 2, 3):
        bid = Bid(seat=seat, proposal=4)
        effects = FOUNDERS.effects(state, bid)
        assert effects
        assert list(effects.facts) == []
        FOUNDERS.evolve(state, bid, effects.moved, effects.facts)
    assert FOUNDERS.awaits(state).seats == (2,)


def test_f_10_5_nothing_is_built_once_no_card_is_left_in_the_place_of_what_does_not_fit() -> None:
    state = DESERT_IS_FULL.state()
    assert FOUNDERS.awaits(state).kind == "deal"
    state.proposals = ("university",)
    state.removed = tuple(card for card in state.printed.prestige if card != "university")
    assert (FOUNDERS.awaits(state).kind, FOUNDERS.awaits(state).seats) == ("decision", (2,))


@pytest.mark.parametrize(
    ("at", "seats", "kind", "awaited"),
    [(DUE, (1,), "decision", (2,)), (DUE, (2,), "choice", (1,)), (town(), (1, 2, 3), "final", ())],
    ids=["the seat whose delivery is due", "another seat", "all seats"],
)
def test_nobody_waits_for_who_has_conceded(at: At, seats: tuple[int, ...], kind: str, awaited: tuple[int, ...]) -> None:
    awaits = FOUNDERS.awaits(at.then(*(Conceded(seat=seat) for seat in seats)).state())
    assert (awaits.kind, awaits.seats) == (kind, awaited)


def test_f_10_6_a_new_deck_holds_the_cards_of_buildings_that_the_table_discards() -> None:
    """The University stands; its card came into the new deck, and may be proposed again without another shuffle."""
    options = Options(workers="without", no_workers_card="discard")
    at = won(spent=("playhouse", "bath-house"), options=options)
    state = at.then(PlacePrestige(seat=1, cells=("e2", "f2", "e3", "f3"))).state()
    play(state, ProposalsDealt(cards=("playhouse", "grain-hall", "fish-market"), shuffled=True))
    state.proposals = ()
    again = ProposalsDealt(cards=("university", "bath-house", "salt-barge"))
    assert not FOUNDERS.breaches(state, again)
