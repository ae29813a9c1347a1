"""Colours: a person reads and types them in a language; logs and formats for programs have the English word."""

from __future__ import annotations

import json

import pytest

from spyrium_log.catalogue import fold_letters, shared_words
from spyrium_log.colours import Colours, SeatedColours, colour_name, read_colour
from spyrium_log.errors import NotationError
from spyrium_log.messages import Reader
from spyrium_log.play import encode_log
from spyrium_log.titles import TITLES
from spyrium_log.transcript import Names, read_transcript, transcribe
from tests.scribe import Scribe

COLOURS = sorted({colour for title in TITLES.values() for colour in title.colours})
OTHERS = shared_words.languages[1:]
NAMES = Names(["Anna", "Bob", "Czarek"], ["blue", "yellow", "red"])


@pytest.mark.parametrize("language", OTHERS)
def test_every_colour_of_a_title_has_a_name_which_is_read_back(language: str) -> None:
    names = [colour_name(colour, language) for colour in COLOURS]
    assert len({fold_letters(name) for name in names}) == len(COLOURS)
    assert [read_colour(name.upper(), COLOURS) for name in names] == COLOURS
    assert not {*names} & {*COLOURS}


def test_a_colour_in_english_and_what_is_none() -> None:
    assert colour_name("blue", "en") == "blue"
    assert colour_name("mauve", "pl") == "mauve"
    assert read_colour(" Blue ", COLOURS) == "blue"
    assert read_colour("Mauve", COLOURS) == "mauve"
    assert read_colour("bialy", ["blue", "red"]) == "bialy"


def test_colours_in_a_message() -> None:
    assert Colours(("blue", "red")).text_for(Reader()) == "blue, red"
    assert Colours(("blue", "red")).text_for(Reader("pl")) == "niebieski, czerwony"
    seated = SeatedColours(("Ola", "Jan"), ("blue", "mauve"))
    assert seated.text_for(Reader("ru-desktopgames")) == "Ola (\u0441\u0438\u043d\u0438\u0439), Jan (mauve)"


TYPED = {
    "blue": 1,
    "b": 2,
    "niebieski": 1,
    "NIEB": 1,
    "z\u00f3\u0142ty": 2,
    "zolty": 2,
    "cz": 3,
    "\u0436\u0435\u043b\u0442\u044b\u0439": 2,
    "\u043a\u0440": 3,
}


@pytest.mark.parametrize("typed", TYPED)
def test_a_seat_is_named_by_its_colour_in_any_language(typed: str) -> None:
    assert NAMES.seat_of(typed) == TYPED[typed]


def test_a_word_that_is_no_name_and_no_colour_names_nobody() -> None:
    for word in ("", "mauve", "@", "fioletowy"):
        with pytest.raises(NotationError):
            NAMES.seat_of(word)


def test_what_named_a_seat_before_names_it_still() -> None:
    """A name that begins like a colour in another language, and a colour that is begun in English."""
    names = Names(["Czerwony Jan", "Ola"], ["blue", "red"])
    assert [names.seat_of(word) for word in ("czerwony", "czer", "b", "r")] == [1, 1, 1, 2]
    assert names.seat_name(1) == "Czerwony"


def test_a_seat_of_notation_may_have_its_colour_in_a_language() -> None:
    text = "\n".join(transcribe(Scribe("game-colours").log()))
    english, other = (text.replace('[seat "Anna"]', f'[seat "Anna" {word}]') for word in ("black", "czarny"))
    assert other != text
    lines = [encode_log(read_transcript(each.splitlines(), TITLES).lines) for each in (english, other)]
    assert lines[0] == lines[1]
    assert json.loads(lines[1].splitlines()[0])["seats"][0]["colour"] == "black"
