"""What a person settles once: option before environment before the project's file before the user's file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from spyrium_cli.complaint import Complaint, near, warn
from spyrium_cli.files import read_beginning

NAME = "spyrium.toml"
PREFIX = "SPYRIUM_"
# Nobody writes so much by hand.
LONGEST_FILE = 1 << 16
# As long as a path can be.
LONGEST_VALUE = 4096
LONGEST_SHOWN = 200
DEFAULT = "default"

Kind = Literal["text", "path", "names", "choice", "table", "tables"]


class Key(NamedTuple):
    """What may be settled: `table` holds words by name, `tables` such tables by name."""

    kind: Kind
    help: str
    default: Any = None
    choices: tuple[str, ...] = ()


# A folder that somebody handed over must not vouch for itself: these are read in the user's own file alone.
OWN_KEYS = "keys"

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
    "sheet": Key("path", "your own component sheet"),
    OWN_KEYS: Key("table", "public keys whose signatures are trusted, by name; in your own file only"),
    "color": Key("choice", "when to write in colour", "auto", ("auto", "always", "never")),
}


class Setting(NamedTuple):
    """A value, and where it comes from."""

    value: Any
    origin: str


@dataclass(frozen=True, slots=True)
class File:
    """One configuration file as it was read."""

    path: Path
    text: str
    values: Mapping[str, Any]

    def place_of(self, key: str) -> str:
        """`file:line`, as editors take it."""
        for number, line in enumerate(self.text.splitlines(), 1):
            if re.match(rf"\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]", line):
                return f"{self.path}:{number}"
        return str(self.path)


@dataclass(slots=True)
class Settings:
    """Each key's value by the first who says it. A file is read when nobody before it spoke."""

    flags: Mapping[str, Any] = field(default_factory=dict)
    warns: bool = True
    _files: list[File] | None = None

    def get(self, key: str) -> Setting:
        """The setting, or its default."""
        return next(self._said(key), Setting(KEYS[key].default, DEFAULT))

    def value(self, key: str) -> Any:
        return self.get(key).value

    def table(self, key: str) -> dict[str, Any]:
        """A table's entries come from everybody; who comes first wins each of them."""
        return {name: setting.value for name, setting in self.entries(key).items()}

    def entries(self, key: str) -> dict[str, Setting]:
        """The same, each entry with where it comes from."""
        merged: dict[str, Setting] = {}
        for setting in reversed(list(self._said(key))):
            merged.update({name: Setting(value, setting.origin) for name, value in setting.value.items()})
        return merged

    @property
    def files(self) -> list[File]:
        """The project's file and the user's, as far as there are any."""
        if self._files is None:
            self._files = [file for path in self._paths() if (file := read_settings(path)) is not None]
            for file in self._files if self.warns else ():
                _warn_of_unknown(file)
        return self._files

    def forget(self) -> None:
        """Go on as if there were no files."""
        self._files = []

    def _said(self, key: str) -> Iterator[Setting]:
        if self.flags.get(key) is not None:
            yield Setting(self.flags[key], f"--{key}")
        name = variable_name(key)
        if said := os.environ.get(name, ""):
            yield Setting(check_value(key, parse_value(key, said), name, Path()), name)
        for file in self.files:
            if key in file.values and (key != OWN_KEYS or file.path == user_file()):
                yield Setting(
                    check_value(key, file.values[key], file.place_of(key), file.path.parent), file.place_of(key)
                )

    def _paths(self) -> Iterator[Path]:
        found = project_file()
        if found is None:
            found = self._archive_before_files() / NAME
        yield found
        yield user_file()

    def _archive_before_files(self) -> Path:
        """Where the archive is, as far as the archive's own file has no say in it."""
        name = variable_name("archive")
        said = self.flags.get("archive") or os.environ.get(name)
        if said:
            return Path(said)
        user = read_settings(user_file())
        if user is not None and "archive" in user.values:
            return Path(check_value("archive", user.values["archive"], user.place_of("archive"), user.path.parent))
        return data_directory()


