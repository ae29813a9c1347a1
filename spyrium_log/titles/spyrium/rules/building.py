"""Using a building, and using it once more (S-5.7, S-5.9)."""

from __future__ import annotations

from collections.abc import Sequence

from spyrium_log.errors import Breach
from spyrium_log.messages import Card, choice_message, number_message
from spyrium_log.title import AnyPosting, Effects, Posting
from spyrium_log.titles.spyrium.cards import MINES, USES, Use
from spyrium_log.titles.spyrium.effects import SpyriumFact, WorkersSent
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.moves import ReuseBuilding, UseBuilding
from spyrium_log.titles.spyrium.rules.activate import can_tilt, why_not_usable
from spyrium_log.titles.spyrium.rules.bonus import add_bonus, add_bonus_unasked, brings_worker
from spyrium_log.titles.spyrium.rules.turn import breach, own_slots_message
from spyrium_log.titles.spyrium.state import Mat, State


def find_use(mat: Mat, slot: int, effect: int) -> Use | None:
    """The effect, counted from 1, of the building in a slot, counted from 1; None where there is no such one."""
    if not 0 < slot <= len(mat.buildings):
        return None
    uses = USES.get(mat.buildings[slot - 1].card, ())
    return uses[effect - 1] if 0 < effect <= len(uses) else None


def count_workers_needed(mat: Mat, slot: int, use: Use) -> int:
    """Workers that an effect of the building in a slot needs: none at a Mine with Automation (S-9.3.1)."""
    if "automation" in mat.techniques and mat.buildings[slot - 1].card in MINES:
        return 0
    return use.workers


def breaches_of_uses(mat: Mat, slot: int, effects: Sequence[int], coming: int = 0) -> list[Breach]:
    """Breaches of using a building for one or two effects: what both need must be there before the first.

    `coming` are workers that the first use brings at once.
    """
    if not 0 < slot <= len(mat.buildings):
        return [breach("building.use", own_slots_message(mat), phrase("slot", n=slot))]
    breaches: list[Breach] = []
    workers = spyrium = 0
    for effect in effects:
        use = find_use(mat, slot, effect)
        if use is None:
            card = mat.buildings[slot - 1].card
            count = len(USES.get(card, ()))
            choices = choice_message(tuple(range(1, count + 1)))
            expected = phrase("effects", options=choices) if count else phrase("building-with-effect")
            return [breach("building.effect", expected, phrase("effect-of", n=effect, card=Card(card)))]
        workers += count_workers_needed(mat, slot, use)
        spyrium += use.spyrium
    if mat.active + coming < workers > 0:
        expected = phrase("active-worker") if workers == 1 else phrase("active-workers", n=workers)
        found = number_message(mat.active) if mat.active else phrase("none")
        breaches.append(breach("building.workers", expected, found))
    if mat.spyrium < spyrium > 0:
        breaches.append(breach("building.spyrium", phrase("spyrium", n=spyrium), number_message(mat.spyrium)))
    return breaches


def add_use(state: State, seat: int, slot: int, effect: int, moved: list[AnyPosting], facts: list[SpyriumFact]) -> bool:
    """Add one use of a building: workers sent to `facts`, Spyrium paid and gains to `moved`. False: no such effect."""
    mat = state.mat(seat)
    use = find_use(mat, slot, effect)
    if use is None:
        return False
    workers = count_workers_needed(mat, slot, use)
    if workers:
        facts.append(WorkersSent(seat=seat, slot=slot, n=workers))
    if use.spyrium:
        moved.append(Posting(seat, "spyrium", -use.spyrium, "effect"))
    moved.append(Posting(seat, use.what, use.n, "effect"))
    if workers and "engineering" in mat.techniques:
        design = state.printed.designs[mat.buildings[slot - 1].card]
        if "factory" in design.symbols:
            moved.append(Posting(seat, "points", workers, "engineering"))
    return True


