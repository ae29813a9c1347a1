"""`spyrium simulate`: the same bytes whoever makes them, interrupted or not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec import to_builtins

from spyrium_log.log.lines import Finished
from spyrium_log.store import Folder, read_games_at
from tests.cli.conftest import Run

SPYRIUM = [sys.executable, "-m", "spyrium_cli"]
RANDOM = ("simulate", "--policies", "random", "--seed", 7, "--seats", "2", "-q")
PATIENCE = 60


def started(*arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*SPYRIUM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def when(holds: Callable[[], bool], child: subprocess.Popen[bytes]) -> None:
    """Wait until the child came so far."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if child.poll() is not None or time.monotonic() > deadline:
            child.kill()
            pytest.fail(f"it never came so far: {child.communicate()}")
        time.sleep(0.005)


@pytest.mark.parametrize("end", ["jsonl", "jsonl.zst"])
def test_a_pack_is_the_same_with_one_process_and_two(run: Run, tmp_path: Path, end: str) -> None:
    for processes in (1, 2):
        out = tmp_path / f"{processes}.{end}"
        run(*RANDOM, "-n", 9, "--vary-options", "--processes", processes, "--to", out)
    one, two = (tmp_path / f"{processes}.{end}" for processes in (1, 2))
    assert one.read_bytes() == two.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [one.name, two.name]
    logs = [found.log() for found in read_games_at(one)]
    assert len(logs) == 9
    assert all(log.complaint is None for log in logs)


def test_a_folder_and_a_pack_hold_the_same_games(run: Run, tmp_path: Path) -> None:
    run(*RANDOM, "-n", 5, "--processes", 1, "--to", tmp_path / "pack.jsonl")
    run(*RANDOM, "-n", 5, "--processes", 2, "--to", tmp_path / "folder")
    packed = [found.raw() for found in read_games_at(tmp_path / "pack.jsonl")]
    folder = Folder(tmp_path / "folder")
    assert [folder.read_game(name) for name in folder.list_names()] == packed
    assert len(packed) == 5


def test_a_title_whose_usual_sheet_is_partial_is_played_with_one_that_is_whole(run: Run, tmp_path: Path) -> None:
    run(*RANDOM[:-3], "--seats", "1", "-n", 4, "--title", "founders", "--vary-options", "--to", tmp_path / "alone")
    logs = [found.log() for found in read_games_at(tmp_path / "alone")]
    assert [log.complaint for log in logs] == [None] * 4
    assert {log.sheet.name for log in logs} == {"practice-1"}
    assert len({str(to_builtins(log.header.options)) for log in logs}) == 4
    assert all(isinstance(log.lines[-1], Finished) for log in logs)


def test_more_games_are_added_to_a_folder(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games"
    run(*RANDOM, "-n", 2, "--to", out)
    before = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    said = run("simulate", "--policies", "random", "--seed", 7, "--seats", "2", "-n", 4, "--to", out).stderr
    assert f"4 games at {out}, 2 of them were there (--seed 7)" in said
    assert {name: (out / name).stat().st_mtime_ns for name in before} == before
    assert len(Folder(out).list_names()) == 4


@pytest.mark.parametrize("end", ["jsonl.zst", "folder"])
def test_killed_at_any_moment_it_goes_on(run: Run, tmp_path: Path, end: str) -> None:
    whole, cut = tmp_path / f"whole.{end}", tmp_path / f"cut.{end}"
    words = (*RANDOM, "-n", 240)
    run(*words, "--processes", 1, "--to", whole)

    def has_more(than: int) -> bool:
        return len(list(cut.glob("0*.jsonl") if end == "folder" else tmp_path.glob(".cut*/*"))) > than

    for at in (1, 3):
        child = started(*words, "--processes", 2 if at == 1 else 1, "--to", cut)
        when(partial(has_more, than=at), child)
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=PATIENCE)
        assert child.returncode == -signal.SIGKILL
        assert not cut.is_file()
    run(*words, "--processes", 2, "--to", cut)
    if end == "folder":
        games, expected = Folder(cut), Folder(whole)
        assert games.list_names() == expected.list_names()
        assert [games.read_game(name) for name in games.list_names()] == [
            expected.read_game(name) for name in expected.list_names()
        ]
    else:
        assert cut.read_bytes() == whole.read_bytes()
        assert sorted(path.name for path in tmp_path.iterdir() if path.name.endswith(".parts")) == []


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("processes", [1, 2])
def test_interrupted_it_says_nothing_and_130(tmp_path: Path, processes: int) -> None:
    out = tmp_path / "games"
    words = ("simulate", "-n", 5000, "--policies", "random", "--seed", 1, "-q", "--processes", processes)
    child = started(*words, "--to", out)
    when(lambda: any(out.glob("0*.jsonl")), child)
    os.kill(child.pid, signal.SIGINT)
    _, stderr = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130
    assert b"Traceback" not in stderr
    assert 0 < len(Folder(out).list_names()) < 5000


