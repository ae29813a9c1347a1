"""The only place that opens a log: reading, appending, notes beside it, a folder of them; and one's own sheet."""

from __future__ import annotations

from spyrium_log.store.files import DISK, Files, RealFiles
from spyrium_log.store.folder import Folder
from spyrium_log.store.sheets import read_sheet, take_readings
from spyrium_log.store.sidecar import NotesWriter, read_notes
from spyrium_log.store.source import read_bytes, read_path, read_stream
from spyrium_log.store.writer import Writer

__all__ = [
    "DISK",
    "Files",
    "Folder",
    "NotesWriter",
    "RealFiles",
    "Writer",
    "read_bytes",
    "read_notes",
    "read_path",
    "read_sheet",
    "read_stream",
    "take_readings",
]
