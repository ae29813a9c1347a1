"""Files of settings: where they are, read within bounds, changed with their comments kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from spyrium_cli.complaint import Complaint, shell_message
from spyrium_cli.files import read_beginning
from spyrium_cli.settings.keys import Value

SETTINGS_FILE = "spyrium.toml"
# Nobody writes so much by hand.
LONGEST_FILE = 1 << 16
# tomlkit takes time that grows with the square of a file, and of the parts of its keys: within these bounds up to 2 s.
LONGEST_CHANGED = 1 << 14
MOST_PARTS = 3


def directory(kind: Literal["config", "data", "state", "cache"]) -> Path:
    """The platform's folder for the user's files of this kind."""
    import platformdirs

    path: Path = getattr(platformdirs, f"user_{kind}_path")("spyrium", appauthor=False)
    return path


def user_file() -> Path:
    """The path of the user's own settings, whether the file exists or not."""
    return directory("config") / SETTINGS_FILE


def project_file() -> Path | None:
    """The path of the nearest settings file in this folder or above it, if there is one."""
    try:
        here = Path.cwd()
    except OSError:
        return None
    return next((path for folder in (here, *here.parents) if (path := folder / SETTINGS_FILE).is_file()), None)


@dataclass(frozen=True, slots=True)
class File:
    """A file of settings that was read."""

    path: Path
    text: str
    values: Mapping[str, Value]

    def place_of(self, key: str) -> str:
        """Where a key stands, as `spyrium.toml:3`; the path alone where no line shows it."""
        for number, line in enumerate(self.text.splitlines(), 1):
            # the key as it stands alone, in quotes, with an entry behind a dot, or as the head of a table
            if re.match(rf"\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]", line):
                return f"{self.path}:{number}"
        return str(self.path)


def read_settings(path: Path) -> File | None:
    """Read a file of settings; None where there is none, Complaint where it cannot be used."""
    try:
        if not path.exists():
            return None
        if not path.is_file():
            raise Complaint(shell_message("settings.no-file", place=str(path)))
        raw = read_beginning(path, LONGEST_FILE + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Complaint(shell_message("settings.unread", reason=reason, place=str(path))) from error
    if len(raw) > LONGEST_FILE:
        raise Complaint(shell_message("settings.too-large", most=LONGEST_FILE, place=str(path)))
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        found = f"0x{raw[error.start]:02x}"
        raise Complaint(shell_message("settings.not-utf8", found=found, place=f"{path}:{line}")) from error
    return File(path, text, _parse_toml(text, path))


def _parse_toml(text: str, path: Path) -> dict[str, Value]:
    """The values of a TOML text; Complaint with the line where it is wrong."""
    from spyrium_log.toml import read_toml

    try:
        return read_toml(text)
    except RecursionError as error:
        raise Complaint(shell_message("settings.too-deep", place=str(path))) from error
    except ValueError as error:
        message, _, position = str(error).partition(" (at line ")
        # the position is written as `3, column 7)`
        place = f"{path}:{position.partition(',')[0]}" if position else str(path)
        found = f"{message[:1].lower()}{message[1:]}"
        raise Complaint(shell_message("settings.not-toml", found=found, place=place)) from error


def write_setting(key: str, value: Value) -> bool:
    """Set `key` in the user's file, or remove it (None). All else stays, comments too. Returns whether it changed."""
    path = user_file()
    file = read_settings(path)
    text = file.text if file else ""
    changed = change_setting(text, key, value, path)
    if changed != text:
        _write_file(path.resolve(), changed)
    return changed != text


def change_setting(text: str, key: str, value: Value, path: Path) -> str:
    """The text of a settings file with `key`, which may be an entry such as `options.tie`, set or removed."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    values = _parse_toml(text, path)
    _set_key(values, key, value, path)
    if len(text) > LONGEST_CHANGED:
        raise Complaint(shell_message("settings.too-long", most=LONGEST_CHANGED, place=str(path)))
    if _depth_of_keys(values) > MOST_PARTS:
        raise Complaint(shell_message("settings.too-many-parts", most=MOST_PARTS, place=str(path)))
    try:
        document = tomlkit.parse(text)
        _set_key(document, key, value, path)
        changed = document.as_string()
        # tomlkit misplaces some entries, such as one of a table in two parts
        if _parse_toml(changed, path) == values:
            return changed
    except (TOMLKitError, RecursionError, Complaint):
        pass
    raise Complaint(shell_message("settings.unchanged", key=key, place=str(path)))


def _depth_of_keys(value: Value) -> int:
    """How many keys lead to the deepest value: 2 for `{"options": {"tie": "all"}}`."""
    if isinstance(value, dict):
        return 1 + max(map(_depth_of_keys, value.values()), default=0)
    return max(map(_depth_of_keys, value), default=0) if isinstance(value, list) else 0


def _set_key(values: Value, key: str, value: Value, path: Path) -> None:
    """Set a key, which may be an entry as `options.tie`, in a dictionary or a document of tomlkit; None removes it."""
    table, dot, name = key.rpartition(".")
    if dot:
        if value is None and table not in values:
            return
        values = values.setdefault(table, {})
        if not isinstance(values, dict):
            raise Complaint(shell_message("settings.no-table", table=table, found=repr(values), place=str(path)))
    if value is None:
        values.pop(name, None)
    else:
        values[name] = value


def _write_file(path: Path, text: str) -> None:
    """Write a file as a whole or not at all, with the permissions that it had; meanwhile nobody else can read it."""
    from spyrium_log.store.files import DISK, make_folders, wrap_disk_errors, write_file

    with wrap_disk_errors("write-settings", path):
        make_folders(DISK, path.parent)
        mode = path.stat().st_mode & 0o777 if path.exists() else None
        write_file(DISK, [text.encode()], path, "create" if mode is None else "secret", over=True)
        if mode is not None:
            path.chmod(mode)
