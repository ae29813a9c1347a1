"""Advisers, workers and deliveries: steps that may not be taken so (F-7.0, F-7.4 to F-9)."""

from __future__ import annotations

from typing import Any

from spyrium_log.titles.founders.moves import (
    BuildBase,
    BuildBridge,
    BuildHouse,
    BuyAccess,
    Decline,
    Deliver,
    Gain,
    LayRoad,
    PlayCard,
    Recruit,
    TakeBack,
    UseWorker,
)
from spyrium_log.titles.founders.options import Options
from tests.founders.corpus import ROW, TILES, At, Row, base, bridge, building, house, mat, sheet_with, town, two, you

# --- advisers ------------------------------------------------------------------------------------


def recruit(slot: int, card: str | None = "recruit", named: str | None = None) -> Recruit:
    return Recruit(seat=1, card=card, slot=slot, named=named)


def holding(*cards: str, **own: Any) -> Any:
    """Seat 1 with these advisers in hand."""
    return you(hand=(*cards, "trade", "call"), **own)


# In the row: Scholar (knowledge) and Huckster (crops) for 1 coin, Carpenter (wood) and Drover (livestock) for 2.
KNOWING: dict[str, Any] = {"tiles": (base("population", "l9"), base("knowledge", "g5", 1), base("crops", "g2"))}
BOTH: dict[str, Any] = {"tiles": (base("population", "l9"), base("knowledge", "g5", 1), base("crops", "g2", 1))}
ROAD_OR_NOT = sheet_with(("drover", "does", "road?, gain money 1, base"))
FORESTS = (base("population", "l9"), base("wood", "n1"), base("crops", "g2"))
ADVISERS = (
    Row("an adviser whose resource the seat has access to", town(**KNOWING), recruit(1), None),
    Row("an adviser whose resource is a rival's", town(**KNOWING), recruit(2), "recruit.resource"),
    Row("an adviser whose resource is neutral and lies there", town(), recruit(1), "recruit.resource"),
    Row(
        "an adviser whose resource the seat has a card of and no tile",
        town(you(bases=("gems", "crops")), tiles=TILES[:1]),
        recruit(2),
        "recruit.resource",
    ),
    Row("an adviser of a fifth slot", town(**KNOWING), recruit(5), "recruit.slot"),
    Row(
        "an adviser that another has recruited in this turn",
        town(tiles=(base("knowledge", "g5", 1, 2),), before=[recruit(1)]),
        Recruit(seat=2, slot=1),
        "recruit.slot",
    ),
    Row("an adviser for 1 without a coin", town(you(money=0), **KNOWING), recruit(1), "money.enough"),
    Row(
        "an adviser for 2 with 1 coin",
        town(you(money=1), row=("huckster", "carpenter", "drover", "scholar"), **KNOWING),
        recruit(4),
        "money.enough",
    ),
    Row(
        "the Scholar's adviser without a coin",
        town(holding("scholar", money=0), **KNOWING),
        recruit(1, "scholar"),
        None,
    ),
    Row(
        "the Scholar waives no resource",
        town(holding("scholar", money=0), **KNOWING),
        recruit(2, "scholar"),
        "recruit.resource",
    ),
    Row(
        "a name for an adviser that lies open",
        town(row=("toll-clerk", *ROW[1:])),
        recruit(1, named="patroness"),
        "recruit.named",
    ),
    Row(
        "the name of an adviser whose resource is missing, for one that lies open",
        town(**KNOWING),
        recruit(1, named="foreman"),
        "recruit.named",
    ),
    Row(
        "an unseen adviser named as one whose resource is missing",
        town(row=("?", *ROW[1:]), **KNOWING),
        recruit(1, named="foreman"),
        "recruit.resource",
    ),
    Row(
        "an unseen adviser named as one that can be",
        town(row=("?", *ROW[1:]), **KNOWING),
        recruit(1, named="scholar"),
        None,
    ),
    Row(
        "an unseen adviser named as one that is no card",
        town(row=("?", *ROW[1:]), **KNOWING),
        recruit(1, named="castle"),
        "cards.known",
    ),
    Row(
        "an unseen adviser named as a prestige building",
        town(row=("?", *ROW[1:]), **KNOWING),
        recruit(1, named="university"),
        "cards.known",
    ),
    Row("the Foreman with two advisers", town(holding("foreman"), **BOTH), recruit(1, "foreman"), None),
    Row(
        "the Foreman with one adviser that can be recruited",
        town(holding("foreman"), **KNOWING),
        recruit(1, "foreman"),
        "card.full",
    ),
    Row(
        "the Foreman with two advisers and one coin",
        town(holding("foreman", money=1), **BOTH),
        recruit(1, "foreman"),
        "card.full",
    ),
    Row(
        "the Foreman's second adviser from the same slot",
        town(holding("foreman"), before=[recruit(1, "foreman")], **BOTH),
        recruit(1, None),
        "recruit.slot",
    ),
    Row(
        "the Foreman's second adviser left out",
        town(holding("foreman"), before=[recruit(1, "foreman")], **BOTH),
        Decline(seat=1),
        "card.full",
    ),
    Row(
        "the Foreman's second step is no coin",
        town(holding("foreman"), before=[recruit(1, "foreman")], **BOTH),
        Gain(seat=1, what="money"),
        "card.kind",
    ),
    Row(
        "the Patroness, access to crops", town(holding("patroness")), BuyAccess(seat=1, card="patroness", at="g2"), None
    ),
    Row(
        "the Patroness, access to what no adviser asks for",
        town(holding("patroness"), more=(base("metal", "j1"),)),
        BuyAccess(seat=1, card="patroness", at="j1"),
        "card.full",
    ),
    Row(
        "the Patroness, with money for the access only",
        town(holding("patroness", money=3)),
        BuyAccess(seat=1, card="patroness", at="g2"),
        "card.full",
    ),
    Row(
        "the Patroness, an adviser of another resource than bought",
        town(holding("patroness"), before=[BuyAccess(seat=1, card="patroness", at="g2")], **KNOWING),
        recruit(1, None),
        "recruit.resource",
    ),
    Row(
        "the Patroness, the adviser of the resource bought",
        town(holding("patroness"), before=[BuyAccess(seat=1, card="patroness", at="g2")]),
        recruit(2, None),
        None,
    ),
    Row(
        "the Drover with a neutral base",
        town(holding("drover")),
        BuildBase(seat=1, card="drover", base="stone", at="a1"),
        "trade.base",
    ),
    Row(
        "the Drover without a coin",
        town(holding("drover", money=0)),
        BuildBase(seat=1, card="drover", base="population", at="a11"),
        None,
    ),
    Row(
        "the Surveyor with a tile on desert",
        town(holding("surveyor")),
        BuyAccess(seat=1, card="surveyor", at="g2"),
        "trade.terrain",
    ),
    Row(
        "the Surveyor with a tile on forest",
        town(holding("surveyor"), tiles=FORESTS),
        BuyAccess(seat=1, card="surveyor", at="n1"),
        None,
    ),
    Row(
        "the Huckster for 1 coin off",
        town(holding("huckster", money=2)),
        BuyAccess(seat=1, card="huckster", at="g2"),
        None,
    ),
    Row(
        "the Toll Clerk, whose coins for two bridges pay a house",
        town(holding("toll-clerk", money=1), more=(bridge("i1", 1), bridge("i2", 1)), roads=("d5",)),
        PlayCard(seat=1, card="toll-clerk"),
        None,
    ),
    Row(
        "the Toll Clerk, whose coin for one bridge does not",
        town(holding("toll-clerk", money=1), more=(bridge("i1", 1),), roads=("d5",)),
        PlayCard(seat=1, card="toll-clerk"),
        "card.full",
    ),
    Row(
        "the Toll Clerk, with nothing to build",
        town(holding("toll-clerk"), tiles=TILES[1:3]),
        PlayCard(seat=1, card="toll-clerk"),
        "card.full",
    ),
    Row(
        "a tile of the Drover, where a road that one may leave out and a coin come before it",
        town(holding("drover"), sheet=ROAD_OR_NOT),
        BuildBase(seat=1, card="drover", base="population", at="a11"),
        None,
    ),
    Row(
        "the Paver's first road, with no tile to build",
        town(holding("paver")),
        LayRoad(seat=1, card="paver", at="e5"),
        "card.full",
    ),
)

