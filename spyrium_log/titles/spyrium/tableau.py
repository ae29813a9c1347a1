"""What the tables of an archive hold of an act and of what lies before each seat. No rule asks it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from spyrium_log.title import Deed, Piece, Verb
from spyrium_log.titles.spyrium.cards import EVENTS, KINDS, TECHNIQUES, UNSEEN
from spyrium_log.titles.spyrium.moves import Act, ActivateCard, GainMoney, ReuseBuilding, UseBuilding, UseEvent
from spyrium_log.titles.spyrium.scoring import final_parts
from spyrium_log.titles.spyrium.state import State
from spyrium_log.titles.spyrium.words import VERBS, building_at, card_on

# The cards that a market offers, and the event cards.
ALL_KINDS: dict[str, str] = {**KINDS, **dict.fromkeys(EVENTS, "event")}
LASTING = frozenset(("building", "technique"))
# The card that a cause belongs to, whatever the act; '' where it belongs to none.
_CARD_OF_CAUSE: dict[str, str] = {
    **dict.fromkeys(("start", "unseen", "table", "adjusted", "revenue", "bonus", "final:buildings"), ""),
    **{why: card for card in TECHNIQUES for why in (card, f"final:{card}")},
}
# `Deed(...)`, kept: an archive asks at every event, and few answers differ. Arguments by position: by name they would
# be cached again.
_cached_deed = lru_cache(maxsize=2048)(Deed)
# The deeds of acts whose type says all.
_DEED_OF_TYPE = {kind: Deed(verb) for kind, verb in VERBS.items()}
_DEED_OF_STATEMENT = Deed("state")
_ACTIVATIONS: dict[str, Verb] = {"building": "build", "technique": "learn"}


def phase_name(state: State, seat: int) -> str:
    """The phase of a seat as the tables of an archive hold it, `I` or `II`."""
    return "II" if state.mat(seat).phase > 1 else "I"


def make_deed(state: State, act: Act) -> Deed:
    """What an act does, and with which card, for the tables of an archive."""
    deed_of = _DEEDS.get(type(act))
    return deed_of(state, act) if deed_of else _DEED_OF_TYPE.get(type(act), _DEED_OF_STATEMENT)


def _make_deed_of_activating(state: State, act: ActivateCard) -> Deed:
    """The deed `build`, `learn` or `hire` (a character or an unknown card), with the card and its space."""
    card = act.named or card_on(state, act.space) or ""
    kind = KINDS.get(card, "")
    over = act.over if kind == "building" else None
    if over is None or not 0 < over <= len(state.mat(act.seat).buildings):
        over = 0
    return _cached_deed(_ACTIVATIONS.get(kind, "hire"), card, act.space, over)


def _make_deed_of_using(state: State, act: UseBuilding | ReuseBuilding) -> Deed:
    """The deed `use`, with the building as both its card and its tool."""
    card = building_at(state, act.seat, act.slot) or ""
    # no space, and nothing built over
    return _cached_deed("use", card, 0, 0, card, act.slot)


def _make_deed_of_gaining(state: State, act: GainMoney) -> Deed:
    """The deed `earn`, with the card beside the worker, '' if none was left."""
    return _cached_deed("earn", (card_on(state, act.space) or "") if act.space is not None else "")


def _make_deed_of_event(state: State, act: UseEvent) -> Deed:
    """The deed `event`, with the building that it uses, if any, as its tool."""
    tool = (building_at(state, act.seat, act.slot) or "") if act.slot is not None else ""
    # no space, and nothing built over
    return _cached_deed("event", state.event, 0, 0, tool, act.slot or 0)


_DEEDS: dict[type, Callable[[State, Any], Deed]] = {
    ActivateCard: _make_deed_of_activating,
    UseBuilding: _make_deed_of_using,
    ReuseBuilding: _make_deed_of_using,
    GainMoney: _make_deed_of_gaining,
    UseEvent: _make_deed_of_event,
}


def find_credited_card(deed: Deed, why: str) -> str:
    """The card that a change comes from: the technique that its cause names, else the deed's tool or card."""
    card = _CARD_OF_CAUSE.get(why)
    if card is not None:
        return card
    return deed.tool if deed.used and why != "event" else deed.card


def list_pieces(state: State, seat: int) -> list[Piece]:
    """What lies before a seat: buildings by slot, techniques as they were bought, each with its final points."""
    mat = state.mat(seat)
    designs = state.printed.designs
    final = dict(final_parts(state, mat))
    pieces = [Piece(built.card, designs[built.card].points if built.card in designs else 0) for built in mat.buildings]
    return pieces + [Piece(card, final.get(f"final:{card}", 0)) for card in mat.techniques]


def count_unseen_cards(state: State) -> int:
    """The number of cards that were dealt unseen and never named; then some reports cannot tell."""
    return sum(card == UNSEEN for _, card in state.dealt)
