"""Rows in five formats: table and md for people, csv, json and jsonl for programs; objects in the last two."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count, islice
from typing import Any

import msgspec

from spyrium_cli.options import Decorator, format_option, raw_option, together
from spyrium_cli.render.surface import is_screen
from spyrium_cli.render.text import escape_markdown, translate_word, with_minus
from spyrium_cli.session import ENGLISH, FOR_PEOPLE, wants_raw
from spyrium_cli.terminal import write_data, write_line
from spyrium_log.shown import escape_json

FORMATS = ("table", "csv", "json", "jsonl", "md")
# From here on numbers are written without decimals: four digits say enough.
ROUNDED = 1000
# The most rows shown at a terminal; a pipe gets all.
SCREENFUL = 1000
# Lines of CSV written at once, so that few writes are needed.
PIECE = 500
Rows = Sequence[Sequence[Any]]


def formats(*more: str) -> Decorator:
    """The options `--format` and `--raw` of a command that answers with data; `more`: formats beside the five."""
    return together(format_option([*FORMATS, *more]), raw_option)


def translate_headings(columns: Sequence[str], table: str, form: str, language: str) -> Sequence[str]:
    """The names of columns: translated for people, as they are for programs. `table`: the words for them."""
    return [translate_word(column, table, language) for column in columns] if form in FOR_PEOPLE else columns


def translate_cells(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], tables: Mapping[str, str], form: str, language: str
) -> Iterable[Sequence[Any]]:
    """The rows with the words of ours translated for people. `tables`: the words for the cells of some columns."""
    if form not in FOR_PEOPLE or language == ENGLISH:
        return rows
    places = [tables.get(column) for column in columns]

    def translate_cell(value: Any, table: str | None) -> Any:
        """A word of a table in the language; any other value as it is."""
        return value if table is None or value is None else translate_word(str(value), table, language)

    return [list(map(translate_cell, row, places)) for row in rows]


def write(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], form: str, *, null: str = "NULL", language: str = "en"
) -> None:
    """Write rows to stdout, one by one in formats for programs. `null`: a missing value in formats for people."""
    if form == "csv":
        from spyrium_log.spreadsheet import format_csv_rows

        lines = format_csv_rows(chain([columns], rows), raw=wants_raw())
        while piece := "".join(islice(lines, PIECE)):
            write_data(piece)
    elif form == "md":
        for line in _markdown_lines(columns, list(rows), null, language):
            write_line(line)
    elif form == "table":
        _draw_table(columns, list(rows), null, language)
    else:
        write_json(row_objects(columns, rows), form)


def write_json(objects: Iterable[Any], form: str) -> None:
    """Write a list of objects, or one object per line; each before the next is made."""
    lines = (escape_json(_json_bytes(value).decode()) for value in objects)
    if form == "jsonl":
        for line in lines:
            write_data(f"{line}\n")
        return
    opening = "["
    for line in lines:
        write_data(f"{opening}\n  {line}")
        opening = ","
    write_data("[]\n" if opening == "[" else "\n]\n")


def write_object(value: Any, form: str) -> None:
    """Write one object to stdout: on one line for `jsonl`, over several for `json`."""
    raw = _json_bytes(value)
    write_data(f"{escape_json((raw if form == 'jsonl' else msgspec.json.format(raw, indent=2)).decode())}\n")


def _json_bytes(value: Any) -> bytes:
    """JSON on one line. The name of a file may be no UTF-8; then it is escaped."""
    try:
        return msgspec.json.encode(value, enc_hook=str)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value, enc_hook=str)).encode()


def row_objects(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterable[dict[str, Any]]:
    """Each row as an object with the columns as keys; SQL may give two columns one name: then `name`, `name_2`."""
    names: list[str] = []
    for column in columns:
        numbered = (f"{column}_{number}" for number in count(2))
        names.append(next(name for name in chain([column], numbered) if name not in names))
    return (dict(zip(names, row, strict=True)) for row in rows)


def _markdown_lines(columns: Sequence[str], rows: Rows, null: str, language: str) -> Iterable[str]:
    """The lines of a Markdown table: headings, alignment, rows."""
    is_number = _are_number_columns(columns, rows)
    yield _markdown_row(columns, null, language)
    yield "|" + "|".join("---:" if right else "---" for right in is_number) + "|"
    for row in rows:
        yield _markdown_row(row, null, language)


def _markdown_row(row: Sequence[Any], null: str, language: str) -> str:
    """One line of a Markdown table, with the markup in its cells escaped."""
    return f"| {' | '.join(escape_markdown(format_cell(value, null, language)) for value in row)} |"


def format_cell(value: Any, null: str, language: str = "en") -> str:
    """A value for people: a number rounded to four digits, yes or no; `null` for None."""
    if value is None:
        return null
    if isinstance(value, bool):
        return translate_word("yes" if value else "no", "words", language)
    if isinstance(value, float):
        return with_minus(f"{value:.0f}" if value.is_integer() or abs(value) >= ROUNDED else f"{value:.4g}")
    return with_minus(str(value)) if isinstance(value, int) else str(value)


def _are_number_columns(columns: Sequence[str], rows: Rows) -> list[bool]:
    """For each column, whether it holds numbers alone, and at least one. True and False are no numbers."""
    values = [[row[i] for row in rows if row[i] is not None] for i in range(len(columns))]
    return [
        bool(column) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in column)
        for column in values
    ]


# A column of text may be folded to this width; a table that is still too wide is written row by row.
FOLDED = 16
# Between two columns.
GAP = 3


def least_width(column: str, values: Iterable[Any]) -> int:
    """The least width of a column on a screen, with the gap after it."""
    return min(max(map(len, [column, *(format_cell(value, "-") for value in values)])), FOLDED) + GAP


def line_width(columns: int) -> int | None:
    """How many letters so many columns may have beside each other on this screen; None in a pipe, where all fit."""
    from spyrium_cli.render.paper import console

    return console().width - GAP * columns - 1 if is_screen() else None


def _draw_table(columns: Sequence[str], rows: Rows, null: str, language: str) -> None:
    """Draw an aligned table, numbers to the right; each row as lines of name and value where the screen is narrow."""
    from spyrium_cli.render.paper import console, draw, draw_listing, grid, text

    cells = [[format_cell(value, null, language) for value in row] for row in rows]
    least = sum(least_width(column, [row[i] for row in cells]) for i, column in enumerate(columns))
    if not is_screen() or least <= console().width:
        draw_listing(columns, _are_number_columns(columns, rows), cells)
        return
    for number, row in enumerate(cells, 1):
        table = grid("left", "left")
        for column, value in zip(columns, row, strict=True):
            table.add_row(text(column, "bold"), text(value))
        draw(text(f"— {number} —", "dim"), table)
