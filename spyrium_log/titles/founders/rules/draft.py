"""Races, base cards and start tiles (F-3.2 to F-3.4)."""

from __future__ import annotations

from spyrium_log.errors import Breach
from spyrium_log.messages import Card, Message
from spyrium_log.titles.founders import effects, moves
from spyrium_log.titles.founders.cards import AESTHER, BASES, RACES
from spyrium_log.titles.founders.evolve import apply_act
from spyrium_log.titles.founders.ground import NOWHERE, cell_of, cells_of, mask_of, name_of
from spyrium_log.titles.founders.messages import phrase
from spyrium_log.titles.founders.rules.build import add_breaches_of_ground
from spyrium_log.titles.founders.rules.deliver import Outcome
from spyrium_log.titles.founders.rules.turn import Stage, breach, breaches_of_stage, find_stage, list_unchecked
from spyrium_log.titles.founders.state import TWO_PLAYERS, State


def breaches_of_race(state: State, act: moves.TakeRace) -> list[Breach]:
    """Breaches of taking a race: it is taken, or its base is, or a base is chosen that is not to be chosen (F-3.2)."""
    breaches = breaches_of_stage(state, act.seat, ("race",), "race.order")
    if act.race not in RACES:
        breaches.append(breach("race.free", phrase("race"), _found(act.race)))
        return breaches
    if any(mat.race == act.race for mat in state.mats[1:]):
        breaches.append(breach("race.free", phrase("free-race"), _found(act.race)))
    printed = base_of_race(state, act.race)
    if act.race == AESTHER:
        free = list_bases_for_aesther(state)
        if act.base not in free:
            breaches.append(breach("race.base", phrase("free-base"), _found(act.base or "?")))
    elif printed is not None and act.base is not None:
        unchecked = list_unchecked(state, (act.race, "base"))
        breaches.append(breach("race.base", phrase("printed-base", card=Card(printed)), _found(act.base), unchecked))
    elif act.base is not None and act.base not in BASES:
        breaches.append(breach("race.base", phrase("base"), _found(act.base)))
    base = act.base or printed
    if act.race != AESTHER and base in state.base_owner and state.seats > 1:
        unchecked = list_unchecked(state, (act.race, "base"))
        breaches.append(breach("race.free", phrase("race-of-free-base"), _found(act.race), unchecked))
    return breaches


def _found(card: str) -> Message:
    """A card as the found part of a breach."""
    return phrase("card-found", card=Card(card[:40]))


def base_of_race(state: State, race: str) -> str | None:
    """The base card printed for a race; None for Aesther, and where nobody knows it."""
    printed = state.printed.races.get(race)
    return printed.base if printed and race != AESTHER else None


def list_bases_for_aesther(state: State) -> list[str]:
    """The base cards whose race nobody took (F-3.2)."""
    taken = {mat.race_base for mat in state.mats[1:]}
    return [base for base in BASES if base not in taken]


def effects_of_race(before: State, act: moves.TakeRace) -> Outcome:
    """What taking a race brings: the base card that is printed for it."""
    outcome = Outcome(before.copy())
    apply_act(outcome.state, act)
    printed = base_of_race(before, act.race)
    if printed is not None and act.base is None:
        outcome.note(effects.BaseGot(seat=act.seat, base=printed))
    return outcome


# --- base cards ----------------------------------------------------------------------------------


def forbidden_bases(state: State, seat: int, stage: str) -> frozenset[str]:
    """The base cards that the seat may not take, as far as anybody knows (F-3.3)."""
    mat = state.mat(seat)
    race = state.printed.races.get(mat.race)
    forbidden = set(race.forbids or ()) if race else set()
    binds_face = mat.race == AESTHER and state.options.aesther_forbids == "both"
    if binds_face:
        forbidden |= state.printed.base_forbids.get(mat.race_base) or frozenset()
    if stage == "third" and mat.bases:
        forbidden |= state.printed.base_forbids.get(mat.bases[0]) or frozenset()
    return frozenset(forbidden)


def list_free_bases(state: State) -> list[str]:
    """The base cards that nobody holds."""
    return [base for base in BASES if base not in state.base_owner]


def find_draft_choices(state: State, seat: int, stage: str) -> list[tuple[str, int | None]]:
    """The base cards that the seat may take, each with whom from; without a look at how the draft goes on."""
    forbidden = forbidden_bases(state, seat, stage)
    free = list_free_bases(state)
    may_be_forbidden = stage == "third" and state.options.draft_third == "forbidden"
    allowed = [base for base in free if base not in forbidden] or (free if may_be_forbidden else [])
    if allowed:
        return [(base, None) for base in allowed]
    return [(base, who) for base, who in _list_displaceable(state, seat, stage) if base not in forbidden]


def _list_displaceable(state: State, seat: int, stage: str) -> list[tuple[str, int]]:
    """The base cards that others drafted in this step; by one reading those of their races, too.

    Nobody takes back a card that was taken from it in this step.
    """
    cards = []
    for other in range(1, state.seats + 1):
        mat = state.mats[other]
        if other == seat:
            continue
        # in the third step the second card is safe, for who lost that of its race as well
        place = 1 if stage == "third" or len(mat.bases) > 1 else 0
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


