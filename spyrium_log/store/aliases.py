"""Aliases of players: which spellings of a name mean the same person, in a file beside the logs.

    [[player]]
    name = "Anna Nowak"
    also = ["Anna", "annan", "6F0A7B1C-0000-4000-8000-000000000001"]

A person may have several tables, for one is added for each new alias: what people wrote by hand stays as it is. The id
of a player in another program is a spelling, too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from spyrium_log.errors import AliasError, StoreError
from spyrium_log.store.files import DISK, Files, reading_file, wrap_disk_errors, write_file
from spyrium_log.store.locked_file import AT_ONCE, LockedFile, Patience
from spyrium_log.store.source import read_all, read_up_to
from spyrium_log.title import Word
from spyrium_log.toml import read_toml, toml_string

NAME = "players.toml"
MAX_BYTES = 1 << 20

# Characters of an error that ours quotes.
_MOST_QUOTED = 200
_FILE_HEAD = "# Who is who: `name` is what the logs say, `also` every other way to say it.\n"


class _Person(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table `[[player]]` of the file."""

    name: Annotated[Word, Meta(min_length=1)]
    also: Annotated[tuple[Word, ...], Meta(max_length=1000)] = ()


class _Persons(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    player: tuple[_Person, ...] = ()


class Aliases(Struct, frozen=True):
    """`spelled` holds the name for each folded spelling, the name's own included."""

    spelled: Mapping[str, str] = MappingProxyType({})

    @property
    def names(self) -> list[str]:
        """The names of all people in the file, each once and in its order."""
        return list(dict.fromkeys(self.spelled.values()))

    def resolve_name(self, name: str) -> str:
        """The name that a spelling stands for; the spelling itself where the file has none."""
        return self.spelled.get(fold_name(name), name)

    def resolve_names(self, seats: Sequence[str]) -> list[str]:
        """The names of the players of one game. Where two spellings of one name play it, both stay as written."""
        spellings: dict[str, set[str]] = {}
        for name in seats:
            spellings.setdefault(self.resolve_name(name), set()).add(fold_name(name))
        return [name if len(spellings[self.resolve_name(name)]) > 1 else self.resolve_name(name) for name in seats]


def fold_name(name: str) -> str:
    """A spelling without the differences that do not count: capitals, more spaces, ways to compose a letter."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def parse_aliases(text: str, file: str = NAME) -> Aliases:
    """The aliases in the text of a file; AliasError where one spelling means two people, or it is no such file."""
    try:
        persons = msgspec.convert(read_toml(text), _Persons)
    except (ValueError, RecursionError) as error:
        # tomllib reads nested values by recursion, and the error of that may have no text
        found = str(error)[:_MOST_QUOTED] or type(error).__name__
        raise AliasError("alias-tables", found=found, place=file) from None
    spelled: dict[str, str] = {}
    for person in persons.player:
        spellings = (person.name, *person.also)
        _check_printable(spellings, file)
        for spelling in spellings:
            first = spelled.setdefault(fold_name(spelling), person.name)
            if first != person.name:
                raise AliasError("alias-of-two", found=spelling, name=first, other=person.name, place=file)
    return Aliases(MappingProxyType(spelled))


def _check_printable(spellings: Sequence[str], place: Path | str) -> None:
    """Refuse a spelling that is blank or cannot be printed."""
    for spelling in spellings:
        if not spelling.isprintable() or not spelling.strip():
            raise AliasError("unprintable-name", found=ascii(spelling), place=str(place))


def format_alias_table(name: str, also: Sequence[str]) -> str:
    """The TOML of one person to append to the file: a table with the name and its other spellings."""
    return f"\n[[player]]\nname = {toml_string(name)}\nalso = [{', '.join(map(toml_string, also))}]\n"


def read_aliases(path: Path, *, files: Files = DISK) -> Aliases:
    """The aliases in a file; none where there is no file."""
    with reading_file(files, path, "read-file", missing_ok=True) as read:
        return _parse_bytes(read_all(read, MAX_BYTES, path), path)


def _parse_bytes(raw: bytes, path: Path) -> Aliases:
    """The aliases in the bytes of a file; AliasError where these are not UTF-8, with or without a byte order mark."""
    try:
        return parse_aliases(raw.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        raise AliasError("alias-utf8", found=f"0x{raw[error.start]:02x}", place=str(path)) from None


def add_alias(
    path: Path, name: str, also: Sequence[str], *, files: Files = DISK, patience: Patience = AT_ONCE
) -> Aliases:
    """Add spellings of a name to the file. If they contradict it, they are refused and nothing is written."""
    with wrap_disk_errors("write-names", path):
        # refused before a file is made
        _parse_bytes(_make_bytes_to_append(b"", name, also, path), path)
        with LockedFile(path, files, "names", create=True, patience=patience) as locked:
            raw = read_up_to(lambda size: files.read(locked.file, size), MAX_BYTES + 1)
            raw += _make_bytes_to_append(raw, name, also, path)
            aliases = _parse_bytes(raw, path)
            locked.check_untouched()
            write_file(files, [raw], path, over=True)
    return aliases


def remove_alias(path: Path, name: str, spelling: str, *, files: Files = DISK, patience: Patience = AT_ONCE) -> Aliases:
    """Take a spelling of a name out of the file, where all else stays; AliasError where it is none, or cannot go."""
    _check_spelling(read_aliases(path, files=files), name, spelling, path)
    with wrap_disk_errors("write-names", path), LockedFile(path, files, "names", patience=patience) as locked:
        raw = read_all(lambda size: files.read(locked.file, size), MAX_BYTES, path)
        before = _parse_bytes(raw, path)
        _check_spelling(before, name, spelling, path)
        changed = _without_spelling(raw.decode("utf-8-sig"), name, fold_name(spelling))
        aliases = parse_aliases(changed, str(path))
        if _list_other_spellings(aliases) != _list_other_spellings(before) - {(fold_name(spelling), name)}:
            raise AliasError("alias-stays", found=spelling, place=str(path))
        locked.check_untouched()
        write_file(files, [changed.encode()], path, over=True)
    return aliases


def _check_spelling(aliases: Aliases, name: str, spelling: str, path: Path) -> None:
    """Refuse what is no other spelling of this name."""
    if (fold_name(spelling), name) not in _list_other_spellings(aliases):
        raise AliasError("no-alias", found=spelling, name=name, place=str(path))


def _list_other_spellings(aliases: Aliases) -> set[tuple[str, str]]:
    """Each folded spelling with its name, but for the names themselves."""
    return {(spelling, name) for spelling, name in aliases.spelled.items() if spelling != fold_name(name)}


def _without_spelling(text: str, name: str, folded: str) -> str:
    """The text of the file without a spelling of a person, and without tables that then hold no spelling."""
    import tomlkit  # noqa: PLC0415 - takes 25 ms, which only this change may cost

    document = tomlkit.parse(text)
    persons: Any = document["player"]
    for at in reversed(range(len(persons))):
        spellings = list(persons[at].get("also", ()))
        left = [spelling for spelling in spellings if fold_name(spelling) != folded]
        if persons[at]["name"] != name or left == spellings:
            continue
        if left:
            persons[at]["also"] = left
        else:
            del persons[at]
    if not persons:
        del document["player"]
    # of a table that goes, the blank line before it stays
    return f"{document.as_string().rstrip()}\n"


def _make_bytes_to_append(raw: bytes, name: str, also: Sequence[str], path: Path) -> bytes:
    """What to append to a file of these bytes for a person: a new file gets its heading, an unended line its end."""
    if len(raw) > MAX_BYTES:
        raise StoreError("names-too-large", most=MAX_BYTES, place=str(path))
    _check_printable((name, *also), path)
    text = format_alias_table(name, also)
    newline = "" if not raw or raw.endswith(b"\n") else "\n"
    return (newline + text if raw else _FILE_HEAD + text).encode()
