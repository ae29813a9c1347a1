"""What an event does to the table: arithmetic and moving pieces, in place, total, without a rule.

Numbers may go negative. Taking what is not there takes nothing and is the audit's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from spyrium_log.title import Abandoned, AnyPosting, Conceded, FinalCount, Resynced
from spyrium_log.titles.spyrium import effects, moves
from spyrium_log.titles.spyrium.cards import KINDS, TOKENS_OF_A_VALUE
from spyrium_log.titles.spyrium.state import MOST_BUILDINGS, MOST_DEALT, MOST_PIECES, PLACES, Built, Mat, State

# A card by its id, or a token by its value.
_Piece = TypeVar("_Piece")


def evolve(state: State, act: moves.Act, moved: Sequence[AnyPosting], facts: Sequence[effects.SpyriumFact]) -> None:
    """Apply an event to the state: the pieces that the act names, then the postings, then the facts."""
    handler = _ACTS.get(type(act))
    if handler is not None:
        handler(state, act)
    elif moved:
        _note_corrections(state, moved)
    if moved:
        mats = state.mats
        seats = state.seats
        for posting in moved:
            who = posting.who
            mat = mats[who if who <= seats else 0]
            what = posting.what
            if what == "money":
                mat.money += posting.n
            elif what == "points":
                mat.points += posting.n
            elif what == "spyrium":
                mat.spyrium += posting.n
            elif what == "workers":
                # a new worker comes active onto the Start card, and leaves from there (S-7.3, S-8.6, S-9.2)
                mat.workers += posting.n
                mat.active += posting.n
            else:
                mat.residence += posting.n
    for fact in facts:
        _FACTS[type(fact)](state, fact)


def _note_corrections(state: State, moved: Sequence[AnyPosting]) -> None:
    """Note the points of a correction, the only act that moves something and no piece."""
    for posting in moved:
        if posting.what == "points":
            state.mat(posting.who).corrected += posting.n


# Most of a log is placing, gaining and calling. Those three repeat lines of `_add_workers_to_gap` and `State.mat`: to
# call them would cost as much as all the rest.


def _place_worker(state: State, act: moves.PlaceWorker) -> None:
    """Move an active worker of the seat into a gap of the market."""
    seat = act.seat
    state.last = seat
    state.mats[seat if seat <= state.seats else 0].active -= 1
    place, one, other = PLACES[act.gap]
    state.placed[place + seat] += 1
    around = state.around
    around[one] += 1
    around[other] += 1


def _add_workers_to_gap(state: State, seat: int, gap: int, n: int) -> None:
    """Add workers to a gap, and to the counts of workers around the two spaces beside it."""
    place, one, other = PLACES[gap]
    state.placed[place + seat] += n
    state.around[one] += n
    state.around[other] += n


def _take_worker_from_market(state: State, act: moves.GainMoney | moves.ActivateCard) -> Mat:
    """Take the acting worker out of the market, if it is there: all of gaining money, and the start of activating."""
    seat = act.seat
    state.last = seat
    mat = state.mats[seat if seat <= state.seats else 0]
    if act.enter:
        mat.phase = 2
    place, one, other = PLACES[act.gap]
    placed = state.placed
    index = place + seat
    if placed[index] > 0:
        placed[index] -= 1
        around = state.around
        around[one] -= 1
        around[other] -= 1
        mat.inactive += 1
    return mat


def _activate_card(state: State, act: moves.ActivateCard) -> None:
    """Take the worker back; a building or technique goes to the mat, the token used on a character is discarded."""
    mat = _take_worker_from_market(state, act)
    space = act.space
    if act.named is not None:
        _name_unseen_card(state, space, act.named)
    card = state.market[space]
    if act.lobbying:
        _tilt_technique(mat, "lobbying")
    if act.commerce is not None:
        _tilt_technique(mat, "commerce")
    kind = KINDS.get(card)
    if kind == "building":
        _place_building(mat, card, act.over)
        _clear_space(state, space)
    elif kind == "technique":
        mat.techniques = _with_piece(mat.techniques, card)
        _clear_space(state, space)
    elif act.token is not None and act.token in state.tokens[space]:
        left = list(state.tokens[space])
        left.remove(act.token)
        state.tokens[space] = tuple(left)
        state.discard[act.token] += 1


def _place_building(mat: Mat, card: str, over: int | None) -> None:
    """Put a building on a new site, or over that in slot `over` (from 1), whose workers come back inactive."""
    mat.built += 1
    if over is None or over > len(mat.buildings):
        if len(mat.buildings) < MOST_BUILDINGS:
            mat.buildings.append(Built(card))
        return
    mat.inactive += mat.buildings[over - 1].workers
    mat.buildings[over - 1] = Built(card)


def _with_piece(pieces: tuple[_Piece, ...], piece: _Piece) -> tuple[_Piece, ...]:
    """The pieces with one more; no more than MOST_PIECES, however often a hostile log adds one."""
    return (*pieces, piece) if len(pieces) < MOST_PIECES else pieces


def _note_event_seen(state: State, event: str) -> None:
    """Add an event card to those seen; no more than MOST_DEALT, whatever a hostile log says."""
    state.events_seen = (*state.events_seen, event)[:MOST_DEALT]


def _note_cards_seen(state: State, cards: Iterable[tuple[int, str]]) -> None:
    """Add cards, each with its round, to those seen; no more than MOST_DEALT, whatever a hostile log says."""
    state.dealt = (state.dealt + tuple(cards))[:MOST_DEALT]


def _clear_space(state: State, space: int) -> None:
    """Take a card off the market; its tokens go to the discard pile."""
    for value in state.tokens[space]:
        state.discard[value] += 1
    state.tokens[space] = ()
    state.market[space] = ""


def _name_unseen_card(state: State, space: int, card: str) -> None:
    """Set what the unseen card on a space is."""
    state.market[space] = card
    _note_cards_seen(state, ((state.round, card),))


def _use_event(state: State, act: moves.UseEvent) -> None:
    """Note the event as used, and move the pieces that its choices name."""
    mat = _start_action(state, act)
    mat.used_event = True
    # Commerce changed the token of a Windfall: the technique is used up for this round
    if act.commerce is not None:
        _tilt_technique(mat, "commerce")
    # Latecomer: an active worker goes to this gap
    if act.gap is not None:
        mat.active -= 1
        _add_workers_to_gap(state, act.seat, act.gap, 1)
    # Overtime: the building is used once more, and stands inclined as before
    if act.slot is not None:
        _incline_building(mat, act.slot)


def _use_building(state: State, act: moves.UseBuilding | moves.ReuseBuilding) -> None:
    """Incline the building; a reuse, also one chained to a use, tilts Taylorism."""
    mat = _start_action(state, act)
    _incline_building(mat, act.slot)
    if isinstance(act, moves.ReuseBuilding) or act.again is not None:
        _tilt_technique(mat, "taylorism")


def _pass(state: State, act: moves.Pass) -> None:
    """The seat passes: it acts no more in this round."""
    _start_action(state, act).passed = True


def _start_action(state: State, act: moves.UseEvent | moves.UseBuilding | moves.ReuseBuilding | moves.Pass) -> Mat:
    """Note who acted last, and enter phase II if the act says so; returns the mat of the seat, to go on with."""
    state.last = act.seat
    mat = state.mat(act.seat)
    if act.enter:
        mat.phase = 2
    return mat


def _incline_building(mat: Mat, slot: int) -> None:
    """Incline the building of a slot, if there is one."""
    if slot <= len(mat.buildings):
        built = mat.buildings[slot - 1]
        mat.buildings[slot - 1] = Built(built.card, True, built.workers)  # noqa: FBT003 - _replace costs 2 µs


def _tilt_technique(mat: Mat, technique: str) -> None:
    """Tilt a technique card, which means that it was used in this round."""
    if technique not in mat.tilted:
        mat.tilted += (technique,)


def _take_bonus(state: State, act: moves.TakeBonus) -> None:
    """Take the chosen bonus off the mat; what it gives is in the postings."""
    state.mat(act.seat).bonus_due = False
    _remove_bonus(state, act)


def _deal_round(state: State, act: moves.RoundDealt) -> None:
    """Clear the market, straighten buildings and techniques, bring workers home, phase I; then lay out the deal."""
    discard = state.discard
    for tokens in state.tokens:
        for value in tokens:
            discard[value] += 1
    _turn_event_cards(state, act)
    round_ = state.round = act.round
    state.first = act.first
    state.last = 0
    state.placed = [0] * len(state.placed)
    state.around = [0] * len(state.around)
    market = state.market = [""] * len(state.market)
    on_cards: list[tuple[int, ...]] = [()] * len(state.tokens)
    reserve = state.reserve
    for space, dealt in enumerate(act.market, 1):
        market[space] = dealt.card
        on_cards[space] = tokens = dealt.tokens
        for value in tokens:
            reserve[value] -= 1
    state.tokens = on_cards
    _note_cards_seen(state, [(round_, dealt.card) for dealt in act.market])
    for mat in state.mats:
        mat.phase = 1
        mat.passed = mat.used_event = False
        mat.active = mat.workers
        mat.inactive = 0
        mat.tilted = ()
        if mat.buildings:
            # most stand upright and empty as they are: a new one costs ten times a look at it
            mat.buildings = [Built(b.card) if b.inclined or b.workers else b for b in mat.buildings]


def _turn_event_cards(state: State, act: moves.RoundDealt) -> None:
    """Discard the old event's token; the visible card becomes the round's and keeps its own."""
    if state.event_token:
        state.discard[state.event_token] += 1
    token = act.event_token or 0
    if token != state.next_token:
        if state.next_token:
            state.discard[state.next_token] += 1
        if token:
            state.reserve[token] -= 1
    if act.event != state.next_event:
        _note_event_seen(state, act.event)
    _note_event_seen(state, act.next_event)
    state.event = act.event
    state.event_token = token
    state.next_event = act.next_event
    state.next_token = act.next_token or 0
    if act.next_token:
        state.reserve[act.next_token] -= 1


def _mark_counted(state: State, _act: FinalCount) -> None:
    """Note that the final count was made; its points are in the postings."""
    state.counted = True


def _mark_conceded(state: State, act: Conceded) -> None:
    """Note that the seat takes no more turns."""
    state.mat(act.seat).conceded = True


def _mark_abandoned(state: State, _act: Abandoned) -> None:
    """Note that the game ends here, unfinished."""
    state.abandoned = True


def _apply_position(state: State, act: Resynced[moves.Position]) -> None:
    """Replace what a position states; what it leaves out stays.

    Three things follow and are never stated: the inactive workers, the reserve, and which cards were seen.
    """
    position = act.position
    for name in ("round", "first", "last", "event", "next_event"):
        value = getattr(position, name)
        if value is not None:
            setattr(state, name, value)
    for card in (position.event, position.next_event):
        if card is not None and card not in state.events_seen:
            _note_event_seen(state, card)
    if position.event is not None:
        state.event_token = position.event_token or 0
    if position.next_event is not None:
        state.next_token = position.next_token or 0
    if position.market is not None:
        for space, dealt in enumerate(position.market, 1):
            state.market[space] = dealt.card if dealt else ""
            state.tokens[space] = dealt.tokens if dealt else ()
    if position.workers is not None:
        state.placed = [0] * len(state.placed)
        state.around = [0] * len(state.around)
        for worker in position.workers:
            _add_workers_to_gap(state, worker.seat, worker.gap, worker.n)
    for mat_at in position.mats:
        _apply_position_of_mat(state.mat(mat_at.seat), mat_at)
    for seat, mat in enumerate(state.mats):
        on_buildings = sum(built.workers for built in mat.buildings)
        mat.inactive = mat.workers - mat.active - on_buildings - (state.count_in_market(seat) if seat else 0)
    if position.discard is not None:
        state.discard = [position.discard.count(value) for value in range(len(state.discard))]
    _recount_reserve(state)
    _note_cards_without_deal(state)


def _note_cards_without_deal(state: State) -> None:
    """Add cards on the table that no deal showed to those seen: of the market in this round, others in round 0."""
    market = [card for card in state.market if card]
    on_table = [(state.round, card) for card in market]
    on_table += [(0, built.card) for mat in state.mats for built in mat.buildings]
    on_table += [(0, card) for mat in state.mats for card in mat.techniques]
    known = Counter(card for _, card in state.dealt)
    missing = []
    for round_, card in on_table:
        if known[card]:
            known[card] -= 1
        else:
            missing.append((round_, card))
    _note_cards_seen(state, missing)


# What a mat of a position states as the mat itself holds it.
_FIELDS_OF_MAT: Final = tuple(name for name in moves.MatAt.__struct_fields__ if name not in ("seat", "buildings"))


def _apply_position_of_mat(mat: Mat, stated: moves.MatAt) -> None:
    """Replace what a position states of one seat; what is None stays."""
    for name in _FIELDS_OF_MAT:
        value = getattr(stated, name)
        if value is not None:
            setattr(mat, name, value)
    if stated.points is not None:
        mat.corrected = 0
    if stated.buildings is not None:
        mat.buildings = [Built(b.card, b.inclined, b.workers) for b in stated.buildings]
        mat.built = max(mat.built, len(mat.buildings))


def _recount_reserve(state: State) -> None:
    """Set the reserve to the tokens that lie nowhere else: a position never states it."""
    for value in range(1, len(state.reserve)):
        elsewhere = state.discard[value] + (state.event_token == value) + (state.next_token == value)
        elsewhere += sum(tokens.count(value) for tokens in state.tokens)
        elsewhere += sum(mat.kept.count(value) for mat in state.mats)
        state.reserve[value] = TOKENS_OF_A_VALUE - elsewhere


def _mark_bonus_due(state: State, fact: effects.BonusDue) -> None:
    """Note that the seat must choose a bonus before the next turn."""
    state.mat(fact.seat).bonus_due = True


def _remove_bonus(state: State, taken: moves.TakeBonus | effects.BonusTaken) -> None:
    """Take a bonus token off the mat; what it gives is in the postings."""
    mat = state.mat(taken.seat)
    mat.bonuses = tuple(bonus for bonus in mat.bonuses if bonus != taken.bonus)


def _return_tokens(state: State, _fact: effects.TokensReturned) -> None:
    """Put the whole discard pile back into the reserve."""
    for value, n in enumerate(state.discard):
        state.reserve[value] += n
        state.discard[value] = 0


def _keep_token(state: State, fact: effects.TokenKept) -> None:
    """Move a token from the discard pile to the seat's Commerce card."""
    state.discard[fact.value] -= 1
    mat = state.mat(fact.seat)
    mat.kept = _with_piece(mat.kept, fact.value)


