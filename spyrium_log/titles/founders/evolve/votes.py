"""Votes: the call, the bids, the proposals that come and go, and the building that won."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from spyrium_log.title import tag_of
from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import CALL
from spyrium_log.titles.founders.evolve.cards import start_turn, with_card, without
from spyrium_log.titles.founders.evolve.pieces import put_building
from spyrium_log.titles.founders.ground import cells_of, mask_of
from spyrium_log.titles.founders.state import MOST_CARDS, NO_WINNER, Bid, Building, Done, State, Winner


def _call_vote(state: State, act: moves.CallVote) -> None:
    """Cards and workers come back to the caller; the roads are laid next."""
    start_turn(state, act.seat, CALL, down=False)
    state.caller = act.seat
    state.roads_due = act.roads
    state.did = (Done(act.seat, tag_of(type(act))),)
    mat = state.mat(act.seat)
    mat.hand = (mat.hand + mat.discard)[:MOST_CARDS]
    mat.discard = ()
    mat.unknown = 0
    mat.used = ()
    _clear_bids(state)


def _clear_bids(state: State) -> None:
    """Take all bids off the table, sealed or open."""
    for mat in state.mats:
        mat.bid = None
        mat.seal = ""


def _seal_bid(state: State, act: moves.SealBid) -> None:
    """Keep the hash of a bid that is opened later."""
    state.mat(act.seat).seal = act.seal


def _bid(state: State, act: moves.Bid) -> None:
    """Keep a bid until the vote is decided."""
    state.mat(act.seat).bid = Bid(act.proposal, act.fleeting, act.lasting)


def _set_tie(state: State, fact: effects.TieDue) -> None:
    """Note who has to choose among tied proposals."""
    state.tie = fact.seat


def _break_tie(state: State, _act: moves.BreakTie) -> None:
    """Note that nobody has to break the tie any more; who won is a fact."""
    state.tie = 0


def _set_winner(state: State, choice: effects.VoteWon | moves.ChooseProposal) -> None:
    """Note which proposal is placed, and by whom: the one that won, or in a game alone the one that was chosen."""
    state.winner = Winner(choice.proposal, choice.seat)


def _void_vote(state: State, fact: effects.VoteVoid) -> None:
    """Take the proposal out of the game, and the bids off the table: everybody bids again."""
    _remove_proposal(state, fact.proposal, "")
    _clear_bids(state)


def _place_prestige(state: State, act: moves.PlacePrestige) -> None:
    """Build the proposal that won. The others are discarded, but in a game alone they stay."""
    index = state.winner.proposal - 1
    card = state.proposals[index] if 0 <= index < len(state.proposals) else moves.UNSEEN
    cells = cells_of(act.cells)
    put_building(state, Building(card, cells, mask_of(cells), act.seat))
    others = without(state.proposals, card)
    if state.seats == 1:
        state.proposals = others
    else:
        state.spent = (state.spent + tuple(each for each in others if each not in state.removed))[:MOST_CARDS]
        state.proposals = ()
    state.votes += 1
    state.winner = NO_WINNER
    state.caller = 0


# --- proposals -----------------------------------------------------------------------------------


def _deal_proposals(state: State, act: moves.ProposalsDealt) -> None:
    """Put new proposals behind those that lie there, perhaps from a deck that was shuffled anew."""
    if act.shuffled:
        _shuffle(state)
    state.proposals = (state.proposals + act.cards)[:MOST_CARDS]


def _shuffle(state: State) -> None:
    """Make a new deck of the discarded proposals, and note how many buildings stood then."""
    state.spent = ()
    state.reshuffled = len(state.buildings)


def _replace_proposal(state: State, act: moves.ProposalReplaced) -> None:
    """Take the chosen proposal out of the game, and put another card in its place, to be built."""
    if act.shuffled:
        _shuffle(state)
    _remove_proposal(state, state.winner.proposal, act.card)


def _remove_proposal(state: State, proposal: int, card: str) -> None:
    """Take a proposal out of the game; `card` comes in its place, '' for none."""
    index = proposal - 1
    if 0 <= index < len(state.proposals):
        state.removed = with_card(state.removed, state.proposals[index])
        replacement = (card,) if card else ()
        state.proposals = (*state.proposals[:index], *replacement, *state.proposals[index + 1 :])


# --- the claims of a game alone ------------------------------------------------------------------


def _set_claims_due(state: State, fact: effects.ClaimsDue) -> None:
    """Note how many claims the caller has to pay for before the game goes on."""
    state.claims_due = fact.n


def _pay_claims(state: State, _act: moves.PayClaims) -> None:
    """Take the claims off the board; what they cost is in the postings."""
    state.claims_due = 0
    state.buildings = [building._replace(claim=False) if building.claim else building for building in state.buildings]


ACTS_OF_VOTES: Final[dict[type, Callable[[State, Any], None]]] = {
    moves.CallVote: _call_vote,
    moves.SealBid: _seal_bid,
    moves.Bid: _bid,
    moves.BreakTie: _break_tie,
    moves.ChooseProposal: _set_winner,
    moves.PayClaims: _pay_claims,
    moves.PlacePrestige: _place_prestige,
    moves.ProposalsDealt: _deal_proposals,
    moves.ProposalReplaced: _replace_proposal,
}

FACTS_OF_VOTES: Final[dict[type, Callable[[State, Any], None]]] = {
    effects.TieDue: _set_tie,
    effects.VoteWon: _set_winner,
    effects.VoteVoid: _void_vote,
    effects.ClaimsDue: _set_claims_due,
}
