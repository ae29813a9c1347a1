"""What a step of a turn or a follow comes to: payment, piece, income, rewards, points and deliveries (F-5.6)."""

from __future__ import annotations

from typing import Final

from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import BASES, CALL, HOUSE, TIERS
from spyrium_log.titles.founders.ground import cell_of
from spyrium_log.titles.founders.links import field_of
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.rules.actions import MAIN_ACTIONS, count_done
from spyrium_log.titles.founders.rules.build import has_phantom
from spyrium_log.titles.founders.rules.deliver import Outcome, add_deliveries, apply_to_copy, score_build
from spyrium_log.titles.founders.rules.spend import make_payment, quote
from spyrium_log.titles.founders.rules.steps import Context
from spyrium_log.titles.founders.rules.turn import find_source
from spyrium_log.titles.founders.scoring import count_advisers, count_deliveries, count_resources, count_structures
from spyrium_log.titles.founders.state import State

_CHANGES_BOARD: Final = (moves.LayRoad, moves.BuildBase, moves.BuildTile, moves.BuildBridge)


def apply_step(before: State, act: moves.Step, context: Context) -> Outcome | None:
    """The table after an act as this step, with what it brought; None where it names a piece that does not exist."""
    return _carry_out(before, act, context, delivers=isinstance(act, _CHANGES_BOARD))


def apply_without_deliveries(before: State, act: moves.Step, context: Context) -> Outcome | None:
    """The table after an act without its deliveries, which bring no means: for whether the action can go on."""
    return _carry_out(before, act, context, delivers=False)


def _carry_out(before: State, act: moves.Step, context: Context, *, delivers: bool) -> Outcome | None:
    """Payment, piece, income, points of own inputs, deliveries; then what comes behind the step by itself (F-5.6)."""
    if has_phantom(before, act):
        return None
    price = quote(before, act, context.step)
    outcome = apply_to_copy(before, act)
    outcome.post(*make_payment(act.seat, price))
    _add_gains(outcome, before, act, context)
    if delivers:
        add_deliveries(outcome, act.seat)
    # a delivery that has to be chosen comes first: what follows may count it
    if not outcome.state.due:
        add_automatic_steps(outcome, act.seat)
    if before.seats == 1:
        _remove_played_adviser(outcome, act)
    return outcome


def _add_gains(outcome: Outcome, before: State, act: moves.Step, context: Context) -> None:
    """What the act itself brings: the amount chosen, income and points of what was built, the reward of an adviser."""
    match act:
        case moves.Gain():
            outcome.gain(act.seat, act.what, 1, "basic")
        case moves.BuildBase():
            _add_income(outcome, before, before.base_owner.get(act.base, 0), act.base, act.seat)
        case moves.BuildTile():
            _add_income(outcome, before, act.seat, act.resource, act.seat)
            tile = outcome.state.structure_at(cell_of(act.cells[0]))
            if tile is not None:
                score_build(outcome, tile)
        case moves.Recruit():
            _add_reward(outcome, before, act, context)
        case _:
            pass


def _remove_played_adviser(outcome: Outcome, act: moves.Step) -> None:
    """In a game alone an adviser that is played face-up leaves the game (F-12.3)."""
    card = getattr(act, "card", None)
    is_adviser = card is not None and card not in MAIN_ACTIONS and card not in {CALL, UNSEEN}
    if is_adviser and not getattr(act, "down", False):
        outcome.note(effects.CardRemoved(seat=act.seat, card=str(card)))


def _add_income(outcome: Outcome, before: State, owner: int, resource: str, builder: int) -> None:
    """Income rises by 1 with the first tile of a resource that one owns (F-4.3)."""
    if not owner or (owner != builder and before.options.rival_built_income == "stays"):
        return
    if not any(tile.kind == resource and tile.owner == owner for tile in before.structures):
        outcome.gain(owner, "income", 1, "owned")


def _add_reward(outcome: Outcome, before: State, act: moves.Recruit, context: Context) -> None:
    """One lasting influence and the adviser's points (F-7.4); by one reading always one fleeting influence, too."""
    adviser = before.printed.advisers.get(before.card_in_slot(act.slot, act.named))
    outcome.gain(act.seat, "lasting", 1, "reward")
    if adviser and adviser.points:
        outcome.gain(act.seat, "points", adviser.points, "reward")
    if context.origin != "card" and before.options.adviser_recruit_bonus == "always":
        outcome.gain(act.seat, "fleeting", 1, "recruit")


def add_automatic_steps(outcome: Outcome, seat: int) -> None:
    """What happens by itself in the programme that the seat's last act moved on: gains, and the action of Income."""
    state = outcome.state
    source = find_source(state, seat)
    # no tags: nothing was done of the card yet
    if source is None or not source.tags:
        return
    steps, tags, origin, name = source
    after = count_done(steps, tags)
    earlier = count_done(steps, tags[:-1]) if len(tags) > 1 else 0
    for step in steps[earlier:after]:
        if step.does == "income":
            add_income_action(outcome, seat)
        elif step.does == "gain":
            n = step.n * (count_things(state, seat, step.per, name) if step.per else 1)
            why = "recruit" if origin == "card" else origin
            outcome.gain(seat, step.what, n, why)


def add_income_action(outcome: Outcome, seat: int) -> None:
    """What the Income card and a Call to Vote bring: coins by income, influence by houses (F-7.5, F-10.3)."""
    state = outcome.state
    outcome.gain(seat, "money", max(state.mat(seat).income, 0), "income")
    outcome.gain(seat, "fleeting", count_structures(state, seat, HOUSE), "houses")


def count_things(state: State, seat: int, what: str, source: str) -> int:
    """What `per` in a programme counts; what lies beside is beside the building of the worker."""
    building = state.find_building(source)
    around = field_of(state.printed.board).grow(building.mask) if building else 0
    match what:
        case "house" | "bridge":
            return count_structures(state, seat, what)
        case "resource":
            return count_resources(state, seat)
        case "base-beside":
            return sum(each.kind in BASES and bool(each.mask & around) for each in state.structures)
        case "tile-beside":
            return sum(each.kind in TIERS and bool(each.mask & around) for each in state.structures)
        case "road-beside":
            return (state.roads & around).bit_count()
        case "delivered":
            return count_deliveries(state, seat)
        case "completed":
            return state.markers
        case "adviser":
            return count_advisers(state, seat)
        case _:
            return 0
