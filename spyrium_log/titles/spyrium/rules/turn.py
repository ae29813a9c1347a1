"""Whose turn it is, in which phase, and what every rule is called (S-5.1, S-5.2)."""

from __future__ import annotations

from typing import Final

from spyrium_log.errors import Breach, Unchecked
from spyrium_log.messages import FieldValue, Message, Seat, Term, finding_message, seat_message
from spyrium_log.title import Awaited
from spyrium_log.titles.spyrium.cards import MARKET, ROUNDS
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.moves import GAPS, PlaceWorker, Turn, UseEvent
from spyrium_log.titles.spyrium.state import STRIDE, Mat, State

# Every rule a decision, a deal or the count can break, in the rulebook's order, by its number.
_RULES_BY_NUMBER: Final = {
    "S-1.1": ("seat.exists",),
    "S-1.2": ("tokens.composition",),
    "S-1.3": ("cards.composition",),
    "S-3": ("round.number",),
    "S-4.2": ("event.follows", "event.unique", "event.token"),
    "S-4.3": ("market.size", "market.tokens", "space.exists"),
    "S-4.5": ("tokens.reserve",),
    "S-4.6": ("cards.deck",),
    "S-5.1": ("turn.order",),
    "S-5.2": ("turn.phase",),
    "S-5.3": ("gap.exists", "worker.active", "market.gap"),
    "S-5.4": ("event.once", "event.effect"),
    "S-5.5": ("gain.worker", "gain.card"),
    "S-5.6": ("activate.worker", "activate.card"),
    "S-5.6.1": ("activate.money", "activate.spyrium"),
    "S-5.6.3": ("character.token", "character.effect"),
    "S-5.6.4": ("building.over",),
    "S-5.7": ("building.use", "building.upright", "building.effect", "building.workers", "building.spyrium"),
    "S-5.8": ("pass.workers",),
    "S-5.9": ("reuse.inclined",),
    "S-6.4": ("first.left",),
    "S-7.2": ("residence.choice",),
    "S-7.3": ("bonus.pending", "bonus.choice"),
    "S-8.1": ("windfall.gain",),
    "S-8.2": ("estate.spyrium",),
    "S-8.3": ("investment.choice",),
    "S-8.4": ("exchange.choice",),
    "S-8.5": ("overtime.money",),
    "S-8.6": ("recruitment.money", "recruitment.worker"),
    "S-8.7": ("latecomer.phase",),
    "S-9.3.4": ("lobbying.once",),
    "S-9.3.6": ("taylorism.once",),
    "S-9.3.7": ("commerce.once", "commerce.value"),
    "S-10": ("final.due",),
    "S-5": ("choice.stray",),
}
RULES: Final[dict[str, str]] = {rule: number for number, rules in _RULES_BY_NUMBER.items() for rule in rules}


def breach(rule: str, expected: Message, found: Message, unchecked: tuple[Unchecked, ...] = ()) -> Breach:
    """A breach of a rule of this title, with the rule's number in the rulebook and the assumed values it rests on."""
    return Breach(rule, RULES[rule], expected, found, unchecked)


def no_such_seat(state: State, seat: int) -> Breach:
    """The breach of an act of a seat that this game does not have: the only one, since nothing else can be judged."""
    return breach("seat.exists", phrase("seats", n=state.seats), seat_message(seat))


def no_such_gap(gap: int) -> Breach:
    """The breach of naming a gap that the market does not have."""
    return breach("gap.exists", phrase("gaps", options=", ".join(map(str, GAPS))), phrase("gap-number", n=gap))


def no_such_space(space: int) -> Breach:
    """The breach of naming a space that the market does not have."""
    return breach("space.exists", phrase("spaces", n=MARKET), phrase("space", n=space))


def own_slots_message(mat: Mat) -> Message:
    """The slots that a seat has a building in, as the expected part of a breach."""
    slots = len(mat.buildings)
    if slots > 1:
        return phrase("own-buildings", n=slots)
    return phrase("slot", n=1) if slots else phrase("own-building")


# Made once, because an archive needs one at every decision.
_TURNS: Final = tuple([Awaited("decision", (seat,)) for seat in range(STRIDE)])