# --- taking cards back ---------------------------------------------------------------------------

CHRONICLE = town(
    you(hand=("chronicler", "upgrade", "call"), discard=("trade", "recruit", "construct")),
    before=[PlayCard(seat=1, card="chronicler")],
)
# A card nobody saw lies in the discard pile: the Recruit, or the Upgrade.
UNSEEN_BACK = town(
    you(hand=("chronicler", "recruit", "upgrade", "call"), discard=("trade",), unknown=1),
    before=[PlayCard(seat=1, card="chronicler")],
)
# The worker's card was played unseen, and is all that nobody saw.
PLAYED_UNSEEN = town(
    you(hand=("trade", "recruit", "call"), discard=("construct",)),
    more=(house("m2", 1),),
    buildings=(building("university", "e2 f2 e3 f3", "knowledge/1", "metal/1"),),
    before=[UseWorker(seat=1, card="?", down=True, on="university")],
)
TAKING_BACK = (
    Row("a card that nobody saw", UNSEEN_BACK, TakeBack(seat=1, cards=("trade", "?")), None),
    Row("one of the cards that it may be", UNSEEN_BACK, TakeBack(seat=1, cards=("trade", "recruit")), None),
    Row("two cards for one that nobody saw", UNSEEN_BACK, TakeBack(seat=1, cards=("upgrade", "?")), "step.amount"),
    Row("Call to Vote for one that nobody saw", UNSEEN_BACK, TakeBack(seat=1, cards=("call",)), "step.amount"),
    Row("no card by the worker of a card played unseen", PLAYED_UNSEEN, TakeBack(seat=1), None),
    Row("the card being played, which nobody saw", PLAYED_UNSEEN, TakeBack(seat=1, cards=("?",)), "step.amount"),
    Row("the card being played by its name", PLAYED_UNSEEN, TakeBack(seat=1, cards=("trade",)), "step.amount"),
    Row("two cards", CHRONICLE, TakeBack(seat=1, cards=("trade", "recruit")), None),
    Row("no card", CHRONICLE, TakeBack(seat=1), None),
    Row("three cards", CHRONICLE, TakeBack(seat=1, cards=("trade", "recruit", "construct")), "step.amount"),
    Row("a card in hand", CHRONICLE, TakeBack(seat=1, cards=("upgrade",)), "step.amount"),
    Row("a card twice", CHRONICLE, TakeBack(seat=1, cards=("trade", "trade")), "step.amount"),
    Row("the card that is being played", CHRONICLE, TakeBack(seat=1, cards=("chronicler",)), "step.amount"),
    Row("a card that does not exist", CHRONICLE, TakeBack(seat=1, cards=("castle",)), "step.amount"),
    # Not Income (K19).
    Row(
        "the Income card, which the Chronicler leaves out",
        two(
            you(hand=("chronicler", "upgrade", "call"), discard=("trade", "income")),
            before=[PlayCard(seat=1, card="chronicler")],
        ),
        TakeBack(seat=1, cards=("income",)),
        "step.amount",
    ),
    Row("cards taken back in a turn that does not say so", town(), TakeBack(seat=1), "turn.order"),
)

