"""The recorder's screen: board, choices, prompt. It draws what the prompt says and hands it the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from spyrium_cli.render.told import title_help
from spyrium_cli.tui import panes
from spyrium_cli.tui.theme import LAYOUT, Themed

if TYPE_CHECKING:
    from spyrium_cli.recording.recorder import Done, Recorder

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

    def __init__(self, recorder: Recorder, *, language: str, light: bool = False) -> None:
        super().__init__(light=light)
        self.recorder = recorder
        self._language = language
        self._done: Done | None = None
        self._room = (0, 0, 0)
        self._previewed = panes.PREVIEW
        self._drawn = (0, 0, 0)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        key = event.character if event.is_printable and event.character else event.key
        if not self.scrolls(key):
            self._press(key)
        self.draw()

    def on_paste(self, event: events.Paste) -> None:
        """As if it had been typed; the ends of lines are no Enter, so that nothing is recorded unseen."""
        for key in event.text:
            self._press(key)
        self.draw()

    def help_text(self) -> str:
        return f"{panes.SCREEN}\n\n{title_help(self.recorder.play.title)}"

    def _press(self, key: str) -> None:
        """On the disk, and only then shown as done."""
        self.recorder.news.clear()
        request = self.recorder.prompt.press(key)
        if request is not None:
            self._done = self.recorder.write(request)

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
        if self.draw_help():
            return
        self._draw_choices()
        self.show("rule", panes.rule(recorder, width))
        self.show("prompt", panes.prompt_line(recorder))
        self.show("keys", panes.keys_line(width, panes.keys_of(recorder)))
        self.show("preview", panes.preview(recorder, self._done, width, self._previewed))

    def _draw_choices(self) -> None:
        """A list of cards or of what else may be said goes before what happened last."""
        side, rows, lines = self._room
        drawn = panes.choices(self.recorder, side, rows + lines if panes.is_codes(self.recorder) else rows)
        self.show("choices", drawn)
        self.query_one("#log").display = panes.rows_of(drawn, side) <= rows

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
        self._room = side, left - lines, lines
        self.query_one("#preview").styles.height = self._previewed
        self.query_one("#top").set_class(not wide, "narrow")
        self.show("board", board)
        self.show("log", panes.log(recorder, side, lines))
