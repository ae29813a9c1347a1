"""Every way to carry out a step that board, pieces and purse allow; and whether an action can be finished."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, takewhile

from msgspec import structs

from spyrium_log.errors import Breach
from spyrium_log.messages import Card
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import (
    BASES,
    BRIDGE,
    HOUSE,
    MARKERS_FOR_RIVALS,
    PIECES_OF_A_KIND,
    RACE,
    TIERS,
    TILES_OF_A_RESOURCE,
)
from spyrium_log.titles.founders.ground import cells_in, cells_of, mask_of, name_of
from spyrium_log.titles.founders.links import field_of, find_links, find_own_ground, find_reach, tiles_of
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.programme import Instruction, Programme
from spyrium_log.titles.founders.rules.actions import BASIC, expand_roads, open_steps, programme_of_card
from spyrium_log.titles.founders.rules.build import find_taken_sections
from spyrium_log.titles.founders.rules.outcomes import apply_without_deliveries
from spyrium_log.titles.founders.rules.steps import (
    CHEAP_TERRAINS,
    Context,
    add_breaches_of_step,
    find_own_tile_of_turn,
    make_context,
)
from spyrium_log.titles.founders.rules.tiles import (
    TileAhead,
    can_pay,
    find_free_land,
    keep_roads_before_tile,
    list_tiles,
)
from spyrium_log.titles.founders.rules.turn import breach, find_source, find_step_stage, list_unchecked
from spyrium_log.titles.founders.scoring import count_structures
from spyrium_log.titles.founders.state import State

# What the card Upgrade demands behind its road.
_UPGRADE = Instruction(does="tile")
# A worker is the only basic action with further steps.
_WHOLE_BASIC_ACTS = (moves.Gain, moves.LayRoad)


def list_step_acts(
    state: State, seat: int, steps: Programme, context: Context, card: str | None = None
) -> Iterator[moves.Step]:
    """Every legal act that carries out one of these steps; `card` is the card that it begins the turn with."""
    for step in steps:
        here = context._replace(step=step)
        # roads are tried all at once where a tile has to follow; behind a last step nothing is left to try
        is_settled = step.does == "road" or _ends_action(state, seat, here, card)
        for act in _list_acts(state, seat, here, card):
            if is_settled or can_finish(state, act, here):
                yield act


def _list_acts(state: State, seat: int, context: Context, card: str | None) -> Iterator[moves.Step]:
    """Every act that carries out a step, whether or not the rest of the action can be done then."""
    step = context.step
    match step.does:
        case "basic":
            yield from list_basic_acts(state, seat)
        case "road":
            yield from _list_roads(state, seat, context, card)
        case "base":
            yield from _list_bases(state, seat, step, card)
        case "access":
            yield from _list_accesses(state, seat, context, card)
        case "trade":
            yield from _list_bases(state, seat, step, card)
            yield from _list_accesses(state, seat, context, card)
        case "construct":
            yield from _list_pieces(state, seat, step, card)
        case "tile":
            yield from list_tiles(state, seat, step, card)
        case "recruit":
            yield from _list_recruits(state, seat, context, card)
        case "take-back":
            yield from _list_takings(state, seat, context)
        case _:
            pass


# --- basic actions -------------------------------------------------------------------------------


def list_basic_acts(state: State, seat: int, card: str | None = None) -> list[moves.Step]:
    """The basic actions: a coin, an influence, a road, a worker (F-5.2). The card that begins a turn is not in them."""
    acts: list[moves.Step] = [moves.Gain(seat=seat, what="money"), moves.Gain(seat=seat, what="fleeting")]
    acts += [moves.LayRoad(seat=seat, at=name_of(cell)) for cell in cells_in(find_road_cells(state, seat))]
    return acts + list_worker_acts(state, seat, card)


def find_road_cells(state: State, seat: int) -> int:
    """The mask of the cells on which the seat can lay a road now."""
    return find_reach(state, seat, find_links(state, seat)) & find_free_land(state)


def list_worker_acts(state: State, seat: int, card: str | None) -> list[moves.Step]:
    """The places where the seat can use a worker, as far as the action can be done there to its end.

    `card` begins a turn with it; without one the act is a follow.
    """
    if state.options.workers == "without":
        return []
    acts: list[moves.Step] = []
    for on in (RACE, *(building.card for building in state.buildings)):
        act = moves.UseWorker(seat=seat, on=on)
        tried = with_card(act, card) if card else act
        if is_possible(state, act, Context(BASIC)) and can_finish(state, tried, Context(BASIC)):
            acts.append(act)
    return acts


# --- building ------------------------------------------------------------------------------------


def _list_roads(state: State, seat: int, context: Context, card: str | None) -> Iterator[moves.LayRoad]:
    """The roads of a card after which its action can be finished: Upgrade's are connected to its tile."""
    step = context.step
    cells = find_road_cells(state, seat)
    if step.instead:
        tile = find_own_tile_of_turn(state, seat)
        cells &= find_links(state, seat).region(tile.mask) if tile else 0
    elif card == "upgrade" and state.options.upgrade_road_first == "tile":
        cells = find_free_land(state)
    ahead = _find_tile_ahead(state, seat, context, card)
    if ahead:
        cells = keep_roads_before_tile(state, seat, cells, ahead)
    for cell in cells_in(cells):
        act = moves.LayRoad(seat=seat, at=name_of(cell), card=card)
        if ahead or can_finish(state, act, context):
            yield act


