"""Signals, held back for a moment."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIG_DFL, SIG_IGN, SIGINT, getsignal, raise_signal, signal
from threading import current_thread, main_thread

if sys.platform != "win32":
    from signal import SIG_BLOCK, SIG_SETMASK, SIGPIPE, pthread_sigmask


@contextmanager
def undisturbed() -> Iterator[None]:
    """^C waits until this is over. Processes that start meanwhile never hear it: who started them ends them.

    Where ^C is ignored, it stays so.
    """
    heard: list[int] = []
    # The main thread alone is interrupted, whichever thread the system tells.
    is_main = current_thread() is main_thread() and getsignal(SIGINT) != SIG_IGN
    before = signal(SIGINT, lambda number, _: heard.append(number)) if is_main else None
    # What is blocked here stays blocked in every process that starts here.
    mask = None if sys.platform == "win32" else pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        yield
    finally:
        if mask is not None:
            pthread_sigmask(SIG_SETMASK, mask)
        if is_main:
            signal(SIGINT, SIG_DFL if before is None else before)
        for number in heard[:1]:
            raise_signal(number)


@contextmanager
def outliving_pipes() -> Iterator[None]:
    """Whoever writes within to a process that is gone gets an error, where the command line would be ended by it."""
    if sys.platform == "win32" or current_thread() is not main_thread():
        yield
        return
    before = signal(SIGPIPE, SIG_IGN)
    try:
        yield
    finally:
        signal(SIGPIPE, SIG_DFL if before is None else before)
