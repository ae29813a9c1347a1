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
from rich.style import Style

from spyrium_cli.main import cli
from spyrium_cli.render.paper import style_of
from spyrium_cli.render.text import count_text, plain
from spyrium_cli.settings.file import directory
from spyrium_cli.tree import COMMANDS, FIXES, SECTIONS
from spyrium_log.log.pack import Game
from spyrium_log.shown import short_names
from spyrium_log.titles import TITLES
from tests.cli.conftest import Run
from tests.cli.demo_game import DEMO
from tests.packs import write_pack
from tests.reference import commands

SPYRIUM = [sys.executable, "-m", "spyrium_cli"]


def shell(command: list[str], env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env={**os.environ, **env}, capture_output=True, encoding="utf-8", check=False, timeout=60
    )


# --- help ----------------------------------------------------------------------------------------


RUN = (*COMMANDS, *(f"fix {name}" for name in FIXES.summaries))


@pytest.mark.parametrize("name", RUN)
def test_each_command_has_help_with_an_example_and_its_line_in_the_list(run: Run, name: str) -> None:
    *group, last = name.split()
    assert re.search(rf"Examples?:\n +spyrium {name}\b", run(*name.split(), "--help").stdout)
    command = next(ctx.command for ctx in commands(cli, "spyrium") if ctx.command_path == f"spyrium {name}")
    summary = FIXES.summaries[last] if group else COMMANDS[last]
    assert (command.name, command.get_short_help_str(200)) == (last, summary)
    assert f"  {last} " in run(*group, "--help").stdout


def test_the_first_page_has_few_names_in_groups(run: Run) -> None:
    assert len(COMMANDS) <= 27
    page = run("--help").stdout
    assert [section.heading for section in SECTIONS] == re.findall(r"^(\w[^\n]*):$", page, re.MULTILINE)[:-1]


def examples(text: str) -> list[str]:
    """The commands under `Examples:`; one whose quotes are still open goes on in the next line."""
    found: list[str] = []
    for line in re.search(r"Examples?:\n((?: .*\n?)+)", text)[1].splitlines():  # type: ignore[index]
        if found and found[-1].count('"') % 2:
            found[-1] += f"\n{line}"
        elif " spyrium " in f" {line.strip()}":
            found.append(line.strip())
    return found


# What is counted, declared or recorded twice in an example is not what the log comes to.
DISAGREEING = {"compare", "fix count", "fix declare", "fix locate"}


