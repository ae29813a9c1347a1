"""What a scribe types at the table, and which of several ways to say a move is the likeliest.

A turn begins with the card: t Trade, r Recruit, c Construct, u Upgrade, i Income,
v Call to Vote, or the two letters of an adviser; - before it: face-down. A
follow or a further step is the same without the card.

    ge d04   a tile of gems on d4, or of any other resource by two letters
    + d04    access to the tile on d4
    h  b  r  a house, a bridge or gate, a road, each with its cell
    3        recruit the adviser in slot 3
    0  i     a coin, a fleeting influence
    wr  w2   a worker: the race's action, or that of the 2nd prestige building
    x        no follow, nothing more
    v0ir     Call to Vote: a coin, an influence, a road for three cards in hand
    2f3l1    bid for proposal 2 with 3 fleeting, 1 lasting influence

Everything is typed without blanks; a cell has two digits. What is left out is
guessed, and shown before Enter:
    .1 .m    the tile turned once, mirrored
    <c04     a tile that supplies it

A card of a deal is two letters, its name, or as much of it as tells it apart;
- before a proposal: it went back on the deck; ? a card that nobody saw. 3=sc:
the unseen adviser in slot 3 is the Scholar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from spyrium_log.title import FinalCount, Step
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import CALL, HOUSE, RACE
from spyrium_log.titles.founders.deals import ACTION_CODES, ACTION_KEYS, code_of, deal_words
from spyrium_log.titles.founders.ground import Shape, cell_of, name_of
from spyrium_log.titles.founders.messages import vocabulary
from spyrium_log.titles.founders.position.pieces import (
    find_placed_shape,
    find_tile_shape,
    find_turn,
    guess_inputs,
    list_suppliers,
)
from spyrium_log.titles.founders.rules.actions import programme_of_card
from spyrium_log.titles.founders.state import State

# --- keys ----------------------------------------------------------------------------------------

_COIN: Final = "0"
_FLEETING: Final = "i"
_NOTHING: Final = "x"
# A card that is played for an action without a choice, where it has others, too.
_ALONE: Final = "."
_UNTURNED: Final = ".0"
# The keys of prestige buildings in the order in which they stand, without letters that begin a resource behind w.
PLACES: Final = "123456789abcdfghijklmnpqstuvxyz"
_CELL = re.compile(r"([a-z]{1,2})([1-9][0-9]?)")
_ActOnCell: TypeAlias = moves.BuyAccess | moves.BuildHouse | moves.BuildBridge | moves.LayRoad


def list_steps(state: State, act: moves.Act) -> list[Step]:
    """What to type for a legal act, choice by choice; empty for a statement."""
    if isinstance(act, moves.DEALS):
        return [Step("card", word) for word in deal_words(state.printed, act)]
    if isinstance(act, FinalCount):
        return [Step("move", "f")]
    steps_of = _STEPS.get(type(act))
    if steps_of is None:
        return []
    steps = steps_of(state, act)
    if not isinstance(act, moves.Played) or act.card is None:
        return steps
    return [Step("card", _make_card_key(state, act.card, down=act.down)), *steps]


def _make_card_key(state: State, card: str, *, down: bool) -> str:
    """`t`, `sc`, `-?`: what is typed for the card that is played."""
    key = ACTION_KEYS.get(card) or code_of(state.printed, card)
    return f"-{key}" if down else key


def _make_cell_step(cell: str) -> Step:
    """`d04`: two digits, so that no cell begins another."""
    match = _CELL.fullmatch(cell)
    return Step("cell", f"{match[1]}{int(match[2]):02}" if match else cell)


def _make_code_step(name: str, state: State, card: str) -> Step:
    """The choice of a card, typed by its code; `name` says what it is about, as `race`."""
    return Step(name, code_of(state.printed, card))


def _make_piece_stepper(key: str) -> Callable[[State, _ActOnCell], list[Step]]:
    """A function that gives the steps of an act, for `_STEPS`: this key, then the cell."""
    return lambda _state, act: [Step("what", key), _make_cell_step(act.at)]


def _list_tile_steps(state: State, act: moves.BuildTile) -> list[Step]:
    """The resource, where its first cell lies, how it is turned, and the suppliers of which there are several."""
    placed = _list_placed_steps(find_tile_shape(state, act.resource), act.cells)
    suppliers: list[Step] = []
    if act.inputs != guess_inputs(state, act.seat, act.resource):
        suppliers = [Step("supplier", f"<{_make_cell_step(cell).key}", optional=True) for cell in act.inputs]
    return [_make_code_step("what", state, act.resource), *placed, *suppliers]


def _list_placed_steps(shape: Shape | None, cells: moves.Cells) -> list[Step]:
    """The first cell and the turn of a shape; all the cells where it is not known."""
    turn = find_turn(shape, cells)
    if turn is None:
        return [_make_cell_step(cell) for cell in cells]
    return [_make_cell_step(cells[0]), Step("turn", turn or _UNTURNED, optional=True)]


def _list_recruit_steps(state: State, act: moves.Recruit) -> list[Step]:
    """The slot; and the adviser in it, where nobody saw that before."""
    named = [Step("card", f"={code_of(state.printed, act.named)}")] if act.named else []
    return [Step("slot", str(act.slot)), *named]


def _list_play_steps(state: State, act: moves.PlayCard) -> list[Step]:
    """Nothing behind the card, but where the card could begin with a choice as well."""
    programme = programme_of_card(state, act.card) if act.card and not act.down else None
    has_choice = programme is None or any(step.has_choice or step.unknown for step in programme)
    return [Step("what", _ALONE)] if has_choice else []


def _find_place_key(state: State, on: str) -> str:
    """The key of the place of a worker: `r` the own race, a sign for each building in turn, else the card's code."""
    if on == RACE:
        return "r"
    cards = [building.card for building in state.buildings[: len(PLACES)]]
    return PLACES[cards.index(on)] if on in cards else code_of(state.printed, on)


