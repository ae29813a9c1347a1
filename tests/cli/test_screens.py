"""Every screen that tests/cli/screens.py pictures is drawn, and what has no room on it is not cut off in a word."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from textual.pilot import Pilot

import spyrium_cli
import spyrium_log
from spyrium_cli.tui.full_screen import FullScreen
from spyrium_log.titles.spyrium.deals import CARD_OF_CODE
from tests.cli import screens
from tests.cli.screens import SCENES, SIZES, Scene, played, rows
from tests.shares import share

WORD = re.compile(r"[^\W\d_]{3,}")
# whoever plays, and what is typed
OWN = "Anna Bob Cleo Dora Emil ann tester exesm lum app miner exchange"


@cache
def known() -> frozenset[str]:
    """Every word that the program, its editions and the pictures can say."""
    folders = [Path(package.__path__[0]) for package in (spyrium_cli, spyrium_log)]
    paths = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".toml")]
    texts = [path.read_text(encoding="utf-8") for path in (*paths, Path(screens.__file__))]
    return frozenset(word.casefold() for word in WORD.findall("\n".join([OWN, *CARD_OF_CODE, *texts])))


@pytest.mark.parametrize("scene", share(SCENES, 2), ids=lambda scene: scene.title)
def test_each_screen_says_whole_words(scene: Scene) -> None:
    words = 0

    async def look(app: FullScreen, _pilot: Pilot[None]) -> None:
        nonlocal words
        width, height = SIZES[0]
        screen = rows(app)
        assert len(screen) == height
        assert all(len(row) <= width for row in screen)
        said = WORD.findall("\n".join(screen))
        assert [word for word in said if word.casefold() not in known()] == []
        assert not any("…" in row for row in screen)
        # whoever is lost finds the way out on the last line
        assert re.search(r"\^Q leave|q leave|Esc leaves", screen[-1])
        words += len(said)

    played(scene, SIZES[0], look)
    assert words > 20


def test_the_check_would_see_a_cut_word() -> None:
    assert {"places", "worker", "neighbourhood"} <= known()
    assert not {"neighbourhoo", "residenc", "colum"} & known()