def breaches_of_base(state: State, act: moves.TakeBase) -> list[Breach]:
    """Breaches of taking a base: it is forbidden, another seat's, or leaves others none to take (F-3.3)."""
    breaches = breaches_of_stage(state, act.seat, ("base", "third"), "draft.order")
    if breaches and breaches[0].rule == "seat.exists":
        return breaches
    if act.base not in BASES:
        breaches.append(breach("draft.free", phrase("base"), _found(act.base)))
        return breaches
    stage = find_draft_step(state, act.seat)
    if act.base in forbidden_bases(state, act.seat, stage) and not _may_take_forbidden(state, act, stage):
        mat = state.mat(act.seat)
        unchecked = list_unchecked(state, *((card, "forbids") for card in (mat.race, mat.race_base, *mat.bases)))
        breaches.append(breach("draft.forbidden", phrase("allowed-base"), _found(act.base), unchecked))
    holder = state.base_owner.get(act.base, 0) or None
    if act.who is None and holder is not None:
        breaches.append(breach("draft.free", phrase("free-base"), _found(act.base)))
    elif act.who is not None:
        _add_breach_of_displacing(state, act, stage, breaches)
    if not breaches:
        after = state.copy()
        apply_act(after, act)
        if not can_complete_draft(after) and can_complete_draft(state):
            # whether somebody is stuck hangs on what every race and every base forbids
            unchecked = list_unchecked(
                state, *((card, "forbids") for card in (*BASES, *(mat.race for mat in state.mats[1:])))
            )
            breaches.append(breach("draft.stuck", phrase("draft-possible"), _found(act.base), unchecked))
    return breaches


def find_draft_step(state: State, seat: int) -> str:
    """Whether the seat takes its second or its third base card, which only two players take."""
    stage = find_stage(state)
    if stage.kind in {"base", "third"}:
        return stage.kind
    return "third" if state.mat(seat).bases and state.seats == TWO_PLAYERS else "base"


def _may_take_forbidden(state: State, act: moves.TakeBase, stage: str) -> bool:
    """Whether the table reads that a third card may be a forbidden one where no other is left."""
    choices = find_draft_choices(state, act.seat, stage)
    return state.options.draft_third == "forbidden" and stage == "third" and (act.base, None) in choices


def _add_breach_of_displacing(state: State, act: moves.TakeBase, stage: str, breaches: list[Breach]) -> None:
    """A card is taken from another seat only where no other is allowed, and only one drafted in this step."""
    free = [base for base in list_free_bases(state) if base not in forbidden_bases(state, act.seat, stage)]
    if free or (act.base, act.who) not in _list_displaceable(state, act.seat, stage):
        expected = phrase("free-base") if free else phrase("drafted-base")
        breaches.append(breach("draft.displaced", expected, _found(act.base)))


def effects_of_base(before: State, act: moves.TakeBase) -> Outcome | None:
    """What taking a base brings: nothing but the card; None where the base does not exist."""
    if act.base not in BASES:
        return None
    outcome = Outcome(before.copy())
    apply_act(outcome.state, act)
    return outcome


# --- start tiles ---------------------------------------------------------------------------------


def list_start_cells(state: State) -> list[int]:
    """The free ruins on which a start tile may lie: numbered at most the number of players; alone any (F-3.4)."""
    most = state.seats if state.seats > 1 else max(state.printed.board.numbers.values(), default=0)
    return [
        cell for cell, number in state.printed.board.numbers.items() if number <= most and not state.covered >> cell & 1
    ]


def breaches_of_start(state: State, act: moves.PlaceStart) -> list[Breach]:
    """Breaches of placing the first tile: it is not on a free start cell (F-3.4)."""
    breaches = breaches_of_stage(state, act.seat, ("start",), "start.order")
    mask = mask_of(cells_of((act.at,)))
    if not add_breaches_of_ground(state, (act.at,), mask, "land", breaches):
        return breaches
    if cell_of(act.at) not in list_start_cells(state):
        breaches.append(breach("start.cell", phrase("start-cell"), phrase("cell", name=act.at[:4])))
    return breaches


def effects_of_start(before: State, act: moves.PlaceStart) -> Outcome | None:
    """What placing the first tile brings: its owner's first income; None where the cell does not exist."""
    if cell_of(act.at) == NOWHERE:
        return None
    outcome = Outcome(before.copy())
    apply_act(outcome.state, act)
    outcome.gain(act.seat, "income", 1, "owned")
    return outcome


def list_draft_acts(state: State, stage: Stage) -> list[moves.Draft]:
    """Every legal act of the draft."""
    seat = stage.seat
    acts: list[moves.Draft] = []
    match stage.kind:
        case "race":
            bases = list_bases_for_aesther(state)
            acts += [moves.TakeRace(seat=seat, race=race) for race in RACES if race != AESTHER]
            acts += [moves.TakeRace(seat=seat, race=AESTHER, base=base) for base in bases]
            return [act for act in acts if isinstance(act, moves.TakeRace) and not breaches_of_race(state, act)]
        case "base" | "third":
            choices = find_draft_choices(state, seat, stage.kind)
            acts += [moves.TakeBase(seat=seat, base=base, who=who) for base, who in choices]
            return [act for act in acts if isinstance(act, moves.TakeBase) and not breaches_of_base(state, act)]
        case _:
            return [moves.PlaceStart(seat=seat, at=name_of(cell)) for cell in list_start_cells(state)]
