"""The tables of the archive, as `spyrium tables` and the shell list them, with the comments of the index in English."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spyrium_cli.render.rows import translate_cells, translate_headings, write

if TYPE_CHECKING:
    from spyrium_log.readmodel.answers import Answer


def write_relations(answer: Answer, form: str, language: str) -> None:
    """Write the tables, or the columns of one. `answer`: what `describe_tables` says."""
    heads = translate_headings(answer.columns, "tables-heads", form, language)
    rows = translate_cells(answer.columns, answer.rows, {"kind": "relations"}, form, language)
    write(heads, rows, form, null="", language=language)
