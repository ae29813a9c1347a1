"""Other processes that do tasks: what comes back, and that nobody waits for one that is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import pytest

from spyrium_log.errors import StoreError, WorkerError
from spyrium_log.workers import Work, Workers

# More than a pipe holds: who sends it waits for somebody who reads.
LARGE = b"." * 4_000_000
GONE = "found one that was ended from outside"
PATIENCE = 60


def done(task: Any) -> Any:
    """What a worker does here: a task is what it answers, or something to call."""
    return task() if callable(task) else task


def refuses() -> None:
    raise StoreError("no-log", place="game.jsonl")


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def for_ever(began: Path) -> None:
    began.write_text(str(os.getpid()), encoding="ascii")
    while True:
        time.sleep(PATIENCE)


@contextmanager
def working(processes: int) -> Iterator[Workers[Any, Any]]:
    with closing(Workers(done, processes)) as workers:
        yield workers


def waited(work: Work[Any]) -> Any:
    """What came of it; a failure where nothing ever does."""
    found: list[Any] = []

    def wait() -> None:
        try:
            found.append(work.result())
        except Exception as error:  # noqa: BLE001 - looked at below
            found.append(error)

    thread = Thread(target=wait, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert found, "it waits for ever"
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it never came so far"
        time.sleep(0.005)


@pytest.mark.parametrize("processes", [1, 3])
def test_every_task_has_its_own_answer(processes: int) -> None:
    with working(processes) as workers:
        begun = [workers.submit(nth) for nth in range(50)]
        assert [waited(work) for work in begun] == list(range(50))


def test_an_answer_may_be_asked_twice_and_be_large() -> None:
    with working(1) as workers:
        begun = [workers.submit(LARGE) for _ in range(3)]
        assert [waited(work) == LARGE for work in (*begun, *begun)] == [True] * 6


def test_an_error_there_is_raised_here_and_says_where_it_was() -> None:
    with working(1) as workers:
        with pytest.raises(StoreError, match="expected a log, found no such file") as raised:
            waited(workers.submit(refuses))
        assert "in refuses" in "".join(raised.value.__notes__)
        assert waited(workers.submit("and goes on")) == "and goes on"


def test_where_everybody_was_killed_no_task_waits() -> None:
    with working(2) as workers:
        lost = [workers.submit(killed) for _ in range(2)]
        late = [workers.submit(LARGE) for _ in range(4)]
        for work in (*lost, *late):
            with pytest.raises(WorkerError, match=GONE):
                waited(work)


class LocalError(Exception):
    """An error that needs two words to be made, and one that cannot travel."""

    def __init__(self, one: str, other: object) -> None:
        super().__init__(f"{one} {other}")
        self.other = other


def fails(how: str) -> None:
    match how:
        case "words":
            raise LocalError("two", "words")
        case "lock":
            raise LocalError("a", Lock())
        case "exit":
            raise SystemExit(3)


def gives_a_lock() -> object:
    return Lock()


@pytest.mark.parametrize(
    ("task", "said"),
    [
        (partial(fails, "words"), "^LocalError: two words"),
        (partial(fails, "lock"), "^LocalError: a <unlocked "),
        (partial(fails, "exit"), "^SystemExit: 3"),
        (gives_a_lock, "cannot pickle '_thread.lock' object"),
    ],
)
def test_what_cannot_travel_comes_as_words_and_the_worker_goes_on(task: Callable[[], object], said: str) -> None:
    with working(1) as workers:
        with pytest.raises((WorkerError, TypeError), match=said):
            waited(workers.submit(task))
        assert waited(workers.submit("and goes on")) == "and goes on"


@pytest.fixture
def writing_ends_us() -> Iterator[None]:
    """As the command line has it: who writes into a pipe that nobody reads is ended."""
    before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGPIPE, before)


@pytest.mark.usefixtures("writing_ends_us")
def test_a_worker_killed_while_it_is_handed_a_task_is_missed() -> None:
    with working(1) as workers:
        pid = waited(workers.submit(os.getpid))
        os.kill(pid, signal.SIGSTOP)
        lost = workers.submit(LARGE)
        time.sleep(0.05)  # the pipe is full by now; were it not, the test would be an easier one
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(WorkerError, match=GONE):
            waited(lost)
        with pytest.raises(WorkerError, match=GONE):
            waited(workers.submit(LARGE))


def test_closing_waits_for_no_task(tmp_path: Path) -> None:
    workers: Workers[Any, Any] = Workers(done, 2)
    busy = [workers.submit(partial(for_ever, tmp_path / str(nth))) for nth in range(2)]
    never = workers.submit("never begun")
    until(lambda: len(list(tmp_path.iterdir())) == len(busy))
    workers.close()
    for work in busy:
        with pytest.raises(WorkerError, match=GONE):
            waited(work)
    with pytest.raises(WorkerError, match="expected the task to be begun, found the processes ended"):
        waited(never)
    with pytest.raises(WorkerError, match="found one after it"):
        workers.submit("late")
    workers.close()


class Interrupted(Workers[Any, Any]):
    """^C comes while the second process is started."""

    def _start(self, work: Callable[[Any], Any]) -> Any:
        if self._workers:
            os.kill(os.getpid(), signal.SIGINT)
        return super()._start(work)


@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_while_they_start_is_heard_and_leaves_none() -> None:
    with pytest.raises(KeyboardInterrupt):
        Interrupted(done, 3)
    assert active_children() == []


PARENT = """
import sys
from functools import partial
from pathlib import Path
from spyrium_log.workers import Workers
from tests.test_workers import done, for_ever
if __name__ == "__main__":
    workers = Workers(done, 1)
    workers.submit(partial(for_ever, Path(sys.argv[1])))
    sys.stdin.read()
"""


def test_a_worker_ends_with_whoever_start_it_also_in_the_middle_of_a_task(tmp_path: Path) -> None:
    began, script = tmp_path / "began", tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen([sys.executable, script, began], stdin=subprocess.PIPE, env=env) as parent:
        until(lambda: began.exists() and began.read_text(encoding="ascii") != "")
        worker = int(began.read_text(encoding="ascii"))
        parent.kill()
    until(lambda: not is_alive(worker))


def is_alive(pid: int) -> bool:
    try:
        # Nobody may have asked yet how it ended.
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_worker_does_not_hear_an_interrupt() -> None:
    with working(1) as workers:
        pid = waited(workers.submit(os.getpid))
        os.kill(pid, signal.SIGINT)
        assert waited(workers.submit(os.getpid)) == pid


def test_they_can_be_start_by_any_thread() -> None:
    found: list[Any] = []

    def elsewhere() -> None:
        with working(1) as workers:
            found.append(waited(workers.submit("here")))

    thread = Thread(target=elsewhere)
    thread.start()
    thread.join(PATIENCE)
    assert found == ["here"]
