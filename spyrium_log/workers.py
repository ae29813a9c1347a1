"""Other processes that do tasks for this one, each on a wire of its own.

The standard pools share one queue among their processes: one that is killed while it holds the queue's lock leaves
everybody waiting, for ever. Here nobody shares anything, and a process that is gone is heard at once.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from signal import SIG_IGN, SIGINT, signal
from threading import Thread, current_thread, main_thread
from traceback import format_exc
from typing import Generic, NamedTuple, TypeVar

from spyrium_log.errors import WorkerError

if sys.platform != "win32":
    from signal import SIG_BLOCK, SIGPIPE, pthread_sigmask

Task = TypeVar("Task")
Done = TypeVar("Done")


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
        try:
            with _uninterrupted():
                for _ in range(processes):
                    self._workers.append(self._started(work))
        except BaseException:
            self.close()
            raise

    def begun(self, task: Task) -> Work[Done]:
        begun: Work[Done] = Work()
        self._tasks.put((pickle.dumps(task), begun.answer))
        return begun

    def close(self) -> None:
        """End them, whatever they are at."""
        while not self._tasks.empty():
            self._tasks.get()
        for worker in self._workers:
            self._tasks.put(None)
            worker.process.kill()
        for worker in self._workers:
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
                    answer.set_result(wire.recv_bytes())
                except (OSError, EOFError):
                    answer.set_exception(
                        WorkerError("expected all processes to go on, found one that was ended from outside")
                    )


def _serve(wire: Connection, work: Callable[[Task], Done]) -> None:
    """In the other process."""
    signal(SIGINT, SIG_IGN)
    with suppress(EOFError, OSError):  # whoever asked is gone
        while True:
            wire.send_bytes(_answer(work, wire.recv_bytes()))


def _answer(work: Callable[[Task], Done], packed: bytes) -> bytes:
    try:
        return pickle.dumps((work(pickle.loads(packed)), None))  # noqa: S301 - from whoever started this process
    except Exception as error:  # noqa: BLE001 - whoever waits for it hears of it
        error.add_note(format_exc())
        return pickle.dumps((None, error))


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes that start now do not hear ^C, not even while they load: whoever started them does, and ends them."""
    if current_thread() is not main_thread():  # which alone may say what ^C does
        yield
        return
    before = signal(SIGINT, SIG_IGN)
    try:
        yield
    finally:
        signal(SIGINT, before)
