"""The recorder's screen: board, choices, prompt. It draws what the prompt says and hands it the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType

from spyrium_cli.render.told import pages, title_help
from spyrium_cli.tui import panes
from spyrium_cli.tui.theme import LAYOUT, Themed

if TYPE_CHECKING:
    from spyrium_cli.recorder import Done, Recorder

BELOW = 3  # rule, prompt and keys
LOGGED = 2  # lines of the log on a small screen


class Recording(Themed):
    """One game being recorded."""

    SIDE = ("choices", "log")
    BELOW = ("rule", "prompt", "preview", "keys")
    CSS = (
        LAYOUT
        + """
    #choices { height: 1fr; width: 100%; }
    #log { height: auto; width: 100%; }
    #preview { height: 3; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "keys", priority=True),
    ]

    def __init__(self, recorder: Recorder, *, language: str, light: bool = False) -> None:
        super().__init__(light=light)
        self.recorder = recorder
        self._language = language
        self._done: Done | None = None
        self._page = 0
        self._room = (0, 0)
        self._previewed = panes.PREVIEW
        self._drawn = (0, 0, 0)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self._page = 0
        key = event.character if event.is_printable and event.character else event.key
        self._press(key)
        self.draw()

    def on_paste(self, event: events.Paste) -> None:
        """As if it had been typed; the ends of lines are no Enter, so that nothing is recorded unseen."""
        for key in event.text:
            self._press(key)
        self.draw()

    def action_help(self) -> None:
        """Page by page, and none again."""
        self._page = (self._page + 1) % (len(self._pages()) + 1)
        self.draw()

    def _pages(self) -> list[str]:
        return pages(title_help(self.recorder.play.title), max(1, self.size.height - BELOW - panes.PREVIEW))

    def _press(self, key: str) -> None:
        """On the disk, and only then shown as done."""
        self.recorder.news.clear()
        wish = self.recorder.prompt.press(key)
        if wish is not None:
            self._done = self.recorder.write(wish)

    # --- drawing -----------------------------------------------------------------------------

    def draw(self) -> None:
        width, height = self.size
        if not width:
            return
        recorder = self.recorder
        table = (len(recorder.play.log.lines), width, height)
        if table != self._drawn:
            self._draw_table(width, height)
            self._drawn = table
        self.query_one("#help").display = bool(self._page)
        self.query_one("#top").display = not self._page
        if self._page:
            self.show("help", Text(self._pages()[self._page - 1]))
        else:
            self.show("choices", panes.choices(recorder, *self._room))
        self.show("rule", panes.rule(recorder, width))
        self.show("prompt", panes.prompt_line(recorder))
        self.show("preview", panes.preview(recorder, self._done, width, self._previewed))

    def _draw_table(self, width: int, height: int) -> None:
        """What no key changes: board, log, and how much room they leave for choices."""
        recorder = self.recorder
        top = height - BELOW - panes.PREVIEW
        self._previewed = panes.PREVIEW
        board = panes.board(recorder, self._language, panes.BOARD, small=False)
        # where every player has a long street, there is no room for it either
        wide = panes.is_wide(width, height) and panes.rows_of(board, panes.BOARD) <= top
        if wide:
            left, side, lines = top, width - panes.BOARD - 2, top // 3
        else:
            board = panes.board(recorder, self._language, width, small=True)
            left, side = top - panes.rows_of(board, width), width
            crowded = left <= LOGGED
            left += crowded
            self._previewed = panes.SHORT_PREVIEW if crowded else panes.PREVIEW
            lines = max(0, min(LOGGED, left - LOGGED))
        self._room = side, left - lines
        self.query_one("#preview").styles.height = self._previewed
        self.query_one("#top").set_class(not wide, "narrow")
        self.show("board", board)
        self.show("log", panes.log(recorder, side, lines))
        self.show("keys", panes.keys_line(width))
