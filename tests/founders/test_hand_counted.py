"""Positions whose legal decisions were counted on paper, from the text of the rules.

Boards are one row of cells, a1, b1 and so on: c coast, d desert, f forest, r ruins, # a wall, ~ a river, a digit
numbered ruins. The three sections are what wall and river part. It is the turn of seat 1, who owns population and gems;
seat 2 owns wood and crops, seat 3 livestock and metal; knowledge and stone are neutral. There is no card, tile or house
but those named; unless others are, four advisers lie there that ask for tiles of tier 3, which nobody has. Coast costs
1 to build on and 2 for access, desert 2 and 3, forest and ruins 3 and 4.

Every count says how it was made. A card in hand can be played face-down for a coin, for an influence, or for a road on
a free land cell beside an own structure: these are its basic actions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest

from spyrium_log.sheet import Printed, Sheet
from spyrium_log.titles.founders import FOUNDERS
from spyrium_log.titles.founders.cards import TIER_2, TIER_3
from spyrium_log.titles.founders.moves import (
    Bid,
    BuildBase,
    CallVote,
    PlaceStart,
    TableDealt,
    TakeBase,
    TakeRace,
    TileAt,
)
from spyrium_log.titles.founders.sets import read_practice
from tests.founders.corpus import (
    PROPOSALS,
    ROW,
    At,
    alone,
    base,
    bridge,
    building,
    house,
    make_sheet,
    new,
    sheet_with,
    town,
    you,
)
from tests.founders.corpus_cards import CHRONICLE, DUE
from tests.founders.corpus_doubtful import without
from tests.founders.corpus_ends import EXACT
from tests.founders.corpus_setup import FOUR_DRAFTING
from tests.founders.corpus_votes import BIDDING, SEALS, TIED, won

ASKING = ("weaver", "magistrate", "quartermaster", "town-crier")
CARDS = {row.of for row in read_practice().printed if row.what == "kind"}


def small(board: str, *keep: str) -> Sheet:
    """The practice set on a small board, without cards and tiles of tier 2 and 3, but for those to keep."""

    def is_left_out(row: Printed) -> bool:
        return row.of in {*CARDS, *TIER_2, *TIER_3} - {*keep}

    return make_sheet(board, is_left_out)


def on(board: str, *mats: Any, keep: Iterable[str] = (), **position: Any) -> At:
    """A position on a small board."""
    return town(*mats, sheet=small(board, *ASKING, *keep), **{"row": ASKING, "tiles": (), **position})


def hand(*cards: str, **own: Any) -> Any:
    """What seat 1 has: these cards and the Call, which it may not play while nothing is discarded."""
    return you(hand=(*cards, "call"), **own)


def unseen(board: str, *acts: Any) -> At:
    """A game on a small board whose rows nobody saw, and these acts."""
    return new(sheet=small(board), before=(TableDealt(advisers=("?",) * 4, proposals=("?",) * 3), *acts))


def paving(does: str, board: str, *tiles: TileAt) -> At:
    """Seat 1 has the Paver in hand, who does this; there are bricks to build."""
    sheet = small(board, *ASKING, "paver", "bricks").with_readings(Printed("paver", "does", does, "assumed"))
    return town(hand("paver"), sheet=sheet, row=ASKING, tiles=tiles)


NO_STONE = sheet_with(*((race, "forbids", "stone") for race in ("human", "vermling", "inox", "orchid")))


class Counted(NamedTuple):
    name: str
    at: At
    n: int


COAST, FOREST = "ccc#ddd~rrr", "fff#ccc~rrr"
RACES = (TakeRace(seat=1, race="human"), TakeRace(seat=2, race="vermling"), TakeRace(seat=3, race="inox"))
BASES = (TakeBase(seat=3, base="metal"), TakeBase(seat=2, base="crops"), TakeBase(seat=1, base="gems"))
ON_B1 = (base("population", "b1"),)
ASKED_FOR = (*ON_B1, base("knowledge", "e1", 1), base("wood", "g1", 1))
WITH_CROPS = (*ON_B1, base("crops", "a1"))

POSITIONS = (
    # Recruit face-down: a coin, an influence, a road on a1 or c1. Face-up there is nobody to recruit.
    Counted("one card and one tile", on(COAST, hand("recruit"), tiles=ON_B1), 4),
    # The same with two cards: 2 x 4.
    Counted("two cards and one tile", on(COAST, hand("recruit", "upgrade"), tiles=ON_B1), 8),
    # The same with an adviser that nobody saw as it was recruited: which card is played down is not known.
    Counted("one card and an unseen adviser", on(COAST, hand("recruit", "?"), tiles=ON_B1), 4),
    # Nothing of one's own on the board: a coin or an influence with each of two cards.
    Counted("two cards and no tile", on(COAST, hand("recruit", "upgrade")), 4),
    # Two cards discarded: 2 x 4 as above; and a call, where two cards bring coins, influence, roads: cc ci cr ii ir rr.
    Counted(
        "a call with two cards left",
        on(COAST, hand("recruit", "upgrade", discard=("trade", "construct")), tiles=ON_B1),
        14,
    ),
    # Without a tile no road: 2 x 2, and a call for cc ci ii.
    Counted("a call without a road", on(COAST, hand("recruit", "upgrade", discard=("trade", "construct"))), 7),
    # Basic 4. Population in the other two sections: e f g, i j k: 6. Gems the same, for a1 and c1 touch population: 6.
    # Knowledge and stone for 4 on each free cell, a c e f g i j k: 16. Wood and the like need two completed buildings.
    Counted("Trade with 9 coins", on(COAST, hand("trade"), tiles=ON_B1), 32),
    # With 2 coins: population and gems on desert only: 3 + 3. Basic 4.
    Counted("Trade with 2 coins", on(COAST, hand("trade", money=2), tiles=ON_B1), 10),
    # With 1 coin no tile; access to crops on the coast of a1 is 2. Basic: b1 has a road on c1 only: 3.
    Counted("Trade with 1 coin", on(COAST, hand("trade", money=1), tiles=WITH_CROPS), 3),
    # Section 1 has population; access to crops on a1: 1. Population on e f g: 3. Gems there: 3. Basic 3.
    Counted("Trade with 2 coins and a rival's tile", on(COAST, hand("trade", money=2), tiles=WITH_CROPS), 10),
    # Own: population on b1, a gate on f1. A house on e1: it is beside the gate, and not beside b1 as a1 and c1 are; d1
    # is beside nothing of one's own. No bridge: j1 is out of reach. Basic: 2, and roads on a1 c1 e1 g1.
    Counted("Construct", on("fffff#ccc~rrr", hand("construct"), tiles=(*ON_B1, bridge("f1", 1))), 7),
    # Three bridges are all that a seat has (F-1.1), so none on g1, which the one on f1 touches; no forest for a house.
    # Basic: 2, and roads on a1 c1.
    Counted(
        "Construct, once all bridges are built",
        on("ccc~~~~ccc#rrr", hand("construct"), tiles=(*ON_B1, bridge("d1", 1), bridge("e1", 1), bridge("f1", 1))),
        4,
    ),
    # Bricks are three in a row, of stone. The road on b1 leads from a1. Cells c d e touch it and the stone on f1: 1. A
    # road first on c1, the only one in reach, leaves d e alone: none. Basic: 2, and the road on c1.
    Counted(
        "Upgrade, and no room for a road first",
        on(
            "ccccccc#ddd~rrr",
            hand("upgrade"),
            keep=("bricks",),
            tiles=(base("population", "a1"), base("stone", "f1", 1)),
            roads=("b1",),
        ),
        4,
    ),
    # The stone one cell further: c d e do not touch it, and d e f touch no road unless c1 gets one first: 1. Basic 3.
    Counted(
        "Upgrade, and only after a road",
        on(
            "ccccccc#ddd~rrr",
            hand("upgrade"),
            keep=("bricks",),
            tiles=(base("population", "a1"), base("stone", "g1", 1)),
            roads=("b1",),
        ),
        4,
    ),
    # Seat 1 traded; seat 2 follows. Wood is in section 1, so e1 or f1, as g1 is taken: 2. Crops: a1 and c1 touch wood;
    # e1 or f1: 2; ruins are not for follows. Access to livestock on the desert of g1: 1; the tile on i1 is on ruins.
    # A coin, an influence, a road on a1 or c1: 4. Nothing: 1.
    Counted(
        "the follow of Trade",
        on(
            COAST,
            hand("trade"),
            tiles=(base("wood", "b1"), base("livestock", "g1")),
            before=[BuildBase(seat=1, card="trade", base="population", at="i1")],
        ),
        10,
    ),
    # Scholar (knowledge, 1), Huckster (crops, 1), Carpenter (wood, 2), Drover (livestock, 2); access to knowledge and
    # wood; one coin: the Scholar. Basic: a road on a1 or c1: 4.
    Counted("Recruit with 1 coin", on(COAST, hand("recruit", money=1), keep=ROW, row=ROW, tiles=ASKED_FOR), 5),
    # A table may state a hand without the Call: then there is none, however much was discarded. Basic 4.
    Counted(
        "a hand without the Call", on(COAST, you(hand=("recruit",), discard=("trade", "construct")), tiles=ON_B1), 4
    ),
    # A road on b1, and only behind it one on c1: both may be chosen. Basic 2 x 3; a call: cc ci cr ii ir rr.
    Counted(
        "a call whose second road builds on the first",
        on(COAST, hand("recruit", "upgrade", discard=("trade", "construct")), tiles=(base("population", "a1"),)),
        12,
    ),
    # No forest and no river in reach, so the coin of the card leads to nothing. Basic 4.
    Counted(
        "the Toll Clerk with nothing to build", on(COAST, hand("toll-clerk"), keep=("toll-clerk",), tiles=ON_B1), 4
    ),
    # No, one or two of trade, recruit and construct: 1 + 3 + 3. The Chronicler, who is being played, stays.
    Counted("cards taken back", CHRONICLE, 7),
    # A road, then a house: behind b1 on the forest of a1; behind d1 there is no forest. Basic 2, and roads on b1 d1.
    Counted("a road before a house", paving("road, construct house", "fcccccc#ddd~rrr", base("population", "c1")), 5),
    # Three roads, on b1 first, then c1 and d1; bricks on e f g touch the last one and the stone on h1. Basic 3.
    Counted(
        "three roads before a tile",
        paving("road 3, tile", "cccccccc#ddd~rrr", base("population", "a1"), base("stone", "h1", 1)),
        4,
    ),
    # The stone one cell nearer leaves no room for bricks behind three roads.
    Counted(
        "three roads before a tile that has no room",
        paving("road 3, tile", "cccccccc#ddd~rrr", base("population", "a1"), base("stone", "g1", 1)),
        3,
    ),
    # No cell for a road: a coin or an influence.
    Counted("the Paver shut in", paving("road 2, tile", "c#ddd~rrr", base("population", "a1")), 2),
    # The Foreman takes two advisers: Scholar and Carpenter, either first, for 3. Basic 4.
    Counted(
        "the Foreman with 3 coins",
        on(COAST, hand("foreman", money=3), keep=(*ROW, "foreman"), row=ROW, tiles=ASKED_FOR),
        6,
    ),
    # The same with 2 coins: not both, so only face-down.
    Counted(
        "the Foreman with 2 coins",
        on(COAST, hand("foreman", money=2), keep=(*ROW, "foreman"), row=ROW, tiles=ASKED_FOR),
        4,
    ),
    # A coin, an influence; roads on b1 beside the house, on e1 and g1 beside population: 3. The worker of the house on
    # the mat or on the Fish Market, which has a token of seat 1: 2.
    Counted(
        "a worker",
        on(
            FOREST,
            hand("recruit"),
            keep=("fish-market",),
            tiles=(house("a1", 1), base("population", "f1")),
            buildings=(building("fish-market", "i1 j1", "population/1"),),
        ),
        7,
    ),
    # 3 proposals x 0, 1 or 2 fleeting x 0 or 1 lasting.
    Counted("a bid", on(COAST, hand(discard=("trade", "recruit")), before=[CallVote(seat=1)]), 18),
    # All bids are sealed: what is open has to fit its seal (F-13), and nobody else knows the salt.
    Counted("a bid that was sealed", BIDDING.then(*SEALS), 0),
    # Crooked Bone is two cells with desert under one at least. a1 is taken: bc; fg, for ef is coast; ij and jk.
    Counted(
        "the placement of a building",
        on(
            "ddd#ccd~rdr",
            hand(discard=("trade", "recruit")),
            keep=("crooked-bone",),
            tiles=(base("population", "a1"),),
            proposals=("crooked-bone", *PROPOSALS[:2]),
            before=[CallVote(seat=1), *(Bid(seat=seat, proposal=1) for seat in (1, 2, 3))],
        ),
        4,
    ),
    # Nobody knows how it lies: whoever places it says so.
    Counted("the placement of a building of unknown shape", won(sheet=without(("university", "shape"))), 0),
    Counted("the placement of a building that nobody saw", won("?"), 0),
    # Proposals 1 and 2 are tied.
    Counted("a tie", TIED, 2),
    # The tile on f10 or that on l9.
    Counted("a delivery", DUE, 2),
    # Seven races with their bases, and Aesther with each of the seven bases but population.
    Counted("the second race", unseen(COAST, RACES[0]), 14),
    # Knowledge, gems, crops, stone and metal are left; Inox may have neither knowledge nor gems.
    Counted("the first base card", unseen(COAST, *RACES), 3),
    # Seats 4, 3 and 2 have knowledge, crops and metal; stone is left and forbidden to all, so that nobody can complete
    # the draft. Then each of the three cards may be taken, for a game goes on.
    Counted("a draft that no choice completes", new(4, before=FOUR_DRAFTING, sheet=NO_STONE), 3),
    # Numbers 1, 2 and 3 with three players, of which seat 3 took 1.
    Counted("the second start tile", unseen("r1#2r~34", *RACES, *BASES, PlaceStart(seat=3, at="b1")), 2),
    # 3 fleeting and 1 lasting, worth f + 2l. For 0 each of 4 x 2: 8. For 2: f 2 or 3; with the lasting any f: 6. For 4:
    # the lasting with f 2 or 3: 2.
    Counted("a proposal alone", alone(fleeting=3, lasting=1, before=(CallVote(seat=1),)), 16),
    # Exactly 0: nothing. Exactly 2: two fleeting or the lasting. Exactly 4: both.
    Counted(
        "a proposal alone, not overpaid", alone(fleeting=3, lasting=1, before=(CallVote(seat=1),), options=EXACT), 4
    ),
)


@pytest.mark.parametrize("position", POSITIONS, ids=[position.name for position in POSITIONS])
def test_counted_by_hand(position: Counted) -> None:
    legal = FOUNDERS.legal(position.at.state())
    assert len(set(legal)) == len(legal) == position.n
