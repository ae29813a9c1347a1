"""The process that answers a question: within its memory and its time, ended by ^C, and by nobody being there."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from spyrium_cli.complaint import Complaint
from spyrium_cli.sql import child, limits, process
from spyrium_cli.sql.frames import DONE, ERROR, OPENED, OUTPUT, FrameWriter, read_frames
from spyrium_cli.sql.limits import LEAST_MEMORY, Limits, default_memory, memory_text
from spyrium_cli.sql.process import QueryProcess, Question
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.reading import Scratch
from tests.cli.conftest import Run
from tests.cli.hostile_sql import HOSTILE, MEGABYTE, PATIENCE, PRESSED_AFTER, ask, leftovers, tree
from tests.readmodel.archive import many
from tests.shares import share

SPYRIUM = [sys.executable, "-m", "spyrium_cli"]
LASTING = HOSTILE["a cross join"].sql
# What the command itself takes beside the process that answers.
COMMAND = 200 * MEGABYTE


# --- limits --------------------------------------------------------------------------------------

SHARE = (
    *("a list of a range", "lists in a list", "repeat", "many large cells", "rows as a table", "rows as parquet"),
    *("one function of one row", "deep parentheses"),
)


@pytest.mark.parametrize("name", share(SHARE, 2))
def test_hostile_statements_end_within_their_limits(archive: Path, run: Run, name: str, counts: Counter[str]) -> None:
    run("new", "--players", "Anna,Bob")
    ended = ask(archive, HOSTILE[name], ("--memory", "512MB", "--timeout", "3s"))
    assert ended.code == 2, ended
    assert ended.error.startswith("Error: expected an answer within "), ended
    assert "within 512MB of memory (--memory)" in ended.error or "within 3 s (--timeout)" in ended.error
    assert ended.error.count("\n") == 1
    assert ended.megabytes * MEGABYTE <= LEAST_MEMORY + COMMAND
    assert leftovers(archive) == []
    counts["hostile statements within their limits"] += 1


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("name", ["lists in a list", "one function of one row", "rows as csv", "a sort"])
def test_ctrl_c_ends_them_and_leaves_nothing(archive: Path, run: Run, name: str, counts: Counter[str]) -> None:
    run("new", "--players", "Anna,Bob")
    run("index")
    ended = ask(archive, HOSTILE[name], ("--memory", "1GB"), press_after=PRESSED_AFTER)
    assert (ended.code, ended.error) == (130, "\n")
    assert leftovers(archive) == []
    counts["hostile statements that ^C ended"] += 1


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--memory", "5", "expected a size such as 512MB or 2GB, found '5'"),
        ("--memory", "lots", "found 'lots'"),
        ("--memory", "1MB", "expected at least 512MB, found '1MB'"),
        ("--timeout", "0", "expected a time such as 10s, 500ms or 2m, found '0'"),
        ("--timeout", "-1s", "found '-1s'"),
        ("--timeout", "soon", "found 'soon'"),
    ],
)
def test_a_limit_that_is_none_is_refused(run: Run, game: str, option: str, value: str, said: str) -> None:
    assert game
    assert said in run("query", "SELECT 1", f"{option}={value}", code=2).stderr


@pytest.mark.parametrize(
    ("written", "size"), [("512MB", 512_000_000), ("1.5GB", 1_500_000_000), ("1 GiB", 1 << 30), ("2tb", 2 * 10**12)]
)
def test_sizes_are_written_as_duckdb_does(written: str, size: int) -> None:
    assert limits.parse_size(written) == size


def test_times_have_units() -> None:
    found = [limits.parse_duration(one) for one in ("10s", "500ms", "1.5", "2 m", "1h")]
    assert found == [10, 0.5, 1.5, 120, 3600]


def test_the_default_is_a_quarter_of_the_machine_or_of_its_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_CONTAINER", tmp_path / "memory.max")
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert default_memory() == max(whole // 4, LEAST_MEMORY)
    for said, memory in (("max", default_memory()), ("4000000000", 1_000_000_000), ("1000000", LEAST_MEMORY)):
        (tmp_path / "memory.max").write_text(f"{said}\n", encoding="ascii")
        assert default_memory() == min(memory, max(whole // 4, LEAST_MEMORY))


def test_sizes_are_shown_as_they_are_written() -> None:
    assert [memory_text(size) for size in (LEAST_MEMORY, 1_000_000_000, 6_320_000_000)] == ["512MB", "1GB", "6.32GB"]


def test_a_system_without_such_a_limit_says_so(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert game
    monkeypatch.setattr(process, "IS_ENFORCED", False)
    said = "Warning: this system does not limit the memory of a process: --memory limits only what DuckDB counts\n"
    assert said in run("query", "SELECT 1", "--memory", "1GB").stderr
    assert said not in run("query", "SELECT 1").stderr


# --- ends ----------------------------------------------------------------------------------------


@contextmanager
def asking(archive: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command that is at a question."""
    command = [*SPYRIUM, "--archive", str(archive), "query", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as asked:
        try:
            until(lambda: len(tree(asked.pid)) > 1 and b"--archive" in Path(f"/proc/{asked.pid}/cmdline").read_bytes())
            yield asked
        finally:
            asked.kill()


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it never came so far"
        time.sleep(0.01)


def is_at_work(pid: int) -> bool:
    """Whether a process has more than one thread, as DuckDB has."""
    return len(list(Path(f"/proc/{pid}/task").iterdir())) > 2


def is_alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return False


@pytest.fixture
def indexed(archive: Path, run: Run, game: str) -> Path:
    assert game
    run("index")
    return archive


def test_a_process_that_is_ended_from_outside_is_one_sentence(indexed: Path) -> None:
    with asking(indexed, LASTING) as asked:
        (answering,) = tree(asked.pid)[1:]
        until(lambda: is_at_work(answering))
        os.kill(answering, signal.SIGKILL)
        output, error = asked.communicate(timeout=PATIENCE)
    assert (asked.returncode, output) == (2, b"")
    assert error.decode() == (
        "Error: expected an answer, found that the process that makes it was ended from outside, as a system does that"
        " is short of memory (SIGKILL)\n"
    )


def test_no_process_is_left_when_the_command_is_killed(indexed: Path) -> None:
    spilling = "SELECT max(s) FROM (SELECT sum(range) OVER (ORDER BY hash(range)) s FROM range(100000000))"
    with asking(indexed, spilling, "--memory", "512MB") as asked:
        (answering,) = tree(asked.pid)[1:]
        until(lambda: leftovers(indexed) != [])
        asked.kill()
    until(lambda: not is_alive(answering))
    assert leftovers(indexed) == []


def test_a_reader_that_leaves_ends_it_without_a_word(indexed: Path) -> None:
    command = " ".join([*SPYRIUM, "--archive", str(indexed), "query", "'FROM range(1000000000000)' --format csv"])
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} | head -n 2"], capture_output=True, check=False, timeout=PATIENCE
    )
    assert (done.stdout, done.stderr) == (b"range\n0\n", b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_streams_are_no_fault(indexed: Path, closed: str) -> None:
    command = " ".join([*SPYRIUM, "--archive", str(indexed), "query", "'SELECT 1 AS n'", closed])
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"" if closed == ">&-" else b"n\n1\n", b"")


