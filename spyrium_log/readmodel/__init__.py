"""Tables made from the logs, and questions to them. DuckDB is loaded by the first name that needs it (PEP 562)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spyrium_log.readmodel.answers import (
        Answer,
        FileForm,
        Stream,
        Written,
        described,
        queries,
        query,
        streaming,
        write_rows,
    )
    from spyrium_log.readmodel.catalogue import CHOICES, FigureQuery, Option, Report, read_report, report_named, reports
    from spyrium_log.readmodel.choices import Alternative, alternatives
    from spyrium_log.readmodel.dataset import Dataset, write_dataset
    from spyrium_log.readmodel.differences import Deviation
    from spyrium_log.readmodel.interrupts import is_still_at_work
    from spyrium_log.readmodel.load import Update, bring_up_to_date
    from spyrium_log.readmodel.reader import Recorded, Source, Unusable
    from spyrium_log.readmodel.reading import Scratch
    from spyrium_log.readmodel.sources import sources_of
    from spyrium_log.readmodel.verification import SAMPLE, Verification, verify

_HOMES = {
    "answers": ("Answer", "FileForm", "Stream", "Written", "described", "queries", "query", "streaming", "write_rows"),
    "catalogue": ("CHOICES", "FigureQuery", "Option", "Report", "read_report", "report_named", "reports"),
    "choices": ("Alternative", "alternatives"),
    "reading": ("Scratch",),
    "dataset": ("Dataset", "write_dataset"),
    "interrupts": ("is_still_at_work",),
    "load": ("Update", "bring_up_to_date"),
    "reader": ("Recorded", "Source", "Unusable"),
    "sources": ("sources_of",),
    "differences": ("Deviation",),
    "verification": ("SAMPLE", "Verification", "verify"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CHOICES",
    "SAMPLE",
    "Alternative",
    "Answer",
    "Dataset",
    "Deviation",
    "FigureQuery",
    "FileForm",
    "Option",
    "Recorded",
    "Report",
    "Scratch",
    "Source",
    "Stream",
    "Unusable",
    "Update",
    "Verification",
    "Written",
    "alternatives",
    "bring_up_to_date",
    "described",
    "is_still_at_work",
    "queries",
    "query",
    "read_report",
    "report_named",
    "reports",
    "sources_of",
    "streaming",
    "verify",
    "write_dataset",
    "write_rows",
]


def __getattr__(name: str) -> Any:
    """A public name, imported from its module at first use: DuckDB takes a while to load."""
    if name not in _HOME:
        raise AttributeError(f"module 'spyrium_log.readmodel' has no attribute '{name}'")
    return getattr(import_module(f"spyrium_log.readmodel.{_HOME[name]}"), name)
