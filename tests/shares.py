"""How much of a long test CI runs. `TESTS=whole` runs all of it, as `make fuzz` does."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

IS_WHOLE = os.environ.get("TESTS") == "whole"


def share(cases: Iterable[T], n: int) -> list[T]:
    """Every n-th of these cases, from the first on."""
    return list(cases)[:: 1 if IS_WHOLE else n]


def part(whole: int, n: int) -> int:
    """One n-th of so many, and at least one."""
    return whole if IS_WHOLE else max(whole // n, 1)
