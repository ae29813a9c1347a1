"""What the door gives for any table: colours, what a game rests on, what a position is worth, and bounds of a log."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import Any, NamedTuple

import pytest
from msgspec import structs

from spyrium_log.errors import ArgumentError, SheetError
from spyrium_log.title import FinalCount, Table
from spyrium_log.titles.founders import FOUNDERS
from spyrium_log.titles.founders.effects import DeliveryDue, FoundersFact, GoalMet
from spyrium_log.titles.founders.moves import BuildBase, BuildTile, Decline, Gain, PlacePrestige, TakeBase
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.sets import read_official
from spyrium_log.titles.founders.state import MOST_CARDS, MOST_DONE, MOST_PIECES, State, Winner
from tests.founders.corpus import building, completed, new, town
from tests.founders.corpus_building import works
from tests.founders.corpus_doubtful import without
from tests.founders.corpus_setup import DEALT, HUMANS
from tests.founders.corpus_votes import WON

DRAFTING = new(before=[DEALT, HUMANS])


def test_a_score_sheet_needs_no_board() -> None:
    """The set of what is known of the printed game has none."""
    table = Table(start=((),) * 3, first=1, options=Options(), sheet=read_official(), is_played=False)
    assert FOUNDERS.setup(table).seats == 3
    with pytest.raises(SheetError):
        FOUNDERS.setup(structs.replace(table, is_played=True))


def test_a_seat_has_the_colour_of_its_race_once_it_took_one() -> None:
    state = DRAFTING.state()
    assert [FOUNDERS.screens.colour(state, seat) for seat in (1, 2, 3)] == ["purple", "", ""]


def test_a_game_rests_on_the_races_that_were_taken() -> None:
    used = set(FOUNDERS.tables.rests_on(DRAFTING.state()))
    assert used >= {"board-thematic", "terrain-coast", "slot-1", "human"}
    assert used.isdisjoint({"", "vermling"})


def test_what_is_no_act_of_the_title_is_refused() -> None:
    state = town().state()
    for ask in (FOUNDERS.breaches, FOUNDERS.effects):
        with pytest.raises(ArgumentError, match="Founders of Gloomhaven"):
            ask(state, "a road")  # type: ignore[arg-type]


# --- worth ---------------------------------------------------------------------------------------


def test_a_seat_that_does_not_exist_has_a_position_of_no_worth() -> None:
    assert [FOUNDERS.worth(town().state(), seat) for seat in (0, 4)] == [0, 0]


def test_a_position_is_worth_its_points_once_the_game_is_counted() -> None:
    state = town(buildings=completed(6), before=[FinalCount()]).state()
    assert [FOUNDERS.worth(state, seat) for seat in (1, 2, 3)] == [state.mat(seat).points for seat in (1, 2, 3)]


def test_a_proposal_that_won_is_worth_more_than_one_that_is_voted_for() -> None:
    state = WON.state()
    worth = FOUNDERS.worth(state, 1)
    state.winner = Winner(0, 0)
    assert FOUNDERS.worth(state, 1) < worth


def test_a_need_for_a_tile_that_nobody_knows_how_to_build_is_worth_less() -> None:
    """The Grain Hall needs bricks, of stone, to which seat 1 has access."""
    hall = (building("grain-hall", "g8 g9 g10"),)
    known, unknown = works(buildings=hall), works(buildings=hall, sheet=without(("bricks", "inputs")))
    assert FOUNDERS.worth(unknown.state(), 1) < FOUNDERS.worth(known.state(), 1)


# --- bounds --------------------------------------------------------------------------------------


class Claim(NamedTuple):
    """An event that a log may repeat with other numbers, without end; `kept` is what of it lies on the table."""

    name: str
    act: Callable[[int], Any]
    facts: tuple[FoundersFact, ...]
    kept: Callable[[State], Sized]
    most: int


DECLINE = Decline(seat=1)
TILES_BUILT = Claim(
    "tiles", lambda _: BuildBase(seat=1, base="gems", at="a1"), (), lambda state: state.structures, MOST_PIECES
)
BUILDINGS_PLACED = Claim(
    "buildings", lambda _: PlacePrestige(seat=1, cells=("a1",)), (), lambda state: state.buildings, MOST_PIECES
)
CLAIMS = (
    Claim("acts in a turn", lambda _: Gain(seat=1, what="money"), (), lambda state: state.did, MOST_DONE),
    Claim("bases", lambda n: TakeBase(seat=1, base=f"base-{n}"), (), lambda state: state.base_owner, MOST_CARDS),
    Claim(
        "deliveries that are due",
        lambda _: DECLINE,
        (DeliveryDue(building="university", resource="gems", seat=1),),
        lambda state: state.due,
        MOST_CARDS,
    ),
    Claim(
        "achievements met", lambda _: DECLINE, (GoalMet(seat=1, deck="mid"),), lambda state: state.goals_met, MOST_CARDS
    ),
    TILES_BUILT,
    BUILDINGS_PLACED,
)


def claim_often(claim: Claim, state: State) -> None:
    for n in range(claim.most + 2):
        FOUNDERS.evolve(state, claim.act(n), (), claim.facts)


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim.name for claim in CLAIMS])
def test_no_more_is_kept_than_any_table_has_however_often_a_log_claims_it(claim: Claim) -> None:
    state = town().state()
    claim_often(claim, state)
    assert len(claim.kept(state)) == claim.most


def test_a_tile_that_is_not_kept_scores_nothing() -> None:
    state = town().state()
    claim_often(TILES_BUILT, state)
    effects = FOUNDERS.effects(state, BuildTile(seat=1, resource="bricks", cells=("j1", "k1", "l1"), inputs=("d4",)))
    assert effects
    assert list(effects.facts) == []


def test_a_building_that_is_not_kept_has_no_need_filled() -> None:
    """The Grain Hall needs stone, which is neutral."""
    state = WON.state()
    winner = state.winner
    claim_often(BUILDINGS_PLACED, state)
    state.proposals, state.winner = ("grain-hall",), winner
    effects = FOUNDERS.effects(state, PlacePrestige(seat=1, cells=("j2", "k2", "l2")))
    assert effects
    assert list(effects.facts) == []
