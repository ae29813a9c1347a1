"""The rules of Spyrium as two functions: what speaks against an act, and what the rules make of it.

`breaches` keeps the rulebook's order, and the first is primary; `effects` is defined even where there are breaches, as
long as the pieces exist (None otherwise). Both only read the state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from spyrium_log import title
from spyrium_log.errors import ArgumentError, Breach
from spyrium_log.title import NOTHING, Effects
from spyrium_log.titles.spyrium import moves
from spyrium_log.titles.spyrium.rules.activate import add_breaches_of_activating, effects_of_activating
from spyrium_log.titles.spyrium.rules.bonus import breaches_of_bonus, effects_of_bonus
from spyrium_log.titles.spyrium.rules.building import add_breaches_of_reusing, add_breaches_of_using, effects_of_using
from spyrium_log.titles.spyrium.rules.deal import breaches_of_deal, breaches_of_final, effects_of_deal, effects_of_final
from spyrium_log.titles.spyrium.rules.event import add_breaches_of_event, effects_of_event
from spyrium_log.titles.spyrium.rules.market import (
    add_breaches_of_gaining,
    add_breaches_of_passing,
    add_breaches_of_placing,
    effects_of_gaining,
    effects_of_placing,
)
from spyrium_log.titles.spyrium.rules.turn import RULES, breaches_of_turn, no_such_seat
from spyrium_log.titles.spyrium.state import STRIDE, State

_RANKS: Final = {rule: rank for rank, rule in enumerate(RULES)}


def _breaches_of_conceding(state: State, act: title.Conceded) -> list[Breach]:
    """A breach if there is no such seat; anybody may concede at any time."""
    return [] if 0 < act.seat <= state.seats else [no_such_seat(state, act.seat)]


# What a seat does in its turn. The functions add to a list, because most candidates for a legal move break no rule.
_ADD_BREACHES: Final[dict[type, Callable[[State, Any, list[Breach]], None]]] = {
    moves.PlaceWorker: add_breaches_of_placing,
    moves.GainMoney: add_breaches_of_gaining,
    moves.ActivateCard: add_breaches_of_activating,
    moves.UseEvent: add_breaches_of_event,
    moves.UseBuilding: add_breaches_of_using,
    moves.ReuseBuilding: add_breaches_of_reusing,
    moves.Pass: add_breaches_of_passing,
}
_STATEMENTS = (title.Counted, title.Adjusted, title.Resynced, title.Paused, title.Continued, title.Abandoned)
# Every other act. A statement breaks no rule.
_FIND_BREACHES: Final[dict[type, Callable[[State, Any], list[Breach]]]] = {
    moves.TakeBonus: breaches_of_bonus,
    moves.RoundDealt: breaches_of_deal,
    title.FinalCount: breaches_of_final,
    title.Conceded: _breaches_of_conceding,
    **dict.fromkeys(_STATEMENTS, lambda _state, _act: []),
}
# A pass and a statement move nothing.
_EFFECTS_OF: Final[dict[type, Callable[[State, Any], Effects | None]]] = {
    moves.PlaceWorker: effects_of_placing,
    moves.GainMoney: effects_of_gaining,
    moves.ActivateCard: effects_of_activating,
    moves.UseEvent: effects_of_event,
    moves.UseBuilding: effects_of_using,
    moves.ReuseBuilding: effects_of_using,
    moves.TakeBonus: effects_of_bonus,
    moves.RoundDealt: effects_of_deal,
    title.FinalCount: effects_of_final,
    **dict.fromkeys((moves.Pass, title.Conceded, *_STATEMENTS), lambda _state, _act: NOTHING),
}


def find_breaches(state: State, act: moves.Act) -> Sequence[Breach]:
    """Every rule that the act breaks, in the rulebook's order, whatever its numbers; TypeError for what is no act."""
    add_breaches = _ADD_BREACHES.get(type(act))
    if add_breaches is None:
        find_others = _FIND_BREACHES.get(type(act))
        if find_others is None:
            raise _make_type_error(act)
        broken = find_others(state, act)
    else:
        # more seats have no place in the state, so no rule can look at them
        turn: Any = act
        if not 0 < turn.seat < STRIDE:
            return [no_such_seat(state, turn.seat)]
        broken = breaches_of_turn(state, turn)
        add_breaches(state, act, broken)
    return sorted(broken, key=_rank_breach) if len(broken) > 1 else broken


def is_legal_now(state: State, act: moves.Turn) -> bool:
    """Whether the act is legal, given that it is this seat's turn and that its phase is right."""
    broken: list[Breach] = []
    _ADD_BREACHES[type(act)](state, act, broken)
    return not broken


def _rank_breach(breach: Breach) -> tuple[bool, int]:
    """Sort key: the place in the rulebook; a breach that rests on an assumed printed value comes last."""
    return breach.on == "sheet", _RANKS[breach.rule]


def compute_effects(state: State, act: moves.Act) -> Effects | None:
    """What the rules make of the act; None where it names a piece that does not exist."""
    kind = type(act)
    effects_of = _EFFECTS_OF.get(kind)
    if effects_of is None:
        raise _make_type_error(act)
    turn: Any = act
    # more seats have no place in the state
    if kind in _ADD_BREACHES and not 0 < turn.seat < STRIDE:
        return None
    return effects_of(state, act)


def _make_type_error(value: object) -> ArgumentError:
    """The error for a value that is no act of this title."""
    return ArgumentError("title-act", title="Spyrium", type=type(value).__name__)
