"""Games under other names, for handing on: the salt that makes them, and what became of the originals."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spyrium_cli.complaint import Complaint

if TYPE_CHECKING:
    from spyrium_log.edit.copies import Copy
    from spyrium_log.store import Aliases

NAME = "salt"
BYTES = 32
# Nobody's salt is longer.
MOST_BYTES = 4096


class Hiding:
    """One call's copies. With one salt, who is who stays the same from file to file, and so do aliases."""

    def __init__(self, file: Path | None, aliases: Aliases) -> None:
        self._aliases = aliases
        self._salt = _given(file) if file else _own()
        self._copies: list[Copy] = []

    def copy(self, log: Any, notes: Any) -> Copy:
        """The game under other names, and the notes on it, where there are any."""
        from spyrium_log.edit.copies import NO_NOTES, anonymised

        noted = notes.notes if notes else NO_NOTES
        made = anonymised(log, noted, salt=self._salt, persons=self._aliases.persons)
        # what is said at the end needs no bytes
        self._copies.append(replace(made, log=b"", notes=b""))
        return made

    def tell(self) -> None:
        """What whoever hands the copies on should know."""
        from spyrium_cli.render.surface import say
        from spyrium_cli.render.text import counted

        if not self._copies:
            return
        people = {person for one in self._copies for person in one.people}
        say(f"{counted(len(self._copies), 'game')} and {counted(len(people), 'name')} under other names")
        counts = ("seals", "signatures", "noted", "unnoted")
        summed = replace(
            self._copies[0],
            **{name: sum(getattr(one, name) for one in self._copies) for name in counts},
            remains=tuple(sorted({name for one in self._copies for name in one.remains})),
        )
        for sentence in summed.sentences():
            say(f"  {sentence}")


def _given(file: Path) -> bytes:
    from spyrium_log.store import read_whole

    return read_whole(file, MOST_BYTES, is_named=True)


def _own() -> bytes:
    """The user's own salt, made when it is first wanted, for nobody else to read."""
    from spyrium_cli.config import directory
    from spyrium_cli.render.surface import say
    from spyrium_log.store.files import DISK, make_folders, place, worded

    path = directory("data") / NAME
    with worded("to write a new salt", path):
        make_folders(DISK, path.parent)
        if DISK.modified(path) is None:
            try:
                place(DISK, [secrets.token_bytes(BYTES)], path, "secret")
                say(f"a new salt at {path}: with it the same names become the same words again; show it to nobody")
            except FileExistsError:
                # another call was first: its salt is the one
                pass
    salt = _given(path)
    if len(salt) != BYTES:
        raise Complaint(f"expected a salt of {BYTES} bytes, found {len(salt)}, at {path}")
    return salt
