"""What a screen draws of the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from spyrium_log.entry.requests import Request
from spyrium_log.entry.shortcuts import Choice
from spyrium_log.errors import Breach

# What to type next, by what the game waits for: a word of the recorder.
AWAITED_WORDS = {"decision": "a-move", "choice": "the-choice", "deal": "a-deal", "final": "final-count", "over": "over"}


class PromptView(Struct, frozen=True, kw_only=True):
    """All that a screen draws: the question, the choices, the one that Enter takes, and what that does.

    What is `selected` has just been refused: the next character takes its place, Backspace goes on with it.
    """

    question: str = ""
    choices: Sequence[Choice] = ()
    highlighted: int | None = None
    words: Sequence[str] = ()
    request: Request | None = None
    breaches: Sequence[Breach] = ()
    refused: bool = False
    selected: bool = False
    message: str = ""
