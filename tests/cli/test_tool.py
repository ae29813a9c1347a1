"""What every command has: help with an example, exit codes, options before and after, quiet ends."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from spyrium_cli import session
from spyrium_cli.main import VERBS, Verbs, cli
from spyrium_cli.render.players import players
from spyrium_cli.render.text import counted, plain
from spyrium_log.log.pack import Game
from spyrium_log.store import write_pack
from spyrium_log.titles import TITLES
from tests.cli.conftest import Run
from tests.cli.demo_game import DEMO

SPYRIUM = [sys.executable, "-m", "spyrium_cli"]


def shell(command: list[str], env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env={**os.environ, **env},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )


# --- help ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_help_with_an_example_and_its_line_in_the_list(run: Run, verb: str) -> None:
    said = run(verb, "--help").stdout
    assert re.search(rf"Examples?:\n +spyrium {verb}\b", said)
    assert isinstance(cli, Verbs)
    command = cli.get_command(click.Context(cli), verb)
    assert command is not None
    assert (command.name, command.get_short_help_str(200)) == (verb, VERBS[verb])
    assert f"  {verb}" in run("--help").stdout


def examples(text: str) -> list[str]:
    """The commands under `Examples:`; one whose quotes are still open goes on in the next line."""
    found: list[str] = []
    for line in re.search(r"Examples?:\n((?: .*\n?)+)", text)[1].splitlines():  # type: ignore[index]
        if found and found[-1].count('"') % 2:
            found[-1] += f"\n{line}"
        elif " spyrium " in f" {line.strip()}":
            found.append(line.strip())
    return found


# What is counted or declared in an example is not what the log comes to.
DISAGREEING = {"count", "declare", "locate"}


def prepare(run: Run, verb: str, archive: Path) -> None:
    """Whatever the examples of a verb need beside a whole game."""
    moves = [line for line in DEMO.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    if verb in {"accept", "locate", "withdraw"}:
        game = run("new", "--players", "Anna,Bob,Cy").stdout.strip()
        os.utime(archive / f"{game}.jsonl", ns=(2**62, 2**62))
        run("play", game, "-q", *moves[:13])
        if verb == "accept":
            run("play", game, "-q", "bob: e points", "--anyway")
        elif verb == "locate":
            run("count", game, "anna £6", code=1)
        else:
            run("declare", game, "Anna 63, Bob 58", code=1)
    if verb == "checkpoint":
        Path("kept.txt").write_text(run(verb, "game.jsonl").stdout, encoding="utf-8")


@pytest.mark.parametrize("verb", ["", *(verb for verb in VERBS if verb != "demo")])
def test_the_examples_in_the_help_run(run: Run, whole: str, archive: Path, tmp_path: Path, verb: str) -> None:
    raw = (archive / f"{whole}.jsonl").read_bytes()
    if verb in {"", "play", "deal"}:
        (archive / f"{whole}.jsonl").unlink()
        run("new", "--players", "Anna,Bob,Cy")
    (tmp_path / "games").mkdir()
    for name in ("game.jsonl", "old.jsonl", "games/one.jsonl"):
        (tmp_path / name).write_bytes(raw)
    write_pack(tmp_path / "games.jsonl.zst", [Game(raw)])
    (tmp_path / "moves.txt").write_text("p45\n", encoding="utf-8")
    (tmp_path / "scores.csv").write_text("date,Annie,Bob\n2024-01-05,63,58\n", encoding="utf-8")
    (tmp_path / "question.sql").write_text("SELECT 1", encoding="utf-8")
    with contextlib.chdir(tmp_path):
        prepare(run, verb, archive)
    lines = examples(run(*filter(None, [verb]), "--help").stdout)
    assert lines
    for line in lines:
        words = shlex.split(line)
        stdin = None
        if words[0] == "cat":
            stdin = (tmp_path / words[1]).read_bytes()
            words = words[3:]
        if "<" in words:
            stdin = (tmp_path / words.pop()).read_bytes()
            words.pop()
        assert words[0] == "spyrium", line
        assert set("|<>").isdisjoint(words), line
        with contextlib.chdir(tmp_path):
            run(*words[1:], stdin=stdin, code=verb in DISAGREEING and "--take" not in words)


def test_help_says_the_whole_notation(run: Run) -> None:
    said = "".join(run("play", "--help").stdout.split())
    for title in TITLES.values():
        assert title.notation.grammar
        assert "".join(title.notation.grammar.split()) in said
    for words in ("CARD:TOKENS", "? is a card that nobody saw", "1 2 3 in the upper row, then 4 5 6, then 7 8 9"):
        assert "".join(words.split()) in said


def test_no_command_is_help_and_exit_2(run: Run) -> None:
    assert "Usage: spyrium" in run(code=2).stderr


def test_an_unknown_command_suggests(run: Run) -> None:
    assert "no such command 'valdate': did you mean 'validate'?" in run("valdate", code=2).stderr
    assert "expected one of new, play" in run("qqqq", code=2).stderr
    run("--nothing", code=2)


def test_version(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("--version").stdout.startswith("spyrium")
    monkeypatch.setattr("importlib.metadata.version", lambda _: "9.9")
    assert run("--version").stdout == "spyrium 9.9\n"


def test_help_loads_neither_rich_nor_duckdb_nor_any_verb() -> None:
    code = "import sys; sys.argv = ['spyrium', '--help']; from spyrium_cli.main import main; main()"
    done = shell([sys.executable, "-X", "importtime", "-c", code], {})
    assert done.returncode == 0
    loaded = set(re.findall(r"\| +([\w.]+)$", done.stderr, re.MULTILINE))
    assert "click" in loaded
    assert not {name for name in loaded if re.match(r"rich|duckdb|msgspec|spyrium_log|spyrium_cli\.commands", name)}


# --- where the logs are --------------------------------------------------------------------------


def test_the_archive_by_option_before_and_after_the_verb(run: Run, tmp_path: Path, archive: Path) -> None:
    other = tmp_path / "other"
    run("--archive", other, "new", "--players", "A,B")
    run("new", "--players", "A,B", "--archive", other)
    assert len(list(other.glob("*.jsonl"))) == 2
    assert not archive.exists()
    run("--archive", other, "validate", "--archive", other)


@pytest.mark.parametrize(
    ("platform", "env", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/spyrium"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "~/.local/share/spyrium"),
        ("linux", {}, "~/.local/share/spyrium"),
        ("darwin", {}, "~/Library/Application Support/spyrium"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/spyrium"),
        ("win32", {}, "~/AppData/Local/spyrium"),
    ],
)
def test_the_data_directory_of_each_platform(
    platform: str, env: dict[str, str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", platform)
    assert session.data_directory() == Path(expected.replace("~", str(tmp_path)))


def test_without_option_and_environment_it_is_the_data_directory(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "XDG_DATA_HOME": "", "SPYRIUM_ARCHIVE": ""}
    assert shell([*SPYRIUM, "new", "--players", "A,B"], env).returncode == 0
    assert len(list((tmp_path / ".local/share/spyrium").glob("*.jsonl"))) == 1


# --- errors --------------------------------------------------------------------------------------


def test_errors_are_one_sentence_without_a_traceback(run: Run, game: str, tmp_path: Path) -> None:
    latin = tmp_path / "latin.txt"
    latin.write_bytes(b"p12\xe9")
    for arguments, said in (
        (["show", "0000"], "found none that begins with '0000'"),
        (["show", tmp_path], "found a folder"),
        (["play", game, "--file", tmp_path / "nothing"], "No such file"),
        (["play", game, "--file", latin], "expected UTF-8, found byte 0xe9"),
        (["--archive", latin, "new", "--players", "A,B"], "is a file"),
        (["--archive", latin / "x", "new", "--players", "A,B"], "found"),
    ):
        stderr = run(*arguments, code=2).stderr
        assert said in stderr
        assert stderr.splitlines()[-1].startswith("Error: ")


def test_a_fault_of_ours_says_so_and_debug_shows_where(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr("spyrium_log.replay.replay", fail)
    assert "a fault of spyrium itself: KeyError: 'x' (--debug shows where)" in run("show", game, code=2).stderr
    assert isinstance(CliRunner().invoke(cli, ["show", game, "--debug"]).exception, KeyError)


def test_a_disk_that_fails_is_a_sentence(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device", "/full")

    monkeypatch.setattr("spyrium_cli.games.read_log", fail)
    assert run("show", game, code=2).stderr == "Error: no space left on device at /full\n"


# --- quiet ends ----------------------------------------------------------------------------------


def test_a_reader_that_leaves_hears_nothing(whole: str, archive: Path) -> None:
    pipe = f"{sys.executable} -m spyrium_cli replay {whole} --format jsonl | head -n 1"
    done = shell(["sh", "-c", pipe], {"SPYRIUM_ARCHIVE": str(archive)})
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_ctrl_c_is_130_and_no_more_than_a_newline(game: str, archive: Path) -> None:
    code = "import sys; from spyrium_cli.main import main; print('ready', flush=True); main()"
    waiting = subprocess.Popen(
        [sys.executable, "-c", code, "play", game, "--file", "-"],
        env={**os.environ, "SPYRIUM_ARCHIVE": str(archive)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with waiting:
        assert waiting.stdout is not None
        assert waiting.stdout.readline() == "ready\n"
        time.sleep(0.5)
        waiting.send_signal(signal.SIGINT)
        stdout, stderr = waiting.communicate(timeout=30)
    assert (waiting.returncode, stdout, stderr) == (130, "", "\n")


def test_an_interrupt_anywhere_in_a_command(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("spyrium_cli.games.read_log", interrupt)
    assert run("show", game, code=130).output == "\n"


def test_an_interrupt_of_a_question(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise RuntimeError("Query interrupted")

    assert game
    monkeypatch.setattr("spyrium_log.readmodel.query", interrupt, raising=False)
    assert run("query", "SELECT 1", code=130).output == "\n"


def test_an_interrupt_of_the_help(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Verbs, "format_commands", interrupt)
    assert run("--help", code=130).output == "\n"
    monkeypatch.setattr("spyrium_cli.commands.play.Notated.format_epilog", interrupt)
    assert run("play", "--help", code=130).output == "\n"


def test_a_shell_can_complete_the_verbs(tmp_path: Path) -> None:
    env = {"_SPYRIUM_COMPLETE": "bash_complete", "COMP_WORDS": "spyrium rep", "COMP_CWORD": "1", "HOME": str(tmp_path)}
    assert shell(SPYRIUM, env).stdout == "plain,replay\nplain,report\n"


def test_what_is_piped_is_utf8_in_any_locale(whole: str, archive: Path) -> None:
    env = {"SPYRIUM_ARCHIVE": str(archive), "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = shell([*SPYRIUM, "replay", whole], env)
    assert done.returncode == 0
    assert "−£5 (price)" in done.stdout


# --- words ---------------------------------------------------------------------------------------


def test_words() -> None:
    assert [counted(n, "game") for n in (0, 1, 2)] == ["0 games", "1 game", "2 games"]
    assert plain("a\x1b[2J\tb\nc\u202e") == "a\\x1b[2J\\tb\\nc\\u202e"
    assert plain("a\n\x1b", keep="\n") == "a\n\\x1b"


def test_marks_are_everybodys_own() -> None:
    def marks(*names: str) -> list[str]:
        return [player.mark for player in players(names, ["blue"] * len(names))]

    assert marks("Anna", "Bob", "Cy") == ["A", "B", "C"]
    assert marks("Anna", "Arne", "bob") == ["An", "Ar", "B"]
    assert marks("Anna", "Annabel", "Annabelle") == ["1", "2", "3"]
