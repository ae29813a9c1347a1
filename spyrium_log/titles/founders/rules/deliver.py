"""Deliveries, the points that cascade through the tiles that supplied each other, and completed buildings (F-8)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, TypeAlias

from spyrium_log.errors import Breach
from spyrium_log.messages import Card
from spyrium_log.title import AnyPosting, Posting, posting_key
from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import BASES, TIERS
from spyrium_log.titles.founders.evolve import apply_act, apply_fact, apply_posting
from spyrium_log.titles.founders.ground import cell_of, name_of
from spyrium_log.titles.founders.links import find_links
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.rules.turn import breach, breaches_of_stage, found_cell, has_seat, list_unchecked
from spyrium_log.titles.founders.state import Building, State, Structure

# What whoever would pass on to a neutral base loses, whatever its flag (F-8.3).
NEUTRAL_LOSS = 2
# Of what is no tile: above all tiers, so that it never counts as an input.
_NO_TIER = 9


class Outcome:
    """What an act comes to, gathered step by step on a table of its own, which each posting and fact moves on.

    Postings to one seat for one cause are added up, because a cascade passes back and forth.
    """

    __slots__ = ("_sums", "facts", "state")

    def __init__(self, state: State) -> None:
        """Nothing moved yet; `state` is the caller's own copy, and is changed."""
        self.state = state
        self.facts: list[effects.FoundersFact] = []
        self._sums: dict[tuple[int, str, str], int] = {}

    def post(self, *postings: AnyPosting) -> None:
        """Add postings to what the act comes to, and apply them to its table."""
        for posting in postings:
            key = posting_key(posting)
            self._sums[key] = self._sums.get(key, 0) + posting.n
            apply_posting(self.state, posting)

    def gain(self, who: int, what: str, n: int, why: str) -> None:
        """Add one amount; 0 moves nothing and leaves no posting."""
        if n:
            self.post(Posting(who, what, n, why))

    def note(self, fact: effects.FoundersFact) -> None:
        """Add a fact to what the act comes to, and apply it to its table."""
        self.facts.append(fact)
        apply_fact(self.state, fact)

    def list_postings(self) -> list[AnyPosting]:
        """The postings, each seat, resource and cause once, without zeros."""
        return [Posting(who, what, n, why) for (who, what, why), n in self._sums.items() if n]


# How an act is judged, and what it comes to: None where it names a piece that does not exist.
BreachesOf: TypeAlias = Callable[[State, Any], list[Breach]]
OutcomeOf: TypeAlias = Callable[[State, Any], Outcome | None]


def apply_to_copy(before: State, act: moves.Decision) -> Outcome:
    """The outcome of an act so far as it only moves the pieces that it names; the rules add to it."""
    outcome = Outcome(before.copy())
    apply_act(outcome.state, act)
    return outcome


def score_build(outcome: Outcome, tile: Structure) -> None:
    """A tile of tier 2 or 3 was built: the owner of each tile that supplied it scores that flag (F-8.1)."""
    for supplier, flag in _list_suppliers(outcome.state, tile):
        if supplier is not None and supplier.owner and flag is not None:
            _score(outcome, supplier, flag, name_of(tile.name), "built")


def _list_suppliers(state: State, tile: Structure) -> Iterator[tuple[Structure | None, int | None]]:
    """Each tile that supplied a tile, None for one that does not exist, with the flag printed beside that input."""
    recipe = state.printed.recipes.get(tile.kind)
    flags = recipe.flags if recipe and recipe.flags else ()
    for index, cell in enumerate(tile.inputs):
        supplier = state.structure_at(cell)
        # an input of a higher tier cannot be; it would go round in a circle
        if supplier is not None and TIERS.get(supplier.kind, _NO_TIER) >= TIERS.get(tile.kind, 0):
            supplier = None
        yield supplier, flags[index] if index < len(flags) else None


def _score(outcome: Outcome, tile: Structure, n: int, into: str, why: str) -> None:
    """The owner of a tile scores n for it, and passes on to the owners of what supplied it (F-8.2)."""
    owner = tile.owner
    outcome.gain(owner, "points", n, why)
    passed = lost = 0
    passed_on = []
    for supplier, flag in _list_suppliers(outcome.state, tile):
        if supplier is None or flag is None:
            continue
        if not supplier.owner:
            # only a base can be neutral
            lost += NEUTRAL_LOSS
        elif supplier.owner != owner or outcome.state.options.own_link == "passes":
            passed += flag if supplier.owner != owner else 0
            passed_on.append((supplier, flag))
    outcome.gain(owner, "points", -passed, "passed")
    outcome.gain(owner, "points", -lost, "lost")
    at = name_of(tile.name)
    outcome.note(effects.Scored(at=at, into=into, seat=owner, n=n, kept=n - passed - lost, lost=lost))
    for supplier, flag in passed_on:
        _pass_on(outcome, supplier, flag, at, own=supplier.owner == owner)


