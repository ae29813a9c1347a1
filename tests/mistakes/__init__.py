"""Simulated games in which people misplay, miscount, take back, amend, rule, look away, give up and write notes."""
