"""Races, base cards and start tiles (F-3.2 to F-3.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from spyrium_log.errors import Breach
from spyrium_log.messages import Card
from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import AESTHER, BASES, RACES
from spyrium_log.titles.founders.evolve import apply_act
from spyrium_log.titles.founders.ground import NOWHERE, cell_of, cells_of, mask_of, name_of
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.rules.build import add_breaches_of_ground
from spyrium_log.titles.founders.rules.deliver import BreachesOf, Outcome, OutcomeOf, apply_to_copy
from spyrium_log.titles.founders.rules.turn import (
    Stage,
    StageKind,
    breach,
    breaches_of_stage,
    find_stage,
    found_card,
    found_cell,
    has_seat,
    list_unchecked,
)
from spyrium_log.titles.founders.state import TWO_PLAYERS, State


def _breaches_of_race(state: State, act: moves.TakeRace) -> list[Breach]:
    """Breaches of taking a race: it is taken, or its base is, or a base is chosen that is not to be chosen (F-3.2)."""
    breaches = breaches_of_stage(state, act.seat, ("race",), "race.order")
    if act.race not in RACES:
        breaches.append(breach("race.free", phrase("race"), found_card(act.race)))
        return breaches
    if any(mat.race == act.race for mat in state.mats[1:]):
        breaches.append(breach("race.free", phrase("free-race"), found_card(act.race)))
    printed = base_of_race(state, act.race)
    if act.race == AESTHER:
        if act.base not in list_bases_for_aesther(state):
            breaches.append(breach("race.base", phrase("free-base"), found_card(act.base or "?")))
    elif printed is not None and act.base is not None:
        unchecked = list_unchecked(state, (act.race, "base"))
        breaches.append(
            breach("race.base", phrase("printed-base", card=Card(printed)), found_card(act.base), unchecked)
        )
    elif act.base is not None and act.base not in BASES:
        breaches.append(breach("race.base", phrase("base"), found_card(act.base)))
    base = act.base or printed
    # alone all bases are the seat's from the start
    if act.race != AESTHER and base in state.base_owner and state.seats > 1:
        unchecked = list_unchecked(state, (act.race, "base"))
        breaches.append(breach("race.free", phrase("race-of-free-base"), found_card(act.race), unchecked))
    return breaches


def base_of_race(state: State, race: str) -> str | None:
    """The base card printed for a race; None for Aesther, and where nobody knows it."""
    printed = state.printed.races.get(race)
    return printed.base if printed and race != AESTHER else None


def list_bases_for_aesther(state: State) -> list[str]:
    """The base cards whose race nobody took (F-3.2)."""
    taken = {mat.race_base for mat in state.mats[1:]}
    return [base for base in BASES if base not in taken]


def _effects_of_race(before: State, act: moves.TakeRace) -> Outcome:
    """What taking a race brings: the base card that is printed for it."""
    outcome = apply_to_copy(before, act)
    printed = base_of_race(before, act.race)
    # a base that the act names it has taken already
    if printed is not None and act.base is None:
        outcome.note(effects.BaseGot(seat=act.seat, base=printed))
    return outcome


# --- base cards ----------------------------------------------------------------------------------


def find_forbidden_bases(state: State, seat: int, step: StageKind) -> frozenset[str]:
    """The base cards that the seat may not take, as far as anybody knows (F-3.3)."""
    mat = state.mat(seat)
    race = state.printed.races.get(mat.race)
    forbidden = set(race.forbids or ()) if race else set()
    for base in list_binding_bases(state, seat, step):
        forbidden |= state.printed.base_forbids.get(base) or frozenset()
    return frozenset(forbidden)


def list_binding_bases(state: State, seat: int, step: StageKind) -> list[str]:
    """The base cards that a seat has and that forbid it others, as its race does (F-3.3)."""
    mat = state.mat(seat)
    bases = [mat.race_base] if mat.race == AESTHER and state.options.aesther_forbids == "both" else []
    # the first of those drafted, when the next of them is the third card of the seat
    return [*bases, *mat.bases[:1]] if step == "third" else bases


def list_free_bases(state: State) -> list[str]:
    """The base cards that nobody holds."""
    return [base for base in BASES if base not in state.base_owner]


def find_draft_choices(state: State, seat: int, step: StageKind) -> list[tuple[str, int | None]]:
    """The base cards that the seat may take, each with whom from; without a look at how the draft goes on."""
    forbidden = find_forbidden_bases(state, seat, step)
    free = list_free_bases(state)
    may_be_forbidden = step == "third" and state.options.draft_third == "forbidden"
    allowed = [base for base in free if base not in forbidden] or (free if may_be_forbidden else [])
    if allowed:
        return [(base, None) for base in allowed]
    return [(base, who) for base, who in _list_displaceable(state, seat, step) if base not in forbidden]


def _list_displaceable(state: State, seat: int, step: StageKind) -> list[tuple[str, int]]:
    """The base cards that others drafted in this step; by one reading those of their races, too.

    Nobody takes back a card that was taken from it in this step.
    """
    cards = []
    for other in range(1, state.seats + 1):
        mat = state.mats[other]
        if other == seat:
            continue
        # in the third step the second card, which is the first drafted, is safe, for who lost its race's as well
        place = 1 if step == "third" or len(mat.bases) > 1 else 0
        cards += [(base, other) for base in mat.bases[place:]]
        if state.options.draft_displace == "any" and mat.race_base:
            cards.append((mat.race_base, other))
    return [card for card in cards if (seat, card[0]) not in state.displaced]


def can_complete_draft(state: State, depth: int = 0) -> bool:
    """Whether every seat that still drafts can get a card, in some order of displacements (F-3.3)."""
    stage = find_stage(state)
    if stage.kind not in {"base", "third"}:
        return True
    # nobody displaces for ever: each card changes hands once at the most
    if depth > len(BASES):
        return False
    for base, who in find_draft_choices(state, stage.seat, stage.kind):
        after = state.copy()
        apply_act(after, moves.TakeBase(seat=stage.seat, base=base, who=who))
        if can_complete_draft(after, depth + 1):
            return True
    return False


def _breaches_of_base(state: State, act: moves.TakeBase) -> list[Breach]:
    """Breaches of taking a base: it is forbidden, another seat's, or leaves others none to take (F-3.3)."""
    breaches = breaches_of_stage(state, act.seat, ("base", "third"), "draft.order")
    if not has_seat(state, act.seat):
        return breaches
    if act.base not in BASES:
        breaches.append(breach("draft.free", phrase("base"), found_card(act.base)))
        return breaches
    step = find_draft_step(state, act.seat)
    if act.base in find_forbidden_bases(state, act.seat, step) and not _may_take_forbidden(state, act, step):
        mat = state.mat(act.seat)
        unchecked = list_unchecked(state, *((card, "forbids") for card in (mat.race, mat.race_base, *mat.bases)))
        breaches.append(breach("draft.forbidden", phrase("allowed-base"), found_card(act.base), unchecked))
    holder = state.base_owner.get(act.base, 0) or None
    if act.who is None and holder is not None:
        breaches.append(breach("draft.free", phrase("free-base"), found_card(act.base)))
    elif act.who is not None:
        _add_breach_of_displacing(state, act, step, breaches)
    if not breaches and _makes_draft_impossible(state, act):
        # whether somebody is stuck hangs on what every race and every base forbids
        unchecked = list_unchecked(
            state, *((card, "forbids") for card in (*BASES, *(mat.race for mat in state.mats[1:])))
        )
        breaches.append(breach("draft.stuck", phrase("draft-possible"), found_card(act.base), unchecked))
    return breaches


