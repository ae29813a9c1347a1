"""The logs of a folder, as the loader wants them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from spyrium_log.errors import StoreError
from spyrium_log.readmodel.load import Source
from spyrium_log.replay import Replay, replay
from spyrium_log.store import Folder


def sources_of(folder: Folder) -> Iterator[Source]:
    """Every log of a folder. The hash is taken before the log is read, so that it is never newer than the rows."""
    for name in folder.names():
        yield Source(name, _digest(folder, name), partial(_replay, folder, name))


def _replay(folder: Folder, name: str) -> Replay:
    return replay(folder.read(name))


def _digest(folder: Folder, name: str) -> str:
    """'' where the log cannot be read, and reading it says why."""
    try:
        return folder.digest(name)
    except StoreError:
        return ""
