"""The rules of Founders as two functions: what speaks against an act, and what the rules make of it.

`breaches` keeps the rulebook's order, and the first is primary; `effects` is defined even where there are breaches, as
long as the pieces exist (None otherwise). Both only read the state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from spyrium_log import title
from spyrium_log.errors import ArgumentError, Breach
from spyrium_log.messages import Seat
from spyrium_log.title import NOTHING, Effects
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.rules.choices import breach_of_finishing, can_finish, list_step_acts
from spyrium_log.titles.founders.rules.deal import (
    breaches_of_deal,
    breaches_of_final,
    effects_of_deal,
    effects_of_final,
)
from spyrium_log.titles.founders.rules.deliver import (
    BreachesOf,
    Outcome,
    OutcomeOf,
    add_chosen_delivery,
    apply_to_copy,
    breaches_of_delivery,
)
from spyrium_log.titles.founders.rules.draft import RULES_OF_DRAFT
from spyrium_log.titles.founders.rules.goals import add_goals, has_goals_left
from spyrium_log.titles.founders.rules.outcomes import add_automatic_steps, apply_step, apply_without_deliveries
from spyrium_log.titles.founders.rules.placing import breaches_of_placing, effects_of_placing
from spyrium_log.titles.founders.rules.steps import Context, add_breaches_of_step, find_context, make_context
from spyrium_log.titles.founders.rules.turn import (
    RULES,
    breach,
    breaches_of_stage,
    expected_next_message,
    find_open_stage,
    find_source,
    find_stage,
    has_seat,
    is_on_wire,
    is_stopped,
    no_such_seat,
)
from spyrium_log.titles.founders.rules.vote import RULES_OF_VOTES, add_income_of_call
from spyrium_log.titles.founders.state import State

_RANKS: Final = {rule: rank for rank, rule in enumerate(RULES)}


def _breaches_of_step(state: State, act: moves.Step) -> list[Breach]:
    """Breaches of a step: its turn, the card in hand, what it allows, board and purse, or the action could not end."""
    if not has_seat(state, act.seat):
        return [no_such_seat(state, act.seat)]
    if isinstance(act, moves.Decline):
        return _breaches_of_declining(state, act)
    breaches: list[Breach] = []
    context = find_context(state, act, breaches)
    add_breaches_of_step(state, act, context, breaches)
    if not breaches and not can_finish(state, act, context) and not _may_lead_to_unknown_tile(state, act, context):
        breaches.append(breach_of_finishing(state, act, context))
    return breaches


def _may_lead_to_unknown_tile(state: State, act: moves.Step, context: Context) -> bool:
    """Whether a tile is still to come in the action, and nobody knows the recipe or shape of some."""
    recipes = state.printed.recipes.values()
    if all(recipe.inputs is not None and recipe.shape is not None for recipe in recipes):
        return False
    outcome = apply_without_deliveries(state, act, context)
    if outcome is None:
        return False
    source = find_source(outcome.state, act.seat)
    return source is not None and any(step.does == "tile" for step in source.list_steps_left())


def _breaches_of_declining(state: State, act: moves.Decline) -> list[Breach]:
    """Breaches of declining: nothing to decline is due, or it is a step that has to be done and can be."""
    breaches = breaches_of_stage(state, act.seat, ("follow", "step", "road"), "turn.pending")
    stage = find_stage(state)
    if breaches or stage.kind == "follow" or stage.is_optional:
        return breaches
    context = make_context(stage)
    can_be_done = any(True for _ in list_step_acts(state, act.seat, stage.steps, context))
    if can_be_done:
        rule = "call.bonus" if stage.kind == "road" else "card.full"
        breaches.append(breach(rule, expected_next_message(state), phrase("declined", seat=Seat(act.seat))))
    return breaches


def _effects_of_step(before: State, act: moves.Step) -> Outcome | None:
    """What a step moves, then what a last road of a Call to Vote or a declined step sets off."""
    if isinstance(act, moves.Decline):
        outcome: Outcome | None = _decline(before, act)
    else:
        outcome = apply_step(before, act, find_context(before, act))
    if outcome is not None and before.roads_due and _has_laid_roads(outcome.state):
        add_income_of_call(outcome)
    return outcome


def _has_laid_roads(state: State) -> bool:
    """Whether the last road of a Call to Vote that goes on has been laid."""
    return bool(state.caller) and not state.roads_due and not is_stopped(state)


def _decline(before: State, act: moves.Decline) -> Outcome:
    """A step that is left out: what comes behind it by itself still does."""
    outcome = apply_to_copy(before, act)
    add_automatic_steps(outcome, act.seat)
    return outcome


def _effects_of_delivery(before: State, act: moves.Deliver) -> Outcome | None:
    """What a delivery moves that was chosen among several, then what waited for the last that is due.

    None where its building or tile does not exist.
    """
    outcome = apply_to_copy(before, act)
    if not add_chosen_delivery(outcome, act):
        return None
    state = outcome.state
    if before.due and not state.due and state.did:
        add_automatic_steps(outcome, state.did[-1].seat)
    return outcome


_DECISIONS: Final[dict[type, tuple[BreachesOf, OutcomeOf]]] = {
    **RULES_OF_DRAFT,
    **dict.fromkeys(moves.STEPS, (_breaches_of_step, _effects_of_step)),
    **RULES_OF_VOTES,
    moves.PlacePrestige: (breaches_of_placing, effects_of_placing),
    moves.Deliver: (breaches_of_delivery, _effects_of_delivery),
}


def _breaches_of_conceding(state: State, act: title.Conceded) -> list[Breach]:
    """A breach if there is no such seat; anybody may concede at any time."""
    return [] if has_seat(state, act.seat) else [no_such_seat(state, act.seat)]


_OTHER_ACTS: Final[dict[type, tuple[BreachesOf, Callable[[State, Any], Effects]]]] = {
    **dict.fromkeys(moves.DEALS, (breaches_of_deal, effects_of_deal)),
    title.FinalCount: (breaches_of_final, effects_of_final),
    **dict.fromkeys(
        (title.Counted, title.Adjusted, title.Resynced, title.Paused, title.Continued, title.Abandoned),
        (lambda _state, _act: [], lambda _state, _act: NOTHING),
    ),
    title.Conceded: (_breaches_of_conceding, lambda _state, _act: NOTHING),
}


def find_breaches(state: State, act: moves.Act) -> Sequence[Breach]:
    """Every rule that the act breaks, in the rulebook's order, whatever its numbers; ArgumentError for no act."""
    rules = _DECISIONS.get(type(act))
    if rules is not None and not is_on_wire(getattr(act, "seat", 0)):
        return [no_such_seat(state, getattr(act, "seat", 0))]
    breaches_of, _ = rules or _rules_of_other_act(act)
    breaches = breaches_of(state, act)
    return sorted(breaches, key=_rank_breach) if len(breaches) > 1 else breaches


def _rank_breach(found: Breach) -> tuple[bool, int]:
    """Sort key: the place in the rulebook; a breach that rests on an assumed printed value comes last."""
    return found.on == "sheet", _RANKS[found.rule]


def compute_effects(state: State, act: moves.Act) -> Effects | None:
    """What the rules make of the act; None where it names a piece that does not exist."""
    rules = _DECISIONS.get(type(act))
    if rules is None:
        return _rules_of_other_act(act)[1](state, act)
    if not has_seat(state, getattr(act, "seat", 0)):
        return None
    _, outcome_of = rules
    outcome = outcome_of(state, act)
    if outcome is None:
        return None
    if has_goals_left(outcome.state) and outcome.state.last and find_open_stage(outcome.state) is None:
        add_goals(outcome)
    return Effects(outcome.list_postings(), outcome.facts)


def _rules_of_other_act(act: object) -> tuple[BreachesOf, Callable[[State, Any], Effects]]:
    """How to judge and apply what is no seat's act; ArgumentError for what is no act of this title."""
    rules = _OTHER_ACTS.get(type(act))
    if rules is None:
        raise ArgumentError("title-act", title="Founders of Gloomhaven", type=type(act).__name__)
    return rules
