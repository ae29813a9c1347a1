"""What the rules must know of the components before an act, and the set does not say: the recorder asks for it.

A value that is read later changes what earlier acts come to. So a card is asked about when it is dealt, as far as the
deal hangs on it, and for the rest when something is done with it. What nobody can read off stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from spyrium_log.title import Question
from spyrium_log.titles.founders import moves
from spyrium_log.titles.founders.cards import ACTION_CARDS, AESTHER, RACE, Adviser, Goal, Prestige, Race, Recipe
from spyrium_log.titles.founders.ground import cell_of
from spyrium_log.titles.founders.moves import UNSEEN
from spyrium_log.titles.founders.rules.choices import list_step_acts
from spyrium_log.titles.founders.rules.draft import find_draft_step, list_binding_bases
from spyrium_log.titles.founders.rules.spend import terrains_under
from spyrium_log.titles.founders.rules.steps import make_context
from spyrium_log.titles.founders.rules.turn import find_stage
from spyrium_log.titles.founders.state import State


def list_questions(state: State, act: moves.Act) -> list[Question]:
    """The values that the act rests on and nobody knows, each once; more may come up once these are answered."""
    questions = [*_ask_about_played_adviser(state, act)]
    ask_about = _QUESTIONS_OF.get(type(act))
    if ask_about is not None:
        questions += ask_about(state, act)
    return list(dict.fromkeys(questions))


def _ask(of: str, component: Race | Recipe | Adviser | Prestige | Goal, *names: str) -> Iterator[Question]:
    """A question for each of these values that the component lacks."""
    return (Question(of, name) for name in names if getattr(component, name) is None)


def _ask_about(
    cards: Mapping[str, Adviser] | Mapping[str, Prestige] | Mapping[str, Goal], kind: str, card: str, *names: str
) -> Iterator[Question]:
    """A question for each of these values that a card lacks; of one that the set lacks, first what `kind` it is."""
    # no card, or one that nobody saw
    if card in {"", UNSEEN}:
        return
    if card in cards:
        yield from _ask(card, cards[card], *names)
    else:
        yield Question(card, "kind", kind)


# --- deals ---------------------------------------------------------------------------------------


def _ask_about_advisers(state: State, cards: Iterable[str], *names: str) -> Iterator[Question]:
    """Ask for these values of each adviser, as far as nobody knows them."""
    for card in cards:
        yield from _ask_about(state.printed.advisers, "adviser", card, *names)


def _ask_about_proposals(state: State, cards: Iterable[str]) -> Iterator[Question]:
    """What a building looks like, and where it fits: a vote already asks whether it does."""
    for card in cards:
        prestige = state.printed.prestige.get(card)
        if prestige is None or not prestige.site:
            yield from _ask_about(state.printed.prestige, "prestige", card, "shape", "colour", "terrain")


def _ask_about_table(state: State, act: moves.TableDealt) -> Iterator[Question]:
    """Ask for what the first deal depends on: levels of advisers, looks of buildings, and whole achievements."""
    yield from _ask_about_advisers(state, act.advisers, "level")
    yield from _ask_about_proposals(state, (*act.proposals, *act.put_back))
    # whether somebody meets them is asked at the end of every turn
    for card in act.goals:
        yield from _ask_about(state.printed.goals, "goal", card, "deck", "when", "points")


# --- the draft -----------------------------------------------------------------------------------


def _ask_about_race(state: State, act: moves.TakeRace) -> Iterator[Question]:
    """Ask for the base that is printed for the race, unless the act names it; Aesther has none, and chooses."""
    race = state.printed.races.get(act.race)
    if race is not None and act.race != AESTHER and act.base is None:
        yield from _ask(act.race, race, "base")


def _ask_about_forbidden_bases(state: State, act: moves.TakeBase) -> Iterator[Question]:
    """What the race and the base cards of the seat forbid it to take (F-3.3)."""
    mat = state.mat(act.seat)
    if mat.race in state.printed.races:
        yield from _ask(mat.race, state.printed.races[mat.race], "forbids")
    for base in list_binding_bases(state, act.seat, find_draft_step(state, act.seat)):
        if base in state.printed.base_forbids and state.printed.base_forbids[base] is None:
            yield Question(base, "forbids")


# --- turns ---------------------------------------------------------------------------------------


def _ask_about_played_adviser(state: State, act: moves.Act) -> Iterator[Question]:
    """What the adviser played with the act does; its category as well, which others follow, unless one is alone."""
    # face-down no card does what is printed on it
    if isinstance(act, moves.Played) and act.card is not None and act.card not in ACTION_CARDS and not act.down:
        names = ("does", "category") if state.seats > 1 else ("does",)
        yield from _ask_about_advisers(state, (act.card,), *names)


def _ask_about_base(state: State, act: moves.BuildBase) -> Iterator[Question]:
    """An own base costs what its terrain says; another one's price stands in the rules (F-7.1)."""
    if state.base_owner.get(act.base, 0) == act.seat:
        terrain = state.printed.board.kinds.get(cell_of(act.at), "")
        prices = state.printed.trade.get(terrain)
        if prices is not None and prices.build is None:
            yield Question(f"terrain-{terrain}", "build")


