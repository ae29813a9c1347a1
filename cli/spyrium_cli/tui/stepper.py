"""The stepper's screen: a game, event by event."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import ConsoleRenderable
from rich.text import Text
from textual import events
from textual.timer import Timer

from spyrium_cli.complaint import complaint_of
from spyrium_cli.render.curves import LEAST_ROWS
from spyrium_cli.render.paper import players_of, stack, text
from spyrium_cli.render.sentences import reader_of
from spyrium_cli.titles import find_renderer
from spyrium_cli.tui.full_screen import FullScreen, count_rows, draw_keys, fit_text
from spyrium_cli.tui.stepper_modes import (
    GuessInput,
    LineInput,
    Mode,
    NoteInput,
    VariationInput,
    VariationSteps,
    WriteNote,
)
from spyrium_cli.tui.stepper_panes import (
    describe_event,
    draw_head_line,
    draw_last_events,
    draw_ledger,
    draw_score_curve,
    stepper_text,
)
from spyrium_log.edit.amend import AnyState
from spyrium_log.edit.annotate import TypedNote, read_note
from spyrium_log.errors import SpyriumLogError
from spyrium_log.messages import Argument
from spyrium_log.standings import list_standings
from spyrium_log.stepper import Goal, ShownNote, Stepper
from spyrium_log.title import seat_of

# Events that PgUp and PgDn go.
PAGE = 10
# The head and the keys.
ROWS_BELOW = 2
# Rows beside them that a board above leaves at least for the event and those before it.
SIDE_ROWS = 6
# Seconds an event takes in play, from slow to fast.
PACES = (5.0, 3.0, 2.0, 1.2, 0.7, 0.4, 0.2)
USUAL_PACE = 1.2

# What a key goes on to; its capital goes back to the one before.
GOALS: dict[str, Goal] = {"r": "round", "f": "finding", "n": "note", "c": "correction"}
# The keys that open a mode.
MODES = "/:;gvV"
# What keys do, for the last line; the first of them fit in 80 columns, and those of an end always stand there.
KEYS = (
    ("←→", "step"),
    ("r", "round"),
    (";", "note"),
    ("v", "vary"),
    ("g", "guess"),
    ("Space", "play"),
    ("k", "curve"),
    ("/", "search"),
    ("n", "notes"),
    ("f", "finding"),
    ("1-9", "player"),
    ("V", "variations"),
    ("b", "as recorded"),
    ("L", "ledger"),
    ("s", "scores"),
    ("c", "correction"),
    ("Home End", "ends"),
    ("F2", "light"),
)
KEYS_IN_PLAY = (("Space", "stop"), ("+", "faster"), ("-", "slower"))
END_KEYS = (("F1", "help"), ("q", "leave"))
END_KEYS_IN_MODE = (("F1", "help"), ("^Q", "leave"))


class StepperScreen(FullScreen):
    """Steps through a game, with the board after each event."""

    SIDE = ("events", "details")
    BELOW = ("head", "input", "keys")

    def __init__(self, stepper: Stepper, *, write: WriteNote, scores: bool = True, light: bool = False) -> None:
        """`write` writes a note. `scores`: show points. `light`: colours for a light terminal."""
        legend = find_renderer(stepper.standing.title).legend(stepper.language)
        super().__init__(f"{stepper_text('screen-help', stepper.language)}\n\n{legend}", stepper.language, light=light)
        self.stepper = stepper
        self._write = write
        self._scores = scores
        # the seat whose ledger is shown; 0 for none
        self._ledger_seat = 0
        # whether the curve takes the place of the board
        self._is_curve = False
        # what takes the keys; None while they go through the game
        self._mode: Mode | None = None
        self._messages: list[str] = []
        self._search_words = ""
        self._pace = PACES.index(USUAL_PACE)
        self._playing = False
        self._timer: Timer
        # the seat that p and P look for; 0 for that of the event
        self._sought_seat = 0

    def _say(self, key: str, /, **arguments: Argument) -> str:
        """A sentence of the stepper in the language of the screen."""
        return stepper_text(key, self.stepper.language, **arguments)

    def press(self, key: str) -> None:
        """Take a key: for the mode, to stop playing, to go elsewhere or to change what is shown."""
        self._messages = []
        if self._mode:
            self._mode.press(key)
            self._follow_mode(self._mode)
        elif self._playing and key not in "+-":
            self._playing = False
            self._timer.stop()
        elif not self._go_by_key(key):
            self._change_view(key)

    def _follow_mode(self, mode: Mode) -> None:
        """Show what the mode says, and go on with the next one if it is over."""
        self._messages = mode.messages
        if mode.is_over:
            self._mode = mode.next_mode

    def on_paste(self, event: events.Paste) -> None:
        """Take pasted text as if it were typed, into an input; ends of lines are blanks."""
        if isinstance(self._mode, LineInput):
            for key in " ".join(event.text.split()):
                self.press(key)
            self.draw()

    def _go_by_key(self, key: str) -> bool:
        """Go to another event, if the key says which. Returns whether it does."""
        last = self.stepper.last
        steps = {"right": 1, "l": 1, "left": -1, "h": -1, "pagedown": PAGE, "pageup": -PAGE, "home": -last, "end": last}
        if key in steps:
            self.stepper.move(steps[key])
        elif key in ("up", "down"):
            self.board_row += 1 if key == "down" else -1
        elif key.lower() in GOALS:
            self._seek(GOALS[key.lower()], back=key.isupper())
        elif key in "pP":
            event = self.stepper.event
            self._seek_player(self._sought_seat or (seat_of(event.do) if event else 0), back=key == "P")
        elif key.isdecimal() and key.isascii():
            self._seek_player(int(key))
        elif key in ".,":
            self._messages = self._search(self._search_words, back=key == ",")
        else:
            return False
        return True

    def _change_view(self, key: str) -> None:
        """Take a key that changes what is shown, not which event."""
        if key == "q":
            self.exit()
        elif key == "L":
            self._ledger_seat = (self._ledger_seat + 1) % (len(self.stepper.standing.players) + 1)
        elif key in MODES:
            self._open_mode(key)
        elif key == "k":
            self._is_curve = not self._is_curve
        elif key == "b":
            self.stepper.switch_history()
        elif key == "s":
            self._scores = not self._scores
        elif key == " ":
            self._playing = True
            self._wait_to_play_on()
        elif key in "+-":
            self._pace = max(0, min(self._pace + (1 if key == "+" else -1), len(PACES) - 1))
            self._messages = [self._say("pace", seconds=f"{PACES[self._pace]:g}")]
        elif key == "?":
            self.action_help()

    def _seek(self, goal: Goal, *, back: bool) -> None:
        """Go to the next or the previous event of a kind; say so where there is none."""
        if not self.stepper.seek(goal, back=back):
            self._messages = [self._say(f"no-{goal}-{'before' if back else 'after'}")]

    def _seek_player(self, seat: int, *, back: bool = False) -> None:
        """Go to the next or the previous event of a seat; say so where there is none."""
        self._sought_seat = seat
        names = self.stepper.standing.players
        if not 0 < seat <= len(names):
            self._messages = [self._say("seats", n=len(names))]
        elif not self.stepper.seek("player", back=back, seat=seat):
            self._messages = [self._say("nothing-before" if back else "nothing-after", player=names[seat - 1])]

    def _search(self, words: str, *, back: bool = False) -> list[str]:
        """Go to the next or the previous event whose sentence has these words, which `.` and `,` use again.

        Returns what there is to say where there is none.
        """
        self._search_words = words
        found = not words or self.stepper.search(words, back=back)
        return [] if found else [self._say("not-found", words=words)]

    def _go_to(self, where: str) -> list[str]:
        """Go to a line or an event."""
        self.stepper.go_to(where)
        return []

    def _note(self, typed: str) -> list[str]:
        """Write a note on the event."""
        self._write_note(self.stepper.ref, read_note(typed), ())
        return [self._say("noted")]

    def _write_note(self, on: str, note: TypedNote, moves: Sequence[str]) -> ShownNote:
        """Write a note, and show it once it is on the disk."""
        written = self._write(on, note, moves)
        self.stepper.add_note(written)
        return written

    def _open_mode(self, key: str) -> None:
        """Open a mode; where it has nothing to do, say so."""
        try:
            mode = self._make_mode(key)
        except SpyriumLogError as error:
            self._messages = [complaint_of(error, self.stepper.language).message]
            return
        if mode is None:
            self._messages = [self._say("no-variation")]
        else:
            self._mode = mode
            self._follow_mode(mode)

    def _make_mode(self, key: str) -> Mode | None:
        """The mode that a key opens; None where no variation is kept."""
        stepper = self.stepper
        if key == "g":
            return GuessInput(stepper)
        if key == "v":
            return VariationInput(stepper, stepper.start_variation(), self._write_note)
        if key == "V":
            variations = stepper.list_variations()
            return VariationSteps(stepper, variations, self._write_note) if variations else None
        if key == ";":
            where = self._say("note-on", event=stepper.ref) if stepper.position else self._say("note-on-game")
            return NoteInput(stepper, where, self._note)
        if key == "/":
            return LineInput(stepper, self._say("search"), self._search)
        return LineInput(stepper, self._say("go to"), self._go_to)

    def _wait_to_play_on(self) -> None:
        """Go on by itself after the pace of an event."""
        self._timer = self.set_timer(PACES[self._pace], self._play_on)

    def _play_on(self) -> None:
        """While the game plays by itself, a timer calls this: show the next event, until a key or the last one."""
        self.stepper.move(1)
        self._playing = self.stepper.position < self.stepper.last
        self.draw()
        if self._playing:
            self._wait_to_play_on()

    def draw(self) -> None:
        """Draw everything: the board beside or above the rest, and as much of the rest as has room."""
        width, height = self.size
        if not width or self.draw_help():
            return
        stepper, language = self.stepper, self.stepper.language
        table = self._mode.table if self._mode else None
        state = table.state if table else stepper.copy_state()
        # what is typed may be long: up to a quarter of the screen
        input_line = fit_text([self._draw_input_line()], width, height // 4, language)
        side_width, rows_left = self._draw_board(state, height - ROWS_BELOW - count_rows(input_line, width))
        details = fit_text(self._make_details(), side_width, rows_left, language)
        self.show("details", details)
        self._draw_events(side_width, rows_left - count_rows(details, side_width))
        standings = list_standings(stepper.standing.title, state, stepper.assumed_holdings) if self._scores else ()
        self.show("head", draw_head_line(stepper, standings, width))
        self.show("input", input_line)
        self.show("keys", self._draw_keys(width))

    def _draw_board(self, state: AnyState, rows_above: int) -> tuple[int, int]:
        """Draw board and curve. Returns the columns and rows that are left for the side."""
        stepper = self.stepper
        players = players_of(stepper.log, state)

        def draw_curve(columns: int, rows: int) -> ConsoleRenderable | None:
            """The curve in so many columns and rows, below an empty one; None where it finds no room."""
            if rows <= LEAST_ROWS or not self._scores or not stepper.last:
                return None
            is_guess = isinstance(self._mode, GuessInput)
            return stack(text(""), draw_score_curve(stepper, players, columns, rows - 1, ahead=not is_guess))

        return self.show_board(
            stepper.log,
            state,
            stepper.language,
            rows_above,
            assumed=stepper.assumed_holdings,
            scores=self._scores,
            side_rows=SIDE_ROWS,
            under=draw_curve,
            cover=self._is_curve and self._scores,
        )

    def _draw_keys(self, width: int) -> Text:
        """The keys of what the reader does: go through the game, watch it play, or what the mode is for."""
        keys: Sequence[tuple[str, str]] = KEYS
        if self._mode:
            keys = self._mode.KEYS
        elif self._playing:
            keys = KEYS_IN_PLAY
        elif self.is_board_cut:
            keys = (("↑↓", "board"), *KEYS)
        ends = END_KEYS_IN_MODE if self._mode else END_KEYS
        named_keys, named_ends = ([(key, self._say(what)) for key, what in each] for each in (keys, ends))
        return draw_keys(named_keys, width, named_ends)

    def _draw_events(self, width: int, rows_left: int) -> None:
        """Draw the events before this one, or a seat's ledger, with an empty row below."""
        # an empty pane would still take a row
        self.query_one("#events").display = rows_left > 0
        stepper, rows = self.stepper, max(0, rows_left - 1)
        if self._ledger_seat:
            points = stepper.standing.title.score_resource
            postings = stepper.list_seat_postings(self._ledger_seat)
            entries = [entry for entry in postings if self._scores or entry.what != points]
            player = stepper.standing.players[self._ledger_seat - 1]
            reader = reader_of(stepper.standing.title, stepper.standing.players, stepper.language)
            self.show("events", draw_ledger(entries, player, width, rows, reader))
        else:
            # the event itself stands below them, unless a mode has something else to say there
            is_below = not self._mode or self._mode.describe() is None
            count = max(0, stepper.position - 1) if is_below else stepper.position
            self.show("events", draw_last_events(stepper, count, width, rows))

    def _make_details(self) -> list[Text]:
        """What stands below the events: what the mode says, or the event in full."""
        lines = self._mode.describe() if self._mode else None
        return [*describe_event(self.stepper, scores=self._scores)] if lines is None else lines

    def _draw_input_line(self) -> Text:
        """What is typed, and the last messages."""
        line = self._mode.draw_line() if self._mode else text("")
        messages = self._messages
        if self._playing:
            messages = [self._say("playing", seconds=f"{PACES[self._pace]:g}")]
        words = text(" · ".join(messages), "bold")
        return line.append("  ").append_text(words) if line and words else line or words
