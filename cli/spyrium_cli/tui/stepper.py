"""The stepper's screen: a game, event by event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from rich.console import ConsoleRenderable
from rich.text import Text

from spyrium_cli.complaint import complaint_of, shell_message
from spyrium_cli.render.paper import grid, stack, text
from spyrium_cli.render.sentences import finding_text, reader_of
from spyrium_cli.render.text import signed
from spyrium_cli.titles import find_renderer
from spyrium_cli.tui.full_screen import (
    FullScreen,
    add_rule,
    count_rows,
    draw_event_name,
    draw_keys,
    fit_drawing,
    fit_text,
)
from spyrium_log.entry.prompt import Prompt
from spyrium_log.entry.requests import Act
from spyrium_log.errors import NotationError, SpyriumLogError
from spyrium_log.ledger import Entry
from spyrium_log.messages import Argument, Reader, syntax
from spyrium_log.standings import Standing, list_standings
from spyrium_log.stepper import Branch, Goal, Stepper
from spyrium_log.title import seat_of

# Events that PgUp and PgDn go.
PAGE = 10
# The head and the keys.
ROWS_BELOW = 2
# Seconds an event takes in play, from slow to fast.
PACES = (5.0, 3.0, 2.0, 1.2, 0.7, 0.4, 0.2)
USUAL_PACE = 1.2

# Writes a variation as a note: the event it replaces, its acts in notation. Returns the note's id.
Keep = Callable[[str, Sequence[str]], str]

# What a key goes on to; its capital goes back to the one before.
GOALS: dict[str, Goal] = {"r": "round", "f": "finding", "n": "note", "c": "correction"}
# The inputs, by the keys that open them.
SEARCH, GO_TO, GUESS, VARY = "search", "go to", "guess", "instead"
INPUTS = {"/": SEARCH, ":": GO_TO, "g": GUESS, "v": VARY}
# What keys do, for the last line; the first of them fit in 80 columns.
KEYS = (
    ("←→", "step"),
    ("r", "round"),
    ("1-9", "player"),
    ("f", "finding"),
    ("n", "note"),
    ("/", "search"),
    ("F1", "help"),
    ("q", "leave"),
    ("v", "vary"),
    ("g", "guess"),
    ("b", "as recorded"),
    ("L", "ledger"),
    ("s", "scores"),
    ("c", "correction"),
    ("Space", "play"),
    ("Home End", "ends"),
    ("F2", "light"),
)


class StepperScreen(FullScreen):
    """Steps through a game, with the board after each event."""

    SIDE = ("events", "details")
    BELOW = ("head", "input", "keys")

    def __init__(self, stepper: Stepper, *, keep: Keep, scores: bool = True, light: bool = False) -> None:
        """`keep` writes a variation as a note. `scores`: show points. `light`: colours for a light terminal."""
        legend = find_renderer(stepper.standing.title).legend(stepper.language)
        super().__init__(f"{_text('screen-help', stepper.language)}\n\n{legend}", stepper.language, light=light)
        self.stepper = stepper
        self._keep = keep
        self._scores = scores
        # the seat whose ledger is shown; 0 for none
        self._ledger_seat = 0
        # the open input, and what is typed there
        self._input = ""
        self._typed = ""
        self._messages: list[str] = []
        self._search_words = ""
        self._branch: Branch | None = None
        self._pace = PACES.index(USUAL_PACE)
        self._playing = False
        # the seat that p and P look for; 0 for that of the event
        self._sought_seat = 0

    def _say(self, key: str, /, **arguments: Argument) -> str:
        """A sentence of the stepper in the language of the screen."""
        return _text(key, self.stepper.language, **arguments)

    def press(self, key: str) -> None:
        """Take a key: for the open input, to stop playing, to go elsewhere or to change what is shown."""
        self._messages = []
        if self._input:
            self._type_key(key)
        elif self._playing and key not in "+-":
            self._playing = False
        elif not self._go_by_key(key):
            self._change_view(key)

    def _go_by_key(self, key: str) -> bool:
        """Go to another event, if the key says which. Returns whether it does."""
        last = self.stepper.last
        steps = {"right": 1, "l": 1, "left": -1, "h": -1, "pagedown": PAGE, "pageup": -PAGE, "home": -last, "end": last}
        if key in steps:
            self.stepper.move(steps[key])
        elif key.lower() in GOALS:
            self._seek(GOALS[key.lower()], back=key.isupper())
        elif key in "pP":
            event = self.stepper.event
            self._seek_player(self._sought_seat or (seat_of(event.do) if event else 0), back=key == "P")
        elif key.isdecimal() and key.isascii():
            self._seek_player(int(key))
        elif key in ".,":
            self._search(self._search_words, back=key == ",")
        else:
            return False
        return True

    def _change_view(self, key: str) -> None:
        """Take a key that changes what is shown, not which event."""
        if key == "q":
            self.exit()
        elif key == "L":
            self._ledger_seat = (self._ledger_seat + 1) % (len(self.stepper.standing.players) + 1)
        elif key in INPUTS:
            self._open_input(INPUTS[key])
        elif key == "b":
            self.stepper.switch_history()
        elif key == "s":
            self._scores = not self._scores
        elif key == " ":
            self._playing = True
            self.set_timer(PACES[self._pace], self._play_on)
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

    def _search(self, words: str, *, back: bool = False) -> None:
        """Go to the next or the previous event whose sentence has these words; keep them for `.` and `,`."""
        self._search_words = words
        if words and not self.stepper.search(words, back=back):
            self._messages = [self._say("not-found", words=words)]

    def _open_input(self, name: str) -> None:
        """Open an input; one for a variation begins a branch, which some events do not allow."""
        try:
            self._branch = Branch(self.stepper) if name == VARY else None
        except SpyriumLogError as error:
            self._messages = [complaint_of(error, self.stepper.language).message]
        else:
            self._input, self._typed = name, ""

    def _type_key(self, key: str) -> None:
        """Take a key in the open input."""
        if key == "escape":
            self._input, self._branch = "", None
        elif key == "backspace":
            self._typed = self._typed[:-1]
        elif key == "enter":
            self._take_input(self._typed.strip())
        elif len(key) == 1:
            self._typed += key

    def _take_input(self, words: str) -> None:
        """Do what the open input says; an empty one ends it. One that is refused stays to be mended."""
        try:
            if self._branch is not None and words:
                self._branch.play(self._read_typed_move())
                self._typed = ""
            elif self._branch is not None:
                self._keep_variation(self._branch)
            elif self._input == GUESS and words:
                self._guess()
            else:
                if self._input == SEARCH:
                    self._search(words)
                elif self._input == GO_TO and words:
                    self.stepper.go_to(words)
                self._input = ""
        except SpyriumLogError as error:
            self._messages = [complaint_of(error, self.stepper.language).message]

    def _keep_variation(self, branch: Branch) -> None:
        """Keep the moves of a variation, if there are any, as a note, and go back to the game."""
        if branch.notation:
            self._messages = [self._say("kept", note=self._keep(branch.instead_of, branch.notation))]
        self._input, self._branch = "", None

    def _guess(self) -> None:
        """Compare the typed guess with what came; after the last event guessing ends."""
        guess = self.stepper.guess(self._read_typed_move())
        self._typed = ""
        verdict = self._say("right") if guess.is_right else self._say("guessed", what=guess.guessed)
        self._messages = [verdict, self._say("was", what=guess.was)]
        if self.stepper.position == self.stepper.last:
            self._input = ""

    def _make_prompt(self) -> Prompt:
        """A new prompt with what is typed, at the table of the event or of the variation."""
        table = self._branch.table if self._branch else self.stepper.start_play()
        prompt = Prompt(table, language=self.stepper.language)
        for key in self._typed.strip():
            prompt.press(key)
        return prompt

    def _read_typed_move(self) -> str:
        """The notation of the move that is typed, by keys of the recorder or in notation; NotationError for none."""
        prompt = self._make_prompt()
        view = prompt.view
        if isinstance(view.request, Act):
            return prompt.play.write_notation(view.request.act)
        message = view.message or self._say("move-expected", what=view.question or self._say("what-next"))
        raise NotationError(syntax("word", word=message), self._typed.strip(), column=1)

    def _play_on(self) -> None:
        """While the game plays by itself, a timer calls this: show the next event, until a key or the last one."""
        if self._playing:
            self.stepper.move(1)
            self._playing = self.stepper.position < self.stepper.last
            self.draw()
            self.set_timer(PACES[self._pace], self._play_on)

    def draw(self) -> None:
        """Draw everything: the board beside or above the rest, and as much of the rest as has room."""
        width, height = self.size
        if not width or self.draw_help():
            return
        stepper = self.stepper
        state = self._branch.table.state if self._branch else stepper.copy_state()
        # what is typed may be long: up to a quarter of the screen
        input_line = fit_text([self._draw_input_line()], width, height // 4, self.stepper.language)
        rows_above = height - ROWS_BELOW - count_rows(input_line, width)
        game = stepper.standing
        assumed = stepper.assumed_holdings
        side_width, rows_left = self.show_board(
            game.log, state, stepper.language, rows_above, assumed=assumed, scores=self._scores
        )
        details = fit_text(self._make_details(), side_width, rows_left, self.stepper.language)
        self.show("details", details)
        self._draw_events(side_width, rows_left - count_rows(details, side_width))
        standings = list_standings(game.title, state, assumed) if self._scores else ()
        self.show("head", draw_head_line(stepper, standings, width))
        self.show("input", input_line)
        self.show("keys", draw_keys([(key, self._say(what)) for key, what in KEYS], width))

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
            self.show("events", draw_events_before(stepper, width, rows))

    def _make_details(self) -> list[Text]:
        """What stands below the events: the variation, the question of a guess, or the event in full."""
        if self._branch is not None:
            heading = text(self._say("instead-of", event=self._branch.instead_of), "bold")
            lines = [heading, *map(text, self._branch.sentences)]
        elif self._input == GUESS and not self._messages:
            lines = [text(self._say("what-next"), "bold")]
        else:
            lines = [*describe_event(self.stepper, scores=self._scores)]
        return [*lines, *self._make_preview()]

    def _make_preview(self) -> list[Text]:
        """What the typed guess or variation would do; while it is half typed, what is missing and how it may go on."""
        if not self._typed.strip() or self._input not in (GUESS, VARY):
            return []
        prompt = self._make_prompt()
        view = prompt.view
        if isinstance(view.request, Act):
            return [text(f"Enter: {prompt.describe(view.request)}")]
        return [text(" ".join([view.message, *(choice.keys for choice in view.choices)]).strip())]

    def _draw_input_line(self) -> Text:
        """The open input with what is typed, and the last messages."""
        messages = " · ".join(self._messages)
        if not self._input:
            return text(messages or (self._say("playing") if self._playing else ""), "bold")
        line = text(f"{self._say(self._input)} ▸ {self._typed}", "bold").append(" ", "reverse")
        return line.append_text(text(f"  {messages}", "bold")) if messages else line


def _text(key: str, language: str, /, **arguments: Argument) -> str:
    """A sentence of the stepper in a language."""
    return shell_message(f"stepper.{key}", **arguments).text_for(Reader(language))


def draw_events_before(stepper: Stepper, width: int, rows: int) -> ConsoleRenderable:
    """The last events before the one where the reader stands, as many as there is room for."""
    events = list(stepper.sentences.items())[: max(0, stepper.position - 1)]

    def draw_last_events(count: int) -> ConsoleRenderable:
        """So many events, the last one lowest."""
        table = grid("right", "left", padding=(0, 1, 0, 0))
        for ref, sentence in events[-count:]:
            marks = stepper.format_marks(ref)
            name = draw_event_name(ref, stepper.findings.get(ref, ()))
            table.add_row(name, text(sentence).append_text(text(f" {marks}" if marks else "", "bold")))
        return table

    return fit_drawing(draw_last_events, min(rows, len(events)), width, rows) or text("")


def draw_ledger(entries: Sequence[Entry], player: str, width: int, rows: int, reader: Reader) -> ConsoleRenderable:
    """The last rows of a seat's ledger, below their sums."""
    sums: Counter[str] = Counter()
    for entry in entries:
        sums[reader.title_word("resources", entry.what)] += entry.amount
    heading = text(f"{player}: {', '.join(f'{what} {n}' for what, n in sums.items())}", "bold")

    def draw_last_entries(count: int) -> ConsoleRenderable:
        """The sums, and below them so many of the last entries."""
        table = grid("right", "left", "right", "left", padding=(0, 1, 0, 0))
        for entry in entries[-count:]:
            # the reasons are one cell, so that lines break between words
            what, reasons = reader.title_word("resources", entry.what), " ".join(_list_reasons(entry, reader))
            table.add_row(text(entry.ref, "dim"), what, signed(entry.amount), reasons)
        earlier_text = _text("rows-before", reader.language, n=len(entries) - count) if len(entries) > count else ""
        return stack(heading.copy().append_text(text(earlier_text, "dim")), table)

    return fit_drawing(draw_last_entries, max(1, rows - 1), width, rows) or heading


