"""The documentation runs.

In README, CONTRIBUTING and every page of `docs`, each block of `console` and `python` is run from top to bottom, in a
folder for each page. What follows a `$ ` line is what it prints, `...` for any text; without such lines anything goes.
A command must succeed: one that fails on purpose ends in `|| echo "exit $?"`. Blocks of `typed` hold the lines that
a reader types into the command before them.
"""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from spyrium_cli.main import cli
from tests.reference import commands as command_tree

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<body>.*?)^ *```$", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"(make|git clone|cd|pip install|\. \.venv/bin/activate)\b")
HERE = re.compile(r"<<'(?P<word>\w+)'$")
# Names under which code would slip by unexecuted.
UNCHECKED = {"bash", "sh", "shell", "shell-session", "py", "python3", "pycon"}
CODE = re.compile(r"`([^`]+)`")
OPTION = re.compile(r"(?<!\S)--[a-z][a-z-]*")
COMMAND = re.compile(r"spyrium [a-z]+(?: [a-z]+)?")
# Options of other programs.
FOREIGN = {"--page"}
ELLIPSIS = doctest.ELLIPSIS
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md"))]
WRITTEN_FOR_USE = {
    "README.md": {"console", "typed"},
    "docs/tutorial.md": {"console", "typed"},
    "docs/how-to/python.md": {"python"},
}


class Block(NamedTuple):
    where: str
    info: str
    body: str


def blocks(file: Path) -> Iterator[Block]:
    text = file.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        where = f"{file.name}:{text.count(chr(10), 0, match.start()) + 1}"
        info = match["info"].strip()
        assert info not in UNCHECKED, f"{where}: expected console or python, found {info!r}"
        assert not (match["indent"] and info), f"{where}: a block that runs starts at the margin"
        yield Block(where, info, match["body"])


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command with the output that the block shows for it."""
    first, *rest = re.split(r"^\$ ", block.body, flags=re.MULTILINE)
    assert not first.strip(), f"{block.where}: expected a command first, found {first!r}"
    for part in rest:
        lines = part.splitlines()
        if (here := HERE.search(lines[0])) is not None:
            end = lines.index(here["word"])
        else:
            end = next(i for i, line in enumerate(lines) if not line.endswith("\\"))
        yield "\n".join(lines[: end + 1]), "\n".join(lines[end + 1 :])


def trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip() + "\n"


def agree(expected: str, printed: str, where: str) -> None:
    checker, example = doctest.OutputChecker(), doctest.Example("", trimmed(expected))
    if not checker.check_output(example.want, trimmed(printed), ELLIPSIS):
        pytest.fail(f"{where}\n{checker.output_difference(example, trimmed(printed), ELLIPSIS)}", pytrace=False)


def run_console(block: Block, folder: Path, typed: str) -> None:
    """Run each command of the block; `typed` is what is typed into the last of them."""
    *others, last = commands(block)
    for command, expected in (*others, last):
        printed = run_command(block, command, folder, typed=typed if command == last[0] else "")
        if expected.strip():
            agree(expected, printed, f"{block.where}: $ {command}")


def find_typed(below: Sequence[Block]) -> str:
    """All that is typed below a block of console before the next one."""
    same = takewhile(lambda block: block.info not in {"console", "python"}, below)
    return "".join(block.body for block in same if block.info == "typed")


def run_command(block: Block, command: str, folder: Path, *, typed: str = "") -> str:
    done = subprocess.run(  # noqa: S602 - a reader types it into a shell
        command,
        shell=True,
        cwd=folder,
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{block.where}: $ {command}\nexit {done.returncode}\n{done.stdout}"
    return done.stdout


def run_python(block: Block, names: dict[str, Any]) -> None:
    if ">>>" not in block.body:
        exec(compile(block.body, block.where, "exec"), names)  # noqa: S102 - that is the test
        return
    test = doctest.DocTestParser().get_doctest(block.body, names, block.where, block.where, 0)
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=ELLIPSIS)
    outcome = runner.run(test, out=report.write, clear_globs=False)
    assert outcome.failed == 0, report.getvalue()
    names.update(test.globs)


def settle(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    monkeypatch.setenv("SPYRIUM_ARCHIVE", str(folder / "archive"))
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.mark.parametrize("name", PAGES)
def test_documentation_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch, tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    names: dict[str, Any] = {"__name__": "__main__"}
    ran: Counter[str] = Counter()
    every = list(blocks(ROOT / name))
    for number, block in enumerate(every, 1):
        match block.info.split():
            case ["console"]:
                run_console(block, tmp_path, find_typed(every[number:]))
            case ["typed"]:
                assert any(other.info == "console" for other in every[:number]), f"{block.where}: typed into nothing"
            case ["console", "norun"]:
                for command, _ in commands(block):
                    assert NOT_RUN.match(command), (
                        f"{block.where}: expected make or an install to be norun, found {command!r}"
                    )
            case ["python"]:
                with contextlib.redirect_stdout(io.StringIO()):
                    run_python(block, names)
            case ["python" | "console" | "typed", *marks]:
                pytest.fail(f"{block.where}: unknown marks {marks}", pytrace=False)
            case _:
                continue
        ran[block.info] += 1
    print(f"{name}: {dict(ran)}")
    assert WRITTEN_FOR_USE.get(name, set()) <= set(ran)


def mypy(file: Path, code: str) -> subprocess.CompletedProcess[str]:
    file.write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(file)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_python_of_the_pages_is_typed(tmp_path: Path) -> None:
    """A type checker takes it as a reader's program, and refuses the same with a mistake in it."""
    code = "\n".join(block.body for name in PAGES for block in blocks(ROOT / name) if block.info == "python")
    assert "Play.new(" in code
    done = mypy(tmp_path / "reader.py", code)
    assert done.returncode == 0, done.stdout
    wrong = mypy(tmp_path / "reader.py", code + "play.do('p12', by=3)\nPlay.new('spyrium', players=('A', 'B'))\n")
    assert wrong.returncode == 1, wrong.stdout
    assert wrong.stdout.count("error:") == 3, wrong.stdout


def test_the_readme_is_short() -> None:
    assert (ROOT / "README.md").stat().st_size < 10_000


@pytest.mark.parametrize("name", [name for name in PAGES if "/reference/" not in name])
def test_commands_and_options_in_the_text_exist(name: str) -> None:
    """The blocks are run; this is what stands between them."""
    tree = {ctx.command_path: ctx.command for ctx in command_tree(cli, "spyrium")}
    options = {opt for command in tree.values() for parameter in command.params for opt in parameter.opts}
    for code in CODE.findall(FENCE.sub("", (ROOT / name).read_text(encoding="utf-8"))):
        assert set(OPTION.findall(code)) <= options | FOREIGN, code
        if (words := COMMAND.match(code)) is not None:
            assert any(path in tree for path in (words[0], words[0].rpartition(" ")[0])), code
