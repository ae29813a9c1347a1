"""What is measured: each contender does one well-named thing to its own input and says how many units that was."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Contender:
    """`fed`: what goes in, for a ratio means little without it. `before` each run, and off the clock."""

    name: str
    fed: str
    unit: str
    units: int
    run: Callable[[], object]
    before: Callable[[], object] = int


class Absent(NamedTuple):
    """A contender that this machine does not have, and why."""

    name: str
    why: str


Entrant = Contender | Absent


def measured(field: Sequence[Contender], rounds: int) -> dict[str, float]:
    """Median seconds a unit. Interleaved, so that a slow minute of the machine is everybody's."""
    times: dict[str, list[float]] = {each.name: [] for each in field}
    for each in field:
        each.run()
    for _ in range(rounds):
        for each in field:
            each.before()
            start = time.perf_counter()
            each.run()
            times[each.name].append(time.perf_counter() - start)
    return {each.name: median(times[each.name]) / each.units for each in field}