def _list_reasons(entry: Entry, reader: Reader) -> list[str]:
    """The cause of a posting, the rule's number, and whether somebody saw it."""
    seen = _text("seen", reader.language) if entry.seen else ""
    return [word for word in (reader.cause_name(entry.why), entry.number, seen) if word]


def draw_head_line(stepper: Stepper, standings: Sequence[Standing], width: int) -> Text:
    """The event, and everybody's points there; in brackets the totals if counted now. What has no room is left out."""
    position = _text("event", stepper.language, event=stepper.ref, n=stepper.position, last=stepper.last)
    line = text("━━ ").append_text(text(position, "bold"))
    if stepper.is_recorded:
        line.append_text(text(_text("as-it-was", stepper.language), "bold"))
    # no scores where they are hidden
    named = zip(stepper.standing.players, standings, strict=False)
    points = [f" · {name} {standing.points}" for name, standing in named]
    totals = [f" ({each.total})" if each.score.total != each.score.points else "" for each in standings]
    with_totals = [f"{name_and_points}{total}" for name_and_points, total in zip(points, totals, strict=True)]
    for parts in (with_totals, points):
        scores = text(f"{''.join(parts)} ")
        if line.cell_len + scores.cell_len <= width:
            return add_rule(line.append_text(scores), width)
    return add_rule(line.append(" "), width)


