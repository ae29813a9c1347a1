"""CSV whose text cells no spreadsheet takes for formulas.

Spreadsheets take a cell that begins with =, +, - or @ for a formula, also after a tab or the end of a line, and a
formula may fetch pages and send what other cells hold. An apostrophe before it makes the cell a text. Numbers are
written as numbers, so that -3 stays -3; the text "-3" gets an apostrophe.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

# Apostrophes of the text itself count: `guard_cell` adds one more, `unguard_cell` takes one away. The wide signs mean
# the same in spreadsheets for Chinese, Japanese or Korean.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


def guard_cell(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula: with an apostrophe, where it looks like one."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguard_cell(cell: str) -> str:
    """The text that `guard_cell` made this cell of, without the apostrophe that it added."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _make_cell(value: Any) -> str | float | None:
    """A value as a cell: numbers as they are, anything else as guarded text."""
    return value if value is None or isinstance(value, int | float) else guard_cell(str(value))


class _RowEcho:
    """A file for `csv`, whose `writerow` returns what `write` returns."""

    def write(self, row: str) -> str:
        """Return the line of CSV, which a file would write."""
        return row


def format_csv_rows(rows: Iterable[Sequence[Any]], *, raw: bool = False, end: str = "\n") -> Iterator[str]:
    """Each row as a line of CSV with this `end`. `raw`: no cell is guarded, for programs that are no spreadsheets."""
    # before Python 3.13, `csv` quotes a carriage return only if lines end in one
    writer = csv.writer(_RowEcho(), lineterminator="\r\n")
    for row in rows:
        line: str = writer.writerow(row if raw else [_make_cell(value) for value in row])
        yield line.removesuffix("\r\n") + end
