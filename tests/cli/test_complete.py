"""What a shell is offered, argument by argument, and that nothing else ever reaches the line that somebody types."""

from __future__ import annotations

import os
import pty
import select
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import CompletionItem

from spyrium_cli.completion.shells import COMPLETERS, VARIABLE, Bash, answer_shell
from spyrium_cli.main import cli
from tests.cli.conftest import Run

SHELLS = ("bash", "zsh", "fish", "powershell")


def offers(*words: str) -> dict[str, str]:
    """Each word that is offered, with what it means."""
    *before, incomplete = words
    items: list[CompletionItem] = Bash(cli, {}, "spyrium", VARIABLE).get_completions(before, incomplete)
    return {item.value: item.help or "" for item in items if item.type == "plain"}


def types(*words: str) -> set[str]:
    *before, incomplete = words
    return {item.type for item in Bash(cli, {}, "spyrium", VARIABLE).get_completions(before, incomplete)}


Said = Callable[..., tuple[str, str]]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Said:
    """What the command answers to a shell, by the environment in which it asks."""
    monkeypatch.setattr(sys, "argv", ["spyrium"])

    def call(shell: str, *words: str) -> tuple[str, str]:
        monkeypatch.setenv(VARIABLE, f"{shell}_complete")
        monkeypatch.setenv(
            "COMP_WORDS", " ".join(("spyrium", *(word or ("" if shell == "bash" else '""') for word in words)))
        )
        monkeypatch.setenv("COMP_CWORD", words[-1] if shell in {"bash", "fish"} else str(len(words)))
        with pytest.raises(SystemExit) as ended:
            answer_shell(cli)
        sys.stdout.flush()
        heard = capfdbinary.readouterr()
        assert ended.value.code == 0
        return heard.out.decode(), heard.err.decode()

    return call


# --- values --------------------------------------------------------------------------------------


def test_games_come_with_who_played_them(run: Run, whole: str, tmp_path: Path) -> None:
    first, *others = offers("show", "")
    assert first == "@last"
    assert others == [whole]
    # whatever is meant by it now
    assert offers("show", "")["@last"] == f"the game last written · {offers('show', '')[whole]}"
    assert offers("show", whole[:8])[whole].startswith("Anna, ")
    assert offers("compare", "@last", whole[:8]).keys() == {whole}
    assert types("show", "") == {"plain", "file"}
    assert types("show", f"{tmp_path}/") == {"file"}
    assert offers("show", "nothing") == {}
    assert types("show", "nothing") == {"file"}
    assert run("show", whole).stdout


def test_players_are_completed_by_the_names_of_games_and_settings(run: Run) -> None:
    run("new", "--players", "Zoë,Anna")
    run("config", "set", "players", "Cy")
    assert list(offers("fix", "header", "@last", "--seat", "")) == ["Cy", "Zoë", "Anna"]
    assert set(offers("new", "--players", "zoë,")) == {"zoë,Anna", "zoë,Cy"}
    assert set(offers("score", "zoë 63, a")) == {"zoë 63, Anna"}


def test_a_person_is_offered_once_by_the_name_that_counts(run: Run, archive: Path) -> None:
    run("score", "Ana 63, Bob 58", "--exact")
    run("score", "Anna 63, Bob 58", "--exact")
    assert {"Ana", "Anna"} <= offers("report", "player", "--player", "").keys()
    run("games", "merge", "Ana", "Anna")
    assert offers("report", "player", "--player", "An").keys() == {"Anna"}
    (archive / "players.toml").write_bytes(b"no names")
    assert {"Ana", "Anna"} == offers("report", "player", "--player", "An").keys()


def test_cards_and_what_click_knows(archive: Path) -> None:
    assert not archive.exists()
    assert set(offers("sheet", "show", "mine-")) == {"mine-1", "mine-2", "mine-3"}
    assert set(offers("--color", "")) == {"auto", "always", "never"}
    assert "--lang" in offers("--la")
    assert set(offers("fix", "a")) == {"accept", "adjust", "amend"}


