"""`spyrium schema`: JSON Schemas, made from the types that read and write."""

from __future__ import annotations

from typing import Any, TypeAlias

import click
from msgspec.json import schema as schema_of_type

from spyrium_cli.command import Command, pass_session
from spyrium_cli.complaint import WrongCall
from spyrium_cli.games.verdict import Verdict
from spyrium_cli.render.rows import translate_headings, write, write_object
from spyrium_cli.render.text import translate
from spyrium_cli.session import Session
from spyrium_cli.settings.keys import KEYS, Key
from spyrium_log import notes_schema, schema
from spyrium_log.edit.history import HistoryLine

EPILOG = """\b
Examples:
  spyrium schema
  spyrium schema config"""


@click.command("schema", cls=Command, epilog=EPILOG)
@click.argument("kind", required=False)
@pass_session
def print_schema(session: Session, kind: str | None) -> None:
    """Print the JSON Schema of a log, of notes or of what a command prints.

    Without KIND, list them. A log's schema is of one line, of the title that is settled.
    """
    if kind is None:
        rows = [(name, translate(f"schemas.{name}", session.language)) for name in SUBJECTS]
        write(translate_headings(("schema", "of"), "schema-heads", "table", session.language), rows, "table")
    elif kind in SUBJECTS:
        write_object(_make_schema(kind, session), "json")
    else:
        raise WrongCall("schema", known=", ".join(SUBJECTS), found=kind)


# A JSON Schema as plain data.
Schema: TypeAlias = dict[str, Any]
SUBJECTS = ("log", "notes", "verdict", "history", "config")


def _make_schema(kind: str, session: Session) -> Schema:
    """The JSON Schema of one of the `SUBJECTS`; a log's is of the title that is settled."""
    if kind == "log":
        return schema(session.title)
    if kind == "notes":
        return notes_schema()
    if kind == "verdict":
        subject = "what `spyrium validate --format jsonl` prints of a log"
        # the only type that has no schema of its own is a message, which is printed as text
        described: Schema = schema_of_type(Verdict, schema_hook=lambda _type: {"type": "string"})
    elif kind == "history":
        subject, described = "what `spyrium show --log --format jsonl` prints of a line", schema_of_type(HistoryLine)
    else:
        subject, described = "spyrium.toml", _make_settings_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": subject, **described}


def _make_settings_schema() -> Schema:
    """The JSON Schema of a file of settings, with what each key means."""
    properties = {name: {**_make_key_schema(key), "description": key.help} for name, key in KEYS.items()}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _make_key_schema(key: Key) -> Schema:
    """The JSON Schema of the values that a key of the settings may have."""
    text = {"type": "string"}
    table = {"type": "object", "additionalProperties": text}
    schemas: dict[str, Schema] = {
        "names": {"type": "array", "items": text},
        "choice": {"enum": list(key.choices)},
        "table": table,
        "tables": {"type": "object", "additionalProperties": table},
    }
    return schemas.get(key.kind) or text
