"""What an event does to the table: arithmetic and moving pieces, in place, total, without a rule.

Numbers may go negative. Taking what is not there takes nothing and is the audit's business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from spyrium_log.title import Abandoned, AnyPosting, Conceded, FinalCount, Resynced
from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import ROW
from spyrium_log.titles.founders.evolve.cards import ACTS_OF_CARDS, FACTS_OF_CARDS, pad
from spyrium_log.titles.founders.evolve.pieces import ACTS_OF_PIECES, FACTS_OF_PIECES
from spyrium_log.titles.founders.evolve.position import apply_position
from spyrium_log.titles.founders.evolve.votes import ACTS_OF_VOTES, FACTS_OF_VOTES
from spyrium_log.titles.founders.state import MOST_CARDS, State


def evolve(state: State, act: moves.Act, moved: Sequence[AnyPosting], facts: Sequence[effects.FoundersFact]) -> None:
    """Apply an event to the state: the pieces that the act names, then the postings, then the facts."""
    handler = _ACTS.get(type(act))
    if handler is not None:
        handler(state, act)
    for posting in moved:
        apply_posting(state, posting)
    for fact in facts:
        _FACTS[type(fact)](state, fact)


def apply_act(state: State, act: moves.Act) -> None:
    """Move the pieces that a decision or a deal names, without its effects: for rules that compute these."""
    _ACTS[type(act)](state, act)


def apply_posting(state: State, posting: AnyPosting) -> None:
    """Add an amount to what a seat has; the mat of seat 0 has what goes to a seat that does not exist."""
    mat = state.mats[posting.who if posting.who <= state.seats else 0]
    what = posting.what
    if what == "money":
        mat.money += posting.n
    elif what == "points":
        mat.points += posting.n
    elif what == "fleeting":
        mat.fleeting += posting.n
    elif what == "lasting":
        mat.lasting += posting.n
    # there is no other resource but income
    else:
        mat.income += posting.n


def apply_fact(state: State, fact: effects.FoundersFact) -> None:
    """Move the piece that a fact is about; each kind of fact has its handler."""
    _FACTS[type(fact)](state, fact)


# --- the table as a whole ------------------------------------------------------------------------


def _deal_table(state: State, act: moves.TableDealt) -> None:
    """Lay out the advisers, the proposals and, in a game with achievements, those of the three decks."""
    state.row = pad(act.advisers, ROW)
    state.advisers_seen = len(act.advisers)
    state.proposals = act.proposals
    if act.goals:
        state.goals = pad(act.goals, len(effects.DECKS))


def _note_goal(state: State, fact: effects.GoalMet) -> None:
    """Note who met the achievement of a deck, for the screens."""
    if len(state.goals_met) < MOST_CARDS:
        state.goals_met = (*state.goals_met, (fact.deck, fact.seat))


def _remove_goal(state: State, fact: effects.GoalGone) -> None:
    """Take the achievement of a deck out of the game: '' stands in its place."""
    index = effects.DECKS.index(fact.deck)
    state.goals = (*state.goals[:index], "", *state.goals[index + 1 :])


def _mark_lost(state: State, fact: effects.SoloLost) -> None:
    """Note that a game alone is lost, though it is played to its end."""
    state.mat(fact.seat).lost = True


def _mark_counted(state: State, _act: FinalCount) -> None:
    """Note that the final count was made; its points are in the postings."""
    state.counted = True


def _mark_conceded(state: State, act: Conceded) -> None:
    """Note that the seat gave up: it takes no more turns."""
    state.mat(act.seat).conceded = True


def _mark_abandoned(state: State, _act: Abandoned) -> None:
    """Note that the game ends here, unfinished."""
    state.abandoned = True


_ACTS: Final[dict[type, Callable[[State, Any], object]]] = {
    **ACTS_OF_CARDS,
    **ACTS_OF_PIECES,
    **ACTS_OF_VOTES,
    moves.TableDealt: _deal_table,
    FinalCount: _mark_counted,
    Conceded: _mark_conceded,
    Abandoned: _mark_abandoned,
    Resynced: apply_position,
}

_FACTS: Final[dict[type, Callable[[State, Any], None]]] = {
    **FACTS_OF_CARDS,
    **FACTS_OF_PIECES,
    **FACTS_OF_VOTES,
    effects.GoalMet: _note_goal,
    effects.GoalGone: _remove_goal,
    effects.SoloLost: _mark_lost,
}
