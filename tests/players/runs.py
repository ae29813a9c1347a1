"""Runs of simulated games for the tests beside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spyrium_log.players import Run, policy
from tests.games import ALL_TITLES


def run(title: str = "spyrium", *policies: str, seats: Sequence[int] = (), **said: Any) -> Run:
    """A run of any title, by greedy players if nobody is named."""
    door = ALL_TITLES[title]
    return Run(
        title=door,
        seed=said.pop("seed", 1),
        policies=tuple(map(policy, policies or ("greedy",))),
        seats=tuple(seats or door.seats),
        options=said.pop("options", door.options()),
        sheet=door.sheet(),
        **said,
    )
