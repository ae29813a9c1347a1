"""The rules of Spyrium as two functions: what speaks against an act, and what the rules make of it.

`breaches` keeps the rulebook's order, and the first is primary; `effects` is defined even where there are breaches, as
long as the pieces exist (None otherwise). Both only read the state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

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

EffectsOf: TypeAlias = Callable[[State, Any], Effects | None]

_RANKS: Final = {rule: rank for rank, rule in enumerate(RULES)}


def _breaches_of_conceding(state: State, act: title.Conceded) -> list[Breach]:
    """A breach if there is no such seat; anybody may concede at any time."""
    return [] if 0 < act.seat <= state.seats else [no_such_seat(state, act.seat)]


def _breaches_of_statement(_state: State, _act: moves.Statement) -> list[Breach]:
    """Nothing: a statement breaks no rule."""
    return []


def _no_effects(_state: State, _act: moves.Pass | moves.Statement) -> Effects:
    """The effects of an act that moves nothing."""
    return NOTHING


# What a seat does in its turn. The functions add to a list, because most candidates for a legal move break no rule.
_TURNS: Final[dict[type, tuple[Callable[[State, Any, list[Breach]], None], EffectsOf]]] = {
    moves.PlaceWorker: (add_breaches_of_placing, effects_of_placing),
    moves.GainMoney: (add_breaches_of_gaining, effects_of_gaining),
    moves.ActivateCard: (add_breaches_of_activating, effects_of_activating),
    moves.UseEvent: (add_breaches_of_event, effects_of_event),
    moves.UseBuilding: (add_breaches_of_using, effects_of_using),
    moves.ReuseBuilding: (add_breaches_of_reusing, effects_of_using),
    moves.Pass: (add_breaches_of_passing, _no_effects),
}

_OTHER_ACTS: Final[dict[type, tuple[Callable[[State, Any], list[Breach]], EffectsOf]]] = {
    moves.TakeBonus: (breaches_of_bonus, effects_of_bonus),
    moves.RoundDealt: (breaches_of_deal, effects_of_deal),
    title.FinalCount: (breaches_of_final, effects_of_final),
    **dict.fromkeys(
        (title.Counted, title.Adjusted, title.Resynced, title.Paused, title.Continued, title.Abandoned),
        (_breaches_of_statement, _no_effects),
    ),
    title.Conceded: (_breaches_of_conceding, _no_effects),
}


def find_breaches(state: State, act: moves.Act) -> Sequence[Breach]:
    """Every rule that the act breaks. A number that is on no table breaks one as well: nothing here raises."""
    rules = _TURNS.get(type(act))
    if rules is None:
        broken = _rules_of_other_act(act)[0](state, act)
    else:
        turn: Any = act
        if not 0 < turn.seat < STRIDE:
            return [no_such_seat(state, turn.seat)]
        broken = breaches_of_turn(state, turn)
        rules[0](state, act, broken)
    return sorted(broken, key=_order_of_breach) if len(broken) > 1 else broken


def is_legal_now(state: State, act: moves.Turn) -> bool:
    """Whether the act is legal, given that it is this seat's turn and that its phase is right."""
    broken: list[Breach] = []
    _TURNS[type(act)][0](state, act, broken)
    return not broken


def _order_of_breach(breach: Breach) -> tuple[bool, int]:
    """Sort key: the place in the rulebook; a breach that rests on an assumed printed value comes last."""
    return breach.on == "sheet", _RANKS[breach.rule]


def compute_effects(state: State, act: moves.Act) -> Effects | None:
    """What the rules make of the act; None where it names a piece that does not exist."""
    rules = _TURNS.get(type(act))
    if rules is None:
        return _rules_of_other_act(act)[1](state, act)
    turn: Any = act
    return rules[1](state, turn) if 0 < turn.seat < STRIDE else None


def _rules_of_other_act(act: object) -> tuple[Callable[[State, Any], list[Breach]], EffectsOf]:
    """How to judge and apply what is no seat's turn; ArgumentError for what is no act of this title."""
    rules = _OTHER_ACTS.get(type(act))
    if rules is None:
        raise ArgumentError("title-act", title="Spyrium", type=type(act).__name__)
    return rules
