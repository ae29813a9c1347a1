"""The shelf: every title this package knows, by its key."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from spyrium_log.title import AnyTitle, Shelf
from spyrium_log.titles.founders import FOUNDERS
from spyrium_log.titles.spyrium import SPYRIUM

TITLES: Mapping[str, AnyTitle] = MappingProxyType(Shelf({title.key: title for title in (SPYRIUM, FOUNDERS)}))
