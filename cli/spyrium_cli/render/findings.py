"""Findings as plain sentences, for formats that programs read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spyrium_log.messages import Reader, comparison

if TYPE_CHECKING:
    from spyrium_cli.games.verdict import CheckedFinding, Side


def sentence(finding: CheckedFinding, players: Sequence[str]) -> str:
    """What the rules give, what was recorded, and the nearest legal moves."""
    text = f"event {finding.ref}: {comparison(finding.expected, finding.found, Reader(names=players, minus='-'))}"
    if finding.ruled:
        return f"{text}; by the rules {', '.join(finding.nearest)}: {side_by_side(finding, players)}"
    return f"{text}; nearest legal: {', '.join(finding.nearest)}" if finding.nearest else text


def side_by_side(finding: CheckedFinding, players: Sequence[str]) -> str:
    """Each amount and fact by the rules, beside what was recorded; empty where no move was compared."""
    reader = Reader(names=players, minus="-")
    return "; ".join(_side_text(side, reader) for side in finding.ruled)


def _side_text(side: Side, reader: Reader) -> str:
    """`Bob money (price) -6, recorded -5`."""
    if side.of == "fact":
        return f"{side.what.text_for(reader)} {side.rules}, recorded {side.recorded}"
    who = reader.player(side.who)
    return f"{who} {side.what} ({side.why}) {side.rules:+d}, recorded {side.recorded:+d}"
