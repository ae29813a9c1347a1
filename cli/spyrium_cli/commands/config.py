"""`spyrium config`: what is settled once, and who settled it."""

from __future__ import annotations

from typing import Any

import click

from spyrium_cli.complaint import Complaint, Refusal
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Family, Session, pass_session

EPILOG = """\b
Examples:
  spyrium config show --origin
  spyrium config set by Anna
  spyrium config set players "Anna,Bob,Cy"
  spyrium config set options.tie shared
  spyrium config get by
  spyrium config unset by

An option of the call goes before the environment (SPYRIUM_ARCHIVE, SPYRIUM_BY, SPYRIUM_ and any key), that before
spyrium.toml of this folder or of the nearest one above it, or else of the archive, and that before the user's file."""


@click.group("config", cls=Family, epilog=EPILOG)
def command() -> None:
    """Show and change what is settled once: archive, language, scribe."""


@command.command("show", epilog="\b\nExample:\n  spyrium config show --origin")
@click.option("--origin", is_flag=True, help="Say of each value where it comes from.")
@formats()
@pass_session
def show(session: Session, origin: bool, form: str) -> None:
    """List every key and its value."""
    from spyrium_cli.config import KEYS
    from spyrium_cli.render.rows import write

    rows: list[tuple[Any, ...]] = []
    for key, known in KEYS.items():
        said = session.archive_setting if key == "archive" else session.settings.get(key)
        value = session.settings.table(key) or None if known.kind in {"table", "tables"} else said.value
        shown = _shown(value) if form in {"table", "md", "csv"} else value
        rows.append((key, shown, *([said.origin] if origin else []), known.help))
    write(("key", "value", *(["origin"] if origin else []), "meaning"), rows, form, null="")


def _shown(value: Any) -> str | None:
    if isinstance(value, list):
        return ",".join(value)
    if isinstance(value, dict):
        return "; ".join(
            f"{name}: {_shown(one)}" if isinstance(one, dict) else f"{name}={one}" for name, one in value.items()
        )
    return None if value is None else str(value)


@command.command("get", epilog="\b\nExample:\n  spyrium config get lang")
@click.argument("key")
@pass_session
def get(session: Session, key: str) -> None:
    """Print one value; exit code 1 where nobody settled it.

    KEY is a key, or options.NAME.
    """
    from spyrium_cli.config import known

    name, dot, entry = key.partition(".")
    if known(name).kind in {"table", "tables"}:
        value: Any = session.settings.table(name)
        value = value.get(entry) if dot else value or None
    else:
        value = session.archive_setting.value if name == "archive" else session.settings.value(name)
    if value is None:
        raise Refusal(f"nobody settled '{key}'")
    click.echo(_shown(value))


def _check_spoken(language: str) -> None:
    from spyrium_log.titles import TITLES

    known = {spoken: None for title in TITLES.values() for spoken in title.languages}
    if language not in known:
        raise Complaint(f"expected a language of {', '.join(known)}, found '{language}'")


@command.command("set", epilog="\b\nExample:\n  spyrium config set lang en")
@click.argument("key")
@click.argument("value")
def set_(key: str, value: str) -> None:
    """Settle a value in the user's file; everything else in the file stays.

    VALUE is a text, or names with commas between.
    """
    from pathlib import Path

    from spyrium_cli.config import checked, parsed, settle, user_file
    from spyrium_cli.render.paper import say

    where = "the command line"
    name, entry = _entry(key)
    if entry:
        made: Any = value
        checked(name, {entry: value}, where, Path())
    elif name in {"archive", "sheet"}:
        # In the file a path would be meant from there, but it was said here.
        made = checked(name, value, where, Path.cwd())
    else:
        made = checked(name, parsed(name, value), where, Path())
    if name == "lang":
        _check_spoken(value)
    settle(user_file(), key, made)
    say(f"{key} is settled at {user_file()}")


@command.command("unset", epilog="\b\nExample:\n  spyrium config unset lang")
@click.argument("key")
def unset(key: str) -> None:
    """Take a value out of the user's file."""
    from spyrium_cli.config import settle, user_file

    _entry(key)
    settle(user_file(), key, None)


def _entry(key: str) -> tuple[str, str]:
    """The key, and the name of an entry in it: options.tie."""
    from spyrium_cli.config import known

    name, dot, entry = key.partition(".")
    kind = known(name).kind
    if (kind == "table") != bool(dot and entry) or kind == "tables" or "." in entry:
        expected = f"{name}.NAME" if kind == "table" else "a key that is one value"
        raise click.UsageError(f"expected {expected}, found '{key}'")
    return name, entry
