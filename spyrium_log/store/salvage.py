"""A damaged file, what can be saved of it, and where that goes: beside, never over anything."""

from __future__ import annotations

from pathlib import Path

from spyrium_log.log.salvage import Salvage, salvaged
from spyrium_log.store.files import DISK, Files, place, worded
from spyrium_log.store.source import read_whole

__all__ = ["Salvage", "read_damaged", "write_salvaged"]

# No game comes near it, and all of it is held in memory at once.
MOST_BYTES = 1 << 28


def read_damaged(path: Path, *, files: Files = DISK) -> Salvage:
    """What proves itself a log in this file, and what does not."""
    return salvaged(read_whole(path, MOST_BYTES, files=files))


def write_salvaged(done: Salvage, path: Path, *, files: Files = DISK) -> None:
    """The saved lines as a new file; one that is there already stays as it is."""
    with worded("to write what was saved", path):
        place(files, [done.raw], path)