# --- whatever is asked ---------------------------------------------------------------------------


def verbs(command: click.Command, name: str = "") -> Iterator[tuple[list[str], click.Command]]:
    """Every command with the words that lead to it."""
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for verb in command.list_commands(ctx):
            found = command.get_command(ctx, verb)
            assert found is not None
            for words, one in verbs(found, verb):
                yield ([name, *words] if name else words), one
    else:
        yield [name], command


def questions() -> Iterator[list[str]]:
    """Every option of every command, and every argument behind those before it."""
    for words, command in verbs(cli):
        yield [*words, "-"]
        said = list(words)
        for param in command.params:
            if isinstance(param, click.Option):
                yield [*words, "@last", param.opts[0], ""]
                yield [*words, param.opts[0], "-\x07'\""]
            else:
                yield [*said, ""]
                said.append("@last" if param.name in {"log", "game"} else "mine-1")


@pytest.mark.parametrize("state", ["whole", "nothing", "broken"])
def test_a_shell_hears_words_or_nothing(
    said: Said, run: Run, whole: str, archive: Path, tmp_path: Path, state: str
) -> None:
    assert callable(run)
    if state == "nothing":
        (archive / f"{whole}.jsonl").unlink()
    if state == "broken":
        for name in (f"{whole}.jsonl", "a.jsonl", f"{whole}.notes.jsonl"):
            (archive / name).write_bytes(b'{"kind":"header","seats":[3],"place":7,"by":[]}\n\xff{[\x00\n')
        settled = tmp_path / ".config/spyrium/spyrium.toml"
        settled.parent.mkdir(parents=True, exist_ok=True)
        settled.write_text('lang = 3\nlnag = "x"\n[editions]\nx = 3\n', encoding="utf-8")
    asked = list(questions())
    heard = 0
    for at, words in enumerate(asked):
        shell = SHELLS[at % len(SHELLS)]
        out, err = said(shell, *words)
        assert err == "", (shell, words)
        assert "Traceback" not in out, (shell, words)
        heard += bool(out.strip())
    assert len(asked) > 300
    assert heard > 100


def test_what_click_itself_cannot_read_is_silence(said: Said, monkeypatch: pytest.MonkeyPatch, archive: Path) -> None:
    assert not archive.exists()
    assert said("bash", "show", "--nonsense", "") == said("bash", "show", "")
    assert said("nushell", "") == ("", "")

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("spyrium_cli.completion.values.list_known_games", fail)
    assert said("zsh", "show", "") == ("", "")


# --- the shells ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shell", "expected"),
    [
        ("bash", 'plain\tBob\\\'s\\ \\"pub\\"\\ \\$\\(x\\)\t'),
        ("powershell", "plain\n'Bob''s \"pub\" $(x)'\n_"),
        ("zsh", 'plain\nBob\'s "pub" $(x)\n_'),
    ],
)
def test_a_name_is_a_word_and_no_command(run: Run, said: Said, shell: str, expected: str) -> None:
    run("new", "--players", 'A,Bob\'s "pub" $(x)')
    assert said(shell, "report", "player", "--player", "Bob") == (f"{expected}\n", "")


def test_powershell_gets_a_word_in_quotes_where_it_would_read_something_else(whole: str, said: Said) -> None:
    last, *_ = said("powershell", "show", "")[0].split("plain\n")[1:]
    value, description, *_ = last.splitlines()
    assert (value, description) == ("'@last'", f"the game last written · {offers('show', whole)[whole]}")
    assert said("powershell", "new", "--players", "Anna,B")[0].splitlines()[1] == "'Anna,Bob'"
    # the description is shown as a tip beside the value
    assert "$value, $value, 'ParameterValue', $tip)" in COMPLETERS["powershell"](cli, {}, "spyrium", VARIABLE).source()


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_its_script(run: Run, shell: str) -> None:
    assert run("completion", shell).stdout == COMPLETERS[shell](cli, {}, "spyrium", VARIABLE).source() + "\n"


