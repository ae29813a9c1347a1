"""Acts that somebody may type although the rules do not allow them, so that the refusal names the rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import structs

from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import ACTION_CARDS, BASES, CALL, RACE, RACES, ROW, TIER_2, TIER_3
from spyrium_log.titles.founders.ground import Shape, name_of
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.position.pieces import cells_from, find_placed_shape, find_tile_shape, guess_inputs
from spyrium_log.titles.founders.rules.turn import find_stage, playable_cards
from spyrium_log.titles.founders.state import State


def list_naming_acts(state: State, card: str) -> list[moves.Act]:
    """Every recruiting of an unseen adviser if it turns out to be this one."""
    return [
        structs.replace(act, named=card)
        for act in list_acts_to_try(state)
        if isinstance(act, moves.Recruit) and act.slot <= len(state.row) and state.row[act.slot - 1] == UNSEEN
    ]


def list_acts_to_try(state: State) -> list[moves.Act]:
    """Acts that may be typed without being legal, on every cell of the board; tiles lie as their shape is drawn."""
    stage = find_stage(state)
    seat, cells = stage.seat, [name_of(cell) for cell in state.printed.board.kinds]
    acts: list[moves.Act] = []
    match stage.kind:
        case "turn":
            acts += _list_turns_to_try(state, seat, cells)
        case "follow" | "step":
            acts += [*_list_steps_to_try(state, seat, cells), moves.Decline(seat=seat)]
        case "road":
            acts += [moves.LayRoad(seat=seat, at=cell) for cell in cells]
        case "race":
            acts += [moves.TakeRace(seat=seat, race=race) for race in RACES]
        case "base" | "third":
            acts += [moves.TakeBase(seat=seat, base=base) for base in BASES]
        case "start":
            acts += [moves.PlaceStart(seat=seat, at=cell) for cell in cells]
        case "place":
            shape = find_placed_shape(state)
            acts += [moves.PlacePrestige(seat=seat, cells=placed) for placed in _list_places(shape, cells)]
        case "deliver":
            acts += [
                moves.Deliver(seat=seat, building=building, resource=resource, at=cell)
                for building, resource, _ in state.due
                for cell in cells
            ]
        case "bid" | "choose":
            kind = moves.Bid if stage.kind == "bid" else moves.ChooseProposal
            acts += [kind(seat=seat, proposal=proposal) for proposal in range(1, len(state.proposals) + 1)]
        case _:
            pass
    return acts


def _list_turns_to_try(state: State, seat: int, cells: Sequence[str]) -> Iterator[moves.Act]:
    """A turn with each card that the seat may have: what its main action may be, and every basic action."""
    yield moves.CallVote(seat=seat)
    cards = [card for card in (*ACTION_CARDS, *playable_cards(state, seat), UNSEEN) if card != CALL]
    for card in dict.fromkeys(cards):
        yield moves.PlayCard(seat=seat, card=card)
        kinds = _KINDS_OF_CARDS.get(card, ())
        for act in _list_steps_to_try(state, seat, cells):
            if isinstance(act, kinds):
                yield structs.replace(act, card=card)
            if isinstance(act, _BASIC_KINDS):
                yield structs.replace(act, card=card, down=True)


_BASIC_KINDS: Final = (moves.Gain, moves.LayRoad, moves.UseWorker)
_KINDS_OF_CARDS: Final[dict[str, tuple[type, ...]]] = {
    "trade": (moves.BuildBase, moves.BuyAccess),
    "recruit": (moves.Recruit,),
    "construct": (moves.BuildHouse, moves.BuildBridge),
    "upgrade": (moves.LayRoad, moves.BuildTile),
}


def _list_steps_to_try(state: State, seat: int, cells: Sequence[str]) -> Iterator[moves.Step]:
    """Every step without a card."""
    yield moves.Gain(seat=seat, what="money")
    yield moves.Gain(seat=seat, what="fleeting")
    for on in (RACE, *(building.card for building in state.buildings)):
        yield moves.UseWorker(seat=seat, on=on)
    for slot in range(1, ROW + 1):
        yield moves.Recruit(seat=seat, slot=slot)
    for cell in cells:
        yield moves.LayRoad(seat=seat, at=cell)
        yield moves.BuyAccess(seat=seat, at=cell)
        yield moves.BuildHouse(seat=seat, at=cell)
        yield moves.BuildBridge(seat=seat, at=cell)
        for base in BASES:
            yield moves.BuildBase(seat=seat, base=base, at=cell)
    for resource in (*TIER_2, *TIER_3):
        shape, inputs = find_tile_shape(state, resource), guess_inputs(state, seat, resource)
        for placed in _list_places(shape, cells)[: len(cells)]:
            yield moves.BuildTile(seat=seat, resource=resource, cells=placed, inputs=inputs)


def _list_places(shape: Shape | None, cells: Sequence[str]) -> list[moves.Cells]:
    """Every way to lay a shape with its first cell on one of these: as it is drawn, then turned."""
    if shape is None:
        return []
    placed = (cells_from(cell, steps) for steps in shape.turns for cell in cells)
    return [each for each in dict.fromkeys(placed) if each is not None]
