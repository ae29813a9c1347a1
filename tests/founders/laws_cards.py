"""Laws of cards, workers and bases: nothing is lost, nothing is there twice (F-1, F-3, F-9, F-10)."""

from __future__ import annotations

from collections import Counter

from spyrium_log.titles.founders.cards import (
    ACTION_CARDS,
    ADVISERS_IN_ALL,
    BASES,
    CALL,
    INCOME,
    PRESTIGE_IN_ALL,
    PROPOSALS,
    RACE,
    ROW,
)
from spyrium_log.titles.founders.moves import UNSEEN, CallVote
from spyrium_log.titles.founders.state import TWO_PLAYERS, State
from tests.founders.laws_moment import Moment, houses_of, list_proposals_left, returns_cards, seats_of


def _cards_of(state: State, seat: int) -> list[str]:
    """All cards of a seat. Those played without being seen are in its hand, as far as anybody knows."""
    return [*state.mats[seat].hand, *state.mats[seat].discard]


def check_action_cards(moment: Moment) -> int:
    """F-1.1, F-5.1: everybody has each action card once, in hand or discarded; Income with two players only."""
    state = moment.after
    given = sorted(card for card in ACTION_CARDS if card != INCOME or state.seats == TWO_PLAYERS)
    for seat in seats_of(state):
        held = sorted(card for card in _cards_of(state, seat) if card in ACTION_CARDS)
        assert held == given, f"seat {seat} has the action cards {held}"
        mat = state.mats[seat]
        assert CALL in mat.hand, f"seat {seat} has lost Call to Vote"
        assert 0 <= mat.unknown <= len(mat.hand), f"{mat.unknown} of {len(mat.hand)} cards lie unseen in the discard"
    return state.seats


def check_advisers(moment: Moment) -> int:
    """F-1.3, F-7.4: each adviser that was dealt is in the row, with a seat or out of the game, and in one place."""
    state = moment.after
    held = [card for seat in seats_of(state) for card in _cards_of(state, seat) if card not in ACTION_CARDS]
    gone = [card for card in state.removed if card in state.printed.advisers]
    cards = [*filter(None, state.row), *held, *gone]
    twice = [card for card, n in Counter(cards).items() if n > 1 and card != UNSEEN]
    assert not twice, f"{twice} lie in two places"
    assert len(cards) == moment.past.advisers_dealt, f"{moment.past.advisers_dealt} were dealt, {len(cards)} are there"
    assert state.advisers_seen == len(cards) <= ADVISERS_IN_ALL, f"{state.advisers_seen} advisers were counted"
    return len(cards)


def check_proposals(moment: Moment) -> int:
    """F-1.3, F-10.6: 21 prestige buildings are in the deck, proposed, discarded, on the board or out of the game."""
    state = moment.after
    assert not {*state.proposals} & {*state.spent}, "a discarded proposal lies there"
    if returns_cards(state):
        # what stands may lie there again, and nobody sees whether its card is in the deck or discarded
        return _check_places_of_returning(state)
    # what fits nowhere leaves the game as the vote is won, and lies there until another one is placed
    gone = [card for card in state.removed if card in state.printed.prestige and card not in state.proposals]
    cards = [*state.proposals, *gone, *state.spent, *(building.card for building in state.buildings)]
    twice = [card for card, n in Counter(cards).items() if n > 1 and card != UNSEEN]
    assert not twice, f"{twice} lie in two places"
    assert moment.past.deck >= 0, "more proposals were dealt than there are"
    n = len(cards) + moment.past.deck
    assert not state.row or n == PRESTIGE_IN_ALL, f"{n} prestige buildings are in the game"
    return len(cards)


def _check_places_of_returning(state: State) -> int:
    """A card that left the game does not come again, and leaves it once."""
    gone = [card for card in state.removed if card in state.printed.prestige]
    assert len(set(gone)) == len(gone), f"a card left the game twice: {gone}"
    is_voted = state.options.unplaceable == "second-best" and (state.winner.seat or state.tie)
    assert is_voted or not {*gone} & {*state.proposals}, "a card that left the game lies there"
    return len(gone)