def add_breaches_of_using(state: State, act: UseBuilding, breaches: list[Breach]) -> None:
    """Add what speaks against using a building; a second use at once needs Taylorism."""
    mat = state.mat(act.seat)
    slot = act.slot
    if 0 < slot <= len(mat.buildings) and mat.buildings[slot - 1].inclined:
        breaches.append(breach("building.upright", phrase("upright"), phrase("slot-inclined", n=slot)))
    coming = int(bool(act.again) and _takes_bonus_worker(state, act))
    breaches.extend(breaches_of_uses(mat, slot, _list_chosen_effects(act), coming))
    if act.again is not None:
        if state.options.taylorism_action == "own-use":
            breaches.append(breach("taylorism.once", phrase("reuse-own"), phrase("chained")))
        breaches.extend(_breaches_of_taylorism(mat))


def _takes_bonus_worker(state: State, act: UseBuilding) -> bool:
    """Whether a chained reuse sends a worker who only comes as the bonus that the first use brings (S-7.3).

    The bonus is chosen at once, before the reuse, which nothing but the worker makes possible.
    """
    mat = state.mat(act.seat)
    uses = [find_use(mat, act.slot, effect) for effect in _list_chosen_effects(act)]
    needed = sum([count_workers_needed(mat, act.slot, use) for use in uses if use is not None])
    if mat.active + 1 != needed:
        return False
    moved: list[AnyPosting] = []
    add_use(state, act.seat, act.slot, act.effect, moved, [])
    return brings_worker(state, act.seat, sum([posting.n for posting in moved if posting.what == "points"]))


def _breaches_of_taylorism(mat: Mat) -> list[Breach]:
    """A breach if Taylorism is not owned or was used in this round."""
    if can_tilt(mat, "taylorism"):
        return []
    return [breach("taylorism.once", phrase("taylorism-at-hand"), why_not_usable(mat, "taylorism"))]


def effects_of_using(state: State, act: UseBuilding | ReuseBuilding) -> Effects | None:
    """What one use brings, or two chained ones, a bonus included; None where building or effect does not exist."""
    moved: list[AnyPosting] = []
    facts: list[SpyriumFact] = []
    taken = "worker" if isinstance(act, UseBuilding) and act.again and _takes_bonus_worker(state, act) else None
    for ordinal, effect in enumerate(_list_chosen_effects(act)):
        if ordinal and taken:
            add_bonus_unasked(state, act.seat, taken, moved, facts)
        if not add_use(state, act.seat, act.slot, effect, moved, facts):
            return None
    add_bonus(state, act.seat, moved, facts, taken)
    return Effects(moved, facts)


def _list_chosen_effects(act: UseBuilding | ReuseBuilding) -> tuple[int, ...]:
    """The effect chosen, then that of a second use chained to it by Taylorism, if there is one."""
    again = act.again if isinstance(act, UseBuilding) else None
    return (act.effect,) if again is None else (act.effect, again)


def add_breaches_of_reusing(state: State, act: ReuseBuilding, breaches: list[Breach]) -> None:
    """Add what speaks against using an inclined building once more with Taylorism."""
    mat = state.mat(act.seat)
    if state.options.taylorism_action == "chained":
        breaches.append(breach("taylorism.once", phrase("reuse-chained"), phrase("own-action")))
    breaches.extend(breaches_of_inclined(mat, act.slot))
    breaches.extend(breaches_of_uses(mat, act.slot, (act.effect,)))
    breaches.extend(_breaches_of_taylorism(mat))


def breaches_of_inclined(mat: Mat, slot: int) -> list[Breach]:
    """A breach if the building stands upright; a slot without one breaks another rule."""
    if not 0 < slot <= len(mat.buildings) or mat.buildings[slot - 1].inclined:
        return []
    return [breach("reuse.inclined", phrase("inclined"), phrase("slot-upright", n=slot))]
