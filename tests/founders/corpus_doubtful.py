"""Values that somebody assumes or nobody knows, names that mean nothing, and numbers that no table has."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import structs

from spyrium_log.sheet import Printed, Sheet
from spyrium_log.title import Conceded
from spyrium_log.titles.founders.moves import (
    Bid,
    BreakTie,
    BuildBase,
    BuildHouse,
    BuildTile,
    BuyAccess,
    CallVote,
    ChooseProposal,
    Decline,
    Deliver,
    Gain,
    LayRoad,
    PayClaims,
    PlacePrestige,
    PlaceStart,
    PlayCard,
    Recruit,
    TakeBack,
    TakeBase,
    TakeRace,
    UseWorker,
)
from tests.founders.corpus import MAP, At, Row, base, building, house, make_sheet, new, sheet_with, tile, town, you
from tests.founders.corpus_building import bricks, works
from tests.founders.corpus_cards import CHRONICLE, DUE, KNOWING, deliver, housed, recruit, worker
from tests.founders.corpus_ends import CHOOSING, CLAIM_DUE
from tests.founders.corpus_setup import DEALT, DRAFTED, RACES_TAKEN
from tests.founders.corpus_votes import BIDDING, READY, TIED, WON, place, won

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
)


def without(*values: tuple[str, str]) -> Sheet:
    """The sheet of the corpus without these values: nobody knows them."""

    def is_left_out(row: Printed) -> bool:
        return (row.of, row.what) in values

    return make_sheet(MAP, is_left_out)


POOR = you(money=0)
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

# --- names that mean nothing ---------------------------------------------------------------------


class Phantom(NamedTuple):
    """An act that names what does not exist. `is_gone`: nothing can be said of what it would do."""

    name: str
    at: At
    act: Any
    rule: str
    is_gone: bool = True


STARTING = new(before=DRAFTED)
PHANTOMS = (
    Phantom("a road on no cell", town(), LayRoad(seat=1, card="trade", down=True, at="?"), "cell.exists"),
    Phantom("a road on a name of nothing", town(), LayRoad(seat=1, card="trade", down=True, at=""), "cell.exists"),
    Phantom("a road in row 0", town(), LayRoad(seat=1, card="trade", down=True, at="a0"), "cell.exists"),
    Phantom("a road in a column of capitals", town(), LayRoad(seat=1, card="trade", down=True, at="A1"), "cell.exists"),
    Phantom("a base on no cell", town(), BuildBase(seat=1, card="trade", base="gems", at="99"), "cell.exists"),
    Phantom(
        "a base that does not exist", town(), BuildBase(seat=1, card="trade", base="castle", at="a1"), "trade.base"
    ),
    Phantom("a house on no cell", town(), BuildHouse(seat=1, card="construct", at="?"), "cell.exists"),
    Phantom("bricks on no cell", works(), bricks("c7 d7 ?"), "cell.exists"),
    Phantom("a tile that does not exist", works(), bricks(resource="castle"), "tile.shape"),
    Phantom("access to an empty cell", town(), BuyAccess(seat=1, card="trade", at="a1"), "access.tile"),
    Phantom("access to no cell", town(), BuyAccess(seat=1, card="trade", at="?"), "access.tile"),
    Phantom("a start tile on no cell", STARTING, PlaceStart(seat=3, at="?"), "cell.exists"),
    Phantom("a base card that does not exist", new(before=RACES_TAKEN), TakeBase(seat=3, base="castle"), "draft.free"),
    Phantom("a building on no cell", WON, place("?"), "cell.exists"),
    Phantom("a building on nothing", WON, place(), "cell.exists"),
    Phantom("a delivery to a building that does not exist", DUE, deliver(card="castle"), "deliver.need"),
    Phantom("a delivery of a tile on no cell", DUE, deliver(at="?"), "deliver.tile"),
    Phantom("a tie broken for a seventh proposal", TIED, BreakTie(seat=3, proposal=7), "tie.proposal"),
    Phantom(
        "a seat beyond the table lays a road", town(), LayRoad(seat=7, card="trade", down=True, at="e5"), "seat.exists"
    ),
    Phantom("a seat beyond the table calls", READY, CallVote(seat=4, money=2), "seat.exists"),
    Phantom(
        "a card that does not exist",
        town(),
        Gain(seat=1, what="money", card="castle", down=True),
        "card.hand",
        is_gone=False,
    ),
    Phantom(
        "the action of a card that does not exist", town(), PlayCard(seat=1, card="castle"), "card.hand", is_gone=False
    ),
    Phantom(
        "a race that does not exist", new(before=[DEALT]), TakeRace(seat=1, race="elf"), "race.free", is_gone=False
    ),
    Phantom("a worker on a card that does not exist", housed(), worker("castle"), "worker.space", is_gone=False),
    Phantom(
        "a card taken back that does not exist",
        CHRONICLE,
        TakeBack(seat=1, cards=("castle",)),
        "step.amount",
        is_gone=False,
    ),
    Phantom("bricks of what lies on no cell", works(), bricks(inputs="?"), "tile.inputs", is_gone=False),
    Phantom("a bid on a seventh proposal", BIDDING, Bid(seat=1, proposal=7), "bid.proposal", is_gone=False),
    Phantom(
        "a base card from a seat beyond the table",
        new(before=RACES_TAKEN),
        TakeBase(seat=3, base="metal", who=9),
        "draft.displaced",
        is_gone=False,
    ),
    Phantom("an adviser of a fifth slot", town(), recruit(5), "recruit.slot", is_gone=False),
)

# --- numbers and texts that no table has ---------------------------------------------------------


class Wild(NamedTuple):
    """An act that breaks some rule, whichever, and is no error."""

    name: str
    at: At
    act: Any


VAST = 10**12
LONG = "x" * 10_000
COIN = Gain(seat=1, what="money", card="trade", down=True)
WILD = (
    Wild("seat -1 gains", town(), Gain(seat=-1, what="money", card="trade", down=True)),
    Wild("a seat of 13 digits gains", town(), Gain(seat=VAST, what="money", card="trade", down=True)),
    Wild("seat 0 lays a road", town(), LayRoad(seat=0, at="e5")),
    Wild("a seat of 13 digits concedes", town(), Conceded(seat=VAST)),
    Wild("seat -3 places", WON, PlacePrestige(seat=-3, cells=("e2", "f2", "e3", "f3"))),
    Wild("points gained", town(), structs.replace(COIN, what="points")),
    Wild("slot -3", town(), recruit(-3)),
    Wild("slot 0", town(), recruit(0)),
    Wild("a slot of 13 digits", town(), recruit(VAST)),
    Wild("five coins too few, made up by influence", READY, CallVote(seat=1, money=-5, fleeting=7)),
    Wild("roads without end", READY, CallVote(seat=1, roads=VAST)),
    Wild("a road too few", READY, CallVote(seat=1, money=3, roads=-1)),
    Wild("proposal -1", BIDDING, Bid(seat=1, proposal=-1)),
    Wild("proposal 0", BIDDING, Bid(seat=1, proposal=0)),
    Wild("a bid of less than nothing", BIDDING, Bid(seat=1, proposal=1, fleeting=-2)),
    Wild("a bid without end", BIDDING, Bid(seat=1, proposal=1, fleeting=VAST, lasting=VAST)),
    Wild("lasting influence of less than nothing", BIDDING, Bid(seat=1, proposal=1, lasting=-1)),
    Wild("a tie broken for proposal -1", TIED, BreakTie(seat=3, proposal=-1)),
    Wild("a claim paid with more and less than there is", CLAIM_DUE, PayClaims(seat=1, fleeting=-2, lasting=3)),
    Wild("proposal 0 alone", CHOOSING, ChooseProposal(seat=1, proposal=0)),
    Wild("a proposal paid with less than nothing", CHOOSING, ChooseProposal(seat=1, proposal=1, fleeting=-1)),
    Wild("a road on a text of 10,000 letters", town(), LayRoad(seat=1, card="trade", down=True, at=LONG)),
    Wild("a card of 10,000 letters", town(), Gain(seat=1, what="money", card=LONG, down=True)),
    Wild("a race of 10,000 letters", new(before=[DEALT]), TakeRace(seat=1, race=LONG)),
    Wild("a worker on a text of 10,000 letters", housed(), UseWorker(seat=1, card="trade", down=True, on=LONG)),
    Wild("a tile of 10,000 cells", works(), bricks(" ".join(["c7"] * 10_000))),
    Wild("a tile of 10,000 inputs", works(), bricks(inputs=" ".join(["b5"] * 10_000))),
    Wild("a building of 10,000 cells", WON, place(*["e2"] * 10_000)),
    Wild("10,000 cards taken back", CHRONICLE, TakeBack(seat=1, cards=("?",) * 10_000)),
    Wild("a cell in letters of another script", town(), LayRoad(seat=1, card="trade", down=True, at="а1")),  # noqa: RUF001 - it looks like a1
    Wild("a cell in digits of another script", town(), LayRoad(seat=1, card="trade", down=True, at="a١")),  # noqa: RUF001 - likewise
    Wild(
        "a delivery by a seat of 13 digits",
        DUE,
        Deliver(seat=VAST, building="crooked-bone", resource="population", at="l9"),
    ),
    Wild("seat -1 declines", town(), Decline(seat=-1)),
    Wild("a tile without cells or inputs", works(), BuildTile(seat=1, card="upgrade", resource="bricks", cells=())),
    Wild("a second base from seat -1", new(before=RACES_TAKEN), TakeBase(seat=3, base="metal", who=-1)),
    Wild(
        "a house of a seat that a position cannot hold",
        town(more=(house("m2", 9),)),
        UseWorker(seat=9, card="trade", down=True, on="race"),
    ),
    Wild(
        "a neutral tile delivered",
        town(more=(base("stone", "a1"),)),
        Deliver(seat=1, building="castle", resource="stone", at="a1"),
    ),
)
