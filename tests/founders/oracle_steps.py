"""What cards, follows and workers let a seat do on paper, step by step, and what it costs (F-5.2, F-6, F-7, F-9)."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from spyrium_log.titles.founders.cards import BASES, CATEGORIES, Printed
from spyrium_log.titles.founders.moves import (
    UNSEEN,
    BuildBase,
    BuildBridge,
    BuildHouse,
    BuildTile,
    BuyAccess,
    Decline,
    Deliver,
    Gain,
    LayRoad,
    PlayCard,
    Recruit,
    TakeBack,
    UseWorker,
)
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.programme import Instruction, Programme
from tests.founders.oracle_ground import Square, Thing, at_corner, read_square, turned, write_square
from tests.founders.oracle_points import Points

MOST_TRIALS = 25
BUILT_FOR = {2: 4, 3: 6}
# What is the same on every table made from this one.
SHARED = ("options", "printed", "seats", "kind", "number", "section", "site_section", "sites", "beside")


def make_step(does: str, way: str, **more: Any) -> Thing:
    """A step; `way` is how it is paid for: `main`, `follow`, or as a `card` says."""
    plain = Instruction(does="say")
    fields = {name: getattr(plain, name) for name in Instruction.__annotations__}
    return {**fields, "does": does, "way": way, **more}


def read_steps(programme: Programme | None) -> list[Thing]:
    """The steps that a card prints; none where nobody knows them."""
    return [
        {**{name: getattr(each, name) for name in Instruction.__annotations__}, "way": "card"}
        for each in programme or ()
    ]


def happens_by_itself(step: Thing) -> bool:
    return step["does"] in {"gain", "say", "income"}


class TooLongError(Exception):
    """Trying every way would take too long."""


class Steps(Points):
    """`todo` is what has to happen, the next thing first: what to `do`, and whose it is."""

    def __init__(self, seats: int, options: Options, printed: Printed) -> None:
        super().__init__(seats, options, printed)
        self.todo: list[Thing] = []
        self.row: list[str] = []
        self.adviser_deck = list(printed.advisers)
        self.row_was_taken = False
        self.unseen = dict.fromkeys(self.seats, 0)
        self.workers: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.card = ""
        self.is_face_up = False
        self.trials = 0

    def twin(self) -> Steps:
        """Another table with the same things on it, to try something."""
        other = object.__new__(type(self))
        moving = {name: value for name, value in self.__dict__.items() if name not in SHARED}
        other.__dict__ |= {name: self.__dict__[name] for name in SHARED} | copy.deepcopy(moving)
        return other

    def do(self, act: Any) -> None:
        """Do an act, asked or not; the whole table knows how."""
        raise NotImplementedError

    # --- what a card's steps are ------------------------------------------------------------------

    def category(self, card: str) -> str | None:
        """F-5.5: what is followed."""
        adviser = self.printed.advisers.get(card)
        return adviser.category if adviser else card

    def steps_of_card(self, card: str) -> list[Thing]:
        if card in self.printed.advisers:
            return read_steps(self.printed.advisers[card].does)
        return {
            "trade": [make_step("trade", "main")],
            "construct": [make_step("construct", "main")],
            "upgrade": [make_step("upgrade", "main")],
            "recruit": [make_step("recruit", "main"), make_step("gain", "main", what="fleeting", why="recruit")],
            "income": [make_step("income", "main")],
        }.get(card, [])

    def follow_steps(self, category: str | None) -> list[Thing]:
        """F-5.4, F-7.5: one of these."""
        plain = {
            "trade": make_step("trade", "follow"),
            "construct": make_step("construct", "follow"),
            "upgrade": make_step("tile", "follow"),
            "recruit": make_step("recruit", "follow"),
        }
        return [plain[category]] if category in CATEGORIES else list(plain.values())

    # --- prices (F-7) -----------------------------------------------------------------------------

    def price(self, step: Thing, usual: int, main: int | None = None) -> int:
        """What a step costs that usually costs so much; `main` is what the main action takes."""
        main = usual if main is None else main
        if step["way"] == "follow":
            return usual
        if step["free"]:
            return 0
        if step["off"]:
            return max(0, (usual if self.options.discount_from == "usual" else main) - int(step["off"]))
        return main

    def piece_prices(self, act: Any) -> tuple[int, int]:
        """The usual price of a house, bridge or gate, and that of the main action."""
        if isinstance(act, BuildHouse) and self.options.workers == "without":
            return 2, 1 if self.options.house_no_workers_main == "one" else 2
        return 4, 3

    def bill(self, step: Thing, act: Any) -> tuple[int | None, int, int]:
        """The usual price of an act (None: nobody knows it), what is paid, and to whom (0: the bank)."""
        usual, main, payee = self._usual(act)
        return (None, 0, payee) if usual is None else (usual, self.price(step, usual, main), payee)

    def _usual(self, act: Any) -> tuple[int | None, int | None, int]:
        if isinstance(act, (BuildHouse, BuildBridge)):
            return *self.piece_prices(act), 0
        if isinstance(act, BuildTile):
            recipe = self.printed.recipes.get(act.resource)
            return BUILT_FOR[recipe.tier] if recipe else None, None, 0
        if isinstance(act, Recruit):
            return self.printed.slots[act.slot - 1], None, 0
        if isinstance(act, BuildBase):
            return self._usual_for_base(act)
        if isinstance(act, BuyAccess):
            tile = self.tile_on(read_square(act.at))
            prices = [self.printed.trade[self.kind[square]][1] for square in tile["cells"]] if tile else []
            known = [price for price in prices if price is not None]
            return min(known, default=None), None, tile["owner"] if tile else 0
        return 0, None, 0

    def _usual_for_base(self, act: BuildBase) -> tuple[int | None, int | None, int]:
        """F-7.1: by terrain for one's own; 4 for a neutral one to the bank, for another's to its owner."""
        owner = self.base_owner.get(act.base, 0)
        square = read_square(act.at)
        if owner != act.seat:
            return 4, None, owner
        terrain = self.kind.get(square, "") if square else ""
        return self.printed.trade.get(terrain, (None, None))[0], None, 0

    def why_no_money(self, step: Thing, act: Any) -> list[str]:
        _, paid, _ = self.bill(step, act)
        return [] if paid <= self.held(act.seat, "money") or not paid else ["F-7 the price is paid with coins at hand"]

    def pay(self, step: Thing, act: Any) -> None:
        usual, paid, payee = self.bill(step, act)
        if usual is None:
            return
        self.move(act.seat, "money", -usual, "price")
        self.move(act.seat, "money", usual - paid, "saved")
        if payee:
            self.move(payee, "money", paid, "sold")

    # --- whether a step may be done so ------------------------------------------------------------

    def why_not_step(self, task: Thing, step: Thing, act: Any) -> list[str]:
        """`task` is the card, follow or worker that the step is of."""
        judge = {
            "trade": self.why_not_trade,
            "base": self.why_not_trade,
            "access": self.why_not_trade,
            "construct": self.why_not_construct,
            "tile": self.why_not_tile,
            "upgrade": self.why_not_upgrade,
            "road": self.why_not_road_step,
            "road to the tile": self.why_not_road_to_tile,
            "recruit": self.why_not_recruit,
            "take-back": self.why_not_take_back,
        }[step["does"]]
        reasons = judge(task, step, act)
        return reasons or self.why_no_money(step, act)

    def why_not_trade(self, task: Thing, step: Thing, act: Any) -> list[str]:
        if isinstance(act, BuildBase) and step["does"] in {"trade", "base"}:
            return self.why_not_base(step, act)
        if isinstance(act, BuyAccess) and step["does"] in {"trade", "access"}:
            return self.why_not_access(task, step, act)
        return [f"F-7.1 not a step of {step['does']}"]

    def why_not_base(self, step: Thing, act: BuildBase) -> list[str]:
        square = read_square(act.at)
        if act.base not in BASES or square is None or self.kind.get(square) is None:
            return ["F-7.1 a tile of a base on a land cell"]
        owner = self.base_owner.get(act.base, 0)
        reasons = self.why_not_tile_here(act.base, owner, [square])
        if step["way"] == "follow" and self.kind[square] not in {"coast", "desert"}:
            reasons.append("F-7.1 a follow builds on coast or desert")
        if owner != act.seat:
            if step["way"] == "follow" or step["does"] != "trade":
                reasons.append("F-7.1 (3) only by Trade's main action")
            if owner and self.completed < 2:
                reasons.append("F-7.1 (3) another's base with two completion markers out")
        return reasons

    def why_not_access(self, task: Thing, step: Thing, act: BuyAccess) -> list[str]:
        tile = self.tile_on(read_square(act.at))
        if tile is None:
            return ["F-7.1 (2) no tile lies there"]
        reasons = []
        if self.uses(act.seat, tile):
            reasons.append("F-4.2 owned, or access bought already")
        terrains = {self.kind[square] for square in tile["cells"]}
        if step["way"] == "follow":
            if not terrains & {"coast", "desert"}:
                reasons.append("F-7.1 a follow buys on coast or desert")
            if not tile["owner"] and self.options.follow_neutral_access == "no":
                reasons.append("F-7.1 a follow buys no neutral access (follow-neutral-access)")
        if step["terrain"] and step["terrain"] not in terrains:
            reasons.append("F-7.6 on the terrain that the card names")
        if step["connected"] and not self._is_connected_for_card(task, act.seat, tile):
            reasons.append("F-2.3 connected, for who uses the card")
        return reasons

    def _is_connected_for_card(self, task: Thing, seat: int, tile: Thing) -> bool:
        building = self.building(task["card"])
        if building:
            return self.are_connected(seat, tile["cells"], building["cells"])
        return self.is_connected_to_own(seat, tile["cells"])

    def why_not_construct(self, _: Thing, step: Thing, act: Any) -> list[str]:
        if isinstance(act, BuildHouse) and step["what"] in {"", "house"}:
            return self.why_not_house(act.seat, act.at)
        if isinstance(act, BuildBridge) and step["what"] in {"", "bridge"}:
            return self.why_not_bridge(act.seat, act.at)
        return ["F-7.2 a house, bridge or gate"]

    def why_not_upgrade(self, task: Thing, step: Thing, act: Any) -> list[str]:
        """F-7.3: the tile, or the road first; whether a tile can follow that road is asked of the whole act."""
        if isinstance(act, BuildTile):
            return self.why_not_tile(task, step, act)
        if not isinstance(act, LayRoad):
            return ["F-7.3 a tile, or a road"]
        if self.options.upgrade_road_first == "both":
            return self.why_not_road(act.seat, act.at)
        return [] if self.is_free_land(read_square(act.at)) else ["F-5.2 a road lies on a free land cell"]

    def why_not_tile(self, _: Thing, step: Thing, act: Any) -> list[str]:
        """F-6.1 to F-6.4."""
        if not isinstance(act, BuildTile) or act.resource not in self.printed.recipes:
            return ["F-7.3 a tile of tier 2 or 3"]
        squares = [square for square in map(read_square, act.cells) if square in self.kind]
        if not squares or len(set(squares)) < len(act.cells):
            return ["F-2.1 cells of the board, each once"]
        recipe = self.printed.recipes[act.resource]
        ways = turned(recipe.shape.text, mirrored=self.options.tile_flip == "mirror") if recipe.shape else []
        reasons = [] if not ways or at_corner(squares) in ways else ["F-1.2 the tile's shape"]
        reasons += self.why_not_tile_here(act.resource, act.seat, squares)
        if reasons:
            return reasons
        if not self.is_connected_to_own(act.seat, squares):
            reasons.append("F-6.1 connected to a structure of one's own")
        reasons += self._why_not_inputs(act, squares)
        if step.get("road") and not self.are_connected(act.seat, [step["road"]], squares):
            reasons.append("F-7.3 the road laid first is connected to the tile")
        return reasons

    def _why_not_inputs(self, act: BuildTile, squares: list[Square]) -> list[str]:
        """F-6.4."""
        wanted = self.printed.recipes[act.resource].inputs
        tiles = [self.tile_on(read_square(cell)) for cell in act.inputs]
        if wanted is None:
            wanted = tuple(tile["what"] for tile in tiles if tile)
        if [tile and tile["what"] for tile in tiles] != list(wanted):
            return ["F-6.4 a tile of each input"]
        reached = self.reach(act.seat, squares)
        reasons = []
        for tile in tiles:
            assert tile
            if not self.uses(act.seat, tile):
                reasons.append("F-6.4 owned, or with access")
            if reached.isdisjoint(tile["cells"]):
                reasons.append("F-6.4 connected to each input")
        return reasons

    def why_not_road_step(self, _: Thing, __: Thing, act: Any) -> list[str]:
        return self.why_not_road(act.seat, act.at) if isinstance(act, LayRoad) else ["F-7.6 a road"]

    def why_not_road_to_tile(self, _: Thing, step: Thing, act: Any) -> list[str]:
        square = read_square(act.at) if isinstance(act, LayRoad) else None
        if square is None or not self.is_free_land(square):
            return ["F-5.2 a road lies on a free land cell"]
        is_joined = self.are_connected(act.seat, [square], step["tile"]["cells"])
        return [] if is_joined else ["F-7.3 the road is connected to the tile"]

    def why_not_recruit(self, task: Thing, step: Thing, act: Any) -> list[str]:
        """F-7.4."""
        if not isinstance(act, Recruit):
            return ["F-7.4 an adviser is recruited"]
        card = self.row[act.slot - 1] if act.slot <= len(self.row) else ""
        if not card:
            return ["F-7.4 no adviser in this slot"]
        if act.named and card != UNSEEN:
            return ["F-7.4 only an unseen adviser is named"]
        adviser = self.printed.advisers.get(act.named or card)
        if adviser is None or adviser.needs is None:
            return []
        reasons = []
        if not any(tile["what"] == adviser.needs and self.uses(act.seat, tile) for tile in self.tiles):
            reasons.append("F-7.4 the adviser's resource, owned or with access")
        if step["that"] and adviser.needs != task["bought"]:
            reasons.append("F-7.6 an adviser of the resource just bought access to")
        return reasons

    def why_not_take_back(self, _: Thing, step: Thing, act: Any) -> list[str]:
        if not isinstance(act, TakeBack):
            return ["F-7.6 cards are taken back"]
        seen = [card for card in act.cards if card != UNSEEN]
        reasons = []
        if len(act.cards) > step["n"] or len(set(seen)) < len(seen):
            reasons.append("F-7.6 so many cards, each once")
        if step["but"] in seen:
            reasons.append("F-7.6 not this card")
        discard = self.cards[act.seat]["discard"]
        face_down = [card for card in seen if card not in discard]
        could_be = self.unseen_could_be(act.seat)
        # the card that is being played is not there yet
        played = {"do": "discard", "seat": act.seat, "card": UNSEEN} in self.todo
        unseen = self.unseen[act.seat] - played
        if not set(face_down) <= set(could_be) or len(act.cards) - len(seen) + len(face_down) > unseen:
            reasons.append("F-7.6 from the own discard pile")
        return reasons

    def unseen_could_be(self, seat: int) -> list[str]:
        """F-5.3: what was played face-down and never seen is one of these."""
        return [card for card in self.cards[seat]["hand"] if card != "call"] if self.unseen[seat] else []

    # --- basic actions and workers (F-5.2, F-9) ---------------------------------------------------

    def why_not_basic(self, act: Any) -> list[str]:
        if isinstance(act, Gain):
            return []
        if isinstance(act, LayRoad):
            return self.why_not_road(act.seat, act.at)
        if isinstance(act, UseWorker):
            return self.why_not_worker(act)
        return ["F-5.2 no basic action"]

    def why_not_worker(self, act: UseWorker) -> list[str]:
        if self.options.workers == "without":
            return ["F-12.1 no workers"]
        reasons = []
        if len(self.workers[act.seat]) >= sum(house["owner"] == act.seat for house in self.houses):
            reasons.append("F-9 no worker available")
        if act.on == "race":
            if "race" in self.workers[act.seat]:
                reasons.append("F-9 the space of the mat is taken")
            return reasons
        building = self.building(act.on)
        if building is None:
            return [*reasons, "F-9 no such building on the board"]
        if any(act.on in places for places in self.workers.values()):
            reasons.append("F-9 the space of the card is taken")
        if act.seat not in building["tokens"].values():
            reasons.append("F-9 no delivery token of one's own there")
        if self.options.worker_incomplete == "completed" and not building["complete"]:
            reasons.append("F-9 not complete (worker-incomplete)")
        return reasons

    def worker_task(self, act: UseWorker) -> Thing:
        if act.on == "race":
            does = self.printed.races[self.race_of(act.seat)].worker
        else:
            does = self.printed.prestige[act.on].worker
        source = "race" if act.on == "race" else "prestige"
        return {"do": "steps", "seat": act.seat, "left": read_steps(does), "why": source, "card": act.on, "bought": ""}

    def race_of(self, seat: int) -> str:
        raise NotImplementedError

    def do_basic(self, act: Any) -> None:
        if isinstance(act, Gain):
            self.move(act.seat, act.what, 1, "basic")
        elif isinstance(act, LayRoad):
            self.lay_road(act)
        else:
            self.workers[act.seat].append(act.on)
            self.todo.insert(0, self.worker_task(act))

    # --- doing a step -----------------------------------------------------------------------------

    def open_steps(self, task: Thing) -> list[Thing]:
        """The steps that may be done now: the next one, and those behind optional ones."""
        found = []
        for step in task["left"]:
            if happens_by_itself(step):
                break
            found.append(step)
            if not step["optional"]:
                break
        return found

    def why_not_any_step(self, task: Thing, act: Any) -> list[str]:
        """No reason if one of the open steps can be done so; else why the first one cannot."""
        open_now = self.open_steps(task)
        if isinstance(act, Decline):
            return [] if open_now and open_now[0]["optional"] else ["F-7.0 a step that has to be done"]
        judged = [self.why_not_step(task, step, act) for step in open_now] or [["F-7.6 no step is open"]]
        return [] if [] in judged else judged[0]

    def do_steps(self, task: Thing, act: Any) -> None:
        """Do the act as a step of the task; the task stays until nothing of it is left."""
        open_now = self.open_steps(task)
        if isinstance(act, Decline):
            task["left"].pop(0)
            return
        fitting = [step for step in open_now if not self.why_not_step(task, step, act)] or open_now
        step = fitting[0]
        left = task["left"][task["left"].index(step) + 1 :]
        if step["does"] == "road" and step["n"] > 1:
            left.insert(0, {**step, "n": step["n"] - 1})
        task["left"] = left
        self.do_step(task, step, act)

    def do_step(self, task: Thing, step: Thing, act: Any) -> None:
        if step["does"] == "upgrade" and isinstance(act, LayRoad):
            task["left"].insert(0, make_step("tile", "main", road=read_square(act.at)))
        self.pay(step, act)
        if isinstance(act, LayRoad):
            self.lay_road(act)
        elif isinstance(act, BuildBase):
            square = read_square(act.at)
            assert square
            self.put_tile(act.base, self.base_owner.get(act.base, 0), act.seat, [square], [])
            self.find_deliveries(act.seat)
        elif isinstance(act, BuyAccess):
            tile = self.tile_on(read_square(act.at))
            assert tile
            tile["access"].add(act.seat)
            task["bought"] = tile["what"]
        elif isinstance(act, (BuildHouse, BuildBridge)):
            pieces = self.houses if isinstance(act, BuildHouse) else self.bridges
            pieces.append({"owner": act.seat, "cells": (read_square(act.at),)})
            self.find_deliveries(act.seat)
        elif isinstance(act, BuildTile):
            self.build_tile(task, step, act)
        elif isinstance(act, Recruit):
            self.recruit(step, act)
        elif isinstance(act, TakeBack):
            self.take_back(act)

    def lay_road(self, act: LayRoad) -> None:
        square = read_square(act.at)
        assert square
        self.roads.add(square)
        self.find_deliveries(act.seat)

    def build_tile(self, task: Thing, step: Thing, act: BuildTile) -> None:
        """F-5.6: income, points of the own inputs, then deliveries."""
        squares = [square for square in map(read_square, act.cells) if square]
        suppliers = [tile for tile in map(self.tile_named, act.inputs) if tile]
        tile = self.put_tile(act.resource, act.seat, act.seat, squares, suppliers)
        if step["does"] == "upgrade":
            task["left"].insert(0, make_step("road to the tile", "main", optional=True, tile=tile))
        self.score_inputs(tile)
        self.find_deliveries(act.seat)

    def recruit(self, step: Thing, act: Recruit) -> None:
        """F-7.4, F-7.6."""
        card = act.named or self.row[act.slot - 1]
        adviser = self.printed.advisers.get(card)
        self.move(act.seat, "lasting", 1, "reward")
        self.move(act.seat, "points", (adviser.points if adviser else 0) or 0, "reward")
        if step["way"] == "card" and self.options.adviser_recruit_bonus == "always":
            self.move(act.seat, "fleeting", 1, "recruit")
        self.cards[act.seat]["hand"].append(card)
        self.row[act.slot - 1] = ""
        self.row_was_taken = True
        outside = not (self.is_face_up and self.category(self.card) == "recruit")
        if self.options.row_refill == "at-once" and outside and self.row_can_change():
            self.todo.insert(0, {"do": "advisers"})

    def row_can_change(self) -> bool:
        """Whether an adviser was taken, and others can slide or come from the deck."""
        is_gap = any(not card and any(self.row[n:]) for n, card in enumerate(self.row))
        return self.row_was_taken and (is_gap or bool(self.adviser_deck))

    def take_back(self, act: TakeBack) -> None:
        mine = self.cards[act.seat]
        for card in act.cards:
            if card in mine["discard"]:
                mine["discard"].remove(card)
                mine["hand"].append(card)
            else:
                self.unseen[act.seat] -= 1

    # --- steps that happen by themselves ----------------------------------------------------------

    def run_own_steps(self, task: Thing) -> None:
        while task["left"] and happens_by_itself(task["left"][0]):
            step = task["left"].pop(0)
            if step["does"] == "gain":
                n = step["n"] * (self.count(task, step["per"]) if step["per"] else 1)
                self.move(task["seat"], step["what"], n, step.get("why") or task["why"])
            elif step["does"] == "income":
                self.take_income(task["seat"])

    def take_income(self, seat: int) -> None:
        self.move(seat, "money", self.held(seat, "income"), "income")
        self.move(seat, "fleeting", sum(house["owner"] == seat for house in self.houses), "houses")

    def count(self, task: Thing, per: str) -> int:
        """What a card counts; `beside` is beside the building whose card it is, else beside any own structure."""
        seat = task["seat"]
        building = self.building(task["card"])
        beside = building["cells"] if building else {cell for piece in self.owned(seat) for cell in piece["cells"]}
        near = [tile for tile in self.tiles if self.are_adjacent(tile["cells"], beside)]
        tokens = [owner for one in self.buildings for owner in one["tokens"].values()]
        counts: dict[str, int] = {
            "house": sum(house["owner"] == seat for house in self.houses),
            "bridge": sum(bridge["owner"] == seat for bridge in self.bridges),
            "resource": len(self.resources_owned(seat)),
            "base-beside": sum(tile["what"] in BASES for tile in near),
            "tile-beside": len(near),
            "road-beside": sum(self.are_adjacent([road], beside) for road in self.roads),
            "delivered": tokens.count(seat),
            "completed": self.completed,
            "adviser": self.count_advisers(seat),
        }
        return counts[per]

    # --- whether a card can be played to its last obligatory step (F-7.0) -------------------------

    def why_not_to_the_end(self, task: Thing, act: Any) -> list[str]:
        """Tried on another table, if something has to be chosen behind it."""
        choices = [step for step in task["left"] if not happens_by_itself(step)]
        is_first_road = isinstance(act, LayRoad) and any(step["does"] in {"upgrade", "road"} for step in choices)
        if len(choices) < 2 and not is_first_road and not (choices and isinstance(act, (PlayCard, UseWorker))):
            return []
        other = self.twin()
        other.trials = 0
        other.do(act)
        return [] if other.can_end() else ["F-7.0 every obligatory step can be done"]

    def can_end(self) -> bool:
        while self.due:
            one = self.due[0]
            building = self.building(one["building"])
            assert building
            at = self.name_of(self.suppliers(building, one["resource"])[0])
            self.do(Deliver(seat=one["seat"], building=one["building"], resource=one["resource"], at=at))
        task = self.todo[0]
        if task["do"] != "steps":
            return True
        step = task["left"][0]
        if step["optional"]:
            self.do(Decline(seat=task["seat"]))
            return self.can_end()
        if not self._could_build_then(task):
            return False
        for act in self.ways(task, step):
            if not self.why_not_step(task, step, act):
                self._count_trial()
                other = self.twin()
                other.do(act)
                is_possible = other.can_end()
                self.trials = other.trials
                if is_possible:
                    return True
        return False

    def _count_trial(self) -> None:
        self.trials += 1
        if self.trials > MOST_TRIALS:
            raise TooLongError

    def _could_build_then(self, task: Thing) -> bool:
        """Whether a tile that has to be built behind some roads could be, if every free cell were a road's."""
        does = [step["does"] for step in task["left"] if not step["optional"]]
        if does[:1] != ["road"] or "tile" not in does:
            return True
        step = next(step for step in task["left"] if step["does"] == "tile")
        roads = sum(each["n"] for each in task["left"] if each["does"] == "road")
        ways = self.ways_to_build(task["seat"], step, roads)
        return any(not self.why_not_tile_here(act.resource, act.seat, _squares(act.cells)) for act in ways)

    def ways(self, task: Thing, step: Thing) -> Iterator[Any]:
        """Acts that might do a step."""
        seat, does = task["seat"], step["does"]
        land = [write_square(square) for square in self.land()]
        if does in {"trade", "access"}:
            yield from (BuyAccess(seat=seat, at=self.name_of(tile)) for tile in self.tiles)
        if does in {"trade", "base"}:
            yield from (BuildBase(seat=seat, base=base, at=at) for base in BASES for at in land)
        if does == "construct":
            yield from (BuildHouse(seat=seat, at=at) for at in land)
            yield from (BuildBridge(seat=seat, at=write_square(square)) for square in self.kind)
        if does in {"tile", "upgrade"}:
            yield from self.ways_to_build(seat, step)
        if does == "road":
            yield from (LayRoad(seat=seat, at=at) for at in land)
        if does == "recruit":
            yield from (Recruit(seat=seat, slot=slot) for slot in range(1, len(self.row) + 1))
        if does == "take-back":
            yield TakeBack(seat=seat)

    def ways_to_build(self, seat: int, step: Thing, roads: int = 0) -> Iterator[BuildTile]:
        """Every tile of tier 2 or 3 that is connected to all it needs, if so many more roads lay anywhere."""
        own = self.owned(seat)
        joined = self.reach_over(seat, [square for piece in own for square in piece["cells"]], roads)
        touching = {
            square for piece in own if "earned" in piece for cell in piece["cells"] for square in self.beside[cell]
        }
        for recipe in self.printed.recipes.values():
            if recipe.inputs is None or recipe.shape is None:
                continue
            usable = [
                [tile for tile in self.tiles if tile["what"] == each and self.uses(seat, tile)]
                for each in recipe.inputs
            ]
            if not all(usable) or self.price(step, BUILT_FOR[recipe.tier]) > self.held(seat, "money"):
                continue
            places = [place for place in self.lying(recipe.shape.text) if touching.isdisjoint(place)]
            for suppliers in itertools.product(*usable):
                wanted = [joined, *(self.reach_over(seat, tile["cells"], roads) for tile in suppliers)]
                inputs = tuple(self.name_of(tile) for tile in suppliers)
                for place in places:
                    if not any(reached.isdisjoint(place) for reached in wanted):
                        cells = tuple(map(write_square, place))
                        yield BuildTile(seat=seat, resource=recipe.resource, cells=cells, inputs=inputs)

    def lying(self, shape: str) -> Iterator[list[Square]]:
        """Every way in which a shape lies on free land."""
        board = self.printed.board
        free = set(self.land()) - self.covered()
        for way in turned(shape, mirrored=self.options.tile_flip == "mirror"):
            for row, column in itertools.product(range(1, board.height + 1), range(1, board.width + 1)):
                squares = [(row + down, column + right) for down, right in way]
                if free.issuperset(squares):
                    yield sorted(squares)


def _squares(cells: Sequence[str]) -> list[Square]:
    return [square for square in map(read_square, cells) if square]
