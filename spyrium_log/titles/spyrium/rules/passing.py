"""Passing (S-5.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spyrium_log.errors import Breach
from spyrium_log.messages import number_message
from spyrium_log.title import NOTHING, Effects
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.rules.turn import breach

if TYPE_CHECKING:
    from spyrium_log.titles.spyrium.moves import Pass
    from spyrium_log.titles.spyrium.state import State


def add_breaches_of_passing(state: State, act: Pass, breaches: list[Breach]) -> None:
    """Nobody passes with a worker in the market."""
    left = state.in_market(act.seat)
    if left > 0:
        breaches.append(breach("pass.workers", phrase("no-own-worker"), number_message(left)))


def effects_of_passing(_state: State, _act: Pass) -> Effects:
    """Passing moves no amounts."""
    return NOTHING
