"""How likely an act is to be meant by what a scribe typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spyrium_log.title import Rank
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import BASES, RACE, RACES, TIER_2, TIER_3
from spyrium_log.titles.founders.deals import ACTION_KEYS
from spyrium_log.titles.founders.ground import Shape, cell_of
from spyrium_log.titles.founders.position.pieces import find_placed_shape, find_tile_shape, find_turn, list_turns
from spyrium_log.titles.founders.state import State

# The kinds of acts, the likeliest first.
_KINDS: Final = {
    kind: index
    for index, kind in enumerate(
        (
            *(moves.TakeRace, moves.TakeBase, moves.PlaceStart, moves.BuildBase, moves.BuyAccess, moves.BuildHouse),
            *(moves.BuildBridge, moves.BuildTile, moves.Recruit, moves.PlayCard, moves.LayRoad, moves.Gain),
            *(moves.UseWorker, moves.TakeBack, moves.CallVote, moves.Bid, moves.BreakTie, moves.ChooseProposal),
            *(moves.PayClaims, moves.PlacePrestige, moves.Deliver, moves.Decline),
        )
    )
}
_CARDS: Final = {card: index for index, card in enumerate(ACTION_KEYS)}


def rank_act(state: State, act: moves.Act) -> Rank:
    """How likely an act is to be meant, lowest first: by card and kind, along the board, and within one by cost."""
    card = getattr(act, "card", None)
    # without a card, then face-up, then face-down
    face = 0 if card is None else 1 + getattr(act, "down", False)
    played = (face, 0 if card is None else _CARDS.get(card, len(_CARDS)))
    kind = _KINDS.get(type(act), len(_KINDS))
    order = (*played, kind, *_rank_within_kind(state, act))
    return Rank(waste=isinstance(act, moves.Decline), order=order)


def _rank_within_kind(state: State, act: moves.Act) -> tuple[int, ...]:
    """Sort key of acts of one kind: by resource and place, untouched shapes and own suppliers first."""
    match act:
        case moves.BuildBase():
            return (_index_of(BASES, act.base), cell_of(act.at))
        case moves.LayRoad() | moves.BuyAccess() | moves.BuildHouse() | moves.BuildBridge() | moves.PlaceStart():
            return (cell_of(act.at),)
        case moves.Deliver():
            return (cell_of(act.at),)
        case moves.BuildTile():
            place = _rank_place(find_tile_shape(state, act.resource), act.cells)
            return (_index_of((*TIER_2, *TIER_3), act.resource), *place, *_rank_suppliers(state, act))
        case moves.PlacePrestige():
            return _rank_place(find_placed_shape(state), act.cells)
        case moves.Recruit():
            return (act.slot,)
        case moves.Gain():
            return (act.what != "money",)
        case moves.CallVote():
            return (-act.money, -act.fleeting)
        case moves.Bid() | moves.ChooseProposal():
            return (act.proposal, act.lasting, act.fleeting)
        case moves.PayClaims():
            return (act.lasting, act.fleeting)
        case moves.BreakTie():
            return (act.proposal,)
        case moves.TakeRace():
            return (_index_of(RACES, act.race), _index_of(BASES, act.base or ""))
        case moves.TakeBase():
            return (_index_of(BASES, act.base), act.who or 0)
        case moves.UseWorker():
            return (act.on != RACE,)
        case moves.TakeBack():
            return (-len(act.cards),)
        case _:
            return ()


def _index_of(words: Sequence[str], word: str) -> int:
    """The place of a word in a list; behind all where it is none of them."""
    return words.index(word) if word in words else len(words)


def _rank_place(shape: Shape | None, cells: moves.Cells) -> tuple[int, int]:
    """Sort key of the ways to lay a shape: along the board, then by turns."""
    turn = find_turn(shape, cells)
    turns = [written for written, _ in list_turns(shape)] if shape else []
    return (cell_of(cells[0]) if cells else 0, _index_of(turns, turn or ""))


def _rank_suppliers(state: State, act: moves.BuildTile) -> tuple[int, ...]:
    """Sort key of the suppliers: first those with fewer tiles of others, to whom points would pass, then by cell."""
    tiles = [state.structure_at(cell_of(cell)) for cell in act.inputs]
    foreign = sum(tile is None or tile.owner != act.seat for tile in tiles)
    return (foreign, *(cell_of(cell) for cell in act.inputs))
