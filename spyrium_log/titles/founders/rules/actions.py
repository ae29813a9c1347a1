"""What cards, follows and workers let a seat do, and how far it is in doing that (F-5.4, F-7, F-9)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from spyrium_log.titles.founders.cards import CATEGORIES, INCOME, RACE
from spyrium_log.titles.founders.programme import Instruction, Programme
from spyrium_log.titles.founders.state import State

MAIN_ACTIONS: Final[dict[str, Programme]] = {
    "trade": (Instruction(does="trade"),),
    "recruit": (Instruction(does="recruit"), Instruction(does="gain", what="fleeting")),
    "construct": (Instruction(does="construct", main=True),),
    "upgrade": (
        Instruction(does="road", optional=True),
        Instruction(does="tile"),
        Instruction(does="road", optional=True, instead=True),
    ),
    INCOME: (Instruction(does="income"),),
}
_FOLLOWS: Final[dict[str, Programme]] = {
    "trade": (Instruction(does="base", follow=True), Instruction(does="access", follow=True)),
    "recruit": (Instruction(does="recruit", follow=True),),
    "construct": (Instruction(does="construct", follow=True),),
    "upgrade": (Instruction(does="tile", follow=True),),
}
_ANY_FOLLOW: Final[Programme] = tuple(step for category in CATEGORIES for step in _FOLLOWS[category])
BASIC: Final = Instruction(does="basic")
# An action that nobody knows: whatever is done is a step of it.
UNKNOWN_ACTION: Final[Programme] = (Instruction(does="say", unknown=True),)

Origin: TypeAlias = Literal["card", "adviser", "race", "prestige"]


def programme_of_card(state: State, card: str) -> Programme | None:
    """The main action of a card; None where nobody knows it, or there is none."""
    if card in MAIN_ACTIONS:
        return MAIN_ACTIONS[card]
    adviser = state.printed.advisers.get(card)
    return adviser.does if adviser else None


def programme_of_worker(state: State, seat: int, on: str) -> Programme | None:
    """The action of a worker on the seat's race or on a prestige building; None where nobody knows it."""
    if on == RACE:
        race = state.printed.races.get(state.mat(seat).race)
        return race.worker if race else None
    prestige = state.printed.prestige.get(on)
    return prestige.worker if prestige else None


def category_of(state: State, card: str) -> str | None:
    """The category of a card, which says how it is followed; None where nobody knows it."""
    if card in MAIN_ACTIONS:
        return card
    adviser = state.printed.advisers.get(card)
    return adviser.category if adviser else None


def follows_of(state: State, card: str) -> Programme:
    """What may be done as a follow of a card besides a basic action: any follow where its category is unknown."""
    return _FOLLOWS.get(category_of(state, card) or "", _ANY_FOLLOW)


# --- how far a programme is ----------------------------------------------------------------------

DOES_OF_TAG: Final[dict[str, tuple[str, ...]]] = {
    "lay_road": ("road",),
    "build_base": ("base", "trade"),
    "buy_access": ("access", "trade"),
    "build_house": ("construct",),
    "build_bridge": ("construct",),
    "build_tile": ("tile",),
    "recruit": ("recruit",),
    "take_back": ("take-back",),
}


def is_done_by(instruction: Instruction, tag: str) -> bool:
    """Whether an act of this tag carries out the instruction."""
    return instruction.unknown or instruction.does in DOES_OF_TAG.get(tag, ())


def expand_roads(programme: Programme) -> Programme:
    """The programme with `road 2` as two instructions, each of which is one act."""
    if not any(instruction.does == "road" and instruction.n > 1 for instruction in programme):
        return programme
    steps: list[Instruction] = []
    for instruction in programme:
        steps += [instruction] * (instruction.n if instruction.does == "road" else 1)
    return tuple(steps)


def count_done(steps: Programme, tags: tuple[str, ...]) -> int:
    """How many of the expanded steps these acts have settled, what happens by itself behind them included.

    An act skips optional steps that it does not carry out; `decline` settles the next step; `play_card` and
    `use_worker` only begin. An act that fits nowhere settles nothing.
    """
    at = _skip_automatic(steps, 0)
    for index, tag in enumerate(tags):
        if tag in {"play_card", "use_worker"}:
            continue
        settled = at if tag == "decline" else _find_step(steps, at, tag)
        if settled is not None:
            at = _skip_automatic(steps, settled + 1)
            # what stands instead of a step that was done is not open any more
            if at < len(steps) and steps[at].instead and any(is_done_by(steps[at], each) for each in tags[: index + 1]):
                at = _skip_automatic(steps, at + 1)
    return min(at, len(steps))


def _skip_automatic(steps: Programme, at: int) -> int:
    """The place of the next step that somebody chooses."""
    while at < len(steps) and not (steps[at].has_choice or steps[at].unknown):
        at += 1
    return at


def _find_step(steps: Programme, at: int, tag: str) -> int | None:
    """The place of the step that an act of this tag carries out: the next, or one behind optional ones; None: none."""
    while at < len(steps):
        if is_done_by(steps[at], tag):
            return at
        if steps[at].has_choice and not steps[at].optional:
            return None
        at += 1
    return None


def list_first_steps(steps: Programme) -> Programme:
    """The steps with which an act may begin a card; none where the action begins by itself."""
    return () if not steps or steps[0].begins_alone else open_steps(steps, 0)


def open_steps(steps: Programme, done: int) -> Programme:
    """The steps that may be next: optional ones and the first that is not; empty where all are done."""
    still: list[Instruction] = []
    for step in steps[done:]:
        if step.has_choice or step.unknown:
            still.append(step)
            if not step.optional:
                break
    return tuple(still)