def find_awaited(state: State) -> Awaited:
    """What comes next: a pending bonus, a turn, the next deal, the final count, or nothing."""
    if state.abandoned:
        return Awaited("over")
    mats = state.mats
    for mat in mats:
        if mat.bonus_due:
            for seat in state.list_seats_clockwise():
                # a seat that conceded chooses no more
                if mats[seat].bonus_due and not mats[seat].conceded:
                    return Awaited("choice", (seat,))
            break
    if state.counted:
        return Awaited("over")
    if state.round == 0:
        return Awaited("deal")
    seat = find_seat_to_act(state)
    if seat:
        return _TURNS[seat]
    return Awaited("deal") if state.round < ROUNDS else Awaited("final")


def find_seat_to_act(state: State) -> int:
    """The next seat clockwise that has not passed; 0 when all have."""
    mats = state.mats
    seats = state.seats
    last = state.last
    # nobody acted yet in this round: as if the seat before the first player had
    seat = last if 0 < last <= seats else (state.first - 2) % seats + 1
    left = seats
    while left:
        seat = seat % seats + 1
        mat = mats[seat]
        if not (mat.passed or mat.conceded):
            return seat
        left -= 1
    return 0


def breaches_of_turn(state: State, act: Turn) -> list[Breach]:
    """Breaches of turn order and phase. Phase I is for placing and the event; what else a seat does enters phase II."""
    seat = act.seat
    if seat > state.seats:
        return [no_such_seat(state, seat)]
    breaches: list[Breach] = []
    mats = state.mats
    for mat in mats:
        if mat.bonus_due:
            breaches = _breaches_of_pending_bonus(state, seat)
            break
    if state.round == 0 or state.counted or state.abandoned or find_seat_to_act(state) != seat:
        breaches.append(breach("turn.order", _expected_turn_message(state), seat_message(seat)))
    phase = mats[seat].phase
    if type(act) is PlaceWorker:
        if phase != 1:
            breaches.append(breach("turn.phase", phrase("phase-to-place"), phrase("phase-2")))
    elif act.enter:
        if phase != 1:
            breaches.append(breach("turn.phase", phrase("phase-to-enter"), phrase("phase-2")))
    elif phase == 1 and type(act) is not UseEvent:
        breaches.append(breach("turn.phase", phrase("phase-to-act"), phrase("phase-1")))
    return breaches


def _breaches_of_pending_bonus(state: State, seat: int) -> list[Breach]:
    """A breach while another decision, the choice of a bonus, comes first."""
    awaited = find_awaited(state)
    if awaited.kind != "choice":
        return []
    expected = phrase("bonus-first", seat=Seat(awaited.seat))
    return [breach("bonus.pending", expected, phrase("turn-of", seat=Seat(seat)))]


def _expected_turn_message(state: State) -> Message:
    """Whose turn it is, as the expected part of a breach; that a bonus comes first is a breach of its own."""
    if state.counted or find_awaited(state).kind != "choice":
        return expected_next_message(state)
    seat = find_seat_to_act(state)
    return phrase("act", seat=Seat(seat)) if seat else phrase("deal" if state.round < ROUNDS else "final")


def expected_next_message(state: State) -> Message:
    """What the game waits for, as the expected part of a breach."""
    awaited = find_awaited(state)
    match awaited.kind:
        case "decision":
            return phrase("act", seat=Seat(awaited.seat))
        case "choice":
            return phrase("choose-bonus", seat=Seat(awaited.seat))
        case kind:
            return phrase(kind)


def add_stray_breaches(
    act: Turn,
    names: tuple[str, ...],
    breaches: list[Breach],
    asked: tuple[str, ...] = (),
    unchecked: tuple[Unchecked, ...] = (),
) -> None:
    """Add a breach for each of these fields that is set although nothing, or nothing `asked`, is to be chosen there.

    `unchecked`: the assumed values that say so.
    """
    for name in names:
        value = getattr(act, name)
        if value is not None and value is not False and name not in asked:
            expected = phrase("nothing-to-choose", field=Term("fields", name))
            found = finding_message("field", field=FieldValue(name, value))
            breaches.append(breach("choice.stray", expected, found, unchecked))
