"""Laws of turns, votes and the end (F-5, F-10, F-11, F-12.3)."""

from __future__ import annotations

from spyrium_log.title import FinalCount
from spyrium_log.titles.founders.cards import CALL, LAST_COMPLETION, SOLO_ROUNDS
from spyrium_log.titles.founders.effects import VoteWon
from spyrium_log.titles.founders.moves import PlacePrestige
from spyrium_log.titles.founders.state import State
from tests.founders.laws_moment import Moment, list_proposals_left, seats_of


def check_vote(moment: Moment) -> int:
    """F-10.4: once a vote is won nobody has fleeting influence, and the lasting influence that was bid is gone."""
    state = moment.after
    won = moment.facts_of(VoteWon)
    for seat in seats_of(state) if won else ():
        bid = state.mats[seat].bid
        left = moment.before.mats[seat].lasting - (bid.lasting if bid else 0)
        assert state.mats[seat].lasting == left, f"seat {seat} has {state.mats[seat].lasting} lasting, not {left}"
    if won or isinstance(moment.act, PlacePrestige):
        left_over = {seat: n for seat in seats_of(state) if (n := state.mats[seat].fleeting)}
        assert not left_over, f"fleeting influence outlived the vote: {left_over}"
    return len(won)


def check_winner(moment: Moment) -> int:
    """F-10.4, F-10.5: the proposal with most points wins, and its highest bidder places it."""
    won = moment.facts_of(VoteWon)
    if not won or moment.after.options.unplaceable == "second-best":
        return 0
    bids = {seat: bid for seat in seats_of(moment.after) if (bid := moment.after.mats[seat].bid)}
    points = {n: sum(bid.points for bid in bids.values() if bid.proposal == n) for n in (1, 2, 3)}
    proposal, placer = won[0].proposal, won[0].seat
    assert points[proposal] == max(points.values()), f"proposal {proposal} won with {points}"
    bidders = {seat: bid.points for seat, bid in bids.items() if bid.proposal == proposal}
    highest = max(bidders.values())
    assert bidders.get(placer) == highest, f"seat {placer} places what seats {bidders} bid for"
    poorer = [seat for seat, n in bidders.items() if n == highest and _stands_before(moment.after, seat, placer)]
    assert not poorer, f"seat {poorer} should place it"
    return 1


def _stands_before(state: State, one: int, other: int) -> bool:
    """Whether the one has fewer points, or as many and comes first clockwise from the caller."""

    def rank(seat: int) -> tuple[int, int]:
        return state.mats[seat].points, (seat - state.last) % state.seats

    return rank(one) < rank(other)


def check_buildings(moment: Moment) -> int:
    """F-10.5: as many prestige buildings stand as votes were ended."""
    state = moment.after
    assert len(state.buildings) == state.votes, f"{len(state.buildings)} buildings stand after {state.votes} votes"
    cards = [building.card for building in state.buildings]
    assert len(set(cards)) == len(cards), "a building stands twice"
    return len(cards)


def check_token(moment: Moment) -> int:
    """F-5.7, F-11.1: turns go clockwise, one is over as the next begins, none begins after the sixth completion."""
    if not moment.starts_turn():
        return 0
    state, seat = moment.before, moment.act.seat
    due = state.last % state.seats + 1 if state.last else state.first
    assert seat == due, f"it is the turn of seat {due}, and seat {seat} plays"
    # what fits nowhere stays a proposal if there is no card to replace it
    is_stuck = bool(state.winner.seat) and not list_proposals_left(state)
    pending = (state.due, state.roads_due, state.tie, state.winner.seat and not is_stuck, state.claims_due)
    assert not any(pending), f"a turn begins with this to be done: {pending}"
    assert state.seats == 1 or state.markers < LAST_COMPLETION, "a turn begins after the sixth completion"
    return 1


def check_end(moment: Moment) -> int:
    """F-11.1, F-12.3: the count comes with the sixth completion; alone after seven rounds, or when it is lost."""
    if not isinstance(moment.act, FinalCount):
        return 0
    state = moment.before
    if state.seats > 1:
        assert state.markers >= LAST_COMPLETION, f"the game ends with {state.markers} buildings complete"
        return 1
    mat = state.mats[1]
    played_out = state.votes == SOLO_ROUNDS - 1 and mat.hand == (CALL,)
    sixth = state.options.solo_end == "sixth" and state.markers >= LAST_COMPLETION
    assert mat.lost or played_out or sixth, f"alone the game ends after {state.votes} votes, with {mat.hand} in hand"
    return 1
