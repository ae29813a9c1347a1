"""The building that won is placed, and what follows (F-10.5)."""

from __future__ import annotations

from spyrium_log.errors import Breach
from spyrium_log.messages import Card, Term
from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import Prestige
from spyrium_log.titles.founders.ground import NOWHERE, cell_of, cells_of, mask_of
from spyrium_log.titles.founders.links import field_of
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.rules.deliver import (
    Outcome,
    add_completion,
    add_deliveries,
    add_neutral_deliveries,
    apply_to_copy,
)
from spyrium_log.titles.founders.rules.turn import breach, breaches_of_stage, found_cell, has_seat, list_unchecked
from spyrium_log.titles.founders.sites import find_alike_ground, find_free_sites
from spyrium_log.titles.founders.state import State


def breaches_of_placing(state: State, act: moves.PlacePrestige) -> list[Breach]:
    """Breaches of placing the building that won: it is not in its shape on free land, or not on its site (F-10.5)."""
    breaches = breaches_of_stage(state, act.seat, ("place",), "place.due")
    if not has_seat(state, act.seat):
        return breaches
    field = field_of(state.printed.board)
    missing = [name for name in act.cells if not field.cells >> cell_of(name) & 1 or cell_of(name) == NOWHERE]
    if missing or not act.cells:
        breaches.append(breach("cell.exists", phrase("cells"), found_cell(missing[0] if missing else "?")))
        return breaches
    if mask_of(cells_of(act.cells)) & (state.covered | state.roads):
        breaches.append(breach("build.covered", phrase("free-cells"), phrase("covered-cells")))
    prestige = state.printed.prestige.get(state.chosen_proposal)
    if prestige is not None:
        _add_breaches_of_card(state, prestige, act.cells, breaches)
    return breaches


def _add_breaches_of_card(state: State, prestige: Prestige, names: moves.Cells, breaches: list[Breach]) -> None:
    """Add what the card of the building has against these cells, and a building alike in their section."""
    cells = cells_of(names)
    mask = mask_of(cells)
    if prestige.site:
        _add_breach_of_site(state, prestige, mask, breaches)
    else:
        _add_breaches_of_land(state, prestige, cells, breaches)
    if len(cells) != len(names) and not any(each.rule == "place.shape" for each in breaches):
        breaches.append(breach("place.shape", phrase("each-cell-once"), phrase("cells-found", names=" ".join(names))))
    if mask & find_alike_ground(state, prestige):
        cards = (prestige.card, *(building.card for building in state.buildings))
        unchecked = list_unchecked(state, *((each, what) for each in cards for what in ("shape", "colour")))
        breaches.append(breach("place.like", phrase("no-like-building"), phrase("another-like"), unchecked))


def _add_breach_of_site(state: State, prestige: Prestige, mask: int, breaches: list[Breach]) -> None:
    """Add a breach unless the building stands on a site of its own, and on its terrain by one reading."""
    sites = find_free_sites(state, prestige)
    if mask not in sites and not any(each.rule in {"build.covered", "place.like"} for each in breaches):
        unchecked = list_unchecked(state, (prestige.card, "site"))
        breaches.append(
            breach("place.site", phrase("own-site", card=Card(prestige.card)), phrase("other-cells"), unchecked)
        )


def _add_breaches_of_land(state: State, prestige: Prestige, cells: tuple[int, ...], breaches: list[Breach]) -> None:
    """Add breaches unless the building lies on land, in its shape, with a cell on its terrain."""
    field = field_of(state.printed.board)
    mask = mask_of(cells)
    if mask & ~field.land:
        breaches.append(breach("cell.kind", phrase("land"), phrase("other-cells")))
    if prestige.shape is not None:
        steps = tuple(cell - cells[0] for cell in cells)
        if steps not in prestige.shape.ways(mirror=state.options.tile_flip == "mirror"):
            found = phrase("cells-count", n=len(cells))
            unchecked = list_unchecked(state, (prestige.card, "shape"))
            breaches.append(breach("place.shape", phrase("shape", shape=prestige.shape.text), found, unchecked))
    if prestige.terrain and not mask & field.terrains.get(prestige.terrain, 0):
        expected = phrase("on-terrain", terrain=Term("ground", prestige.terrain))
        unchecked = list_unchecked(state, (prestige.card, "terrain"))
        breaches.append(breach("place.terrain", expected, phrase("other-terrain"), unchecked))


def effects_of_placing(before: State, act: moves.PlacePrestige) -> Outcome | None:
    """What follows once the building that won is placed (F-10.5); None if nothing won, or it lies nowhere.

    Neutral needs are filled, then deliveries made; alone first claims are put, at last fleeting influence goes back.
    """
    card = before.chosen_proposal
    if not card or not cells_of(act.cells):
        return None
    outcome = apply_to_copy(before, act)
    state = outcome.state
    if before.seats == 1:
        for building in state.buildings:
            if not building.complete:
                outcome.note(effects.ClaimPut(building=building.card))
    add_neutral_deliveries(outcome, card)
    caller = before.caller if before.options.placement_chooser == "caller" else act.seat
    add_deliveries(outcome, caller, [card])
    add_completion(outcome, card)
    if before.seats == 1:
        outcome.gain(act.seat, "fleeting", -state.mat(act.seat).fleeting, "vote")
    return outcome
