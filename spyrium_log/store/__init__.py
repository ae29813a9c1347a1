"""The only place that opens a log: reading, appending, notes beside it, and a folder of them."""

from __future__ import annotations

from spyrium_log.store.files import DISK, Files, RealFiles
from spyrium_log.store.folder import AWAY, Folder
from spyrium_log.store.sidecar import NotesWriter, read_notes
from spyrium_log.store.source import read_bytes, read_path, read_stream
from spyrium_log.store.writer import Writer

__all__ = [
    "AWAY",
    "DISK",
    "Files",
    "Folder",
    "NotesWriter",
    "RealFiles",
    "Writer",
    "read_bytes",
    "read_notes",
    "read_path",
    "read_stream",
]
