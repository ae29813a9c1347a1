"""Saving what can be saved of a damaged file into a new one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from spyrium_log.errors import StoreError
from spyrium_log.log.codec import MAX_LOG
from spyrium_log.log.damage import Salvage, salvage_lines
from spyrium_log.store.files import DISK, wrap_disk_errors, write_file
from spyrium_log.store.packs import is_packed
from spyrium_log.store.source import read_all, read_whole

# Four times the longest log, because damage may add bytes; all of it is held in memory at once.
MOST_BYTES = 4 * MAX_LOG


def read_damaged(path: Path) -> Salvage:
    """What can be saved of the log in this file, and what cannot. A person named it, so it may be a pipe."""
    return _salvage_bytes(read_whole(path, MOST_BYTES, is_named=True), str(path))


def read_damaged_stream(read: Callable[[int], bytes], name: str = "<stdin>") -> Salvage:
    """What can be saved of the log in a stream, and what cannot."""
    with wrap_disk_errors("read-log", name):
        return _salvage_bytes(read_all(read, MOST_BYTES, name), name)


def _salvage_bytes(raw: bytes, name: str) -> Salvage:
    """What can be saved of these bytes. Not of a pack: it leaves out the hashes that prove a line."""
    if is_packed(raw):
        raise StoreError("pack-to-salvage", place=name)
    return salvage_lines(raw)


def write_salvaged(salvage: Salvage, path: Path) -> None:
    """Write the saved lines into a new file; one that is there already stays."""
    with wrap_disk_errors("write-salvage", path):
        write_file(DISK, [salvage.raw], path)
