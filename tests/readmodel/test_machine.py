"""What people and machines do to the index: Ctrl-C, a folder that takes nothing, a disk that is full."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from multiprocessing import cpu_count
from pathlib import Path
from typing import NoReturn

import duckdb
import pytest
from click.testing import CliRunner, Result

from spyrium_cli.main import cli
from spyrium_cli.sql import index as command_line
from spyrium_log.readmodel import answers, connections, load
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.connections import UnstoppedInterrupt, is_still_at_work, run, run_stoppably
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.store import Folder
from tests.readmodel.archive import many, raw

ROOT = Path(__file__).parents[2]
SPYRIUM = [sys.executable, "-m", "spyrium_cli"]
# As many seconds as no machine needs, and far fewer than the questions here would take.
LONG = 30


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three games, and a log that is none."""
    archive = Folder(tmp_path / "archive")
    for seed in (1, 2, 4):
        archive.write_whole(raw(seed))
    (archive.path / "none.jsonl").write_bytes(b"{}\n")
    return archive.path


def environment(**named: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'cli'}", **named}


# --- Ctrl-C --------------------------------------------------------------------------------------

# Long, and small enough in memory for any machine: a list expression holds a few thousand inner lists at once.
LASTING = {
    "cross join": "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b",
    "list expression": "SELECT list_sum([list_sum([x * y for y in range(10000)]) for x in range(3000000)])",
    "recursion": "WITH RECURSIVE t AS (SELECT 1::HUGEINT AS x UNION ALL SELECT x + 1 FROM t) SELECT max(x) FROM t",
    "one function of one row": "SELECT levenshtein(repeat('a', 900000), repeat('b', 900000))",
}


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("question", LASTING)
def test_ctrl_c_ends_every_question(folder: Path, question: str, counts: Counter[str]) -> None:
    asked = [*SPYRIUM, "--archive", str(folder), "query", LASTING[question]]
    pipe = subprocess.PIPE
    with subprocess.Popen(asked, env=environment(), stdout=pipe, stderr=pipe, text=True) as child:
        try:
            assert child.stderr is not None
            # Said when the index is up to date: what comes next is the question.
            assert child.stderr.readline().startswith("Warning: left out: ")
            time.sleep(0.2)
            assert child.poll() is None
            child.send_signal(signal.SIGINT)
            said = child.communicate(timeout=LONG)
        finally:
            child.kill()
    assert (child.returncode, said) == (130, ("", "\n"))
    counts["questions that Ctrl-C ended"] += 1


def interrupt_us() -> None:
    main = threading.main_thread().ident
    assert main is not None
    signal.pthread_kill(main, signal.SIGINT)


class Work:
    """Work that goes on until it is told to stop, and hears that or not. It begins with a Ctrl-C."""

    def __init__(self) -> None:
        self.is_told = threading.Event()

    def __call__(self) -> None:
        interrupt_us()
        self.is_told.wait(LONG)

    def stop(self) -> None:
        self.is_told.set()


@pytest.mark.usefixtures("interrupts")
def test_work_is_told_to_stop_and_waited_for() -> None:
    work = Work()
    with pytest.raises(KeyboardInterrupt) as caught:
        run_stoppably(work, work.stop)
    assert caught.type is KeyboardInterrupt
    assert work.is_told.is_set()
    assert not is_still_at_work()


def hears_nothing() -> None:
    """Not even this."""


def is_in_a_hurry() -> NoReturn:
    raise KeyboardInterrupt


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("stop", [hears_nothing, is_in_a_hurry])
def test_work_that_does_not_stop_is_left_alone(monkeypatch: pytest.MonkeyPatch, stop: type[None]) -> None:
    monkeypatch.setattr(connections, "GRACE", 0.1)
    left: list[int] = []
    monkeypatch.setattr("spyrium_cli.sql.index.os._exit", left.append)
    work = Work()
    with pytest.raises(UnstoppedInterrupt):
        run_stoppably(work, stop)
    assert is_still_at_work()
    command_line._end_with_running_query()  # noqa: SLF001 - what the end of the process calls
    assert left == [130]
    work.stop()
    for thread in threading.enumerate():
        if thread is not threading.main_thread():
            thread.join(LONG)
    command_line._end_with_running_query()  # noqa: SLF001
    assert left == [130]


