"""Spyrium (William Attia, 2013): its door."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import get_args

from spyrium_log.catalogue import ENGLISH
from spyrium_log.sheet import Sheet, parse_sheet
from spyrium_log.title import Holding, Recorder, Screens, Table, Tables, Title, Wire, Words
from spyrium_log.titles.spyrium import deals, notation, position, shorthand, tableau, words
from spyrium_log.titles.spyrium.assumed import list_assumed
from spyrium_log.titles.spyrium.cards import TECHNIQUES, check_sheet, read_printed
from spyrium_log.titles.spyrium.effects import CAUSES, FACTS, Cause, Resource, SpyriumFact
from spyrium_log.titles.spyrium.evolve import evolve
from spyrium_log.titles.spyrium.legal import compute_offers, find_nearest_decisions, list_legal_decisions
from spyrium_log.titles.spyrium.messages import LANGUAGES, vocabulary
from spyrium_log.titles.spyrium.moves import Act, Decision, Position, RoundDealt
from spyrium_log.titles.spyrium.options import EDITIONS, Options
from spyrium_log.titles.spyrium.rules import compute_effects, find_breaches
from spyrium_log.titles.spyrium.rules.deal import breaches_of_naming, draw_deal
from spyrium_log.titles.spyrium.rules.turn import RULES, find_awaited
from spyrium_log.titles.spyrium.scoring import compute_scores
from spyrium_log.titles.spyrium.shorthand.typed import read_typed
from spyrium_log.titles.spyrium.state import State, new_state
from spyrium_log.titles.spyrium.view import DRAWING, make_view, read_text
from spyrium_log.titles.spyrium.worth import estimate_worth

RESOURCES: tuple[Resource, ...] = get_args(Resource)

# There is a report about each of these kinds of cards. They differ in when a card counts for a player.
COMPARED_KINDS = ("building", "character", "technique")


@cache
def read_sheet() -> Sheet:
    """The component sheet that ships with the package. Most of its values are assumed."""
    return parse_sheet(read_text("sheet.toml"))


def read_reports() -> dict[str, str]:
    """The SQL of each report of this title, by name; those about kinds of cards share one text."""
    counts = vocabulary(ENGLISH)["card-counts"]
    card_scores = read_text("reports/card-scores.sql")
    reports = {
        f"{kind}-scores": card_scores.replace("{kind}", kind).replace("{counts}", counts[kind])
        for kind in COMPARED_KINDS
    }
    return {"crowding": read_text("reports/crowding.sql"), **reports}


def read_report_texts(language: str) -> str:
    """The words of these reports in a language; '' where it has none."""
    kinds, counts = vocabulary(language)["kinds"], vocabulary(language)["card-counts"]
    card_scores = vocabulary.read_page("card-scores", language)
    texts = (
        card_scores.replace("{name}", f"{kind}-scores").replace("{kind}", kinds[kind]).replace("{counts}", counts[kind])
        for kind in COMPARED_KINDS
    )
    return "\n\n".join((vocabulary.read_page("reports", language), *texts))


def lay_out_table(table: Table) -> State:
    """The table before the first deal, each seat with what it starts with."""
    state = new_state(table.seats, table.first, table.options, read_printed(table.sheet))
    for mat, start in zip(state.mats[1:], table.start, strict=True):
        for what, n in start:
            setattr(mat, what, n)
        mat.active = mat.workers
    return state


def list_holdings(state: State) -> Iterable[Holding[str]]:
    """The amount of each resource at each seat; seat 0 has what went to seats that do not exist."""
    for seat, mat in enumerate(state.mats):
        for what in RESOURCES:
            yield Holding(seat, what, getattr(mat, what))


def list_components_used(state: State) -> Iterable[str]:
    """The components whose printed values had a say in this game: every card that was seen, and the track."""
    yield "residence-track"
    yield from {card for _, card in state.dealt}


SPYRIUM: Title[State, Act, SpyriumFact] = Title(
    key="spyrium",
    name="Spyrium",
    bgg_id=137269,
    rules_version="1",
    title_format=1,
    upcasts={},
    wire=Wire(decision=Decision, deal=RoundDealt, fact=SpyriumFact, position=Position, resource=Resource, cause=Cause),
    options=Options,
    editions=EDITIONS,
    colours=("blue", "red", "yellow", "green", "black"),
    seats=range(2, 6),
    start=(("money", 8), ("spyrium", 2), ("workers", 3), ("residence", 1)),
    money="money",
    score_resource="points",
    sheets={"official-partial": read_sheet},
    check=check_sheet,
    values_of=None,
    setup=lay_out_table,
    copy=State.copy,
    evolve=evolve,
    held=list_holdings,
    awaits=find_awaited,
    round=lambda state: state.round,
    phase=tableau.phase_name,
    deal=draw_deal,
    breaches=find_breaches,
    effects=compute_effects,
    assumed=list_assumed,
    against=breaches_of_naming,
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
        rank=shorthand.rank_act,
        deal=deals.read_deal,
        codes=lambda _state, language: deals.map_codes(language),
        with_ids=deals.replace_names,
        typed=read_typed,
        hint=shorthand.find_hint,
        detail=shorthand.describe_detail,
        nearest=find_nearest_decisions,
        relied=shorthand.find_printed_price,
        questions=lambda _state, _act: (),
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
        kinds=lambda _sheet: tableau.ALL_KINDS,
        lasting=tableau.LASTING,
        tracked=tuple(TECHNIQUES),
        offers=compute_offers,
        rests_on=list_components_used,
        macros=lambda: read_text("macros.sql"),
        reports=read_reports,
        report_texts=read_report_texts,
    ),
    screens=Screens(
        colour=lambda _state, _seat: "",
        view=make_view,
        # nothing on the table is hidden from anybody: decks and reserve are unknown to all alike
        seen_by=lambda state, _seat: make_view(state),
        drawing=DRAWING,
    ),
)
