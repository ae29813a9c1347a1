"""Call to Vote: bonuses, income, bids, ties, the placement of the building (F-10); and alone (F-12.3)."""

from __future__ import annotations

import hashlib
from typing import Final

from spyrium_log.errors import Breach
from spyrium_log.messages import Card, Term
from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import CALL, PROPOSALS, SOLO_ROUNDS, Prestige
from spyrium_log.titles.founders.evolve import apply_act
from spyrium_log.titles.founders.ground import NOWHERE, cell_of, cells_of, mask_of
from spyrium_log.titles.founders.links import Links, field_of, find_bridges
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.rules.choices import find_road_cells
from spyrium_log.titles.founders.rules.deliver import Outcome, add_completion, add_deliveries, add_neutral_deliveries
from spyrium_log.titles.founders.rules.outcomes import add_income_action
from spyrium_log.titles.founders.rules.tiles import find_free_land
from spyrium_log.titles.founders.rules.turn import breach, breaches_of_stage, find_stage, is_playing, list_unchecked
from spyrium_log.titles.founders.sites import chosen_proposal, find_alike_ground, find_free_sites, fits_somewhere
from spyrium_log.titles.founders.state import TWO_PLAYERS, State

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
    if breaches and breaches[0].rule == "seat.exists":
        return breaches
    mat = state.mat(act.seat)
    if CALL not in mat.hand:
        breaches.append(breach("card.hand", phrase("card-in-hand"), phrase("card-not-in-hand", card=Card(CALL))))
    left = max(mat.cards_in_hand - 1, 0)
    if state.seats == 1:
        if left or state.votes >= SOLO_ROUNDS - 1:
            expected = phrase("no-cards-left") if left else phrase("no-seventh-vote")
            breaches.append(breach("solo.call", expected, phrase("cards-left", n=left)))
    else:
        least = _DISCARDS_OF_TWO if state.seats == TWO_PLAYERS else _DISCARDS
        if mat.cards_discarded < least:
            found = phrase("discards", n=mat.cards_discarded)
            breaches.append(breach("call.discard", phrase("at-least-discards", n=least), found))
    parts = (act.money, act.fleeting, act.roads)
    chosen = sum(parts)
    is_waived = state.options.call_bonus == "waive" and chosen < left
    if min(parts) < 0 or (chosen != left and not is_waived):
        breaches.append(breach("call.bonus", phrase("bonuses", n=left), phrase("bonuses-found", n=chosen)))
    elif act.roads > count_roads(state, act.seat, act.roads):
        breaches.append(breach("call.bonus", phrase("road-possible"), phrase("bonus-road")))
    return breaches


def count_roads(state: State, seat: int, most: int) -> int:
    """How many roads the seat could lay one after the other, at most so many: each may build on the one before."""
    field = field_of(state.printed.board)
    free = find_free_land(state)
    cells = find_road_cells(state, seat)
    while cells.bit_count() < most:
        # a road also reaches whatever touches the roads and bridges that it meets
        wider = (
            Links(state.printed.board, state.roads | cells | find_bridges(state.structures, seat)).region(cells) & free
        )
        if wider | cells == cells:
            break
        cells |= wider
    return min((cells & field.land).bit_count(), most)


def effects_of_call(before: State, act: moves.CallVote) -> Outcome:
    """What a call brings: coins and influence for cards left; the income of the others, unless roads come first."""
    outcome = Outcome(before.copy())
    apply_act(outcome.state, act)
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
    if not claims:
        return
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


def breaches_of_sealing(state: State, act: moves.SealBid) -> list[Breach]:
    """Breaches of sealing a bid: somebody opened one already, or this seat's is sealed (F-13)."""
    if not 0 < act.seat <= state.seats:
        return breaches_of_stage(state, act.seat, ("bid",), "bid.order")
    opened = any(mat.bid is not None for mat in state.mats[1:])
    if find_stage(state).kind != "bid" or opened or state.mat(act.seat).seal:
        return [breach("bid.order", phrase("bids-to-seal"), phrase("seal"))]
    return []


def breaches_of_bid(state: State, act: moves.Bid) -> list[Breach]:
    """Breaches of a bid: for no proposal, of influence that the seat has not, or other than it was sealed (F-10.4)."""
    breaches = breaches_of_stage(state, act.seat, ("bid",), "bid.order")
    if breaches and breaches[0].rule == "seat.exists":
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
    """Add a breach unless there is such a proposal."""
    if not 0 < proposal <= len(state.proposals):
        breaches.append(breach(rule, phrase("proposals", n=len(state.proposals)), phrase("proposal", n=proposal)))


