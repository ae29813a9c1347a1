"""The JSON Schema of one title's log, made from the types that read it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from spyrium_log.checks import check_type
from spyrium_log.errors import SpyriumLogError
from spyrium_log.log.line_types import line_type
from spyrium_log.log.notes import NoteLine
from spyrium_log.sheet import Sheet
from spyrium_log.title import AnyTitle, Title

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REF_PREFIX = "#/$defs/"


def schema(title: AnyTitle) -> dict[str, Any]:
    """The JSON Schema of one line of a title's log, for programs that check logs without this package."""
    check_type(title, Title, "title")
    (line, sheet), components = msgspec.json.schema_components(
        [line_type(title), Sheet], ref_template=_REF_PREFIX + "{name}"
    )
    # without the parameters of generic types
    names = {name: name.split("_", 1)[0] for name in components}
    if repeated_names := sorted(name for name, n in Counter(names.values()).items() if n > 1):
        raise SpyriumLogError("type-name-twice", types=", ".join(repeated_names))
    # a header holds its sheet as raw bytes
    components[next(name for name, short in names.items() if short == "Header")]["properties"]["sheet"] = sheet
    return {
        "$schema": DIALECT,
        "title": f"a line of a {title.name} log",
        **_rename_types(line, names),
        "$defs": {
            names[name]: _rename_types(components[name], names) for name in sorted(components, key=names.__getitem__)
        },
    }


def notes_schema() -> dict[str, Any]:
    """The JSON Schema of one line of notes, the same for every title."""
    return {"$schema": DIALECT, "title": "a line of notes on a log", **msgspec.json.schema(NoteLine)}


def _rename_types(part: Any, names: dict[str, str]) -> Any:
    """A part of a schema, with these names for its types in titles and references."""
    if isinstance(part, dict):
        renamed = {key: _rename_types(value, names) for key, value in part.items()}
        if isinstance(renamed.get("title"), str):
            # `Posting[…]` without its parameters
            renamed["title"] = renamed["title"].partition("[")[0]
        return renamed
    if isinstance(part, list):
        return [_rename_types(item, names) for item in part]
    if isinstance(part, str) and part.startswith(_REF_PREFIX):
        return _REF_PREFIX + names[part.removeprefix(_REF_PREFIX)]
    return part
