"""Every legal decision of whoever is to act, what is on offer, and what comes near an illegal move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import structs

from spyrium_log.title import Offers
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import CALL
from spyrium_log.titles.founders.ground import NOWHERE, WIDTH, cell_of, name_of
from spyrium_log.titles.founders.rules.actions import (
    MAIN_ACTIONS,
    UNKNOWN_ACTION,
    Origin,
    expand_roads,
    list_first_steps,
    programme_of_card,
)
from spyrium_log.titles.founders.rules.choices import can_finish, list_basic_acts, list_step_acts, with_card
from spyrium_log.titles.founders.rules.deliver import find_deliverers
from spyrium_log.titles.founders.rules.draft import list_draft_acts
from spyrium_log.titles.founders.rules.spend import price_of_slot
from spyrium_log.titles.founders.rules.steps import Context, make_context
from spyrium_log.titles.founders.rules.turn import Stage, find_stage
from spyrium_log.titles.founders.rules.vote import breaches_of_call, breaches_of_choosing, breaches_of_claims, list_tied
from spyrium_log.titles.founders.sites import list_places
from spyrium_log.titles.founders.state import State


def list_legal_decisions(state: State) -> list[moves.Decision]:
    """Every legal decision of the seat to act; a sealed bid is never among them."""
    stage = find_stage(state)
    lister = _LISTERS.get(stage.kind)
    return list(lister(state, stage)) if lister else []


def _list_turns(state: State, stage: Stage) -> Iterator[moves.Decision]:
    """Every card face-down with every basic action, face-up with its main action, and Call to Vote."""
    seat = stage.seat
    cards = [card for card in state.mat(seat).list_playable_cards() if card not in {CALL, moves.UNSEEN}]
    # what can be done with one card face-down can be done with any
    basic = list_basic_acts(state, seat, next(iter(cards), None))
    for card in cards:
        yield from (with_card(act, card) for act in basic)
    for card in cards:
        yield from _list_main_actions(state, seat, card)
    if CALL in state.mats[seat].hand:
        yield from _list_calls(state, seat)


def _list_main_actions(state: State, seat: int, card: str) -> Iterator[moves.Step]:
    """Every way to begin the main action of a card; only `play_card` where nobody knows what it does."""
    origin: Origin = "card" if card in MAIN_ACTIONS else "adviser"
    programme = programme_of_card(state, card)
    steps = expand_roads(programme or ())
    first = list_first_steps(steps)
    if all(step.optional for step in first):
        act = moves.PlayCard(seat=seat, card=card)
        step = steps[0] if steps else UNKNOWN_ACTION[0]
        if can_finish(state, act, Context(step, origin, card)):
            yield act
    if first:
        yield from list_step_acts(state, seat, first, Context(first[0], origin, card), card)


def _list_calls(state: State, seat: int) -> Iterator[moves.CallVote]:
    """Every way to call a vote: a coin, a fleeting influence or a road for each card left in hand."""
    # without the card that calls
    left = max(state.mats[seat].cards_in_hand - 1, 0)
    if breaches_of_call(state, moves.CallVote(seat=seat, money=left)):
        return
    # by that option fewer may be taken
    totals = range(left + 1) if state.options.call_bonus == "waive" else (left,)
    for total in totals:
        for roads in range(total + 1):
            for fleeting in range(total - roads + 1):
                act = moves.CallVote(seat=seat, money=total - roads - fleeting, fleeting=fleeting, roads=roads)
                if not roads or not breaches_of_call(state, act):
                    yield act


def _list_follows(state: State, stage: Stage) -> Iterator[moves.Decision]:
    """The follow action of the card, any basic action, or nothing."""
    context = Context(stage.steps[0], "card", state.played)
    yield from list_step_acts(state, stage.seat, stage.steps, context)
    yield moves.Decline(seat=stage.seat)


def _list_steps(state: State, stage: Stage) -> Iterator[moves.Decision]:
    """Every way to do the next step of an action, and to decline where it is optional or cannot be done."""
    acts = list(list_step_acts(state, stage.seat, stage.steps, make_context(stage)))
    yield from acts
    if not acts or stage.is_optional:
        yield moves.Decline(seat=stage.seat)


def _list_bids(state: State, stage: Stage) -> Iterator[moves.Bid]:
    """Every proposal with every amount of influence; once bids are sealed nobody else can list them."""
    if any(each.seal for each in state.mats):
        return
    for proposal in range(1, len(state.proposals) + 1):
        for fleeting, lasting in _list_payments(state, stage.seat):
            yield moves.Bid(seat=stage.seat, proposal=proposal, fleeting=fleeting, lasting=lasting)


def _list_tie_breaks(state: State, stage: Stage) -> Iterator[moves.BreakTie]:
    """Each of the tied proposals, for the seat that breaks the tie."""
    yield from (moves.BreakTie(seat=stage.seat, proposal=proposal) for proposal in list_tied(state))


def _list_proposal_choices(state: State, stage: Stage) -> Iterator[moves.ChooseProposal]:
    """In a game alone: each proposal with each payment that is enough."""
    for proposal in range(1, len(state.proposals) + 1):
        for fleeting, lasting in _list_payments(state, stage.seat):
            act = moves.ChooseProposal(seat=stage.seat, proposal=proposal, fleeting=fleeting, lasting=lasting)
            if not breaches_of_choosing(state, act):
                yield act


def _list_payments(state: State, seat: int) -> list[tuple[int, int]]:
    """Every pair of amounts of fleeting and lasting influence that the seat could pay."""
    mat = state.mats[seat]
    # a count may be below zero where a log was misplayed
    most_fleeting, most_lasting = max(mat.fleeting, 0), max(mat.lasting, 0)
    return [(fleeting, lasting) for fleeting in range(most_fleeting + 1) for lasting in range(most_lasting + 1)]


def _list_claim_payments(state: State, stage: Stage) -> Iterator[moves.PayClaims]:
    """In a game alone: each payment that is enough for all claims."""
    for fleeting, lasting in _list_payments(state, stage.seat):
        act = moves.PayClaims(seat=stage.seat, fleeting=fleeting, lasting=lasting)
        if not breaches_of_claims(state, act):
            yield act


def _list_prestige_placements(state: State, stage: Stage) -> Iterator[moves.PlacePrestige]:
    """Every place for the building that won; none where nobody knows its shape."""
    prestige = state.printed.prestige.get(state.chosen_proposal)
    if prestige is not None:
        for cells in list_places(state, prestige):
            yield moves.PlacePrestige(seat=stage.seat, cells=tuple(name_of(cell) for cell in cells))


def _list_deliveries(state: State, stage: Stage) -> Iterator[moves.Deliver]:
    """Each tile that could fill each need that is due."""
    for card, resource, seat in state.due:
        building = state.find_building(card)
        if seat == stage.seat and building is not None:
            for tile in find_deliverers(state, building, (resource,)):
                yield moves.Deliver(seat=seat, building=card, resource=resource, at=name_of(tile.name))


_LISTERS: Final[dict[str, Callable[[State, Stage], Iterator[moves.Decision]]]] = {
    **dict.fromkeys(("race", "base", "third", "start"), list_draft_acts),
    "deliver": _list_deliveries,
    "tie": _list_tie_breaks,
    "place": _list_prestige_placements,
    "claims": _list_claim_payments,
    "choose": _list_proposal_choices,
    "step": _list_steps,
    "road": _list_steps,
    "bid": _list_bids,
    "follow": _list_follows,
    "turn": _list_turns,
}


# --- offers --------------------------------------------------------------------------------------

# The spaces of an archive: 1 to 4 are the slots of the adviser row, 5 to 7 the proposals.
_PROPOSALS_BEGIN: Final = 5
_NO_OFFERS: Final = Offers()


def compute_offers(state: State, seat: int) -> Offers:
    """At a decision in which the seat may recruit the four slots; at a bid the proposals; else nothing."""
    stage = find_stage(state)
    if not 0 < seat <= state.seats or stage.seat != seat:
        return _NO_OFFERS
    if stage.kind in {"bid", "choose"}:
        places = tuple(range(_PROPOSALS_BEGIN, _PROPOSALS_BEGIN + len(state.proposals)))
        # whoever votes can vote for each, without a price
        return Offers(places, state.proposals, places, (True,) * len(places), (None,) * len(places))
    return _offer_advisers(state, stage) if stage.kind in {"turn", "follow", "step"} else _NO_OFFERS


def _offer_advisers(state: State, stage: Stage) -> Offers:
    """The adviser row, if some way to recruit is open: reachable by its resource, affordable if it is legal now."""
    if not _may_recruit(state, stage):
        return _NO_OFFERS
    seat = stage.seat
    owned = {tile.kind for tile in state.structures if tile.owner == seat or tile.has_access(seat)}
    slots = [(slot, card) for slot, card in enumerate(state.row, 1) if card]
    legal = {act.slot for act in list_legal_decisions(state) if isinstance(act, moves.Recruit)}
    reachable, affordable, prices = [], [], []
    for slot, card in slots:
        adviser = state.printed.advisers.get(card)
        if adviser is None or adviser.needs is None or adviser.needs in owned:
            reachable.append(slot)
            affordable.append(slot in legal)
            prices.append(price_of_slot(state, slot).usual if slot in legal else None)
    where, cards = tuple(slot for slot, _ in slots), tuple(card for _, card in slots)
    return Offers(where, cards, tuple(reachable), tuple(affordable), tuple(prices))


def _may_recruit(state: State, stage: Stage) -> bool:
    """Whether some card in hand, or a step that is open, is to recruit."""
    if stage.kind != "turn":
        return any(step.does == "recruit" for step in stage.steps)
    programmes = (programme_of_card(state, card) or () for card in state.mat(stage.seat).list_playable_cards())
    return any(programme and programme[0].does == "recruit" for programme in programmes)


# --- what comes near -----------------------------------------------------------------------------

NEAREST: Final = 3
# Further than any two cells of a board are apart.
_FAR: Final = 99


def find_nearest_decisions(state: State, act: moves.Act) -> list[moves.Decision]:
    """The legal decisions most like this act, of its kind where there is one, at most NEAREST, best first.

    None for a deal or a statement.
    """
    if not isinstance(act, moves.DECISIONS):
        return []
    kind = type(act)
    legal = list_legal_decisions(state)
    alike = [other for other in legal if type(other) is kind]
    fields = structs.asdict(act)
    return sorted(alike or legal, key=lambda other: _rate_unlikeness(fields, other))[:NEAREST]


def _rate_unlikeness(fields: dict[str, object], other: moves.Decision) -> tuple[int, int]:
    """Sort key: how many of the `fields` of an act another one has otherwise, then how far apart the two lie."""
    differing = sum(getattr(other, name, None) != value for name, value in fields.items())
    return differing, _measure_distance(_find_first_cell(fields), _find_first_cell(structs.asdict(other)))


def _find_first_cell(fields: dict[str, object]) -> int:
    """The cell that the act with these fields is about, the first of several; NOWHERE if it is about none."""
    cells = fields.get("cells")
    name = fields.get("at") or (cells[0] if isinstance(cells, tuple) and cells else "")
    return cell_of(str(name))


def _measure_distance(one: int, other: int) -> int:
    """The steps from one cell to another, diagonals included; _FAR from or to NOWHERE."""
    if NOWHERE in {one, other}:
        return _FAR
    (row, column), (other_row, other_column) = divmod(one, WIDTH), divmod(other, WIDTH)
    return max(abs(row - other_row), abs(column - other_column))
