"""Every test has an archive of its own, and calls the command as a shell would."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from spyrium_cli.main import cli
from tests.cli.demo_game import DEMO

Run = Callable[..., Result]


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "archive"
    monkeypatch.setenv("SPYRIUM_ARCHIVE", str(folder))
    monkeypatch.setenv("SPYRIUM_BY", "tester")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def run(archive: Path) -> Run:
    """Call it; the exit code must be the one named. `stdin` is what is piped in."""
    assert str(archive) == os.environ["SPYRIUM_ARCHIVE"]

    def call(*arguments: object, code: int | None = 0, stdin: str | bytes | None = None) -> Result:
        words = [str(argument) for argument in arguments]
        result = CliRunner().invoke(cli, words, input=stdin, prog_name="spyrium")
        said = f"{words}: exit {result.exit_code}\n{result.output}"
        assert result.exception is None or isinstance(result.exception, SystemExit), said
        assert code is None or result.exit_code == code, said
        assert "Traceback" not in result.output
        return result

    return call


@pytest.fixture
def game(run: Run) -> str:
    """The id of a game of Anna, Bob and Cy that has just begun."""
    return run("new", "--players", "Anna,Bob,Cy").stdout.strip()


@pytest.fixture
def whole(run: Run, archive: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The id of a whole game of theirs. It is recorded once, for every line of it waits for the disk."""
    kept = tmp_path_factory.getbasetemp() / "whole.jsonl"
    if not kept.exists():
        game = run("new", "--players", "Anna,Bob,Cy").stdout.strip()
        run("play", game, "--quiet", "--file", DEMO)
        (archive / f"{game}.jsonl").rename(kept)
    raw = kept.read_bytes()
    game = str(json.loads(raw.partition(b"\n")[0])["game"])
    archive.mkdir(exist_ok=True)
    (archive / f"{game}.jsonl").write_bytes(raw)
    return game


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a terminal of so many columns would get, escape sequences and all."""

    def call(*arguments: object, columns: int = 80) -> str:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        cli.main([str(argument) for argument in arguments], prog_name="spyrium", standalone_mode=False)
        return capsys.readouterr().out

    return call
