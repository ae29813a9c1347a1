"""CONTRIBUTING follows one decision through the rooms; the files, functions and line counts it names are true.

`python -m tests.test_path` writes the counts anew.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "CONTRIBUTING.md"
ROW = re.compile(
    r"^\| (?P<what>[^|]+) \| `(?P<file>[\w/.]+)` \| `(?P<name>[\w.]+)` \| (?P<lines>\d+) \|$", re.MULTILINE
)


def length(file: str, name: str) -> int:
    """How many lines a function has, its signature and docstring included."""
    body: list[ast.stmt] = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
    found: ast.stmt | None = None
    for part in name.split("."):
        found = next(node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == part)
        assert isinstance(found, ast.FunctionDef | ast.ClassDef)
        body = found.body
    assert found is not None
    assert found.end_lineno is not None
    return found.end_lineno - found.lineno + 1


def test_the_path_of_a_decision_is_true() -> None:
    rows = list(ROW.finditer(PAGE.read_text(encoding="utf-8")))
    assert len(rows) > 10
    for row in rows:
        assert length(row["file"], row["name"]) == int(row["lines"]), row["name"]


def test_the_path_goes_through_every_room() -> None:
    files = {row["file"] for row in ROW.finditer(PAGE.read_text(encoding="utf-8"))}
    for room in ("cli/", "play.py", "replay.py", "titles/spyrium/rules", "titles/spyrium/evolve", "log/", "store/"):
        assert any(room in file for file in files), room


def main() -> None:
    text = PAGE.read_text(encoding="utf-8")

    def counted(row: re.Match[str]) -> str:
        return f"| {row['what']} | `{row['file']}` | `{row['name']}` | {length(row['file'], row['name'])} |"

    PAGE.write_text(ROW.sub(counted, text), encoding="utf-8")


if __name__ == "__main__":
    main()
