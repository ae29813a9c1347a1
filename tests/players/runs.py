"""Simulations for the tests beside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spyrium_log.players import Simulation, parse_policy
from tests.games import ALL_TITLES


def simulation(title: str = "spyrium", *policies: str, seats: Sequence[int] = (), **changed: Any) -> Simulation:
    """Games of any title, by greedy players if none are named."""
    door = ALL_TITLES[title]
    return Simulation(
        title=door,
        seed=changed.pop("seed", 1),
        policies=tuple(map(parse_policy, policies or ("greedy",))),
        seats=tuple(seats or door.seats),
        options=changed.pop("options", door.options()),
        sheet=door.playable_sheet(),
        **changed,
    )
