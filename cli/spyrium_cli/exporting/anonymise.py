"""`export --anonymise`: the salt that names are replaced with, and what is reported of the copies."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from spyrium_cli.complaint import Complaint, shell_message
from spyrium_cli.render.surface import say, tell
from spyrium_cli.settings.file import directory
from spyrium_log import Log
from spyrium_log.edit.anonymise import Copy, anonymise_log
from spyrium_log.messages import Count
from spyrium_log.store import Aliases, Notes, read_whole
from spyrium_log.store.files import DISK, make_folders, wrap_disk_errors, write_file

SALT_FILE = "salt"
SALT_BYTES = 32
# A salt that somebody hands on may be longer than one of ours.
MAX_SALT = 4096


class Anonymiser:
    """Copies the games of one call. With one salt a person's pseudonym is the same in every file, as are aliases."""

    def __init__(self, file: Path | None, aliases: Aliases, *, keep_texts: bool) -> None:
        """`file`: the salt that names are replaced with (default: the user's own). `keep_texts`: notes and reasons."""
        self._aliases = aliases
        self._salt = _read_salt(file) if file else _read_own_salt()
        self._keep_texts = keep_texts
        self._copies: list[Copy] = []

    def copy_game(self, log: Log, notes: Notes) -> Copy:
        """The game under other names, with its notes."""
        persons = self._aliases.resolve_names
        copy = anonymise_log(log, notes, salt=self._salt, keep_texts=self._keep_texts, persons=persons)
        # the report at the end needs no bytes
        self._copies.append(replace(copy, log=b"", notes=b""))
        return copy

    def print_report(self) -> None:
        """Say how many games and names were replaced, and what of the games was dropped; nothing if none was copied."""
        if not self._copies:
            return
        people = {person for copy in self._copies for person in copy.people}
        tell("said.anonymised", games=Count(len(self._copies), "game"), names=Count(len(people), "name"))
        counts = ("seals", "signatures", "kept_notes", "dropped_notes")
        sums = {count: sum(getattr(copy, count) for copy in self._copies) for count in counts}
        remaining_names = tuple(sorted({name for copy in self._copies for name in copy.remaining_names}))
        # one copy with the sums of all of them says it
        for sentence in replace(self._copies[0], **sums, remaining_names=remaining_names).sentences():
            say(f"  {sentence}")


def _read_salt(file: Path) -> bytes:
    """The bytes of a file of salt; an error where it has more than `MAX_SALT`."""
    return read_whole(file, MAX_SALT, is_named=True)


def _read_own_salt() -> bytes:
    """The user's own salt, made when it is first needed, readable by nobody else."""
    path = directory("data") / SALT_FILE
    with wrap_disk_errors("write-salt", path):
        make_folders(DISK, path.parent)
        if not DISK.is_there(path):
            # where another call was first, its salt is used
            with suppress(FileExistsError):
                write_file(DISK, [secrets.token_bytes(SALT_BYTES)], path, "secret")
                tell("said.new-salt", place=str(path))
    salt = _read_salt(path)
    if len(salt) != SALT_BYTES:
        raise Complaint(shell_message("said.salt", most=SALT_BYTES, found=len(salt), place=str(path)))
    return salt
