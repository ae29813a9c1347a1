"""How long somebody waits for a file that another process has locked. The library waits for nobody unless told to."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from spyrium_log.errors import LockedError, StoreError

# A lock is looked at again after a pause that grows from the first to the last, in seconds.
FIRST_PAUSE, LAST_PAUSE, GROWTH = 0.002, 0.05, 1.5
# Nobody wonders before that many seconds.
TELL_AFTER = 1.0


class Patience(NamedTuple):
    """So many seconds. `tell` hears once what is waited for, as soon as that takes longer than a moment."""

    seconds: float = 0
    tell: Callable[[LockedError], None] | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class Wait:
    """One wait, which begins now."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._began = patience.clock()
        self._pause = FIRST_PAUSE
        self._is_told = False

    def pause(self, obstacle: StoreError) -> bool:
        """Sleep a moment; False at once where the time is up."""
        patience = self._patience
        waited = patience.clock() - self._began
        left = patience.seconds - waited
        if left <= 0:
            return False
        if waited >= TELL_AFTER and not self._is_told and patience.tell and isinstance(obstacle, LockedError):
            self._is_told = True
            patience.tell(obstacle)
        patience.sleep(min(self._pause, left))
        self._pause = min(self._pause * GROWTH, LAST_PAUSE)
        return True


AT_ONCE = Patience()
