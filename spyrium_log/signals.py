"""Signals that are delayed or ignored for a moment."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIG_DFL, SIG_IGN, SIGINT, getsignal, raise_signal, signal
from threading import current_thread, main_thread

if sys.platform != "win32":
    from signal import SIG_BLOCK, SIG_SETMASK, SIGPIPE, pthread_sigmask


@contextmanager
def delayed_interrupt() -> Iterator[None]:
    """Delay ^C to the end of the block. Processes started in it never get ^C: whoever started them ends them."""
    received: list[int] = []
    # only the main thread handles signals, whichever thread the system picks; where ^C is ignored, it stays so
    is_main = current_thread() is main_thread() and getsignal(SIGINT) != SIG_IGN
    before = signal(SIGINT, lambda number, _: received.append(number)) if is_main else None
    # processes inherit what is blocked where they are started
    mask = None if sys.platform == "win32" else pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        yield
    finally:
        if mask is not None:
            pthread_sigmask(SIG_SETMASK, mask)
        if is_main:
            signal(SIGINT, SIG_DFL if before is None else before)
        for number in received[:1]:
            raise_signal(number)


@contextmanager
def no_broken_pipes() -> Iterator[None]:
    """In the block, writing to a process that is gone is an error; outside, it ends the command line."""
    if sys.platform == "win32" or current_thread() is not main_thread():
        yield
        return
    before = signal(SIGPIPE, SIG_IGN)
    try:
        yield
    finally:
        signal(SIGPIPE, SIG_DFL if before is None else before)
