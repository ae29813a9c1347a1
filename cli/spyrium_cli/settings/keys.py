"""The keys of the settings, and what each of them may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from spyrium_cli.complaint import Complaint, call_message, did_you_mean, shell_message, shorten

if TYPE_CHECKING:
    from spyrium_log.messages import Message

# As long as a path can be.
LONGEST_VALUE = 4096
LONGEST_SHOWN = 200
# Read in the user's own file alone: a folder that somebody hands over must not vouch for itself.
OWN_KEYS = "keys"

Kind = Literal["text", "path", "names", "choice", "table", "tables"]
# What the kind of a key says: a text, a list of texts, texts by name, such tables by name; None where it is not set.
Value: TypeAlias = Any


class Key(NamedTuple):
    """A `table` holds texts by name, `tables` such tables by name."""

    kind: Kind
    help: str
    default: Value = None
    choices: tuple[str, ...] = ()


KEYS: Mapping[str, Key] = {
    "archive": Key("path", "the folder of logs"),
    "lang": Key("text", "the language of sentences and cards", "en"),
    "by": Key("text", "who records; else who began the log, or your login"),
    "title": Key("text", "the title that is played", "spyrium"),
    "players": Key("names", "who sits down most often: names of new games are completed from these"),
    "colours": Key("names", "colours in the order of seats"),
    "edition": Key("text", "which of the editions below new games follow"),
    "editions": Key("tables", "sets of options by name, such as [editions.house]"),
    "options": Key("table", "readings of the rules (S-11) for new games, by name"),
    "sheet": Key("path", "your own component sheet; {title} in it stands for the title"),
    OWN_KEYS: Key("table", "public keys whose signatures are trusted, by name; in your own file only"),
    "color": Key("choice", "when to write in colour", "auto", ("auto", "always", "never")),
}


def find_key(name: str) -> Key:
    """What is known of the key of that name; Complaint where there is none."""
    if name not in KEYS:
        raise Complaint(call_message("key", found=name, hint=known_keys_hint(name)))
    return KEYS[name]


def known_keys_hint(name: str) -> Message | str:
    """The end of a message about an unknown key: `, did you mean 'lang'?`, or all that are known."""
    return did_you_mean(name, KEYS, "near-key") or call_message("known-keys", known=", ".join(KEYS))


def parse_value(name: str, text: str) -> str | list[str] | dict[str, str]:
    """The value of a key typed as one text: `Anna,Bob` for a list of names, `tie=all,crane=site` for a table."""
    kind = find_key(name).kind
    if kind == "names":
        return [part.strip() for part in text.split(",")]
    if kind == "table":
        pairs = (pair.partition("=") for pair in text.split(","))
        return {entry.strip(): value.strip() for entry, _, value in pairs}
    return text


def check_value(name: str, value: Value, origin: str, folder: Path) -> Value:
    """The value, if it is of the key's kind; else Complaint, which names the `origin`. A path starts from `folder`."""
    key = KEYS[name]
    is_valid = value in key.choices if key.kind == "choice" else _CHECKS[key.kind](value)
    if not is_valid:
        found = shorten(repr(value), LONGEST_SHOWN)
        message = shell_message("settings.value", expected=_expected_message(key), key=name, found=found, place=origin)
        raise Complaint(message)
    if key.kind != "path":
        return value
    try:
        return str(folder / Path(value).expanduser())
    except RuntimeError as error:
        raise Complaint(shell_message("settings.no-home", value=value, place=origin)) from error


def _expected_message(key: Key) -> Message:
    """What the value of a key may be."""
    if key.kind == "choice":
        return shell_message("settings.one-of", known=", ".join(key.choices))
    return shell_message(f"settings.{key.kind}")


def _is_text(value: object) -> bool:
    """Whether a value is a text on one line that is neither empty nor too long."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST_VALUE and value.isprintable()


def _is_table(value: object) -> bool:
    """Whether a value has texts by name, such as the options of a game."""
    return isinstance(value, dict) and all(map(_is_text, (*value, *value.values())))


def _are_texts(value: Any) -> bool:
    """Whether a value is a list of texts."""
    return isinstance(value, list) and all(map(_is_text, value))


def _are_tables(value: Any) -> bool:
    """Whether a value has such tables by name."""
    return isinstance(value, dict) and all(map(_is_table, value.values()))


# What the value of a key may be, by its kind; a choice has a list of its own.
_CHECKS: Mapping[Kind, Callable[[Any], bool]] = {
    "text": _is_text,
    "path": _is_text,
    "names": _are_texts,
    "table": _is_table,
    "tables": _are_tables,
}
