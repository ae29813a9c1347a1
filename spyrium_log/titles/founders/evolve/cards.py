"""Cards that seats take, play and take back: races and bases in the draft, then those of their turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from spyrium_log.title import tag_of
from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import CALL, ROW
from spyrium_log.titles.founders.state import MOST_CARDS, MOST_DONE, NO_WINNER, Done, Mat, State


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards without one of this name, if it is among them."""
    if card not in cards:
        return cards
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


def with_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards with one more; no more than MOST_CARDS, however often a hostile log adds one."""
    return (*cards, card) if len(cards) < MOST_CARDS else cards


def pad(cards: tuple[str, ...], places: int) -> tuple[str, ...]:
    """A row of so many places with these cards from the left on, '' where a place is empty."""
    return (*cards, *("",) * places)[:places]


# --- turns ---------------------------------------------------------------------------------------


def start_turn(state: State, seat: int, card: str, *, down: bool) -> None:
    """A card is played: whatever was open in the turn before is over."""
    state.last = seat
    state.played = card
    state.down = down
    state.did = ()
    state.due = ()
    state.caller = state.roads_due = state.tie = state.claims_due = 0
    state.winner = NO_WINNER
    mat = state.mat(seat)
    if card == moves.UNSEEN:
        mat.unknown = min(mat.unknown + 1, len(mat.hand))
    # the Call to Vote stays in hand for ever
    elif card in mat.hand and card != CALL:
        mat.hand = without(mat.hand, card)
        mat.discard = with_card(mat.discard, card)


def note_act(state: State, act: moves.Step, about: str = "") -> Mat:
    """Note an act of a turn, which it begins if it plays a card, and return the mat of its seat."""
    # only a Played has a card; isinstance takes twice as long
    card = getattr(act, "card", None)
    if card is not None:
        start_turn(state, act.seat, card, down=getattr(act, "down", False))
    if len(state.did) < MOST_DONE:
        state.did = (*state.did, Done(act.seat, tag_of(type(act)), about))
    return state.mat(act.seat)


def _decline(state: State, act: moves.Decline) -> None:
    """Note that the seat does not follow, or takes no further step; its Call to Vote owes it no road any more."""
    note_act(state, act)
    if state.roads_due and act.seat == state.caller:
        state.roads_due = 0


def _use_worker(state: State, act: moves.UseWorker) -> None:
    """Put a worker on the mat, or on the card of a prestige building."""
    mat = note_act(state, act, act.on)
    mat.used = with_card(mat.used, act.on)


def _take_back(state: State, act: moves.TakeBack) -> None:
    """Take cards from the discard pile into the hand; one that nobody saw go there is in `hand` all the time."""
    mat = note_act(state, act)
    for card in act.cards:
        if card in mat.discard:
            mat.discard = without(mat.discard, card)
            mat.hand = with_card(mat.hand, card)
        elif card == moves.UNSEEN or card in mat.hand:
            mat.unknown = max(mat.unknown - 1, 0)


def _recruit(state: State, act: moves.Recruit) -> None:
    """Take the adviser of a slot into the hand; `named` is who it is where nobody saw it."""
    mat = note_act(state, act, str(act.slot))
    card = state.card_in_slot(act.slot, act.named)
    if card:
        mat.hand = with_card(mat.hand, card)
        state.row = (*state.row[: act.slot - 1], "", *state.row[act.slot :])
        state.row_taken = True


def _deal_advisers(state: State, act: moves.AdvisersDealt) -> None:
    """Slide the row to the left and put the new advisers behind."""
    state.row = pad((*filter(None, state.row), *act.cards), ROW)
    state.advisers_seen += len(act.cards)
    state.row_taken = False


def _remove_card(state: State, fact: effects.CardRemoved) -> None:
    """Take a card of a seat, in its hand or discarded, out of the game."""
    mat = state.mat(fact.seat)
    mat.hand = without(mat.hand, fact.card)
    mat.discard = without(mat.discard, fact.card)
    state.removed = with_card(state.removed, fact.card)


# --- the draft -----------------------------------------------------------------------------------


def _take_race(state: State, act: moves.TakeRace) -> None:
    """Take a race, with the base that the act names; one that is printed on the race comes as a fact."""
    state.mat(act.seat).race = act.race
    if act.base is not None:
        _hold_base_of_race(state, act.base, act.seat)


def _get_base(state: State, fact: effects.BaseGot) -> None:
    """Give a seat the base card that is printed on its race."""
    _hold_base_of_race(state, fact.base, fact.seat)


def _hold_base_of_race(state: State, base: str, seat: int) -> None:
    """Give a seat the base card of its race, whose tiles it will lay first."""
    state.mat(seat).race_base = base
    hold_base(state, base, seat)


def hold_base(state: State, base: str, seat: int) -> None:
    """Set whose base it is, 0 for no seat of this game; no more than MOST_CARDS, however many a hostile log names."""
    if base in state.base_owner or len(state.base_owner) < MOST_CARDS:
        state.base_owner[base] = seat if seat <= state.seats else 0


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
        mat.bases = with_card(mat.bases, act.base)
    else:
        mat.race_base = act.base
    hold_base(state, act.base, act.seat)
    # once all have as many, this step of the draft is over
    if len({(len(mat.bases), not mat.race_base) for mat in state.mats[1:]}) == 1:
        state.displaced = ()


ACTS_OF_CARDS: Final[dict[type, Callable[[State, Any], object]]] = {
    moves.TakeRace: _take_race,
    moves.TakeBase: _take_base,
    # what these two bring is in the postings
    moves.Gain: note_act,
    moves.PlayCard: note_act,
    moves.Recruit: _recruit,
    moves.UseWorker: _use_worker,
    moves.TakeBack: _take_back,
    moves.Decline: _decline,
    moves.AdvisersDealt: _deal_advisers,
}

FACTS_OF_CARDS: Final[dict[type, Callable[[State, Any], None]]] = {
    effects.BaseGot: _get_base,
    effects.CardRemoved: _remove_card,
}
