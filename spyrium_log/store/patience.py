"""Waiting for a file that another process has locked. By default the library does not wait."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from spyrium_log.errors import LockedError, StoreError

# Seconds between two attempts to lock: they grow from the first pause to the last.
FIRST_PAUSE, LAST_PAUSE, GROWTH = 0.002, 0.05, 1.5
# After so many seconds a person wants to know what takes so long.
TELL_AFTER = 1.0


class Patience(NamedTuple):
    """How many seconds to wait. `tell` is called once with the obstacle, after TELL_AFTER seconds."""

    seconds: float = 0
    tell: Callable[[LockedError], None] | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class Wait:
    """One wait; it begins when this is made."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._began = patience.clock()
        self._pause = FIRST_PAUSE
        self._is_announced = False

    def pause(self, obstacle: StoreError) -> bool:
        """Sleep for a moment and return True; False without sleeping where the time is up."""
        patience = self._patience
        waited = patience.clock() - self._began
        left = patience.seconds - waited
        if left <= 0:
            return False
        if waited >= TELL_AFTER and not self._is_announced and patience.tell and isinstance(obstacle, LockedError):
            self._is_announced = True
            patience.tell(obstacle)
        patience.sleep(min(self._pause, left))
        self._pause = min(self._pause * GROWTH, LAST_PAUSE)
        return True


AT_ONCE = Patience()
