"""Drawings: with colour and boxes on a terminal, as plain lines in a pipe, never cut.

The only place where rich gets words: it would write what steers a screen as it is (`tests/cli/test_doors.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from rich.align import Align
from rich.box import ROUNDED, SIMPLE_HEAD
from rich.cells import cell_len
from rich.color import ANSI_COLOR_NAMES
from rich.console import Console, ConsoleOptions, ConsoleRenderable, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from spyrium_cli.render.surface import colour_setting, is_screen, pane_width
from spyrium_cli.render.text import plain
from spyrium_log.shown import short_names

if TYPE_CHECKING:
    from spyrium_log import Log
    from spyrium_log.ledger import Holdings

# Wider than any line: rich folds or cuts what is longer.
ENDLESS = 100_000
# Readable on a dark and on a light terminal; black and white pieces are bold in the terminal's own colour.
STYLES = {
    "black": "bold",
    "blue": "bright_blue",
    "brown": "dark_orange3",
    "gray": "grey50",
    "grey": "grey50",
    "natural": "bold",
    "orange": "dark_orange",
    "pink": "hot_pink",
    "purple": "bright_magenta",
    "red": "bright_red",
    "violet": "bright_magenta",
    "white": "bold",
}


def console() -> Console:
    """A console. rich minds NO_COLOR, FORCE_COLOR and the width of a terminal, unless `--color` decides."""
    when_coloured = colour_setting()
    return Console(
        width=pane_width() or (None if is_screen() else ENDLESS),
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        no_color=False if when_coloured == "always" else None,
        force_terminal=True if when_coloured == "always" else None,
        color_system=None if when_coloured == "never" else "auto",
    )


def draw(*drawings: ConsoleRenderable) -> None:
    """Write drawings to stdout, one below the other."""
    out = console()
    if is_screen():
        out.print(*drawings, sep="\n")
        return
    with out.capture() as captured:
        out.print(*drawings, sep="\n")
    for line in captured.get().splitlines():
        click.echo(line.rstrip(), color=True)  # click would remove the colour in a pipe


def text(words: str, style: str = "", *, keep: str = "") -> Text:
    """Words from anywhere, made harmless but for the control characters in `keep`. What is appended keeps its style."""
    return Text().append(plain(words, keep=keep), style)


class Rows(Table):
    """A table of words from anywhere, or of drawings."""

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        """Add a row; a cell that is a str is made harmless by `text`."""
        super().add_row(*(text(cell) if isinstance(cell, str) else cell for cell in cells), **options)


def grid(*columns: str, padding: tuple[int, int, int, int] = (0, 2, 0, 0)) -> Rows:
    """Columns without lines, each `left` or `right` (default: as many as a row has cells)."""
    table = Rows(box=None, padding=padding, collapse_padding=True, pad_edge=False, show_header=False, show_edge=False)
    for column in columns:
        table.add_column(justify="right" if column == "right" else "left", overflow="fold")
    return table


def draw_listing(columns: Sequence[str], rights: Sequence[bool], rows: Sequence[Sequence[str]]) -> None:
    """Draw a table with headings; `rights`: which columns hold numbers.

    Where it fits it is put together here: rich lays out each cell anew, which takes half a second for 300 rows.
    """
    cells = [[plain(cell) for cell in row] for row in (columns, *rows)]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    is_framed = is_screen()
    gap = "   " if is_framed else "  "
    margin = "  " if is_framed else ""
    if is_framed and sum(widths) + len(gap) * (len(widths) - 1) + 2 * len(margin) > console().width:
        draw(_fold_listing(columns, rights, rows))
        return
    head, *lines = [margin + gap.join(map(_pad, row, widths, rights)).rstrip() for row in cells]
    rule = [f" {'─' * (sum(widths) + len(gap) * (len(widths) - 1) + 2)} "] if is_framed else []
    ends = [""] if is_framed else []
    draw(_Listing(head, len(ends), [*rule, *lines, *ends]))


class _Listing(NamedTuple):
    """A head in bold, with empty lines above it, and lines: they fit, so that nothing has to be measured again."""

    head: str
    above: int
    lines: Sequence[str]

    def __rich_console__(self, _console: Console, _options: ConsoleOptions) -> RenderResult:
        """Each line as it is."""
        yield from [Segment.line()] * self.above
        yield Segment(self.head, Style(bold=True))
        yield Segment("\n".join(["", *self.lines, ""]))


def _pad(cell: str, width: int, is_right: bool) -> str:
    """The cell, filled up to a width: numbers stand at the right."""
    room = " " * (width - cell_len(cell))
    return room + cell if is_right else cell + room


def _fold_listing(columns: Sequence[str], rights: Sequence[bool], rows: Sequence[Sequence[str]]) -> Rows:
    """A table whose cells are folded to the width of the screen."""
    table = Rows(box=SIMPLE_HEAD, header_style="bold")
    for column, right in zip(columns, rights, strict=True):
        table.add_column(text(column), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def close_listing(heads: Sequence[str], rights: Sequence[bool], widths: Sequence[int]) -> Rows:
    """A table of columns so wide and close beside each other; a head may have several lines."""
    table = Rows(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False, header_style="bold")
    for head, right, width in zip(heads, rights, widths, strict=True):
        words = text(head, keep="\n")
        table.add_column(words, justify="right" if right else "left", width=width, overflow="fold")
    return table


def stack(*drawings: ConsoleRenderable) -> Group:
    """Drawings one below the other, as one drawing."""
    return Group(*drawings)


class Part(NamedTuple):
    """So many rows of a drawing, from `first` on, counted from 0."""

    drawing: ConsoleRenderable
    first: int
    rows: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the whole and pass on these rows."""
        for line in console.render_lines(self.drawing, options, pad=False)[self.first : self.first + self.rows]:
            yield from line
            yield Segment.line()


def center(drawing: ConsoleRenderable) -> Align:
    """The drawing in the middle of its room, across and down."""
    return Align.center(drawing, vertical="middle")


def frame(drawing: ConsoleRenderable, title: str, height: int) -> Panel:
    """The drawing in a box of `height` lines with a title."""
    return Panel(drawing, title=text(title), title_align="left", box=ROUNDED, padding=(0, 1), height=height)


class Player(NamedTuple):
    """A player as drawn: `mark` stands for the name where there is no room, `style` is one of rich's.

    `assumed` are the resources of which the player's amount rests on printed values that nobody has checked.
    """

    seat: int
    name: str
    mark: str
    style: str
    assumed: frozenset[str] = frozenset()


def players_of(log: Log, state: Any, assumed: Holdings = frozenset()) -> list[Player]:
    """Who sits at the table of `state`, as corrected since: in some games a colour is chosen on the way.

    `assumed`: seats and resources.
    """
    # only what draws a board replays a game
    from spyrium_log.replay import current_header, find_seat_colour

    header = current_header(log)
    names = [plain(seat.player) for seat in header.seats]
    players = []
    for number, (name, mark) in enumerate(zip(names, short_names(names), strict=True), 1):
        colour = find_seat_colour(log.title, header, state, number)
        own_assumed = frozenset(what for who, what in assumed if who == number)
        players.append(Player(number, name, mark, style_of(colour), own_assumed))
    return players


def style_of(colour: str) -> str:
    """The style of a colour that a title names; bold where the terminal has no such colour."""
    return STYLES.get(colour) or (colour if colour in ANSI_COLOR_NAMES else "bold")
