"""What the full screens share: layout, help, light and dark; and text fitted into so many columns and rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from rich.console import ConsoleRenderable, Group
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widgets import Static

from spyrium_cli.complaint import INTERRUPTED
from spyrium_cli.render.paper import Part, console, players_of, stack, text
from spyrium_cli.render.surface import pane
from spyrium_cli.render.text import translate
from spyrium_cli.titles import find_renderer
from spyrium_log import Log
from spyrium_log.audit import Finding
from spyrium_log.edit.amend import AnyState
from spyrium_log.ledger import Holdings

# A screen of this size has room for sentences beside a whole board.
WIDE, TALL = 118, 34
BOARD_WIDTH, GAP = 80, 2
# Where a line may end, so that the rest of it can be counted: after a semicolon, before a dot in the middle, and
# after the comma behind a closing bracket, which ends an amount with its reason.
_PIECE_END = re.compile(r"; | (?=· )|(?<=\)), ")
# Draws what stands under a board in so many columns and rows; None where it finds no room.
Underneath = Callable[[int, int], ConsoleRenderable | None]
# More lines than any help has.
ALL_LINES = 1_000
DARK, LIGHT = "textual-dark", "textual-light"
# Background and foreground, then black, red, green, yellow, blue, magenta, cyan, white. Textual's own blue is a purple
# and its yellow an orange.
_COLOURS = {
    DARK: "#121212 #e0e0e0 #1e1e1e #ff6b6b #5fd75f #ffd75f #6cb6ff #d787ff #5fd7d7 #e0e0e0",
    LIGHT: "#ffffff #101010 #000000 #c01c28 #1b7a2b #8a6d00 #0b57d0 #8b2fc9 #00707a #3a3a3a",
}
# The board stands on the left or, on a narrow screen, above the rest. Help takes the place of both.
_LAYOUT = """
    Screen { layout: vertical; overflow: hidden; }
    #top { layout: horizontal; height: 1fr; }
    #top.narrow { layout: vertical; }
    #board { width: 80; height: auto; }
    #top.narrow #board { width: 100%; }
    #side { width: 1fr; padding: 0 0 0 2; }
    #top.narrow #side { padding: 0; height: 1fr; width: 100%; }
    #choices, #events { height: 1fr; }
    #help { height: 1fr; display: none; }
    Static { width: 100%; }