def _list_taking_back_steps(state: State, act: moves.TakeBack) -> list[Step]:
    """How many cards, so that no list of them begins another, and which."""
    cards = [Step("card", ACTION_CODES.get(card) or code_of(state.printed, card)) for card in act.cards]
    return [Step("what", "k"), Step("how many", str(len(cards))), *cards]


def _list_race_steps(state: State, act: moves.TakeRace) -> list[Step]:
    """The race, and its base card where it has to be said."""
    base = [] if act.base is None else [_make_code_step("base", state, act.base)]
    return [_make_code_step("race", state, act.race), *base]


def _list_taking_steps(state: State, act: moves.TakeBase) -> list[Step]:
    """The base card, and from whom where it can be taken from several."""
    who = [] if act.who is None else [Step("from whom", str(act.who), optional=True)]
    return [_make_code_step("base", state, act.base), *who]


def _list_call_steps(state: State, act: moves.CallVote) -> list[Step]:
    """A key for each card left in hand, `x` for one that brings nothing: so no list begins another."""
    # without the card that calls
    left = state.mat(act.seat).cards_in_hand - 1 - act.money - act.fleeting - act.roads
    keys = _COIN * act.money + _FLEETING * act.fleeting + "r" * act.roads + _NOTHING * left
    return [Step("card", ACTION_KEYS[CALL]), *([Step("for the cards in hand", keys)] if keys else [])]


def _list_bid_steps(_state: State, act: moves.Bid | moves.ChooseProposal) -> list[Step]:
    """The proposal, and the influence for it."""
    return [Step("proposal", str(act.proposal)), *_list_influence_steps(act)]


def _list_influence_steps(act: moves.Bid | moves.ChooseProposal | moves.PayClaims) -> list[Step]:
    """How much influence of each kind; what is left out is guessed."""
    fleeting = Step("fleeting", f"f{act.fleeting}", optional=True)
    return [fleeting, Step("lasting", f"l{act.lasting}", optional=True)]


