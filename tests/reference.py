"""The pages of the reference that are made from the source, by their path below `docs/reference`."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import click

import spyrium_log
from spyrium_cli.main import cli
from spyrium_log import TITLES, schema
from spyrium_log.readmodel.catalogue import reports

WIDTH = 100
COLUMNS = """SELECT table_name AS "table", column_name AS "column", data_type AS type, comment AS meaning
FROM duckdb_columns() WHERE NOT internal AND comment IS NOT NULL ORDER BY table_name, column_index"""
# What the loader keeps for itself.
INTERNAL = "For the loader only."


# --- commands ------------------------------------------------------------------------------------


def commands(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[click.Context]:
    """The command and those below it, each with the context in which its help is written."""
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    ctx = click.Context(command, info_name=name, parent=parent, **settings)
    yield ctx
    if isinstance(command, click.Group):
        for word in command.list_commands(ctx):
            below = command.get_command(ctx, word)
            assert below is not None
            yield from commands(below, word, ctx)


def commands_page() -> Iterator[str]:
    yield "# Commands"
    yield "What `spyrium --help` and `spyrium COMMAND --help` print."
    for ctx in commands(cli, "spyrium"):
        help_text = "\n".join(line.rstrip() for line in ctx.get_help().splitlines())
        yield f"## {ctx.command_path}"
        yield f"```text\n{help_text}\n```"


# --- reports and tables --------------------------------------------------------------------------


def reports_page() -> Iterator[str]:
    yield "# Reports"
    yield "`spyrium report NAME` answers these questions. Options that a report takes stand in the last column."
    rows = [
        (f"`{one.name}`", one.question, ", ".join(f"`{option.name}`" for option in one.options)) for one in reports()
    ]
    yield table(("report", "question", "options"), rows)


def tables_page() -> Iterator[str]:
    yield "# Tables"
    yield (
        "What `spyrium query` can ask. The tables lie in one DuckDB file beside the logs, which any DuckDB opens; they "
        "are made from the logs and can be made again at any time. `spyrium tables` prints the same."
    )
    listed = [one for one in _printed("tables") if INTERNAL not in one["says"]]
    yield table(("kind", "name", "holds"), [(one["kind"], f"`{one['name']}`", one["says"]) for one in listed])
    columns = groupby(_printed("query", COLUMNS), lambda row: row["table"])
    names = {one["name"] for one in listed if one["kind"] == "table"}
    for name, rows in columns:
        if name in names:
            yield f"## {name}"
            yield table(
                ("column", "type", "meaning"), [(f"`{row['column']}`", row["type"], row["meaning"]) for row in rows]
            )


def cards_page() -> Iterator[str]:
    yield "# Cards of Spyrium"
    yield (
        "The ids that a deal names, with what is printed on each card as far as it is known: `~` marks a value that "
        "nobody has checked against the printed card. Copies are by period: a for rounds 1 to 3, b for 4 and 5, "
        "c for 6. "
        "`spyrium sheet cards` prints the same."
    )
    yield f"```text\n{_output('sheet', 'cards').rstrip()}\n```"


def _printed(*arguments: str) -> list[dict[str, str]]:
    """The rows that a command prints of an empty archive."""
    rows: list[dict[str, str]] = json.loads(_output(*arguments, "--format", "json"))
    return rows


def _output(*arguments: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "SPYRIUM_ARCHIVE": folder, "HOME": folder}
        command = [sys.executable, "-m", "spyrium_cli", *arguments]
        return subprocess.run(command, env=env, capture_output=True, check=True, encoding="utf-8").stdout


# --- the log -------------------------------------------------------------------------------------


def log_page() -> Iterator[str]:
    yield "# Log format"
    yield (
        "A log is one file of UTF-8 text, one JSON object a line, one game a file. The first line is the header; every "
        "other line is chained to the one before it by `prev` and `hash`. `n` is the number of a line: it is never "
        "given away again. [Why the log looks like this](../explanation/log.md) and [what the hashes "
        "prove](../explanation/chain.md) stand on pages of their own; `schemas/` has the same as JSON Schema."
    )
    for title in TITLES.values():
        made = schema(title)
        definitions = made["$defs"]
        lines = {reference(one): kind for kind, one in made["discriminator"]["mapping"].items()}
        yield f"## Lines of a {title.name} log"
        for name, kind in lines.items():
            yield from definition(f"`{kind}`", definitions[name])
        yield f"## What the lines of a {title.name} log hold"
        for name, each in definitions.items():
            if name not in lines:
                yield from definition(name, each)


def definition(heading: str, made: Mapping[str, Any]) -> Iterator[str]:
    """A type of the schema: what it is, and a row for each of its fields."""
    yield f"### {heading}"
    if "description" in made:
        yield inspect.cleandoc(made["description"])
    required = set(made.get("required", ()))
    yield table(
        ("field", "type", ""),
        [
            (f"`{name}`", spelled(field), "" if name in required else "may be left out")
            for name, field in made.get("properties", {}).items()
        ],
    )


def spelled(field: Mapping[str, Any]) -> str:
    """The type of a field in a few words."""
    match field:
        case {"$ref": str()}:
            return reference(field["$ref"])
        case {"enum": list(values)}:
            return ", ".join(f"`{value}`" for value in values)
        case {"anyOf": list(choices)}:
            return " or ".join(spelled(one) for one in choices if one != {"type": "null"})
        case {"type": "array", "items": dict(items)}:
            return f"list of: {spelled(items)}"
        case {"type": "array", "prefixItems": list(items)}:
            return f"list of: {', '.join(spelled(one) for one in items)}"
        case {"type": "integer", "minimum": low, "maximum": high}:
            return f"integer from {low:,} to {high:,}".replace("-", "−")
        case {"type": "string", "maxLength": most, "minLength": least} if least == most:
            return f"text of {most} characters"
        case {"type": "string", "maxLength": most}:
            return f"text of at most {most} characters"
        case {"type": "string", "format": "date-time"}:
            return "time with its zone"
        case {"type": kind}:
            return {"string": "text"}.get(str(kind), str(kind))
        case _:
            return "anything"


def reference(path: str) -> str:
    return path.rpartition("/")[2]


# --- Python --------------------------------------------------------------------------------------


def python_page() -> Iterator[str]:
    yield "# Python"
    yield "Everything public is in `spyrium_log`."
    yield inspect.cleandoc(spyrium_log.__doc__ or "")
    for name in spyrium_log.__all__:
        value = getattr(spyrium_log, name)
        if inspect.isclass(value):
            yield from class_section(name, value)
        elif inspect.isfunction(value):
            yield f"## {name}"
            yield code(f"{name}{signature(value)}")
            yield from documented(value)


def class_section(name: str, value: type[Any]) -> Iterator[str]:
    """The class, what its objects hold, and its documented methods."""
    yield f"## {name}"
    yield from documented(value)
    if issubclass(value, Exception):
        return
    if rows := [*attributes(value)]:
        yield table(("attribute", "type", "meaning"), rows)
    for method, each in vars(value).items():
        function = each.__func__ if isinstance(each, classmethod) else each
        if not method.startswith("_") and inspect.isfunction(function) and function.__doc__:
            yield code(f"{name}.{method}{signature(function)}")
            yield from documented(function)


def attributes(value: type[Any]) -> Iterator[tuple[str, str, str]]:
    """Fields as they are annotated, then properties with their docstrings."""
    for name, kind in inspect.get_annotations(value).items():
        if not name.startswith("_") and "ClassVar" not in str(kind):
            yield f"`{name}`", f"`{kind if isinstance(kind, str) else inspect.formatannotation(kind)}`", ""
    for name, each in vars(value).items():
        getter = each.fget if isinstance(each, property) else getattr(each, "func", None)
        if not name.startswith("_") and inspect.isfunction(getter):
            kind = inspect.signature(getter).return_annotation
            yield f"`{name}`", f"`{kind}`", " ".join((getter.__doc__ or "").split())


def signature(function: Callable[..., Any]) -> str:
    made = inspect.signature(function)
    parameters = [one for name, one in made.parameters.items() if name not in {"self", "cls"}]
    # an annotation is a string here, and would be shown in quotes
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(made.replace(parameters=parameters)))


def documented(value: object) -> Iterator[str]:
    """Its own docstring, and none that a dataclass or a Struct made up."""
    text = inspect.cleandoc(vars(value).get("__doc__") or getattr(value, "__doc__", None) or "")
    if text and not text.startswith(f"{getattr(value, '__name__', '')}("):
        yield text


def code(text: str) -> str:
    return f"```text\n{text}\n```"


# --- all of them ---------------------------------------------------------------------------------


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


PAGES: Mapping[str, Callable[[], Iterator[str]]] = {
    "commands.md": commands_page,
    "reports.md": reports_page,
    "tables.md": tables_page,
    "log.md": log_page,
    "python.md": python_page,
    "spyrium/cards.md": cards_page,
}
FOLDER = Path(__file__).parents[1] / "docs" / "reference"


def page(name: str) -> str:
    return "\n\n".join(PAGES[name]()) + "\n"
