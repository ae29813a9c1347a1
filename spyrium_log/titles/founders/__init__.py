"""Founders of Gloomhaven (Isaac Childres, 2018): its door."""

from __future__ import annotations

from collections.abc import Iterable

from spyrium_log.title import Holding, Recorder, Screens, Table, Tables, Title, Wire, Words
from spyrium_log.titles.founders import deals, notation, position, shorthand, tableau, view, words
from spyrium_log.titles.founders.assumed import list_assumed
from spyrium_log.titles.founders.cards import BASES, COLOURS
from spyrium_log.titles.founders.effects import CAUSES, FACTS, RESOURCES, Cause, FoundersFact, Resource
from spyrium_log.titles.founders.evolve import evolve
from spyrium_log.titles.founders.legal import compute_offers, find_nearest_decisions, list_legal_decisions
from spyrium_log.titles.founders.messages import LANGUAGES, vocabulary
from spyrium_log.titles.founders.moves import Act, Deal, Decision, Position
from spyrium_log.titles.founders.options import EDITIONS, Options
from spyrium_log.titles.founders.questions import list_questions
from spyrium_log.titles.founders.rules import compute_effects, find_breaches
from spyrium_log.titles.founders.rules.deal import draw_deal
from spyrium_log.titles.founders.rules.turn import RULES, find_awaited
from spyrium_log.titles.founders.scoring import compute_scores
from spyrium_log.titles.founders.sets import SHEETS, check_board, check_set, list_values_of, read_printed
from spyrium_log.titles.founders.shorthand.ranks import rank_act
from spyrium_log.titles.founders.shorthand.typed import read_typed
from spyrium_log.titles.founders.state import State, new_state
from spyrium_log.titles.founders.worth import estimate_worth


def lay_out_table(table: Table) -> State:
    """The table before the first deal, each seat with what it starts with; alone all bases are one's own (F-12.3)."""
    options: Options = table.options
    printed = read_printed(table.sheet, options.side, part_corners=options.river_corner == "parted")
    # one who only reads a log may have a set without a board
    if table.is_played:
        check_board(printed, options.side)
    state = new_state(table.seats, table.first, options, printed)
    for mat, start in zip(state.mats[1:], table.start, strict=True):
        for resource, amount in start:
            setattr(mat, resource, amount)
    if table.seats == 1:
        state.base_owner = dict.fromkeys(BASES, 1)
    return state


def list_holdings(state: State) -> Iterable[Holding[str]]:
    """The amount of each resource at each seat; seat 0 has what went to seats that do not exist."""
    for seat, mat in enumerate(state.mats):
        for what in RESOURCES:
            yield Holding(seat, what, getattr(mat, what))


def list_components_used(state: State) -> Iterable[str]:
    """The components whose printed values had a say in this game: the board, and what was built, dealt and played."""
    yield f"board-{state.options.side}"
    yield from (f"terrain-{terrain}" for terrain in state.printed.trade)
    yield from (f"slot-{slot}" for slot in range(1, len(state.printed.slots) + 1))
    yield from {structure.kind for structure in state.structures if structure.kind in state.printed.recipes}
    for mat in state.mats[1:]:
        if mat.race:
            yield mat.race
        yield from (card for card in (*mat.hand, *mat.discard) if card in state.printed.advisers)
    yield from (building.card for building in state.buildings)
    yield from filter(None, state.goals)


def find_colour(state: State, seat: int) -> str:
    """The colour of the race that a seat took; '' before it took one."""
    return COLOURS.get(state.mat(seat).race, "")


FOUNDERS: Title[State, Act, FoundersFact] = Title(
    key="founders",
    name="Founders of Gloomhaven",
    bgg_id=214032,
    rules_version="1",
    title_format=1,
    upcasts={},
    wire=Wire(decision=Decision, deal=Deal, fact=FoundersFact, position=Position, resource=Resource, cause=Cause),
    options=Options,
    editions=EDITIONS,
    colours=tuple(COLOURS.values()),
    seats=range(1, 5),
    start=(("money", 7),),
    money="money",
    score_resource="points",
    sheets=SHEETS,
    check=check_set,
    values_of=list_values_of,
    setup=lay_out_table,
    copy=State.copy,
    evolve=evolve,
    held=list_holdings,
    awaits=find_awaited,
    round=lambda state: state.votes + 1 if state.row else 0,
    phase=tableau.phase_name,
    deal=draw_deal,
    breaches=find_breaches,
    effects=compute_effects,
    assumed=list_assumed,
    against=lambda _state, _facts: (),
    legal=list_legal_decisions,
    score=compute_scores,
    worth=estimate_worth,
    rules=RULES,
    causes=CAUSES,
    facts=FACTS,
    words=Words(
        languages=LANGUAGES,
        vocabulary=vocabulary,
        describe=words.describe_event,
        component=words.component_name,
        read=notation.read_act,
        write=notation.write_act,
        spell=notation.write_without_seat,
        letters=position.LETTERS,
        grammar=(notation.__doc__ or "").partition("\n\n")[2].rstrip(),
    ),
    recorder=Recorder(
        steps=shorthand.list_steps,
        rank=rank_act,
        deal=deals.read_deal,
        codes=lambda state, _language: deals.cards_by_code(state.printed),
        typed=read_typed,
        hint=shorthand.find_hint,
        nearest=find_nearest_decisions,
        relied=shorthand.find_printed_price,
        questions=list_questions,
        printed=shorthand.track_numbers,
        grammar=lambda language: (
            vocabulary.read_page("keys", language) or (shorthand.__doc__ or "").partition("\n\n")[2].rstrip()
        ),
    ),
    tables=Tables(
        verb=lambda act: words.VERBS.get(type(act), "state"),
        deed=tableau.make_deed,
        credited=tableau.find_credited_card,
        tableau=tableau.list_pieces,
        unseen=tableau.count_unseen_cards,
        kinds=tableau.list_kinds,
        lasting=tableau.LASTING,
        tracked=(),
        offers=compute_offers,
        rests_on=list_components_used,
        macros=str,
        reports=dict,
    ),
    screens=Screens(colour=find_colour, view=view.make_view, seen_by=view.make_view_for, drawing=None),
)