def _list_delivery_steps(state: State, act: moves.Deliver) -> list[Step]:
    """The cell of the tile; what it goes to only where several deliveries are due."""
    names = (("resource", act.resource), ("building", act.building))
    others = [Step(name, f":{code_of(state.printed, card)}", optional=True) for name, card in names]
    return [_make_cell_step(act.at), *others]


_STEPS: Final[dict[type, Callable[[State, Any], list[Step]]]] = {
    moves.TakeRace: _list_race_steps,
    moves.TakeBase: _list_taking_steps,
    moves.PlaceStart: lambda _state, act: [_make_cell_step(act.at)],
    moves.BuildBase: lambda state, act: [_make_code_step("what", state, act.base), _make_cell_step(act.at)],
    moves.BuyAccess: _make_piece_stepper("+"),
    moves.BuildHouse: _make_piece_stepper("h"),
    moves.BuildBridge: _make_piece_stepper("b"),
    moves.BuildTile: _list_tile_steps,
    moves.Recruit: _list_recruit_steps,
    moves.PlayCard: _list_play_steps,
    moves.LayRoad: _make_piece_stepper("r"),
    moves.Gain: lambda _state, act: [Step("what", _COIN if act.what == "money" else _FLEETING)],
    moves.UseWorker: lambda state, act: [Step("what", "w"), Step("place", _find_place_key(state, act.on))],
    moves.TakeBack: _list_taking_back_steps,
    moves.CallVote: _list_call_steps,
    moves.Bid: _list_bid_steps,
    moves.BreakTie: lambda _state, act: [Step("proposal", str(act.proposal))],
    moves.ChooseProposal: _list_bid_steps,
    moves.PayClaims: lambda _state, act: [Step("move", "p"), *_list_influence_steps(act)],
    moves.PlacePrestige: lambda state, act: _list_placed_steps(find_placed_shape(state), act.cells),
    moves.Deliver: _list_delivery_steps,
    moves.Decline: lambda _state, _act: [Step("what", _NOTHING)],
}

# --- beside the keys ------------------------------------------------------------------------------


def find_hint(state: State, act: moves.Act, rules: Sequence[str], language: str) -> str:
    """A hint for a tile whose suppliers were left out, '' for anything else; `rules` are those that the act breaks."""
    if "tile.inputs" not in rules or not isinstance(act, moves.BuildTile) or act.inputs:
        return ""
    suppliers = list_suppliers(state, act.seat, act.resource)
    if not suppliers or not all(suppliers):
        return ""
    example = f"<{','.join(name_of(tiles[0].name) for tiles in suppliers)}"
    return vocabulary(language)["hints"]["suppliers"].format(example=example)


def find_printed_price(state: State, act: moves.Act) -> tuple[str, str] | None:
    """The component and the printed value that an act's price depends on; None where the rules give the price."""
    board = state.printed.board
    match act:
        case moves.Recruit():
            return (f"slot-{act.slot}", "price")
        case moves.BuildBase() if state.base_owner.get(act.base, 0) == act.seat:
            terrain = board.kinds.get(cell_of(act.at))
            return (f"terrain-{terrain}", "build") if terrain in state.printed.trade else None
        case moves.BuyAccess():
            return _find_access_price(state, act)
        case _:
            return None


def _find_access_price(state: State, act: moves.BuyAccess) -> tuple[str, str] | None:
    """The terrain whose price access to a tile has: the cheapest below it, or one whose price nobody knows."""
    tile = state.structure_at(cell_of(act.at))
    if tile is None or tile.kind == HOUSE:
        return None
    board, trade = state.printed.board, state.printed.trade
    terrains = [board.kinds.get(cell, "") for cell in tile.cells]
    # one that nobody knows comes before all
    prices = {terrain: trade[terrain].access or 0 for terrain in terrains if terrain in trade}
    return (f"terrain-{min(prices, key=prices.__getitem__)}", "access") if prices else None


def track_numbers(_state: State, _resource: str) -> Sequence[int]:
    """The numbers printed along the track of a resource: none, amounts are just amounts."""
    return ()