"""


class FullScreen(App[None]):
    """A board, what stands beside it (SIDE) and below it (BELOW), each drawn as text."""

    SIDE: ClassVar[tuple[str, ...]]
    BELOW: ClassVar[tuple[str, ...]]

    CSS = _LAYOUT
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", "leave", priority=True),
        Binding("ctrl+q", "quit", "leave", priority=True),
        Binding("f2", "change_theme", "light or dark", priority=True),
        Binding("f1", "help", "help", priority=True),
    ]

    def __init__(self, help_text: str, language: str, *, light: bool = False) -> None:
        """`help_text`: what F1 shows. `light`: begin with the colours for a light terminal."""
        super().__init__()
        self._language = language
        # every key, in lines of 80 columns at most
        self.help_lines = help_text.splitlines()
        self.ansi_theme_dark, self.ansi_theme_light = (_make_terminal_theme(theme) for theme in (DARK, LIGHT))
        self.theme = LIGHT if light else DARK
        # the first line of the help that is shown; None while the board is
        self._help_line: int | None = None
        # of a board that is too tall, the first row that is shown
        self.board_row = 0
        self.is_board_cut = False

    def compose(self) -> ComposeResult:
        """The panes: board and side at the top, help in their place, then what stands below."""
        with Container(id="top"):
            yield Static(id="board")
            with Vertical(id="side"):
                yield from (Static(id=name) for name in self.SIDE)
        yield Static(id="help")
        yield from (Static(id=name) for name in self.BELOW)

    def draw(self) -> None:
        """Draw everything, after each key and for each size; every screen has its own."""
        raise NotImplementedError

    def press(self, key: str) -> None:
        """Take a key: a character, or the name of a key without one."""
        raise NotImplementedError

    def on_resize(self) -> None:
        """Draw again for another size, which is known after the refresh."""
        self.call_after_refresh(self.draw)

    def on_key(self, event: events.Key) -> None:
        """Give a key to the help, else to the screen. Textual's own keys, such as Tab, do nothing."""
        event.stop()
        event.prevent_default()
        key = event.character if event.is_printable and event.character else event.key
        if not self._press_in_help(key):
            self.press(key)
        self.draw()

    def action_interrupt(self) -> None:
        """Leave with the exit code of ^C."""
        self.exit(return_code=INTERRUPTED)

    def action_change_theme(self) -> None:
        """Change between the dark theme and the light one."""
        self.theme = LIGHT if self.theme == DARK else DARK

    def action_help(self) -> None:
        """Show the help, or hide it."""
        self._help_line = 0 if self._help_line is None else None
        self.draw()

    def _press_in_help(self, key: str) -> bool:
        """Scroll the help; any other key hides it. Returns whether the key is used up."""
        if self._help_line is None:
            return False
        page = self.size.height - 1
        steps = {"down": 1, "up": -1, "pagedown": page, " ": page, "pageup": -page}
        steps |= {"home": -ALL_LINES, "end": ALL_LINES}
        if key not in steps:
            self._help_line = None
            return key == "escape"
        last = max(0, len(self.help_lines) - page)
        self._help_line = max(0, min(self._help_line + steps[key], last))
        return True

    def draw_help(self) -> bool:
        """Show or hide the help. Returns whether it covers the screen."""
        is_help = self._help_line is not None
        # the lowest pane stays, for the position in the help
        for name in ("top", *self.BELOW[:-1]):
            self.query_one(f"#{name}").display = not is_help
        self.query_one("#help").display = is_help
        if self._help_line is not None:
            self._draw_help_lines(self._help_line)
        return is_help

    def _draw_help_lines(self, first: int) -> None:
        """Draw as many lines of the help as there is room for, and below them which ones they are."""
        lines = self.help_lines
        last = min(len(lines), first + self.size.height - 1)
        self.show("help", text("\n", keep="\n").join(map(text, lines[first:last])))
        shown = translate("full-screen.lines", self._language, first=first + 1, last=last, n=len(lines))
        keys = [*(["more"] if last < len(lines) else []), *(["back"] if first else []), "leave"]
        position = [shown, *(translate(f"full-screen.{key}", self._language) for key in keys)]
        self.show(self.BELOW[-1], text(" · ".join(position), "bold"))

    def show(self, name: str, drawing: ConsoleRenderable) -> None:
        """Put a drawing into the pane of that name."""
        self.query_one(f"#{name}", Static).update(stack(drawing))

    def show_board(
        self,
        log: Log,
        state: AnyState,
        language: str,
        rows_above: int,
        *,
        assumed: Holdings,
        scores: bool,
        side_rows: int = 0,
        under: Underneath | None = None,
        cover: bool = False,
    ) -> tuple[int, int]:
        """Draw the board on the left, or above the rest. Returns the columns and rows that are left for the side.

        Above the rest it leaves `side_rows`, if any, and of a taller board a part is shown, from `board_row` on.
        `under` is drawn below it where it finds room; if it is to `cover` it, in its place.
        """
        width, height = self.size
        board = draw_board(log, state, language, BOARD_WIDTH, assumed=assumed, scores=scores)
        # where every player has many cards, a wide screen may be too low
        is_wide = width >= WIDE and height >= TALL and count_rows(board, BOARD_WIDTH) <= rows_above
        if not is_wide:
            board = draw_board(log, state, language, width, small=True, assumed=assumed, scores=scores)
        self.is_board_cut = False
        columns, rows = (BOARD_WIDTH, rows_above) if is_wide else (width, rows_above - side_rows)
        drawings = [] if cover and under else [self._cut_board(board, columns, rows) if side_rows else board]
        taken = count_rows(stack(*drawings), columns) if drawings else 0
        if under and (drawing := under(columns, rows - taken)):
            drawings.append(drawing)
        self.query_one("#top").set_class(not is_wide, "narrow")
        self.show("board", stack(*drawings))
        if is_wide:
            return width - BOARD_WIDTH - GAP, rows_above
        return width, rows_above - count_rows(stack(*drawings), width)

    def _cut_board(self, board: ConsoleRenderable, columns: int, rows: int) -> ConsoleRenderable:
        """The board, or as many of its rows as there is room for, with which ones they are below them."""
        last = count_rows(board, columns)
        self.is_board_cut = last > rows
        if not self.is_board_cut:
            self.board_row = 0
            return board
        shown = max(1, rows - 1)
        self.board_row = max(0, min(self.board_row, last - shown))
        position = translate(
            "full-screen.board-rows", self._language, first=self.board_row + 1, last=self.board_row + shown, n=last
        )
        return stack(Part(board, self.board_row, shown), add_rule(text(f"━━ ↑↓ {position} ", "dim"), columns))