def _find_tile_ahead(state: State, seat: int, context: Context, card: str | None) -> TileAhead | None:
    """The tile that has to follow the road of this step, with nothing but roads between; None for anything else."""
    if card == "upgrade":
        return TileAhead(_UPGRADE, beside=True)
    steps = _list_steps_after(state, seat, context, card) or ()
    roads = len([*takewhile(lambda step: step.does == "road" and not step.optional, steps)])
    rest = steps[roads:]
    ends = bool(rest) and rest[0].does == "tile" and not rest[0].optional and not open_steps(rest, 1)
    return TileAhead(rest[0], roads) if ends else None


def _list_steps_after(state: State, seat: int, context: Context, card: str | None) -> Programme | None:
    """The steps behind that of the context, of an adviser or a worker; None where it is not among those to be done."""
    if context.origin == "card":
        return None
    if card is not None:
        steps = expand_roads(programme_of_card(state, card) or ())
    elif source := find_source(state, seat):
        steps = source.list_steps_left()
    else:
        return None
    return steps[steps.index(context.step) + 1 :] if context.step in steps else None


def _list_bases(state: State, seat: int, step: Instruction, card: str | None) -> Iterator[moves.BuildBase]:
    """Tiles of own bases, and with a whole Trade those of nobody's and of rivals'; one price a terrain (F-7.1)."""
    free = find_free_land(state)
    for base in BASES:
        owner = state.base_owner.get(base, 0)
        if owner != seat and (step.does == "base" or (owner and state.markers < MARKERS_FOR_RIVALS)):
            continue
        if len(tiles_of(state, base)) >= TILES_OF_A_RESOURCE:
            continue
        ground = free & ~find_own_ground(state, owner) & ~find_taken_sections(state, base, owner)
        for terrain, cells in field_of(state.printed.board).terrains.items():
            if step.follow and terrain not in CHEAP_TERRAINS:
                continue
            acts = [
                moves.BuildBase(seat=seat, base=base, at=name_of(cell), card=card) for cell in cells_in(ground & cells)
            ]
            if acts and can_pay(state, acts[0], step):
                yield from acts


def _list_accesses(state: State, seat: int, context: Context, card: str | None) -> Iterator[moves.BuyAccess]:
    """Access to each tile of others and of nobody that the seat can pay."""
    for tile in state.structures:
        if tile.kind in TIERS and tile.owner != seat and not tile.has_access(seat):
            act = moves.BuyAccess(seat=seat, at=name_of(tile.name), card=card)
            if is_possible(state, act, context):
                yield act


def is_possible(state: State, act: moves.Step, context: Context) -> bool:
    """Whether nothing on the board or in the purse speaks against an act."""
    breaches: list[Breach] = []
    add_breaches_of_step(state, act, context, breaches)
    return not breaches


