"""Tables of final scores as CSV: one row a seat, or one row a game with a column a player.

    game,title,played,place,minutes,seat,player,colour,score,rank       one row a seat: what we write
    date,location,Anna,Bob,Cleo                                         one row a game: an empty cell did not play

Commas, semicolons or tabs. A cell that is not certain is refused with its line and column, and takes its game with it.
"""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple, TypeAlias
from uuid import UUID

from spyrium_log.errors import ExchangeError
from spyrium_log.exchange.scored import (
    MOST_MINUTES,
    Imported,
    LeftOut,
    ScoredGame,
    ScoredSeat,
    called,
    checked,
    day_of,
    game_id,
    minutes_of,
    other_than,
    points_of,
    ranks_of,
    shown,
    tidy,
    title_of,
)
from spyrium_log.spreadsheet import csv_rows, unguarded
from spyrium_log.store import folded
from spyrium_log.title import AnyTitle

SOURCE = "csv"
DELIMITERS = (",", ";", "\t")
# Of 20,000 games with five players a row each; a cell takes ten times its bytes.
MAX_LINES = 100_000
MAX_CELLS = 500_000
MAX_COLUMNS = 200
COLUMNS = ("game", "title", "played", "place", "minutes", "seat", "player", "colour", "score", "rank", "first")

# What people call the columns that mean something here.
_MEANS = {
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
    # said for people; it says nothing that the scores do not say
    "": ("rank", "winner", "won", "win", "notes", "note", "comment", "comments", "round", "rounds", "nr", "no", "#"),
}
_MEANING = {word: meaning for meaning, words in _MEANS.items() for word in words}
# What the rows of one game say alike.
_OF_A_GAME = ("title", "played", "place")
_YES = {"1", "yes", "true", "x", "y"}


class _Row(NamedTuple):
    line: int
    cells: Mapping[str, str]
    fault: str = ""

    def of(self, column: str) -> str:
        return self.cells.get(column, "").strip()


class _Sheet(NamedTuple):
    """The header row, column by column: what it says and what it means; a player's column means nothing yet."""

    file: str
    names: tuple[str, ...]
    rows: list[_Row]

    @property
    def meanings(self) -> dict[str, str]:
        """Each known column under what it means."""
        return {_MEANING[folded(name)]: name for name in self.names if _MEANING.get(folded(name))}

    def where(self, row: _Row) -> str:
        return f"{self.file}:{row.line}"


# How the rows of a sheet become drafts.
Drafts: TypeAlias = Callable[["_Reader"], Iterator["_Draft"]]


# --- in ------------------------------------------------------------------------------------------


def is_it(head: bytes) -> bool:
    """Whether a file that begins so may be one: text with a delimiter in its first line."""
    try:
        text = _text(head, "", whole=False)
    except ExchangeError:
        return False
    first = text.lstrip("\n").partition("\n")[0]
    return any(mark in first for mark in DELIMITERS) and first.replace("\t", " ").isprintable()


def read(raw: bytes, file: str, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]) -> Imported:
    """The games of a table of scores. Where no column names the title, it is the only one there is to choose from."""
    sheet = _sheet(_text(raw, file), file)
    meanings = sheet.meanings
    is_long = "player" in meanings and "score" in meanings
    return _Reader(sheet, titles, aliases).read(_long if is_long else _wide)


