"""Tables of final scores as CSV: one row a seat, or one row a game with a column a player.

    game,title,played,place,minutes,seat,player,colour,score,rank       one row a seat: what we write
    date,location,Anna,Bob,Cleo                                         one row a game: an empty cell did not play

Commas, semicolons or tabs. A game with a cell that is not certain is left out; the reason names line and column.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange.csv_table import Row, Table, matches, read_table
from spyrium_log.exchange.scored import Collector, Imported, ScoredGame, ScoredSeat, ranked_seats
from spyrium_log.exchange.values import (
    MAX_MINUTES,
    game_id,
    parse_day,
    parse_points,
    player_name,
    shown,
    tidy,
    valid_minutes,
)
from spyrium_log.spreadsheet import csv_rows
from spyrium_log.store import folded
from spyrium_log.title import AnyTitle

__all__ = ["COLUMNS", "matches", "read", "write"]

SOURCE = "csv"
COLUMNS = ("game", "title", "played", "place", "minutes", "seat", "player", "colour", "score", "rank", "first")
# Cells that all rows of one game share.
_SHARED = ("title", "played", "place")
_YES_WORDS = {"1", "yes", "true", "x", "y"}


class _SeatCells(NamedTuple):
    """The cells of one seat; `column` holds the score."""

    player: str
    score: str
    colour: str
    column: str


class _Draft(NamedTuple):
    """The rows and seats of what may be a game."""

    rows: Sequence[Row]
    seats: Sequence[_SeatCells]


def read(raw: bytes, file: str, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]) -> Imported:
    """The games of a table of scores. A table without a column for the title is of the only title there is."""
    return _Reader(read_table(raw, file), titles, aliases).read()


class _Reader:
    """Reads one table; `aliases` give the person of a name."""

    def __init__(self, table: Table, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]) -> None:
        self.table = table
        self.titles = titles
        self.aliases = aliases
        self.collector = Collector(table.file, titles)
        self.digests: Counter[str] = Counter()

    def read(self) -> Imported:
        """The games of the table; one that is not certain is left out with its first row."""
        has_row_a_seat = {"player", "score"} <= self.table.columns.keys()
        for draft in self._drafts_by_seat() if has_row_a_seat else self._drafts_by_game():
            try:
                title = self._title_of_row(draft.rows[0])
                if title is not None:
                    self.collector.add(self._game_of_draft(draft, title))
            except ExchangeError as error:
                self._leave_out(draft.rows[0], error)
        return self.collector.imported()

    def _leave_out(self, row: Row, why: object) -> None:
        """Report that the game that begins in this row is not imported."""
        self.collector.leave_out(self.table.where(row), why)

    # --- rows to drafts ------------------------------------------------------------------------

    def _drafts_by_game(self) -> Iterator[_Draft]:
        """A row a game: every column without a meaning is a player."""
        for row in self.table.rows:
            seats = [_SeatCells(name, row.cells[name], "", name) for name in self.table.players if row.cell(name)]
            if row.fault or not seats:
                self._leave_out(row, row.fault or "expected scores in the columns of players, found none")
            else:
                yield _Draft([row], seats)

    def _drafts_by_seat(self) -> Iterator[_Draft]:
        """A row a seat: rows of one game have one id, or else one day and place and no player twice."""
        cell = self.table.cell
        groups: dict[tuple[str, ...], list[Row]] = {}
        for row in self.table.rows:
            name = cell(row, "game")
            key = (name,) if _is_id(name) else (name, *(cell(row, meaning) for meaning in _SHARED))
            groups.setdefault(key, []).append(row)
        for rows in groups.values():
            try:
                yield self._checked_draft(rows)
            except ExchangeError as error:
                self._leave_out(rows[0], error)

    def _checked_draft(self, rows: list[Row]) -> _Draft:
        """The rows of one game in the order of seats; raises if they contradict each other."""
        cell, columns = self.table.cell, self.table.columns
        for row in rows:
            self._check_shared(rows[0], row)
        names = [cell(row, "player") for row in rows]
        counts = Counter(map(folded, names))
        if len(counts) < len(rows):
            name = next(name for name in names if counts[folded(name)] > 1)
            raise ExchangeError(
                f"expected a column 'game' that tells two games apart, found '{shown(name)}' twice in one"
            )
        orders = [cell(row, "seat") for row in rows]
        if all(order.isascii() and order.isdecimal() for order in orders) and len(set(orders)) == len(rows):
            rows = sorted(rows, key=lambda row: (len(cell(row, "seat")), cell(row, "seat")))
        return _Draft(
            rows,
            [
                _SeatCells(cell(row, "player"), cell(row, "score"), cell(row, "colour"), columns["score"])
                for row in rows
            ],
        )

    def _check_shared(self, first: Row, row: Row) -> None:
        """Raise if a row contradicts the first row of its game."""
        if row.fault:
            raise ExchangeError(f"{row.fault} in line {row.line}")
        for meaning in _SHARED:
            expected, found = self.table.cell(first, meaning), self.table.cell(row, meaning)
            if expected != found:
                column = self.table.columns[meaning]
                raise ExchangeError(
                    f"expected '{shown(expected)}' for the whole game in column '{column}', "
                    f"found '{shown(found)}' in line {row.line}"
                )

    # --- drafts to games -----------------------------------------------------------------------

    def _title_of_row(self, row: Row) -> AnyTitle | None:
        """The title of a game, None for another one; its name may stand under `game`, too."""
        name, game = self.table.cell(row, "title"), self.table.cell(row, "game")
        if not name and "title" not in self.table.columns and not _is_id(game):
            name = game
        if name:
            return self.collector.find_title(name)
        if len(self.titles) == 1:
            return next(iter(self.titles.values()))
        known = " or ".join(title.name for title in self.titles.values())
        raise ExchangeError(f"expected {known} in a column 'title', found none")

    def _game_of_draft(self, draft: _Draft, title: AnyTitle) -> ScoredGame:
        """The game of a draft; raises for a cell that is not certain."""
        cell, row = self.table.cell, draft.rows[0]
        seats = tuple(self._seat_of_cells(cells) for cells in draft.seats)
        played = self._day_of_row(row) if cell(row, "played") else None
        place = tidy(cell(row, "place")) or None
        if place is not None and place.isdecimal():
            column = self.table.columns["place"]
            raise ExchangeError(f"expected where it was played in column '{column}', found '{place}': a rank?")
        first = [seat for seat, each in enumerate(draft.rows, 1) if folded(cell(each, "first")) in _YES_WORDS]
        return ScoredGame(
            ids=(self._game_id_of(draft, played, place, title),),
            title=title.key,
            seats=seats,
            first=first[0] if len(first) == 1 and len(draft.rows) > 1 else None,
            played=played,
            place=place,
            minutes=_minutes_of(cell(row, "minutes")),
            by=SOURCE,
            where=self.table.where(row),
        )

    def _day_of_row(self, row: Row) -> str:
        """The day in a row; the error names the column."""
        try:
            return parse_day(self.table.cell(row, "played"))
        except ExchangeError as error:
            raise ExchangeError(f"{error} in column '{shown(self.table.columns['played'])}'") from None

    def _seat_of_cells(self, cells: _SeatCells) -> ScoredSeat:
        """The player and the points of a seat; the error names column and player."""
        try:
            points = parse_points(cells.score)
        except ExchangeError as error:
            raise ExchangeError(f"{error} in column '{shown(cells.column)}' for '{shown(cells.player)}'") from None
        return ScoredSeat(player=player_name(self.aliases, cells.player), points=points, colour=cells.colour or None)

    def _game_id_of(self, draft: _Draft, played: str | None, place: str | None, title: AnyTitle) -> str:
        """The id of a game: a uuid as it is; any other id is this table's own, so it is made from what the rows say.

        The second game with the same rows is the second one in every table that has both.
        """
        name = self.table.cell(draft.rows[0], "game")
        if _is_uuid(name):
            return str(UUID(name))
        scores = sorted((folded(cells.player), cells.score.strip()) for cells in draft.seats)
        digest = hashlib.sha256(repr((title.key, played, place, scores)).encode()).hexdigest()
        self.digests[digest] += 1
        return game_id(SOURCE, f"{digest}:{self.digests[digest]}")


def _is_uuid(text: str) -> bool:
    """Whether the text is a uuid in any spelling."""
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _is_id(text: str) -> bool:
    """Whether a cell under `game` is an id and not the name of a game."""
    return text.removeprefix("#").isdecimal() or _is_uuid(text)


def _minutes_of(text: str) -> int | None:
    """A duration in minutes; None where the cell holds no such number, which is no reason to refuse the game."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_MINUTES))
    return valid_minutes(int(text)) if is_number else None


def write(games: Iterable[ScoredGame], titles: Mapping[str, AnyTitle], *, raw: bool = False) -> bytes:
    """One row a seat, under the columns that `read` knows. `raw`: without the guard against formulas."""
    return "".join(csv_rows([COLUMNS, *_written_rows(games, titles)], raw=raw)).encode()


def _written_rows(
    games: Iterable[ScoredGame], titles: Mapping[str, AnyTitle]
) -> Iterator[tuple[int | str | None, ...]]:
    """The rows of `write`, without the heading."""
    for game in games:
        shared = (game.game, titles[game.title].name, game.played, game.place, game.minutes)
        for number, seat, rank in ranked_seats(game):
            first = "yes" if number == game.first else ""
            yield (*shared, number, seat.player, seat.colour, seat.points, rank, first)
