"""The residence action (S-7.2), and the two bonuses: one chosen at 8 points, the other by itself at 20 (S-7.3)."""

from __future__ import annotations

from typing import Final

from spyrium_log.errors import Breach, Unchecked
from spyrium_log.messages import Seat, choice_message
from spyrium_log.title import AnyPosting, Effects, Posting
from spyrium_log.titles.spyrium.cards import BONUS_AT, MOST_WORKERS, SECOND_BONUS_AT, TRACK, name_step
from spyrium_log.titles.spyrium.effects import BonusDue, BonusTaken, SpyriumFact
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.moves import RESIDENCE_ACTIONS, Residence, TakeBonus
from spyrium_log.titles.spyrium.rules.turn import breach, find_awaited, no_such_seat
from spyrium_log.titles.spyrium.state import STRIDE, State

BONUS_POUNDS: Final = 5


def breaches_of_residence(state: State, seat: int, choice: Residence | None) -> list[Breach]:
    """A breach unless a possible residence action was chosen: no move at the end, neither of them only by option.

    Where nobody checked which space is the last, moving on rests on the sheet.
    """
    possible: list[Residence] = [action for action in RESIDENCE_ACTIONS if action != "keep"]
    step, last = state.mat(seat).residence, len(state.printed.track)
    if step >= last:
        possible.remove("move")
    if state.options.residence_action == "may-decline":
        possible.append("keep")
    if choice in possible:
        return []
    expected = phrase("residence-choice", options=choice_message(possible))
    chosen = choice_message((choice,)) if choice else phrase("no-choice")
    is_on_sheet = choice == "move" and last in state.printed.assumed_steps
    unchecked = (Unchecked(TRACK, name_step(last)),) if is_on_sheet else ()
    return [breach("residence.choice", expected, chosen, unchecked)]


def residence_postings(state: State, seat: int, choice: Residence | None, why: str = "effect") -> list[AnyPosting]:
    """What a residence action brings: a step along the track, or the points of the space; nothing without either."""
    if choice in (None, "keep"):
        return []
    if choice == "move":
        return [Posting(seat, "residence", 1, why)]
    worth = state.printed.residence(state.mat(seat).residence)
    return [Posting(seat, "points", worth, why)] if worth else []


def add_bonus(
    state: State, seat: int, moved: list[AnyPosting], facts: list[SpyriumFact], taken: str | None = None
) -> None:
    """Add the bonus that the points in `moved` bring: at 8 points the choice of one, at 20 the other one by itself.

    A choice that is due is a fact. The second bonus is a posting in `moved`, and a fact that its token is gone. `taken`
    is a bonus that these points have brought before.
    """
    gained = 0
    for posting in moved:
        if posting.what == "points" and posting.who == seat:
            gained += posting.n
    if gained <= 0:
        return
    mat = state.mat(seat)
    reached = mat.points + gained
    # both bonuses lie on the mat until one is chosen
    left = [bonus for bonus in mat.bonuses if bonus != taken]
    if len(left) > 1:
        if reached >= BONUS_AT and not mat.bonus_due:
            facts.append(BonusDue(seat=seat))
    elif left and reached >= SECOND_BONUS_AT:
        add_bonus_unasked(state, seat, left[0], moved, facts)


def add_bonus_unasked(state: State, seat: int, bonus: str, moved: list[AnyPosting], facts: list[SpyriumFact]) -> None:
    """Add to `moved` what a bonus gives that nobody has to choose, and to `facts` that its token is gone."""
    moved.extend(_bonus_postings(state, seat, bonus))
    facts.append(BonusTaken(seat=seat, bonus="worker" if bonus == "worker" else "money"))


def _bonus_postings(state: State, seat: int, bonus: str) -> list[AnyPosting]:
    """What a bonus gives: £5, or a worker; who owns all seven gets nothing for it, or £5 by option."""
    if bonus != "money" and state.mat(seat).workers < MOST_WORKERS:
        return [Posting(seat, "workers", 1, "bonus")]
    if bonus == "money" or state.options.bonus_worker_at_seven == "five-pounds":
        return [Posting(seat, "money", BONUS_POUNDS, "bonus")]
    return []


def brings_worker(state: State, seat: int, gained: int) -> bool:
    """Whether gaining these points can bring the bonus of a worker, who is active at once: chosen at 8, or at 20."""
    mat = state.mat(seat)
    threshold = BONUS_AT if len(mat.bonuses) > 1 else SECOND_BONUS_AT
    return "worker" in mat.bonuses and mat.workers < MOST_WORKERS and gained > 0 and mat.points + gained >= threshold


def is_bonus_open(state: State, seat: int) -> bool:
    """Whether a corrected score passed the next bonus: it may be recorded, and nobody waits for it (S-7.3)."""
    mat = state.mat(seat)
    if state.counted or state.abandoned or not mat.bonuses:
        return False
    threshold = BONUS_AT if len(mat.bonuses) > 1 else SECOND_BONUS_AT
    return mat.points - mat.corrected < threshold <= mat.points


def breaches_of_bonus(state: State, act: TakeBonus) -> list[Breach]:
    """Breaches of choosing a bonus: none is due or open, another seat chooses first, or it was taken before."""
    seat = act.seat
    if not 0 < seat <= state.seats:
        return [no_such_seat(state, seat)]
    breaches = []
    mat = state.mats[seat]
    awaited = find_awaited(state)
    is_another = awaited.kind == "choice" and awaited.seat != seat
    if is_another or (awaited.kind != "choice" and not is_bonus_open(state, seat)):
        expected = phrase("bonus-first", seat=Seat(awaited.seat)) if is_another else phrase("no-bonus-due")
        breaches.append(breach("bonus.pending", expected, phrase("bonus-of", seat=Seat(seat))))
    if act.bonus not in mat.bonuses:
        left = phrase("bonus-left", options=choice_message(mat.bonuses)) if mat.bonuses else phrase("bonuses-taken")
        breaches.append(breach("bonus.choice", left, phrase("bonus-chosen", options=choice_message((act.bonus,)))))
    return breaches


def effects_of_bonus(state: State, act: TakeBonus) -> Effects | None:
    """What the chosen bonus gives; a seat that has 20 points already gets the other one, too. None: no such seat."""
    seat = act.seat
    if not 0 < seat < STRIDE:
        return None
    mat = state.mat(seat)
    moved = _bonus_postings(state, seat, act.bonus)
    facts: list[SpyriumFact] = []
    left = [bonus for bonus in mat.bonuses if bonus != act.bonus]
    if mat.points >= SECOND_BONUS_AT and left:
        add_bonus_unasked(state, seat, left[0], moved, facts)
    return Effects(moved, facts)
