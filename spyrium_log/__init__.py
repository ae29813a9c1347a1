"""Spyrium Log: a record of board games that can be replayed, checked, corrected and questioned.

To record: `TITLES`, `Play`, `Folder`. To read and check: `read_log`, `replay_log`, `Replay`, `Finding`, `Entry`. To
ask: `open_archive`, `Archive`. A value that is refused raises a subclass of `SpyriumLogError`, which says what
was expected and what was found.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spyrium_log.analysis.archive import Archive, open_archive
    from spyrium_log.audit import Finding
    from spyrium_log.errors import (
        AmendmentError,
        ArgumentError,
        Breach,
        ConflictError,
        IllegalError,
        LockedError,
        LogError,
        NotationError,
        QueryError,
        ReadModelError,
        SheetError,
        SpyriumLogError,
        StoreError,
        UnknownTitleError,
    )
    from spyrium_log.ledger import Entry
    from spyrium_log.log.codec import Log
    from spyrium_log.log.schema import notes_schema, schema
    from spyrium_log.play import Play
    from spyrium_log.replay import Replay
    from spyrium_log.replay import replay as replay_log
    from spyrium_log.sheet import Sheet, parse_sheet
    from spyrium_log.store import Folder, read_log
    from spyrium_log.title import Options, Score, Title
    from spyrium_log.titles import TITLES

# Where each name lives, and what it is called there if that is another name: `replay` is a module here.
_HOMES = {
    "analysis.archive": ("Archive", "open_archive"),
    "audit": ("Finding",),
    "errors": (
        "AmendmentError",
        "ArgumentError",
        "Breach",
        "ConflictError",
        "IllegalError",
        "LockedError",
        "LogError",
        "NotationError",
        "QueryError",
        "ReadModelError",
        "SheetError",
        "SpyriumLogError",
        "StoreError",
        "UnknownTitleError",
    ),
    "ledger": ("Entry",),
    "log.codec": ("Log",),
    "log.schema": ("notes_schema", "schema"),
    "play": ("Play",),
    "replay": ("Replay", "replay_log"),
    "sheet": ("Sheet", "parse_sheet"),
    "store": ("Folder", "read_log"),
    "title": ("Options", "Score", "Title"),
    "titles": ("TITLES",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
_THERE = {"replay_log": "replay"}

__all__ = [
    "TITLES",
    "AmendmentError",
    "Archive",
    "ArgumentError",
    "Breach",
    "ConflictError",
    "Entry",
    "Finding",
    "Folder",
    "IllegalError",
    "LockedError",
    "Log",
    "LogError",
    "NotationError",
    "Options",
    "Play",
    "QueryError",
    "ReadModelError",
    "Replay",
    "Score",
    "Sheet",
    "SheetError",
    "SpyriumLogError",
    "StoreError",
    "Title",
    "UnknownTitleError",
    "notes_schema",
    "open_archive",
    "parse_sheet",
    "read_log",
    "replay_log",
    "schema",
]


def __getattr__(name: str) -> Any:
    """A public name, resolved on first use, so that importing the package loads nothing (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module 'spyrium_log' has no attribute '{name}'")
    return getattr(import_module(f"spyrium_log.{_HOME[name]}"), _THERE.get(name, name))
