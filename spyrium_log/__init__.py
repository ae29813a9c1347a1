"""Spyrium Log: a record of board game evenings that can be replayed, checked, corrected and questioned."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spyrium_log.analysis.archive import Archive, open_archive
    from spyrium_log.errors import IllegalError, LogError, NotationError, SpyriumLogError, StoreError
    from spyrium_log.log.codec import Log, read
    from spyrium_log.log.schema import notes_schema, schema
    from spyrium_log.play import Play, header
    from spyrium_log.replay import Entry, Finding, Replay
    from spyrium_log.store import Folder
    from spyrium_log.title import Title
    from spyrium_log.titles import TITLES

_HOMES = {
    "analysis.archive": ("Archive", "open_archive"),
    "errors": ("IllegalError", "LogError", "NotationError", "SpyriumLogError", "StoreError"),
    "log.codec": ("Log", "read"),
    "log.schema": ("notes_schema", "schema"),
    "play": ("Play", "header"),
    "replay": ("Entry", "Finding", "Replay"),
    "store": ("Folder",),
    "title": ("Title",),
    "titles": ("TITLES",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "TITLES",
    "Archive",
    "Entry",
    "Finding",
    "Folder",
    "IllegalError",
    "Log",
    "LogError",
    "NotationError",
    "Play",
    "Replay",
    "SpyriumLogError",
    "StoreError",
    "Title",
    "header",
    "notes_schema",
    "open_archive",
    "read",
    "schema",
]


def __getattr__(name: str) -> Any:
    """A public name, resolved on first use, so that importing the package loads nothing (PEP 562).

    The function `replay` is not among them: its module has the same name.
    """
    if name not in _HOME:
        raise AttributeError(f"module 'spyrium_log' has no attribute '{name}'")
    return getattr(import_module(f"spyrium_log.{_HOME[name]}"), name)
