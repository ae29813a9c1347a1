"""The pictures of README show what the program shows today. `python -m tests.pictures` writes them."""

from __future__ import annotations

import re

from tests.pictures import PICTURES, pictures, words


def test_the_pictures_show_what_the_program_shows() -> None:
    made = pictures()
    assert {path.name for path in PICTURES.iterdir()} == set(made)
    for name, svg in made.items():
        drawn = (PICTURES / name).read_text(encoding="utf-8")
        assert words(drawn), name
        assert words(drawn) == words(svg), f"{name}: python -m tests.pictures writes it"


def test_a_picture_loads_nothing() -> None:
    for path in PICTURES.iterdir():
        assert not re.search(r"url\(\s*[\"']?https?:|href=|<script|<image", path.read_text(encoding="utf-8")), path.name
