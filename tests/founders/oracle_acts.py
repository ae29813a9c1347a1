"""Acts to compare the judges with, and a player who gets somewhere: builds, delivers, votes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from spyrium_log.title import Effects
from spyrium_log.titles.founders.cards import ACTION_CARDS, BASES, RACES, RESOURCES
from spyrium_log.titles.founders.moves import (
    UNSEEN,
    Bid,
    BreakTie,
    BuildBase,
    BuildBridge,
    BuildHouse,
    BuildTile,
    BuyAccess,
    CallVote,
    ChooseProposal,
    Decline,
    Deliver,
    Gain,
    LayRoad,
    PayClaims,
    PlacePrestige,
    PlaceStart,
    PlayCard,
    Recruit,
    TakeBack,
    TakeBase,
    TakeRace,
    UseWorker,
)
from tests.founders.oracle import Table
from tests.founders.oracle_ground import Square, read_square, write_square

ALTERED = 14
MADE_UP = 22


class Candidates(NamedTuple):
    """All of them, and those that a list of legal acts would write in the very same way."""

    values_of_any_form: list[Any]
    as_offered: list[Any]


def find_candidates(rng: random.Random, legal: Sequence[Any], table: Table) -> Candidates:
    """Acts that are altered in one field, and acts made up from the words of the game."""
    maker = Maker(rng, table)
    altered = [maker.alter(rng.choice(legal)) for _ in range(ALTERED)]
    made_up = [act for _ in range(MADE_UP) if (act := maker.make_up(maker.some_seat())) is not None]
    offered = [act for act in (*altered, *made_up) if _is_as_offered(act)]
    return Candidates([*altered, *made_up], offered)


def _is_as_offered(act: Any) -> bool:
    """Whether a list would name the act so: no unseen card, no field that may be left out."""
    if getattr(act, "card", None) == UNSEEN or isinstance(act, (TakeBack, TakeRace, Deliver)):
        return False
    return not isinstance(act, (BuildTile, BuyAccess, PlacePrestige, Recruit))


class Maker:
    """Makes acts of the words of one table."""

    def __init__(self, rng: random.Random, table: Table) -> None:
        self.rng = rng
        self.table = table
        self.squares = list(table.kind)

    def some_seat(self) -> int:
        _, seats = self.table.awaited()
        if not seats or self.rng.random() < 0.06:
            return self.rng.choice(self.table.seats)
        return self.rng.choice(seats)

    def near(self, name: str) -> str:
        """A square nearby, or any one."""
        square = read_square(name)
        if square is None or self.rng.random() < 0.3:
            return write_square(self.rng.choice(self.squares))
        moved = (square[0] + self.rng.randint(-2, 2), square[1] + self.rng.randint(-2, 2))
        return write_square(moved) if moved in self.table.kind else write_square(self.rng.choice(self.squares))

    def some_square(self) -> str:
        """A square beside what lies there, as often as not."""
        pieces = [*self.table.tiles, *self.table.houses, *self.table.bridges, *self.table.buildings]
        busy: list[Square] = [square for piece in pieces for square in piece["cells"]] + list(self.table.roads)
        if not busy or self.rng.random() < 0.4:
            return write_square(self.rng.choice(self.squares))
        return self.near(write_square(self.rng.choice(busy)))

    def some_card(self, seat: int) -> str:
        hand = self.table.cards[seat]["hand"]
        pool = hand if hand and self.rng.random() < 0.8 else [*ACTION_CARDS, *self.table.printed.advisers, UNSEEN]
        return self.rng.choice(pool)

    def some_tile(self) -> str:
        tiles = self.table.tiles
        return self.table.name_of(self.rng.choice(tiles)) if tiles else self.some_square()

    # --- altering ---------------------------------------------------------------------------------

    def alter(self, act: Any) -> Any:
        """The act with another value in one field or two."""
        names = [name for name in act.__struct_fields__ if name not in {"salt", "seal"}]
        changed = {name: self.other_value(act, name) for name in self.rng.sample(names, 1)}
        return msgspec.structs.replace(act, **changed)

    def other_value(self, act: Any, name: str) -> Any:
        rng, value = self.rng, getattr(act, name)
        if name == "seat":
            return rng.choice(self.table.seats)
        if name == "card":
            return rng.choice([None, self.some_card(act.seat), self.some_card(act.seat)])
        if name == "down":
            return not value
        if name == "at":
            return self.near(value)
        if name in {"cells", "inputs"}:
            return self.other_cells(value)
        if name in {"base", "resource"}:
            return rng.choice(RESOURCES if name == "resource" else BASES)
        if name in {"money", "fleeting", "lasting", "roads"}:
            return max(0, value + rng.choice((-1, 1, 1, 2)))
        if name == "proposal":
            return rng.randint(1, 3)
        if name == "slot":
            return rng.randint(1, 4)
        if name == "what":
            return rng.choice(("money", "fleeting"))
        if name == "cards":
            return tuple(rng.sample([*ACTION_CARDS, *self.table.printed.advisers], rng.randint(0, 3)))
        pools: dict[str, Sequence[Any]] = {
            "race": RACES,
            "on": ["race", *self.table.printed.prestige],
            "building": list(self.table.printed.prestige),
            "who": [None, *self.table.seats],
            "named": [None, *self.table.row],
        }
        return rng.choice(pools[name]) or None

    def other_cells(self, cells: tuple[str, ...]) -> tuple[str, ...]:
        """All moved one way, one moved, or one left out."""
        rng = self.rng
        squares = [square for square in map(read_square, cells) if square]
        if not squares:
            return (self.some_square(),)
        kind = rng.random()
        if kind < 0.6:
            down, right = rng.randint(-1, 1), rng.randint(-1, 1)
            moved = [(row + down, column + right) for row, column in squares]
            if all(square in self.table.kind for square in moved):
                return tuple(map(write_square, moved))
        if kind < 0.8:
            other = self.near(cells[0])
            changed = {*squares[1:], read_square(other) or squares[0]}
            return tuple(write_square(square) for square in sorted(changed))
        return tuple(write_square(square) for square in sorted(squares[1:]))

    # --- making up --------------------------------------------------------------------------------

    def make_up(self, seat: int) -> Any:
        """An act of any type for this seat."""
        rng = self.rng
        card, down = None, False
        if self.table.todo and self.table.todo[0]["do"] == "turn" and rng.random() < 0.95:
            card, down = self.some_card(seat), rng.random() < 0.4
        at = self.some_square()
        if card is not None and not down and rng.random() < 0.6:
            return self.make_main(seat, card)
        simple: list[Callable[[], Any]] = [
            lambda: Gain(seat=seat, what=rng.choice(("money", "fleeting")), card=card, down=down),
            lambda: LayRoad(seat=seat, at=at, card=card, down=down),
            lambda: LayRoad(seat=seat, at=at, card=card, down=down),
            lambda: BuildBase(seat=seat, base=rng.choice(BASES), at=at, card=card, down=down),
            lambda: BuildBase(seat=seat, base=rng.choice(BASES), at=at, card=card, down=down),
            lambda: BuyAccess(seat=seat, at=self.some_tile(), card=card, down=down),
            lambda: BuildHouse(seat=seat, at=at, card=card, down=down),
            lambda: BuildBridge(seat=seat, at=at, card=card, down=down),
            lambda: self.make_tile(seat, card, down=down),
            lambda: Recruit(seat=seat, slot=rng.randint(1, 4), card=card, down=down),
            lambda: PlayCard(seat=seat, card=card, down=down),
            lambda: UseWorker(seat=seat, on=self.some_worker_place(), card=card, down=down),
            lambda: TakeBack(seat=seat, cards=tuple(rng.sample(ACTION_CARDS, rng.randint(0, 2)))),
            lambda: Decline(seat=seat),
            lambda: self.make_vote(seat),
            lambda: self.make_draft(seat),
            lambda: self.make_placing(seat),
        ]
        return rng.choice(simple)()

    def some_worker_place(self) -> str:
        places = ["race", *(building["card"] for building in self.table.buildings)]
        place: str = self.rng.choice(places)
        return place

    def make_main(self, seat: int, card: str) -> Any:
        """A card face-up with an act of its category."""
        rng, at = self.rng, self.some_square()
        ways: dict[str | None, list[Callable[[], Any]]] = {
            "trade": [
                lambda: BuildBase(seat=seat, base=rng.choice(BASES), at=at, card=card),
                lambda: BuyAccess(seat=seat, at=self.some_tile(), card=card),
            ],
            "construct": [
                lambda: BuildHouse(seat=seat, at=at, card=card),
                lambda: BuildBridge(seat=seat, at=at, card=card),
            ],
            "upgrade": [lambda: self.make_tile(seat, card, down=False), lambda: LayRoad(seat=seat, at=at, card=card)],
            "recruit": [lambda: Recruit(seat=seat, slot=rng.randint(1, 4), card=card)],
        }
        some = ways.get(self.table.category(card), [])
        some = [*some, lambda: PlayCard(seat=seat, card=card)]
        return rng.choice(some)()

    def make_tile(self, seat: int, card: str | None, *, down: bool) -> BuildTile | None:
        """A tile that lies somewhere near, with suppliers that may or may not do."""
        rng = self.rng
        recipe = rng.choice(list(self.table.printed.recipes.values()))
        assert recipe.shape
        assert recipe.inputs
        corner = read_square(self.some_square()) or (1, 1)
        squares = [divmod(number + corner[0] * 64 + corner[1], 64) for number in rng.choice(recipe.shape.turns)]
        if not all(square in self.table.kind for square in squares):
            return None
        suppliers = []
        for each in recipe.inputs:
            fitting = [self.table.name_of(tile) for tile in self.table.tiles if tile["what"] == each]
            suppliers.append(rng.choice(fitting) if fitting else self.some_tile())
        cells = tuple(map(write_square, squares))
        return BuildTile(
            seat=seat, resource=recipe.resource, cells=cells, inputs=tuple(suppliers), card=card, down=down
        )

    def make_vote(self, seat: int) -> Any:
        rng = self.rng
        fleeting, lasting, proposal = rng.randint(0, 5), rng.randint(0, 3), rng.randint(1, 3)
        return rng.choice(
            [
                CallVote(seat=seat, money=rng.randint(0, 3), fleeting=rng.randint(0, 3), roads=rng.randint(0, 2)),
                Bid(seat=seat, proposal=proposal, fleeting=fleeting, lasting=lasting),
                BreakTie(seat=seat, proposal=proposal),
                ChooseProposal(seat=seat, proposal=proposal, fleeting=fleeting, lasting=lasting),
                PayClaims(seat=seat, fleeting=fleeting, lasting=lasting),
            ]
        )

    def make_draft(self, seat: int) -> Any:
        rng = self.rng
        return rng.choice(
            [
                TakeRace(seat=seat, race=rng.choice(RACES), base=rng.choice([None, *BASES])),
                TakeBase(seat=seat, base=rng.choice(BASES), who=rng.choice([None, *self.table.seats])),
                PlaceStart(seat=seat, at=self.some_square()),
            ]
        )

    def make_placing(self, seat: int) -> Any:
        """A building somewhere, or a delivery."""
        rng, table = self.rng, self.table
        if table.due or rng.random() < 0.3:
            due = table.due[0] if table.due else {"building": "university", "resource": "gems"}
            return Deliver(seat=seat, building=due["building"], resource=due["resource"], at=self.some_tile())
        task = table.todo[0] if table.todo else {}
        card = table.proposals[task["proposal"] - 1] if task.get("proposal") and task["do"] == "place" else ""
        shape = table.printed.prestige[card].shape if card else None
        if shape is None:
            return PlacePrestige(seat=seat, cells=tuple(write_square(square) for square in rng.sample(self.squares, 2)))
        corner = read_square(self.some_square()) or (1, 1)
        turns = [*shape.turns, *shape.mirrored]
        squares = [divmod(number + corner[0] * 64 + corner[1], 64) for number in rng.choice(turns)]
        return PlacePrestige(seat=seat, cells=tuple(write_square(square) for square in squares))


class Player:
    """Takes what brings points, lays roads where a delivery could come of it, else a kind of act by chance."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.greed = rng.choice((0.2, 0.7, 0.9))
        self.taste = {
            "BuildTile": 12.0,
            "BuildBase": 6.0,
            "BuyAccess": 3.0,
            "LayRoad": 5.0,
            "BuildHouse": 5.0,
            "BuildBridge": 1.5,
            "Recruit": 4.0,
            "PlayCard": 3.0,
            "UseWorker": 6.0,
            "Gain": 1.5,
            "Decline": 0.5,
            "TakeBack": 1.0,
        }

    def choose(self, legal: Sequence[Any], table: Table, effects: Callable[[Any], Effects | None]) -> Any:
        kinds: dict[str, list[Any]] = {}
        for act in legal:
            kinds.setdefault(type(act).__name__, []).append(act)
        if self.rng.random() < self.greed:
            best = self._best(kinds, effects)
            if best is not None:
                return best
        names = list(kinds)
        unfinished = sum(not building["complete"] for building in table.buildings)
        weights = self.taste | {"CallVote": 8.0 / (1 + unfinished * unfinished)}
        kind = self.rng.choices(names, [weights.get(name, 2.0) for name in names])[0]
        if kind == "LayRoad":
            return self._useful_road(kinds[kind], table)
        return self.rng.choice(kinds[kind])

    def _best(self, kinds: dict[str, list[Any]], effects: Callable[[Any], Effects | None]) -> Any:
        """Of some acts of each kind that build, the one that brings its seat most points, if any."""
        found = None
        most = 0
        for kind in ("BuildTile", "LayRoad", "BuildBridge", "BuildBase", "PlacePrestige", "Deliver"):
            some = kinds.get(kind, [])
            for act in self.rng.sample(some, min(len(some), 40)):
                points = self._points(act, effects(act))
                if points > most:
                    found, most = act, points
        return found

    def _points(self, act: Any, effects: Effects | None) -> int:
        moved = effects.moved if effects else ()
        return sum(posting.n for posting in moved if posting.what == "points" and posting.who == act.seat)

    def _useful_road(self, roads: list[Any], table: Table) -> Any:
        """A road between a tile and a building that needs it, if there is one."""
        gaps = [(*gap, _distance_of(*gap)) for gap in self._gaps(table)]
        useful = [act for act in roads if any(_is_between(read_square(act.at), *gap) for gap in gaps)]
        return self.rng.choice(useful or roads)

    def _gaps(self, table: Table) -> Iterator[tuple[list[Square], list[Square]]]:
        for building in table.buildings:
            needs = {resource for resource, _ in table.needs(building)}
            for tile in table.tiles:
                if tile["what"] in needs:
                    yield list(tile["cells"]), list(building["cells"])


def _distance_of(ones: list[Square], others: list[Square]) -> int:
    return min(_distance(one, other) for one in ones for other in others)


def _is_between(square: Square | None, ones: list[Square], others: list[Square], way: int) -> bool:
    if square is None:
        return False
    return min(_distance(square, one) for one in ones) + min(_distance(square, other) for other in others) <= way


def _distance(one: Square, other: Square) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
