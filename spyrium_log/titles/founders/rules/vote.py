"""Call to Vote: bonuses, income, bids and ties (F-10); and alone (F-12.3)."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable
from typing import Final

from spyrium_log.errors import Breach
from spyrium_log.messages import Card
from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import CALL, PROPOSALS, SOLO_ROUNDS
from spyrium_log.titles.founders.links import Links, field_of, find_bridges
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.rules.choices import find_road_cells
from spyrium_log.titles.founders.rules.deliver import BreachesOf, Outcome, OutcomeOf, apply_to_copy
from spyrium_log.titles.founders.rules.outcomes import add_income_action
from spyrium_log.titles.founders.rules.tiles import find_free_land
from spyrium_log.titles.founders.rules.turn import (
    breach,
    breaches_of_stage,
    find_stage,
    has_seat,
    is_playing,
    no_such_seat,
)
from spyrium_log.titles.founders.sites import fits_somewhere
from spyrium_log.titles.founders.state import TWO_PLAYERS, Bid, Mat, State

_DISCARDS: Final = 2
_DISCARDS_OF_TWO: Final = 3
# In a game alone: what the middle and the right proposal cost at first; a completed building adds 1 and 2.
_MIDDLE_PRICE: Final = 2
_RIGHT_PRICE: Final = 4


# --- the call ------------------------------------------------------------------------------------


def breaches_of_call(state: State, act: moves.CallVote) -> list[Breach]:
    """Breaches of a call: too few discards, or cards in hand that bring more or less than one each (F-10.0, F-10.1)."""
    rule = "turn.order" if find_stage(state).kind == "turn" else "turn.pending"
    breaches = breaches_of_stage(state, act.seat, ("turn",), rule)
    if not has_seat(state, act.seat):
        return breaches
    mat = state.mat(act.seat)
    if CALL not in mat.hand:
        breaches.append(breach("card.hand", phrase("card-in-hand"), phrase("card-not-in-hand", card=Card(CALL))))
    # without the card that calls
    left = max(mat.cards_in_hand - 1, 0)
    _add_breach_of_discards(state, mat, left, breaches)
    _add_breach_of_bonuses(state, act, left, breaches)
    return breaches


def _add_breach_of_discards(state: State, mat: Mat, left: int, breaches: list[Breach]) -> None:
    """Add a breach unless enough cards were played before the call; alone all, and never in the last round."""
    if state.seats == 1:
        if left or state.votes >= SOLO_ROUNDS - 1:
            expected = phrase("no-cards-left") if left else phrase("no-seventh-vote")
            breaches.append(breach("solo.call", expected, phrase("cards-left", n=left)))
        return
    least = _DISCARDS_OF_TWO if state.seats == TWO_PLAYERS else _DISCARDS
    if mat.cards_discarded < least:
        found = phrase("discards", n=mat.cards_discarded)
        breaches.append(breach("call.discard", phrase("at-least-discards", n=least), found))


def _add_breach_of_bonuses(state: State, act: moves.CallVote, left: int, breaches: list[Breach]) -> None:
    """Add a breach unless each card left brings one bonus (by one reading at most one), and the roads can be laid."""
    bonuses = (act.money, act.fleeting, act.roads)
    chosen = sum(bonuses)
    is_waived = state.options.call_bonus == "waive" and chosen < left
    if min(bonuses) < 0 or (chosen != left and not is_waived):
        breaches.append(breach("call.bonus", phrase("bonuses", n=left), phrase("bonuses-found", n=chosen)))
    elif act.roads > count_roads(state, act.seat, act.roads):
        breaches.append(breach("call.bonus", phrase("road-possible"), phrase("bonus-road")))


def count_roads(state: State, seat: int, most: int) -> int:
    """How many roads the seat could lay one after the other, at most so many: each may build on the one before."""
    field = field_of(state.printed.board)
    free = find_free_land(state)
    cells = find_road_cells(state, seat)
    while cells.bit_count() < most:
        # a road also reaches whatever touches the roads and bridges that it meets
        links = Links(state.printed.board, state.roads | cells | find_bridges(state.structures, seat))
        wider = links.region(cells) & free
        if wider | cells == cells:
            break
        cells |= wider
    return min((cells & field.land).bit_count(), most)


def _effects_of_call(before: State, act: moves.CallVote) -> Outcome:
    """What a call brings: coins and influence for cards left; the income of the others, unless roads come first."""
    outcome = apply_to_copy(before, act)
    outcome.gain(act.seat, "money", act.money, "call")
    outcome.gain(act.seat, "fleeting", act.fleeting, "call")
    if not act.roads:
        add_income_of_call(outcome)
    return outcome


def add_income_of_call(outcome: Outcome) -> None:
    """Income for everybody but the caller (F-10.3); alone for the caller, and the claims become due (F-12.3)."""
    state = outcome.state
    caller = state.caller
    if state.seats > 1:
        for seat in state.list_seats_from(caller)[1:]:
            if is_playing(state, seat):
                add_income_action(outcome, seat)
        return
    add_income_action(outcome, caller)
    claims = sum(building.claim for building in state.buildings)
    if claims:
        _make_claims_due(outcome, caller, claims)


def _make_claims_due(outcome: Outcome, caller: int, claims: int) -> None:
    """The claims have to be paid for now; a game alone is lost where all the influence is not enough (F-12.3)."""
    state = outcome.state
    mat = state.mat(caller)
    if mat.fleeting + 2 * mat.lasting < claims * price_of_claim(state):
        outcome.note(effects.SoloLost(seat=caller))
    else:
        outcome.note(effects.ClaimsDue(seat=caller, n=claims))


# --- bids ----------------------------------------------------------------------------------------


def seal_of(vote: int, act: moves.Bid) -> str:
    """The hash by which a bid is sealed before it is opened (F-13)."""
    text = f"{vote}:{act.seat}:{act.proposal}:{act.fleeting}:{act.lasting}:{act.salt or ''}"
    return hashlib.sha256(text.encode()).hexdigest()


def _breaches_of_sealing(state: State, act: moves.SealBid) -> list[Breach]:
    """Breaches of sealing a bid: somebody opened one already, or this seat's is sealed (F-13)."""
    if not has_seat(state, act.seat):
        return [no_such_seat(state, act.seat)]
    opened = any(mat.bid is not None for mat in state.mats[1:])
    if find_stage(state).kind != "bid" or opened or state.mat(act.seat).seal:
        return [breach("bid.order", phrase("bids-to-seal"), phrase("seal"))]
    return []


