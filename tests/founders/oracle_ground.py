"""The board on paper: what lies on which square, what touches what, and what is joined to what (F-2, F-6)."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, TypeAlias

from spyrium_log.titles.founders.cards import Printed
from spyrium_log.titles.founders.options import Options

Square: TypeAlias = tuple[int, int]
Thing: TypeAlias = dict[str, Any]

LAND = ("coast", "desert", "forest", "ruins")
# The file of squares that a board's numbers stand in.
_BOARD_WIDTH = 64


@cache
def read_square(text: str) -> Square | None:
    """`d4` is row 4, column 4; columns go on behind z with aa, ab."""
    letters = text.rstrip(string.digits)
    digits = text[len(letters) :]
    if not digits or digits[0] == "0" or not letters or set(letters) - set(string.ascii_lowercase):
        return None
    if len(letters) > 2 or (len(letters) == 2 and letters[0] != "a"):
        return None
    column = string.ascii_lowercase.index(letters[-1]) + 1 + 26 * (len(letters) - 1)
    return (int(digits), column)


@cache
def write_square(square: Square) -> str:
    row, column = square
    before = "a" if column > 26 else ""
    return f"{before}{string.ascii_lowercase[(column - 1) % 26]}{row}"


def _square_of(number: int) -> Square:
    return divmod(number, _BOARD_WIDTH)


class Ground:
    """Squares by row and column; pieces are dictionaries with their squares."""

    def __init__(self, seats: int, options: Options, printed: Printed) -> None:
        self.seats = list(range(1, seats + 1))
        self.options = options
        self.printed = printed
        board = printed.board
        self.kind: dict[Square, str] = {_square_of(cell): str(kind) for cell, kind in board.kinds.items()}
        self.number = {_square_of(cell): n for cell, n in board.numbers.items()}
        self.section = {_square_of(cell): n for cell, n in board.sections.items()}
        self.site_section = {_square_of(cell): n for cell, n in board.site_sections.items()}
        self.sites = [(name, frozenset(map(_square_of, cells))) for name, cells in board.sites]
        self.beside = {square: tuple(self._around(square)) for square in self.kind}
        self.tiles: list[Thing] = []
        self.houses: list[Thing] = []
        self.bridges: list[Thing] = []
        self.buildings: list[Thing] = []
        self.roads: set[Square] = set()

    @property
    def solo(self) -> bool:
        return len(self.seats) == 1

    def clockwise(self, seat: int) -> list[int]:
        """All seats, this one first."""
        return self.seats[seat - 1 :] + self.seats[: seat - 1]

    # --- pieces -----------------------------------------------------------------------------------

    def owned(self, seat: int) -> list[Thing]:
        """F-4.1: tiles, houses and bridges of this seat."""
        return [piece for piece in (*self.tiles, *self.houses, *self.bridges) if piece["owner"] == seat]

    def tile_on(self, square: Square | None) -> Thing | None:
        return next((tile for tile in self.tiles if square in tile["cells"]), None)

    def tile_named(self, name: str) -> Thing | None:
        return self.tile_on(read_square(name))

    def building(self, card: str) -> Thing | None:
        return next((building for building in self.buildings if building["card"] == card), None)

    def uses(self, seat: int, tile: Thing) -> bool:
        """F-4.2: whether the seat owns the tile or has access to it."""
        return seat in {tile["owner"], *tile["access"]}

    def covered(self) -> set[Square]:
        """F-6.5: where something lies."""
        pieces = (*self.tiles, *self.houses, *self.bridges, *self.buildings)
        return self.roads.union(*(piece["cells"] for piece in pieces))

    def is_free(self, square: Square) -> bool:
        return square not in self.covered()

    def is_free_land(self, square: Square | None) -> bool:
        return square is not None and self.kind.get(square) in LAND and self.is_free(square)

    def land(self) -> list[Square]:
        return [square for square, kind in self.kind.items() if kind in LAND]

    def name_of(self, tile: Thing) -> str:
        """The first square of a piece, row by row."""
        return write_square(min(tile["cells"]))

    # --- adjacent and connected (F-2.3) -----------------------------------------------------------

    def _around(self, square: Square) -> Iterator[Square]:
        """The eight neighbours on the board."""
        row, column = square
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                other = (row + down, column + right)
                if other != square and other in self.kind and not self._is_parted(square, other):
                    yield other

    def _is_parted(self, square: Square, other: Square) -> bool:
        """`river-corner`: two squares that meet at a corner, river or wall on both sides of it."""
        if self.options.river_corner == "adjacent" or square[0] == other[0] or square[1] == other[1]:
            return False
        beside = ((square[0], other[1]), (other[0], square[1]))
        return all(self.kind.get(each) in {"river", "wall"} for each in beside)

    def are_adjacent(self, ones: Iterable[Square], others: Iterable[Square]) -> bool:
        beyond = set(others)
        return any(beyond.intersection(self.beside[square]) for square in ones)

    def reach(self, seat: int, cells: Iterable[Square]) -> set[Square]:
        """The squares next to these ones, or next to a chain of roads and of the seat's own bridges from them."""
        carries = self.roads | {bridge["cells"][0] for bridge in self.bridges if bridge["owner"] == seat}
        reached: set[Square] = set()
        front = list(cells)
        while front:
            for square in self.beside[front.pop(0)]:
                if square not in reached:
                    reached.add(square)
                    front += [square] * (square in carries)
        return reached

    def reach_over(self, seat: int, cells: Iterable[Square], roads: int) -> set[Square]:
        """What could be reached with so many more roads, wherever they lie."""
        reached = self.reach(seat, cells)
        free = set(self.land()) - self.covered()
        for _ in range(roads):
            reached |= self.reach(seat, reached & free)
        return reached

    def are_connected(self, seat: int, ones: Iterable[Square], others: Iterable[Square]) -> bool:
        """Whether two things are connected for this seat; for nobody (0) only roads carry."""
        return not self.reach(seat, ones).isdisjoint(others)

    def is_connected_to_own(self, seat: int, cells: Iterable[Square]) -> bool:
        """F-6.1."""
        reached = self.reach(seat, cells)
        return any(not reached.isdisjoint(piece["cells"]) for piece in self.owned(seat))

    # --- rules of building (F-6) ------------------------------------------------------------------

    def sections_of(self, cells: Iterable[Square]) -> set[int]:
        return {self.section[square] for square in cells if square in self.section}

    def why_not_tile_here(self, resource: str, owner: int, cells: list[Square]) -> list[str]:
        """F-2.2, F-6.2 and F-6.5 of a tile, judged for who will own it; nobody's where `owner` is 0."""
        reasons = []
        if not set(cells) <= set(self.land()) - self.covered():
            reasons.append("F-6.5 tiles stand on free land cells")
        same = [tile for tile in self.tiles if tile["what"] == resource]
        if any(self.sections_of(tile["cells"]) & self.sections_of(cells) for tile in same):
            reasons.append("F-2.2 a section holds one tile of a resource")
        if owner:
            apart = [piece for piece in (*self.tiles, *self.houses) if piece["owner"] == owner]
        else:
            apart = [tile for tile in self.tiles if not tile["owner"]]
        if any(self.are_adjacent(cells, piece["cells"]) for piece in apart):
            reasons.append("F-6.2 no two structures of one owner are adjacent")
        return reasons

    def why_not_road(self, seat: int, at: str) -> list[str]:
        """F-5.2."""
        square = read_square(at)
        if square is None or not self.is_free_land(square):
            return ["F-5.2 a road lies on a free land cell"]
        if not self.is_connected_to_own(seat, [square]):
            return ["F-6.1 a road is connected to a structure of one's own"]
        return []

    def why_not_house(self, seat: int, at: str) -> list[str]:
        square = read_square(at)
        if square is None or not self.is_free_land(square):
            return ["F-6.5 a house stands on a free cell"]
        reasons = [] if self.kind[square] == "forest" else ["F-6.3 houses only on forest"]
        own = [house for house in self.houses if house["owner"] == seat]
        if len(own) >= 3:
            reasons.append("F-6.6 three houses")
        if any(self.sections_of(house["cells"]) & self.sections_of([square]) for house in own):
            reasons.append("F-2.2 one house of each player in a section")
        apart = [piece for piece in (*self.tiles, *self.houses) if piece["owner"] == seat]
        if any(self.are_adjacent([square], piece["cells"]) for piece in apart):
            reasons.append("F-6.2 no two structures of one owner are adjacent")
        if not self.is_connected_to_own(seat, [square]):
            reasons.append("F-6.1 a house is connected to a structure of one's own")
        return reasons

    def why_not_bridge(self, seat: int, at: str) -> list[str]:
        square = read_square(at)
        if square is None or self.kind.get(square) not in {"river", "wall"} or not self.is_free(square):
            return ["F-2.1 bridges on river cells, gates on wall cells"]
        reasons = []
        if sum(bridge["owner"] == seat for bridge in self.bridges) >= 3:
            reasons.append("F-6.6 three bridges and gates")
        if not self.is_connected_to_own(seat, [square]):
            reasons.append("F-6.1 a bridge is connected to a structure of one's own")
        return reasons


# --- shapes ---------------------------------------------------------------------------------------


def drawn(text: str) -> list[Square]:
    return [(row, column) for row, line in enumerate(text.split("/")) for column, x in enumerate(line) if x == "x"]


@cache
def turned(text: str, *, mirrored: bool) -> list[frozenset[Square]]:
    """The shape in every way it can lie, moved to the corner of the board; each way once. Not to be changed."""
    ways: list[frozenset[Square]] = []
    starts = [drawn(text)]
    if mirrored:
        starts.append([(row, -column) for row, column in starts[0]])
    for squares in starts:
        lying = squares
        for _ in range(4):
            lying = [(column, -row) for row, column in lying]
            way = at_corner(lying)
            if way not in ways:
                ways.append(way)
    return ways


def at_corner(squares: Iterable[Square]) -> frozenset[Square]:
    """These squares, moved so far up and left as they go."""
    squares = list(squares)
    top, left = min(row for row, _ in squares), min(column for _, column in squares)
    return frozenset((row - top, column - left) for row, column in squares)
