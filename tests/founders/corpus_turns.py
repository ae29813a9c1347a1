"""Acts of the wrong seat, cards that are not to be played so, follows, and access (F-1, F-4, F-5, F-7.1)."""

from __future__ import annotations

from typing import Any

from spyrium_log.title import Conceded
from spyrium_log.titles.founders.moves import (
    Bid,
    BuildBase,
    BuildBridge,
    BuildHouse,
    BuildTile,
    BuyAccess,
    CallVote,
    Decline,
    Deliver,
    Gain,
    LayRoad,
    PayClaims,
    PlacePrestige,
    PlayCard,
    Recruit,
    SealBid,
    TakeRace,
    UseWorker,
)
from spyrium_log.titles.founders.options import Options
from tests.founders.corpus import Row, base, building, completed, house, mat, tile, town, two, you


def coin(seat: int, card: str | None = "trade") -> Gain:
    """A coin, with a card played face-down unless it is a follow."""
    return Gain(seat=seat, what="money", card=card, down=card is not None)


SEATS = (
    Row("a fourth seat takes a turn", town(), coin(4), "seat.exists"),
    Row("seat 9 calls a vote", town(), CallVote(seat=9), "seat.exists"),
    Row("a fourth seat bids", town(), Bid(seat=4, proposal=1), "seat.exists"),
    Row("a fourth seat seals a bid", town(), SealBid(seat=4, seal="0c1d"), "seat.exists"),
    Row("a fourth seat takes a race", town(), TakeRace(seat=4, race="orchid"), "seat.exists"),
    Row("a fourth seat declines", town(), Decline(seat=4), "seat.exists"),
    Row("a fourth seat places a building", town(), PlacePrestige(seat=4, cells=("a1",)), "seat.exists"),
    Row(
        "a fourth seat delivers",
        town(),
        Deliver(seat=4, building="university", resource="gems", at="d4"),
        "seat.exists",
    ),
    Row("a third of two seats concedes", two(), Conceded(seat=3), "seat.exists"),
    Row("seat 0 concedes", town(), Conceded(seat=0), "seat.exists"),
)

# Seat 1 has played Trade for access to the knowledge on g5; seat 2 may follow, then seat 3.
TRADED = town(before=[BuyAccess(seat=1, card="trade", at="g5")])
GAINED = town(before=[coin(1)])
TURNS = (
    Row("seat 2 before seat 1", town(), coin(2), "turn.order"),
    Row("counter-clockwise", town(last=1), coin(3), "turn.order"),
    Row("clockwise", town(last=1), coin(2), None),
    Row("seat 1 twice in a row", GAINED, coin(1, "recruit"), "turn.order"),
    Row("a seat that has conceded", town(before=[Conceded(seat=1)]), coin(1), "turn.order"),
    Row("the next after a seat that has conceded", town(before=[Conceded(seat=1)]), coin(2), None),
    Row("a turn without a card", town(), coin(1, None), "turn.order"),
    Row("a follow of a face-down card", GAINED, coin(2, None), "turn.order"),
    Row("a card played while follows are due", TRADED, coin(2), "turn.pending"),
    Row("a call while follows are due", TRADED, CallVote(seat=2, money=4), "turn.pending"),
    Row("seat 3 follows before seat 2", TRADED, coin(3, None), "turn.pending"),
    Row("the active player follows", TRADED, coin(1, None), "turn.pending"),
    Row("a second follow of one seat", TRADED.then(coin(2, None)), coin(2, None), "turn.pending"),
    Row("seat 3 follows once seat 2 has declined", TRADED.then(Decline(seat=2)), coin(3, None), None),
    Row("a pass at the begin of a turn", town(), Decline(seat=1), "turn.pending"),
    Row("claims paid in a turn of three players", town(), PayClaims(seat=1, fleeting=1), "solo.claims"),
)

