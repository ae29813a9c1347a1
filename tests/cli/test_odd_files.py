"""What lies in an archive and is no file: no command waits for it or reads it, and each is said once.

What a person names may be a pipe.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from threading import Thread

import pytest

from tests.shares import share
from tests.stories import EXAMPLES

# Only a guard: each of these takes a second where nothing is waited for.
DEADLINE = 120
GAMES = ("counted", "whole-game-2-players")
ODD = {
    "a-pipe.jsonl": "a pipe",
    "b-zero.jsonl": "a device",
    "c-folder.jsonl": "a folder",
    "d-dangling.jsonl": "no such file",
    "e-socket.jsonl": "a socket",
    "f-link-to-pipe.jsonl": "a pipe",
    "g-pipe.jsonl.zst": "a pipe",
    "h-zero.jsonl.zst": "a device",
}


def make_odd(folder: Path) -> None:
    for name in GAMES:
        shutil.copy(EXAMPLES / f"{name}.jsonl", folder / f"{name}.jsonl")
    for name in ("a-pipe.jsonl", "g-pipe.jsonl.zst"):
        os.mkfifo(folder / name)
    (folder / "b-zero.jsonl").symlink_to("/dev/zero")
    (folder / "h-zero.jsonl.zst").symlink_to("/dev/zero")
    (folder / "c-folder.jsonl").mkdir()
    shutil.copy(EXAMPLES / "first-round.jsonl", folder / "c-folder.jsonl" / "inside.jsonl")
    (folder / "d-dangling.jsonl").symlink_to("nowhere")
    (folder / "f-link-to-pipe.jsonl").symlink_to("a-pipe.jsonl")
    # the address of a socket may not be as long as a path of the tests
    here = os.open(folder, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as odd:
        odd.bind(f"/proc/self/fd/{here}/e-socket.jsonl")
    os.close(here)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    folder.mkdir()
    make_odd(folder)
    return folder


def run(archive: Path, *words: str) -> subprocess.CompletedProcess[str]:
    home = {**os.environ, "HOME": str(archive.parent), "XDG_CONFIG_HOME": str(archive.parent / "config")}
    return subprocess.run(
        [sys.executable, "-m", "spyrium_cli", "--archive", str(archive), *words],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
        stdin=subprocess.DEVNULL,
        env=home,
    )


def mentions(text: str, name: str) -> list[str]:
    return [line for line in text.splitlines() if name in line]


@pytest.mark.parametrize(
    "words",
    [("games",), ("index", "--processes", "2"), ("query", "SELECT count(*) FROM games"), ("report", "ratings")],
    ids=lambda words: words[0],
)
def test_each_is_one_warning_and_the_games_are_read(archive: Path, words: Sequence[str]) -> None:
    done = run(archive, *words)
    assert "Traceback" not in done.stderr
    for name, kind in ODD.items():
        (line,) = mentions(done.stderr, name)
        assert kind in line
    assert "inside" not in done.stderr + done.stdout


@pytest.mark.parametrize("words", [("validate",), ("validate", "-r", "{archive}")], ids=len)
def test_validate_finds_each_unusable_once(archive: Path, words: Sequence[str]) -> None:
    done = run(archive, *(word.format(archive=archive) for word in words), "--format", "jsonl")
    assert done.returncode == 2
    for name in ODD:
        # a folder in a folder is looked into when that is asked for
        assert len(mentions(done.stdout, f'{name}"')) == 1
    assert len(done.stdout.splitlines()) == len(ODD) + len(GAMES) + ("-r" in words)


@pytest.mark.parametrize(
    "words",
    [
        ("show", "@last"),
        ("show", "--log", "@last~1"),
        ("show", "counted"),
        ("seal", "--checkpoint", "counted"),
        ("config", "paths"),
        ("new", "--players", "Ann,Bob"),
        ("games", "merge", "6f0a7b1c-0000-4000-8000-000000000001", "Anna"),
    ],
    ids=" ".join,
)
def test_a_game_is_read_beside_them(archive: Path, words: Sequence[str]) -> None:
    done = run(archive, *words)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "words", [("show", "a-pipe"), ("undo", "a-pipe"), ("show", "b-zero", "--log"), ("play", "e-socket", "pass")]
)
def test_one_of_them_by_its_name_is_one_sentence(archive: Path, words: Sequence[str]) -> None:
    done = run(archive, *words)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert ODD[f"{words[1]}.jsonl"] in line


def test_import_reads_the_logs_of_such_a_folder(archive: Path) -> None:
    done = run(archive, "import", str(archive), "--dry-run", "--format", "jsonl")
    assert done.returncode == 2
    assert {name: len(mentions(done.stdout, name)) for name in ODD} == dict.fromkeys(ODD, 1)


@pytest.mark.parametrize(
    ("words", "name"),
    # 3 and 4 have no divisor in common, so that each of both is there
    share(
        product(
            [("show", "counted"), ("games",), ("query", "SELECT 1"), ("annotate", "counted")],
            ["players.toml", "counted.notes.jsonl", "index.duckdb", "spyrium.toml"],
        ),
        3,
    ),
)
def test_a_pipe_in_the_place_of_anything_else_is_not_waited_for(
    tmp_path: Path, name: str, words: Sequence[str]
) -> None:
    shutil.copy(EXAMPLES / "counted.jsonl", tmp_path / "counted.jsonl")
    os.mkfifo(tmp_path / name)
    done = run(tmp_path, *words)
    assert done.returncode in {0, 2}
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words", [("validate",), ("show",), ("fix", "salvage"), ("import", "--dry-run")], ids=lambda words: words[0]
)
def test_a_pipe_that_somebody_names_is_read(tmp_path: Path, words: Sequence[str]) -> None:
    pipe = tmp_path / "named.jsonl"
    os.mkfifo(pipe)
    raw = (EXAMPLES / "whole-game-2-players.jsonl").read_bytes()
    writing = Thread(target=pipe.write_bytes, args=(raw,))
    writing.start()
    done = run(tmp_path / "empty", *words, str(pipe))
    assert done.returncode == 0, done.stderr
    writing.join(DEADLINE)
