"""What the recorder asks for before an act: the printed values that it rests on, as far as the set lacks them."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from spyrium_log.titles.founders import FOUNDERS
from spyrium_log.titles.founders.moves import AdvisersDealt, BuildBase, BuyAccess, Decline, TakeBase, TakeRace
from spyrium_log.titles.founders.options import Options
from tests.founders.corpus import At, base, building, new, sheet_with, tile, town, you
from tests.founders.corpus_building import CAPITAL, bricks, government, works
from tests.founders.corpus_cards import holding, housed, recruit, worker
from tests.founders.corpus_doubtful import without
from tests.founders.corpus_rows import RECRUITED
from tests.founders.corpus_setup import RACES_TAKEN, TWO_DRAFTING
from tests.founders.corpus_turns import TRADED
from tests.founders.corpus_votes import place, won


class Asked(NamedTuple):
    """`values` are those asked for, each as a component and one of its values."""

    name: str
    at: At
    act: Any
    values: tuple[tuple[str, str], ...] = ()


ACCESS = without(("terrain-coast", "access"), ("terrain-desert", "access"))
BUILDING = without(("terrain-coast", "build"))
ON_BOTH = (tile("books", "d2 e2 f2", 2),)
# The Foreman has taken the Scholar; the Huckster in slot 2 and the Carpenter in slot 3 can be taken, too.
WITHIN_REACH = (base("population", "l9"), base("knowledge", "g5", 1), base("crops", "g2", 1), base("wood", "k10", 1))


def halfway(*unknown: tuple[str, str]) -> At:
    """The Foreman's second adviser is due, in a set without these values."""
    return town(holding("foreman"), tiles=WITHIN_REACH, sheet=without(*unknown), before=[recruit(1, "foreman")])


ROWS = (
    Asked("an adviser that nobody saw", RECRUITED, AdvisersDealt(cards=("?",))),
    Asked("an adviser that the set does not have", RECRUITED, AdvisersDealt(cards=("castle",)), (("castle", "kind"),)),
    Asked(
        "access to a tile on two terrains, of which the cheaper counts",
        town(more=ON_BOTH, sheet=ACCESS),
        BuyAccess(seat=1, card="trade", at="d2"),
        (("terrain-coast", "access"), ("terrain-desert", "access")),
    ),
    Asked("access where no tile lies", town(sheet=ACCESS), BuyAccess(seat=1, card="trade", at="a1")),
    Asked(
        "a tile of an own base",
        town(sheet=BUILDING),
        BuildBase(seat=1, card="trade", base="population", at="a1"),
        (("terrain-coast", "build"),),
    ),
    Asked(
        "a tile of a neutral base, which costs 4 everywhere",
        town(sheet=BUILDING),
        BuildBase(seat=1, card="trade", base="stone", at="a1"),
    ),
    Asked("bricks", works(sheet=without(("bricks", "inputs"))), bricks(), (("bricks", "inputs"),)),
    Asked("a tile that does not exist", works(), bricks(resource="castle")),
    # The flag of the books on the government is 2 or 4, by how many inputs books have.
    Asked(
        "government of books whose recipe is unknown",
        town(**CAPITAL, sheet=without(("books", "inputs"))),
        government("d9 e9 f9 d10"),
        (("books", "inputs"),),
    ),
    # Weapons are made of wood, which is a base and has no recipe, and of machinery.
    Asked(
        "weapons of machinery whose recipe is unknown",
        works(sheet=without(("machinery", "inputs"))),
        bricks(resource="weapons"),
        (("machinery", "inputs"),),
    ),
    Asked("a worker on the mat", housed(sheet=without(("human", "worker"))), worker("race"), (("human", "worker"),)),
    Asked("a worker of a seat whose race nobody told", housed(you(race="")), worker("race")),
    Asked(
        "a worker on a building",
        housed(buildings=(building("university", "e2 f2 e3 f3", "gems/1"),), sheet=without(("university", "worker"))),
        worker("university"),
        (("university", "worker"),),
    ),
    Asked(
        "a second base card",
        new(before=RACES_TAKEN, sheet=without(("inox", "forbids"))),
        TakeBase(seat=3, base="crops"),
        (("inox", "forbids"),),
    ),
    Asked(
        "the second base card of Aesther, whose first one forbids, too",
        new(
            before=[*RACES_TAKEN[:3], TakeRace(seat=3, race="aesther", base="crops")],
            sheet=without(("aesther", "forbids"), ("crops", "forbids")),
        ),
        TakeBase(seat=3, base="metal"),
        (("aesther", "forbids"), ("crops", "forbids")),
    ),
    Asked(
        "the same where only the mat forbids",
        new(
            before=[*RACES_TAKEN[:3], TakeRace(seat=3, race="aesther", base="crops")],
            sheet=without(("crops", "forbids")),
            options=Options(aesther_forbids="mat"),
        ),
        TakeBase(seat=3, base="metal"),
    ),
    Asked(
        "a third base card, which the second one forbids",
        new(
            2,
            before=[*TWO_DRAFTING, TakeBase(seat=1, base="metal")],
            sheet=without(("metal", "forbids"), ("gems", "forbids")),
        ),
        TakeBase(seat=1, base="knowledge"),
        (("metal", "forbids"),),
    ),
    Asked("a base card of a seat without a race", new(before=RACES_TAKEN[:1]), TakeBase(seat=1, base="gems")),
    Asked("a step declined that can be done", halfway(), Decline(seat=1)),
    Asked(
        "a step declined that can be done if its price is no matter",
        halfway(("slot-2", "price"), ("slot-3", "price")),
        Decline(seat=1),
        (("slot-2", "price"),),
    ),
    Asked("a step declined that can be done for a price that is known", halfway(("slot-2", "price")), Decline(seat=1)),
    Asked("a follow declined", TRADED, Decline(seat=2)),
    Asked(
        "a building with a need of unknown points",
        won(sheet=sheet_with(("university", "needs", "gems:2 wood"))),
        place("e2", "f2", "e3", "f3"),
        (("university", "needs"),),
    ),
)


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_what_an_act_rests_on_is_asked(row: Asked) -> None:
    questions = FOUNDERS.recorder.questions(row.at.state(), row.act)
    assert tuple((question.of, question.what) for question in questions) == row.values
