"""Values that somebody assumes, and values that nobody knows."""

from __future__ import annotations

from spyrium_log.sheet import Printed, Sheet
from spyrium_log.titles.founders.moves import (
    BuildBase,
    BuildHouse,
    BuyAccess,
    Decline,
    LayRoad,
    Recruit,
    TakeBase,
    TakeRace,
)
from tests.founders.corpus import MAP, Row, building, make_sheet, new, sheet_with, tile, town, you
from tests.founders.corpus_building import bricks, works
from tests.founders.corpus_cards import KNOWING, housed, recruit, worker
from tests.founders.corpus_setup import ACHIEVEMENTS, DEALT, GOALS, RACES_TAKEN, TWO_DRAFTING, dealt
from tests.founders.corpus_votes import WEST, place, won

# --- assumed and unknown values ------------------------------------------------------------------

DEAR_COAST = ("terrain-coast", "build", 20)
ON_THE_COAST = BuildBase(seat=1, card="trade", base="population", at="a1")
ASSUMED = (
    Row(
        "a tile on the coast for an assumed price",
        town(sheet=sheet_with(DEAR_COAST)),
        ON_THE_COAST,
        "money.enough",
        "sheet",
    ),
    Row(
        "the same price, read off the board",
        town(sheet=sheet_with(DEAR_COAST, source="read")),
        ON_THE_COAST,
        "money.enough",
    ),
    Row("an assumed price that can be paid", town(sheet=sheet_with(("terrain-coast", "build", 9))), ON_THE_COAST, None),
    Row(
        "access for an assumed price",
        town(sheet=sheet_with(("terrain-desert", "access", 20))),
        BuyAccess(seat=1, card="trade", at="g2"),
        "money.enough",
        "sheet",
    ),
    Row(
        "an adviser in a slot of an assumed price",
        town(sheet=sheet_with(("slot-1", "price", 20)), **KNOWING),
        recruit(1),
        "money.enough",
        "sheet",
    ),
    Row(
        "an adviser whose resource is assumed",
        town(sheet=sheet_with(("scholar", "needs", "metal")), **KNOWING),
        recruit(1),
        "recruit.resource",
        "sheet",
    ),
    Row(
        "the record's breach comes before one on the sheet",
        town(sheet=sheet_with(DEAR_COAST), roads=("a1",)),
        ON_THE_COAST,
        "build.covered",
    ),
    Row(
        "an assumed price behind a resource that is read",
        town(sheet=sheet_with(("slot-2", "price", 20)), **KNOWING),
        recruit(2),
        "recruit.resource",
    ),
    Row(
        "an assumed price of coast beside desert, which is cheaper",
        town(sheet=sheet_with(("terrain-coast", "access", 20)), more=(tile("books", "d2 e2 f2", 2),)),
        BuyAccess(seat=1, card="trade", at="d2"),
        None,
    ),
    Row(
        "a base card that a mat is assumed to forbid",
        new(before=RACES_TAKEN, sheet=sheet_with(("inox", "forbids", "gems"))),
        TakeBase(seat=3, base="gems"),
        "draft.forbidden",
        "sheet",
    ),
    Row(
        "a base card after which nobody can take another, by what one is assumed to forbid",
        new(2, before=TWO_DRAFTING, sheet=sheet_with(("knowledge", "forbids", "livestock+metal"))),
        TakeBase(seat=1, base="knowledge"),
        "draft.stuck",
        "sheet",
    ),
    Row(
        "another base than the one that is assumed of a race",
        new(before=[DEALT], sheet=sheet_with(("human", "base", "population"))),
        TakeRace(seat=1, race="human", base="wood"),
        "race.base",
        "sheet",
    ),
    Row(
        "other inputs than assumed ones",
        works(sheet=sheet_with(("bricks", "inputs", "metal"))),
        bricks(),
        "tile.inputs",
        "sheet",
    ),
    Row(
        "another shape than the assumed one",
        works(sheet=sheet_with(("bricks", "shape", "xx/x"))),
        bricks(),
        "tile.shape",
        "sheet",
    ),
    Row(
        "a building in another shape than the assumed one",
        won(sheet=sheet_with(("university", "shape", "xxxx"))),
        place("e2", "f2", "e3", "f3"),
        "place.shape",
        "sheet",
    ),
    Row(
        "a building on another terrain than the assumed one",
        won(sheet=sheet_with(("university", "terrain", "forest"))),
        place("j1", "k1", "j2", "k2"),
        "place.terrain",
        "sheet",
    ),
    Row(
        "a tower on another site than the assumed one",
        won("north-watchtower", sheet=sheet_with(("north-watchtower", "site", "north"))),
        place(*WEST),
        "place.site",
        "sheet",
    ),
    Row(
        "beside a building that is like it by an assumed colour",
        won(sheet=sheet_with(("university", "colour", "blue")), buildings=(building("harbour-office", "a1 b1 a2 b2"),)),
        place("e2", "f2", "e3", "f3"),
        "place.like",
        "sheet",
    ),
    Row(
        "another action than the assumed one of an adviser",
        town(you(hand=("huckster", "call")), sheet=sheet_with(("huckster", "does", "base free"))),
        BuyAccess(seat=1, card="huckster", at="g2"),
        "card.kind",
        "sheet",
    ),
    Row(
        "another follow than that of an assumed category",
        town(
            you(hand=("huckster", "call")),
            sheet=sheet_with(("huckster", "category", "construct")),
            before=[BuyAccess(seat=1, card="huckster", at="g2")],
        ),
        BuyAccess(seat=2, at="d4"),
        "follow.kind",
        "sheet",
    ),
    Row(
        "a worker whose action is assumed, and cannot be done",
        housed(sheet=sheet_with(("human", "worker", "tile"))),
        worker("race"),
        "card.full",
        "sheet",
    ),
    Row(
        "an adviser of an assumed level", new(sheet=sheet_with(("scholar", "level", 2))), DEALT, "table.level", "sheet"
    ),
    Row(
        "an achievement of an assumed deck",
        new(sheet=sheet_with(("three-buildings", "deck", "mid")), options=ACHIEVEMENTS),
        dealt(goals=GOALS),
        "table.goals",
        "sheet",
    ),
)