@pytest.fixture
def command_path(tmp_path: Path) -> str:
    """A PATH with the command on it."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin/spyrium"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m spyrium_cli "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return f"{tmp_path}/bin:{os.environ['PATH']}"


def test_a_real_bash_completes_at_its_prompt(run: Run, whole: str, tmp_path: Path, command_path: str) -> None:
    """What it does with the answer is what a script by itself cannot show."""
    other = run("new", "--players", "A,Zed's $(x)").stdout.strip()
    script = run("completion", "bash").stdout
    quiet = "PS1='$ '\nbind 'set bell-style none'\nbind 'set enable-bracketed-paste off'\n"
    (tmp_path / "rc").write_text(f"{quiet}PATH={command_path}\n{script}", encoding="utf-8")
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "dumb"
        os.execvp("bash", ["bash", "--noprofile", "--rcfile", str(tmp_path / "rc"), "-i"])  # noqa: S606, S607
    try:
        heard(terminal, b"$ ")
        for typed, completed in (
            (f"spyrium show {whole[:-2]}\t".encode(), f"{whole} ".encode()),
            (b"spyrium report player --player Zed\t", b"\\'s\\ \\$\\(x\\) "),
            (b"spyrium report player --player=Zed\t", b"\\'s\\ \\$\\(x\\) "),
            (b'spyrium report player --player "Zed\t', b"'s \\$(x)\" "),
            (b"spyrium show @l\t", b"@last "),
            (b"spyrium show \t\t", f"{other}  A, Zed's $(x) \u00b7 ".encode()),
        ):
            os.write(terminal, typed)
            heard(terminal, completed)
            os.write(terminal, b"\x15")
    finally:
        os.write(terminal, b"\x15exit\n")
        os.waitpid(child, 0)
        os.close(terminal)


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish on this machine")
def test_a_real_fish_has_whole_values_and_descriptions(
    run: Run, whole: str, tmp_path: Path, command_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "spyrium.fish").write_text(run("completion", "fish").stdout, encoding="utf-8")
    monkeypatch.setenv("PATH", command_path)

    def ask(line: str) -> list[str]:
        """What fish offers behind a line."""
        ask_fish = f"source {tmp_path}/spyrium.fish; complete -C {shlex.quote(line)}"
        answer = subprocess.run(["fish", "-c", ask_fish], capture_output=True, text=True, check=True)  # noqa: S607
        return answer.stdout.splitlines()

    description = offers("show", whole)[whole]
    assert description.startswith("Anna, Bob, Cy \u00b7 ")
    assert ask(f"spyrium show {whole[:-2]}") == [f"{whole}\t{description}"]
    assert ask("spyrium new --players Anna,B") == ["Anna,Bob"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh on this machine")
def test_a_real_zsh_lists_games_with_descriptions(run: Run, whole: str, tmp_path: Path, command_path: str) -> None:
    (tmp_path / ".zshrc").write_text(
        f"PROMPT='%% '\nPATH={command_path}\nautoload -U compinit; compinit -u\n{run('completion', 'zsh').stdout}",
        encoding="utf-8",
    )
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update({"TERM": "dumb", "ZDOTDIR": str(tmp_path), "COLUMNS": "120"})
        os.execvp("zsh", ["zsh", "-i"])  # noqa: S606, S607
    try:
        heard(terminal, b"% ")
        os.write(terminal, b"spyrium show \t")
        heard(terminal, f"{whole}  -- Anna, Bob, Cy ".encode())
    finally:
        os.write(terminal, b"\x15exit\n")
        os.waitpid(child, 0)
        os.close(terminal)


def heard(terminal: int, wanted: bytes) -> None:
    """Wait until it is there, as long as a busy machine may take."""
    said, until = b"", time.monotonic() + 60
    while wanted not in said:
        assert time.monotonic() < until, said
        if select.select([terminal], [], [], 1)[0]:
            said += os.read(terminal, 1 << 12)