def _list_pieces(
    state: State, seat: int, step: Instruction, card: str | None
) -> Iterator[moves.BuildHouse | moves.BuildBridge]:
    """Every house, bridge and gate that the seat can build and pay; all of a kind cost the same (F-7.2)."""
    field = field_of(state.printed.board)
    reach = find_reach(state, seat, find_links(state, seat))
    if step.what != BRIDGE and count_structures(state, seat, HOUSE) < PIECES_OF_A_KIND:
        cells = reach & find_free_land(state) & field.forest
        cells &= ~find_own_ground(state, seat) & ~find_taken_sections(state, HOUSE, seat)
        houses = [moves.BuildHouse(seat=seat, at=name_of(cell), card=card) for cell in cells_in(cells)]
        if houses and can_pay(state, houses[0], step):
            yield from houses
    if step.what != HOUSE and count_structures(state, seat, BRIDGE) < PIECES_OF_A_KIND:
        cells = reach & (field.river | field.wall) & ~(state.covered | state.roads)
        bridges = [moves.BuildBridge(seat=seat, at=name_of(cell), card=card) for cell in cells_in(cells)]
        if bridges and can_pay(state, bridges[0], step):
            yield from bridges


# --- cards ---------------------------------------------------------------------------------------


def _list_recruits(state: State, seat: int, context: Context, card: str | None) -> Iterator[moves.Recruit]:
    """The advisers whose resource the seat has, and whom it can pay; of an unseen one nobody knows what it needs."""
    for slot, adviser in enumerate(state.row, 1):
        if adviser and adviser != UNSEEN:
            act = moves.Recruit(seat=seat, slot=slot, card=card)
            if is_possible(state, act, context):
                yield act


def _list_takings(state: State, seat: int, context: Context) -> Iterator[moves.TakeBack]:
    """Every set of cards that may come back from the discard pile, the empty one included; unseen ones as `?`."""
    mat, step = state.mats[seat], context.step
    cards = [*[UNSEEN] * mat.unknown, *sorted({*mat.discard} - {step.but})]
    for n in range(step.n + 1):
        for chosen in dict.fromkeys(combinations(cards, n)):
            act = moves.TakeBack(seat=seat, cards=chosen)
            if is_possible(state, act, context):
                yield act


# --- whether an action can be finished -----------------------------------------------------------


def can_finish(state: State, act: moves.Step, context: Context) -> bool:
    """Whether every further obligatory step of the action can be done after this one (F-7.0)."""
    if isinstance(act, _WHOLE_BASIC_ACTS) and context.step is BASIC:
        return True
    if not _may_leave_steps(act, context):
        return True
    if isinstance(act, moves.LayRoad) and (ahead := _find_tile_ahead(state, act.seat, context, act.card)):
        return bool(keep_roads_before_tile(state, act.seat, mask_of(cells_of((act.at,))), ahead))
    carries_out_step = not isinstance(act, moves.PlayCard | moves.UseWorker | moves.Decline)
    if carries_out_step and _ends_action(state, act.seat, context, getattr(act, "card", None)):
        return True
    outcome = apply_without_deliveries(state, act, context)
    # of a piece that does not exist nothing can be said
    if outcome is None:
        return True
    stage = find_step_stage(outcome.state, act.seat)
    if stage is None or stage.is_optional or stage.steps[-1].unknown:
        return True
    # an adviser that nobody saw may be the one that is needed
    if UNSEEN in outcome.state.row and any(step.does == "recruit" for step in stage.steps):
        return True
    return any(True for _ in list_step_acts(outcome.state, act.seat, stage.steps, make_context(stage)))


def _ends_action(state: State, seat: int, context: Context, card: str | None) -> bool:
    """Whether nothing that is obligatory stands behind the step of the context, whichever act carries it out."""
    after = _list_steps_after(state, seat, context, card)
    return after is not None and all(step.optional or not (step.has_choice or step.unknown) for step in after)


def _may_leave_steps(act: moves.Step, context: Context) -> bool:
    """Whether an act can be one of several: of an adviser, of a worker, or Upgrade's first road."""
    if isinstance(act, moves.UseWorker) or context.origin != "card":
        return True
    return context.step.optional and not context.step.instead


def breach_of_finishing(state: State, act: moves.Step, context: Context) -> Breach:
    """The breach of an act after which a further step of its action could not be done (F-7.0)."""
    source = getattr(act, "on", "") or context.source
    unchecked = list_unchecked(state, (source, "does"), (source, "worker"), (state.mat(act.seat).race, "worker"))
    return breach("card.full", phrase("whole-action", card=Card(source)), phrase("step-impossible"), unchecked)


def with_card(act: moves.Step, card: str) -> moves.Step:
    """A basic act as the first of a turn, with a card played face-down."""
    return structs.replace(act, card=card, down=True)
