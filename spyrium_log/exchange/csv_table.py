"""A table of final scores as CSV: its rows by column, and what the columns mean."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange.values import shown, tidy
from spyrium_log.spreadsheet import unguarded
from spyrium_log.store import folded

DELIMITERS = (",", ";", "\t")
# 20,000 games with five players, a row each; a cell takes ten times its bytes.
MAX_LINES = 100_000
MAX_CELLS = 500_000
MAX_COLUMNS = 200

# What people call the columns that mean something here.
_NAMES_BY_MEANING = {
    "game": ("game", "game id", "game_id", "id", "play", "play id"),
    "title": ("title", "game name", "game title"),
    "played": ("played", "date", "day", "playdate", "play date"),
    "place": ("place", "location", "where"),
    "minutes": ("minutes", "duration", "length"),
    "seat": ("seat", "seat order", "turn order"),
    "player": ("player", "name", "player name"),
    "colour": ("colour", "color"),
    "score": ("score", "points", "total", "final score"),
    "first": ("first", "start player", "starting player"),
    # for people; the scores say all of it
    "": ("rank", "winner", "won", "win", "notes", "note", "comment", "comments", "round", "rounds", "nr", "no", "#"),
}
_MEANING_BY_NAME = {name: meaning for meaning, names in _NAMES_BY_MEANING.items() for name in names}


class Row(NamedTuple):
    """One row by the columns' names; `fault` says what is wrong with it."""

    line: int
    cells: Mapping[str, str]
    fault: str = ""

    def cell(self, column: str) -> str:
        """The text under this heading; empty where the row is shorter."""
        return self.cells.get(column, "").strip()


class Table(NamedTuple):
    """The columns that mean something, by what they mean; the columns of players; the rows."""

    file: str
    columns: Mapping[str, str]
    players: Sequence[str]
    rows: Sequence[Row]

    def cell(self, row: Row, meaning: str) -> str:
        """The cell of a row under the column of this meaning; empty where the table has none."""
        return row.cell(self.columns[meaning]) if meaning in self.columns else ""

    def where(self, row: Row) -> str:
        """The place of a row, for errors."""
        return f"{self.file}:{row.line}"


def matches(head: bytes) -> bool:
    """Whether a file with this beginning may be one: text with a delimiter in its first line."""
    try:
        text = _decode_text(head, "", is_whole=False)
    except ExchangeError:
        return False
    first = text.lstrip("\n").partition("\n")[0]
    return any(mark in first for mark in DELIMITERS) and first.replace("\t", " ").isprintable()


def _decode_text(raw: bytes, file: str, *, is_whole: bool = True) -> str:
    """The text of a file in UTF-8 or UTF-16, with one kind of line end."""
    encoding = "utf-16" if raw[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        # the beginning of a file may end inside a character
        if is_whole or error.start <= len(raw) - 4:
            line = raw.count(b"\n", 0, error.start) + 1
            raise ExchangeError(f"expected UTF-8, found the byte 0x{raw[error.start]:02x}, at {file}:{line}") from None
        text = raw[: error.start].decode(encoding)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_table(raw: bytes, file: str) -> Table:
    """The rows of a file by column; raises for a file that is too large or no table."""
    text = _decode_text(raw, file)
    if text.count("\n") > MAX_LINES:
        raise ExchangeError(f"expected at most {MAX_LINES} lines, found more, at {file}")
    if max(map(text.count, DELIMITERS)) > MAX_CELLS:
        raise ExchangeError(f"expected at most {MAX_CELLS} cells, found more, at {file}")
    # splitlines knows other ends of lines than a table has
    lines = text.split("\n")
    rows = _split_rows(lines, _delimiter_of(lines, file), file)
    line, heading = next(rows, (1, []))
    names = _column_names(heading, f"{file}:{line}")
    meanings = [_MEANING_BY_NAME.get(folded(name)) for name in names]
    return Table(
        file,
        {meaning: name for meaning, name in zip(meanings, names, strict=True) if meaning},
        [name for meaning, name in zip(meanings, names, strict=True) if meaning is None],
        [_row_of_cells(line, cells, names) for line, cells in rows],
    )


def _column_names(heading: Sequence[str], where: str) -> list[str]:
    """The names in the heading, each of which must mean something of its own."""
    names = [tidy(unguarded(name)) for name in heading]
    while names and not names[-1]:
        names.pop()
    if len(names) > MAX_COLUMNS:
        raise ExchangeError(f"expected at most {MAX_COLUMNS} columns, found {len(names)}, at {where}")
    meanings = [_MEANING_BY_NAME.get(folded(name), "") or folded(name) for name in names]
    for index, meaning in enumerate(meanings):
        if not meaning or meaning in meanings[:index]:
            found = f"'{shown(names[index])}' twice" if meaning else "one without a name"
            raise ExchangeError(f"expected a name for each column alone, found {found}, at {where}")
    return names


def _row_of_cells(line: int, cells: Sequence[str], names: Sequence[str]) -> Row:
    """A row by column names; more cells than columns are a fault unless they are empty."""
    has_more = any(cell.strip() for cell in cells[len(names) :])
    fault = f"expected {len(names)} cells, found {len(cells)}" if has_more else ""
    return Row(line, dict(zip(names, map(unguarded, cells), strict=False)), fault)


def _delimiter_of(lines: Sequence[str], file: str) -> str:
    """The delimiter that makes the most columns of the first row."""
    widths = {mark: _columns_by(lines, mark, file) for mark in DELIMITERS}
    mark = max(widths, key=widths.__getitem__)
    if widths[mark] <= 1:
        raise ExchangeError(f"expected columns between commas, semicolons or tabs, found none, at {file}:1")
    return mark


def _columns_by(lines: Sequence[str], mark: str, file: str) -> int:
    """Columns of the first row; 0 where by this delimiter it is not CSV."""
    try:
        return len(next(_split_rows(lines, mark, file), (1, []))[1])
    except ExchangeError:
        return 0


def _split_rows(lines: Sequence[str], delimiter: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line it begins on: a quoted cell may go over several."""
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    first_line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield first_line, cells
            first_line = reader.line_num + 1
    except csv.Error as error:
        raise ExchangeError(f"expected CSV, found: {shown(error)}, at {file}:{first_line}") from None
