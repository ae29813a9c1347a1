"""What an event does to the table: arithmetic and moving pieces, in place, total, without a rule.

Numbers may go negative. Taking what is not there takes nothing and is the audit's business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from spyrium_log.title import Abandoned, AnyPosting, Conceded, FinalCount, Resynced, tag_of
from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import BRIDGE, CALL, HOUSE, ROW
from spyrium_log.titles.founders.ground import NOWHERE, cell_of, cells_of, mask_of
from spyrium_log.titles.founders.state import (
    MOST_CARDS,
    MOST_DONE,
    MOST_PIECES,
    Bid,
    Building,
    Done,
    DueDelivery,
    Mat,
    State,
    Structure,
)


def evolve(state: State, act: moves.Act, moved: Sequence[AnyPosting], facts: Sequence[effects.FoundersFact]) -> None:
    """Apply an event to the state: the pieces that the act names, then the postings, then the facts."""
    handler = _ACTS.get(type(act))
    if handler is not None:
        handler(state, act)
    for posting in moved:
        apply_posting(state, posting)
    for fact in facts:
        apply_fact(state, fact)


def apply_act(state: State, act: moves.Act) -> None:
    """Move the pieces that a decision or a deal names, without its effects."""
    _ACTS[type(act)](state, act)


def apply_posting(state: State, posting: AnyPosting) -> None:
    """Add an amount to what a seat has."""
    mat = state.mats[posting.who if posting.who <= state.seats else 0]
    what = posting.what
    if what == "money":
        mat.money += posting.n
    elif what == "points":
        mat.points += posting.n
    elif what == "fleeting":
        mat.fleeting += posting.n
    elif what == "lasting":
        mat.lasting += posting.n
    else:
        mat.income += posting.n


def apply_fact(state: State, fact: effects.FoundersFact) -> None:
    """Move the piece that a fact is about."""
    _FACTS[type(fact)](state, fact)


# --- turns and cards -----------------------------------------------------------------------------


def _start_turn(state: State, seat: int, card: str, *, down: bool) -> None:
    """A card is played: whatever was open in the turn before is over."""
    state.last = seat
    state.played = card
    state.down = down
    state.did = ()
    state.due = ()
    state.caller = state.roads_due = state.tie = state.claims_due = 0
    state.winner = (0, 0)
    mat = state.mat(seat)
    if card == moves.UNSEEN:
        mat.unknown = min(mat.unknown + 1, len(mat.hand))
    elif card in mat.hand and card != CALL:
        mat.hand = without(mat.hand, card)
        mat.discard = _with_card(mat.discard, card)


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards without one of this name, if it is among them."""
    if card not in cards:
        return cards
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


