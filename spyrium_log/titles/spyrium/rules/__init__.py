"""The rules of Spyrium as two functions: what speaks against an act, and what the rules make of it.

`breaches` keeps the rulebook's order, and the first is primary; `effects` is defined even where there are breaches, as
long as the pieces exist (None otherwise). Both only read the state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from spyrium_log.errors import ArgumentError, Breach
from spyrium_log.title import (
    NOTHING,
    Abandoned,
    Adjusted,
    Conceded,
    Continued,
    Counted,
    Effects,
    FinalCount,
    Paused,
    Resynced,
)
from spyrium_log.titles.spyrium.moves import (
    ActivateCard,
    GainMoney,
    Pass,
    PlaceWorker,
    ReuseBuilding,
    RoundDealt,
    TakeBonus,
    UseBuilding,
    UseEvent,
)
from spyrium_log.titles.spyrium.rules.activate import add_breaches_of_activating, effects_of_activating
from spyrium_log.titles.spyrium.rules.bonus import breaches_of_bonus, effects_of_bonus
from spyrium_log.titles.spyrium.rules.building import (
    add_breaches_of_reusing,
    add_breaches_of_using,
    effects_of_reusing,
    effects_of_using,
)
from spyrium_log.titles.spyrium.rules.deal import breaches_of_deal, effects_of_deal
from spyrium_log.titles.spyrium.rules.event import add_breaches_of_event, effects_of_event
from spyrium_log.titles.spyrium.rules.final import breaches_of_final, effects_of_final
from spyrium_log.titles.spyrium.rules.market import (
    add_breaches_of_gaining,
    add_breaches_of_placing,
    effects_of_gaining,
    effects_of_placing,
)
from spyrium_log.titles.spyrium.rules.passing import add_breaches_of_passing, effects_of_passing
from spyrium_log.titles.spyrium.rules.turn import RULES, breaches_of_turn, no_such_seat
from spyrium_log.titles.spyrium.state import STRIDE

if TYPE_CHECKING:
    from spyrium_log.titles.spyrium.moves import Act, Decision, Turn
    from spyrium_log.titles.spyrium.state import State

_STATEMENTS: Final = frozenset((Counted, Adjusted, Resynced, Paused, Continued, Conceded, Abandoned))
_RANKS: Final = {rule: rank for rank, rule in enumerate(RULES)}


def _breaches_of_conceding(state: State, act: Conceded) -> list[Breach]:
    """Anybody at the table may concede at any time."""
    return [] if 0 < act.seat <= state.seats else [no_such_seat(state, act.seat)]


_TURNS: Final[dict[type, Callable[[State, Any, list[Breach]], None]]] = {
    PlaceWorker: add_breaches_of_placing,
    GainMoney: add_breaches_of_gaining,
    ActivateCard: add_breaches_of_activating,
    UseEvent: add_breaches_of_event,
    UseBuilding: add_breaches_of_using,
    ReuseBuilding: add_breaches_of_reusing,
    Pass: add_breaches_of_passing,
}

_BREACHES: Final[dict[type, Callable[[State, Any], list[Breach]]]] = {
    TakeBonus: breaches_of_bonus,
    RoundDealt: breaches_of_deal,
    FinalCount: breaches_of_final,
    Conceded: _breaches_of_conceding,
}

_TURN_EFFECTS: Final[dict[type, Callable[[State, Any], Effects | None]]] = {
    PlaceWorker: effects_of_placing,
    GainMoney: effects_of_gaining,
    ActivateCard: effects_of_activating,
    UseEvent: effects_of_event,
    UseBuilding: effects_of_using,
    ReuseBuilding: effects_of_reusing,
    Pass: effects_of_passing,
    TakeBonus: effects_of_bonus,
}

_EFFECTS: Final[dict[type, Callable[[State, Any], Effects | None]]] = {
    RoundDealt: effects_of_deal,
    FinalCount: effects_of_final,
}


def breaches(state: State, act: Act) -> Sequence[Breach]:
    """Every rule that the act breaks. A number that is on no table breaks one as well: nothing here raises."""
    add = _TURNS.get(type(act))
    if add is not None:
        turn = cast("Turn", act)
        if not 0 < turn.seat < STRIDE:
            return [no_such_seat(state, turn.seat)]
        broken = breaches_of_turn(state, turn)
        add(state, act, broken)
    else:
        breaches_of_act = _BREACHES.get(type(act))
        broken = breaches_of_act(state, act) if breaches_of_act else _breaches_of_statement(act)
    return sorted(broken, key=_order_of_breach) if len(broken) > 1 else broken


def is_legal_now(state: State, act: Turn) -> bool:
    """Whether the act is legal, given that it is this seat's turn and phase."""
    broken: list[Breach] = []
    _TURNS[type(act)](state, act, broken)
    return not broken


def _order_of_breach(breach: Breach) -> tuple[bool, int]:
    """The place of a breach in the rulebook's order; what only an assumed number speaks against comes last."""
    return breach.on == "sheet", _RANKS[breach.rule]


def effects(state: State, act: Act) -> Effects | None:
    """What the rules make of the act; None where it names a piece that does not exist."""
    effects_of_act = _TURN_EFFECTS.get(type(act))
    if effects_of_act is not None:
        return effects_of_act(state, act) if 0 < cast("Decision", act).seat < STRIDE else None
    effects_of_act = _EFFECTS.get(type(act))
    if effects_of_act is None:
        _breaches_of_statement(act)
        return NOTHING
    return effects_of_act(state, act)


def _breaches_of_statement(act: object) -> list[Breach]:
    """Statements break no rule. Anything that is no act of this title is an error."""
    if type(act) not in _STATEMENTS:
        raise ArgumentError("title-act", title="Spyrium", type=type(act).__name__)
    return []
