"""Counts that disagree: their mark, and what would explain the last one, each to be taken with a number."""

from __future__ import annotations

import re

from spyrium_log.edit.locate import find_stretches, locate_slips
from spyrium_log.entry.requests import LOCATE, Correction, Preview
from spyrium_log.entry.shortcuts import Choice
from spyrium_log.entry.view import PromptView
from spyrium_log.ledger import collect_holdings
from spyrium_log.messages import Reader, entry_message
from spyrium_log.play import Play
from spyrium_log.replay import Replay, replay
from spyrium_log.title import Counted

# More than that nobody reads while others wait.
MOST = 5
_LINE = re.compile(rf"{LOCATE} ?(?P<number>[1-9]?)")


class Locator:
    """The corrections that would explain the last difference of a game, as it stands; they are looked for once."""

    def __init__(self, preview: Preview) -> None:
        """Nothing is looked for yet; `preview` describes what is found."""
        self._preview = preview
        self._corrections: list[Correction] | None = None

    def make_view(self, text: str, reader: Reader) -> PromptView | None:
        """A view of the corrections, or of the one whose number is typed; None for any other text."""
        match = _LINE.fullmatch(text)
        if match is None:
            return None
        if self._corrections is None:
            self._corrections = list_corrections(self._preview.play, reader)
        if not self._corrections:
            return PromptView(message=entry_message("nothing-explains").text_for(reader))
        choices = [
            Choice(str(number), name=self._preview.describe(correction), text=f"{LOCATE} {number}")
            for number, correction in enumerate(self._corrections, 1)
        ]
        number = int(match["number"] or 0)
        request = self._corrections[number - 1] if 0 < number <= len(self._corrections) else None
        return PromptView(question=entry_message("which-explains").text_for(reader), choices=choices, request=request)


def mark_wrong_counts(game: Replay, language: str) -> dict[str, str]:
    """The sentence of each event by its name, with `≠` before a count that the log denies as it stands."""
    sentences = game.sentences_by_event(language)
    for place, event in enumerate(game.events):
        if isinstance(event.do, Counted):
            held = collect_holdings(game.title, game.state_at(place))
            if any(holding.n != held.get((holding.who, holding.what), 0) for holding in event.do.held):
                sentences[game.name_of(event)] = f"≠ {sentences[game.name_of(event)]}"
    return sentences


def list_corrections(play: Play, reader: Reader) -> list[Correction]:
    """The likeliest corrections for the last count or result that the log denies; none where all agree."""
    stretches = find_stretches(replay(play.log))
    if not stretches:
        return []
    stretch = stretches[-1]
    why = entry_message("as-counted", at=stretch.until).text_for(reader)
    proposals = locate_slips(play.log, stretch, most=MOST).proposals
    return [Correction(edits=proposal.edits, mode=proposal.mode, why=why) for proposal in proposals]
