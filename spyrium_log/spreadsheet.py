"""CSV that a spreadsheet takes for text and numbers, and never for a formula.

A program that opens such a file takes a cell that begins with =, +, - or @ for a formula, which may fetch pages and
send what other cells hold; a tab or the end of a line before it is no hindrance. Behind an apostrophe the cell is a
text. Numbers are written as numbers, so that -3 stays -3; the text "-3" gets its apostrophe.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

# Apostrophes that the text has of itself belong to it: the guard puts one more before them, the reader takes one away.
# The wide signs are taken for the narrow ones where people write Chinese, Japanese or Korean.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


def guarded(text: str) -> str:
    """The text as a cell that is no formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """What the text was before `guarded`."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


class _Written:
    """What `csv` writes to: a whole row at a time."""

    row = ""

    def write(self, row: str) -> None:
        self.row = row


def _cell(value: Any) -> Any:
    return value if value is None or isinstance(value, int | float) else guarded(str(value))


def csv_rows(rows: Iterable[Sequence[Any]], *, raw: bool = False, end: str = "\n") -> Iterator[str]:
    """Each row as a line of CSV. `raw`: text cells as they are, for a program that is no spreadsheet."""
    written = _Written()
    # Before Python 3.13 `csv` quotes a carriage return only where lines end in one.
    writer = csv.writer(written, lineterminator="\r\n")
    for row in rows:
        writer.writerow(row if raw else [_cell(value) for value in row])
        yield written.row.removesuffix("\r\n") + end
