"""The final count (S-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spyrium_log.errors import Breach
from spyrium_log.title import AnyPosting, Effects, FinalCount
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.rules.bonus import add_bonus
from spyrium_log.titles.spyrium.rules.turn import awaits, breach, expected_next
from spyrium_log.titles.spyrium.scoring import final_postings

if TYPE_CHECKING:
    from spyrium_log.titles.spyrium.effects import SpyriumFact
    from spyrium_log.titles.spyrium.state import State


def breaches_of_final(state: State, _act: FinalCount) -> list[Breach]:
    """A breach unless all rounds are over; a bonus that is due is its own rule."""
    awaited = awaits(state)
    if awaited.kind == "final":
        return []
    rule = "bonus.pending" if awaited.kind == "choice" else "final.due"
    return [breach(rule, expected_next(state), phrase("final"))]


def effects_of_final(state: State, _act: FinalCount) -> Effects:
    """The points of the count, and by option the bonuses that they bring."""
    moved = final_postings(state)
    facts: list[SpyriumFact] = []
    if state.options.bonus_in_final_scoring == "yes":
        for seat in state.clockwise():
            own: list[AnyPosting] = [posting for posting in moved if posting.who == seat]
            count = len(own)
            add_bonus(state, seat, own, facts)
            moved.extend(own[count:])
    return Effects(moved, facts)
