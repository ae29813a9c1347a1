"""Ctrl-C while DuckDB works.

Asked from the main thread, DuckDB looks for Ctrl-C now and then; with more threads than cores, hardly ever. So it works
in a thread of its own, and the main thread, the only one that hears Ctrl-C, waits, and tells it to stop.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

# How long it is waited for, in seconds: inside one function of one row DuckDB does not look.
GRACE = 1.0
AGAIN = 0.05
_WORKER = "a question to DuckDB"

Found = TypeVar("Found")


class UnstoppedInterrupt(KeyboardInterrupt):
    """Ctrl-C, and the work goes on all the same. What it works with must be left alone."""


def stoppable(work: Callable[[], Found], stop: Callable[[], None]) -> Found:
    """What the work comes to; Ctrl-C tells it to stop, and waits until it has, but not for long."""
    found: Future[Found] = Future()

    def run() -> None:
        try:
            found.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            found.set_exception(error)

    worker = threading.Thread(target=run, name=_WORKER, daemon=True)
    try:
        worker.start()
        return found.result()
    except KeyboardInterrupt:
        if worker.is_alive() and not _stopped(worker, stop):
            raise UnstoppedInterrupt from None
        raise


def _stopped(worker: threading.Thread, stop: Callable[[], None]) -> bool:
    until = time.monotonic() + GRACE
    try:
        while worker.is_alive() and time.monotonic() < until:
            # Again and again: what has not begun yet does not hear it.
            stop()
            worker.join(AGAIN)
    except KeyboardInterrupt:
        # Somebody is in a hurry.
        return False
    return not worker.is_alive()


def is_still_at_work() -> bool:
    """Whether a question goes on that nobody waits for any more. Who leaves then, should leave at once."""
    return any(thread.name == _WORKER for thread in threading.enumerate())