def without(*values: tuple[str, str]) -> Sheet:
    """The sheet of the corpus without these values: nobody knows them."""

    def is_left_out(row: Printed) -> bool:
        return (row.of, row.what) in values

    return make_sheet(MAP, is_left_out)


POOR = you(money=0)
# The Huckster has built a house on d6, and nobody knows what he does.
UNKNOWN_ACTION = town(
    you(hand=("huckster", "call")),
    sheet=without(("huckster", "does")),
    roads=("d5",),
    before=[BuildHouse(seat=1, card="huckster", at="d6")],
)
UNKNOWN = (
    Row(
        "a tile on a terrain of unknown price",
        town(POOR, sheet=without(("terrain-coast", "build"))),
        ON_THE_COAST,
        None,
    ),
    Row(
        "access on a terrain of unknown price",
        town(POOR, sheet=without(("terrain-desert", "access"))),
        BuyAccess(seat=1, card="trade", at="g2"),
        None,
    ),
    Row(
        "an adviser in a slot of unknown price",
        town(POOR, sheet=without(("slot-1", "price")), **KNOWING),
        recruit(1),
        None,
    ),
    Row("an adviser whose resource is unknown", town(sheet=without(("scholar", "needs"))), recruit(1), None),
    Row(
        "a race whose base is unknown, with one",
        new(before=[DEALT], sheet=without(("human", "base"))),
        TakeRace(seat=1, race="human", base="wood"),
        None,
    ),
    Row(
        "a race whose base is unknown, with a tile of tier 2",
        new(before=[DEALT], sheet=without(("human", "base"))),
        TakeRace(seat=1, race="human", base="books"),
        "race.base",
    ),
    Row(
        "a base card that nobody knows to be forbidden",
        new(before=RACES_TAKEN, sheet=without(("inox", "forbids"))),
        TakeBase(seat=3, base="gems"),
        None,
    ),
    Row(
        "a tile of unknown recipe, of gems", works(sheet=without(("bricks", "inputs"))), bricks("c7 d7 e7", "d4"), None
    ),
    Row(
        "a tile of tier 2 of unknown recipe, of a tile of tier 2",
        works(tile("food", "c9 d9 e9", 1), sheet=without(("bricks", "inputs"))),
        bricks("c7 d7 e7", "c9"),
        "tile.inputs",
    ),
    Row("a tile of unknown shape", works(sheet=without(("bricks", "shape"))), bricks("c7 d7 d8"), None),
    Row(
        "two cells of a tile of unknown shape", works(sheet=without(("bricks", "shape"))), bricks("c7 d7"), "tile.shape"
    ),
    Row(
        "a building of unknown terrain",
        won(sheet=without(("university", "terrain"))),
        place("a1", "b1", "a2", "b2"),
        None,
    ),
    Row(
        "a building of unknown shape", won(sheet=without(("university", "shape"))), place("e1", "f1", "g1", "h1"), None
    ),
    Row(
        "a building of unknown colour beside one of the same shape",
        won(sheet=without(("university", "colour")), buildings=(building("harbour-office", "a1 b1 a2 b2"),)),
        place("e2", "f2", "e3", "f3"),
        None,
    ),
    Row(
        "an adviser that does nobody knows what, with a house",
        town(you(hand=("huckster", "call")), sheet=without(("huckster", "does")), roads=("d5",)),
        BuildHouse(seat=1, card="huckster", at="d6"),
        None,
    ),
    Row("a road after that", UNKNOWN_ACTION, LayRoad(seat=1, at="e5"), None),
    Row(
        "a road after that, once the next seat has followed",
        UNKNOWN_ACTION.then(Decline(seat=2)),
        LayRoad(seat=1, at="e5"),
        "turn.pending",
    ),
    Row(
        "any follow of an adviser of unknown category",
        town(
            you(hand=("huckster", "call")),
            sheet=without(("huckster", "category")),
            before=[BuyAccess(seat=1, card="huckster", at="g5")],
        ),
        Recruit(seat=2, slot=2),
        None,
    ),
    Row("a worker whose action is unknown", housed(sheet=without(("human", "worker"))), worker("race"), None),
)
GROUPS = {"assumed": ASSUMED, "unknown": UNKNOWN}
