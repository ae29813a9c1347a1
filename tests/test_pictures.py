"""The pictures of README show what the program shows today. `python -m tests.pictures` writes them."""

from __future__ import annotations

import re

import pytest

from tests.pictures import PICTURES, pictures, words

MADE = pictures()


@pytest.mark.parametrize("name", MADE)
def test_a_picture_shows_what_the_program_shows(name: str) -> None:
    drawn = (PICTURES / name).read_text(encoding="utf-8")
    assert words(drawn), name
    assert words(drawn) == words(MADE[name]), "python -m tests.pictures writes it"


@pytest.mark.parametrize("name", MADE)
def test_a_picture_loads_nothing(name: str) -> None:
    drawn = (PICTURES / name).read_text(encoding="utf-8")
    assert not re.search(r"url\(\s*[\"']?https?:|href=|<script|<image", drawn)