def variable_name(key: str) -> str:
    """The environment's name of a key."""
    return PREFIX + key.upper()


# --- where things are ----------------------------------------------------------------------------


def directory(kind: Literal["config", "data", "state", "cache"]) -> Path:
    """Where this platform keeps a user's files of this kind."""
    import platformdirs

    found: Path = getattr(platformdirs, f"user_{kind}_path")("spyrium", appauthor=False)
    return found


def data_directory() -> Path:
    """Where this platform keeps what a user made."""
    return directory("data")


def user_file() -> Path:
    return directory("config") / NAME


def project_file() -> Path | None:
    """The nearest file of that name in this folder or above it."""
    try:
        here = Path.cwd()
    except OSError:
        return None
    return next((folder / NAME for folder in (here, *here.parents) if (folder / NAME).is_file()), None)


# --- reading -------------------------------------------------------------------------------------


def read_settings(path: Path) -> File | None:
    """The file, or None where there is none. What cannot be read is one sentence."""
    try:
        if not path.exists():
            return None
        if not path.is_file():
            raise Complaint(f"expected a file of settings, found something else, at {path}")
        raw = read_beginning(path, LONGEST_FILE + 1)
    except OSError as error:
        raise Complaint(
            f"expected to read settings, found {(error.strerror or str(error)).lower()}, at {path}"
        ) from error
    if len(raw) > LONGEST_FILE:
        raise Complaint(f"expected at most {LONGEST_FILE} bytes of settings, found more, at {path}")
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Complaint(f"expected UTF-8, found byte 0x{raw[error.start]:02x}, at {path}:{line}") from error
    return File(path, text, _toml(text, path))


def _toml(text: str, path: Path) -> dict[str, Any]:
    from spyrium_log.toml import read_toml

    try:
        return read_toml(text)
    except RecursionError as error:
        raise Complaint(f"expected TOML, found it nested too deep, at {path}") from error
    except ValueError as error:
        said = str(error)
        line = re.search(r" \(at line (\d+), column \d+\)$", said)
        where = f"{path}:{line[1]}" if line else str(path)
        said = said[: line.start()] if line else said
        raise Complaint(f"expected TOML, found: {said[:1].lower()}{said[1:]}, at {where}") from error


def _warn_of_unknown(file: File) -> None:
    for key in file.values:
        if key not in KEYS:
            warn(f"{file.place_of(key)}: unknown key '{key}'{hint(key)}")
        elif key == OWN_KEYS and file.path != user_file():
            warn(f"{file.place_of(key)}: '{key}' is left out: keys are trusted in your own file alone, {user_file()}")


def hint(key: str) -> str:
    """What to say behind a key that nobody knows."""
    return near(key, KEYS).replace(":", ",", 1) or f"; known are {', '.join(KEYS)}"


def find_key(key: str) -> Key:
    """The key of that name."""
    if key not in KEYS:
        raise Complaint(f"expected a key, found '{key}'{hint(key)}")
    return KEYS[key]


def parse_value(key: str, said: str) -> Any:
    """A value as a shell says it: names with commas between, `name=value` with commas between for a table."""
    kind = find_key(key).kind
    if kind == "names":
        return [name.strip() for name in said.split(",")]
    if kind == "table":
        pairs = (pair.partition("=") for pair in said.split(","))
        return {name.strip(): value.strip() for name, _, value in pairs}
    return said


def check_value(key: str, value: Any, origin: str, folder: Path) -> Any:
    """The value if it is of its kind; a path is meant from the folder of its file."""
    wanted = KEYS[key]
    expected, is_good = {
        "text": ("a text", _is_text(value)),
        "path": ("a path", _is_text(value)),
        "names": ("a list of texts", isinstance(value, list) and all(map(_is_text, value))),
        "choice": (f"one of {', '.join(wanted.choices)}", value in wanted.choices),
        "table": ("texts by name", _is_table(value)),
        "tables": ("tables of texts by name", isinstance(value, dict) and all(map(_is_table, value.values()))),
    }[wanted.kind]
    if not is_good:
        found = repr(value)
        shown = found if len(found) <= LONGEST_SHOWN else f"{found[:LONGEST_SHOWN]}…"
        raise Complaint(f"expected {expected} for '{key}', found {shown}, at {origin}")
    if wanted.kind == "path":
        try:
            return str(folder / Path(value).expanduser())
        except RuntimeError as error:
            raise Complaint(f"expected a home for '{value}', found none, at {origin}") from error
    return value


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_VALUE and value.isprintable()


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_text, (*value, *value.values())))


