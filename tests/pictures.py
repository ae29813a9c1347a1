"""The pictures of README: the recorder, and a report in a terminal. `python -m tests.pictures` writes them."""

from __future__ import annotations

import contextlib
import html
import io
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

from rich.console import Console
from rich.text import Text
from textual.pilot import Pilot

from spyrium_cli.main import cli
from spyrium_cli.tui.full_screen import FullScreen
from tests.cli.screens import Scene, keyed, played

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
RECORDER = Scene("recorder", "play", 3, 61, keyed("a"))
SIZE = (120, 36)
COLUMNS = 112
SIMULATE = ("simulate", "-n", "120", "--seats", "3", "--policies", "greedy,greedy,random", "--seed", "7", "--quiet")
REPORT = ("report", "scores", "--figure", "causes")
# The exported pictures name a font of a content network. Whatever monospaced font is there does as well.
FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
WRITTEN = re.compile(r"<text [^>]*>([^<]*)</text>")


class Terminal(io.StringIO):
    """Takes what a terminal would get."""

    def isatty(self) -> bool:
        return True


def recorder() -> str:
    """The recorder in the middle of a game."""
    drawn: list[str] = []

    async def save(app: FullScreen, _: Pilot[None]) -> None:
        drawn.append(app.export_screenshot(title="spyrium record"))

    played(RECORDER, SIZE, save)
    return drawn[0]


def report() -> str:
    """A report on simulated games, as a terminal shows it."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"SPYRIUM_ARCHIVE": folder, "HOME": folder, "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"}
        with patch.dict(os.environ, settings):
            os.environ.pop("NO_COLOR", None)
            _output(*SIMULATE, "--to", folder)
            printed = _output(*REPORT)
    console = Console(record=True, file=io.StringIO(), width=COLUMNS, force_terminal=True)
    console.print(Text.from_ansi(f"$ spyrium {' '.join(REPORT)}\n{printed}"))
    return console.export_svg(title="spyrium report")


def _output(*arguments: str) -> str:
    terminal = Terminal()
    with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(io.StringIO()):
        cli.main(list(arguments), prog_name="spyrium", standalone_mode=False)
    return terminal.getvalue()


def pictures() -> Mapping[str, str]:
    """Each picture by the name of its file."""
    made = {"recorder.svg": recorder(), "report.svg": report()}
    return {name: FONTS.sub("", svg) for name, svg in made.items()}


def words(svg: str) -> str:
    """What is written in a picture, without how it is drawn: that is the business of the library that draws."""
    return html.unescape("\n".join(WRITTEN.findall(svg)))


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, svg in pictures().items():
        (PICTURES / name).write_text(f"{svg}\n", encoding="utf-8")
        print(f"{len(svg):,} characters in {PICTURES / name}")


if __name__ == "__main__":
    main()
