"""Other processes that do tasks for this one, each on a wire of its own.

The standard pools share one queue among their processes: one that is killed while it holds the queue's lock leaves
everybody waiting, for ever. Here nobody shares anything, and a process that is gone is heard at once.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from signal import SIG_IGN, SIGINT, SIGTERM, raise_signal, signal
from threading import Thread
from traceback import format_exc
from typing import Generic, NamedTuple, TypeVar

from spyrium_log.errors import WorkerError
from spyrium_log.signals import undisturbed

if sys.platform != "win32":
    from signal import SIG_BLOCK, SIGPIPE, pthread_sigmask

Task = TypeVar("Task")
Done = TypeVar("Done")

_GONE = "expected all processes to go on, found one that was ended from outside"


class Work(Generic[Done]):
    """A task that somebody does, or will do."""

    def __init__(self) -> None:
        self.answer: Future[bytes] = Future()

    def result(self) -> Done:
        """What came of it, once it is done. An error of the other process is raised here."""
        done, error = pickle.loads(self.answer.result())  # noqa: S301 - from a process that this one started
        if error is not None:
            raise error
        found: Done = done
        return found


class _Worker(NamedTuple):
    process: BaseProcess
    thread: Thread


class Workers(Generic[Task, Done]):
    """So many processes, and a thread for each that hands it the next task as soon as it has done one.

    Threads carry bytes only: tasks are packed and answers unpacked by whoever asks.
    """

    def __init__(self, work: Callable[[Task], Done], processes: int) -> None:
        self._tasks: SimpleQueue[tuple[bytes, Future[bytes]] | None] = SimpleQueue()
        self._workers: list[_Worker] = []
        self._is_open = True
        # Left to the first process, it lets ^C through while it starts (Python 3.11).
        resource_tracker.ensure_running()
        try:
            with undisturbed():
                for _ in range(max(1, processes)):
                    self._workers.append(self._started(work))
        except BaseException:
            self.close()
            raise

    def begun(self, task: Task) -> Work[Done]:
        if not self._is_open:
            raise WorkerError("expected a task before the processes were ended, found one after it")
        begun: Work[Done] = Work()
        self._tasks.put((pickle.dumps(task), begun.answer))
        return begun

    def close(self) -> None:
        """End them, whatever they are at. Whoever still waits is told."""
        self._is_open = False
        with suppress(Empty):
            while True:
                task = self._tasks.get_nowait()
                if task is not None:
                    task[1].set_exception(WorkerError("expected the task to be begun, found the processes ended"))
        with undisturbed():
            for worker in self._workers:
                self._tasks.put(None)
                worker.process.kill()
            for worker in self._workers:
                # While Python ends, no thread of this kind gets to its own end.
                if not sys.is_finalizing():
                    worker.thread.join()
                worker.process.join()
        self._workers.clear()

    def _started(self, work: Callable[[Task], Done]) -> _Worker:
        # Started anew and not forked: a copy of whatever else runs here could hold its locks for ever.
        spawn = get_context("spawn")
        wire, theirs = spawn.Pipe()
        with theirs:
            process = spawn.Process(target=_serve, args=(theirs, work), daemon=True)
            process.start()
        thread = Thread(target=self._hand_on, args=(wire,), daemon=True)
        thread.start()
        return _Worker(process, thread)

    def _hand_on(self, wire: Connection) -> None:
        if sys.platform != "win32":
            # Who writes to a process that is gone may not be ended by it: the command line lets pipes do that.
            pthread_sigmask(SIG_BLOCK, {SIGPIPE})
        with wire:
            while (task := self._tasks.get()) is not None:
                packed, answer = task
                try:
                    wire.send_bytes(packed)
                    answered = wire.recv_bytes()
                except (OSError, EOFError):
                    answer.set_exception(WorkerError(_GONE))
                except BaseException as error:  # noqa: BLE001 - whoever waits for it hears of it
                    # Half of something may be on the wire: nothing that comes after it would be understood.
                    wire.close()
                    answer.set_exception(error)
                else:
                    answer.set_result(answered)


def _serve(wire: Connection, work: Callable[[Task], Done]) -> None:
    """In the other process."""
    signal(SIGINT, SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # whoever asked is gone
        while True:
            wire.send_bytes(_answer(work, wire.recv_bytes()))


def _end_with_parent() -> None:
    """A task may take long, and nobody waits for it any more."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        raise_signal(SIGTERM)


def _answer(work: Callable[[Task], Done], packed: bytes) -> bytes:
    try:
        return pickle.dumps((work(pickle.loads(packed)), None))  # noqa: S301 - from whoever started this process
    except BaseException as error:  # noqa: BLE001 - whoever waits for it hears of it
        return pickle.dumps((None, _travelling(error, format_exc())))


def _travelling(error: BaseException, told: str) -> BaseException:
    """The error itself where it arrives as it left; errors with arguments of their own do not."""
    with suppress(Exception):
        arrived = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
        if isinstance(error, Exception) and str(arrived) == str(error):
            error.add_note(told)
            return error
    other = WorkerError(f"{type(error).__name__}: {error}")
    other.add_note(told)
    return other
