"""The board as plain data: what lies there, what a seat may see, and any state at all."""

import random
from typing import Any

import pytest
from msgspec import json

from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.effects import DECKS, FoundersFact
from spyrium_log.titles.founders.evolve import evolve
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.sets import read_practice
from spyrium_log.titles.founders.state import Bid, State, Winner, new_state
from spyrium_log.titles.founders.tableau import (
    count_unseen_cards,
    find_credited_card,
    list_kinds,
    list_pieces,
    make_deed,
    phase_name,
)
from spyrium_log.titles.founders.view import make_view, make_view_for
from spyrium_log.titles.founders.view.parts import BidView, BoardView, NeedView
from spyrium_log.titles.founders.words import describe_event
from tests import anything
from tests.founders.tables import PROPOSALS, lay_table, lay_turn

# words that meet what lies there, and some that meet nothing
WORDS = (
    *("", "?", "gems", "wood", "books", "house", "bridge", "human", "race", "trade", "call", "scholar", "toll-clerk"),
    *("university", "crooked-bone", "two-houses", "a1", "d4", "k11", "m14", "zz99", "an40", "mine-1"),
)
PHASES = {"draft", "turn", "step", "follow", "vote", "place"}


def card_of(view: BoardView, kind: str) -> Any:
    return next(tile for tile in view.tiles if tile.kind == kind)


def test_the_map_is_the_one_that_the_set_draws() -> None:
    for side in ("thematic", "symmetric"):
        state = lay_table(options=Options(side=side))
        drawn = [str(row.value) for row in read_practice().printed if row.of == f"board-{side}"]
        assert list(make_view(state).rows) == drawn


def test_a_tile_with_its_suppliers_and_what_it_passes_on() -> None:
    view = make_view(lay_table())
    books = card_of(view, "books")
    # the first supplier is neutral and counts 2, the second is another seat's and counts its flag
    assert (books.cells, books.inputs, books.flags, books.passes) == (("k14", "k15", "k16"), ("l12", "p13"), (1, 1), 3)
    assert (card_of(view, "stone").owner, card_of(view, "stone").access) == (0, (1, 3))
    assert card_of(view, "wood").passes == 0


def test_a_tile_passes_nothing_on_to_its_own_owner() -> None:
    state = lay_table()
    # the books are of seat 1, as is now the second of their two suppliers
    state.structures = [tile._replace(owner=1) if tile.kind == "wood" else tile for tile in state.structures]
    assert card_of(make_view(state), "books").passes == 2


def test_what_a_tile_passes_on_is_unknown_without_a_supplier() -> None:
    state = lay_table()
    state.structures = [tile._replace(inputs=(9, 9)) if tile.inputs else tile for tile in state.structures]
    assert card_of(make_view(state), "books").passes is None


def test_a_building_with_what_it_has_and_needs() -> None:
    building = make_view(lay_table()).buildings[0]
    assert building.card == "crooked-bone"
    assert building.needs == (
        NeedView(resource="crops", points=2, points_are_assumed=False, seat=2),
        NeedView(resource="population", points=3, points_are_assumed=False, seat=0),
        NeedView(resource="food", points=5, points_are_assumed=False, seat=None),
    )
    assert (building.delivered, building.claim, building.complete, building.worker) == ((), True, False, 0)


def test_a_token_that_no_need_asks_for_is_shown_by_itself() -> None:
    state = lay_table()
    state.buildings[0] = state.buildings[0]._replace(delivered=(("crops", 1), ("crops", 2), ("gems", 3)))
    building = make_view(state).buildings[0]
    assert building.needs is not None
    assert [need.seat for need in building.needs] == [1, None, None]
    assert building.delivered == (("crops", 2), ("gems", 3))


def test_what_nobody_knows_is_none() -> None:
    state = lay_table()
    state.proposals = ("?", "a-card-of-nobody")
    view = make_view(state)
    assert [(slot.card, slot.price, slot.resource) for slot in view.row] == [
        ("scholar", 1, "knowledge"),
        ("?", 1, None),
        ("toll-clerk", 2, "population"),
        ("foreman", 2, "stone"),
    ]
    assert [(proposal.needs, proposal.shape) for proposal in view.proposals] == [(None, None)] * 2
    assert [(goal.deck, goal.card, goal.points) for goal in view.goals] == [
        (DECKS[0], "two-houses", 2),
        (DECKS[1], "?", None),
        (DECKS[2], "", None),
    ]


def test_pieces_and_workers_of_a_mat() -> None:
    mats = make_view(lay_table()).mats
    assert [(mat.houses, mat.bridges, mat.workers, mat.used) for mat in mats] == [
        (1, 1, 0, ("race",)),
        (0, 1, 0, ()),
        (0, 0, 0, ()),
    ]
    assert [mat.advisers for mat in mats] == [0, 0, 1]


def test_names_of_the_set_are_those_of_the_cards_shown() -> None:
    names = {(each.card, each.language): each.name for each in make_view(lay_table()).names}
    assert names["toll-clerk", "ru"] == "Сборщик пошлин"
    assert {card for card, _ in names} == {"scholar", "toll-clerk", "foreman", "two-houses", "crooked-bone", *PROPOSALS}


# --- what a seat may see --------------------------------------------------------------------------


def test_a_hand_is_public_until_something_was_discarded() -> None:
    state = lay_table()
    assert make_view_for(state, 1) == make_view(state)
    evolve(state, moves.Gain(seat=3, what="money", card="toll-clerk", down=True), (), ())
    seen = make_view_for(state, 1).mats[2]
    assert (seen.hand, seen.discard, seen.cards_in_hand, seen.cards_discarded) == (None, None, 1, 1)
    assert make_view_for(state, 3).mats[2].discard == ("toll-clerk",)
    assert make_view_for(state, 3).played == "toll-clerk"


