"""The one way to stdout, stderr and whoever answers."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from spyrium_cli import terminal
from spyrium_cli.main import cli, main
from tests.cli.conftest import Run

NAME = "A\x1b]52;c;YQ==\x07\u202e\nB"
PLAIN = "A\\x1b]52;c;YQ==\\x07\\u202e\\nB"


def test_words_are_plain_wherever_they_go(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.write_line(NAME)
    terminal.write_note(NAME, keep="\n", end="")
    out, err = capsys.readouterr()
    assert out == f"{PLAIN}\n"
    assert err == PLAIN.replace("\\n", "\n")


def test_data_is_as_it_is_in_a_pipe(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    terminal.write_data(f"\x1b[31m{NAME}\n")
    terminal.write_bytes([b"\xff", b"\x1b"])
    sys.stdout.flush()
    assert capsysbinary.readouterr().out == f"\x1b[31m{NAME}\n".encode() + b"\xff\x1b"


def test_data_is_plain_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    terminal.write_data(f"{NAME}\n")
    terminal.write_bytes(["\x9b8m é".encode()[:5], "\x9b8m é".encode()[5:], b"\xff\n"])
    assert (
        capsysbinary.readouterr().out.decode() == PLAIN.replace("\\n", "\n") + "\n\\x9b8m é\N{REPLACEMENT CHARACTER}\n"
    )


def test_questions_and_what_is_wrong_with_an_answer_are_plain() -> None:
    def read(answer: str) -> str:
        if answer == "no":
            raise click.UsageError(f"expected another, found {NAME}")
        return answer

    @click.command()
    def asking() -> None:
        answers = terminal.ask(NAME, default=NAME, read=read), terminal.ask("Where", default="", read=str)
        if terminal.confirm(NAME):
            click.echo(ascii(answers))

    result = CliRunner().invoke(asking, input="no\n\n\ny\n")
    assert result.stdout == f"{(NAME, '')!a}\n"
    assert "\x1b" not in result.stderr
    assert result.stderr.count(PLAIN) == 6
    assert f"Error: expected another, found {PLAIN}" in result.stderr


def test_a_line_is_typed_behind_a_plain_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: f"{prompt}typed")
    assert terminal.read_line("a\x1b> ") == "a\\x1b> typed"


def test_a_traceback_is_plain(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["spyrium", "--debug", "show", NAME])
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    with pytest.raises(Exception, match="expected") as raised:
        main()
    sys.excepthook(raised.type, raised.value, raised.tb)
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert "\x1b" not in err
    assert PLAIN.partition("\\n")[0] in err


@pytest.mark.parametrize("words", [["show"], ["query", "--param"], ["games", "--since"], []])
def test_what_is_wrong_with_a_call_is_plain(words: list[str]) -> None:
    result = CliRunner().invoke(cli, [*words, NAME], prog_name="spyrium")
    assert result.exit_code == 2
    assert "\x1b" not in result.output
    assert "\\x1b]52" in result.output
    assert f"'{PLAIN}'" in result.output
    assert "\nB" not in result.output


def test_bytes_that_are_no_text_are_refused_or_named(run: Run, archive: Path, tmp_path: Path) -> None:
    """They come from a shell or a folder as halves of characters, which no log can hold."""
    said = "expected text in UTF-8, found other bytes in"
    assert (
        "expected a player's name without control characters, found"
        in run("new", "--players", "A\udc9b,B", code=2).stderr
    )
    game = run("new", "--players", "A,B").stdout.strip()
    raw = (archive / f"{game}.jsonl").read_bytes()
    (archive / os.fsdecode(b"\xff.jsonl")).write_bytes(raw)
    assert "\\udcff.jsonl" in run("validate", "--format", "json", code=None).stdout
    target = tmp_path / os.fsdecode(b"data\xff")
    assert said in run("export", "--format", "dataset", "--to", target, code=2).stderr
