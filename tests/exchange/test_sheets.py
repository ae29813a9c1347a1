"""Component sheets as CSV: what is written is what is read, and a spreadsheet finds no formula in it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from spyrium_log.errors import SheetError
from spyrium_log.exchange.sheets import format_sheet_csv, read_csv
from spyrium_log.sheet import Printed, Sheet
from spyrium_log.titles import TITLES
from tests.test_sheet import LAW, sheets


@LAW
@given(sheet=sheets())
def test_rows_written_are_the_rows_read(sheet: Sheet, counts: Counter[str]) -> None:
    assert read_csv(format_sheet_csv(sheet), sheet.name) == sheet
    counts["sheets written as CSV and read"] += 1


def test_the_sheet_that_ships_goes_through_a_spreadsheet() -> None:
    sheet = TITLES["spyrium"].sheet()
    text = format_sheet_csv(sheet)
    assert text.splitlines()[:2] == ["of,what,value,source,by,at", "mine-1,price,2,assumed,,"]
    assert read_csv(text, sheet.name).digest() == sheet.digest()


def test_no_cell_is_a_formula() -> None:
    sheet = Sheet(name="x", printed=(Printed("=cmd()", "@a", "+1", "read", "-b", "7"),))
    assert format_sheet_csv(sheet).splitlines()[1] == "'=cmd(),'@a,'+1,read,'-b,'7"
    assert read_csv(format_sheet_csv(sheet), "x") == sheet


def test_columns_stand_in_any_order_with_semicolons_and_a_mark_at_the_front() -> None:
    text = "\ufeffSource;Value;Of;What\r\nread;4;mine-1;price\r\n\r\n"
    assert read_csv(text, "x").printed == (Printed("mine-1", "price", 4, "read"),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a column 'of', found none, at own.csv:1"),
        ("of,what,value", "a column 'source', found none, at own.csv:1"),
        ("of,what,value,source,of", "found 'of', at own.csv:1"),
        ("of,what,value,source,colour", "found 'colour', at own.csv:1"),
        ("of,what,value,source\na,b,1,read\na,c,1,guessed", "at own.csv:3"),
        ("of,what,value,source\na,b,1", "3 cells under 4 columns, at own.csv:2"),
        ("of,what,value,source\na,b,10000,read", "at own.csv:2"),
        (f"of,what,value,source\na,b,{'9' * 5000},read", "at own.csv:2"),
        ('of,what,value,source\na,"b,1,read', "at own.csv:"),
        (f"of,what,value,source\n{'x' * 200_000},b,1,read", "at own.csv:"),
        ("of,what,value,source\na,b,1,read\na,b,2,read", "twice"),
    ],
)
def test_what_is_no_sheet_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(SheetError, match=said):
        read_csv(text, "x", "own.csv")