def test_what_work_comes_to_is_what_comes_back() -> None:
    assert run_stoppably(lambda: 7, hears_nothing) == 7
    with pytest.raises(ZeroDivisionError):
        run_stoppably(lambda: 1 // 0, hears_nothing)


def test_a_connection_that_is_still_at_work_is_not_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing it would wait for it."""
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, [])
    used: list[duckdb.DuckDBPyConnection] = []

    def unstopped(_work: object, stop: object) -> NoReturn:
        used.append(stop.__self__)  # type: ignore[attr-defined]
        raise UnstoppedInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(answers, "run_stoppably", unstopped)
        with pytest.raises(UnstoppedInterrupt):
            query(index, "SELECT 1")
    assert run(used[0], "SELECT 1") == [(1,)]
    used.pop().close()


class Interrupted:
    """A connection in the main thread, on which somebody presses Ctrl-C."""

    def __init__(self, said: str) -> None:
        self.said = said

    def execute(self, _sql: str, _parameters: object) -> NoReturn:
        raise RuntimeError(self.said)


@pytest.mark.parametrize(
    ("said", "raised"), [("Query interrupted", KeyboardInterrupt), ("something else", RuntimeError)]
)
def test_ctrl_c_while_the_index_is_written_is_ctrl_c(said: str, raised: type[BaseException]) -> None:
    with pytest.raises(raised):
        run(Interrupted(said), "SELECT 1")  # type: ignore[arg-type]


def test_no_more_threads_than_cores(tmp_path: Path) -> None:
    """With more of them DuckDB hears nothing for as long as all cores are busy."""
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, [])
    ((threads,),) = query(index, "SELECT current_setting('threads')").rows
    assert 1 <= threads <= min(4, cpu_count())


# --- a folder that takes nothing -----------------------------------------------------------------

GAMES = "SELECT count(*) AS games FROM game"
# Root may write anywhere, unless the process gives that up (PR_CAPBSET_DROP, CAP_DAC_OVERRIDE).
POWERLESS = """
import ctypes, os, sys
if os.geteuid() == 0 and ctypes.CDLL(None).prctl(24, 1):
    sys.exit(77)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def asked_by_a_reader(folder: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """The question of somebody who may not write into the folder."""
    (tmp_path / "temporary").mkdir(exist_ok=True)
    folder.chmod(0o555)
    try:
        words = ["--archive", str(folder), "query", GAMES, "--format", "csv"]
        command = [sys.executable, "-c", POWERLESS, *SPYRIUM[1:], *words]
        env = environment(TMPDIR=str(tmp_path / "temporary"))
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    finally:
        folder.chmod(0o755)
    assert done.returncode != 77, "root cannot give up its power here"
    assert list((tmp_path / "temporary").iterdir()) == []
    return done


@pytest.mark.skipif(sys.platform != "linux", reason="root gives up its power in another way")
def test_an_archive_that_cannot_be_written_answers(folder: Path, tmp_path: Path) -> None:
    there = sorted(folder.iterdir())
    done = asked_by_a_reader(folder, tmp_path)
    assert (done.returncode, done.stdout) == (0, "games\n3\n")
    first, second = done.stderr.splitlines()
    assert first.startswith("the index is made for this one question: expected to write the index, found: ")
    assert "Permission denied" in first
    assert second.startswith("Warning: left out: ")
    assert sorted(folder.iterdir()) == there

    # An index that is there is asked where it is, as long as it says what the logs say.
    index = folder / "index.duckdb"
    bring_up_to_date(index, many((1, 2, 4)).sources())
    CliRunner().invoke(cli, ["--archive", str(folder), "query", GAMES])
    before = index.read_bytes()
    # By then the disk says more of each file than when it was read, of the refused one too: no reason to write.
    time.sleep(2.1)
    done = asked_by_a_reader(folder, tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (0, "games\n3\n", 1)
    Folder(folder).write_whole(raw(5))
    done = asked_by_a_reader(folder, tmp_path)
    assert (done.returncode, done.stdout) == (0, "games\n4\n")
    assert done.stderr.startswith("the index is made for this one question: ")
    assert index.read_bytes() == before


@pytest.mark.parametrize("what", ["a folder", "another database"])
def test_where_no_index_can_be_one_is_made_for_the_question(folder: Path, what: str) -> None:
    index = folder / "index.duckdb"
    if what == "a folder":
        index.mkdir()
    else:
        duckdb.connect(str(index)).execute("CREATE TABLE diary (entry VARCHAR)").close()
    result: Result = CliRunner().invoke(cli, ["--archive", str(folder), "query", GAMES, "--format", "csv"])
    assert (result.exit_code, result.stdout) == (0, "games\n3\n")
    assert result.stderr.startswith("the index is made for this one question: expected ")
    assert index.is_dir() == (what == "a folder")


# --- a full disk ---------------------------------------------------------------------------------

# No file may grow beyond a limit, which a disk that is nearly full comes to: writing fails in the middle.
FULL = """
import resource, sys
from pathlib import Path
from spyrium_log.errors import ReadModelError, UnfitError
from spyrium_log.readmodel import load
from spyrium_log.readmodel.answers import query
from spyrium_log.readmodel.load import bring_up_to_date
from tests.readmodel.archive import fingerprint, many

load.CHUNK = int(sys.argv[2])
HARD = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
index = Path(sys.argv[1]) / "index.duckdb"
few, more, fewer = many(range(3)), many(range(8)), many(range(2))

def filled(kilobytes, archive):
    resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes << 10, HARD))
    try:
        bring_up_to_date(index, archive.sources())
        return "taken"
    except ReadModelError as error:
        assert not isinstance(error, UnfitError), error
        assert str(error).startswith(("expected to write the index, found: ", "expected to write rows beside")), error
        assert "File too large" in str(error) and chr(10) not in str(error), error
        return "refused"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (HARD, HARD))

def there():
    return {path.name for path in index.parent.iterdir()}

def says(archive):
    assert query(index, "SELECT count(*) FROM game").rows == [(len(archive.logs),)]
    assert bring_up_to_date(index, archive.sources()).unchanged == len(archive.logs)

for kilobytes in (0, 11, 40, 1000, 1 << 20):
    said = filled(kilobytes, more)
    print("build", said)
    if said == "taken":
        says(more)
    else:
        assert there() == set()
    index.unlink(missing_ok=True)

bring_up_to_date(index, few.sources())
for archive, limits in ((more, (0, 40, 1 << 20)), (fewer, (0,))):
    for kilobytes in limits:
        before = fingerprint(index)
        said = filled(kilobytes, archive)
        print("update", said)
        if said == "taken":
            says(archive)
        else:
            # What DuckDB could not write is an empty file.
            assert there() <= {"index.duckdb", "index.duckdb.wal"}, there()
            assert fingerprint(index) == before
        bring_up_to_date(index, few.sources())
"""


@pytest.mark.parametrize("chunk", [1, load.CHUNK])
def test_a_full_disk_is_one_sentence_and_loses_nothing(tmp_path: Path, chunk: int, counts: Counter[str]) -> None:
    (tmp_path / "index").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", FULL, tmp_path / "index", str(chunk)],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    said = Counter(done.stdout.splitlines())
    assert set(said) == {f"{what} {how}" for what in ("build", "update") for how in ("taken", "refused")}
    counts["writes to a full disk refused"] += said["build refused"] + said["update refused"]