def _add_breach_of_influence(
    state: State, act: moves.Bid | moves.ChooseProposal | moves.PayClaims, rule: str, breaches: list[Breach]
) -> None:
    """Add a breach unless the seat holds the influence."""
    mat = state.mat(act.seat)
    if not (0 <= act.fleeting <= mat.fleeting and 0 <= act.lasting <= mat.lasting) and (act.fleeting or act.lasting):
        expected = phrase("influence", n=max(mat.fleeting, 0), m=max(mat.lasting, 0))
        breaches.append(breach(rule, expected, phrase("influence-found", n=act.fleeting, m=act.lasting)))


def effects_of_bid(before: State, act: moves.Bid) -> Outcome:
    """What a bid brings: nothing, but the last one decides the vote, or leaves a tie to be broken."""
    outcome = Outcome(before.copy())
    apply_act(outcome.state, act)
    state = outcome.state
    is_last = all(mat.bid is not None or mat.conceded for mat in state.mats[1:])
    if is_last and before.caller and not state.winner[1] and not state.tie:
        _decide(outcome)
    return outcome


def count_votes(state: State) -> dict[int, int]:
    """The points of each proposal that got a vote."""
    votes: dict[int, int] = {}
    for mat in state.mats[1:]:
        if mat.bid is not None and 0 < mat.bid.proposal <= len(state.proposals):
            votes[mat.bid.proposal] = votes.get(mat.bid.proposal, 0) + mat.bid.points
    return votes


def list_tied(state: State) -> list[int]:
    """The proposals with the most points; once the winner fits nowhere and left the game, of those that fit."""
    votes = count_votes(state)
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
        voters = [seat for seat in range(1, state.seats + 1) if (bid := state.mats[seat].bid) and bid.proposal in tied]
        outcome.note(effects.TieDue(seat=_choose_poorest(state, voters)))


def _choose_poorest(state: State, seats: list[int]) -> int:
    """The seat with the fewest points; of several the first clockwise from the caller."""
    order = state.list_seats_from(state.caller)
    return min(seats, key=lambda seat: (state.mats[seat].points, order.index(seat)))


def _win(outcome: Outcome, proposal: int) -> None:
    """The highest bidder of the winning proposal will place it; influence goes back (F-10.4, F-10.5)."""
    state = outcome.state
    if state.options.unplaceable != "next-card" and not fits_somewhere(state, state.proposals[proposal - 1]):
        if state.options.unplaceable == "new-vote" and len(state.proposals) > 1:
            outcome.note(effects.VoteVoid(proposal=proposal))
            return
        if state.options.unplaceable == "second-best" and _remove_unplaceable(outcome, proposal):
            _decide(outcome)
            return
    bidders = [seat for seat in range(1, state.seats + 1) if (bid := state.mats[seat].bid) and bid.proposal == proposal]
    most = max((bid.points for seat in bidders if (bid := state.mats[seat].bid)), default=0)
    highest = [seat for seat in bidders if (bid := state.mats[seat].bid) and bid.points == most]
    outcome.note(
        effects.VoteWon(proposal=proposal, seat=_choose_poorest(state, highest or state.list_seats_from(state.caller)))
    )
    _return_influence(outcome)


def _remove_unplaceable(outcome: Outcome, winner: int) -> bool:
    """Take the winner out of the game, and whatever else fits nowhere and got more points than all that fit.

    False where nothing that got a vote fits.
    """
    state = outcome.state
    votes = count_votes(state)
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


def breaches_of_tie(state: State, act: moves.BreakTie) -> list[Breach]:
    """Breaches of breaking a tie: there is none, it is another seat's, or the proposal is not tied."""
    breaches = breaches_of_stage(state, act.seat, ("tie",), "tie.due")
    tied = list_tied(state)
    if act.proposal not in tied:
        expected = phrase("tied", options=", ".join(map(str, tied)) or "-")
        breaches.append(breach("tie.proposal", expected, phrase("proposal", n=act.proposal)))
    return breaches


def effects_of_tie(before: State, act: moves.BreakTie) -> Outcome | None:
    """The chosen proposal wins; None where there is no such proposal."""
    if not 0 < act.proposal <= len(before.proposals):
        return None
    outcome = Outcome(before.copy())
    apply_act(outcome.state, act)
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


def effects_of_paying(before: State, act: moves.ChooseProposal | moves.PayClaims) -> Outcome:
    """What paying moves: the influence goes back to the supply."""
    outcome = Outcome(before.copy())
    apply_act(outcome.state, act)
    why = "claims" if isinstance(act, moves.PayClaims) else "proposal"
    outcome.gain(act.seat, "fleeting", -act.fleeting, why)
    outcome.gain(act.seat, "lasting", -act.lasting, why)
    return outcome


