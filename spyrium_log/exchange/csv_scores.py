"""Tables of final scores as CSV: one row a seat, or one row a game with a column a player.

    game,title,played,place,minutes,seat,player,colour,score,rank       one row a seat: what we write
    date,location,Anna,Bob,Cleo                                         one row a game: an empty cell did not play

Commas, semicolons or tabs. A game with a cell that is not certain is left out; the reason names line and column.
"""

from __future__ import annotations

import csv
import hashlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange import values
from spyrium_log.exchange.scored import Collector, Imported, ScoredGame, ScoredSeat, Titles, ranked_seats
from spyrium_log.spreadsheet import format_csv_rows, unguard_cell
from spyrium_log.store import fold_name
from spyrium_log.title import AnyTitle

SOURCE = "csv"
COLUMNS = ("game", "title", "played", "place", "minutes", "seat", "player", "colour", "score", "rank", "first")
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
_SHARED_BY_GAME = ("title", "played", "place")
_YES_WORDS = {"1", "yes", "true", "x", "y"}


class Row(NamedTuple):
    """One row by the columns' names; `fault` says what is wrong with it."""

    line: int
    cells: Mapping[str, str]
    fault: ExchangeError | None = None

    def cell(self, column: str) -> str:
        """The text under this heading; empty where the row is shorter."""
        return self.cells.get(column, "").strip()


def matches(head: bytes) -> bool:
    """Whether a file with this beginning may be a table: text with a delimiter in its first line."""
    try:
        text = _decode_text(head, "", is_whole=False)
    except ExchangeError:
        return False
    first = text.lstrip("\n").partition("\n")[0]
    return any(mark in first for mark in DELIMITERS) and first.replace("\t", " ").isprintable()


def _decode_text(raw: bytes, file: str, *, is_whole: bool = True) -> str:
    """The text of a file in UTF-8 or UTF-16, with one kind of line end."""
    encoding = "utf-16" if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        # the beginning of a file may end inside a character, which takes up to four bytes
        if is_whole or error.start <= len(raw) - 4:
            raise values.utf8_error(error, file) from None
        text = raw[: error.start].decode(encoding)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_table(raw: bytes, file: str) -> tuple[list[str], list[Row]]:
    """The names of the columns, and the rows; raises for a file that is too large or no table."""
    text = _decode_text(raw, file)
    if text.count("\n") > MAX_LINES:
        raise ExchangeError("too-many-lines", most=MAX_LINES, place=file)
    if max(map(text.count, DELIMITERS)) > MAX_CELLS:
        raise ExchangeError("too-many-cells", most=MAX_CELLS, place=file)
    # splitlines knows other ends of lines than a table has
    lines = text.split("\n")
    widths = {mark: _count_columns(lines, mark, file) for mark in DELIMITERS}
    delimiter = max(widths, key=widths.__getitem__)
    if widths[delimiter] <= 1:
        raise ExchangeError("no-columns", place=f"{file}:1")
    rows = _split_rows(lines, delimiter, file)
    line, heading = next(rows, (1, []))
    with values.wrap_errors("at", place=f"{file}:{line}"):
        names = _read_column_names(heading)
    return names, [_make_row(line, cells, names) for line, cells in rows]


def _read_column_names(heading: Sequence[str]) -> list[str]:
    """The names in the heading, each of which must mean something of its own."""
    names = [values.tidy(unguard_cell(name)) for name in heading]
    # a spreadsheet may write empty columns behind the others
    while names and not names[-1]:
        names.pop()
    if len(names) > MAX_COLUMNS:
        raise ExchangeError("too-many-columns", most=MAX_COLUMNS, found=len(names))
    meanings = [_MEANING_BY_NAME.get(fold_name(name), "") or fold_name(name) for name in names]
    for index, meaning in enumerate(meanings):
        if not meaning:
            raise ExchangeError("unnamed-column")
        if meaning in meanings[:index]:
            raise ExchangeError("column-twice", heading=values.make_quotable(names[index]))
    return names


def _make_row(line: int, cells: Sequence[str], names: Sequence[str]) -> Row:
    """A row by column names; more cells than columns are a fault unless they are empty."""
    has_more = any(cell.strip() for cell in cells[len(names) :])
    fault = ExchangeError("cells", n=len(names), found=len(cells)) if has_more else None
    return Row(line, dict(zip(names, map(unguard_cell, cells), strict=False)), fault)


