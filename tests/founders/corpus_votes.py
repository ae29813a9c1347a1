"""Calls, bids, ties and placements that break a rule (F-10, F-13)."""

from __future__ import annotations

from typing import Any

from spyrium_log.titles.founders.moves import Bid, BreakTie, CallVote, Decline, Gain, LayRoad, PlacePrestige, SealBid
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.rules.vote import seal_of
from tests.founders.corpus import PRACTICE_SHEET, TILES, At, Row, base, building, house, land_cells, mat, town, two, you

WAIVE = Options(call_bonus="waive")
NEW_VOTE = Options(unplaceable="new-vote")

# --- the call ------------------------------------------------------------------------------------


def calling(*discard: str, hand: tuple[str, ...] = ("construct", "upgrade", "call"), **own: Any) -> At:
    """Seat 1 may call a vote with these cards discarded, and two others left in hand."""
    return town(you(hand=hand, discard=discard, **own))


READY = calling("trade", "recruit")
CALLED = CallVote(seat=1, money=2)
ALL_BUT_E5 = tuple(cell for cell in land_cells() if cell not in {"e5", *(tile.cells[0] for tile in TILES)})
CALLS = (
    Row("a call with one card discarded", calling("trade", hand=("call",)), CallVote(seat=1), "call.discard"),
    Row("a call with no card discarded", town(), CallVote(seat=1, money=4), "call.discard"),
    Row("a call with two cards discarded", READY, CALLED, None),
    Row(
        "a call with one card seen and one unseen in the discard pile",
        calling("trade", unknown=1),
        CallVote(seat=1, money=1),
        None,
    ),
    Row(
        "a call with two cards discarded, of two players",
        two(you(hand=("upgrade", "call"), discard=("trade", "recruit"))),
        CallVote(seat=1, money=1),
        "call.discard",
    ),
    Row(
        "a call with three cards discarded, of two players",
        two(you(hand=("upgrade", "call"), discard=("trade", "recruit", "income"))),
        CallVote(seat=1, money=1),
        None,
    ),
    Row("a call without the card", calling("trade", "recruit", hand=("upgrade",)), CallVote(seat=1), "card.hand"),
    Row("a call out of turn", READY, CallVote(seat=2, money=4), "turn.order"),
    Row("one bonus for two cards", READY, CallVote(seat=1, fleeting=1), "call.bonus"),
    Row("three bonuses for two cards", READY, CallVote(seat=1, money=1, fleeting=1, roads=1), "call.bonus"),
    Row(
        "a bonus for the Call itself",
        calling("trade", "recruit", hand=("call",)),
        CallVote(seat=1, money=1),
        "call.bonus",
    ),
    Row("a coin and a road for two cards", READY, CallVote(seat=1, money=1, roads=1), None),
    Row(
        "advisers in hand bring bonuses, too",
        calling("trade", "recruit", hand=("scholar", "call")),
        CallVote(seat=1, money=1),
        None,
    ),
    Row(
        "a bonus waived",
        town(you(hand=("construct", "call"), discard=("trade", "recruit")), options=WAIVE),
        CallVote(seat=1),
        None,
    ),
    Row(
        "a road that nobody can lay, for nothing of the caller's is on the board",
        town(you(hand=("upgrade", "call"), discard=("trade", "recruit")), tiles=TILES[1:3]),
        CallVote(seat=1, roads=1),
        "call.bonus",
    ),
    Row(
        "the road of a call beside nothing of one's own",
        READY.then(CallVote(seat=1, money=1, roads=1)),
        LayRoad(seat=1, at="a1"),
        "build.connected",
    ),
    Row(
        "the second road of a call beside the first",
        READY.then(CallVote(seat=1, roads=2), LayRoad(seat=1, at="e5")),
        LayRoad(seat=1, at="f6"),
        None,
    ),
    Row(
        "two roads where one cell is free",
        town(you(hand=("construct", "upgrade", "call"), discard=("trade", "recruit")), roads=ALL_BUT_E5),
        CallVote(seat=1, roads=2),
        "call.bonus",
    ),
    Row(
        "a road and a coin where one cell is free",
        town(you(hand=("construct", "upgrade", "call"), discard=("trade", "recruit")), roads=ALL_BUT_E5),
        CallVote(seat=1, money=1, roads=1),
        None,
    ),
    Row("no road although one is due", READY.then(CallVote(seat=1, roads=2)), Decline(seat=1), "call.bonus"),
    Row(
        "a coin for the road that is due",
        READY.then(CallVote(seat=1, roads=2)),
        Gain(seat=1, what="money"),
        "call.bonus",
    ),
    Row(
        "a bid before the roads of the call",
        READY.then(CallVote(seat=1, roads=2)),
        Bid(seat=1, proposal=1),
        "bid.order",
    ),
)

