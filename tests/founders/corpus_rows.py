"""Advisers and proposals that come in the game and break a rule (F-7.4, F-10.6)."""

from __future__ import annotations

from typing import Any

from spyrium_log.titles.founders.moves import (
    AdvisersDealt,
    BuyAccess,
    Decline,
    Gain,
    PlacePrestige,
    ProposalReplaced,
    ProposalsDealt,
    Recruit,
    UseWorker,
)
from spyrium_log.titles.founders.options import Options
from tests.founders.corpus import ROW, At, Row, base, building, completed, house, land_cells, new, town
from tests.founders.corpus_votes import DESERT_IS_FULL, WON, won

# Seat 1 recruits the Scholar by a tile of knowledge that it has access to; nobody follows.
RECRUITING = town(
    tiles=(base("knowledge", "g5", 1), base("population", "l9")), before=[Recruit(seat=1, slot=1, card="recruit")]
)
RECRUITED = RECRUITING.then(Decline(seat=2), Decline(seat=3))


def recruited_by_a_worker(**options: Any) -> At:
    """Seat 1 has played Trade; seat 2 follows with a worker on the Salt Barge, who recruits; seat 3 has to follow."""
    return town(
        more=(base("metal", "d1", 2), house("m2", 2)),
        row=("gatekeeper", *ROW[1:]),
        buildings=(building("salt-barge", "a1 b1 c1", "livestock/2"),),
        options=Options(**options),
        before=[BuyAccess(seat=1, card="trade", at="g5"), UseWorker(seat=2, on="salt-barge"), Recruit(seat=2, slot=1)],
    )


ROWS_OF_CARDS = (
    Row("advisers come while the row is full", town(), AdvisersDealt(cards=("foreman",)), "row.due"),
    Row("advisers come before all have followed", RECRUITING, AdvisersDealt(cards=("foreman",)), "row.due"),
    Row("no adviser for an empty slot", RECRUITED, AdvisersDealt(), "row.count"),
    Row("two advisers for one empty slot", RECRUITED, AdvisersDealt(cards=("foreman", "gatekeeper")), "row.count"),
    Row("an adviser that lies in the row", RECRUITED, AdvisersDealt(cards=("huckster",)), "cards.unique"),
    Row("an adviser that a seat has", RECRUITED, AdvisersDealt(cards=("scholar",)), "cards.unique"),
    Row("an adviser of level II before the rest of level I", RECRUITED, AdvisersDealt(cards=("paver",)), "table.level"),
    Row("an adviser of level I", RECRUITED, AdvisersDealt(cards=("foreman",)), None),
    Row(
        "an adviser comes before the last follow of Trade",
        recruited_by_a_worker(),
        AdvisersDealt(cards=("foreman",)),
        "row.due",
    ),
    Row(
        "an adviser comes before the last follow of Trade, where the row is filled at once",
        recruited_by_a_worker(row_refill="at-once"),
        AdvisersDealt(cards=("foreman",)),
        None,
    ),
    Row(
        "a turn before the row is filled",
        RECRUITED,
        Gain(seat=2, what="money", card="trade", down=True),
        "turn.pending",
    ),
)

# Three proposals are due, and of the 21 buildings two pairs are left that are alike; the others stand.
TWO_PAIRS = ("salt-barge", "grain-hall", "crooked-bone", "fish-market")
STANDING = [card for card in new().state().printed.prestige if card not in TWO_PAIRS]
LAST_PAIRS = town(
    proposals=(), buildings=tuple(building(card, cell) for card, cell in zip(STANDING, land_cells("d"), strict=False))
)
# The university stands, and its card came again and won: by one reading of a game without workers it is shuffled.
STANDS_ALREADY = won(
    buildings=(building("university", "a1 b1 a2 b2"), *completed(2)),
    options=Options(workers="without", no_workers_card="discard"),
)
# Seat 1 won the university and has placed it on desert; the other two proposals were discarded.
PLACED = WON.then(PlacePrestige(seat=1, cells=("e2", "f2", "e3", "f3")))
NEW_PROPOSALS = ("grain-hall", "fish-market", "bath-house")
# The other fifteen buildings.
OTHERS = (
    *("merchants-guild", "sleeping-lion", "playhouse", "assay-office", "timber-yard", "guard-house", "town-archive"),
    *("glass-house", "feast-hall", "harbour-office", "brick-court", "music-hall"),
    *("north-watchtower", "west-watchtower", "ghost-fortress"),
)