ONE_UNSEEN = town(you(hand=("trade", "recruit", "call"), discard=("construct", "upgrade"), unknown=1))
ALL_UNSEEN = town(you(hand=("trade", "call"), discard=("construct", "upgrade"), unknown=1))
CARDS = (
    Row(
        "a card that lies in the discard pile",
        town(you(hand=("recruit", "call"), discard=("trade",))),
        coin(1),
        "card.hand",
    ),
    Row("Income with three players", town(), coin(1, "income"), "card.hand"),
    Row("Income with two players", two(), PlayCard(seat=1, card="income"), None),
    Row("an adviser of the row", town(), coin(1, "scholar"), "card.hand"),
    Row("an adviser in hand, face-down", town(you(hand=("scholar", "call"))), coin(1, "scholar"), None),
    Row("the only card that can have been played unseen", ALL_UNSEEN, coin(1), "card.hand"),
    Row("one of two cards that can have been played unseen", ONE_UNSEEN, coin(1), None),
    Row("an unseen card while only the Call is left", ALL_UNSEEN, coin(1, "?"), "card.hand"),
    Row("an unseen card", town(), coin(1, "?"), None),
    Row("an adviser that was recruited unseen", town(you(hand=("?", "call"))), coin(1, "gatekeeper"), None),
    Row("the Call face-down", town(), coin(1, "call"), "card.face"),
    Row("an unseen card face-up", town(), BuildBase(seat=1, card="?", base="gems", at="a11"), "card.face"),
    Row("a follow face-down", TRADED, Gain(seat=2, what="money", down=True), "card.face"),
    Row("the Call for a main action", town(), BuildBase(seat=1, card="call", base="population", at="a11"), "card.face"),
    Row(
        "a main action face-down",
        town(),
        BuildBase(seat=1, card="trade", down=True, base="population", at="a11"),
        "card.kind",
    ),
    Row("an adviser recruited face-down", town(), Recruit(seat=1, card="recruit", down=True, slot=1), "card.kind"),
    Row("a basic action face-up", town(), Gain(seat=1, what="money", card="trade"), "card.kind"),
    Row("a road with Trade face-up", town(), LayRoad(seat=1, card="trade", at="d5"), "card.kind"),
    Row("a house with Trade", town(), BuildHouse(seat=1, card="trade", at="m2"), "card.kind"),
    Row(
        "a tile of a base with Construct",
        town(),
        BuildBase(seat=1, card="construct", base="population", at="a11"),
        "card.kind",
    ),
    Row("access with Upgrade", town(), BuyAccess(seat=1, card="upgrade", at="g5"), "card.kind"),
    Row("an adviser with Upgrade", town(), Recruit(seat=1, card="upgrade", slot=1), "card.kind"),
    Row("Trade without an action", town(), PlayCard(seat=1, card="trade"), "card.kind"),
    Row(
        "Construct for a worker",
        town(more=(house("m2", 1),)),
        UseWorker(seat=1, card="construct", on="race"),
        "card.kind",
    ),
    Row(
        "an adviser that begins with a choice, without it",
        town(you(hand=("drover", "call"))),
        PlayCard(seat=1, card="drover"),
        "card.kind",
    ),
    Row(
        "an adviser that only brings coins, with a tile",
        town(you(hand=("moneylender", "call"))),
        BuildBase(seat=1, card="moneylender", base="population", at="a11"),
        "card.kind",
    ),
    Row(
        "an adviser that only brings coins",
        town(you(hand=("moneylender", "call"))),
        PlayCard(seat=1, card="moneylender"),
        None,
    ),
)

