"""How often Python looks for garbage that refers to itself. Our lines, states and rows do not, and there are many."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# After so many new objects: as often as usual, which is after 700, it takes up to a third of the time.
NEW_OBJECTS = 50_000


def look_rarely() -> None:
    """For a process of our own."""
    gc.set_threshold(NEW_OBJECTS)


@contextmanager
def looked_for_rarely() -> Iterator[None]:
    """For a block in somebody else's process."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], NEW_OBJECTS), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
