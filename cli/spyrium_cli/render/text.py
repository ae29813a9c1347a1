"""Words for people. What a log says is made plain before it is shown."""

from __future__ import annotations

from spyrium_log.shown import plain

__all__ = ["counted", "plain"]


def counted(n: int, one: str) -> str:
    """1 event, 2 events."""
    return f"{n} {one}{'' if n == 1 else 's'}"