# --- bids ----------------------------------------------------------------------------------------

# Everybody else has income 2 or 1 and no house, so the influence stays: 2 fleeting and 1 lasting each.
BIDDING = READY.then(CALLED)
SALT = "a long random salt"
FIRST, SECOND, THIRD = (Bid(seat=seat, proposal=1, fleeting=1, salt=f"{SALT} {seat}") for seat in (1, 2, 3))
SEALS = tuple(SealBid(seat=bid.seat, seal=seal_of(1, bid)) for bid in (FIRST, SECOND, THIRD))


def won(
    *proposals: str,
    bids: tuple[Any, ...] = (Bid(seat=1, proposal=1, fleeting=1), Bid(seat=2, proposal=1), Bid(seat=3, proposal=1)),
    **changed: Any,
) -> At:
    """Seat 1 is to place the first proposal, unless these are other bids: it alone bid influence."""
    caller = you(hand=("call",), discard=("trade", "recruit"))
    three = (*proposals, "university", "salt-barge", "crooked-bone")[:3]
    return town(caller, proposals=three, before=(CallVote(seat=1), *bids), **changed)


# Roads on all desert that is free: no building that asks for desert can be placed.
FULL_DESERT = tuple(cell for cell in land_cells("d") if cell not in {"d4", "g2", "g5"})
BIDS = (
    Row("a bid without a vote", town(), Bid(seat=1, proposal=1), "bid.order"),
    Row("a second bid", BIDDING.then(Bid(seat=1, proposal=1)), Bid(seat=1, proposal=2), "bid.order"),
    Row("a fourth proposal", BIDDING, Bid(seat=1, proposal=4), "bid.proposal"),
    Row("three fleeting influence of two", BIDDING, Bid(seat=1, proposal=1, fleeting=3), "bid.influence"),
    Row("two lasting influence of one", BIDDING, Bid(seat=1, proposal=1, lasting=2), "bid.influence"),
    Row("all influence", BIDDING, Bid(seat=1, proposal=1, fleeting=2, lasting=1), None),
    Row("no influence", BIDDING, Bid(seat=1, proposal=3), None),
    Row(
        "the caller bids the income of a house, which only the others got",
        town(you(hand=("call",), discard=("trade", "recruit")), more=(house("m2", 1),), before=[CallVote(seat=1)]),
        Bid(seat=1, proposal=1, fleeting=3),
        "bid.influence",
    ),
    Row(
        "another seat bids the income of its house",
        town(
            you(hand=("call",), discard=("trade", "recruit")),
            more=(house("m2", 2),),
            before=[CallVote(seat=1), Bid(seat=1, proposal=1)],
        ),
        Bid(seat=2, proposal=1, fleeting=3),
        None,
    ),
    Row("a bid that is opened before all are sealed", BIDDING.then(*SEALS[:2]), FIRST, "bid.sealed"),
    Row(
        "an opened bid with other influence",
        BIDDING.then(*SEALS),
        Bid(seat=1, proposal=1, fleeting=2, salt=FIRST.salt),
        "bid.sealed",
    ),
    Row(
        "an opened bid on another proposal",
        BIDDING.then(*SEALS),
        Bid(seat=1, proposal=2, fleeting=1, salt=FIRST.salt),
        "bid.sealed",
    ),
    Row(
        "an opened bid with another salt",
        BIDDING.then(*SEALS),
        Bid(seat=1, proposal=1, fleeting=1, salt="x"),
        "bid.sealed",
    ),
    Row("an opened bid as it was sealed", BIDDING.then(*SEALS), FIRST, None),
    Row("a bid sealed twice", BIDDING.then(SEALS[0]), SEALS[0], "bid.order"),
    # The university got all three votes and fits nowhere: it leaves the game, and nothing is sealed any more.
    Row(
        "an open bid after a sealed vote that was void",
        won(options=NEW_VOTE, roads=FULL_DESERT, bids=(*SEALS, FIRST, SECOND, THIRD)),
        Bid(seat=1, proposal=1),
        None,
    ),
    Row("a bid sealed without a vote", town(), SEALS[0], "bid.order"),
    Row("a bid sealed once another is open", BIDDING.then(*SEALS, FIRST), SEALS[1], "bid.order"),
    Row("a basic action before everybody has bid", BIDDING, Gain(seat=2, what="money"), "turn.pending"),
    Row(
        "a card before everybody has bid", BIDDING, Gain(seat=2, what="money", card="trade", down=True), "turn.pending"
    ),
)

