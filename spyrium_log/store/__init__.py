"""The only place that opens a log: reading, appending, notes beside it, a folder of them; and one's own sheet."""

from __future__ import annotations

from spyrium_log.store.aliases import Aliases, add_alias, folded, known_players, parse_aliases, read_aliases
from spyrium_log.store.files import DISK, Files, RealFiles
from spyrium_log.store.folder import AWAY, Folder
from spyrium_log.store.sheets import read_sheet, take_readings
from spyrium_log.store.sidecar import NotesWriter, read_notes
from spyrium_log.store.source import read_bytes, read_path, read_stream, read_whole, up_to
from spyrium_log.store.writer import Writer

__all__ = [
    "AWAY",
    "DISK",
    "Aliases",
    "Files",
    "Folder",
    "NotesWriter",
    "RealFiles",
    "Writer",
    "add_alias",
    "folded",
    "known_players",
    "parse_aliases",
    "read_aliases",
    "read_bytes",
    "read_notes",
    "read_path",
    "read_sheet",
    "read_stream",
    "read_whole",
    "take_readings",
    "up_to",
]