def draw_board(
    log: Log, state: AnyState, language: str, width: int, *, assumed: Holdings, scores: bool, small: bool = False
) -> Group:
    """The board of a state, drawn for so many columns; not `scores`: without anybody's points.

    `assumed` are the amounts that rest on printed values which nobody has checked.
    """
    title_renderer = find_renderer(log.title)
    view = log.title.screens.view(state)
    draw = title_renderer.small_board if small else title_renderer.board
    with pane(width):
        shown_view = view if scores else title_renderer.without_scores(view)
        return stack(*draw(shown_view, players_of(log, state, assumed), language))


def _make_terminal_theme(theme: str) -> TerminalTheme:
    """The colours of a theme in which rich's names of colours are drawn."""
    background, foreground, *colours = map(_parse_colour, _COLOURS[theme].split())
    return TerminalTheme(background, foreground, colours, colours)


def _parse_colour(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a colour such as `#ff6b6b`."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def count_rows(drawing: ConsoleRenderable, width: int) -> int:
    """How many rows a drawing takes."""
    with pane(width):
        paper = console()
        return len(paper.render_lines(drawing, paper.options.update(width=width), pad=False))


def fit_drawing(draw: Callable[[int], ConsoleRenderable], most: int, width: int, rows: int) -> ConsoleRenderable | None:
    """What `draw(count)` draws for the largest count up to `most` that has room; None where even one has not."""
    drawings = (draw(count) for count in range(most, 0, -1))
    return next((drawing for drawing in drawings if count_rows(drawing, width) <= rows), None)


def fit_text(lines: Sequence[Text], width: int, rows: int, language: str) -> Text:
    """As much of these lines as there is room for, ending between two pieces of a line; the rest is counted."""
    whole = text("\n", keep="\n").join(lines)
    if count_rows(whole, width) <= rows:
        return whole
    ends = _find_piece_ends(lines)
    for count in range(len(ends) - 1, 0, -1):
        left = translate("full-screen.and-pieces", language, n=len(ends) - count)
        part = whole[: ends[count - 1]].append_text(text(f" · {left}", "bold"))
        if count_rows(part, width) <= rows:
            return part
    # one piece that is too long by itself ends after a word
    for blank in reversed([*re.finditer(" ", whole.plain[: width * rows])]):
        part = whole[: blank.start()].append_text(text(f" · {translate('full-screen.and-text', language)}", "bold"))
        if count_rows(part, width) <= rows:
            return part
    return whole[: width * rows]


def _find_piece_ends(lines: Sequence[Text]) -> list[int]:
    """The places in the joined lines where the text may end, so that the rest can be counted."""
    ends: list[int] = []
    start = 0
    for line in lines:
        ends += [*(start + end.start() for end in _PIECE_END.finditer(line.plain)), start + len(line)]
        # the end of the line is a character, too
        start += len(line) + 1
    return ends


def add_rule(line: Text, width: int) -> Text:
    """The line, followed by a rule to the edge."""
    return line.append_text(text("━" * max(0, width - line.cell_len)))


def draw_event_name(name: str, findings: Iterable[Finding]) -> Text:
    """The name of an event in a list; red and with a sign where it is recorded against the rules."""
    if any(finding.on == "record" for finding in findings):
        return text(f"✗{name}", "bold bright_red")
    return text(name, "dim")


def draw_keys(keys: Sequence[tuple[str, str]], width: int, ends: Sequence[tuple[str, str]] = ()) -> Text:
    """As many keys, with what they do, as fit in one line; those of `ends` in any case, behind the others."""
    line = text("")
    line.no_wrap = True
    room = width - sum(_draw_key(*key, is_first=False).cell_len for key in ends)
    for key in keys:
        part = _draw_key(*key, is_first=not line)
        if line.cell_len + part.cell_len > room:
            break
        line.append_text(part)
    for key in ends:
        line.append_text(_draw_key(*key, is_first=not line))
    return line


def _draw_key(key: str, action: str, *, is_first: bool) -> Text:
    """A key and what it does, with room before it unless it is the first."""
    return text(f"{'' if is_first else '  '}{key} ", "bold").append_text(text(action, "dim"))