def prepare(run: Run, verb: str, archive: Path) -> None:
    """Whatever the examples of a verb need beside a whole game."""
    moves = [line for line in DEMO.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    if verb in {"fix accept", "fix locate", "fix withdraw"}:
        game = run("new", "--players", "Anna,Bob,Cy").stdout.strip()
        os.utime(archive / f"{game}.jsonl", ns=(2**62, 2**62))
        run("play", game, "-q", *moves[:13])
        if verb == "fix accept":
            run("play", game, "-q", "bob: e points", "--anyway")
        elif verb == "fix locate":
            run("fix", "count", game, "anna £6", code=1)
        else:
            run("fix", "declare", game, "Anna 63, Bob 58", code=1)
    if verb == "compare":
        Path("his.jsonl").write_bytes(Path("game.jsonl").read_bytes())
        run("fix", "amend", "his.jsonl", "2", "p45", "--misplayed", "--why", "he saw it so", "--yes")
    if verb in {"", "games"}:
        # a spelling that nobody has played by is no person
        run("score", "Ana 61, Dee 58", "--date", "2026-11-18")
    if verb == "export":
        run("fix", "header", "@last", "--date", "2026-11-18", "--why", "a play of BG Stats has a day")
    if verb == "seal":
        Path("kept.txt").write_text(run(verb, "@last", "--checkpoint").stdout, encoding="utf-8")


@pytest.mark.parametrize("path", [ctx.command_path for ctx in commands(cli, "spyrium")])
def test_the_examples_of_every_command_can_be_called(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of verbs in verbs, too, which not every archive can run."""
    monkeypatch.chdir(tmp_path)
    for name in ("moves.txt", "evening.txt"):
        Path(name).touch()
    (ctx,) = [ctx for ctx in commands(cli, "spyrium") if ctx.command_path == path]
    lines = examples(ctx.get_help())
    assert lines
    for line in lines:
        _, _, said = line.rpartition("spyrium ") if line.startswith("cat ") else line.partition("spyrium ")
        assert f"spyrium {said}".startswith(path)
        words = shlex.split(said.partition(" < ")[0])
        # each command remembers what help is called in the first context it meets
        with click.Context(cli, **cli.context_settings) as parent:
            command: click.Command = cli
            while words and isinstance(command, click.Group) and words[0] in command.list_commands(parent):
                command = command.get_command(parent, words.pop(0)) or command
            command.make_context("x", words, parent=parent).close()


@pytest.mark.parametrize("verb", ["", *(name for name in RUN if name not in {"demo", "fix"})])
def test_the_examples_in_the_help_run(run: Run, whole: str, archive: Path, tmp_path: Path, verb: str) -> None:
    raw = (archive / f"{whole}.jsonl").read_bytes()
    if verb in {"", "play", "record"}:
        (archive / f"{whole}.jsonl").unlink()
        run("new", "--players", "Anna,Bob,Cy")
    (tmp_path / "games").mkdir()
    for name in ("game.jsonl", "old.jsonl", "games/one.jsonl"):
        (tmp_path / name).write_bytes(raw)
    write_pack(tmp_path / "games.jsonl.zst", [Game(raw)])
    (tmp_path / "moves.txt").write_text("p45\n", encoding="utf-8")
    (tmp_path / "evening.txt").write_text(DEMO.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "scores.csv").write_text("date,Annie,Bob\n2024-01-05,63,58\n", encoding="utf-8")
    (tmp_path / "question.sql").write_text("SELECT 1", encoding="utf-8")
    with contextlib.chdir(tmp_path):
        prepare(run, verb, archive)
    lines = examples(run(*verb.split(), "--help").stdout)
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
            run(*words[1:], stdin=stdin, code=verb in DISAGREEING and {"--add", "--write"}.isdisjoint(words))


def test_help_says_the_whole_notation(run: Run) -> None:
    said = "".join(run("play", "--help").stdout.split())
    for title in TITLES.values():
        assert title.words.grammar
        assert "".join(title.words.grammar.split()) in said
    for words in ("CARD:TOKENS", "? is a card that nobody saw", "1 2 3 in the upper row, then 4 5 6, then 7 8 9"):
        assert "".join(words.split()) in said


def test_no_command_lists_the_groups_and_names_the_next_step(run: Run) -> None:
    page = run().stdout
    assert all(section.heading in page for section in SECTIONS)
    assert page.endswith("Next: `spyrium record` starts a game, `spyrium demo` shows what there is.\n")
    game = run("new", "--players", "Anna,Bob").stdout.strip()
    assert run().stdout.endswith(f"Next: `spyrium record` goes on with the game of Anna, Bob ({game}).\n")


def test_where_no_game_is_open_a_new_one_is_the_next_step(run: Run, whole: str) -> None:
    assert whole
    assert "Next: `spyrium record` starts a game, `spyrium replay`" in run().stdout


def test_a_group_alone_is_its_help(run: Run) -> None:
    for name in ("fix", "config", "sheet"):
        error = run(name, code=2).stderr
        assert error.startswith(f"Usage: spyrium {name} ")
        assert "Error" not in error


def test_an_unknown_option_suggests(run: Run) -> None:
    assert "Did you mean '--format'?" in run("show", "@last", "--formt", "csv", code=2).stderr
    assert "Did you mean '--archive'?" in run("--archiv", "x", "games", code=2).stderr


def test_an_unknown_command_suggests(run: Run) -> None:
    assert "no such command 'valdate': did you mean 'validate'?" in run("valdate", code=2).stderr
    assert "no such command 'merge': did you mean 'games merge'?" in run("merge", "A", "B", code=2).stderr
    assert "expected a game to be the last one, found none" in run("show", code=2).stderr
    assert "expected a game that is not over, found none" in run("play", "p12", code=2).stderr
    assert "expected one of record, new, play" in run("qqqq", code=2).stderr
    run("--nothing", code=2)


def test_version(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("--version").stdout.startswith("spyrium")
    monkeypatch.setattr("importlib.metadata.version", lambda _: "9.9")
    assert run("--version").stdout == "spyrium 9.9\n"


HEAVY = r"(rich|duckdb|textual|platformdirs|tomllib|msgspec|spyrium_log|spyrium_cli\.commands)(\.|$)"


def loaded(arguments: list[str], env: Mapping[str, str]) -> set[str]:
    """The modules that a call loads."""
    done = shell([sys.executable, "-X", "importtime", *arguments], env)
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"\| +([\w.]+)$", done.stderr, re.MULTILINE))


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_load_nothing_that_is_slow(option: str, archive: Path) -> None:
    found = loaded(["-m", "spyrium_cli", option], {"SPYRIUM_ARCHIVE": str(archive)})
    assert "click" in found
    assert not {name for name in found if re.match(HEAVY, name)}


@pytest.mark.parametrize("words", ["spyrium ", "spyrium show ", "spyrium new --players A", "spyrium games --pl"])
def test_completion_loads_neither_tables_nor_titles(words: str, whole: str, archive: Path) -> None:
    assert whole
    at = str(len(words.split(" ")) - 1)
    env = {"_SPYRIUM_COMPLETE": "zsh_complete", "COMP_WORDS": words, "COMP_CWORD": at, "SPYRIUM_ARCHIVE": str(archive)}
    found = loaded(["-m", "spyrium_cli"], env)
    assert "click.shell_completion" in found
    # what makes a name harmless and what reads a language are modules of their own, and load nothing else
    assert not {
        name
        for name in found
        if re.match(r"(rich|duckdb|textual)(\.|$)|spyrium_log\.(?!(?:catalogue|plurals|shown)$)", name)
    }


@pytest.mark.parametrize(
    "arguments", [["show", "@last"], ["validate"], ["replay", "@last"], ["show", "--log", "@last"]]
)
def test_reading_a_log_loads_what_it_needs_alone(arguments: list[str], whole: str, archive: Path) -> None:
    assert whole
    found = loaded(["-m", "spyrium_cli", *arguments], {"SPYRIUM_ARCHIVE": str(archive)})
    assert {"spyrium_log.replay", "spyrium_log.titles.spyrium"} <= found
    assert not {name for name in found if re.match(r"(duckdb|textual|spyrium_log\.titles\.(?!spyrium\b))(\.|$)?", name)}


# --- where the logs are --------------------------------------------------------------------------


def test_the_archive_by_option_before_and_after_the_verb(run: Run, tmp_path: Path, archive: Path) -> None:
    other = tmp_path / "other"
    run("--archive", other, "new", "--players", "A,B")
    run("new", "--players", "A,B", "--archive", other)
    assert len(list(other.glob("*.jsonl"))) == 2
    assert not archive.exists()
    run("--archive", other, "validate", "--archive", other)


@pytest.mark.parametrize(("home", "expected"), [("/data", "/data/spyrium"), ("relative", "~/.local/share/spyrium")])
def test_archives_stay_where_they_were_on_linux(
    home: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", home)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert directory("data") == Path(expected.replace("~", str(tmp_path)))


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
        (["show", tmp_path], "expected a game, found none, at"),
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

    monkeypatch.setattr("spyrium_cli.commands.look.show.read_log", fail)
    assert run("show", game, code=2).stderr == "Error: no space left on device at /full\n"


def test_a_line_of_two_gigabytes_is_one_sentence(run: Run, game: str, archive: Path, tmp_path: Path) -> None:
    vast = tmp_path / "vast.jsonl"
    with vast.open("wb") as file:
        file.truncate(2 << 30)
    for arguments in (["validate", vast], ["show", vast], ["show", "--log", vast], ["doctor", "--archive", tmp_path]):
        result = run(*arguments, code=1 if arguments[0] == "doctor" else 2)
        assert (f"{vast}\n  line 1: " if arguments[0] == "validate" else f"{vast}:1") in result.output
    behind = archive / "behind.jsonl"
    behind.write_bytes((archive / f"{game}.jsonl").read_bytes())
    with behind.open("r+b") as file:
        file.truncate(2 << 30)
    said = run("validate", behind, code=2).stdout
    assert said.startswith(f"unusable  {behind}: ")
    assert "\n  line 2: " in said
    assert "Anna" in run("show", behind, code=2).stdout
    assert behind.stat().st_size == 2 << 30
    with vast.open("rb") as file:
        code = "from spyrium_cli.main import main; main()"
        asked = [sys.executable, "-c", code, "--archive", str(archive), "query", "-"]
        done = subprocess.run(asked, stdin=file, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "characters of SQL, found more" in done.stderr


def test_a_folder_or_a_device_where_a_file_should_be(run: Run, game: str, tmp_path: Path) -> None:
    for arguments, said in (
        (["show", tmp_path], "expected a game, found none, at"),
        (["show", "--log", tmp_path], "expected a game, found none, at"),
        (["replay", "/dev/null"], "at /dev/null:1"),
        (["new", "--players", "A,B", "--sheet", tmp_path], "Is a directory"),
        (["play", game, "--file", tmp_path], "Is a directory"),
        (["undo", tmp_path], "expected a game, found none, at"),
    ):
        stderr = run(*arguments, code=2).stderr
        assert said in stderr
        assert stderr.splitlines()[-1].startswith("Error: ")


def test_no_rights_are_a_sentence(run: Run, game: str, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = (archive / f"{game}.jsonl").read_bytes()
    really = os.open

    def refuse(path: str | Path, *more: int, **named: int) -> int:
        if str(path).endswith(".jsonl"):
            raise PermissionError(13, "Permission denied", str(path))
        return really(path, *more, **named)

    monkeypatch.setattr(os, "open", refuse)
    for arguments in (["show", game], ["undo", game], ["games", "put-away", game], ["show", "--log", game]):
        stderr = run(*arguments, code=2).stderr
        assert f"found no permission, at {archive}/{game}.jsonl" in stderr
        assert len(stderr.splitlines()) == 1
    assert "unreadable" in run("validate", game, code=2).stdout
    monkeypatch.undo()
    assert (archive / f"{game}.jsonl").read_bytes() == raw


@pytest.mark.parametrize("arguments", [["replay"], ["validate", "--format", "junit"], ["show", "--format", "json"]])
def test_an_output_that_is_full_is_a_sentence(whole: str, archive: Path, arguments: list[str]) -> None:
    verb, *more = arguments
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*SPYRIUM, verb, whole, *more],
            env={**os.environ, "SPYRIUM_ARCHIVE": str(archive)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (2, "Error: no space left on device\n")


def test_a_full_disk_loses_nothing_that_was_there(
    run: Run, game: str, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = archive / f"{game}.jsonl"
    run("play", "--deal", game, "--seed", 1)
    raw = path.read_bytes()

    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", fail)
    for arguments in (["undo", game], ["new", "--players", "Anna,Bob"]):
        stderr = run(*arguments, code=2).stderr
        assert "no space left on the disk" in stderr
        assert len(stderr.splitlines()) == 1
    assert path.read_bytes() == raw
    assert [log.name for log in archive.glob("*.jsonl")] == [path.name]


# --- quiet ends ----------------------------------------------------------------------------------


def test_a_reader_that_leaves_hears_nothing(whole: str, archive: Path) -> None:
    pipe = f"{sys.executable} -m spyrium_cli replay {whole} --format jsonl | head -n 1"
    done = shell(["sh", "-c", pipe], {"SPYRIUM_ARCHIVE": str(archive)})
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.usefixtures("interrupts")
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


@pytest.mark.usefixtures("interrupts")
def test_ctrl_c_while_python_still_loads_is_silent() -> None:
    """A finder stands for the moment: it interrupts us when click is asked for."""
    code = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'click':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from spyrium_cli.start import main\n"
        "main()\n"
    )
    done = shell([sys.executable, "-c", code, "--help"], {})
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")
    through_a_shell = shell(["sh", "-c", '"$@"; exit $?', "sh", sys.executable, "-c", code], {})
    assert through_a_shell.returncode == 130


def test_an_interrupt_anywhere_in_a_command(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("spyrium_cli.commands.look.show.read_log", interrupt)
    assert run("show", game, code=130).output == "\n"


def test_an_interrupt_of_a_question_of_ours(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise RuntimeError("Query interrupted")

    assert game
    monkeypatch.setattr("spyrium_log.readmodel.answers.query", interrupt)
    assert run("games", code=130).output == "\n"


def test_an_interrupt_of_the_help(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("spyrium_cli.tree.LazyGroup.format_commands", interrupt)
    assert run("--help", code=130).output == "\n"
    monkeypatch.setattr("spyrium_cli.commands.table.play.Notated.format_epilog", interrupt)
    assert run("play", "--help", code=130).output == "\n"


def test_a_shell_can_complete_the_verbs(tmp_path: Path) -> None:
    env = {
        "_SPYRIUM_COMPLETE": "bash_complete",
        "COMP_WORDS": "spyrium rep",
        "COMP_CWORD": "rep",
        "HOME": str(tmp_path),
    }
    assert [line.split("\t")[:2] for line in shell(SPYRIUM, env).stdout.splitlines()] == [
        ["plain", "replay"],
        ["plain", "report"],
    ]


def test_what_is_piped_is_utf8_in_any_locale(whole: str, archive: Path) -> None:
    env = {"SPYRIUM_ARCHIVE": str(archive), "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = shell([*SPYRIUM, "replay", whole], env)
    assert done.returncode == 0
    assert "−£5 (price)" in done.stdout


# --- words ---------------------------------------------------------------------------------------


def test_words() -> None:
    assert [count_text(n, "game") for n in (0, 1, 2)] == ["0 games", "1 game", "2 games"]
    assert plain("a\x1b[2J\tb\nc\u202e") == "a\\x1b[2J\\tb\\nc\\u202e"
    assert plain("a\n\x1b", keep="\n") == "a\n\\x1b"


def test_marks_are_everybodys_own() -> None:
    assert short_names(["Anna", "Bob", "Cy"]) == ["A", "B", "C"]
    assert short_names(["Anna", "Arne", "bob"]) == ["An", "Ar", "B"]
    assert short_names(["Anna", "Annabel", "Annabelle"]) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("colour", "style"),
    [("blue", "bright_blue"), ("purple", "bright_magenta"), ("green", "green"), ("black", "bold"), ("puce", "bold")],
)
def test_a_player_has_the_colour_of_the_pieces(colour: str, style: str) -> None:
    assert style_of(colour) == style
    assert Style.parse(style)


@pytest.mark.parametrize("arguments", [["play", "@last", "--file"], ["record", "@last", "--file"]])
def test_a_line_without_an_end_is_never_held(run: Run, game: str, tmp_path: Path, arguments: list[str]) -> None:
    assert game
    endless = tmp_path / "endless.txt"
    with endless.open("wb") as file:
        file.truncate(2 << 30)
    said = run(*arguments, endless, code=2).stderr
    assert f"found a longer one, at {endless}:1" in said
    assert len(said) < 1000


def test_help_into_a_full_disk_is_one_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([sys.executable, "-m", "spyrium_cli", "--help"], stdout=full, stderr=-1, check=False)
    assert done.returncode == 2
    assert b"no space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_game_is_found_by_its_id_whatever_its_file_is_called(run: Run, game: str, archive: Path) -> None:
    (archive / f"{game}.jsonl").rename(archive / "friday.jsonl")
    assert run("show", game).stdout == run("show", "friday").stdout
    assert "found none that begins with 'nobody'" in run("show", "nobody", code=2).stderr


def test_two_who_sat_at_one_table_are_not_one(run: Run, game: str) -> None:
    assert game
    assert "'Bob' and 'Anna' at one table: Anna, Bob, Cy" in run("games", "merge", "Bob", "Anna", code=2).stderr


@pytest.mark.parametrize("arguments", [["play", "p12"], ["play", "--deal"], ["record", "--plain"]])
def test_nobody_plays_on_where_only_scores_are_known(run: Run, arguments: list[str]) -> None:
    game = run("score", "Anna 63, Bob 58").stdout.split()[0]
    verb, *more = arguments
    assert "only the scores are known" in run(verb, game, *more, code=1, stdin="").stderr


def test_a_language_that_nobody_speaks_is_not_settled(run: Run) -> None:
    assert "found 'de'" in run("config", "set", "lang", "de", code=2).stderr
    assert run("config", "set", "lang", "pl").exit_code == 0
