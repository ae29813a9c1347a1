"""What the stepper's screen does beside stepping through the game: inputs, guesses, variations.

A mode takes every key until it is over, says what stands below the events and which keys it has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text

from spyrium_cli.complaint import complaint_of
from spyrium_cli.render.paper import text
from spyrium_cli.render.sentences import awaited_text, note_text
from spyrium_cli.tui.stepper_panes import stepper_text
from spyrium_log.edit.annotate import TypedNote, Variation, play_variation
from spyrium_log.entry.prompt import LONGEST_LINE, Prompt
from spyrium_log.entry.requests import Act
from spyrium_log.errors import NotationError, SpyriumLogError
from spyrium_log.messages import Argument, syntax
from spyrium_log.play import Play
from spyrium_log.stepper import GuessCount, ShownNote, Stepper

# Writes a note: the event that it is on, what it says, and a variation in notation.
WriteNote = Callable[[str, TypedNote, Sequence[str]], ShownNote]
Keys = Sequence[tuple[str, str]]


class Mode:
    """What takes the keys for a while. When it is over, `next_mode` follows, or else the game."""

    # what its keys do, for the last line
    KEYS: ClassVar[Keys]

    def __init__(self, stepper: Stepper) -> None:
        """Begin where the stepper stands."""
        self.stepper = stepper
        self.is_over = False
        self.next_mode: Mode | None = None
        self.messages: list[str] = []

    def say(self, key: str, /, **arguments: Argument) -> str:
        """A sentence of the stepper in the language of the screen."""
        return stepper_text(key, self.stepper.language, **arguments)

    def press(self, key: str) -> None:
        """Take a key. What is refused is said, and stays to be mended."""
        self.messages = []
        try:
            self.take_key(key)
        except SpyriumLogError as error:
            self.messages = [complaint_of(error, self.stepper.language).message]

    def take_key(self, key: str) -> None:
        """Do what a key says."""
        raise NotImplementedError

    @property
    def table(self) -> Play | None:
        """The game whose board is shown; None for the one that is stepped through."""
        return None

    def describe(self) -> list[Text] | None:
        """What stands below the events; None for the event itself."""
        return None

    def draw_line(self) -> Text:
        """The line above the keys, without messages."""
        return text("")


class Input(Mode):
    """A line that is typed, until Enter takes it or Esc ends it."""

    KEYS: ClassVar[Keys] = (("Enter", "takes"), ("Esc", "back"))
    name: str
    typed = ""

    def take_key(self, key: str) -> None:
        """Change the line, take it or end it."""
        if key == "escape":
            self.is_over = True
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "enter":
            self.take(self.typed.strip())
        elif len(key) == 1 and key.isprintable() and len(self.typed) < LONGEST_LINE:
            self.typed += key

    def take(self, words: str) -> None:
        """Do what the line says."""
        raise NotImplementedError

    def draw_line(self) -> Text:
        """The name of the input and what is typed."""
        return text(f"{self.name} ▸ {self.typed}", "bold").append(" ", "reverse")


class LineInput(Input):
    """A line that is given to a function, which returns what there is to say; an empty one ends the input."""

    def __init__(self, stepper: Stepper, name: str, take: Callable[[str], Sequence[str]]) -> None:
        """`name`: what is asked for."""
        super().__init__(stepper)
        self.name = name
        self._take = take

    def take(self, words: str) -> None:
        """Give the line to the function."""
        messages = self._take(words) if words else ()
        self.messages, self.is_over = [*messages], True


class NoteInput(LineInput):
    """A note on the event."""

    KEYS = (("Enter", "writes"), ("Esc", "back"), ("! ?! ??", "mark in front"), ("#…", "tags behind"))


class MoveInput(Input):
    """A move that is typed as in the recorder, or in notation, at a table."""

    def get_table(self) -> Play:
        """The game that the move is typed for."""
        raise NotImplementedError

    def _make_prompt(self) -> Prompt:
        """A new prompt with what is typed."""
        prompt = Prompt(self.get_table(), language=self.stepper.language)
        for key in self.typed.strip():
            prompt.press(key)
        return prompt

    def read_typed_move(self) -> str:
        """The notation of the move that is typed; NotationError for none."""
        prompt = self._make_prompt()
        view = prompt.view
        if isinstance(view.request, Act):
            return prompt.play.write_notation(view.request.act)
        message = view.message or self.say("move-expected", what=view.question or self.say("what-next"))
        raise NotationError(syntax("word", word=message), self.typed.strip(), column=1)

    def make_preview(self) -> list[Text]:
        """What the typed move would do; while it is half typed, what is missing and how it may go on."""
        if not self.typed.strip():
            return []
        prompt = self._make_prompt()
        view = prompt.view
        if isinstance(view.request, Act):
            return [text(f"Enter: {prompt.describe(view.request)}")]
        return [text(" ".join([view.message, *(choice.keys for choice in view.choices)]).strip())]


class GuessInput(MoveInput):
    """Guess what comes next, decision by decision, with the score so far."""

    KEYS = (("Enter", "guess"), ("→", "show it"), ("Esc", "back"))

    def __init__(self, stepper: Stepper) -> None:
        """Go on to the next decision."""
        super().__init__(stepper)
        self.name = self.say("guess")
        self._go_on([])

    def _go_on(self, messages: list[str]) -> None:
        """Go on to the next decision, and say this; at the end of the game guessing is over."""
        self.typed = ""
        self.is_over = not self.stepper.skip_to_decision()
        nothing = [self.say("no-decision-after")] if self.is_over else []
        self.messages = [*messages, *nothing, *(format_guess_counts(self.stepper) if self.is_over else ())]

    def take_key(self, key: str) -> None:
        """Show the move with the right arrow, which counts nothing."""
        if key == "right":
            self.stepper.move(1)
            self._go_on([self.say("was", what=self.stepper.sentence)])
        else:
            super().take_key(key)
        if key == "escape":
            self.messages = format_guess_counts(self.stepper)

    def take(self, words: str) -> None:
        """Compare the guess with what came; an empty one ends guessing."""
        if not words:
            self.take_key("escape")
            return
        guess = self.stepper.guess(self.read_typed_move())
        verdict = self.say("right") if guess.is_right else self.say("guessed", what=guess.guessed)
        self._go_on([verdict, self.say("was", what=guess.was)])

    def get_table(self) -> Play:
        """The game where the reader stands."""
        return self.stepper.start_play()

    def describe(self) -> list[Text]:
        """The question, the score so far, and what the typed guess would do."""
        game, state = self.stepper.standing, self.stepper.copy_state()
        awaited = awaited_text(game.title.awaits(state), game.title, game.players, self.stepper.language)
        question = text(f"{self.say('what-next')} {awaited}", "bold")
        return [question, *map(text, format_guess_counts(self.stepper)), *self.make_preview()]


def format_guess_counts(stepper: Stepper) -> list[str]:
    """`3 right, 2 wrong, of 5 · Anna 2 of 3 · Bob 1 of 2`; nothing before the first guess."""

    def say(key: str, count: GuessCount, **names: str) -> str:
        """A sentence with these numbers."""
        wrong = count.guesses - count.right
        return stepper_text(key, stepper.language, right=count.right, wrong=wrong, n=count.guesses, **names)

    whole = stepper.count_guesses()
    if not whole.guesses:
        return []
    counts = [(player, stepper.count_guesses(seat)) for seat, player in enumerate(stepper.standing.players, 1)]
    parts = [say("guesses-of", count, player=player) for player, count in counts if count.guesses]
    return [" · ".join([say("guesses", whole), *parts])]


class VariationInput(MoveInput):
    """Moves that might have come instead of an event; an empty line keeps them as a note."""

    KEYS = (("Enter", "plays the move"), ("Enter Enter", "keeps"), ("Esc", "back"))

    def __init__(self, stepper: Stepper, variation: Variation, write: WriteNote) -> None:
        """Go on with a variation, which may have moves already."""
        super().__init__(stepper)
        self.name = self.say("instead")
        self.variation = variation
        self._write = write

    def take(self, words: str) -> None:
        """Play the move; without one, keep the variation, if it has any, and go back to the game."""
        if words:
            self.variation.play(self.read_typed_move())
            self.typed = ""
            return
        if self.variation.notation:
            self._write(self.variation.ref, TypedNote(), self.variation.notation)
            moves = " ".join(self.variation.notation)
            self.messages = [self.say("kept", event=self.variation.ref, moves=moves)]
        self.is_over = True

    def get_table(self) -> Play:
        """The game of the variation."""
        return self.variation.table

    @property
    def table(self) -> Play:
        """The game of the variation, whose board is shown."""
        return self.variation.table

    def describe(self) -> list[Text]:
        """The moves so far, and what the typed one would do."""
        heading = text(self.say("instead-of", event=self.variation.ref), "bold")
        return [heading, *map(text, self.variation.sentences), *self.make_preview()]


class VariationSteps(Mode):
    """Step through the kept variations on an event, as through the game."""

    KEYS = (("←→", "step"), ("V", "next variation"), ("v", "go on from here"), ("Esc", "back"), ("Home End", "ends"))

    def __init__(self, stepper: Stepper, notes: Sequence[ShownNote], write: WriteNote) -> None:
        """Begin after the first move of the first of these notes' variations."""
        super().__init__(stepper)
        self._notes = notes
        self._write = write
        self._index = 0
        self._position = 1
        self._variation = self._play()

    @property
    def _note(self) -> ShownNote:
        """The note with the variation that is shown."""
        return self._notes[self._index]

    def _play(self) -> Variation:
        """The variation as far as it is shown."""
        return play_variation(
            self.stepper.log, self._note.on, self._note.variation[: self._position], self.stepper.language
        )

    def take_key(self, key: str) -> None:
        """Step, go to the next variation, go on with this one, or go back to the game."""
        last = len(self._note.variation)
        steps = {"right": 1, "l": 1, "left": -1, "h": -1, "home": -last, "end": last}
        if key in steps:
            self._position = max(0, min(self._position + steps[key], last))
        elif key == "V":
            self._index, self._position = (self._index + 1) % len(self._notes), 1
        elif key == "v":
            self.next_mode, self.is_over = VariationInput(self.stepper, self._variation, self._write), True
        elif key in ("escape", "q"):
            self.is_over = True
        if not self.is_over:
            self._variation = self._play()

    @property
    def table(self) -> Play:
        """The game of the variation, whose board is shown."""
        return self._variation.table

    def describe(self) -> list[Text]:
        """Instead of what, the note, and the moves, of which the last one played is marked."""
        sentences = self.stepper.describe_variation(self._note)
        heading, last = self.say("instead-of", event=self._note.on), len(self._notes)
        if last > 1:
            heading = f"{heading} {self.say('variation-of', n=self._index + 1, last=last)}"
        moves = [
            text(f"{'▸' if n == self._position else ' '} {sentence}", "bold" if n == self._position else "dim")
            for n, sentence in enumerate(sentences, 1)
        ]
        return [text(heading, "bold"), text(note_text(self._note)), *moves]