def check_bases(moment: Moment) -> int:
    """F-3.3: a base has one holder; two are neutral with 2 or 3 players, none with 4 or alone."""
    state = moment.after
    if not state.last:
        return 0
    held = {base: seat for seat in seats_of(state) for base in (state.mats[seat].race_base, *state.mats[seat].bases)}
    n = sum(len(state.mats[seat].bases) + 1 for seat in seats_of(state))
    neutral = [base for base in BASES if not state.base_owner.get(base)]
    if state.seats > 1:
        assert len(held) == n == len(BASES) - len(neutral), f"{n} base cards are held, {len(neutral)} are neutral"
        assert held == {base: seat for base, seat in state.base_owner.items() if seat}, "a base has two holders"
    expected = {1: 0, 2: 2, 3: 2, 4: 0}[state.seats]
    assert len(neutral) == expected, f"{len(neutral)} bases are neutral with {state.seats} players"
    return len(BASES)


def check_workers(moment: Moment) -> int:
    """F-9: a worker a house; a place takes one, a building's only of who delivered there."""
    state = moment.after
    places: list[tuple[int, str]] = []
    for seat in seats_of(state):
        used = state.mats[seat].used
        workers = len(houses_of(state, seat)) if state.options.workers == "with" else 0
        assert len(used) <= workers, f"seat {seat} uses {len(used)} workers of {workers}"
        places += [(seat if on == RACE else 0, on) for on in used]
        for building in state.buildings:
            if building.card in used:
                delivered = {token for _, token in building.delivered}
                assert seat in delivered, f"seat {seat} has a worker on {building.card} and no delivery"
                closed = state.options.worker_incomplete == "completed" and not building.complete
                assert not closed, f"seat {seat} has a worker on {building.card}, which is not complete"
    known = {RACE, *(building.card for building in state.buildings)}
    assert {on for _, on in places} <= known, f"a worker is nowhere: {places}"
    assert len(set(places)) == len(places), f"two workers are on one place: {places}"
    return len(places)


def check_claims(moment: Moment) -> int:
    """F-12.3: neutral claims lie alone only, on buildings that are not complete, and are paid for before the next."""
    claimed = [building for building in moment.after.buildings if building.claim]
    assert moment.after.seats == 1 or not claimed, f"{claimed[0].card} has a claim" if claimed else ""
    for building in claimed:
        assert not building.complete, f"{building.card} is complete and has a claim"
    return len(claimed)


def check_rows(moment: Moment) -> int:
    """F-7.4, F-10.6: as a turn begins four advisers and three proposals lie there, unless there are no more."""
    state = moment.before
    if not moment.starts_turn():
        return 0
    row = [card for card in state.row if card]
    assert len(row) == ROW or state.advisers_seen == ADVISERS_IN_ALL, f"{len(row)} advisers lie in the row"
    assert list(state.row[: len(row)]) == row, "the row did not slide"
    left = list_proposals_left(state)
    assert len(state.proposals) == PROPOSALS or not left, f"{len(state.proposals)} proposals lie there, {left} do not"
    return 1


def check_call(moment: Moment) -> int:
    """F-10: who calls has discarded enough, gets one thing a card left, and takes back all cards and workers."""
    if not isinstance(moment.act, CallVote):
        return 0
    act, state = moment.act, moment.before
    mat, after = state.mats[act.seat], moment.after.mats[act.seat]
    left = len(mat.hand) - mat.unknown - 1
    discarded = len(mat.discard) + mat.unknown
    least = {1: 0, 2: 3}.get(state.seats, 2)
    assert discarded >= least, f"seat {act.seat} calls with {discarded} cards discarded"
    assert state.seats > 1 or not left, f"alone a vote is called with {left} cards left"
    taken = act.money + act.fleeting + act.roads
    assert taken == left or (state.options.call_bonus == "waive" and taken < left), f"{taken} bonuses for {left} cards"
    assert not after.discard, f"seat {act.seat} left {after.discard} discarded"
    assert not after.unknown, f"seat {act.seat} left {after.unknown} cards discarded"
    assert not after.used, f"seat {act.seat} left workers on {after.used}"
    return 1
