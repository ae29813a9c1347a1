"""Rows in five formats: table and md for people, csv, json and jsonl for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from spyrium_cli.options import Decorator, format_option, raw_option, together
from spyrium_cli.render.objects import json_line
from spyrium_cli.render.text import markdown, translate_word, with_minus
from spyrium_cli.session import FOR_PEOPLE, wants_raw
from spyrium_cli.terminal import write_data, write_line

FORMATS = ("table", "csv", "json", "jsonl", "md")
# From here on numbers are written without decimals: four digits say enough.
ROUNDED = 1000
# The most rows shown at a terminal; a pipe gets all.
SCREENFUL = 1000
# Characters written at once.
PIECE = 1 << 16
Rows = Sequence[Sequence[Any]]


def formats(*more: str) -> Decorator:
    """The option that every command has which answers with data; `more` forms it writes by itself."""
    return together(format_option([*FORMATS, *more]), raw_option)


def headings(columns: Sequence[str], table: str, form: str, language: str) -> Sequence[str]:
    """The names of columns: translated for people, as they are for programs. `table`: the words for them."""
    return [translate_word(column, table, language) for column in columns] if form in FOR_PEOPLE else columns


def write(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], form: str, *, null: str = "NULL", language: str = "en"
) -> None:
    """Write all rows to stdout; `null` stands for a missing value in the formats for people.

    Formats for programs are written row by row; the widths of a table need all rows first.
    """
    if form == "csv":
        for piece in _csv_pieces(columns, rows, raw=wants_raw()):
            write_data(piece)
    elif form == "md":
        for line in _markdown_lines(columns, list(rows), null, language):
            write_line(line)
    elif form == "table":
        _draw_table(columns, list(rows), null, language)
    else:
        write_json(_row_objects(columns, rows), form)


def write_json(objects: Iterable[Any], form: str) -> None:
    """Write a list of objects, or one object per line; each before the next is made."""
    lines = map(json_line, objects)
    if form == "jsonl":
        for line in lines:
            write_data(f"{line}\n")
        return
    count = 0
    for count, line in enumerate(lines, 1):
        write_data(f"{'[' if count == 1 else ','}\n  {line}")
    write_data("\n]\n" if count else "[]\n")


def _row_objects(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterable[dict[str, Any]]:
    """Each row as an object with the columns as keys."""
    names = _unique_names(columns)
    return (dict(zip(names, row, strict=True)) for row in rows)


def _unique_names(columns: Sequence[str]) -> list[str]:
    """Names for the keys of an object: SQL may give two columns one name."""
    names: list[str] = []
    for column in columns:
        name, number = column, 1
        while name in names:
            number += 1
            name = f"{column}_{number}"
        names.append(name)
    return names


def _csv_pieces(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, raw: bool) -> Iterator[str]:
    """CSV in pieces of about `PIECE` characters, so that few writes are needed."""
    from spyrium_log.spreadsheet import csv_rows

    lines: list[str] = []
    length = 0
    for line in csv_rows(chain([columns], rows), raw=raw):
        lines.append(line)
        length += len(line)
        if length > PIECE:
            yield "".join(lines)
            lines.clear()
            length = 0
    yield "".join(lines)


def _markdown_lines(columns: Sequence[str], rows: Rows, null: str, language: str) -> Iterable[str]:
    """The lines of a Markdown table: headings, alignment, rows."""
    is_number = _are_number_columns(columns, rows)
    yield _markdown_row(columns, null, language)
    yield "|" + "|".join("---:" if right else "---" for right in is_number) + "|"
    for row in rows:
        yield _markdown_row(row, null, language)


def _markdown_row(row: Sequence[Any], null: str, language: str) -> str:
    """One line of a Markdown table, with the markup in its cells escaped."""
    return f"| {' | '.join(markdown(cell(value, null, language)) for value in row)} |"


def cell(value: Any, null: str, language: str = "en") -> str:
    """A value for people, rounded to four digits."""
    if value is None:
        return null
    if isinstance(value, bool):
        return translate_word("yes" if value else "no", "words", language)
    if isinstance(value, float):
        return with_minus(f"{value:.0f}" if value.is_integer() or abs(value) >= ROUNDED else f"{value:.4g}")
    return with_minus(str(value)) if isinstance(value, int) else str(value)


def _are_number_columns(columns: Sequence[str], rows: Rows) -> list[bool]:
    """For each column, whether it holds numbers alone, and at least one. True and False are no numbers."""
    return [
        all((isinstance(row[i], int | float) and not isinstance(row[i], bool)) or row[i] is None for row in rows)
        and any(row[i] is not None for row in rows)
        for i in range(len(columns))
    ]


# A column of text may be folded to this width; a table that is still too wide is written row by row.
FOLDED = 16
# Between two columns.
GAP = 3


def least_width(column: str, values: Iterable[Any]) -> int:
    """The least width of a column on a screen, with the gap after it."""
    return min(max(map(len, [column, *(cell(value, "-") for value in values)])), FOLDED) + GAP


def _draw_table(columns: Sequence[str], rows: Rows, null: str, language: str) -> None:
    """An aligned table, or each row on its own where the screen is too narrow."""
    from spyrium_cli.render.paper import console
    from spyrium_cli.render.surface import is_screen

    cells = [[cell(value, null, language) for value in row] for row in rows]
    least = sum(least_width(column, [row[i] for row in cells]) for i, column in enumerate(columns))
    if is_screen() and least > console().width:
        _draw_records(columns, cells)
    else:
        _draw_aligned(columns, cells, _are_number_columns(columns, rows))


def _draw_aligned(columns: Sequence[str], cells: Sequence[Sequence[str]], is_number: Sequence[bool]) -> None:
    """Draw the rows as one table, numbers to the right."""
    from spyrium_cli.render.paper import draw, listing

    table = listing(columns, is_number)
    for row in cells:
        table.add_row(*row)
    draw(table)


def _draw_records(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """Each row as lines of name and value."""
    from spyrium_cli.render.paper import draw, grid, text

    for number, row in enumerate(cells, 1):
        table = grid("left", "left")
        for column, value in zip(columns, row, strict=True):
            table.add_row(text(column, "bold"), text(value))
        draw(text(f"— {number} —", "dim"), table)
