"""The end of a game (F-11), and games alone (F-12.3)."""

from __future__ import annotations

from spyrium_log.title import FinalCount
from spyrium_log.titles.founders.moves import Bid, BuildBase, CallVote, ChooseProposal, Gain, PayClaims
from spyrium_log.titles.founders.options import Options
from tests.founders.corpus import Row, alone, building, completed, town
from tests.founders.corpus_votes import WON

EXACT = Options(solo_change="exact")
SIX = completed(6)
ENDS = (
    Row("the final count in mid-game", town(), FinalCount(), "final.due"),
    Row("the final count with five buildings complete", town(buildings=completed(5)), FinalCount(), "final.due"),
    Row("the final count with six buildings complete", town(buildings=SIX), FinalCount(), None),
    Row("the final count twice", town(buildings=SIX, before=[FinalCount()]), FinalCount(), "final.due"),
    Row(
        "a turn after the sixth building is complete",
        town(buildings=SIX),
        Gain(seat=1, what="money", card="trade", down=True),
        "turn.pending",
    ),
    Row(
        "a turn after the final count",
        town(buildings=SIX, before=[FinalCount()]),
        Gain(seat=1, what="money", card="trade", down=True),
        "turn.pending",
    ),
)

CLAIMED = building("crooked-bone", "g8 h8", claim=True)
CLAIM_DUE = alone(fleeting=4, lasting=2, buildings=(CLAIMED,), before=(CallVote(seat=1),))
LEFT_ALONE = alone(hand=("trade", "call"), discard=("recruit", "construct", "upgrade"))
CHOOSING = alone(fleeting=3, lasting=1, before=(CallVote(seat=1),))
ALONE = (
    Row("a call alone with a card left", LEFT_ALONE, CallVote(seat=1, money=1), "solo.call"),
    Row("a seventh call alone", alone(votes=6, hand=("trade", "call")), CallVote(seat=1, money=1), "solo.call"),
    Row("a sixth call alone", alone(votes=5), CallVote(seat=1), None),
    Row("a bonus for no card, alone", alone(), CallVote(seat=1, money=1), "call.bonus"),
    Row("claims paid although none is on the board", CHOOSING, PayClaims(seat=1, fleeting=2, lasting=1), "solo.claims"),
    Row("a claim paid with 3 of 4", CLAIM_DUE, PayClaims(seat=1, fleeting=3), "solo.price"),
    Row("a claim paid with influence that is not there", CLAIM_DUE, PayClaims(seat=1, fleeting=6), "bid.influence"),
    Row("a claim paid", CLAIM_DUE, PayClaims(seat=1, lasting=2), None),
    Row(
        "a claim costs 2 more for each completed building",
        alone(fleeting=9, buildings=(CLAIMED, *completed(2)), before=(CallVote(seat=1),)),
        PayClaims(seat=1, fleeting=7),
        "solo.price",
    ),
    Row(
        "8 for a claim with two completed buildings",
        alone(fleeting=9, buildings=(CLAIMED, *completed(2)), before=(CallVote(seat=1),)),
        PayClaims(seat=1, fleeting=8),
        None,
    ),
    Row("a proposal before the claims are paid", CLAIM_DUE, ChooseProposal(seat=1, proposal=1), "solo.price"),
    Row("the middle proposal for 1", CHOOSING, ChooseProposal(seat=1, proposal=2, fleeting=1), "solo.price"),
    Row("the middle proposal for 2", CHOOSING, ChooseProposal(seat=1, proposal=2, lasting=1), None),
    Row("the right proposal for 3", CHOOSING, ChooseProposal(seat=1, proposal=3, fleeting=3), "solo.price"),
    Row("the right proposal for 4", CHOOSING, ChooseProposal(seat=1, proposal=3, fleeting=2, lasting=1), None),
    Row("the left proposal for nothing", CHOOSING, ChooseProposal(seat=1, proposal=1), None),
    Row(
        "the right proposal for 5, where influence may be overpaid",
        CHOOSING,
        ChooseProposal(seat=1, proposal=3, fleeting=3, lasting=1),
        None,
    ),
    Row(
        "the right proposal for 5, where it may not",
        alone(fleeting=3, lasting=1, before=(CallVote(seat=1),), options=EXACT),
        ChooseProposal(seat=1, proposal=3, fleeting=3, lasting=1),
        "solo.price",
    ),
    Row("a fourth proposal alone", CHOOSING, ChooseProposal(seat=1, proposal=4, fleeting=3, lasting=1), "bid.proposal"),
    Row(
        "a proposal paid with influence that is not there",
        CHOOSING,
        ChooseProposal(seat=1, proposal=2, lasting=2),
        "bid.influence",
    ),
    Row("a proposal chosen without a call", alone(), ChooseProposal(seat=1, proposal=1), "solo.price"),
    Row("a bid alone", CHOOSING, Bid(seat=1, proposal=1), "bid.order"),
    Row("a proposal chosen with three players", WON, ChooseProposal(seat=1, proposal=1), "solo.price"),
    Row(
        "nobody follows alone",
        LEFT_ALONE.then(BuildBase(seat=1, card="trade", base="gems", at="d4")),
        Gain(seat=1, what="money"),
        "turn.order",
    ),
    Row(
        "the count alone before the seventh round is played",
        alone(votes=6, hand=("trade", "call"), discard=()),
        FinalCount(),
        "final.due",
    ),
    Row("the count alone once only the Call is left in round 7", alone(votes=6), FinalCount(), None),
)

GROUPS = {"end": ENDS, "alone": ALONE}
