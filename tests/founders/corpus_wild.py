"""Names that mean nothing, and numbers that no table has."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import structs

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
    TakeBack,
    TakeBase,
    TakeRace,
    UseWorker,
)
from tests.founders.corpus import At, base, house, new, town
from tests.founders.corpus_building import bricks, works
from tests.founders.corpus_cards import CHRONICLE, DUE, deliver, housed, recruit, worker
from tests.founders.corpus_ends import CHOOSING, CLAIM_DUE
from tests.founders.corpus_setup import DEALT, DRAFTED, RACES_TAKEN
from tests.founders.corpus_votes import BIDDING, READY, TIED, WON, place


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
    Phantom("an adviser of a fifth slot", town(), recruit(5), "recruit.slot"),
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
