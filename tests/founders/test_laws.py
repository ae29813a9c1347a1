"""The laws of Founders over the golden logs and the chance games; and each law against one wrong fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple

import pytest
from msgspec import structs

from spyrium_log.log.codec import Log
from spyrium_log.title import FinalCount
from spyrium_log.titles.founders.cards import BASES, BRIDGE, HOUSE
from spyrium_log.titles.founders.effects import Completed, Delivered, DeliveryDue, GoalMet, Scored, VoteWon
from spyrium_log.titles.founders.ground import mask_of
from spyrium_log.titles.founders.moves import CallVote
from spyrium_log.titles.founders.state import State, Structure
from tests.founders.laws import LAWS, check_laws, list_moments
from tests.founders.laws_moment import Moment, is_tile
from tests.founders.many_games import Game, campaign
from tests.founders.stories import STORIES
from tests.games import read


def check_log(log: Log) -> Counter[str]:
    """After every event of a log every law that holds of it; what each looked at."""
    checks: Counter[str] = Counter()
    for moment, laws in list_moments(log):
        check_laws(moment, checks, laws)
    return checks


def name_laws(checks: Counter[str]) -> Counter[str]:
    return Counter({f"law of Founders: {name}": n for name, n in checks.items()})


@cache
def check_example(name: str) -> Counter[str]:
    return check_log(read(STORIES.read(name)))


@pytest.mark.parametrize("name", STORIES.list_examples())
def test_every_law_holds_in_the_golden_logs(name: str, counts: Counter[str]) -> None:
    counts.update(name_laws(check_example(name)))
    counts["golden logs of Founders looked at"] += 1


def test_every_law_looks_at_something_in_the_golden_logs() -> None:
    checks = sum((check_example(name) for name in STORIES.list_examples()), Counter())
    assert {name for name in LAWS if checks[name]} == set(LAWS)


def test_the_campaign_plays_and_counts() -> None:
    # two games alone, which are short
    alone = [seed for seed in range(40) if Game(seed, Counter()).state.seats == 1]
    counts, failures = campaign(alone[:2])
    assert failures == []
    assert counts["games"] == counts["games: 1 players"] == 2
    assert counts["events"] > counts["decisions"] > 20


# --- each law against one wrong fact -------------------------------------------------------------


class Wrong(NamedTuple):
    """A law, the event at which one thing is made wrong, how, and what the law says then."""

    law: str
    where: Callable[[Moment], object]
    spoil: Callable[[Moment], Moment]
    sentence: str


def on_table(change: Callable[[State], object]) -> Callable[[Moment], Moment]:
    """The moment with the table after the event changed."""

    def spoil(moment: Moment) -> Moment:
        after = moment.after.copy()
        change(after)
        return moment._replace(after=after)

    return spoil


def on_table_before(change: Callable[[State], object]) -> Callable[[Moment], Moment]:
    """The moment with the table before the event changed."""

    def spoil(moment: Moment) -> Moment:
        before = moment.before.copy()
        change(before)
        return moment._replace(before=before)

    return spoil


def on_seat(seat: int, **values: Any) -> Callable[[Moment], Moment]:
    """The moment with other values on the mat of a seat after the event."""

    def change(state: State) -> None:
        for name, value in values.items():
            setattr(state.mats[seat], name, value)

    return on_table(change)


def set_state(**values: Any) -> Callable[[State], None]:
    def change(state: State) -> None:
        for name, value in values.items():
            setattr(state, name, value)

    return change


def on_posting(*causes: str) -> Callable[[Moment], Moment]:
    """The moment with one more of what moved for these causes."""

    def spoil(moment: Moment) -> Moment:
        moved = [structs.replace(each, n=each.n + 1) if each.why in causes else each for each in moment.moved]
        return moment._replace(moved=moved)

    return spoil


def on_fact(kind: type, **values: Any) -> Callable[[Moment], Moment]:
    """The moment with other values in the facts of one kind."""

    def spoil(moment: Moment) -> Moment:
        meant = moment.facts_of(kind)
        facts = [structs.replace(each, **values) if each in meant else each for each in moment.facts]
        return moment._replace(facts=facts)

    return spoil


def without_facts(moment: Moment) -> Moment:
    return moment._replace(facts=())


def with_fact(make: Callable[[Moment], Any]) -> Callable[[Moment], Moment]:
    return lambda moment: moment._replace(facts=[*moment.facts, make(moment)])


def has(kind: type) -> Callable[[Moment], object]:
    """Whether an event has facts of this kind."""
    return lambda moment: moment.facts_of(kind)


def is_act(kind: type) -> Callable[[Moment], object]:
    return lambda moment: isinstance(moment.act, kind)


def lies(kind: str) -> Callable[[Moment], object]:
    """Whether a piece of this kind lies on the board."""
    return lambda moment: any(each.kind == kind for each in moment.after.structures)


def is_late(moment: Moment) -> bool:
    return len(moment.after.buildings) > 4


def begins_turn(moment: Moment) -> bool:
    return is_late(moment) and moment.starts_turn()


def first(state: State, is_meant: Callable[[Structure], object]) -> int:
    """The index of the first structure that is meant."""
    return next(index for index, each in enumerate(state.structures) if is_meant(each))


def replace_structure(is_meant: Callable[[Structure], object], **values: Any) -> Callable[[State], None]:
    def change(state: State) -> None:
        index = first(state, is_meant)
        state.structures[index] = state.structures[index]._replace(**values)

    return change


def add_copy(is_meant: Callable[[Structure], object], find_cell: Callable[[State, Structure], int]) -> Any:
    """A second piece like the first that is meant, on another cell."""

    def change(state: State) -> None:
        piece = state.structures[first(state, is_meant)]
        cell = find_cell(state, piece)
        state.structures.append(piece._replace(cells=(cell,), mask=mask_of((cell,))))

    return change


def find_cell_of_kind(kind: str) -> Callable[[State, Structure], int]:
    """Some cell of a kind where nothing lies."""
    return lambda state, _: next(
        cell
        for cell, each in state.printed.board.kinds.items()
        if each == kind and not (state.covered | state.roads) >> cell & 1
    )


def find_same_section(state: State, piece: Structure) -> int:
    sections = state.printed.board.sections
    return next(cell for cell, each in sections.items() if each == sections[piece.name] and cell != piece.name)


def find_neighbour(state: State, piece: Structure) -> int:
    return state.printed.board.near[piece.name][0]


def is_base(structure: Structure) -> bool:
    return structure.kind in BASES


def add_road(state: State) -> None:
    """A road that touches nothing at all."""
    board = state.printed.board
    free = next(
        cell
        for cell in board.land
        if not any((state.covered | state.roads) >> each & 1 for each in (cell, *board.near[cell]))
    )
    state.roads |= mask_of((free,))


def change_building(**values: Any) -> Callable[[State], None]:
    """The first building with other values."""
    return lambda state: state.buildings.__setitem__(0, state.buildings[0]._replace(**values))


def leave_out_a_token(state: State) -> None:
    at = next(index for index, building in enumerate(state.buildings) if building.complete)
    state.buildings[at] = state.buildings[at]._replace(delivered=state.buildings[at].delivered[1:])


def void_completions(state: State) -> None:
    state.buildings = [building._replace(complete=False) for building in state.buildings]


def due_once_more(moment: Moment) -> Any:
    """A choice for a need that one tile filled."""
    fact = moment.facts_of(Delivered)[0]
    return DeliveryDue(building=fact.building, resource=fact.resource, seat=1)


def is_delivered_by_one(moment: Moment) -> bool:
    tiles = [each.kind for each in moment.after.structures]
    return any(tiles.count(fact.resource) == 1 for fact in moment.facts_of(Delivered)[:1])


def use_too_many_workers(state: State) -> None:
    owner = state.structures[first(state, lambda each: each.kind == HOUSE)].owner
    state.mats[owner].used = ("race",) * 4


def mislay(state: State) -> None:
    """All pieces with the mask of a cell where none of them lies."""
    free = find_cell_of_kind("forest")(state, state.structures[0])
    for index, each in enumerate(state.structures):
        state.structures[index] = each._replace(mask=mask_of((free,)))


def cut_off(state: State) -> None:
    """A house with nothing around it."""
    index = first(state, lambda each: each.kind == HOUSE)
    state.roads = 0
    state.structures = [state.structures[index]]


def add_three_bridges(state: State) -> None:
    state.structures += [state.structures[first(state, lambda each: each.kind == BRIDGE)]] * 3


def move_token(state: State) -> None:
    state.last = state.last % state.seats + 1


def forget_discards(state: State) -> None:
    for mat in state.mats:
        mat.discard = ()


def cover_with_roads(state: State) -> None:
    state.roads = state.covered


WRONG = (
    Wrong("networks are flood fills", is_late, on_table(mislay), "are connected for seat"),
    Wrong("points are those printed", has(Delivered), on_posting("delivered"), "points are printed"),
    Wrong("credits and losses sum up", has(Scored), on_fact(Scored, kept=99), "of them kept"),
    Wrong("completions", has(Completed), without_facts, "complete now"),
    Wrong("achievements", has(GoalMet), on_posting("goal:immediate", "goal:mid"), "points are printed"),
    Wrong("influence after a vote", has(VoteWon), on_seat(1, fleeting=1), "fleeting influence outlived"),
    Wrong("who wins a vote", has(VoteWon), on_fact(VoteWon, seat=9), "places what seats"),
    Wrong("calls", is_act(CallVote), on_table_before(forget_discards), "calls"),
    Wrong("chosen deliveries", is_delivered_by_one, with_fact(due_once_more), "tiles of .* to choose from"),
    Wrong("final counts", is_act(FinalCount), on_posting("final:money"), "points for them"),
    Wrong("one thing a cell", is_late, on_table(cover_with_roads), "two things lie"),
    Wrong("terrain", is_late, on_table(add_copy(is_base, find_cell_of_kind("river"))), "lies on"),
    Wrong("shapes and sites", is_late, on_table(replace_structure(is_tile, cells=(1, 2))), "has 2 cells"),
    Wrong("one of a kind a section", is_late, on_table(add_copy(is_base, find_same_section)), "more than one"),
    Wrong("structures apart", is_late, on_table(add_copy(is_base, find_neighbour)), "touches"),
    Wrong("structures joined", lies(HOUSE), on_table(cut_off), "is joined to nothing"),
    Wrong("roads joined", is_late, on_table(add_road), "leads to nobody"),
    Wrong("owners and inputs", is_late, on_table(replace_structure(is_base, owner=9)), "is not its holder's"),
    Wrong("supply", lies(BRIDGE), on_table(add_three_bridges), "pieces of"),
    Wrong("deliveries", has(Completed), on_table(leave_out_a_token), "is complete: True"),
    Wrong("income", is_late, on_seat(1, income=17), "has an income of 17"),
    Wrong("nothing negative", is_late, on_seat(2, money=-1), "seat 2 has"),
    Wrong("action cards", is_late, on_seat(1, hand=("call",), discard=()), "has the action cards"),
    Wrong("advisers", is_late, on_table(set_state(row=("scholar",) * 4)), "lie in two places"),
    Wrong("proposals", is_late, on_table(set_state(spent=())), "prestige buildings are in the game"),
    Wrong("base cards", is_late, on_seat(1, race_base="stone"), "base"),
    Wrong("workers", lies(HOUSE), on_table(use_too_many_workers), "workers of"),
    Wrong("claims", is_late, on_table(change_building(claim=True)), "has a claim"),
    Wrong("rows", begins_turn, on_table_before(set_state(row=("", "", "", ""))), "advisers lie in the row"),
    Wrong("buildings and votes", is_late, on_table(set_state(votes=1)), "after 1 votes"),
    Wrong("turns", begins_turn, on_table_before(move_token), "seat . plays"),
    Wrong("ends", is_act(FinalCount), on_table_before(void_completions), "0 buildings complete"),
)


# With three players, and with four.
WHOLE = ("three-players-on-the-symmetric-side", "four-players-on-the-symmetric-side")


@cache
def find_moment(law: str, where: Callable[[Moment], object]) -> Moment:
    """The first moment of a whole game that this is about, and of which the law holds."""
    for name in WHOLE:
        for moment, laws in list_moments(read(STORIES.read(name))):
            if where(moment) and law in laws:
                return moment._replace(past=deepcopy(moment.past))
    raise AssertionError(law)


@pytest.mark.parametrize("wrong", WRONG, ids=[wrong.law for wrong in WRONG])
def test_a_law_says_what_is_wrong(wrong: Wrong) -> None:
    moment = find_moment(wrong.law, wrong.where)
    law = LAWS[wrong.law]
    law(moment)
    with pytest.raises(AssertionError, match=wrong.sentence):
        law(wrong.spoil(moment))


def test_each_law_is_tried_against_something_wrong() -> None:
    assert {wrong.law for wrong in WRONG} == set(LAWS)
