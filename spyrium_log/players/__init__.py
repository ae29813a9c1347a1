"""Simulated players: policies that choose among legal decisions, and a dealer."""

from spyrium_log.players.policies import SPECS as SPECS
from spyrium_log.players.policies import Policy as Policy
from spyrium_log.players.policies import parse_policy as parse_policy
from spyrium_log.players.simulation import Simulation as Simulation
