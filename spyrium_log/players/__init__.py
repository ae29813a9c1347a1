"""Simulated players: policies that choose among legal decisions, a dealer, and the mistakes that people make."""

from __future__ import annotations

from spyrium_log.players.policies import POLICIES, Policy, policy
from spyrium_log.players.simulation import Made, Run

__all__ = ["POLICIES", "Made", "Policy", "Run", "policy"]
