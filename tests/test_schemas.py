"""The schemas in the tree are the ones the types make. `python -m tests.test_schemas` writes them anew."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from spyrium_log.log.schema import schema
from spyrium_log.title import AnyTitle
from spyrium_log.titles import TITLES

SCHEMAS = Path(__file__).parents[1] / "schemas"


def schema_text(title: AnyTitle) -> str:
    """The JSON Schema of a title as the text of a file."""
    return msgspec.json.format(msgspec.json.encode(schema(title)), indent=1).decode() + "\n"


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES.keys())
def test_the_schema_in_the_tree_is_what_the_types_make(title: AnyTitle) -> None:
    assert (SCHEMAS / f"{title.key}.schema.json").read_text(encoding="utf-8") == schema_text(title)


def test_every_kind_of_line_and_act_has_a_name_of_its_own() -> None:
    names = schema(TITLES["spyrium"])["$defs"]
    assert {"Header", "Decided", "Dealt", "RoundDealt", "DealtCard", "Posting", "PlaceWorker", "Undone"} <= set(names)
    names = schema(TITLES["founders"])["$defs"]
    assert {"Header", "Decided", "Dealt", "TableDealt", "Scored", "Posting", "PlacePrestige", "Undone"} <= set(names)


def main() -> None:
    for title in TITLES.values():
        SCHEMAS.joinpath(f"{title.key}.schema.json").write_text(schema_text(title), encoding="utf-8")


if __name__ == "__main__":
    main()
