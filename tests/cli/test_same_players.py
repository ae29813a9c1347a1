"""A player has one sign and one colour everywhere: in the recorder, the replay, the page of a game and the report."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.style import Style

from spyrium_cli.recording.recorder import Recorder
from spyrium_cli.render.paper import style_of
from spyrium_cli.tui.full_screen import FullScreen
from spyrium_cli.tui.recorder import RecorderScreen
from spyrium_cli.tui.stepper import StepperScreen
from spyrium_log.analysis.pictures import list_line_keys
from spyrium_log.analysis.reports import run_report
from spyrium_log.exchange.html import SEAT_COLOURS
from spyrium_log.log.lines import Corrected
from spyrium_log.readmodel.load import bring_up_to_date
from spyrium_log.readmodel.sources import sources_of
from spyrium_log.replay import replay
from spyrium_log.stepper import Stepper
from spyrium_log.store import Folder
from spyrium_log.titles import TITLES
from tests.exchange.samples import Sample
from tests.exchange.test_page import parsed
from tests.stories import EXAMPLES, opening


class Look(NamedTuple):
    """A player's sign and colour."""

    sign: str
    colour: str


def corrected() -> bytes:
    """A game in which a name and a colour were wrong, and the right name begins like another one."""
    scribe = opening().play("p12", "p45")
    scribe.aside(Corrected, seat=2, player="Amos", why="misheard")
    return scribe.aside(Corrected, seat=2, colour="black", why="it was the black one").raw()


def chosen() -> bytes:
    """A game in which everybody chose a colour on the way."""
    return (EXAMPLES / "../founders/four-players-on-the-thematic-side.jsonl").read_bytes()


def looks_on(app: FullScreen) -> Mapping[str, Look]:
    """What the rows of the players have on a screen, by name: `> A  Anna`, in the colour of the seat."""

    async def run() -> dict[str, Look]:
        async with app.run_test(size=(120, 60)) as pilot:
            await pilot.press("end")
            await pilot.pause()
            strips = app.screen._compositor.render_strips()  # noqa: SLF001
            starts = [next(iter(strip), None) for strip in strips]
            return {
                row[2]: Look(row[1], str(start.style.color.name))
                for start in starts
                if start and start.style and start.style.color
                if (row := re.fullmatch(r"[> ] (\S{1,3}) +([A-Z][a-z]+) *", start.text))
            }

    return asyncio.run(run())


def drawn(colour: str, app: FullScreen) -> str:
    """The colour of a seat as the terminal's theme has it."""
    style = Style.parse(style_of(colour))
    theme = app.ansi_theme
    return (style.color.get_truecolor(theme) if style.color else theme.foreground_color).hex


@pytest.mark.parametrize("raw", [corrected(), chosen()], ids=["corrected", "chosen"])
def test_a_player_looks_the_same_everywhere(raw: bytes, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    path = folder.write_whole(raw)
    log = folder.read_log(path)
    game = replay(log)
    # the page
    seats = parsed(Sample(game, raw)).data["seats"]
    looks = {name: Look(sign, colour) for _, name, sign, colour in seats}
    assert list(looks) == game.players
    assert len({look.sign for look in looks.values()}) == len({look.colour for look in looks.values()}) == len(looks)
    # the report
    index = tmp_path / "index.duckdb"
    bring_up_to_date(index, sources_of(folder))
    (curve,) = (figure for figure in run_report(index, "game", {"game": game.header.game}).figures if figure.chart)
    lines = {name: Look(sign, style.removeprefix("c-")) for style, _, sign, name in list_line_keys(curve)}
    assert lines == looks
    # the replay and the recorder
    stepper = StepperScreen(Stepper(log), write=lambda *_: pytest.fail("nobody writes a note"))
    shown = looks_on(stepper)
    assert shown == {name: Look(look.sign, drawn(look.colour, stepper)) for name, look in looks.items()}
    recorder = Recorder(folder, path, by="tester", language="en")
    assert looks_on(RecorderScreen(recorder, language="en")) == shown
    recorder.__exit__(None, None, None)


def test_every_colour_that_a_title_knows_has_one_on_pages_and_in_the_terminal() -> None:
    for title in TITLES.values():
        assert {*title.colours} <= SEAT_COLOURS
        assert all(Style.parse(style_of(colour)) for colour in title.colours)
