"""A text cell is no formula, a number is a number, and the reader finds what was written."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spyrium_log.spreadsheet import format_csv_rows, guard_cell, unguard_cell

FORMULAS = ['=HYPERLINK("http://e.vil")', "+1", "-3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1", "'=1", "''-1"]


def cells(rows: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(rows, newline=""), strict=True))


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_gets_an_apostrophe_and_loses_it_again(text: str) -> None:
    assert guard_cell(text) == f"'{text}"
    assert unguard_cell(guard_cell(text)) == text


@pytest.mark.parametrize("text", ["", "Anna", "'t Hart", "'", "a=1", "3", "3-2", " =1", "’=1"])
def test_any_other_text_stays(text: str) -> None:
    assert guard_cell(text) == text
    assert unguard_cell(text) == text


@given(st.text(alphabet=st.sampled_from("'=+-@\t\r\na1\uff0b \""), max_size=8))
def test_the_reader_finds_what_was_written(text: str) -> None:
    (row,) = cells("".join(format_csv_rows([[text, 1]])))
    assert unguard_cell(row[0]) == text
    assert not row[0].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


@pytest.mark.parametrize(
    ("value", "cell"),
    [(-3, "-3"), (-3.5, "-3.5"), ("-3", "'-3"), (True, "True"), (None, ""), (["=1"], "['=1']"), ("a\nb", "a\nb")],
)
def test_numbers_stay_numbers(value: Any, cell: str) -> None:
    assert cells("".join(format_csv_rows([["x", value]]))) == [["x", cell]]


def test_a_carriage_return_begins_no_row() -> None:
    assert list(format_csv_rows([["a\r=1", "b"]])) == ['"a\r=1",b\n']


def test_raw_is_raw() -> None:
    assert list(format_csv_rows([["=1", -1, "'=1"]], raw=True)) == ["=1,-1,'=1\n"]
    assert list(format_csv_rows([["=1"]], end="\r\n")) == ["'=1\r\n"]