# --- workers -------------------------------------------------------------------------------------


def worker(on: str, seat: int = 1) -> UseWorker:
    return UseWorker(seat=seat, on=on, card="trade", down=True)


def housed(*mats: Any, **changed: Any) -> At:
    """Seat 1 has a house on the forest of m2."""
    return town(*mats, more=(house("m2", 1), *changed.pop("more", ())), **changed)


LODGE = building("salt-barge", "a1 b1 c1", "livestock/1")
MARKET = building("fish-market", "a1 b1", "population/1")
WORKERS = (
    Row("the race's action", housed(), worker("race"), None),
    Row(
        "a worker in a game without them", housed(options=Options(workers="without")), worker("race"), "worker.variant"
    ),
    Row("a worker without a house", town(), worker("race"), "worker.free"),
    Row(
        "a second worker of one house",
        housed(you(used=("fish-market",)), buildings=(MARKET,)),
        worker("race"),
        "worker.free",
    ),
    Row(
        "a second worker of two houses",
        housed(you(used=("fish-market",)), more=(house("a11", 1),), buildings=(MARKET,)),
        worker("race"),
        None,
    ),
    Row(
        "a second worker on the mat",
        housed(you(used=("race",)), more=(house("a11", 1),)),
        worker("race"),
        "worker.space",
    ),
    Row(
        "a worker on a building where a rival's stands",
        housed(mat(2, used=("fish-market",)), buildings=(MARKET,)),
        worker("fish-market"),
        "worker.space",
    ),
    Row("a worker on a proposal", housed(), worker("university"), "worker.space"),
    Row("a worker on a card that does not exist", housed(), worker("castle"), "worker.space"),
    Row("a worker on a building with an own delivery token", housed(buildings=(MARKET,)), worker("fish-market"), None),
    Row(
        "a worker on a building with a rival's token only",
        housed(buildings=(building("fish-market", "a1 b1", "population/2"),)),
        worker("fish-market"),
        "worker.delivery",
    ),
    Row(
        "a worker on a building with a neutral token only",
        housed(buildings=(building("fish-market", "a1 b1", "livestock/0"),)),
        worker("fish-market"),
        "worker.delivery",
    ),
    Row(
        "a worker on a building that is not complete, where it has to be",
        housed(buildings=(MARKET,), options=Options(worker_incomplete="completed")),
        worker("fish-market"),
        "worker.delivery",
    ),
    Row("a worker that builds a tile, with none to build", housed(you(race="quatryl")), worker("race"), "card.full"),
    Row("a worker that buys access, without a coin", housed(you(race="orchid", money=0)), worker("race"), "card.full"),
    Row(
        "a worker that takes back no card",
        housed(buildings=(building("university", "e2 f2 e3 f3", "gems/1"),)),
        worker("university"),
        None,
    ),
    Row(
        "a worker that recruits, with nobody to recruit", housed(buildings=(LODGE,)), worker("salt-barge"), "card.full"
    ),
    Row(
        "another card before the worker's action is done",
        housed(you(race="vermling"), before=[worker("race")]),
        Gain(seat=2, what="money", card="trade", down=True),
        "turn.pending",
    ),
    Row(
        "a worker for a road builds a house",
        housed(you(race="vermling"), before=[worker("race")]),
        BuildHouse(seat=1, at="d6"),
        "card.kind",
    ),
    Row(
        "a worker for a bridge builds a house",
        housed(you(race="savvas"), more=(bridge("i1", 1),), roads=("d5",), before=[worker("race")]),
        BuildHouse(seat=1, at="d6"),
        "construct.kind",
    ),
    Row(
        "a worker for a bridge builds a bridge",
        housed(you(race="savvas"), more=(bridge("i1", 1),), before=[worker("race")]),
        BuildBridge(seat=1, at="i2"),
        None,
    ),
)

