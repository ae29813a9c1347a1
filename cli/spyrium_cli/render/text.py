"""Words for people. What a log says is made plain before it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spyrium_log.shown import named, plain

if TYPE_CHECKING:
    from spyrium_cli.verdict import Found
    from spyrium_log.replay import Finding

__all__ = ["counted", "plain", "told_finding"]


def counted(n: int, one: str) -> str:
    """1 event, 2 events."""
    return f"{n} {one}{'' if n == 1 else 's'}"


def told_finding(finding: Finding | Found, names: Sequence[str]) -> str:
    """The rule with its number, what it expected and what it found, and how the table lives with it."""
    number = f" ({finding.number})" if finding.number else ""
    status = finding.status + (", on the sheet" if finding.on == "sheet" else "")
    return f"{finding.rule}{number}: {named(f'expected {finding.expected}, found {finding.found}', names)} [{status}]"
