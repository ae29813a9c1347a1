"""Only store/files.py touches the disk. Import contracts see imports; this sees calls, too."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "spyrium_log"
DISK = "store/files.py"
MODULES = {"os", "io", "shutil", "tempfile", "fcntl", "glob", "mmap"}
# What a path can do beyond being a name; `replace` and `rename` are words of strings and structs, too.
CALLS = {
    "chmod",
    "exists",
    "glob",
    "hardlink_to",
    "is_dir",
    "is_file",
    "iterdir",
    "lstat",
    "mkdir",
    "read_bytes",
    "read_text",
    "rglob",
    "rmdir",
    "stat",
    "symlink_to",
    "touch",
    "unlink",
    "write_bytes",
    "write_text",
}
# The read model has a file of its own, a cache; titles, catalogues and pages read what ships with them
# (importlib.resources).
ALLOWED = {
    "readmodel": {"tempfile", *CALLS},
    "titles": {"read_text"},
    "catalogue.py": {"read_text"},
    "exchange": {"read_text"},
    # Whether there is an archive to open at all.
    "analysis": {"is_dir", "read_text"},
}


def touches(code: str) -> Iterator[str]:
    """Everything in a module that could touch the disk."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Import(names=names):
                yield from (name.name.partition(".")[0] for name in names if name.name.partition(".")[0] in MODULES)
            case ast.ImportFrom(module=str(module), level=0) if module.partition(".")[0] in MODULES:
                yield module.partition(".")[0]
            case ast.Call(func=ast.Name(id="open" | "__import__" as name)):
                yield name
            case ast.Call(func=ast.Attribute(attr=name)) if name in CALLS:
                yield name


def rooms() -> list[str]:
    return sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("module", rooms())
def test_a_room_touches_no_disk(module: str) -> None:
    found = set(touches((PACKAGE / module).read_text(encoding="utf-8")))
    if module == DISK:
        assert found >= {"os", "fcntl"}
    else:
        assert found - ALLOWED.get(module.partition("/")[0], set()) == set()


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("import os.path", "os"),
        ("def f():\n    import io", "io"),
        ("from shutil import copy", "shutil"),
        ("open('x')", "open"),
        ("Path('x').read_bytes()", "read_bytes"),
        ("__import__('os')", "__import__"),
    ],
)
def test_a_planted_touch_is_seen(code: str, name: str) -> None:
    assert list(touches(code)) == [name]
