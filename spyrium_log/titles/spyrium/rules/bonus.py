"""The two bonuses: one chosen at 8 points, the other by itself at 20 (S-7.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spyrium_log.errors import Breach
from spyrium_log.messages import Seat, choice_message
from spyrium_log.title import AnyPosting, Effects, Posting
from spyrium_log.titles.spyrium.cards import BONUS_AT, MOST_WORKERS, SECOND_BONUS_AT
from spyrium_log.titles.spyrium.effects import BonusDue, BonusTaken
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.rules.turn import awaits, breach, no_such_seat

if TYPE_CHECKING:
    from spyrium_log.titles.spyrium.effects import SpyriumFact
    from spyrium_log.titles.spyrium.moves import TakeBonus
    from spyrium_log.titles.spyrium.state import Mat, State

BONUS_POUNDS: Final = 5


def add_bonus(state: State, seat: int, moved: list[AnyPosting], facts: list[SpyriumFact]) -> None:
    """What gained points bring about: a choice of bonus, or the second bonus."""
    gained = 0
    for posting in moved:
        if posting.what == "points" and posting.who == seat:
            gained += posting.n
    if gained <= 0:
        return
    mat = state.mat(seat)
    reached = mat.points + gained
    left = len(mat.bonuses)
    if left > 1:
        if reached >= BONUS_AT and not mat.bonus_due:
            facts.append(BonusDue(seat=seat))
    elif left and reached >= SECOND_BONUS_AT:
        _add_second_bonus(state, seat, mat, mat.bonuses[0], moved, facts)


def _add_second_bonus(
    state: State, seat: int, mat: Mat, bonus: str, moved: list[AnyPosting], facts: list[SpyriumFact]
) -> None:
    """Add the bonus that goes by itself: what it gives, and that it is gone."""
    moved.extend(_bonus_posting(state, seat, mat, bonus))
    facts.append(BonusTaken(seat=seat, bonus="worker" if bonus == "worker" else "money"))


def _bonus_posting(state: State, seat: int, mat: Mat, bonus: str) -> list[AnyPosting]:
    """What a bonus gives: £5, or a worker as long as there is one to take."""
    if bonus == "money":
        return [Posting(seat, "money", BONUS_POUNDS, "bonus")]
    if mat.workers < MOST_WORKERS:
        return [Posting(seat, "workers", 1, "bonus")]
    if state.options.bonus_worker_at_seven == "five-pounds":
        return [Posting(seat, "money", BONUS_POUNDS, "bonus")]
    return []


def breaches_of_bonus(state: State, act: TakeBonus) -> list[Breach]:
    """Breaches of choosing a bonus that is not due to this seat, or not left."""
    seat = act.seat
    if not 0 < seat <= state.seats:
        return [no_such_seat(state, seat)]
    breaches = []
    mat = state.mats[seat]
    awaited = awaits(state)
    if awaited.kind != "choice" or awaited.seat != seat:
        is_another = awaited.kind == "choice"
        expected = phrase("choose", seat=Seat(awaited.seat)) if is_another else phrase("no-bonus-due")
        breaches.append(breach("bonus.pending", expected, phrase("bonus-of", seat=Seat(seat))))
    if act.bonus not in mat.bonuses:
        left = choice_message(mat.bonuses) if mat.bonuses else phrase("bonuses-taken")
        breaches.append(breach("bonus.choice", left, choice_message((act.bonus,))))
    return breaches


def effects_of_bonus(state: State, act: TakeBonus) -> Effects:
    """What the chosen bonus gives; at 20 points already, the other one goes at once."""
    seat = act.seat
    mat = state.mat(seat)
    moved = _bonus_posting(state, seat, mat, act.bonus)
    facts: list[SpyriumFact] = []
    left = [bonus for bonus in mat.bonuses if bonus != act.bonus]
    if mat.points >= SECOND_BONUS_AT and left:
        _add_second_bonus(state, seat, mat, left[0], moved, facts)
    return Effects(moved, facts)
