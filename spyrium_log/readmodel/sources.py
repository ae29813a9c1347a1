"""The logs of a folder, as the loader wants them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

from spyrium_log.errors import StoreError
from spyrium_log.readmodel.load import Source
from spyrium_log.replay import Replay, replay
from spyrium_log.store import DISK, Files, Folder
from spyrium_log.store.folder import SUFFIX

_CHUNK = 1 << 18


def sources_of(folder: Folder) -> Iterator[Source]:
    """Every log of a folder. The hash is taken before the log is read, so that it is never newer than the rows."""
    for name in folder.names():
        yield Source(name, _digest(folder.path / f"{name}{SUFFIX}", DISK), partial(_replay, folder, name))


def _replay(folder: Folder, name: str) -> Replay:
    return replay(folder.read(name))


def _digest(path: Path, files: Files) -> str:
    """SHA-256 of a file's bytes; '' where it cannot be read, and reading the log says why."""
    hashed = sha256()
    try:
        file = files.open(path, "read")
        try:
            while chunk := files.read(file, _CHUNK):
                hashed.update(chunk)
        finally:
            files.close(file)
    except (OSError, StoreError):
        return ""
    return hashed.hexdigest()