def test_a_fault_of_ours_shows_where_it_was(run: Run, game: str) -> None:
    assert game
    assert "Traceback" not in run("query", "SELEC", code=2).stderr
    # `run` takes a traceback for a failure of the test
    with pytest.raises(AssertionError, match="Traceback"):
        run("query", "SELEC", "--debug", code=2)


def test_a_process_that_is_gone_before_it_is_asked_is_missed(indexed: Path) -> None:
    with QueryProcess(Limits(LEAST_MEMORY)) as gone:
        os.kill(gone._process.pid, signal.SIGKILL)  # noqa: SLF001 - as a system does that is short of memory
        gone._process.wait()  # noqa: SLF001
        with pytest.raises(Complaint, match="ended from outside"):
            gone.answer(indexed / "index.duckdb", Question("SELECT 1", {}, "csv"), lambda _: None)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("sys.exit(7)", "ended, with exit code 7"),
        ("import os; os.abort()", r"too deep \(SIGABRT\)"),
        ("", "exit code 0"),
    ],
)
def test_a_process_that_fails_is_one_sentence(
    indexed: Path, monkeypatch: pytest.MonkeyPatch, code: str, said: str
) -> None:
    monkeypatch.setattr(process, "_CHILD_CODE", f"import sys; {{path!r}}; sys.stdin.readline(); {code}")
    with QueryProcess(Limits(LEAST_MEMORY)) as failing, pytest.raises(Complaint, match=said):
        failing.answer(indexed / "index.duckdb", Question("SELECT 1", {}, "csv"), lambda _: None)