def describe_event(stepper: Stepper, *, scores: bool) -> Iterator[Text]:
    """The event in full: what it says, what it moved, its findings and notes. Not `scores`: no points that moved."""
    if not stepper.position:
        yield text(_text("before-first", stepper.language), "bold")
        return
    yield text(f"▸ {stepper.ref} {stepper.sentence}", "bold")
    if stepper.other_sentence:
        key = "stands-as" if stepper.is_recorded else "recorded-as"
        yield text(_text(key, stepper.language, what=stepper.other_sentence))
    if line := stepper.amendment:
        yield text(_text("corrected", stepper.language, line=line.n, who=line.by, why=str(line.why)))
    title = stepper.standing.title
    reader = reader_of(title, stepper.standing.players, stepper.language)
    entries = [entry for entry in stepper.list_postings() if scores or entry.what != title.score_resource]
    if entries:
        yield text(" · ".join(_format_posting(entry, reader) for entry in entries))
    for finding in stepper.findings.get(stepper.ref, ()):
        yield text(f"✗ {finding_text(finding, reader)}")
    for note in stepper.notes.get(stepper.ref, ()):
        mark = f"{note.mark} " if note.mark else ""
        moves = ", ".join(note.variation)
        instead = _text("variation", stepper.language, moves=moves) if note.variation else ""
        tags = "".join(f" #{tag}" for tag in note.tags)
        yield text(f"✎ {mark}{note.text}{tags}{instead} — {note.by}")


def _format_posting(entry: Entry, reader: Reader) -> str:
    """`Anna money −3 (price, S-5.3)`."""
    is_player = 0 < entry.who <= len(reader.names)
    who = reader.names[entry.who - 1] if is_player else _text("nobody", reader.language)
    what = reader.title_word("resources", entry.what)
    return f"{who} {what} {signed(entry.amount)} ({', '.join(_list_reasons(entry, reader))})"
