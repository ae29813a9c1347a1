"""Names of players: the aliases of an archive, and what people type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from spyrium_cli.complaint import Complaint
from spyrium_cli.games.headers import list_known_players
from spyrium_log.store import fold_name

if TYPE_CHECKING:
    from spyrium_cli.session import Session
    from spyrium_log.store import Folder

# One letter may be a whole name.
SHORTEST_BEGINNING = 2


class People(NamedTuple):
    """Who is who in an archive. `spelled`: from each folded spelling to the person's name."""

    folder: Folder
    spelled: Mapping[str, str]

    def name_of(self, spelling: str) -> str:
        """The name of the person whom a spelling means; an unknown one as it is."""
        return self.spelled.get(fold_name(spelling), spelling)

    def make_name_test(self, typed: str) -> Callable[[str], bool]:
        """A test for names that begin so, in any of their spellings."""
        names = {name for spelling, name in self.spelled.items() if spelling.startswith(fold_name(typed))}
        return lambda name: name in names or fold_name(name).startswith(fold_name(typed))

    def merge(self, spelling: str, into: str) -> str:
        """Write down that a spelling means the person `into`. Returns the person's name."""
        name = self.name_of(into)
        if fold_name(spelling) == fold_name(name):
            raise Complaint(f"expected two spellings, found '{spelling}' and '{into}', which are one")
        known_as = self.name_of(spelling)
        if fold_name(spelling) in self.spelled and known_as != name:
            raise Complaint(f"expected '{spelling}' to be nobody else, found it to be '{known_as}'")
        for seats in self.folder.list_seated_players():
            if {fold_name(spelling), fold_name(name)} <= {fold_name(player) for player in seats}:
                raise Complaint(
                    f"expected one person, found '{spelling}' and '{name}' at one table: {', '.join(seats)}"
                )
        if known_as != name:
            self.folder.add_alias(name, [spelling])
        return name


def people_of(session: Session) -> People:
    """Who is who in the archive of a call."""
    folder = session.folder()
    return People(folder, folder.read_aliases().spelled)


def resolve_names(session: Session, typed: Sequence[str], people: People) -> list[str]:
    """Full names: by an alias, a known name in any case, or the only known name that begins so; others as typed."""
    names = list_known_players(session)
    return [_resolve_name(name, names, people) for name in typed]


def _resolve_name(typed: str, names: Sequence[str], people: People) -> str:
    """One name, by the rules of `resolve_names`."""
    if fold_name(typed) in people.spelled:
        return people.name_of(typed)
    matches = [name for name in names if fold_name(name).startswith(fold_name(typed))]
    exact = [name for name in matches if fold_name(name) == fold_name(typed)]
    if exact:
        return exact[0]
    return matches[0] if len(matches) == 1 and len(typed) >= SHORTEST_BEGINNING else typed
