"""The only place that opens a log: reading, appending, notes beside it, and a folder or a pack of them."""

from __future__ import annotations

from spyrium_log.store.files import DISK, Files, RealFiles
from spyrium_log.store.folder import Folder
from spyrium_log.store.keys import create_key, read_key
from spyrium_log.store.packs import Found, Packed, games_at, games_in, read_pack, write_pack
from spyrium_log.store.sidecar import NotesWriter, read_notes
from spyrium_log.store.source import read_bytes, read_path, read_stream
from spyrium_log.store.writer import Writer

__all__ = [
    "DISK",
    "Files",
    "Folder",
    "Found",
    "NotesWriter",
    "Packed",
    "RealFiles",
    "Writer",
    "create_key",
    "games_at",
    "games_in",
    "read_bytes",
    "read_key",
    "read_notes",
    "read_pack",
    "read_path",
    "read_stream",
    "write_pack",
]
