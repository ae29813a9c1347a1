"""What a title must bring along: the shelf says what is missing, by name."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

import pytest
from msgspec import convert, json, to_builtins

from spyrium_log.title import AnyTitle, FinalCount
from spyrium_log.titles import TITLES
from tests.games import ALL_TITLES, start

ROOT = Path(__file__).parents[1]
NOUNS = (
    "moves",
    "effects",
    "cards",
    "state",
    "evolve",
    "rules",
    "legal",
    "scoring",
    "worth",
    "words",
    "notation",
    "shorthand",
    "view",
)

on_the_shelf = pytest.mark.parametrize("title", TITLES.values(), ids=TITLES.keys())
every_title = pytest.mark.parametrize("title", ALL_TITLES.values(), ids=ALL_TITLES.keys())


@on_the_shelf
@pytest.mark.parametrize("noun", NOUNS)
def test_each_title_has_the_same_nouns(title: AnyTitle, noun: str) -> None:
    folder = ROOT / "spyrium_log" / "titles" / title.key
    assert (folder / f"{noun}.py").exists() or (folder / noun / "__init__.py").exists()


@on_the_shelf
def test_each_title_has_examples_a_schema_and_locales(title: AnyTitle) -> None:
    assert list((ROOT / "examples" / title.key).glob("*.jsonl"))
    assert (ROOT / "schemas" / f"{title.key}.schema.json").exists()
    locales = ROOT / "spyrium_log" / "titles" / title.key / "locales"
    assert {path.stem for path in locales.glob("*.toml")} == set(title.words.languages)


@every_title
def test_an_edition_says_nothing_that_the_options_cannot(title: AnyTitle) -> None:
    assert title.editions
    for name, edition in title.editions.items():
        assert edition.name
        assert to_builtins(convert(dict(edition.readings), title.options)).items() <= edition.readings.items(), name


@every_title
def test_every_cause_and_rule_has_a_number(title: AnyTitle) -> None:
    assert all(title.causes.values())
    assert all(title.rules.values())
    assert set(title.causes) >= {"start", "unseen", "table", "adjusted"}


@every_title
def test_a_view_is_plain_data(title: AnyTitle) -> None:
    state = start(title, 1).state
    assert json.encode(title.screens.view(state)) == json.encode(title.screens.seen_by(state, 1))


@every_title
def test_notation_knows_the_final_count(title: AnyTitle) -> None:
    state = start(title, 1).state
    assert title.words.read(state, title.words.write(state, FinalCount())) == FinalCount()


@every_title
def test_every_resource_has_a_letter(title: AnyTitle) -> None:
    assert set(title.words.letters.values()) == set(get_args(title.wire.resource))


def test_no_title_names_another_room_than_its_door() -> None:
    """Titles may know messages, errors, shown, sheet and title, and nothing else of the house."""
    for path in (ROOT / "spyrium_log" / "titles").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("spyrium_log."):
                room = node.module.split(".")[1]
                assert room in {"catalogue", "errors", "messages", "shown", "sheet", "title", "titles"}, (
                    f"{path}: {node.module}"
                )