def _breaches_of_bid(state: State, act: moves.Bid) -> list[Breach]:
    """Breaches of a bid: for no proposal, of influence that the seat has not, or other than it was sealed (F-10.4)."""
    breaches = breaches_of_stage(state, act.seat, ("bid",), "bid.order")
    if not has_seat(state, act.seat):
        return breaches
    mat = state.mat(act.seat)
    _add_breach_of_proposal(state, act.proposal, "bid.proposal", breaches)
    _add_breach_of_influence(state, act, "bid.influence", breaches)
    seals = [each.seal for each in state.mats[1:] if not each.conceded]
    if any(seals):
        if not all(seals):
            breaches.append(breach("bid.sealed", phrase("all-sealed"), phrase("unsealed")))
        elif mat.seal != seal_of(state.votes + 1, act):
            breaches.append(breach("bid.sealed", phrase("as-sealed"), phrase("other-bid")))
    return breaches


def _add_breach_of_proposal(state: State, proposal: int, rule: str, breaches: list[Breach]) -> None:
    """Add a breach of this rule unless there is such a proposal."""
    if not 0 < proposal <= len(state.proposals):
        breaches.append(breach(rule, phrase("proposals", n=len(state.proposals)), phrase("proposal", n=proposal)))


def _add_breach_of_influence(
    state: State, act: moves.Bid | moves.ChooseProposal | moves.PayClaims, rule: str, breaches: list[Breach]
) -> None:
    """Add a breach unless the seat holds the influence; to pay none is open even to one that a log left below zero."""
    mat = state.mat(act.seat)
    if not (0 <= act.fleeting <= mat.fleeting and 0 <= act.lasting <= mat.lasting) and (act.fleeting or act.lasting):
        expected = phrase("influence", n=max(mat.fleeting, 0), m=max(mat.lasting, 0))
        breaches.append(breach(rule, expected, phrase("influence-found", n=act.fleeting, m=act.lasting)))


