"""What people see: the recorder and the stepper at the sizes that people have, light and dark, as pictures.

`python -m tests.cli.screens OUT [WORD]` writes an SVG for each of them (for those whose name has the word in it), and
says how many. A browser shows them; `chromium --headless --screenshot` makes PNGs of them.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from textual.pilot import Pilot

from spyrium_cli.recording.recorder import Recorder
from spyrium_cli.tui.full_screen import FullScreen
from spyrium_cli.tui.recorder import RecorderScreen
from spyrium_cli.tui.stepper import StepperScreen
from spyrium_log.edit.annotate import TypedNote, make_note
from spyrium_log.log.codec import Log
from spyrium_log.log.lines import InsertAfter, Replace
from spyrium_log.log.notes import Notes
from spyrium_log.stepper import ShownNote, Stepper
from spyrium_log.store import Folder
from spyrium_log.titles import TITLES
from tests.games import log_of, raw_of
from tests.greedy import greedy_game
from tests.stories import opening

SIZES = ((80, 24), (120, 40), (200, 60))
NAMES = {
    " ": "space",
    "!": "exclamation_mark",
    "#": "number_sign",
    ",": "comma",
    "-": "minus",
    ".": "full_stop",
    "/": "slash",
    ":": "colon",
    ";": "semicolon",
    "=": "equals_sign",
    ">": "greater_than_sign",
    "?": "question_mark",
    "@": "at",
    "~": "tilde",
}


class Scene(NamedTuple):
    """A screen after some keys: of a game of so many seats, as far as it has gone."""

    screen: str
    name: str
    seats: int
    lines: int
    keys: Sequence[str]
    language: str = "en"

    @property
    def title(self) -> str:
        return f"{self.screen}-{self.name}"


# an event before the end of a game, where the streets are long and the market is empty
LATE = 10_000


def keyed(text: str, *more: str) -> list[str]:
    return [*(NAMES.get(key, key) for key in text), *more]


RECORDER = (
    Scene("recorder", "begins", 3, 1, ()),
    Scene("recorder", "play", 3, 40, ()),
    Scene("recorder", "five-players", 5, 110, ()),
    Scene("recorder", "late", 5, LATE, ()),
    Scene("recorder", "half", 3, 40, keyed("a")),
    Scene("recorder", "deal", 3, 1, keyed("exes")),
    Scene("recorder", "deal-by-name", 3, 1, keyed("exes min")),
    Scene("recorder", "deal-in-polish", 3, 1, keyed("exesm1"), "pl"),
    Scene("recorder", "deal-slip", 3, 1, keyed("exesm1apzz", "enter")),
    Scene("recorder", "deal-whole", 3, 1, keyed("exesm1apr1u12w1crmi13lum2")),
    Scene("recorder", "refused", 3, 4, keyed("@2 a12.1", "enter")),
    Scene("recorder", "refused-often", 2, 3, keyed("@9 a12.1 o9 lob", "enter")),
    Scene("recorder", "what-else", 3, 40, keyed("?")),
    Scene("recorder", "missed", 3, 40, keyed("~")),
    Scene("recorder", "count", 3, 40, keyed("c 1 2 3 4 3, 5 6 7 5 2")),
    Scene("recorder", "ruling", 3, 40, keyed("#20 m-1 Bob: we said so when he bought it")),
    Scene("recorder", "undo", 3, 40, keyed("u 20")),
    Scene("recorder", "help", 3, 40, ("f1",)),
    Scene("recorder", "help-end", 3, 40, ("f1", "end")),
)
STEPPER = (
    Scene("stepper", "begins", 3, LATE, ()),
    Scene("stepper", "play", 3, LATE, keyed("rrr", *["right"] * 12)),
    Scene("stepper", "five-players", 5, LATE, keyed("rrrr", *["pageup"])),
    Scene("stepper", "end", 5, LATE, ("end",)),
    Scene("stepper", "ledger", 3, LATE, ("end", "L", "L")),
    Scene("stepper", "no-scores", 3, LATE, ("end", "s")),
    Scene("stepper", "finding", 3, 0, ("f",)),
    Scene("stepper", "corrected", 3, 0, ("c",)),
    Scene("stepper", "as-recorded", 3, 0, ("c", "b")),
    Scene("stepper", "note", 3, 0, ("n",)),
    Scene("stepper", "branch", 3, 0, keyed("rrv89", "enter", *keyed("45", "enter"))),
    Scene("stepper", "branch-refused", 3, 0, keyed("rrva12.1", "enter")),
    Scene("stepper", "variation", 3, 0, keyed("rrv89", "enter", *keyed("45", "enter", "enter"), *keyed("V", "right"))),
    Scene("stepper", "writes-a-note", 3, 0, keyed("rr;!? why not #opening")),
    Scene("stepper", "playing", 3, LATE, keyed("- ")),
    Scene("stepper", "curve", 5, LATE, keyed("rrrk")),
    Scene("stepper", "guess", 3, 0, keyed("rg12", "enter")),
    Scene("stepper", "search", 3, LATE, keyed("/mine")),
    Scene("stepper", "help", 3, LATE, ("f1",)),
)
SCENES = (*RECORDER, *STEPPER)


def corrected() -> Log:
    """A log in which something was amended, something is against the rules, and something was dropped."""
    scribe = opening().play("p12", "p45", "p45", "p36")
    scribe.play("@2 p78", anyway=True)
    scribe.amend(
        "misplayed",
        Replace(at="3", event=scribe.told("2", "p25")),
        InsertAfter(at="4", event=scribe.told("4", "p89")),
        why="recorded by heart",
    )
    return scribe.log()


def app_of(scene: Scene, archive: Path, *, light: bool) -> FullScreen:
    if scene.screen == "recorder":
        log = greedy_game(1, scene.seats)
        folder = Folder(archive)
        path = folder.write_whole(raw_of(log_of(TITLES["spyrium"], log.lines[: min(scene.lines, len(log.lines) - 12)])))
        return RecorderScreen(
            Recorder(folder, path, by="tester", language=scene.language), language=scene.language, light=light
        )
    log = greedy_game(1, scene.seats) if scene.lines else corrected()
    notes = Notes()
    if not scene.lines:
        remark = "Why not the crane, which nobody else could have paid for in this round?"
        notes = Notes.from_lines(
            [make_note(log, "2", note_id="note-1", by="ann", text=remark, mark="?!", tags=["opening"])]
        )

    def write(on: str, typed: TypedNote, instead: Sequence[str]) -> ShownNote:
        return make_note(log, on, note_id="note-2", by="ann", instead=instead, **typed._asdict())

    return StepperScreen(Stepper(log, notes, scene.language), write=write, light=light)


Look = Callable[[FullScreen, Pilot[None]], Awaitable[None]]


def played(scene: Scene, size: tuple[int, int], look: Look, *, light: bool = False) -> None:
    """The scene on a screen of this size, and what somebody does who looks at it."""

    async def run(archive: Path) -> None:
        app = app_of(scene, archive, light=light)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await pilot.press(*scene.keys)
            await pilot.pause()
            await look(app, pilot)
        if isinstance(app, RecorderScreen):
            app.recorder.__exit__(None, None, None)

    with tempfile.TemporaryDirectory() as archive:
        asyncio.run(run(Path(archive)))


def rows(app: FullScreen) -> list[str]:
    """What stands on the screen, row by row."""
    return ["".join(segment.text for segment in strip).rstrip() for strip in app.screen._compositor.render_strips()]  # noqa: SLF001


def pictures(word: str = "") -> Iterator[tuple[Scene, tuple[int, int], bool]]:
    for scene in SCENES:
        for size in SIZES:
            for light in (False, True):
                if word in f"{name_of(scene, size, light=light)}":
                    yield scene, size, light


def name_of(scene: Scene, size: tuple[int, int], *, light: bool) -> str:
    without = "-no-colour" if os.environ.get("NO_COLOR") else ""
    return f"{scene.title}-{size[0]}x{size[1]}-{'light' if light else 'dark'}{without}"


def main(out: str, word: str = "") -> int:
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    made = 0
    for scene, size, light in pictures(word):
        name = name_of(scene, size, light=light)
        drawn: list[str] = []

        async def save(app: FullScreen, _pilot: Pilot[None], name: str = name, drawn: list[str] = drawn) -> None:
            drawn.append(app.export_screenshot(title=name))

        played(scene, size, save, light=light)
        (folder / f"{name}.svg").write_text("".join(drawn), encoding="utf-8")
        made += 1
    print(f"{made} pictures in {folder}")
    return 0 if made else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