# --- deliveries ----------------------------------------------------------------------------------

# Crooked Bone needs population. A road on g9 joins it to the tile on f10 and, over h10, the own bridge on i10, j9 and
# k9, to the one on l9: two tiles of seat 1 at once. The third one, on j1, is connected to nothing.
BONE: dict[str, Any] = {
    "tiles": (
        base("population", "l9"),
        base("population", "f10"),
        base("population", "j1"),
        base("wood", "f8"),
        bridge("i10", 1),
    ),
    "roads": ("h10", "j9", "k9"),
    "buildings": (building("crooked-bone", "g8 h8"),),
}
DUE = town(before=[LayRoad(seat=1, card="trade", down=True, at="g9")], **BONE)
FOLLOWED = town(before=[BuyAccess(seat=1, card="trade", at="f8"), LayRoad(seat=2, at="g9")], **BONE)


def deliver(seat: int = 1, at: str = "l9", card: str = "crooked-bone", resource: str = "population") -> Deliver:
    return Deliver(seat=seat, building=card, resource=resource, at=at)


DELIVERIES = (
    Row("either of two tiles", DUE, deliver(), None),
    Row("the other of two tiles", DUE, deliver(at="f10"), None),
    Row("another seat chooses", DUE, deliver(seat=2), "deliver.due"),
    Row("a delivery while none is due", town(**BONE), deliver(), "deliver.due"),
    Row("a delivery once it was made", DUE.then(deliver()), deliver(at="f10"), "deliver.due"),
    Row("a need that no tile fills", DUE, deliver(resource="crops"), "deliver.need"),
    Row("a building that does not stand", DUE, deliver(card="university"), "deliver.need"),
    Row("a building that does not exist", DUE, deliver(card="castle"), "deliver.need"),
    Row("a tile that is not connected", DUE, deliver(at="j1"), "deliver.tile"),
    Row("a tile of another resource", DUE, deliver(at="f8"), "deliver.tile"),
    Row("an empty cell", DUE, deliver(at="a1"), "deliver.tile"),
    Row("a cell beside the board", DUE, deliver(at="z40"), "deliver.tile"),
    Row("the follower who laid the road chooses", FOLLOWED, deliver(seat=2), None),
    Row("the owner of the tiles, where another laid the road", FOLLOWED, deliver(), "deliver.due"),
    Row(
        "a turn before the delivery is chosen", DUE, Gain(seat=2, what="money", card="trade", down=True), "turn.pending"
    ),
)

GROUPS = {"adviser": ADVISERS, "taking back": TAKING_BACK, "worker": WORKERS, "delivery": DELIVERIES}
