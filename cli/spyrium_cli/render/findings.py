"""Findings as plain sentences, for formats that programs read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spyrium_log.shown import named

if TYPE_CHECKING:
    from spyrium_cli.games.verdict import Found, Side


def sentence(finding: Found, players: Sequence[str]) -> str:
    """What the rules give, what was recorded, and the nearest legal moves."""
    text = named(f"event {finding.ref}: expected {finding.expected}, found {finding.found}", players)
    if finding.ruled:
        return f"{text}; by the rules {', '.join(finding.nearest)}: {comparison(finding, players)}"
    return f"{text}; nearest legal: {', '.join(finding.nearest)}" if finding.nearest else text


def comparison(finding: Found, players: Sequence[str]) -> str:
    """Each amount and fact by the rules, beside what was recorded; empty where no move was compared."""
    return "; ".join(named(_side(side), players) for side in finding.ruled)


def _side(side: Side) -> str:
    """`seat 2 money (price) -6, recorded -5`."""
    if side.of == "fact":
        return f"{side.what} {side.rules}, recorded {side.recorded}"
    return f"seat {side.who} {side.what} ({side.why}) {side.rules:+d}, recorded {side.recorded:+d}"
