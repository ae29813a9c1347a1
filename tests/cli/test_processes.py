"""`spyrium validate` with several processes says what it says with one."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from spyrium_cli.parallel import validation as validating
from spyrium_log.store import Folder
from spyrium_log.store.zstd import compress
from tests.cli.conftest import Run
from tests.cli.test_simulate import PATIENCE, SPYRIUM, workers
from tests.mistakes.simulation import mistaken
from tests.packs import write_pack
from tests.stories import EXAMPLES

GAMES = 8


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games with mistakes in files of their own and in packs, and with them whatever cannot be read."""
    at = tmp_path_factory.mktemp("club")
    folder = Folder(at)
    simulation = mistaken("spyrium", "random", seats=[2], seed=5, mistakes=0.1)
    games = [simulation.make_game(number) for number in range(GAMES)]
    for game in games:
        folder.write_game(game)
    write_pack(at / "some.jsonl", games)
    write_pack(at / "small.jsonl.zst", games)
    write_pack(at / "torn.jsonl.zst", games)
    torn = (at / "torn.jsonl.zst").read_bytes()
    (at / "torn.jsonl.zst").write_bytes(torn[: len(torn) // 2])
    (at / "cut.jsonl").write_bytes(games[0].log[:-9])
    (at / "flipped.jsonl").write_bytes(games[1].log[:5000] + b"\0" + games[1].log[5001:])
    (at / "empty.jsonl").write_bytes(b"")
    (at / "words.jsonl").write_bytes(b"no log at all\n")
    (at / "folder.jsonl").mkdir()
    return at


@pytest.mark.parametrize("form", ["jsonl", "csv", "junit", "table"])
def test_two_processes_say_what_one_says(run: Run, club: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.setattr(validating, "CHECKED_ALONE", 3)
    monkeypatch.setattr(validating, "GAMES_A_SHARE", 2)
    paths = (club, "nobody", EXAMPLES, club / "words.jsonl")
    one, two = (run("validate", *paths, "--format", form, "--processes", many, code=2) for many in (1, 2))
    assert two.stdout == one.stdout
    assert two.stderr == one.stderr
    assert len(one.stdout.splitlines()) > 3 * GAMES


def test_a_log_whose_notes_cannot_be_read_is_looked_at_as_the_others_are(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validating, "CHECKED_ALONE", 0)
    log = tmp_path / "slip.jsonl.zst"
    log.write_bytes(b"".join(compress([(EXAMPLES / "located-missed-revenue.jsonl").read_bytes()], 1)))
    (tmp_path / "slip.jsonl.zst.notes.jsonl").mkdir()
    for words, code in ((("--as-recorded",), 1), ((), 0)):
        one, two = (run("validate", log, *words, "--processes", many, code=code) for many in (1, 2))
        assert two.stdout == one.stdout
        assert two.stderr == one.stderr


@pytest.fixture
def validating_child(club: Path, interrupts: None) -> Iterator[subprocess.Popen[bytes]]:
    """One that is at it for long, and has begun."""
    assert interrupts is None
    words = ("validate", *[club / "small.jsonl.zst"] * 3000, "--format", "jsonl", "--processes", 2)
    child = subprocess.Popen([*SPYRIUM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    for _ in range(validating.CHECKED_ALONE + validating.GAMES_A_SHARE + 1):
        assert child.stdout.readline()
    yield child
    child.kill()
    child.wait()


def test_interrupted_it_says_nothing_and_130(validating_child: subprocess.Popen[bytes]) -> None:
    os.kill(validating_child.pid, signal.SIGINT)
    _, stderr = validating_child.communicate(timeout=PATIENCE)
    assert validating_child.returncode == 130
    assert b"Traceback" not in stderr


@pytest.mark.parametrize("processes", [1, 2])
def test_where_nothing_can_be_written_it_ends(club: Path, processes: int) -> None:
    words = ("validate", *[club / "small.jsonl.zst"] * 300, "--format", "jsonl", "--processes", processes)
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [*SPYRIUM, *map(str, words)], stdout=full, stderr=subprocess.PIPE, check=False, timeout=PATIENCE
        )
    assert (ended.returncode, ended.stderr) == (2, b"Error: no space left on device\n")


def test_a_process_that_is_ended_from_outside_is_missed(validating_child: subprocess.Popen[bytes]) -> None:
    os.kill(next(iter(workers(validating_child.pid))), signal.SIGKILL)
    _, stderr = validating_child.communicate(timeout=PATIENCE)
    assert validating_child.returncode == 2
    assert b"found one that was ended from outside" in stderr
