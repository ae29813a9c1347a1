"""`spyrium config`: settings, and where each comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spyrium_cli.command import Group, pass_session
from spyrium_cli.commands.setup.paths import command as paths
from spyrium_cli.complaint import Complaint, Refusal, did_you_mean
from spyrium_cli.render.rows import formats
from spyrium_cli.session import Session
from spyrium_cli.terminal import write_line

if TYPE_CHECKING:
    from spyrium_cli.settings.config import Setting

EPILOG = """\b
Examples:
  spyrium config show --origin
  spyrium config set by Anna
  spyrium config set players "Anna,Bob,Cy"
  spyrium config set options.crane-discount whole-cost
  spyrium config set keys.club 3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29
  spyrium config get by
  spyrium config unset by

The first of these wins: an option of the call, the environment (SPYRIUM_ARCHIVE, SPYRIUM_BY and so on), spyrium.toml of
this folder or the nearest one above it, or else of the archive, and your own file."""


@click.group("config", cls=Group, epilog=EPILOG)
def command() -> None:
    """Show and change settings, and list where files are."""


command.add_command(paths)


@command.command("show", epilog="\b\nExample:\n  spyrium config show --origin")
@click.option("--origin", is_flag=True, help="Show where each value comes from.")
@formats()
@pass_session
def show(session: Session, origin: bool, form: str) -> None:
    """List every key and its value."""
    from spyrium_cli.render.rows import write
    from spyrium_cli.settings.keys import KEYS

    rows: list[tuple[Any, ...]] = []
    for key, known in KEYS.items():
        for name, setting in _settings(session, key).items():
            shown = _shown(setting.value) if form in {"table", "md", "csv"} else setting.value
            rows.append((name, shown, *([setting.origin] if origin else []), known.help))
    write(("key", "value", *(["origin"] if origin else []), "meaning"), rows, form, null="")


def _settings(session: Session, key: str) -> dict[str, Setting]:
    """A setting with its origin, or the entries of a table, which may have different origins."""
    from spyrium_cli.identity import NOBODY, login
    from spyrium_cli.settings.config import DEFAULT, Setting
    from spyrium_cli.settings.keys import KEYS
    from spyrium_cli.sheets.lookup import own_sheet_path

    if KEYS[key].kind in {"table", "tables"}:
        entries = {f"{key}.{name}": setting for name, setting in session.settings.entries(key).items()}
        return entries or {key: Setting(None, DEFAULT)}
    setting = session.archive_setting if key == "archive" else session.settings.get(key)
    if setting.value is None and key == "by":
        setting = Setting(login() or NOBODY, "your login" if login() else DEFAULT)
    if setting.value is None and key == "sheet":
        setting = Setting(str(own_sheet_path(session)), DEFAULT)
    return {key: setting}


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
    """Print one value; exit code 1 if it is not set.

    KEY is a key, or options.NAME, keys.NAME.
    """
    from spyrium_cli.settings.keys import find_key

    name, dot, entry = key.partition(".")
    if find_key(name).kind in {"table", "tables"}:
        value: Any = session.settings.table(name)
        value = value.get(entry) if dot else value or None
    else:
        value = session.archive_setting.value if name == "archive" else session.settings.get(name).value
    if value is None:
        raise Refusal(f"'{key}' is not set")
    write_line(str(_shown(value)))


def _check(name: str, entry: str, value: Any) -> None:
    """Refuse a value that a new game would refuse."""
    from spyrium_cli.settings.config import Settings
    from spyrium_cli.settings.keys import OWN_KEYS
    from spyrium_cli.settings.readings import editions, parse_options
    from spyrium_cli.settings.trusted_keys import PUBLIC_KEY
    from spyrium_log.titles import TITLES

    titles = TITLES.values()
    if name == OWN_KEYS:
        if not PUBLIC_KEY.fullmatch(value):
            raise Complaint(f"expected a public key, 64 digits of 0 to 9 and a to f, found '{value}'")
        return
    if entry:
        parse_options(titles, [(entry, value)])
        return
    known = {
        "lang": [spoken for title in titles for spoken in title.words.languages],
        "title": list(TITLES),
        "colours": [colour for title in titles for colour in title.colours],
        "edition": [edition for title in titles for edition in editions(Settings(), title)],
    }.get(name)
    for each in value if isinstance(value, list) else [value]:
        if known is not None and each not in known:
            expected = f"one of {', '.join(dict.fromkeys(known))} for '{name}'"
            raise Complaint(f"expected {expected}, found '{each}'{did_you_mean(each, known)}")


@command.command("set", epilog="\b\nExample:\n  spyrium config set lang en")
@click.argument("key")
@click.argument("value")
def set_(key: str, value: str) -> None:
    """Set a value in your own file; everything else in it stays.

    VALUE is a text, or a list with commas between.
    """
    from pathlib import Path

    from spyrium_cli.render.surface import say
    from spyrium_cli.settings.file import user_file, write_setting
    from spyrium_cli.settings.keys import check_value, parse_value

    where = "the command line"
    name, entry = _entry(key)
    if entry:
        checked: Any = value
        check_value(name, {entry: value}, where, Path())
    elif name in {"archive", "sheet"}:
        # a relative path starts from here, not from the file
        checked = check_value(name, value, where, Path.cwd())
    else:
        checked = check_value(name, parse_value(name, value), where, Path())
    _check(name, entry, checked)
    write_setting(user_file(), key, checked)
    say(f"{key} is settled at {user_file()}")


@command.command("unset", epilog="\b\nExample:\n  spyrium config unset lang")
@click.argument("key")
@pass_session
def unset(session: Session, key: str) -> None:
    """Remove a value from your own file; exit code 1 if it is not in there."""
    from spyrium_cli.render.surface import say
    from spyrium_cli.settings.file import user_file, write_setting

    name, _ = _entry(key)
    if not write_setting(user_file(), key, None):
        raise Refusal(f"nothing settles {key} at {user_file()}")
    remaining = _settings(session, name).get(key)
    is_set = remaining is not None and remaining.value is not None
    now = f"now it is {_shown(remaining.value)} ({remaining.origin})" if remaining and is_set else "nothing else does"
    say(f"{key} is settled no more at {user_file()}; {now}")


def _entry(key: str) -> tuple[str, str]:
    """The key and the name of the entry, as in options.tie."""
    from spyrium_cli.settings.keys import find_key

    name, dot, entry = key.partition(".")
    kind = find_key(name).kind
    if (kind == "table") != bool(dot and entry) or kind == "tables" or "." in entry:
        expected = f"{name}.NAME" if kind == "table" else "a key that is one value"
        raise click.UsageError(f"expected {expected}, found '{key}'")
    return name, entry