def _pass_on(outcome: Outcome, supplier: Structure, flag: int, into: str, *, own: bool) -> None:
    """The owner of a supplying tile gets its flag; what goes to oneself moves no points, but is passed on in turn."""
    if own:
        outcome.gain(supplier.owner, "points", -flag, "passed")
    _score(outcome, supplier, flag, into, "passed")


# --- deliveries ----------------------------------------------------------------------------------


def add_deliveries(outcome: Outcome, chooser: int, buildings: list[str] | None = None) -> None:
    """Fill every need that a connected tile can fill now, building by building, need by need (F-8.4).

    Where several tiles could, the delivery is due and `chooser` has to choose.
    """
    state = outcome.state
    for building in list(state.buildings):
        if building.complete or (buildings is not None and building.card not in buildings):
            continue
        needs = open_needs(state, building)
        connected = find_deliverers(state, building, {resource for resource, _ in needs})
        if not connected:
            continue
        for resource, points in needs:
            tiles = [tile for tile in connected if tile.kind == resource]
            if (building.card, resource) in {(due.building, due.resource) for due in state.due}:
                continue
            if len(tiles) == 1:
                deliver(outcome, building.card, resource, tiles[0], points)
            elif tiles:
                outcome.note(effects.DeliveryDue(building=building.card, resource=resource, seat=chooser))
        add_completion(outcome, building.card)


def open_needs(state: State, building: Building) -> list[tuple[str, int | None]]:
    """The needs of a building that are not filled, with their points, in the order printed; none where unknown."""
    prestige = state.printed.prestige.get(building.card)
    filled = {resource for resource, _ in building.delivered}
    needs = prestige.needs if prestige and prestige.needs else ()
    return [(resource, points) for resource, points in needs if resource not in filled]


def find_deliverers(state: State, building: Building, resources: Collection[str]) -> list[Structure]:
    """The tiles of these resources that are connected to a building by their owner's own connections."""
    regions: dict[int, int] = {}
    tiles = []
    for tile in state.structures:
        if tile.kind in resources and tile.owner:
            if tile.owner not in regions:
                regions[tile.owner] = find_links(state, tile.owner).region(building.mask)
            if regions[tile.owner] & tile.mask:
                tiles.append(tile)
    return tiles


def deliver(outcome: Outcome, card: str, resource: str, tile: Structure, points: int | None) -> None:
    """A tile fills a need: the token, the points with their cascade, and in a game alone the claim."""
    at = name_of(tile.name)
    outcome.note(effects.Delivered(building=card, resource=resource, at=at, seat=tile.owner))
    if points is not None:
        _score(outcome, tile, points, card, "delivered")
    building = outcome.state.find_building(card)
    if building is not None and building.claim:
        outcome.note(effects.ClaimTaken(building=card))


def add_neutral_deliveries(outcome: Outcome, card: str) -> None:
    """Fill the needs for neutral bases as the building is placed (F-8.3). Alone no base is neutral."""
    building = outcome.state.find_building(card)
    if building is None:
        return
    for resource, _ in open_needs(outcome.state, building):
        if resource in BASES and outcome.state.is_neutral(resource):
            outcome.note(effects.NeutralDelivered(building=card, resource=resource))


def add_completion(outcome: Outcome, card: str) -> None:
    """Mark a building complete once all its needs are filled (F-8.5)."""
    building = outcome.state.find_building(card)
    if building is None or building.complete:
        return
    prestige = outcome.state.printed.prestige.get(card)
    if prestige and prestige.needs is not None and not open_needs(outcome.state, building):
        outcome.note(effects.Completed(building=card))


def breaches_of_delivery(state: State, act: moves.Deliver) -> list[Breach]:
    """Breaches of choosing a delivery: none is due, it is another seat's, the need is filled, or the tile is wrong."""
    breaches = breaches_of_stage(state, act.seat, ("deliver",), "deliver.due")
    if not has_seat(state, act.seat):
        return breaches
    if (act.building, act.resource) not in {(due.building, due.resource) for due in state.due if due.seat == act.seat}:
        known = [phrase("need", card=Card(due.building), resource=Card(due.resource)) for due in state.due]
        found = phrase("need", card=Card(act.building), resource=Card(act.resource))
        expected = known[0] if known else phrase("no-delivery-due")
        breaches.append(breach("deliver.need", expected, found, list_unchecked(state, (act.building, "needs"))))
        return breaches
    building = state.find_building(act.building)
    tile = state.structure_at(cell_of(act.at))
    if building is None or tile is None or tile not in find_deliverers(state, building, (act.resource,)):
        expected = phrase("connected-tile", resource=Card(act.resource))
        breaches.append(breach("deliver.tile", expected, found_cell(act.at)))
    return breaches


def add_chosen_delivery(outcome: Outcome, act: moves.Deliver) -> bool:
    """Add a chosen delivery and what it completes; False (no effects) where the building or the tile does not exist."""
    building = outcome.state.find_building(act.building)
    tile = outcome.state.structure_at(cell_of(act.at))
    if building is None or tile is None or not tile.owner:
        return False
    points = dict(open_needs(outcome.state, building)).get(act.resource)
    deliver(outcome, act.building, act.resource, tile, points)
    add_completion(outcome, act.building)
    return True
