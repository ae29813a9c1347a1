"""Each contract on imports is seen to break once: a check that cannot fail checks nothing."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
CONFIG = ROOT / "pyproject.toml"
VERDICT = re.compile(r"^(?P<name>.+?) (?P<verdict>KEPT|BROKEN)\b", re.MULTILINE)


class Plant(NamedTuple):
    contract: str
    file: str
    line: str


SPYRIUM = "spyrium_log/titles/spyrium"
PLANTS = (
    Plant("the command line is on top", "spyrium_log/readmodel/__init__.py", "import spyrium_cli.render.surface"),
    Plant("rooms look down", "spyrium_log/errors.py", "import spyrium_log.title"),
    Plant("rooms look down", "spyrium_log/replay.py", "import spyrium_log.play"),
    Plant("rooms look down", "spyrium_log/play.py", "import spyrium_log.edit"),
    Plant("rooms look down", "spyrium_log/store/__init__.py", "import spyrium_log.readmodel"),
    Plant("rooms look down", "spyrium_log/store/__init__.py", "import spyrium_log.players"),
    Plant("rooms look down", "spyrium_log/log/__init__.py", "import spyrium_log.titles"),
    Plant("rooms look down", "spyrium_log/manager.py", "import spyrium_log.errors"),
    Plant("the log is opened by few", "spyrium_cli/main.py", "import spyrium_log.log"),
    Plant("the log is opened by few", "spyrium_log/exchange/__init__.py", "import spyrium_log.log.lines"),
    Plant("nobody inside imports the top", "spyrium_log/analysis/__init__.py", "import spyrium_log"),
    Plant(
        "titles never import each other", "spyrium_log/titles/founders/__init__.py", "import spyrium_log.titles.spyrium"
    ),
    Plant(
        "a title is known to the shelf and to its renderer", "spyrium_log/play.py", "import spyrium_log.titles.spyrium"
    ),
    Plant(
        "a title is known to the shelf and to its renderer",
        "spyrium_cli/titles/general.py",
        "import spyrium_log.titles.spyrium.words",
    ),
    Plant(
        "a title is known to the shelf and to its renderer", "spyrium_cli/main.py", "import spyrium_cli.titles.spyrium"
    ),
    Plant("inside a title", f"{SPYRIUM}/evolve.py", "import spyrium_log.titles.spyrium.rules"),
    Plant("inside a title", f"{SPYRIUM}/evolve.py", "import spyrium_log.titles.spyrium.words"),
    Plant("inside a title", f"{SPYRIUM}/cards.py", "import spyrium_log.titles.spyrium.state"),
    Plant("inside a title", f"{SPYRIUM}/engine.py", "import spyrium_log.errors"),
    Plant("the pure rooms touch nothing outside", f"{SPYRIUM}/rules/turn.py", "import random"),
    Plant("the pure rooms touch nothing outside", "spyrium_log/play.py", "from time import time"),
    Plant("the pure rooms touch nothing outside", "spyrium_log/edit/__init__.py", "import random"),
    Plant("the pure rooms touch nothing outside", "spyrium_log/log/__init__.py", "import pathlib"),
    Plant("the pure rooms touch nothing outside", "spyrium_log/players/simulation.py", "import random"),
    Plant("only store.files touches the disk", "spyrium_log/store/__init__.py", "import os.path"),
    Plant("DuckDB stays in the read model", "spyrium_cli/main.py", "import duckdb"),
    Plant(
        "signatures are made and checked in one place", "spyrium_log/store/user_files.py", "import cryptography.fernet"
    ),
    Plant("the library draws nothing", "spyrium_log/readmodel/__init__.py", "from rich import table"),
    Plant("Textual stays in the screens", "spyrium_cli/main.py", "import textual.app"),
    Plant(
        "no room of the shell knows a command", "spyrium_cli/games/lookup.py", "import spyrium_cli.commands.table.new"
    ),
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for package in ("spyrium_log", "cli/spyrium_cli"):
        source = ROOT / package
        shutil.copytree(source, tmp_path / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def verdicts(tree: Path) -> dict[str, str]:
    run = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo", "--config", CONFIG],
        cwd=tree,
        env={"PYTHONPATH": str(tree), "COLUMNS": "200", "NO_COLOR": "1", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = {match["name"]: match["verdict"] for match in VERDICT.finditer(run.stdout)}
    assert set(found) == set(contracts()), run.stdout + run.stderr
    assert run.returncode == ("BROKEN" in found.values()), run.stdout + run.stderr
    return found


def contracts() -> Iterator[str]:
    options = tomllib.loads(CONFIG.read_text(encoding="utf-8"))
    yield from (contract["name"] for contract in options["tool"]["importlinter"]["contracts"])


def test_every_contract_has_a_violation_to_plant() -> None:
    assert {plant.contract for plant in PLANTS} == set(contracts())


def test_the_packages_keep_every_contract(tree: Path) -> None:
    assert [name for name, verdict in verdicts(tree).items() if verdict == "BROKEN"] == []


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: f"{plant.file}: {plant.line}")
def test_a_planted_import_breaks_its_contract_and_no_other(tree: Path, plant: Plant) -> None:
    file = tree / plant.file
    file.parent.mkdir(exist_ok=True)
    with file.open("a", encoding="utf-8") as planted:
        planted.write(f"\n{plant.line}\n")
    assert [name for name, verdict in verdicts(tree).items() if verdict == "BROKEN"] == [plant.contract]