def _effects_of_bid(before: State, act: moves.Bid) -> Outcome:
    """What a bid brings: nothing, but the last one decides the vote, or leaves a tie to be broken."""
    outcome = apply_to_copy(before, act)
    state = outcome.state
    is_last = all(mat.bid is not None or mat.conceded for mat in state.mats[1:])
    # a bid outside a vote, or after it, decides nothing
    if is_last and before.caller and not state.winner.seat and not state.tie:
        _decide(outcome)
    return outcome


def _count_votes(state: State) -> dict[int, int]:
    """The points of each proposal that got a vote: the bids for it added up."""
    votes: dict[int, int] = {}
    for bid in _find_bids(state, range(1, len(state.proposals) + 1)).values():
        votes[bid.proposal] = votes.get(bid.proposal, 0) + bid.points
    return votes


def _find_bids(state: State, proposals: Container[int]) -> dict[int, Bid]:
    """The bids for any of these proposals, by seat."""
    bids = {seat: mat.bid for seat, mat in enumerate(state.mats) if seat}
    return {seat: bid for seat, bid in bids.items() if bid is not None and bid.proposal in proposals}


def list_tied(state: State) -> list[int]:
    """The proposals with the most points; once the winner fits nowhere and left the game, of those that fit."""
    votes = _count_votes(state)
    if any(card in state.removed for card in state.proposals):
        votes = {each: n for each, n in votes.items() if fits_somewhere(state, state.proposals[each - 1])}
    most = max(votes.values(), default=0)
    return sorted(proposal for proposal, points in votes.items() if points == most)


def _decide(outcome: Outcome) -> None:
    """One proposal has most points and wins; else the seat with the fewest points among its voters chooses (F-10.4)."""
    state = outcome.state
    tied = list_tied(state)
    if len(tied) == 1:
        _win(outcome, tied[0])
    elif tied:
        outcome.note(effects.TieDue(seat=_find_poorest(state, _find_bids(state, tied))))


def _find_poorest(state: State, seats: Iterable[int]) -> int:
    """The seat with the fewest points; of several the first clockwise from the caller."""
    order = state.list_seats_from(state.caller)
    return min(seats, key=lambda seat: (state.mats[seat].points, order.index(seat)))


def _win(outcome: Outcome, proposal: int) -> None:
    """The highest bidder of the winning proposal will place it; influence goes back (F-10.4, F-10.5)."""
    if _set_aside(outcome, proposal):
        return
    state = outcome.state
    bids = _find_bids(state, (proposal,))
    most = max((bid.points for bid in bids.values()), default=0)
    highest = [seat for seat, bid in bids.items() if bid.points == most]
    # by a tie that was broken otherwise than the rules allow, one may win for which nobody voted
    winner = _find_poorest(state, highest or state.list_seats_from(state.caller))
    outcome.note(effects.VoteWon(proposal=proposal, seat=winner))
    _return_influence(outcome)


def _set_aside(outcome: Outcome, winner: int) -> bool:
    """A winner that fits nowhere makes the vote void, or lets the next one win, by two readings of `unplaceable`.

    False where it stays the winner.
    """
    state = outcome.state
    reading = state.options.unplaceable
    if reading == "next-card" or fits_somewhere(state, state.proposals[winner - 1]):
        return False
    if reading == "new-vote" and len(state.proposals) > 1:
        outcome.note(effects.VoteVoid(proposal=winner))
        return True
    if reading == "second-best" and _remove_unplaceable(outcome, winner):
        _decide(outcome)
        return True
    return False


def _remove_unplaceable(outcome: Outcome, winner: int) -> bool:
    """Take the winner out of the game, and whatever else fits nowhere and got more points than all that fit.

    False where nothing that got a vote fits.
    """
    state = outcome.state
    votes = _count_votes(state)
    fitting = [each for each in votes if fits_somewhere(state, state.proposals[each - 1])]
    if not fitting:
        return False
    most = max(votes[each] for each in fitting)
    others = [each for each in votes if each not in fitting and each != winner and votes[each] > most]
    for each in (winner, *sorted(others, key=lambda proposal: (-votes[proposal], proposal))):
        outcome.note(effects.CardRemoved(seat=state.caller or 1, card=state.proposals[each - 1]))
    return True


