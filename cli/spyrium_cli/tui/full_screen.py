"""What the full screens share: their layout, help, light and dark."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.console import ConsoleRenderable
from rich.terminal_theme import TerminalTheme
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widgets import Static

from spyrium_cli.complaint import INTERRUPTED
from spyrium_cli.render.paper import stack, text

# More lines than any help has.
ALL_LINES = 1_000
DARK, LIGHT = "textual-dark", "textual-light"
# Black, red, green, yellow, blue, magenta, cyan, white. Textual's own blue is a purple and its yellow an orange.
_COLOURS = {
    DARK: ["#1e1e1e", "#ff6b6b", "#5fd75f", "#ffd75f", "#6cb6ff", "#d787ff", "#5fd7d7", "#e0e0e0"],
    LIGHT: ["#000000", "#c01c28", "#1b7a2b", "#8a6d00", "#0b57d0", "#8b2fc9", "#00707a", "#3a3a3a"],
}


# The board stands on the left or, on a narrow screen, above the rest. Help takes the place of both.
LAYOUT = """
    Screen { layout: vertical; overflow: hidden; }
    #top { layout: horizontal; height: 1fr; }
    #top.narrow { layout: vertical; }
    #board { width: 80; height: auto; }
    #top.narrow #board { width: 100%; }
    #side { width: 1fr; padding: 0 0 0 2; }
    #top.narrow #side { padding: 0; height: 1fr; width: 100%; }
    #help { height: 1fr; display: none; }
    Static { width: 100%; }
"""


class FullScreen(App[None]):
    """A board, what stands beside it (SIDE) and below it (BELOW), each drawn as text."""

    SIDE: ClassVar[tuple[str, ...]]
    BELOW: ClassVar[tuple[str, ...]]

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", "leave", priority=True),
        Binding("ctrl+q", "quit", "leave", priority=True),
        Binding("f2", "change_theme", "light or dark", priority=True),
        Binding("f1", "help", "help", priority=True),
    ]

    def __init__(self, *, light: bool = False, **named: Any) -> None:
        super().__init__(**named)
        self.ansi_theme_dark, self.ansi_theme_light = (_terminal_theme(theme) for theme in (DARK, LIGHT))
        self.theme = LIGHT if light else DARK
        # the first line of the help that is shown; None while the board is
        self._help_line: int | None = None

    def compose(self) -> ComposeResult:
        """The panes: board and side at the top, help in their place, then what stands below."""
        with Container(id="top"):
            yield Static(id="board")
            with Vertical(id="side"):
                yield from (Static(id=name) for name in self.SIDE)
        yield Static(id="help")
        yield from (Static(id=name) for name in self.BELOW)

    def draw(self) -> None:
        """Draw everything."""
        raise NotImplementedError

    def press(self, key: str) -> None:
        """Take a key: a character, or the name of a key without one."""
        raise NotImplementedError

    def on_key(self, event: events.Key) -> None:
        """Give a key to the help, else to the screen. Textual's own keys, such as Tab, do nothing."""
        event.stop()
        event.prevent_default()
        key = event.character if event.is_printable and event.character else event.key
        if not self._press_in_help(key):
            self.press(key)
        self.draw()

    # --- help -----------------------------------------------------------------------------------

    def help_text(self) -> str:
        """Every key, in lines of 80 columns at most."""
        raise NotImplementedError

    @property
    def is_help(self) -> bool:
        """Whether the help covers the screen."""
        return self._help_line is not None

    def action_help(self) -> None:
        """Show the help, or hide it."""
        self._help_line = 0 if self._help_line is None else None
        self.draw()

    def _press_in_help(self, key: str) -> bool:
        """Scroll the help; any other key hides it. Returns whether the key is used up."""
        if self._help_line is None:
            return False
        page = self.size.height - 1
        moves = {
            "down": 1,
            "up": -1,
            "pagedown": page,
            " ": page,
            "pageup": -page,
            "home": -ALL_LINES,
            "end": ALL_LINES,
        }
        if key in moves:
            most = max(0, len(self.help_text().splitlines()) - page)
            self._help_line = max(0, min(self._help_line + moves[key], most))
            return True
        self._help_line = None
        return key == "escape"

    def draw_help(self) -> bool:
        """Show or hide the help. Returns whether it covers the screen."""
        for name in ("top", *self.BELOW):
            self.query_one(f"#{name}").display = not self.is_help or name == self.BELOW[-1]
        self.query_one("#help").display = self.is_help
        if self._help_line is None:
            return False
        lines, rows = self.help_text().splitlines(), self.size.height - 1
        last = min(len(lines), self._help_line + rows)
        self.show("help", text("\n", keep="\n").join(map(text, lines[self._help_line : last])))
        position = [
            f"lines {self._help_line + 1} to {last} of {len(lines)}",
            *([] if last == len(lines) else ["↓ PgDn more"]),
        ]
        position += ["↑ PgUp back"] if self._help_line else []
        self.show(self.BELOW[-1], text(" · ".join([*position, "Esc leaves this page"]), "bold"))
        return True

    def on_mount(self) -> None:
        """Draw for the first time."""
        self.draw()

    def on_resize(self) -> None:
        """Draw again for another size."""
        # the new size is known after the refresh
        self.call_after_refresh(self.draw)

    def action_interrupt(self) -> None:
        """Leave with the exit code of ^C."""
        self.exit(return_code=INTERRUPTED)

    def action_change_theme(self) -> None:
        """Change between the dark theme and the light one."""
        self.theme = LIGHT if self.theme == DARK else DARK

    def show(self, name: str, drawing: ConsoleRenderable) -> None:
        """Put a drawing into the pane of that name."""
        self.query_one(f"#{name}", Static).update(stack(drawing))


def _terminal_theme(theme: str) -> TerminalTheme:
    """The colours of a theme in which rich's names of colours are drawn."""
    colours = [_rgb(colour) for colour in _COLOURS[theme]]
    background, foreground = ("#121212", "#e0e0e0") if theme == DARK else ("#ffffff", "#101010")
    return TerminalTheme(_rgb(background), _rgb(foreground), colours, colours)


def _rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a colour such as `#ff6b6b`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