def _with_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards with one more; no more than MOST_CARDS, however often a hostile log adds one."""
    return (*cards, card) if len(cards) < MOST_CARDS else cards


def _begin(state: State, act: moves.Step, about: str = "") -> Mat:
    """Note an act of a turn, which it begins if it plays a card, and return the mat of its seat."""
    card = getattr(act, "card", None)
    if card is not None:
        _start_turn(state, act.seat, card, down=getattr(act, "down", False))
    if len(state.did) < MOST_DONE:
        state.did = (*state.did, Done(act.seat, tag_of(type(act)), about))
    return state.mat(act.seat)


def _decline(state: State, act: moves.Decline) -> None:
    """Note that the seat does not follow, or takes no further step."""
    _begin(state, act)
    if state.roads_due and act.seat == state.caller:
        state.roads_due = 0


def _use_worker(state: State, act: moves.UseWorker) -> None:
    """Put a worker on the mat, or on the card of a prestige building."""
    mat = _begin(state, act, act.on)
    mat.used = _with_card(mat.used, act.on)


def _take_back(state: State, act: moves.TakeBack) -> None:
    """Take cards from the discard pile into the hand; one that nobody saw go there is in `hand` all the time."""
    mat = _begin(state, act)
    for card in act.cards:
        if card in mat.discard:
            mat.discard = without(mat.discard, card)
            mat.hand = _with_card(mat.hand, card)
        elif card == moves.UNSEEN or card in mat.hand:
            mat.unknown = max(mat.unknown - 1, 0)


def _recruit(state: State, act: moves.Recruit) -> None:
    """Take the adviser of a slot into the hand; `named` is who it is where nobody saw it."""
    mat = _begin(state, act, str(act.slot))
    index = act.slot - 1
    if not 0 <= index < len(state.row) or not state.row[index]:
        return
    card = state.row[index]
    if card == moves.UNSEEN and act.named:
        card = act.named
    mat.hand = _with_card(mat.hand, card)
    state.row = (*state.row[:index], "", *state.row[index + 1 :])
    state.row_taken = True


# --- building ------------------------------------------------------------------------------------


def _put_structure(state: State, structure: Structure) -> None:
    """Lay a structure down where it belongs; one without a cell lies nowhere."""
    if structure.cells and len(state.structures) < MOST_PIECES:
        state.on.update(dict.fromkeys(structure.cells, len(state.structures)))
        state.structures.append(structure)
        state.covered |= structure.mask


def make_structure(
    kind: str, owner: int, cells: tuple[int, ...], inputs: tuple[int, ...] = (), access: int = 0
) -> Structure:
    """A structure on these cells, of which those that do not exist are left out."""
    cells = tuple(cell for cell in cells if cell != NOWHERE)
    return Structure(kind, owner, cells, mask_of(cells), inputs, access)


def _lay_road(state: State, act: moves.LayRoad) -> None:
    """Lay a road; it counts off those that a Call to Vote still owes its caller."""
    _begin(state, act, act.at)
    state.roads |= mask_of(cells_of((act.at,)))
    if act.seat == state.caller and state.roads_due:
        state.roads_due -= 1


def _build_base(state: State, act: moves.BuildBase) -> None:
    """Build a tile for whoever holds the base; somebody else who builds it has access to it."""
    _begin(state, act, act.at)
    owner = state.base_owner.get(act.base, 0)
    access = 0 if owner == act.seat else 1 << act.seat
    _put_structure(state, make_structure(act.base, owner, (cell_of(act.at),), access=access))


def _buy_access(state: State, act: moves.BuyAccess) -> None:
    """Give the seat access to the tile on a cell."""
    _begin(state, act, act.at)
    index = state.on.get(cell_of(act.at), -1)
    if index >= 0:
        tile = state.structures[index]
        state.structures[index] = tile._replace(access=tile.access | 1 << act.seat)


def _build_piece(state: State, act: moves.BuildHouse | moves.BuildBridge) -> None:
    """Build a house, a bridge or a gate."""
    _begin(state, act, act.at)
    kind = HOUSE if type(act) is moves.BuildHouse else BRIDGE
    _put_structure(state, make_structure(kind, act.seat, (cell_of(act.at),)))


def _build_tile(state: State, act: moves.BuildTile) -> None:
    """Build a tile of tier 2 or 3; what supplied it is kept for what it will score."""
    _begin(state, act, act.cells[0] if act.cells else "")
    suppliers = [state.structure_at(cell_of(name)) for name in act.inputs]
    inputs = tuple(NOWHERE if tile is None else tile.name for tile in suppliers)
    _put_structure(state, make_structure(act.resource, act.seat, cells_of(act.cells), inputs))


# --- the draft -----------------------------------------------------------------------------------


def _take_race(state: State, act: moves.TakeRace) -> None:
    """Take a race; its base is printed on it (a fact), but for Aesther's."""
    mat = state.mat(act.seat)
    mat.race = act.race
    if act.base is not None:
        mat.race_base = act.base
        _hold_base(state, act.base, act.seat)


def _take_base(state: State, act: moves.TakeBase) -> None:
    """Take a base card, perhaps from another seat; a race that lost its own gets this one in its place."""
    if act.who is not None:
        state.displaced = (*state.displaced, (act.who, act.base))[-MOST_CARDS:]
        loser = state.mat(act.who)
        loser.bases = without(loser.bases, act.base)
        if loser.race_base == act.base:
            loser.race_base = ""
    mat = state.mat(act.seat)
    if mat.race_base:
        mat.bases = _with_card(mat.bases, act.base)
    else:
        mat.race_base = act.base
    _hold_base(state, act.base, act.seat)
    # once all have as many, this step of the draft is over
    if len({(len(mat.bases), not mat.race_base) for mat in state.mats[1:]}) == 1:
        state.displaced = ()


def _hold_base(state: State, base: str, seat: int) -> None:
    """Set whose base it is; no more than MOST_CARDS, however many a hostile log names."""
    if base in state.base_owner or len(state.base_owner) < MOST_CARDS:
        state.base_owner[base] = seat if seat <= state.seats else 0


def _place_start(state: State, act: moves.PlaceStart) -> None:
    """Put a tile of the base of the seat's race on the board."""
    _put_structure(state, make_structure(state.mat(act.seat).race_base or moves.UNSEEN, act.seat, (cell_of(act.at),)))


