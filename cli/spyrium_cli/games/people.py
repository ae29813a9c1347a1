"""One person, one name: what the alias file of an archive says, and what people type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from spyrium_cli.complaint import Complaint
from spyrium_cli.games.headers import known_players
from spyrium_log.store import folded

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log.store import Folder

# One letter may well be a whole name.
SHORTEST_BEGINNING = 2


class People(NamedTuple):
    """`spelled` leads from each folded spelling to the name."""

    folder: Folder
    spelled: Mapping[str, str]

    def known(self, name: str) -> str:
        """What the person of that name is called."""
        return self.spelled.get(folded(name), name)

    def begun(self, typed: str) -> Callable[[str], bool]:
        """Whether a known name begins as it is typed, or any spelling of it does."""
        begun = {name for spelling, name in self.spelled.items() if spelling.startswith(folded(typed))}
        return lambda name: name in begun or folded(name).startswith(folded(typed))

    def merge(self, spelling: str, into: str) -> str:
        """One person from now on; the name is answered."""
        name = self.known(into)
        if folded(spelling) == folded(name):
            raise Complaint(f"expected two spellings, found '{spelling}' and '{into}', which are one")
        before = self.known(spelling)
        if folded(spelling) in self.spelled and before != name:
            raise Complaint(f"expected '{spelling}' to be nobody else, found it to be '{before}'")
        for seats in self.folder.tables():
            if {folded(spelling), folded(name)} <= {folded(player) for player in seats}:
                raise Complaint(
                    f"expected one person, found '{spelling}' and '{name}' at one table: {', '.join(seats)}"
                )
        if before != name:
            self.folder.add_alias(name, [spelling])
        return name


def people_of(session: Session) -> People:
    """Who is who in this archive."""
    folder = session.folder()
    return People(folder, folder.aliases().spelled)


def resolve_names(session: Session, typed: Sequence[str], people: People) -> list[str]:
    """Whom somebody means: an alias, a known name in any case, or the only known name that begins so."""
    names = known_players(session)
    return [_meant(name, names, people) for name in typed]


def _meant(typed: str, names: Sequence[str], people: People) -> str:
    if folded(typed) in people.spelled:
        return people.known(typed)
    begun = [name for name in names if folded(name).startswith(folded(typed))]
    same = [name for name in begun if folded(name) == folded(typed)]
    if same:
        return same[0]
    return begun[0] if len(begun) == 1 and len(typed) >= SHORTEST_BEGINNING else typed
