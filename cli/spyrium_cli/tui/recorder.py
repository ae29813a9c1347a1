"""The recorder's screen: board, choices, prompt. Keys go to the prompt, which says what to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from spyrium_cli.render.sentences import title_help
from spyrium_cli.tui import recorder_panes as panes
from spyrium_cli.tui.fitting import BOARD, is_wide, keys_line, rows_of
from spyrium_cli.tui.full_screen import LAYOUT, FullScreen

if TYPE_CHECKING:
    from spyrium_cli.recording.recorder import Recorded, Recorder

# Rule, prompt and keys.
ROWS_BELOW = 3
# Lines of the log on a small screen.
LOG_ROWS = 2


class RecorderScreen(FullScreen):
    """Draws the prompt of a recorder beside the board, and gives it every key."""

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
        self._last_written: Recorded | None = None
        # columns of the side, rows for the choices, rows for the log
        self._room = (0, 0, 0)
        self._preview_rows = panes.PREVIEW_ROWS
        # the lines of the log and the size for which the board was drawn
        self._state_drawn = (0, 0, 0)

    def press(self, key: str) -> None:
        """What a key records is on the disk before it is shown as done."""
        self.recorder.news.clear()
        request = self.recorder.prompt.press(key)
        if request is not None:
            self._last_written = self.recorder.write(request)

    def on_paste(self, event: events.Paste) -> None:
        """As if it had been typed, but without Enter at the ends of lines: nothing is recorded unseen."""
        for key in event.text:
            self.press(key)
        self.draw()

    def help_text(self) -> str:
        """The keys of this screen, then those of the title's moves."""
        return f"{panes.HELP}\n\n{title_help(self.recorder.play.title)}"

    # --- drawing -----------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw everything; the table only when the log or the size has changed."""
        width, height = self.size
        if not width:
            return
        recorder = self.recorder
        state = (len(recorder.play.log.lines), width, height)
        if state != self._state_drawn:
            self._draw_table(width, height)
            self._state_drawn = state
        if self.draw_help():
            return
        self._draw_choices()
        self.show("rule", panes.rule_line(recorder, width))
        self.show("prompt", panes.prompt_line(recorder))
        self.show("keys", keys_line(panes.keys_of(recorder), width))
        self.show("preview", panes.preview_text(recorder, self._last_written, width, self._preview_rows))

    def _draw_choices(self) -> None:
        """A list of codes may take the place of the log."""
        side_width, rows, log_rows = self._room
        choices = panes.choices(self.recorder, side_width, rows + log_rows if panes.are_codes(self.recorder) else rows)
        self.show("choices", choices)
        self.query_one("#log").display = rows_of(choices, side_width) <= rows

    def _draw_table(self, width: int, height: int) -> None:
        """Board and log, which no key changes, and the room they leave for the choices."""
        recorder = self.recorder
        rows_above = height - ROWS_BELOW - panes.PREVIEW_ROWS
        self._preview_rows = panes.PREVIEW_ROWS
        board = panes.board(recorder, self._language, BOARD, small=False)
        # where every player has many cards, a wide screen may be too low
        wide = is_wide(width, height) and rows_of(board, BOARD) <= rows_above
        if wide:
            rows_left, side_width, log_rows = rows_above, width - BOARD - 2, rows_above // 3
        else:
            board = panes.board(recorder, self._language, width, small=True)
            rows_left, side_width = rows_above - rows_of(board, width), width
            if rows_left <= LOG_ROWS:
                rows_left += 1
                self._preview_rows = panes.CROWDED_PREVIEW_ROWS
            log_rows = max(0, min(LOG_ROWS, rows_left - LOG_ROWS))
        self._room = side_width, rows_left - log_rows, log_rows
        self.query_one("#preview").styles.height = self._preview_rows
        self.query_one("#top").set_class(not wide, "narrow")
        self.show("board", board)
        self.show("log", panes.log_rows(recorder, side_width, log_rows))