# --- votes ---------------------------------------------------------------------------------------


def _call_vote(state: State, act: moves.CallVote) -> None:
    """Cards and workers come back to the caller; the roads are laid next."""
    _start_turn(state, act.seat, CALL, down=False)
    state.caller = act.seat
    state.roads_due = act.roads
    state.did = (Done(act.seat, tag_of(type(act))),)
    mat = state.mat(act.seat)
    mat.hand = (mat.hand + mat.discard)[:MOST_CARDS]
    mat.discard = ()
    mat.unknown = 0
    mat.used = ()
    for each in state.mats:
        each.bid = None
        each.seal = ""


def _seal_bid(state: State, act: moves.SealBid) -> None:
    """Keep the hash of a bid that is opened later."""
    state.mat(act.seat).seal = act.seal


def _bid(state: State, act: moves.Bid) -> None:
    """Keep a bid until the vote is decided."""
    state.mat(act.seat).bid = Bid(act.proposal, act.fleeting, act.lasting)


def _break_tie(state: State, _act: moves.BreakTie) -> None:
    """Note that nobody has to break the tie any more; who won is a fact."""
    state.tie = 0


def _choose_proposal(state: State, act: moves.ChooseProposal) -> None:
    """In a game alone the chosen proposal is placed at once."""
    state.winner = (act.proposal, act.seat)


def _pay_claims(state: State, _act: moves.PayClaims) -> None:
    """Take the claims off the board; what they cost is in the postings."""
    state.claims_due = 0
    state.buildings = [building._replace(claim=False) if building.claim else building for building in state.buildings]


def _place_prestige(state: State, act: moves.PlacePrestige) -> None:
    """Build the proposal that won. The others are discarded, but in a game alone they stay."""
    index = state.winner[0] - 1
    card = state.proposals[index] if 0 <= index < len(state.proposals) else moves.UNSEEN
    cells = cells_of(act.cells)
    if cells and len(state.buildings) < MOST_PIECES:
        # ~: the index of a building, not of a structure
        state.on.update(dict.fromkeys(cells, ~len(state.buildings)))
        state.buildings.append(Building(card, cells, mask_of(cells), act.seat))
        state.covered |= mask_of(cells)
    others = without(state.proposals, card)
    if state.seats == 1:
        state.proposals = others
    else:
        state.spent = (state.spent + tuple(each for each in others if each not in state.removed))[:MOST_CARDS]
        state.proposals = ()
    state.votes += 1
    state.winner = (0, 0)
    state.caller = 0


def _deliver(state: State, act: moves.Deliver) -> None:
    """The delivery that was chosen is no longer due, whatever seat had to choose; that it was made is a fact."""
    need = act.building, act.resource
    state.due = tuple(due for due in state.due if (due.building, due.resource) != need)


# --- deals ---------------------------------------------------------------------------------------


def _deal_table(state: State, act: moves.TableDealt) -> None:
    """Lay out the advisers, the proposals and the achievements of the three decks, '' for a deck that has none."""
    state.row = _padded(act.advisers)
    state.advisers_seen = len(act.advisers)
    state.proposals = act.proposals
    if act.goals:
        state.goals = (*act.goals, "", "", "")[:3]


def _padded(cards: tuple[str, ...]) -> tuple[str, ...]:
    """The adviser row with these cards from the left on, '' where a slot is empty."""
    return (*cards, *("",) * ROW)[:ROW]


def _deal_advisers(state: State, act: moves.AdvisersDealt) -> None:
    """Slide the row to the left and put the new advisers behind."""
    state.row = _padded((*filter(None, state.row), *act.cards))
    state.advisers_seen += len(act.cards)
    state.row_taken = False


def _deal_proposals(state: State, act: moves.ProposalsDealt) -> None:
    """Put new proposals behind those that lie there."""
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
    _remove_proposal(state, state.winner[0], act.card)


def _remove_proposal(state: State, proposal: int, card: str) -> None:
    """Take a proposal out of the game; `card` comes in its place, '' for none."""
    index = proposal - 1
    if 0 <= index < len(state.proposals):
        state.removed = _with_card(state.removed, state.proposals[index])
        state.proposals = (*state.proposals[:index], *filter(None, (card,)), *state.proposals[index + 1 :])


# --- statements ----------------------------------------------------------------------------------


def _mark_counted(state: State, _act: FinalCount) -> None:
    """Note that the final count was made; its points are in the postings."""
    state.counted = True


