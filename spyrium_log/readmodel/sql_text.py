"""Texts in SQL. Imports nothing, for every process that runs a query loads it."""

from __future__ import annotations


def quoted(text: str) -> str:
    """A text as SQL writes it. DuckDB takes UTF-8 alone, and its error for anything else would not say so."""
    text.encode()
    return "'" + text.replace("'", "''") + "'"
