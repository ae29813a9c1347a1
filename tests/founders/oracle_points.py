"""Purses, points and deliveries on paper (F-4.3, F-8), and what achievements count (F-12.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeAlias

from spyrium_log.titles.founders.cards import BASES, Printed
from spyrium_log.titles.founders.options import Options
from spyrium_log.titles.founders.programme import Condition
from tests.founders.oracle_ground import Ground, Square, Thing

# Who, what, why.
Postings: TypeAlias = Counter[tuple[int, str, str]]
Fact: TypeAlias = tuple[str, frozenset[tuple[str, Any]]]

NEUTRAL_FLAG = 2


class Points(Ground):
    """`moved` and `facts` are what the act that is being done has brought so far; `due` are deliveries to choose."""

    def __init__(self, seats: int, options: Options, printed: Printed) -> None:
        super().__init__(seats, options, printed)
        self.purse: dict[int, Counter[str]] = {seat: Counter() for seat in self.seats}
        self.base_owner: dict[str, int] = {}
        self.cards: dict[int, dict[str, list[str]]] = {
            seat: {"hand": [], "discard": [], "on the table": []} for seat in self.seats
        }
        self.due: list[Thing] = []
        self.goals: dict[str, str] = {}
        self.mid_is_done = False
        self.moved: Postings = Counter()
        self.facts: list[Fact] = []

    def move(self, seat: int, what: str, n: int, why: str) -> None:
        self.purse[seat][what] += n
        self.moved[seat, what, why] += n

    def say(self, fact: str, **fields: Any) -> None:
        self.facts.append((fact, frozenset(fields.items())))

    def held(self, seat: int, what: str) -> int:
        return self.purse[seat][what]

    @property
    def completed(self) -> int:
        return sum(building["complete"] for building in self.buildings)

    def is_neutral(self, resource: str) -> bool:
        """F-3.3: a base that nobody holds."""
        return resource in BASES and resource not in self.base_owner

    # --- owning (F-4) -----------------------------------------------------------------------------

    def resources_owned(self, seat: int) -> set[str]:
        return {tile["what"] for tile in self.tiles if tile["owner"] == seat}

    def put_tile(self, resource: str, owner: int, builder: int, cells: Iterable[Square], inputs: list[Thing]) -> Thing:
        """F-4.1, F-4.3: who builds another's base gets access to it."""
        is_first = owner and resource not in self.resources_owned(owner)
        tile = {
            "what": resource,
            "owner": owner,
            "cells": frozenset(cells),
            "inputs": inputs,
            "access": set() if builder == owner else {builder},
            "earned": 0,
        }
        self.tiles.append(tile)
        if is_first and (builder == owner or self.options.rival_built_income == "rises"):
            self.move(owner, "income", 1, "owned")
        return tile

    # --- points (F-8.1 to F-8.3) ------------------------------------------------------------------

    def flags(self, tile: Thing) -> list[tuple[Thing, int]]:
        """Each input of a tile with the flag that it puts up there."""
        if not tile["inputs"]:
            return []
        recipe = self.printed.recipes[tile["what"]]
        flags = recipe.flags or (None,) * len(tile["inputs"])
        return [(tile_in, flag) for tile_in, flag in zip(tile["inputs"], flags, strict=True) if flag is not None]

    def score_inputs(self, tile: Thing) -> None:
        """F-8.1: a tile was built; the owners of what supplied it score."""
        for supplier, flag in self.flags(tile):
            if supplier["owner"]:
                self.move(supplier["owner"], "points", flag, "built")
                self.pass_on(supplier, flag, self.name_of(tile))

    def pass_on(self, tile: Thing, value: int, into: str) -> None:
        """F-8.2: the owner of `tile` has scored `value`; what its inputs' owners get of it, and so on."""
        owner, kept, lost = tile["owner"], value, 0
        further = []
        for supplier, flag in self.flags(tile):
            if not supplier["owner"]:
                self.move(owner, "points", -NEUTRAL_FLAG, "lost")
                lost += NEUTRAL_FLAG
                kept -= NEUTRAL_FLAG
            elif supplier["owner"] != owner:
                self.move(owner, "points", -flag, "passed")
                self.move(supplier["owner"], "points", flag, "passed")
                kept -= flag
                further.append((supplier, flag))
            elif self.options.own_link == "passes":
                further.append((supplier, flag))
        self.say("Scored", at=self.name_of(tile), into=into, seat=owner, n=value, kept=kept, lost=lost)
        for supplier, flag in further:
            self.pass_on(supplier, flag, self.name_of(tile))

    # --- deliveries (F-8.4, F-8.5) ----------------------------------------------------------------

    def needs(self, building: Thing) -> list[tuple[str, int | None]]:
        """The needs that are not filled, in the order printed."""
        printed = self.printed.prestige[building["card"]].needs or ()
        return [(resource, value) for resource, value in printed if resource not in building["tokens"]]

    def suppliers(self, building: Thing, resource: str) -> list[Thing]:
        """The tiles of this resource that are connected to the building for their owner."""
        tiles = [tile for tile in self.tiles if tile["what"] == resource]
        return [tile for tile in tiles if self.are_connected(tile["owner"], tile["cells"], building["cells"])]

    def find_deliveries(self, chooser: int) -> None:
        """Whatever is connected now is delivered; where several tiles could, it is due."""
        for building in self.buildings:
            for resource, _ in self.needs(building):
                if any((one["building"], one["resource"]) == (building["card"], resource) for one in self.due):
                    continue
                tiles = self.suppliers(building, resource)
                if len(tiles) == 1:
                    self.deliver(building, tiles[0])
                elif tiles:
                    self.due.append({"building": building["card"], "resource": resource, "seat": chooser})
                    self.say("DeliveryDue", building=building["card"], resource=resource, seat=chooser)

    def deliver(self, building: Thing, tile: Thing) -> None:
        value = dict(self.needs(building))[tile["what"]]
        owner = tile["owner"]
        building["tokens"][tile["what"]] = owner
        at = self.name_of(tile)
        self.say("Delivered", building=building["card"], resource=tile["what"], at=at, seat=owner)
        if building["claim"]:
            building["claim"] = False
            self.say("ClaimTaken", building=building["card"])
        if value is not None and owner:
            self.move(owner, "points", value, "delivered")
            self.pass_on(tile, value, building["card"])
        self.complete(building)

    def complete(self, building: Thing) -> None:
        if self.printed.prestige[building["card"]].needs and not self.needs(building) and not building["complete"]:
            building["complete"] = True
            self.say("Completed", building=building["card"])

    # --- achievements (F-12.2, K17) ---------------------------------------------------------------

    def meets(self, seat: int, when: Condition) -> bool:
        if when.count == "most structures in a section":
            return any(self._has_most(seat, section) for section in set(self.section.values()))
        return self.count_for_goal(seat, when.count) >= when.least

    def _has_most(self, seat: int, section: int) -> bool:
        """More houses and tiles in this section than every rival; alone, one is enough."""
        pieces = [piece for piece in (*self.tiles, *self.houses) if section in self.sections_of(piece["cells"])]
        counts = Counter(piece["owner"] for piece in pieces)
        return counts[seat] > max((counts[rival] for rival in self.seats if rival != seat), default=0)

    def count_for_goal(self, seat: int, count: str) -> int:
        tokens = [owner for building in self.buildings for owner in building["tokens"].values()]
        own_tiles = [tile for tile in self.tiles if tile["owner"] == seat]
        counts: dict[str, int] = {
            "buildings-delivered": sum(seat in building["tokens"].values() for building in self.buildings),
            "tier2-built": sum(tile["what"] in self.printed.recipes and self._tier(tile) == 2 for tile in own_tiles),
            "tier3-built": sum(tile["what"] in self.printed.recipes and self._tier(tile) == 3 for tile in own_tiles),
            "deliveries": tokens.count(seat),
            "resources": len(self.resources_owned(seat)),
            "houses": sum(house["owner"] == seat for house in self.houses),
            "advisers": self.count_advisers(seat),
            "lasting": self.held(seat, "lasting"),
            "money": self.held(seat, "money"),
        }
        return counts[count]

    def _tier(self, tile: Thing) -> int:
        return self.printed.recipes[tile["what"]].tier

    def count_advisers(self, seat: int) -> int:
        cards = {*self.cards[seat]["hand"], *self.cards[seat]["discard"], *self.cards[seat]["on the table"]}
        return sum(card in self.printed.advisers for card in cards)

    def meet_goal(self, deck: str, why: str) -> bool:
        """Who meets the achievement of this deck scores it; whether anybody did."""
        goal = self.printed.goals.get(self.goals.get(deck, ""))
        if goal is None or goal.when is None:
            return False
        met = [seat for seat in self.seats if self.meets(seat, goal.when)]
        for seat in met:
            self.say("GoalMet", deck=deck, seat=seat)
            self.move(seat, "points", goal.points or 0, why)
        return bool(met)

    def meet_goals_of_the_turn(self) -> None:
        """F-5.7: the immediate one, then the one of the second completion."""
        if self.meet_goal("immediate", "goal:immediate"):
            self.say("GoalGone", deck="immediate")
            del self.goals["immediate"]
        if self.completed >= 2 and not self.mid_is_done:
            self.mid_is_done = True
            self.meet_goal("mid", "goal:mid")
            if self.goals.pop("mid", ""):
                self.say("GoalGone", deck="mid")