# --- placing -------------------------------------------------------------------------------------


def breaches_of_placing(state: State, act: moves.PlacePrestige) -> list[Breach]:
    """Breaches of placing the building that won: it is not in its shape on free land, or not on its site (F-10.5)."""
    breaches = breaches_of_stage(state, act.seat, ("place",), "place.due")
    if breaches and breaches[0].rule == "seat.exists":
        return breaches
    field = field_of(state.printed.board)
    missing = [name for name in act.cells if not field.cells >> cell_of(name) & 1 or cell_of(name) == NOWHERE]
    if missing or not act.cells:
        breaches.append(breach("cell.exists", phrase("cells"), phrase("cell", name=(missing or ["?"])[0][:4])))
        return breaches
    card = chosen_proposal(state)
    prestige = state.printed.prestige.get(card)
    cells = cells_of(act.cells)
    mask = mask_of(cells)
    if mask & (state.covered | state.roads):
        breaches.append(breach("build.covered", phrase("free-cells"), phrase("covered-cells")))
    if prestige is None:
        return breaches
    if prestige.site:
        _add_breach_of_site(state, prestige, mask, breaches)
    else:
        _add_breaches_of_land(state, prestige, cells, breaches)
    is_twice = len(cells) != len(act.cells)
    if is_twice and not any(each.rule == "place.shape" for each in breaches):
        breaches.append(
            breach("place.shape", phrase("each-cell-once"), phrase("cells-found", names=" ".join(act.cells)))
        )
    if mask & find_alike_ground(state, prestige):
        cards = (card, *(building.card for building in state.buildings))
        unchecked = list_unchecked(state, *((each, what) for each in cards for what in ("shape", "colour")))
        breaches.append(breach("place.like", phrase("no-like-building"), phrase("another-like"), unchecked))
    return breaches


def _add_breach_of_site(state: State, prestige: Prestige, mask: int, breaches: list[Breach]) -> None:
    """Add a breach unless the building stands on a site of its own, and on its terrain by one reading."""
    sites = find_free_sites(state, prestige)
    if mask not in sites and not any(each.rule in {"build.covered", "place.like"} for each in breaches):
        unchecked = list_unchecked(state, (prestige.card, "site"))
        breaches.append(
            breach("place.site", phrase("own-site", card=Card(prestige.card)), phrase("other-cells"), unchecked)
        )


def _add_breaches_of_land(state: State, prestige: Prestige, cells: tuple[int, ...], breaches: list[Breach]) -> None:
    """Add breaches unless the building lies on land, in its shape, with a cell on its terrain."""
    field = field_of(state.printed.board)
    mask = mask_of(cells)
    if mask & ~field.land:
        breaches.append(breach("cell.kind", phrase("land"), phrase("other-cells")))
    if prestige.shape is not None:
        steps = tuple(cell - cells[0] for cell in cells)
        if steps not in prestige.shape.ways(mirror=state.options.tile_flip == "mirror"):
            found = phrase("cells-count", n=len(cells))
            unchecked = list_unchecked(state, (prestige.card, "shape"))
            breaches.append(breach("place.shape", phrase("shape", shape=prestige.shape.text), found, unchecked))
    if prestige.terrain and not mask & field.terrains.get(prestige.terrain, 0):
        expected = phrase("on-terrain", terrain=Term("ground", prestige.terrain))
        unchecked = list_unchecked(state, (prestige.card, "terrain"))
        breaches.append(breach("place.terrain", expected, phrase("other-terrain"), unchecked))


def effects_of_placing(before: State, act: moves.PlacePrestige) -> Outcome | None:
    """What follows once the building that won is placed (F-10.5); None if nothing won, or it lies nowhere.

    Neutral needs are filled, then deliveries made; alone first claims are put, at last fleeting influence goes back.
    """
    card = chosen_proposal(before)
    if not card or not cells_of(act.cells):
        return None
    outcome = Outcome(before.copy())
    apply_act(outcome.state, act)
    state = outcome.state
    if before.seats == 1:
        for building in state.buildings:
            if not building.complete:
                outcome.note(effects.ClaimPut(building=building.card))
    add_neutral_deliveries(outcome, card)
    caller = before.caller if before.options.placement_chooser == "caller" else act.seat
    add_deliveries(outcome, caller, [card])
    add_completion(outcome, card)
    if before.seats == 1:
        outcome.gain(act.seat, "fleeting", -state.mat(act.seat).fleeting, "vote")
    return outcome