def _mark_conceded(state: State, act: Conceded) -> None:
    """Note that the seat takes no more turns."""
    state.mat(act.seat).conceded = True


def _mark_abandoned(state: State, _act: Abandoned) -> None:
    """Note that the game ends here, unfinished."""
    state.abandoned = True


# What a position and a mat of it state as the state and the mat themselves hold it.
_FIELDS_OF_STATE: Final = ("votes", "proposals", "spent")
_FIELDS_OF_MAT: Final = tuple(name for name in moves.MatAt.__struct_fields__ if name != "seat")


def _apply_position(state: State, act: Resynced[moves.Position]) -> None:
    """Replace what a position states; what it leaves out stays. Nothing is open in the turn any more."""
    position = act.position
    for name in _FIELDS_OF_STATE:
        value = getattr(position, name)
        if value is not None:
            setattr(state, name, value)
    if position.last is not None:
        _start_turn(state, position.last, "", down=True)
    if position.row is not None:
        state.advisers_seen = max(state.advisers_seen, len(position.row))
        # `-` states an empty slot
        state.row = _padded(tuple("" if card == "-" else card for card in position.row))
        state.row_taken = False
    if position.goals is not None:
        # '' for each of the three decks of which none is stated
        state.goals = (*position.goals, "", "", "")[:3]
    for stated in position.mats:
        _apply_position_of_mat(state, stated)
    if position.roads is not None:
        state.roads = mask_of(cells_of(position.roads))
    if position.tiles is not None or position.buildings is not None:
        _lay_out_again(state, position)


def _apply_position_of_mat(state: State, stated: moves.MatAt) -> None:
    """Replace what a position states of one seat; what is None stays."""
    mat = state.mat(stated.seat)
    for name in _FIELDS_OF_MAT:
        value = getattr(stated, name)
        if value is not None:
            setattr(mat, name, value)
    for base in filter(None, (stated.race_base, *(stated.bases or ()))):
        _hold_base(state, base, stated.seat)


def _lay_out_again(state: State, position: moves.Position) -> None:
    """Clear the board and lay down what a position states; tiles or buildings that it leaves out stay."""
    tiles = state.structures if position.tiles is None else [_structure_of(each) for each in position.tiles]
    buildings = state.buildings if position.buildings is None else [_building_of(each) for each in position.buildings]
    state.structures, state.buildings, state.on, state.covered = [], [], {}, 0
    for tile in tiles:
        _put_structure(state, tile)
    for building in buildings[:MOST_PIECES]:
        if building.cells:
            state.on.update(dict.fromkeys(building.cells, ~len(state.buildings)))
            state.buildings.append(building)
            state.covered |= building.mask


def _structure_of(stated: moves.TileAt) -> Structure:
    """A structure as a position states it."""
    inputs = tuple(cell_of(name) for name in stated.inputs)
    return make_structure(stated.kind, stated.owner, cells_of(stated.cells), inputs, mask_of(stated.access))


def _building_of(stated: moves.BuildingAt) -> Building:
    """A prestige building as a position states it; nobody knows who placed it."""
    cells = cells_of(stated.cells)
    delivered = tuple((token.resource, token.seat) for token in stated.delivered)
    return Building(stated.card, cells, mask_of(cells), 0, delivered, stated.complete, stated.claim)


# --- facts ---------------------------------------------------------------------------------------


def _change_building(state: State, card: str, **changes: Any) -> None:
    """Change a prestige building, if it stands."""
    for index, building in enumerate(state.buildings):
        if building.card == card:
            state.buildings[index] = building._replace(**changes)
            return


def _note_delivery(state: State, card: str, resource: str, seat: int) -> None:
    """Put a delivery token of a seat (0: a neutral one) on a building."""
    building = state.find_building(card)
    if building is not None and len(building.delivered) < MOST_CARDS:
        _change_building(state, card, delivered=(*building.delivered, (resource, seat)))


def _get_base(state: State, fact: effects.BaseGot) -> None:
    """Give a seat the base card of its race."""
    state.mat(fact.seat).race_base = fact.base
    _hold_base(state, fact.base, fact.seat)


def _add_due_delivery(state: State, fact: effects.DeliveryDue) -> None:
    """Note a delivery that somebody has to choose."""
    if len(state.due) < MOST_CARDS:
        state.due = (*state.due, DueDelivery(fact.building, fact.resource, fact.seat))


