"""`spyrium config`: settings, and where each comes from."""

from __future__ import annotations

from pathlib import Path

import click

from spyrium_cli.command import Group, pass_session
from spyrium_cli.complaint import Complaint, Refusal, WrongCall, call_message, did_you_mean, shell_message
from spyrium_cli.identity import NOBODY, login_name
from spyrium_cli.render.rows import formats, translate_headings, write
from spyrium_cli.render.surface import tell
from spyrium_cli.render.text import translate_word, vocabulary
from spyrium_cli.session import FOR_PEOPLE, Session, language_of_call, language_of_form
from spyrium_cli.settings.config import DEFAULT, Setting, Settings
from spyrium_cli.settings.file import directory, project_file, user_file, write_setting
from spyrium_cli.settings.keys import KEYS, OWN_KEYS, Value, check_value, find_key, parse_value
from spyrium_cli.settings.readings import editions, parse_options
from spyrium_cli.settings.trusted_keys import PUBLIC_KEY
from spyrium_cli.sql.index import INDEX_FILE
from spyrium_cli.terminal import write_line

COLOURS = "colours"

EPILOG = """\b
Examples:
  spyrium config show --origin
  spyrium config set by Anna
  spyrium config set players "Anna,Bob,Cy"
  spyrium config set options.crane-discount whole-cost
  spyrium config set keys.club 3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29

The first of these wins: an option of the call, the environment (SPYRIUM_ARCHIVE, SPYRIUM_BY and so on), spyrium.toml of
this folder or the nearest one above it, or else of the archive, and your own file."""


@click.group("config", cls=Group, epilog=EPILOG)
def manage_settings() -> None:
    """Show and change settings, and list where files are."""


@manage_settings.command("paths", epilog="\b\nExamples:\n  spyrium config paths\n  spyrium config paths --format json")
@formats()
@pass_session
def list_paths(session: Session, form: str) -> None:
    """List where files are, and which setting says so."""
    archive, project = session.archive_setting, project_file()
    places = [
        ("archive", Path(archive.value), archive.origin),
        ("index", Path(archive.value) / INDEX_FILE, "in the archive"),
        *([("project's settings", project, "upwards from here")] if project else []),
        ("user's settings", user_file(), DEFAULT),
        *((kind, directory(kind), DEFAULT) for kind in ("config", "data", "state", "cache")),
    ]
    language = _language(form)
    rows = [
        (
            translate_word(purpose, "places", language),
            str(path.absolute()),
            path.exists(),
            translate_word(origin, "places", language),
        )
        for purpose, path, origin in places
    ]
    heads = translate_headings(("what", "path", "exists", "origin"), "config", form, language)
    write(heads, rows, form, null="", language=language)


@manage_settings.command("show", epilog="\b\nExample:\n  spyrium config show --origin")
@click.option("--origin", is_flag=True, help="Show where each value comes from.")
@formats()
@pass_session
def list_settings(session: Session, origin: bool, form: str) -> None:
    """List every key and its value."""
    from spyrium_log.colours import colour_name

    rows: list[tuple[object, ...]] = []
    for key, known in KEYS.items():
        for name, setting in _find_settings(session, key).items():
            value = _format_value(setting.value) if form in {"table", "md", "csv"} else setting.value
            if key == COLOURS and form in FOR_PEOPLE:
                value = ",".join(colour_name(colour, _language(form)) for colour in setting.value or ())
            meaning = vocabulary(_language(form))["config"].get(key, known.help)
            rows.append(
                (name, value, *([translate_word(setting.origin, "places", _language(form))] if origin else []), meaning)
            )
    columns = ("key", "value", *(["origin"] if origin else []), "meaning")
    write(translate_headings(columns, "config", form, _language(form)), rows, form, null="")


def _language(form: str) -> str:
    """The language of a table; English for programs, and where the settings name a language that there is not."""
    return language_of_form(form, language_of_call(click.get_current_context()))


def _find_settings(session: Session, key: str) -> dict[str, Setting]:
    """The settings that a key stands for: `{"lang": …}`, or of a table `{"options.tie": …, "options.crane": …}`."""
    # it loads the titles, which `config get` does not wait for
    from spyrium_cli.sheets.lookup import own_sheet_path

    if KEYS[key].kind in {"table", "tables"}:
        entries = {f"{key}.{name}": setting for name, setting in session.settings.entries(key).items()}
        return entries or {key: Setting(None, DEFAULT)}
    setting = session.archive_setting if key == "archive" else session.settings.get(key)
    if setting.value is None and key == "by":
        login = login_name()
        setting = Setting(login, "your login") if login else Setting(NOBODY, DEFAULT)
    if setting.value is None and key == "sheet":
        setting = Setting(str(own_sheet_path(session, session.title)), DEFAULT)
    return {key: setting}


