"""Settings: an option comes before the environment, that before the project's file, that before the user's file.

The project's file is the nearest `spyrium.toml` in this folder or above it, else the archive's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from spyrium_cli.complaint import shell_message, warn
from spyrium_cli.settings.file import SETTINGS_FILE, File, directory, project_file, read_settings, user_file
from spyrium_cli.settings.keys import KEYS, OWN_KEYS, Value, check_value, known_keys_hint, parse_value

PREFIX = "SPYRIUM_"
DEFAULT = "default"


class Setting(NamedTuple):
    """A value, and where it comes from."""

    value: Value
    origin: str


@dataclass(slots=True)
class Settings:
    """The value of each key. `flags`: the options of the call. `warns`: whether unknown keys in files are reported."""

    flags: Mapping[str, Value] = field(default_factory=dict)
    warns: bool = True
    _files: list[File] | None = None

    def get(self, key: str) -> Setting:
        """The setting that wins, or its default."""
        return next(self._values_by_precedence(key), Setting(KEYS[key].default, DEFAULT))

    def table(self, key: str) -> dict[str, Value]:
        """The values of `entries`, without where they come from."""
        return {name: setting.value for name, setting in self.entries(key).items()}

    def entries(self, key: str) -> dict[str, Setting]:
        """The entries of a table, each with where it comes from; the first place wins each entry."""
        merged: dict[str, Setting] = {}
        for setting in reversed(list(self._values_by_precedence(key))):
            merged.update({name: Setting(value, setting.origin) for name, value in setting.value.items()})
        return merged

    @property
    def files(self) -> list[File]:
        """The project's file and the user's, where they exist."""
        if self._files is None:
            project = project_file() or self._archive_without_project_file() / SETTINGS_FILE
            self._files = [file for path in (project, user_file()) if (file := read_settings(path)) is not None]
            for file in self._files if self.warns else ():
                _warn_of_unknown(file)
        return self._files

    def ignore_files(self) -> None:
        """Go on without files of settings: they cannot be read, or are not for this call, as a demonstration."""
        self._files = []

    def _values_by_precedence(self, key: str) -> Iterator[Setting]:
        """Every value of a key, the one that wins first: option, environment, project's file, user's file."""
        if self.flags.get(key) is not None:
            yield Setting(self.flags[key], f"--{key}")
        name = PREFIX + key.upper()
        if text := os.environ.get(name, ""):
            yield Setting(check_value(key, parse_value(key, text), name, Path()), name)
        for file in self.files:
            if key in file.values and (key != OWN_KEYS or file.path == user_file()):
                yield _setting_in_file(file, key)

    def _archive_without_project_file(self) -> Path:
        """The archive by option, environment or the user's file: it says where the project's file may be."""
        if path := self.flags.get("archive") or os.environ.get(f"{PREFIX}ARCHIVE"):
            return Path(path)
        user = read_settings(user_file())
        if user is not None and "archive" in user.values:
            return Path(_setting_in_file(user, "archive").value)
        return directory("data")


def _setting_in_file(file: File, key: str) -> Setting:
    """The setting of a key in a file, checked, with its line."""
    place = file.place_of(key)
    return Setting(check_value(key, file.values[key], place, file.path.parent), place)


def _warn_of_unknown(file: File) -> None:
    """Warn of keys that nobody knows, and of trusted keys outside the user's own file."""
    for key in file.values:
        if key not in KEYS:
            hint = known_keys_hint(key)
            warn(shell_message("settings.unknown-key", place=file.place_of(key), key=key, hint=hint))
        elif key == OWN_KEYS and file.path != user_file():
            own_file = str(user_file())
            warn(shell_message("settings.own-keys", place=file.place_of(key), key=key, own=own_file))
