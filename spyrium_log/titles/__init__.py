"""The shelf: every title this package knows, by its key."""

from __future__ import annotations

from collections.abc import Mapping

from spyrium_log.title import AnyTitle
from spyrium_log.title.shelf import Shelf


def _load_spyrium() -> AnyTitle:
    """The title Spyrium."""
    from spyrium_log.titles.spyrium import SPYRIUM

    return SPYRIUM


def _load_founders() -> AnyTitle:
    """The title Founders of Gloomhaven."""
    from spyrium_log.titles.founders import FOUNDERS

    return FOUNDERS


TITLES: Mapping[str, AnyTitle] = Shelf({"spyrium": _load_spyrium, "founders": _load_founders})
