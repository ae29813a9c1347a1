"""Every language says everything, in the words of its edition."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import resources
from itertools import combinations
from string import Formatter
from typing import get_args, get_origin

import pytest
from msgspec import structs

from spyrium_log import folding
from spyrium_log.messages import amount_text
from spyrium_log.title import (
    Abandoned,
    Adjusted,
    Conceded,
    Continued,
    Counted,
    FinalCount,
    Holding,
    Paused,
    Posting,
    Resynced,
    Table,
)
from spyrium_log.titles import spyrium
from spyrium_log.titles.spyrium import RESOURCES, SPYRIUM
from spyrium_log.titles.spyrium.cards import CARDS, EVENTS, KINDS, TECHNIQUES, UNSEEN
from spyrium_log.titles.spyrium.effects import CAUSES, BonusDue, BonusTaken, SpyriumFact, TokensReturned
from spyrium_log.titles.spyrium.messages import LANGUAGES, vocabulary
from spyrium_log.titles.spyrium.moves import (
    DECISIONS,
    Act,
    ActivateCard,
    BuildingAt,
    DealtCard,
    GainMoney,
    Pass,
    PlaceWorker,
    Position,
    ReuseBuilding,
    RoundDealt,
    Statement,
    TakeBonus,
    UseBuilding,
    UseEvent,
)
from spyrium_log.titles.spyrium.options import Options
from spyrium_log.titles.spyrium.state import Built, State
from tests.games import draw_options
from tests.scribe import market, mat, workers

describe_event = partial(folding.describe_event, SPYRIUM)

PLAYERS = ("Anna", "Борис")
ENGLISH = vocabulary("en")

# one act for every sentence, by the sentence's key
ACTS: dict[str, Act] = {
    "place_worker": PlaceWorker(seat=1, gap=14),
    "gain_money": GainMoney(seat=1, gap=12, space=1),
    "gain_money_empty": GainMoney(seat=1, gap=47),
    "activate_character": ActivateCard(seat=2, gap=12, space=2, token=1),
    "activate_character_declined": ActivateCard(seat=2, gap=12, space=2, declined=True),
    "activate_building": ActivateCard(seat=1, gap=12, space=1),
    "activate_building_over": ActivateCard(seat=1, gap=12, space=1, over=1),
    "activate_technique": ActivateCard(seat=1, gap=23, space=3),
    "activate_unknown": ActivateCard(seat=1, gap=45, space=5),
    "use_event": UseEvent(seat=1, choice=1),
    "use_event_declined": UseEvent(seat=1, declined=True),
    "use_event_gap": UseEvent(seat=1, gap=12),
    "use_event_building": UseEvent(seat=1, slot=1, effect=1),
    "use_building": UseBuilding(seat=1, slot=1, effect=1),
    "use_building_twice": UseBuilding(seat=1, slot=1, effect=1, again=1),
    "reuse_building": ReuseBuilding(seat=1, slot=1, effect=1),
    "pass": Pass(seat=1),
    "take_bonus": TakeBonus(seat=1, bonus="money"),
    "round_dealt": RoundDealt(
        round=1,
        first=1,
        event="exchange",
        next_event=UNSEEN,
        market=(DealtCard(card="palace"), DealtCard(card="crane")),
    ),
    "final_count": FinalCount(),
    "counted": Counted(held=(Holding(1, "money", 5),)),
    "adjusted": Adjusted(who="Anna", why="2 = 3"),
    "resynced": Resynced(position=Position(round=2), why="tea"),
    "paused": Paused(),
    "continued": Continued(),
    "conceded": Conceded(seat=2),
    "abandoned": Abandoned(why="fire"),
}

# What stands behind a sentence, and an act with it; the others follow from facts.
NOTES: dict[str, Act] = {
    "technique_used": ActivateCard(seat=2, gap=12, space=2, token=1, lobbying=True),
    "commerce_used": ActivateCard(seat=2, gap=12, space=2, token=1, commerce=3),
    "residence_kept": UseEvent(seat=2, residence="keep"),
}
OF_FACTS: dict[str, SpyriumFact] = {
    "tokens_returned": TokensReturned(),
    "bonus_due": BonusDue(seat=2),
    "bonus_empty": BonusTaken(seat=2, bonus="worker"),
}
# Sentences that never stand alone where nothing moved.
SAY_NOTHING = ("gain_money", "gain_money_empty", "take_bonus")
NAME_TAYLORISM = ("use_building_twice", "reuse_building")

# what the editions print, and what is easily mistaken in them
FACTS = (
    ("en", "cards.neighbourhood-1", "Working-Class Neighborhood I"),
    ("en", "cards.adviser", "Adviser"),
    ("en", "places.neighbourhood", "Neighborhood"),
    ("en", "places.discard", "Discard pile"),
    ("en", "causes.symbol", "symbol in common"),
    ("pl", "symbols.residence", "Status"),
    ("pl", "places.residence-track", "Tor Statusu"),
    ("pl", "cards.residence-1", "Rezydencja I"),
    ("pl", "cards.taylorism", "Produktywność"),
    ("pl", "cards.lobbying", "Lobbing"),
    ("pl", "cards.engineer", "Inżynier"),
    ("pl", "cards.engineering", "Inżynieria"),
    ("pl", "cards.luxury-home", "Luksusowa posiadłość"),
    ("pl", "cards.apprentice", "Praktykant"),
    ("pl", "cards.neighbourhood-2", "Dzielnica robotnicza II"),
    ("pl", "symbols.research", "Badania"),
    ("pl", "phases.1", "Alokacja"),
    ("ru", "cards.factory-1", "Фабрика I"),
    ("ru", "symbols.factory", "Фабрика"),
    ("ru", "symbols.research", "Наука"),
    ("ru", "cards.engineer", "Инженер"),
    ("ru", "cards.engineering", "Проектирование"),
    ("ru", "cards.crane", "Кран"),
    ("ru", "cards.apprentice", "Помощник"),
    ("ru", "cards.miner", "Шахтёр"),
    ("ru", "cards.mansion", "Поместье"),
    ("ru", "cards.luxury-home", "Роскошный дом"),
    ("ru", "cards.neighbourhood-1", "Рабочий Посёлок I"),
    ("ru", "places.start-card", "Стартовая карта"),
    ("ru", "places.residence-track", "Счётчик резиденций"),
    ("ru", "phases.2-long", "Фаза II (активация)"),
    ("ru", "causes.bonus", "бонус"),
    ("ru-desktopgames", "cards.factory-2", "Завод II"),
    ("ru-desktopgames", "symbols.factory", "Завод"),
    ("ru-desktopgames", "symbols.research", "Исследование"),
    ("ru-desktopgames", "cards.engineer", "Инженер"),
    ("ru-desktopgames", "cards.engineering", "Инженерное дело"),
    ("ru-desktopgames", "cards.crane", "Башенный кран"),
    ("ru-desktopgames", "cards.apprentice", "Подмастерье"),
    ("ru-desktopgames", "cards.miner", "Шахтер"),
    ("ru-desktopgames", "cards.mansion", "Особняк"),
    ("ru-desktopgames", "cards.luxury-home", "Дом развлечений"),
    ("ru-desktopgames", "cards.neighbourhood-1", "Рабочий район I"),
    ("ru-desktopgames", "places.neighbourhood", "Район"),
    ("ru-desktopgames", "places.start-card", "Начальная карта"),
    ("ru-desktopgames", "places.turn-event", "Текущее событие"),
    ("ru-desktopgames", "phases.2-long", "Фаза II (Активация)"),
    ("ru-desktopgames", "causes.bonus", "приз"),
)


@pytest.fixture
def state() -> State:
    table = Table(
        start=(tuple(SPYRIUM.start),) * len(PLAYERS), first=1, options=SPYRIUM.options(), sheet=SPYRIUM.sheet()
    )
    state = SPYRIUM.setup(table)
    state.event = "overtime"
    state.market[1:6] = ["factory-1", "miner", "automation", "", UNSEEN]
    state.mats[1].buildings.append(Built("neighbourhood-1"))
    return state


def placeholders(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field is not None}


def test_every_locale_is_a_language() -> None:
    files = resources.files(spyrium).joinpath("locales").iterdir()
    assert {file.name for file in files if file.name.endswith(".toml")} == {f"{name}.toml" for name in LANGUAGES}


def test_an_act_for_every_sentence() -> None:
    statements = {get_origin(statement) or statement for statement in get_args(Statement)}
    assert {type(act) for act in ACTS.values()} == {*DECISIONS, RoundDealt, FinalCount} | statements
    assert {*ACTS, *NOTES, *OF_FACTS, "enter", "effects", "nothing"} == set(ENGLISH["sentences"])


@pytest.mark.parametrize("language", LANGUAGES)
class TestLanguage:
    def test_has_the_keys_of_english(self, language: str) -> None:
        said = vocabulary(language)
        # what a rule expected and found is one sentence in other languages alone
        assert {name: list(table) for name, table in said.items() if name != "comparisons"} == {
            name: list(table) for name, table in ENGLISH.items()
        }
        assert [key for table in said.values() for key, word in table.items() if not word.strip()] == []

    def test_names_everything(self, language: str) -> None:
        said = vocabulary(language)
        assert set(said["cards"]) == {*CARDS, UNSEEN, ""}
        assert set(said["events"]) == {*EVENTS, UNSEEN, ""}
        assert set(said["resources"]) == set(RESOURCES)
        assert set(said["kinds"]) == {*KINDS.values(), "event"}
        # a technique's causes are called by its card
        called = {*TECHNIQUES, *(f"final:{technique}" for technique in TECHNIQUES)}
        assert set(said["causes"]) == set(CAUSES) - called

    def test_no_name_twice(self, language: str) -> None:
        names = [*vocabulary(language)["cards"].values(), *vocabulary(language)["events"].values()]
        assert sorted(set(names)) == sorted(names)

    def test_fills_the_places_that_english_fills(self, language: str) -> None:
        said = vocabulary(language)["sentences"]
        assert {key: placeholders(said[key]) for key in said} == {
            key: placeholders(template) for key, template in ENGLISH["sentences"].items()
        }

    @pytest.mark.parametrize("key", ACTS)
    def test_describes(self, language: str, key: str, state: State) -> None:
        sentences = vocabulary(language)["sentences"]
        template = sentences[key]
        if key in SAY_NOTHING:
            template = sentences["effects"].format(sentence=template, effects=sentences["nothing"])
        elif key in NAME_TAYLORISM:
            template = sentences["effects"].format(sentence=template, effects=sentences["technique_used"])
        said = describe_event(state, ACTS[key], (), (), PLAYERS, language)
        assert re.fullmatch(re.sub(r"\\{\w+\\}", ".+", re.escape(template)), said)
        if "{player}" in template:
            assert PLAYERS[getattr(ACTS[key], "seat", 0) - 1] in said
        assert not re.search(r"[{}]|-\d|automation|overtime|exchange|palace", said), "a key instead of a name"

    @pytest.mark.parametrize("key", NOTES)
    def test_notes_what_an_act_uses_up_or_leaves_out(self, language: str, key: str, state: State) -> None:
        words = vocabulary(language)
        card = {"technique_used": "lobbying", "commerce_used": "commerce"}.get(key, "")
        note = words["sentences"][key].format(card=words["cards"][card], value=3)
        text = describe_event(state, NOTES[key], (), (), PLAYERS, language)
        plain = structs.replace(NOTES[key], lobbying=False, commerce=None, residence=None) if card else UseEvent(seat=2)
        without = describe_event(state, plain, (), (), PLAYERS, language)
        assert text == words["sentences"]["effects"].format(sentence=without, effects=note)

    @pytest.mark.parametrize("key", OF_FACTS)
    def test_notes_what_follows(self, language: str, key: str, state: State) -> None:
        note = vocabulary(language)["sentences"][key].format(player=PLAYERS[1])
        moved = (Posting(1, "points", 3, "effect"),)
        text = describe_event(state, Pass(seat=1), moved, (OF_FACTS[key],), PLAYERS, language)
        assert text == f"{describe_event(state, Pass(seat=1), moved, (), PLAYERS, language)}, {note}"
        paid = (*moved, Posting(2, "workers", 1, "bonus"))
        with_bonus = describe_event(state, Pass(seat=1), paid, (OF_FACTS[key],), PLAYERS, language)
        assert (note in with_bonus) == (key != "bonus_empty")

    def test_says_that_a_phase_starts(self, language: str, state: State) -> None:
        rest = describe_event(state, Pass(seat=2), (), (), PLAYERS, language)
        said = describe_event(state, Pass(seat=2, enter=True), (), (), PLAYERS, language)
        assert said == vocabulary(language)["sentences"]["enter"].format(player=PLAYERS[1], rest=rest)

    @pytest.mark.parametrize("cause", CAUSES)
    def test_says_why(self, language: str, cause: str, state: State) -> None:
        said = vocabulary(language)
        moved = [Posting(1, what, -2, cause) for what in RESOURCES] + [Posting(2, "money", 3, cause)]
        name = said["causes"].get(cause) or said["cards"][cause.removeprefix("final:")]
        text = describe_event(state, Pass(seat=1), moved, (), PLAYERS, language)
        assert text.count(f"({name})") == len(moved)
        assert f"−£2 ({name})" in text
        assert f"{PLAYERS[1]} +£3 ({name})" in text
        assert all(amount_text(2, what, said, language=language) in text for what in RESOURCES)


@pytest.mark.parametrize(("language", "key", "expected"), FACTS)
def test_says_what_the_edition_prints(language: str, key: str, expected: str) -> None:
    table, _, name = key.partition(".")
    assert vocabulary(language)[table][name] == expected


def test_what_is_chosen_otherwise_reads_otherwise() -> None:
    """Two legal acts that differ in one choice have two sentences, whatever else they share."""
    compared: Counter[str] = Counter()
    for seed in range(6):
        options = draw_options(Options, random.Random(seed))
        start = (tuple(SPYRIUM.start),) * 3
        for techniques in (("lobbying", "commerce", "taylorism"), ()):
            state = SPYRIUM.setup(Table(start=start, first=1, options=options, sheet=SPYRIUM.sheet()))
            _lay_out(state, techniques, EVENTS[seed])
            for act, other, field in _differing_in_one(SPYRIUM.legal(state)):
                assert _sentence(state, act) != _sentence(state, other), (act, other)
                compared[field] += 1
    assert {*CHOICES} <= {*compared}


# The fields of acts that are chosen beside what the sentence names: the card and its worker, the building, the gap.
CHOICES = ("token", "lobbying", "commerce", "residence", "declined", "gain", "choice", "effect", "again", "bonus")


def _differing_in_one(acts: Sequence[Act]) -> Iterator[tuple[Act, Act, str]]:
    """The pairs of acts of one kind that differ in one choice and in nothing else."""
    for act, other in combinations(acts, 2):
        if type(act) is type(other):
            names = [name for name in act.__struct_fields__ if getattr(act, name) != getattr(other, name)]
            if len(names) == 1 and names[0] in CHOICES:
                yield act, other, names[0]


def _lay_out(state: State, techniques: tuple[str, ...], event: str) -> None:
    """A table on which seat 1 has much to choose from."""
    mats = (
        mat(
            1,
            money=30,
            spyrium=9,
            active=4,
            workers=6,
            points=0,
            residence=2,
            techniques=techniques,
            buildings=tuple(BuildingAt(card=card) for card in ("mine-2", "factory-1", "university-2")),
        ),
        mat(2, points=9, bonus_due=not techniques),
    )
    position = Position(
        round=2,
        first=1,
        last=0,
        event=event,
        event_token=2 if event == "windfall" else None,
        next_event="exchange" if event != "exchange" else "estate",
        market=market("miner:123", "architect:13", "residence-1", "bureaucrat:2", "apprentice", "university-1:1"),
        workers=workers(g12="112", g23="1", g45="11", g36="1"),
        mats=mats,
    )
    SPYRIUM.evolve(state, Resynced(position=position, why="much to choose from"), (), ())


def _sentence(state: State, act: Act) -> str:
    moved, facts = SPYRIUM.effects(state, act) or ((), ())
    return str(describe_event(state, act, moved, facts, PLAYERS, "en"))


def test_an_unknown_language_is_english(state: State) -> None:
    assert vocabulary("tlh") == ENGLISH
    act = ACTS["activate_building_over"]
    assert describe_event(state, act, (), (), PLAYERS, "tlh") == describe_event(state, act, (), (), PLAYERS, "en")


def test_a_building_that_is_not_there_has_no_name_and_one_that_nobody_saw_has(state: State) -> None:
    state.mats[1].buildings.append(Built(UNSEEN))
    said = [describe_event(state, UseBuilding(seat=1, slot=slot, effect=1), (), (), PLAYERS, "en") for slot in (2, 3)]
    assert said == [f"Anna uses {ENGLISH['cards'][UNSEEN]}", "Anna uses ?"]


@pytest.mark.parametrize("word", ["{player}", "{effects}", "{", "%s"])
def test_what_a_sentence_is_made_with_may_be_a_card_or_a_player(word: str, state: State) -> None:
    state.market[1] = word
    moved = (Posting(1, "money", 2, "gain"),)
    act = GainMoney(seat=1, gap=12, space=1)
    said = [describe_event(state, act, moved, (), (name,), "en") for name in ("Anna", word)]
    told = f"+£2 ({ENGLISH['causes']['gain']})"
    assert said == [f"{name} gains money next to {word}: {told}" for name in ("Anna", word)]
