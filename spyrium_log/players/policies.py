"""Policies: how a simulated player of any title chooses among the legal acts.

A policy sees the state and has dice of its own. Cards are dealt when a deal is due, by dice that no policy has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from spyrium_log.errors import PolicyError
from spyrium_log.players.chance import Chance
from spyrium_log.players.greedy import best
from spyrium_log.players.search import searched
from spyrium_log.title import AnyTitle

# Picks one of several legal acts.
Choose: TypeAlias = Callable[[AnyTitle, Any, Sequence[Any], Chance], Any]

# What a policy is called.
SPECS = ("random", "greedy", "search:N")

PLAYOUTS = 50
MAX_PLAYOUTS = 100_000

_SEARCH = re.compile(r"search(?::([0-9]{1,6}))?")


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to choose; `spec` is its name on the command line."""

    spec: str
    among: Choose

    @property
    def name(self) -> str:
        """The name of a player; without the colon, which ends a name in a transcript."""
        return self.spec.replace(":", "")

    def choose(self, title: AnyTitle, state: Any, dice: Chance) -> Any:
        """The next act of the seat to act; None where no act is legal."""
        acts = title.legal(state)
        if len(acts) > 1:
            return self.among(title, state, acts, dice)
        return acts[0] if acts else None


def policy(spec: str) -> Policy:
    """The policy of one of the `SPECS`."""
    if spec == "random":
        return Policy(spec, lambda _title, _state, acts, dice: dice.choice(acts))
    if spec == "greedy":
        return Policy(spec, best)
    match = _SEARCH.fullmatch(spec)
    playouts = int(match[1] or PLAYOUTS) if match else 0
    if not 0 < playouts <= MAX_PLAYOUTS:
        known = ", ".join(SPECS)
        raise PolicyError(f"expected a policy of {known} with N from 1 to {MAX_PLAYOUTS}, found '{spec[:60]}'")
    return Policy(f"search:{playouts}", partial(searched, playouts=playouts))
