"""What the tables of an archive hold of an act and of what lies before each seat. No rule asks it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from spyrium_log.title import Deed, Piece, Verb
from spyrium_log.titles.spyrium.cards import EVENTS, KINDS, TECHNIQUES, UNSEEN
from spyrium_log.titles.spyrium.moves import ActivateCard, GainMoney, ReuseBuilding, UseBuilding, UseEvent
from spyrium_log.titles.spyrium.scoring import final_parts
from spyrium_log.titles.spyrium.words import VERBS, building_at, lying

if TYPE_CHECKING:
    from spyrium_log.titles.spyrium.moves import Act
    from spyrium_log.titles.spyrium.state import State

# The cards that a market offers, and the event cards.
ALL_KINDS: dict[str, str] = {**KINDS, **dict.fromkeys(EVENTS, "event")}
LASTING = frozenset(("building", "technique"))
# The card that a cause belongs to, whatever the act; '' where it belongs to none.
_OF_CAUSES: dict[str, str] = {
    **dict.fromkeys(("start", "unseen", "table", "adjusted", "revenue", "bonus", "final:buildings"), ""),
    **{why: card for card in TECHNIQUES for why in (card, f"final:{card}")},
}
# An archive asks at every event, and few answers differ. Arguments by position: by name they would be cached again.
_deed = lru_cache(maxsize=2048)(Deed)
# The deeds of acts whose type says all.
_PLAIN = {kind: Deed(verb) for kind, verb in VERBS.items()}
_STATED = Deed("state")
_ACTIVATIONS: dict[str, Verb] = {"building": "build", "technique": "learn"}
_PHASES = {1: "I", 2: "II"}


def round_of(state: State) -> int:
    return state.round


def phase(state: State, seat: int) -> str:
    """`I` or `II`; `I` before the first turn."""
    return _PHASES.get(state.mat(seat).phase, "I")


def deed(state: State, act: Act) -> Deed:
    """What an act does, and with which card."""
    deed_of = _DEEDS.get(type(act))
    return deed_of(state, act) if deed_of else _PLAIN.get(type(act), _STATED)


def _activated(state: State, act: ActivateCard) -> Deed:
    card = act.named or lying(state, act.space) or ""
    kind = KINDS.get(card, "")
    over = act.over if kind == "building" else None
    if over is None or not 0 < over <= len(state.mat(act.seat).buildings):
        over = 0
    return _deed(_ACTIVATIONS.get(kind, "hire"), card, act.space, over)


def _used(state: State, act: UseBuilding | ReuseBuilding) -> Deed:
    card = building_at(state, act.seat, act.slot) or ""
    return _deed("use", card, 0, 0, card, act.slot)


def _gained(state: State, act: GainMoney) -> Deed:
    return _deed("earn", (lying(state, act.space) or "") if act.space is not None else "")


def _event_used(state: State, act: UseEvent) -> Deed:
    tool = (building_at(state, act.seat, act.slot) or "") if act.slot is not None else ""
    return _deed("event", state.event, 0, 0, tool, act.slot or 0)


_DEEDS: dict[type, Callable[[State, Any], Deed]] = {
    ActivateCard: _activated,
    UseBuilding: _used,
    ReuseBuilding: _used,
    GainMoney: _gained,
    UseEvent: _event_used,
}


def credited(deed: Deed, why: str) -> str:
    """A cause named after a technique is credited to it; any other to the tool or the card of the deed."""
    card = _OF_CAUSES.get(why)
    if card is not None:
        return card
    return deed.tool if deed.used and why != "event" else deed.card


def tableau(state: State, seat: int) -> list[Piece]:
    """Buildings by slot, then techniques as they were bought."""
    mat = state.mat(seat)
    designs = state.printed.designs
    final = dict(final_parts(state, mat))
    pieces = [Piece(built.card, designs[built.card].points if built.card in designs else 0) for built in mat.buildings]
    return pieces + [Piece(card, final.get(f"final:{card}", 0)) for card in mat.techniques]


def unseen(state: State) -> int:
    """The number of cards that were dealt unseen and never named."""
    return sum(card == UNSEEN for _, card in state.dealt)
