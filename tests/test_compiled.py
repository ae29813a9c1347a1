"""Nothing is compiled unless somebody asks for it. Where there is a compiler, `tests.compiled` compares the two."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.compiling import MODULES, SWITCH, CompiledBuildHook, sources
from tests.compiled import compiled_modules, digest_game, modules, title_of

ROOT = Path(__file__).parents[1]


def hook() -> Any:
    return CompiledBuildHook(str(ROOT), {}, None, None, "", "wheel")  # type: ignore[arg-type] # it asks for none of them


@pytest.mark.parametrize("said", [None, "", "0"])
def test_without_the_variable_a_build_needs_and_does_nothing(said: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SWITCH, raising=False)
    if said is not None:
        monkeypatch.setenv(SWITCH, said)
    data: dict[str, Any] = {"force_include": {}, "pure_python": True, "infer_tag": False}
    before = {**data, "force_include": {}}
    made = hook()
    assert made.dependencies() == []
    made.initialize("standard", data)
    made.finalize("standard", data, "")
    assert data == before


def test_sources_that_are_edited_are_never_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "1")
    assert any(need.startswith("mypy[mypyc]") for need in hook().dependencies())
    with pytest.raises(RuntimeError, match="hide the source"):
        hook().initialize("editable", {})


@pytest.mark.parametrize("pattern", MODULES)
def test_what_is_listed_is_there(pattern: str) -> None:
    assert list(ROOT.glob(pattern))


@pytest.mark.parametrize("name", sources(ROOT))
def test_no_compiled_module_defines_a_struct(name: str) -> None:
    """Of `class Line(Struct, frozen=True)` mypyc would leave `class Line(Struct)`."""
    tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert not [node.name for node in classes if node.keywords]


def test_what_is_compared_is_the_same_twice_and_not_for_two_games() -> None:
    counts: Counter[str] = Counter()
    one, same, other = (digest_game(title_of(seed), seed, counts) for seed in (1, 1, 2))
    assert one == same != other
    assert counts["findings"]


def test_all_of_them_are_compiled_or_none() -> None:
    assert compiled_modules() in ([], modules())