# Proposals 1 and 2 have 2 points each. Seat 3 has the fewest VP of those who voted for one of them.
TIED = town(
    you(hand=("call",), discard=("trade", "recruit")),
    mat(3, points=1),
    before=[CallVote(seat=1), Bid(seat=1, proposal=1, fleeting=1), Bid(seat=2, proposal=2), Bid(seat=3, proposal=2)],
)
# Seats 1 and 3 tie with 2 points each; seat 2, with the fewest VP, voted for neither.
TIED_WITHOUT_POOREST = town(
    you(hand=("call",), discard=("trade", "recruit")),
    mat(2, points=0),
    mat(3, points=4),
    before=[
        CallVote(seat=1),
        Bid(seat=1, proposal=1, fleeting=1),
        Bid(seat=2, proposal=2),
        Bid(seat=3, proposal=3, fleeting=1),
    ],
)
TIES = (
    Row("a tie broken by the caller, who is not the poorest", TIED, BreakTie(seat=1, proposal=1), "tie.due"),
    Row("a tie broken although there is none", town(), BreakTie(seat=1, proposal=1), "tie.due"),
    Row("a tie broken for a proposal that is not tied", TIED, BreakTie(seat=3, proposal=3), "tie.proposal"),
    Row("a tie broken for the proposal that the seat did not vote for", TIED, BreakTie(seat=3, proposal=1), None),
    Row(
        "the poorest breaks a tie without having voted for a tied proposal",
        TIED_WITHOUT_POOREST,
        BreakTie(seat=2, proposal=1),
        "tie.due",
    ),
    Row("the poorer of those who voted for a tied proposal", TIED_WITHOUT_POOREST, BreakTie(seat=3, proposal=1), None),
    Row(
        "a placement before the tie is broken", TIED, PlacePrestige(seat=3, cells=("e2", "f2", "e3", "f3")), "place.due"
    ),
    Row(
        "the tie breaker places what another bid highest for",
        TIED.then(BreakTie(seat=3, proposal=1)),
        PlacePrestige(seat=3, cells=("e2", "f2", "e3", "f3")),
        "place.due",
    ),
    Row(
        "the highest bidder of the chosen one places it",
        TIED.then(BreakTie(seat=3, proposal=1)),
        PlacePrestige(seat=1, cells=("e2", "f2", "e3", "f3")),
        None,
    ),
)

# --- placing -------------------------------------------------------------------------------------


def place(*cells: str) -> PlacePrestige:
    return PlacePrestige(seat=1, cells=cells)


WON = won()
DESERT_IS_FULL = won(roads=FULL_DESERT)
# The university has most points and fits nowhere; the Fish Market of seat 3 has 3, the Salt Barge of seat 2 has 1.
SECOND_BEST = won(
    *("university", "salt-barge", "fish-market"),
    bids=(Bid(seat=1, proposal=1, fleeting=2, lasting=1), Bid(seat=2, proposal=2), Bid(seat=3, proposal=3, fleeting=2)),
    roads=FULL_DESERT,
    options=Options(unplaceable="second-best"),
)
NORTH, WEST = ("n4", "o4", "n5", "o5"), ("a7", "b7", "a8", "b8")
# On the other side of the practice board.
TOWER, CENTRE = ("d5", "e5", "d6", "e6"), ("j10", "k10", "l10", "j11", "k11", "l11", "j12", "k12", "l12")


def on_symmetric(**changed: Any) -> At:
    """The same on the other side of the practice board, with the North Watchtower to be placed."""
    tiles = (base("population", "s19"), base("wood", "k18"), base("livestock", "n17"))
    return won("north-watchtower", options=Options(side="symmetric"), sheet=PRACTICE_SHEET, tiles=tiles, **changed)


