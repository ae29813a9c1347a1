"""The documentation runs.

In README.md and CONTRIBUTING.md every block of `console` and `python` is run from top to bottom, in a folder
per file. What follows a `$ ` line is what it prints, `...` for any text; without such lines anything goes. A
command must succeed: one that fails on purpose ends in `|| echo "exit $?"`.
"""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<body>.*?)^ *```$", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"(make|git clone|cd|pip install|\. \.venv/bin/activate)\b")
# Names under which code would slip by unexecuted.
UNCHECKED = {"bash", "sh", "shell", "shell-session", "py", "python3", "pycon"}
ELLIPSIS = doctest.ELLIPSIS


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
        end = next(i for i, line in enumerate(lines) if not line.endswith("\\"))
        yield "\n".join(lines[: end + 1]), "\n".join(lines[end + 1 :])


def trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip() + "\n"


def agree(expected: str, found: str, where: str) -> None:
    checker, example = doctest.OutputChecker(), doctest.Example("", trimmed(expected))
    if not checker.check_output(example.want, trimmed(found), ELLIPSIS):
        pytest.fail(f"{where}\n{checker.output_difference(example, trimmed(found), ELLIPSIS)}", pytrace=False)


def run_console(block: Block, folder: Path) -> None:
    for command, expected in commands(block):
        done = subprocess.run(  # noqa: S602 - a reader types it into a shell
            command,
            shell=True,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        where = f"{block.where}: $ {command}"
        assert done.returncode == 0, f"{where}\nexit {done.returncode}\n{done.stdout}"
        if expected.strip():
            agree(expected, done.stdout, where)


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


def assert_picture(folder: Path) -> None:
    """The board on the first screen is what `show` draws of the game that the page goes on to record."""
    picture = next(block for block in blocks(ROOT / "README.md") if block.info == "text")
    run_console(Block(picture.where, "console", f"$ spyrium show @last\n{picture.body}...\n"), folder)


def settle(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    monkeypatch.setenv("SPYRIUM_ARCHIVE", str(folder / "archive"))
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.mark.parametrize(("name", "needed"), [("README.md", {"console", "python"}), ("CONTRIBUTING.md", set())])
def test_documentation_runs(name: str, needed: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch, tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    ran: Counter[str] = Counter()
    for block in blocks(ROOT / name):
        match block.info.split():
            case ["console"]:
                run_console(block, tmp_path)
            case ["console", "norun"]:
                for command, _ in commands(block):
                    assert NOT_RUN.match(command), (
                        f"{block.where}: expected make or an install to be norun, found {command!r}"
                    )
            case ["python"]:
                with contextlib.redirect_stdout(io.StringIO()):
                    run_python(block, names)
            case ["python" | "console", *marks]:
                pytest.fail(f"{block.where}: unknown marks {marks}", pytrace=False)
            case _:
                continue
        ran[block.info] += 1
    if name == "README.md":
        assert_picture(tmp_path)
    print(f"{name}: {dict(ran)}")
    assert needed <= set(ran)


def mypy(file: Path, code: str) -> subprocess.CompletedProcess[str]:
    file.write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(file)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_python_of_the_readme_is_typed(tmp_path: Path) -> None:
    """A type checker takes it as a reader's program, and refuses the same with a mistake in it."""
    code = "\n".join(block.body for block in blocks(ROOT / "README.md") if block.info == "python")
    assert "Play.new(" in code
    done = mypy(tmp_path / "reader.py", code)
    assert done.returncode == 0, done.stdout
    wrong = mypy(tmp_path / "reader.py", code + "play.do('p12', by=3)\nPlay.new('spyrium', players=('A', 'B'))\n")
    assert wrong.returncode == 1, wrong.stdout
    assert wrong.stdout.count("error:") == 3, wrong.stdout
