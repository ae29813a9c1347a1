"""Simulated players: policies that choose among legal decisions, a dealer, and the mistakes that people make."""
