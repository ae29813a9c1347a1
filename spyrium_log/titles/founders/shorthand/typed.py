"""The act that keys mean where no legal one has them, so that the refusal names what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import structs

from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import BASES, CALL, RACE, RACES
from spyrium_log.titles.founders.deals import ACTION_KEYS, cards_by_code
from spyrium_log.titles.founders.position.pieces import (
    cells_from,
    find_placed_shape,
    find_tile_shape,
    guess_inputs,
    list_turns,
)
from spyrium_log.titles.founders.rules.turn import find_stage
from spyrium_log.titles.founders.shorthand import PLACES
from spyrium_log.titles.founders.state import State

_Match: TypeAlias = re.Match[str]
# How the parts of a move are typed.
_CELL: Final = r"[a-z]{1,2}[0-9]{2}"
_CODE: Final = r'(?:[a-z]{2}|[?]|"[a-z][a-z0-9-]{0,39}")'
_TURN: Final = r"(?:\.(?P<turn>0|[1-3]?m?))?"
_INFLUENCE: Final = r"(?:f(?P<fleeting>[0-9]{1,2}))?(?:l(?P<lasting>[0-9]{1,2}))?"


_DRAFTS: Final = ("race", "base", "third", "start")


class _Moment(NamedTuple):
    """The table, who is to act, and what the game waits for."""

    state: State
    seat: int
    stage: str


def read_typed(state: State, text: str) -> Sequence[moves.Act]:
    """The act that keys mean, legal or not; none while they are half typed."""
    stage = find_stage(state)
    moment = _Moment(state, stage.seat, stage.kind)
    if not stage.seat:
        return []
    with_card, without = _read_with_card(moment, text), _read_move(moment, text)
    # only a turn begins with a card
    order = (with_card, without) if stage.kind == "turn" else (without, with_card)
    return [act for act in order if act is not None][:1]


def _read_with_card(moment: _Moment, text: str) -> moves.Act | None:
    """The move that begins with the card that is played, `t` or the code of an adviser, face-down behind a `-`."""
    down, line = text.startswith("-"), text.removeprefix("-")
    if line.startswith(ACTION_KEYS[CALL]) and (match := re.fullmatch(r"v(?P<bonuses>[0irx]*)", line)) and not down:
        keys = match["bonuses"]
        counts = {"money": keys.count("0"), "fleeting": keys.count("i"), "roads": keys.count("r")}
        return moves.CallVote(seat=moment.seat, **counts)
    for card, key in _list_cards(moment.state, line):
        rest = line.removeprefix(key)
        step = moves.PlayCard(seat=moment.seat) if rest in ("", ".") else _read_move(moment, rest)
        if isinstance(step, moves.Played):
            return structs.replace(step, card=card, down=down)
    return None


def _list_cards(state: State, line: str) -> Iterator[tuple[str, str]]:
    """The cards that may be played, each with the keys that begin the line."""
    yield from ((card, key) for card, key in ACTION_KEYS.items() if line.startswith(key))
    if match := re.match(_CODE, line):
        yield _find_card(state, match[0]), match[0]


def _read_move(moment: _Moment, text: str) -> moves.Act | None:
    """The move without a card."""
    # in the draft two letters are a card, and no worker on a place
    readers = (*_DRAFT_READERS, *_READERS) if moment.stage in _DRAFTS else _READERS
    for pattern, read in readers:
        if match := re.fullmatch(pattern, text):
            act = read(moment, match)
            if act is not None:
                return act
    return None


def _find_card(state: State, code: str) -> str:
    """The card of a code; an id in quotes, and ? for what nobody saw, as they are."""
    return cards_by_code(state.printed).get(code, code.strip('"'))


def _make_name(cell: str) -> str:
    """`d4` for `d04`."""
    letters = cell.rstrip("0123456789")
    return f"{letters}{int(cell[len(letters) :])}"


def _list_names(cells: str) -> tuple[str, ...]:
    """The names of cells that are typed one behind the other, or behind `<`."""
    return tuple(_make_name(cell) for cell in re.findall(_CELL, cells))


def _read_gain(moment: _Moment, match: _Match) -> moves.Act:
    """`0`, `i`: a coin, a fleeting influence."""
    return moves.Gain(seat=moment.seat, what="money" if match[0] == "0" else "fleeting")


def _make_piece_reader(kind: type[Any]) -> Callable[[_Moment, _Match], moves.Act]:
    """A function that reads a move of this kind on one cell."""
    return lambda moment, match: kind(seat=moment.seat, at=_make_name(match["at"]))


def _read_tile(moment: _Moment, match: _Match) -> moves.Act | None:
    """`ged04`, `brc07.1<b05`: a base, or a tile with its turn and suppliers, which are guessed where left out."""
    state, seat, what = moment.state, moment.seat, _find_card(moment.state, match["what"])
    # a bridge on ai3 is no tile `ba` on i3
    if what == match["what"]:
        return None
    if what in BASES and not match["turn"] and not match["inputs"] and len(_list_names(match["cells"])) == 1:
        return moves.BuildBase(seat=seat, base=what, at=_make_name(match["cells"]))
    shape = find_tile_shape(state, what)
    if shape is None and match["turn"]:
        return None
    inputs = _list_names(match["inputs"]) or guess_inputs(state, seat, what)
    return moves.BuildTile(seat=seat, resource=what, cells=_lay(shape, match), inputs=inputs)


def _lay(shape: Any, match: _Match) -> moves.Cells:
    """The cells that are typed, or those of a shape whose first one is typed, in its turn."""
    cells = _list_names(match["cells"])
    if shape is None or len(cells) > 1:
        return cells
    turn = f".{match['turn']}" if match["turn"] not in (None, "0") else ""
    steps = dict(list_turns(shape)).get(turn)
    return (cells_from(cells[0], steps) if steps is not None else None) or cells


def _read_recruiting(moment: _Moment, match: _Match) -> moves.Act:
    """`3`, `3=hu`: an adviser, with a name if nobody had seen it."""
    named = _find_card(moment.state, match["named"]) if match["named"] else None
    return moves.Recruit(seat=moment.seat, slot=int(match["slot"]), named=named)


def _read_worker(moment: _Moment, match: _Match) -> moves.Act | None:
    """`wr`, `w2`: a worker on the race, or on a building."""
    place, buildings = match["place"], [building.card for building in moment.state.buildings]
    if place == "r":
        return moves.UseWorker(seat=moment.seat, on=RACE)
    if place in PLACES:
        index = PLACES.index(place)
        return moves.UseWorker(seat=moment.seat, on=buildings[index]) if index < len(buildings) else None
    return None if len(place) == 1 else moves.UseWorker(seat=moment.seat, on=_find_card(moment.state, place))


def _read_taking_back(moment: _Moment, match: _Match) -> moves.Act:
    """`k2trco`: cards taken back; how many is typed before them."""
    codes = re.findall(_CODE, match["cards"] or "")
    return moves.TakeBack(seat=moment.seat, cards=tuple(_find_card(moment.state, code) for code in codes))


def _read_proposal(moment: _Moment, match: _Match) -> moves.Act | None:
    """`2f3l1`, `2`: a bid, a tie that is broken, or the proposal of a game alone, by what is due."""
    state, proposal = moment.state, int(match["proposal"])
    if moment.stage == "tie" and not (match["fleeting"] or match["lasting"]):
        return moves.BreakTie(seat=moment.seat, proposal=proposal)
    # a digit alone is an adviser, but in a vote
    if moment.stage not in ("bid", "choose") and not (match["fleeting"] or match["lasting"]):
        return None
    kind = moves.ChooseProposal if state.seats == 1 else moves.Bid
    fleeting, lasting = int(match["fleeting"] or 0), int(match["lasting"] or 0)
    return kind(seat=moment.seat, proposal=proposal, fleeting=fleeting, lasting=lasting)


def _read_claims(moment: _Moment, match: _Match) -> moves.Act:
    """`p`, `pf2l1`: claims paid."""
    return moves.PayClaims(seat=moment.seat, fleeting=int(match["fleeting"] or 0), lasting=int(match["lasting"] or 0))


def _read_placement(moment: _Moment, match: _Match) -> moves.Act | None:
    """A cell: a start tile, a delivery or a prestige building, by what is due."""
    state, seat, stage = moment.state, moment.seat, moment.stage
    if stage == "deliver" or match["need"]:
        return _read_delivery(moment, match)
    if stage == "place":
        return moves.PlacePrestige(seat=seat, cells=_lay(find_placed_shape(state), match))
    cells = _list_names(match["cells"])
    if len(cells) > 1 or match["turn"]:
        return moves.PlacePrestige(seat=seat, cells=cells)
    return moves.PlaceStart(seat=seat, at=cells[0]) if stage in _DRAFTS else None


def _read_delivery(moment: _Moment, match: _Match) -> moves.Act | None:
    """`d04:ge:un`: the tile that fills a need; the first need that is due where none is typed."""
    state, cells = moment.state, _list_names(match["cells"])
    typed = [_find_card(state, code) for code in (match["need"] or "").split(":")[1:]]
    due = next(((building, resource) for building, resource, _ in state.due), None)
    if len(cells) > 1 or match["turn"] or (due is None and len(typed) != 2):  # noqa: PLR2004 - resource and building
        return None
    building, resource = due or ("", "")
    resource, building = (*typed, *(resource, building)[len(typed) :])
    return moves.Deliver(seat=moment.seat, building=building, resource=resource, at=cells[0])


def _read_card_taken(moment: _Moment, match: _Match) -> moves.Act | None:
    """`hu`, `aepo`, `me3`: a race, with its base; a base, from somebody."""
    card = _find_card(moment.state, match["card"])
    if card in RACES and not match["who"]:
        base = _find_card(moment.state, match["base"]) if match["base"] else None
        return moves.TakeRace(seat=moment.seat, race=card, base=base)
    if match["base"] or (moment.stage not in _DRAFTS and card not in BASES):
        return None
    return moves.TakeBase(seat=moment.seat, base=card, who=int(match["who"]) if match["who"] else None)


def _read_decline(moment: _Moment, _match: _Match) -> moves.Act:
    """`x`: no follow, nothing more."""
    return moves.Decline(seat=moment.seat)


def _read_playing(moment: _Moment, _match: _Match) -> moves.Act:
    """`.`: an action without a choice."""
    return moves.PlayCard(seat=moment.seat)


_Reader: TypeAlias = Callable[[_Moment, _Match], moves.Act | None]
# How each kind of move is typed, and what reads it; the first that makes an act of it does.
_DRAFT_READERS: Final[tuple[tuple[str, _Reader], ...]] = (
    (rf"(?P<card>{_CODE})(?P<base>{_CODE})?(?P<who>[1-9])?", _read_card_taken),
    (rf"(?P<cells>(?:{_CELL})+){_TURN}(?P<need>(?::{_CODE}){{0,2}})", _read_placement),
)
_READERS: Final[tuple[tuple[str, _Reader], ...]] = (
    (r"[0i]", _read_gain),
    (r"x", _read_decline),
    (r"\.", _read_playing),
    (rf"(?P<proposal>[1-9]){_INFLUENCE}", _read_proposal),
    (rf"(?P<slot>[1-9])(?:=(?P<named>{_CODE}))?", _read_recruiting),
    (rf"(?P<what>{_CODE})(?P<cells>(?:{_CELL})+){_TURN}(?P<inputs>(?:<{_CELL})*)", _read_tile),
    (rf"r(?P<at>{_CELL})", _make_piece_reader(moves.LayRoad)),
    (rf"\+(?P<at>{_CELL})", _make_piece_reader(moves.BuyAccess)),
    (rf"h(?P<at>{_CELL})", _make_piece_reader(moves.BuildHouse)),
    (rf"b(?P<at>{_CELL})", _make_piece_reader(moves.BuildBridge)),
    (rf"w(?P<place>[1-9a-z]|{_CODE})", _read_worker),
    (rf"k(?:0|[0-9]{{1,2}}(?P<cards>(?:{_CODE})+))", _read_taking_back),
    (rf"p{_INFLUENCE}", _read_claims),
    *_DRAFT_READERS[::-1],
)
