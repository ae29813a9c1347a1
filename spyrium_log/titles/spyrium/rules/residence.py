"""The residence action: move the disc, or score its space (S-7.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spyrium_log.errors import Breach
from spyrium_log.messages import choice_message
from spyrium_log.title import AnyPosting, Posting
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.rules.turn import breach

if TYPE_CHECKING:
    from spyrium_log.titles.spyrium.moves import Residence
    from spyrium_log.titles.spyrium.state import State


def residence_choices(state: State, seat: int) -> tuple[Residence, ...]:
    """On the last space only scoring is possible."""
    if state.mat(seat).residence >= len(state.printed.track):
        return ("score",)
    return ("move", "score")


def breaches_of_residence(state: State, seat: int, choice: Residence | None) -> list[Breach]:
    """A breach unless moving or scoring was chosen and is possible."""
    choices = residence_choices(state, seat)
    if choice in choices:
        return []
    return [
        breach(
            "residence.choice", choice_message(choices), choice_message((choice,)) if choice else phrase("no-choice")
        )
    ]


def residence_posting(state: State, seat: int, choice: Residence | None, why: str = "effect") -> list[AnyPosting]:
    """The move on the track, or the points, of a residence action."""
    if choice is None:
        return []
    if choice == "move":
        return [Posting(seat, "residence", 1, why)]
    worth = state.printed.residence(state.mat(seat).residence)
    return [Posting(seat, "points", worth, why)] if worth else []
