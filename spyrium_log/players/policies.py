"""Who chooses: policies over the door, so that they play any title.

A policy sees the table as it lies there, and has dice of its own. What is still in a deck lies nowhere: a round is
dealt when it is due, by dice that no policy has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from spyrium_log.errors import PolicyError
from spyrium_log.players.chance import Chance
from spyrium_log.players.greedy import best
from spyrium_log.players.search import searched
from spyrium_log.title import AnyTitle

# Of several legal acts, one.
Choose: TypeAlias = Callable[[AnyTitle, Any, Sequence[Any], Chance], Any]

PLAYOUTS = 50
MOST_PLAYOUTS = 100_000

SEARCH = re.compile(r"search(?::([0-9]{1,6}))?")


@dataclass(frozen=True, slots=True)
class Policy:
    """How somebody chooses. `spec` is what it is asked for by, `playouts` how far it looks for each decision."""

    spec: str
    among: Choose
    playouts: int = 0

    @property
    def name(self) -> str:
        """Fit for a player's name: in a transcript a colon ends one."""
        return self.spec.replace(":", "")

    def choose(self, title: AnyTitle, state: Any, dice: Chance) -> Any:
        """The next act of whoever the table waits for; None where the rules leave nothing to do."""
        acts = title.legal(state)
        if len(acts) > 1:
            return self.among(title, state, acts, dice)
        return acts[0] if acts else None


def _by_chance(_title: AnyTitle, _state: Any, acts: Sequence[Any], dice: Chance) -> Any:
    return dice.choice(acts)


POLICIES: Mapping[str, str] = MappingProxyType(
    {
        "random": "any legal act",
        "greedy": "what looks best at once",
        "search:N": f"what does best in N playouts of the round ({PLAYOUTS} if not said)",
    }
)


def policy(spec: str) -> Policy:
    """The policy of that name."""
    if spec == "random":
        return Policy(spec, _by_chance)
    if spec == "greedy":
        return Policy(spec, best)
    found = SEARCH.fullmatch(spec)
    playouts = int(found[1] or PLAYOUTS) if found else 0
    if not 0 < playouts <= MOST_PLAYOUTS:
        known = ", ".join(POLICIES)
        raise PolicyError(f"expected a policy of {known} with N from 1 to {MOST_PLAYOUTS}, found '{spec[:60]}'")
    return Policy(f"search:{playouts}", partial(searched, playouts=playouts), playouts)
