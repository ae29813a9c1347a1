"""What the tables of an archive hold of an act and of what lies before each seat. No rule asks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, get_args

from spyrium_log.sheet import Sheet
from spyrium_log.title import Deed, Piece, tag_of
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import ACTION_CARDS, BASES, CALL, RACE, RACES, ROW, CardKind
from spyrium_log.titles.founders.ground import cell_of
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.rules.turn import find_stage
from spyrium_log.titles.founders.state import State
from spyrium_log.titles.founders.words import VERBS, find_recruited

# The kinds of cards that stay before whoever takes them. A prestige building lies on the board and is nobody's.
LASTING: Final = frozenset(("race", "base", "adviser"))
# Where the cards of the draft and the proposals are taken from: behind the slots of the adviser row.
PLACE_OF_PROPOSALS: Final = ROW

_PHASES: Final = {
    **dict.fromkeys(("setup", "race", "base", "third", "start"), "draft"),
    **dict.fromkeys(("step", "road", "deliver"), "step"),
    **dict.fromkeys(("bid", "tie", "choose", "claims"), "vote"),
    **dict.fromkeys(("place", "replace"), "place"),
    "follow": "follow",
}
# The causes of what a deed's card costs or brings, and of what its tool does.
_CAUSES_OF_CARD: Final = frozenset(("price", "reward", "vote", "proposal"))
_CAUSES_OF_TOOL: Final = frozenset(("saved", "adviser", "race", "prestige"))
# What is played and is no adviser.
_NO_TOOLS: Final = frozenset(("", UNSEEN, *ACTION_CARDS))
_USE_WORKER: Final = tag_of(moves.UseWorker)


def phase_name(state: State, _seat: int) -> str:
    """What the table is at: `draft`, `turn`, `step`, `follow`, `vote` or `place`."""
    return _PHASES.get(find_stage(state).kind, "turn")


def list_kinds(sheet: Sheet) -> dict[str, str]:
    """The cards that a set knows by kind: races and bases are in every one."""
    kinds: dict[str, str] = {**dict.fromkeys(RACES, "race"), **dict.fromkeys(BASES, "base")}
    known = get_args(CardKind)
    return kinds | {row.of: str(row.value) for row in sheet.printed if row.what == "kind" and row.value in known}


def make_deed(state: State, act: moves.Act) -> Deed:
    """What an act does, with which card, and with which adviser or worker's place as its tool."""
    deed_of = _DEEDS.get(type(act))
    deed = deed_of(state, act) if deed_of else Deed(VERBS.get(type(act), "state"))
    return deed if deed.tool else deed._replace(tool=_find_tool(state, act))


def _find_tool(state: State, act: moves.Act) -> str:
    """The adviser that is played with an act, or what the act is a further step of; '' for neither."""
    card = getattr(act, "card", None)
    if card is not None:
        return "" if getattr(act, "down", False) or card in _NO_TOOLS else card
    if not isinstance(act, moves.STEPS):
        return ""
    workers = [done.about for done in state.did if done.seat == act.seat and done.tag == _USE_WORKER]
    if workers:
        return state.mat(act.seat).race if workers[-1] == RACE else workers[-1]
    is_of_played_card = act.seat == state.last and not state.down
    return state.played if is_of_played_card and state.played not in _NO_TOOLS else ""


def _deed_of_draft(_state: State, act: moves.TakeRace | moves.TakeBase) -> Deed:
    """A race or a base is taken from its place among all."""
    if type(act) is moves.TakeRace:
        return Deed("draft", act.race, _place_in(RACES, act.race))
    return Deed("draft", act.base, _place_in(BASES, act.base))


def _place_in(cards: tuple[str, ...], card: str) -> int:
    """The place of a card, counted from 1; 0 where it is none of these, as a Deed has it."""
    return cards.index(card) + 1 if card in cards else 0


def _deed_of_access(state: State, act: moves.BuyAccess) -> Deed:
    """What lies on the cell is bought access to; nothing is named where nothing lies."""
    tile = state.structure_at(cell_of(act.at))
    return Deed("trade", tile.kind if tile else "")


def _deed_of_worker(state: State, act: moves.UseWorker) -> Deed:
    """The race, which is the only one of its seat, or the prestige building that the worker stands on."""
    if act.on == RACE:
        race = state.mat(act.seat).race
        return Deed("use", race, tool=race, used=int(bool(race)))
    return Deed("use", act.on, tool=act.on)


def _deed_of_vote(state: State, act: moves.Bid | moves.BreakTie | moves.ChooseProposal) -> Deed:
    """A vote, with the building and its place behind the adviser row."""
    card = state.proposal(act.proposal)
    return Deed("vote", card, PLACE_OF_PROPOSALS + act.proposal) if card else Deed("vote")


_DEEDS: Final[dict[type, Callable[[State, Any], Deed]]] = {
    moves.TakeRace: _deed_of_draft,
    moves.TakeBase: _deed_of_draft,
    moves.PlaceStart: lambda state, act: Deed("draft", state.mat(act.seat).race_base),
    moves.BuildBase: lambda _state, act: Deed("trade", act.base),
    moves.BuyAccess: _deed_of_access,
    moves.BuildTile: lambda _state, act: Deed("build", act.resource),
    moves.Recruit: lambda state, act: Deed("hire", find_recruited(state, act), act.slot),
    moves.PlayCard: lambda _state, act: Deed("earn", act.card or ""),
    moves.UseWorker: _deed_of_worker,
    moves.CallVote: lambda _state, _act: Deed("vote", CALL),
    moves.Bid: _deed_of_vote,
    moves.BreakTie: _deed_of_vote,
    moves.ChooseProposal: _deed_of_vote,
    moves.PlacePrestige: lambda state, _act: Deed("build", state.chosen_proposal),
    moves.Deliver: lambda _state, act: Deed("choose", act.building),
}


def find_credited_card(deed: Deed, why: str) -> str:
    """The card that a change comes from: one bought or used, or an adviser that helps; no card for what tiles score."""
    if why in _CAUSES_OF_TOOL:
        return deed.tool
    return deed.card if why in _CAUSES_OF_CARD else ""


def list_pieces(state: State, seat: int) -> list[Piece]:
    """The race, the base cards and the advisers of a seat, wherever in its hand or discard pile they are.

    None of them counts in the final count: advisers bring their points when they are recruited.
    """
    mat = state.mat(seat)
    advisers = sorted(card for card in (*mat.hand, *mat.discard) if card not in {UNSEEN, *ACTION_CARDS})
    return [Piece(card) for card in (mat.race, mat.race_base, *mat.bases, *advisers) if card]


def count_unseen_cards(state: State) -> int:
    """The number of cards that lie there, or lay there, and that nobody named."""
    held = [card for mat in state.mats for card in (*mat.hand, *mat.discard)]
    built = [building.card for building in state.buildings]
    return [*state.row, *state.proposals, *state.spent, *state.removed, *state.goals, *held, *built].count(UNSEEN)