def _note_score(state: State, fact: effects.Scored) -> None:
    """Add what the owner kept to what the tile earned."""
    index = state.on.get(cell_of(fact.at), -1)
    if index >= 0:
        tile = state.structures[index]
        state.structures[index] = tile._replace(earned=tile.earned + fact.kept)


def _set_tie(state: State, fact: effects.TieDue) -> None:
    """Note who chooses among tied proposals."""
    state.tie = fact.seat


def _set_winner(state: State, fact: effects.VoteWon) -> None:
    """Note which proposal is placed, and by whom."""
    state.winner = (fact.proposal, fact.seat)


def _void_vote(state: State, fact: effects.VoteVoid) -> None:
    """Take the proposal out of the game, and the bids off the table: everybody bids again."""
    _remove_proposal(state, fact.proposal, "")
    for mat in state.mats:
        mat.bid = None
        mat.seal = ""


def _set_claims_due(state: State, fact: effects.ClaimsDue) -> None:
    """Note how many claims have to be paid for."""
    state.claims_due = fact.n


def _note_goal(state: State, fact: effects.GoalMet) -> None:
    """Note who met an achievement."""
    if len(state.goals_met) < MOST_CARDS:
        state.goals_met = (*state.goals_met, (fact.deck, fact.seat))


def _remove_goal(state: State, fact: effects.GoalGone) -> None:
    """Take the achievement of a deck out of the game: '' stands in its place."""
    index = effects.DECKS.index(fact.deck)
    state.goals = (*state.goals[:index], "", *state.goals[index + 1 :])


def _remove_card(state: State, fact: effects.CardRemoved) -> None:
    """Take a card of a seat, in its hand or discarded, out of the game."""
    mat = state.mat(fact.seat)
    mat.hand = without(mat.hand, fact.card)
    mat.discard = without(mat.discard, fact.card)
    state.removed = _with_card(state.removed, fact.card)


def _lose(state: State, fact: effects.SoloLost) -> None:
    """Note that a game alone is lost."""
    state.mat(fact.seat).lost = True


_ACTS: Final[dict[type, Callable[[State, Any], object]]] = {
    moves.TakeRace: _take_race,
    moves.TakeBase: _take_base,
    moves.PlaceStart: _place_start,
    # what it brings is in the postings
    moves.Gain: _begin,
    moves.LayRoad: _lay_road,
    moves.BuildBase: _build_base,
    moves.BuyAccess: _buy_access,
    moves.BuildHouse: _build_piece,
    moves.BuildBridge: _build_piece,
    moves.BuildTile: _build_tile,
    moves.Recruit: _recruit,
    moves.PlayCard: _begin,
    moves.UseWorker: _use_worker,
    moves.TakeBack: _take_back,
    moves.Decline: _decline,
    moves.CallVote: _call_vote,
    moves.SealBid: _seal_bid,
    moves.Bid: _bid,
    moves.BreakTie: _break_tie,
    moves.ChooseProposal: _choose_proposal,
    moves.PayClaims: _pay_claims,
    moves.PlacePrestige: _place_prestige,
    moves.Deliver: _deliver,
    moves.TableDealt: _deal_table,
    moves.AdvisersDealt: _deal_advisers,
    moves.ProposalsDealt: _deal_proposals,
    moves.ProposalReplaced: _replace_proposal,
    FinalCount: _mark_counted,
    Conceded: _mark_conceded,
    Abandoned: _mark_abandoned,
    Resynced: _apply_position,
}

_FACTS: Final[dict[type, Callable[[State, Any], None]]] = {
    effects.BaseGot: _get_base,
    effects.Delivered: lambda state, fact: _note_delivery(state, fact.building, fact.resource, fact.seat),
    effects.NeutralDelivered: lambda state, fact: _note_delivery(state, fact.building, fact.resource, 0),
    effects.DeliveryDue: _add_due_delivery,
    effects.Scored: _note_score,
    effects.Completed: lambda state, fact: _change_building(state, fact.building, complete=True),
    effects.TieDue: _set_tie,
    effects.VoteWon: _set_winner,
    effects.VoteVoid: _void_vote,
    effects.ClaimsDue: _set_claims_due,
    effects.ClaimPut: lambda state, fact: _change_building(state, fact.building, claim=True),
    effects.ClaimTaken: lambda state, fact: _change_building(state, fact.building, claim=False),
    effects.GoalMet: _note_goal,
    effects.GoalGone: _remove_goal,
    effects.CardRemoved: _remove_card,
    effects.SoloLost: _lose,
}