# --- writing -------------------------------------------------------------------------------------


def write_setting(path: Path, key: str, value: Any) -> bool:
    """Set a key in a file, or take it out (None). Everything else in it stays, comments too. Whether it changed."""
    file = read_settings(path)
    text = file.text if file else ""
    changed = edited(text, key, value, path)
    if changed != text:
        _replace(path.resolve(), changed)
    return changed != text


def edited(text: str, key: str, value: Any, path: Path) -> str:
    """The text with that key, `options.tie` for an entry of a table, so that it parses to just that change."""
    *table, name = key.split(".")
    wanted = _toml(text, path)
    target = wanted
    for part in table:
        if value is None and part not in target:
            return text
        target = target.setdefault(part, {})
        if not isinstance(target, dict):
            raise Complaint(f"expected a table for '{part}', found {target!r}, at {path}")
    if value is None:
        target.pop(name, None)
    else:
        target[name] = value
    for candidate in _candidates(text.splitlines(), table, name, value):
        changed = "".join(f"{line}\n" for line in candidate)
        try:
            if _toml(changed, path) == wanted:
                return changed
        except Complaint:
            continue
    raise Complaint(f"expected '{key}' on lines of its own, found it otherwise: change it by hand, at {path}")


# A value over more lines than these is changed by hand.
LONGEST_ENTRY = 64


def _candidates(lines: list[str], table: list[str], name: str, value: Any) -> Iterator[list[str]]:
    """Ways to say it: on the lines where it is said now, or on a new one. Whoever asks reads each and takes one."""
    said = [] if value is None else [f"{_spelt(name)} = {written(value)}"]
    begin, end = _section(lines, ".".join(table))
    for at in range(begin, end):
        if re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=", lines[at]):
            for after in range(at + 1, min(at + LONGEST_ENTRY, end) + 1):
                comment = re.search(r"\s+#[^\"'\]]*$", lines[after - 1])
                kept = [line + comment[0] if comment else line for line in said]
                yield [*lines[:at], *kept, *lines[after:]]
    if value is None:
        yield lines
        return
    while begin < end and not lines[end - 1].strip():
        end -= 1
    yield [*lines[:end], *said, *lines[end:]]
    yield [*lines, *([""] if lines else []), f"[{'.'.join(map(_spelt, table))}]", *said]


def _section(lines: list[str], table: str) -> tuple[int, int]:
    """From the line behind the head of a table to the next head; the top has none."""
    heads = [at for at, line in enumerate(lines) if re.match(r"\s*\[", line)]
    if not table:
        return 0, heads[0] if heads else len(lines)
    for at in heads:
        if re.match(rf"\s*\[\s*{re.escape(table)}\s*\]", lines[at]):
            return at + 1, min((head for head in heads if head > at), default=len(lines))
    return 0, 0


def _spelt(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else written(name)


def written(value: Any) -> str:
    """A value as TOML, on one line."""
    import json

    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_spelt(name)} = {written(one)}' for name, one in value.items())} }}"
    # What is printable needs no escape that the two languages write differently.
    return json.dumps(value, ensure_ascii=False)


def _replace(path: Path, text: str) -> None:
    """All of it or nothing: written beside, and only then under its name."""
    import tempfile

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            beside = Path(file.name)
            try:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
                if path.exists():
                    beside.chmod(path.stat().st_mode & 0o777)
                beside.replace(path)
            except BaseException:
                beside.unlink(missing_ok=True)
                raise
    except OSError as error:
        found = (error.strerror or str(error)).lower()
        raise Complaint(f"expected to write settings, found {found}, at {path}") from error