# --- in this process -----------------------------------------------------------------------------


@pytest.fixture
def index(tmp_path: Path) -> Path:
    path = tmp_path / "index.duckdb"
    bring_up_to_date(path, many(range(2)).sources())
    return path


def served(index: Path, sql: str, memory: int = 1 << 30, **options: Any) -> tuple[list[bytes], bytes, dict[str, Any]]:
    """The kinds of frames without output, the output, and what the last frame says."""
    request = {
        "database": str(index),
        "sql": sql,
        "parameters": {},
        "form": "csv",
        "limit": 0,
        "unsafe": False,
        "to": None,
        "is_screen": False,
        "columns": 80,
        "encoding": "utf-8",
        "colour": "auto",
        "raw": False,
        **options,
    }
    out, into = os.pipe()
    with closing(io.FileIO(out)) as pipe, io.FileIO(into, "w") as end:
        child.send_answer(request, Scratch.beside(index, memory), FrameWriter(end.fileno()))
        end.close()
        found = list(read_frames(pipe))
    output = b"".join(payload for kind, payload in found if kind == OUTPUT)
    return [kind for kind, _ in found if kind != OUTPUT], output, json.loads(found[-1][1])


def test_an_answer_is_opened_written_and_done(index: Path) -> None:
    assert served(index, "SELECT 1 AS n") == ([OPENED, DONE], b"n\n1\n", {"rows": 1, "more": False})
    limited = served(index, "FROM range(5) AS t(n)", limit=2)
    assert limited == ([OPENED, DONE], b"n\n0\n1\n", {"rows": 2, "more": True})
    exact = served(index, "FROM range(2) AS t(n)", limit=2)
    assert exact[2] == {"rows": 2, "more": False}
    assert "\N{EM DASH} 1 \N{EM DASH}".encode() in served(index, "FROM game", form="table", is_screen=True)[1]


def test_a_file_is_written_by_the_process_itself(index: Path, tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    assert served(index, "FROM seat", to=str(file), form="parquet")[0] == [OPENED, DONE]
    assert file.is_file()
    kinds, _, said = served(index, "FROM seat", to=str(tmp_path / "no" / "rows.parquet"), form="parquet")
    assert kinds == [ERROR]
    assert "No such file" in said["message"]


def test_mistakes_and_want_of_memory_are_told_apart(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds, _, mistake = served(index, "SELEC")
    assert (kinds, mistake["is_memory"]) == ([ERROR], False)
    assert mistake["message"].startswith("syntax error")
    want = served(index, "SELECT list(range) FROM range(20000000)", memory=16 * MEGABYTE)[2]
    assert want == {"is_memory": True, "message": "", "trace": ""}

    def no_room(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("spyrium_cli.sql.child.write", no_room)
    kinds, _, python = served(index, "SELECT 1")
    assert (kinds, python["is_memory"]) == ([OPENED, ERROR], True)


def test_a_frame_that_is_broken_off_is_none() -> None:
    out, into = os.pipe()
    with closing(io.FileIO(out)) as pipe, io.FileIO(into, "w") as end:
        FrameWriter(into).write(b"whole")
        end.write(OUTPUT + (100).to_bytes(4) + b"half")
        end.close()
        assert list(read_frames(pipe)) == [(OUTPUT, b"whole")]
