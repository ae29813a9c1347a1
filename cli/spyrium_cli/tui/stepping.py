"""The stepper's screen: a game, event by event. It draws where the stepper stands and hands it the keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text
from textual import events

from spyrium_cli.complaint import complaint_of
from spyrium_cli.render.paper import text
from spyrium_cli.tui import panes, scenes
from spyrium_cli.tui.theme import LAYOUT, Themed
from spyrium_log.errors import SpyriumLogError
from spyrium_log.stepper import Branch

if TYPE_CHECKING:
    from spyrium_log.stepper import Goal, Stepper

TEN = 10
# the head, the input and the keys
BELOW = 3
# seconds an event, from slow to fast
PACES = (5.0, 3.0, 2.0, 1.2, 0.7, 0.4, 0.2)

Keep = Callable[[str, Sequence[str]], str]

GOALS: dict[str, Goal] = {"r": "round", "f": "finding", "n": "note", "c": "correction"}
# what is typed, by the key that begins it
ASKS = {"/": "search", ":": "go to", "g": "guess", "v": "instead"}


class Stepping(Themed):
    """One game being looked at. `keep` writes a variation down as a note and answers its id."""

    SIDE = ("events", "told")
    BELOW = ("head", "input", "keys")
    CSS = (
        LAYOUT
        + """
    #events { height: 1fr; width: 100%; }
    #told { height: auto; width: 100%; }
    """
    )

    def __init__(self, steps: Stepper, *, keep: Keep, scores: bool = True, light: bool = False) -> None:
        super().__init__(light=light)
        self.steps = steps
        self._keep = keep
        self._scores = scores
        self._recorded = False
        self._ledger = 0
        self._asked = ""
        self._typed = ""
        self._said: list[str] = []
        self._words = ""
        self._branch: Branch | None = None
        self._pace = PACES.index(1.2)
        self._playing = False
        self._is_help = False

    # --- keys ----------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        key = event.character if event.is_printable and event.character else event.key
        self._said = []
        if self._is_help or key == "f1":
            self._is_help = not self._is_help
        elif self._asked:
            self._type(key)
        else:
            self._command(key)
        self.draw()

    def _command(self, key: str) -> None:
        steps = self.steps
        moves = {"right": 1, "l": 1, "left": -1, "h": -1, "pagedown": TEN, "pageup": -TEN}
        moves |= {"home": -steps.last, "end": steps.last}
        if key == "q":
            self.exit()
        elif key == "L":
            self._ledger = (self._ledger + 1) % (len(steps.done.players) + 1)
        elif key in moves:
            steps.move(moves[key])
        elif key.lower() in GOALS:
            self._seek(GOALS[key.lower()], back=key.isupper())
        elif key.isdecimal() and key.isascii():
            self._seek("player", seat=int(key))
        elif key in ASKS:
            self._ask(key)
        else:
            self._other(key)

    def _other(self, key: str) -> None:
        if key in ".,":
            self._search(self._words, back=key == ",")
        elif key == "b":
            self._recorded = not self._recorded
        elif key == "s":
            self._scores = not self._scores
        elif key == " ":
            self._playing = not self._playing
            self._tick()
        elif key in "+-":
            self._pace = max(0, min(self._pace + (1 if key == "+" else -1), len(PACES) - 1))
            self._said = [f"{PACES[self._pace]:g} s an event"]

    def _seek(self, goal: Goal, *, back: bool = False, seat: int = 0) -> None:
        if not self.steps.seek(goal, back=back, seat=seat):
            self._said = [f"no {goal} {'before' if back else 'after'} this one"]

    def _search(self, words: str, *, back: bool = False) -> None:
        self._words = words
        if words and not self.steps.search(words, back=back):
            self._said = [f"nothing says '{words}'"]

    # --- what is typed ---------------------------------------------------------------------------

    def _ask(self, key: str) -> None:
        try:
            self._branch = Branch(self.steps) if key == "v" else None
        except SpyriumLogError as error:
            self._said = [complaint_of(error).message]
            return
        self._asked, self._typed = ASKS[key], ""

    def _type(self, key: str) -> None:
        if key == "escape":
            self._asked, self._branch = "", None
        elif key == "backspace":
            self._typed = self._typed[:-1]
        elif key == "enter":
            self._take(self._typed.strip())
        elif len(key) == 1:
            self._typed += key

    def _take(self, words: str) -> None:
        """What was typed; refused, it stays to be mended."""
        asked = self._asked
        try:
            if self._branch is not None:
                self._vary(self._branch, words)
                return
            if asked == "guess":
                self._guess(words)
                return
            if asked == "search":
                self._search(words)
            elif words:
                self.steps.go(words)
        except (SpyriumLogError, ValueError) as error:
            self._said = [complaint_of(error).message if isinstance(error, SpyriumLogError) else f"no event '{words}'"]
            return
        self._asked = ""

    def _vary(self, branch: Branch, words: str) -> None:
        if words:
            branch.play(words)
            self._typed = ""
            return
        if branch.notation:
            self._said = [f"kept as note {self._keep(branch.on, branch.notation)}"]
        self._asked, self._branch = "", None

    def _guess(self, words: str) -> None:
        if not words:
            self._asked = ""
            return
        guess = self.steps.guess(words)
        self._typed = ""
        self._said = ["✓ right" if guess.is_right else f"✗ guessed: {guess.guessed}", f"it was: {guess.was}"]
        if self.steps.at == self.steps.last:
            self._asked = ""

    # --- playing by itself -------------------------------------------------------------------------

    def _tick(self) -> None:
        if self._playing:
            self.set_timer(PACES[self._pace], self._on)

    def _on(self) -> None:
        if self._playing:
            self.steps.move(1)
            self._playing = self.steps.at < self.steps.last
            self.draw()
            self._tick()

    # --- drawing ---------------------------------------------------------------------------------

    def draw(self) -> None:
        width, height = self.size
        if not width:
            return
        self.query_one("#help").display = self._is_help
        self.query_one("#top").display = not self._is_help
        self.show("help", Text(scenes.HELP))
        steps = self.steps
        shown = steps.recorded if self._recorded else steps.done
        state = self._branch.table.state if self._branch else shown.state_after(steps.ref)
        told = Group(*self._told())
        top = height - BELOW
        board = scenes.board(steps, state, steps.language, panes.BOARD, small=False)
        wide = panes.is_wide(width, height) and panes.rows_of(board, panes.BOARD) <= top
        side, left = width - panes.BOARD - 2, top
        if not wide:
            board = scenes.board(steps, state, steps.language, width, small=True)
            side, left = width, top - panes.rows_of(board, width)
        left -= panes.rows_of(told, side)
        self.query_one("#top").set_class(not wide, "narrow")
        self.show("board", board)
        self.show("events", self._events(side, max(0, left - 1)))
        self.show("told", told)
        scores = steps.done.title.score(state) if self._scores else None
        self.show("head", scenes.head(steps, scores, width, recorded=self._recorded))
        self.show("input", self._input())
        self.show("keys", panes.keys_line(width, scenes.KEYS))

    def _told(self) -> list[Text]:
        if self._branch is not None:
            said = [text(f"instead of event {self._branch.on}:", "bold"), *map(text, self._branch.sentences)]
        elif self._asked == "guess" and not self._said:
            said = [text("What comes next?", "bold")]
        else:
            said = [*scenes.told(self.steps)]
        return said

    def _events(self, width: int, rows: int) -> Group:
        steps = self.steps
        if self._ledger:
            name = steps.done.players[self._ledger - 1]
            return Group(scenes.ledger(steps.ledger(self._ledger), name, width, rows))
        refs = [steps.done.name_of(event) for event in steps.done.events[: max(0, steps.at - 1)]]
        return Group(scenes.before(steps.sentences, refs, [steps.mark_of(ref) for ref in refs], width, rows))

    def _input(self) -> Text:
        said = " · ".join(self._said)
        if not self._asked:
            return text(said or ("▶ playing" if self._playing else ""), "bold")
        line = text(f"{self._asked} ▸ ", "bold").append(self._typed, "bold").append(" ", "reverse")
        return line.append(f"  {said}", "bold") if said else line