def test_a_card_face_down_is_nowhere_in_the_view_of_another_seat() -> None:
    state = lay_table()
    evolve(state, moves.Gain(seat=3, what="money", card="toll-clerk", down=True), (), ())
    state.row = ("scholar", "", "", "")
    assert b"toll-clerk" in json.encode(make_view_for(state, 3))
    assert b"toll-clerk" not in json.encode(make_view_for(state, 1))
    assert b"toll-clerk" not in json.encode(make_view_for(state, 9))


def test_bids_are_seen_when_all_are_in() -> None:
    state = lay_table()
    evolve(state, moves.CallVote(seat=1), (), ())
    for seat in (1, 2):
        evolve(state, moves.Bid(seat=seat, proposal=seat, fleeting=1), (), ())
    assert [proposal.bids for proposal in make_view_for(state, 2).proposals] == [
        (),
        (BidView(seat=2, fleeting=1, lasting=0, points=2),),
        (),
    ]
    assert [mat.has_bid for mat in make_view_for(state, 3).mats] == [True, True, False]
    evolve(state, moves.Bid(seat=3, proposal=1), (), ())
    assert make_view_for(state, 2) == make_view(state)
    assert [len(proposal.bids) for proposal in make_view(state).proposals] == [2, 1, 0]


def test_bids_of_an_old_vote_are_not_shown() -> None:
    state = lay_table()
    state.mats[1].bid = Bid(1, 0, 0)
    assert [proposal.bids for proposal in make_view(state).proposals] == [(), (), ()]
    assert not make_view(state).mats[0].has_bid


# --- the tables of an archive ---------------------------------------------------------------------


def test_kinds_of_cards() -> None:
    kinds = list_kinds(read_practice())
    assert [kinds[card] for card in ("human", "gems", "scholar", "university", "two-houses")] == [
        *("race", "base", "adviser", "prestige", "goal")
    ]
    assert "books" not in kinds


def test_what_lies_before_a_seat() -> None:
    state = lay_table()
    assert [piece.card for piece in list_pieces(state, 3)] == ["aesther", "livestock", "metal", "toll-clerk"]
    assert list_pieces(state, 9) == []
    assert count_unseen_cards(state) == 2


def test_deeds_name_their_card_and_their_tool() -> None:
    state = lay_turn("scholar")
    deed = make_deed(state, moves.Recruit(seat=1, slot=3))
    assert (deed.verb, deed.card, deed.space, deed.tool) == ("hire", "toll-clerk", 3, "scholar")
    assert [find_credited_card(deed, why) for why in ("price", "saved", "delivered")] == ["toll-clerk", "scholar", ""]
    deed = make_deed(state, moves.Bid(seat=2, proposal=2))
    assert (deed.verb, deed.card, deed.space) == ("vote", "salt-barge", 6)
    deed = make_deed(state, moves.UseWorker(seat=1, on="race", card="trade", down=True))
    assert (deed.verb, deed.card, deed.tool, deed.used) == ("use", "human", "human", 1)
    deed = make_deed(state, moves.TakeRace(seat=1, race="quatryl"))
    assert (deed.verb, deed.card, deed.space) == ("draft", "quatryl", 6)
    assert make_deed(state, moves.Gain(seat=2, what="money")).tool == ""
    evolve(state, moves.UseWorker(seat=2, on="crooked-bone"), (), ())
    assert make_deed(state, moves.LayRoad(seat=2, at="a1")).tool == "crooked-bone"


def test_phases() -> None:
    state = new_state(2, 1, Options(), lay_table().printed)
    assert phase_name(state, 1) == "draft"
    state = lay_table()
    assert phase_name(state, 1) == "turn"
    evolve(state, moves.Recruit(seat=1, slot=1, card="recruit"), (), ())
    assert phase_name(state, 2) == "follow"
    evolve(state, moves.CallVote(seat=1, roads=1), (), ())
    assert phase_name(state, 1) == "step"
    evolve(state, moves.LayRoad(seat=1, at="a1"), (), ())
    assert phase_name(state, 1) == "vote"
    state.winner = Winner(1, 2)
    assert phase_name(state, 2) == "place"


# --- any state ------------------------------------------------------------------------------------


def any_state(chance: random.Random) -> State:
    """A table on which anything happened."""
    seats = chance.randint(1, 4)
    state = new_state(seats, chance.randint(1, seats), Options(), lay_table().printed)
    for _ in range(chance.randint(0, 60)):
        act = anything.anything(moves.Act, chance)
        facts = tuple(anything.anything(FoundersFact, chance) for _ in range(chance.randint(0, 2)))
        evolve(state, act, (), facts)
    return state


@pytest.mark.parametrize("seed", range(30))
def test_any_state_can_be_shown_and_described(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anything, "WORDS", WORDS)
    chance = random.Random(seed)
    state = any_state(chance)
    view = make_view(state)
    assert json.decode(json.encode(view), type=BoardView) == view
    assert {phase_name(state, seat) for seat in range(10)} <= PHASES
    for seat in range(10):
        json.encode(make_view_for(state, seat))
        list_pieces(state, seat)
    for _ in range(20):
        act = anything.anything(moves.Act, chance)
        facts = tuple(anything.anything(FoundersFact, chance) for _ in range(3))
        for language in ("en", "ru"):
            assert describe_event(state, act, (), facts, ("Anna", "Bob"), language, frozenset())
        make_deed(state, act)
