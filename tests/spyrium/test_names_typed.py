"""What a scribe may type of the names of an edition: whole, begun, by two letters, without marks; in notation, too."""

from __future__ import annotations

import pytest

from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import Act, Reading
from spyrium_log.titles.spyrium import SPYRIUM
from spyrium_log.titles.spyrium.cards import CARDS, EVENTS
from spyrium_log.titles.spyrium.deals import CODE_OF_CARD, _map_local_codes, replace_names
from tests.scribe import Scribe

LANGUAGES = SPYRIUM.words.languages[1:]
DEAL = "deal exchange estate mine-1 apprentice residence-1 university-1:2 workshop-1 crane miner:13 luxury-home mine-2"
NAMED = {
    "pl": "Wymiana Majątek Kopalnia I Praktykant Rezydencja I Uniwersytet I:2 Warsztat I Dźwig Górnik:13 "
    "Luksusowa posiadłość Kopalnia II",
    "ru": "Обмен Имение Шахта I Помощник Резиденция I Университет I:2 Мастерская I Кран Шахтёр:13 "
    "Роскошный дом Шахта II",
    "ru-desktopgames": "Обмен Имение Шахта I Подмастерье Резиденция I Университет I:2 Мастерская I Башенный кран "
    "Шахтер:13 Дом развлечений Шахта II",
}
SHORT = {
    "pl": "wy ma k1 praktykant rezydencja-1 u1:2 w1 dzwig gornik:13 lu k2",
    "ru": "обмен имение ш1 помощник резиденция 1 университет-1:2 мастерская 1 кран шахтер:13 роскошный дом ш2",
    "ru-desktopgames": "обмен имение ш1 подмастерье резиденция 1 u1:2 w1 башенный кран шахтер:13 дом развлечений ш2",
}
TYPED = {each: (f"deal {NAMED[each]}", f"deal {SHORT[each]}") for each in LANGUAGES}


@pytest.mark.parametrize(("language", "text"), [(each, text) for each in LANGUAGES for text in TYPED[each]])
def test_a_deal_in_notation_may_name_its_cards_as_the_edition_does(language: str, text: str) -> None:
    assert replace_names(text, language) == DEAL


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_of_a_card_becomes_its_id(language: str) -> None:
    words = SPYRIUM.words.vocabulary(language)
    for cards, name in ((CARDS, "cards"), (EVENTS, "events")):
        for card in cards:
            first = "deal wi es " if name == "cards" else "deal "
            ids = replace_names(f"{first}{words[name][card]}", language).split()
            assert ids[-1] == card


@pytest.mark.parametrize("language", SPYRIUM.words.languages)
def test_what_is_typed_in_english_stays(language: str) -> None:
    assert replace_names(DEAL, language) == DEAL
    assert replace_names("p12", language) == "p12"
    assert replace_names('deal ? ? ? mine-1 ?:3 x-y "quoted"', language) == 'deal ? ? ? mine-1 ?:3 x-y "quoted"'


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_letters_of_a_local_name_are_its_code(language: str) -> None:
    for are_events in (True, False):
        codes = _map_local_codes(language, are_events=are_events)
        assert len(codes) == len(set(codes.values()))
        assert not {*codes} & {CODE_OF_CARD[card] for card in CODE_OF_CARD if (card in EVENTS) == are_events}
        for code, card in codes.items():
            typed = code if are_events else f"exes{code}"
            prompt = Prompt(Scribe("game-typed").table, language=language)
            for key in typed:
                prompt.press(key)
            # a card that cannot come in the first round is refused by its name
            assert card in prompt.view.words or card[-1] in "23" or not prompt.view.words[2 - are_events :], (
                code,
                card,
            )
    assert len(_map_local_codes(language, are_events=True)) >= 3


def test_marks_may_be_left_away() -> None:
    for language, typed, card in (("pl", "dzwig", "crane"), ("pl", "gornik", "miner"), ("ru", "шахтер", "miner")):
        prompt = Prompt(Scribe("game-marks").table, language=language)
        for key in f"exes{typed}":
            prompt.press(key)
        assert card in prompt.view.words


# --- codes beside moves --------------------------------------------------------------------------

CODED = {"pl": ("k1", "K1", "mine-1"), "ru": ("ш1", "Ш1", "mine-1"), "ru-desktopgames": ("ш1", "Ш1", "mine-1")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_value_that_was_read_names_its_card_by_a_code_of_the_language(language: str) -> None:
    *codes, card = CODED[language]
    for code in codes:
        request = Prompt(Scribe("game-read").table, language=language).enter_line(f"={code} 4")
        assert isinstance(request, Reading)
        assert (request.of, request.what, request.value) == (card, "price", 4)
    # the codes of ids stay those of ids
    english = Prompt(Scribe("game-read").table, language=language).enter_line("=m1 4")
    assert isinstance(english, Reading)
    assert english.of == "mine-1"


def test_a_code_of_another_language_names_no_card() -> None:
    assert Prompt(Scribe("game-read").table).enter_line("=k1 4") is None
    assert Prompt(Scribe("game-read").table, language="pl").enter_line("=ш1 4") is None


@pytest.mark.parametrize(("language", "code"), [("en", "m1"), ("pl", "K1"), ("ru", "ш1"), ("ru-desktopgames", "Ш1")])
def test_an_unseen_card_is_named_by_a_code_of_the_language(language: str, code: str) -> None:
    table = Scribe("game-named").play(DEAL.replace("mine-1", "?"), "p12", "p12", "p69", "p69", "p45", "p45").table
    request = Prompt(table, language=language).enter_line(f"a1={code}")
    assert isinstance(request, Act)
    assert request.act.named == "mine-1"