def _text(raw: bytes, file: str, *, whole: bool = True) -> str:
    encoding = "utf-16" if raw[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        if not whole and error.start > len(raw) - 4:
            text = raw[: error.start].decode(encoding)
        else:
            line = raw.count(b"\n", 0, error.start) + 1
            raise ExchangeError(f"expected UTF-8, found the byte 0x{raw[error.start]:02x}, at {file}:{line}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _sheet(text: str, file: str) -> _Sheet:
    if text.count("\n") > MAX_LINES:
        raise ExchangeError(f"expected at most {MAX_LINES} lines, found more, at {file}")
    if max(map(text.count, DELIMITERS)) > MAX_CELLS:
        raise ExchangeError(f"expected at most {MAX_CELLS} cells, found more, at {file}")
    # not splitlines: that knows other ends of lines than a table has
    lines = text.split("\n")
    rows = _rows(lines, _delimiter(lines, file), file)
    line, names = next(rows, (1, []))
    names = [tidy(unguarded(name)) for name in names]
    while names and not names[-1]:
        names.pop()
    if len(names) > MAX_COLUMNS:
        raise ExchangeError(f"expected at most {MAX_COLUMNS} columns, found {len(names)}, at {file}:{line}")
    meant = [_MEANING.get(folded(name), folded(name)) or folded(name) for name in names]
    for at, meaning in enumerate(meant):
        if not meaning or meaning in meant[:at]:
            found = f"'{shown(names[at])}' twice" if meaning else "one without a name"
            raise ExchangeError(f"expected a name for each column alone, found {found}, at {file}:{line}")
    return _Sheet(file, tuple(names), [_row(at, cells, names) for at, cells in rows])


def _row(line: int, cells: Sequence[str], names: Sequence[str]) -> _Row:
    extra = any(cell.strip() for cell in cells[len(names) :])
    fault = f"expected {len(names)} cells, found {len(cells)}" if extra else ""
    return _Row(line, dict(zip(names, map(unguarded, cells), strict=False)), fault)


def _delimiter(lines: Sequence[str], file: str) -> str:
    """The one that makes the most columns of the first row. By another one that row need not even be CSV."""
    widths = {mark: _width(lines, mark, file) for mark in DELIMITERS}
    mark = max(widths, key=widths.__getitem__)
    if widths[mark] <= 1:
        raise ExchangeError(f"expected columns between commas, semicolons or tabs, found none, at {file}:1")
    return mark


def _width(lines: Sequence[str], mark: str, file: str) -> int:
    try:
        return len(next(_rows(lines, mark, file), (1, []))[1])
    except ExchangeError:
        return 0


def _rows(lines: Sequence[str], delimiter: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line it begins on: a quoted cell may go over several."""
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    begins = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        raise ExchangeError(f"expected CSV, found: {shown(error)}, at {file}:{begins}") from None


class _Draft(NamedTuple):
    """What rows say of one game, before anybody checks whether it is one."""

    rows: Sequence[_Row]
    seats: Sequence[tuple[str, str, str, str]]  # player, score, colour, and the column that the score stands in


class _Reader:
    def __init__(self, sheet: _Sheet, titles: Mapping[str, AnyTitle], aliases: Mapping[str, str]) -> None:
        self.sheet = sheet
        self.titles = titles
        self.aliases = aliases
        self.columns = sheet.meanings
        self.others: Counter[str] = Counter()
        self.left_out: list[LeftOut] = []
        self.seen: Counter[str] = Counter()

    def cell(self, row: _Row, meaning: str) -> str:
        return row.of(self.columns[meaning]) if meaning in self.columns else ""

    def read(self, drafts: Drafts) -> Imported:
        games = []
        for draft in drafts(self):
            try:
                title = self._title(draft.rows[0])
                if title is not None:
                    games.append(checked(self._game(draft, title), self.titles))
            except ExchangeError as error:
                self.leave(draft.rows[0], str(error))
        file = self.sheet.file
        others = [LeftOut(where=file, why=why, games=n, is_other=True) for why, n in self.others.items()]
        return Imported(games=tuple(games), left_out=(*self.left_out, *others))

    def leave(self, row: _Row, why: str) -> None:
        self.left_out.append(LeftOut(where=self.sheet.where(row), why=why))

    def _title(self, row: _Row) -> AnyTitle | None:
        """A table without a title is of the one title that may be meant. A game's name may stand under `game`, too."""
        said = self.cell(row, "title")
        if not said and "title" not in self.columns and self._is_name(self.cell(row, "game")):
            said = self.cell(row, "game")
        if said:
            title = title_of(self.titles, said)
            if title is None:
                self.others[other_than(self.titles, said)] += 1
            return title
        if len(self.titles) == 1:
            return next(iter(self.titles.values()))
        known = " or ".join(title.name for title in self.titles.values())
        raise ExchangeError(f"expected {known} in a column 'title', found none")

    def _is_name(self, said: str) -> bool:
        """Whether it is no id of a game: those are numbers."""
        return bool(said) and not _is_id(said)

    def _game(self, draft: _Draft, title: AnyTitle) -> ScoredGame:
        row = draft.rows[0]
        seats = tuple(self._seat(*seat) for seat in draft.seats)
        played = self._day(row) if self.cell(row, "played") else None
        place = tidy(self.cell(row, "place")) or None
        if place is not None and place.isdecimal():
            column = self.columns["place"]
            raise ExchangeError(f"expected where it was played in column '{column}', found '{place}': a rank?")
        began = [at for at, one in enumerate(draft.rows, 1) if folded(self.cell(one, "first")) in _YES]
        return ScoredGame(
            ids=(self._id(draft, played, place, title),),
            title=title.key,
            seats=seats,
            first=began[0] if len(began) == 1 and len(draft.rows) > 1 else None,
            played=played,
            place=place,
            minutes=_minutes(self.cell(row, "minutes")),
            by=SOURCE,
            where=self.sheet.where(row),
        )

    def _day(self, row: _Row) -> str:
        try:
            return day_of(self.cell(row, "played"))
        except ExchangeError as error:
            raise ExchangeError(f"{error} in column '{shown(self.columns['played'])}'") from None

    def _seat(self, player: str, score: str, colour: str, column: str) -> ScoredSeat:
        try:
            points = points_of(score)
        except ExchangeError as error:
            raise ExchangeError(f"{error} in column '{shown(column)}' for '{shown(player)}'") from None
        return ScoredSeat(player=called(self.aliases, player), points=points, colour=colour or None)

    def _id(self, draft: _Draft, played: str | None, place: str | None, title: AnyTitle) -> str:
        """A uuid is one everywhere; any other number is this table's own, and so the game is known by what it says.

        The second game that says the same is the second one in every table that has both.
        """
        said = self.cell(draft.rows[0], "game")
        if _is_uuid(said):
            return str(UUID(said))
        scores = sorted((folded(player), score.strip()) for player, score, _, _ in draft.seats)
        told = repr((title.key, played, place, scores))
        digest = hashlib.sha256(told.encode()).hexdigest()
        self.seen[digest] += 1
        return game_id(SOURCE, f"{digest}:{self.seen[digest]}")


def _is_uuid(said: str) -> bool:
    try:
        UUID(said)
    except ValueError:
        return False
    return True


def _is_id(said: str) -> bool:
    return said.removeprefix("#").isdecimal() or _is_uuid(said)


def _minutes(said: str) -> int | None:
    return (
        minutes_of(int(said)) if said.isascii() and said.isdecimal() and len(said) <= len(str(MOST_MINUTES)) else None
    )


def _wide(reader: _Reader) -> Iterator[_Draft]:
    """A row a game: every column that means nothing else is a player."""
    players = [name for name in reader.sheet.names if folded(name) not in _MEANING]
    for row in reader.sheet.rows:
        seats = [(name, row.cells[name], "", name) for name in players if row.of(name)]
        if row.fault:
            reader.leave(row, row.fault)
        elif seats:
            yield _Draft([row], seats)
        else:
            reader.leave(row, "expected scores in the columns of players, found none")


def _long(reader: _Reader) -> Iterator[_Draft]:
    """A row a seat: rows of one game have one id, or else one day and place and no player twice."""
    groups: dict[tuple[str, ...], list[_Row]] = {}
    for row in reader.sheet.rows:
        id_ = reader.cell(row, "game")
        key = (id_,) if _is_id(id_) else tuple(reader.cell(row, each) for each in ("game", *_OF_A_GAME))
        groups.setdefault(key, []).append(row)
    for rows in groups.values():
        try:
            yield _of_rows(reader, rows)
        except ExchangeError as error:
            reader.leave(rows[0], str(error))


def _of_rows(reader: _Reader, rows: list[_Row]) -> _Draft:
    for row in rows:
        if row.fault:
            raise ExchangeError(f"{row.fault} in line {row.line}")
        for each in _OF_A_GAME:
            said, again = reader.cell(rows[0], each), reader.cell(row, each)
            if said != again:
                found = f"found '{shown(again)}' in line {row.line}"
                raise ExchangeError(
                    f"expected '{shown(said)}' for the whole game in column '{reader.columns[each]}', {found}"
                )
    often = Counter(folded(reader.cell(row, "player")) for row in rows)
    if len(often) < len(rows):
        name = next(shown(reader.cell(row, "player")) for row in rows if often[folded(reader.cell(row, "player"))] > 1)
        raise ExchangeError(f"expected a column 'game' that tells two games apart, found '{name}' twice in one")
    ordered = [reader.cell(row, "seat") for row in rows]
    if all(seat.isascii() and seat.isdecimal() for seat in ordered) and len(set(ordered)) == len(rows):
        rows = sorted(rows, key=lambda row: (len(reader.cell(row, "seat")), reader.cell(row, "seat")))
    column = reader.columns["score"]
    seats = [
        (reader.cell(row, "player"), reader.cell(row, "score"), reader.cell(row, "colour"), column) for row in rows
    ]
    return _Draft(rows, seats)


# --- out -----------------------------------------------------------------------------------------


def write(games: Iterable[ScoredGame], titles: Mapping[str, AnyTitle], *, raw: bool = False) -> bytes:
    """One row a seat, under the columns that `read` knows. `raw`: without the guard against formulas."""
    return "".join(csv_rows([COLUMNS, *_rows_of(games, titles)], raw=raw)).encode()


def _rows_of(games: Iterable[ScoredGame], titles: Mapping[str, AnyTitle]) -> Iterator[tuple[int | str | None, ...]]:
    for game in games:
        about = (game.game, titles[game.title].name, game.played, game.place, game.minutes)
        for at, seat, rank in zip(count(1), game.seats, ranks_of(game), strict=False):
            first = "yes" if at == game.first else ""
            yield (*about, at, seat.player, seat.colour, seat.points, rank, first)