def _return_influence(outcome: Outcome) -> None:
    """All fleeting influence goes back, and the lasting influence that was bid (F-10.4)."""
    for seat in range(1, outcome.state.seats + 1):
        mat = outcome.state.mats[seat]
        outcome.gain(seat, "fleeting", -mat.fleeting, "vote")
        outcome.gain(seat, "lasting", -mat.bid.lasting if mat.bid else 0, "vote")


def _breaches_of_tie(state: State, act: moves.BreakTie) -> list[Breach]:
    """Breaches of breaking a tie: there is none, it is another seat's, or the proposal is not tied."""
    breaches = breaches_of_stage(state, act.seat, ("tie",), "tie.due")
    tied = list_tied(state)
    if act.proposal not in tied:
        expected = phrase("tied", options=", ".join(map(str, tied)) or "-")
        breaches.append(breach("tie.proposal", expected, phrase("proposal", n=act.proposal)))
    return breaches


def _effects_of_tie(before: State, act: moves.BreakTie) -> Outcome | None:
    """The chosen proposal wins; None where there is no such proposal."""
    if not 0 < act.proposal <= len(before.proposals):
        return None
    outcome = apply_to_copy(before, act)
    _win(outcome, act.proposal)
    return outcome


# --- alone ---------------------------------------------------------------------------------------


def price_of_claim(state: State) -> int:
    """What a neutral claim costs at this moment: as much as the right proposal, 4 + 2k (F-12.3)."""
    return _RIGHT_PRICE + 2 * state.markers


def price_of_proposal(state: State, proposal: int) -> int:
    """What a proposal costs by its place: left nothing, middle 2 + k, right 4 + 2k for k complete ones (F-12.3)."""
    prices = (0, _MIDDLE_PRICE + state.markers, _RIGHT_PRICE + 2 * state.markers)
    # one that does not lie there is a breach, and costs as much as the nearest
    return prices[min(max(proposal, 1), PROPOSALS) - 1]


def breaches_of_claims(state: State, act: moves.PayClaims) -> list[Breach]:
    """Breaches of paying claims: none is due, or what is paid is not the price of this moment for each."""
    breaches = breaches_of_stage(state, act.seat, ("claims",), "solo.claims")
    _add_breaches_of_paying(state, act, state.claims_due * price_of_claim(state), breaches)
    return breaches


def breaches_of_choosing(state: State, act: moves.ChooseProposal) -> list[Breach]:
    """Breaches of choosing alone: no such proposal lies there, or it is not paid by its place."""
    breaches = breaches_of_stage(state, act.seat, ("choose",), "solo.price")
    _add_breach_of_proposal(state, act.proposal, "bid.proposal", breaches)
    _add_breaches_of_paying(state, act, price_of_proposal(state, act.proposal), breaches)
    return breaches


def _add_breaches_of_paying(
    state: State, act: moves.ChooseProposal | moves.PayClaims, price: int, breaches: list[Breach]
) -> None:
    """Add breaches unless the influence is there, and worth the price: fleeting 1, lasting 2."""
    _add_breach_of_influence(state, act, "bid.influence", breaches)
    worth = act.fleeting + 2 * act.lasting
    is_enough = worth == price if state.options.solo_change == "exact" else worth >= price
    if not is_enough or min(act.fleeting, act.lasting) < 0:
        breaches.append(breach("solo.price", phrase("influence-worth", n=price), phrase("influence-paid", n=worth)))


def _effects_of_paying(before: State, act: moves.ChooseProposal | moves.PayClaims) -> Outcome:
    """What paying moves: the influence goes back to the supply."""
    outcome = apply_to_copy(before, act)
    why = "claims" if isinstance(act, moves.PayClaims) else "proposal"
    outcome.gain(act.seat, "fleeting", -act.fleeting, why)
    outcome.gain(act.seat, "lasting", -act.lasting, why)
    return outcome


RULES_OF_VOTES: Final[dict[type, tuple[BreachesOf, OutcomeOf]]] = {
    moves.CallVote: (breaches_of_call, _effects_of_call),
    # a sealed bid moves nothing
    moves.SealBid: (_breaches_of_sealing, apply_to_copy),
    moves.Bid: (_breaches_of_bid, _effects_of_bid),
    moves.BreakTie: (_breaches_of_tie, _effects_of_tie),
    moves.ChooseProposal: (breaches_of_choosing, _effects_of_paying),
    moves.PayClaims: (breaches_of_claims, _effects_of_paying),
}