def _makes_draft_impossible(state: State, act: moves.TakeBase) -> bool:
    """Whether some seat could get no card any more after this act, although it could before."""
    after = state.copy()
    apply_act(after, act)
    return not can_complete_draft(after) and can_complete_draft(state)


def find_draft_step(state: State, seat: int) -> StageKind:
    """Whether the seat takes its second base card, or the third (`third`), which only two players take."""
    stage = find_stage(state)
    if stage.kind in {"base", "third"}:
        return stage.kind
    return "third" if state.mat(seat).bases and state.seats == TWO_PLAYERS else "base"


def _may_take_forbidden(state: State, act: moves.TakeBase, step: StageKind) -> bool:
    """Whether the table reads that a third card may be a forbidden one where no other is left."""
    choices = find_draft_choices(state, act.seat, step)
    return state.options.draft_third == "forbidden" and step == "third" and (act.base, None) in choices


def _add_breach_of_displacing(state: State, act: moves.TakeBase, step: StageKind, breaches: list[Breach]) -> None:
    """A card is taken from another seat only where no other is allowed, and only one drafted in this step."""
    free = [base for base in list_free_bases(state) if base not in find_forbidden_bases(state, act.seat, step)]
    if free or (act.base, act.who) not in _list_displaceable(state, act.seat, step):
        expected = phrase("free-base") if free else phrase("drafted-base")
        breaches.append(breach("draft.displaced", expected, found_card(act.base)))


