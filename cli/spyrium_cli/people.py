"""One person, one name: what the alias file of an archive says, and what people type."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from spyrium_cli.complaint import Complaint
from spyrium_cli.complete import known_players

if TYPE_CHECKING:
    from spyrium_cli.session import Session

# In the archive: tables [[player]] with `name` and `also`.
NAME = "players.toml"
LONGEST_FILE = 1 << 20
# One letter may well be a whole name.
SHORTEST_BEGINNING = 2


def folded(name: str) -> str:
    """What two spellings of one name have in common."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


class People(NamedTuple):
    """`spelled` leads from each folded spelling to the name."""

    path: Path
    spelled: Mapping[str, str]

    def known(self, name: str) -> str:
        """What the person of that name is called."""
        return self.spelled.get(folded(name), name)

    def merge(self, spelling: str, into: str) -> str:
        """One person from now on; the name is answered."""
        name = self.known(into)
        if folded(spelling) == folded(name):
            raise Complaint(f"expected two spellings, found '{spelling}' and '{into}', which are one")
        before = self.known(spelling)
        if folded(spelling) in self.spelled and before != name:
            raise Complaint(f"expected '{spelling}' to be nobody else, found it to be '{before}', at {self.path}")
        if before != name:
            _append(self.path, name, spelling)
        return name


def people_of(session: Session) -> People:
    """Who is who in this archive."""
    path = session.archive / NAME
    return People(path, _read(path))


def meant(session: Session, typed: Sequence[str], people: People) -> list[str]:
    """Whom somebody means: an alias, a known name in any case, or the only known name that begins so."""
    names = list(dict.fromkeys(people.known(name) for name in known_players(session)))
    return [_meant(name, names, people) for name in typed]


def _meant(typed: str, names: Sequence[str], people: People) -> str:
    if folded(typed) in people.spelled:
        return people.known(typed)
    begun = [name for name in names if folded(name).startswith(folded(typed))]
    same = [name for name in begun if folded(name) == folded(typed)]
    if same:
        return same[0]
    return begun[0] if len(begun) == 1 and len(typed) >= SHORTEST_BEGINNING else typed


# --- the file ------------------------------------------------------------------------------------


def _read(path: Path) -> Mapping[str, str]:
    import tomllib

    try:
        with path.open("rb") as file:
            raw = file.read(LONGEST_FILE + 1)
    except FileNotFoundError:
        return {}
    except NotADirectoryError:
        return {}
    if len(raw) > LONGEST_FILE:
        raise Complaint(f"expected at most {LONGEST_FILE} bytes of names, found more, at {path}")
    try:
        said = tomllib.loads(raw.decode("utf-8-sig"))
        return _spelled([(one["name"], one.get("also", [])) for one in said.get("player", [])], path)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise Complaint(f"expected tables [[player]] with name and also, found: {error}, at {path}") from error


def _spelled(players: list[tuple[str, list[str]]], path: Path) -> Mapping[str, str]:
    spelled: dict[str, str] = {}
    for name, also in players:
        for spelling in (name, *also):
            if spelled.setdefault(folded(spelling), name) != name:
                found = f"found '{spelling}' for '{spelled[folded(spelling)]}' and '{name}'"
                raise Complaint(f"expected a spelling to mean one person, {found}, at {path}")
    return spelled


def _append(path: Path, name: str, spelling: str) -> None:
    import os

    from spyrium_cli.config import written

    for word in (name, spelling):
        if not word.isprintable() or not word.strip():
            raise Complaint(f"expected a name that can be printed, found {word!a}")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(f"\n[[player]]\nname = {written(name)}\nalso = {written([spelling])}\n".encode())
        file.flush()
        os.fsync(file.fileno())