def test_a_process_that_is_ended_from_outside_is_missed(tmp_path: Path) -> None:
    out = tmp_path / "games"
    child = started("simulate", "-n", 5000, "--policies", "random", "--processes", 2, "-q", "--to", out)
    when(lambda: any(out.glob("0*.jsonl")), child)
    os.kill(next(iter(workers(child.pid))), signal.SIGKILL)
    _, stderr = child.communicate(timeout=PATIENCE)
    assert child.returncode == 2
    assert b"found one that was ended from outside" in stderr


def workers(pid: int) -> Iterator[int]:
    """The processes of a process that make games."""
    for found in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
        if b"spawn_main" in Path(f"/proc/{found}/cmdline").read_bytes():
            yield int(found)


def test_a_pack_that_is_there_stays(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    out.write_bytes(b"mine\n")
    assert "--force writes over it" in run(*RANDOM, "-n", 1, "--to", out, code=1).stderr
    assert out.read_bytes() == b"mine\n"
    run(*RANDOM, "-n", 1, "--to", out, "--force")
    assert len(list(read_games_at(out))) == 1
    assert "a log is never written over" in run(*RANDOM, "--to", tmp_path / "x", "--force", code=2).stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seats", "1"], "expected --seats as 2-5, 2 or 2,5, found '1'"),
        (["--seats", "5-2"], "found '5-2'"),
        (["--seats", "2-9"], "found '2-9'"),
        (["--seats", ""], "found ''"),
        (["--policies", "best"], "found 'best'"),
        (["--policies", "greedy,"], "found ''"),
        (["--option", "tie=none"], "expected shared for 'tie', found 'none'"),
        (["-n", "0"], "0 is not in the range"),
    ],
)
def test_an_order_that_cannot_be_is_refused(run: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    assert said in run("simulate", *arguments, "--to", tmp_path / "out", code=2).stderr
    assert not (tmp_path / "out").exists()


def test_games_are_played_under_the_options_and_the_sheet_that_are_said(run: Run, tmp_path: Path) -> None:
    sheet = tmp_path / "own.toml"
    sheet.write_text('name = "mine"\n["mine-1"]\nprice = [4, "read", "me", "2026-11-18"]\n', encoding="utf-8")
    out = tmp_path / "games"
    run(*RANDOM, "-n", 1, "--option", "event-effect=may-fizzle", "--sheet", sheet, "--to", out)
    (name,) = Folder(out).list_names()
    log = Folder(out).read_log(name)
    assert log.header.options.event_effect == "may-fizzle"
    assert log.sheet.name == "mine"
    assert "clean" in run("validate", out / f"{name}.jsonl").stdout


def test_without_a_seed_it_says_which_one(run: Run, tmp_path: Path) -> None:
    said = run("simulate", "-n", 1, "--policies", "random", "--seats", "2", "--to", tmp_path / "one").stderr
    seed = said.partition("--seed ")[2].rstrip(")\n")
    run("simulate", "-n", 1, "--policies", "random", "--seats", "2", "--seed", seed, "--to", tmp_path / "two", "-q")
    assert Folder(tmp_path / "one").list_names() == Folder(tmp_path / "two").list_names()
