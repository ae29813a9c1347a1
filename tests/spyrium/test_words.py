"""Every language says everything, in the words of its edition."""

import re
from importlib import resources
from string import Formatter
from typing import get_args, get_origin

import pytest

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
from spyrium_log.titles.spyrium.effects import CAUSES
from spyrium_log.titles.spyrium.messages import LANGUAGES, vocabulary
from spyrium_log.titles.spyrium.moves import (
    DECISIONS,
    Act,
    ActivateCard,
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
from spyrium_log.titles.spyrium.state import Built, State
from spyrium_log.titles.spyrium.words import describe_event

PLAYERS = ("Anna", "Борис")
ENGLISH = vocabulary("en")

# one act for every sentence, by the sentence's key
ACTS: dict[str, Act] = {
    "place_worker": PlaceWorker(seat=1, gap=14),
    "gain_money": GainMoney(seat=1, gap=12, space=1),
    "gain_money_empty": GainMoney(seat=1, gap=47),
    "activate_character": ActivateCard(seat=2, gap=12, space=2, token=1),
    "activate_building": ActivateCard(seat=1, gap=12, space=1),
    "activate_building_over": ActivateCard(seat=1, gap=12, space=1, over=1),
    "activate_technique": ActivateCard(seat=1, gap=23, space=3),
    "activate_unknown": ActivateCard(seat=1, gap=45, space=5),
    "use_event": UseEvent(seat=1, choice=1),
    "use_event_gap": UseEvent(seat=1, gap=12),
    "use_event_building": UseEvent(seat=1, slot=1, effect=1),
    "use_building": UseBuilding(seat=1, slot=1, effect=1),
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
    assert {*ACTS, "enter", "effects", "nothing", "tokens_returned"} == set(ENGLISH["sentences"])


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
        if key.startswith("gain_money"):
            template = sentences["effects"].format(sentence=template, effects=sentences["nothing"])
        said = describe_event(state, ACTS[key], (), (), PLAYERS, language)
        assert re.fullmatch(re.sub(r"\\{\w+\\}", ".+", re.escape(template)), said)
        if "{player}" in template:
            assert PLAYERS[getattr(ACTS[key], "seat", 0) - 1] in said
        assert not re.search(r"[{}]|-\d|automation|overtime|exchange|palace", said), "a key instead of a name"

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
