"""Simulated players: policies that choose among legal decisions, a dealer, and the mistakes that people make."""

from __future__ import annotations

from spyrium_log.players.policies import POLICIES, Policy, policy
from spyrium_log.players.simulation import MOST_GAMES, Made, Run

__all__ = ["MOST_GAMES", "POLICIES", "Made", "Policy", "Run", "policy"]
