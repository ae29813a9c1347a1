"""No shared room knows Spyrium: its words stand in its own folders, and in examples of how a command is called."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

ROOT = Path(__file__).parents[1]
HOMES = ("spyrium_log/titles/spyrium", "spyrium_log/titles/founders", "cli/spyrium_cli/titles/spyrium")
KINDS = {".py", ".sql", ".toml", ".js", ".css", ".html", ".j2", ".jinja", ".svg"}
WORDS = re.compile(
    r"spyrium|technique|phase ii?\b|£|crane\b|lobbying|taylorism|\bcommerce\b|residence|universit"
    r"|laborator|\bcrowd(?!ed_prev)",
    re.IGNORECASE,
)
# The name of the product, not of the game: packages, errors, the command, its variables and files.
PRODUCT = re.compile(
    r"spyrium_(?:log|cli)|[Ss]pyrium[- ][Ll]o(?:g|ad)|SpyriumLog\w*|SPYRIUM_\w*|\bspyrium(?=[- >`.][a-z{ @>\"]?)"
    r"|prog_name=\"spyrium\"|such as TITLES\['spyrium'\]"
)
ALLOWED = {
    "cli/spyrium_cli/commands/setup/completion.py": "the name of the command",
    "cli/spyrium_cli/settings/file.py": "the folder of the command's settings",
    "cli/spyrium_cli/settings/keys.py": "the title that is usual",
    "cli/spyrium_cli/titles/__init__.py": "the registry of renderers",
    "spyrium_log/titles/__init__.py": "the shelf",
}


def hits() -> Iterator[tuple[str, int, str]]:
    """Every line outside the title's folders that uses one of its words."""
    for folder in ("spyrium_log", "cli"):
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix not in KINDS or name.startswith(HOMES):
                continue
            text = path.read_text(encoding="utf-8")
            examples = set(example_lines(text)) if path.suffix == ".py" else set()
            for number, line in enumerate(text.splitlines(), 1):
                if number not in examples and WORDS.search(PRODUCT.sub("", line)):
                    yield name, number, line.strip()


def example_lines(code: str) -> Iterator[int]:
    """Lines of documentation, where an example needs a game: comments, docstrings, and the texts below a help."""
    for number, line in enumerate(code.splitlines(), 1):
        if line.lstrip().startswith("#"):
            yield number
    for node in ast.walk(ast.parse(code)):
        if is_documentation(node):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def is_documentation(node: ast.AST) -> TypeGuard[ast.stmt]:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id.isupper() and isinstance(node.value, ast.Constant) and "\b\n" in str(node.value.value)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def test_the_words_of_spyrium_stay_in_its_folders() -> None:
    found = [hit for hit in hits() if not any(hit[0].startswith(place) for place in ALLOWED)]
    print(f"{len(ALLOWED)} places that may name it")
    assert not found, "\n".join(f"{name}:{number}: {line}" for name, number, line in found)


def test_each_exception_is_needed() -> None:
    names = {name for name, _, _ in hits()}
    assert [place for place in ALLOWED if not any(name.startswith(place) for name in names)] == []
