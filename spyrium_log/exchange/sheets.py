"""Component sheets as CSV, a value a row, for spreadsheets."""

from __future__ import annotations

import csv
import re

import msgspec

from spyrium_log.errors import SheetError
from spyrium_log.exchange.values import make_quotable
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.spreadsheet import format_csv_rows, guard_cell, unguard_cell

COLUMNS = Printed.__struct_fields__

_NUMBER = re.compile(r"[+-]?[0-9]+")
_TEXT_NUMBER = re.compile(r"'[+-]?[0-9]+")


def format_sheet_csv(sheet: Sheet) -> str:
    """The values of a sheet, a row each. The name of the sheet is that of the file."""
    rows = ([_cell_of_value(getattr(row, name)) for name in COLUMNS] for row in sheet.rows_by_key().values())
    return "".join(format_csv_rows([COLUMNS, *rows], raw=True, end="\r\n"))


def read_csv(text: str, name: str, file: str = "<csv>") -> Sheet:
    """A sheet from rows under a heading: columns in any order, commas or semicolons."""
    text = text.removeprefix("\ufeff")
    heading = text.partition("\n")[0]
    delimiter = ";" if heading.count(";") > heading.count(",") else ","
    rows = csv.reader((f"{line}\n" for line in text.split("\n")), delimiter=delimiter, strict=True)
    line = 1
    try:
        columns = _column_names(next(rows), file)
        printed = []
        for row in rows:
            line = rows.line_num
            if any(row):
                printed.append(_fields_of_row(columns, row))
        sheet = msgspec.convert({"name": name, "printed": printed}, Sheet)
        # raises for a value that stands twice
        sheet.rows_by_key()
    except (csv.Error, msgspec.ValidationError) as error:
        # our own messages begin in lower case
        found = str(error)[:1].lower() + str(error)[1:]
        raise SheetError("csv-fields", found=found, place=f"{file}:{line}") from None
    return sheet


def _column_names(heading: list[str], file: str) -> list[str]:
    """The columns that the heading names, each one known and once, the required ones among them."""
    columns = [name.strip().lower() for name in heading]
    for index, name in enumerate(columns):
        if name not in COLUMNS or name in columns[:index]:
            raise SheetError("csv-column", known=", ".join(COLUMNS), found=make_quotable(name), place=f"{file}:1")
    for name in ("of", "what", "value", "source"):
        if name not in columns:
            raise SheetError("csv-no-column", heading=name, place=f"{file}:1")
    return columns


def _fields_of_row(columns: list[str], row: list[str]) -> list[int | str]:
    """The fields of one printed value, checked by their types."""
    if len(row) != len(columns):
        raise csv.Error(f"{len(row)} cells under {len(columns)} columns")
    cells = dict(zip(columns, row, strict=True))
    fields = [_value_of_cell(name, cells.get(name, "")) for name in COLUMNS]
    msgspec.convert(fields, Printed)
    return fields


def _value_of_cell(column: str, cell: str) -> int | str:
    """A cell as the value that it stands for: a number, or a text without its guard."""
    if column == "value" and _NUMBER.fullmatch(cell):
        # the type limits the number; twenty digits are enough for that
        return int(cell[:20])
    return cell.removeprefix("'") if _TEXT_NUMBER.fullmatch(cell) else unguard_cell(cell)


def _cell_of_value(value: int | str) -> str:
    """The cell of a value. A text that looks like a number gets an apostrophe, so that it is read as a text again."""
    if isinstance(value, int):
        return str(value)
    return f"'{value}" if _NUMBER.fullmatch(value) else guard_cell(value)