PLACES = (
    Row("a building that nobody voted for", town(), place("e2", "f2", "e3", "f3"), "place.due"),
    Row("a building that another seat won", WON, PlacePrestige(seat=2, cells=("e2", "f2", "e3", "f3")), "place.due"),
    Row("four cells in another shape", WON, place("e1", "f1", "g1", "h1"), "place.shape"),
    Row("three cells of four", WON, place("e2", "f2", "e3"), "place.shape"),
    Row("a cell said twice", WON, place("e2", "f2", "e3", "f3", "f3"), "place.shape"),
    Row("cells that do not touch", WON, place("e2", "f2", "e3", "h8"), "place.shape"),
    Row("no desert under it", WON, place("a1", "b1", "a2", "b2"), "place.terrain"),
    Row("one desert cell under it", WON, place("d2", "e2", "d3", "e3"), None),
    Row("over a tile", WON, place("f2", "g2", "f3", "g3"), "build.covered"),
    Row("over a road", won(roads=("e3",)), place("e2", "f2", "e3", "f3"), "build.covered"),
    Row(
        "over another building",
        won(buildings=(building("crooked-bone", "e3 f3"),)),
        place("e2", "f2", "e3", "f3"),
        "build.covered",
    ),
    Row("over a river", WON, place("h1", "i1", "h2", "i2"), "cell.kind"),
    Row("over a wall", WON, place("j6", "k6", "j7", "k7"), "cell.kind"),
    Row("over a dark cell", WON, place("o6", "p6", "o7", "p7"), "cell.kind"),
    Row("a building without a site on a site", WON, place(*NORTH), "cell.kind"),
    Row("beside the board", WON, place("h1", "h0", "g1", "g0"), "cell.exists"),
    # Its card was dealt again, as this table reads no-workers-card; there is one tile of each building.
    Row(
        "a building that stands already",
        won(
            "crooked-bone",
            buildings=(building("crooked-bone", "j1 k1"),),
            options=Options(workers="without", no_workers_card="discard"),
        ),
        place("e2", "f2"),
        "place.due",
    ),
    Row("the second best, where the best fits nowhere", SECOND_BEST, PlacePrestige(seat=3, cells=("a1", "b1")), None),
    Row("connected to nothing", WON, place("j1", "k1", "j2", "k2"), None),
    Row("a rival's tile touches it", WON, place("e2", "f2", "e3", "f3"), None),
    Row("a tower beside its site", won("north-watchtower"), place("j1", "k1", "j2", "k2"), "place.site"),
    Row("a tower on the site of the other one", won("north-watchtower"), place(*WEST), "place.site"),
    Row("a tower on three cells of its site", won("north-watchtower"), place(*NORTH[:3]), "place.site"),
    Row("a tower on its site", won("north-watchtower"), place(*NORTH), None),
    Row("a tower on one of three sites", on_symmetric(), place(*TOWER), None),
    Row("a tower in the centre", on_symmetric(), place(*CENTRE), "place.site"),
    Row(
        "two towers on one site",
        on_symmetric(buildings=(building("west-watchtower", " ".join(TOWER)),)),
        place(*TOWER),
        "build.covered",
    ),
    Row(
        "two towers on two sites",
        on_symmetric(buildings=(building("west-watchtower", "q5 r5 q6 r6"),)),
        place(*TOWER),
        None,
    ),
    Row(
        "the second of two alike in a section",
        won(buildings=(building("harbour-office", "a1 b1 a2 b2"),)),
        place("e2", "f2", "e3", "f3"),
        "place.like",
    ),
    Row(
        "alike in another section",
        won(buildings=(building("harbour-office", "a1 b1 a2 b2"),)),
        place("j1", "k1", "j2", "k2"),
        None,
    ),
    Row(
        "the same shape in another colour in a section",
        won("salt-barge", buildings=(building("sleeping-lion", "a6 b6 c6"),)),
        place("a1", "b1", "c1"),
        None,
    ),
)

# The University fits nowhere. The proposals behind it tie; seat 3 has the fewest VP of those who voted for them.
SECOND_TIED = town(
    you(hand=("call",), discard=("trade", "recruit"), points=0, fleeting=2),
    mat(3, points=1),
    options=Options(unplaceable="second-best"),
    proposals=("university", "salt-barge", "fish-market"),
    roads=tuple(cell for cell in land_cells("d") if cell not in {"d4", "g2", "g5"}),
    before=[CallVote(seat=1), Bid(seat=1, proposal=1, fleeting=2), Bid(seat=2, proposal=2), Bid(seat=3, proposal=3)],
)
SECOND_TIES = (
    Row("a tie for the second place broken by who is poor", SECOND_TIED, BreakTie(seat=3, proposal=2), None),
    Row("a tie for the second place broken by the winner", SECOND_TIED, BreakTie(seat=1, proposal=2), "tie.due"),
    Row("a tie for the second place broken by the richer", SECOND_TIED, BreakTie(seat=2, proposal=2), "tie.due"),
    Row("a tie broken for what fits nowhere", SECOND_TIED, BreakTie(seat=3, proposal=1), "tie.proposal"),
)

GROUPS = {"call": CALLS, "bid": BIDS, "tie": (*TIES, *SECOND_TIES), "placement": PLACES}
