"""What an event does to the table: arithmetic and moving pieces, in place, total, without a rule.

Numbers may go negative. Taking what is not there takes nothing and is the audit's business.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from spyrium_log.title import Abandoned, Conceded, FinalCount, Resynced
from spyrium_log.titles.spyrium import moves
from spyrium_log.titles.spyrium.cards import KINDS, TOKENS_OF_A_VALUE
from spyrium_log.titles.spyrium.effects import (
    BonusDue,
    BonusTaken,
    CardNamed,
    EventTokenTaken,
    TokenKept,
    TokensReturned,
    WorkersFreed,
    WorkersSent,
)
from spyrium_log.titles.spyrium.state import MOST_BUILDINGS, MOST_DEALT, MOST_PIECES, PLACES, Built

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from spyrium_log.title import AnyPosting
    from spyrium_log.titles.spyrium.effects import SpyriumFact
    from spyrium_log.titles.spyrium.state import Mat, State


def evolve(state: State, act: moves.Act, moved: Sequence[AnyPosting], facts: Sequence[SpyriumFact]) -> None:
    """Apply an event to the state: the pieces that the act names, then the postings, then the facts."""
    handler = _ACTS.get(type(act))
    if handler is not None:
        handler(state, act)
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


# --- decisions -----------------------------------------------------------------------------------


# Most of a log is placing, gaining, calling and passing. Those four repeat the lines of `_put` and `State.mat`: a call
# would cost as much as all the rest of them.


def _place_worker(state: State, act: moves.PlaceWorker) -> None:
    """A worker of the Start card goes into a gap."""
    seat = act.seat
    state.last = seat
    state.mats[seat if seat <= state.seats else 0].active -= 1
    place, one, other = PLACES[act.gap]
    state.placed[place + seat] += 1
    around = state.around
    around[one] += 1
    around[other] += 1


def _put(state: State, seat: int, gap: int, n: int) -> None:
    """Add workers to a gap, and to the spaces beside it."""
    place, one, other = PLACES[gap]
    state.placed[place + seat] += n
    state.around[one] += n
    state.around[other] += n


def _from_market(state: State, act: moves.GainMoney | moves.ActivateCard) -> Mat:
    """The acting worker leaves the market and is inactive; one that is not there stays away."""
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
    """The worker comes back, and the card goes where its kind goes."""
    mat = _from_market(state, act)
    space = act.space
    if act.named is not None:
        _name(state, space, act.named)
    card = state.market[space]
    if act.lobbying:
        _tilt(mat, "lobbying")
    if act.commerce is not None:
        _tilt(mat, "commerce")
    kind = KINDS.get(card)
    if kind == "building":
        _build(mat, card, act.over)
        _clear(state, space)
    elif kind == "technique":
        mat.techniques = _added(mat.techniques, card)
        _clear(state, space)
    elif act.token is not None and act.token in state.tokens[space]:
        left = list(state.tokens[space])
        left.remove(act.token)
        state.tokens[space] = tuple(left)
        state.discard[act.token] += 1


def _build(mat: Mat, card: str, over: int | None) -> None:
    """A building goes to a new site, or over another one, whose workers come back inactive."""
    mat.built += 1
    if over is None or over > len(mat.buildings):
        if len(mat.buildings) < MOST_BUILDINGS:
            mat.buildings.append(Built(card))
        return
    mat.inactive += mat.buildings[over - 1].workers
    mat.buildings[over - 1] = Built(card)


def _added(pieces: tuple[Any, ...], piece: Any) -> tuple[Any, ...]:
    """The pieces with one more, up to the most that are kept."""
    return (*pieces, piece) if len(pieces) < MOST_PIECES else pieces


def _seen(state: State, event: str) -> None:
    """Keep in mind that an event card was seen."""
    if len(state.events_seen) < MOST_DEALT:
        state.events_seen += (event,)


def _dealt(state: State, cards: Iterable[tuple[int, str]]) -> None:
    """Keep in mind which cards were seen, with their rounds."""
    state.dealt += tuple(cards)
    if len(state.dealt) > MOST_DEALT:
        state.dealt = state.dealt[:MOST_DEALT]


def _clear(state: State, space: int) -> None:
    """Take a card off the market, its tokens to the discard pile."""
    _discard(state, space)
    state.market[space] = ""


def _discard(state: State, space: int) -> None:
    for value in state.tokens[space]:
        state.discard[value] += 1
    state.tokens[space] = ()


def _name(state: State, space: int, card: str) -> None:
    """A card that was dealt unseen turns out to be this one."""
    state.market[space] = card
    _dealt(state, ((state.round, card),))


def _use_event(state: State, act: moves.UseEvent) -> None:
    """Overtime inclines a building, latecomer places a worker; the other events only move amounts."""
    mat = _acting(state, act)
    mat.used_event = True
    if act.commerce is not None:
        _tilt(mat, "commerce")
    if act.gap is not None:
        mat.active -= 1
        _put(state, act.seat, act.gap, 1)
    if act.slot is not None:
        _incline(mat, act.slot)


def _use_building(state: State, act: moves.UseBuilding) -> None:
    mat = _acting(state, act)
    _incline(mat, act.slot)
    if act.again is not None:
        _tilt(mat, "taylorism")


def _reuse_building(state: State, act: moves.ReuseBuilding) -> None:
    mat = _acting(state, act)
    _incline(mat, act.slot)
    _tilt(mat, "taylorism")


def _pass(state: State, act: moves.Pass) -> None:
    seat = act.seat
    state.last = seat
    mat = state.mats[seat if seat <= state.seats else 0]
    mat.passed = True
    if act.enter:
        mat.phase = 2


def _acting(state: State, act: moves.UseEvent | moves.UseBuilding | moves.ReuseBuilding) -> Mat:
    """The mat of the acting seat, in phase II if the act enters it."""
    state.last = act.seat
    mat = state.mat(act.seat)
    if act.enter:
        mat.phase = 2
    return mat


def _incline(mat: Mat, slot: int) -> None:
    """Incline the building of a slot, if there is one."""
    if slot <= len(mat.buildings):
        built = mat.buildings[slot - 1]
        mat.buildings[slot - 1] = Built(built.card, True, built.workers)  # noqa: FBT003 - _replace costs 2 µs


def _tilt(mat: Mat, technique: str) -> None:
    """Tilt a technique that is used."""
    if technique not in mat.tilted:
        mat.tilted += (technique,)


def _take_bonus(state: State, act: moves.TakeBonus) -> None:
    mat = state.mat(act.seat)
    mat.bonus_due = False
    mat.bonuses = tuple(bonus for bonus in mat.bonuses if bonus != act.bonus)


# --- the table -----------------------------------------------------------------------------------


def _round_dealt(state: State, act: moves.RoundDealt) -> None:
    """Clear the grid, straighten, workers and discs home, phase I; then lay out what was dealt."""
    discard = state.discard
    for tokens in state.tokens:
        for value in tokens:
            discard[value] += 1
    _turn_event(state, act)
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
    _dealt(state, [(round_, dealt.card) for dealt in act.market])
    for mat in state.mats:
        mat.phase = 1
        mat.passed = mat.used_event = False
        mat.active = mat.workers
        mat.inactive = 0
        mat.tilted = ()
        if mat.buildings:
            # most stand upright and empty as they are: a new one costs ten times a look at it
            mat.buildings = [Built(b.card) if b.inclined or b.workers else b for b in mat.buildings]


def _turn_event(state: State, act: moves.RoundDealt) -> None:
    """The old event's token is discarded; the visible card becomes the round's and keeps its own."""
    if state.event_token:
        state.discard[state.event_token] += 1
    token = act.event_token or 0
    if token != state.next_token:
        if state.next_token:
            state.discard[state.next_token] += 1
        if token:
            _drawn(state, (token,))
    if act.event != state.next_event:
        _seen(state, act.event)
    _seen(state, act.next_event)
    state.event = act.event
    state.event_token = token
    state.next_event = act.next_event
    state.next_token = act.next_token or 0
    if act.next_token:
        _drawn(state, (act.next_token,))


def _drawn(state: State, tokens: Iterable[int]) -> None:
    """Tokens leave the reserve."""
    for value in tokens:
        state.reserve[value] -= 1


def _final_count(state: State, _act: FinalCount) -> None:
    state.counted = True


def _conceded(state: State, act: Conceded) -> None:
    state.mat(act.seat).conceded = True


def _abandoned(state: State, _act: Abandoned) -> None:
    state.abandoned = True


def _resynced(state: State, act: Resynced[moves.Position]) -> None:
    """What the position states replaces what was there."""
    position = act.position
    for name in ("round", "first", "last", "event", "next_event"):
        value = getattr(position, name)
        if value is not None:
            setattr(state, name, value)
    for card in (position.event, position.next_event):
        if card is not None and card not in state.events_seen:
            _seen(state, card)
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
            _put(state, worker.seat, worker.gap, worker.n)
    for mat_at in position.mats:
        _mat_resynced(state.mat(mat_at.seat), mat_at)
    for seat, mat in enumerate(state.mats):
        on_buildings = sum(built.workers for built in mat.buildings)
        mat.inactive = mat.workers - mat.active - on_buildings - (state.in_market(seat) if seat else 0)
    if position.discard is not None:
        state.discard = [position.discard.count(value) for value in range(len(state.discard))]
    _reserve_resynced(state)
    _dealt_resynced(state)


def _dealt_resynced(state: State) -> None:
    """Cards on the table that no deal showed are added to those dealt: in this round in the market, else in round 0."""
    market = [card for card in state.market if card]
    lying = [(state.round, card) for card in market]
    lying += [(0, built.card) for mat in state.mats for built in mat.buildings]
    lying += [(0, card) for mat in state.mats for card in mat.techniques]
    known = Counter(card for _, card in state.dealt)
    missing = []
    for round_, card in lying:
        if known[card]:
            known[card] -= 1
        else:
            missing.append((round_, card))
    _dealt(state, missing)


# What a mat of a position states as the mat itself holds it.
_STATED: Final = tuple(name for name in moves.MatAt.__struct_fields__ if name not in ("seat", "buildings"))


def _mat_resynced(mat: Mat, stated: moves.MatAt) -> None:
    """What the position states of one seat."""
    for name in _STATED:
        value = getattr(stated, name)
        if value is not None:
            setattr(mat, name, value)
    if stated.buildings is not None:
        mat.buildings = [Built(b.card, b.inclined, b.workers) for b in stated.buildings]
        mat.built = max(mat.built, len(mat.buildings))


def _reserve_resynced(state: State) -> None:
    """The reserve holds the tokens that lie nowhere else."""
    for value in range(1, len(state.reserve)):
        elsewhere = state.discard[value] + (state.event_token == value) + (state.next_token == value)
        elsewhere += sum(tokens.count(value) for tokens in state.tokens)
        elsewhere += sum(mat.kept.count(value) for mat in state.mats)
        state.reserve[value] = TOKENS_OF_A_VALUE - elsewhere


# --- facts ---------------------------------------------------------------------------------------


def _bonus_due(state: State, fact: BonusDue) -> None:
    state.mat(fact.seat).bonus_due = True


def _bonus_taken(state: State, fact: BonusTaken) -> None:
    mat = state.mat(fact.seat)
    mat.bonuses = tuple(bonus for bonus in mat.bonuses if bonus != fact.bonus)


def _tokens_returned(state: State, _fact: TokensReturned) -> None:
    for value, n in enumerate(state.discard):
        state.reserve[value] += n
        state.discard[value] = 0


def _token_kept(state: State, fact: TokenKept) -> None:
    state.discard[fact.value] -= 1
    mat = state.mat(fact.seat)
    mat.kept = _added(mat.kept, fact.value)


def _event_token_taken(state: State, fact: EventTokenTaken) -> None:
    if state.event_token:
        mat = state.mat(fact.seat)
        mat.kept = _added(mat.kept, state.event_token)
        state.event_token = 0


def _workers_sent(state: State, fact: WorkersSent) -> None:
    mat = state.mat(fact.seat)
    if fact.slot <= len(mat.buildings):
        built = mat.buildings[fact.slot - 1]
        mat.buildings[fact.slot - 1] = Built(built.card, built.inclined, built.workers + fact.n)
        mat.active -= fact.n


def _workers_freed(state: State, fact: WorkersFreed) -> None:
    mat = state.mat(fact.seat)
    mat.inactive -= fact.n
    mat.active += fact.n


def _card_named(state: State, fact: CardNamed) -> None:
    _name(state, fact.space, fact.card)


_ACTS: Final[dict[type, Callable[[State, Any], object]]] = {
    moves.PlaceWorker: _place_worker,
    moves.GainMoney: _from_market,
    moves.ActivateCard: _activate_card,
    moves.UseEvent: _use_event,
    moves.UseBuilding: _use_building,
    moves.ReuseBuilding: _reuse_building,
    moves.Pass: _pass,
    moves.TakeBonus: _take_bonus,
    moves.RoundDealt: _round_dealt,
    FinalCount: _final_count,
    Conceded: _conceded,
    Abandoned: _abandoned,
    Resynced: _resynced,
}

_FACTS: Final[dict[type, Callable[[State, Any], None]]] = {
    BonusDue: _bonus_due,
    BonusTaken: _bonus_taken,
    TokensReturned: _tokens_returned,
    TokenKept: _token_kept,
    EventTokenTaken: _event_token_taken,
    WorkersSent: _workers_sent,
    WorkersFreed: _workers_freed,
    CardNamed: _card_named,
}