def _keep_event_token(state: State, fact: effects.EventTokenTaken) -> None:
    """Move the token of the event card to the seat's Commerce card."""
    if state.event_token:
        mat = state.mat(fact.seat)
        mat.kept = _with_piece(mat.kept, state.event_token)
        state.event_token = 0


def _send_workers(state: State, fact: effects.WorkersSent) -> None:
    """Move active workers onto the building that they are used for; nothing where there is no such slot."""
    mat = state.mat(fact.seat)
    if fact.slot <= len(mat.buildings):
        built = mat.buildings[fact.slot - 1]
        mat.buildings[fact.slot - 1] = Built(built.card, built.inclined, built.workers + fact.n)
        mat.active -= fact.n


def _free_workers(state: State, fact: effects.WorkersFreed) -> None:
    """Make workers of a replaced building active; they came back inactive."""
    mat = state.mat(fact.seat)
    mat.inactive -= fact.n
    mat.active += fact.n


_ACTS: Final[dict[type, Callable[[State, Any], object]]] = {
    moves.PlaceWorker: _place_worker,
    moves.GainMoney: _take_worker_from_market,
    moves.ActivateCard: _activate_card,
    moves.UseEvent: _use_event,
    moves.UseBuilding: _use_building,
    moves.ReuseBuilding: _use_building,
    moves.Pass: _pass,
    moves.TakeBonus: _take_bonus,
    moves.RoundDealt: _deal_round,
    FinalCount: _mark_counted,
    Conceded: _mark_conceded,
    Abandoned: _mark_abandoned,
    Resynced: _apply_position,
}

_FACTS: Final[dict[type, Callable[[State, Any], None]]] = {
    effects.BonusDue: _mark_bonus_due,
    effects.BonusTaken: _remove_bonus,
    effects.TokensReturned: _return_tokens,
    effects.TokenKept: _keep_token,
    effects.EventTokenTaken: _keep_event_token,
    effects.WorkersSent: _send_workers,
    effects.WorkersFreed: _free_workers,
    effects.CardNamed: lambda state, fact: _name_unseen_card(state, fact.space, fact.card),
}