def _count_columns(lines: Sequence[str], delimiter: str, file: str) -> int:
    """Columns of the first row, to find the delimiter that makes the most; 0 where by this one it is not CSV."""
    try:
        return len(next(_split_rows(lines, delimiter, file), (1, []))[1])
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
        raise ExchangeError("not-csv", found=values.make_quotable(error), place=f"{file}:{first_line}") from None


class _SeatCells(NamedTuple):
    """The cells of one seat; `column` holds the score."""

    player: str
    score: str
    colour: str
    column: str


def read_scores(raw: bytes, file: str, titles: Titles, aliases: Mapping[str, str]) -> Imported:
    """The games of a table of scores. A table without a column for the title is of the only title there is."""
    return _Reader(raw, file, titles, aliases).read_games()


class _Reader:
    """Reads one table; `aliases` give the person of a name."""

    def __init__(self, raw: bytes, file: str, titles: Titles, aliases: Mapping[str, str]) -> None:
        """Read the rows; raises for a file that is no table. A column that means nothing here is a player's."""
        self.file = file
        self.titles = titles
        self.aliases = aliases
        self.collector = Collector(file, titles)
        self.digests: Counter[str] = Counter()
        names, self.rows = _read_table(raw, file)
        meanings = {name: _MEANING_BY_NAME.get(fold_name(name)) for name in names}
        self.columns = {meaning: name for name, meaning in meanings.items() if meaning}
        self.players = [name for name, meaning in meanings.items() if meaning is None]

    def cell(self, row: Row, meaning: str) -> str:
        """The cell of a row under the column of this meaning; empty where the table has none."""
        return row.cell(self.columns[meaning]) if meaning in self.columns else ""

    def read_games(self) -> Imported:
        """The games of the table; one that is not certain is left out with its first row."""
        # else a row is a whole game, with a column for each player
        has_row_a_seat = {"player", "score"} <= self.columns.keys()
        groups = self._group_by_game() if has_row_a_seat else [[row] for row in self.rows]
        read_seats = self._read_seats_in_rows if has_row_a_seat else self._read_seats_in_columns
        for group in groups:
            first = group[0]
            try:
                rows, seats = read_seats(group)
                # in the order of seats another row may come first
                first = rows[0]
                title = self._find_title(first)
                if title is not None:
                    self.collector.add(self._make_game(rows, seats, title))
            except ExchangeError as error:
                self.collector.leave_out(f"{self.file}:{first.line}", error)
        return self.collector.finish()

    def _read_seats_in_columns(self, rows: list[Row]) -> tuple[list[Row], list[_SeatCells]]:
        """The only row of a game, and its seats: each player's column that is not empty. Nobody has a colour."""
        (row,) = rows
        if row.fault:
            raise row.fault
        played = [name for name in self.players if row.cell(name)]
        seats = [_SeatCells(player=name, score=row.cells[name], colour="", column=name) for name in played]
        if not seats:
            raise ExchangeError("no-scores")
        return rows, seats

    def _group_by_game(self) -> Iterable[list[Row]]:
        """The rows of each game: they have one id, or else one title, day and place."""
        cell = self.cell
        groups: dict[tuple[str, ...], list[Row]] = {}
        for row in self.rows:
            name = cell(row, "game")
            key = (name,) if _is_id(name) else (name, *(cell(row, meaning) for meaning in _SHARED_BY_GAME))
            groups.setdefault(key, []).append(row)
        return groups.values()

    def _read_seats_in_rows(self, rows: list[Row]) -> tuple[list[Row], list[_SeatCells]]:
        """The rows of a game in the order of its seats, and the seats; raises where rows contradict each other."""
        cell, column = self.cell, self.columns["score"]
        for row in rows:
            self._check_shared(rows[0], row)
        names = [cell(row, "player") for row in rows]
        counts = Counter(map(fold_name, names))
        if len(counts) < len(rows):
            name = next(name for name in names if counts[fold_name(name)] > 1)
            raise ExchangeError("two-games", player=values.make_quotable(name))
        orders = [cell(row, "seat") for row in rows]
        if all(order.isascii() and order.isdecimal() for order in orders) and len(set(orders)) == len(rows):
            # by length first: numbers of any number of digits
            rows = sorted(rows, key=lambda row: (len(cell(row, "seat")), cell(row, "seat")))
        seats = [_SeatCells(cell(row, "player"), cell(row, "score"), cell(row, "colour"), column) for row in rows]
        return rows, seats

    def _check_shared(self, first: Row, row: Row) -> None:
        """Raise for a row that has a fault, or differs from the first row in what is the same for the whole game."""
        if row.fault:
            raise ExchangeError("in-line", message=row.fault, n=row.line)
        for meaning in _SHARED_BY_GAME:
            expected, found = self.cell(first, meaning), self.cell(row, meaning)
            if expected != found:
                expected, found = values.make_quotable(expected), values.make_quotable(found)
                heading = self.columns[meaning]
                raise ExchangeError("other-cell", expected=expected, heading=heading, found=found, n=row.line)

    def _find_title(self, row: Row) -> AnyTitle | None:
        """The title by its name, which may stand under `game`; None for another one, the usual one for no name."""
        name, game = self.cell(row, "title"), self.cell(row, "game")
        if not name and "title" not in self.columns and not _is_id(game):
            name = game
        if name:
            return self.collector.find_title(name)
        return next(iter(self.titles.values()))

    def _make_game(self, rows: Sequence[Row], seat_cells: Sequence[_SeatCells], title: AnyTitle) -> ScoredGame:
        """The game in these rows; raises for a cell that is not certain."""
        first_row = rows[0]
        seats = tuple(self._make_seat(cells) for cells in seat_cells)
        played, place = self._read_day(first_row), values.tidy(self.cell(first_row, "place")) or None
        # a column called `place` may also hold ranks
        if place is not None and place.isdecimal():
            raise ExchangeError("place-rank", heading=self.columns["place"], found=place)
        beginners = [seat for seat, row in enumerate(rows, 1) if fold_name(self.cell(row, "first")) in _YES_WORDS]
        return ScoredGame(
            ids=(self._make_game_id(first_row, seat_cells, (title.key, played, place)),),
            title=title.key,
            seats=seats,
            # in a table of one row a game, nobody can be marked
            first=beginners[0] if len(beginners) == 1 and len(rows) > 1 else None,
            played=played,
            place=place,
            minutes=self._read_minutes(first_row),
            by=SOURCE,
            where=f"{self.file}:{first_row.line}",
        )

    def _read_day(self, row: Row) -> str | None:
        """The day in a row, None where it has none; the error for anything else names the column."""
        if not self.cell(row, "played"):
            return None
        with values.wrap_errors("in-column", heading=values.make_quotable(self.columns["played"])):
            return values.parse_day(self.cell(row, "played"))

    def _read_minutes(self, row: Row) -> int | None:
        """How long the game took, None where the cell does not say it in minutes: that is no reason to refuse it."""
        minutes = self.cell(row, "minutes")
        is_number = minutes.isascii() and minutes.isdecimal() and len(minutes) <= len(str(values.MAX_MINUTES))
        return values.minutes_or_none(int(minutes)) if is_number else None

    def _make_seat(self, cells: _SeatCells) -> ScoredSeat:
        """The player and the points of a seat; the error names column and player."""
        heading, player = values.make_quotable(cells.column), values.make_quotable(cells.player)
        with values.wrap_errors("for-player-in", heading=heading, player=player):
            points = values.parse_points(cells.score)
        name = values.resolve_alias(self.aliases, cells.player)
        return ScoredSeat(player=name, points=points, colour=cells.colour or None)

    def _make_game_id(self, row: Row, seats: Sequence[_SeatCells], shared: tuple[str | None, ...]) -> str:
        """A uuid as it is; other ids are the table's own: made of the rows, and of how often they stood before."""
        name = self.cell(row, "game")
        if _is_uuid(name):
            return str(UUID(name))
        scores = sorted((fold_name(cells.player), cells.score.strip()) for cells in seats)
        digest = hashlib.sha256(repr((*shared, scores)).encode()).hexdigest()
        self.digests[digest] += 1
        return values.make_game_id(SOURCE, f"{digest}:{self.digests[digest]}")


def _is_uuid(text: str) -> bool:
    """Whether a cell is a uuid, which is the same id in every program."""
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _is_id(text: str) -> bool:
    """Whether a cell under `game` is an id and not the name of a game."""
    return text.removeprefix("#").isdecimal() or _is_uuid(text)


def write_scores(games: Iterable[ScoredGame], titles: Titles, *, raw: bool = False) -> bytes:
    """One row a seat, under the columns that `read_scores` knows. `raw`: without the guard against formulas."""
    rows = (
        (
            *(game.game, titles[game.title].name, game.played, game.place, game.minutes),
            *(number, seat.player, seat.colour, seat.points, rank, "yes" if number == game.first else ""),
        )
        for game in games
        for number, seat, rank in ranked_seats(game)
    )
    return "".join(format_csv_rows([COLUMNS, *rows], raw=raw)).encode()
