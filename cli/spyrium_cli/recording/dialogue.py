"""A talk with the scribe before the first deal and after the last count: one question, some keys, perhaps a text.

It knows no screen: `tui/dialogue.py` draws it and gives it keys, `answer_by_lines` gives it lines.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from spyrium_cli.render.surface import say

# As a line by itself: it ends the talk.
QUIT = "quit"
# Characters of an answer; what is typed beyond them is dropped.
LONGEST_ANSWER = 500


class Choice(NamedTuple):
    """What one key answers. `is_taken`: it is a part of the answer already."""

    key: str
    label: str
    is_taken: bool = False


class Dialogue(ABC):
    """What a screen draws: sentences, choices, what is typed, a message. `is_over`: nothing more is asked."""

    # What keys do, for the last line: each key, and a sentence of the command line.
    KEYS: ClassVar[Sequence[tuple[str, str]]]

    def __init__(self, language: str) -> None:
        """Ask in this language."""
        self.language = language
        self.text = ""
        self.message = ""
        self.is_over = False

    @abstractmethod
    def describe(self) -> Sequence[str]:
        """What stands above the choices: the question, or how a game ended."""

    @abstractmethod
    def list_choices(self) -> Sequence[Choice]:
        """What one key each would answer."""

    @abstractmethod
    def describe_enter(self) -> str:
        """What Enter would do now; '' where it would do nothing."""

    def list_recap(self) -> Sequence[str]:
        """What is worth reading again once the screen is left."""
        return ()

    @abstractmethod
    def press(self, key: str) -> None:
        """Take one key: a character, or a name such as `enter`."""

    @abstractmethod
    def enter_line(self, line: str) -> None:
        """Take a whole answer."""


def answer_by_lines(dialogue: Dialogue, lines: Iterator[str]) -> bool:
    """Say each question, and answer it with the next line, until `quit`. Returns whether there were lines enough."""
    said: list[str] = []
    while not dialogue.is_over:
        if dialogue.message:
            say(dialogue.message)
        # what was just said need not be read again
        sentences = list_sentences(dialogue)
        for sentence in sentences if sentences != said else ():
            say(sentence)
        said = sentences
        line = next(lines, None)
        if line is None:
            return False
        if line.strip() == QUIT:
            return True
        dialogue.enter_line(line.strip())
    if dialogue.message:
        say(dialogue.message)
    return True


def list_sentences(dialogue: Dialogue) -> list[str]:
    """What is asked, the choices, and what Enter does, each in a line."""
    choices = [f"  {choice.key}  {choice.label}" for choice in dialogue.list_choices()]
    enter = dialogue.describe_enter()
    return [*dialogue.describe(), *choices, *([enter] if enter else [])]
