"""Spyrium Log: a record of board games that can be replayed, checked, corrected and questioned.

To record: `TITLES`, `Play`, `Folder`. To read and check: `read_log`, `replay_log`, `Replay`, `Finding`, `Entry`. To
ask: `open_archive`, `Archive`. A value that is refused raises a subclass of `SpyriumLogError`, which says what
was expected and what was found.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spyrium_log.analysis.archive import Archive as Archive
    from spyrium_log.analysis.archive import open_archive as open_archive
    from spyrium_log.audit import Finding as Finding
    from spyrium_log.errors import AmendmentError as AmendmentError
    from spyrium_log.errors import ArgumentError as ArgumentError
    from spyrium_log.errors import Breach as Breach
    from spyrium_log.errors import ConflictError as ConflictError
    from spyrium_log.errors import IllegalError as IllegalError
    from spyrium_log.errors import LockedError as LockedError
    from spyrium_log.errors import LogError as LogError
    from spyrium_log.errors import NotationError as NotationError
    from spyrium_log.errors import QueryError as QueryError
    from spyrium_log.errors import ReadModelError as ReadModelError
    from spyrium_log.errors import SheetError as SheetError
    from spyrium_log.errors import SpyriumLogError as SpyriumLogError
    from spyrium_log.errors import StoreError as StoreError
    from spyrium_log.errors import UnknownTitleError as UnknownTitleError
    from spyrium_log.ledger import Entry as Entry
    from spyrium_log.log.codec import Log as Log
    from spyrium_log.log.schema import notes_schema as notes_schema
    from spyrium_log.log.schema import schema as schema
    from spyrium_log.play import Play as Play
    from spyrium_log.replay import Replay as Replay
    from spyrium_log.replay import replay
    from spyrium_log.sheet import Sheet as Sheet
    from spyrium_log.sheet import parse_sheet as parse_sheet
    from spyrium_log.store import Folder as Folder
    from spyrium_log.store import read_log as read_log
    from spyrium_log.title import Options as Options
    from spyrium_log.title import Score as Score
    from spyrium_log.title import Title as Title
    from spyrium_log.titles import TITLES as TITLES

    replay_log = replay

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

__all__ = sorted(_HOME)  # noqa: PLE0605 - it is a list


def __getattr__(name: str) -> Any:
    """A public name, resolved on first use, so that importing the package loads nothing (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module 'spyrium_log' has no attribute '{name}'")
    return getattr(import_module(f"spyrium_log.{_HOME[name]}"), _THERE.get(name, name))
