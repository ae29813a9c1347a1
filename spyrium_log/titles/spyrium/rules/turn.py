"""Whose turn it is, in which phase, and what every rule is called (S-5.1, S-5.2)."""

from __future__ import annotations

from typing import Final, Literal

from spyrium_log.errors import Breach
from spyrium_log.messages import FieldValue, Message, Seat, Term, audit_message, seat_message
from spyrium_log.title import Awaited
from spyrium_log.titles.spyrium.cards import MARKET, ROUNDS
from spyrium_log.titles.spyrium.messages import phrase
from spyrium_log.titles.spyrium.moves import GAPS, PlaceWorker, Turn, UseEvent
from spyrium_log.titles.spyrium.state import STRIDE, State

# Every rule a decision, a deal or the count can break, in the rulebook's order, with its number.
RULES: Final[dict[str, str]] = {
    "seat.exists": "S-1.1",
    "tokens.composition": "S-1.2",
    "cards.composition": "S-1.3",
    "round.number": "S-3",
    "event.follows": "S-4.2",
    "event.unique": "S-4.2",
    "event.token": "S-4.2",
    "market.size": "S-4.3",
    "market.tokens": "S-4.3",
    "space.exists": "S-4.3",
    "tokens.reserve": "S-4.5",
    "cards.deck": "S-4.6",
    "turn.order": "S-5.1",
    "turn.phase": "S-5.2",
    "gap.exists": "S-5.3",
    "worker.active": "S-5.3",
    "market.gap": "S-5.3",
    "event.once": "S-5.4",
    "event.effect": "S-5.4",
    "gain.worker": "S-5.5",
    "gain.card": "S-5.5",
    "activate.worker": "S-5.6",
    "activate.card": "S-5.6",
    "activate.money": "S-5.6.1",
    "activate.spyrium": "S-5.6.1",
    "character.token": "S-5.6.3",
    "character.effect": "S-5.6.3",
    "building.over": "S-5.6.4",
    "building.use": "S-5.7",
    "building.upright": "S-5.7",
    "building.effect": "S-5.7",
    "building.workers": "S-5.7",
    "building.spyrium": "S-5.7",
    "pass.workers": "S-5.8",
    "reuse.inclined": "S-5.9",
    "first.left": "S-6.4",
    "residence.choice": "S-7.2",
    "bonus.pending": "S-7.3",
    "bonus.choice": "S-7.3",
    "windfall.gain": "S-8.1",
    "estate.spyrium": "S-8.2",
    "investment.choice": "S-8.3",
    "exchange.choice": "S-8.4",
    "overtime.money": "S-8.5",
    "recruitment.money": "S-8.6",
    "recruitment.worker": "S-8.6",
    "latecomer.phase": "S-8.7",
    "lobbying.once": "S-9.3.4",
    "taylorism.once": "S-9.3.6",
    "commerce.once": "S-9.3.7",
    "commerce.value": "S-9.3.7",
    "final.due": "S-10",
    "choice.stray": "S-5",
}


def breach(rule: str, expected: Message, found: Message, on: Literal["record", "sheet"] = "record") -> Breach:
    """A breach of a rule of this title, with the rule's number in the rulebook."""
    return Breach(rule, RULES[rule], expected, found, on)


def no_such_seat(state: State, seat: int) -> Breach:
    """The breach of naming a seat that this game does not have."""
    return breach("seat.exists", phrase("seats", n=state.seats), seat_message(seat))


def no_such_gap(gap: int) -> Breach:
    """The breach of naming a gap that the market does not have."""
    return breach("gap.exists", phrase("gaps", options=", ".join(map(str, GAPS))), phrase("gap-number", n=gap))


def no_such_space(space: int) -> Breach:
    """The breach of naming a space that the market does not have."""
    return breach("space.exists", phrase("spaces", n=MARKET), phrase("space", n=space))


# Made once, because an archive needs one at every decision.
_TURNS: Final = tuple([Awaited("decision", (seat,)) for seat in range(STRIDE)])


def find_awaited(state: State) -> Awaited:
    """What comes next: a pending bonus, a turn, the next deal, the final count, or nothing."""
    if state.abandoned:
        return Awaited("over")
    mats = state.mats
    for mat in mats:
        if mat.bonus_due:
            # a seat that conceded chooses no more
            due = [seat for seat in state.list_seats_clockwise() if mats[seat].bonus_due and not mats[seat].conceded]
            if due:
                return Awaited("choice", (due[0],))
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
    """Breaches of turn order and phase, whatever the act is."""
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
        breaches.append(breach("turn.order", expected_next_message(state), seat_message(seat)))
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


def add_stray_breaches(act: Turn, names: tuple[str, ...], breaches: list[Breach], asked: tuple[str, ...] = ()) -> None:
    """Add a breach for each of these fields that is set although nothing, or nothing `asked`, is to be chosen there."""
    for name in names:
        value = getattr(act, name)
        if value is not None and value is not False and name not in asked:
            expected = phrase("nothing-to-choose", field=Term("fields", name))
            breaches.append(breach("choice.stray", expected, audit_message("field", field=FieldValue(name, value))))
