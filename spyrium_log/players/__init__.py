"""Simulated players: policies that choose among legal decisions, and a dealer."""

from __future__ import annotations

from spyrium_log.players.policies import SPECS, Policy, policy
from spyrium_log.players.simulation import Simulation

__all__ = ["SPECS", "Policy", "Simulation", "policy"]
