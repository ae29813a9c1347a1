"""The stepper's screen: a game, event by event. It draws where the stepper stands and hands it the keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text
from textual import events

from spyrium_cli.complaint import complaint_of
from spyrium_cli.render.paper import stack, text
from spyrium_cli.tui import panes, scenes
from spyrium_cli.tui.theme import LAYOUT, Themed
from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import Act
from spyrium_log.errors import NotationError, SpyriumLogError
from spyrium_log.stepper import Branch

if TYPE_CHECKING:
    from spyrium_log.stepper import Goal, Stepper

TEN = 10
# the head and the keys
BELOW = 2
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
        self._ledger = 0
        self._asked = ""
        self._typed = ""
        self._said: list[str] = []
        self._words = ""
        self._branch: Branch | None = None
        self._pace = PACES.index(1.2)
        self._playing = False
        self._seat = 0

    # --- keys ----------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        key = event.character if event.is_printable and event.character else event.key
        self._said = []
        if self.scrolls(key):
            pass
        elif self._asked:
            self._type(key)
        elif self._playing and key not in "+-":
            self._playing = False
        else:
            self._command(key)
        self.draw()

    def help_text(self) -> str:
        return scenes.HELP

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
        elif key in "pP":
            self._seek_player(self._seat or getattr(getattr(steps.event, "do", None), "seat", 0), back=key == "P")
        elif key.isdecimal() and key.isascii():
            self._seek_player(int(key))
        elif key in ASKS:
            self._ask(key)
        else:
            self._other(key)

    def _other(self, key: str) -> None:
        if key in ".,":
            self._search(self._words, back=key == ",")
        elif key == "b":
            self.steps.turn()
        elif key == "s":
            self._scores = not self._scores
        elif key == " ":
            self._playing = True
            self._tick()
        elif key in "+-":
            self._pace = max(0, min(self._pace + (1 if key == "+" else -1), len(PACES) - 1))
            self._said = [f"{PACES[self._pace]:g} s an event"]
        elif key == "?":
            self.action_help()

    def _seek(self, goal: Goal, *, back: bool = False, seat: int = 0) -> None:
        if not self.steps.seek(goal, back=back, seat=seat):
            self._said = [f"no {goal} {'before' if back else 'after'} this one"]

    def _seek_player(self, seat: int, *, back: bool = False) -> None:
        self._seat = seat
        names = self.steps.done.players
        if not 0 < seat <= len(names):
            self._said = [f"expected a player from 1 to {len(names)}"]
        elif not self.steps.seek("player", back=back, seat=seat):
            self._said = [f"nothing of {names[seat - 1]} {'before' if back else 'after'} this one"]

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
        except SpyriumLogError as error:
            self._said = [complaint_of(error).message]
            return
        self._asked = ""

    def _vary(self, branch: Branch, words: str) -> None:
        if words:
            branch.play(self._notation(words))
            self._typed = ""
            return
        if branch.notation:
            self._said = [f"kept as note {self._keep(branch.on, branch.notation)}"]
        self._asked, self._branch = "", None

    def _guess(self, words: str) -> None:
        if not words:
            self._asked = ""
            return
        guess = self.steps.guess(self._notation(words))
        self._typed = ""
        self._said = ["✓ right" if guess.is_right else f"✗ guessed: {guess.guessed}", f"it was: {guess.was}"]
        if self.steps.at == self.steps.last:
            self._asked = ""

    def _prompt(self) -> Prompt:
        """What is typed as at the table, read on the table of the place or of the variation."""
        prompt = Prompt(self._branch.table if self._branch else self.steps.table(), language=self.steps.language)
        for key in self._typed.strip():
            prompt.press(key)
        return prompt

    def _notation(self, words: str) -> str:
        """The move in notation, whether it is typed so or as in the recorder."""
        prompt = self._prompt()
        shown = prompt.shown()
        if isinstance(shown.request, Act):
            return prompt.play.notation(shown.request.act)
        raise NotationError(shown.message or f"expected {shown.asked or 'a move'}", words, 1)

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
        if self.draw_help():
            return
        steps = self.steps
        state = self._branch.table.state if self._branch else steps.state()
        line = panes.fitted([self._input()], width, height // 4)
        top = height - BELOW - panes.rows_of(line, width)
        board = scenes.board(steps, state, panes.BOARD, small=False, scores=self._scores)
        wide = panes.is_wide(width, height) and panes.rows_of(board, panes.BOARD) <= top
        side, left = width - panes.BOARD - 2, top
        if not wide:
            board = scenes.board(steps, state, width, small=True, scores=self._scores)
            side, left = width, top - panes.rows_of(board, width)
        told = panes.fitted(self._told(), side, left)
        left -= panes.rows_of(told, side)
        self.query_one("#top").set_class(not wide, "narrow")
        self.show("board", board)
        # without a row of its own it would push the rest off the screen
        self.query_one("#events").display = left > 0
        self.show("events", self._events(side, max(0, left - 1)))
        self.show("told", told)
        scores = steps.done.title.score(state) if self._scores else None
        self.show("head", scenes.head(steps, scores, width, recorded=steps.is_recorded))
        self.show("input", line)
        self.show("keys", panes.keys_line(width, scenes.KEYS))

    def _told(self) -> list[Text]:
        if self._branch is not None:
            said = [text(f"instead of event {self._branch.on}:", "bold"), *map(text, self._branch.sentences)]
        elif self._asked == "guess" and not self._said:
            said = [text("What comes next?", "bold")]
        else:
            said = [*scenes.told(self.steps, scores=self._scores)]
        return [*said, *self._meant()]

    def _meant(self) -> list[Text]:
        """What the move that is being typed would do."""
        if not self._typed.strip() or self._asked not in (ASKS["g"], ASKS["v"]):
            return []
        prompt = self._prompt()
        shown = prompt.shown()
        keys = " ".join(choice.keys for choice in shown.choices)
        said = (
            f"Enter: {prompt.sentence(shown.request)}" if isinstance(shown.request, Act) else f"{shown.message} {keys}"
        )
        return [text(said.strip())]

    def _events(self, width: int, rows: int) -> Group:
        steps = self.steps
        if self._ledger:
            name = steps.done.players[self._ledger - 1]
            entries = [entry for entry in steps.ledger(self._ledger) if self._scores or entry.what != scenes.POINTS]
            return stack(scenes.ledger(entries, name, width, rows))
        refs = [steps.shown.name_of(event) for event in steps.shown.events[: max(0, steps.at - 1)]]
        return stack(scenes.before(steps.sentences, refs, [steps.mark_of(ref) for ref in refs], width, rows))

    def _input(self) -> Text:
        said = " · ".join(self._said)
        if not self._asked:
            return text(said or ("▶ playing" if self._playing else ""), "bold")
        line = text(f"{self._asked} ▸ ", "bold").append_text(text(self._typed, "bold")).append(" ", "reverse")
        return line.append_text(text(f"  {said}", "bold")) if said else line