def _ask_about_access(state: State, act: moves.BuyAccess) -> Iterator[Question]:
    """The cheapest terrain counts, so the price of each must be known."""
    tile = state.structure_at(cell_of(act.at))
    for terrain in terrains_under(state, tile.mask) if tile else ():
        if state.printed.trade[terrain].access is None:
            yield Question(f"terrain-{terrain}", "access")


def _ask_about_tile(state: State, act: moves.BuildTile) -> Iterator[Question]:
    """Its recipe, and where flags follow from the recipes of its inputs, those."""
    recipes = state.printed.recipes
    recipe = recipes.get(act.resource)
    if recipe is None:
        return
    yield from _ask(act.resource, recipe, "inputs", "shape")
    if recipe.flags is not None and None in recipe.flags:
        for resource in recipe.inputs or ():
            if resource in recipes:
                yield from _ask(resource, recipes[resource], "inputs")


def _ask_about_recruiting(state: State, act: moves.Recruit) -> Iterator[Question]:
    """Ask for the price of the slot, and for what the adviser needs and scores."""
    slots, slot = state.printed.slots, act.slot
    if 0 < slot <= len(slots) and slots[slot - 1] is None:
        yield Question(f"slot-{slot}", "price")
    yield from _ask_about_advisers(state, (state.card_in_slot(slot, act.named),), "needs", "points")


def _ask_about_worker(state: State, act: moves.UseWorker) -> Iterator[Question]:
    """Ask for the action of the race, or of the building, that the worker takes."""
    if act.on != RACE:
        yield from _ask_about(state.printed.prestige, "prestige", act.on, "worker")
    elif (race := state.printed.races.get(state.mat(act.seat).race)) is not None:
        yield from _ask(race.race, race, "worker")


def _ask_about_declining(state: State, act: moves.Decline) -> Iterator[Question]:
    """An obligatory step is declined only where it cannot be done; an unknown price keeps nobody from doing it."""
    stage = find_stage(state)
    if stage.kind != "step" or stage.seat != act.seat or stage.is_optional:
        return
    context = make_context(stage)
    questions = [list_questions(state, other) for other in list_step_acts(state, act.seat, stage.steps, context)]
    # one that can be done whatever the others cost settles it
    if questions and all(questions):
        yield from questions[0]


def _ask_about_placing(state: State) -> Iterator[Question]:
    """Ask for what the deliveries to the building that won depend on."""
    card = state.chosen_proposal
    yield from _ask_about_proposals(state, (card,))
    prestige = state.printed.prestige.get(card)
    # points that a need is left without are unknown like the needs
    if prestige is not None and (prestige.needs is None or any(points is None for _, points in prestige.needs)):
        yield Question(card, "needs")


_QUESTIONS_OF: Final[dict[type, Callable[[State, Any], Iterable[Question]]]] = {
    moves.TableDealt: _ask_about_table,
    moves.AdvisersDealt: lambda state, act: _ask_about_advisers(state, act.cards, "level"),
    moves.ProposalsDealt: lambda state, act: _ask_about_proposals(state, (*act.cards, *act.put_back)),
    moves.ProposalReplaced: lambda state, act: _ask_about_proposals(state, (act.card,)),
    moves.TakeRace: _ask_about_race,
    moves.TakeBase: _ask_about_forbidden_bases,
    moves.BuildBase: _ask_about_base,
    moves.BuyAccess: _ask_about_access,
    moves.BuildTile: _ask_about_tile,
    moves.Recruit: _ask_about_recruiting,
    moves.UseWorker: _ask_about_worker,
    moves.Decline: _ask_about_declining,
    moves.PlacePrestige: lambda state, _act: _ask_about_placing(state),
}