def placed_after(*spent: str) -> At:
    """The same after these were discarded, too."""
    return won(spent=spent).then(PlacePrestige(seat=1, cells=("e2", "f2", "e3", "f3")))


PROPOSALS = (
    Row("proposals come in a turn", town(), ProposalsDealt(cards=NEW_PROPOSALS), "proposals.due"),
    Row("two proposals come", PLACED, ProposalsDealt(cards=NEW_PROPOSALS[:2]), "proposals.count"),
    Row("four proposals come", PLACED, ProposalsDealt(cards=(*NEW_PROPOSALS, "playhouse")), "proposals.count"),
    Row(
        "a building that stands is proposed again",
        PLACED,
        ProposalsDealt(cards=("university", *NEW_PROPOSALS[1:])),
        "cards.unique",
    ),
    Row(
        "a discarded proposal comes again",
        PLACED,
        ProposalsDealt(cards=("salt-barge", *NEW_PROPOSALS[1:])),
        "cards.unique",
    ),
    Row(
        "two new proposals are alike",
        PLACED,
        ProposalsDealt(cards=("sleeping-lion", "timber-yard", "playhouse")),
        "proposals.like",
    ),
    Row(
        "the discarded ones are shuffled while the deck lasts",
        PLACED,
        ProposalsDealt(cards=NEW_PROPOSALS, shuffled=True),
        "proposals.deck",
    ),
    Row(
        "the discarded ones are shuffled while the deck has just three",
        placed_after(*OTHERS),
        ProposalsDealt(cards=NEW_PROPOSALS, shuffled=True),
        "proposals.deck",
    ),
    Row(
        "the discarded ones are shuffled once the deck has two",
        placed_after(*OTHERS, "bath-house"),
        ProposalsDealt(cards=(*NEW_PROPOSALS[:2], "sleeping-lion"), shuffled=True),
        None,
    ),
    Row(
        "a proposal put back that is like none",
        PLACED,
        ProposalsDealt(cards=NEW_PROPOSALS, put_back=("playhouse",)),
        "proposals.like",
    ),
    Row(
        "a proposal put back that is like one",
        PLACED,
        ProposalsDealt(cards=("sleeping-lion", "fish-market", "playhouse"), put_back=("timber-yard",)),
        None,
    ),
    Row(
        "a pair stays where all that is left is alike",
        LAST_PAIRS,
        ProposalsDealt(cards=("salt-barge", "crooked-bone", "fish-market"), put_back=("grain-hall",)),
        None,
    ),
    Row(
        "a pair stays while a card is left",
        LAST_PAIRS,
        ProposalsDealt(cards=("salt-barge", "crooked-bone", "fish-market")),
        "proposals.like",
    ),
    Row("a proposal that is no card", PLACED, ProposalsDealt(cards=("castle", *NEW_PROPOSALS[1:])), "cards.known"),
    Row("three new proposals", PLACED, ProposalsDealt(cards=NEW_PROPOSALS), None),
    Row("a proposal is replaced in a turn", town(), ProposalReplaced(card="playhouse"), "proposals.due"),
    Row("a proposal is replaced although it fits", WON, ProposalReplaced(card="playhouse"), "proposals.due"),
    Row(
        "a proposal that fits nowhere is replaced by one that lies there",
        DESERT_IS_FULL,
        ProposalReplaced(card="salt-barge"),
        "cards.unique",
    ),
    Row(
        "a proposal that stands already is replaced by itself",
        STANDS_ALREADY,
        ProposalReplaced(card="university", shuffled=True),
        "cards.unique",
    ),
    Row(
        "a proposal that stands already is replaced by another that stands",
        STANDS_ALREADY,
        ProposalReplaced(card="grain-hall", shuffled=True),
        None,
    ),
    Row("a proposal that fits nowhere is replaced", DESERT_IS_FULL, ProposalReplaced(card="playhouse"), None),
    Row(
        "a building that fits nowhere is placed",
        DESERT_IS_FULL,
        PlacePrestige(seat=1, cells=("j8", "k8", "j9", "k9")),
        "place.due",
    ),
)

GROUPS = {"adviser row": ROWS_OF_CARDS, "proposals": PROPOSALS}
