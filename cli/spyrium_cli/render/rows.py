"""Rows of anything in five forms: for people a table, for programs csv, json, jsonl, md."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import click

from spyrium_cli.options import raw_option
from spyrium_cli.render.said import line as json_line
from spyrium_cli.render.text import markdown, minus
from spyrium_cli.render.words import spoken
from spyrium_cli.session import FOR_PEOPLE, wants_raw
from spyrium_cli.terminal import write_data, write_line

FORMATS = ("table", "csv", "json", "jsonl", "md")
ROUNDED = 1000
# More rows than somebody reads at a terminal; a pipe gets all of them.
SCREENFUL = 1000
# So many characters go out together.
PIECE = 1 << 16
Rows = Sequence[Sequence[Any]]


def formats(*more: str) -> Callable[[Any], Any]:
    """The option that every command has which answers with data; `more` forms it writes by itself."""
    form = click.option(
        "--format",
        "form",
        type=click.Choice([*FORMATS, *more]),
        default="table",
        show_default=True,
        help="For people table and md, for programs the others.",
    )
    return lambda command: form(raw_option(command))


def heads(columns: Sequence[str], table: str, form: str, language: str) -> Sequence[str]:
    """What people read over the columns; programs find the names that never change."""
    return [spoken(column, table, language) for column in columns] if form in FOR_PEOPLE else columns


def write(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    form: str,
    *,
    null: str = "NULL",
    language: str = "en",
) -> None:
    """All rows to stdout; `null` is what people read where there is no value.

    What programs read is written while the rows come; how wide a column is for people, only all of them say.
    """
    if form == "csv":
        for piece in _csv(columns, rows, raw=wants_raw()):
            write_data(piece)
    elif form == "md":
        for line in _markdown(columns, list(rows), null, language):
            write_line(line)
    elif form == "table":
        _table(columns, list(rows), null, language)
    else:
        write_json(_objects(columns, rows), form)


def write_json(objects: Iterable[Any], form: str) -> None:
    """A list of objects, or one object a line; each is written before the next is made."""
    lines = map(json_line, objects)
    if form == "jsonl":
        for line in lines:
            write_data(f"{line}\n")
        return
    count = 0
    for count, line in enumerate(lines, 1):
        write_data(f"{'[' if count == 1 else ','}\n  {line}")
    write_data("\n]\n" if count else "[]\n")


def _objects(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterable[dict[str, Any]]:
    names = _unique(columns)
    return (dict(zip(names, row, strict=True)) for row in rows)


def _unique(columns: Sequence[str]) -> list[str]:
    """SQL may name two columns alike, an object may not."""
    names: list[str] = []
    for column in columns:
        name, again = column, 1
        while name in names:
            again += 1
            name = f"{column}_{again}"
        names.append(name)
    return names


def _csv(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, raw: bool) -> Iterator[str]:
    """As many lines at a time as are written together."""
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


def _markdown(columns: Sequence[str], rows: Rows, null: str, language: str) -> Iterable[str]:
    rights = _rights(columns, rows)
    yield _markdown_row(columns, null, language)
    yield "|" + "|".join("---:" if right else "---" for right in rights) + "|"
    for row in rows:
        yield _markdown_row(row, null, language)


def _markdown_row(row: Sequence[Any], null: str, language: str) -> str:
    return f"| {' | '.join(markdown(cell(value, null, language)) for value in row)} |"


def cell(value: Any, null: str, language: str = "en") -> str:
    """One value for people: four digits say enough, csv and json say all."""
    if value is None:
        return null
    if isinstance(value, bool):
        return spoken("yes" if value else "no", "words", language)
    if isinstance(value, float):
        said = f"{value:.0f}" if value.is_integer() or abs(value) >= ROUNDED else f"{value:.4g}"
        return minus(said)
    return minus(str(value)) if isinstance(value, int) else str(value)


def _rights(columns: Sequence[str], rows: Rows) -> list[bool]:
    """Which columns hold numbers."""
    return [
        all((isinstance(row[i], int | float) and not isinstance(row[i], bool)) or row[i] is None for row in rows)
        and any(row[i] is not None for row in rows)
        for i in range(len(columns))
    ]


# A column of text may be folded down to this; what then is still too wide for the screen is told row by row.
FOLDED = 16
BETWEEN = 3


def room(column: str, values: Iterable[Any]) -> int:
    """The least room that a column needs on a screen, and what lies between it and the next."""
    return min(max(map(len, [column, *(cell(value, "-") for value in values)])), FOLDED) + BETWEEN


def _table(columns: Sequence[str], rows: Rows, null: str, language: str) -> None:
    from spyrium_cli.render.paper import console
    from spyrium_cli.render.surface import is_screen

    cells = [[cell(value, null, language) for value in row] for row in rows]
    least = sum(room(column, [row[i] for row in cells]) for i, column in enumerate(columns))
    if is_screen() and least > console().width:
        _records(columns, cells)
    else:
        _aligned(columns, cells, _rights(columns, rows))


def _aligned(columns: Sequence[str], cells: Sequence[Sequence[str]], rights: Sequence[bool]) -> None:
    from spyrium_cli.render.paper import draw, listing

    table = listing(columns, rights)
    for row in cells:
        table.add_row(*row)
    draw(table)


def _records(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """A row as lines of name and value."""
    from spyrium_cli.render.paper import draw, grid, text

    for number, row in enumerate(cells, 1):
        table = grid("left", "left")
        for column, value in zip(columns, row, strict=True):
            table.add_row(text(column, "bold"), text(value))
        draw(text(f"— {number} —", "dim"), table)
