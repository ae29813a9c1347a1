"""What an act comes to, card by card, and what lies before everybody: for tables, not for the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spyrium_log.title import Deed, Piece, Verb
from spyrium_log.titles.spyrium.cards import EVENTS, KINDS, UNSEEN
from spyrium_log.titles.spyrium.moves import ActivateCard, GainMoney, ReuseBuilding, UseBuilding, UseEvent
from spyrium_log.titles.spyrium.scoring import final_postings
from spyrium_log.titles.spyrium.words import verb

if TYPE_CHECKING:
    from spyrium_log.titles.spyrium.moves import Act
    from spyrium_log.titles.spyrium.state import State

# The cards that a market offers, and the event cards.
ALL_KINDS: dict[str, str] = {**KINDS, **dict.fromkeys(EVENTS, "event")}
LASTING = frozenset(("building", "technique"))
# What comes of a score or of the table is of no card.
_OF_NO_CARD = frozenset(("start", "unseen", "table", "adjusted", "revenue", "bonus"))
_ACTIVATIONS: dict[str, Verb] = {"building": "build", "technique": "learn"}
_PHASES = {1: "I", 2: "II"}


def round_of(state: State) -> int:
    return state.round


def phase(state: State, seat: int) -> str:
    """I or II, and I before anybody acted."""
    return _PHASES.get(state.mat(seat).phase, "I")


def deed(state: State, act: Act) -> Deed:
    if isinstance(act, ActivateCard):
        card = act.named or state.market[act.space]
        kind = KINDS.get(card, "")
        built = len(state.mat(act.seat).buildings)
        over = act.over if kind == "building" and act.over is not None and act.over <= built else 0
        return Deed(_ACTIVATIONS.get(kind, "hire"), card, act.space, over)
    if isinstance(act, UseBuilding | ReuseBuilding):
        card = _building(state, act.seat, act.slot)
        return Deed("use", card, tool=card, used=act.slot)
    if isinstance(act, GainMoney):
        return Deed("earn", state.market[act.space] if act.space is not None else "")
    if isinstance(act, UseEvent):
        tool = _building(state, act.seat, act.slot) if act.slot is not None else ""
        return Deed("event", state.event, tool=tool, used=act.slot or 0)
    return Deed(verb(act))


def _building(state: State, seat: int, slot: int) -> str:
    buildings = state.mat(seat).buildings
    return buildings[slot - 1].card if slot <= len(buildings) else ""


def credited(state: State, act: Act, why: str) -> str:
    """Causes that are called as a technique are its doing, now or at the final count."""
    named = why.removeprefix("final:")
    if named in KINDS:
        return named
    if named != why or why in _OF_NO_CARD:
        return ""
    if isinstance(act, UseEvent) and act.slot is not None and why != "event":
        return _building(state, act.seat, act.slot)
    return deed(state, act).card


def tableau(state: State, seat: int) -> list[Piece]:
    """Buildings by slot, then techniques as they were bought."""
    mat = state.mat(seat)
    designs = state.printed.designs
    final = {posting.why: posting.n for posting in final_postings(state) if posting.who == seat}
    pieces = [Piece(built.card, designs[built.card].points if built.card in designs else 0) for built in mat.buildings]
    return pieces + [Piece(card, final.get(f"final:{card}", 0)) for card in mat.techniques]


def unseen(state: State) -> int:
    return sum(card == UNSEEN for _, card in state.dealt)