INCOME = two(before=[PlayCard(seat=1, card="income")])
# Seat 1 has built a gate with Construct. Seat 2 has a way over m3 to the forest on n3.
GATED = [BuildBridge(seat=1, card="construct", at="j7")]
GATE: dict[str, Any] = {"tiles": (base("population", "k8"), base("crops", "l2")), "roads": ("m3",)}
FOLLOWS = (
    Row("a house as the follow of Trade", TRADED, BuildHouse(seat=2, at="m2"), "follow.kind"),
    Row("an adviser as the follow of Trade", TRADED, Recruit(seat=2, slot=2), "follow.kind"),
    Row("the action of a card without playing one", TRADED, PlayCard(seat=2), "follow.kind"),
    Row("Income as the follow of Income", INCOME, PlayCard(seat=2), "follow.kind"),
    Row("access as the follow of Income", INCOME, BuyAccess(seat=2, at="d4"), None),
    Row("an adviser as the follow of Income", INCOME, Recruit(seat=2, slot=2), None),
    Row("a coin as a follow", TRADED, coin(2, None), None),
    Row("a road as a follow", TRADED, LayRoad(seat=2, at="g1"), None),
    Row("a worker as a follow", town(more=(house("m2", 2),), before=TRADED.before), UseWorker(seat=2, on="race"), None),
    Row("a worker of a house that does not stand, as a follow", TRADED, UseWorker(seat=2, on="race"), "worker.free"),
    Row("a tile of a neutral base as a follow", TRADED, BuildBase(seat=2, base="stone", at="a1"), "trade.base"),
    Row(
        "a tile of a rival's base as a follow",
        town(buildings=completed(2), before=TRADED.before),
        BuildBase(seat=2, base="gems", at="j1"),
        "trade.base",
    ),
    Row("an own base on forest as a follow", TRADED, BuildBase(seat=2, base="wood", at="a5"), "trade.follow"),
    Row("an own base on ruins as a follow", TRADED, BuildBase(seat=2, base="crops", at="p8"), "trade.follow"),
    Row("an own base on desert as a follow", TRADED, BuildBase(seat=2, base="wood", at="h8"), None),
    Row("access to a tile on ruins as a follow", TRADED, BuyAccess(seat=2, at="l9"), "trade.follow"),
    Row(
        "access to a tile with one cell on desert as a follow",
        town(more=(tile("books", "d8 e8 f8", 1),), before=TRADED.before),
        BuyAccess(seat=2, at="d8"),
        None,
    ),
    Row("access to a neutral tile as a follow", TRADED, BuyAccess(seat=2, at="g5"), None),
    Row(
        "the same where a follow is for rivals' tiles",
        town(options=Options(follow_neutral_access="no"), before=TRADED.before),
        BuyAccess(seat=2, at="g5"),
        "trade.follow",
    ),
    Row(
        "a base as the follow of Construct",
        town(before=GATED, **GATE),
        BuildBase(seat=2, base="wood", at="a1"),
        "follow.kind",
    ),
    Row(
        "a tile of tier 2 as the follow of Trade",
        TRADED,
        BuildTile(seat=2, resource="books", cells=("a1", "b1", "c1")),
        "follow.kind",
    ),
    Row(
        "a house as the follow of Construct with 3 coins",
        town(mat(2, money=3), before=GATED, **GATE),
        BuildHouse(seat=2, at="n3"),
        "money.enough",
    ),
    Row(
        "a house as the follow of Construct with 4 coins",
        town(mat(2, money=4), before=GATED, **GATE),
        BuildHouse(seat=2, at="n3"),
        None,
    ),
)

ACCESS = (
    Row("access to an own tile", town(), BuyAccess(seat=1, card="trade", at="d4"), "access.own"),
    Row(
        "access a second time",
        town(tiles=(base("population", "l9"), base("knowledge", "g5", 1))),
        BuyAccess(seat=1, card="trade", at="g5"),
        "access.twice",
    ),
    Row(
        "access where another has it already",
        town(tiles=(base("population", "l9"), base("knowledge", "g5", 2))),
        BuyAccess(seat=1, card="trade", at="g5"),
        None,
    ),
    Row("access to an empty cell", town(), BuyAccess(seat=1, card="trade", at="a1"), "access.tile"),
    Row("access to a road", town(roads=("e5",)), BuyAccess(seat=1, card="trade", at="e5"), "access.tile"),
    Row("access to a house", town(more=(house("m2", 2),)), BuyAccess(seat=1, card="trade", at="m2"), "access.tile"),
    Row(
        "access to a prestige building",
        town(buildings=(building("crooked-bone", "g8 h8"),)),
        BuyAccess(seat=1, card="trade", at="g8"),
        "access.tile",
    ),
    Row(
        "access by the last cell of a tile",
        town(more=(tile("books", "a1 b1 c1", 2),)),
        BuyAccess(seat=1, card="trade", at="c1"),
        None,
    ),
    Row("access to what nobody is connected to", town(), BuyAccess(seat=1, card="trade", at="g2"), None),
    Row("access on desert with 2 coins", town(you(money=2)), BuyAccess(seat=1, card="trade", at="g2"), "money.enough"),
    Row("access on desert with 3 coins", town(you(money=3)), BuyAccess(seat=1, card="trade", at="g2"), None),
    Row(
        "access on coast and desert with 2 coins",
        town(you(money=2), more=(tile("books", "d2 e2 f2", 2),)),
        BuyAccess(seat=1, card="trade", at="f2"),
        None,
    ),
)

GROUPS = {"seat": SEATS, "turn": TURNS, "card": CARDS, "follow": FOLLOWS, "access": ACCESS}
