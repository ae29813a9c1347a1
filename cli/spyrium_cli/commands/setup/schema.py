"""`spyrium schema`: JSON Schemas, made from the types that read and write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from spyrium_cli.command import Command, pass_session
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_data

EPILOG = """\b
Examples:
  spyrium schema
  spyrium schema log
  spyrium schema config"""


@click.command("schema", cls=Command, epilog=EPILOG)
@click.argument("kind", required=False)
@pass_session
def command(session: Session, kind: str | None) -> None:
    """Print the JSON Schema of a log, of notes or of what a command prints.

    Without KIND, list them. A log's schema is of one line, of the title that is settled.
    """
    from spyrium_cli.render.objects import json_text
    from spyrium_cli.render.rows import write

    if kind is None:
        write(("schema", "of"), [(name, of) for name, (of, _) in SCHEMAS.items()], "table")
    elif kind in SCHEMAS:
        write_data(f"{json_text(SCHEMAS[kind][1](session))}\n")
    else:
        raise click.UsageError(f"expected a schema of {', '.join(SCHEMAS)}, found '{kind}'")


def _log(session: Session) -> Any:
    from spyrium_log import schema

    return schema(session.title)


def _notes(_session: Session) -> Any:
    from spyrium_log import notes_schema

    return notes_schema()


def _verdict(_session: Session) -> Any:
    from msgspec.json import schema

    from spyrium_cli.games.verdict import Verdict

    return _titled("what `spyrium validate --format jsonl` prints of a log", schema(Verdict, schema_hook=_text))


def _text(_type: type) -> dict[str, str]:
    """Messages are written in English."""
    return {"type": "string"}


def _history(_session: Session) -> Any:
    from msgspec.json import schema

    from spyrium_log.edit.history import HistoryLine

    return _titled("what `spyrium show --log --format jsonl` prints of a line", schema(HistoryLine))


def _config(_session: Session) -> Any:
    from spyrium_cli.settings.keys import KEYS, Key

    def words(of: Any) -> Any:
        return {"type": "object", "additionalProperties": of}

    def type_of(key: Key) -> Any:
        text = {"type": "string"}
        return {
            "names": {"type": "array", "items": text},
            "choice": {"enum": list(key.choices)},
            "table": words(text),
            "tables": words(words(text)),
        }.get(key.kind, text)

    properties = {name: {**type_of(key), "description": key.help} for name, key in KEYS.items()}
    return _titled("spyrium.toml", {"type": "object", "properties": properties, "additionalProperties": False})


def _titled(title: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


SCHEMAS: Mapping[str, tuple[str, Callable[[Session], Any]]] = {
    "log": ("a line of a log", _log),
    "notes": ("a line of notes on a log", _notes),
    "verdict": ("what validate says of a log", _verdict),
    "history": ("what show --log says of a line", _history),
    "config": ("spyrium.toml", _config),
}
