"""Acts that somebody may type although the rules do not allow them, so that the refusal names the rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import structs

from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import ACTION_CARDS, BASES, CALL, RACE, RACES, ROW, TIER_2, TIER_3
from spyrium_log.titles.founders.ground import Turned, name_of
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.position.pieces import cells_from, find_placed_shape, find_tile_shape, guess_inputs
from spyrium_log.titles.founders.rules.turn import find_stage
from spyrium_log.titles.founders.state import State

# A step that may begin a turn.
_Step: TypeAlias = (
    moves.Gain
    | moves.LayRoad
    | moves.BuildBase
    | moves.BuyAccess
    | moves.BuildHouse
    | moves.BuildBridge
    | moves.BuildTile
    | moves.Recruit
    | moves.UseWorker
)


def list_naming_acts(state: State, card: str) -> list[moves.Act]:
    """Every recruiting of an unseen adviser if it turns out to be this one."""
    return [
        structs.replace(act, named=card)
        for act in list_acts_to_try(state)
        if isinstance(act, moves.Recruit) and state.card_in_slot(act.slot) == UNSEEN
    ]


def list_acts_to_try(state: State) -> list[moves.Act]:
    """Acts that may be typed without being legal, on every cell that is there for them; tiles lie as they are drawn."""
    stage = find_stage(state)
    seat, cells = stage.seat, [name_of(cell) for cell in state.printed.board.kinds]
    match stage.kind:
        case "turn":
            return list(_list_turns_to_try(state, seat))
        case "follow" | "step":
            return [*_list_steps_to_try(state, seat), moves.Decline(seat=seat)]
        case "road":
            return [moves.LayRoad(seat=seat, at=cell) for cell in cells]
        case "race":
            return [moves.TakeRace(seat=seat, race=race) for race in RACES]
        case "base" | "third":
            return [moves.TakeBase(seat=seat, base=base) for base in BASES]
        case "start":
            return [moves.PlaceStart(seat=seat, at=cell) for cell in cells]
        case "place":
            shape = find_placed_shape(state)
            turns = shape.turns if shape else ()
            return [moves.PlacePrestige(seat=seat, cells=placed) for placed in _list_placements(turns, cells)]
        case "deliver":
            return [
                moves.Deliver(seat=seat, building=building, resource=resource, at=cell)
                for building, resource, _ in state.due
                for cell in cells
            ]
        case "bid" | "choose":
            kind = moves.Bid if stage.kind == "bid" else moves.ChooseProposal
            return [kind(seat=seat, proposal=proposal) for proposal in range(1, len(state.proposals) + 1)]
        case _:
            return []


def _list_turns_to_try(state: State, seat: int) -> Iterator[moves.Act]:
    """A turn with each card that the seat may have: what its main action may be, and every basic action."""
    yield moves.CallVote(seat=seat)
    steps = _list_steps_to_try(state, seat)
    basic = [act for act in steps if isinstance(act, _BASIC_KINDS)]
    cards = dict.fromkeys((*ACTION_CARDS, *state.mat(seat).list_playable_cards(), UNSEEN))
    for card in cards:
        if card != CALL:
            yield moves.PlayCard(seat=seat, card=card)
            yield from (structs.replace(act, card=card, down=True) for act in basic)
    for card, kinds in _KINDS_OF_CARDS.items():
        yield from (structs.replace(act, card=card) for act in steps if type(act) in kinds)


_BASIC_KINDS: Final = (moves.Gain, moves.LayRoad, moves.UseWorker)
_KINDS_OF_CARDS: Final[dict[str, tuple[type, ...]]] = {
    "trade": (moves.BuildBase, moves.BuyAccess),
    "recruit": (moves.Recruit,),
    "construct": (moves.BuildHouse, moves.BuildBridge),
    "upgrade": (moves.LayRoad, moves.BuildTile),
}


def _list_steps_to_try(state: State, seat: int) -> list[_Step]:
    """Every step, legal or not, as a follow or to go with a card."""
    kinds = state.printed.board.kinds
    cells = [name_of(cell) for cell in kinds]
    land = [name_of(cell) for cell in state.printed.board.land]
    spanned = [name_of(cell) for cell, kind in kinds.items() if kind in {"river", "wall"}]
    steps: list[_Step] = [moves.Gain(seat=seat, what="money"), moves.Gain(seat=seat, what="fleeting")]
    places = (RACE, *(building.card for building in state.buildings))
    steps += [moves.UseWorker(seat=seat, on=on) for on in places]
    steps += [moves.Recruit(seat=seat, slot=slot) for slot in range(1, ROW + 1)]
    steps += [moves.BuyAccess(seat=seat, at=cell) for cell in cells]
    steps += [moves.BuildBridge(seat=seat, at=cell) for cell in spanned]
    for kind in (moves.LayRoad, moves.BuildHouse):
        steps += [kind(seat=seat, at=cell) for cell in land]
    steps += [moves.BuildBase(seat=seat, base=base, at=cell) for base in BASES for cell in land]
    for resource in (*TIER_2, *TIER_3):
        shape, inputs = find_tile_shape(state, resource), guess_inputs(state, seat, resource)
        places_of_tile = _list_placements(shape.turns[:1] if shape else (), land)
        steps += [moves.BuildTile(seat=seat, resource=resource, cells=at, inputs=inputs) for at in places_of_tile]
    return steps


def _list_placements(turns: Sequence[Turned], cells: Sequence[str]) -> list[moves.Cells]:
    """The cells of a piece in each of these turns, its first cell on each of these, as far as it lies on the board."""
    placements = (cells_from(cell, steps) for steps in dict.fromkeys(turns) for cell in cells)
    return [placed for placed in placements if placed is not None]