def _effects_of_base(before: State, act: moves.TakeBase) -> Outcome | None:
    """What taking a base brings: nothing but the card; None where the base does not exist."""
    return apply_to_copy(before, act) if act.base in BASES else None


# --- start tiles ---------------------------------------------------------------------------------


def list_start_cells(state: State) -> list[int]:
    """The free ruins on which a start tile may lie: numbered at most the number of players; alone any (F-3.4)."""
    most = state.seats if state.seats > 1 else max(state.printed.board.numbers.values(), default=0)
    return [
        cell for cell, number in state.printed.board.numbers.items() if number <= most and not state.covered >> cell & 1
    ]


def _breaches_of_start(state: State, act: moves.PlaceStart) -> list[Breach]:
    """Breaches of placing the first tile: it is not on a free start cell (F-3.4)."""
    breaches = breaches_of_stage(state, act.seat, ("start",), "start.order")
    mask = mask_of(cells_of((act.at,)))
    if not add_breaches_of_ground(state, (act.at,), mask, "land", breaches):
        return breaches
    if cell_of(act.at) not in list_start_cells(state):
        breaches.append(breach("start.cell", phrase("start-cell"), found_cell(act.at)))
    return breaches


def _effects_of_start(before: State, act: moves.PlaceStart) -> Outcome | None:
    """What placing the first tile brings: its owner's first income; None where the cell does not exist."""
    if cell_of(act.at) == NOWHERE:
        return None
    outcome = apply_to_copy(before, act)
    outcome.gain(act.seat, "income", 1, "owned")
    return outcome


def list_draft_acts(state: State, stage: Stage) -> Iterator[moves.Draft]:
    """Every legal act of a step of the draft: of races, of base cards or of first tiles."""
    seat = stage.seat
    match stage.kind:
        case "race":
            races = [moves.TakeRace(seat=seat, race=race) for race in RACES if race != AESTHER]
            bases = list_bases_for_aesther(state)
            races += [moves.TakeRace(seat=seat, race=AESTHER, base=base) for base in bases]
            yield from (act for act in races if not _breaches_of_race(state, act))
        case "base" | "third":
            choices = find_draft_choices(state, seat, stage.kind)
            takings = [moves.TakeBase(seat=seat, base=base, who=who) for base, who in choices]
            yield from (act for act in takings if not _breaches_of_base(state, act))
        case _:
            yield from (moves.PlaceStart(seat=seat, at=name_of(cell)) for cell in list_start_cells(state))


RULES_OF_DRAFT: Final[dict[type, tuple[BreachesOf, OutcomeOf]]] = {
    moves.TakeRace: (_breaches_of_race, _effects_of_race),
    moves.TakeBase: (_breaches_of_base, _effects_of_base),
    moves.PlaceStart: (_breaches_of_start, _effects_of_start),
}