def _format_value(value: Value) -> str | None:
    """A value of a setting on one line: `a,b` for a list, `name=value; name=value` for a table; None for none."""
    if isinstance(value, list):
        return ",".join(value)
    if isinstance(value, dict):
        return "; ".join(
            f"{name}: {_format_value(entry)}" if isinstance(entry, dict) else f"{name}={entry}"
            for name, entry in value.items()
        )
    return None if value is None else str(value)


@manage_settings.command("get", epilog="\b\nExample:\n  spyrium config get lang")
@click.argument("key")
@pass_session
def print_setting(session: Session, key: str) -> None:
    """Print one value; exit code 1 if it is not set.

    KEY is a key, or options.NAME, keys.NAME.
    """
    name, dot, entry = key.partition(".")
    if find_key(name).kind in {"table", "tables"}:
        table = session.settings.table(name)
        value = table.get(entry) if dot else table or None
    else:
        value = session.archive_setting.value if name == "archive" else session.settings.get(name).value
    if value is None:
        raise Refusal(call_message("not-set", key=key))
    write_line(str(_format_value(value)))


@manage_settings.command("set", epilog="\b\nExample:\n  spyrium config set lang en")
@click.argument("key")
@click.argument("value")
def set_value(key: str, value: str) -> None:
    """Set a value in your own file; everything else in it stays.

    VALUE is a text, or a list with commas between.
    """
    name, entry = _split_key(key)
    # a relative path starts from here, not from the file
    folder = Path.cwd() if name in {"archive", "sheet"} else Path()
    # an entry is checked as a table that holds nothing else
    typed = {entry: value} if entry else parse_value(name, value)
    if name == COLOURS:
        typed = _read_colours(typed)
    origin = translate_word("the command line", "places", language_of_call(click.get_current_context()))
    checked = check_value(name, typed, origin, folder)
    _check_known(name, entry, value if entry else checked)
    write_setting(key, value if entry else checked)
    tell("settings.settled", key=key, place=str(user_file()))


def _read_colours(typed: Value) -> list[str]:
    """The colours as logs and settings have them; one that no title has stays as it was typed."""
    from spyrium_log.colours import read_colour
    from spyrium_log.titles import TITLES

    known = [colour for title in TITLES.values() for colour in title.colours]
    read = {each: read_colour(each, known) for each in typed}
    return [colour if colour in known else each for each, colour in read.items()]


def _check_known(name: str, entry: str, value: Value) -> None:
    """Refuse a value that a new game would refuse. `entry`: the name in a table; empty for a key that is none."""
    from spyrium_log.titles import TITLES

    titles = TITLES.values()
    if name == OWN_KEYS:
        if not PUBLIC_KEY.fullmatch(value):
            raise Complaint(call_message("public-key", found=value))
        return
    if entry:
        parse_options(titles, [(entry, value)])
        return
    known = {
        "lang": [language for title in titles for language in title.words.languages],
        "title": list(TITLES),
        "colours": [colour for title in titles for colour in title.colours],
        "edition": [edition for title in titles for edition in editions(Settings(), title)],
    }.get(name)
    for word in value if isinstance(value, list) else [value]:
        # None: of this key any value may be right
        if known is not None and word not in known:
            names, hint = ", ".join(dict.fromkeys(known)), did_you_mean(word, known)
            raise Complaint(call_message("value-of-key", known=names, key=name, found=word, hint=hint))


@manage_settings.command("unset", epilog="\b\nExample:\n  spyrium config unset lang")
@click.argument("key")
@pass_session
def unset_value(session: Session, key: str) -> None:
    """Remove a value from your own file; exit code 1 if it is not in there."""
    name, _ = _split_key(key)
    if not write_setting(key, None):
        raise Refusal(call_message("not-settled", key=key, place=str(user_file())))
    remaining = _find_settings(session, name).get(key)
    elsewhere = shell_message("settings.nothing-else")
    if remaining is not None and remaining.value is not None:
        value = str(_format_value(remaining.value))
        origin = translate_word(remaining.origin, "places", language_of_call(click.get_current_context()))
        elsewhere = shell_message("settings.now", value=value, origin=origin)
    tell("settings.unsettled", key=key, place=str(user_file()), now=elsewhere)


def _split_key(key: str) -> tuple[str, str]:
    """The key and the entry of what can be set: `options.tie` is `("options", "tie")`, `lang` is `("lang", "")`."""
    name, _, entry = key.partition(".")
    kind = find_key(name).kind
    if kind == "table" and (not entry or "." in entry):
        raise WrongCall("table-key", name=name, found=key)
    if kind == "tables" or (kind != "table" and key != name):
        raise WrongCall("single-key", found=key)
    return name, entry
