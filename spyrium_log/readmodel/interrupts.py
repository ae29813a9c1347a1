"""Ctrl-C while DuckDB works.

In the main thread DuckDB checks for Ctrl-C now and then; with more threads than cores, hardly ever. So it works in a
thread of its own, and the main thread, the only one that gets Ctrl-C, waits, and interrupts it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

# Seconds to wait for it: within one function of one row DuckDB does not check.
GRACE = 1.0
AGAIN = 0.05
_WORKER = "a question to DuckDB"

Found = TypeVar("Found")


class UnstoppedInterrupt(KeyboardInterrupt):
    """Ctrl-C, and the work goes on all the same: its connection must be left alone."""


def stoppable(work: Callable[[], Found], stop: Callable[[], None]) -> Found:
    """The result of the work. Ctrl-C interrupts it and waits until it has ended, but not for long."""
    result: Future[Found] = Future()

    def run() -> None:
        """Do the work and hand over its result, or its error."""
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            result.set_exception(error)

    worker = threading.Thread(target=run, name=_WORKER, daemon=True)
    try:
        worker.start()
        return result.result()
    except KeyboardInterrupt:
        if worker.is_alive() and not _stop_within_grace(worker, stop):
            raise UnstoppedInterrupt from None
        raise


def _stop_within_grace(worker: threading.Thread, stop: Callable[[], None]) -> bool:
    """Interrupt the work until it ends; False if it does not within the grace."""
    deadline = time.monotonic() + GRACE
    try:
        while worker.is_alive() and time.monotonic() < deadline:
            # Again and again: a statement that has not begun yet is not interrupted.
            stop()
            worker.join(AGAIN)
    except KeyboardInterrupt:
        # A second Ctrl-C: do not wait.
        return False
    return not worker.is_alive()


def is_still_at_work() -> bool:
    """Whether an interrupted query still runs. The process should then end without waiting for it."""
    return any(thread.name == _WORKER for thread in threading.enumerate())
