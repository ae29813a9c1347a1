"""Worker processes, each with a pipe of its own.

The standard pools share one queue among their processes: a worker that is killed while it holds the queue's lock leaves
all others waiting for ever. Here workers share nothing, and a killed one is noticed at once.
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
from typing import Generic, NamedTuple, TypeVar, cast

from spyrium_log.errors import WorkerError
from spyrium_log.garbage import look_rarely
from spyrium_log.signals import delayed_interrupt

if sys.platform != "win32":
    from signal import SIG_BLOCK, SIGPIPE, pthread_sigmask

Task = TypeVar("Task")
Result = TypeVar("Result")


class Work(Generic[Result]):
    """A task that was handed to the workers."""

    def __init__(self) -> None:
        """A task without an answer yet; a thread sets it."""
        self.answer: Future[bytes] = Future()

    def result(self) -> Result:
        """Wait for the result. An error of the worker is raised here."""
        result, error = pickle.loads(self.answer.result())  # noqa: S301 - from a process that this one started
        if error is not None:
            raise error
        return cast("Result", result)


class _Worker(NamedTuple):
    process: BaseProcess
    thread: Thread


class Workers(Generic[Task, Result]):
    """Worker processes, each with a thread that hands it tasks; callers pickle what goes in and unpickle what comes."""

    def __init__(self, work: Callable[[Task], Result], processes: int) -> None:
        """Start so many processes, at least one, which do this work with each task."""
        self._tasks: SimpleQueue[tuple[bytes, Future[bytes]] | None] = SimpleQueue()
        self._workers: list[_Worker] = []
        self._is_open = True
        # started by the first worker instead, it would let ^C through (Python 3.11)
        resource_tracker.ensure_running()
        try:
            with delayed_interrupt():
                for _ in range(max(1, processes)):
                    self._workers.append(self._start(work))
        except BaseException:
            self.close()
            raise

    def submit(self, task: Task) -> Work[Result]:
        """Hand in a task; a worker begins it as soon as one is free."""
        if not self._is_open:
            raise WorkerError("workers-ended")
        work: Work[Result] = Work()
        self._tasks.put((pickle.dumps(task), work.answer))
        return work

    def close(self) -> None:
        """Kill the workers, whatever they are doing. Whoever waits for a task gets an error."""
        self._is_open = False
        with suppress(Empty):
            while True:
                if (task := self._tasks.get_nowait()) is not None:
                    _, answer = task
                    answer.set_exception(WorkerError("task-not-begun"))
        with delayed_interrupt():
            for worker in self._workers:
                self._tasks.put(None)
                worker.process.kill()
            for worker in self._workers:
                # daemon threads never finish while Python shuts down
                if not sys.is_finalizing():
                    worker.thread.join()
                worker.process.join()
        self._workers.clear()

    def _start(self, work: Callable[[Task], Result]) -> _Worker:
        """Start a worker process and the thread that hands it tasks."""
        # not forked: a copy of this process could hold locks of its other threads for ever
        spawn = get_context("spawn")
        pipe, worker_end = spawn.Pipe()
        with worker_end:
            process = spawn.Process(target=_serve, args=(worker_end, work), daemon=True)
            process.start()
        thread = Thread(target=self._hand_tasks, args=(pipe,), daemon=True)
        thread.start()
        return _Worker(process, thread)

    def _hand_tasks(self, pipe: Connection) -> None:
        """Hand the tasks of the queue to one worker, until the queue says that there are no more."""
        if sys.platform != "win32":
            # the command line ends at a broken pipe, but a killed worker must not end it
            pthread_sigmask(SIG_BLOCK, {SIGPIPE})
        with pipe:
            while (task := self._tasks.get()) is not None:
                pickled, answer = task
                try:
                    pipe.send_bytes(pickled)
                    result = pipe.recv_bytes()
                except (OSError, EOFError):
                    answer.set_exception(WorkerError("worker-killed"))
                except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
                    # half a message may be in the pipe: nothing after it could be read
                    pipe.close()
                    answer.set_exception(error)
                else:
                    answer.set_result(result)


def _serve(pipe: Connection, work: Callable[[Task], Result]) -> None:
    """What a worker process runs: it answers tasks until the pipe is closed, and ends with its parent."""
    # ^C reaches whoever started the workers, and they end with it
    signal(SIGINT, SIG_IGN)
    look_rarely()
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            pipe.send_bytes(_run_task(work, pipe.recv_bytes()))


def _end_with_parent() -> None:
    """End this process as soon as its parent is gone, in the middle of a task too."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        raise_signal(SIGTERM)


def _run_task(work: Callable[[Task], Result], pickled: bytes) -> bytes:
    """Run a pickled task and return a pickled pair: the result, or None and the error."""
    try:
        return pickle.dumps((work(pickle.loads(pickled)), None))  # noqa: S301 - from whoever started this process
    except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
        return pickle.dumps((None, _make_picklable(error, format_exc())))


def _make_picklable(error: BaseException, traceback: str) -> BaseException:
    """The error if pickle keeps it as it is, else a WorkerError; with the traceback as a note."""
    picklable: BaseException = WorkerError("of-worker", kind=type(error).__name__, message=str(error))
    with suppress(Exception):
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
        if isinstance(error, Exception) and str(copy) == str(error):
            picklable = error
    picklable.add_note(traceback)
    return picklable
